//! A problem as the text of a file.

use super::raw::{CONTACT_ROWS, Half, NUMBERS, SPIN_ROWS};
use super::rows::{Layout, Row, default_halves};
use super::scalars::LISTS;
use super::{Context, FORMAT, settings};
use crate::mass::NO_PARENT;
use crate::problem::{ContactData, ContactProblem, Group, NO_BLOCK, ScalarKind};
use std::fmt::Write as _;

/// Rows are written dense up to this many values altogether; larger scenes would explode.
const DENSE_VALUES: usize = 250_000;

/// The text of a problem file, read back by [`super::parse_problem`] bit for bit. The mass matrix
/// and its factor are both written: the first for readers, the second for the exact copy.
///
/// Rows are dense up to 250,000 values altogether, else sparse.
pub fn problem_json(problem: &ContactProblem, context: &Context) -> String {
    let mut text = Text::new();
    text.field("format", &FORMAT.to_string());
    if let Some(note) = &context.note {
        // Text can't fail.
        text.field("note", &serde_json::to_string(note).unwrap_or_default());
    }
    match (&context.settings, context.model) {
        (Some(own), model) => text.field("settings", &settings::to_json(model, own)),
        (None, Some(model)) => text.field("settings", &format!("{{\"model\":\"{model}\"}}")),
        (None, None) => {}
    }
    text.field("h", &number(problem.h));
    blocks(problem, &mut text);
    text.field("v", &numbers(&problem.v));
    text.field("v_free", &numbers(&problem.v_free));
    let writer = Rows::new(problem);
    let mut halves = Vec::new();
    contacts(problem, &writer, &mut text, &mut halves);
    scalars(problem, &writer, &mut text, &mut halves);
    if !halves.is_empty() {
        text.field("halves", &object(&halves));
    }
    text.end()
}

/// The object of the whole file: a field per line.
struct Text(String);

impl Text {
    fn new() -> Self {
        Self("{".to_owned())
    }

    fn field(&mut self, name: &str, value: &str) {
        self.0 += if self.0.len() == 1 { "\n" } else { ",\n" };
        // Writing to a string can't fail.
        let _ = write!(self.0, "\"{name}\": {value}");
    }

    fn end(mut self) -> String {
        self.0 += "\n}\n";
        self.0
    }
}

/// The shortest text that is read back as the same number.
fn number(x: f64) -> String {
    format!("{x:?}")
}

fn list(items: impl Iterator<Item = String>) -> String {
    let mut text = "[".to_owned();
    for (i, item) in items.enumerate() {
        if i > 0 {
            text.push(',');
        }
        text += &item;
    }
    text.push(']');
    text
}

/// A list with an item per line.
fn lines(items: impl Iterator<Item = String>) -> String {
    let mut text = "[".to_owned();
    for (i, item) in items.enumerate() {
        text += if i > 0 { ",\n  " } else { "\n  " };
        text += &item;
    }
    text.push(']');
    text
}

fn numbers(x: &[f64]) -> String {
    list(x.iter().map(|x| number(*x)))
}

fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<_> = fields
        .iter()
        .map(|(n, v)| format!("\"{n}\": {v}"))
        .collect();
    format!("{{{}}}", fields.join(", "))
}

fn blocks(problem: &ContactProblem, text: &mut Text) {
    let views = || (0..problem.block_count()).map(|b| problem.block(b));
    let dense = |b: crate::problem::BlockView<'_>| {
        let dim = b.dim();
        let mut unit = vec![0.0; dim];
        let rows = (0..dim).map(|i| {
            unit.fill(0.0);
            unit[i] = 1.0;
            let mut row = vec![0.0; dim];
            b.add_momentum(&unit, &mut row);
            row
        });
        let rows: Vec<Vec<f64>> = rows.collect();
        // Symmetric to the bit: the upper triangle is the lower one's mirror.
        let at = |i: usize, j: usize| rows[i.max(j)][i.min(j)];
        list((0..dim).map(|i| list((0..dim).map(|j| number(at(i, j))))))
    };
    text.field("M_blocks", &lines(views().map(dense)));
    let factor = views().map(|b| {
        let parents = (0..b.dim()).map(|i| match b.pattern.parent(i) {
            NO_PARENT => "-1".to_owned(),
            parent => parent.to_string(),
        });
        object(&[("parents", list(parents)), ("L", numbers(b.values))])
    });
    text.field("L_blocks", &lines(factor));
}

/// Writes rows with the columns they store.
struct Rows<'a> {
    problem: &'a ContactProblem,
    layout: Layout,
    dense: bool,
}

impl<'a> Rows<'a> {
    fn new(problem: &'a ContactProblem) -> Self {
        let mut layout = Layout::default();
        for b in 0..problem.block_count() {
            layout.push(problem.blocks[b].pattern.clone());
        }
        let values = problem.row_count().saturating_mul(problem.dim());
        Self {
            problem,
            layout,
            dense: values <= DENSE_VALUES,
        }
    }

    fn row(&self, group: &Group, k: usize) -> Row {
        let view = self.problem.group_row(group, k);
        if self.dense {
            let mut values = vec![0.0; self.problem.dim()];
            for (i, x) in view.iter() {
                values[i] = x;
            }
            Row::Dense(values)
        } else {
            let (cols, vals) = view.iter().map(|(i, x)| (i as u64, x)).unzip();
            Row::Sparse { cols, vals }
        }
    }

    fn text(row: &Row) -> String {
        match row {
            Row::Dense(values) => numbers(values),
            Row::Sparse { cols, vals } => {
                let cols = list(cols.iter().map(u64::to_string));
                object(&[("cols", cols), ("vals", numbers(vals))])
            }
        }
    }

    /// The columns of a group, where the rows alone would not tell them.
    fn halves(&self, group: &Group, rows: &[Row], home: usize) -> Option<Vec<Half>> {
        let runs = self.problem.group_runs(group);
        let (first, second) = runs.split_at(group.split as usize);
        let sides = [(group.blocks[0], first), (group.blocks[1], second)];
        let own: Vec<Half> = sides
            .into_iter()
            .filter(|(block, _)| *block != NO_BLOCK)
            .map(|(block, runs)| {
                let start = self.layout.offsets[block as usize];
                let local = runs.iter().flat_map(|run| run.range());
                Half {
                    block: u64::from(block),
                    columns: local.map(|i| (i - start) as u64).collect(),
                }
            })
            .collect();
        let rows: Vec<&Row> = rows.iter().collect();
        (own != default_halves(&rows, &self.layout, home)).then_some(own)
    }

    /// Rows `0..K` of groups as `K` lists, and the columns where needed. Each group comes with the
    /// block that its rows belong to if they touch none.
    fn groups<'g, const K: usize>(
        &self,
        groups: impl Iterator<Item = Option<(&'g Group, usize)>>,
    ) -> Lists<K> {
        let mut out = Lists {
            rows: std::array::from_fn(|_| Vec::new()),
            halves: Vec::new(),
        };
        for group in groups {
            let Some((group, home)) = group else {
                out.rows
                    .iter_mut()
                    .for_each(|list| list.push("null".to_owned()));
                out.halves.push(None);
                continue;
            };
            let rows: [Row; K] = std::array::from_fn(|k| self.row(group, k));
            for (texts, row) in out.rows.iter_mut().zip(&rows) {
                texts.push(Self::text(row));
            }
            out.halves.push(self.halves(group, &rows, home));
        }
        out
    }
}

/// Rows of some groups as text.
struct Lists<const K: usize> {
    rows: [Vec<String>; K],
    halves: Vec<Option<Vec<Half>>>,
}

impl<const K: usize> Lists<K> {
    fn field(&mut self, k: usize, name: &str, text: &mut Text) {
        text.field(name, &lines(std::mem::take(&mut self.rows[k]).into_iter()));
    }

    fn note_halves(&self, name: &'static str, to: &mut Vec<(&'static str, String)>) {
        if self.halves.iter().all(Option::is_none) {
            return;
        }
        let half = |half: &Half| {
            let columns = list(half.columns.iter().map(u64::to_string));
            object(&[("block", half.block.to_string()), ("columns", columns)])
        };
        let entry = |halves: &Option<Vec<Half>>| match halves {
            None => "null".to_owned(),
            Some(halves) => list(halves.iter().map(half)),
        };
        to.push((name, list(self.halves.iter().map(entry))));
    }
}

/// Whether a number is the one an absent field stands for.
fn is_default(x: f64) -> bool {
    x.to_bits() == 0
}

fn contacts(
    problem: &ContactProblem,
    writer: &Rows<'_>,
    text: &mut Text,
    halves: &mut Vec<(&'static str, String)>,
) {
    let data = &problem.contacts;
    if data.is_empty() {
        return;
    }
    let mut rows = writer.groups::<3>(problem.contact_groups.iter().map(|g| Some((g, 0))));
    for (k, name) in CONTACT_ROWS.into_iter().enumerate() {
        rows.field(k, name, text);
    }
    rows.note_halves("contacts", halves);
    type Get = fn(&ContactData) -> f64;
    let get: [Get; NUMBERS.len()] = [
        |c| c.phi,
        |c| c.mu,
        |c| c.mu_viscous,
        |c| c.restitution,
        |c| c.mu_torsional,
        |c| c.mu_rolling,
        |c| c.compliance,
        |c| c.normal_drift,
        |c| c.impact_velocity,
    ];
    for (name, get) in NUMBERS.into_iter().zip(get) {
        let values: Vec<f64> = data.iter().map(get).collect();
        if !values.iter().copied().all(is_default) {
            text.field(name, &numbers(&values));
        }
    }
    if data.iter().any(|c| c.mu_across.is_some()) {
        let across = data.iter().map(|c| c.mu_across);
        let across = across.map(|mu| mu.map_or_else(|| "null".to_owned(), number));
        text.field("mu_across", &list(across));
    }
    vectors(text, "surface_velocity", data, |c| &c.surface_velocity);
    vectors(text, "acceleration_bias", data, |c| &c.acceleration_bias);
    if !problem.spins.is_empty() {
        let group = |c: usize| {
            let spin = problem.spins.binary_search(&(c as u32)).ok()?;
            let home = problem.contact_groups[c].blocks[0] as usize;
            Some((&problem.spin_groups[spin], home))
        };
        let mut rows = writer.groups::<3>((0..data.len()).map(group));
        for (k, name) in SPIN_ROWS.into_iter().enumerate() {
            rows.field(k, name, text);
        }
        rows.note_halves("spins", halves);
    }
}

fn vectors(
    text: &mut Text,
    name: &str,
    data: &[ContactData],
    get: impl Fn(&ContactData) -> &[f64],
) {
    if !data.iter().all(|c| get(c).iter().copied().all(is_default)) {
        text.field(name, &list(data.iter().map(|c| numbers(get(c)))));
    }
}

fn scalars(
    problem: &ContactProblem,
    writer: &Rows<'_>,
    text: &mut Text,
    halves: &mut Vec<(&'static str, String)>,
) {
    let mut keys = Vec::new();
    if !problem.contacts.is_empty() {
        let contact_keys = problem.contacts.iter().map(|c| c.key.to_string());
        keys.push(("contacts", list(contact_keys)));
    }
    let list_of = |kind: ScalarKind| match kind {
        ScalarKind::Bilateral { .. } => 0,
        ScalarKind::Unilateral { .. } => 1,
        ScalarKind::Bounded { .. } => 2,
    };
    for (k, name) in LISTS.into_iter().enumerate() {
        let own = problem.scalars.iter().zip(&problem.scalar_groups);
        let own: Vec<_> = own.filter(|(s, _)| list_of(s.1) == k).collect();
        if own.is_empty() {
            continue;
        }
        let rows = writer.groups::<1>(own.iter().map(|(_, group)| Some((*group, 0))));
        rows.note_halves(name, halves);
        keys.push((name, list(own.iter().map(|(s, _)| s.0.to_string()))));
        let Lists { rows: [rows], .. } = rows;
        let rows = lines(rows.into_iter());
        let value = |get: fn(ScalarKind) -> f64| {
            let values: Vec<f64> = own.iter().map(|(s, _)| get(s.1)).collect();
            numbers(&values)
        };
        let velocity = |kind| match kind {
            ScalarKind::Bilateral { velocity } | ScalarKind::Bounded { velocity, .. } => velocity,
            ScalarKind::Unilateral { gap } => gap,
        };
        match k {
            0 => {
                text.field(name, &rows);
                text.field("J_rhs", &value(velocity));
            }
            1 => text.field(name, &object(&[("rows", rows), ("gap", value(velocity))])),
            _ => {
                let limit = value(|kind| match kind {
                    ScalarKind::Bounded { limit, .. } => limit,
                    _ => 0.0,
                });
                let compliance = value(|kind| match kind {
                    ScalarKind::Bounded { compliance, .. } => compliance,
                    _ => 0.0,
                });
                let fields = [
                    ("rows", rows),
                    ("velocity", value(velocity)),
                    ("limit", limit),
                    ("compliance", compliance),
                ];
                text.field(name, &object(&fields));
            }
        }
    }
    let order: Vec<usize> = problem.scalars.iter().map(|s| list_of(s.1)).collect();
    if !order.is_sorted() {
        let words = order.iter().map(|k| format!("\"{}\"", LISTS[*k]));
        text.field("scalar_order", &list(words));
    }
    if !keys.is_empty() {
        text.field("keys", &object(&keys));
    }
}
