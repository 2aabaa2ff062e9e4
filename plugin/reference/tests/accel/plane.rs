//! Bodies on a plane, against closed forms.

use crate::common::*;
use nalgebra::{Matrix3, Vector3};
use stickslip_core::models::{ContactSolution, ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder};
use stickslip_core::report::{SolveReport, SolveStatus};

const H: f64 = 0.001;

/// A body with contact points at `points` from its centre of mass on a plane whose normal is z,
/// gravity tilted by `slope` towards +x.
pub struct Plane {
    pub mass: f64,
    pub inertia: Matrix3<f64>,
    pub points: Vec<Vector3<f64>>,
    pub mu: f64,
    pub slope: f64,
    pub v: [f64; 6],
}

impl Plane {
    pub fn build(&self, builder: &mut ProblemBuilder, h: f64) {
        builder.begin(h);
        let mass = free_mass(self.mass, self.inertia);
        let mut v_free = self.v;
        v_free[0] += h * G * self.slope.sin();
        v_free[2] -= h * G * self.slope.cos();
        let block = builder.add_block(&mass, &self.v, &v_free);
        for (key, &p) in self.points.iter().enumerate() {
            let data = ContactData {
                mu: self.mu,
                ..closed(key as u64)
            };
            builder.add_contact(data, &[half(block, &point_rows(up(), p, 1.0))]);
        }
        builder.finish().unwrap();
    }
}

/// A cube of side 1 and mass 2 on its four corners.
fn cube(mu: f64, slope: f64, v: [f64; 6]) -> Plane {
    let corner = |x, y| Vector3::new(x, y, -0.5);
    Plane {
        mass: 2.0,
        inertia: Matrix3::identity() * (2.0 / 6.0),
        points: vec![
            corner(0.5, 0.5),
            corner(-0.5, 0.5),
            corner(0.5, -0.5),
            corner(-0.5, -0.5),
        ],
        mu,
        slope,
        v,
    }
}

fn step(plane: &Plane) -> (Vec<f64>, Solver, SolveReport) {
    let mut builder = ProblemBuilder::new();
    plane.build(&mut builder, H);
    let mut solver = Solver::new(ModelName::CoulombAcceleration, ModelSettings::default());
    let report = solver.solve(builder.finished().unwrap());
    let v = solver.solution.v_plus.clone();
    (v, solver, report)
}

/// A step under gravity of a body that touches level ground below its centre of mass.
fn touching(
    (mass, inertia): (f64, f64),
    v: [f64; 6],
    height: f64,
    data: ContactData,
) -> (ContactSolution, SolveReport) {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let mass = free_mass(mass, Matrix3::identity() * inertia);
    let mut v_free = v;
    v_free[2] -= G * H;
    let block = builder.add_block(&mass, &v, &v_free);
    let rows = point_rows(up(), Vector3::new(0.0, 0.0, -height), 1.0);
    builder.add_contact(data, &[half(block, &rows)]);
    solve(
        builder.finish().unwrap(),
        ModelName::CoulombAcceleration,
        ModelSettings::default(),
    )
}

#[test]
fn a_block_sliding_down_accelerates_by_the_closed_form() {
    for (mu, slope) in [(0.2, 0.5), (0.3, 0.1), (0.0, 0.3), (0.5, 0.9_f64)] {
        let v0 = 0.7;
        let (v, solver, report) = step(&cube(mu, slope, [v0, 0.0, 0.0, 0.0, 0.0, 0.0]));
        assert_eq!(report.status, SolveStatus::Solved, "{mu} {slope}");
        assert!(report.residuals.max() < 1e-9, "{report:?}");
        let a = G * (slope.sin() - mu * slope.cos());
        assert!((v[0] - v0 - H * a).abs() < 1e-12, "{mu} {slope}: {}", v[0]);
        let normal: f64 = solver.solution.f_n.iter().sum();
        assert!((normal - 2.0 * G * slope.cos() * H).abs() < 1e-12);
        assert!(v[1..].iter().all(|v| v.abs() < 1e-12), "{v:?}");
    }
}

#[test]
fn friction_of_a_slide_opposes_the_velocity_in_every_direction() {
    for k in 0..24 {
        let (sin, cos) = (0.27 * f64::from(k)).sin_cos();
        let (v, _, report) = step(&cube(0.4, 0.0, [cos, sin, 0.0, 0.0, 0.0, 0.0]));
        assert_eq!(report.status, SolveStatus::Solved);
        // Polygons do not show: the direction is exact.
        let speed = 1.0 - 0.4 * G * H;
        assert!((v[0] - speed * cos).abs() < 1e-12 && (v[1] - speed * sin).abs() < 1e-12);
    }
}

#[test]
fn a_block_at_rest_sticks_below_the_threshold_and_starts_above() {
    let mu: f64 = 0.5;
    let threshold = mu.atan();
    let (v, solver, report) = step(&cube(mu, 0.99 * threshold, [0.0; 6]));
    assert_eq!(report.status, SolveStatus::Solved);
    assert!(v.iter().all(|v| v.abs() < 1e-12), "{v:?}");
    assert!(solver.solution.slip.iter().all(|&u| u < 1e-12));
    let slope = 1.01 * threshold;
    let (v, _, _) = step(&cube(mu, slope, [0.0; 6]));
    // Along a corner of the polygon the threshold is exact.
    let a = G * (slope.sin() - mu * slope.cos());
    assert!((v[0] - H * a).abs() < 1e-12, "{v:?}");
}

#[test]
fn a_slide_ends_at_rest_and_stays_there() {
    let mut solver = Solver::new(ModelName::CoulombAcceleration, ModelSettings::default());
    let mut builder = ProblemBuilder::new();
    let mut plane = cube(0.3, 0.0, [0.0; 6]);
    (plane.v[0], plane.v[1]) = (0.3, 0.4);
    let mut distance = 0.0;
    for _ in 0..400 {
        plane.build(&mut builder, H);
        let report = solver.solve(builder.finished().unwrap());
        assert_eq!(report.status, SolveStatus::Solved);
        plane.v.copy_from_slice(&solver.solution.v_plus);
        distance += H * plane.v[0].hypot(plane.v[1]);
    }
    assert!(plane.v.iter().all(|v| v.abs() < 1e-12), "{:?}", plane.v);
    // Semi-implicit Euler stops short by v0 h / 2.
    let exact = 0.25 / (2.0 * 0.3 * G);
    assert!(
        (distance - exact + 0.5 * 0.5 * H).abs() < 1e-6,
        "{distance} {exact}"
    );
}

#[test]
fn a_sphere_rolls_down_at_five_sevenths() {
    let (radius, m, slope) = (0.2, 3.0, 0.3_f64);
    let mut solver = Solver::new(ModelName::CoulombAcceleration, ModelSettings::default());
    let mut builder = ProblemBuilder::new();
    let mut sphere = Plane {
        mass: m,
        inertia: Matrix3::identity() * (0.4 * m * radius * radius),
        points: vec![Vector3::new(0.0, 0.0, -radius)],
        mu: 0.5,
        slope,
        v: [0.0; 6],
    };
    let steps = 50;
    for _ in 0..steps {
        sphere.build(&mut builder, H);
        let report = solver.solve(builder.finished().unwrap());
        assert_eq!(report.status, SolveStatus::Solved);
        assert!(report.residuals.max() < 1e-9);
        sphere.v.copy_from_slice(&solver.solution.v_plus);
    }
    let a = 5.0 / 7.0 * G * slope.sin();
    let v = a * H * f64::from(steps);
    assert!((sphere.v[0] - v).abs() < 1e-12, "{} {v}", sphere.v[0]);
    assert!((sphere.v[4] - v / radius).abs() < 1e-11);
}

/// A box of half width b whose two feet slide along x, centre of mass at height c: tipping about the
/// front foot needs `mu c > b` on the level.
#[test]
fn a_box_on_two_feet_slides_flat_or_tips() {
    let (b, c) = (0.2, 0.5);
    let (m, i) = (1.5, 0.1);
    for mu in [0.3, 0.39, 0.41, 0.6] {
        let plane = Plane {
            mass: m,
            inertia: Matrix3::identity() * i,
            points: vec![Vector3::new(b, 0.0, -c), Vector3::new(-b, 0.0, -c)],
            mu,
            slope: 0.0,
            v: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        };
        let (v, solver, report) = step(&plane);
        assert_eq!(report.status, SolveStatus::Solved, "{mu}");
        let f = &solver.solution.f_n;
        if mu * c < b {
            // Moments about the centre of mass: (f0 - f1) b = mu (f0 + f1) c.
            let (sum, difference) = (m * G * H, mu * m * G * H * c / b);
            assert!(
                (f[0] - 0.5 * (sum + difference)).abs() < 1e-12,
                "{mu} {f:?}"
            );
            assert!((f[1] - 0.5 * (sum - difference)).abs() < 1e-12);
            assert!((v[0] - 1.0 + mu * G * H).abs() < 1e-12 && v[4].abs() < 1e-12);
        } else {
            // On the front foot alone: f (1/m + b (b - mu c) / I) = g, spinning forwards (+y) at
            // f (mu c - b) / I.
            let force = G / (1.0 / m + b * (b - mu * c) / i);
            assert!(
                f[1] == 0.0 && (f[0] - H * force).abs() < 1e-12,
                "{mu} {f:?}"
            );
            assert!((v[4] - H * force * (mu * c - b) / i).abs() < 1e-12, "{v:?}");
        }
    }
}

#[test]
fn a_spinning_box_has_several_solutions_and_says_so() {
    // How four corners share the load is open, and with it the torque of friction: not so for
    // three feet.
    let (_, _, report) = step(&cube(0.4, 0.0, [0.2, 0.0, 0.0, 0.0, 0.0, 3.0]));
    assert_eq!(report.status, SolveStatus::SeveralSolutions);
    assert!(report.residuals.max() < 1e-9);
    let mut tripod = cube(0.4, 0.0, [0.2, 0.0, 0.0, 0.0, 0.0, 3.0]);
    tripod.points.pop();
    tripod.points[1].y = -0.4;
    tripod.points[2] = Vector3::new(0.1, 0.45, -0.5);
    tripod.points[0] = Vector3::new(0.5, -0.3, -0.5);
    let (_, _, report) = step(&tripod);
    assert_eq!(report.status, SolveStatus::Solved);
}

#[test]
fn a_box_that_lands_takes_an_inelastic_impact_with_friction() {
    // Straight down with a slide: the impact and the weight both brake by mu.
    let (v, solver, report) = step(&cube(0.3, 0.0, [2.0, 0.0, -1.0, 0.0, 0.0, 0.0]));
    assert_eq!(report.status, SolveStatus::Solved);
    assert!(v[2].abs() < 1e-12);
    assert!(
        (v[0] - (2.0 - 0.3 * (1.0 + G * H))).abs() < 1e-12,
        "{}",
        v[0]
    );
    let f: f64 = solver.solution.f_n.iter().sum();
    assert!((f - 2.0 * (1.0 + G * H)).abs() < 1e-12);
    // Too slow to slide on: it sticks in the impact.
    let (v, _, _) = step(&cube(0.5, 0.0, [0.3, 0.0, -1.0, 0.0, 0.0, 0.0]));
    assert!(v.iter().all(|v| v.abs() < 1e-12), "{v:?}");
}

#[test]
fn a_bouncing_ball_leaves_with_its_share() {
    let data = ContactData {
        restitution: 0.6,
        ..closed(0)
    };
    let v = [0.0, 0.0, -3.0, 0.0, 0.0, 0.0];
    let (solution, report) = touching((1.0, 0.1), v, 0.1, data);
    assert_eq!(report.status, SolveStatus::Solved);
    // The impact at the start of the step, then free flight.
    assert!((solution.v_plus[2] - (1.8 - G * H)).abs() < 1e-12);
}

#[test]
fn an_open_contact_is_left_alone_and_a_penetration_is_pushed_out() {
    for (phi, expected) in [(0.01, -G * H), (-1e-4, 0.2 * 1e-4 / H)] {
        let data = ContactData { phi, ..closed(0) };
        let (solution, _) = touching((1.0, 0.1), [0.0; 6], 0.1, data);
        assert!((solution.v_plus[2] - expected).abs() < 1e-12, "{phi}");
    }
}

#[test]
fn the_bias_of_a_turning_normal_presses() {
    // A bead at speed v in a bowl of radius r: Ndot v = -v^2 / r with the normal towards the centre
    // would be +; the plane's normal turns with the bead, N v stays 0 and F = m (g + v^2 / r).
    let (speed, radius) = (1.5, 0.8);
    let data = ContactData {
        mu: 0.25,
        acceleration_bias: [-speed * speed / radius, 0.0, 0.0],
        ..closed(0)
    };
    let v = [speed, 0.0, 0.0, 0.0, 0.0, 0.0];
    let (solution, _) = touching((2.0, 1.0), v, 0.0, data);
    let force = 2.0 * (G + speed * speed / radius);
    assert!((solution.f_n[0] - H * force).abs() < 1e-12);
    assert!((solution.v_plus[0] - speed + 0.25 * H * force / 2.0).abs() < 1e-12);
}
