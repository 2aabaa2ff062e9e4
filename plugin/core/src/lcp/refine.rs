//! One step of iterative refinement with a momentum error from outside.

use super::system::System;

impl System<'_> {
    /// Takes up the momentum that is left over, `change` (over all coordinates; only the island's are
    /// read), with the active rows kept at what they ask:
    /// ```text
    /// M dv = change + R^T dz,   R (v+ + dv) + eps (z + dz) = c
    /// ```
    /// Adds dv to `v_plus` and leaves it in `change`. Ends the solve: the solvers' own state no longer
    /// agrees. O(envelope of the factor + solves with M).
    pub(crate) fn correct(&mut self, change: &mut [f64]) {
        for &b in self.island.blocks {
            let block = self.problem.block(b as usize);
            block.solve_lt(&mut change[block.range()]);
        }
        let memory = &mut *self.memory;
        memory.rho.clear();
        for (position, &i) in memory.active.iter().enumerate() {
            let row = &memory.rows[i as usize];
            let view = self.problem.row(crate::problem::RowId(row.row as usize));
            let w = view.dot(self.v_plus) + row.eps * row.z - row.target;
            memory.rho.push(-w - memory.basis.dot_at(position, change));
        }
        memory.basis.solve(&mut memory.rho);
        for (position, &i) in memory.active.iter().enumerate() {
            let dz = memory.rho[position];
            memory.rows[i as usize].z += dz;
            memory.basis.add_at(position, dz, change);
        }
        for &b in self.island.blocks {
            let block = self.problem.block(b as usize);
            let range = block.range();
            block.solve_l(&mut change[range.clone()]);
            for (v, d) in self.v_plus[range.clone()].iter_mut().zip(&change[range]) {
                *v += d;
            }
        }
    }
}
