//! What is wrong with an answer, from problem and answer alone.
//!
//! Velocities are divided by `1 + max |v_free|`; an impulse `z` is compared with a velocity as
//! `z D`, where `D = row M^-1 row^T`. One function judges every solver, in the tests and in the
//! report of every step.

use crate::models::{ContactSolution, ModelName, ModelSettings};
use crate::problem::{ContactProblem, NO_BLOCK, RowId, RowView, ScalarKind};
use crate::report::Residuals;

/// The conditions an answer is held against.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The model, which says where tangential rows hold.
    pub model: ModelName,
    /// The settings, which give `b` and say which contacts are closed.
    pub settings: &'a ModelSettings,
    /// Whether the releasing form fell back to the bilateral one somewhere: contacts marked as held
    /// may then hold without pressing.
    pub release_failed: bool,
}

/// Memory for [`residuals`].
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    x: Vec<f64>,
    momentum: Vec<f64>,
    magnitude: Vec<f64>,
}

impl Scratch {
    /// `row M^-1 row^T` by whitening the row. Cost: the square of the depth of the tree at most.
    fn diagonal(&mut self, problem: &ContactProblem, row: RowId) -> f64 {
        let (group, k) = problem.group_of(row);
        let view = problem.group_row(group, k);
        view.add_to(1.0, &mut self.x);
        if group.closed {
            let (first, second) = view.runs.split_at(group.split as usize);
            for (block, runs) in group.blocks.into_iter().zip([first, second]) {
                if block != NO_BLOCK {
                    let block = problem.block(block as usize);
                    block.whiten(runs, &mut self.x[block.range()]);
                }
            }
            let mut sum = 0.0;
            for run in view.runs {
                let part = &mut self.x[run.range()];
                sum += crate::rows::kernel::dot(part, part);
                part.fill(0.0);
            }
            return sum;
        }
        let mut sum = 0.0;
        for block in group.blocks.into_iter().filter(|&b| b != NO_BLOCK) {
            let block = problem.block(block as usize);
            let x = &mut self.x[block.range()];
            block.solve_lt(x);
            sum += crate::rows::kernel::dot(x, x);
            x.fill(0.0);
        }
        sum
    }

    /// [`Self::take`] for the three rows of a contact in one pass.
    #[inline]
    fn take_contact(&mut self, problem: &ContactProblem, contact: usize, f: [f64; 3]) {
        if f == [0.0; 3] {
            return;
        }
        let group = problem.contact_group(contact);
        let (n, rest) = problem.group_values(group).split_at(group.nnz as usize);
        let (s, t) = rest.split_at(group.nnz as usize);
        let mut at = 0;
        for run in problem.group_runs(group) {
            let range = run.range();
            let end = at + range.len();
            let rows = n[at..end].iter().zip(&s[at..end]).zip(&t[at..end]);
            let sums = self.momentum[range.clone()].iter_mut();
            for ((p, m), ((n, s), t)) in sums.zip(&mut self.magnitude[range]).zip(rows) {
                let terms = [f[0] * n, f[1] * s, f[2] * t];
                *p -= terms[0] + terms[1] + terms[2];
                *m += terms[0].abs() + terms[1].abs() + terms[2].abs();
            }
            at = end;
        }
    }

    #[inline]
    fn take(&mut self, row: RowView<'_>, z: f64) {
        if z == 0.0 {
            return;
        }
        let mut at = 0;
        for run in row.runs {
            let range = run.range();
            let values = &row.values[at..at + range.len()];
            at += range.len();
            let sums = self.momentum[range.clone()].iter_mut();
            for ((p, m), r) in sums.zip(&mut self.magnitude[range]).zip(values) {
                let term = z * r;
                *p -= term;
                *m += term.abs();
            }
        }
    }
}

#[inline]
fn raise(worst: &mut f64, value: f64) {
    if value > *worst || value.is_nan() {
        *worst = value;
    }
}

/// What counts of a row's shortfall: nothing if the answer declares the row unmet, it is then booked
/// as a contradiction.
#[inline]
fn unmet(left: f64, declared: bool, r: &mut Residuals) -> f64 {
    if declared && left.is_finite() {
        raise(&mut r.contradiction, left.abs());
        return 0.0;
    }
    left
}

/// Judges an answer. Also fills `solution.slip`, the tangential speed of each contact.
///
/// O(nonzeros of the rows), and a whitening per row with an impulse.
pub fn residuals(
    problem: &ContactProblem,
    rules: Rules<'_>,
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
) -> Residuals {
    let m = problem.dim();
    scratch.x.resize(m, 0.0);
    for x in [&mut scratch.momentum, &mut scratch.magnitude] {
        x.clear();
        x.resize(m, 0.0);
    }
    let speed = 1.0 + problem.v_free().iter().fold(0.0_f64, |a, v| a.max(v.abs()));
    let mut r = Residuals::default();
    contacts(problem, rules, solution, scratch, speed, &mut r);
    scalars(problem, rules, solution, scratch, &mut r);
    for x in [
        &mut r.signorini,
        &mut r.penetration,
        &mut r.cone,
        &mut r.bilateral,
        &mut r.contradiction,
    ] {
        *x /= speed;
    }
    r.momentum = momentum(problem, solution, scratch, speed);
    r
}

fn contacts(
    problem: &ContactProblem,
    rules: Rules<'_>,
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
    speed: f64,
    r: &mut Residuals,
) {
    let settings = rules.settings;
    for (c, contact) in problem.contacts().iter().enumerate() {
        let [v_n, v_s, v_t] = problem.contact_dots(c, &solution.v_plus);
        let [f_n, f_s, f_t] = [solution.f_n[c], solution.f_s[c], solution.f_t[c]];
        let closed = settings.is_closed(contact);
        let approach = if closed && contact.restitution > 0.0 {
            problem.row(RowId(3 * c)).dot(problem.v())
        } else {
            0.0
        };
        let b = settings.contact_velocity(contact, approach, problem.h());
        let w = v_n + b;
        let w = if w < 0.0 {
            unmet(w, solution.unmet[3 * c], r)
        } else {
            w
        };
        let mut pressure = unilateral(problem, RowId(3 * c), (f_n, w), scratch, r);
        // A contact that does not press may have yielded.
        let yielded = rules.model == ModelName::NoSlip && closed && !solution.held[c];
        if (rules.model == ModelName::NoSlipReleasing || yielded) && f_n != 0.0 {
            pressure = f_n * scratch.diagonal(problem, RowId(3 * c));
        }
        let v_s = v_s - contact.surface_velocity[0];
        let v_t = v_t - contact.surface_velocity[1];
        // `hypot` guards against overflow that validated input cannot reach, at 50 ns a call.
        let slip = (v_s * v_s + v_t * v_t).sqrt();
        solution.slip[c] = slip;
        if closed {
            raise(&mut r.slip, slip);
        }
        // A releasing contact at the edge of pressing may be taken either way.
        let edge = 10.0 * settings.tolerance * speed;
        let (holds, may_hold) = match rules.model {
            ModelName::Frictionless => (false, false),
            ModelName::NoSlip => (closed && !(yielded && pressure <= edge), closed && !yielded),
            ModelName::NoSlipReleasing => {
                let kept = rules.release_failed && solution.held[c];
                let holds = closed && (pressure > edge || kept);
                (holds, closed && (f_n > 0.0 || kept))
            }
        };
        if holds {
            for (k, v) in [(1, v_s), (2, v_t)] {
                let v = unmet(v, solution.unmet[3 * c + k], r);
                raise(&mut r.bilateral, v.abs());
            }
        }
        for (k, f) in [(1, f_s), (2, f_t)] {
            if f != 0.0 && !may_hold {
                let d = scratch.diagonal(problem, RowId(3 * c + k));
                raise(&mut r.cone, f.abs() * d);
            }
        }
        scratch.take_contact(problem, c, [f_n, f_s, f_t]);
    }
}

fn scalars(
    problem: &ContactProblem,
    rules: Rules<'_>,
    solution: &ContactSolution,
    scratch: &mut Scratch,
    r: &mut Residuals,
) {
    for (i, &(_, kind)) in problem.scalars().iter().enumerate() {
        let id = problem.scalar_row(i);
        let row = problem.row(id);
        let z = solution.f_scalar[i];
        let v = row.dot(&solution.v_plus);
        match kind {
            ScalarKind::Bilateral { velocity } => {
                let left = unmet(v - velocity, solution.unmet[id.0], r);
                raise(&mut r.bilateral, left.abs());
            }
            ScalarKind::Unilateral { gap } => {
                let w = v + rules.settings.gap_velocity(gap, problem.h());
                let w = if w < 0.0 {
                    unmet(w, solution.unmet[id.0], r)
                } else {
                    w
                };
                unilateral(problem, id, (z, w), scratch, r);
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } => {
                let w = v + compliance * z - velocity;
                let d = scratch.diagonal(problem, id) + compliance;
                let bound = limit * d;
                let map = z * d - (z * d - w).clamp(-bound, bound);
                raise(&mut r.bilateral, map.abs());
            }
        }
        scratch.take(row, z);
    }
}

/// A lower bound of `row M^-1 row^T`: whitening leaves a row's last coordinate alone but for its
/// scaling, since all other columns are its ancestors or strangers.
#[inline]
fn least_diagonal(problem: &ContactProblem, row: RowId) -> f64 {
    let (group, k) = problem.group_of(row);
    let view = problem.group_row(group, k);
    let (Some(run), Some(&value)) = (view.runs.last(), view.values.last()) else {
        return 0.0;
    };
    let last = value * problem.inv_diag(run.range().end - 1);
    last * last
}

/// Judges one complementarity pair (z, w); returns `z D`, or infinity if that is certainly not the
/// smaller one.
fn unilateral(
    problem: &ContactProblem,
    row: RowId,
    (z, w): (f64, f64),
    scratch: &mut Scratch,
    r: &mut Residuals,
) -> f64 {
    if z == 0.0 && w >= 0.0 {
        return 0.0;
    }
    let pressure = if z == 0.0 {
        0.0
    } else if z > 0.0 && w <= z * least_diagonal(problem, row) {
        // Certainly w is the smaller one.
        f64::INFINITY
    } else {
        z * scratch.diagonal(problem, row)
    };
    raise(
        &mut r.signorini,
        if w < pressure { w } else { pressure }.abs(),
    );
    raise(&mut r.penetration, (-w).max(0.0));
    if w.is_nan() {
        r.penetration = f64::NAN;
    }
    pressure
}

/// Largest `|M (v+ - v_free) - sum of row impulses|` of a coordinate, divided by what round-off is
/// relative to: the sum of the terms' magnitudes and the coordinate's own inertia times the speed.
fn momentum(
    problem: &ContactProblem,
    solution: &ContactSolution,
    scratch: &mut Scratch,
    speed: f64,
) -> f64 {
    let mut worst = 0.0;
    for b in 0..problem.block_count() {
        let block = problem.block(b);
        let range = block.range();
        let dv = &mut scratch.x[range.clone()];
        let ends = solution.v_plus[range.clone()].iter();
        for (d, (v, f)) in dv
            .iter_mut()
            .zip(ends.zip(&problem.v_free()[range.clone()]))
        {
            *d = v - f;
        }
        block.add_momentum(dv, &mut scratch.momentum[range.clone()]);
        dv.fill(0.0);
        let sums = scratch.momentum[range.clone()].iter();
        for ((p, m), inv) in sums.zip(&scratch.magnitude[range]).zip(block.inv_diag) {
            raise(&mut worst, p.abs() / (m + speed / (inv * inv)));
        }
    }
    worst
}
