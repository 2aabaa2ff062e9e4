//! The layout a viewer opens with: the scene on the left, the curves on the right.
//!
//! Built from the blueprint archetypes themselves: Rerun's own builder picks random ids (so no two
//! files would be alike) and can't place the eye.

use crate::chunks::Writer;
use crate::error::RerunError;
use crate::eye::Eye;
use crate::layout::{self, Counts, Curves};
use crate::names::Names;
use crate::options::{OwnView, UpAxis};
use crate::paths;
use nalgebra::Vector3;
use re_log_types::{EntityPath, TimePoint, Timeline};
use re_sdk_types::AsComponents;
use re_sdk_types::blueprint::archetypes::{
    Background, ContainerBlueprint, EntityBehavior, EyeControls3D, LineGrid3D, PanelBlueprint,
    PlotLegend, TimePanelBlueprint, ViewBlueprint, ViewContents, ViewportBlueprint,
};
use re_sdk_types::blueprint::components::{
    BackgroundKind, ContainerKind, Eye3DKind, LoopMode, PanelState, PlaybackSpeed, QueryExpression,
    RootContainer, TimelineName, ViewClass,
};
use re_sdk_types::datatypes::{Rgba32, Uuid};
use stickslip_record::CurveGroup;

/// What the layout depends on.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// From where the scene is seen.
    pub eye: Eye,
    /// Which way is up.
    pub up: UpAxis,
    /// Whether the scene draws its own ground, so that no grid is needed.
    pub has_ground: bool,
    /// Which curves are shown.
    pub curves: Curves,
    /// How many curves a view has.
    pub counts: Counts,
    /// Entities that are not shown at first.
    pub hidden: Vec<EntityPath>,
    /// The entity that the eye follows.
    pub follow: Option<EntityPath>,
    /// Simulated seconds per second.
    pub playback: Option<f64>,
    /// What the entities and timelines of the recording are called.
    pub names: Names,
    /// Views of what the program logs itself.
    pub views: Vec<OwnView>,
}

/// Behind the scene.
const BACKGROUND: [u8; 4] = [27, 30, 36, 255];

/// Sends the blueprint and makes it the default.
pub(crate) fn put(out: &mut Writer<'_>, layout: &Layout) -> Result<(), RerunError> {
    out.announce()?;
    let mut b = Builder {
        out,
        names: &layout.names,
        next: 0,
    };
    let space = b.space(layout)?;
    let legend = b.view(
        "TextDocument",
        "Verdict and legend",
        paths::LEGEND,
        "$origin",
    )?;
    let log = b.view("TextLog", "Solver messages", "log", "$origin/**")?;
    let notes = b.container(
        ContainerBlueprint::new(ContainerKind::Horizontal)
            .with_contents([legend.as_str(), log.as_str()])
            .with_col_shares([1.6, 1.0]),
    )?;
    let left = b.container(
        ContainerBlueprint::new(ContainerKind::Vertical)
            .with_contents([space.as_str(), notes.as_str()])
            .with_row_shares([2.6, 1.0]),
    )?;
    let first = b.grid("What to look at", &layout.curves.first, layout)?;
    let right = if layout.curves.rest.is_empty() {
        first
    } else {
        let rest = b.grid("Everything else", &layout.curves.rest, layout)?;
        b.container(
            ContainerBlueprint::new(ContainerKind::Tabs)
                .with_contents([first.as_str(), rest.as_str()])
                .with_active_tab(first.as_str()),
        )?
    };
    let right = b.beside(right, &layout.views)?;
    b.container(
        ContainerBlueprint::new(ContainerKind::Horizontal)
            .with_contents([left.as_str(), right.as_str()])
            .with_col_shares([1.0, 0.85]),
    )?;
    let root = Uuid::from(b.next.to_be_bytes());
    b.put(
        "viewport",
        &ViewportBlueprint::new()
            .with_root_container(RootContainer(root))
            .with_auto_layout(false)
            .with_auto_views(false),
    )?;
    for panel in ["blueprint_panel", "selection_panel"] {
        b.put(
            panel,
            &PanelBlueprint::new().with_state(PanelState::Collapsed),
        )?;
    }
    let time = TimePanelBlueprint::new()
        .with_state(PanelState::Collapsed)
        .with_timeline(TimelineName(layout.names.timelines[0].as_str().into()));
    let time = match layout.playback {
        // What is played slowly is about how it ends.
        Some(speed) => time
            .with_playback_speed(PlaybackSpeed(speed.into()))
            .with_loop_mode(LoopMode::Off),
        None => time.with_loop_mode(LoopMode::All),
    };
    b.put("time_panel", &time)?;
    out.activate()
}

struct Builder<'a, 'b> {
    out: &'a mut Writer<'b>,
    names: &'a Names,
    next: u128,
}

impl Builder<'_, '_> {
    fn put(&mut self, path: &str, data: &dyn AsComponents) -> Result<(), RerunError> {
        let time = TimePoint::default().with(Timeline::new_sequence("blueprint"), 0);
        self.out.put_row(&EntityPath::from(path), time, data)
    }

    /// The next path `kind/<uuid>`.
    fn path(&mut self, kind: &str) -> String {
        self.next += 1;
        let hex = format!("{:032x}", self.next);
        format!(
            "{kind}/{}-{}-{}-{}-{}",
            &hex[..8],
            &hex[8..12],
            &hex[12..16],
            &hex[16..20],
            &hex[20..]
        )
    }

    fn container(&mut self, data: ContainerBlueprint) -> Result<String, RerunError> {
        let path = self.path("container");
        self.put(&path, &data)?;
        Ok(path)
    }

    fn view(
        &mut self,
        class: &str,
        title: &str,
        origin: &str,
        contents: &str,
    ) -> Result<String, RerunError> {
        let origin = self.names.place(&EntityPath::from(origin));
        self.view_of(class, title, &origin, contents)
    }

    /// A view of a place that the names of the recording have no part in.
    fn view_of(
        &mut self,
        class: &str,
        title: &str,
        origin: &EntityPath,
        contents: &str,
    ) -> Result<String, RerunError> {
        let path = self.path("view");
        self.put(
            &format!("{path}/ViewContents"),
            &ViewContents::new([QueryExpression(contents.into())]),
        )?;
        self.put(
            &path,
            &ViewBlueprint::new(ViewClass(class.into()))
                .with_display_name(title)
                .with_space_origin(origin.to_string()),
        )?;
        Ok(path)
    }

    fn space(&mut self, layout: &Layout) -> Result<String, RerunError> {
        let path = self.view("3D", "Scene", paths::WORLD, "$origin/**")?;
        let point = |p: Vector3<f64>| -> [f32; 3] { p.cast::<f32>().into() };
        let target = layout.eye.target.coords;
        let mut eye = EyeControls3D::new()
            .with_kind(Eye3DKind::Orbital)
            .with_position(point(target + layout.eye.away))
            .with_look_target(point(target))
            .with_eye_up(point(layout.up.vector()));
        if let Some(entity) = &layout.follow {
            eye = eye.with_tracking_entity(self.names.place(entity).to_string());
        }
        self.put(&format!("{path}/EyeControls3D"), &eye)?;
        for entity in &layout.hidden {
            let entity = self.names.place(entity);
            self.put(
                &format!("{path}/ViewContents/overrides{entity}/visualizers"),
                &EntityBehavior::new().with_visible(false),
            )?;
        }
        self.put(
            &format!("{path}/LineGrid3D"),
            &LineGrid3D::new().with_visible(!layout.has_ground),
        )?;
        self.put(
            &format!("{path}/Background"),
            &Background::new(BackgroundKind::SolidColor).with_color(Rgba32::from(BACKGROUND)),
        )?;
        Ok(path)
    }

    fn grid(
        &mut self,
        title: &str,
        groups: &[CurveGroup],
        layout: &Layout,
    ) -> Result<String, RerunError> {
        let plots = groups.iter().enumerate();
        let plots = plots.map(|(number, group)| {
            let has_legend = layout.counts.has_legend(*group, number);
            self.plot(*group, has_legend)
        });
        let plots = plots.collect::<Result<Vec<_>, _>>()?;
        self.container(
            ContainerBlueprint::new(ContainerKind::Grid)
                .with_display_name(title)
                .with_contents(plots.iter().map(String::as_str))
                .with_grid_columns(2),
        )
    }

    /// The curves, with the program's own views below them.
    fn beside(&mut self, curves: String, own: &[OwnView]) -> Result<String, RerunError> {
        if own.is_empty() {
            return Ok(curves);
        }
        let views = own.iter().map(|view| {
            let origin = EntityPath::parse_forgiving(&view.entity);
            self.view_of(view.kind.class(), &view.title, &origin, "$origin/**")
        });
        let views = views.collect::<Result<Vec<_>, _>>()?;
        let views = self.container(
            ContainerBlueprint::new(ContainerKind::Horizontal)
                .with_contents(views.iter().map(String::as_str)),
        )?;
        self.container(
            ContainerBlueprint::new(ContainerKind::Vertical)
                .with_contents([curves.as_str(), views.as_str()])
                .with_row_shares([2.0, 1.0]),
        )
    }

    fn plot(&mut self, group: CurveGroup, has_legend: bool) -> Result<String, RerunError> {
        let (folder, title, corner) = layout::view(group);
        let path = self.view(
            "TimeSeries",
            title,
            &format!("plots/{folder}"),
            "$origin/**",
        )?;
        self.put(
            &format!("{path}/PlotLegend"),
            &PlotLegend::new()
                .with_corner(corner)
                .with_visible(has_legend),
        )?;
        Ok(path)
    }
}
