//! A leg of the hexapod: six links, eight hinges, two loops, two motors.
//!
//! Seen from the side, outwards to the right; `#` hinges, the motors at the hip (about z) and at the
//! crank:
//!
//! ```text
//!        #--crank
//!        |     `rod
//!  hip # coxa #--------#---------#   thigh
//!             #------------------#   bar
//!                                |   shank
//!                                o   foot
//! ```
//!
//! Thigh, bar, coxa and shank are a parallelogram, which keeps the shank upright; coxa, crank, rod and
//! thigh are a second four-bar, by which the crank lifts the thigh.

use super::super::super::super::rapier::prelude::*;
use super::super::super::stage::convert::{to_real, to_vector};
use super::super::super::stage::world::World;
use super::hinge::{Hinge, Joints, Place, Rod, hinge};
use crate::error::CommandError;
use nalgebra::{Point3, Vector3};

/// Links of a leg.
pub(super) const LINKS: usize = 6;
/// From the hip to the axis of the thigh, outwards \[m\].
const COXA: f64 = 0.05;
/// Length of thigh and bar \[m\].
const THIGH: f64 = 0.12;
/// Half the distance of thigh and bar \[m\].
const APART: f64 = 0.02;
/// From the lower hinge of the shank to the middle of the foot \[m\].
const SHANK: f64 = 0.1;
/// Axis of the crank above the thigh's \[m\], and the crank's length.
const CRANK_ABOVE: f64 = 0.05;
const CRANK: f64 = 0.025;
/// Where the rod takes the thigh, from its axis outwards \[m\].
const TAKEN: f64 = 0.06;
pub(super) const FOOT: f64 = 0.012;
/// Depth of the middle of the foot below the hip \[m\].
pub(super) const BELOW: f64 = APART + SHANK;
/// Distance of the foot from the axis of the hip \[m\].
pub(super) const REACH: f64 = COXA + THIGH;
/// Masses of coxa, crank, rod, thigh, bar and shank \[kg\].
const MASSES: [f64; LINKS] = [0.05, 0.01, 0.01, 0.04, 0.02, 0.04];
const RADIUS: f64 = 0.006;

/// What a leg is joined to and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hip<'a> {
    pub(super) name: &'a str,
    pub(super) trunk: usize,
    pub(super) at: Point3<f64>,
    /// Unit vector away from the trunk, level.
    pub(super) out: Vector3<f64>,
    pub(super) mu: f64,
}

/// A leg in the scene.
pub(super) struct Leg {
    pub(super) hinges: Vec<Hinge>,
    /// Motor about the vertical: positive turns the foot to the left seen from above.
    pub(super) hip: Hinge,
    /// Motor of the crank: positive lowers the foot.
    pub(super) crank: Hinge,
    /// +1 on the left, -1 on the right.
    pub(super) side: f64,
    /// Place of the foot along x at rest \[m\].
    pub(super) x: f64,
}

impl Hip<'_> {
    /// A point of the leg's plane at rest: outwards and up from the hip \[m\].
    fn point(&self, out: f64, up: f64) -> Point3<f64> {
        self.at + self.out * out + Vector3::z() * up
    }

    fn rod(&self, world: &mut World, link: (&str, f64), ends: [Point3<f64>; 2]) -> usize {
        let name = format!("{}_{}", self.name, link.0);
        let rod = Rod {
            name: &name,
            ends,
            mass: link.1,
            radius: RADIUS,
        };
        rod.add(world)
    }

    /// Adds the leg, parents before children.
    ///
    /// # Errors
    /// When rapier refuses a hinge.
    pub(super) fn add(&self, world: &mut World, joints: Joints) -> Result<Leg, CommandError> {
        let knee = [self.point(COXA, APART), self.point(COXA, -APART)];
        let ankle = [self.point(REACH, APART), self.point(REACH, -APART)];
        let axle = self.point(COXA, APART + CRANK_ABOVE);
        let pin = self.point(COXA + CRANK, APART + CRANK_ABOVE);
        let taken = self.point(COXA + TAKEN, APART);
        let foot = self.point(REACH, -BELOW);
        let [m_coxa, m_crank, m_rod, m_thigh, m_bar, m_shank] = MASSES;
        let coxa = self.rod(world, ("coxa", m_coxa), [self.at, self.point(COXA, 0.0)]);
        let crank = self.rod(world, ("crank", m_crank), [axle, pin]);
        let rod = self.rod(world, ("rod", m_rod), [pin, taken]);
        let thigh = self.rod(world, ("thigh", m_thigh), [knee[0], ankle[0]]);
        let bar = self.rod(world, ("bar", m_bar), [knee[1], ankle[1]]);
        let shank = self.rod(world, ("shank", m_shank), [ankle[0], foot]);
        self.add_foot(world, shank);
        // Turned about the level direction across the leg.
        let across = Vector3::z().cross(&self.out);
        let level = |at| Place { at, axis: across };
        let upright = Place {
            at: self.at,
            axis: Vector3::z(),
        };
        let hip = hinge(world, [self.trunk, coxa], upright, joints)?;
        let crank_motor = hinge(world, [coxa, crank], level(axle), joints)?;
        let hinges = vec![
            hip,
            crank_motor,
            hinge(world, [crank, rod], level(pin), joints)?,
            hinge(world, [coxa, thigh], level(knee[0]), joints)?,
            hinge(world, [thigh, shank], level(ankle[0]), joints)?,
            hinge(world, [coxa, bar], level(knee[1]), joints)?,
            hinge(world, [rod, thigh], level(taken), Joints::Impulse)?,
            hinge(world, [bar, shank], level(ankle[1]), Joints::Impulse)?,
        ];
        Ok(Leg {
            hinges,
            hip,
            crank: crank_motor,
            side: self.out.y.signum(),
            x: self.at.x,
        })
    }

    /// A sphere at the lower end of the shank, whose z points at the foot.
    fn add_foot(&self, world: &mut World, shank: usize) {
        let handle = world.entries()[shank].handle;
        let half = 0.5 * (2.0 * APART + SHANK);
        let ball = ColliderBuilder::ball(to_real(FOOT))
            .translation(to_vector(&(Vector3::z() * half)))
            .density(0.0)
            .friction(to_real(self.mu));
        world.sets.insert_collider(ball, Some(handle));
    }
}

/// Angle of the crank that turns the thigh by `angle` \[rad\]; both positive downwards.
///
/// The rod keeps its length between the pin of the crank and the place where it takes the thigh;
/// Newton's method on that.
pub(super) fn crank_angle(angle: f64) -> f64 {
    let taken = |t: f64| [TAKEN * t.cos(), -TAKEN * t.sin()];
    let pin = |c: f64| [CRANK * c.cos(), CRANK_ABOVE - CRANK * c.sin()];
    let square = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
    let length = square(taken(0.0), pin(0.0));
    let thigh = taken(angle);
    let mut crank = angle;
    for _ in 0..20 {
        let at = pin(crank);
        let slope = 2.0
            * ((at[0] - thigh[0]) * -CRANK * crank.sin()
                + (at[1] - thigh[1]) * -CRANK * crank.cos());
        if slope.abs() < 1e-9 {
            break;
        }
        crank -= (square(at, thigh) - length) / slope;
    }
    crank
}

/// Angle of the thigh that lifts the foot by `lift` \[m\].
pub(super) fn thigh_angle(lift: f64) -> f64 {
    -(lift / THIGH).clamp(-1.0, 1.0).asin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crank_keeps_the_rods_length() {
        for thigh in [-0.4, -0.1, 0.0, 0.2] {
            let crank = crank_angle(thigh);
            let taken = [TAKEN * f64::cos(thigh), -TAKEN * f64::sin(thigh)];
            let pin = [CRANK * crank.cos(), CRANK_ABOVE - CRANK * crank.sin()];
            let rod = (taken[0] - pin[0]).hypot(taken[1] - pin[1]);
            let rest = (TAKEN - CRANK).hypot(CRANK_ABOVE);
            assert!((rod - rest).abs() < 1e-12, "{thigh}: {rod} {rest}");
        }
        assert!(crank_angle(-0.2) < 0.0);
    }

    #[test]
    fn a_lift_turns_the_thigh_up() {
        assert!((THIGH * -thigh_angle(0.02).sin() - 0.02).abs() < 1e-15);
    }
}
