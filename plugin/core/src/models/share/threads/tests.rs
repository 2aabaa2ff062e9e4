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
    let sizes: Vec<usize> = (0..120).map(|i| 1 + i % 9).collect();
    let builder = limits(&sizes);
    let problem = builder.finished().unwrap();
    let taken = Mutex::new(Vec::new());
    let who = Mutex::new(HashSet::new());
    let work = |queue: &mut IslandQueue<'_>, solving: &mut SolveContext<'_>| {
        who.lock().unwrap().insert(std::thread::current().id());
        let started = Instant::now();
        while who.lock().unwrap().len() < 2 {
            let waited = started.elapsed();
            assert!(waited < Duration::from_secs(60), "nobody else came");
            std::thread::yield_now();
        }
        let mut tally = Tally::default();
        while let Some(number) = queue() {
            taken.lock().unwrap().push(number);
            tally.report.pivots += 1;
            tally.help(number, number % 7, crate::report::SolverName::Lemke);
            for s in problem.island(number).scalars() {
                solving.solution.f_scalar[s] = number as f64;
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
        let mut solving = SolveContext::new(&mut warm, &mut workspace, &mut solution);
        IslandScheduler::default().work(problem, &mut solving, &work)
    });
    let tally = tally.unwrap();
    assert_eq!(tally.report.pivots, sizes.len());
    // Six failed attempts, first in island 6.
    assert_eq!(tally.helped.unwrap().0, (6, Reverse(6)));
    let mut taken = taken.into_inner().unwrap();
    taken.sort_unstable();
    assert!(taken.into_iter().eq(0..sizes.len()));
    for (number, island) in problem.islands().enumerate() {
        for s in island.scalars() {
            assert_eq!(solution.f_scalar[s], number as f64);
        }
    }
}

/// One island, islands beside a much larger one, few rows, one thread: nothing to share.
#[test]
fn small_work_stays_with_the_caller() {
    let plan = |sizes: &[usize], threads| {
        let builder = limits(sizes);
        IslandScheduler::default().plan(builder.finished().unwrap(), threads)
    };
    assert!(!plan(&[LARGE_SYSTEM], 2));
    assert!(!plan(&[9, LARGE_SYSTEM, 10], 2));
    assert!(!plan(&[LARGE_SYSTEM / 8; 3], 2));
    assert!(!plan(&[LARGE_SYSTEM / 2; 3], 1));
    assert!(plan(&[LARGE_SYSTEM / 2; 3], 2));
}
