//! Work on the threads of the current rayon pool (feature `parallel`), or on this one.

/// Both, on two threads where there are any.
pub(super) fn both<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 {
        return rayon::join(a, b);
    }
    (a(), b())
}

/// Does work that shares itself out among so many `lanes`, inside the pool and with other threads kept awake for it: to
/// enter the pool, or to wake a thread, takes as long as a share.
pub(super) fn in_pool<R: Send>(lanes: usize, work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    if lanes > 1 && rayon::current_num_threads() > 1 {
        return awake::with_helpers(rayon::current_num_threads().min(lanes) - 1, work);
    }
    let _ = lanes;
    work()
}

#[cfg(feature = "parallel")]
mod awake {
    use rayon::Yield;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Tells the helpers that the work has ended, also where it panicked.
    struct End<'a>(&'a AtomicBool);

    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Release);
        }
    }

    /// Does work while so many other threads, as far as they are free, look for shares of it.
    pub(super) fn with_helpers<R: Send>(count: usize, work: impl FnOnce() -> R + Send) -> R {
        let has_ended = AtomicBool::new(false);
        let work = || {
            let _end = End(&has_ended);
            work()
        };
        rayon::join(work, || help(count, &has_ended)).0
    }

    fn help(count: usize, has_ended: &AtomicBool) {
        if count > 1 {
            rayon::join(|| help(1, has_ended), || help(count - 1, has_ended));
            return;
        }
        while !has_ended.load(Ordering::Acquire) {
            if rayon::yield_now() != Some(Yield::Executed) {
                std::thread::yield_now();
            }
        }
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;

    /// Work inside the pool shares itself out, returns its result, and where it panics nobody waits for more.
    #[test]
    fn helpers_end_with_the_work() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        pool.unwrap().install(|| {
            let sum = in_pool(3, || both(|| 1, || both(|| 2, || 3)));
            assert_eq!(sum, (1, (2, 3)));
            let broken = std::panic::catch_unwind(|| in_pool(3, || panic!("on purpose")));
            assert!(broken.is_err());
        });
    }
}
