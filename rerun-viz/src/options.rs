//! How to record.

use crate::error::RerunError;
use crate::names::{Names, SIM_TIME, STEP};
use nalgebra::Vector3;

/// Which steps become frames (poses and contacts). Curves have a point per frame too, which shows the
/// worst of the steps since the last frame: a short failure is never skipped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Frames {
    /// At most this many per simulated second.
    PerSecond(f64),
    /// Every n-th step.
    EverySteps(u64),
}

/// Which axis of the world points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// y where gravity points along it, z everywhere else.
    #[default]
    AgainstGravity,
    /// y.
    Y,
    /// z.
    Z,
}

impl UpAxis {
    /// The axis in a world with this gravity: [`Self::Y`] or [`Self::Z`].
    pub fn under(self, gravity: &Vector3<f64>) -> Self {
        match self {
            Self::AgainstGravity if gravity.y.abs() > gravity.z.abs() => Self::Y,
            Self::AgainstGravity => Self::Z,
            known => known,
        }
    }

    /// The unit vector; that of z where the axis depends on gravity.
    pub fn vector(self) -> Vector3<f64> {
        match self {
            Self::Y => Vector3::y(),
            Self::Z | Self::AgainstGravity => Vector3::z(),
        }
    }
}

/// How to record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecorderOptions {
    /// Which steps become frames; 100 per simulated second by default.
    pub frames: Frames,
    /// Which way is up; against gravity by default.
    pub up: UpAxis,
    /// Length of force arrows [m/N]. By default a quarter of the scene's weight, or the largest force of
    /// the first step if that is more, is drawn as 0.35 of the scene's size (half the diagonal of the moving bodies' bounding box at the first step); the legend in the
    /// recording says which scale it is.
    pub meters_per_newton: Option<f64>,
    /// Opacity of moving bodies, above 0 to 1, on top of their colours'. 0.6 by default: forces act inside
    /// the bodies and would be hidden.
    pub opacity: f64,
    /// Identity of the recording: a viewer merges recordings of the same scene and identity. By default
    /// the file's name, so that a repeated run gives the same messages, and random for a viewer.
    /// With a stream of the SDK ([`RerunRecorder::with_stream`](crate::RerunRecorder::with_stream)) the
    /// recording is the stream's, and this is not asked for.
    pub recording_id: Option<String>,
    /// Names of the timelines of simulated time \[s\] and of step numbers; [`SIM_TIME`](crate::SIM_TIME) and
    /// [`STEP`](crate::STEP) by default.
    pub timelines: [String; 2],
    /// The entity below which all entities of the recording are, `robots/left` for example; by default they are at the
    /// root.
    pub folder: Option<String>,
    /// What a viewer shows first.
    pub layout: ViewLayout,
    /// Views of what the program logs itself, shown below the curves.
    pub views: Vec<OwnView>,
}

/// A view of something that the program logs itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnView {
    /// Its title.
    pub title: String,
    /// The entity whose subtree it shows, `camera/front` for example.
    pub entity: String,
    /// What is shown there.
    pub kind: ViewKind,
}

/// What a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    /// Curves over time.
    Curves,
    /// Pictures, and what is drawn on them.
    Picture,
    /// Things in space.
    Space,
    /// Log messages.
    Messages,
}

impl ViewKind {
    /// The viewer's name of it.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Curves => "TimeSeries",
            Self::Picture => "2D",
            Self::Space => "3D",
            Self::Messages => "TextLog",
        }
    }
}

/// What a viewer shows first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ViewLayout {
    /// The scene on the left, the curves that matter for it on the right, [`RecorderOptions::views`] below them.
    #[default]
    Curated,
    /// No layout is sent: the program sends its own, or the viewer finds one.
    Absent,
}

impl Default for RecorderOptions {
    fn default() -> Self {
        Self {
            frames: Frames::PerSecond(100.0),
            up: UpAxis::default(),
            meters_per_newton: None,
            opacity: 0.6,
            recording_id: None,
            timelines: [SIM_TIME, STEP].map(str::to_owned),
            folder: None,
            layout: ViewLayout::default(),
            views: Vec::new(),
        }
    }
}

impl RecorderOptions {
    /// Names of the recording.
    ///
    /// # Errors
    /// [`RerunError::Name`].
    pub(crate) fn names(&self) -> Result<Names, RerunError> {
        Names::of(&self.timelines, self.folder.as_deref())
    }

    /// Refuses numbers and names that make no sense.
    pub(crate) fn check(&self) -> Result<(), RerunError> {
        self.names()?;
        let positive = |name, value: f64| {
            if value.is_finite() && value > 0.0 {
                Ok(())
            } else {
                Err(RerunError::Option {
                    name,
                    value,
                    reason: "must be positive",
                })
            }
        };
        match self.frames {
            Frames::PerSecond(rate) => positive("frames per second", rate)?,
            Frames::EverySteps(n) => positive("steps per frame", n as f64)?,
        }
        if !(self.opacity > 0.0 && self.opacity <= 1.0) {
            return Err(RerunError::Option {
                name: "opacity",
                value: self.opacity,
                reason: "must be above 0 and at most 1",
            });
        }
        match self.meters_per_newton {
            Some(scale) => positive("meters_per_newton", scale),
            None => Ok(()),
        }
    }
}
