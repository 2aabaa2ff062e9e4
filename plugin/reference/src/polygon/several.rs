//! Whether an island has one answer, several or none.
//!
//! Without sliding contacts the matrix is copositive-plus and accelerations that exist are as unique as at velocity
//! level; nothing is asked then. With them (Painleve's rod) all complementary bases are gone through where they are few.
//! Answers count as different if they accelerate the bodies differently: forces that share a load differently do not.

use super::layout::LaidOut;
use super::matrix::{Given, impulses};
use super::variables::Role;
use crate::lcp::{Enumeration, Lcp};
use crate::reduced::Reduced;
use stickslip_core::kit::kernel::dot;
use stickslip_core::report::SolveStatus;

/// Two answers are different from this share of the larger one's accelerations on; far above
/// round-off, far below what one would call the same.
const DIFFERENT: f64 = 1e-6;

/// Memory of the question.
#[derive(Clone, Debug, Default)]
pub(super) struct Several {
    enumeration: Enumeration,
    x: Vec<f64>,
    first: Vec<f64>,
    one: Vec<f64>,
    none: Given,
}

/// `sqrt(x^T W x)`: size of the accelerations that forces make, in the norm of kinetic energy.
fn size(reduced: &Reduced, x: &[f64]) -> f64 {
    let rows = reduced.w().chunks_exact(x.len().max(1));
    let square: f64 = x.iter().zip(rows).map(|(x_i, row)| x_i * dot(row, x)).sum();
    square.max(0.0).sqrt()
}

impl Several {
    /// Whether an island of at most `most` variables has no answer, one, or several; none where that is not asked or not
    /// decided. `solved` says whether `z` holds one; if not, it is overwritten with the first found.
    pub(super) fn count(
        &mut self,
        LaidOut { layout, reduced }: LaidOut<'_>,
        lcp: Lcp<'_>,
        most: usize,
        solved: bool,
        z: &mut Vec<f64>,
    ) -> Option<SolveStatus> {
        let slides = layout.variables.iter().any(|v| v.role == Role::Sliding);
        if !slides || lcp.dim() > most {
            return None;
        }
        let k = reduced.rows().len();
        // What the free accelerations of the rows amount to: differences below their round-off are
        // none.
        let free = reduced.q().iter().enumerate().map(|(i, q)| {
            let d = reduced.w()[i * k + i];
            if d > 0.0 { q.abs() / d.sqrt() } else { 0.0 }
        });
        let noise = 1e-9 * free.fold(0.0, f64::max);
        let mut found = usize::from(solved);
        self.one.clone_from(z);
        let Self {
            enumeration,
            x,
            first,
            one,
            none,
        } = self;
        impulses(layout, one, none, k, first);
        let covers = enumeration.run(lcp, |z| {
            impulses(layout, z, none, k, x);
            if found == 0 {
                found = 1;
                one.clear();
                one.extend_from_slice(z);
                std::mem::swap(first, x);
                return;
            }
            let scale = size(reduced, x).max(size(reduced, first));
            for (x, first) in x.iter_mut().zip(&*first) {
                *x -= first;
            }
            if size(reduced, x) > DIFFERENT * scale + noise {
                found = 2;
            }
        });
        if !solved && found > 0 {
            std::mem::swap(z, one);
        }
        match (found, covers) {
            (0, true) => Some(SolveStatus::NoSolution),
            (0, false) => None,
            (1, _) => Some(SolveStatus::Solved),
            _ => Some(SolveStatus::SeveralSolutions),
        }
    }
}
