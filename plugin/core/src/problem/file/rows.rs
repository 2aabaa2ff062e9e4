//! Rows over all coordinates and their parts in the mass blocks.

use super::ProblemFileError as Error;
use super::raw::Row;
use crate::mass::{MassPattern, NO_PARENT};
use crate::problem::{BlockId, RowHalf};
use std::ops::Range;
use std::sync::Arc;

/// The blocks of the problem: where each starts, and its sparsity.
#[derive(Debug)]
pub(super) struct Layout {
    offsets: Vec<usize>,
    patterns: Vec<Arc<MassPattern>>,
    pub(super) dim: usize,
}

impl Layout {
    pub(super) fn new(patterns: impl Iterator<Item = Arc<MassPattern>>) -> Self {
        let patterns: Vec<_> = patterns.collect();
        let mut dim = 0;
        let offsets = patterns.iter().map(|pattern| {
            let start = dim;
            dim += pattern.dim();
            start
        });
        let offsets = offsets.collect();
        Self {
            offsets,
            patterns,
            dim,
        }
    }

    /// The coordinates of each block.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let blocks = self.offsets.iter().zip(&self.patterns);
        blocks.map(|(&start, pattern)| start..start + pattern.dim())
    }

    /// The block of a coordinate.
    pub(super) fn block_of(&self, coordinate: usize) -> usize {
        self.offsets.partition_point(|&start| start <= coordinate) - 1
    }

    /// The columns that rows take together: of a dense row those that are not zero with all their ancestors in
    /// the tree, of a sparse row those it names.
    pub(super) fn columns<'a>(&self, rows: impl Iterator<Item = &'a Row>) -> Vec<usize> {
        let mut cols: Vec<usize> = Vec::new();
        for row in rows {
            let values = match row {
                Row::Sparse(entries) => {
                    cols.extend(&entries.cols);
                    continue;
                }
                Row::Dense(values) => values.iter().enumerate(),
            };
            for (coordinate, _) in values.filter(|(_, x)| **x != 0.0) {
                let block = self.block_of(coordinate);
                let start = self.offsets[block];
                let mut local = coordinate - start;
                while local != NO_PARENT {
                    cols.push(start + local);
                    local = self.patterns[block].parent(local);
                }
            }
        }
        cols.sort_unstable();
        cols.dedup();
        cols
    }
}

impl Row {
    /// Refuses a row that does not fit the coordinates.
    fn check(&self, name: &str, dim: usize) -> Result<(), Error> {
        let length = |entry: String, found: usize, wanted: usize, each: &str| {
            let reason = format!("has {found} values, wants {wanted}, one per {each}");
            Err(Error::entry(entry, reason))
        };
        match self {
            Self::Dense(values) if values.len() == dim => Ok(()),
            Self::Dense(values) => length(name.to_owned(), values.len(), dim, "coordinate"),
            Self::Sparse(row) if row.cols.len() != row.vals.len() => {
                let (found, wanted) = (row.vals.len(), row.cols.len());
                length(format!("{name}.vals"), found, wanted, "entry of cols")
            }
            Self::Sparse(row) if row.cols.windows(2).any(|w| w[0] >= w[1]) => {
                let reason = "the columns must be strictly ascending";
                Err(Error::entry(format!("{name}.cols"), reason))
            }
            Self::Sparse(row) => match row.cols.last() {
                Some(&last) if last >= dim => Err(Error::entry(
                    format!("{name}.cols"),
                    format!("column {last} is out of range: there are {dim} coordinates"),
                )),
                _ => Ok(()),
            },
        }
    }

    /// The value at a coordinate of a checked row.
    fn at(&self, coordinate: usize) -> f64 {
        match self {
            Self::Dense(values) => values[coordinate],
            Self::Sparse(row) => {
                let at = row.cols.binary_search(&coordinate);
                at.map_or(0.0, |k| row.vals[k])
            }
        }
    }
}

/// The part of `K` rows in one block.
#[derive(Debug)]
pub(super) struct Part<const K: usize> {
    pub(super) block: usize,
    cols: Vec<usize>,
    rows: [Vec<f64>; K],
}

impl<const K: usize> Part<K> {
    fn empty(block: usize) -> Self {
        Self {
            block,
            cols: Vec::new(),
            rows: std::array::from_fn(|_| Vec::new()),
        }
    }

    /// For the builder.
    pub(super) fn half(&self) -> RowHalf<'_, K> {
        RowHalf {
            block: BlockId(self.block),
            cols: &self.cols,
            rows: self.rows.each_ref().map(|row| &row[..]),
        }
    }
}

/// Rows that share their columns, block by block; absent ones are zero. `names` are their entries, `home` is the
/// block of rows that have no columns and name no block.
pub(super) fn parts<const K: usize>(
    rows: [Option<&Row>; K],
    names: &[String; K],
    (layout, home): (&Layout, usize),
) -> Result<Vec<Part<K>>, Error> {
    for (row, name) in rows.iter().zip(names) {
        row.map_or(Ok(()), |row| row.check(name, layout.dim))?;
    }
    let given = || rows.into_iter().flatten();
    let mut parts: Vec<Part<K>> = Vec::new();
    for coordinate in layout.columns(given()) {
        let block = layout.block_of(coordinate);
        if parts.last().is_none_or(|last| last.block != block) {
            parts.push(Part::empty(block));
        }
        let Some(part) = parts.last_mut() else {
            continue;
        };
        part.cols.push(coordinate - layout.offsets[block]);
        for (values, row) in part.rows.iter_mut().zip(rows) {
            values.push(row.map_or(0.0, |row| row.at(coordinate)));
        }
    }
    let mut blocks: Vec<usize> = Vec::new();
    for row in given() {
        if let Row::Sparse(entries) = row {
            blocks.extend(&entries.blocks);
        }
    }
    if parts.is_empty() && blocks.is_empty() {
        blocks.push(home);
    }
    for block in blocks {
        let count = layout.patterns.len();
        if block >= count {
            let reason = match count {
                0 => "there is no coordinate to act on: the mass matrix is empty".to_owned(),
                count => format!("names block {block}, there are {count}"),
            };
            return Err(Error::entry(names.join(", "), reason));
        }
        if let Err(at) = parts.binary_search_by_key(&block, |part| part.block) {
            parts.insert(at, Part::empty(block));
        }
    }
    if parts.len() > 2 {
        let blocks: Vec<_> = parts.iter().map(|part| part.block.to_string()).collect();
        let reason = format!(
            "touches the mass blocks {}; a row joins two of them at most",
            blocks.join(", ")
        );
        return Err(Error::entry(names.join(", "), reason));
    }
    Ok(parts)
}
