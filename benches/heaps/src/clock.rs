//! How long a step takes.

/// Time that a step uses of its thread: what else the machine does meanwhile does not count, so that the longest
/// of some hundred steps says something about the solver. Steps use one thread here. Where threads have no
/// clock of their own it is the wall's.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Reading);

#[cfg(target_os = "linux")]
type Reading = rustix::time::Timespec;
#[cfg(not(target_os = "linux"))]
type Reading = std::time::Instant;

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Self(read())
    }

    /// From the birth of this thread on.
    #[cfg(target_os = "linux")]
    pub fn of_thread() -> Self {
        Self(rustix::time::Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        })
    }

    /// From now on.
    #[cfg(not(target_os = "linux"))]
    pub fn of_thread() -> Self {
        Self::start()
    }

    /// Microseconds since the start.
    #[cfg(target_os = "linux")]
    pub fn microseconds(&self) -> f64 {
        let now = read();
        let seconds = now.tv_sec - self.0.tv_sec;
        let nanoseconds = now.tv_nsec - self.0.tv_nsec;
        1e6 * seconds as f64 + 1e-3 * nanoseconds as f64
    }

    /// Microseconds since the start.
    #[cfg(not(target_os = "linux"))]
    pub fn microseconds(&self) -> f64 {
        1e6 * self.0.elapsed().as_secs_f64()
    }
}

#[cfg(target_os = "linux")]
fn read() -> Reading {
    rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime)
}

#[cfg(not(target_os = "linux"))]
fn read() -> Reading {
    std::time::Instant::now()
}

#[cfg(test)]
mod tests {
    use super::Stopwatch;

    #[test]
    fn work_takes_time() {
        let watch = Stopwatch::start();
        let sum = (0..100_000_u64).fold(0, |a, b| std::hint::black_box(a ^ b));
        std::hint::black_box(sum);
        assert!(watch.microseconds() > 0.0);
    }
}
