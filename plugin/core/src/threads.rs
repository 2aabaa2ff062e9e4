//! Work on the threads of the current rayon pool (feature `parallel`), or on this one.
//!
//! Work on many items is divided into parts of consecutive ones, a part for each thread. What is done for an item depends on
//! the item alone and results stand in the order of the items, so that they are the same for any number of threads.

use std::mem::swap;
use std::ops::Range;

/// Number of parts that so many items are divided into: one for each thread, where that pays.
pub fn parts(items: usize) -> usize {
    #[cfg(feature = "parallel")]
    {
        let pays = 2 * items / crate::tolerances::LARGE_SYSTEM;
        if pays > 1 {
            return pays.min(rayon::current_num_threads());
        }
    }
    let _ = items;
    1
}

/// Divides consecutive items among the parts and calls `work` for each part, side by side.
pub fn divide<P: Send>(
    items: Range<usize>,
    parts: &mut [P],
    work: &(impl Fn(Range<usize>, &mut P) + Sync),
) {
    match parts {
        [] => {}
        [own] => work(items, own),
        _ => {
            let count = parts.len();
            let at = items.start + items.len() * (count / 2) / count;
            let (first, rest) = parts.split_at_mut(count / 2);
            both(
                || divide(items.start..at, first, work),
                || divide(at..items.end, rest, work),
            );
        }
    }
}

/// Appends what `work` makes of so many items to a list, in the order of the items; `beside` is the memory of the other parts.
pub fn append<T: Send>(
    items: usize,
    list: &mut Vec<T>,
    beside: &mut Vec<Vec<T>>,
    work: &(impl Fn(Range<usize>, &mut Vec<T>) + Sync),
) {
    let count = parts(items);
    if count == 1 {
        work(0..items, list);
        return;
    }
    beside.resize_with(beside.len().max(count), Vec::new);
    let parts = &mut beside[..count];
    swap(list, &mut parts[0]);
    divide(0..items, parts, work);
    swap(list, &mut parts[0]);
    parts[1..].iter_mut().for_each(|part| list.append(part));
}

/// Calls `work` for each item of a list with its number, side by side.
pub fn each<T: Send>(list: &mut [T], work: &(impl Fn(usize, &mut T) + Sync)) {
    each_of(parts(list.len()), 0, list, work);
}

fn each_of<T: Send>(
    parts: usize,
    from: usize,
    list: &mut [T],
    work: &(impl Fn(usize, &mut T) + Sync),
) {
    if parts <= 1 {
        let numbered = list.iter_mut().enumerate();
        numbered.for_each(|(i, item)| work(from + i, item));
        return;
    }
    let at = list.len() * (parts / 2) / parts;
    let (first, rest) = list.split_at_mut(at);
    both(
        || each_of(parts / 2, from, first, work),
        || each_of(parts - parts / 2, from + at, rest, work),
    );
}

/// Both, on two threads where there are any.
pub(crate) fn both<A: Send, B: Send>(
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
pub(crate) fn in_pool<R: Send>(lanes: usize, work: impl FnOnce() -> R + Send) -> R {
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
    use crate::threads::{append, both, each, in_pool, parts};
    use std::ops::Range;

    /// Parts, whatever their number, give the list that one gives, and every item is worked on once.
    #[test]
    fn parts_keep_the_order_of_items() {
        let count = 5 * crate::tolerances::LARGE_SYSTEM / 2 + 1;
        for threads in 1..5 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let (list, own) = pool.unwrap().install(|| {
                assert_eq!(parts(count), threads);
                let (mut list, mut own) = (vec![0], vec![0; count]);
                let thirds = |items: Range<usize>, list: &mut Vec<usize>| {
                    list.extend(items.filter(|i| i % 3 == 0));
                };
                append(count, &mut list, &mut Vec::new(), &thirds);
                each(&mut own, &|i, item| *item += i);
                (list, own)
            });
            assert!(
                list.into_iter()
                    .eq([0].into_iter().chain((0..count).step_by(3)))
            );
            assert!(own.into_iter().eq(0..count));
        }
    }

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
