//! Times of the stages of a step.

use std::time::Instant;

/// Measures consecutive stages.
pub(crate) struct Clock(Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Microseconds since the last lap.
    pub(crate) fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let passed = now.duration_since(self.0);
        self.0 = now;
        passed.as_secs_f64() * 1e6
    }
}
