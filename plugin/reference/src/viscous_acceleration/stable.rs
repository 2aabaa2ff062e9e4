//! Whether an explicit step has outrun its friction.
//!
//! Friction alone multiplies each of its modes by `R(-h lambda)` per step, lambda being an eigenvalue of
//! `P C`, `C = S^T mu_v S + T^T mu_v T`; beyond the stability limit the fastest mode grows without
//! bound. What the step changed, `x = v+ - v'`, obeys the rows in force, so its Rayleigh quotient
//! `x^T C x / x^T M x` is no larger than the largest eigenvalue: where it is beyond the limit the step
//! is, and once the fastest mode prevails it is just that eigenvalue.

use stickslip_core::models::Integrator;
use stickslip_core::models::ModelSettings;
use stickslip_core::problem::IslandProblem;

/// Where `|1 - z + z^2/2 - z^3/6 + z^4/24| = 1`, and `|1 - z| = 1`.
fn limit(integrator: Integrator) -> f64 {
    match integrator {
        Integrator::Rk4 => 2.785_293_563_405_281,
        Integrator::SemiImplicitEuler => 2.0,
    }
}

/// Whether an island whose velocity the stages changed by `x` (m) was beyond the limit. Contacts whose
/// friction was `taken` by the impact have none in the stages (n). O(nonzeros of the island's rows).
pub(super) fn outran(
    IslandProblem { problem, island }: IslandProblem<'_>,
    settings: &ModelSettings,
    x: &[f64],
    taken: &[bool],
) -> bool {
    let mut friction = 0.0;
    for c in island.contacts() {
        let contact = &problem.contacts()[c];
        if contact.mu_viscous > 0.0 && !taken[c] && settings.is_closed(contact) {
            let [_, s, t] = problem.contact_dots(c, x);
            friction += contact.mu_viscous * (s * s + t * t);
        }
    }
    let blocks = island.blocks.iter();
    let energies = blocks.map(|&b| problem.kinetic_energy(b as usize, x));
    let inertia = 2.0 * energies.sum::<f64>();
    problem.h() * friction > limit(settings.acceleration.integrator) * inertia
}
