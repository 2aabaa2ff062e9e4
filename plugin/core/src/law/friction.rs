//! Friction laws of the caller's.

use crate::problem::ContactData;
use std::fmt::Debug;

/// What the tangential impulse of a contact obeys: a set of admissible impulses that depends on the normal impulse and the
/// slip, and the impulse in it that opposes the slip most.
///
/// With the slip `u = S v+ - c_s, T v+ - c_t` and any `d > 0` the law is
/// ```text
/// f = Proj(f - u / d)
/// ```
/// with the projection onto the admissible impulses at `f_n` and `u`. Coulomb's law has the disc of radius `mu f_n`
/// ([`onto_disc`](super::onto_disc)), a law that weakens with speed one of radius `mu(|u|) f_n`.
///
/// Such a law is solved by sweeps ([`Sweeps`](crate::models::Sweeps)) and checked by the residual function
/// ([`Rules::friction`](crate::residual::Rules::friction)).
pub trait FrictionLaw: Debug + Send + Sync {
    /// The admissible impulse [N s] along s and t nearest to `wanted`, of a contact that presses with `normal` [N s] and slips
    /// with `slip` [m/s].
    fn project(
        &self,
        contact: &ContactData,
        normal: f64,
        slip: [f64; 2],
        wanted: [f64; 2],
    ) -> [f64; 2];
}
