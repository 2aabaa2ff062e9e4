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
    /// A signal asked the command to end.
    #[error("{said}")]
    Interrupted {
        /// The signal.
        signal: usize,
        /// What was done until then, and how to go on.
        said: String,
    },
    /// A run ended otherwise than it should: something fell or was dropped. Its verdict has been printed.
    #[error("{0}")]
    Missed(String),
    /// A run is not what it was.
    #[error("{0}")]
    Differs(String),
    /// Several things went wrong.
    #[error("{}", lines(.0))]
    Several(Vec<CommandError>),
}

fn lines(errors: &[CommandError]) -> String {
    let texts: Vec<_> = errors.iter().map(CommandError::to_string).collect();
    texts.join("\nerror: ")
}

impl CommandError {
    /// One error of several; `Ok` if there are none.
    ///
    /// # Errors
    /// Those given.
    pub fn all(mut errors: Vec<Self>) -> Result<(), Self> {
        match errors.len() {
            0 => Ok(()),
            1 => Err(errors.remove(0)),
            _ => Err(Self::Several(errors)),
        }
    }

    /// Exit status: 2 for bad input, 3 for a run whose verdict is bad, 1 for everything else that goes wrong later, 128 and the signal's number
    /// after a signal. Of several errors, the largest.
    pub fn status(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Robot(_) => 2,
            Self::Missed(_) => 3,
            Self::Interrupted { signal, .. } => u8::try_from(128 + signal).unwrap_or(1),
            Self::Several(errors) => errors.iter().map(Self::status).max().unwrap_or(1),
            Self::Step { .. }
            | Self::Scene(_)
            | Self::Output { .. }
            | Self::Unsolved { .. }
            | Self::Differs(_)
            | Self::Recording(_) => 1,
        }
    }

    /// The same for the process.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.status())
    }
}
