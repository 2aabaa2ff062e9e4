//! Signals that ask the command to end.

use crate::error::CommandError;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Whether somebody asked the command to end. Clones ask the same.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicUsize>);

impl Stop {
    /// Listens to Ctrl-C and to the signal that batch systems send before they end a job. The first one
    /// is noted; a second one ends the process at once, with the exit status that shells give it.
    ///
    /// # Errors
    /// When the system refuses the handlers.
    pub fn listen() -> Result<Self, CommandError> {
        let stop = Self::default();
        let again = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds `again` unset and sets it.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&again))
                .and_then(|_| flag::register(signal, Arc::clone(&again)))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&stop.0), signal as usize))
                .map_err(|e| CommandError::Scene(format!("signals can't be caught: {e}")))?;
        }
        Ok(stop)
    }

    /// Asks as a signal of this number would.
    #[cfg(test)]
    pub(crate) fn ask(&self, signal: usize) {
        self.0.store(signal, Ordering::Relaxed);
    }

    /// The signal that asked, if one did.
    pub fn asked(&self) -> Option<usize> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(signal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A signal to this very process: it is noted, clones know of it, and the process goes on.
    #[test]
    fn clones_hear_the_same_signal() {
        let stop = Stop::listen().unwrap();
        let clone = stop.clone();
        assert_eq!(clone.asked(), None);
        signal_hook::low_level::raise(SIGTERM).unwrap();
        assert_eq!(clone.asked(), Some(SIGTERM as usize));
        assert_eq!(stop.asked(), clone.asked());
        assert_eq!(Stop::default().asked(), None);
    }
}
