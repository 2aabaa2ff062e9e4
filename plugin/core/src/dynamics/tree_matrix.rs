//! Memory of the linearised step of a tree.

use super::spatial::{Flow, Twist};
use super::tree::Tree;
use crate::factor::Lu;

/// The matrix A of a tree, along the paths of its pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeMatrix {
    pub(super) flow: Vec<Flow>,
    /// `a_j` of each coordinate (m).
    pub(super) carried: Vec<Twist>,
    /// Row j up to the diagonal: `A_ji` for i on the path of j.
    pub(super) lower: Vec<f64>,
    /// Column j down to the diagonal: `A_ij`.
    pub(super) upper: Vec<f64>,
    /// Second term of the series (m).
    pub(super) term: Vec<f64>,
    /// Dense matrix of the fallback, allocated when first needed (m x m, row by row).
    pub(super) dense: Vec<f64>,
    pub(super) lu: Lu,
}

impl TreeMatrix {
    pub(super) fn new(tree: &Tree) -> Self {
        Self {
            flow: vec![Flow::default(); tree.bodies.len()],
            carried: vec![Twist::default(); tree.dim()],
            lower: vec![0.0; tree.pattern.len()],
            upper: vec![0.0; tree.pattern.len()],
            term: vec![0.0; tree.dim()],
            dense: Vec::new(),
            lu: Lu::default(),
        }
    }
}
