//! The variables of an island's complementarity problem and how they act on the kept rows.

use super::super::corner::corner;
use super::super::reduced::Reduced;
use crate::lcp::dense_bytes;
use crate::models::ModelSettings;
use crate::problem::{ContactProblem, Island, RowId, ScalarKind};

/// An impulse along a combination of up to two kept rows, or a slip bound.
#[derive(Clone, Copy, Debug)]
pub(super) enum Variable {
    /// Impulse `z` along `coefs[0] row_0 + coefs[1] row_1`.
    Impulse {
        /// Places of the rows in the reduced problem.
        places: [u32; 2],
        /// Their shares.
        coefs: [f64; 2],
    },
    /// The slip speed lambda of a friction unit.
    Slip,
}

/// A unilateral pair: normal impulse of a contact, or a limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unilateral {
    /// Its variable.
    pub(super) variable: u32,
    /// Place of its row.
    pub(super) place: u32,
    /// `b` of `row . v+ + b >= 0`.
    pub(super) b: f64,
    /// Added to the diagonal.
    pub(super) softness: f64,
    /// Poisson's coefficient of a contact that bounces, else 0.
    pub(super) bounce: f64,
    /// Whether it is a contact's, not a limit.
    pub(super) contact: bool,
}

/// What bounds the sum of the impulses of a friction unit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    /// `mu` times the impulse of a unilateral row.
    Normal {
        /// Index of the unilateral row.
        unilateral: u32,
        /// Coefficient, of the larger tangent.
        mu: f64,
    },
    /// A constant: drives and dry friction.
    Constant(f64),
}

/// Directions that share a bound: a contact's friction polygon, its torsion, its rolling, or a
/// bounded scalar. Its variables are `first .. first + count`, then the slip speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) bound: Bound,
    /// Places of its rows; the same one twice for a single row.
    pub(super) places: [u32; 2],
    /// Velocity wanted along them.
    pub(super) targets: [f64; 2],
    /// What the polygon is drawn out by along each row: directions are `(scale_0 cos, scale_1 sin)`.
    pub(super) scales: [f64; 2],
    /// Corners of the polygon; 2 for a single row.
    pub(super) corners: usize,
    /// Velocity given up per unit impulse.
    pub(super) compliance: f64,
    /// What an impulse of the unit is worth as a velocity: the larger diagonal of its rows.
    pub(super) weight: f64,
}

/// A contact's or scalar's variables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Contact, or contact count plus scalar.
    pub(super) group: u32,
    pub(super) first: u32,
    pub(super) end: u32,
}

/// How large the problem of an island is at most, before it is laid out.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::models) struct Size {
    /// Rows eliminated and kept.
    pub(in crate::models) rows: usize,
    pub(in crate::models) variables: usize,
    pub(in crate::models) unilaterals: usize,
}

impl Size {
    pub(in crate::models) fn of(
        problem: &ContactProblem,
        island: Island<'_>,
        settings: &ModelSettings,
    ) -> Self {
        let mut size = Self::default();
        let corners = settings.polygon.directions;
        for &g in island.groups {
            let Some(contact) = problem.contacts().get(g as usize) else {
                // Two directions and a slip speed.
                size.rows += 1;
                size.variables += 3;
                size.unilaterals += 1;
                continue;
            };
            size.rows += 1;
            size.variables += 1;
            size.unilaterals += 1;
            if settings.is_closed(contact) {
                size.rows += 2;
                size.variables += corners + 1;
                if problem.spin_rows(g as usize).is_some() {
                    size.rows += 3;
                    size.variables += 3 + corners + 1;
                }
            }
        }
        size
    }

    /// Bytes of the matrices over the rows (`W`, the factor) and over `n` variables: the problem, its scaled copy, and the
    /// inverse and the factor of a basis.
    pub(in crate::models) fn bytes(&self, n: usize) -> usize {
        dense_bytes(2, self.rows).saturating_add(dense_bytes(4, n))
    }
}

/// All variables of an island.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) variables: Vec<Variable>,
    pub(super) unilaterals: Vec<Unilateral>,
    pub(super) units: Vec<Unit>,
    pub(super) parts: Vec<Part>,
}

/// What the layout is made from.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub(super) problem: &'a ContactProblem,
    pub(super) island: Island<'a>,
    pub(super) settings: &'a ModelSettings,
    /// Whether bounces come in a second phase instead of in `b`.
    pub(super) poisson: Poisson,
    pub(super) friction: Friction,
}

/// Whether contacts get friction variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Friction {
    /// Polygons, torsion and rolling.
    Polygon,
    /// None: unilateral rows only.
    None,
}

/// How restitution is taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Poisson {
    /// Newton's law, in `b`.
    No,
    /// In a second phase.
    Yes,
}

impl Layout {
    /// Lays the island's variables out, keeping the rows they need in `reduced`.
    pub(super) fn lay_out(&mut self, plan: Plan<'_>, reduced: &mut Reduced) {
        self.variables.clear();
        self.unilaterals.clear();
        self.units.clear();
        self.parts.clear();
        let n = plan.problem.contact_count();
        for &group in plan.island.groups {
            let first = self.variables.len() as u32;
            match (group as usize).checked_sub(n) {
                None => self.contact(plan, group as usize, reduced),
                Some(scalar) => self.scalar(plan, scalar, reduced),
            }
            let end = self.variables.len() as u32;
            self.parts.push(Part { group, first, end });
        }
    }

    /// Those of the caps on coefficients that matter: the first that is none, and all below it.
    pub(super) fn caps<const K: usize>(
        &self,
        caps: [f64; K],
    ) -> impl Iterator<Item = f64> + use<K> {
        let units = self.units.iter();
        let largest = units.fold(0.0_f64, |largest, unit| match unit.bound {
            Bound::Normal { mu, .. } => largest.max(mu),
            Bound::Constant(_) => largest,
        });
        let matter = caps.iter().take_while(|&&cap| cap < largest).count() + 1;
        caps.into_iter().take(matter)
    }

    /// The same without friction: unilateral rows and bounded rows.
    pub(super) fn strip(&self, bare: &mut Self) {
        bare.variables.clear();
        bare.unilaterals.clear();
        bare.units.clear();
        bare.parts.clear();
        for unilateral in &self.unilaterals {
            let variable = bare.variables.len() as u32;
            bare.variables
                .push(self.variables[unilateral.variable as usize]);
            bare.unilaterals.push(Unilateral {
                variable,
                ..*unilateral
            });
        }
        for unit in &self.units {
            if let Bound::Constant(_) = unit.bound {
                let (from, count) = (unit.first as usize, unit.count as usize);
                let first = bare.variables.len() as u32;
                let own = &self.variables[from..=from + count];
                bare.variables.extend_from_slice(own);
                bare.units.push(Unit { first, ..*unit });
            }
        }
    }

    fn contact(&mut self, plan: Plan<'_>, c: usize, reduced: &mut Reduced) {
        let (problem, settings) = (plan.problem, plan.settings);
        let contact = &problem.contacts()[c];
        let closed = settings.is_closed(contact);
        let approach = if closed && contact.restitution > 0.0 {
            problem.row(RowId(3 * c)).dot(problem.v())
        } else {
            0.0
        };
        let newton = settings.contact_velocity(contact, approach, problem.h());
        let (b, bounce) = match plan.poisson {
            Poisson::No => (newton, 0.0),
            Poisson::Yes => {
                let still = crate::problem::ContactData {
                    restitution: 0.0,
                    ..*contact
                };
                let b = settings.contact_velocity(&still, approach, problem.h());
                let bounces = newton != b;
                (b, if bounces { contact.restitution } else { 0.0 })
            }
        };
        let softness = settings.softness(contact, problem.h());
        let unilateral = self.unilateral(reduced.keep(problem, RowId(3 * c)), b, softness);
        self.unilaterals[unilateral as usize].bounce = bounce;
        self.unilaterals[unilateral as usize].contact = true;
        if !closed || plan.friction == Friction::None {
            return;
        }
        let mu = contact.friction();
        let largest = mu[0].max(mu[1]);
        let corners = settings.polygon.directions;
        if largest > 0.0 {
            let places = [1, 2].map(|k| reduced.keep(problem, RowId(3 * c + k)) as u32);
            let unit = Unit {
                places,
                targets: contact.surface_velocity,
                scales: mu.map(|mu| mu / largest),
                corners,
                ..unit(Bound::Normal {
                    unilateral,
                    mu: largest,
                })
            };
            self.unit(unit, reduced);
        }
        let Some(rows) = problem.spin_rows(c) else {
            return;
        };
        if contact.mu_torsional > 0.0 {
            let place = reduced.keep(problem, rows[0]) as u32;
            let mu = contact.mu_torsional;
            let unit = Unit {
                places: [place; 2],
                ..unit(Bound::Normal { unilateral, mu })
            };
            self.unit(unit, reduced);
        }
        if contact.mu_rolling > 0.0 {
            let mu = contact.mu_rolling;
            let unit = Unit {
                places: [rows[1], rows[2]].map(|row| reduced.keep(problem, row) as u32),
                corners,
                ..unit(Bound::Normal { unilateral, mu })
            };
            self.unit(unit, reduced);
        }
    }

    fn scalar(&mut self, plan: Plan<'_>, scalar: usize, reduced: &mut Reduced) {
        let problem = plan.problem;
        let row = problem.scalar_row(scalar);
        match problem.scalars()[scalar].1 {
            ScalarKind::Bilateral { .. } => {}
            ScalarKind::Unilateral { gap } => {
                let b = plan.settings.gap_velocity(gap, problem.h());
                self.unilateral(reduced.keep(problem, row), b, 0.0);
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } => {
                if limit > 0.0 {
                    let place = reduced.keep(problem, row) as u32;
                    let unit = Unit {
                        places: [place; 2],
                        targets: [velocity, 0.0],
                        compliance,
                        ..unit(Bound::Constant(limit))
                    };
                    self.unit(unit, reduced);
                }
            }
        }
    }

    fn unilateral(&mut self, place: usize, b: f64, softness: f64) -> u32 {
        let unilateral = self.unilaterals.len() as u32;
        self.unilaterals.push(Unilateral {
            variable: self.variables.len() as u32,
            place: place as u32,
            b,
            softness,
            bounce: 0.0,
            contact: false,
        });
        self.variables.push(Variable::Impulse {
            places: [place as u32; 2],
            coefs: [1.0, 0.0],
        });
        unilateral
    }

    /// Adds the directions of a unit and its slip speed. Rows without any inertia behind them (a
    /// direction in which nothing can move) make no unit.
    fn unit(&mut self, mut unit: Unit, reduced: &Reduced) {
        let d = unit.places.map(|p| reduced.diagonal(p as usize));
        unit.weight = d[0].max(d[1]) + unit.compliance;
        if unit.weight == 0.0 {
            return;
        }
        let start = self.variables.len();
        unit.first = start as u32;
        let places = unit.places;
        for k in 0..unit.corners {
            let corner = corner(k, unit.corners);
            let coefs = [corner[0] * unit.scales[0], corner[1] * unit.scales[1]];
            if coefs != [0.0; 2] {
                self.variables.push(Variable::Impulse { places, coefs });
            }
        }
        unit.count = (self.variables.len() - start) as u32;
        self.variables.push(Variable::Slip);
        self.units.push(unit);
    }
}

/// A unit of one row, nothing wanted.
fn unit(bound: Bound) -> Unit {
    Unit {
        first: 0,
        count: 0,
        bound,
        places: [0; 2],
        targets: [0.0; 2],
        scales: [1.0; 2],
        corners: 2,
        compliance: 0.0,
        weight: 0.0,
    }
}
