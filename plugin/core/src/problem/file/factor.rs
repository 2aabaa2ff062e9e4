//! The blocks of the mass matrix.

use super::error::ProblemFileError;
use super::raw::{Factor, Raw};
use super::{MAX_DENSE, ProblemFileError as Error};
use crate::mass::{MassError, MassFactor, MassPattern, NO_PARENT};
use nalgebra::DMatrix;
use std::sync::Arc;

/// Agreement of `M` with the product of its stated factor, relative to its largest entry: round-off,
/// with room for matrices that were written with few digits.
const AGREEMENT: f64 = 1e-9;

/// Takes the blocks out of a file.
pub(super) fn blocks(raw: &mut Raw) -> Result<Vec<MassFactor>, ProblemFileError> {
    let dense = match (raw.M.take(), raw.M_blocks.take()) {
        (Some(_), Some(_)) => {
            let reason = "both `M` and `M_blocks` are given; one of them is the mass matrix";
            return Err(Error::fields(reason));
        }
        (Some(matrix), None) if matrix.is_empty() => Some(Vec::new()),
        (Some(matrix), None) => Some(vec![("M".to_owned(), matrix)]),
        (None, Some(list)) => {
            let named = list.into_iter().enumerate();
            Some(named.map(|(b, m)| (format!("M_blocks[{b}]"), m)).collect())
        }
        (None, None) => None,
    };
    let Some(factors) = raw.L_blocks.take() else {
        let Some(dense) = dense else {
            let reason = "the mass matrix is missing: give `M` or `M_blocks`";
            return Err(Error::fields(reason));
        };
        return dense.iter().map(|(name, m)| factored(name, m)).collect();
    };
    if let Some(dense) = &dense
        && dense.len() != factors.len()
    {
        return Err(Error::Shape {
            entry: "L_blocks".to_owned(),
            found: format!("{} blocks", factors.len()),
            wanted: format!("{}, one per block of the mass matrix", dense.len()),
        });
    }
    let mut last: Option<Arc<MassPattern>> = None;
    let mut out = Vec::with_capacity(factors.len());
    for (b, factor) in factors.into_iter().enumerate() {
        let name = format!("L_blocks[{b}]");
        let factor = stated(&name, factor, last.as_ref())?;
        if let Some(dense) = &dense {
            agrees(&dense[b], &name, &factor)?;
        }
        last = Some(factor.pattern().clone());
        out.push(factor);
    }
    Ok(out)
}

fn check_square(name: &str, matrix: &[Vec<f64>]) -> Result<(), Error> {
    let dim = matrix.len();
    if let Some(row) = matrix.iter().position(|row| row.len() != dim) {
        return Err(Error::Shape {
            entry: format!("{name}[{row}]"),
            found: format!("{} values", matrix[row].len()),
            wanted: format!("{dim}, as many as there are rows"),
        });
    }
    Ok(())
}

fn factored(name: &str, matrix: &[Vec<f64>]) -> Result<MassFactor, Error> {
    let dim = matrix.len();
    if dim > MAX_DENSE {
        return Err(Error::Shape {
            entry: name.to_owned(),
            found: format!("{dim} coordinates"),
            wanted: format!("at most {MAX_DENSE}; give independent bodies as `M_blocks`"),
        });
    }
    check_square(name, matrix)?;
    let matrix = DMatrix::from_fn(dim, dim, |i, j| matrix[i][j]);
    MassFactor::from_dense(&matrix).map_err(|error| match error {
        MassError::NotSymmetric { row, col } => Error::value(
            format!("{name}[{row}][{col}]"),
            format!(
                "the mass matrix is not symmetric: {} here, {} at {name}[{col}][{row}]",
                matrix[(row, col)],
                matrix[(col, row)]
            ),
        ),
        error => Error::Mass {
            entry: name.to_owned(),
            error,
        },
    })
}

/// A factor as the file states it; `last` is reused where the sparsity is the same.
fn stated(
    name: &str,
    factor: Factor,
    last: Option<&Arc<MassPattern>>,
) -> Result<MassFactor, Error> {
    let Factor {
        parents: Some(parents),
        L: Some(values),
    } = factor
    else {
        let reason = "a factor needs `parents` and `L`";
        return Err(Error::value(name, reason));
    };
    // The length of the paths first: a chain of a million coordinates has 5e11 ancestors.
    let mut depth: Vec<usize> = Vec::with_capacity(parents.len());
    let mut len = 0_usize;
    for (i, parent) in parents.iter().enumerate() {
        let above = match parent {
            None => 0,
            Some(p) => match usize::try_from(*p).ok().filter(|p| *p < i) {
                Some(p) => depth[p],
                None => {
                    let entry = format!("{name}.parents[{i}]");
                    return Err(Error::Mass {
                        entry,
                        error: MassError::BadParent { index: i },
                    });
                }
            },
        };
        depth.push(above + 1);
        len = len.saturating_add(above + 1);
    }
    if len != values.len() {
        return Err(Error::Shape {
            entry: format!("{name}.L"),
            found: format!("{} values", values.len()),
            wanted: format!("{len}, one per coordinate and ancestor"),
        });
    }
    let parents: Vec<usize> = parents
        .into_iter()
        .map(|p| p.map_or(NO_PARENT, |p| p as usize))
        .collect();
    let same = |pattern: &&Arc<MassPattern>| {
        pattern.dim() == parents.len()
            && (0..parents.len()).all(|i| pattern.parent(i) == parents[i])
    };
    let mass = |error| Error::Mass {
        entry: name.to_owned(),
        error,
    };
    let pattern = match last.filter(same) {
        Some(pattern) => pattern.clone(),
        None => Arc::new(MassPattern::from_parents(&parents).map_err(mass)?),
    };
    MassFactor::from_factor(pattern, values).map_err(mass)
}

/// Refuses a matrix that is not the product of its stated factor.
fn agrees(
    (name, matrix): &(String, Vec<Vec<f64>>),
    factor_name: &str,
    factor: &MassFactor,
) -> Result<(), Error> {
    let dim = factor.pattern().dim();
    check_square(name, matrix)?;
    if matrix.len() != dim {
        return Err(Error::Shape {
            entry: factor_name.to_owned(),
            found: format!("{dim} coordinates"),
            wanted: format!("{}, as {name} has", matrix.len()),
        });
    }
    let scale = matrix.iter().flatten().fold(0.0_f64, |a, x| a.max(x.abs()));
    let product = factor.dense();
    for (i, row) in matrix.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            let agree = (x - product[(i, j)]).abs() <= AGREEMENT * scale;
            if !agree {
                return Err(Error::value(
                    format!("{name}[{i}][{j}]"),
                    format!(
                        "is {x}, the product of {factor_name} has {}; leave out `L_blocks` to have \
                         the matrix factored",
                        product[(i, j)]
                    ),
                ));
            }
        }
    }
    Ok(())
}
