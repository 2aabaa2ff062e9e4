//! Whether an island has one answer, several or none.
//!
//! Without sliding contacts the matrix is copositive-plus and accelerations that exist are as unique
//! as at velocity level; nothing is asked then. With them the choice of which of them press is gone
//! through ([`Enumeration`]); the forces of the others follow by Lemke's method. Answers count as
//! different if they accelerate the bodies differently: forces that share a load differently do not.

use super::super::reduced::Reduced;
use super::layout::{Layout, Role};
use crate::lcp::dense::{Coverage, Enumeration, Lcp, Limits, MAX_DECIDED};

/// How many answers there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// None: every complementary basis was tried.
    None,
    /// One was found and no other.
    One,
    /// More than one.
    Several,
    /// Not asked, or not decided.
    Unknown,
}

/// Two answers are different from this share of the larger one's accelerations on; far above
/// round-off, far below what one would call the same.
const DIFFERENT: f64 = 1e-6;

/// Memory of the question.
#[derive(Clone, Debug, Default)]
pub(super) struct Several {
    enumeration: Enumeration,
    decided: Vec<usize>,
    x: Vec<f64>,
    first: Vec<f64>,
    difference: Vec<f64>,
    one: Vec<f64>,
}

/// `sqrt(x^T W x)`: size of the accelerations that forces make, in the norm of kinetic energy.
fn size(reduced: &Reduced, x: &[f64]) -> f64 {
    let k = x.len();
    let rows = reduced.w().chunks_exact(k.max(1));
    let square: f64 = x
        .iter()
        .zip(rows)
        .filter(|(x, _)| **x != 0.0)
        .map(|(x_i, row)| x_i * crate::rows::kernel::dot(row, x))
        .sum();
    square.max(0.0).sqrt()
}

impl Several {
    /// Counts the answers of an island; `solved` says whether `z` holds one. With the first found, if
    /// none was known, `z` is overwritten.
    pub(super) fn count(
        &mut self,
        (layout, reduced): (&Layout, &Reduced),
        (limits, most): (&Limits, usize),
        solved: bool,
        z: &mut Vec<f64>,
    ) -> Count {
        self.decided.clear();
        let sliding = layout.variables.iter().enumerate();
        (self.decided).extend(
            sliding
                .filter(|(_, v)| v.role == Role::SlidingNormal)
                .map(|(i, _)| i),
        );
        if self.decided.is_empty() || self.decided.len() > most {
            return Count::Unknown;
        }
        let all = layout.variables.len();
        if !solved && all <= MAX_DECIDED {
            self.decided.clear();
            self.decided.extend(0..all);
        }
        let Ok(lcp) = Lcp::new(&layout.a, &layout.q) else {
            return Count::Unknown;
        };
        let k = reduced.rows().len();
        // What the free accelerations of the rows amount to: differences below their round-off are
        // none.
        let free = reduced.q().iter().enumerate().map(|(i, q)| {
            let d = reduced.w()[i * k + i];
            if d > 0.0 { q.abs() / d.sqrt() } else { 0.0 }
        });
        let noise = 1e-9 * free.fold(0.0, f64::max);
        let mut found = usize::from(solved);
        self.one.clear();
        if solved {
            self.one.extend_from_slice(z);
            layout.forces(z, k, &mut self.first);
        }
        let (x, first, difference) = (&mut self.x, &mut self.first, &mut self.difference);
        let one = &mut self.one;
        let coverage = self.enumeration.run(lcp, &self.decided, limits, |z| {
            if found > 1 {
                return;
            }
            if found == 0 {
                found = 1;
                one.extend_from_slice(z);
                layout.forces(z, k, first);
                return;
            }
            layout.forces(z, k, x);
            difference.clear();
            difference.extend(x.iter().zip(&*first).map(|(a, b)| a - b));
            let scale = size(reduced, x).max(size(reduced, first));
            if size(reduced, difference) > DIFFERENT * scale + noise {
                found = 2;
            }
        });
        if !solved && found > 0 {
            z.clear();
            z.extend_from_slice(&self.one);
        }
        match (found, coverage) {
            (0, Coverage::Complete) => Count::None,
            (0, Coverage::Partial) => Count::Unknown,
            (1, _) => Count::One,
            _ => Count::Several,
        }
    }
}
