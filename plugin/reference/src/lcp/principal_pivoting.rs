//! Block principal pivoting.

use super::dantzig::Dantzig;
use super::tableau::Var;
use super::{Lcp, LcpSolver, Limits, Outcome, Start, make_room};
use stickslip_core::report::SolveStatus;

/// Block principal pivoting \[CPS, ch. 4\]: every pair that is negative changes sides, as long as that makes their number
/// fall. Usually a handful of blocks. [`Dantzig`]'s method takes over, from
/// `z = 0`, where that leads nowhere, and ends for every P-matrix and every positive semidefinite one, symmetric or not;
/// its statuses are this one's.
///
/// A pair costs `O(n^2)`. A start from a basis is where the blocks start.
#[derive(Clone, Debug, Default)]
pub struct PrincipalPivoting {
    method: Dantzig,
    negative: Vec<usize>,
}

impl LcpSolver for PrincipalPivoting {
    /// Solves a problem. The statuses are those of the type's description, `PivotLimit`, and
    /// `Inaccurate` where the method ended with an answer that doesn't pass.
    fn solve(&mut self, lcp: Lcp, limits: &Limits, start: Start, z: &mut Vec<f64>) -> Outcome {
        let negative = &mut self.negative;
        make_room(negative, lcp.dim());
        (self.method).solve_after(lcp, z, |method, is_first, pivots| {
            if let Start::Basis(basic) = start
                && is_first
                && basic.len() == lcp.dim()
                && !method.tableau.start_from(basic)
            {
                method.tableau.clear();
            }
            match blocks(method, negative, limits, pivots) {
                SolveStatus::Inaccurate => {
                    method.tableau.clear();
                    method.raise_all(limits, pivots)
                }
                ended => ended,
            }
        })
    }
}

/// The blocks: `Solved`, `PivotLimit`, or `Inaccurate` where they lead nowhere.
fn blocks(
    method: &mut Dantzig,
    negative: &mut Vec<usize>,
    limits: &Limits,
    pivots: &mut usize,
) -> SolveStatus {
    let t = &mut method.tableau;
    let mut fewest = usize::MAX;
    loop {
        let least_w = -limits.tolerance * t.size(|var| matches!(var, Var::W(_)));
        let least_z = -limits.tolerance * t.size(|var| matches!(var, Var::Z(_)));
        negative.clear();
        for (row, var) in t.basic.iter().enumerate() {
            let least = match var {
                Var::W(_) => least_w,
                Var::Z(_) => least_z,
            };
            if t.value(row) < least {
                negative.push(var.index());
            }
        }
        if negative.is_empty() {
            return SolveStatus::Solved;
        }
        if *pivots >= limits.max_pivots {
            return SolveStatus::PivotLimit;
        }
        if negative.len() >= fewest {
            return SolveStatus::Inaccurate;
        }
        fewest = negative.len();
        *pivots += negative.len();
        if !t.exchange_pairs(negative.iter().copied()) {
            return SolveStatus::Inaccurate;
        }
    }
}
