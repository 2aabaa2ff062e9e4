//! A scaled problem and a basis of it: what the pivoting methods share.

use super::combine::combine;
use super::refine::{Refiner, clamp};
use super::scaling::Scaled;
use super::{Lcp, Outcome, make_room, max_abs, zeroed};
use stickslip_core::kit::kernel::axpy;
use stickslip_core::report::SolveStatus;

/// A variable of `w = A z + d z_0 + q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Var {
    /// `w_i`.
    W(usize),
    /// `z_j`; the artificial `z_0` is `Z(n)`.
    Z(usize),
}

impl Var {
    /// The pair it belongs to.
    pub(super) fn index(self) -> usize {
        match self {
            Self::W(i) | Self::Z(i) => i,
        }
    }

    /// The other variable of its pair.
    pub(super) fn complement(self) -> Self {
        match self {
            Self::W(i) => Self::Z(i),
            Self::Z(i) => Self::W(i),
        }
    }
}

/// No pivot above this share of the largest entry: the basis is singular. Less than round-off: slip bounds with large
/// friction coefficients make honest pivots this small, and answers from nearly singular bases are checked like all
/// others.
const SINGULAR: f64 = 1e-18;

/// Error of a column from which on the dictionary is computed again: well below what the ratio tests take for zero
/// times the largest pivot they accept for good.
const DRIFT: f64 = 1e-12;

/// The dictionary `x_B = b + T x_N` of a basis: rows by basic variable, columns by nonbasic one, b last. A pivot
/// exchanges a row for a column in place, `O(n^2)`.
#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    pub(super) scaled: Scaled,
    /// Covering vector d.
    pub(super) cover: Vec<f64>,
    t: Vec<f64>,
    pub(super) basic: Vec<Var>,
    nonbasic: Vec<Var>,
    /// Row of each variable, or n plus its column: w, then z with `z_0` last.
    places: Vec<usize>,
    /// Pivots since the dictionary was last computed.
    updates: usize,
    leaving: Vec<Var>,
    entering: Vec<Var>,
    image: Vec<f64>,
    /// The answer read off last, in the problem's units.
    pub(super) answer: Vec<f64>,
    pairs: Vec<usize>,
    refiner: Refiner,
}

impl Tableau {
    /// Takes over a problem with `soft` (none: 0) added to its diagonal and `shift` to the scaled one; every w basic.
    pub(super) fn set(&mut self, lcp: Lcp, soft: &[f64], shift: f64) {
        let n = lcp.dim();
        self.scaled.set(lcp, soft, shift);
        make_room(&mut self.leaving, n + 1);
        make_room(&mut self.entering, n + 1);
        make_room(&mut self.pairs, n + 1);
        make_room(&mut self.image, n);
        zeroed(&mut self.answer, n);
        self.refiner.make_room(n);
        self.clear();
    }

    /// Every w basic, `d = 0`.
    pub(super) fn clear(&mut self) {
        zeroed(&mut self.cover, self.scaled.q.len());
        self.restart();
    }

    pub(super) fn dim(&self) -> usize {
        self.scaled.q.len()
    }

    fn stride(&self) -> usize {
        self.dim() + 2
    }

    /// Every w basic.
    fn restart(&mut self) {
        let (n, stride) = (self.dim(), self.stride());
        self.basic.clear();
        self.basic.extend((0..n).map(Var::W));
        self.nonbasic.clear();
        self.nonbasic.extend((0..=n).map(Var::Z));
        self.places.clear();
        self.places.extend(0..2 * n + 1);
        zeroed(&mut self.t, n * stride);
        let columns = (0..n).map(|j| self.scaled.column(j));
        let columns = columns.chain([&self.cover[..], &self.scaled.q[..]]);
        for (j, column) in columns.enumerate() {
            for (line, x) in self.t.chunks_exact_mut(stride).zip(column) {
                line[j] = *x;
            }
        }
        self.updates = 0;
    }

    /// These z basic instead of their w, without `z_0`; false if that basis is singular.
    pub(super) fn start_from(&mut self, basic: &[bool]) -> bool {
        self.clear();
        let done = self.exchange_pairs((0..basic.len()).filter(|&i| basic[i]));
        self.updates = 0;
        done
    }

    /// Exchanges the two variables of pairs; false if that makes the basis singular.
    pub(super) fn exchange_pairs(&mut self, pairs: impl Iterator<Item = usize>) -> bool {
        self.leaving.clear();
        self.entering.clear();
        for i in pairs {
            let var = if self.is_basic(Var::W(i)) {
                Var::W(i)
            } else {
                Var::Z(i)
            };
            self.leaving.push(var);
            self.entering.push(var.complement());
        }
        self.exchange_listed()
    }

    /// Computes the dictionary again from the problem; false if the basis is singular.
    pub(super) fn renew(&mut self) -> bool {
        if self.updates == 0 {
            return true;
        }
        self.leaving.clear();
        (self.leaving).extend(self.nonbasic.iter().filter(|v| matches!(v, Var::W(_))));
        self.entering.clear();
        (self.entering).extend(self.basic.iter().filter(|v| matches!(v, Var::Z(_))));
        self.restart();
        let done = self.exchange_listed();
        self.updates = 0;
        done
    }

    /// Exchanges the listed variables, the largest pivot of those left first.
    fn exchange_listed(&mut self) -> bool {
        let least = SINGULAR * max_abs(&self.t);
        while !self.leaving.is_empty() {
            let (mut best, mut largest) = ((0, 0), -1.0);
            for (a, &out) in self.leaving.iter().enumerate() {
                let line = self.row(self.place(out));
                for (b, &into) in self.entering.iter().enumerate() {
                    let pivot = line[self.column_of(into)].abs();
                    if pivot > largest {
                        (best, largest) = ((a, b), pivot);
                    }
                }
            }
            // Negated so that a NaN is no pivot.
            let found = largest > least;
            if !found {
                return false;
            }
            let out = self.leaving.swap_remove(best.0);
            let into = self.entering.swap_remove(best.1);
            self.exchange(self.place(out), into);
        }
        true
    }

    fn place(&self, var: Var) -> usize {
        match var {
            Var::W(i) => self.places[i],
            Var::Z(j) => self.places[self.dim() + j],
        }
    }

    fn set_place(&mut self, var: Var, place: usize) {
        let n = self.dim();
        match var {
            Var::W(i) => self.places[i] = place,
            Var::Z(j) => self.places[n + j] = place,
        }
    }

    pub(super) fn is_basic(&self, var: Var) -> bool {
        self.place(var) < self.dim()
    }

    /// Column of a nonbasic variable.
    pub(super) fn column_of(&self, var: Var) -> usize {
        self.place(var) - self.dim()
    }

    /// Row of a basic variable.
    pub(super) fn row_of(&self, var: Var) -> usize {
        self.place(var)
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.t[row * self.stride()..(row + 1) * self.stride()]
    }

    /// By how much the basic variable of a row rises per unit of the nonbasic one of a column.
    #[inline]
    pub(super) fn entry(&self, row: usize, column: usize) -> f64 {
        self.t[row * self.stride() + column]
    }

    /// Value of the basic variable of a row.
    #[inline]
    pub(super) fn value(&self, row: usize) -> f64 {
        self.t[(row + 1) * self.stride() - 1]
    }

    /// `1 + max |b|` over the basic variables of this kind.
    pub(super) fn size(&self, kind: fn(&Var) -> bool) -> f64 {
        let rows = (0..self.dim()).filter(|&r| kind(&self.basic[r]));
        1.0 + rows.fold(0.0_f64, |m, r| m.max(self.value(r).abs()))
    }

    /// Adds to the column of `z_0`, of which the dictionary's basis is the start.
    pub(super) fn set_cover(&mut self, row: usize, d: f64) {
        let (n, stride) = (self.dim(), self.stride());
        self.t[row * stride + n] = d;
        // As a column of the problem itself it has an entry for this variable alone.
        match self.basic[row] {
            Var::W(i) => self.cover[i] += d,
            Var::Z(j) => axpy(&mut self.cover, -d, self.scaled.column(j)),
        }
    }

    /// Exchanges the basic variable of a row for a nonbasic one: the line is solved for it and put into the others.
    pub(super) fn exchange(&mut self, row: usize, entering: Var) {
        let (stride, column) = (self.stride(), self.column_of(entering));
        let (above, rest) = self.t.split_at_mut(row * stride);
        let (line, below) = rest.split_at_mut(stride);
        let inverse = 1.0 / line[column];
        for x in line.iter_mut() {
            *x *= -inverse;
        }
        line[column] = inverse;
        let others = above.chunks_exact_mut(stride);
        for other in others.chain(below.chunks_exact_mut(stride)) {
            let factor = other[column];
            if factor != 0.0 {
                other[column] = 0.0;
                axpy(other, factor, line);
            }
        }
        let leaving = std::mem::replace(&mut self.basic[row], entering);
        self.nonbasic[column] = leaving;
        let n = self.dim();
        self.set_place(entering, row);
        self.set_place(leaving, n + column);
        self.updates += 1;
    }

    /// Makes the column of an entering variable good to [`DRIFT`] times `care`; false if the basis is too near singular.
    pub(super) fn prepare(&mut self, entering: Var, care: f64) -> bool {
        let is_good = self.updates == 0 || self.defect(entering) <= DRIFT * care;
        is_good || self.renew()
    }

    /// The largest error of `w = A z + d z_0` along a column, relative to its largest entry and 1. `O(n k)`.
    fn defect(&mut self, entering: Var) -> f64 {
        let (n, stride) = (self.dim(), self.stride());
        let column = self.column_of(entering);
        zeroed(&mut self.image, n);
        let (scaled, cover) = (&self.scaled, &self.cover);
        let side = |j: usize| if j < n { scaled.column(j) } else { &cover[..] };
        let own = match entering {
            Var::Z(j) => Some((1.0, side(j))),
            Var::W(_) => None,
        };
        let lines = self.basic.iter().zip(self.t.chunks_exact(stride));
        let terms = lines.filter_map(|(var, line)| match *var {
            Var::Z(j) => Some((line[column], side(j))),
            Var::W(_) => None,
        });
        combine(&mut self.image, terms.chain(own));
        if let Var::W(i) = entering {
            self.image[i] -= 1.0;
        }
        let mut largest = 1.0_f64;
        for (var, line) in self.basic.iter().zip(self.t.chunks_exact(stride)) {
            largest = largest.max(line[column].abs());
            if let Var::W(i) = *var {
                self.image[i] -= line[column];
            }
        }
        max_abs(&self.image) / largest
    }

    /// Concludes a run that ended with this status; whether its answer is the best so far, and in `z` then. The answer of
    /// a complementary basis is computed by refinement against the problem's own matrix, with a factor of its own: the
    /// dictionary has lost digits on the way.
    pub(super) fn conclude(
        &mut self,
        lcp: Lcp,
        ended: SolveStatus,
        pivots: usize,
        best: &mut Outcome,
        z: &mut [f64],
    ) -> bool {
        let n = lcp.dim();
        self.answer.fill(0.0);
        self.pairs.clear();
        (self.pairs).extend((0..n).filter(|&i| self.places[n + i] < n));
        let steps = if self.is_complementary() {
            (self.refiner).run(lcp, &self.scaled, &self.pairs, &mut self.answer)
        } else {
            None
        };
        if steps.is_none() {
            self.read_off();
        }
        clamp(&mut self.answer);
        best.pivots += pivots;
        best.iterations += steps.unwrap_or(0);
        let (mut residual, mut status) = lcp.check(&self.answer);
        if !residual.is_finite() {
            self.answer.fill(0.0);
            residual = lcp.natural_residual(&self.answer);
        } else if status != SolveStatus::Solved && ended != SolveStatus::Solved {
            // A method that ended may have an answer that does not pass, and one that gave up one that does.
            status = ended;
        }
        let is_best = residual < best.residual || !best.residual.is_finite();
        if is_best {
            (best.status, best.residual) = (status, residual);
            z.copy_from_slice(&self.answer);
        }
        is_best
    }

    /// Fills `answer` with the dictionary's own z: of the problem with what was added to its diagonal.
    pub(super) fn read_off(&mut self) {
        self.answer.fill(0.0);
        for (row, var) in self.basic.iter().enumerate() {
            if let Var::Z(j) = *var
                && let Some(unit) = self.scaled.cols.get(j)
            {
                self.answer[j] = self.value(row) * unit * self.scaled.size;
            }
        }
        clamp(&mut self.answer);
    }

    /// Whether of every pair just one is basic; not while `z_0` is, or where no basis could be computed.
    pub(super) fn is_complementary(&self) -> bool {
        let n = self.dim();
        (0..n).all(|i| (self.places[i] < n) != (self.places[n + i] < n))
    }
}
