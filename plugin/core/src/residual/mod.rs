//! What is wrong with an answer, from problem and answer alone.
//!
//! Velocities are divided by `1 + max |v_free|`; an impulse `z` is compared with a velocity as
//! `z D`, where `D = row M^-1 row^T`. One function judges every solver, in the tests and in the
//! report of every step.

mod friction;
mod law;
mod poisson;
mod scratch;
mod shell;
mod stage;

pub(crate) use friction::into_polygon;
pub use scratch::Scratch;

use crate::models::{ContactSolution, ModelName, ModelSettings};
use crate::problem::{ContactProblem, Island, RowId, ScalarKind};
use crate::report::Residuals;
use law::Law;

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
    if rules.model == ModelName::DrumwrightShell {
        // Islands have multipliers of their own.
        let mut worst = Residuals::default();
        for island in problem.islands() {
            worst.merge(&of_island(problem, island, rules, solution, scratch));
        }
        return worst;
    }
    let blocks = 0..problem.block_count();
    let contacts = 0..problem.contact_count();
    let scalars = 0..problem.scalar_count();
    let speed = 1.0 + problem.v_free().iter().fold(0.0_f64, |a, v| a.max(v.abs()));
    scratch.resize(problem.dim());
    run(
        (problem, rules, speed),
        solution,
        scratch,
        (blocks, contacts, scalars),
    )
}

/// [`residuals`] of one island: velocities are divided by `1 + max |v_free|` of its own blocks.
pub fn of_island(
    problem: &ContactProblem,
    island: Island<'_>,
    rules: Rules<'_>,
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
) -> Residuals {
    let n = problem.contact_count();
    let blocks = island.blocks.iter().map(|&b| b as usize);
    let contacts = island.groups.iter().map(|&g| g as usize);
    let scalars = contacts.clone().filter_map(|g| g.checked_sub(n));
    let speeds = blocks.clone().map(|b| {
        let v = &problem.v_free()[problem.block(b).range()];
        v.iter().fold(0.0_f64, |a, v| a.max(v.abs()))
    });
    let speed = 1.0 + speeds.fold(0.0, f64::max);
    scratch.resize(problem.dim());
    let contacts = contacts.filter(|&g| g < n);
    run(
        (problem, rules, speed),
        solution,
        scratch,
        (blocks, contacts, scalars),
    )
}

/// Judges some blocks, contacts and scalars; bounces by Poisson's law phase by phase.
fn run(
    (problem, rules, speed): (&ContactProblem, Rules<'_>, f64),
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
    (blocks, contacts, scalars): (
        impl Iterator<Item = usize> + Clone,
        impl Iterator<Item = usize> + Clone,
        impl Iterator<Item = usize> + Clone,
    ),
) -> Residuals {
    if rules.model == ModelName::DrumwrightShell && !solution.multipliers.is_empty() {
        let parts = (blocks, contacts, scalars);
        return shell::judge((problem, rules, speed), solution, scratch, parts);
    }
    if !solution.compression.is_empty() {
        let parts = (blocks, contacts, scalars);
        return poisson::judge((problem, rules, speed), solution, scratch, parts);
    }
    let mut judge = Judge {
        problem,
        rules,
        solution,
        scratch,
        speed,
        phase: Phase::Whole,
        base: None,
        r: Residuals::default(),
    };
    judge.run(blocks, contacts, scalars)
}

/// What part of the impulses is judged.
#[derive(Clone, Copy, Debug)]
enum Phase<'a> {
    /// All, restitution by Newton's law.
    Whole,
    /// Those of the compression: no restitution.
    Compression,
    /// The rest; the impulses of the compression by row.
    Expansion(&'a [f64]),
}

/// An answer being judged.
struct Judge<'a> {
    problem: &'a ContactProblem,
    rules: Rules<'a>,
    solution: &'a mut ContactSolution,
    scratch: &'a mut Scratch,
    /// `1 + max |v_free|`.
    speed: f64,
    phase: Phase<'a>,
    /// The velocity the impulses start from, if not the free one.
    base: Option<&'a [f64]>,
    r: Residuals,
}

impl Judge<'_> {
    fn run(
        &mut self,
        blocks: impl Iterator<Item = usize> + Clone,
        contacts: impl Iterator<Item = usize>,
        scalars: impl Iterator<Item = usize>,
    ) -> Residuals {
        self.clear(blocks.clone());
        let law = Law::of(self.rules);
        for c in contacts {
            self.contact(c, law);
        }
        for i in scalars {
            self.scalar(i);
        }
        self.divide();
        self.r.momentum = self.momentum(blocks);
        self.r
    }

    /// No momentum yet.
    fn clear(&mut self, blocks: impl Iterator<Item = usize>) {
        for b in blocks {
            let range = self.problem.block(b).range();
            self.scratch.momentum[range.clone()].fill(0.0);
            self.scratch.magnitude[range].fill(0.0);
        }
    }

    /// Divides velocities by the speed.
    fn divide(&mut self) {
        let r = &mut self.r;
        for x in [
            &mut r.signorini,
            &mut r.penetration,
            &mut r.cone,
            &mut r.dissipation,
            &mut r.bilateral,
            &mut r.contradiction,
        ] {
            *x /= self.speed;
        }
    }

    #[inline]
    fn contact(&mut self, c: usize, law: Law) {
        let (problem, settings) = (self.problem, self.rules.settings);
        let contact = &problem.contacts()[c];
        let [v_n, v_s, v_t] = problem.contact_dots(c, &self.solution.v_plus);
        let f = [
            self.solution.f_n[c],
            self.solution.f_s[c],
            self.solution.f_t[c],
        ];
        let closed = settings.is_closed(contact);
        let approach = if closed && contact.restitution > 0.0 {
            problem.row(RowId(3 * c)).dot(problem.v())
        } else {
            0.0
        };
        let mut b = settings.contact_velocity(contact, approach, problem.h());
        // What presses in any case, and what pressed before.
        let (mut floor, mut before) = (0.0, 0.0);
        if !matches!(self.phase, Phase::Whole) {
            let newton = b;
            let still = crate::problem::ContactData {
                restitution: 0.0,
                ..*contact
            };
            b = settings.contact_velocity(&still, approach, problem.h());
            if let Phase::Expansion(compression) = self.phase {
                before = compression[3 * c];
                if newton != b {
                    floor = contact.restitution * before;
                }
            }
        }
        let mut w = v_n + b;
        if contact.compliance > 0.0 {
            w += settings.softness(contact, problem.h()) * (f[0] + before);
        }
        let slip = [
            v_s - contact.surface_velocity[0],
            v_t - contact.surface_velocity[1],
        ];
        // `hypot` guards against overflow that validated input cannot reach, at 50 ns a call.
        let speed = (slip[0] * slip[0] + slip[1] * slip[1]).sqrt();
        self.solution.slip[c] = speed;
        if closed {
            raise(&mut self.r.slip, speed);
        }
        let spin = if problem.spins().is_empty() {
            None
        } else {
            problem.spin_rows(c)
        };
        if law == Law::Convex && closed {
            self.convex(c, spin, (w, slip));
            self.take_impulses(c, spin);
            return;
        }
        if w < 0.0 {
            w = unmet(w, self.solution.unmet[3 * c], &mut self.r);
        }
        let pressure = self.unilateral(RowId(3 * c), f[0] - floor, w);
        match law {
            Law::Polygon(_) | Law::Cone
                if closed
                    && self.rules.model == ModelName::CoulombAcceleration
                    && contact.sliding_friction.is_some() =>
            {
                self.sliding(c);
            }
            Law::Hold => self.held(c, closed, (pressure, slip)),
            Law::Viscous if closed => self.viscous(c, slip, spin),
            Law::Polygon(_) | Law::Cone | Law::Convex if closed => {
                self.friction(c, law, slip);
                if let Some(rows) = spin {
                    self.spin(c, law, rows);
                }
            }
            Law::Frictionless | Law::Viscous | Law::Polygon(_) | Law::Cone | Law::Convex => {
                self.untouched(c, spin)
            }
        }
        self.take_impulses(c, spin);
    }

    /// Counts a contact's impulses in the momentum balance.
    fn take_impulses(&mut self, c: usize, spin: Option<[RowId; 3]>) {
        let s = &*self.solution;
        self.scratch
            .take_contact(self.problem, c, [s.f_n[c], s.f_s[c], s.f_t[c]]);
        if let Some(rows) = spin {
            for (row, f) in rows.into_iter().zip(self.solution.f_spin[c]) {
                self.scratch.take(self.problem.row(row), f);
            }
        }
    }

    /// Tangential rows that the model holds at zero.
    #[inline]
    fn held(&mut self, c: usize, closed: bool, (mut pressure, slip): (f64, [f64; 2])) {
        let model = self.rules.model;
        let f_n = self.solution.f_n[c];
        // A contact that does not press may have yielded.
        let yielded = model == ModelName::NoSlip && closed && !self.solution.held[c];
        if (model == ModelName::NoSlipReleasing || yielded) && f_n != 0.0 {
            pressure = f_n * self.scratch.diagonal(self.problem, RowId(3 * c));
        }
        // A releasing contact at the edge of pressing may be taken either way.
        let edge = 10.0 * self.rules.settings.tolerance * self.speed;
        let (holds, may_hold) = if model == ModelName::NoSlipReleasing {
            let kept = self.rules.release_failed && self.solution.held[c];
            let holds = closed && (pressure > edge || kept);
            (holds, closed && (f_n > 0.0 || kept))
        } else {
            (closed && !(yielded && pressure <= edge), closed && !yielded)
        };
        if holds {
            for (k, v) in slip.into_iter().enumerate() {
                let declared = self.solution.unmet[3 * c + 1 + k];
                let v = unmet(v, declared, &mut self.r);
                raise(&mut self.r.bilateral, v.abs());
            }
        }
        if !may_hold {
            self.untouched(c, None);
        }
    }

    /// No tangential impulse is allowed here.
    fn untouched(&mut self, c: usize, spin: Option<[RowId; 3]>) {
        let f = [self.solution.f_s[c], self.solution.f_t[c]];
        let rows = [RowId(3 * c + 1), RowId(3 * c + 2)];
        let spins = spin.into_iter().flatten().zip(self.solution.f_spin[c]);
        for (row, f) in rows.into_iter().zip(f).chain(spins) {
            if f != 0.0 {
                let d = self.scratch.diagonal(self.problem, row);
                raise(&mut self.r.cone, f.abs() * d);
            }
        }
    }

    fn scalar(&mut self, i: usize) {
        let problem = self.problem;
        let id = problem.scalar_row(i);
        let row = problem.row(id);
        let z = self.solution.f_scalar[i];
        let v = row.dot(&self.solution.v_plus);
        let declared = self.solution.unmet[id.0];
        match problem.scalars()[i].1 {
            ScalarKind::Bilateral { velocity } => {
                let left = unmet(v - velocity, declared, &mut self.r);
                raise(&mut self.r.bilateral, left.abs());
            }
            ScalarKind::Unilateral { gap } => {
                let mut w = v + self.rules.settings.gap_velocity(gap, problem.h());
                if w < 0.0 {
                    w = unmet(w, declared, &mut self.r);
                }
                self.unilateral(id, z, w);
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } => {
                // Bounds hold for both phases together.
                let z = match self.phase {
                    Phase::Expansion(compression) => z + compression[id.0],
                    _ => z,
                };
                let w = v + compliance * z - velocity;
                let d = self.scratch.diagonal(problem, id) + compliance;
                let bound = limit * d;
                let map = z * d - (z * d - w).clamp(-bound, bound);
                raise(&mut self.r.bilateral, map.abs());
            }
        }
        self.scratch.take(row, z);
    }

    /// Judges one complementarity pair (z, w); returns `z D`, or infinity if that is certainly not
    /// the smaller one.
    #[inline]
    fn unilateral(&mut self, row: RowId, z: f64, w: f64) -> f64 {
        if z == 0.0 && w >= 0.0 {
            return 0.0;
        }
        let pressure = if z == 0.0 {
            0.0
        } else if z > 0.0 && w <= z * least_diagonal(self.problem, row) {
            // Certainly w is the smaller one.
            f64::INFINITY
        } else {
            z * self.scratch.diagonal(self.problem, row)
        };
        let least = if w < pressure { w } else { pressure };
        raise(&mut self.r.signorini, least.abs());
        raise(&mut self.r.penetration, (-w).max(0.0));
        if w.is_nan() {
            self.r.penetration = f64::NAN;
        }
        pressure
    }

    /// Largest `|M (v+ - v_free) - sum of row impulses|` of a coordinate, divided by what round-off
    /// is relative to: the sum of the terms' magnitudes and the coordinate's own inertia times the
    /// speed.
    fn momentum(&mut self, blocks: impl Iterator<Item = usize>) -> f64 {
        let (problem, scratch) = (self.problem, &mut *self.scratch);
        let mut worst = 0.0;
        for b in blocks {
            let block = problem.block(b);
            let range = block.range();
            let dv = &mut scratch.x[range.clone()];
            let ends = self.solution.v_plus[range.clone()].iter();
            for (d, (v, f)) in dv
                .iter_mut()
                .zip(ends.zip(&self.base.unwrap_or(problem.v_free())[range.clone()]))
            {
                *d = v - f;
            }
            block.add_momentum(dv, &mut scratch.momentum[range.clone()]);
            dv.fill(0.0);
            let sums = scratch.momentum[range.clone()].iter();
            for ((p, m), inv) in sums.zip(&scratch.magnitude[range]).zip(block.inv_diag) {
                raise(&mut worst, p.abs() / (m + self.speed / (inv * inv)));
            }
        }
        worst
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
