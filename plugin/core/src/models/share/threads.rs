//! The threads of a parallel solve.

use super::{Tally, Turns};
use crate::models::{ContactSolution, WarmStart, Workspace};
use crate::problem::{ContactProblem, Island};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows outside the largest island from which on a second thread is asked: the cheapest model solves so
/// many in about 0.1 ms, several times what waking a thread takes.
const PAYS: usize = 200;

/// Batches of islands for each thread: enough to even out who gets the hard ones.
const BATCHES: usize = 8;

/// What a second and further thread solves with.
#[derive(Clone, Debug, Default)]
struct Worker {
    warm: WarmStart,
    workspace: Workspace,
    solution: ContactSolution,
    tally: Tally,
    /// The islands it solved.
    done: Vec<u32>,
}

/// The threads' memory and the plan of their work; reused.
#[derive(Clone, Debug, Default)]
pub(in crate::models) struct Crew {
    workers: Vec<Worker>,
    /// The islands, largest first, so that none of the large ones comes last.
    order: Vec<u32>,
    /// Where the batches of that list end.
    ends: Vec<usize>,
}

fn rows(problem: &ContactProblem, island: Island<'_>) -> usize {
    let contact = |&g: &u32| (g as usize) < problem.contact_count();
    let contacts = island.groups.iter().filter(|g| contact(g)).count();
    island.groups.len() + 2 * contacts
}

impl Crew {
    /// Plans the batches; false if sharing does not pay.
    fn plan(&mut self, problem: &ContactProblem, threads: usize) -> bool {
        let count = problem.island_count();
        if threads < 2 || count < 2 {
            return false;
        }
        let size = |i: u32| rows(problem, problem.island(i as usize));
        let (mut total, mut largest) = (0, 0);
        for i in 0..count as u32 {
            total += size(i);
            largest = largest.max(size(i));
        }
        if total - largest < PAYS {
            return false;
        }
        self.order.clear();
        self.order.extend(0..count as u32);
        (self.order).sort_unstable_by_key(|&i| (Reverse(size(i)), i));
        self.ends.clear();
        let (batch, mut filled) = (total / (BATCHES * threads), 0);
        for (at, &i) in self.order.iter().enumerate() {
            filled += size(i);
            if filled > batch || at + 1 == count {
                self.ends.push(at + 1);
                filled = 0;
            }
        }
        true
    }

    /// Shares the islands out among the threads of the current pool, the calling one among
    /// them. `None` if that does not pay: nothing has been done then.
    pub(in crate::models) fn work<W>(
        &mut self,
        problem: &ContactProblem,
        (warm, workspace, solution): (&mut WarmStart, &mut Workspace, &mut ContactSolution),
        work: &W,
    ) -> Option<Tally>
    where
        W: Fn(&mut Turns<'_>, &mut WarmStart, &mut Workspace, &mut ContactSolution) -> Tally + Sync,
    {
        let threads = rayon::current_num_threads();
        if !self.plan(problem, threads) {
            return None;
        }
        let others = threads.min(self.ends.len()) - 1;
        if self.workers.len() < others {
            self.workers.resize_with(others, Worker::default);
        }
        let workers = &mut self.workers[..others];
        for worker in &mut *workers {
            worker.warm.share(warm);
            worker.done.clear();
            worker.done.reserve(problem.island_count());
        }
        let queue = Queue {
            order: &self.order,
            ends: &self.ends,
            next: AtomicUsize::new(0),
        };
        let (mut tally, ()) = rayon::join(
            || {
                let mut batch = 0..0;
                work(&mut || queue.take(&mut batch), warm, workspace, solution)
            },
            || {
                let each = workers.par_iter_mut().with_max_len(1);
                each.for_each(|worker| worker.work(problem, &queue, work));
            },
        );
        for worker in workers {
            tally.merge(&worker.tally);
            worker.warm.part();
            for &i in &worker.done {
                let island = problem.island(i as usize);
                solution.adopt(&worker.solution, problem, island);
                warm.adopt(&worker.warm, problem, island.groups);
            }
        }
        Some(tally)
    }
}

impl Worker {
    fn work<W>(&mut self, problem: &ContactProblem, queue: &Queue<'_>, work: &W)
    where
        W: Fn(&mut Turns<'_>, &mut WarmStart, &mut Workspace, &mut ContactSolution) -> Tally,
    {
        let mut batch = 0..0;
        let Some(first) = queue.take(&mut batch) else {
            self.tally = Tally::default();
            return;
        };
        self.solution.reset(problem);
        self.warm.begin_record(problem);
        let (done, mut first) = (&mut self.done, Some(first));
        let mut turns = || {
            let turn = first.take().or_else(|| queue.take(&mut batch))?;
            done.push(turn as u32);
            Some(turn)
        };
        let (warm, workspace) = (&mut self.warm, &mut self.workspace);
        self.tally = work(&mut turns, warm, workspace, &mut self.solution);
    }
}

/// The batches nobody has taken yet.
struct Queue<'a> {
    order: &'a [u32],
    ends: &'a [usize],
    next: AtomicUsize,
}

impl Queue<'_> {
    /// The next island of the batch, or the first one of a new batch.
    fn take(&self, batch: &mut std::ops::Range<usize>) -> Option<usize> {
        let at = match batch.next() {
            Some(at) => at,
            None => {
                let number = self.next.fetch_add(1, Ordering::Relaxed);
                let end = *self.ends.get(number)?;
                let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
                *batch = start..end;
                batch.next()?
            }
        };
        Some(self.order[at] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mass::{MassFactor, MassPattern, NO_PARENT};
    use crate::problem::{ProblemBuilder, RowHalf, ScalarKind};
    use std::collections::HashSet;
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, Instant};

    /// `sizes` islands: so many limits on the one coordinate of each.
    fn limits(sizes: &[usize]) -> ProblemBuilder {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        let pattern = MassPattern::from_parents(&[NO_PARENT]).unwrap();
        let mut mass = MassFactor::new(Arc::new(pattern));
        *mass.entry_mut(0, 0) = 1.0;
        mass.factor().unwrap();
        for (number, &size) in sizes.iter().enumerate() {
            let block = builder.add_block(&mass, &[0.0], &[-1.0]);
            for k in 0..size {
                let rows = RowHalf {
                    block,
                    cols: &[0],
                    rows: [&[1.0]],
                };
                let kind = ScalarKind::Unilateral { gap: 0.0 };
                builder.add_scalar((100 * number + k) as u64, kind, &[rows]);
            }
        }
        builder.finish().unwrap();
        builder
    }

    /// Several threads take part, each island is solved once, and its answer arrives.
    #[test]
    fn every_island_is_solved_by_one_of_several_threads() {
        let sizes: Vec<usize> = (0..60).map(|i| 1 + i % 9).collect();
        let builder = limits(&sizes);
        let problem = builder.finished().unwrap();
        let taken = Mutex::new(Vec::new());
        let who = Mutex::new(HashSet::new());
        let work = |turns: &mut Turns<'_>,
                    _: &mut WarmStart,
                    _: &mut Workspace,
                    solution: &mut ContactSolution| {
            who.lock().unwrap().insert(std::thread::current().id());
            let started = Instant::now();
            while who.lock().unwrap().len() < 2 {
                let waited = started.elapsed();
                assert!(waited < Duration::from_secs(60), "nobody else came");
                std::thread::yield_now();
            }
            let mut tally = Tally::default();
            while let Some(number) = turns() {
                taken.lock().unwrap().push(number);
                tally.report.pivots += 1;
                tally.help(number, number % 7, crate::report::SolverName::Lemke);
                for &g in problem.island(number).groups {
                    solution.f_scalar[g as usize] = number as f64;
                }
            }
            tally
        };
        let mut solution = ContactSolution::default();
        let mut warm = WarmStart::new();
        solution.reset(problem);
        warm.begin(problem);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        let tally = pool.unwrap().install(|| {
            let mut workspace = Workspace::new();
            let memory = (&mut warm, &mut workspace, &mut solution);
            Crew::default().work(problem, memory, &work)
        });
        let tally = tally.unwrap();
        assert_eq!(tally.report.pivots, sizes.len());
        // Six failed attempts, first in island 6.
        assert_eq!(tally.helped.unwrap().0, (6, Reverse(6)));
        let mut taken = taken.into_inner().unwrap();
        taken.sort_unstable();
        assert!(taken.into_iter().eq(0..sizes.len()));
        for (number, island) in problem.islands().enumerate() {
            for &g in island.groups {
                assert_eq!(solution.f_scalar[g as usize], number as f64);
            }
        }
    }

    /// One island, islands beside a much larger one, few rows, one thread: nothing to share.
    #[test]
    fn small_work_stays_with_the_caller() {
        let plan = |sizes: &[usize], threads| {
            let builder = limits(sizes);
            Crew::default().plan(builder.finished().unwrap(), threads)
        };
        assert!(!plan(&[2 * PAYS], 2));
        assert!(!plan(&[9, 2 * PAYS, 10], 2));
        assert!(!plan(&[PAYS / 4; 3], 2));
        assert!(!plan(&[PAYS; 3], 1));
        assert!(plan(&[PAYS; 3], 2));
    }

    /// The largest island comes first, and every batch holds about as many rows.
    #[test]
    fn batches_are_even() {
        let mut sizes = [3; 300];
        sizes[40] = 60;
        let builder = limits(&sizes);
        let mut crew = Crew::default();
        assert!(crew.plan(builder.finished().unwrap(), 2));
        assert_eq!(crew.order[0], 40);
        assert_eq!(crew.ends[0], 1);
        assert_eq!(crew.ends.last(), Some(&sizes.len()));
        assert!(crew.ends.len() <= BATCHES * 2 + 1);
        let mut others = crew.ends.windows(2).map(|w| w[1] - w[0]);
        let (most, least) = (others.clone().max(), others.next());
        assert_eq!(most, least);
    }
}
