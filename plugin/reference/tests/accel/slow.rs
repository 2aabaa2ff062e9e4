//! Slow slides: friction along the slip at the start of a step would turn it to and fro.

use crate::common::*;
use nalgebra::{Matrix3, Vector3};
use stickslip_core::models::{ModelName, ModelSettings, RollingFriction};
use stickslip_core::problem::{ContactData, ProblemBuilder};
use stickslip_core::report::SolveReport;

const H: f64 = 0.005;

/// A flat box on four corners on a slope of tangent `ratio mu` towards `heading` from tangent s.
struct Slope {
    mu: f64,
    across: Option<f64>,
    ratio: f64,
    heading: f64,
    v: [f64; 6],
    solver: Solver,
    builder: ProblemBuilder,
}

impl Slope {
    fn new(rolling: RollingFriction, ratio: f64, heading: f64) -> Self {
        let mut settings = ModelSettings::default();
        settings.acceleration.rolling = rolling;
        Self {
            mu: 0.5,
            across: None,
            ratio,
            heading,
            v: [0.0; 6],
            solver: Solver::new(ModelName::CoulombAcceleration, settings),
            builder: ProblemBuilder::new(),
        }
    }

    fn pull(&self) -> (f64, f64) {
        let (sin, cos) = (self.ratio * self.mu).atan().sin_cos();
        (G * sin, G * cos)
    }

    fn step(&mut self) -> SolveReport {
        let (down, press) = self.pull();
        let (sin, cos) = self.heading.sin_cos();
        let mass = free_mass(
            1.0,
            Matrix3::from_diagonal(&Vector3::new(0.004, 0.004, 0.0067)),
        );
        let mut v_free = self.v;
        v_free[0] += H * down * cos;
        v_free[1] += H * down * sin;
        v_free[2] -= H * press;
        self.builder.begin(H);
        let block = self.builder.add_block(&mass, &self.v, &v_free);
        for (key, (x, y)) in [(0.1, 0.1), (-0.1, 0.1), (0.1, -0.1), (-0.1, -0.1)]
            .into_iter()
            .enumerate()
        {
            let data = ContactData {
                mu: self.mu,
                mu_across: self.across,
                ..closed(key as u64)
            };
            let rows = point_rows(up(), Vector3::new(x, y, -0.025), 1.0);
            self.builder.add_contact(data, &[half(block, &rows)]);
        }
        self.builder.finish().unwrap();
        let report = self.solver.solve(self.builder.finished().unwrap());
        assert!(report.status.is_usable(), "{report:?}");
        assert!(report.residuals.max() < 1e-9, "{report:?}");
        self.v.copy_from_slice(&self.solver.solution.v_plus);
        report
    }

    /// Speed down the slope and across it, and the spin.
    fn motion(&self) -> [f64; 3] {
        let (sin, cos) = self.heading.sin_cos();
        let [x, y, ..] = self.v;
        [cos * x + sin * y, cos * y - sin * x, self.v[5]]
    }
}

/// From rest, just above the threshold: `v = g (sin - mu cos) t` from the first step on, straight down
/// and without spin, whatever the tangents; the box is slow for the whole second.
#[test]
fn a_box_that_starts_to_slide_goes_straight_down_the_slope() {
    for rolling in [RollingFriction::Pyramid, RollingFriction::Cone] {
        for heading in [0.0, 0.3, 0.5, std::f64::consts::FRAC_PI_4, 2.0] {
            let mut slope = Slope::new(rolling, 1.02, heading);
            let (down, press) = slope.pull();
            let a = down - slope.mu * press;
            for k in 1..=200 {
                slope.step();
                let [along, across, spin] = slope.motion();
                let wanted = a * H * f64::from(k);
                let what = format!("{rolling:?} {heading} step {k}: {along} {across} {spin}");
                assert!((along - wanted).abs() < 1e-8, "{what}, not {wanted}");
                assert!(across.abs() < 1e-8 && spin.abs() < 1e-6, "{what}");
            }
        }
    }
}

/// What holds a box at rest is the polygon: between its corners `mu cos(pi/4)`. What breaks away slides
/// under the circle's friction, which stops it: the box creeps with no more than the speed of one step.
#[test]
fn between_the_corners_of_the_pyramid_a_box_creeps_and_does_not_slide() {
    let heading = std::f64::consts::FRAC_PI_4;
    let mut slope = Slope::new(RollingFriction::Pyramid, 0.98, heading);
    let (down, press) = slope.pull();
    let once = H * (down - slope.mu * heading.cos() * press);
    for _ in 0..200 {
        slope.step();
        let [along, across, spin] = slope.motion();
        assert!(along < once + 1e-9 && along > -1e-9, "{along} {once}");
        assert!(across.abs() < 1e-9 && spin.abs() < 1e-6);
    }
    let mut slope = Slope::new(RollingFriction::Cone, 0.98, heading);
    for _ in 0..20 {
        slope.step();
        assert!(slope.v.iter().all(|v| v.abs() < 1e-10));
    }
}

/// A slow spin of a sliding box is slowed and never grows.
#[test]
fn a_spin_dies_out_while_the_box_slides() {
    for rolling in [RollingFriction::Pyramid, RollingFriction::Cone] {
        let mut slope = Slope::new(rolling, 1.1, 0.4);
        slope.v[0] = 0.01;
        slope.v[5] = 0.05;
        let mut spin = 0.05_f64;
        for k in 0..60 {
            slope.step();
            let now = slope.motion()[2].abs();
            assert!(
                now <= spin * (1.0 + 1e-9) + 1e-9,
                "{rolling:?} step {k}: {now} after {spin}"
            );
            spin = now;
        }
        assert!(spin < 1e-6, "{rolling:?}: {spin}");
    }
}

/// A slide on the level ends at rest, straight on, in the discrete time of the closed form.
#[test]
fn a_slide_stops_straight_on_between_the_corners_of_the_pyramid() {
    for rolling in [RollingFriction::Pyramid, RollingFriction::Cone] {
        for heading in [0.2_f64, 0.7] {
            let mut slope = Slope::new(rolling, 0.0, 0.0);
            let (sin, cos) = heading.sin_cos();
            let brake = slope.mu * G * H;
            let speed = 10.4 * brake;
            (slope.v[0], slope.v[1]) = (speed * cos, speed * sin);
            for k in 1..=12 {
                slope.step();
                let wanted = (speed - f64::from(k) * brake).max(0.0);
                let off = (slope.v[0] - wanted * cos).hypot(slope.v[1] - wanted * sin);
                assert!(off < 1e-8, "{rolling:?} {heading} step {k}: {off}");
                assert!(slope.v[5].abs() < 1e-6);
            }
        }
    }
}

/// With two coefficients the friction of a slow slide is the point of the ellipse that dissipates most.
#[test]
fn two_coefficients_brake_a_slow_slide_as_the_ellipse_does() {
    for rolling in [RollingFriction::Pyramid, RollingFriction::Cone] {
        let mut slope = Slope::new(rolling, 2.0, 0.6);
        slope.across = Some(0.25);
        let before = slope.v;
        slope.step();
        let (down, press) = slope.pull();
        let (sin, cos) = slope.heading.sin_cos();
        let [x, y, ..] = slope.v;
        let size = (0.5 * x).hypot(0.25 * y);
        let friction = [-0.25 * x / size * press, -0.0625 * y / size * press];
        let wanted = [
            before[0] + H * (down * cos + friction[0]),
            before[1] + H * (down * sin + friction[1]),
        ];
        let off = (x - wanted[0]).hypot(y - wanted[1]);
        assert!(off < 1e-9, "{rolling:?}: {off}");
    }
}
