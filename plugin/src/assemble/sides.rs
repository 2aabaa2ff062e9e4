//! The two sides of a contact, and their rows as the problem takes them.

use crate::contacts::material::Materials;
use crate::read::bodies::Bodies;
use crate::read::multibody::Trees;
use rapier::prelude::{ColliderSet, RigidBodySet};
use stickslip_core::problem::{BlockId, Blocks, RowHalf};

/// Columns of a free body's rows: all of its coordinates.
const ALL: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// Where one side of a contact enters the problem.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    /// Nothing to solve for: the world, or a body that moves as prescribed.
    Prescribed,
    Free(usize),
    Link {
        tree: usize,
        link: usize,
    },
}

/// What is known while contacts are added.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) set: &'a RigidBodySet,
    pub(crate) colliders: &'a ColliderSet,
    pub(crate) bodies: &'a Bodies,
    pub(crate) trees: &'a Trees,
    pub(crate) materials: &'a Materials,
    pub(crate) blocks: Blocks<'a>,
}

impl<'a> Known<'a> {
    /// The block of one side of a contact.
    pub(crate) fn block(&self, side: Side) -> Option<BlockId> {
        match side {
            Side::Prescribed => None,
            Side::Free(number) => self.bodies.free()[number].block(),
            Side::Link { tree, .. } => Some(self.trees[tree].block),
        }
    }

    /// What one side of a contact adds to its normal velocity before and after forces, of its rows.
    pub(crate) fn rates(&self, side: Side, rows: &[f64]) -> [f64; 2] {
        let (_, v, v_free) = match side {
            Side::Prescribed => return [0.0; 2],
            Side::Free(number) => self.bodies.block_data(number),
            Side::Link { tree, .. } => self.trees[tree].block_data(),
        };
        let Some(half) = self.half(side, rows) else {
            return [0.0; 2];
        };
        let dot = |v: &[f64]| -> f64 {
            let entries = half.cols.iter().zip(half.rows[0]);
            entries.map(|(&col, n)| n * v[col]).sum()
        };
        [dot(v), dot(v_free)]
    }

    /// Three rows of one side of a contact, `None` if there is nothing to solve for.
    #[inline]
    pub(crate) fn half<'r>(&self, side: Side, rows: &'r [f64]) -> Option<RowHalf<'r, 3>>
    where
        'a: 'r,
    {
        let (block, cols): (BlockId, &'a [usize]) = match side {
            Side::Prescribed => return None,
            Side::Free(number) => {
                let body = &self.bodies.free()[number];
                (body.block()?, &ALL[..body.dim()])
            }
            Side::Link { tree, link } => {
                let tree = &self.trees[tree];
                (tree.block, tree.row_path(link))
            }
        };
        let (n, rest) = rows.split_at(cols.len());
        let (s, t) = rest.split_at(cols.len());
        Some(RowHalf {
            block,
            cols,
            rows: [n, s, t],
        })
    }
}
