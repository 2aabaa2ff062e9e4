//! Rows of a file, and the columns they store.

use super::error::ProblemFileError;
use super::raw::Half;
use super::seed::{Fields, List, Number, Object, Trace, Whole, fields};
use crate::mass::{MassPattern, NO_PARENT};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::sync::Arc;

/// A row over all coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Row {
    /// A value for every coordinate.
    Dense(Vec<f64>),
    /// Values of the named coordinates, all others zero.
    Sparse {
        /// Coordinates, strictly ascending.
        cols: Vec<u64>,
        /// Values.
        vals: Vec<f64>,
    },
}

/// The sparse form of a row.
#[derive(Debug, Default)]
struct Entries {
    cols: Vec<u64>,
    vals: Vec<f64>,
}

fields!(Entries, "a row", |trace| {
    cols: List(trace, Whole(trace)),
    vals: List(trace, Number(trace)),
});

/// Reads a row in either form.
#[derive(Clone, Copy)]
pub(super) struct RowOf<'t>(pub(super) &'t Trace);

impl<'de> DeserializeSeed<'de> for RowOf<'_> {
    type Value = Row;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Row, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for RowOf<'_> {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row: a list of numbers, or {\"cols\": [..], \"vals\": [..]}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Row, A::Error> {
        List(self.0, Number(self.0)).visit_seq(seq).map(Row::Dense)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Row, A::Error> {
        let Entries { cols, vals } = Object::<Entries>::new(self.0).visit_map(map)?;
        Ok(Row::Sparse { cols, vals })
    }
}

impl Row {
    /// Refuses a row that does not fit `dim` coordinates.
    pub(super) fn check(&self, name: &str, dim: usize) -> Result<(), ProblemFileError> {
        match self {
            Self::Dense(values) if values.len() == dim => Ok(()),
            Self::Dense(values) => Err(ProblemFileError::Shape {
                entry: name.to_owned(),
                found: format!("{} values", values.len()),
                wanted: format!("{dim}, one per coordinate"),
            }),
            Self::Sparse { cols, vals } if cols.len() != vals.len() => {
                Err(ProblemFileError::Shape {
                    entry: format!("{name}.vals"),
                    found: format!("{} values", vals.len()),
                    wanted: format!("{}, one per entry of cols", cols.len()),
                })
            }
            Self::Sparse { cols, .. } => {
                if cols.windows(2).any(|w| w[0] >= w[1]) {
                    let reason = "the columns must be strictly ascending";
                    return Err(ProblemFileError::value(format!("{name}.cols"), reason));
                }
                match cols.last() {
                    Some(&last) if last >= dim as u64 => Err(ProblemFileError::value(
                        format!("{name}.cols"),
                        format!("column {last} is out of range: there are {dim} coordinates"),
                    )),
                    _ => Ok(()),
                }
            }
        }
    }

    /// The value at a coordinate of a checked row.
    fn at(&self, coordinate: usize) -> f64 {
        match self {
            Self::Dense(values) => values[coordinate],
            Self::Sparse { cols, vals } => cols
                .binary_search(&(coordinate as u64))
                .map_or(0.0, |k| vals[k]),
        }
    }
}

/// The blocks of the problem: where each starts, and its sparsity.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) offsets: Vec<usize>,
    pub(super) patterns: Vec<Arc<MassPattern>>,
    pub(super) dim: usize,
}

impl Layout {
    pub(super) fn push(&mut self, pattern: Arc<MassPattern>) {
        self.offsets.push(self.dim);
        self.dim += pattern.dim();
        self.patterns.push(pattern);
    }

    /// The block of a coordinate.
    fn block_of(&self, coordinate: usize) -> usize {
        self.offsets.partition_point(|&start| start <= coordinate) - 1
    }
}

/// The part of some rows in one block, with their values.
#[derive(Debug)]
pub(super) struct OwnedHalf {
    pub(super) block: usize,
    pub(super) cols: Vec<usize>,
    pub(super) rows: Vec<Vec<f64>>,
}

/// Which columns rows take where the file does not state them: of a dense row those that are not
/// zero with all their ancestors in the tree, of a sparse row those it names. Rows without any
/// column count as rows of the block `home`.
pub(super) fn default_halves(rows: &[&Row], layout: &Layout, home: usize) -> Vec<Half> {
    let mut cols: Vec<usize> = Vec::new();
    for row in rows {
        match row {
            Row::Dense(values) => {
                let used = values.iter().enumerate().filter(|(_, x)| **x != 0.0);
                for (coordinate, _) in used {
                    let block = layout.block_of(coordinate);
                    let start = layout.offsets[block];
                    let mut local = coordinate - start;
                    while local != NO_PARENT {
                        cols.push(start + local);
                        local = layout.patterns[block].parent(local);
                    }
                }
            }
            Row::Sparse { cols: named, .. } => cols.extend(named.iter().map(|c| *c as usize)),
        }
    }
    cols.sort_unstable();
    cols.dedup();
    let mut halves: Vec<Half> = Vec::new();
    for coordinate in cols {
        let block = layout.block_of(coordinate);
        let local = (coordinate - layout.offsets[block]) as u64;
        match halves.last_mut() {
            Some(half) if half.block == block as u64 => half.columns.push(local),
            _ => halves.push(Half {
                block: block as u64,
                columns: vec![local],
            }),
        }
    }
    if halves.is_empty() && home < layout.patterns.len() {
        halves.push(Half {
            block: home as u64,
            columns: Vec::new(),
        });
    }
    halves
}

/// How rows become halves.
pub(super) struct Place<'a> {
    pub(super) layout: &'a Layout,
    /// The halves the file states.
    pub(super) stated: Option<&'a [Half]>,
    /// The block of rows that touch none.
    pub(super) home: usize,
}

/// Rows that share their columns as halves for the builder; `names` are the rows' entries.
pub(super) fn halves(
    rows: &[&Row],
    names: &[String],
    place: Place<'_>,
) -> Result<Vec<OwnedHalf>, ProblemFileError> {
    let Place {
        layout,
        stated,
        home,
    } = place;
    for (row, name) in rows.iter().zip(names) {
        row.check(name, layout.dim)?;
    }
    let halves = match stated {
        Some(stated) => {
            check_stated(rows, names, stated, layout)?;
            stated.to_vec()
        }
        None => default_halves(rows, layout, home),
    };
    if halves.len() > 2 {
        let blocks: Vec<_> = halves.iter().map(|h| h.block.to_string()).collect();
        return Err(ProblemFileError::value(
            names.join(", "),
            format!(
                "touches the mass blocks {}; a row joins two of them at most",
                blocks.join(", ")
            ),
        ));
    }
    if halves.is_empty() {
        let reason = "there is no coordinate to act on: the mass matrix is empty";
        return Err(ProblemFileError::value(names.join(", "), reason));
    }
    let own = halves.iter().map(|half| {
        let block = half.block as usize;
        let start = layout.offsets[block];
        let cols: Vec<usize> = half.columns.iter().map(|c| *c as usize).collect();
        let values = |row: &&Row| cols.iter().map(|c| row.at(start + c)).collect();
        let rows = rows.iter().map(values).collect();
        OwnedHalf { block, cols, rows }
    });
    Ok(own.collect())
}

/// Refuses halves that name what isn't there, or leave out a value of the rows.
fn check_stated(
    rows: &[&Row],
    names: &[String],
    stated: &[Half],
    layout: &Layout,
) -> Result<(), ProblemFileError> {
    let fail = |reason: String| {
        let entry = format!("halves of {}", names.join(", "));
        Err(ProblemFileError::value(entry, reason))
    };
    for half in stated {
        let Some(pattern) = usize::try_from(half.block)
            .ok()
            .and_then(|b| layout.patterns.get(b))
        else {
            let count = layout.patterns.len();
            return fail(format!("names block {}, there are {count}", half.block));
        };
        if half.columns.windows(2).any(|w| w[0] >= w[1]) {
            return fail("the columns must be strictly ascending".to_owned());
        }
        if let Some(&last) = half.columns.last()
            && last >= pattern.dim() as u64
        {
            let dim = pattern.dim();
            return fail(format!("block {} has {dim} coordinates", half.block));
        }
    }
    if stated.windows(2).any(|w| w[0].block >= w[1].block) {
        return fail("the blocks must be strictly ascending".to_owned());
    }
    let covered = |coordinate: usize| {
        let block = layout.block_of(coordinate);
        let local = (coordinate - layout.offsets[block]) as u64;
        stated
            .iter()
            .any(|h| h.block == block as u64 && h.columns.binary_search(&local).is_ok())
    };
    for row in rows {
        let stray = match row {
            Row::Dense(values) => (0..values.len()).find(|&i| values[i] != 0.0 && !covered(i)),
            Row::Sparse { cols, .. } => cols.iter().map(|c| *c as usize).find(|&i| !covered(i)),
        };
        if let Some(coordinate) = stray {
            return fail(format!(
                "the rows have a value at coordinate {coordinate}, the halves leave it out"
            ));
        }
    }
    Ok(())
}
