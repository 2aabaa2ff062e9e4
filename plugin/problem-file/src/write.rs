//! A problem as the text of a file.

use crate::blocks::Blocks;
use crate::file::{Context, FORMAT};
use crate::make::LISTS;
use crate::raw::{Each, Entries, Factor, Raw, Row, StepSettings};
use crate::rows::columns;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{Result, Write};
use stickslip_core::mass::NO_PARENT;
use stickslip_core::problem::{BlockView, ContactProblem, RowId, ScalarKind};

/// Rows are written dense up to this many values altogether; larger scenes would explode.
const DENSE_VALUES: usize = 250_000;

/// The text of a problem file, read back by [`parse_problem`](crate::parse_problem) bit for bit. The mass matrix
/// and its factor are both written: the first for readers, the second for the exact copy.
///
/// Rows are dense up to 250,000 values altogether, else sparse; so are rows whose columns the values alone don't tell.
pub fn problem_json(problem: &ContactProblem, context: &Context) -> String {
    let mut raw = Raw {
        format: Some(FORMAT),
        note: context.note.clone(),
        h: Some(problem.h()),
        v: problem.v().to_vec(),
        v_free: problem.v_free().to_vec(),
        ..Raw::default()
    };
    if context.settings.is_some() || context.model.is_some() {
        raw.settings = Some(StepSettings {
            model: context.model,
            settings: context.settings.clone(),
        });
    }
    let blocks = || (0..problem.block_count()).map(|b| problem.block(b));
    raw.M_blocks = Some(blocks().map(dense).collect());
    raw.L_blocks = Some(blocks().map(factor).collect());
    let rows = Rows {
        problem,
        blocks: Blocks::of_problem(problem),
        dense: problem.row_count().saturating_mul(problem.dim()) <= DENSE_VALUES,
    };
    contacts(&rows, &mut raw);
    scalars(&rows, &mut raw);
    let mut text = Vec::new();
    // Numbers, words and lists of them can't fail; numbers have the fewest digits that are read back as the same.
    let _ = raw.serialize(&mut Serializer::with_formatter(&mut text, Lines::default()));
    String::from_utf8(text).unwrap_or_default()
}

/// A line per field of the file, and per item of a list of lists or objects.
#[derive(Default)]
struct Lines {
    objects: usize,
    lists: usize,
}

impl Lines {
    fn begin<W: ?Sized + Write>(&self, out: &mut W, open: &[u8]) -> Result<()> {
        if self.lists == 1 {
            out.write_all(b"\n  ")?;
        }
        out.write_all(open)
    }
}

impl Formatter for Lines {
    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.begin(out, b"{")?;
        self.objects += 1;
        Ok(())
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> Result<()> {
        let comma: &[u8] = if first { b"" } else { b"," };
        out.write_all(comma)?;
        match (self.objects, first) {
            (1, _) => out.write_all(b"\n"),
            (_, true) => Ok(()),
            (_, false) => out.write_all(b" "),
        }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        out.write_all(b": ")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.objects -= 1;
        out.write_all(if self.objects == 0 { b"\n}\n" } else { b"}" })
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.begin(out, b"[")?;
        self.lists += 1;
        Ok(())
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.lists -= 1;
        out.write_all(b"]")
    }
}

/// The mass matrix of a block.
fn dense(block: BlockView<'_>) -> Vec<Vec<f64>> {
    let matrix = block.dense();
    let rows = matrix.row_iter();
    rows.map(|row| row.iter().copied().collect()).collect()
}

fn factor(block: BlockView<'_>) -> Factor {
    let parent = |i| match block.pattern.parent(i) {
        NO_PARENT => -1,
        parent => parent as i64,
    };
    Factor {
        parents: (0..block.dim()).map(parent).collect(),
        floats: block.pattern.translates() && !block.pattern.is_body(),
        L: block.values.to_vec(),
    }
}

/// Makes rows with the columns they store.
struct Rows<'a> {
    problem: &'a ContactProblem,
    blocks: Blocks<'a>,
    dense: bool,
}

impl Rows<'_> {
    /// Rows that share their columns; `home` is the block of those without columns unless they say otherwise.
    fn of<const K: usize>(&self, rows: [RowId; K], home: usize) -> [Row; K] {
        let problem = self.problem;
        let views = rows.map(|row| problem.row(row));
        let cols: Vec<usize> = views[0].iter().map(|(i, _)| i).collect();
        let mut blocks: Vec<usize> = problem.row_blocks(rows[0]).map(|b| b.0).collect();
        let mut named: Vec<usize> = cols.iter().map(|c| self.blocks.at(*c)).collect();
        named.dedup();
        if named == blocks || cols.is_empty() && blocks == [home] {
            blocks.clear();
        }
        if self.dense && blocks.is_empty() {
            let rows = views.map(|view| {
                let mut values = vec![0.0; problem.dim()];
                view.iter().for_each(|(i, x)| values[i] = x);
                Row::Dense(values)
            });
            if columns(&self.blocks, rows.iter()) == cols {
                return rows;
            }
        }
        views.map(|view| {
            Row::Sparse(Entries {
                cols: cols.clone(),
                vals: view.values.to_vec(),
                blocks: blocks.clone(),
            })
        })
    }
}

fn contacts(rows: &Rows<'_>, raw: &mut Raw) {
    let problem = rows.problem;
    let data = problem.contacts();
    for (_, each, place) in raw.numbers() {
        *each = Each::of(data.iter().map(|contact| *place(&mut contact.clone())));
    }
    if data.iter().any(|c| c.mu_across.is_some()) {
        raw.mu_across = Each::List(data.iter().map(|c| c.mu_across).collect());
    }
    let is_given = |x: &f64| x.to_bits() != 0;
    if data.iter().any(|c| c.surface_velocity.iter().any(is_given)) {
        raw.surface_velocity = data.iter().map(|c| c.surface_velocity).collect();
    }
    if data
        .iter()
        .any(|c| c.acceleration_bias.iter().any(is_given))
    {
        raw.acceleration_bias = data.iter().map(|c| c.acceleration_bias).collect();
    }
    raw.keys.contacts = data.iter().map(|c| c.key).collect();
    for c in 0..problem.contact_count() {
        let own = [0, 1, 2].map(|k| RowId(3 * c + k));
        let [n, s, t] = rows.of(own, 0);
        raw.N.push(n);
        raw.S.push(s);
        raw.T.push(t);
        if !problem.spins().is_empty() {
            let home = problem.row_blocks(own[0]).next().map_or(0, |block| block.0);
            let spin = problem.spin_rows(c).map(|spin| rows.of(spin, home));
            let [n, s, t] = spin.map_or([const { None }; 3], |rows| rows.map(Some));
            raw.A_n.push(n);
            raw.A_s.push(s);
            raw.A_t.push(t);
        }
    }
}

fn scalars(rows: &Rows<'_>, raw: &mut Raw) {
    let (mut order, mut numbers) = (Vec::new(), [const { Vec::new() }; 3]);
    for (i, &(key, kind)) in rows.problem.scalars().iter().enumerate() {
        let [row] = rows.of([rows.problem.scalar_row(i)], 0);
        let (list, own, keys, values) = match kind {
            ScalarKind::Bilateral { velocity } => {
                (0, &mut raw.J, &mut raw.keys.J, [velocity, 0.0, 0.0])
            }
            ScalarKind::Unilateral { gap } => {
                let (own, keys) = (&mut raw.limits.rows, &mut raw.keys.limits);
                (1, own, keys, [gap, 0.0, 0.0])
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } => {
                let (own, keys) = (&mut raw.bounded.rows, &mut raw.keys.bounded);
                (2, own, keys, [velocity, limit, compliance])
            }
        };
        own.push(row);
        keys.push(key);
        numbers[list].push(values);
        order.push(list);
    }
    let each = |list: usize, k: usize| Each::of(numbers[list].iter().map(|x: &[f64; 3]| x[k]));
    (raw.J_rhs, raw.limits.gap) = (each(0, 0), each(1, 0));
    (raw.bounded.velocity, raw.bounded.compliance) = (each(2, 0), each(2, 2));
    raw.bounded.limit = (!raw.bounded.rows.is_empty()).then(|| each(2, 1));
    if !order.is_sorted() {
        raw.scalar_order = order.into_iter().map(|list| LISTS[list].into()).collect();
    }
}
