//! Least kinetic energy within the friction bounds, checked by its multipliers.
//!
//! The answer brings the frictionless impulses, which are checked as a frictionless answer and give
//! kappa, and the multipliers. With `u = v+ + M^-1 (N^T (l 1 - nu) + J^T zeta)`, `J (u - v+) = 0`, it is
//! held against the optimality conditions of `drumwright-shell` (see its documentation): friction is
//! maximal dissipation against u, a normal impulse is balanced by u and what its friction gains, nu
//! and the gap, l and the separation are complementary.

use super::stage::{Stages, velocity};
use super::{Check, Law, Rules, Scratch, length, raise, unmet};
use crate::problem::{IslandProblem, RowId, ScalarKind};
use crate::report::Residuals;
use crate::settings::ModelName;
use crate::solution::ContactSolution;

/// Checks the answer of an island with multipliers.
pub(super) fn check(
    place: IslandProblem<'_>,
    rules: Rules<'_>,
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
) -> Residuals {
    let problem = place.problem;
    let mut stages = std::mem::take(&mut scratch.stages);
    stages.begin(place, &solution.frictionless, solution);
    let Stages { part, between } = &mut stages;
    let bare = Rules {
        model: ModelName::Frictionless,
        ..rules
    };
    let mut worst = Check::new(place, bare, part, scratch).run();
    worst.slip = 0.0;
    let n = problem.contact_count();
    let sum = |v: &[f64]| {
        (place.contacts())
            .map(|c| problem.row(RowId(3 * c)).dot(v))
            .sum::<f64>()
    };
    let (kappa, separation) = (sum(between), sum(&solution.v_plus));
    // The velocity u.
    let first = place.contacts().next();
    let l = first.map_or(0.0, |c| solution.multipliers[3 * c + 1]);
    let tension = place.rows().map(|row| {
        let own = solution.multipliers[row.0];
        let value = if row.0 < 3 * n {
            if row.0 % 3 == 0 { l - own } else { 0.0 }
        } else {
            let scalar = problem.scalars().get(row.0 - 3 * n).map(|s| s.1);
            match scalar {
                Some(ScalarKind::Bilateral { .. }) => own,
                Some(ScalarKind::Unilateral { .. }) => -own,
                _ => 0.0,
            }
        };
        (row, value)
    });
    let v_plus = &solution.v_plus;
    velocity(place, tension, v_plus, &mut part.v_plus);
    for block in place.blocks() {
        for i in block.range() {
            between[i] = problem.v_free()[i] + part.v_plus[i] - v_plus[i];
        }
    }
    for row in place.rows() {
        *part.impulse_mut(problem, row) = *solution.impulse_mut(problem, row);
    }
    let mut largest = 0.0_f64;
    let base = Some(&between[..]);
    let whole = Check::new(place, rules, part, scratch);
    let mut check = Check { base, ..whole };
    for c in place.contacts() {
        let d = check.scratch.diagonal(problem, RowId(3 * c));
        largest = largest.max(d);
        // One l for all.
        let other = (solution.multipliers[3 * c + 1] - l).abs();
        raise(&mut check.r.signorini, other * d);
    }
    if first.is_some() {
        let pair = (l * largest).min(kappa - separation);
        raise(&mut check.r.signorini, pair.abs());
    }
    let answer = &*solution;
    let own = check.of_rows(
        |check, c| check.least_energy(c, answer),
        |check, i| check.least_energy_scalar(i, answer),
    );
    for c in place.contacts() {
        solution.slip[c] = part.slip[c];
    }
    worst.merge(&own);
    scratch.stages = stages;
    worst
}

impl Check<'_> {
    /// One contact; `self.solution` has u for its velocity, `answer` is the answer itself.
    fn least_energy(&mut self, c: usize, answer: &ContactSolution) {
        let (problem, settings) = (self.problem, self.rules.settings);
        let contact = &problem.contacts()[c];
        let row = RowId(3 * c);
        let [v_n, v_s, v_t] = problem.contact_dots(c, &answer.v_plus);
        let [u_n, u_s, u_t] = problem.contact_dots(c, &self.solution.v_plus);
        let [c_s, c_t] = contact.surface_velocity;
        let closed = settings.is_closed(contact);
        let speed = length([v_s - c_s, v_t - c_t]);
        self.solution.slip[c] = speed;
        if closed {
            raise(&mut self.r.slip, speed);
        }
        let f_n = self.solution.f_n[c];
        let nu = answer.multipliers[row.0];
        let soft = settings.softness(contact, problem.h());
        let [b, _] = settings.demands(problem, c);
        let mut w = v_n + b + soft * f_n;
        if w < 0.0 {
            w = unmet(w, self.solution.unmet[row.0], &mut self.r);
        }
        self.unilateral(row, nu, w);
        let mut pressing = u_n - soft * nu;
        let slip = [u_s - c_s, u_t - c_t];
        let spin = problem.spin_rows(c);
        if closed {
            pressing -= self.gain(c, spin, slip);
            self.friction(c, spin, Law::of(self.rules), slip);
        } else {
            self.untouched(c, spin);
        }
        // Slips count `mu` times here: the row is brought back to the size of a velocity.
        let [mu_s, mu_t] = contact.friction();
        let size = 1.0 + mu_s.max(mu_t) + contact.mu_torsional + contact.mu_rolling;
        let d = self.scratch.diagonal(problem, row);
        raise(
            &mut self.r.dissipation,
            (f_n * d).min(pressing / size).abs(),
        );
        self.take_impulses(c, spin);
    }

    /// What friction gains per unit of normal impulse: `max -(mu_s cos u_s + mu_t sin u_t)` over the
    /// corners, and the same of torsion and rolling.
    fn gain(&self, c: usize, spin: Option<[RowId; 3]>, slip: [f64; 2]) -> f64 {
        let contact = &self.problem.contacts()[c];
        let corners = self.rules.settings.polygon.directions;
        let support = |x: [f64; 2]| {
            let step = std::f64::consts::TAU / corners as f64;
            (0..corners).fold(0.0_f64, |most, k| {
                let (sin, cos) = (step * k as f64).sin_cos();
                most.max(-(x[0] * cos + x[1] * sin))
            })
        };
        let [mu_s, mu_t] = contact.friction();
        let mut gain = support([mu_s * slip[0], mu_t * slip[1]]);
        if let Some(rows) = spin {
            let [n, s, t] = rows.map(|row| self.problem.row(row).dot(&self.solution.v_plus));
            gain += contact.mu_torsional * n.abs() + contact.mu_rolling * support([s, t]);
        }
        gain
    }

    fn least_energy_scalar(&mut self, i: usize, answer: &ContactSolution) {
        let problem = self.problem;
        let ScalarKind::Unilateral { gap } = problem.scalars()[i].1 else {
            // u keeps what bilateral rows meet, and is what bounded ones act against.
            self.scalar(i);
            return;
        };
        let row = problem.scalar_row(i);
        let b = self.rules.settings.gap_velocity(gap, problem.h());
        let mut w = problem.row(row).dot(&answer.v_plus) + b;
        if w < 0.0 {
            w = unmet(w, self.solution.unmet[row.0], &mut self.r);
        }
        self.unilateral(row, answer.multipliers[row.0], w);
        let z = self.solution.f_scalar[i];
        let u = problem.row(row).dot(&self.solution.v_plus);
        let d = self.scratch.diagonal(problem, row);
        raise(&mut self.r.dissipation, (z * d).min(u).abs());
        self.scratch.take(problem.row(row), z);
    }
}
