//! Problems whose values are tied everywhere.

use super::*;

/// Solves `w = R R^T z + q + raised` and gives the status and which z are basic.
fn solve_apart(rows: &[[f64; 3]], q: &[f64]) -> (SolveStatus, Vec<bool>) {
    let n = rows.len();
    let dot = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|k| a[k] * b[k]).sum::<f64>();
    let a: Vec<f64> = rows
        .iter()
        .flat_map(|r| rows.iter().map(move |s| dot(r, s)))
        .collect();
    let zeros = vec![0.0; n * n];
    let raised: Vec<f64> = (0..n).map(|i| 1e-12 * apart(i)).collect();
    let low = Low {
        a: &zeros,
        q: &raised,
        soft: &zeros[..n],
        grip: &zeros,
    };
    let limits = Limits {
        tolerance: 1e-10,
        max_pivots: 1000,
    };
    let mut work = u64::MAX;
    let mut lemke = PreciseLemke::default();
    let lcp = Lcp::new(&a, q).unwrap();
    let (status, pivots) = lemke.solve_apart((lcp, low), (&limits, &mut work));
    assert!(u64::MAX - work >= pivots as u64);
    let basis = lemke.basis().to_vec();
    if status == SolveStatus::Solved {
        let exact = Low {
            q: &zeros[..n],
            ..low
        };
        let (mut z, mut z_low) = (Vec::new(), Vec::new());
        let taken = Taken::No;
        let out = [&mut z, &mut z_low];
        lemke.on_basis((lcp, exact), (&basis, taken), out).unwrap();
        let left = PreciseLemke::residual((lcp, exact), taken, [&z, &z_low]);
        assert!(left < 1e-20, "{left:e}");
    }
    (status, basis)
}

/// A point in the tip of a cone of twelve walls: it has three velocities only, so the walls depend on each
/// other, three at most push, and all values but theirs are tied at zero. Entries are integers: no round-off.
#[test]
fn dependent_walls_that_all_touch_are_solved() {
    let quarter = [[5.0, 0.0, 5.0], [4.0, 3.0, 5.0], [3.0, 4.0, 5.0]];
    let turned = |[x, y, z]: [f64; 3]| [[x, y, z], [-y, x, z], [-x, -y, z], [y, -x, z]];
    let rows: Vec<[f64; 3]> = quarter.into_iter().flat_map(turned).collect();
    let q: Vec<f64> = rows.iter().map(|r| -r[2]).collect();
    let (status, basis) = solve_apart(&rows, &q);
    assert_eq!(status, SolveStatus::Solved);
    assert!(basis.iter().filter(|z| **z).count() <= 3);
}

/// Between two walls that approach each other there is no solution, and the method ends on a ray.
#[test]
fn contradictory_walls_end_on_a_ray() {
    let (status, _) = solve_apart(&[[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], &[-1.0, -1.0]);
    assert_eq!(status, SolveStatus::RayTermination);
}

/// Entries that are nothing but round-off take no part in the choice, although no threshold keeps them out.
#[test]
fn what_reaches_zero_first_is_chosen() {
    let mut dictionary = Dictionary::default();
    let n = 3;
    let a = [-1.0, 0.0, 0.0, -1e-30, 0.0, 0.0, -4.0, 0.0, 0.0];
    let q = [1.0, 1e-12, 2.0];
    let mut scaled = Scaled::default();
    scaled.set(Lcp::new(&a, &q).unwrap(), 0.0);
    let zeros = vec![0.0; n * n];
    let low = Low {
        a: &zeros,
        q: &zeros[..n],
        soft: &zeros[..n],
        grip: &zeros,
    };
    dictionary.begin(&scaled, low);
    // 1 / 1, 1e-12 / 1e-30, 2 / 4.
    assert_eq!(ratio::first(&dictionary, 0), Some(2));
    assert_eq!(ratio::first(&dictionary, 1), None);
}
