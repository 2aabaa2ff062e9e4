//! The velocity without contact impulses, semi-implicit in the Coriolis and centrifugal forces.
//!
//! One linearised backward Euler step: `A dv = h (tau - bias)`, `A = M + D + h B`, with
//! `B = d(bias)/dv` and D the implicit diagonal. A is not symmetric, but a coordinate only acts on
//! its ancestors and descendants, so A has the sparsity of M and elimination from the leaves fills
//! in nothing.
//!
//! # The entries of B
//! Give coordinate j of body b, with parent p, a velocity change of one. All of its subtree gets the
//! twist S_j = [d; o]. In the bilinear recursion of [`Tree::bias_derivative`], body k of the subtree
//! then accelerates by `a_j - V_k x S_j`, `a_j = (V_p + V_b) x S_j` (plus the moving pivot's term),
//! and the point of k at r from the reference, with velocity v_r, by `a_j(r) + 2 o x v_r` in all: the
//! identity `w x (o x r) + o x (w x r) - (w x o) x r = 2 o x (w x r)` removes everything else. Summed
//! over the subtree,
//! ```text
//! force  = m a_j(c) + 2 o x p          p = sum of m v
//! torque = (I a_j)  + 2 K o            K = tr(G) 1 - G,  G = integral of v_r r^T dm
//! ```
//! so the composite of B is twelve numbers that add like inertias, and with P_j = I^c_j S_j,
//! ```text
//! B_ij = S_i . (I^c_j a_j + 2 [o_j x p_j; K_j o_j])                  i an ancestor of j, or j
//! B_ji = P_j . a_i + 2 o_i . (p_j x d_j + K_j^T o_j)
//! ```

use crate::spatial::{Flow, Twist};
use crate::state::{BodyState, TreeMatrix, TreeState};
use crate::tree::{Shape, Tree};
use nalgebra::{Matrix3, Vector3};
use stickslip_core::mass::MassFactor;

/// A pivot below this fraction of the pivot of `M + D` makes the elimination from the leaves
/// doubtful; with steps that resolve the rotations the fraction is 1 + O(h w).
const PIVOT_FRACTION: f64 = 0.1;
/// Up to this sum of displacements per step (rad, m) one term of the series in `h (M + D)^-1 B` is
/// enough: the next is its square, h^2 w^2 <= 1e-18 of dv, below round-off with a factor of
/// 100 left for light links on heavy ones. A standing robot is that slow, and the series costs less than the elimination.
const SLOW: f64 = 1e-9;

/// How a velocity change was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VelocityPath {
    /// At rest, or slow enough that one correction of the explicit step is exact to round-off.
    #[default]
    Slow,
    /// Elimination from the leaves, without pivoting.
    Tree,
    /// A pivot was too small: dense elimination with pivoting.
    Dense,
    /// The system is singular or not finite: the explicit step was kept.
    Explicit,
}

impl Tree {
    /// Solves `(M + D + h d(bias)/dv) dv = h net`, `net = tau - bias` with every explicit force in
    /// tau. `factor` is the factored `M + D` of the last [`Tree::mass_matrix`] on this state.
    /// Prescribed coordinates get `dv = 0`. Needs [`Tree::update_velocities`]; leaves the state's
    /// velocity alone.
    ///
    /// O(sum of squared path lengths), O(m^3) in the fallback. The dense matrix is allocated the
    /// first time a state falls back, nothing else allocates.
    pub fn velocity_change(
        &self,
        state: &mut TreeState,
        factor: &MassFactor,
        h: f64,
        net: &[f64],
        dv: &mut [f64],
    ) -> VelocityPath {
        self.impulse(h, net, dv);
        // Also false for a NaN.
        if h * state.speed <= SLOW {
            factor.solve(dv);
            let mut term = std::mem::take(&mut state.matrix.term);
            self.bias_derivative(state, dv, &mut term);
            factor.solve(&mut term);
            for (x, t) in dv.iter_mut().zip(&term) {
                *x -= h * t;
            }
            state.matrix.term = term;
            return VelocityPath::Slow;
        }
        self.assemble(state, h);
        if self.eliminate(&mut state.matrix, factor.inv_diag(), dv) {
            return VelocityPath::Tree;
        }
        self.assemble(state, h);
        self.impulse(h, net, dv);
        if self.dense_change(&mut state.matrix, dv) {
            return VelocityPath::Dense;
        }
        self.impulse(h, net, dv);
        factor.solve(dv);
        VelocityPath::Explicit
    }

    pub(crate) fn impulse(&self, h: f64, net: &[f64], dv: &mut [f64]) {
        for (x, f) in dv.iter_mut().zip(net) {
            *x = h * f;
        }
        if self.has_prescribed {
            self.clear_prescribed(dv);
        }
    }

    /// Momenta of all subtrees.
    fn flows(&self, state: &mut TreeState) {
        let flow = &mut state.matrix.flow;
        for ((body, at), out) in self.bodies.iter().zip(&state.bodies).zip(flow.iter_mut()) {
            // G = m v_c c^T + w^ E, E = tr(I)/2 1 - I; K = tr(G) 1 - G.
            let momentum = at.com_velocity * body.mass;
            let second = Matrix3::from_diagonal_element(0.5 * at.inertia.trace()) - at.inertia;
            let turned = at.velocity.angular.cross_matrix() * second;
            let first = momentum * at.com.transpose() + turned;
            *out = Flow {
                momentum,
                coupling: Matrix3::from_diagonal_element(first.trace()) - first,
            };
        }
        for (index, body) in self.bodies.iter().enumerate().skip(2).rev() {
            if body.parent != 0 {
                let child = flow[index];
                flow[body.parent] += child;
            }
        }
    }

    /// Writes A; composite inertias and the diagonal are those of the last mass matrix.
    pub(crate) fn assemble(&self, state: &mut TreeState, h: f64) {
        self.flows(state);
        let (columns, pattern, bodies) = (&state.columns, &*self.pattern, &state.bodies);
        let matrix = &mut state.matrix;
        for (index, body) in self.bodies.iter().enumerate().skip(1) {
            let (inertia, flow) = (&state.composite[index], &matrix.flow[index]);
            let parent = &bodies[body.parent].velocity;
            let both = *parent + bodies[index].velocity;
            for j in body.first..body.first + body.dofs {
                let row = pattern.row(j);
                let (lower, upper) = (&mut matrix.lower[row.clone()], &mut matrix.upper[row]);
                if body.kinematic {
                    lower.fill(1.0);
                    upper.fill(1.0);
                    continue;
                }
                let s = &columns[j];
                let mut carried = both.cross(s);
                if body.mixed {
                    carried.linear += pivot_term(&bodies[index], s);
                }
                // Scaled by h from here on.
                let carried = carried * h;
                let twice = s.angular * (2.0 * h);
                matrix.carried[j] = carried + *s;
                let momentum = inertia.momentum(s);
                let mut force = inertia.momentum(&carried);
                force += momentum;
                force.force += twice.cross(&flow.momentum);
                force.torque += flow.coupling * twice;
                let back =
                    flow.momentum.cross(&s.linear) * (2.0 * h) + flow.coupling.tr_mul(&twice);
                let mut known = 0;
                if self.floating && body.shape != Shape::Floating {
                    // The base's columns are unit vectors, carried by its own twist alone.
                    let base = &bodies[1].velocity;
                    let (p, l) = (&momentum.force, &momentum.torque);
                    let turned = p.cross(&base.linear) * 2.0 + l.cross(&base.angular);
                    let t = l + turned * h + back;
                    lower[..6].copy_from_slice(&[p.x, p.y, p.z, t.x, t.y, t.z]);
                    let (f, t) = (&force.force, &force.torque);
                    upper[..6].copy_from_slice(&[f.x, f.y, f.z, t.x, t.y, t.z]);
                    known = 6;
                }
                let path = &pattern.path(j)[known..];
                let entries = lower[known..].iter_mut().zip(&mut upper[known..]);
                for (&i, (l, u)) in path.iter().zip(entries) {
                    let ancestor = &columns[i];
                    *u = ancestor.power(&force);
                    *l = matrix.carried[i].power(&momentum) + ancestor.angular.dot(&back);
                }
                if let Some(diagonal) = lower.last_mut() {
                    *diagonal += state.diagonal[j];
                }
            }
        }
    }

    /// Eliminates from the leaves and solves for `x`; `false` if a pivot is too small against that
    /// of `M + D`, whose reciprocal roots are `inv_diag`.
    fn eliminate(&self, matrix: &mut TreeMatrix, inv_diag: &[f64], x: &mut [f64]) -> bool {
        let pattern = &*self.pattern;
        let TreeMatrix { lower, upper, .. } = matrix;
        for k in (0..pattern.dim()).rev() {
            let row = pattern.row(k);
            let (lower_above, lower_row) = lower.split_at_mut(row.start);
            let (upper_above, upper_row) = upper.split_at_mut(row.start);
            let depth = row.len() - 1;
            let (lower_row, upper_row) = (&mut lower_row[..=depth], &mut upper_row[..depth]);
            let pivot = lower_row[depth];
            let sound = pivot * inv_diag[k] * inv_diag[k] > PIVOT_FRACTION;
            if !sound || !pivot.is_finite() {
                return false;
            }
            let inverse = 1.0 / pivot;
            lower_row[depth] = inverse;
            upper_row.iter_mut().for_each(|u| *u *= inverse);
            let xk = x[k];
            let mut known = 0;
            if self.floating
                && k >= 6
                && let (Some(l), Some(u)) = (lower_row.first_chunk(), upper_row.first_chunk())
                && let (Some(lower), Some(upper), Some(x)) = (
                    lower_above.first_chunk_mut(),
                    upper_above.first_chunk_mut(),
                    x.first_chunk_mut(),
                )
            {
                eliminate_from_base([l, u], [lower, upper], xk, x);
                known = 6;
            }
            for (p, &i) in pattern.path(k)[..depth].iter().enumerate().skip(known) {
                let start = pattern.row(i).start;
                let (u, l) = (upper_row[p], lower_row[p]);
                x[i] -= u * xk;
                let targets = lower_above[start..=start + p].iter_mut();
                for (target, &v) in targets.zip(&lower_row[..=p]) {
                    *target -= u * v;
                }
                let targets = upper_above[start..start + p].iter_mut();
                for (target, &v) in targets.zip(&upper_row[..p]) {
                    *target -= l * v;
                }
            }
        }
        for k in 0..pattern.dim() {
            let row = &lower[pattern.row(k)];
            let path = pattern.path(k);
            let depth = path.len() - 1;
            let known: f64 = path[..depth].iter().zip(row).map(|(&i, l)| l * x[i]).sum();
            x[k] = (x[k] - known) * row[depth];
        }
        x.iter().all(|x| x.is_finite())
    }

    /// Solves the assembled system by dense elimination; `x` holds `h net` and becomes the answer.
    pub(crate) fn dense_change(&self, matrix: &mut TreeMatrix, x: &mut [f64]) -> bool {
        let m = x.len();
        matrix.dense.resize(m * m, 0.0);
        matrix.dense.fill(0.0);
        for j in 0..m {
            let row = self.pattern.row(j);
            let entries = matrix.lower[row.clone()].iter().zip(&matrix.upper[row]);
            for (&i, (&l, &u)) in self.pattern.path(j).iter().zip(entries) {
                matrix.dense[i * m + j] = u;
                // The diagonal comes last, from the row, where D was added.
                matrix.dense[j * m + i] = l;
            }
        }
        let dense = &matrix.dense;
        let factored = matrix.lu.factor(m, 0.0, |i, j| dense[i * m + j]);
        factored.is_ok_and(|()| {
            matrix.lu.solve(x);
            x.iter().all(|x| x.is_finite())
        })
    }
}

/// The update of a floating base's six rows and columns by one coordinate above it, written out at
/// fixed size: rows 0..6 are stored first, one after the other.
#[inline]
fn eliminate_from_base(
    [l, u]: [&[f64; 6]; 2],
    [lower, upper]: [&mut [f64; 21]; 2],
    xk: f64,
    x: &mut [f64; 6],
) {
    for p in 0..6 {
        let start = p * (p + 1) / 2;
        x[p] -= u[p] * xk;
        for q in 0..=p {
            lower[start + q] -= u[p] * l[q];
        }
        for q in 0..p {
            upper[start + q] -= l[p] * u[q];
        }
    }
}

/// What the moving pivot of a joint with translations and rotations adds to `a_j`.
fn pivot_term(at: &BodyState, s: &Twist) -> Vector3<f64> {
    if s.angular == Vector3::zeros() {
        s.linear.cross(&at.relative.angular)
    } else {
        at.sliding.cross(&s.angular)
    }
}
