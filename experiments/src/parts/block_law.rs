//! What a flat block on a plane does under each model, step by step in closed form.
//!
//! A block that neither tips nor turns is a point with contact coordinates along the tangents (s, t)
//! of its contacts, all of which have the same law. With the free velocity `u' = u + h p` relative to
//! the surface (p: what pulls it along the plane), and per unit mass the normal impulse `h w`:
//! ```text
//! Coulomb          u+ = u' + P_K(-u'),   K the disc or polygon of size mu h w, P_K its projection
//!                  (of all friction in K, -u+ dissipates most: the condition of that projection)
//! viscous          u+ = (u' ) / (1 + h r),   r = n mu_v / m
//! viscous, RK4     u+ = p/r + (u - p/r) R(-h r),   R(z) = 1 + z + z^2/2 + z^3/6 + z^4/24
//! acceleration     u+ = u' - mu h w u/|u| while it slides fast; slow slides, and those that begin, by the
//!                  disc; what is at rest by K
//! quasi-static     Coulomb with u' = tau p (less the surface's motion) and mu tau w
//! no slip          u+ = 0
//! ```
//! The convex law gives the normal direction a part: [`Block::convex`].

use crate::settings::{Model, RunSettings};
use nalgebra::Vector2;
use std::f64::consts::TAU;
use stickslip_core::models::{Hover, Integrator, ModelName, RollingFriction};

/// The plane under a block, in coordinates along the contacts' tangents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Plane {
    /// Coulomb coefficient [-].
    pub(crate) mu: f64,
    /// What presses the block on it, per unit mass [m/s^2].
    pub(crate) weight: f64,
    /// What pulls the block along it, per unit mass [m/s^2].
    pub(crate) pull: Vector2<f64>,
    /// Velocity of its surface [m/s].
    pub(crate) surface: Vector2<f64>,
}

/// The law of friction.
#[derive(Clone, Debug)]
enum Law {
    Smooth,
    Held,
    /// Within a set of friction impulses; none corners: a disc.
    Coulomb(Vec<Vector2<f64>>),
    /// Against the slip: before the step of what is fast, after it of what is slow; what is not faster
    /// than the speed given is held by the set.
    Sliding(f64, Vec<Vector2<f64>>),
    Convex,
    /// Rate r [1/s].
    Viscous(f64),
    /// Rate r, at acceleration level.
    Stages(f64, Integrator),
    /// Time constant tau \[s\].
    QuasiStatic(f64, Vec<Vector2<f64>>),
}

/// A block on a plane.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    law: Law,
    plane: Plane,
    h: f64,
    /// Velocity along the tangents [m/s].
    velocity: Vector2<f64>,
    /// Height over the plane \[m\] and its rate [m/s].
    normal: [f64; 2],
}

/// Corners of the friction polygon of size 1: from the first tangent on.
fn polygon(directions: usize) -> Vec<Vector2<f64>> {
    let angle = |k: usize| TAU * k as f64 / directions as f64;
    let corners = (0..directions).map(|k| Vector2::new(angle(k).cos(), angle(k).sin()));
    corners.collect()
}

/// The point of the disc of a radius, or of the polygon with these corners times the radius, that is
/// nearest to `x`.
fn project(x: Vector2<f64>, corners: &[Vector2<f64>], radius: f64) -> Vector2<f64> {
    if corners.is_empty() {
        let size = x.norm();
        return if size <= radius {
            x
        } else {
            x * (radius / size)
        };
    }
    let edges = || {
        let next = corners.iter().cycle().skip(1);
        corners
            .iter()
            .zip(next)
            .map(|(a, b)| (a * radius, b * radius))
    };
    // Counter-clockwise: inside is to the left of every edge.
    if edges().all(|(a, b)| (b - a).perp(&(x - a)) >= 0.0) {
        return x;
    }
    let nearest = edges().map(|(a, b)| {
        let along = b - a;
        let share = (x - a).dot(&along) / along.norm_squared();
        a + along * share.clamp(0.0, 1.0)
    });
    nearest.fold(Vector2::repeat(f64::INFINITY), |best, point| {
        if (point - x).norm() < (best - x).norm() {
            point
        } else {
            best
        }
    })
}

/// The law of a run's model for a block of the given mass \[kg\] on so many contacts; `None` where there is
/// no closed form here.
fn law(settings: &RunSettings, mass: f64, contacts: usize) -> Option<Law> {
    let Model::Ours(model) = settings.model else {
        return None;
    };
    if settings.material.mu_across.is_some() || settings.material.compliance > 0.0 {
        return None;
    }
    let own = &settings.model_settings;
    let corners = || polygon(own.polygon.directions);
    let rate = contacts as f64 * settings.material.mu_viscous / mass;
    Some(match model {
        ModelName::Frictionless => Law::Smooth,
        ModelName::NoSlip | ModelName::NoSlipReleasing => Law::Held,
        ModelName::StewartTrinkle | ModelName::AnitescuPotra | ModelName::DrumwrightShell => {
            Law::Coulomb(corners())
        }
        ModelName::Cone => Law::Coulomb(Vec::new()),
        ModelName::Ccp if own.cone.hover == Hover::Remove => Law::Coulomb(Vec::new()),
        ModelName::Ccp => Law::Convex,
        ModelName::CoulombAcceleration => {
            let corners = match own.acceleration.rolling {
                RollingFriction::Cone => Vec::new(),
                RollingFriction::Pyramid => corners(),
            };
            Law::Sliding(own.acceleration.sliding_speed, corners)
        }
        ModelName::Viscous => Law::Viscous(rate),
        ModelName::ViscousAcceleration => Law::Stages(rate, own.acceleration.integrator),
        ModelName::QuasiStatic => Law::QuasiStatic(own.quasi_static.damping_time, corners()),
    })
}

impl Block {
    /// A block of the given mass \[kg\] on so many contacts, with its velocity along the tangents; `None`
    /// where the run's model has no closed form here.
    pub(crate) fn new(
        settings: &RunSettings,
        plane: Plane,
        (mass, contacts): (f64, usize),
        velocity: Vector2<f64>,
    ) -> Option<Self> {
        Some(Self {
            law: law(settings, mass, contacts)?,
            plane,
            h: settings.dt,
            velocity,
            normal: [0.0; 2],
        })
    }

    /// Velocity along the tangents [m/s].
    pub(crate) fn velocity(&self) -> Vector2<f64> {
        self.velocity
    }

    /// One step.
    pub(crate) fn advance(&mut self) {
        let Plane {
            mu,
            weight,
            pull,
            surface,
        } = self.plane;
        let h = self.h;
        let before = self.velocity - surface;
        let free = before + pull * h;
        let limit = mu * h * weight;
        let coulomb = |free: Vector2<f64>, corners: &[Vector2<f64>], limit: f64| {
            free + project(-free, corners, limit)
        };
        let slip = match &self.law {
            Law::Smooth => free,
            Law::Held => Vector2::zeros(),
            Law::Coulomb(corners) => coulomb(free, corners, limit),
            Law::Sliding(threshold, corners) => {
                let speed = before.norm();
                let held = coulomb(free, corners, limit);
                let round = coulomb(free, &[], limit);
                let holds = |slip: &Vector2<f64>| slip.norm() <= *threshold;
                if speed > 4.0 * limit {
                    // Too fast to be turned round.
                    free - before * (limit / speed)
                } else if holds(&held) || (holds(&round) && speed <= *threshold) {
                    held
                } else {
                    round
                }
            }
            Law::Viscous(rate) => free / (1.0 + h * rate),
            Law::Stages(rate, _) if *rate == 0.0 => free,
            Law::Stages(rate, integrator) => {
                let z = -h * rate;
                let factor = match integrator {
                    Integrator::Rk4 => {
                        1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)))
                    }
                    Integrator::SemiImplicitEuler => 1.0 + z,
                };
                let rest = pull / *rate;
                rest + (before - rest) * factor
            }
            Law::QuasiStatic(tau, corners) => {
                coulomb(pull * *tau - surface, corners, mu * tau * weight)
            }
            Law::Convex => {
                self.convex(free);
                return;
            }
        };
        self.velocity = surface + slip;
    }

    /// The convex law in steps: `N v+ + phi/h - mu |u+|` complementary to the normal impulse, friction of
    /// mu times that impulse against u+. Sliding:
    /// ```text
    /// |u+| (1 + mu^2) = |u'| - mu (h w - v_n - phi/h)
    /// ```
    /// So does a block in the air that would otherwise pass below `mu |u+|` at the end of the step.
    fn convex(&mut self, free: Vector2<f64>) {
        let Plane {
            mu,
            weight,
            surface,
            ..
        } = self.plane;
        let [gap, rate] = self.normal;
        let fall = rate - self.h * weight;
        let floor = -gap / self.h;
        let speed = (free.norm() - mu * (floor - fall)) / (1.0 + mu * mu);
        let slip = project(-free, &[], (free.norm() - speed.max(0.0)).max(0.0)) + free;
        let up = floor + mu * slip.norm();
        // It flies faster than the law would lift it.
        let (slip, up) = if fall >= up { (free, fall) } else { (slip, up) };
        self.velocity = surface + slip;
        self.normal = [gap + self.h * up, up];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nearest point of a set: inside it is the point itself, outside no other point of the set is
    /// nearer.
    #[test]
    fn projections_are_nearest_points() {
        for corners in [Vec::new(), polygon(4), polygon(16)] {
            let inside = Vector2::new(0.3, -0.2);
            assert_eq!(project(inside, &corners, 2.0), inside);
            for k in 0..50 {
                let angle = f64::from(k) * 0.7;
                let x = Vector2::new(angle.cos(), angle.sin()) * (2.1 + 0.1 * f64::from(k));
                let p = project(x, &corners, 2.0);
                assert!(p.norm() <= 2.0 + 1e-12);
                let samples = (0..1000).map(|j| {
                    let a = TAU * f64::from(j) / 1000.0;
                    project(Vector2::new(a.cos(), a.sin()) * 2.0, &corners, 2.0)
                });
                for other in samples {
                    assert!((other - x).norm() >= (p - x).norm() - 1e-12);
                }
            }
        }
    }
}
