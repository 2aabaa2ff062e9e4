//! What an island's complementarity problem is made of: variables, the units that share a bound, parts by contact.

use stickslip_core::problem::GroupId;

/// A combination of two kept rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mix {
    /// Places of the rows in the reduced problem.
    pub(super) places: [u32; 2],
    /// Their shares.
    pub(super) shares: [f64; 2],
}

impl Mix {
    pub(super) fn one(place: u32, share: f64) -> Self {
        Self {
            places: [place; 2],
            shares: [share, 0.0],
        }
    }

    #[inline]
    pub(super) fn of(&self, x: &[f64]) -> f64 {
        self.shares[0] * x[self.places[0] as usize] + self.shares[1] * x[self.places[1] as usize]
    }

    pub(super) fn add_to(&self, z: f64, x: &mut [f64]) {
        for (place, share) in self.places.into_iter().zip(self.shares) {
            x[place as usize] += share * z;
        }
    }
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The normal impulse of a contact.
    Normal,
    /// The normal force of a contact that slides: friction comes with it.
    Sliding,
    /// The normal force of a contact whose friction is given but does not reach its bound.
    Stopped,
    /// A unilateral scalar row.
    Limit,
    /// An impulse along a direction of a unit.
    Direction,
    /// The slip speed lambda of a unit.
    Slip,
    /// A multiplier of the least energy: nu of the unilateral row its part begins with, and last of all l.
    Multiplier,
}

/// One variable of the problem: an impulse along a combination of rows, paired with their velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) role: Role,
    /// The rows whose velocity it is paired with, and along which it acts.
    pub(super) along: Mix,
    /// Friction that comes with it.
    pub(super) slide: Mix,
    /// Added to their velocity: `b`, or minus the velocity wanted.
    pub(super) offset: f64,
    /// Added to the diagonal.
    pub(super) softness: f64,
    /// Poisson's coefficient of a contact that bounces, else 0.
    pub(super) bounce: f64,
}

impl Variable {
    pub(super) fn is_unilateral(&self) -> bool {
        !matches!(self.role, Role::Direction | Role::Slip | Role::Multiplier)
    }

    /// Whether it is an impulse.
    pub(super) fn acts(&self) -> bool {
        !matches!(self.role, Role::Slip | Role::Multiplier)
    }

    pub(super) fn is_contact(&self) -> bool {
        self.is_unilateral() && self.role != Role::Limit
    }

    /// Place of the row of a unilateral variable.
    pub(super) fn place(&self) -> usize {
        self.along.places[0] as usize
    }
}

/// What bounds the sum of the impulses of a unit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    /// `mu` times this variable; mu is that of the larger tangent.
    Normal { variable: u32, mu: f64 },
    /// A constant: drives and dry friction.
    Constant(f64),
}

/// Directions that share a bound: a contact's friction polygon, its torsion, its rolling, or a
/// bounded scalar. Its variables are `first .. slip`, then the slip speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) first: u32,
    pub(super) slip: u32,
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
    /// D, what an impulse of the unit is worth as a velocity: the larger diagonal of its rows.
    pub(super) weight: f64,
}

impl Unit {
    /// Of one row, nothing wanted.
    pub(super) fn new(bound: Bound, place: u32) -> Self {
        Self {
            first: 0,
            slip: 0,
            bound,
            places: [place; 2],
            targets: [0.0; 2],
            scales: [1.0; 2],
            corners: 2,
            compliance: 0.0,
            weight: 0.0,
        }
    }

    pub(super) fn variables(&self) -> std::ops::Range<usize> {
        self.first as usize..self.slip as usize
    }

    /// How many rows it has.
    pub(super) fn width(&self) -> usize {
        1 + usize::from(self.places[0] != self.places[1])
    }

    /// Whether its bound is its own: a drive or dry friction.
    pub(super) fn is_bounded(&self) -> bool {
        matches!(self.bound, Bound::Constant(_))
    }

    /// Whether it bounds a vector, which polygon and circle bound differently.
    pub(super) fn is_polygon(&self) -> bool {
        self.width() == 2 && self.scales.iter().all(|&s| s > 0.0)
    }
}

/// A contact's or scalar's variables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) group: GroupId,
    pub(super) first: u32,
    pub(super) end: u32,
}
