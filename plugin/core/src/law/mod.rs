//! The laws between the impulses of a row or contact and its velocities.
//!
//! A contact's impulses are the normal `f_n` and up to three friction parts, each a disc whose radius
//! grows with `f_n`: the tangential pair (radius `mu f_n`), torsion about n (`mu_torsional f_n`) and
//! the rolling pair (`mu_rolling f_n`). Together they form a convex cone K. Elliptic friction becomes
//! a disc once each tangential row is scaled by its share of the larger coefficient.
//!
//! Two laws of friction act on the same rows (`u = N v+ + b + (C/h^2) f_n` along the normal, slip along the others):
//! ```text
//! convex [TA]                  K contains f,  K* contains u,  f . u = 0
//! exact  [D15, eq. 23-28]      the same with u_n + sum_k mu_k |u_k| in place of u_n
//! ```
//! The exact law, Coulomb's with maximum dissipation, written with one projection per part is
//! `f_n = max(0, f_n - u_n / d)`, `f_k = Proj_{mu_k f_n}(f_k - u_k / d_k)`.
//!
//! Everything a method needs of a law stands here, unit by unit: its projection (`project`), its
//! residual (`natural`) and its slope (`linear`).

pub(crate) mod bounds;
pub(crate) mod complementarity;
pub(crate) mod coulomb;
mod disc;
mod friction;
mod gap;
pub(crate) mod linear;
pub(crate) mod natural;
pub(crate) mod number;
pub(crate) mod polygon;
pub(crate) mod project;

use crate::problem::GroupId;

pub(crate) use crate::report::worse;
pub use disc::{Disc, onto_cone, onto_disc};
pub use friction::FrictionLaw;

/// What a unit's impulses obey.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// `u = 0`, any impulse: bilateral row.
    Free,
    /// `0 <= z` complementary to `u >= 0`: joint limit, contact without friction.
    Half,
    /// `|z| <= limit`, `u` opposed at the bounds: drive, dry friction of a joint.
    Box(f64),
    /// A contact with friction, by the exact law.
    Cone,
    /// A contact with friction, by the convex law.
    Convex,
}

/// Where whitened rows lie in the arrays of their system.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) run_start: u32,
    pub(crate) run_end: u32,
    pub(crate) val: u32,
}

/// A contact or a scalar row of an island made ready to solve.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintBlock {
    /// What its impulses obey.
    pub law: Law,
    /// The contact or scalar row that it is.
    pub(crate) group: GroupId,
    /// Which of a contact's rows its first one is: 0 normal, 1 s, 2 t.
    pub(crate) row: u32,
    /// First of its impulses in `z`.
    pub(crate) at: u32,
    /// Its impulses: 1, 3, or 6 with spin.
    pub width: u32,
    pub(crate) rows: Rows,
    pub(crate) spin: Rows,
    /// Added to the rows' velocities.
    pub(crate) b: [f64; 6],
    /// By how much a bilateral row falls short of its target because others contradict it; part of `b` [m/s].
    pub(crate) missed: f64,
    /// The compliance of a row with prescribed motion where other rows contradict it; part of `soft`.
    pub(crate) relaxed: f64,
    /// Added per unit impulse to the (normal) velocity.
    pub soft: f64,
    /// Its weight in a proximal step, relative to others: where contacts yield, joints hold.
    pub(crate) proximal_weight: f64,
    /// Radii per normal impulse: tangential, torsional, rolling.
    pub(crate) mu: [f64; 3],
    /// The tangential rows are scaled by these, so that an ellipse is a circle.
    pub(crate) scale: [f64; 2],
    /// Diagonals by part (normal, tangential, torsional, rolling) as the residual function takes
    /// them; 1 for rows that are zero.
    pub(crate) d: [f64; 4],
    /// Weights by part: they majorise the unit's own block of `R M^-1 R^T`.
    pub weight: [f64; 4],
}

impl ConstraintBlock {
    /// One row of a group, still without its entries.
    pub(crate) fn new(law: Law, group: GroupId, soft: f64) -> Self {
        Self {
            law,
            group,
            row: 0,
            at: 0,
            width: 1,
            rows: Rows::default(),
            spin: Rows::default(),
            b: [0.0; 6],
            missed: 0.0,
            relaxed: 0.0,
            soft,
            proximal_weight: 1.0,
            mu: [0.0; 3],
            scale: [1.0; 2],
            d: [1.0; 4],
            weight: [1.0; 4],
        }
    }

    /// Where its impulses are.
    #[inline]
    pub fn range(&self) -> std::ops::Range<usize> {
        let at = self.at as usize;
        at..at + self.width as usize
    }

    /// Whether it asks for a motion without giving in to anything.
    pub(crate) fn asks(&self) -> bool {
        match self.law {
            Law::Free => self.b[0] != 0.0 && self.soft == 0.0,
            Law::Box(_) => false,
            Law::Half | Law::Cone | Law::Convex => self.b[0] < 0.0,
        }
    }

    /// By how much it misses what it asks for, at its (normal) impulse [m/s].
    pub(crate) fn short_of(&self, z: f64) -> f64 {
        self.missed.abs() + self.relaxed * z.abs()
    }

    /// How a contact's normal impulse follows `y` under the convex law where friction slides: the point of the cone
    /// nearest to `y` in the metric `w` of its normal and tangential parts has
    /// ```text
    /// f_n = a y_n + b |y_t|,   a = w_n / (w_n + mu^2 w_t),   b = mu w_t / (w_n + mu^2 w_t)
    /// ```
    /// which is larger than `y_n` exactly where `|y_t| > mu y_n`.
    pub(crate) fn pull(&self, w: [f64; 2]) -> [f64; 2] {
        let mu = self.mu[0];
        let whole = w[0] + mu * mu * w[1];
        [w[0] / whole, mu * w[1] / whole]
    }

    /// A contact's impulses in the coordinates in which its ellipse is a circle.
    pub(crate) fn scaled(&self, mut f: [f64; 6]) -> [f64; 6] {
        for k in 0..2 {
            let scale = self.scale[k];
            f[1 + k] = if scale > 0.0 { f[1 + k] / scale } else { 0.0 };
        }
        f
    }

    /// Its numbers in a list of all impulses or of their velocities.
    #[inline]
    pub fn of<const W: usize>(&self, list: &[f64]) -> [f64; W] {
        let own = &list[self.at as usize..self.at as usize + W];
        std::array::from_fn(|k| own[k])
    }
}

/// The friction parts of a unit of `W` impulses: first impulse and number of impulses of each.
#[inline]
pub(crate) const fn parts<const W: usize>() -> &'static [(usize, usize)] {
    match W {
        1 => &[],
        3 => &[(1, 2)],
        _ => &[(1, 2), (3, 1), (4, 2)],
    }
}

/// What is made of a unit by a function of its width, which is fixed at compile time.
macro_rules! by_width {
    ($unit:expr, $W:ident => $made:expr) => {
        match $unit.width {
            1 => {
                const $W: usize = 1;
                $made
            }
            3 => {
                const $W: usize = 3;
                $made
            }
            _ => {
                const $W: usize = 6;
                $made
            }
        }
    };
}
pub(crate) use by_width;

/// Part of a contact's impulse that its index belongs to.
pub const PART: [usize; 6] = [0, 1, 1, 2, 3, 3];
