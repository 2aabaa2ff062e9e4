//! How fast an island moves, by the velocity that its own forces give it in one step.

use crate::problem::{ContactProblem, Island};
use crate::tolerances::STANDING;

/// How fast an island moves before its contacts act.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) enum Pace {
    /// It would take a hundred times the present velocity to make one step's change of it.
    Stands,
    /// No body is faster than its forces make it in one step.
    Creeps,
    Moves,
}

impl Pace {
    /// Compares the kinetic energies of `v` and `v_free - v` body by body: no unit of length, mass or time enters.
    pub(super) fn of((problem, island): (&ContactProblem, Island<'_>)) -> Self {
        let mut pace = Self::Stands;
        for &b in island.blocks {
            let block = problem.block(b as usize);
            let [v, free] = [problem.v(), problem.v_free()].map(|v| &v[block.range()]);
            let (mut energy, mut change) = (0.0, 0.0);
            for i in 0..block.dim() {
                let [own, next] = [v, free].map(|v| block.white(i, v));
                energy += own * own;
                change += (next - own) * (next - own);
            }
            // A NaN moves.
            let is_slow = energy <= change;
            if !is_slow {
                return Self::Moves;
            }
            if energy > STANDING * STANDING * change {
                pace = Self::Creeps;
            }
        }
        pace
    }
}
