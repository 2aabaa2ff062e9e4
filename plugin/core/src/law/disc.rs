//! Projection onto the cone of one contact.

use super::coulomb;

/// One friction part of a contact: its impulse lies in the disc of radius `mu f_n`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Radius per normal impulse [- or m], >= 0.
    pub mu: f64,
    /// Weight of the part in the metric of the projection, > 0.
    pub weight: f64,
    /// Length of the part's impulse \[N s or N m s\], >= 0.
    pub radius: f64,
}

/// Normal component of the projection onto the cone `r_k <= mu_k f`, `f >= 0`: the minimiser of
/// ```text
/// w0/2 (f - f0)^2 + sum_k w_k/2 max(r_k - mu_k f, 0)^2     over f >= 0,
/// ```
/// after which every part longer than `mu_k f` is shortened to it ([`onto_disc`]). The derivative
/// grows with f and is linear between the kinks `r_k / mu_k`, so
/// `f = (w0 f0 + sum_A w_k mu_k r_k) / (w0 + sum_A w_k mu_k^2)` with A the parts longer than
/// `mu_k f`; they join A from the largest kink down. With one disc and unit weights this is
/// `(f0 + mu r) / (1 + mu^2)` \[TA\]. `discs` is reordered.
pub fn onto_cone(f0: f64, w0: f64, discs: &mut [Disc]) -> f64 {
    // A part without friction pulls at nothing; a kink is compared as a product to avoid 0 / 0.
    let mut f = f0;
    let (mut above, mut below) = (w0 * f0, w0);
    for i in 0..discs.len() {
        let mut first = i;
        for j in i + 1..discs.len() {
            if discs[j].radius * discs[first].mu > discs[first].radius * discs[j].mu {
                first = j;
            }
        }
        discs.swap(i, first);
        let disc = discs[i];
        if disc.mu > 0.0 {
            if disc.radius <= disc.mu * f {
                break;
            }
            above += disc.weight * disc.mu * disc.radius;
            below += disc.weight * disc.mu * disc.mu;
            f = above / below;
        }
    }
    f.max(0.0)
}

/// The nearest point of the disc of radius `bound` >= 0.
#[inline]
pub fn onto_disc(x: [f64; 2], bound: f64) -> [f64; 2] {
    coulomb::onto_disc(x, bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_random::Random;

    /// Projection of (f, s, t, torsion, rolling pair) in the metric `w`.
    fn project(g: [f64; 6], w: [f64; 4], mu: [f64; 3]) -> [f64; 6] {
        let radii = [g[1].hypot(g[2]), g[3].abs(), g[4].hypot(g[5])];
        let mut discs = [0, 1, 2].map(|k| Disc {
            mu: mu[k],
            weight: w[k + 1],
            radius: radii[k],
        });
        let f = onto_cone(g[0], w[0], &mut discs);
        let [s, t] = onto_disc([g[1], g[2]], mu[0] * f);
        let [a, _] = onto_disc([g[3], 0.0], mu[1] * f);
        let [b, c] = onto_disc([g[4], g[5]], mu[2] * f);
        [f, s, t, a, b, c]
    }

    fn norm(x: [f64; 6], w: [f64; 4]) -> f64 {
        let w = [w[0], w[1], w[1], w[2], w[3], w[3]];
        x.iter().zip(w).map(|(x, w)| w * x * x).sum::<f64>().sqrt()
    }

    fn minus(a: [f64; 6], b: [f64; 6]) -> [f64; 6] {
        std::array::from_fn(|k| a[k] - b[k])
    }

    fn point(r: &mut Random) -> [f64; 6] {
        std::array::from_fn(|_| 3.0 * r.symmetric())
    }

    fn coefficients(r: &mut Random) -> [f64; 3] {
        std::array::from_fn(|_| match (r.symmetric() * 3.0) as i32 {
            0 => 0.0,
            1 => 1e6,
            _ => r.unit(),
        })
    }

    fn weights(r: &mut Random) -> [f64; 4] {
        std::array::from_fn(|_| 10f64.powf(2.0 * r.symmetric()))
    }

    #[test]
    fn one_disc_is_the_formula_of_the_paper() {
        let mut r = Random::new(7);
        for i in 0..2000 {
            let mu = [0.0, 0.3, 1.0, 1e6][i % 4];
            let [n, s, t, ..] = point(&mut r);
            let p = project([n, s, t, 0.0, 0.0, 0.0], [1.0; 4], [mu, 0.0, 0.0]);
            let g_r = s.hypot(t);
            // The three cases of [TA] as printed.
            let wanted = if mu == 0.0 {
                [n.max(0.0), 0.0, 0.0]
            } else if g_r <= mu * n {
                [n, s, t]
            } else if g_r <= -n / mu {
                [0.0; 3]
            } else {
                let f = (g_r * mu + n) / (mu * mu + 1.0);
                [f, s * mu * f / g_r, t * mu * f / g_r]
            };
            for k in 0..3 {
                assert!((p[k] - wanted[k]).abs() < 1e-14, "{mu} {p:?} {wanted:?}");
            }
        }
    }

    #[test]
    fn projection_is_idempotent_nonexpansive_and_nearest() {
        let mut r = Random::new(3);
        for _ in 0..5000 {
            let (mu, w) = (coefficients(&mut r), weights(&mut r));
            let (a, b) = (point(&mut r), point(&mut r));
            let (p, q) = (project(a, w, mu), project(b, w, mu));
            let again = project(p, w, mu);
            assert!(norm(minus(p, again), w) <= 1e-13 * (1.0 + norm(p, w)));
            let (before, after) = (norm(minus(a, b), w), norm(minus(p, q), w));
            assert!(after <= before * (1.0 + 1e-12), "{after} {before}");
            // Variational inequality: a - p makes no acute angle with any q - p of the cone.
            let w6 = [w[0], w[1], w[1], w[2], w[3], w[3]];
            let dot: f64 = (0..6).map(|k| w6[k] * (a[k] - p[k]) * (q[k] - p[k])).sum();
            let size = norm(minus(a, p), w) * norm(minus(q, p), w);
            assert!(dot <= 1e-10 * (1.0 + size), "{dot}");
        }
    }

    #[test]
    fn nothing_along_the_tangents_and_no_friction_are_no_special_cases() {
        assert_eq!(
            project([2.0, 0.0, 0.0, 0.0, 0.0, 0.0], [1.0; 4], [0.5; 3])[0],
            2.0
        );
        assert_eq!(
            project([-2.0, 0.0, 0.0, 0.0, 0.0, 0.0], [1.0; 4], [0.5; 3]),
            [0.0; 6]
        );
        assert_eq!(project([0.0; 6], [1.0; 4], [0.5; 3]), [0.0; 6]);
        let p = project([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0; 4], [0.0; 3]);
        assert_eq!(p, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
