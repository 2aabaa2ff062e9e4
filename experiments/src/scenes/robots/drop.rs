//! `drop`: any robot falls onto the ground with its joints held, and shall come to rest.

use super::super::super::rapier::prelude::*;
use super::super::super::urdf::{
    Hold, InsertOptions, JointKind, RobotHandles, SelfCollision, Surface,
};
use super::super::stage::convert::real;
use super::super::stage::scene::{Built, Scene};
use super::super::stage::world::World;
use super::robot::{self, QUADRUPED};
use super::robot_options::choose;
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::Isometry3;
use stickslip_record::StepReport;

/// Below these speeds of every link the robot is at rest [m/s], [rad/s]: a centimetre and three
/// degrees per second, slower than the eye sees.
const AT_REST: [f64; 2] = [0.01, 0.05];

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let mu = keys.number("mu")?;
    let model = robot::load(settings, QUADRUPED)?;
    let mut options = InsertOptions {
        hold: Some(Hold {
            frequency: keys.number("frequency")?,
            damping_ratio: keys.number("damping_ratio")?,
        }),
        effort: robot::effort(settings)?,
        surface: Surface {
            friction: mu,
            ..Surface::default()
        },
        self_collision: SelfCollision::ExcludeOverlapping,
        ..InsertOptions::default()
    };
    choose(&settings.robot_args, &mut options)?;
    options.initial = robot::pose(settings, &model, options.srdf.as_ref())?;
    let lowest = robot::lowest_when_placed(settings, &model, &options)?;
    // What has no shape can't land: it falls, or hangs from its base.
    let up = keys.number("height")? - lowest.unwrap_or(0.0);
    options.pose = Isometry3::translation(0.0, 0.0, up);
    let mut world = World::new(settings)?;
    let ground = world.add_ground(mu);
    let robot = robot::insert(&mut world, &model, &options)?;
    let start = world.position(world.number(robot.root).unwrap_or(ground)).z;
    let scene = Dropped {
        ground,
        start,
        mass: model.mass(),
        colliders: robot.collider_count(),
        declared: model.collision_count(),
        at_rest_since: 0.0,
        fastest: [0.0; 2],
        now: [0.0; 2],
        limit_error: [0.0; 2],
        mimic_error: 0.0,
        joint_speed: 0.0,
        loop_gap: [0.0; 2],
        meter: ContactMeter::default(),
        robot,
    };
    Ok((world, Box::new(scene)))
}

struct Dropped {
    ground: usize,
    /// Height of the base at the start \[m\].
    start: f64,
    mass: f64,
    colliders: usize,
    declared: usize,
    /// Time since which every link has been at rest \[s\].
    at_rest_since: f64,
    /// Largest speeds of a link so far and now [m/s, rad/s].
    fastest: [f64; 2],
    now: [f64; 2],
    /// Farthest beyond a limit \[m\], \[rad\].
    limit_error: [f64; 2],
    /// Farthest of a mimicking joint from where it should be [m or rad].
    mimic_error: f64,
    /// Largest speed of a joint over its limit; 0 without limits.
    joint_speed: f64,
    /// How far the worst loop was open at its worst [m, rad].
    loop_gap: [f64; 2],
    meter: ContactMeter,
    robot: RobotHandles,
}

impl Scene for Dropped {
    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        self.meter.add(world.contacts(), world.dt());
        self.now = [0.0; 2];
        for &body in &self.robot.bodies {
            let Some(body) = world.sets.bodies.get(body) else {
                continue;
            };
            let speeds = [body.linvel().length(), body.angvel().length()].map(real);
            for (k, speed) in speeds.into_iter().enumerate() {
                self.now[k] = larger(self.now[k], speed);
                self.fastest[k] = larger(self.fastest[k], speed);
            }
        }
        if !self.is_at_rest() {
            self.at_rest_since = world.time();
        }
        self.read_joints(world);
        self.read_loops(world);
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let base = world.number(self.robot.root).unwrap_or(self.ground);
        let settled = self.is_at_rest();
        let [speed, turn] = self.now;
        let [limit_m, limit_rad] = self.limit_error;
        let mut figures = Figures::new(if settled { "settled" } else { "moving" })
            .with("settled", f64::from(u8::from(settled)))
            .with("settle_time_s", self.at_rest_since)
            .at_most("residual_speed_m_per_s", speed, AT_REST[0])
            .at_most("residual_turn_rad_per_s", turn, AT_REST[1])
            .with("speed_max_m_per_s", self.fastest[0])
            .with("joint_limit_violation_max_rad", limit_rad)
            .with("joint_limit_violation_max_m", limit_m)
            .with("mimic_error_max", self.mimic_error)
            .with("joint_speed_over_limit_max", self.joint_speed)
            .with("penetration_max_m", self.meter.penetration_max())
            .with("base_drop_m", self.start - world.position(base).z)
            .with("mass_kg", self.mass)
            .with("colliders_declared", self.declared as f64)
            .with("colliders_loaded", self.colliders as f64);
        if !self.robot.closures.is_empty() {
            let [gap, angle] = self.loop_gap;
            figures = figures
                .with("loop_gap_max_m", gap)
                .with("loop_gap_max_rad", angle);
        }
        Ok(figures)
    }
}

impl Dropped {
    /// False for NaN too.
    fn is_at_rest(&self) -> bool {
        self.now[0] <= AT_REST[0] && self.now[1] <= AT_REST[1]
    }

    fn read_loops(&mut self, world: &World) {
        let (bodies, joints) = (&world.sets.bodies, &world.sets.impulse_joints);
        for closed in &self.robot.closures {
            let gap = closed.gap(bodies, joints).unwrap_or([f64::NAN; 2]);
            for (most, now) in self.loop_gap.iter_mut().zip(gap) {
                *most = larger(*most, now);
            }
        }
    }

    fn read_joints(&mut self, world: &World) {
        let joints = &world.sets.multibody_joints;
        for joint in &self.robot.joints {
            let Some(q) = joint.position(joints).map(real) else {
                continue;
            };
            if let (Some(limit), Some(v)) = (joint.velocity, joint.velocity_now(joints)) {
                self.joint_speed = larger(self.joint_speed, real(v).abs() / limit);
            }
            if let Some(limits) = joint.limits {
                let kind = usize::from(joint.kind != JointKind::Prismatic);
                let beyond = larger(limits.lower - q, q - limits.upper);
                self.limit_error[kind] = larger(self.limit_error[kind], beyond);
            }
        }
        if let Some(multibody) = self.robot.multibody.and_then(|m| joints.get_multibody(m)) {
            for coupling in multibody.couplings() {
                let q = |link: usize, axis: usize| {
                    let link = multibody.link(link);
                    link.map_or(f64::NAN, |l| real(l.joint().coords()[axis]))
                };
                let leader = q(coupling.link1, coupling.axis1);
                let follower = q(coupling.link2, coupling.axis2);
                let wanted = real(coupling.coeff) * leader + real(coupling.offset);
                self.mimic_error = larger(self.mimic_error, (follower - wanted).abs());
            }
        }
    }
}
