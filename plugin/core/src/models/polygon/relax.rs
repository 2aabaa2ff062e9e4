//! Walls that can't all be kept, and how that shows.
//!
//! Lemke's method finds a solution whenever no impulses within the friction bounds balance each
//! other while the walls they press on ask for work [CPS, Thm. 3.8.6 and 4.4.12]. Such impulses y,
//! `R^T y = 0` and `y . w_0 < 0` for the rows' velocities `w_0` without impulses, exist where walls
//! contradict each other (a body squeezed from two sides), or where friction wedges walls against each
//! other while a penetration wants to be pushed out. There may be no solution then.
//!
//! With compliant walls the problem always has one. From `y . (W y + w_0 + eps D y) <= 0` follows: if
//! impulses z(eps) grow as 1 / eps, `z^T W z` and `z . w_0` stay within it, so `z / |z|` tends to such a y.
//! Where the rigid problem has a solution that the compliant ones approach, the impulses stay.

use super::super::reduced::Reduced;

/// Compliances of the relaxation, relative to a wall's diagonal, the first that can be solved
/// accurately: the compromise is the least-squares one to this accuracy. Very large coefficients of
/// friction need the larger ones.
pub(super) const RELAXATIONS: [f64; 3] = [1e-6, 1e-4, 1e-2];

/// Shares of the relaxation's compliance at which impulses are looked at again, the first that can be
/// solved.
pub(super) const PROOFS: [f64; 2] = [1e-2, 1e-1];

/// The largest impulse as a velocity, `|z| D` [m/s].
pub(super) fn size(reduced: &Reduced, impulses: &[f64]) -> f64 {
    let sizes = impulses.iter().enumerate();
    sizes.fold(0.0, |largest, (i, z)| {
        (z.abs() * reduced.diagonal(i)).max(largest)
    })
}

/// Whether the walls are wedged: with `share` of the compliance, impulses that were large already
/// (against the speed, [`Reduced::speed`]) grow nearly in proportion to the stiffness.
pub(super) fn wedged(reduced: &Reduced, before: f64, after: f64, share: f64) -> bool {
    before > reduced.speed() && after > 0.2 / share * before
}
