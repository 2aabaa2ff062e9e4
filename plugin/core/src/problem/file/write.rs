//! A problem as the text of a file.

use super::make::{LISTS, NUMBERS};
use super::raw::{Entries, Factor, Row};
use super::rows::Layout;
use super::{Context, FORMAT};
use crate::mass::NO_PARENT;
use crate::problem::{ContactProblem, Group, NO_BLOCK, ScalarKind};
use crate::settings::{ModelName, ModelSettings};
use serde::Serialize;
use std::fmt::Write as _;

/// Rows are written dense up to this many values altogether; larger scenes would explode.
const DENSE_VALUES: usize = 250_000;

/// The text of a problem file, read back by [`super::parse_problem`] bit for bit. The mass matrix
/// and its factor are both written: the first for readers, the second for the exact copy.
///
/// Rows are dense up to 250,000 values altogether, else sparse; so are rows whose columns the values alone don't tell.
pub fn problem_json(problem: &ContactProblem, context: &Context) -> String {
    let mut text = Text("{".to_owned());
    text.field("format", &FORMAT);
    if let Some(note) = &context.note {
        text.field("note", note);
    }
    if context.settings.is_some() || context.model.is_some() {
        let settings = Settings {
            model: context.model.map(ModelName::as_str),
            settings: context.settings.as_ref(),
        };
        text.field("settings", &settings);
    }
    text.field("h", &problem.h);
    blocks(problem, &mut text);
    text.field("v", &problem.v);
    text.field("v_free", &problem.v_free);
    let rows = Rows {
        problem,
        layout: Layout::new(problem.blocks.iter().map(|block| block.pattern.clone())),
        dense: problem.row_count().saturating_mul(problem.dim()) <= DENSE_VALUES,
    };
    contacts(problem, &rows, &mut text);
    scalars(problem, &rows, &mut text);
    text.0 += "\n}\n";
    text.0
}

/// The settings with the model's name in front.
#[derive(Serialize)]
struct Settings<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'static str>,
    #[serde(flatten)]
    settings: Option<&'a ModelSettings>,
}

/// The object of the whole file: a field per line.
struct Text(String);

/// Numbers, words and objects of them can't fail. Numbers have the fewest digits that are read back as the same.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

impl Text {
    fn text(&mut self, name: &str, value: &str) {
        self.0 += if self.0.len() == 1 { "\n" } else { ",\n" };
        // Writing to a string can't fail.
        let _ = write!(self.0, "\"{name}\": {value}");
    }

    fn field(&mut self, name: &str, value: &impl Serialize) {
        self.text(name, &json(value));
    }

    /// A list with an item per line.
    fn lines(&mut self, name: &str, items: &[impl Serialize]) {
        self.text(name, &lines(items));
    }

    /// An object of fields.
    fn object(&mut self, name: &str, fields: &[(&str, String)]) {
        let fields = fields.iter().map(|(n, v)| format!("\"{n}\": {v}"));
        self.text(
            name,
            &format!("{{{}}}", fields.collect::<Vec<_>>().join(", ")),
        );
    }

    /// Values, unless all are what an absent field stands for.
    fn values<const K: usize>(&mut self, name: &str, values: &[[f64; K]], json: String) {
        if !values.iter().flatten().all(|x| x.to_bits() == 0) {
            self.text(name, &json);
        }
    }
}

fn lines(items: &[impl Serialize]) -> String {
    let items: Vec<_> = items.iter().map(json).collect();
    format!("[\n  {}]", items.join(",\n  "))
}

fn blocks(problem: &ContactProblem, text: &mut Text) {
    let views = || (0..problem.block_count()).map(|b| problem.block(b));
    let dense = views().map(|block| {
        let dim = block.dim();
        let mut rows = vec![vec![0.0; dim]; dim];
        for (i, row) in rows.iter_mut().enumerate() {
            let mut unit = vec![0.0; dim];
            unit[i] = 1.0;
            block.add_momentum(&unit, row);
        }
        // Symmetric to the bit: the upper triangle is the lower one's mirror.
        let at = |i: usize, j: usize| rows[i.max(j)][i.min(j)];
        let mirrored = (0..dim).map(|i| (0..dim).map(|j| at(i, j)).collect());
        mirrored.collect::<Vec<Vec<f64>>>()
    });
    text.lines("M_blocks", &dense.collect::<Vec<_>>());
    let factors = views().map(|block| {
        let parent = |i| match block.pattern.parent(i) {
            NO_PARENT => -1,
            parent => parent as i64,
        };
        Factor {
            parents: (0..block.dim()).map(parent).collect(),
            L: block.values.to_vec(),
        }
    });
    text.lines("L_blocks", &factors.collect::<Vec<_>>());
}

/// Makes rows with the columns they store.
struct Rows<'a> {
    problem: &'a ContactProblem,
    layout: Layout,
    dense: bool,
}

impl Rows<'_> {
    /// The rows of a group; `home` is the block of those without columns unless they say otherwise.
    fn of<const K: usize>(&self, group: &Group, home: u32) -> [Row; K] {
        let views: [_; K] = std::array::from_fn(|k| self.problem.group_row(group, k));
        let cols: Vec<usize> = views[0].iter().map(|(i, _)| i).collect();
        let own = group.blocks.into_iter().filter(|b| *b != NO_BLOCK);
        let mut blocks: Vec<usize> = own.map(|b| b as usize).collect();
        let mut named: Vec<usize> = cols.iter().map(|c| self.layout.block_of(*c)).collect();
        named.dedup();
        if named == blocks || cols.is_empty() && blocks == [home as usize] {
            blocks.clear();
        }
        if self.dense && blocks.is_empty() {
            let rows = views.map(|view| {
                let mut values = vec![0.0; self.problem.dim()];
                view.iter().for_each(|(i, x)| values[i] = x);
                Row::Dense(values)
            });
            if self.layout.columns(rows.iter()) == cols {
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

fn contacts(problem: &ContactProblem, rows: &Rows<'_>, text: &mut Text) {
    let data = &problem.contacts;
    if data.is_empty() {
        return;
    }
    let own = problem
        .contact_groups
        .iter()
        .map(|group| rows.of::<3>(group, 0));
    let own: Vec<_> = own.collect();
    for (k, name) in ["N", "S", "T"].into_iter().enumerate() {
        text.lines(name, &own.iter().map(|rows| &rows[k]).collect::<Vec<_>>());
    }
    for (name, place) in NUMBERS {
        let values: Vec<f64> = data.iter().map(|c| *place(&mut c.clone())).collect();
        text.values(name, values.as_chunks::<1>().0, json(&values));
    }
    let across: Vec<_> = data.iter().map(|c| c.mu_across).collect();
    if across.iter().any(Option::is_some) {
        text.field("mu_across", &across);
    }
    let surface: Vec<_> = data.iter().map(|c| c.surface_velocity).collect();
    text.values("surface_velocity", &surface, json(&surface));
    let bias: Vec<_> = data.iter().map(|c| c.acceleration_bias).collect();
    text.values("acceleration_bias", &bias, json(&bias));
    if !problem.spins.is_empty() {
        let spin = |c: usize| {
            let spin = problem.spins.binary_search(&(c as u32)).ok()?;
            let home = problem.contact_groups[c].blocks[0];
            Some(rows.of::<3>(&problem.spin_groups[spin], home))
        };
        let spins: Vec<_> = (0..data.len()).map(spin).collect();
        for (k, name) in ["A_n", "A_s", "A_t"].into_iter().enumerate() {
            let list: Vec<_> = spins
                .iter()
                .map(|rows| rows.as_ref().map(|r| &r[k]))
                .collect();
            text.lines(name, &list);
        }
    }
}

fn scalars(problem: &ContactProblem, rows: &Rows<'_>, text: &mut Text) {
    let mut keys = Vec::new();
    if !problem.contacts.is_empty() {
        let own: Vec<u64> = problem.contacts.iter().map(|c| c.key).collect();
        keys.push(("contacts", json(&own)));
    }
    let list_of = |kind: ScalarKind| match kind {
        ScalarKind::Bilateral { .. } => 0,
        ScalarKind::Unilateral { .. } => 1,
        ScalarKind::Bounded { .. } => 2,
    };
    for (k, name) in LISTS.into_iter().enumerate() {
        let own = problem.scalars.iter().zip(&problem.scalar_groups);
        let own: Vec<_> = own.filter(|(scalar, _)| list_of(scalar.1) == k).collect();
        if own.is_empty() {
            continue;
        }
        let numbers = own.iter().map(|(scalar, _)| match scalar.1 {
            ScalarKind::Bilateral { velocity } => [velocity, 0.0, 0.0],
            ScalarKind::Unilateral { gap } => [gap, 0.0, 0.0],
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } => [velocity, limit, compliance],
        });
        let numbers: Vec<[f64; 3]> = numbers.collect();
        let value = |i: usize| json(&numbers.iter().map(|x| x[i]).collect::<Vec<_>>());
        let list: Vec<_> = own
            .iter()
            .map(|(_, group)| rows.of::<1>(group, 0))
            .collect();
        let list = lines(&list.iter().map(|[row]| row).collect::<Vec<_>>());
        match k {
            0 => {
                text.text(name, &list);
                text.text("J_rhs", &value(0));
            }
            1 => text.object(name, &[("rows", list), ("gap", value(0))]),
            _ => {
                let numbers = [("velocity", value(0)), ("limit", value(1))];
                let [velocity, limit] = numbers;
                let fields = [("rows", list), velocity, limit, ("compliance", value(2))];
                text.object(name, &fields);
            }
        }
        let own: Vec<u64> = own.iter().map(|(scalar, _)| scalar.0).collect();
        keys.push((name, json(&own)));
    }
    let order: Vec<usize> = problem.scalars.iter().map(|s| list_of(s.1)).collect();
    if !order.is_sorted() {
        let words: Vec<_> = order.iter().map(|k| LISTS[*k]).collect();
        text.field("scalar_order", &words);
    }
    if !keys.is_empty() {
        text.object("keys", &keys);
    }
}
