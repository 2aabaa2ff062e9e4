//! The convex law by a primal-dual interior point over the velocities of an island, from nothing but the problem: where a descent
//! from any impulses may turn among the kinks of its function, the path of the interior point has none.
//!
//! Impulses z and velocities `u = R v + b + soft z_n` lie inside dual cones with products that fall to zero together. A unit's cone is
//! an intersection of second-order cones, one for each friction part or bound: `p = E^T z + c` lies in it, and `u = sum E q` with
//! q in the same one. The scaling of Nesterov and Todd (1997), `W p = W^-1 q = lambda`, linearises
//! `p o q = sigma mu e` to `dq = W (c - W dp)` with `lambda o c = sigma mu e - lambda o lambda`, the second order left out. With
//! `Q = sum E W^2 E^T` the impulses are eliminated unit by unit:
//! ```text
//! dz = H (r - R dv),   H = (Q + soft + eps D)^-1,   r = sum E (q + W c) - u
//! (I + R^T H R) dv = v_free + R^T z - v + R^T H r
//! ```
//! The proximal weight eps, whose centre is the present impulse, makes H regular and leaves the answer alone. A step is Mehrotra's (1992): by one
//! factor, first towards `mu = 0`, then towards what that leaves of mu. The last digits, which the scaling loses where friction slides,
//! are left to a descent.

use super::Ended;
use super::best::Best;
use super::graph::Graph;
use super::proximal::Path;
use crate::law::project::only;
use crate::law::{ConstraintBlock, Law, PART, by_width, parts};
use crate::problem::IslandProblem;
use crate::system::System;
use crate::tolerances::{DEPENDENT, FINE, PATIENCE, PROGRESS};
use nalgebra::Vector3;
use std::array::from_fn;

/// A second-order cone `|p_1| <= p_0` of a unit; a half-line where it has no other impulses than the first.
#[derive(Clone, Copy, Debug, Default)]
struct Cone {
    unit: usize,
    /// `p_0 = scale z_0 + offset`.
    scale: f64,
    offset: f64,
    /// First of the unit's other impulses, and how many there are.
    at: usize,
    len: usize,
    p: Vector3<f64>,
    q: Vector3<f64>,
    dp: Vector3<f64>,
    dq: Vector3<f64>,
    /// `W^2 = size^2 (2 w w^T - J)`.
    w: Vector3<f64>,
    size: f64,
    lambda: Vector3<f64>,
    /// `W dp + W^-1 dq`.
    c: Vector3<f64>,
}

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Interior {
    graph: Graph,
    /// In the order of the units.
    cones: Vec<Cone>,
    z: Vec<f64>,
    v: Vec<f64>,
    dz: Vec<f64>,
    dv: Vec<f64>,
    /// H of every unit, and r.
    h: Vec<f64>,
    r: Vec<f64>,
    projected: Vec<f64>,
    best: Best,
}

impl Interior {
    /// Runs, whatever impulses are present; ends with the best ones, those among them. `None` if a factor would take more than is
    /// allowed.
    pub(super) fn run(
        &mut self,
        place: IslandProblem<'_>,
        system: &mut System,
        path: Path,
    ) -> Option<Ended> {
        if !self.graph.enter(place, system, path.flops) {
            return None;
        }
        self.best.begin(system);
        self.begin(system);
        let (mut done, mut idle, mut least_mu) = (0, 0, f64::INFINITY);
        while done < path.factors && self.best.residual > path.goal && idle < PATIENCE {
            let is_inside = self.cones.iter_mut().all(Cone::set_scaling);
            let mu = self.mu(0.0);
            if !is_inside || !self.factor(system) {
                break;
            }
            done += 1;
            self.step(system, mu);
            system.projected_to_bounds(&self.z, &mut self.projected);
            let least = self.best.residual;
            let left = self.best.offer(system, &mut self.projected);
            if left.is_nan() {
                break;
            }
            let gains = left < PROGRESS * least || mu < PROGRESS * least_mu;
            idle = if gains { 0 } else { idle + 1 };
            least_mu = mu.min(least_mu);
        }
        Some(self.best.end(system, done))
    }

    /// The cones of all units, and a point inside of them all, on the central path of the problem without couplings: `p . q = mu`
    /// everywhere.
    fn begin(&mut self, system: &System) {
        let mobility = system.units.iter().map(|unit| 1.0 / unit.d[0]).sum::<f64>();
        let mu = system.speed * system.speed * mobility / system.units.len() as f64;
        self.cones.clear();
        self.z.clear();
        self.z.resize(system.z.len(), 0.0);
        for (number, unit) in system.units.iter().enumerate() {
            let opens = matches!(unit.law, Law::Half | Law::Cone | Law::Convex);
            if opens {
                self.z[unit.at as usize] = (mu / unit.d[0]).sqrt();
            }
            let first = self.cones.len();
            let cone = |scale, offset, (at, len)| Cone {
                unit: number,
                scale,
                offset,
                at,
                len,
                ..Cone::default()
            };
            match unit.law {
                Law::Free => {}
                Law::Box(limit) => {
                    (self.cones).extend([1.0, -1.0].map(|side| cone(side, limit, (0, 0))));
                }
                Law::Half | Law::Cone | Law::Convex => {
                    let parts = by_width!(unit, W => parts::<W>());
                    let discs = unit.mu.iter().zip(parts).filter(|(mu, _)| **mu > 0.0);
                    self.cones
                        .extend(discs.map(|(mu, part)| cone(*mu, 0.0, *part)));
                    if self.cones.len() == first {
                        self.cones.push(cone(1.0, 0.0, (0, 0)));
                    }
                }
            }
            for cone in &mut self.cones[first..] {
                cone.p = cone.of(&self.z, unit) + Vector3::x() * cone.offset;
                cone.q[0] = mu / cone.p[0];
            }
        }
        system.velocity_of(&self.z, &mut self.v);
    }

    /// The mean product of p and q after a share of the step.
    fn mu(&self, share: f64) -> f64 {
        let products = self.cones.iter().map(|cone| {
            let (p, q) = (cone.p + cone.dp * share, cone.q + cone.dq * share);
            p.dot(&q)
        });
        products.sum::<f64>() / self.cones.len().max(1) as f64
    }

    /// One step from a point of mean product `mu`.
    fn step(&mut self, system: &System, mu: f64) {
        for cone in &mut self.cones {
            cone.c = -cone.lambda;
        }
        self.direction(system);
        let share = self.reach().min(1.0);
        let wanted = mu * (self.mu(share) / mu).clamp(0.0, 1.0).powi(3);
        for cone in &mut self.cones {
            let second = product(&cone.unscaled(&cone.dq), &cone.scaled(&cone.dp));
            let square = product(&cone.lambda, &cone.lambda);
            // The second order counts as far as the first one could be followed.
            let aim = Vector3::x() * wanted - square - second * share;
            cone.c = quotient(&cone.lambda, &aim);
        }
        self.direction(system);
        let share = ((1.0 - FINE) * self.reach()).min(1.0);
        let moves = [(&mut self.z, &self.dz), (&mut self.v, &self.dv)];
        for (x, dx) in moves.into_iter().flat_map(|(x, dx)| x.iter_mut().zip(dx)) {
            *x += share * dx;
        }
        for cone in &mut self.cones {
            cone.p += cone.dp * share;
            cone.q += cone.dq * share;
        }
    }

    /// How many times the step leads to the boundary.
    fn reach(&self) -> f64 {
        let each = self.cones.iter().flat_map(|cone| {
            [cone.scaled(&cone.dp), cone.unscaled(&cone.dq)].map(|d| reach(&cone.lambda, &d))
        });
        each.fold(f64::INFINITY, f64::min)
    }

    /// H of every unit, and the factor; false where that is singular.
    fn factor(&mut self, system: &System) -> bool {
        self.h.clear();
        self.graph.begin();
        let mut cones = self.cones.iter().peekable();
        for (number, unit) in system.units.iter().enumerate() {
            by_width!(unit, W => {
                let mut h = [[0.0; W]; W];
                // What is left of the normal row once the parts are eliminated, and how their impulses follow its own.
                let mut normal = unit.soft + DEPENDENT * unit.d[0];
                let mut follow = only::<W>(1.0);
                while let Some(cone) = cones.next_if(|cone| cone.unit == number) {
                    normal += cone.eliminate(DEPENDENT * unit.d[PART[cone.at]], &mut h, &mut follow);
                }
                for i in 0..W {
                    for j in 0..W {
                        h[i][j] += follow[i] * follow[j] / normal;
                    }
                }
                self.h.extend_from_slice(h.as_flattened());
                self.graph.add(system, number, &h);
            });
        }
        self.graph.factor().is_ok()
    }

    /// The step for the c of all cones.
    fn direction(&mut self, system: &System) {
        self.r.clear();
        self.dv.clear();
        let ends = system.v_free.iter().zip(&self.v);
        self.dv.extend(ends.map(|(f, v)| f - v));
        let (mut cones, mut h) = (self.cones.iter().peekable(), &self.h[..]);
        for (number, unit) in system.units.iter().enumerate() {
            by_width!(unit, W => {
                let z = unit.of::<W>(&self.z);
                let mut r: [f64; W] = system.velocity(unit, &self.v, z[0]).map(|u: f64| -u);
                while let Some(cone) = cones.next_if(|cone| cone.unit == number) {
                    let next = cone.q + cone.scaled(&cone.c);
                    r[0] += cone.scale * next[0];
                    for k in 0..cone.len {
                        r[cone.at + k] += next[1 + k];
                    }
                }
                self.r.extend_from_slice(&r);
                let moved = times(&mut h, &r);
                system.add(unit, from_fn::<_, W, _>(|k| z[k] + moved[k]), &mut self.dv);
            });
        }
        self.graph.solve(&mut self.dv);
        self.dz.clear();
        let mut h = &self.h[..];
        for unit in &system.units {
            by_width!(unit, W => {
                let (r, du): ([f64; W], [f64; W]) = (unit.of(&self.r), system.product(unit, &self.dv));
                let dz = times(&mut h, &from_fn::<_, W, _>(|k| r[k] - du[k]));
                self.dz.extend_from_slice(&dz);
            });
        }
        for cone in &mut self.cones {
            cone.dp = cone.of(&self.dz, &system.units[cone.unit]);
            cone.dq = cone.scaled(&(cone.c - cone.scaled(&cone.dp)));
        }
    }
}

impl Cone {
    /// `E^T z`
    fn of(&self, z: &[f64], unit: &ConstraintBlock) -> Vector3<f64> {
        let z = &z[unit.range()];
        let other = |k: usize| if k < self.len { z[self.at + k] } else { 0.0 };
        Vector3::new(self.scale * z[0], other(0), other(1))
    }

    /// The scaling at p and q; false unless both are inside.
    fn set_scaling(&mut self) -> bool {
        let (dp, dq) = (determinant(&self.p), determinant(&self.q));
        let (p, q) = (self.p / dp.sqrt(), self.q / dq.sqrt());
        let double = (2.0 * (1.0 + p.dot(&q))).sqrt();
        let (w1, w2) = ((q[1] - p[1]) / double, (q[2] - p[2]) / double);
        self.w = Vector3::new((1.0 + w1 * w1 + w2 * w2).sqrt(), w1, w2);
        self.size = (dq / dp).sqrt().sqrt();
        self.lambda = self.scaled(&self.p);
        dp > 0.0 && dq > 0.0
    }

    /// `W x`
    fn scaled(&self, x: &Vector3<f64>) -> Vector3<f64> {
        boost(&self.w, x) * self.size
    }

    /// `W^-1 x`
    fn unscaled(&self, x: &Vector3<f64>) -> Vector3<f64> {
        boost(&Vector3::new(self.w[0], -self.w[1], -self.w[2]), x) / self.size
    }

    /// Eliminates the part's impulses from `E (W^2 + own) E^T`: adds the inverse of their block to `h`, sets how they `follow` the normal
    /// impulse, and returns what is left of the normal row. As sums of positive terms, since W grows without bound.
    fn eliminate<const W: usize>(
        &self,
        own: f64,
        h: &mut [[f64; W]; W],
        follow: &mut [f64; W],
    ) -> f64 {
        let [w0, w1, w2] = [0, 1, 2].map(|k| self.w[k]);
        let (square, scale) = (self.size * self.size, self.scale * self.scale);
        if self.len == 0 {
            return scale * square;
        }
        let across = square + own;
        let long = square * (1.0 + 2.0 * (w1 * w1 + w2 * w2));
        let along = long + own;
        for (i, x) in [w1, w2].into_iter().take(self.len).enumerate() {
            follow[self.at + i] = -2.0 * square * w0 * self.scale / along * x;
            h[self.at + i][self.at + i] += 1.0 / across;
            for (j, y) in [w1, w2].into_iter().take(self.len).enumerate() {
                h[self.at + i][self.at + j] -= 2.0 * square / (across * along) * x * y;
            }
        }
        scale * (square * square + own * long) / along
    }
}

/// `H x` with the first numbers of a list, which goes on behind them.
fn times<const W: usize>(h: &mut &[f64], x: &[f64; W]) -> [f64; W] {
    let (own, rest) = h.split_at(W * W);
    *h = rest;
    from_fn(|i| (0..W).map(|j| own[W * i + j] * x[j]).sum())
}

/// `x_0^2 - |x_1|^2`
fn determinant(x: &Vector3<f64>) -> f64 {
    let length = x[1].hypot(x[2]);
    (x[0] - length) * (x[0] + length)
}

/// The product of Jordan's algebra of the cone.
fn product(a: &Vector3<f64>, b: &Vector3<f64>) -> Vector3<f64> {
    let [x, y] = [1, 2].map(|k| a[0] * b[k] + b[0] * a[k]);
    Vector3::new(a.dot(b), x, y)
}

/// The x of `a o x = b`.
fn quotient(a: &Vector3<f64>, b: &Vector3<f64>) -> Vector3<f64> {
    let first = (a[0] * b[0] - a[1] * b[1] - a[2] * b[2]) / determinant(a);
    let [x, y] = [1, 2].map(|k| (b[k] - first * a[k]) / a[0]);
    Vector3::new(first, x, y)
}

/// `x` by the matrix of determinant 1 that takes the axis of the cone to w.
fn boost(w: &Vector3<f64>, x: &Vector3<f64>) -> Vector3<f64> {
    let inner = w[1] * x[1] + w[2] * x[2];
    let share = x[0] + inner / (1.0 + w[0]);
    Vector3::new(
        w[0] * x[0] + inner,
        x[1] + share * w[1],
        x[2] + share * w[2],
    )
}

/// The largest t with `a + t d` in the cone.
fn reach(a: &Vector3<f64>, d: &Vector3<f64>) -> f64 {
    let root = determinant(a).sqrt();
    let back = Vector3::new(a[0], -a[1], -a[2]) / root;
    let d = boost(&back, d) / root;
    let least = d[0] - d[1].hypot(d[2]);
    if least < 0.0 {
        -1.0 / least
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests;
