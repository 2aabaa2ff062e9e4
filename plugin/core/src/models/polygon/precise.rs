//! The guaranteed route in twice the precision.

use super::super::driver::Effort;
use super::Memory;
use super::relax::{RELAXATIONS, contradict};
use super::solve::{MET, NOTHING, SETTLED};
use crate::lcp::dense::{Lcp, Start, Taken};
use crate::models::ModelSettings;
use crate::report::SolveStatus;

/// Compliances of the walls in turn, relative to their diagonals.
const STIFFER: [f64; 4] = [1e-7, 1e-9, 1e-11, 1e-13];

impl Memory {
    /// As the cold and the guaranteed rung, with some 32 digits instead of 16 from the rows on, and no
    /// caps: compliant walls, ever stiffer, then the rigid problem on the basis found; the relaxed
    /// problem where what the walls give does not vanish with the compliance. Failing that, Lemke's
    /// method with Tikhonov's ladder.
    pub(super) fn precise(&mut self, settings: &ModelSettings) -> Effort {
        self.assemble();
        self.matrix
            .sharpen(&self.layout, &self.reduced, &self.given);
        let mut spent = NOTHING;
        self.start.clear();
        let mut before = f64::NAN;
        for (i, share) in STIFFER.into_iter().enumerate() {
            if !self.stiff(settings, share, &mut spent) {
                before = f64::NAN;
                continue;
            }
            let after = self.shortfall(share);
            self.on_basis(Taken::Back, &mut spent);
            let left = self.residual(&self.z);
            if left <= SETTLED || (i + 1 == STIFFER.len() && left <= MET) {
                self.read();
                return spent;
            }
            if contradict(&self.reduced, before, after) {
                if self.relax_precisely(settings, &mut spent) {
                    return Effort {
                        status: SolveStatus::Relaxed,
                        ..spent
                    };
                }
                break;
            }
            before = after;
        }
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return self.nothing();
        };
        let limits = self.limits(settings);
        let (outcome, _) = (self.lemke).solve_regularised(lcp, &limits, Start::Cold, &mut self.z);
        self.keep_basis();
        self.read();
        Effort {
            status: outcome.status,
            pivots: spent.pivots + outcome.pivots,
            iterations: spent.iterations + outcome.iterations,
        }
    }

    /// Relaxes walls known to contradict each other; false if no answer is accurate.
    fn relax_precisely(&mut self, settings: &ModelSettings, spent: &mut Effort) -> bool {
        for share in RELAXATIONS {
            if !self.stiff(settings, share, spent) {
                continue;
            }
            self.matrix.soften(&self.layout, &self.reduced, share);
            let exact = self.residual(&self.z) <= MET;
            self.matrix.harden();
            if exact {
                self.read();
                self.declare(share);
                return true;
            }
        }
        false
    }

    /// Solves with compliant walls from the basis in `start`, which the basis found replaces. The walls
    /// are rigid in the matrix again, `soft` holds their compliance.
    fn stiff(&mut self, settings: &ModelSettings, share: f64, spent: &mut Effort) -> bool {
        self.matrix.soften(&self.layout, &self.reduced, share);
        self.matrix.harden();
        self.matrix.grip(&self.layout, &self.reduced, share);
        let limits = self.limits(settings);
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return false;
        };
        let low = self.matrix.low();
        let (status, pivots) = self.precise.solve((lcp, low), &limits, &self.start);
        spent.pivots += pivots;
        if status != SolveStatus::Solved {
            return false;
        }
        self.basis.clear();
        self.basis.extend_from_slice(self.precise.basis());
        self.start.clear();
        self.start.extend_from_slice(&self.basis);
        self.on_basis(Taken::No, spent)
    }

    /// The solution on the basis at hand, the walls compliant or rigid; false if it is singular.
    fn on_basis(&mut self, taken: Taken, spent: &mut Effort) -> bool {
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return false;
        };
        let low = self.matrix.low();
        let basis = (&self.basis[..], taken);
        let steps = self.precise.on_basis((lcp, low), basis, &mut self.z);
        spent.iterations += steps.unwrap_or(0);
        for z in &mut self.z {
            *z = z.max(0.0);
        }
        steps.is_some()
    }
}
