//! The convex problem as a conic program, by an interior-point method (the crate clarabel).
//!
//! Velocities are variables beside the impulses, so that `R M^-1 R^T` is never formed:
//! ```text
//! min  1/2 |v~|^2 + 1/2 softness f_n^2 + (b + lift) . f    over f in K,   v~ = v~_free + R~^T f
//! ```
//! which is `1/2 f^T D f + r^T f` up to a constant. Impulses are scaled by the roots of their
//! diagonals and everything by the island's speed, so that all data are of order one. The solver
//! builds its matrices anew every time: the one place where a repeated solve allocates.

use super::system::{Law, PART, System};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver,
    SupportedConeT::{self, NonnegativeConeT, SecondOrderConeT, ZeroConeT},
};

/// Rows of the constraints `A x + s = b`, `s` in a product of cones.
#[derive(Default)]
struct Constraints {
    rows: Vec<usize>,
    cols: Vec<usize>,
    vals: Vec<f64>,
    b: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

impl Constraints {
    fn entry(&mut self, col: usize, value: f64) {
        self.rows.push(self.b.len());
        self.cols.push(col);
        self.vals.push(value);
    }

    /// Ends a row with right-hand side `b`.
    fn end(&mut self, b: f64) {
        self.b.push(b);
    }
}

/// Solves the convex problem (with frozen lifts) into the impulses of `system`; returns the
/// iterations taken, or `None` if the solver refused the data or gave no finite answer.
pub(crate) fn conic(system: &mut System) -> Option<usize> {
    let (m, n) = (system.v_free.len(), system.z.len());
    if m == 0 || n == 0 {
        // Nothing moves, or nothing touches: bilateral rows said all.
        return Some(0);
    }
    let mut scale = vec![1.0; n];
    let mut q = vec![0.0; m + n];
    let mut diagonal = vec![1.0; m];
    diagonal.resize(m + n, 0.0);
    let mut balance = vec![Vec::new(); m];
    let mut columns = Vec::new();
    for unit in &system.units {
        let at = unit.at as usize;
        for k in 0..unit.width as usize {
            scale[at + k] = 1.0 / unit.d[PART[k]].sqrt();
            let mut b = unit.b[k];
            b += if k == 0 { unit.lift } else { 0.0 };
            q[m + at + k] = b * scale[at + k] / system.speed;
        }
        diagonal[m + at] = unit.soft * scale[at] * scale[at];
        columns.clear();
        system.columns(unit, &mut columns);
        for &(j, column) in &columns {
            for k in 0..unit.width as usize {
                if column[k] != 0.0 {
                    balance[j].push((m + at + k, -column[k] * scale[at + k]));
                }
            }
        }
    }
    let mut c = Constraints::default();
    for (j, entries) in balance.iter().enumerate() {
        c.entry(j, 1.0);
        for &(col, value) in entries {
            c.entry(col, value);
        }
        c.end(system.v_free[j] / system.speed);
    }
    c.cones.push(ZeroConeT(m));
    bounds(system, m, &scale, &mut c);
    let p = CscMatrix::new(
        m + n,
        m + n,
        (0..=m + n).collect(),
        (0..m + n).collect(),
        diagonal,
    );
    let a = CscMatrix::new_from_triplets(c.b.len(), m + n, c.rows, c.cols, c.vals);
    let settings = DefaultSettings {
        verbose: false,
        max_iter: 200,
        tol_gap_abs: 1e-13,
        tol_gap_rel: 1e-13,
        tol_feas: 1e-13,
        max_threads: 1,
        ..DefaultSettings::default()
    };
    let mut solver = DefaultSolver::new(&p, &q, &a, &c.b, &c.cones, settings).ok()?;
    solver.solve();
    let x = &solver.solution.x;
    if x.len() != m + n || x.iter().any(|x| !x.is_finite()) {
        return None;
    }
    for (i, z) in system.z.iter_mut().enumerate() {
        *z = x[m + i] * scale[i] * system.speed;
    }
    system.settle();
    Some(solver.solution.iterations as usize)
}

/// The cones of the impulses.
fn bounds(system: &System, m: usize, scale: &[f64], c: &mut Constraints) {
    for unit in &system.units {
        let at = unit.at as usize;
        match unit.law {
            Law::Free => {}
            Law::Half => {
                c.entry(m + at, -1.0);
                c.end(0.0);
                c.cones.push(NonnegativeConeT(1));
            }
            Law::Box(limit) => {
                let limit = limit / (scale[at] * system.speed);
                for sign in [1.0, -1.0] {
                    c.entry(m + at, sign);
                    c.end(limit);
                }
                c.cones.push(NonnegativeConeT(2));
            }
            Law::Cone => {
                c.entry(m + at, -1.0);
                c.end(0.0);
                c.cones.push(NonnegativeConeT(1));
                let spans: &[(usize, usize)] = if unit.width == 6 {
                    &[(1, 2), (3, 1), (4, 2)]
                } else {
                    &[(1, 2)]
                };
                for (part, &(from, len)) in spans.iter().enumerate() {
                    let radius = unit.mu[part] * scale[at];
                    if radius == 0.0 {
                        for k in from..from + len {
                            c.entry(m + at + k, 1.0);
                            c.end(0.0);
                        }
                        c.cones.push(ZeroConeT(len));
                        continue;
                    }
                    let own = scale[at + from];
                    let unit_size = radius.max(own);
                    c.entry(m + at, -radius / unit_size);
                    c.end(0.0);
                    for k in from..from + len {
                        c.entry(m + at + k, -own / unit_size);
                        c.end(0.0);
                    }
                    c.cones.push(SecondOrderConeT(1 + len));
                }
            }
        }
    }
}
