//! The variables of an island's complementarity problem and how they act on the kept rows.

use super::variables::{Bound, Mix, Part, Role, Unit, Variable};
use crate::impact::AWAY;
use crate::lcp::work::pivot;
use crate::reduced::Reduced;
use stickslip_core::kit::Wanted;
use stickslip_core::kit::corner;
use stickslip_core::kit::dense_bytes;
use stickslip_core::models::{ModelSettings, RestitutionLaw};
use stickslip_core::problem::{ContactProblem, GroupId, Island, IslandProblem, RowId, ScalarKind};

/// What the problem of an island takes, before it is laid out: at most the matrices over the rows (`W`, the factor)
/// and over the variables, the problem, its scaled copy, the dictionary and the factor of a basis; at least a pivot for
/// every second variable.
pub(super) fn wanted(
    place: IslandProblem<'_>,
    settings: &ModelSettings,
    friction: Friction,
) -> Wanted {
    let own = 1 + usize::from(friction == Friction::LeastEnergy);
    // Variables of the friction, and of torsion and rolling.
    let (planar, spin) = match (friction, settings.polygon.directions + 1) {
        (Friction::None, _) => (0, 0),
        (_, polygon) => (polygon, 3 + polygon),
    };
    let (mut rows, mut variables) = (0, 0);
    let problem = place.problem;
    for &g in place.island.groups {
        let (own_rows, own_variables) = match g {
            // Two directions and a slip speed.
            GroupId::Scalar(_) => (1, 3),
            GroupId::Contact(c) if !settings.is_closed(&problem.contacts()[c.0]) => (1, own),
            GroupId::Contact(c) if problem.spin_rows(c.0).is_some() => (6, own + planar + spin),
            GroupId::Contact(_) => (3, own + planar),
        };
        rows += own_rows;
        variables += own_variables;
    }
    Wanted {
        memory: dense_bytes(2, rows).saturating_add(dense_bytes(4, variables)),
        work: 0.5 * variables as f64 * pivot(variables),
    }
}

/// What friction contacts get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Friction {
    /// None: unilateral and bounded rows only; tangential ones are left or eliminated.
    None,
    /// Polygons, torsion and rolling.
    Polygon,
    /// Where it is given per normal force, that; else the same.
    Given,
    /// The same under least energy, whose multipliers are variables too.
    LeastEnergy,
}

/// The variables of an island and the kept rows that they act on.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaidOut<'a> {
    pub(super) layout: &'a Layout,
    pub(super) reduced: &'a Reduced,
}

/// What the layout is made from.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub(super) problem: &'a ContactProblem,
    pub(super) island: Island<'a>,
    pub(super) settings: &'a ModelSettings,
    pub(super) friction: Friction,
    /// How restitution is taken in: Newton's law in `b`, Poisson's in a second phase.
    pub(super) bounces: RestitutionLaw,
}

/// All variables of an island.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) variables: Vec<Variable>,
    pub(super) units: Vec<Unit>,
    pub(super) parts: Vec<Part>,
}

impl Layout {
    pub(super) fn clear(&mut self) {
        self.variables.clear();
        self.units.clear();
        self.parts.clear();
    }

    /// Lays the island's variables out, keeping the rows they need in `reduced`.
    pub(super) fn lay_out(&mut self, plan: Plan<'_>, reduced: &mut Reduced) {
        self.clear();
        for &group in plan.island.groups {
            let first = self.variables.len() as u32;
            match group {
                GroupId::Contact(c) => self.contact(plan, c.0, reduced),
                GroupId::Scalar(s) => self.scalar(plan, s.0, reduced),
            }
            let begins = self.variables.get(first as usize);
            if plan.friction == Friction::LeastEnergy && begins.is_some_and(Variable::is_unilateral)
            {
                self.push(Role::Multiplier, Mix::default(), 0.0, 0.0);
            }
            let end = self.variables.len() as u32;
            self.parts.push(Part { group, first, end });
        }
        if plan.friction == Friction::LeastEnergy {
            self.push(Role::Multiplier, Mix::default(), 0.0, 0.0);
        }
    }

    /// The same without friction, part by part: unilateral and bounded rows.
    pub(super) fn strip(&self, bare: &mut Self) {
        bare.clear();
        let mut bounded = self.units.iter().filter(|unit| unit.is_bounded());
        for part in &self.parts {
            let own = &self.variables[part.first as usize..part.end as usize];
            let first = bare.variables.len() as u32;
            match own.first() {
                Some(row) if row.is_unilateral() => bare.variables.push(*row),
                Some(_) => {
                    bare.variables.extend_from_slice(own);
                    let slip = bare.variables.len() as u32 - 1;
                    let unit = bounded.next();
                    (bare.units).extend(unit.map(|unit| Unit {
                        first,
                        slip,
                        ..*unit
                    }));
                }
                None => {}
            }
            let end = bare.variables.len() as u32;
            bare.parts.push(Part {
                first,
                end,
                ..*part
            });
        }
    }

    /// The groups with what a basis says of them: whether their own variables are basic, and under least energy l and
    /// those of the problem without friction, which are numbered behind all others.
    pub(super) fn slots(
        &self,
        bare: &Self,
    ) -> impl Iterator<Item = (GroupId, impl Iterator<Item = usize>)> {
        let n = self.variables.len();
        self.parts.iter().enumerate().map(move |(k, part)| {
            let (l, others) = match bare.parts.get(k) {
                Some(part) => (n - 1..n, n + part.first as usize..n + part.end as usize),
                None => (0..0, 0..0),
            };
            let own = part.first as usize..part.end as usize;
            (part.group, own.chain(l).chain(others))
        })
    }

    /// The unilateral variables that have a multiplier, and it, by their numbers.
    pub(super) fn multipliers(&self) -> impl Iterator<Item = (usize, usize)> {
        let parts = self.parts.iter().filter(|part| part.end > part.first);
        let ends = parts.map(|part| (part.first as usize, part.end as usize - 1));
        ends.filter(|&(_, nu)| self.variables[nu].role == Role::Multiplier)
    }

    /// The unilateral variables with their numbers.
    pub(super) fn unilaterals(&self) -> impl Iterator<Item = (usize, &Variable)> {
        let all = self.variables.iter().enumerate();
        all.filter(|(_, variable)| variable.is_unilateral())
    }

    fn contact(&mut self, plan: Plan<'_>, c: usize, reduced: &mut Reduced) {
        let (problem, settings) = (plan.problem, plan.settings);
        let contact = &problem.contacts()[c];
        if contact.phi >= AWAY {
            return;
        }
        let closed = settings.is_closed(contact);
        let [mut b, still] = settings.demands(problem, c);
        let mut bounce = 0.0;
        if plan.bounces == RestitutionLaw::Poisson && still != b {
            (b, bounce) = (still, contact.restitution);
        }
        let variable = self.variables.len() as u32;
        let place = reduced.keep(problem, RowId(3 * c)) as u32;
        let softness = settings.softness(contact, problem.h());
        self.push(Role::Normal, Mix::one(place, 1.0), b, softness);
        self.variables[variable as usize].bounce = bounce;
        if !closed || plan.friction == Friction::None {
            return;
        }
        let mu = contact.friction();
        let mut tangents = || [1, 2].map(|k| reduced.keep(problem, RowId(3 * c + k)) as u32);
        if let Some(shares) = contact.sliding_friction
            && plan.friction == Friction::Given
        {
            if shares != [0.0; 2] {
                let normal = &mut self.variables[variable as usize];
                // A coefficient of zero has no share.
                let share = (shares[0] / mu[0]).hypot(shares[1] / mu[1]);
                normal.role = match share < 1.0 - 1e-9 {
                    true => Role::Stopped,
                    false => Role::Sliding,
                };
                let places = tangents();
                normal.slide = Mix { places, shares };
            }
            return;
        }
        let largest = mu[0].max(mu[1]);
        let corners = settings.polygon.directions;
        let bound = |mu| Bound::Normal { variable, mu };
        if largest > 0.0 {
            let places = tangents();
            let unit = Unit {
                places,
                targets: contact.surface_velocity,
                scales: mu.map(|mu| mu / largest),
                corners,
                ..Unit::new(bound(largest), 0)
            };
            self.unit(unit, reduced);
        }
        let Some(rows) = problem.spin_rows(c) else {
            return;
        };
        if contact.mu_torsional > 0.0 {
            let place = reduced.keep(problem, rows[0]) as u32;
            self.unit(Unit::new(bound(contact.mu_torsional), place), reduced);
        }
        if contact.mu_rolling > 0.0 {
            let unit = Unit {
                places: [rows[1], rows[2]].map(|row| reduced.keep(problem, row) as u32),
                corners,
                ..Unit::new(bound(contact.mu_rolling), 0)
            };
            self.unit(unit, reduced);
        }
    }

    fn scalar(&mut self, plan: Plan<'_>, scalar: usize, reduced: &mut Reduced) {
        let problem = plan.problem;
        let row = problem.scalar_row(scalar);
        match problem.scalars()[scalar].1 {
            ScalarKind::Unilateral { gap } if gap < AWAY => {
                let b = plan.settings.gap_velocity(gap, problem.h());
                let place = reduced.keep(problem, row) as u32;
                self.push(Role::Limit, Mix::one(place, 1.0), b, 0.0);
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } if limit > 0.0 => {
                let place = reduced.keep(problem, row) as u32;
                let unit = Unit {
                    targets: [velocity, 0.0],
                    compliance,
                    ..Unit::new(Bound::Constant(limit), place)
                };
                self.unit(unit, reduced);
            }
            _ => {}
        }
    }

    fn push(&mut self, role: Role, along: Mix, offset: f64, softness: f64) {
        self.variables.push(Variable {
            role,
            along,
            slide: Mix::default(),
            offset,
            softness,
            bounce: 0.0,
        });
    }

    /// Adds the directions of a unit and its slip speed. Rows without any inertia behind them (a
    /// direction in which nothing can move) make no unit.
    fn unit(&mut self, mut unit: Unit, reduced: &Reduced) {
        let d = unit.places.map(|p| reduced.diagonal(p as usize));
        unit.weight = d[0].max(d[1]) + unit.compliance;
        if unit.weight == 0.0 {
            return;
        }
        unit.first = self.variables.len() as u32;
        let places = unit.places;
        for k in 0..unit.corners {
            let corner = corner(k, unit.corners);
            let shares = [corner[0] * unit.scales[0], corner[1] * unit.scales[1]];
            if shares != [0.0; 2] {
                let offset = -(shares[0] * unit.targets[0] + shares[1] * unit.targets[1]);
                self.push(Role::Direction, Mix { places, shares }, offset, 0.0);
            }
        }
        unit.slip = self.variables.len() as u32;
        self.push(Role::Slip, Mix::default(), 0.0, 0.0);
        self.units.push(unit);
    }
}
