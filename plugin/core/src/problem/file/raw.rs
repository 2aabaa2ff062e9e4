//! The text of a problem file as lists of numbers, not yet a problem.
#![allow(non_snake_case, reason = "the letters of the literature")]

use super::error::ProblemFileError;
use super::rows::{Row, RowOf};
use super::seed::{
    Each, EachOf, Fields, List, Number, Object, OrNull, Parent, Trace, Whole, Word, fields,
};
use super::settings::StepSettings;
use serde::de::{DeserializeSeed, MapAccess};

/// The factor of one mass block.
#[derive(Debug, Default)]
pub(super) struct Factor {
    pub(super) parents: Option<Vec<Option<u64>>>,
    pub(super) L: Option<Vec<f64>>,
}

fields!(Factor, "a factor", |trace| {
    parents: List(trace, Parent(trace)),
    L: List(trace, Number(trace)),
});

/// Scalar rows of one kind.
#[derive(Debug, Default)]
pub(super) struct Scalars {
    pub(super) rows: Option<Vec<Row>>,
    pub(super) gap: Option<Each<f64>>,
    pub(super) velocity: Option<Each<f64>>,
    pub(super) limit: Option<Each<f64>>,
    pub(super) compliance: Option<Each<f64>>,
}

/// One-sided rows.
#[derive(Debug, Default)]
pub(super) struct Limits(pub(super) Scalars);

fields!(Limits, "limits", |trace| .0 {
    rows: List(trace, RowOf(trace)),
    gap: EachOf(trace, Number(trace)),
});

/// Rows with a bound on their impulse.
#[derive(Debug, Default)]
pub(super) struct Bounded(pub(super) Scalars);

fields!(Bounded, "bounded", |trace| .0 {
    rows: List(trace, RowOf(trace)),
    velocity: EachOf(trace, Number(trace)),
    limit: EachOf(trace, Number(trace)),
    compliance: EachOf(trace, Number(trace)),
});

/// The rows' names for the warm start.
#[derive(Debug, Default)]
pub(super) struct Keys {
    pub(super) contacts: Option<Vec<u64>>,
    pub(super) J: Option<Vec<u64>>,
    pub(super) limits: Option<Vec<u64>>,
    pub(super) bounded: Option<Vec<u64>>,
}

fields!(Keys, "keys", |trace| {
    contacts: List(trace, Whole(trace)),
    J: List(trace, Whole(trace)),
    limits: List(trace, Whole(trace)),
    bounded: List(trace, Whole(trace)),
});

/// The part of a row that lies in one block.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Half {
    pub(super) block: u64,
    pub(super) columns: Vec<u64>,
}

fields!(Half, "a half of a row", |trace| {
    block: Whole(trace),
    columns: List(trace, Whole(trace)),
});

/// Halves of each row, where the file states them.
pub(super) type HalfLists = Vec<Option<Vec<Half>>>;

/// The columns the rows store.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) contacts: Option<HalfLists>,
    pub(super) spins: Option<HalfLists>,
    pub(super) J: Option<HalfLists>,
    pub(super) limits: Option<HalfLists>,
    pub(super) bounded: Option<HalfLists>,
}

fn half_lists(trace: &Trace) -> List<'_, OrNull<List<'_, Object<'_, Half>>>> {
    List(trace, OrNull(List(trace, Object::new(trace))))
}

fields!(Columns, "halves", |trace| {
    contacts: half_lists(trace),
    spins: half_lists(trace),
    J: half_lists(trace),
    limits: half_lists(trace),
    bounded: half_lists(trace),
});

/// Everything a file may say.
#[derive(Debug, Default)]
pub(super) struct Raw {
    pub(super) format: Option<u64>,
    pub(super) note: Option<String>,
    pub(super) settings: Option<StepSettings>,
    pub(super) h: Option<f64>,
    pub(super) M: Option<Vec<Vec<f64>>>,
    pub(super) M_blocks: Option<Vec<Vec<Vec<f64>>>>,
    pub(super) L_blocks: Option<Vec<Factor>>,
    pub(super) v: Option<Vec<f64>>,
    pub(super) f: Option<Vec<f64>>,
    pub(super) v_free: Option<Vec<f64>>,
    /// `N`, `S`, `T`.
    pub(super) contact_rows: [Option<Vec<Row>>; 3],
    /// `A_n`, `A_s`, `A_t`.
    pub(super) spin_rows: [Option<Vec<Option<Row>>>; 3],
    /// The numbers of [`NUMBERS`], in its order.
    pub(super) numbers: [Option<Each<f64>>; NUMBERS.len()],
    pub(super) mu_across: Option<Each<Option<f64>>>,
    pub(super) surface_velocity: Option<Vec<Vec<f64>>>,
    pub(super) acceleration_bias: Option<Vec<Vec<f64>>>,
    pub(super) J: Option<Vec<Row>>,
    pub(super) J_rhs: Option<Each<f64>>,
    pub(super) limits: Limits,
    pub(super) bounded: Bounded,
    pub(super) scalar_order: Option<Vec<String>>,
    pub(super) keys: Keys,
    pub(super) halves: Columns,
}

/// The contacts' numbers.
pub(super) const NUMBERS: [&str; 9] = [
    "phi",
    "mu",
    "mu_viscous",
    "restitution",
    "mu_torsional",
    "mu_rolling",
    "compliance",
    "normal_drift",
    "impact_velocity",
];
pub(super) const CONTACT_ROWS: [&str; 3] = ["N", "S", "T"];
pub(super) const SPIN_ROWS: [&str; 3] = ["A_n", "A_s", "A_t"];

impl Fields for Raw {
    const KNOWN: &'static [&'static str] = &[
        "h",
        "M",
        "M_blocks",
        "v",
        "f",
        "v_free",
        "N",
        "S",
        "T",
        "J",
        "J_rhs",
        "phi",
        "mu",
        "mu_viscous",
        "restitution",
        "mu_across",
        "mu_torsional",
        "mu_rolling",
        "A_n",
        "A_s",
        "A_t",
        "compliance",
        "surface_velocity",
        "normal_drift",
        "impact_velocity",
        "acceleration_bias",
        "limits",
        "bounded",
        "scalar_order",
        "keys",
        "halves",
        "L_blocks",
        "settings",
        "format",
        "note",
    ];
    const WHAT: &'static str = "a contact problem";

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        name: &'static str,
        trace: &Trace,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let numbers = List(trace, Number(trace));
        let matrix = List(trace, numbers);
        let row = RowOf(trace);
        let place = |names: &[&str]| names.iter().position(|n| *n == name);
        if let Some(k) = place(&NUMBERS) {
            self.numbers[k] = Some(map.next_value_seed(EachOf(trace, Number(trace)))?);
            return Ok(());
        }
        if let Some(k) = place(&CONTACT_ROWS) {
            self.contact_rows[k] = Some(map.next_value_seed(List(trace, row))?);
            return Ok(());
        }
        if let Some(k) = place(&SPIN_ROWS) {
            self.spin_rows[k] = Some(map.next_value_seed(List(trace, OrNull(row)))?);
            return Ok(());
        }
        match name {
            "h" => self.h = Some(map.next_value_seed(Number(trace))?),
            "M" => self.M = Some(map.next_value_seed(matrix)?),
            "M_blocks" => self.M_blocks = Some(map.next_value_seed(List(trace, matrix))?),
            "L_blocks" => {
                let factor = Object::<Factor>::new(trace);
                self.L_blocks = Some(map.next_value_seed(List(trace, factor))?);
            }
            "v" => self.v = Some(map.next_value_seed(numbers)?),
            "f" => self.f = Some(map.next_value_seed(numbers)?),
            "v_free" => self.v_free = Some(map.next_value_seed(numbers)?),
            "mu_across" => {
                let each = EachOf(trace, OrNull(Number(trace)));
                self.mu_across = Some(map.next_value_seed(each)?);
            }
            "surface_velocity" => self.surface_velocity = Some(map.next_value_seed(matrix)?),
            "acceleration_bias" => self.acceleration_bias = Some(map.next_value_seed(matrix)?),
            "J" => self.J = Some(map.next_value_seed(List(trace, row))?),
            "J_rhs" => self.J_rhs = Some(map.next_value_seed(EachOf(trace, Number(trace)))?),
            "limits" => self.limits = map.next_value_seed(Object::new(trace))?,
            "bounded" => self.bounded = map.next_value_seed(Object::new(trace))?,
            "scalar_order" => self.scalar_order = Some(map.next_value_seed(List(trace, Word))?),
            "keys" => self.keys = map.next_value_seed(Object::new(trace))?,
            "halves" => self.halves = map.next_value_seed(Object::new(trace))?,
            "settings" => self.settings = Some(map.next_value::<StepSettings>()?),
            "format" => self.format = Some(map.next_value_seed(Whole(trace))?),
            // The last one: names outside `KNOWN` never come here.
            _ => self.note = Some(map.next_value_seed(Word)?),
        }
        Ok(())
    }
}

/// Reads the text.
pub(super) fn parse(text: &[u8]) -> Result<Raw, ProblemFileError> {
    // Some editors put the mark of UTF-8 before everything.
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(ProblemFileError::Empty);
    }
    let trace = Trace::default();
    let mut from = serde_json::Deserializer::from_slice(text);
    let read = Object::<Raw>::new(&trace).deserialize(&mut from);
    read.and_then(|raw| from.end().map(|()| raw))
        .map_err(|error| place(&error, &trace, text))
}

/// An error of the text with its entry.
fn place(error: &serde_json::Error, trace: &Trace, text: &[u8]) -> ProblemFileError {
    let (line, column) = (error.line(), error.column());
    let said = error.to_string();
    let suffix = format!(" at line {line} column {column}");
    let said = said.strip_suffix(&suffix).unwrap_or(&said);
    let reason = match error.classify() {
        serde_json::error::Category::Eof => format!("the text ends too early: {said}"),
        serde_json::error::Category::Syntax if not_a_number(text, line, column) => {
            "NaN and Infinity are no JSON numbers; every entry must be finite".to_owned()
        }
        _ => said.to_owned(),
    };
    ProblemFileError::Text {
        entry: trace.entry(),
        reason,
        line,
        column,
    }
}

/// Whether the text around a place spells a number that is not finite.
fn not_a_number(text: &[u8], line: usize, column: usize) -> bool {
    let mut lines = text.split(|b| *b == b'\n');
    let Some(line) = lines.nth(line.saturating_sub(1)) else {
        return false;
    };
    let from = column.saturating_sub(2).min(line.len());
    let to = (column + 8).min(line.len());
    let around = String::from_utf8_lossy(&line[from..to]).to_lowercase();
    around.contains("nan") || around.contains("inf")
}
