//! From lists of numbers to a validated problem.

use crate::blocks::Blocks;
use crate::error::ProblemFileError as Error;
use crate::file::{Context, FORMAT, MAX_DENSE, ProblemFile};
use crate::raw::{Each, Factor, Raw};
use crate::rows::{Part, parts};
use nalgebra::DMatrix;
use std::sync::Arc;
use stickslip_core::mass::{MassError, MassFactor, MassPattern, NO_PARENT};
use stickslip_core::problem::{ContactData, ContactId, ProblemBuilder, ProblemError, ScalarKind};

/// Agreement of `M` with the product of its stated factor, relative to its largest entry: round-off,
/// with room for matrices that were written with few digits.
const AGREEMENT: f64 = 1e-9;

/// The lists of scalar rows, in the order in which they come unless the file says otherwise.
pub(crate) const LISTS: [&str; 3] = ["J", "limits", "bounded"];

/// Makes the problem of a file.
pub(crate) fn problem(mut raw: Raw) -> Result<ProblemFile, Error> {
    if let Some(format) = raw.format
        && format != FORMAT
    {
        let reason = format!("version {format} is not known; this program reads version {FORMAT}");
        return Err(Error::entry("format", reason));
    }
    let missing = || Error::entry("", "the time step `h` is missing");
    let h = raw.h.ok_or_else(missing)?;
    let blocks = mass_blocks(&mut raw)?;
    let mut builder = ProblemBuilder::new();
    builder.begin(h);
    add_blocks(&mut builder, &raw, h, &blocks)?;
    let blocks = Blocks::of_factors(&blocks);
    add_contacts(&mut builder, &mut raw, &blocks)?;
    let places = add_scalars(&mut builder, &raw, &blocks)?;
    let problem = builder.into_problem().map_err(|error| match error {
        // Named by list and place, as in the file.
        ProblemError::Malformed {
            part: "scalar row",
            index,
            reason,
        } => {
            let (list, index) = places.get(index).copied().unwrap_or((0, index));
            Error::entry(format!("{}[{index}]", LISTS[list]), reason)
        }
        error => error.into(),
    })?;
    let context = Context {
        model: raw.settings.as_ref().and_then(|s| s.model),
        settings: raw.settings.and_then(|s| s.settings),
        note: raw.note,
    };
    Ok(ProblemFile { problem, context })
}

fn check_len(entry: &str, found: usize, wanted: usize, each: &str) -> Result<(), Error> {
    if found == wanted {
        return Ok(());
    }
    let reason = format!("has {found} entries, wants {wanted}, one per {each}");
    Err(Error::entry(entry, reason))
}

/// A list that may be absent: empty then.
fn check_optional<T>(entry: &str, list: &[T], wanted: usize, each: &str) -> Result<(), Error> {
    match list {
        [] => Ok(()),
        list => check_len(entry, list.len(), wanted, each),
    }
}

/// The blocks of the mass matrix.
fn mass_blocks(raw: &mut Raw) -> Result<Vec<MassFactor>, Error> {
    let dense: Option<Vec<(String, Vec<Vec<f64>>)>> = match (raw.M.take(), raw.M_blocks.take()) {
        (Some(_), Some(_)) => {
            let reason = "both `M` and `M_blocks` are given; one of them is the mass matrix";
            return Err(Error::entry("", reason));
        }
        (Some(matrix), None) if matrix.is_empty() => Some(Vec::new()),
        (Some(matrix), None) => Some(vec![("M".to_owned(), matrix)]),
        (None, Some(list)) => {
            let named = list.into_iter().enumerate();
            Some(named.map(|(b, m)| (format!("M_blocks[{b}]"), m)).collect())
        }
        (None, None) => None,
    };
    for (name, matrix) in dense.iter().flatten() {
        let dim = matrix.len();
        if dim > MAX_DENSE && raw.L_blocks.is_none() {
            let reason = format!(
                "has {dim} coordinates, at most {MAX_DENSE} are read; give independent bodies as `M_blocks`"
            );
            return Err(Error::entry(name, reason));
        }
        if let Some(row) = matrix.iter().position(|row| row.len() != dim) {
            let found = matrix[row].len();
            let reason = format!("has {found} values, wants {dim}, as many as there are rows");
            return Err(Error::entry(format!("{name}[{row}]"), reason));
        }
    }
    match (raw.L_blocks.take(), dense) {
        (None, None) => {
            let reason = "the mass matrix is missing: give `M` or `M_blocks`";
            Err(Error::entry("", reason))
        }
        (None, Some(dense)) => dense.iter().map(|(name, m)| factored(name, m)).collect(),
        (Some(factors), dense) => {
            if let Some(dense) = &dense {
                check_len("L_blocks", factors.len(), dense.len(), "mass block")?;
            }
            let stated = factors.into_iter().enumerate().map(|(b, factor)| {
                let name = format!("L_blocks[{b}]");
                let factor = stated(&name, factor)?;
                if let Some(dense) = &dense {
                    agrees(&dense[b], &name, &factor)?;
                }
                Ok(factor)
            });
            stated.collect()
        }
    }
}

fn factored(name: &str, matrix: &[Vec<f64>]) -> Result<MassFactor, Error> {
    let dim = matrix.len();
    let dense = DMatrix::from_fn(dim, dim, |i, j| matrix[i][j]);
    MassFactor::from_dense(&dense).map_err(|error| match error {
        MassError::NotSymmetric { row, col } => Error::entry(
            format!("{name}[{row}][{col}]"),
            format!(
                "the mass matrix is not symmetric: {} here, {} at {name}[{col}][{row}]",
                matrix[row][col], matrix[col][row]
            ),
        ),
        error => Error::entry(name, error),
    })
}

/// A factor as the file states it.
fn stated(name: &str, factor: Factor) -> Result<MassFactor, Error> {
    // The length of the paths first: a chain of a million coordinates has 5e11 ancestors.
    let mut depth: Vec<usize> = Vec::with_capacity(factor.parents.len());
    let mut parents = Vec::with_capacity(factor.parents.len());
    for (i, &p) in factor.parents.iter().enumerate() {
        let parent = match usize::try_from(p) {
            Ok(parent) if parent < i => parent,
            _ if p == -1 => NO_PARENT,
            _ => {
                let reason = format!("{p} is no lower coordinate, nor -1 for none");
                return Err(Error::entry(format!("{name}.parents[{i}]"), reason));
            }
        };
        depth.push(1 + depth.get(parent).copied().unwrap_or(0));
        parents.push(parent);
    }
    let len = depth.iter().fold(0_usize, |sum, d| sum.saturating_add(*d));
    let each = "coordinate and ancestor";
    check_len(&format!("{name}.L"), factor.L.len(), len, each)?;
    let pattern = MassPattern::from_parents(&parents);
    let pattern = pattern.map(|pattern| Arc::new(pattern.floating(factor.floats)));
    let factor = pattern.and_then(|pattern| MassFactor::from_factor(pattern, factor.L));
    factor.map_err(|error| Error::entry(name, error))
}

/// Refuses a matrix that is not the product of its stated factor.
fn agrees(
    (name, matrix): &(String, Vec<Vec<f64>>),
    factor_name: &str,
    factor: &MassFactor,
) -> Result<(), Error> {
    let dim = factor.pattern().dim();
    check_len(name, matrix.len(), dim, "coordinate of its factor")?;
    let scale = matrix.iter().flatten().fold(0.0_f64, |a, x| a.max(x.abs()));
    let product = factor.dense();
    for (i, row) in matrix.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            let other = product[(i, j)];
            let agree = (x - other).abs() <= AGREEMENT * scale;
            if !agree {
                let reason = format!(
                    "is {x}, the product of {factor_name} has {other}; leave out `L_blocks` to have the \
                     matrix factored"
                );
                return Err(Error::entry(format!("{name}[{i}][{j}]"), reason));
            }
        }
    }
    Ok(())
}

fn add_blocks(
    builder: &mut ProblemBuilder,
    raw: &Raw,
    h: f64,
    blocks: &[MassFactor],
) -> Result<(), Error> {
    let dim = blocks.iter().map(|block| block.pattern().dim()).sum();
    if !raw.f.is_empty() && !raw.v_free.is_empty() {
        let reason = "both `f` and `v_free` are given; forces make the free velocity, \
                      v_free = v + h M^-1 f: leave one out";
        return Err(Error::entry("", reason));
    }
    for (name, list) in [("v", &raw.v), ("f", &raw.f), ("v_free", &raw.v_free)] {
        check_optional(name, list, dim, "coordinate")?;
    }
    let [mut v, mut change] = [&raw.v, &raw.f].map(Vec::clone);
    v.resize(dim, 0.0);
    change.resize(dim, 0.0);
    let mut first = 0;
    for block in blocks {
        let range = first..first + block.pattern().dim();
        first = range.end;
        block.solve(&mut change[range.clone()]);
        let pushed = v[range.clone()].iter().zip(&change[range.clone()]);
        let pushed: Vec<f64> = pushed.map(|(v, a)| v + h * a).collect();
        if let Some(i) = pushed.iter().position(|x| !x.is_finite()) {
            let reason = "the free velocity it makes is not finite";
            return Err(Error::entry(format!("f[{}]", range.start + i), reason));
        }
        let v_free = raw.v_free.get(range.clone()).unwrap_or(&pushed);
        builder.add_block(block, &v[range], v_free);
    }
    Ok(())
}

fn check_each<T>(name: &str, each: &Each<T>, n: usize, what: &str) -> Result<(), Error> {
    match each {
        Each::All(_) => Ok(()),
        Each::List(list) => check_len(name, list.len(), n, what),
    }
}

fn add_contacts(
    builder: &mut ProblemBuilder,
    raw: &mut Raw,
    blocks: &Blocks<'_>,
) -> Result<(), Error> {
    let n = raw.N.len();
    for (name, rows) in [("S", &raw.S), ("T", &raw.T)] {
        if n == 0 && !rows.is_empty() {
            let reason = format!("`{name}` is given without `N`: every contact has a normal row");
            return Err(Error::entry("", reason));
        }
        check_optional(name, rows, n, "row of N")?;
    }
    for (name, rows) in [("A_n", &raw.A_n), ("A_s", &raw.A_s), ("A_t", &raw.A_t)] {
        check_optional(name, rows, n, "contact")?;
    }
    for (name, each, _) in raw.numbers() {
        check_each(name, each, n, "contact")?;
    }
    check_each("mu_across", &raw.mu_across, n, "contact")?;
    check_optional("surface_velocity", &raw.surface_velocity, n, "contact")?;
    check_optional("acceleration_bias", &raw.acceleration_bias, n, "contact")?;
    check_optional("keys.contacts", &raw.keys.contacts, n, "contact")?;
    for i in 0..n {
        let mut data = ContactData {
            key: raw.keys.contacts.get(i).copied().unwrap_or(i as u64),
            mu_across: raw.mu_across.at(i),
            surface_velocity: raw.surface_velocity.get(i).copied().unwrap_or_default(),
            acceleration_bias: raw.acceleration_bias.get(i).copied().unwrap_or_default(),
            ..ContactData::default()
        };
        for (_, each, place) in raw.numbers() {
            *place(&mut data) = each.at(i);
        }
        let rows = [raw.N.get(i), raw.S.get(i), raw.T.get(i)];
        let names = ["N", "S", "T"].map(|name| format!("{name}[{i}]"));
        let own = parts(rows, &names, blocks, 0)?;
        let halves: Vec<_> = own.iter().map(Part::half).collect();
        builder.add_contact(data, &halves);
        let rows = [&raw.A_n, &raw.A_s, &raw.A_t].map(|rows| rows.get(i).and_then(Option::as_ref));
        if rows.iter().any(Option::is_some) {
            let names = ["A_n", "A_s", "A_t"].map(|name| format!("{name}[{i}]"));
            let spin = parts(rows, &names, blocks, own[0].block)?;
            let halves: Vec<_> = spin.iter().map(Part::half).collect();
            builder.add_spin(ContactId(i), &halves);
        }
    }
    Ok(())
}

/// Adds the scalar rows; gives list and place of each.
fn add_scalars(
    builder: &mut ProblemBuilder,
    raw: &Raw,
    blocks: &Blocks<'_>,
) -> Result<Vec<(usize, usize)>, Error> {
    let (limits, bounded) = (&raw.limits, &raw.bounded);
    let rows = [&raw.J, &limits.rows, &bounded.rows];
    let keys = [&raw.keys.J, &raw.keys.limits, &raw.keys.bounded];
    let lens = rows.map(Vec::len);
    for ((name, keys), len) in LISTS.into_iter().zip(keys).zip(lens) {
        check_optional(&format!("keys.{name}"), keys, len, "row")?;
    }
    if bounded.limit.is_none() && lens[2] > 0 {
        let reason = "`bounded.limit` is missing: the largest impulse of each row [N s]";
        return Err(Error::entry("", reason));
    }
    let limit = bounded.limit.clone().unwrap_or_default();
    for (name, each, list) in [
        ("J_rhs", &raw.J_rhs, 0),
        ("limits.gap", &limits.gap, 1),
        ("bounded.velocity", &bounded.velocity, 2),
        ("bounded.limit", &limit, 2),
        ("bounded.compliance", &bounded.compliance, 2),
    ] {
        check_each(name, each, lens[list], "row")?;
    }
    let order = order(&raw.scalar_order, lens)?;
    for (scalar, &(k, i)) in order.iter().enumerate() {
        let (name, kind) = match k {
            0 => {
                let velocity = raw.J_rhs.at(i);
                (format!("J[{i}]"), ScalarKind::Bilateral { velocity })
            }
            1 => {
                let gap = limits.gap.at(i);
                (format!("limits.rows[{i}]"), ScalarKind::Unilateral { gap })
            }
            _ => {
                let kind = ScalarKind::Bounded {
                    velocity: bounded.velocity.at(i),
                    limit: limit.at(i),
                    compliance: bounded.compliance.at(i),
                };
                (format!("bounded.rows[{i}]"), kind)
            }
        };
        let own = parts([Some(&rows[k][i])], &[name], blocks, 0)?;
        let halves: Vec<_> = own.iter().map(Part::half).collect();
        let key = keys[k].get(i).copied().unwrap_or(scalar as u64);
        builder.add_scalar(key, kind, &halves);
    }
    Ok(order)
}

/// List and place of each scalar row.
fn order(words: &[String], lens: [usize; 3]) -> Result<Vec<(usize, usize)>, Error> {
    if words.is_empty() {
        let all = (0..3).flat_map(|k| (0..lens[k]).map(move |i| (k, i)));
        return Ok(all.collect());
    }
    let mut next = [0; 3];
    let mut order = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let Some(k) = LISTS.iter().position(|list| list == word) else {
            let reason = format!("must be one of {}", LISTS.join(", "));
            return Err(Error::entry(format!("scalar_order[{at}]"), reason));
        };
        order.push((k, next[k]));
        next[k] += 1;
    }
    for k in 0..3 {
        let entry = format!("scalar_order, `{}`", LISTS[k]);
        check_len(&entry, next[k], lens[k], "row of that list")?;
    }
    Ok(order)
}
