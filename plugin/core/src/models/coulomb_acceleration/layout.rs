//! The variables of an island's complementarity problem and its matrix.
//!
//! With the reduced problem `R a = W x + q` (bilateral rows eliminated) every variable z acts along a
//! combination `g` of the kept rows and is paired with the velocity (of a stage: acceleration) along
//! a combination `r` of them:
//! ```text
//!     | R_n W G_n   R_n W B^T    0 |        | R_n q + b      |   separation;  g = n + slide along s, t
//! A = | B W G_n     B W B^T      E |    q = | B (q - target) |   slip along each direction + lambda
//!     | D mu        -D E^T       0 |        | 0 or D limit   |   what is left of the bound
//! ```
//! Rolling contacts have `g = r = n` and a friction unit: the polygon's directions B and the slip
//! lambda [T95, the rolling contacts' part]. Sliding contacts have no unit; their friction comes with
//! the normal force, `g = n + slide`, which makes A unsymmetric [T95, D15 sec. III-B].

use super::super::corner::corner;
use super::super::reduced::Reduced;
use crate::models::ModelSettings;
use crate::models::impact::AWAY;
use crate::problem::{ContactProblem, Island, RowId, ScalarKind};

/// A combination of two kept rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mix {
    /// Places of the rows in the reduced problem.
    pub(super) places: [u32; 2],
    /// Their shares.
    pub(super) shares: [f64; 2],
}

impl Mix {
    pub(super) fn one(place: usize) -> Self {
        Self {
            places: [place as u32; 2],
            shares: [1.0, 0.0],
        }
    }

    #[inline]
    pub(super) fn of(&self, x: &[f64]) -> f64 {
        self.shares[0] * x[self.places[0] as usize] + self.shares[1] * x[self.places[1] as usize]
    }
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A unilateral force.
    Unilateral,
    /// The normal force of a sliding contact.
    SlidingNormal,
    /// The normal force of a contact whose friction is given but does not reach its bound.
    StoppedWall,
    /// A force along a direction of a unit.
    Direction,
    /// The slip of this unit.
    Slip(u32),
}

impl Role {
    /// Whether it is a unilateral force of some kind.
    pub(super) fn is_unilateral(self) -> bool {
        matches!(
            self,
            Self::Unilateral | Self::SlidingNormal | Self::StoppedWall
        )
    }
}

/// One variable of the problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) role: Role,
    /// The rows whose velocity it is paired with, and along which it acts.
    pub(super) along: Mix,
    /// Friction that comes with it.
    pub(super) slide: Mix,
    /// Added to `q`.
    pub(super) offset: f64,
    /// Added to the diagonal.
    pub(super) softness: f64,
}

/// What bounds the sum of a unit's forces.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    /// `mu` times this variable.
    Normal { variable: u32, mu: f64 },
    /// A constant.
    Constant(f64),
}

/// Directions that share a bound; its variables are `first .. slip`, then the slip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) first: u32,
    pub(super) slip: u32,
    pub(super) bound: Bound,
    /// Places of its rows, the same one twice for a single row.
    pub(super) places: [u32; 2],
    pub(super) targets: [f64; 2],
    /// By how much the polygon is drawn out along each row.
    pub(super) scales: [f64; 2],
    pub(super) compliance: f64,
    /// D: what a force is worth as a velocity.
    pub(super) weight: f64,
}

impl Unit {
    /// Whether the unit bounds a vector, which polygon and circle bound differently.
    pub(super) fn is_polygon(&self) -> bool {
        self.places[0] != self.places[1] && self.scales.iter().all(|&s| s > 0.0)
    }
}

/// The variables of one group of the island.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) group: u32,
    pub(super) first: u32,
    pub(super) end: u32,
}

/// All variables of an island, its matrix and vector; all memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) variables: Vec<Variable>,
    pub(super) units: Vec<Unit>,
    pub(super) parts: Vec<Part>,
    /// Row-major.
    pub(super) a: Vec<f64>,
    pub(super) q: Vec<f64>,
    /// What the last softening added to the diagonal, and the diagonal before it.
    pub(super) soft: Vec<f64>,
    rigid: Vec<f64>,
    line: Vec<f64>,
}

impl Layout {
    /// Lays out the variables of an island, keeping their rows in `reduced`.
    pub(super) fn lay_out(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        settings: &ModelSettings,
        reduced: &mut Reduced,
    ) {
        self.variables.clear();
        self.units.clear();
        self.parts.clear();
        let n = problem.contact_count();
        for &group in island.groups {
            let first = self.variables.len() as u32;
            match (group as usize).checked_sub(n) {
                None => self.contact(problem, group as usize, settings, reduced),
                Some(scalar) => self.scalar(problem, scalar, settings, reduced),
            }
            let end = self.variables.len() as u32;
            self.parts.push(Part { group, first, end });
        }
    }

    fn contact(
        &mut self,
        problem: &ContactProblem,
        c: usize,
        settings: &ModelSettings,
        reduced: &mut Reduced,
    ) {
        let contact = &problem.contacts()[c];
        if contact.phi >= AWAY {
            return;
        }
        let closed = settings.is_closed(contact);
        let approach = if closed && contact.restitution > 0.0 {
            problem.row(RowId(3 * c)).dot(problem.v())
        } else {
            0.0
        };
        let b = settings.contact_velocity(contact, approach, problem.h());
        let unilateral = self.variables.len() as u32;
        let place = reduced.keep(problem, RowId(3 * c));
        self.unilateral(place, b, settings.softness(contact, problem.h()));
        if !closed {
            return;
        }
        let mut tangents = || [1, 2].map(|k| reduced.keep(problem, RowId(3 * c + k)) as u32);
        if let Some(shares) = contact.sliding_friction {
            if shares != [0.0; 2] {
                let variable = &mut self.variables[unilateral as usize];
                let mu = contact.friction();
                let share = (shares[0] / mu[0]).hypot(shares[1] / mu[1]);
                // A coefficient of zero has no share.
                variable.role = if share < 1.0 - 1e-9 {
                    Role::StoppedWall
                } else {
                    Role::SlidingNormal
                };
                variable.slide = Mix {
                    places: tangents(),
                    shares,
                };
            }
            return;
        }
        let mu = contact.friction();
        let largest = mu[0].max(mu[1]);
        if largest > 0.0 {
            let places = tangents();
            let bound = Bound::Normal {
                variable: unilateral,
                mu: largest,
            };
            let unit = Unit {
                places,
                targets: contact.surface_velocity,
                scales: mu.map(|mu| mu / largest),
                ..unit(bound)
            };
            self.unit(unit, settings.polygon.directions, reduced);
        }
    }

    fn scalar(
        &mut self,
        problem: &ContactProblem,
        scalar: usize,
        settings: &ModelSettings,
        reduced: &mut Reduced,
    ) {
        let row = problem.scalar_row(scalar);
        match problem.scalars()[scalar].1 {
            ScalarKind::Unilateral { gap } if gap < AWAY => {
                let b = settings.gap_velocity(gap, problem.h());
                let place = reduced.keep(problem, row);
                self.unilateral(place, b, 0.0);
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } if limit > 0.0 => {
                let place = reduced.keep(problem, row) as u32;
                let unit = Unit {
                    places: [place; 2],
                    targets: [velocity, 0.0],
                    compliance,
                    ..unit(Bound::Constant(limit))
                };
                self.unit(unit, 2, reduced);
            }
            _ => {}
        }
    }

    fn unilateral(&mut self, place: usize, offset: f64, softness: f64) {
        self.variables.push(Variable {
            role: Role::Unilateral,
            along: Mix::one(place),
            slide: Mix::default(),
            offset,
            softness,
        });
    }

    /// Adds the directions of a unit and its slip. Rows along which nothing can move make none.
    fn unit(&mut self, mut unit: Unit, corners: usize, reduced: &Reduced) {
        let d = unit.places.map(|p| reduced.diagonal(p as usize));
        unit.weight = d[0].max(d[1]) + unit.compliance;
        if unit.weight == 0.0 {
            return;
        }
        let free = |role, along: Mix, offset| Variable {
            role,
            along,
            slide: Mix::default(),
            offset,
            softness: 0.0,
        };
        unit.first = self.variables.len() as u32;
        for k in 0..corners {
            let corner = corner(k, corners);
            let shares = [corner[0] * unit.scales[0], corner[1] * unit.scales[1]];
            if shares != [0.0; 2] {
                let places = unit.places;
                let offset = -(shares[0] * unit.targets[0] + shares[1] * unit.targets[1]);
                let along = Mix { places, shares };
                self.variables.push(free(Role::Direction, along, offset));
            }
        }
        unit.slip = self.variables.len() as u32;
        let role = Role::Slip(self.units.len() as u32);
        self.variables.push(free(role, Mix::default(), 0.0));
        self.units.push(unit);
    }

    /// Computes the matrix and the vector. O(N^2) for N variables and O(N k) for k kept rows.
    pub(super) fn assemble(&mut self, reduced: &Reduced) {
        let n = self.variables.len();
        let k = reduced.rows().len();
        self.a.clear();
        self.a.resize(n * n, 0.0);
        self.q.clear();
        for (i, variable) in self.variables.iter().enumerate() {
            self.q.push(variable.offset);
            let Mix { places, shares } = variable.along;
            if shares == [0.0; 2] {
                continue;
            }
            self.q[i] += variable.along.of(reduced.q());
            let rows = places.map(|p| &reduced.w()[p as usize * k..(p as usize + 1) * k]);
            self.line.clear();
            let pairs = rows[0].iter().zip(rows[1]);
            (self.line).extend(pairs.map(|(x, y)| shares[0] * x + shares[1] * y));
            let entries = self.a[i * n..(i + 1) * n].iter_mut();
            for (entry, other) in entries.zip(&self.variables) {
                *entry = other.along.of(&self.line);
                if other.slide.shares != [0.0; 2] {
                    *entry += other.slide.of(&self.line);
                }
            }
            self.a[i * n + i] += variable.softness;
        }
        for unit in &self.units {
            let slip = unit.slip as usize;
            let own = unit.first as usize..slip;
            for i in own.clone() {
                self.a[i * n + slip] = 1.0;
                self.a[slip * n + i] = -unit.weight;
                for j in own.clone().filter(|_| unit.compliance > 0.0) {
                    let sign = if i == j { 1.0 } else { -1.0 };
                    self.a[i * n + j] += sign * unit.compliance;
                }
            }
            match unit.bound {
                Bound::Normal { variable, mu } => {
                    self.a[slip * n + variable as usize] = unit.weight * mu;
                }
                Bound::Constant(limit) => self.q[slip] = unit.weight * limit,
            }
        }
    }

    /// Gives every unilateral row the compliance `share` times its row's diagonal, until [`Self::harden`].
    pub(super) fn soften(&mut self, reduced: &Reduced, share: f64) {
        let n = self.q.len();
        self.soft.clear();
        self.rigid.clear();
        for (i, variable) in self.variables.iter().enumerate() {
            let unilateral = variable.role.is_unilateral();
            let place = variable.along.places[0] as usize;
            let soft = if unilateral {
                share * reduced.diagonal(place)
            } else {
                0.0
            };
            self.soft.push(soft);
            let d = &mut self.a[i * n + i];
            self.rigid.push(*d);
            *d += soft;
        }
    }

    /// Takes the compliance of [`Self::soften`] away.
    pub(super) fn harden(&mut self) {
        let n = self.q.len();
        for (i, d) in self.rigid.iter().enumerate() {
            self.a[i * n + i] = *d;
        }
    }

    /// Forces of the kept rows, `x = G z` (k of them).
    pub(super) fn forces(&self, z: &[f64], k: usize, x: &mut Vec<f64>) {
        x.clear();
        x.resize(k, 0.0);
        for (variable, &z) in self.variables.iter().zip(z) {
            if z == 0.0 {
                continue;
            }
            for mix in [variable.along, variable.slide] {
                for (place, share) in mix.places.into_iter().zip(mix.shares) {
                    x[place as usize] += share * z;
                }
            }
        }
    }
}

/// A unit of one row, nothing wanted.
fn unit(bound: Bound) -> Unit {
    Unit {
        first: 0,
        slip: 0,
        bound,
        places: [0; 2],
        targets: [0.0; 2],
        scales: [1.0; 2],
        compliance: 0.0,
        weight: 0.0,
    }
}
