//! Walls that can't all be kept: what proves it.
//!
//! Lemke's method finds a solution whenever no impulses within the friction bounds balance each
//! other while the walls they press on ask for work [CPS, Thm. 3.8.6 and 4.4.12]. Such impulses are
//! either walls that contradict each other (a body squeezed from two sides), or walls that friction
//! wedges against each other while a penetration wants to be pushed out. With compliant walls the
//! problem always has a solution; let the compliance vanish, and exactly in these cases impulses
//! grow without bound.

use super::super::reduced::Reduced;
use super::layout::Layout;

/// Compliances of the relaxation, relative to a wall's diagonal, the first that can be solved
/// accurately: the compromise is the least-squares one to this accuracy. Very large coefficients of
/// friction need the larger one.
pub(super) const RELAXATIONS: [f64; 2] = [1e-6, 1e-4];

/// Share of the relaxation's compliance at which impulses are looked at for the proof.
pub(super) const PROOF: f64 = 1e-2;

/// Walls can't all be kept if it would take velocities more than this, divided by the compliance of
/// the proof, times `1 + max |v_free|`.
const OUT_OF_REACH: f64 = 1e-4;

/// Whether impulses y within the friction bounds prove that the walls are wedged.
///
/// For u the change of velocity from the free one (eliminated rows met): the walls' separation
/// speeds and the slips weighted by y sum up to `y . R u + y . w_0 <= |u|_M sqrt(y^T W y) + y . w_0`,
/// `w_0` those of the free velocity. Keeping all walls without friction doing work takes
/// `|u|_M >= -y . w_0 / sqrt(y^T W y)`; along a wall of diagonal D that is a velocity of
/// `|u|_M sqrt(D)`.
pub(super) fn wedged(
    (layout, reduced): (&Layout, &Reduced),
    free: &[f64],
    (y, compliance): (&[f64], f64),
) -> bool {
    let k = y.len();
    let (mut power, mut square) = (0.0, 0.0);
    for (i, (&y_i, free)) in y.iter().zip(free).enumerate() {
        power += y_i * free;
        square += y_i * crate::rows::kernel::dot(&reduced.w()[i * k..(i + 1) * k], y);
    }
    let mut least = f64::INFINITY;
    for wall in &layout.walls {
        let i = wall.place as usize;
        power += y[i] * wall.b;
        // A compliant wall gives way by itself.
        square += wall.softness * y[i] * y[i];
        if y[i] > 0.0 {
            least = least.min(reduced.diagonal(i));
        }
    }
    for unit in &layout.units {
        let single = unit.places[0] == unit.places[1];
        for (place, target) in unit
            .places
            .into_iter()
            .zip(unit.targets)
            .take(2 - usize::from(single))
        {
            power -= y[place as usize] * target;
        }
    }
    // A NaN proves nothing.
    -power * least.sqrt() > OUT_OF_REACH / compliance * reduced.speed() * square.max(0.0).sqrt()
}
