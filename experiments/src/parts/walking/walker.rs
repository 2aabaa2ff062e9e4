//! The controller: from the schedule and what is sensed to joint positions, speeds and torques.

use super::gait::{Phase, Place, Schedule};
use super::support;
use super::sway::Sway;
use super::swing::{Swing, smooth};
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector2, Vector3};

/// A robot's legs, as far as walking needs them. Legs in the order of [`Place::ALL`].
pub(crate) trait Legs {
    /// Joint positions \[rad\] that put the foot of a leg at a point of the base's frame, near the last
    /// ones.
    ///
    /// # Errors
    /// Why the point can't be reached, in words.
    fn reach(&mut self, leg: Place, foot: &Vector3<f64>) -> Result<[f64; 3], String>;

    /// Velocity of the foot per joint velocity, in the base's frame.
    fn jacobian(&self, leg: Place, joints: &[f64; 3]) -> Matrix3<f64>;

    /// Torques that carry a leg's own links under gravity (a vector of the base's frame) \[N m\].
    fn weight_of_links(
        &self,
        leg: Place,
        joints: &[f64; 3],
        gravity: &Vector3<f64>,
    ) -> Vector3<f64>;
}

/// What is asked of the robot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Command {
    /// When which foot stands.
    pub(crate) schedule: Schedule,
    /// Forward speed [m/s].
    pub(crate) speed: f64,
    /// How high a swinging foot rises \[m\].
    pub(crate) step_height: f64,
    /// Time at which it starts to walk \[s\].
    pub(crate) begin: f64,
    /// Mass that the feet carry \[kg\].
    pub(crate) mass: f64,
    /// Gravity, downwards [m/s^2].
    pub(crate) gravity: f64,
    /// Centre of mass in the base's frame \[m\], in the standing pose.
    pub(crate) com: Vector3<f64>,
}

/// What the robot senses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sensed {
    /// Pose of the base against its start: x along the commanded heading, z up.
    pub(crate) base: Isometry3<f64>,
    /// Velocity of the base in the same frame [m/s].
    pub(crate) velocity: Vector3<f64>,
    /// Which feet press on something.
    pub(crate) pressed: [bool; 4],
}

/// Wanted of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct JointTarget {
    /// Position \[rad\].
    pub(crate) position: f64,
    /// Velocity [rad/s].
    pub(crate) velocity: f64,
    /// Torque beyond that of spring and damper \[N m\].
    pub(crate) torque: f64,
}

/// What the controller wants of one period of control.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Joints per leg at the end of the period.
    pub(crate) joints: [[JointTarget; 3]; 4],
}

/// Time in which a foot that touched down too high or too low gets back to its height \[s\], over the
/// time of a stance.
const LEVEL: f64 = 0.3;
/// Share of a stance in which a foot takes up its load, and in which it gives it up.
const LOADING: f64 = 0.1;
/// Turn back per error of heading [1/s], and its bound [rad/s].
const HEADING: (f64, f64) = (1.0, 0.3);
/// Speed back to its place on the line per distance [1/s], and its bound over the commanded speed.
const LINE: (f64, f64) = (0.5, 0.5);
/// Largest step beyond what the speed asks for, over the height of the base.
const CATCH: f64 = 0.3;
/// Share of the swing from which a foot that presses has touched down.
const EARLY: f64 = 0.5;

#[derive(Clone, Copy, Debug)]
enum State {
    /// Stands as the schedule has it.
    Stands,
    /// Swings since it left the ground here.
    Swings(Vector3<f64>),
    /// Stands: it touched down before the schedule said so.
    Landed,
}

struct Foot {
    /// Where it rests under the base \[m\].
    rest: Vector3<f64>,
    /// Where it is wanted \[m\].
    target: Vector3<f64>,
    state: State,
    joints: [f64; 3],
}

/// The controller of a robot on four legs.
pub(crate) struct Walker {
    command: Command,
    feet: [Foot; 4],
    /// Of a gait whose feet stand on one side at a time.
    sway: Option<Sway>,
    /// Velocity of the base, smoothed over a stance [m/s].
    velocity: Vector3<f64>,
}

impl Walker {
    /// A robot that stands with its feet at these places and joint positions.
    pub(crate) fn new(command: Command, feet: [(Vector3<f64>, [f64; 3]); 4]) -> Self {
        let Command {
            schedule, gravity, ..
        } = &command;
        let rest = feet.map(|(at, _)| at);
        let sways = schedule.gait.sways() && schedule.lifts();
        Self {
            sway: sways.then(|| Sway::new(schedule, &rest, *gravity)),
            command,
            feet: feet.map(|(at, joints)| Foot {
                rest: at,
                target: at,
                state: State::Stands,
                joints,
            }),
            velocity: Vector3::zeros(),
        }
    }

    /// Where the base is wanted from its line, at a time since the start of walking \[m\].
    fn sway(&self, since: f64) -> Vector3<f64> {
        let sway = self.sway.as_ref();
        sway.map_or_else(Vector3::zeros, |sway| sway.at(since))
    }

    /// Whether a leg stands at a time since the start of walking. A body that sways gets its sway first, in a period on all feet.
    fn phase(&self, place: Place, since: f64) -> Phase {
        let schedule = &self.command.schedule;
        let stands = self.sway.as_ref().map_or(0.0, |_| schedule.period);
        if since <= stands {
            Phase::Stance(0.5)
        } else {
            schedule.phase(place, since)
        }
    }

    /// Velocity of the ground against the base, at a point of its frame, and the turn rate wanted.
    fn ground(&self, sensed: &Sensed, since: f64) -> (Vector2<f64>, f64) {
        let heading = sensed.base.rotation * Vector3::x();
        let angle = heading.y.atan2(heading.x);
        let turn = (-HEADING.0 * angle).clamp(-HEADING.1, HEADING.1);
        let (speed, at) = (self.command.speed, sensed.base.translation);
        let bound = LINE.1 * speed.abs();
        let back = |error: f64| (LINE.0 * error).clamp(-bound, bound);
        // Where it should be by now lies ahead on the line.
        let along = speed + back(speed * since.max(0.0) - at.x);
        let aside = self.sway(since).y - at.y;
        (Vector2::new(-along, -back(aside)), turn)
    }

    /// Wanted at the end of a period of control of this length \[s\] that starts at this time.
    ///
    /// # Errors
    /// When a foot can't reach its place; names the leg.
    pub(crate) fn step(
        &mut self,
        legs: &mut dyn Legs,
        sensed: &Sensed,
        time: f64,
        length: f64,
    ) -> Result<Step, String> {
        let since = time + length - self.command.begin;
        let walks = since > 0.0;
        let (ground, turn) = self.ground(sensed, since);
        let over = self.command.schedule.stance();
        self.velocity += (sensed.velocity - self.velocity) * (length / over).min(1.0);
        // Roll and pitch without the heading.
        let heading = sensed.base.rotation * Vector3::x();
        let yaw = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), heading.y.atan2(heading.x));
        let tilt = yaw.inverse() * sensed.base.rotation;
        let mut share = [1.0; 4];
        for (leg, place) in Place::ALL.into_iter().enumerate() {
            let phase = self.phase(place, since);
            let rest = self.feet[leg].rest;
            let slip = Vector3::new(ground.x + turn * rest.y, ground.y - turn * rest.x, 0.0);
            share[leg] = match phase {
                Phase::Stance(done) => {
                    self.feet[leg].state = State::Stands;
                    self.stand(leg, if walks { slip } else { Vector3::zeros() }, length);
                    let lifts = self.command.schedule.lifts() && walks;
                    let edge = if lifts { done.min(1.0 - done) } else { 1.0 };
                    (edge / LOADING).min(1.0)
                }
                Phase::Swing(done) => {
                    let fast = sensed.base.rotation.inverse() * self.velocity + slip;
                    match self.feet[leg].state {
                        State::Landed => self.stand(leg, slip, length),
                        State::Stands => {
                            self.feet[leg].state = State::Swings(self.feet[leg].target)
                        }
                        State::Swings(_) => {}
                    }
                    if let State::Swings(from) = self.feet[leg].state {
                        let to = self.touchdown(leg, slip, fast);
                        self.swing(leg, done, [from, to, slip], &tilt);
                        if done > EARLY && sensed.pressed[leg] {
                            self.feet[leg].state = State::Landed;
                        }
                    }
                    0.0
                }
            };
        }
        self.joints(legs, &share, sensed, (since, length))
    }

    /// A foot that stands goes with the ground and back to its height.
    fn stand(&mut self, leg: usize, slip: Vector3<f64>, length: f64) {
        let level = LEVEL * self.command.schedule.stance();
        let foot = &mut self.feet[leg];
        foot.target += slip * length;
        foot.target.z += (foot.rest.z - foot.target.z) * (length / level).min(1.0);
    }

    /// Half a stance ahead of the foot's rest, farther by `fast`, what the base is faster than asked:
    /// the place about which the next stance is even. By the velocity of the moment that would be no place: the foot
    /// that lands first changes it by 0.2 m/s, which over half a stance of 0.26 s moves the aim of the other by
    /// 40 mm (as far as `CATCH` lets it) while it comes down. Of a body that sways this velocity is its sway, which
    /// comes back by itself.
    fn touchdown(&self, leg: usize, slip: Vector3<f64>, fast: Vector3<f64>) -> Vector3<f64> {
        let half = 0.5 * self.command.schedule.stance();
        let rest = self.feet[leg].rest;
        let even = rest - slip * half;
        if self.sway.is_some() {
            return even;
        }
        let catch = Vector3::new(fast.x, fast.y, 0.0) * half;
        even + catch.cap_magnitude(CATCH * rest.z.abs())
    }

    /// A foot on its way from and to these places, over ground of this velocity. A base that leans would
    /// drive it into the ground: the end of the swing is level.
    fn swing(
        &mut self,
        leg: usize,
        done: f64,
        path: [Vector3<f64>; 3],
        tilt: &UnitQuaternion<f64>,
    ) {
        let [from, to, ground] = path;
        let swing = Swing {
            from,
            to,
            ground,
            height: self.command.step_height,
            duration: self.command.schedule.swing(),
        };
        let lean = UnitQuaternion::identity().slerp(&tilt.inverse(), smooth(done));
        self.feet[leg].target = lean * swing.at(done);
    }

    /// Inverse kinematics, and the torques that carry robot and legs.
    fn joints(
        &mut self,
        legs: &mut dyn Legs,
        share: &[f64; 4],
        sensed: &Sensed,
        (since, length): (f64, f64),
    ) -> Result<Step, String> {
        let up = sensed.base.rotation.inverse() * Vector3::z();
        let weight = self.command.mass * self.command.gravity;
        let sway = self.sway(since);
        let places = [0, 1, 2, 3].map(|leg| self.feet[leg].target - sway);
        let forces = support::forces(&places, share, &self.command.com, weight);
        let mut joints = [[JointTarget::default(); 3]; 4];
        for (leg, place) in Place::ALL.into_iter().enumerate() {
            let foot = &mut self.feet[leg];
            let wanted = legs
                .reach(place, &places[leg])
                .map_err(|e| format!("leg {}: {e}", place.as_str()))?;
            let jacobian = legs.jacobian(place, &wanted);
            let gravity = up * -self.command.gravity;
            let torque = legs.weight_of_links(place, &wanted, &gravity)
                - jacobian.transpose() * (up * forces[leg]);
            for k in 0..3 {
                joints[leg][k] = JointTarget {
                    position: wanted[k],
                    velocity: (wanted[k] - foot.joints[k]) / length,
                    torque: torque[k],
                };
            }
            foot.joints = wanted;
        }
        Ok(Step { joints })
    }
}
