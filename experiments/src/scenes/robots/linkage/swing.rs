//! `pendulum` and `four-bar` [TA, sec. 7]: bilateral rows alone.
//!
//! Both are one-degree-of-freedom swings `I theta'' = -g S sin(theta)`: a rod of mass m and length l
//! on a hinge has `I = m l^2 / 3`, `S = m l / 2`; two such cranks that carry a coupler of mass M,
//! which stays level in a parallelogram, have `I = 2 m l^2 / 3 + M l^2`, `S = m l + M l`. The period
//! from amplitude A is `4 sqrt(I / (g S)) K(sin(A/2))`, K the complete elliptic integral of the first
//! kind, `pi / 2` over the arithmetic-geometric mean of 1 and `cos(A/2)`.

use super::super::super::super::rapier::prelude::*;
use super::super::super::stage::scene::{Built, Scene};
use super::super::super::stage::world::{GRAVITY, World};
use super::hinge::{Hinge, Joints, Place, Rod, energy, hinge, largest_gap};
use crate::error::CommandError;
use crate::metrics::larger;
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::{Point3, Vector3};
use stickslip_record::StepReport;

/// Height of the fixed hinges \[m\].
const HEIGHT: f64 = 2.0;
const RADIUS: f64 = 0.02;

/// What the keys of both scenarios say.
struct Asked {
    length: f64,
    mass: f64,
    amplitude: f64,
    joints: Joints,
}

impl Asked {
    fn new(settings: &RunSettings) -> Result<Self, CommandError> {
        let keys = &settings.keys;
        Ok(Self {
            length: keys.number("length")?,
            mass: keys.number("mass")?,
            amplitude: keys.number("amplitude")?.to_radians(),
            joints: Joints::parse(keys.text("joints")?),
        })
    }

    /// A crank that hangs from a fixed hinge, swung out in the plane y = 0.
    fn crank<'a>(&self, name: &'a str, top: Point3<f64>) -> Rod<'a> {
        let out = Vector3::new(self.amplitude.sin(), 0.0, -self.amplitude.cos());
        Rod {
            name,
            ends: [top, top + out * self.length],
            mass: self.mass,
            radius: RADIUS,
        }
    }
}

fn frame(world: &mut World) -> usize {
    world.add("frame", RigidBodyBuilder::fixed(), [])
}

fn about_y(at: Point3<f64>) -> Place {
    Place {
        at,
        axis: Vector3::y(),
    }
}

pub(in super::super::super) fn pendulum(settings: &RunSettings) -> Result<Built, CommandError> {
    let asked = Asked::new(settings)?;
    let mut world = World::new(settings)?;
    let frame = frame(&mut world);
    let top = Point3::new(0.0, 0.0, HEIGHT);
    let rod = asked.crank("rod", top).add(&mut world);
    let hinges = vec![hinge(&mut world, [frame, rod], about_y(top), asked.joints)?];
    let (inertia, moment) = (
        asked.mass * asked.length.powi(2) / 3.0,
        asked.mass * asked.length / 2.0,
    );
    let scene = Swing::new(&world, &asked, [inertia, moment], hinges, rod);
    Ok((world, Box::new(scene)))
}

pub(in super::super::super) fn four_bar(settings: &RunSettings) -> Result<Built, CommandError> {
    let asked = Asked::new(settings)?;
    let coupler_mass = settings.keys.number("coupler_mass")?;
    let span = settings.keys.number("span")?;
    let mut world = World::new(settings)?;
    let frame = frame(&mut world);
    let tops = [0.0, span].map(|x| Point3::new(x, 0.0, HEIGHT));
    let rods = [
        asked.crank("left_crank", tops[0]),
        asked.crank("right_crank", tops[1]),
    ];
    let pins = rods.map(|rod| rod.ends[1]);
    let [left, right] = rods.map(|rod| rod.add(&mut world));
    let coupler = Rod {
        name: "coupler",
        ends: pins,
        mass: coupler_mass,
        radius: RADIUS,
    };
    let coupler = coupler.add(&mut world);
    let joints = asked.joints;
    let hinges = vec![
        hinge(&mut world, [frame, left], about_y(tops[0]), joints)?,
        hinge(&mut world, [left, coupler], about_y(pins[0]), joints)?,
        hinge(&mut world, [coupler, right], about_y(pins[1]), joints)?,
        // Closes the loop: in space three of its five rows repeat what the others say.
        hinge(
            &mut world,
            [frame, right],
            about_y(tops[1]),
            Joints::Impulse,
        )?,
    ];
    let total = asked.mass + coupler_mass;
    let (inertia, moment) = (
        (2.0 / 3.0 * asked.mass + coupler_mass) * asked.length.powi(2),
        total * asked.length,
    );
    let scene = Swing::new(&world, &asked, [inertia, moment], hinges, left);
    Ok((world, Box::new(scene)))
}

/// Complete elliptic integral of the first kind of modulus `sin(half)`.
fn complete_elliptic(half: f64) -> f64 {
    let (mut a, mut b) = (1.0, half.cos());
    // Converges quadratically: far fewer rounds reach the last bit.
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

struct Swing {
    hinges: Vec<Hinge>,
    crank: usize,
    top: Point3<f64>,
    /// Closed form \[s\].
    period: f64,
    /// Energy at the start, and what the swing has of it \[J\].
    energy: [f64; 2],
    energy_error: f64,
    drift: [f64; 2],
    /// Angle of the crank after the last step \[rad\].
    angle: f64,
    largest: f64,
    /// Times at which the crank passed its lowest place: the first, the last, and how many \[s\].
    passed: Option<(f64, f64, u32)>,
}

impl Swing {
    fn new(world: &World, asked: &Asked, law: [f64; 2], hinges: Vec<Hinge>, crank: usize) -> Self {
        let [inertia, moment] = law;
        let swing = moment * GRAVITY * (1.0 - asked.amplitude.cos());
        let slow = (inertia / (GRAVITY * moment)).sqrt();
        Self {
            hinges,
            crank,
            top: Point3::new(0.0, 0.0, HEIGHT),
            period: 4.0 * slow * complete_elliptic(0.5 * asked.amplitude),
            energy: [energy(world), swing],
            energy_error: 0.0,
            drift: [0.0, 0.0],
            angle: asked.amplitude,
            largest: 0.0,
            passed: None,
        }
    }

    fn measured_period(&self) -> Option<f64> {
        let (first, last, times) = self.passed?;
        (times > 1).then(|| 2.0 * (last - first) / f64::from(times - 1))
    }
}

impl Scene for Swing {
    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        let [far, turned] = largest_gap(&self.hinges, world);
        self.drift = [larger(self.drift[0], far), larger(self.drift[1], turned)];
        let [start, swing] = self.energy;
        self.energy_error = larger(self.energy_error, ((energy(world) - start) / swing).abs());
        let hangs = world.position(self.crank) - self.top.coords;
        let angle = hangs.x.atan2(-hangs.z);
        self.largest = larger(self.largest, angle.abs());
        if angle * self.angle < 0.0 {
            // Between two steps the crank passes its lowest place at nearly constant speed.
            let time = world.time() - world.dt() * angle / (angle - self.angle);
            let (first, _, times) = self.passed.unwrap_or((time, time, 0));
            self.passed = Some((first, time, times + 1));
        }
        self.angle = angle;
    }

    fn figures(&mut self, _world: &World) -> Result<Figures, CommandError> {
        let measured = self.measured_period();
        let mut figures = Figures::new(if measured.is_some() {
            "swings"
        } else {
            "too short for a period"
        })
        .with("period_closed_form_s", self.period)
        .with("joint_drift_max_m", self.drift[0])
        .with("joint_axis_error_max_rad", self.drift[1])
        .with("energy_error_rel", self.energy_error)
        .with("angle_max_rad", self.largest);
        if let Some(period) = measured {
            figures = figures
                .with("period_s", period)
                .with("period_error_rel", (period / self.period - 1.0).abs());
        }
        Ok(figures)
    }
}

#[cfg(test)]
mod tests {
    use super::complete_elliptic;

    /// Tabled: K(sin 30 deg) = 1.685750354812596, K(sin 45 deg) = 1.854074677301372.
    #[test]
    fn the_elliptic_integral_is_the_tabled_one() {
        let degrees = |d: f64| complete_elliptic(d.to_radians());
        assert!((degrees(30.0) - 1.685_750_354_812_596).abs() < 1e-15);
        assert!((degrees(45.0) - 1.854_074_677_301_372).abs() < 1e-15);
        assert_eq!(degrees(0.0), std::f64::consts::FRAC_PI_2);
    }
}
