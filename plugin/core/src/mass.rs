//! The factored mass matrix of one block: a free body, an articulated tree, or a dense matrix.
//!
//! A kinematic tree's joint-space inertia is zero wherever neither coordinate is an ancestor of the
//! other. Numbering ancestors before descendants, the factorization `M = L^T L` (L lower
//! triangular) fills in nothing [Featherstone 2008, sec. 6.5], so row `i` of `M` and of `L` holds
//! only the ancestors of `i` and `i` itself. A free body is a small forest (three loose
//! translations, a chain of three rotations), a dense matrix is a single chain: one layout serves
//! all three.

use nalgebra::{DMatrix, Matrix3};
use std::sync::Arc;

/// Marks a coordinate without an ancestor.
pub const NO_PARENT: usize = usize::MAX;

/// The sparsity of a mass matrix: the path of ancestors of every coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MassPattern {
    /// Parent coordinate of each coordinate, or [`NO_PARENT`] (m).
    parent: Vec<usize>,
    /// Where the path of coordinate `i` starts in `cols` (m + 1).
    start: Vec<usize>,
    /// Paths, ancestors first, each ending with the coordinate itself.
    cols: Vec<usize>,
    /// Whether it is [`BODY`].
    is_body: bool,
    /// Whether the first three coordinates translate everything ([`Self::floating`]).
    translates: bool,
}

/// The parents of a free body's coordinates: three loose translations, a chain of three rotations.
const BODY: [usize; 6] = [NO_PARENT, NO_PARENT, NO_PARENT, NO_PARENT, 3, 4];

impl MassPattern {
    /// The pattern of a forest given the parent of each coordinate; parents must come first.
    ///
    /// # Errors
    /// [`MassError::BadParent`] if a parent's index is not below its child's.
    pub fn from_parents(parent: &[usize]) -> Result<Self, MassError> {
        let mut start = vec![0];
        let mut cols: Vec<usize> = Vec::new();
        for (i, &p) in parent.iter().enumerate() {
            if p != NO_PARENT {
                if p >= i {
                    return Err(MassError::BadParent { index: i });
                }
                let (from, to) = (start[p], start[p + 1]);
                cols.extend_from_within(from..to);
            }
            cols.push(i);
            start.push(cols.len());
        }
        Ok(Self {
            parent: parent.to_vec(),
            start,
            cols,
            is_body: parent == BODY,
            translates: parent == BODY,
        })
    }

    /// The same pattern, of a tree that floats or not. The first three coordinates of a tree that floats translate all of it along three
    /// orthogonal axes, so that their entries on the diagonal of the mass matrix are its mass; those of a free body do in any case.
    #[must_use]
    pub fn floating(self, floats: bool) -> Self {
        Self {
            translates: self.is_body || floats && self.dim() >= 3,
            ..self
        }
    }

    /// Whether the first three coordinates translate everything.
    pub fn translates(&self) -> bool {
        self.translates
    }

    /// The pattern of a dense `dim` x `dim` matrix: one chain.
    pub fn dense(dim: usize) -> Self {
        let parent: Vec<usize> = (0..dim)
            .map(|i| if i == 0 { NO_PARENT } else { i - 1 })
            .collect();
        match Self::from_parents(&parent) {
            Ok(pattern) => pattern,
            Err(_) => unreachable!("a chain's parents precede their children"),
        }
    }

    /// Number of coordinates m.
    pub fn dim(&self) -> usize {
        self.parent.len()
    }

    /// Number of stored entries of the lower triangle.
    pub fn len(&self) -> usize {
        self.cols.len()
    }

    /// Whether the pattern has no coordinate.
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// Whether it is that of a free body: three loose translations, a chain of three rotations.
    #[inline]
    pub fn is_body(&self) -> bool {
        self.is_body
    }

    /// Parent of coordinate `i`, or [`NO_PARENT`].
    pub fn parent(&self, i: usize) -> usize {
        self.parent[i]
    }

    /// The path of coordinate `i`: its ancestors from the root, then `i`. A prefix property holds:
    /// the path of an ancestor is a prefix of the path of its descendant.
    #[inline]
    pub fn path(&self, i: usize) -> &[usize] {
        &self.cols[self.start[i]..self.start[i + 1]]
    }

    /// Where the values of row `i` lie in a value array of this pattern.
    #[inline]
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.start[i]..self.start[i + 1]
    }
}

/// Why a mass matrix was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MassError {
    /// A coordinate's parent does not precede it.
    #[error("coordinate {index}: its parent must have a lower index")]
    BadParent {
        /// The child coordinate.
        index: usize,
    },
    /// The matrix is not positive definite.
    #[error("the mass matrix is not positive definite: pivot {value} at coordinate {index}")]
    NonPositivePivot {
        /// Coordinate at which the factorization stopped.
        index: usize,
        /// The offending pivot, before the root is taken.
        value: f64,
    },
    /// A stated factor does not fit its pattern.
    #[error("the factor has {found} entries, its pattern wants {wanted}")]
    WrongLength {
        /// Entries given.
        found: usize,
        /// Entries of the pattern.
        wanted: usize,
    },
    /// The matrix is not symmetric.
    #[error("the mass matrix is not symmetric: entries ({row}, {col}) and ({col}, {row}) differ")]
    NotSymmetric {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        col: usize,
    },
}

/// The mass matrix of one block (m x m, symmetric positive definite) as `M = L^T L`, L lower triangular with the sparsity of a
/// [`MassPattern`].
#[derive(Clone, Debug)]
pub struct MassFactor {
    pattern: Arc<MassPattern>,
    /// Entries of `M` before, of `L` after [`MassFactor::factor`]; row by row along the paths.
    values: Vec<f64>,
    /// Reciprocals of the diagonal of `L` (m).
    inv_diag: Vec<f64>,
}

impl MassFactor {
    /// An unfilled factor over `pattern`.
    pub fn new(pattern: Arc<MassPattern>) -> Self {
        let (n, m) = (pattern.len(), pattern.dim());
        Self {
            pattern,
            values: vec![0.0; n],
            inv_diag: vec![0.0; m],
        }
    }

    /// Factors a dense symmetric positive definite matrix. O(m^3).
    ///
    /// # Errors
    /// [`MassError::NotSymmetric`] beyond 1e-9 relative, [`MassError::NonPositivePivot`].
    pub fn from_dense(matrix: &DMatrix<f64>) -> Result<Self, MassError> {
        let m = matrix.nrows();
        let scale = matrix.amax();
        let mut factor = Self::new(Arc::new(MassPattern::dense(m)));
        for i in 0..m {
            for j in 0..=i {
                // Negated so that a NaN entry is refused too.
                let agree = (matrix[(i, j)] - matrix[(j, i)]).abs() <= 1e-9 * scale;
                if !agree {
                    return Err(MassError::NotSymmetric { row: i, col: j });
                }
                *factor.entry_mut(i, j) = matrix[(i, j)];
            }
        }
        factor.factor()?;
        Ok(factor)
    }

    /// The factor of a free body: velocity of its centre of mass, then angular velocity, in the axes of `inertia`
    /// about the centre of mass \[kg m^2\].
    ///
    /// # Errors
    /// [`MassError::NonPositivePivot`].
    pub fn free_body(mass: f64, inertia: &Matrix3<f64>) -> Result<Self, MassError> {
        let parents = [NO_PARENT, NO_PARENT, NO_PARENT, NO_PARENT, 3, 4];
        let mut factor = Self::new(Arc::new(MassPattern::from_parents(&parents)?));
        for i in 0..3 {
            *factor.entry_mut(i, 0) = mass;
            for d in 0..=i {
                *factor.entry_mut(3 + i, d) = inertia[(i, d)];
            }
        }
        factor.factor()?;
        Ok(factor)
    }

    /// A factor stated as such: the entries of `L` along the paths of `pattern`.
    ///
    /// # Errors
    /// [`MassError::WrongLength`], [`MassError::NonPositivePivot`] (also for NaN) where the diagonal
    /// of `L` is not positive.
    pub fn from_factor(pattern: Arc<MassPattern>, values: Vec<f64>) -> Result<Self, MassError> {
        if values.len() != pattern.len() {
            return Err(MassError::WrongLength {
                found: values.len(),
                wanted: pattern.len(),
            });
        }
        let mut inv_diag = Vec::with_capacity(pattern.dim());
        for index in 0..pattern.dim() {
            let root = values[pattern.row(index).end - 1];
            if root.is_nan() || root <= 0.0 {
                return Err(MassError::NonPositivePivot { index, value: root });
            }
            // As `factor` computes it, to the bit.
            inv_diag.push(1.0 / root);
        }
        Ok(Self {
            pattern,
            values,
            inv_diag,
        })
    }

    /// `M = L^T L` of a factored block as a dense matrix. O(m * sum of depths).
    pub fn dense(&self) -> DMatrix<f64> {
        product(&self.pattern, &self.values)
    }

    /// The sparsity.
    pub fn pattern(&self) -> &Arc<MassPattern> {
        &self.pattern
    }

    /// Stored entries, row by row along the paths of [`MassPattern::path`].
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Stored entries, to fill with the lower triangle of `M` before [`MassFactor::factor`].
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Reciprocals of the diagonal of `L` (m).
    pub fn inv_diag(&self) -> &[f64] {
        &self.inv_diag
    }

    /// Entry (i, depth-th ancestor) for filling; for a dense pattern the depth is the column.
    pub fn entry_mut(&mut self, i: usize, depth: usize) -> &mut f64 {
        let at = self.pattern.row(i).start + depth;
        &mut self.values[at]
    }

    /// Overwrites the stored lower triangle of `M` with `L`, `M = L^T L`. O(sum of depth^2).
    ///
    /// # Errors
    /// [`MassError::NonPositivePivot`] (also for NaN); the values are then unusable.
    pub fn factor(&mut self) -> Result<(), MassError> {
        factor_in_place(&self.pattern, &mut self.values, &mut self.inv_diag)
    }

    /// `x <- M^-1 x`. O(sum of depths).
    pub fn solve(&self, x: &mut [f64]) {
        for i in (0..self.pattern.dim()).rev() {
            if x[i] == 0.0 {
                continue;
            }
            let row = &self.values[self.pattern.row(i)];
            let path = self.pattern.path(i);
            let depth = path.len() - 1;
            x[i] *= self.inv_diag[i];
            let xi = x[i];
            for (&j, &l) in path[..depth].iter().zip(row) {
                x[j] -= l * xi;
            }
        }
        solve_lower(&self.pattern, &self.values, &self.inv_diag, x);
    }
}

/// Overwrites the lower triangle of `M`, along the paths of a pattern, with `L`, `M = L^T L`, and
/// fills the reciprocals of its diagonal. O(sum of depth^2).
pub(crate) fn factor_in_place(
    pattern: &MassPattern,
    values: &mut [f64],
    inv_diag: &mut [f64],
) -> Result<(), MassError> {
    // Only a chain fills its triangle.
    let chain_of_six = pattern.start.get(6) == Some(&21);
    for k in (0..pattern.dim()).rev() {
        let row_k = pattern.row(k);
        let (above, below) = values.split_at_mut(row_k.start);
        let row = &mut below[..row_k.len()];
        let depth = row.len() - 1;
        let pivot = row[depth];
        if pivot.is_nan() || pivot <= 0.0 {
            return Err(MassError::NonPositivePivot {
                index: k,
                value: pivot,
            });
        }
        // The rows above wait for these products; the root is taken meanwhile.
        let inv_pivot = 1.0 / pivot;
        let path = &pattern.path(k)[..depth];
        let mut known = 0;
        if chain_of_six
            && path.get(5) == Some(&5)
            && let (Some(row), Some(base)) = (row.first_chunk(), above.first_chunk_mut())
        {
            update_base(row, inv_pivot, base);
            known = 6;
        }
        for (p, &i) in path.iter().enumerate().skip(known) {
            let start = pattern.row(i).start;
            let share = row[p] * inv_pivot;
            for (target, &m_kj) in above[start..=start + p].iter_mut().zip(&row[..=p]) {
                *target -= share * m_kj;
            }
        }
        let root = pivot.sqrt();
        let inv = 1.0 / root;
        row[depth] = root;
        inv_diag[k] = inv;
        for entry in &mut row[..depth] {
            *entry *= inv;
        }
    }
    Ok(())
}

/// `M -= r r^T / pivot` for the first six coordinates, a floating base's, at fixed size: their rows
/// are stored one after the other.
#[inline]
fn update_base(r: &[f64; 6], inv_pivot: f64, base: &mut [f64; 21]) {
    for p in 0..6 {
        let share = r[p] * inv_pivot;
        let start = p * (p + 1) / 2;
        for q in 0..=p {
            base[start + q] -= share * r[q];
        }
    }
}

/// `L^T L` for `L` along the paths of a pattern, symmetric to the bit.
pub(crate) fn product(pattern: &MassPattern, values: &[f64]) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(pattern.dim(), pattern.dim());
    for k in 0..pattern.dim() {
        let row = || pattern.path(k).iter().zip(&values[pattern.row(k)]);
        for (&i, &a) in row() {
            for (&j, &b) in row() {
                matrix[(i, j)] += a * b;
            }
        }
    }
    matrix
}

/// `x <- L^-1 x` for `L` along the paths of a pattern.
#[inline]
pub(crate) fn solve_lower(pattern: &MassPattern, values: &[f64], inv_diag: &[f64], x: &mut [f64]) {
    for (i, inv) in inv_diag.iter().enumerate() {
        let row = &values[pattern.row(i)];
        let path = pattern.path(i);
        let depth = path.len() - 1;
        let mut sum = x[i];
        for (&j, &l) in path[..depth].iter().zip(row) {
            sum -= l * x[j];
        }
        x[i] = sum * inv;
    }
}

#[cfg(test)]
mod tests;
