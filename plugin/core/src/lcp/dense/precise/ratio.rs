//! The minimum-ratio test on a dictionary.

use super::super::basis::Var;
use super::dictionary::Dictionary;
use super::twofold::Twofold;
use super::{SHARE, TIE, ZERO};

/// How the row is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Ties and round-off are told by thresholds: [`choose`].
    Ties,
    /// No values are tied: [`first`].
    Apart,
}

/// What passes for zero in a column.
pub(super) fn round_off(d: &Dictionary, column: usize) -> f64 {
    (SHARE * d.steepest(column)).max(ZERO)
}

/// The row whose variable reaches zero first as that of the column grows; none on a ray. The artificial
/// variable leaves whenever it can.
///
/// Ties are broken as if every value were larger by its own multiple of a vanishing e
/// ([`Dictionary::drift`]), so no basis comes back [CPS, sec. 4.9]. With the unit vectors that are
/// customary for it, a row of value zero whose rate is round-off ties with the others and may win; where
/// rows depend on each other there are many, and 32 digits were gone after some 300 pivots. Here such a row
/// comes last: its drift over its rate is huge.
pub(super) fn choose(d: &Dictionary, column: usize) -> Option<usize> {
    let n = d.dim();
    let least = round_off(d, column);
    let tie = TIE * d.largest_value();
    let rate = |r: usize| -d.at(r, column);
    let falls = |r: &usize| rate(*r).hi > least;
    let value = |r: usize| {
        let value = d.value(r);
        if value.hi < 0.0 { Twofold::ZERO } else { value }
    };
    let ratios = (0..n).filter(falls).map(|r| value(r) / rate(r));
    let step = ratios.reduce(|a, b| if b.less(a) { b } else { a })?;
    let tied = |r: &usize| falls(r) && (value(*r) - step * rate(*r)).hi <= tie;
    let mut best: Option<(usize, Twofold)> = None;
    for r in (0..n).filter(tied) {
        if d.basic(r) == Var::Z(n) {
            return Some(r);
        }
        let drift = d.drift(r) / rate(r);
        if best.is_none_or(|(_, least)| drift.less(least)) {
            best = Some((r, drift));
        }
    }
    best.map(|(r, _)| r)
}

/// The row whose variable reaches zero first where no two do so at once; none on a ray. Entries that are nothing
/// but round-off need no threshold: their variables would come last.
pub(super) fn first(d: &Dictionary, column: usize) -> Option<usize> {
    let mut best: Option<(usize, Twofold)> = None;
    for r in 0..d.dim() {
        let rate = -d.at(r, column);
        if rate.hi > 0.0 {
            let value = d.value(r);
            let ratio = if value.hi > 0.0 {
                value / rate
            } else {
                Twofold::ZERO
            };
            if best.is_none_or(|(_, least)| ratio.less(least)) {
                best = Some((r, ratio));
            }
        }
    }
    best.map(|(r, _)| r)
}
