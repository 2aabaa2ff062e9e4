//! Every solver on the class of problems it guarantees, and the same w from all of them.

use crate::problems::*;
use stickslip_core::report::SolveStatus;
use stickslip_reference::lcp::*;

fn direct() -> [(&'static str, Box<dyn LcpSolver>); 4] {
    [
        ("lemke", Box::<Lemke>::default()),
        ("dantzig", Box::<Dantzig>::default()),
        ("principal pivoting", Box::<PrincipalPivoting>::default()),
        ("interior point", Box::<InteriorPoint>::default()),
    ]
}

fn run(solver: &mut dyn LcpSolver, p: &Problem) -> (Outcome, Vec<f64>) {
    let mut z = vec![f64::NAN; 3];
    let outcome = solver.solve(p.lcp(), &Limits::default(), Start::Cold, &mut z);
    assert_eq!(z.len(), p.dim());
    assert!(z.iter().all(|z| z.is_finite() && *z >= 0.0), "{outcome:?}");
    assert_eq!(outcome.residual, p.lcp().natural_residual(&z));
    (outcome, z)
}

fn expect_solved(solver: &mut dyn LcpSolver, p: &Problem, what: &str) -> Vec<f64> {
    let (outcome, z) = run(solver, p);
    assert_eq!(outcome.status, SolveStatus::Solved, "{what}: {outcome:?}");
    let lcp = p.lcp();
    assert!(lcp.natural_residual(&z) <= 1e-10_f64.max(lcp.round_off(&z)));
    z
}

#[test]
fn closed_forms() {
    let cases = [
        (vec![], vec![], vec![]),
        (vec![2.0], vec![3.0], vec![0.0]),
        (vec![2.0], vec![-3.0], vec![1.5]),
        (vec![0.0], vec![0.0], vec![0.0]),
        // Two blocks that touch: both press, or only one.
        (vec![2.0, -1.0, -1.0, 2.0], vec![-1.0, -1.0], vec![1.0, 1.0]),
        (vec![2.0, 1.0, 1.0, 2.0], vec![-4.0, -1.0], vec![2.0, 0.0]),
    ];
    for (name, mut solver) in direct() {
        for (a, q, answer) in &cases {
            let p = Problem {
                a: a.clone(),
                q: q.clone(),
            };
            let z = expect_solved(&mut *solver, &p, name);
            assert!(
                z.iter().zip(answer).all(|(a, b)| (a - b).abs() < 1e-12),
                "{name}: {z:?}"
            );
        }
    }
}

/// Semidefinite problems of every rank; `w` is the same for all solutions, `z` need not be
/// [CPS, Thm. 3.1.7].
#[test]
fn semidefinite_problems() {
    let mut solvers = direct();
    for seed in 0..600 {
        let mut r = Random::new(seed);
        let n = 1 + r.below(40);
        let rank = 1 + r.below(n);
        let p = semidefinite(&mut r, n, rank);
        let mut first: Option<Vec<f64>> = None;
        for (name, solver) in &mut solvers {
            let what = format!("{name}, seed {seed}, n {n}, rank {rank}");
            let z = expect_solved(&mut **solver, &p, &what);
            let w = p.w(&z);
            let expected = first.get_or_insert_with(|| w.clone());
            let error = w
                .iter()
                .zip(expected)
                .fold(0.0_f64, |m, (a, b)| m.max((a - *b).abs()));
            // Round-off times the condition of the solution's matrix; the worst is 7e-10.
            assert!(error < 1e-8, "{what}: {error}");
        }
    }
}

/// Whole copies of rows: every pivot on a copy is zero.
#[test]
fn duplicated_rows() {
    let mut solvers = direct();
    for seed in 0..300 {
        let mut r = Random::new(seed);
        let n = 1 + r.below(10);
        let small = semidefinite(&mut r, n, n);
        let pick: Vec<usize> = (0..3 * n).map(|_| r.below(n)).collect();
        let a = pick.iter().flat_map(|&i| pick.iter().map(move |&j| (i, j)));
        let p = Problem {
            a: a.map(|(i, j)| small.a[i * n + j]).collect(),
            q: pick.iter().map(|&i| small.q[i]).collect(),
        };
        for (name, solver) in &mut solvers {
            expect_solved(&mut **solver, &p, &format!("{name}, seed {seed}, n {n}"));
        }
    }
}

/// Semidefinite but not symmetric: `G G^T` of low rank plus a skew matrix.
#[test]
fn monotone_problems() {
    let mut solvers = direct();
    for seed in 0..300 {
        let mut r = Random::new(seed);
        let n = 1 + r.below(30);
        let rank = r.below(n + 1);
        let mut p = semidefinite(&mut r, n, rank);
        for i in 0..n {
            for j in 0..i {
                let k = r.next();
                p.a[i * n + j] += k;
                p.a[j * n + i] -= k;
            }
        }
        // A known solution with half of the pairs on either side.
        let z = r.vector(n);
        let w =
            p.a.chunks_exact(n)
                .map(|row| dot(row, &z.iter().map(|z| z.max(0.0)).collect::<Vec<_>>()));
        p.q = w.zip(&z).map(|(az, z)| (-z).max(0.0) - az).collect();
        for (name, solver) in &mut solvers {
            if *name != "dantzig" {
                expect_solved(
                    &mut **solver,
                    &p,
                    &format!("{name}, seed {seed}, n {n}, rank {rank}"),
                );
            }
        }
    }
}

#[test]
fn p_matrices() {
    let mut lemke = Lemke::default();
    let mut principal = PrincipalPivoting::default();
    for seed in 0..1000 {
        let mut r = Random::new(seed);
        let n = 1 + r.below(40);
        let p = p_matrix(&mut r, n);
        let a = expect_solved(&mut lemke, &p, &format!("lemke, seed {seed}"));
        let b = expect_solved(
            &mut principal,
            &p,
            &format!("principal pivoting, seed {seed}"),
        );
        // Unique.
        let size = a.iter().fold(0.0_f64, |m, a| m.max(*a));
        assert!(
            a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 1e-8 * size),
            "seed {seed}"
        );
    }
}

#[test]
fn infeasible_problems_are_never_solved() {
    let skew = Problem {
        a: vec![0.0, 1.0, -1.0, 0.0],
        q: vec![-1.0, -1.0],
    };
    let opposite = Problem {
        a: vec![1.0, -1.0, -1.0, 1.0],
        q: vec![-1.0, 0.5],
    };
    for p in [skew, opposite] {
        for (name, mut solver) in direct() {
            if name == "dantzig" && p.a[0] == 0.0 {
                continue;
            }
            let (outcome, _) = run(&mut *solver, &p);
            let expected = match name {
                "lemke" => SolveStatus::RayTermination,
                _ => SolveStatus::Infeasible,
            };
            assert_eq!(outcome.status, expected, "{name}: {outcome:?}");
        }
    }
}

/// Murty's family on which pivoting methods can take 2^n steps [CPS, sec. 6.6]: lower triangular,
/// ones on the diagonal and 2 below it, a P-matrix; q = -1. The answer is z = (1, 0, ..., 0).
#[test]
fn exponential_family() {
    for (name, mut solver) in direct() {
        if matches!(name, "dantzig" | "interior point") {
            continue;
        }
        for n in 1..10 {
            let entry = |i: usize, j: usize| {
                if i == j {
                    1.0
                } else if i > j {
                    2.0
                } else {
                    0.0
                }
            };
            let p = Problem {
                a: (0..n * n).map(|k| entry(k / n, k % n)).collect(),
                q: vec![-1.0; n],
            };
            let z = expect_solved(&mut *solver, &p, name);
            assert!((z[0] - 1.0).abs() < 1e-12 && z[1..].iter().all(|z| z.abs() < 1e-12));
        }
    }
}

/// A cyclic P-matrix on which exchanging all negative pairs, or the first, comes back where it began.
#[test]
fn cyclic_blocks() {
    for (name, mut solver) in direct() {
        if name == "dantzig" {
            continue;
        }
        let p = Problem {
            a: vec![1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0],
            q: vec![-1.0; 3],
        };
        let z = expect_solved(&mut *solver, &p, name);
        assert!(
            z.iter().all(|z| (z - 1.0 / 3.0).abs() < 1e-12),
            "{name}: {z:?}"
        );
    }
}

#[test]
fn pivot_limit_is_a_status() {
    let p = semidefinite(&mut Random::new(3), 30, 30);
    let limits = Limits {
        max_pivots: 2,
        ..Limits::default()
    };
    for (name, mut solver) in direct().into_iter().take(3) {
        let mut z = Vec::new();
        let outcome = solver.solve(p.lcp(), &limits, Start::Cold, &mut z);
        assert_eq!(outcome.status, SolveStatus::PivotLimit, "{name}");
    }
}

/// Numbers near the ends of their range end in a status.
#[test]
fn overflow_is_a_status() {
    for (name, mut solver) in direct() {
        for (a, q) in [
            (1e-300, -1e300),
            (1e300, -1e300),
            (-1.0, -1e308),
            (1e-310, -1.0),
        ] {
            let p = Problem {
                a: vec![a, a, a, a],
                q: vec![q, q],
            };
            let (outcome, z) = run(&mut *solver, &p);
            let solved = p.lcp().natural_residual(&z) < 1e-10;
            assert_eq!(
                outcome.status == SolveStatus::Solved,
                solved,
                "{name}: {a} {q} {outcome:?}"
            );
        }
    }
}

#[test]
fn warm_starts_take_no_pivots() {
    for (name, mut solver) in direct().into_iter().skip(1).take(2) {
        let mut lemke = Lemke::default();
        for seed in 0..100 {
            let p = semidefinite(&mut Random::new(seed), 20, 20);
            expect_solved(&mut lemke, &p, "lemke");
            let mut z = Vec::new();
            let start = Start::Basis(lemke.basis());
            let outcome = solver.solve(p.lcp(), &Limits::default(), start, &mut z);
            assert_eq!(
                (outcome.status, outcome.pivots),
                (SolveStatus::Solved, 0),
                "{name}"
            );
        }
    }
}
