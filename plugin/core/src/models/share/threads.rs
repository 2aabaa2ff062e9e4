//! The threads of a parallel solve.

use super::{IslandQueue, Tally};
use crate::models::SolveContext;
use crate::models::{ContactSolution, WarmStart, Workspace};
use crate::problem::{ContactProblem, Island};
use crate::tolerances::LARGE_SYSTEM;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};

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
pub(in crate::models) struct IslandScheduler {
    workers: Vec<Worker>,
    /// The islands, largest first, so that none of the large ones comes last.
    order: Vec<u32>,
}

fn rows(island: Island<'_>) -> usize {
    island.groups.len() + 2 * island.contacts().count()
}

impl IslandScheduler {
    /// Plans the order; false if sharing does not pay.
    fn plan(&mut self, problem: &ContactProblem, threads: usize) -> bool {
        let count = problem.island_count();
        if threads < 2 || count < 2 {
            return false;
        }
        let size = |i: u32| rows(problem.island(i as usize));
        let (mut total, mut largest) = (0, 0);
        for i in 0..count as u32 {
            total += size(i);
            largest = largest.max(size(i));
        }
        if total - largest < LARGE_SYSTEM / 2 {
            return false;
        }
        self.order.clear();
        self.order.extend(0..count as u32);
        (self.order).sort_unstable_by_key(|&i| (Reverse(size(i)), i));
        true
    }

    /// Shares the islands out among the threads of the current pool, the calling one among
    /// them. `None` if that does not pay: nothing has been done then.
    pub(in crate::models) fn work<W>(
        &mut self,
        problem: &ContactProblem,
        solving: &mut SolveContext<'_>,
        work: &W,
    ) -> Option<Tally>
    where
        W: Fn(&mut IslandQueue<'_>, &mut SolveContext<'_>) -> Tally + Sync,
    {
        let threads = rayon::current_num_threads();
        if !self.plan(problem, threads) {
            return None;
        }
        let others = threads.min(problem.island_count()) - 1;
        if self.workers.len() < others {
            self.workers.resize_with(others, Worker::default);
        }
        let workers = &mut self.workers[..others];
        for worker in &mut *workers {
            worker.warm.share(solving.warm);
            worker.workspace.engine.is_alone = solving.own.engine.is_alone;
            worker.done.clear();
            worker.done.reserve(problem.island_count());
        }
        let queue = Queue {
            order: &self.order,
            next: AtomicUsize::new(0),
        };
        let (mut tally, ()) = rayon::join(
            || work(&mut || queue.take(), solving),
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
                solving
                    .solution
                    .adopt(&worker.solution, problem.place(island));
                solving.solution.islands[i as usize] = worker.solution.islands[i as usize];
                solving.warm.adopt(&worker.warm, island.groups);
            }
        }
        Some(tally)
    }
}

impl Worker {
    fn work<W>(&mut self, problem: &ContactProblem, queue: &Queue<'_>, work: &W)
    where
        W: Fn(&mut IslandQueue<'_>, &mut SolveContext<'_>) -> Tally,
    {
        let Some(first) = queue.take() else {
            self.tally = Tally::default();
            return;
        };
        self.solution.reset(problem);
        self.warm.begin_record(problem);
        let (done, mut first) = (&mut self.done, Some(first));
        let mut own = || {
            let number = first.take().or_else(|| queue.take())?;
            done.push(number as u32);
            Some(number)
        };
        let mut solving =
            SolveContext::new(&mut self.warm, &mut self.workspace, &mut self.solution);
        self.tally = work(&mut own, &mut solving);
    }
}

/// The islands nobody has taken yet.
struct Queue<'a> {
    order: &'a [u32],
    next: AtomicUsize,
}

impl Queue<'_> {
    fn take(&self) -> Option<usize> {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        self.order.get(at).map(|&island| island as usize)
    }
}

#[cfg(test)]
mod tests;
