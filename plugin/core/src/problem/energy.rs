//! What velocities are worth in the mass of the problem.

use super::ContactProblem;

impl ContactProblem {
    /// Kinetic energy `1/2 v^T M v` of a block that moves with its part of `v` (m) \[J\].
    pub fn kinetic_energy(&self, block: usize, v: &[f64]) -> f64 {
        let block = self.block(block);
        let v = &v[block.range()];
        let white = (0..block.dim()).map(|i| {
            let row = &block.values[block.pattern.row(i)];
            let path = block.pattern.path(i).iter();
            path.zip(row).map(|(&j, &l)| l * v[j]).sum::<f64>()
        });
        0.5 * white.map(|x| x * x).sum::<f64>()
    }
}
