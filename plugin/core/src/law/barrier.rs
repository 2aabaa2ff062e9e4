//! The interior point of one unit: how its impulses answer a change of its velocities on the central path.
//!
//! With positive slacks w and gamma the laws are complementarities of products, which the path relaxes to
//! tau > 0:
//! ```text
//! half-line   z w = tau,                                w = u
//! interval    (l + z) w_l = tau,  (l - z) w_u = tau,    w_l - w_u = u
//! exact cone  z_n w = tau,                              w = u_n
//!             mu z_n gamma + z_t . u_t = tau,           mu z_n u_t + gamma z_t = 0        for every part
//! bilateral   u + eps d (z - z_0) = 0
//! ```
//! The last line of the cone is maximum dissipation: at tau = 0 it makes `gamma = |u_t|` and friction oppose the
//! slip. tau is a velocity squared divided by the unit's diagonal, so that light and heavy bodies go along
//! the path together.

use super::linear::Matrix6;
use super::{Law, Unit};

/// Proximal weight of bilateral rows.
const EQUATION: f64 = 1e-8;

/// A unit in the interior.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inside {
    pub(crate) z: [f64; 6],
    /// Slack of the first row; of an interval the lower one.
    pub(crate) w: f64,
    /// Slacks of the slip, by impulse.
    pub(crate) s: [f64; 6],
    /// Bounds of the slip of the friction parts; of an interval the first is its upper slack.
    pub(crate) gamma: [f64; 3],
}

/// `dz = p - H du`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) p: [f64; 6],
    pub(crate) h: Matrix6,
}

/// A change of a unit: impulses and slacks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Change {
    pub(crate) dz: [f64; 6],
    pub(crate) ds: [f64; 6],
    pub(crate) dw: f64,
    pub(crate) dgamma: [f64; 3],
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Inside {
    /// The impulses z moved inside by `push` [m/s], with slacks that put every product near the square of the push:
    /// those of what sticks and presses are central, whatever its velocities, which the first step meets; those
    /// of what moves are its velocities. Products of very different sizes would leave no way inside.
    pub(crate) fn near(unit: &Unit, z: &[f64; 6], u: &[f64; 6], push: f64) -> Self {
        let mut own = Self {
            z: *z,
            ..Self::default()
        };
        match unit.law {
            Law::Free => {}
            Law::Half | Law::Cone | Law::Convex => {
                own.z[0] = z[0].max(0.0);
                for (part, &(at, len)) in unit.parts().iter().enumerate() {
                    let (length, mu) = (
                        dot(&z[at..at + len], &z[at..at + len]).sqrt(),
                        unit.mu[part],
                    );
                    if mu > 0.0 {
                        own.z[0] = own.z[0].max(length / mu);
                    }
                }
                own.z[0] += push / unit.d[0];
                let tau = push * push / unit.d[0];
                own.w = match u[0] > push {
                    true => u[0],
                    false => tau / own.z[0],
                };
                for (part, &(at, len)) in unit.parts().iter().enumerate() {
                    let span = at..at + len;
                    let (slip, bound) = (
                        dot(&u[span.clone()], &u[span.clone()]).sqrt(),
                        unit.mu[part] * own.z[0],
                    );
                    let inside = bound * bound - dot(&z[span.clone()], &z[span.clone()]);
                    if slip > push || bound == 0.0 {
                        own.gamma[part] = slip + push;
                        own.s[span.clone()].copy_from_slice(&u[span]);
                    } else {
                        own.gamma[part] = tau * bound / inside;
                        for k in span {
                            own.s[k] = -own.gamma[part] * z[k] / bound;
                        }
                    }
                }
            }
            Law::Box(limit) => {
                let most = limit * (1.0 - 1e-3);
                own.z[0] = z[0].clamp(-most, most);
                own.w = u[0].max(0.0) + push;
                own.gamma[0] = (-u[0]).max(0.0) + push;
            }
        }
        own
    }

    /// The products of the unit times its diagonal, and how many they are.
    pub(crate) fn gap(&self, unit: &Unit) -> (f64, usize) {
        let (z, s) = (&self.z, &self.s);
        match unit.law {
            Law::Free => (0.0, 0),
            Law::Half | Law::Cone | Law::Convex => {
                let mut sum = z[0] * self.w;
                for (part, &(at, len)) in unit.parts().iter().enumerate() {
                    let turn = dot(&z[at..at + len], &s[at..at + len]);
                    sum += unit.mu[part] * z[0] * self.gamma[part] + turn;
                }
                (sum * unit.d[0], 1 + unit.parts().len())
            }
            Law::Box(limit) => {
                let sum = (limit + z[0]) * self.w + (limit - z[0]) * self.gamma[0];
                (sum * unit.d[0], 2)
            }
        }
    }

    /// How the impulses answer on the way to `tau` (a velocity squared), with the second-order terms of the change
    /// `last` taken off.
    pub(crate) fn answer(&self, unit: &Unit, u: &[f64; 6], tau: f64, last: &Change) -> Answer {
        let mut out = Answer::default();
        let (z, tau) = (&self.z, tau / unit.d[0]);
        match unit.law {
            Law::Free => {
                let weight = 1.0 / (EQUATION * unit.d[0] + unit.soft);
                out.p[0] = -u[0] * weight;
                out.h[0][0] = weight;
                return out;
            }
            Law::Box(limit) => {
                let (p, q) = (limit + z[0], limit - z[0]);
                let (l, h) = (self.w, self.gamma[0]);
                let below = (tau - last.dz[0] * last.dw) / p - l;
                let above = (tau + last.dz[0] * last.dgamma[0]) / q - h;
                let weight = 1.0 / (l / p + h / q + unit.soft);
                let short = u[0] - (l - h);
                out.p[0] = (below - above - short) * weight;
                out.h[0][0] = weight;
                return out;
            }
            Law::Half | Law::Cone | Law::Convex => {}
        }
        let weight = 1.0 / (self.w + unit.soft * z[0]);
        out.p[0] = (tau - z[0] * u[0] - last.dz[0] * last.dw) * weight;
        out.h[0][0] = z[0] * weight;
        for (part, &(at, len)) in unit.parts().iter().enumerate() {
            self.answer_part(unit, (u, tau), last, (part, at, len), &mut out);
        }
        out
    }

    /// One part: with `r = mu z_n` and dgamma eliminated,
    /// `(gamma I - z_t u_t^T / r) dz_t = c - (mu u_t - mu gamma z_t / r) dz_n - (r I - z_t z_t^T / r) du_t`.
    fn answer_part(
        &self,
        unit: &Unit,
        (u, tau): (&[f64; 6], f64),
        last: &Change,
        (part, at, len): (usize, usize, usize),
        out: &mut Answer,
    ) {
        let (mu, gamma) = (unit.mu[part], self.gamma[part]);
        if mu == 0.0 {
            for i in at..at + len {
                out.p[i] = -self.z[i];
            }
            return;
        }
        let r = mu * self.z[0];
        let (z, s, u) = (
            &self.z[at..at + len],
            &self.s[at..at + len],
            &u[at..at + len],
        );
        let (dz, ds) = (&last.dz[at..at + len], &last.ds[at..at + len]);
        let rest = tau - r * gamma - dot(z, s) - mu * last.dz[0] * last.dgamma[part] - dot(dz, ds);
        let mut a = [[0.0; 2]; 2];
        // Right-hand sides: constant, dz_n, the two du_t.
        let mut b = [[0.0; 4]; 2];
        for i in 0..len {
            let bent = mu * last.dz[0] * ds[i] + last.dgamma[part] * dz[i];
            b[i][0] = -(r * s[i] + gamma * z[i]) - bent - z[i] * rest / r;
            b[i][1] = -(mu * s[i] - mu * gamma * z[i] / r);
            for j in 0..len {
                let same = if i == j { 1.0 } else { 0.0 };
                a[i][j] = gamma * same - z[i] * s[j] / r;
                b[i][2 + j] = -(r * same - z[i] * z[j] / r);
                // The slacks catch up with the velocities.
                b[i][0] += b[i][2 + j] * (u[j] - s[j]);
            }
        }
        if len == 1 {
            a[1][1] = 1.0;
        }
        let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
        #[allow(clippy::needless_range_loop, reason = "two rows at once")]
        for k in 0..2 + len {
            let [x, y] = [b[0][k], b[1][k]];
            b[0][k] = (a[1][1] * x - a[0][1] * y) / det;
            b[1][k] = (a[0][0] * y - a[1][0] * x) / det;
        }
        for (i, b) in b.iter().enumerate().take(len) {
            out.p[at + i] = b[0] + b[1] * out.p[0];
            out.h[at + i][0] = b[1] * out.h[0][0];
            for j in 0..len {
                out.h[at + i][at + j] = -b[2 + j];
            }
        }
    }

    /// The change of the slacks that goes with changes of impulses and velocities.
    pub(crate) fn complete(
        &self,
        unit: &Unit,
        (u, tau): (&[f64; 6], f64),
        last: &Change,
        (dz, du): ([f64; 6], [f64; 6]),
    ) -> Change {
        let mut own = Change {
            dz,
            ..Change::default()
        };
        let (z, tau) = (&self.z, tau / unit.d[0]);
        match unit.law {
            Law::Free => {}
            Law::Box(limit) => {
                let (p, q) = (limit + z[0], limit - z[0]);
                own.dw = (tau - last.dz[0] * last.dw - self.w * dz[0]) / p - self.w;
                let upper = self.gamma[0];
                own.dgamma[0] = (tau + last.dz[0] * last.dgamma[0] + upper * dz[0]) / q - upper;
            }
            Law::Half | Law::Cone | Law::Convex => {
                own.dw = u[0] + du[0] + unit.soft * dz[0] - self.w;
                for (part, &(at, len)) in unit.parts().iter().enumerate() {
                    let r = unit.mu[part] * z[0];
                    if r == 0.0 {
                        continue;
                    }
                    let span = at..at + len;
                    for k in span.clone() {
                        own.ds[k] = u[k] + du[k] - self.s[k];
                    }
                    let s = &self.s;
                    let rest = tau
                        - r * self.gamma[part]
                        - dot(&z[span.clone()], &s[span.clone()])
                        - unit.mu[part]
                            * (last.dz[0] * last.dgamma[part] + self.gamma[part] * dz[0])
                        - dot(&last.dz[span.clone()], &last.ds[span.clone()]);
                    own.dgamma[part] = (rest
                        - dot(&s[span.clone()], &dz[span.clone()])
                        - dot(&z[span.clone()], &own.ds[span]))
                        / r;
                }
            }
        }
        own
    }

    /// The longest step, at most 1, that stays inside.
    pub(crate) fn longest(&self, unit: &Unit, change: &Change) -> f64 {
        let z = &self.z;
        match unit.law {
            Law::Free => 1.0,
            Law::Box(limit) => {
                let parts = [
                    (limit + z[0], change.dz[0]),
                    (limit - z[0], -change.dz[0]),
                    (self.w, change.dw),
                    (self.gamma[0], change.dgamma[0]),
                ];
                parts
                    .into_iter()
                    .fold(1.0, |most, (x, dx)| most.min(positive(x, dx)))
            }
            Law::Half | Law::Cone | Law::Convex => {
                let mut most = positive(z[0], change.dz[0]).min(positive(self.w, change.dw));
                for (part, &(at, len)) in unit.parts().iter().enumerate() {
                    let mu = unit.mu[part];
                    if mu == 0.0 {
                        continue;
                    }
                    let span = at..at + len;
                    let (dz, ds) = (&change.dz[span.clone()], &change.ds[span.clone()]);
                    let own = (mu * z[0], &z[span.clone()]);
                    most = most.min(in_cone(own, (mu * change.dz[0], dz)));
                    let slip = (self.gamma[part], &self.s[span]);
                    most = most.min(in_cone(slip, (change.dgamma[part], ds)));
                }
                most
            }
        }
    }

    /// Takes a share of a change.
    pub(crate) fn take(&mut self, change: &Change, share: f64) {
        for (z, dz) in self.z.iter_mut().zip(change.dz) {
            *z += share * dz;
        }
        for (s, ds) in self.s.iter_mut().zip(change.ds) {
            *s += share * ds;
        }
        self.w += share * change.dw;
        for (gamma, dgamma) in self.gamma.iter_mut().zip(change.dgamma) {
            *gamma += share * dgamma;
        }
    }
}

/// The longest step, at most 1, for which `x + a dx >= 0`.
fn positive(x: f64, dx: f64) -> f64 {
    if dx < -x { -x / dx } else { 1.0 }
}

/// The longest step, at most 1, for which `|y + a dy| <= x + a dx`, from inside.
fn in_cone((x, y): (f64, &[f64]), (dx, dy): (f64, &[f64])) -> f64 {
    // x^2 - |y|^2 + 2 a (x dx - y.dy) + a^2 (dx^2 - |dy|^2) >= 0.
    let c = (x * x - dot(y, y)).max(0.0);
    let b = x * dx - dot(y, dy);
    let a = dx * dx - dot(dy, dy);
    let most = positive(x, dx);
    let det = b * b - a * c;
    if det < 0.0 {
        return most;
    }
    // The smallest positive root, by the form without cancellation.
    let q = -(b + det.sqrt().copysign(b));
    let roots = [q / a, c / q];
    let least = roots
        .into_iter()
        .filter(|x| *x > 0.0)
        .fold(f64::INFINITY, f64::min);
    most.min(least)
}

#[cfg(test)]
mod tests;
