//! Times of the stages of a step.

// In a browser there is no clock behind `std::time::Instant`: asking it panics.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use web_time::Instant;

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
