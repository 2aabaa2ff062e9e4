//! Where a recording stands among other things that are logged: the names of its timelines, the folder of its entities.

use crate::error::RerunError;
use re_log_types::{EntityPath, TimelineName};

/// Name of the timeline of simulated time, unless set otherwise.
pub const SIM_TIME: &str = "sim_time";
/// Name of the timeline of step numbers, unless set otherwise.
pub const STEP: &str = "step";

/// The names of one recording.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// Timelines of simulated time and of step numbers.
    pub timelines: [TimelineName; 2],
    /// The entity below which all others are.
    folder: Option<EntityPath>,
}

impl Names {
    /// These timelines, of simulated time and of step numbers, and this folder.
    ///
    /// # Errors
    /// [`RerunError::Name`] for an empty or reserved name, or two timelines of one name.
    pub fn of(timelines: &[String; 2], folder: Option<&str>) -> Result<Self, RerunError> {
        let refused = |option, name: &str, reason| RerunError::Name {
            option,
            name: name.to_owned(),
            reason,
        };
        let timeline = |name: &String| {
            if ["log_time", "log_tick"].contains(&name.as_str()) {
                let reason = "the viewer keeps this name for itself";
                return Err(refused("timelines", name, reason));
            }
            let timeline = TimelineName::try_new(name);
            timeline.map_err(|_| refused("timelines", name, "a timeline needs a name"))
        };
        let [time, step] = timelines;
        let timelines = [timeline(time)?, timeline(step)?];
        if time == step {
            let reason = "the two timelines need different names";
            return Err(refused("timelines", time, reason));
        }
        let folder = match folder {
            None => None,
            Some(text) => {
                let path = EntityPath::parse_forgiving(text);
                if path.is_root() || path.is_reserved() {
                    let reason = "a folder needs a name that does not begin with __";
                    return Err(refused("folder", text, reason));
                }
                Some(path)
            }
        };
        Ok(Self { timelines, folder })
    }

    /// Those of a layout, whose entities are the viewer's.
    pub fn of_layout() -> Self {
        Self {
            timelines: [SIM_TIME, STEP].map(TimelineName::from_static_str),
            folder: None,
        }
    }

    /// Where an entity of the recording is.
    pub fn place(&self, path: &EntityPath) -> EntityPath {
        match &self.folder {
            Some(folder) if !path.starts_with(&EntityPath::properties()) => folder.join(path),
            _ => path.clone(),
        }
    }
}
