//! The natural map of the law: what an iteration stops by and Newton's method drives to zero.

use super::local::{clipped, discs, lengths, lift, projected};
use super::system::{Law, PART, System, Unit};
use super::{Friction, onto_cone};

/// Slip that tells no direction, relative to `1 + max |v_free|`.
const STILL: f64 = 1e-9;

/// Tests in a row at which a unit had no impulse and wanted none, from which on it may be left out until a test
/// finds that it wants one.
pub(super) const CALM: u8 = 2;

/// Counts a test at which a unit was calm or not.
#[inline]
pub(super) fn count_calm(count: &mut u8, is_calm: bool) {
    *count = if is_calm { count.saturating_add(1) } else { 0 };
}

/// The natural map of the exact law as velocities [m/s]: zero exactly at a solution.
/// ```text
/// normal     min(grip d f_n, u_n)
/// parts      d_k (f_k - Proj_{mu_k f_n}(f_k - u_k / d_k))
/// ```
/// Any `grip > 0` has the same zeros; the residual takes 1, Newton's method [`Unit::grip`].
#[inline]
pub(super) fn natural_map(unit: &Unit, (z, u): (&[f64; 6], &[f64; 6]), grip: f64) -> [f64; 6] {
    let d = &unit.d;
    let mut out = [0.0; 6];
    match unit.law {
        Law::Free => out[0] = u[0],
        Law::Half => out[0] = (z[0] * d[0]).min(u[0]),
        Law::Box(limit) => {
            let bound = limit * d[0];
            out[0] = z[0] * d[0] - (z[0] * d[0] - u[0]).clamp(-bound, bound);
        }
        Law::Cone => {
            out[0] = (grip * z[0] * d[0]).min(u[0]);
            let y: [f64; 6] = std::array::from_fn(|k| z[k] - u[k] / d[PART[k]]);
            let nearest = clipped(unit, z[0].max(0.0), &y);
            for k in 1..unit.width as usize {
                out[k] = d[PART[k]] * (z[k] - nearest[k]);
            }
        }
    }
    out
}

/// The natural map of the convex law, `D (f - Proj_K(f - D^-1 u))` in the metric D: it has the zeros of
/// cone complementarity and keeps its scale however large mu is, where `u_n - mu |u_t|` does not.
#[inline]
pub(super) fn convex_map(unit: &Unit, (z, u): (&[f64; 6], &[f64; 6])) -> [f64; 6] {
    if unit.law != Law::Cone {
        return natural_map(unit, (z, u), 1.0);
    }
    let d = &unit.d;
    let mut y: [f64; 6] = std::array::from_fn(|k| z[k] - u[k] / d[PART[k]]);
    y[0] -= unit.lift / d[0];
    let f = onto_cone(y[0], d[0], &mut discs(unit, &y, d));
    let nearest = clipped(unit, f, &y);
    std::array::from_fn(|k| d[PART[k]] * (z[k] - nearest[k]))
}

/// The map that Newton's method drives to zero.
#[inline]
pub(super) fn newton_map(
    unit: &Unit,
    (z, u): (&[f64; 6], &[f64; 6]),
    friction: Friction,
) -> [f64; 6] {
    match friction {
        Friction::Convex => convex_map(unit, (z, u)),
        Friction::Exact => natural_map(unit, (z, u), unit.grip()),
    }
}

/// The largest entry of a unit's natural map, parts by their length.
#[inline]
pub(super) fn size(map: &[f64; 6]) -> f64 {
    let [a, b, c] = lengths(map);
    [a, b, c].into_iter().fold(map[0].abs(), worse)
}

/// The larger of two; a NaN stays.
#[inline]
pub(super) fn worse(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

impl System {
    /// The largest natural map of the units, divided by `1 + max |v_free|`; NaN where a number is not
    /// finite. The cost of half a sweep.
    pub(crate) fn residual(&self, friction: Friction) -> f64 {
        self.each_map(friction, |_, _| ())
    }

    /// The residual; counts at how many tests in a row each unit had no impulse and wanted none, from `is_first` on.
    /// A unit at which that is [`CALM`] may be left out until the next test.
    pub(crate) fn test(&mut self, friction: Friction, is_first: bool) -> f64 {
        let mut calm = std::mem::take(&mut self.calm);
        if is_first {
            calm.clear();
            calm.resize(self.units.len(), 0);
        }
        let mut counts = calm.iter_mut();
        let residual = self.each_map(friction, |z, left| {
            if let Some(count) = counts.next() {
                count_calm(count, left == 0.0 && *z == [0.0; 6]);
            }
        });
        self.calm = calm;
        residual
    }

    /// The residual; tells every unit's impulses and the size of its map.
    fn each_map(&self, friction: Friction, mut tell: impl FnMut(&[f64; 6], f64)) -> f64 {
        let mut worst = 0.0;
        for unit in &self.units {
            let z = Self::impulse(unit, &self.z);
            let u = self.velocity(unit, &self.v, z[0]);
            let map = match friction {
                Friction::Convex => convex_map(unit, (&z, &u)),
                Friction::Exact => natural_map(unit, (&z, &u), 1.0),
            };
            let left = size(&map);
            tell(&z, left);
            worst = worse(worst, left);
        }
        worst / self.speed
    }

    /// Group of every unit in order, with its tangential and its rolling slip, in the coordinates in which
    /// its cone is round, where that is more than round-off.
    pub(crate) fn slips(&self) -> impl Iterator<Item = (u32, [Option<[f64; 2]>; 2])> {
        let least = STILL * self.speed;
        self.units.iter().map(move |unit| {
            let u = self.velocity(unit, &self.v, 0.0);
            let slides = |u: [f64; 2]| (u[0].hypot(u[1]) > least).then_some(u);
            let parts = [[u[1], u[2]], [u[4], u[5]]].map(slides);
            (unit.group, parts)
        })
    }

    /// Freezes De Saxce's shift `sum mu_k |u_k|` of every contact at the present velocity; returns
    /// the largest change [m/s].
    pub(crate) fn freeze_lift(&mut self) -> f64 {
        let mut units = std::mem::take(&mut self.units);
        let mut change = 0.0_f64;
        for unit in &mut units {
            let now = lift(unit, &self.velocity(unit, &self.v, 0.0));
            change = change.max((now - unit.lift).abs());
            unit.lift = now;
        }
        self.units = units;
        change
    }

    /// Takes De Saxce's shift away.
    pub(crate) fn drop_lift(&mut self) {
        for unit in &mut self.units {
            unit.lift = 0.0;
        }
    }

    /// Moves the impulses to the nearest admissible ones.
    pub(crate) fn settle(&mut self) {
        for unit in &self.units {
            let z = projected(unit, &Self::impulse(unit, &self.z));
            let (at, width) = (unit.at as usize, unit.width as usize);
            self.z[at..at + width].copy_from_slice(&z[..width]);
        }
        self.refresh();
    }

    /// Forgets the impulses.
    pub(crate) fn forget(&mut self) {
        self.z.fill(0.0);
        self.refresh();
    }
}
