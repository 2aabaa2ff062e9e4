//! Rows that contradict each other, seen from what compliant rows give.

use super::Memory;
use super::island::MET;
use stickslip_core::kit::kernel::dot;

/// Compliance up to which an answer is the least-squares compromise of rows that contradict each other: to 1e-6.
const COMPROMISE: f64 = 1e-6;

/// Share of what unilateral rows give that stays with a hundredth of the compliance, if they contradict
/// each other: all of it, once the compliance is small.
const STAYS: f64 = 0.9;

/// Impulses, as multiples of the island's speed over a row's diagonal, whose rounding to 16 digits is
/// what the residual check lets pass: an answer with larger ones could not be verified, and rows give `share D z` for
/// smaller ones too.
const HELD: f64 = MET / f64::EPSILON;

impl Memory {
    /// Whether the unilateral rows contradict each other, by what they give with the compliance last solved with
    /// (`share`), and gave before. If they do, the answer of the first such compliance is taken, the compromise of least
    /// squares, and the rows that it does not meet are declared.
    ///
    /// Compliant rows always have an answer. From `y . (W y + w_0 + eps D y) <= 0` follows: if impulses z(eps) grow as
    /// 1 / eps, `z / |z|` tends to impulses y that balance each other, `R^T y = 0`, while the rows they press on ask
    /// for work, `y . w_0 < 0`; they can't grow faster. Rows that contradict each other (a body squeezed from two sides)
    /// have such a y. What the rows give, `eps D z`, then tends to a number that is not zero, the contradiction in
    /// m/s; where the rigid problem has a solution that the compliant ones approach, it tends to zero as eps does.
    pub(super) fn contradicts(&mut self, share: f64, gave: &mut Option<(f64, f64)>) -> bool {
        if share == 0.0 || share > COMPROMISE || !self.solvers.lemke.compliant(&mut self.z) {
            return false;
        }
        let pairs = self.matrix.soft.iter().zip(&self.z);
        let gives = pairs.fold(0.0_f64, |m, (soft, z)| m.max(soft * z));
        let Some((before, first)) = *gave else {
            if self.misses() <= MET {
                self.relaxed.clone_from(&self.z);
                *gave = Some((gives, share));
            }
            return false;
        };
        *gave = Some((gives, first));
        let least = (10.0 * MET).max(HELD * share) * self.reduced.speed();
        let stays = gives > least && gives > STAYS * before;
        if stays {
            self.best.clone_from(&self.relaxed);
            for (i, row) in self.layout.unilaterals() {
                let given = first * self.reduced.diagonal(row.place()) * self.best[i];
                if given > MET * self.reduced.speed() {
                    self.declared.push(self.reduced.rows()[row.place()]);
                }
            }
        }
        stays
    }

    /// Natural residual of `z` with compliant rows, relative to the island's speed.
    fn misses(&self) -> f64 {
        let n = self.z.len();
        let rows = self.matrix.a.chunks_exact(n).enumerate();
        let worst = rows.fold(0.0_f64, |worst, (i, row)| {
            let (z, own) = (self.z[i], row[i] + self.matrix.soft[i]);
            let w = self.matrix.q[i] + dot(row, &self.z) + self.matrix.soft[i] * z;
            worst.max((z * if own > 0.0 { own } else { 1.0 }).min(w).abs())
        });
        worst / self.reduced.speed()
    }
}
