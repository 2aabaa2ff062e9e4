//! From lists of numbers to a validated problem.

use super::error::ProblemFileError as Error;
use super::raw::{CONTACT_ROWS, Half, HalfLists, Raw, SPIN_ROWS};
use super::rows::{Layout, OwnedHalf, Place, Row, halves};
use super::scalars::{self, LISTS};
use super::seed::Each;
use super::{Context, FORMAT, ProblemFile, factor};
use crate::mass::MassFactor;
use crate::problem::{BlockId, ContactData, ContactId, ProblemBuilder, ProblemError, RowHalf};

/// Makes the problem of a file.
pub(super) fn problem(mut raw: Raw) -> Result<ProblemFile, Error> {
    if let Some(format) = raw.format
        && format != FORMAT
    {
        let reason = format!("version {format} is not known; this program reads version {FORMAT}");
        return Err(Error::value("format", reason));
    }
    let h = raw
        .h
        .ok_or_else(|| Error::fields("the time step `h` is missing"))?;
    let blocks = factor::blocks(&mut raw)?;
    let mut layout = Layout::default();
    for block in &blocks {
        layout.push(block.pattern().clone());
    }
    let mut builder = ProblemBuilder::new();
    builder.begin(h);
    if !(h.is_finite() && h > 0.0) {
        return Err(ProblemError::BadTimeStep { h }.into());
    }
    add_blocks(&mut builder, &mut raw, &blocks, &layout)?;
    add_contacts(&mut builder, &raw, &layout)?;
    let places = scalars::add(&mut builder, &raw, &layout)?;
    let problem = builder.into_problem().map_err(|error| match error {
        // Named by list and place, as in the file.
        ProblemError::BadScalar { scalar, reason } => {
            let (list, index) = places.get(scalar).copied().unwrap_or((0, scalar));
            Error::value(format!("{}[{index}]", LISTS[list]), reason)
        }
        error => error.into(),
    })?;
    Ok(ProblemFile {
        context: context(raw),
        problem,
    })
}

fn context(raw: Raw) -> Context {
    Context {
        model: raw.settings.as_ref().and_then(|s| s.model),
        settings: raw.settings.map(|s| s.settings),
        note: raw.note,
    }
}

pub(super) fn check_len(entry: &str, found: usize, wanted: usize, each: &str) -> Result<(), Error> {
    if found == wanted {
        return Ok(());
    }
    Err(Error::Shape {
        entry: entry.to_owned(),
        found: format!("{found} entries"),
        wanted: format!("{wanted}, one per {each}"),
    })
}

fn add_blocks(
    builder: &mut ProblemBuilder,
    raw: &mut Raw,
    blocks: &[MassFactor],
    layout: &Layout,
) -> Result<(), Error> {
    let dim = layout.dim;
    if raw.f.is_some() && raw.v_free.is_some() {
        let reason = "both `f` and `v_free` are given; forces make the free velocity, \
                      v_free = v + h M^-1 f: leave one out";
        return Err(Error::fields(reason));
    }
    for (name, list) in [("v", &raw.v), ("f", &raw.f), ("v_free", &raw.v_free)] {
        if let Some(list) = list {
            check_len(name, list.len(), dim, "coordinate")?;
        }
    }
    let v = raw.v.take().unwrap_or_else(|| vec![0.0; dim]);
    let v_free = match (raw.v_free.take(), raw.f.take()) {
        (Some(v_free), _) => v_free,
        (None, None) => v.clone(),
        (None, Some(mut change)) => {
            for (block, start) in blocks.iter().zip(&layout.offsets) {
                block.solve(&mut change[*start..*start + block.pattern().dim()]);
            }
            let h = raw.h.unwrap_or_default();
            let v_free: Vec<f64> = v.iter().zip(&change).map(|(v, a)| v + h * a).collect();
            if let Some(i) = v_free.iter().position(|x| !x.is_finite()) {
                let reason = "the free velocity it makes is not finite";
                return Err(Error::value(format!("f[{i}]"), reason));
            }
            v_free
        }
    };
    for (block, start) in blocks.iter().zip(&layout.offsets) {
        let range = *start..*start + block.pattern().dim();
        builder.add_block(block, &v[range.clone()], &v_free[range]);
    }
    Ok(())
}

/// The value of entry `i`, or the default.
pub(super) fn pick(each: Option<&Each<f64>>, i: usize) -> f64 {
    match each {
        None => 0.0,
        Some(Each::All(x)) => *x,
        Some(Each::List(list)) => list[i],
    }
}

pub(super) fn check_each<T>(
    name: &str,
    each: Option<&Each<T>>,
    n: usize,
    what: &str,
) -> Result<(), Error> {
    match each {
        Some(Each::List(list)) => check_len(name, list.len(), n, what),
        _ => Ok(()),
    }
}

/// Vectors of `K` numbers per contact.
fn vectors<const K: usize>(
    name: &str,
    list: Option<&Vec<Vec<f64>>>,
    n: usize,
) -> Result<Vec<[f64; K]>, Error> {
    let Some(list) = list else {
        return Ok(vec![[0.0; K]; n]);
    };
    check_len(name, list.len(), n, "contact")?;
    let entries = list.iter().enumerate();
    let fixed = entries.map(|(i, x)| {
        <[f64; K]>::try_from(&x[..]).map_err(|_| Error::Shape {
            entry: format!("{name}[{i}]"),
            found: format!("{} values", x.len()),
            wanted: K.to_string(),
        })
    });
    fixed.collect()
}

/// The contacts' data.
fn contact_data(raw: &Raw, n: usize) -> Result<Vec<ContactData>, Error> {
    for (name, each) in super::raw::NUMBERS.iter().zip(&raw.numbers) {
        check_each(name, each.as_ref(), n, "contact")?;
    }
    check_each("mu_across", raw.mu_across.as_ref(), n, "contact")?;
    if let Some(keys) = &raw.keys.contacts {
        check_len("keys.contacts", keys.len(), n, "contact")?;
    }
    let surface = vectors::<2>("surface_velocity", raw.surface_velocity.as_ref(), n)?;
    let bias = vectors::<3>("acceleration_bias", raw.acceleration_bias.as_ref(), n)?;
    let data = (0..n).map(|i| {
        let number = |k: usize| pick(raw.numbers[k].as_ref(), i);
        ContactData {
            key: raw.keys.contacts.as_ref().map_or(i as u64, |k| k[i]),
            pair: 0,
            phi: number(0),
            mu: number(1),
            mu_viscous: number(2),
            restitution: number(3),
            mu_torsional: number(4),
            mu_rolling: number(5),
            compliance: number(6),
            normal_drift: number(7),
            impact_velocity: number(8),
            mu_across: match &raw.mu_across {
                None => None,
                Some(Each::All(x)) => Some(*x),
                Some(Each::List(list)) => list[i],
            },
            surface_velocity: surface[i],
            acceleration_bias: bias[i],
            sliding_friction: None,
        }
    });
    Ok(data.collect())
}

/// Halves the file states for row `i`.
pub(super) fn stated<'a>(
    lists: Option<&'a HalfLists>,
    name: &str,
    (i, n): (usize, usize),
) -> Result<Option<&'a [Half]>, Error> {
    let Some(lists) = lists else {
        return Ok(None);
    };
    check_len(&format!("halves.{name}"), lists.len(), n, "row or contact")?;
    Ok(lists[i].as_deref())
}

fn three(half: &OwnedHalf) -> RowHalf<'_, 3> {
    RowHalf {
        block: BlockId(half.block),
        cols: &half.cols,
        rows: [&half.rows[0], &half.rows[1], &half.rows[2]],
    }
}

/// A row that was not given.
static NOTHING: Row = Row::Sparse {
    cols: Vec::new(),
    vals: Vec::new(),
};

fn add_contacts(builder: &mut ProblemBuilder, raw: &Raw, layout: &Layout) -> Result<(), Error> {
    let Some(normals) = &raw.contact_rows[0] else {
        return no_contacts(raw);
    };
    let n = normals.len();
    for (name, rows) in CONTACT_ROWS.iter().zip(&raw.contact_rows) {
        if let Some(rows) = rows {
            check_len(name, rows.len(), n, "row of N")?;
        }
    }
    let spins = spin_rows(raw, n)?;
    for (i, data) in contact_data(raw, n)?.into_iter().enumerate() {
        let rows = raw.contact_rows.each_ref();
        let rows = rows.map(|rows| rows.as_ref().map_or(&NOTHING, |rows| &rows[i]));
        let place = Place {
            layout,
            stated: stated(raw.halves.contacts.as_ref(), "contacts", (i, n))?,
            home: 0,
        };
        let names = CONTACT_ROWS.map(|r| format!("{r}[{i}]"));
        let own = halves(&rows, &names, place)?;
        let home = own[0].block;
        let own: Vec<_> = own.iter().map(three).collect();
        builder.add_contact(data, &own);
        let Some(rows) = &spins[i] else {
            continue;
        };
        let place = Place {
            layout,
            stated: stated(raw.halves.spins.as_ref(), "spins", (i, n))?,
            home,
        };
        let names = SPIN_ROWS.map(|r| format!("{r}[{i}]"));
        let own = halves(rows, &names, place)?;
        let own: Vec<_> = own.iter().map(three).collect();
        builder.add_spin(ContactId(i), &own);
    }
    Ok(())
}

/// A file without contacts: what it says of contacts must be for none.
fn no_contacts(raw: &Raw) -> Result<(), Error> {
    for (name, rows) in CONTACT_ROWS.iter().zip(&raw.contact_rows) {
        if rows.as_ref().is_some_and(|rows| !rows.is_empty()) {
            let reason = format!("`{name}` is given without `N`: every contact has a normal row");
            return Err(Error::fields(reason));
        }
    }
    spin_rows(raw, 0)?;
    contact_data(raw, 0)?;
    Ok(())
}

/// The spin rows of each contact that has them.
fn spin_rows(raw: &Raw, n: usize) -> Result<Vec<Option<[&Row; 3]>>, Error> {
    let mut all: Vec<Option<[&Row; 3]>> = vec![None; n];
    for (k, (name, list)) in SPIN_ROWS.iter().zip(&raw.spin_rows).enumerate() {
        let Some(list) = list else {
            continue;
        };
        check_len(name, list.len(), n, "contact")?;
        for (own, row) in all.iter_mut().zip(list) {
            if let Some(row) = row {
                own.get_or_insert([&NOTHING; 3])[k] = row;
            }
        }
    }
    Ok(all)
}
