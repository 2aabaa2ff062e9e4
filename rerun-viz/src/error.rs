//! What can go wrong with a recording.

use crate::program::{PROGRAM, VERSION};
use std::io::ErrorKind;
use std::path::PathBuf;

/// Why a recording could not be opened, continued or completed.
#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    /// The text after `--rerun` names no sink.
    #[error(
        "unknown Rerun sink {text:?}: {reason}; give off, a file name that ends in .rrd, spawn, connect, or connect=URL"
    )]
    Sink {
        /// The text as given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The file can't be created.
    #[error("cannot write the recording {}: {source}", path.display())]
    Create {
        /// The file asked for.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The path exists and is no regular file.
    #[error("cannot write the recording {}: it exists and is not a regular file", path.display())]
    NotAFile {
        /// The path asked for.
        path: PathBuf,
    },
    /// Writing, closing or renaming the file failed (a full disk, for example). Nothing is left behind.
    #[error("the recording {} could not be written: {reason}; no file was left behind", path.display())]
    Write {
        /// The file asked for.
        path: PathBuf,
        /// What the system or the encoder said.
        reason: String,
    },
    /// No viewer could be started.
    #[error(
        "no Rerun viewer could be started: {reason}; install it (`pip install rerun-sdk=={version}` or \
         `cargo binstall rerun-cli@{version}`), or give FILE.rrd to record to a file",
        version = VERSION
    )]
    Spawn {
        /// The system's reason.
        reason: String,
    },
    /// The address of a viewer is malformed.
    #[error(
        "{url:?} is not the address of a Rerun viewer: {reason}; it looks like rerun+http://127.0.0.1:9876/proxy"
    )]
    Url {
        /// The address as given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No viewer answers.
    #[error(
        "no Rerun viewer answers at {url}: {reason}; start one with `rerun`, or give FILE.rrd to record to a file"
    )]
    Connect {
        /// The address tried.
        url: String,
        /// The system's reason.
        reason: String,
    },
    /// The viewer disconnected during the run.
    #[error(
        "the Rerun viewer at {url} disconnected: {reason}; it misses the steps that it had not yet received"
    )]
    Lost {
        /// Its address.
        url: String,
        /// What the connection said.
        reason: String,
    },
    /// Rerun refused the data: a defect of this crate.
    #[error("Rerun refused the data of {entity}: {reason}")]
    Encode {
        /// The entity it was meant for.
        entity: String,
        /// Rerun's reason.
        reason: String,
    },
    /// An earlier error ended the recording.
    #[error("the recording ended earlier: {reason}")]
    Ended {
        /// That error.
        reason: String,
    },
    /// A step was recorded before the scene, a scene twice, or anything after the end.
    #[error("records out of order: {0}")]
    Order(&'static str),
    /// A step has another number of poses than the scene has bodies.
    #[error("step {step} has {got} body poses, the scene has {expected} bodies")]
    PoseCount {
        /// The step.
        step: u64,
        /// Bodies of the scene.
        expected: usize,
        /// Poses of the step.
        got: usize,
    },
    /// A step has other numbers of motions or joints than the scene has bodies and joints, or than the
    /// first step had.
    #[error(
        "step {step} has {motions} body motions and {joints} joints; give as many as the scene has bodies and joints, \
         or none in every step"
    )]
    Parts {
        /// The step.
        step: u64,
        /// Motions of the step.
        motions: usize,
        /// Joints of the step.
        joints: usize,
    },
    /// A step's time can't be put on a timeline.
    #[error("step {step} has the time {time} s: it must be finite and not before the last step's")]
    Time {
        /// The step.
        step: u64,
        /// Its time \[s\].
        time: f64,
    },
    /// A name among the options can't be used.
    #[error("recorder option {option} = `{name}`: {reason}")]
    Name {
        /// The option.
        option: &'static str,
        /// The name.
        name: String,
        /// What it must be.
        reason: &'static str,
    },
    /// The stream has no recording, because logging is switched off.
    #[error(
        "the stream records nothing: it is disabled (by its builder or by the environment variable RERUN)"
    )]
    Disabled,
    /// A stream did not take everything.
    #[error("the stream did not take the whole recording: {reason}")]
    Stream {
        /// What it said.
        reason: String,
    },
    /// An option makes no sense.
    #[error("recorder option {name} = {value}: {reason}")]
    Option {
        /// The option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        reason: &'static str,
    },
}

impl RerunError {
    /// A [`RerunError::Spawn`] from what the system said.
    pub(crate) fn spawn(error: &std::io::Error) -> Self {
        let reason = match error.kind() {
            ErrorKind::NotFound => format!("there is no program `{PROGRAM}` in PATH"),
            _ => format!("`{PROGRAM}` does not start: {error}"),
        };
        Self::Spawn { reason }
    }

    /// Whether nothing more can be recorded after it.
    pub(crate) fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Write { .. } | Self::Lost { .. } | Self::Encode { .. } | Self::Stream { .. }
        )
    }

    /// An [`RerunError::Encode`] from Rerun's own error.
    pub(crate) fn encode(
        entity: &re_log_types::EntityPath,
        reason: impl std::fmt::Display,
    ) -> Self {
        Self::Encode {
            entity: entity.to_string(),
            reason: reason.to_string(),
        }
    }
}
