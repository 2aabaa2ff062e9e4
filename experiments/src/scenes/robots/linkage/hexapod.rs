//! `hexapod` [TA, sec. 7]: a walker of 37 moving parts with loops closed by joints and 12 motors.
//!
//! It walks in tripods: front and rear leg of one side with the middle leg of the other. While a
//! tripod stands, its hips carry the trunk forwards at the commanded speed; meanwhile the other three
//! lift, reach forwards and set down.

use super::super::super::super::rapier::prelude::*;
use super::super::super::stage::boxes::cuboid;
use super::super::super::stage::convert::to_vector;
use super::super::super::stage::scene::{Built, Scene, settle_steps};
use super::super::super::stage::world::World;
use super::hinge::{Hinge, Joints, largest_gap};
use super::leg::{BELOW, FOOT, Hip, LINKS, Leg, REACH, crank_angle, thigh_angle};
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::{Isometry3, Point3, Vector3};
use stickslip_record::StepReport;

/// Half the sides of the trunk \[m\].
const TRUNK: [f64; 3] = [0.22, 0.08, 0.03];
const TRUNK_MASS: f64 = 2.0;
/// Places of the hips along x \[m\].
const HIPS: [(&str, f64); 3] = [("front", 0.18), ("middle", 0.0), ("rear", -0.18)];
const GAINS: [f64; 2] = [60.0, 2.0];
/// Tilt of the trunk beyond which it has fallen \[rad\].
const FALLEN: f64 = 0.5;

pub(in super::super::super) fn hexapod(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let mu = keys.number("mu")?;
    let joints = Joints::parse(keys.text("joints")?);
    let gait = Tripod {
        speed: keys.number("speed")?,
        period: keys.number("period")?,
        lift: keys.number("step_height")?,
        begin: settle_steps(settings)? as f64 * settings.dt,
    };
    // Half a stance sweeps the foot by this much: beyond a right angle no hip gets it there.
    let sweep = 0.25 * gait.speed.abs() * gait.period / REACH;
    if sweep > 0.7 {
        return Err(CommandError::Usage(format!(
            "keys `speed` and `period`: a stride of {:.3} m is too long for legs of {REACH} m; lower either",
            0.5 * gait.speed.abs() * gait.period
        )));
    }
    let mut world = World::new(settings)?;
    let ground = world.add_ground(mu);
    let shape = cuboid(TRUNK, TRUNK_MASS, mu);
    let at = Vector3::z() * (BELOW + FOOT);
    let body = RigidBodyBuilder::dynamic().translation(to_vector(&at));
    let trunk = world.add("trunk", body, [shape]);
    let mut legs = Vec::new();
    for (side, out) in [("left", 1.0), ("right", -1.0)] {
        for (place, x) in HIPS {
            let name = format!("{side}_{place}");
            let hip = Hip {
                name: &name,
                trunk,
                at: Point3::from(at + Vector3::new(x, out * TRUNK[1], 0.0)),
                out: Vector3::y() * out,
                mu,
            };
            legs.push(hip.add(&mut world, joints)?);
        }
    }
    for leg in &legs {
        leg.hip.show(&mut world);
        leg.crank.show(&mut world);
    }
    world.follow(trunk);
    let scene = Hexapod {
        ground,
        trunk,
        hinges: legs.iter().flat_map(|leg| leg.hinges.clone()).collect(),
        start: world.pose(trunk),
        began: None,
        gait,
        legs,
        drift: [0.0, 0.0],
        tilt: 0.0,
        meter: ContactMeter::default(),
    };
    Ok((world, Box::new(scene)))
}

/// The gait: two tripods in turn, each standing for half of the period.
#[derive(Clone, Copy, Debug)]
struct Tripod {
    /// Commanded forward speed [m/s].
    speed: f64,
    period: f64,
    lift: f64,
    /// Time at which it starts to walk \[s\].
    begin: f64,
}

impl Tripod {
    /// Place of a foot along x from its rest, and its height \[m\]. `half`: which tripod.
    fn foot(&self, time: f64, half: f64) -> [f64; 2] {
        let since = time - self.begin;
        if since <= 0.0 {
            return [0.0, 0.0];
        }
        let stride = 0.5 * self.speed * self.period;
        // The first half stride starts from rest, and so does the first half period of either tripod.
        let phase = (since / self.period + half).fract() * 2.0;
        let grow = (2.0 * since / self.period).min(1.0);
        if phase < 1.0 {
            // Stance: from half a stride ahead to half a stride behind.
            [stride * (0.5 - phase) * grow, 0.0]
        } else {
            // Swing: forwards and up, at rest against the trunk at both ends.
            let s = phase - 1.0;
            let smooth = s * s * (3.0 - 2.0 * s);
            let up = 16.0 * (s * (1.0 - s)).powi(2);
            [stride * (smooth - 0.5) * grow, self.lift * up]
        }
    }
}

struct Hexapod {
    ground: usize,
    trunk: usize,
    legs: Vec<Leg>,
    hinges: Vec<Hinge>,
    gait: Tripod,
    start: Isometry3<f64>,
    /// Pose of the trunk and time when it started to walk.
    began: Option<(Isometry3<f64>, f64)>,
    drift: [f64; 2],
    tilt: f64,
    meter: ContactMeter,
}

impl Scene for Hexapod {
    fn control(&mut self, world: &mut World) {
        let time = world.time() + world.dt();
        for leg in &self.legs {
            let first = (leg.x != 0.0) == (leg.side > 0.0);
            let [ahead, up] = self.gait.foot(time, if first { 0.0 } else { 0.5 });
            // A turn to the left takes a foot on the left backwards.
            let turn = -leg.side * (ahead / REACH).asin();
            leg.hip.drive(world, turn, GAINS);
            leg.crank.drive(world, crank_angle(thigh_angle(up)), GAINS);
        }
        if self.began.is_none() && world.time() >= self.gait.begin {
            self.began = Some((world.pose(self.trunk), world.time()));
        }
    }

    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        let [far, turned] = largest_gap(&self.hinges, world);
        self.drift = [larger(self.drift[0], far), larger(self.drift[1], turned)];
        let up = world.pose(self.trunk).rotation * Vector3::z();
        self.tilt = larger(self.tilt, up.z.clamp(-1.0, 1.0).acos());
        self.meter.add(world.contacts(), world.dt());
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let now = world.pose(self.trunk);
        let (began, time) = self.began.unwrap_or((self.start, 0.0));
        let moved = now.translation.vector - began.translation.vector;
        let speed = moved.x / (world.time() - time).max(world.dt());
        let height = now.translation.vector.z;
        let lowest = 0.5 * self.start.translation.vector.z;
        let outcome = if height < lowest || self.tilt > FALLEN {
            "fell"
        } else {
            "walks"
        };
        let feet = world.contacts().iter();
        let feet = feet.filter(|c| c.touches(self.ground) && c.presses());
        Ok(Figures::new(outcome)
            .with("moving_parts", (1 + LINKS * self.legs.len()) as f64)
            .with("hinges", self.hinges.len() as f64)
            .with("motors", 2.0 * self.legs.len() as f64)
            .with("speed_mean_m_per_s", speed)
            .with("speed_error_rel", (speed / self.gait.speed - 1.0).abs())
            .with("sideways_m", moved.y)
            .at_most("tilt_max_rad", self.tilt, FALLEN)
            .at_least("trunk_height_m", height, lowest)
            .with("joint_drift_max_m", self.drift[0])
            .with("joint_axis_error_max_rad", self.drift[1])
            .with("penetration_max_m", self.meter.penetration_max())
            .with("feet_on_ground", feet.count() as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standing_foot_goes_back_at_the_commanded_speed_and_the_path_closes() {
        let gait = Tripod {
            speed: 0.1,
            period: 1.0,
            lift: 0.02,
            begin: 0.0,
        };
        // In the second period, when the gait has reached its full stride.
        let at = |t: f64| gait.foot(t, 0.0);
        let [x0, _] = at(1.1);
        let [x1, up] = at(1.2);
        assert!((x1 - x0 + 0.1 * 0.1).abs() < 1e-12);
        assert_eq!(up, 0.0);
        let [a, _] = at(1.499_999);
        let [b, _] = at(1.500_001);
        assert!((a - b).abs() < 1e-6);
        assert!((at(1.75)[1] - 0.02).abs() < 1e-12);
        assert_eq!(gait.foot(0.0, 0.5), [0.0, 0.0]);
    }
}
