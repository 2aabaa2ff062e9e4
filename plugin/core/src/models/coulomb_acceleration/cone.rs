//! The circular cone of rolling contacts by a semismooth Newton method, from the polygon's answer.
//!
//! Unknowns y: forces of unilateral rows, friction of units along s and t (scaled so that an ellipse is a
//! circle), bounded scalars. With `w = B y + c` their velocities the conditions are the zeros of the
//! natural maps, D the diagonals:
//! ```text
//! unilateral rows   F = D y - D max(0, y - w / D)
//! units   F = D y - D Proj(y - w / D)  onto the disc of radius mu y_n, or the interval of a drive
//! ```
//! Their generalized Jacobian is the matrix of Newton's method (Alart and Curnier 1991); steps are
//! damped until |F| falls. Contacts that share a load in many ways make it singular: a small multiple
//! of D on its diagonal then chooses among them.

use super::super::reduced::Reduced;
use super::layout::{Bound, Layout, Mix};
use crate::factor::Lu;
use crate::rows::kernel::dot;

/// Newton steps after which the method gives up; it converges in 3 to 10.
const MAX_STEPS: usize = 60;
/// Share of D on the diagonal of a Jacobian that may be singular: what round-off leaves along loads that
/// can be shared in many ways is divided by it, and moves them by that much.
const DAMPING: f64 = 1e-8;

/// What D is multiplied by before each try until one ends at a solution (1, 0.1, 10, 100 and 0.01 times
/// D in all): it changes the path, not the solution.
const WEIGHTS: [f64; 5] = [1.0, 0.1, 100.0, 10.0, 1e-4];

/// What a block of unknowns has to fulfil.
#[derive(Clone, Copy, Debug)]
enum Law {
    /// One unknown, not negative.
    Unilateral,
    /// Two unknowns within `mu` times another one.
    Disc { normal: u32, mu: f64 },
    /// One unknown within plus or minus this times another one.
    Interval { normal: u32, mu: f64 },
    /// One unknown within plus or minus this.
    Box(f64),
}

#[derive(Clone, Copy, Debug)]
struct Block {
    first: usize,
    law: Law,
    /// D.
    weight: f64,
}

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    blocks: Vec<Block>,
    /// Rows of the unknowns, and what their forces bring along.
    along: Vec<Mix>,
    slide: Vec<Mix>,
    /// The unknown of every unilateral row variable.
    unknown: Vec<u32>,
    b: Vec<f64>,
    c: Vec<f64>,
    y: Vec<f64>,
    trial: Vec<f64>,
    w: Vec<f64>,
    f: Vec<f64>,
    jacobian: Vec<f64>,
    line: Vec<f64>,
    lu: Lu,
}

impl Newton {
    /// Improves the forces `x` of the kept rows from the polygon's answer to the cone's. Returns the
    /// steps taken; the answer is for the residual check to accept.
    ///
    /// Unilateral rows get `soft` times their diagonal as compliance.
    pub(super) fn solve(
        &mut self,
        (layout, soft): (&Layout, f64),
        reduced: &Reduced,
        x: &mut [f64],
    ) -> usize {
        self.lay_out(layout);
        self.assemble((layout, soft), reduced);
        let mut steps = 0;
        for weight in WEIGHTS {
            for block in &mut self.blocks {
                block.weight *= weight;
            }
            self.start(x);
            if self.descend(reduced.speed(), &mut steps) {
                break;
            }
        }
        x.fill(0.0);
        for ((along, slide), &y) in self.along.iter().zip(&self.slide).zip(&self.y) {
            for mix in [along, slide] {
                for (place, share) in mix.places.into_iter().zip(mix.shares) {
                    x[place as usize] += share * y;
                }
            }
        }
        steps
    }

    /// Newton steps until nothing is gained; true if that is at a solution.
    fn descend(&mut self, speed: f64, steps: &mut usize) -> bool {
        let mut size = self.evaluate(false);
        for _ in 0..MAX_STEPS {
            if size <= 1e-14 * speed {
                break;
            }
            *steps += 1;
            self.differentiate();
            if !self.step() {
                break;
            }
            let before = size;
            size = self.search(before);
            if size >= before {
                break;
            }
        }
        size <= 1e-10 * speed
    }

    fn lay_out(&mut self, layout: &Layout) {
        self.blocks.clear();
        self.along.clear();
        self.slide.clear();
        self.c.clear();
        self.unknown.clear();
        self.unknown.resize(layout.variables.len(), 0);
        for (i, variable) in layout.variables.iter().enumerate() {
            if variable.role.is_unilateral() {
                self.unknown[i] = self.along.len() as u32;
                self.blocks.push(Block {
                    first: self.along.len(),
                    law: Law::Unilateral,
                    weight: 0.0,
                });
                self.along.push(variable.along);
                self.slide.push(variable.slide);
                self.c.push(variable.offset);
            }
        }
        for unit in &layout.units {
            let first = self.along.len();
            let single = unit.places[0] == unit.places[1];
            for k in 0..if single { 1 } else { 2 } {
                let scale = unit.scales[k];
                if scale > 0.0 {
                    let mut along = Mix::one(unit.places[k] as usize);
                    along.shares[0] = scale;
                    self.along.push(along);
                    self.slide.push(Mix::default());
                    self.c.push(-scale * unit.targets[k]);
                }
            }
            let law = match (unit.bound, self.along.len() - first) {
                (Bound::Constant(limit), _) => Law::Box(limit),
                (Bound::Normal { variable, mu }, count) => {
                    let normal = self.unknown[variable as usize];
                    if count == 2 {
                        Law::Disc { normal, mu }
                    } else {
                        Law::Interval { normal, mu }
                    }
                }
            };
            self.blocks.push(Block {
                first,
                law,
                weight: unit.weight,
            });
        }
    }

    /// `B` and `c`.
    fn assemble(&mut self, (layout, soft): (&Layout, f64), reduced: &Reduced) {
        let p = self.along.len();
        let k = reduced.rows().len();
        self.b.clear();
        self.b.resize(p * p, 0.0);
        for (i, along) in self.along.iter().enumerate() {
            self.c[i] += along.of(reduced.q());
            let rows = along
                .places
                .map(|r| &reduced.w()[r as usize * k..(r as usize + 1) * k]);
            self.line.clear();
            let pairs = rows[0].iter().zip(rows[1]);
            (self.line).extend(pairs.map(|(x, y)| along.shares[0] * x + along.shares[1] * y));
            let entries = self.b[i * p..(i + 1) * p].iter_mut();
            for (entry, (along, slide)) in entries.zip(self.along.iter().zip(&self.slide)) {
                *entry = along.of(&self.line) + slide.of(&self.line);
            }
        }
        let unilaterals = layout.variables.iter().enumerate();
        for (i, variable) in unilaterals.filter(|(_, v)| v.role.is_unilateral()) {
            let y = self.unknown[i] as usize;
            let d = reduced.diagonal(variable.along.places[0] as usize) + variable.softness;
            self.b[y * p + y] += variable.softness + soft * d;
            // Rows along which nothing moves have any scale.
            self.blocks[y].weight = if d > 0.0 { d } else { 1.0 };
        }
        let units = self
            .blocks
            .iter()
            .skip_while(|b| matches!(b.law, Law::Unilateral));
        for (block, unit) in units.zip(&layout.units) {
            if matches!(block.law, Law::Box(_)) {
                self.b[block.first * p + block.first] += unit.compliance;
            }
        }
    }

    /// The unknowns of the kept rows' forces.
    fn start(&mut self, x: &[f64]) {
        self.y.clear();
        let shares = self.along.iter();
        (self.y).extend(shares.map(|along| x[along.places[0] as usize] / along.shares[0]));
    }

    /// Fills `w` and `f` at `trial` or `y`; returns |F| in its largest entry.
    fn evaluate(&mut self, trial: bool) -> f64 {
        let y = if trial { &self.trial } else { &self.y };
        let p = y.len();
        self.w.clear();
        let rows = self.b.chunks_exact(p.max(1)).zip(&self.c);
        self.w.extend(rows.map(|(row, c)| c + dot(row, y)));
        self.f.clear();
        self.f.resize(p, 0.0);
        for block in &self.blocks {
            let (i, d) = (block.first, block.weight);
            let clamped = |low: f64, high: f64| {
                let wanted = y[i] - self.w[i] / d;
                d * (y[i] - wanted.clamp(low, high))
            };
            match block.law {
                Law::Unilateral => self.f[i] = clamped(0.0, f64::INFINITY),
                Law::Box(limit) => self.f[i] = clamped(-limit, limit),
                Law::Interval { normal, mu } => {
                    let r = mu * y[normal as usize].max(0.0);
                    self.f[i] = clamped(-r, r);
                }
                Law::Disc { normal, mu } => {
                    let r = mu * y[normal as usize].max(0.0);
                    let wanted = [y[i] - self.w[i] / d, y[i + 1] - self.w[i + 1] / d];
                    let size = wanted[0].hypot(wanted[1]);
                    let share = if size > r { r / size } else { 1.0 };
                    self.f[i] = d * (y[i] - share * wanted[0]);
                    self.f[i + 1] = d * (y[i + 1] - share * wanted[1]);
                }
            }
        }
        self.f.iter().fold(0.0, |m, f| {
            if f.abs() > m || f.is_nan() {
                f.abs()
            } else {
                m
            }
        })
    }

    /// The generalized Jacobian at `y`, into `jacobian`.
    fn differentiate(&mut self) {
        let p = self.y.len();
        self.jacobian.clear();
        self.jacobian.resize(p * p, 0.0);
        for at in 0..self.blocks.len() {
            let Block { first, law, weight } = self.blocks[at];
            match law {
                Law::Unilateral => self.clamp(first, weight, (0.0, f64::INFINITY), None),
                Law::Box(limit) => self.clamp(first, weight, (-limit, limit), None),
                Law::Interval { normal, mu } => {
                    let r = mu * self.y[normal as usize].max(0.0);
                    self.clamp(first, weight, (-r, r), Some((normal as usize, mu)));
                }
                Law::Disc { normal, mu } => self.disc(first, weight, normal as usize, mu),
            }
        }
        for block in &self.blocks {
            let count = if matches!(block.law, Law::Disc { .. }) {
                2
            } else {
                1
            };
            for i in block.first..block.first + count {
                self.jacobian[i * p + i] += DAMPING * block.weight;
            }
        }
    }

    fn clamp(&mut self, i: usize, d: f64, (low, high): (f64, f64), bound: Option<(usize, f64)>) {
        let p = self.y.len();
        let wanted = self.y[i] - self.w[i] / d;
        let row = &mut self.jacobian[i * p..(i + 1) * p];
        if wanted > low && wanted < high {
            row.copy_from_slice(&self.b[i * p..(i + 1) * p]);
            return;
        }
        row[i] = d;
        if let Some((normal, mu)) = bound {
            row[normal] -= d * mu * if wanted >= high { 1.0 } else { -1.0 };
        }
    }

    fn disc(&mut self, i: usize, d: f64, normal: usize, mu: f64) {
        let p = self.y.len();
        let r = mu * self.y[normal].max(0.0);
        let wanted = [self.y[i] - self.w[i] / d, self.y[i + 1] - self.w[i + 1] / d];
        let size = wanted[0].hypot(wanted[1]);
        if size <= r && r > 0.0 {
            let rows = i * p..(i + 2) * p;
            self.jacobian[rows.clone()].copy_from_slice(&self.b[rows]);
            return;
        }
        let unit = if size > 0.0 {
            wanted.map(|x| x / size)
        } else {
            [0.0; 2]
        };
        let share = if size > 0.0 { r / size } else { 0.0 };
        // dF = D dy - share (I - u u^T) (D dy - B dy) - D mu u dy_n
        for a in 0..2 {
            for j in 0..p {
                let mut sum = 0.0;
                for e in 0..2 {
                    let across = f64::from(u8::from(a == e)) - unit[a] * unit[e];
                    let own = if j == i + e { d } else { 0.0 };
                    sum += across * (own - self.b[(i + e) * p + j]);
                }
                let own = if j == i + a { d } else { 0.0 };
                self.jacobian[(i + a) * p + j] = own - share * sum;
            }
            self.jacobian[(i + a) * p + normal] -= d * mu * unit[a];
        }
    }

    /// The Newton step, into `f`; false if there is none.
    fn step(&mut self) -> bool {
        let p = self.y.len();
        let jacobian = &self.jacobian;
        let entry = |i: usize, j: usize| jacobian[i * p + j];
        if self.lu.factor(p, 1e-300, entry).is_err() {
            return false;
        }
        self.lu.solve(&mut self.f);
        self.f.iter().all(|x| x.is_finite())
    }

    /// Goes along the step, halving it until |F| falls; returns the new |F|, `before` if it never does.
    fn search(&mut self, before: f64) -> f64 {
        let mut direction = std::mem::take(&mut self.line);
        direction.clear();
        direction.extend_from_slice(&self.f);
        let mut length = 1.0;
        let mut size = before;
        for _ in 0..30 {
            self.trial.clear();
            let pairs = self.y.iter().zip(&direction);
            self.trial.extend(pairs.map(|(y, s)| y - length * s));
            let now = self.evaluate(true);
            if now < before * (1.0 - 1e-4 * length) {
                std::mem::swap(&mut self.y, &mut self.trial);
                size = now;
                break;
            }
            length *= 0.5;
        }
        self.line = direction;
        if size >= before {
            self.evaluate(false);
        }
        size
    }
}
