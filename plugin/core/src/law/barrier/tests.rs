//! The linearised path and the longest step.

use super::*;
use crate::law::Rows;

fn random(x: &mut f64) -> f64 {
    *x = (*x * 78.233 + 0.7).sin();
    *x
}

fn unit(law: Law, width: u32) -> Unit {
    Unit {
        law,
        group: 0,
        row: 0,
        at: 0,
        width,
        rows: Rows::default(),
        spin: Rows::default(),
        b: [0.0; 6],
        missed: 0.0,
        soft: 0.03,
        yields: 1.0,
        mu: [0.6, 0.2, 0.1],
        scale: [1.0; 2],
        d: [1.7, 0.9, 2.0, 3.0],
        weight: [1.0; 4],
    }
}

/// What is left of every product after a change, to first order and with the second-order terms of `last`.
fn left(
    own: &Inside,
    unit: &Unit,
    (u, du): (&[f64; 6], &[f64; 6]),
    tau: f64,
    [c, last]: [&Change; 2],
) -> f64 {
    let (z, tau) = (&own.z, tau / unit.d[0]);
    let mut worst = 0.0_f64;
    if let Law::Box(limit) = unit.law {
        let lower = (limit + z[0]) * (own.w + c.dw) + own.w * c.dz[0] + last.dz[0] * last.dw;
        let upper = (limit - z[0]) * (own.gamma[0] + c.dgamma[0])
            - own.gamma[0] * c.dz[0]
            - last.dz[0] * last.dgamma[0];
        let slack = own.w + c.dw - own.gamma[0] - c.dgamma[0];
        let u = u[0] + du[0] + unit.soft * c.dz[0];
        return (lower - tau)
            .abs()
            .max((upper - tau).abs())
            .max((slack - u).abs());
    }
    let first = z[0] * (own.w + c.dw) + own.w * c.dz[0] + last.dz[0] * last.dw - tau;
    worst = worst.max(first.abs());
    worst = worst.max((own.w + c.dw - u[0] - du[0] - unit.soft * c.dz[0]).abs());
    for (part, &(at, len)) in unit.parts().iter().enumerate() {
        let (mu, gamma, dgamma) = (unit.mu[part], own.gamma[part], c.dgamma[part]);
        let mut sum = mu * (z[0] * (gamma + dgamma) + c.dz[0] * gamma) - tau
            + mu * last.dz[0] * last.dgamma[part];
        let s = &own.s;
        for k in at..at + len {
            worst = worst.max((s[k] + c.ds[k] - u[k] - du[k]).abs());
            sum += z[k] * (s[k] + c.ds[k]) + c.dz[k] * s[k] + last.dz[k] * last.ds[k];
            let along = mu * (z[0] * (s[k] + c.ds[k]) + c.dz[0] * s[k])
                + gamma * (z[k] + c.dz[k])
                + dgamma * z[k]
                + mu * last.dz[0] * last.ds[k]
                + last.dgamma[part] * last.dz[k];
            worst = worst.max(along.abs());
        }
        worst = worst.max(sum.abs());
    }
    worst
}

/// The answer to any change of velocity solves the linearised conditions, second-order terms included: round-off
/// of numbers of size 1 to 100.
#[test]
fn answers_solve_the_linearised_path() {
    let mut x = 0.3;
    for law in [Law::Half, Law::Box(0.8), Law::Cone] {
        for width in if law == Law::Cone {
            vec![3, 6]
        } else {
            vec![1]
        } {
            for _ in 0..200 {
                let unit = unit(law, width);
                let mut pick = |size: f64| -> [f64; 6] {
                    std::array::from_fn(|k| {
                        if k < width as usize {
                            size * random(&mut x)
                        } else {
                            0.0
                        }
                    })
                };
                let (z, u, du) = (pick(0.5), pick(1.0), pick(1.0));
                let own = Inside::near(&unit, &z, &u, 0.1);
                let last = Change {
                    dz: pick(0.1),
                    ds: pick(0.1),
                    dw: 0.05,
                    dgamma: [0.02, 0.01, 0.03],
                };
                let answer = own.answer(&unit, &u, 0.01, &last);
                let mut dz = answer.p;
                for (dz, row) in dz.iter_mut().zip(&answer.h) {
                    *dz -= row.iter().zip(&du).map(|(h, du)| h * du).sum::<f64>();
                }
                let change = own.complete(&unit, (&u, 0.01), &last, (dz, du));
                let left = left(&own, &unit, (&u, &du), 0.01, [&change, &last]);
                assert!(left < 1e-11, "{law:?} {width}: {left}");
                // Just short of the longest step the unit is inside, and beyond it outside.
                let share = own.longest(&unit, &change);
                let mut near = own;
                near.take(&change, 0.999 * share);
                if law == Law::Cone {
                    let length = near.z[1].hypot(near.z[2]);
                    assert!(near.z[0] > 0.0 && length <= unit.mu[0] * near.z[0] * (1.0 + 1e-9));
                }
            }
        }
    }
}
