//! Projected Gauss-Seidel over unilateral rows and friction polygons.
//!
//! A unilateral row takes the step `z' = max(0, z - w / W_ii)`; a friction unit the step
//! `f' = Proj(f - slip / trace)` onto its polygon of radius `mu f_n`, by a scalar so that the fixed
//! point is maximum dissipation over the polygon. No convergence is promised with friction.

use super::layout::LaidOut;
use super::matrix::Given;
use super::variables::{Bound, Unit};
use crate::reduced::Reduced;
use stickslip_core::kit::Effort;
use stickslip_core::kit::kernel::axpy;
use stickslip_core::kit::kernel::into_polygon;
use stickslip_core::models::IterationSettings;
use stickslip_core::report::SolveStatus;

/// The impulses of a sweep and the velocities they make.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    velocity: Vec<f64>,
}

impl Sweep {
    /// Iterates from the impulses `z` of the kept rows, until a sweep changes nothing by more than the tolerance
    /// (relative to the island's speed).
    /// `free` are the velocities of the kept rows without `z`, `given` what acts besides it. O(k^2) per sweep.
    pub(super) fn run(
        &mut self,
        LaidOut { layout, reduced }: LaidOut<'_>,
        settings: &IterationSettings,
        free: &[f64],
        given: &Given,
        z: &mut [f64],
    ) -> Effort {
        let effort = |status, iterations| Effort {
            iterations,
            ..Effort::ended(status)
        };
        let k = z.len();
        self.velocity.clear();
        self.velocity.extend_from_slice(free);
        for (i, &z) in z.iter().enumerate() {
            self.add(reduced, i, z);
        }
        // A tenth: the residual is that of all rows together.
        let wanted = 0.1 * settings.tolerance * reduced.speed();
        for count in 1..=settings.max_iterations {
            let mut change = 0.0_f64;
            for (_, row) in layout.unilaterals() {
                let i = row.place();
                let d = reduced.w()[i * k + i] + row.softness;
                if d > 0.0 {
                    let w = self.velocity[i] + row.offset + row.softness * z[i];
                    let next = (z[i] - settings.omega * w / d).max(0.0);
                    change = change.max((next - z[i]).abs() * d);
                    self.add(reduced, i, next - z[i]);
                    z[i] = next;
                }
            }
            for unit in &layout.units {
                let radius = match unit.bound {
                    Bound::Constant(limit) => limit,
                    Bound::Normal { variable, mu } => {
                        let variable = variable as usize;
                        let i = layout.variables[variable].place();
                        mu * (z[i] + given.floor(variable))
                    }
                };
                change = change.max(self.friction(reduced, unit, settings.omega, radius, z));
            }
            if change <= wanted {
                return effort(SolveStatus::Solved, count);
            }
        }
        effort(SolveStatus::IterationLimit, settings.max_iterations)
    }

    fn friction(
        &mut self,
        reduced: &Reduced,
        unit: &Unit,
        omega: f64,
        radius: f64,
        z: &mut [f64],
    ) -> f64 {
        let k = z.len();
        let rows = unit.places.map(|p| p as usize);
        let count = unit.width();
        let mut d = unit.compliance;
        for &i in &rows[..count] {
            d += reduced.w()[i * k + i];
        }
        // Rows that impulses can't move still take their share of friction.
        let d = d.max(1e-6 * unit.weight);
        let mut wanted = [0.0; 2];
        for (a, &i) in rows[..count].iter().enumerate() {
            let slip = self.velocity[i] - unit.targets[a] + unit.compliance * z[i];
            // As in the residual check: the ellipse is a circle in scaled coordinates.
            if unit.scales[a] > 0.0 {
                wanted[a] = z[i] / unit.scales[a] - omega * slip * unit.scales[a] / d;
            }
        }
        let nearest = if count == 1 {
            [wanted[0].clamp(-radius, radius), 0.0]
        } else {
            into_polygon(wanted, radius, unit.corners)
        };
        let mut change = 0.0_f64;
        for (a, &i) in rows[..count].iter().enumerate() {
            let next = nearest[a] * unit.scales[a];
            change = change.max((next - z[i]).abs() * d);
            self.add(reduced, i, next - z[i]);
            z[i] = next;
        }
        change
    }

    /// `velocity += W_i dz`.
    #[inline]
    fn add(&mut self, reduced: &Reduced, i: usize, dz: f64) {
        if dz != 0.0 {
            let k = self.velocity.len();
            axpy(&mut self.velocity, dz, &reduced.w()[i * k..(i + 1) * k]);
        }
    }
}
