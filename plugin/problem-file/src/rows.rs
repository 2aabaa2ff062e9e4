//! Rows over all coordinates and their parts in the mass blocks.

use crate::blocks::Blocks;
use crate::error::ProblemFileError as Error;
use crate::raw::Row;
use stickslip_core::problem::{BlockId, RowHalf};

/// The columns that rows take together: of a dense row those that are not zero with all their ancestors in
/// the tree, of a sparse row those it names.
pub(crate) fn columns<'a>(blocks: &Blocks<'_>, rows: impl Iterator<Item = &'a Row>) -> Vec<usize> {
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
            let block = blocks.get(blocks.at(coordinate));
            let path = block.pattern.path(coordinate - block.offset);
            cols.extend(path.iter().map(|local| block.offset + local));
        }
    }
    cols.sort_unstable();
    cols.dedup();
    cols
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
pub(crate) struct Part<const K: usize> {
    pub(crate) block: usize,
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
    pub(crate) fn half(&self) -> RowHalf<'_, K> {
        RowHalf {
            block: BlockId(self.block),
            cols: &self.cols,
            rows: self.rows.each_ref().map(|row| &row[..]),
        }
    }
}

/// Rows that share their columns, block by block; absent ones are zero. `names` are their entries, `home` is the
/// block of rows that have no columns and name no block.
pub(crate) fn parts<const K: usize>(
    rows: [Option<&Row>; K],
    names: &[String; K],
    all: &Blocks<'_>,
    home: usize,
) -> Result<Vec<Part<K>>, Error> {
    for (row, name) in rows.iter().zip(names) {
        row.map_or(Ok(()), |row| row.check(name, all.dim()))?;
    }
    let given = || rows.into_iter().flatten();
    let mut parts: Vec<Part<K>> = Vec::new();
    for coordinate in columns(all, given()) {
        let block = all.at(coordinate);
        if parts.last().is_none_or(|last| last.block != block) {
            parts.push(Part::empty(block));
        }
        let Some(part) = parts.last_mut() else {
            continue;
        };
        part.cols.push(coordinate - all.get(block).offset);
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
        let count = all.count();
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
