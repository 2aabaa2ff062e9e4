//! Why a command ended early, and the exit status that says so.

use std::path::PathBuf;
use std::process::ExitCode;

/// Why the command stopped.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The command line asks for something that doesn't exist or doesn't fit.
    #[error("{0}")]
    Usage(String),
    /// A robot file was refused; the message names file and element.
    #[error("{0}")]
    Robot(String),
    /// A step failed during the simulation.
    #[error("{scenario} with {model}: step {step} (t = {time:.6} s) failed: {reason}")]
    Step {
        /// The scenario.
        scenario: String,
        /// The model.
        model: String,
        /// Number of the step, from 0.
        step: u64,
        /// Simulated time before the step \[s\].
        time: f64,
        /// What the step said.
        reason: String,
    },
    /// A scene could not be built from its settings, or a figure could not be computed.
    #[error("{0}")]
    Scene(String),
    /// An output could not be written.
    #[error("{}: cannot be written: {reason}", path.display())]
    Output {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        reason: String,
    },
    /// A problem has no answer, or none was found.
    #[error("{file}: not solved: {status}, {meaning}")]
    Unsolved {
        /// The problem's file.
        file: String,
        /// The status.
        status: String,
        /// The status in words.
        meaning: &'static str,
    },
    /// The recording could not be made.
    #[error("the recording failed: {0}")]
    Recording(String),
}

impl CommandError {
    /// 2 for bad input, 1 for everything that goes wrong later.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) | Self::Robot(_) => ExitCode::from(2),
            Self::Step { .. }
            | Self::Scene(_)
            | Self::Output { .. }
            | Self::Unsolved { .. }
            | Self::Recording(_) => ExitCode::from(1),
        }
    }
}
