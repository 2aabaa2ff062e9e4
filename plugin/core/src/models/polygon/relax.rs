//! Unilateral rows that can't all be kept, and how that shows.
//!
//! Lemke's method finds a solution whenever no impulses within the friction bounds balance each
//! other while the unilateral rows they press on ask for work [CPS, Thm. 3.8.6 and 4.4.12]. Such impulses y,
//! `R^T y = 0` and `y . w_0 < 0` for the rows' velocities `w_0` without impulses, exist where unilateral rows
//! contradict each other (a body squeezed from two sides), or where friction wedges unilateral rows against each
//! other while a penetration wants to be pushed out. There may be no solution then.
//!
//! With compliant unilateral rows the problem always has one. From `y . (W y + w_0 + eps D y) <= 0` follows: if
//! impulses z(eps) grow as 1 / eps, `z^T W z` and `z . w_0` stay within it, so `z / |z|` tends to such a y;
//! they can't grow faster. What the unilateral rows give, `eps D z`, then tends to a number that is not zero: the
//! contradiction, in m/s. Where the rigid problem has a solution that the compliant ones approach, it
//! tends to zero as eps does. It shows no absence of a solution somewhere else.

use super::super::reduced::Reduced;
use super::solve::MET;

/// Compliances of the relaxation, relative to a unilateral row's diagonal, the first that can be solved
/// accurately: the compromise is the least-squares one to this accuracy. Very large coefficients of
/// friction need the larger ones.
pub(super) const RELAXATIONS: [f64; 3] = [1e-6, 1e-4, 1e-2];

/// Compliances at which unilateral rows are tried when those of a solve gave no answer.
pub(super) const PROOFS: [f64; 2] = [1e-6, 1e-8];

/// Share of what unilateral rows give that stays with a hundredth of the compliance, if they contradict
/// each other: all of it, once the compliance is small.
const STAYS: f64 = 0.9;

/// Impulses, as multiples of the island's speed over a row's diagonal, whose rounding to 16 digits is
/// what the residual check lets pass: an answer with larger ones could not be verified.
const HELD: f64 = MET / f64::EPSILON;

/// Whether the unilateral rows contradict each other: what they give [m/s] stays although the compliance is a hundredth
/// (`before`, `after` at compliance `share`; NaN: not known), is more than the residual check lets pass, and takes
/// larger impulses than an answer can have. Large impulses within that bound, z, give `share D z` too, and
/// that stays as well until the compliance is small beside what the bodies give.
pub(super) fn contradict(reduced: &Reduced, before: f64, (after, share): (f64, f64)) -> bool {
    let least = (10.0 * MET).max(HELD * share) * reduced.speed();
    after > least && after > STAYS * before
}
