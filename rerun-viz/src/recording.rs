//! What a recording shows beside the records of its steps.

use crate::error::RerunError;
use stickslip_record::Recorder;

/// A recorder into a Rerun recording.
pub trait Recording: Recorder<Error = RerunError> {
    /// States the largest gap of a joint \[m\] in the step that is recorded next.
    fn joint_gap(&mut self, gap: f64);

    /// States how the run ended, in Markdown. The text is above the legend once the recording is finished; of each of several runs
    /// only its first paragraph.
    fn conclude(&mut self, verdict: &str);
}
