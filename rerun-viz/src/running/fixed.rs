//! What never changes in a recording: layout, axes, legend, shapes, joints and the styles of arrows and curves. It is
//! logged at the first step.

use super::{Common, Running};
use crate::balance::BalanceColumns;
use crate::blueprint::{self, Layout};
use crate::bounds::Extent;
use crate::chunks::Writer;
use crate::contacts::Scale;
use crate::error::RerunError;
use crate::eye::Eye;
use crate::layout::{self, Given};
use crate::links::{self, Looks};
use crate::notes;
use crate::options::{RecorderOptions, UpAxis, ViewLayout};
use crate::outlet::Outlet;
use crate::paths;
use crate::plots::JointColumns;
use crate::shapes;
use crate::track::{Track, spread};
use re_log_types::EntityPath;
use re_sdk_types::archetypes::{RecordingInfo, ViewCoordinates};
use stickslip_record::{Geometry, StepRecord};

impl Running {
    /// Logs layout, axes and legend, at the first step of the first run that has one. `tracks` are the runs
    /// side by side, if there are several.
    pub(crate) fn share(
        &mut self,
        step: &StepRecord,
        options: &RecorderOptions,
        tracks: &[Track],
        mut blueprint: Writer<'_>,
    ) -> Result<Common, RerunError> {
        let own = Extent::of(&self.scene, &step.body_poses);
        let scale = Scale::new(&own, &self.scene, &step.contacts, options.meters_per_newton);
        let extent = spread(own, self.track.as_ref(), tracks);
        let tile = shapes::tile_side(&own);
        let has_ground = self.scene.bodies.iter().any(|body| {
            let mut shapes = body.shapes.iter();
            shapes.any(|s| matches!(s.geometry, Geometry::HalfSpace { .. }))
        });
        let given = if tracks.is_empty() {
            Given::Parts
        } else {
            Given::Whole
        };
        let up = options.up.under(&self.scene.gravity);
        let eye = Eye::of(
            (&self.scene, &step.body_poses),
            &own,
            up,
            (self.track.as_ref(), tracks),
        );
        let followed = eye.follow.and_then(|body| {
            let (path, pose) = self.paths.get(body).zip(step.body_poses.get(body))?;
            Some((paths::below(path, paths::EYE), eye.anchor(pose)))
        });
        let layout = Layout {
            eye,
            up,
            has_ground,
            curves: layout::curves(&self.scene, given),
            counts: layout::Counts::new(&self.scene, tracks),
            hidden: layout::hidden(&self.scene, tracks),
            playback: self.scene.view.playback,
            follow: followed.as_ref().map(|(path, _)| path.clone()),
            names: self.store.names().clone(),
            views: options.views.clone(),
        };
        if options.layout == ViewLayout::Curated {
            blueprint::put(&mut blueprint, &layout)?;
        }
        let is_own = !blueprint.outlet.is_shared();
        let mut out = self.store.writer(blueprint.outlet);
        if is_own {
            out.put_static(
                &EntityPath::properties(),
                &RecordingInfo::new().with_name(self.scene.name.as_str()),
            )?;
        }
        let axes = match layout.up {
            UpAxis::Y => ViewCoordinates::RIGHT_HAND_Y_UP(),
            UpAxis::Z | UpAxis::AgainstGravity => ViewCoordinates::RIGHT_HAND_Z_UP(),
        };
        out.put_static(&EntityPath::from(paths::WORLD), &axes)?;
        if let Some((path, anchor)) = &followed {
            out.put_static(path, anchor)?;
        }
        let ground_tile = has_ground.then_some(tile);
        self.legend = notes::legend(&self.scene, &scale, ground_tile, tracks);
        out.put_static(
            &EntityPath::from(paths::LEGEND),
            &notes::panel(&self.legend, &[]),
        )?;
        Ok(Common {
            scale,
            extent,
            tile,
            up: up.vector(),
            is_row: tracks.iter().any(|track| track.offset != tracks[0].offset),
        })
    }

    /// Logs everything of its own that never changes, at its first step.
    pub(crate) fn prepare(
        &mut self,
        step: &StepRecord,
        common: Common,
        options: &RecorderOptions,
        outlet: &mut Outlet,
    ) -> Result<(), RerunError> {
        let mut out = self.store.writer(outlet);
        let looks = Looks {
            extent: common.extent,
            tile: common.tile,
            opacity: options.opacity,
            is_heap: common.scale.is_heap,
        };
        let bodies = self.scene.bodies.iter().zip(&step.body_poses);
        for (body, path) in bodies.zip(&self.paths) {
            links::put_body(body, path, &looks, &mut out)?;
        }
        let size = common.extent.size;
        links::put_joints(&self.scene, &self.paths, size, &mut out)?;
        self.contacts.put_static(&mut out, &common.scale)?;
        self.details.put_static(&mut out, &common.scale)?;
        self.wrenches.put_static(&mut out, &common.scale)?;
        if let Some(track) = self.track.as_ref().filter(|_| common.is_row) {
            let own = Extent::of(&self.scene, &step.body_poses);
            track.put_name(&own, &common.up, &mut out)?;
        }
        self.balance = BalanceColumns::new(&self.scene, common.up);
        self.balance.put_static(&mut out, &common.scale)?;
        self.plots.put_static(&mut out)?;
        if self.track.is_none() && !step.joints.is_empty() {
            let mut joints = JointColumns::new(&self.scene, step);
            joints.put_static(&mut out)?;
            self.joints = Some(joints);
        }
        self.common = Some(common);
        Ok(())
    }
}
