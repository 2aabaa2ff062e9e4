//! What can go wrong, and the Python exception that says so.

use pyo3::PyErr;
use pyo3::import_exception;

import_exception!(stickslip.errors, BusyError);
import_exception!(stickslip.errors, InputError);
import_exception!(stickslip.errors, InternalError);
import_exception!(stickslip.errors, RecordingError);
import_exception!(stickslip.errors, RemovedError);
import_exception!(stickslip.errors, RobotFileError);
import_exception!(stickslip.errors, RobotFileWarning);
import_exception!(stickslip.errors, StepError);
import_exception!(stickslip.errors, UnknownNameError);

/// Why a call did nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// A shape, number or combination that makes no sense.
    Input(String),
    /// A name that is not there.
    Unknown(String),
    /// A body that is no longer there.
    Removed(String),
    /// A robot file.
    Robot(String),
    /// The step.
    Step(String),
    /// The world is in use by another thread.
    Busy,
    /// A recording.
    Recording(String),
    /// A defect of the library.
    Panic(String),
}

/// The result of whatever can fail.
pub type Outcome<T> = Result<T, Error>;

impl Error {
    /// An input that makes no sense.
    pub fn input(text: impl Into<String>) -> Self {
        Self::Input(text.into())
    }

    /// The words of a panic.
    pub fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        text.unwrap_or_else(|| "without a message".to_owned())
    }

    /// What a panic said.
    pub fn of_panic(payload: &(dyn std::any::Any + Send)) -> Self {
        let text = Self::panic_text(payload);
        Self::Panic(format!(
            "a defect of stickslip, please report it: {text}. This world is no longer usable; restore a saved one into it"
        ))
    }

    /// The sentence.
    pub fn text(&self) -> &str {
        match self {
            Self::Input(text)
            | Self::Unknown(text)
            | Self::Removed(text)
            | Self::Robot(text)
            | Self::Step(text)
            | Self::Recording(text)
            | Self::Panic(text) => text,
            Self::Busy => {
                "another thread is using this world or batch: wait for it, or give each thread a world of its own (World.copy())"
            }
        }
    }
}

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        let text = error.text().to_owned();
        match error {
            Error::Input(_) => InputError::new_err(text),
            Error::Unknown(_) => UnknownNameError::new_err(text),
            Error::Removed(_) => RemovedError::new_err(text),
            Error::Robot(_) => RobotFileError::new_err(text),
            Error::Step(_) => StepError::new_err(text),
            Error::Busy => BusyError::new_err(text),
            Error::Recording(_) => RecordingError::new_err(text),
            Error::Panic(_) => InternalError::new_err(text),
        }
    }
}

/// `; did you mean a or b?`, or the names that there are, at most twenty.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let most = name.chars().count().max(3) / 3;
    let mut near: Vec<_> = known
        .iter()
        .map(|word| (strsim::osa_distance(name, word), *word))
        .filter(|(slips, word)| *slips <= most || (name.len() > 2 && word.starts_with(name)))
        .collect();
    near.sort();
    near.truncate(3);
    if near.is_empty() {
        let shown = known.len().min(20);
        let more = if known.len() > shown { ", ..." } else { "" };
        return match shown {
            0 => "; none exist".to_owned(),
            _ => format!("; there are {}{more}", known[..shown].join(", ")),
        };
    }
    let quoted: Vec<_> = near.iter().map(|(_, word)| format!("`{word}`")).collect();
    format!("; did you mean {}?", quoted.join(" or "))
}
