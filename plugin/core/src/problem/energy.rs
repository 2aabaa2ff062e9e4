//! What velocities and rows are worth in the mass of the problem.

use super::{ContactProblem, NO_BLOCK, RowId};

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

    /// `1 / (row M^-1 row^T)`: the inertia that a row moves [kg or kg m^2]; `memory` (m) is zero before and
    /// after. O(coordinates of its blocks times their depth).
    pub fn row_inertia(&self, row: RowId, memory: &mut Vec<f64>) -> f64 {
        memory.resize(self.dim(), 0.0);
        self.row(row).add_to(1.0, memory);
        let (group, _) = self.group_of(row);
        let mut sum = 0.0;
        for &b in group.blocks.iter().filter(|&&b| b != NO_BLOCK) {
            let block = self.block(b as usize);
            let part = &mut memory[block.range()];
            block.solve_lt(part);
            sum += part.iter().map(|x| x * x).sum::<f64>();
            part.fill(0.0);
        }
        1.0 / sum
    }
}
