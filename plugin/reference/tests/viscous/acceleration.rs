//! Answers of the model at acceleration level known by hand.

use crate::common::*;
use nalgebra::DMatrix;
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{AccelerationSettings, Integrator, ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::{SolveStatus, SolverName};

const ROWS: [[f64; 3]; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
const MODEL: ModelName = ModelName::ViscousAcceleration;

fn with(integrator: Integrator) -> ModelSettings {
    ModelSettings {
        acceleration: AccelerationSettings {
            integrator,
            ..AccelerationSettings::default()
        },
        ..ModelSettings::default()
    }
}

fn all() -> [ModelSettings; 3] {
    let mut other = with(Integrator::Rk4);
    other.solver = Some(SolverName::ActiveSet);
    [
        with(Integrator::Rk4),
        with(Integrator::SemiImplicitEuler),
        other,
    ]
}

/// A point mass under a constant acceleration on contacts with normal +z and tangents x, y.
struct Point {
    mass: f64,
    h: f64,
    pull: [f64; 3],
    contacts: Vec<ContactData>,
}

impl Point {
    /// One step from v; the status must be `Solved` and the residual at round-off.
    fn step(&self, solver: &mut Solver, v: [f64; 3]) -> [f64; 3] {
        let mut builder = ProblemBuilder::new();
        builder.begin(self.h);
        let mass = MassFactor::from_dense(&(DMatrix::identity(3, 3) * self.mass)).unwrap();
        let v_free = [0, 1, 2].map(|k| v[k] + self.h * self.pull[k]);
        let block = builder.add_block(&mass, &v, &v_free);
        for data in &self.contacts {
            let half = RowHalf {
                block,
                cols: &[0, 1, 2],
                rows: [&ROWS[0][..], &ROWS[1], &ROWS[2]],
            };
            builder.add_contact(*data, &[half]);
        }
        builder.finish().unwrap();
        let report = solver.solve(builder.finished().unwrap());
        assert_eq!(report.status, SolveStatus::Solved, "{report:?}");
        assert!(report.residuals.max() < 1e-12, "{report:?}");
        [0, 1, 2].map(|k| solver.solution.v_plus[k])
    }
}

fn damped(mu_viscous: f64, count: u64) -> Vec<ContactData> {
    let contact = |key| ContactData {
        mu_viscous,
        ..closed(key)
    };
    (0..count).map(contact).collect()
}

/// A block under gravity on n contacts: dv/dt = -x v / h with x = h n mu_v / m. RK4 multiplies the
/// speed by the Taylor polynomial of exp(-x), semi-implicit Euler by 1 - x.
#[test]
fn a_sliding_block_slows_down_by_the_integrator_s_factor() {
    let (mass, mu, h) = (2.0, 7.0, 0.02);
    let x: f64 = h * 4.0 * mu / mass;
    let taylor = 1.0 - x + x * x / 2.0 - x.powi(3) / 6.0 + x.powi(4) / 24.0;
    for (settings, factor) in all().into_iter().zip([taylor, 1.0 - x, taylor]) {
        let mut solver = Solver::new(MODEL, settings);
        let point = Point {
            mass,
            h,
            pull: [0.0, 0.0, -G],
            contacts: damped(mu, 4),
        };
        let mut v = [1.5, -0.5, 0.0];
        for step in 1..=20 {
            let before = v;
            v = point.step(&mut solver, v);
            let expected = factor.powi(step);
            assert!((v[0] - 1.5 * expected).abs() < 1e-14);
            assert!((v[1] + 0.5 * expected).abs() < 1e-14);
            assert!(v[2].abs() < 1e-15);
            let s = &solver.solution;
            let (pressed, pulled): (f64, f64) = (s.f_n.iter().sum(), s.f_s.iter().sum());
            assert!((pressed - mass * G * h).abs() < 1e-13);
            assert!((pulled - mass * (v[0] - before[0])).abs() < 1e-13);
        }
    }
}

/// Against v0 exp(-n mu_v t / m): the global error of RK4 falls by 16 when h is halved, that of Euler
/// by 2.
#[test]
fn the_error_falls_with_the_order_of_the_integrator() {
    let (mass, mu, t) = (1.0, 1.0, 1.0);
    for (integrator, order) in [(Integrator::Rk4, 4), (Integrator::SemiImplicitEuler, 1)] {
        let error = |steps: usize| {
            let point = Point {
                mass,
                h: t / steps as f64,
                pull: [0.0, 0.0, -G],
                contacts: damped(mu, 2),
            };
            let mut solver = Solver::new(MODEL, with(integrator));
            let mut v = [1.0, 0.0, 0.0];
            for _ in 0..steps {
                v = point.step(&mut solver, v);
            }
            (v[0] - (-2.0 * mu * t / mass).exp()).abs()
        };
        let (coarse, fine) = (error(16), error(32));
        let measured = (coarse / fine).log2();
        assert!(
            (measured - f64::from(order)).abs() < 0.15,
            "{integrator:?}: order {measured}"
        );
    }
}

/// Explicit stability: |1 - x| < 1 for x < 2; RK4's polynomial reaches 1 at x = 2.785293563405282.
/// One part in a thousand below, the speed decays; as much above, see `stability`.
#[test]
fn steps_are_stable_up_to_the_limit() {
    let limits = [
        (Integrator::Rk4, 2.785_293_563_405_282),
        (Integrator::SemiImplicitEuler, 2.0),
    ];
    for (integrator, limit) in limits {
        let (mass, mu, n) = (2.0, 50.0, 4.0);
        let point = Point {
            mass,
            h: 0.999 * limit * mass / (n * mu),
            pull: [0.0, 0.0, -G],
            contacts: damped(mu, 4),
        };
        let mut solver = Solver::new(MODEL, with(integrator));
        let mut v = [1.0, 0.0, 0.0];
        for _ in 0..1000 {
            v = point.step(&mut solver, v);
        }
        assert!(v[0].abs() < 0.5, "{integrator:?}: {v:?}");
    }
}

/// A step that is far too long overflows in the end: a status, and no number that is not finite.
#[test]
fn an_overflow_is_a_status() {
    let mut solver = Solver::new(MODEL, ModelSettings::default());
    let mut builder = ProblemBuilder::new();
    let mut v = [1.0];
    let mut last = SolveStatus::Solved;
    for _ in 0..200 {
        builder.begin(0.1);
        let mass = MassFactor::from_dense(&DMatrix::from_element(1, 1, 1e-3)).unwrap();
        let block = builder.add_block(&mass, &v, &v);
        let half = RowHalf {
            block,
            cols: &[0],
            rows: [&[0.0], &[1.0], &[0.0]],
        };
        builder.add_contact(damped(1e6, 1)[0], &[half]);
        builder.finish().unwrap();
        last = solver.solve(builder.finished().unwrap()).status;
        assert!(solver.solution.v_plus[0].is_finite() && solver.solution.f_s[0].is_finite());
        v[0] = solver.solution.v_plus[0];
        if last != SolveStatus::Solved {
            break;
        }
    }
    assert!(last > SolveStatus::Solved);
}

/// Terminal speed on a slope, m g sin = n mu_v v: a fixed point of every integrator.
#[test]
fn a_block_on_a_slope_reaches_its_terminal_speed() {
    let (mass, mu, angle) = (2.0, 5.0, 0.3_f64);
    for settings in all() {
        let mut solver = Solver::new(MODEL, settings);
        let point = Point {
            mass,
            h: 0.01,
            pull: [G * angle.sin(), 0.0, -G * angle.cos()],
            contacts: damped(mu, 3),
        };
        let mut v = [0.0; 3];
        for _ in 0..1000 {
            v = point.step(&mut solver, v);
        }
        let terminal = mass * G * angle.sin() / (3.0 * mu);
        assert!((v[0] - terminal).abs() < 1e-12 * terminal, "{v:?}");
    }
}

/// The difference to a conveyor's velocity decays as the velocity itself does without.
#[test]
fn conveyors_drag_with_them() {
    let (x, c) = (0.01_f64 * 30.0 / 1.5, [1.0, -2.0]);
    let taylor = 1.0 - x + x * x / 2.0 - x.powi(3) / 6.0 + x.powi(4) / 24.0;
    for (settings, factor) in all().into_iter().zip([taylor, 1.0 - x, taylor]) {
        let mut solver = Solver::new(MODEL, settings);
        let mut contacts = damped(30.0, 1);
        contacts[0].surface_velocity = c;
        let point = Point {
            mass: 1.5,
            h: 0.01,
            pull: [0.0, 0.0, -G],
            contacts,
        };
        let v = point.step(&mut solver, [0.2, 0.0, 0.0]);
        assert!((v[0] - (1.0 - 0.8 * factor)).abs() < 1e-14);
        assert!((v[1] - (-2.0 + 2.0 * factor)).abs() < 1e-14);
    }
}

/// A mass that falls onto the plane: the impact takes its normal velocity, friction acts once with
/// the implicit factor, gravity is carried for the rest of the step. With restitution it leaves at
/// e times its speed and falls freely.
#[test]
fn an_impact_is_inelastic_unless_restitution_is_set() {
    let (mass, mu, h) = (2.0, 30.0, 0.01);
    for settings in all() {
        let mut solver = Solver::new(MODEL, settings);
        let mut point = Point {
            mass,
            h,
            pull: [0.0, 0.0, -G],
            contacts: damped(mu, 1),
        };
        let slowed = 1.0 / (1.0 + h * mu / mass);
        let v = point.step(&mut solver, [1.0, 0.0, -2.0]);
        assert!((v[0] - slowed).abs() < 1e-14 && v[2].abs() < 1e-14, "{v:?}");
        assert!((solver.solution.f_n[0] - mass * (2.0 + G * h)).abs() < 1e-13);
        assert!((solver.solution.f_s[0] - mass * (slowed - 1.0)).abs() < 1e-13);

        point.contacts[0].restitution = 0.5;
        let v = point.step(&mut solver, [1.0, 0.0, -2.0]);
        assert!((v[2] - (1.0 - G * h)).abs() < 1e-14, "{v:?}");
        assert!((solver.solution.f_n[0] - 3.0 * mass).abs() < 1e-13);
        // Slower than touching it is no impact: the normal force stops it within the step.
        let v = point.step(&mut solver, [0.0, 0.0, -1e-7]);
        assert!(v[2].abs() < 1e-15);
        assert!((solver.solution.f_n[0] - mass * (1e-7 + G * h)).abs() < 1e-14);
    }
}

/// A contact that separates faster than it touches carries nothing; an open one neither has friction nor
/// presses, however fast it closes; a penetration is pushed out by its share K per step.
#[test]
fn only_what_touches_presses() {
    for settings in all() {
        let mut solver = Solver::new(MODEL, settings.clone());
        let mut point = Point {
            mass: 1.0,
            h: 0.01,
            pull: [0.0, 0.0, -G],
            contacts: damped(0.0, 1),
        };
        let v = point.step(&mut solver, [0.0, 0.0, 0.5]);
        assert!((v[2] - (0.5 - 0.01 * G)).abs() < 1e-15);
        assert_eq!(solver.solution.f_n[0], 0.0);
        point.contacts = damped(10.0, 1);
        point.contacts[0].phi = 1e-3;
        let v = point.step(&mut solver, [1.0, 0.0, -5.0]);
        assert_eq!(v[0], 1.0);
        assert!((v[2] - (-5.0 - 0.01 * G)).abs() < 1e-14);
        point.contacts[0].phi = -1e-3;
        let v = point.step(&mut solver, [0.0; 3]);
        assert!((v[2] - settings.baumgarte * 1e-3 / 0.01).abs() < 1e-15);
    }
}

/// A bead on the inside of a circle of radius R with speed u: the gap R - r has Ndot v = -u^2 / R, so
/// the wall presses with m u^2 / R.
#[test]
fn curved_paths_need_their_centripetal_force() {
    let (mass, radius, u) = (0.5, 2.0, 3.0);
    for settings in all() {
        let mut solver = Solver::new(MODEL, settings);
        let mut contacts = damped(0.0, 1);
        contacts[0].acceleration_bias = [-u * u / radius, 0.0, 0.0];
        let point = Point {
            mass,
            h: 0.001,
            pull: [0.0; 3],
            contacts,
        };
        let v = point.step(&mut solver, [u, 0.0, 0.0]);
        let force = solver.solution.f_n[0] / point.h;
        assert!((force - mass * u * u / radius).abs() < 1e-12, "{force}");
        assert!((v[2] - 0.001 * u * u / radius).abs() < 1e-15);
    }
}

/// Scalar rows demand at the end of the step what they do at velocity level: a coupling moves with its
/// velocity, a limit stops at its gap, a drive pulls with its limit or reaches its velocity.
#[test]
fn scalar_rows_of_every_kind_are_met_at_the_end_of_the_step() {
    let h = 0.01;
    let (mass, v, pull) = (2.0, 0.3, 5.0);
    let bounded = |limit, compliance| ScalarKind::Bounded {
        velocity: 1.0,
        limit,
        compliance,
    };
    let free = v + h * pull;
    let cases = [
        (ScalarKind::Bilateral { velocity: -0.7 }, -0.7),
        (ScalarKind::Unilateral { gap: 1.0 }, free),
        (bounded(0.05, 0.0), free + 0.05 / mass),
        (bounded(100.0, 0.0), 1.0),
        // v+ = free + f / m and v+ + c f = 1.
        (
            bounded(100.0, 0.5),
            free + (1.0 - free) / (1.0 + mass * 0.5),
        ),
    ];
    for settings in all() {
        for (kind, expected) in cases {
            let mut builder = ProblemBuilder::new();
            builder.begin(h);
            let factor = MassFactor::from_dense(&DMatrix::from_element(1, 1, mass)).unwrap();
            let block = builder.add_block(&factor, &[v], &[free]);
            let half = RowHalf {
                block,
                cols: &[0],
                rows: [&[1.0]],
            };
            builder.add_scalar(1, kind, &[half]);
            builder.finish().unwrap();
            let (s, report) = solve(builder.finished().unwrap(), MODEL, settings.clone());
            assert_eq!(report.status, SolveStatus::Solved);
            assert!((s.v_plus[0] - expected).abs() < 1e-13, "{kind:?} {s:?}");
            assert!((s.f_scalar[0] - mass * (expected - free)).abs() < 1e-13);
        }
        // A limit 1 mm away, approached from above at 0.3 m/s and pulled: it arrives exactly.
        let mut builder = ProblemBuilder::new();
        builder.begin(h);
        let factor = MassFactor::from_dense(&DMatrix::from_element(1, 1, mass)).unwrap();
        let block = builder.add_block(&factor, &[v], &[free]);
        let half = RowHalf {
            block,
            cols: &[0],
            rows: [&[-1.0]],
        };
        builder.add_scalar(1, ScalarKind::Unilateral { gap: 1e-3 }, &[half]);
        builder.finish().unwrap();
        let (s, _) = solve(builder.finished().unwrap(), MODEL, settings);
        assert!((s.v_plus[0] - 0.1).abs() < 1e-14, "{s:?}");
    }
}
