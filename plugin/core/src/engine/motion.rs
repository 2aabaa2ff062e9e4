//! How fast an island moves, by the velocity that its own forces give it in one step.

use crate::problem::IslandProblem;
use crate::tolerances::FINE;

/// Whether an island stands, creeps or moves before its contacts act.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) enum MotionState {
    /// Every body is slower than a hundredth of the velocity that its forces add in one step, or than the tolerance of rest.
    Stands,
    /// No body is faster than its forces make it in one step.
    Creeps,
    Moves,
}

impl MotionState {
    /// Compares the kinetic energies of v and `v_free - v` body by body: no unit of length, mass or time enters. Where no
    /// force acts, bodies slower than `rest` \[m/s or rad/s\] stand.
    pub(super) fn of(place: IslandProblem<'_>, rest: f64) -> Self {
        Self::at(place, place.problem.v(), rest)
    }

    /// The same at another velocity than that before the step.
    pub(super) fn at(place: IslandProblem<'_>, velocity: &[f64], rest: f64) -> Self {
        let problem = place.problem;
        let mut state = Self::Stands;
        for block in place.blocks() {
            let lists = [velocity, problem.v(), problem.v_free()];
            let [own, v, free] = lists.map(|v| &v[block.range()]);
            if own.iter().all(|v| v.abs() <= rest) {
                continue;
            }
            let (mut energy, mut change) = (0.0, 0.0);
            for i in 0..block.dim() {
                let [own, v, next] = [own, v, free].map(|v| block.white(i, v));
                energy += own * own;
                change += (next - v) * (next - v);
            }
            if energy > change {
                return Self::Moves;
            }
            if energy > FINE * FINE * change {
                state = Self::Creeps;
            }
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mass::MassFactor;
    use crate::problem::{Island, ProblemBuilder};
    use nalgebra::{DMatrix, DVector};

    /// The state of two bodies of masses 2 and 8, the first at rest, the second at `v`, to which forces add `change`.
    fn state(v: f64, change: f64) -> MotionState {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        let blocks = [(2.0, 0.0), (8.0, v)].map(|(mass, v)| {
            let mass =
                MassFactor::from_dense(&DMatrix::from_diagonal(&DVector::from_element(3, mass)));
            builder.add_block(&mass.unwrap(), &[v, 0.0, 0.0], &[v, 0.0, -change])
        });
        assert_eq!(blocks.len(), 2);
        builder.finish().unwrap();
        let problem = builder.finished().unwrap();
        let blocks = [0, 1];
        let island = Island {
            blocks: &blocks,
            groups: &[],
        };
        MotionState::of(problem.place(island), 1e-8)
    }

    #[test]
    fn the_fastest_body_is_measured_by_its_own_forces() {
        for unit in [1e-3, 1.0, 1e3] {
            for (v, expected) in [
                (0.0, MotionState::Stands),
                (0.0099, MotionState::Stands),
                (0.0101, MotionState::Creeps),
                (0.99, MotionState::Creeps),
                (1.01, MotionState::Moves),
            ] {
                assert_eq!(state(v * unit, unit), expected, "{v} of {unit}");
            }
        }
        assert_eq!(state(0.9e-8, 0.0), MotionState::Stands);
        assert_eq!(state(1.1e-8, 0.0), MotionState::Moves);
    }
}
