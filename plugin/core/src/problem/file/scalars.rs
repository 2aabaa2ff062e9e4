//! Scalar rows of a file: bilateral, one-sided, bounded.

use super::error::ProblemFileError as Error;
use super::make::{check_each, check_len, pick, stated};
use super::raw::{HalfLists, Raw, Scalars};
use super::rows::{Layout, Place, Row, halves};
use crate::problem::{BlockId, ProblemBuilder, RowHalf, ScalarKind};

/// The lists of scalar rows, in the order in which they come unless the file says otherwise.
pub(super) const LISTS: [&str; 3] = ["J", "limits", "bounded"];

/// Scalar rows of one list.
struct ScalarList<'a> {
    rows: &'a [Row],
    scalars: &'a Scalars,
    keys: Option<&'a Vec<u64>>,
    halves: Option<&'a HalfLists>,
}

impl ScalarList<'_> {
    fn check(&self, name: &str) -> Result<(), Error> {
        let n = self.rows.len();
        let values = [
            ("gap", &self.scalars.gap),
            ("velocity", &self.scalars.velocity),
            ("limit", &self.scalars.limit),
            ("compliance", &self.scalars.compliance),
        ];
        for (field, each) in values {
            let entry = if name == "J" {
                "J_rhs".to_owned()
            } else {
                format!("{name}.{field}")
            };
            check_each(&entry, each.as_ref(), n, "row")?;
        }
        if let Some(keys) = self.keys {
            check_len(&format!("keys.{name}"), keys.len(), n, "row")?;
        }
        Ok(())
    }

    fn kind(&self, list: usize, i: usize) -> ScalarKind {
        let velocity = pick(self.scalars.velocity.as_ref(), i);
        match list {
            0 => ScalarKind::Bilateral { velocity },
            1 => ScalarKind::Unilateral {
                gap: pick(self.scalars.gap.as_ref(), i),
            },
            _ => ScalarKind::Bounded {
                velocity,
                limit: pick(self.scalars.limit.as_ref(), i),
                compliance: pick(self.scalars.compliance.as_ref(), i),
            },
        }
    }
}

/// Adds the scalar rows; gives list and place of each.
pub(super) fn add(
    builder: &mut ProblemBuilder,
    raw: &Raw,
    layout: &Layout,
) -> Result<Vec<(usize, usize)>, Error> {
    let bilateral = Scalars {
        velocity: raw.J_rhs.clone(),
        ..Scalars::default()
    };
    let (limits, bounded) = (&raw.limits.0, &raw.bounded.0);
    if bounded.rows.is_some() && bounded.limit.is_none() {
        let reason = "`bounded.limit` is missing: the largest impulse of each row [N s]";
        return Err(Error::fields(reason));
    }
    let list = |rows, scalars, keys, halves| ScalarList {
        rows,
        scalars,
        keys,
        halves,
    };
    let lists = [
        list(
            raw.J.as_deref().unwrap_or(&[]),
            &bilateral,
            raw.keys.J.as_ref(),
            raw.halves.J.as_ref(),
        ),
        list(
            limits.rows.as_deref().unwrap_or(&[]),
            limits,
            raw.keys.limits.as_ref(),
            raw.halves.limits.as_ref(),
        ),
        list(
            bounded.rows.as_deref().unwrap_or(&[]),
            bounded,
            raw.keys.bounded.as_ref(),
            raw.halves.bounded.as_ref(),
        ),
    ];
    for (name, list) in LISTS.iter().zip(&lists) {
        list.check(name)?;
    }
    let order = order(raw, lists.each_ref().map(|l| l.rows.len()))?;
    for (scalar, &(k, i)) in order.iter().enumerate() {
        let list = &lists[k];
        let name = match k {
            0 => format!("J[{i}]"),
            _ => format!("{}.rows[{i}]", LISTS[k]),
        };
        let place = Place {
            layout,
            stated: stated(list.halves, LISTS[k], (i, list.rows.len()))?,
            home: 0,
        };
        let own = halves(&[&list.rows[i]], &[name], place)?;
        let own: Vec<_> = own
            .iter()
            .map(|half| RowHalf {
                block: BlockId(half.block),
                cols: &half.cols,
                rows: [&half.rows[0][..]],
            })
            .collect();
        let key = list.keys.map_or(scalar as u64, |keys| keys[i]);
        builder.add_scalar(key, list.kind(k, i), &own);
    }
    Ok(order)
}

/// List and place of each scalar row.
fn order(raw: &Raw, lens: [usize; 3]) -> Result<Vec<(usize, usize)>, Error> {
    let Some(words) = &raw.scalar_order else {
        let all = (0..3).flat_map(|k| (0..lens[k]).map(move |i| (k, i)));
        return Ok(all.collect());
    };
    let mut next = [0; 3];
    let mut order = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let Some(k) = LISTS.iter().position(|l| l == word) else {
            let reason = format!("must be one of {}", LISTS.join(", "));
            return Err(Error::value(format!("scalar_order[{at}]"), reason));
        };
        order.push((k, next[k]));
        next[k] += 1;
    }
    for k in 0..3 {
        if next[k] != lens[k] {
            return Err(Error::Shape {
                entry: "scalar_order".to_owned(),
                found: format!("{} times `{}`", next[k], LISTS[k]),
                wanted: format!("{}, once per row of {}", lens[k], LISTS[k]),
            });
        }
    }
    Ok(order)
}
