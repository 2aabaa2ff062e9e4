//! The guaranteed route in twice the precision.

use super::super::driver::Effort;
use super::layout::Poisson;
use super::low::impulses;
use super::relax::{RELAXATIONS, contradict};
use super::solve::{MET, NOTHING, SETTLED};
use super::{Memory, Precision};
use crate::lcp::dense::{Lcp, Limits, PreciseLemke, Start, Sum, Taken};
use crate::models::{ContactSolution, ModelSettings};
use crate::problem::{ContactProblem, Island};
use crate::report::SolveStatus;

/// Pivots a variable may take: up to 15 were seen.
const PIVOTS: usize = 50;

/// Multiples of the compliance from which it is taken back on a basis, in turn: impulses of 1e7 along
/// rows that depend on each other leave round-off, over the compliance, that shows.
const EASED: [f64; 2] = [1.0, 1e3];

/// Compliances of the walls in turn, relative to their diagonals.
const STIFFER: [f64; 8] = [1e-7, 1e-9, 1e-11, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17];

impl Memory {
    /// As the cold and the guaranteed rung, with some 32 digits instead of 16 from the rows on, and no
    /// caps. First the rigid problem with its values set apart ([`parted`](super::parted)). Failing that,
    /// compliant walls, ever stiffer, then the rigid problem on the basis found, or the stiffest answer
    /// that the judge accepts if 32 digits don't reach further; the relaxed problem where what the walls
    /// give does not vanish with the compliance. Impulses that may be larger than an answer can hold are
    /// left to the judge ([`Self::relax_doubtful`]). Failing all, Lemke's method with Tikhonov's ladder.
    pub(super) fn precise(&mut self, settings: &ModelSettings, poisson: Poisson) -> Effort {
        self.precision = Precision::Done;
        self.assemble();
        self.matrix
            .sharpen(&self.layout, &self.reduced, &self.given);
        let mut spent = NOTHING;
        if self.solve_apart(settings, &mut spent) {
            self.read_precisely();
            if self.fits() {
                return spent;
            }
        }
        self.work = settings.polygon.precise_work;
        self.start.clear();
        let (mut before, mut near) = (f64::NAN, None);
        for (i, share) in STIFFER.into_iter().enumerate() {
            if !self.stiff(settings, share, &mut spent) {
                if self.work == 0 {
                    break;
                }
                before = f64::NAN;
                continue;
            }
            let after = self.shortfall(share);
            let last = i + 1 == STIFFER.len();
            let left = self.left(Taken::Back(1.0));
            if left <= MET {
                near = Some(share);
                self.near.clone_from(&self.basis);
            }
            let solved = left <= SETTLED || self.rigid(last, &mut spent);
            if solved && self.take_precisely(poisson) {
                return spent;
            }
            // Walls that ask for more than 16 digits hold contradict each other for all they can tell.
            if solved || contradict(&self.reduced, before, (after, share)) {
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
        if near.is_some_and(|share| self.accept(settings, share, &mut spent)) {
            return spent;
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

    /// The relaxed problem, after the judge refused the answer of the rigid one.
    pub(super) fn relax_doubtful(&mut self, settings: &ModelSettings) -> Effort {
        self.precision = Precision::Done;
        self.work = self.work.max(settings.polygon.precise_work / 10);
        let mut spent = NOTHING;
        spent.status = match self.relax_precisely(settings, &mut spent) {
            true => SolveStatus::Relaxed,
            false => SolveStatus::Inaccurate,
        };
        spent
    }

    /// Reads the answer to the rigid problem; false if its impulses are larger than an answer can hold.
    fn take_precisely(&mut self, poisson: Poisson) -> bool {
        self.read_precisely();
        let fits = self.fits();
        // The bound is a sure one; how the digits really fall, only the judge knows.
        if !fits && poisson == Poisson::No {
            self.precision = Precision::Doubtful;
        }
        fits || poisson == Poisson::No
    }

    /// Goes back to the compliant answer on the basis in `near`, which the judge accepts though it is no
    /// round-off; whether it can be written down.
    fn accept(&mut self, settings: &ModelSettings, share: f64, spent: &mut Effort) -> bool {
        self.start.clone_from(&self.near);
        self.work = self.work.max(settings.polygon.precise_work / 10);
        if !self.stiff(settings, share, spent) || self.left(Taken::Back(1.0)) > MET {
            return false;
        }
        self.read_precisely();
        self.fits()
    }

    /// The solution of the rigid problem on the basis at hand; whether it is one.
    pub(super) fn rigid(&mut self, last: bool, spent: &mut Effort) -> bool {
        EASED.into_iter().any(|multiple| {
            let taken = Taken::Back(multiple);
            let left = if self.on_basis(taken, spent) {
                self.left(taken)
            } else {
                f64::INFINITY
            };
            left <= SETTLED || (last && left <= MET)
        })
    }

    /// Whether the impulses of friction, rounded to 16 digits, can keep their bounds as well as the judge
    /// asks: the round-off of a bound is half of it in the impulse along each of two rows.
    fn fits(&self) -> bool {
        let most = MET * self.reduced.speed();
        self.layout.units.iter().all(|unit| {
            let f = unit.places.map(|place| self.impulses[place as usize].abs());
            f64::EPSILON * (f[0] + f[1]) * unit.weight <= most
        })
    }

    /// Relaxes walls known to contradict each other; false if no answer is accurate.
    fn relax_precisely(&mut self, settings: &ModelSettings, spent: &mut Effort) -> bool {
        for share in RELAXATIONS {
            if !self.stiff(settings, share, spent) {
                continue;
            }
            if self.left(Taken::No) <= MET {
                self.read_precisely();
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
        let limits = self.precise_limits(settings);
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return false;
        };
        let low = self.matrix.low();
        let allowed = (&limits, &mut self.work);
        let (status, pivots) = self.precise.solve((lcp, low), allowed, &self.start);
        spent.pivots += pivots;
        if status != SolveStatus::Solved {
            return false;
        }
        self.take_basis();
        self.start.clone_from(&self.basis);
        self.on_basis(Taken::No, spent)
    }

    pub(super) fn precise_limits(&self, settings: &ModelSettings) -> Limits {
        Limits {
            max_pivots: settings.max_pivots.min(PIVOTS * self.matrix.q.len()),
            ..self.limits(settings)
        }
    }

    /// Takes over the basis that the method ended with.
    pub(super) fn take_basis(&mut self) {
        self.basis.clear();
        self.basis.extend_from_slice(self.precise.basis());
    }

    /// The solution on the basis at hand, the walls compliant or rigid; false if it is singular.
    fn on_basis(&mut self, taken: Taken, spent: &mut Effort) -> bool {
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return false;
        };
        let low = self.matrix.low();
        let basis = (&self.basis[..], taken);
        let z = [&mut self.z, &mut self.z_low];
        let steps = self.precise.on_basis((lcp, low), basis, z);
        spent.iterations += steps.unwrap_or(0);
        steps.is_some()
    }

    /// Natural residual of the answer at hand, the walls compliant or rigid, relative to the island's
    /// speed as the judge's; infinite if a number is not finite.
    fn left(&self, taken: Taken) -> f64 {
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return f64::INFINITY;
        };
        let problem = (lcp, self.matrix.low());
        let left = PreciseLemke::residual(problem, taken, [&self.z, &self.z_low]);
        let left = left / self.reduced.speed();
        if left.is_nan() { f64::INFINITY } else { left }
    }

    /// Writes the answer, with all digits where they are known. See [`Reduced::finish`].
    pub(super) fn finish(
        &mut self,
        (problem, island): (&ContactProblem, Island<'_>),
        within: f64,
        solution: &mut ContactSolution,
    ) -> f64 {
        let (z, low) = (&self.impulses[..], &self.impulses_low[..]);
        if low.is_empty() {
            (self.reduced).finish(problem, island, (z, within), solution)
        } else {
            (self.reduced).finish_precisely((problem, island), [z, low], within, solution)
        }
    }

    /// Impulses of the kept rows from the variables, with their trailing parts.
    fn read_precisely(&mut self) {
        let k = self.reduced.rows().len();
        self.sums.clear();
        self.sums.resize(k, Sum::default());
        let out = [&mut self.impulses, &mut self.impulses_low];
        let out = (&mut self.sums[..], out);
        impulses(&self.layout, [&self.z, &self.z_low], &self.given, out);
    }
}
