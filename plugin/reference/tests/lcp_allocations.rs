//! A solve of a problem with a full matrix allocates nothing once the solver has seen the largest one.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "common/alone.rs"]
mod alone;
#[path = "lcp/problems.rs"]
mod problems;

use alone::allocations;
use problems::*;
use stickslip_reference::lcp::*;

fn main() {
    alone::alone(
        "solves_allocate_nothing_after_warm_up",
        solves_allocate_nothing_after_warm_up,
    );
}

fn solves_allocate_nothing_after_warm_up() {
    let mut r = Random::new(7);
    let mut cases: Vec<Problem> = (1..6).map(|k| semidefinite(&mut r, 8 * k, 5 * k)).collect();
    for motion in [Motion::Random, Motion::Resting] {
        cases.push(friction(
            &mut r,
            Friction {
                contacts: 8,
                bodies: 3,
                mu: &[0.0, 0.5, 1e6],
                repeated: 2,
                motion,
            },
        ));
    }
    // Infeasible: through every fallback.
    cases.push(Problem {
        a: vec![1.0, -1.0, -1.0, 1.0],
        q: vec![-1.0, 0.5],
    });
    let mut lemke = Lemke::default();
    let mut others: [Box<dyn LcpSolver>; 3] = [
        Box::<Dantzig>::default(),
        Box::<PrincipalPivoting>::default(),
        Box::<InteriorPoint>::default(),
    ];
    let limits = Limits::default();
    let mut z = Vec::new();
    let mut basis = Vec::new();
    for round in 0..3 {
        for (k, p) in cases.iter().enumerate() {
            let lcp = p.lcp();
            let soft = vec![1e-9; p.dim()];
            basis.clear();
            basis.extend((0..p.dim()).map(|i| i % 3 == round));
            for start in [Start::Cold, Start::Basis(&basis)] {
                let mut counts = [0; 5];
                counts[0] = allocations(|| {
                    lemke.solve(lcp, &limits, start, &mut z);
                });
                counts[1] = allocations(|| {
                    lemke.solve_softened(lcp, &soft, &limits, start, &mut z);
                });
                for (count, solver) in counts[2..].iter_mut().zip(&mut others) {
                    *count = allocations(|| {
                        solver.solve(lcp, &limits, start, &mut z);
                    });
                }
                // Each solver meets the largest problem in the first round.
                if round > 0 {
                    assert_eq!(counts, [0; 5], "case {k}, {start:?}");
                }
            }
        }
    }
}
