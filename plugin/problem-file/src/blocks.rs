//! Where the blocks of the mass matrix lie among the coordinates.

use stickslip_core::mass::{MassFactor, MassPattern};
use stickslip_core::problem::ContactProblem;

/// A block of the mass matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    /// Its first coordinate.
    pub(crate) offset: usize,
    pub(crate) pattern: &'a MassPattern,
}

/// The blocks of a mass matrix, in order.
#[derive(Debug)]
pub(crate) struct Blocks<'a> {
    list: Vec<Block<'a>>,
    dim: usize,
}

impl<'a> Blocks<'a> {
    fn new(patterns: impl Iterator<Item = &'a MassPattern>) -> Self {
        let mut dim = 0;
        let list = patterns.map(|pattern| {
            let offset = dim;
            dim += pattern.dim();
            Block { offset, pattern }
        });
        Self {
            list: list.collect(),
            dim,
        }
    }

    pub(crate) fn of_factors(factors: &'a [MassFactor]) -> Self {
        Self::new(factors.iter().map(|factor| &**factor.pattern()))
    }

    pub(crate) fn of_problem(problem: &'a ContactProblem) -> Self {
        Self::new((0..problem.block_count()).map(|b| problem.block(b).pattern))
    }

    /// Number of coordinates of all blocks.
    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    /// Number of blocks.
    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn get(&self, block: usize) -> Block<'a> {
        self.list[block]
    }

    /// The number of the block that a coordinate lies in.
    pub(crate) fn at(&self, coordinate: usize) -> usize {
        let after = |block: &Block<'_>| block.offset <= coordinate;
        self.list.partition_point(after) - 1
    }
}
