//! Which contacts a correction may close.
//!
//! A heap has as many contacts that stand open as closed ones, and most of them far off from what overlaps. They are left
//! out as those are that cannot close in a step: beyond a margin, and [`LEVERAGE`] times the farthest push at a contact, at one that
//! shares a body with it, or shares one with such a one. Who is moved farther may overlap, and the next step corrects it.

use super::Errors;
use crate::problem::{ContactProblem, NO_BLOCK};
use crate::tolerances::{HOPS, LEVERAGE};

/// Memory of the choice.
#[derive(Debug, Default)]
pub(super) struct ContactFilter {
    /// The farthest push at each block \[m\].
    pushed: Vec<f64>,
    /// The farthest push that a contact hears of \[m\].
    reach: Vec<f64>,
    /// Of all contacts, then of all scalar rows.
    keeps: Vec<bool>,
}

impl ContactFilter {
    /// Tells of every group whether it takes part; scalar rows do, and all contacts of islands in which one of them asks for
    /// a correction. `pushes` is how far a gap makes bodies part. O(groups).
    pub(super) fn find(
        &mut self,
        problem: &ContactProblem,
        asks: &[bool],
        errors: Errors<'_>,
        pushes: impl Fn(f64) -> f64,
    ) -> &[bool] {
        let contacts = problem.contact_count();
        self.reach.clear();
        (self.reach).extend(errors.gaps.iter().map(|gap| pushes(*gap).max(0.0)));
        for _ in 0..HOPS {
            self.pass_on(problem);
        }
        self.keeps.clear();
        let known = errors.gaps.iter().zip(&self.reach);
        (self.keeps).extend(known.map(|(gap, reach)| *gap <= errors.margin + LEVERAGE * reach));
        self.keeps.resize(contacts + problem.scalar_count(), true);
        if asks[contacts..].contains(&true) {
            for island in problem.islands() {
                if island.scalars().any(|s| asks[contacts + s]) {
                    island.contacts().for_each(|c| self.keeps[c] = true);
                }
            }
        }
        &self.keeps
    }

    /// What [`Self::find`] told.
    pub(super) fn keeps(&self) -> &[bool] {
        &self.keeps
    }

    /// Has every contact hear of the farthest push at those that share a block with it.
    fn pass_on(&mut self, problem: &ContactProblem) {
        let blocks = |c: usize| {
            let blocks = problem.contact_group(c).blocks.into_iter();
            blocks.filter(|&b| b != NO_BLOCK).map(|b| b as usize)
        };
        self.pushed.clear();
        self.pushed.resize(problem.block_count(), 0.0);
        for (c, reach) in self.reach.iter().enumerate() {
            for b in blocks(c) {
                self.pushed[b] = self.pushed[b].max(*reach);
            }
        }
        for (c, reach) in self.reach.iter_mut().enumerate() {
            *reach = blocks(c).fold(*reach, |reach, b| reach.max(self.pushed[b]));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::mass::MassFactor;
    use crate::problem::{BlockId, ContactData, ProblemBuilder, RowHalf, ScalarKind};
    use nalgebra::DMatrix;

    /// Bodies in a row, a contact between every two, and a joint between the last two.
    fn row(bodies: usize) -> ProblemBuilder {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        let mass = MassFactor::from_dense(&DMatrix::identity(1, 1)).unwrap();
        for _ in 0..bodies {
            builder.add_block(&mass, &[0.0], &[0.0]);
        }
        let half = |block, row: &'static [f64]| RowHalf {
            block: BlockId(block),
            cols: &[0],
            rows: [row, &[0.0], &[0.0]],
        };
        for b in 1..bodies {
            let halves = [half(b - 1, &[-1.0]), half(b, &[1.0])];
            builder.add_contact(ContactData::default(), &halves);
        }
        let side = |block, row: &'static [f64]| RowHalf {
            block: BlockId(block),
            cols: &[0],
            rows: [row],
        };
        let joint = [side(bodies - 2, &[-1.0]), side(bodies - 1, &[1.0])];
        builder.add_scalar(0, ScalarKind::Bilateral { velocity: 0.0 }, &joint);
        builder.finish().unwrap();
        builder
    }

    #[test]
    fn contacts_take_part_where_a_push_is_near() {
        let builder = row(8);
        let problem = builder.finished().unwrap();
        // The third contact is pushed apart by 0.1; the others stand open.
        let mut gaps = [0.39; 7];
        (gaps[2], gaps[6]) = (-0.1, 0.01);
        let mut asks = [false; 8];
        asks[2] = true;
        let mut near = ContactFilter::default();
        let mut find = |gaps: &[f64], asks: &[bool]| {
            let errors = Errors {
                gaps,
                rows: &[],
                entries: &[],
                islands: &[],
                margin: 0.01,
            };
            near.find(problem, asks, errors, |gap: f64| -gap).to_vec()
        };
        // Two contacts to either side, one within the margin, and the joint.
        let kept = [true, true, true, true, true, false, true, true];
        assert_eq!(find(&gaps, &asks), kept);
        gaps[1] = 0.42;
        assert!(!find(&gaps, &asks)[1], "too far");
        // All of a part that is connected with a row to correct is kept.
        asks[7] = true;
        assert_eq!(find(&gaps, &asks), [true; 8]);
    }
}
