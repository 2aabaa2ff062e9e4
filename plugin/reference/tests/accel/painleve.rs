//! Painleve's rod (B7): a rod of length 2 l slides on one end.
//!
//! With the angle theta from the plane, the contact at `l (cos, -sin)` from the centre of mass, slip
//! in +x and inertia m l^2 / 3, a normal force F brings friction -mu F and
//! ```text
//! N a = F / m (1 + 3 cos (cos - mu sin)) + q,      q = -g + l omega^2 sin
//! ```
//! The bracket vanishes at `mu = (1 + 3 cos^2) / (3 sin cos) = (4 + tan^2) / (3 tan)`, least at
//! `tan = 2`, where mu = 4/3. Below zero there is no solution for q < 0 and two for q > 0: F = 0 and
//! F = -q m / bracket.

use crate::common::*;
use nalgebra::{Matrix3, Vector3};
use stickslip_core::models::{
    AccelerationSettings, Hover, ModelName, ModelSettings, OnNoSolution, RollingFriction,
};
use stickslip_core::problem::{ContactData, ProblemBuilder};
use stickslip_core::report::SolveStatus;

/// Short, so that forces near the threshold do not end the slip within a step.
const H: f64 = 1e-6;
const M: f64 = 1.3;
const L: f64 = 0.7;

struct Rod {
    theta: f64,
    mu: f64,
    slip: f64,
    /// Rate of theta.
    omega: f64,
}

impl Rod {
    fn bracket(&self) -> f64 {
        let (sin, cos) = self.theta.sin_cos();
        1.0 + 3.0 * cos * (cos - self.mu * sin)
    }

    fn q(&self) -> f64 {
        -G + L * self.omega * self.omega * self.theta.sin()
    }

    fn build(&self, builder: &mut ProblemBuilder) {
        let (sin, cos) = self.theta.sin_cos();
        let foot = Vector3::new(L * cos, 0.0, -L * sin);
        let turn = Vector3::new(0.0, self.omega, 0.0);
        let v = Vector3::new(self.slip, 0.0, 0.0) - turn.cross(&foot);
        let v = [v.x, v.y, v.z, turn.x, turn.y, turn.z];
        let mut v_free = v;
        v_free[2] -= G * H;
        builder.begin(H);
        let mass = free_mass(M, Matrix3::identity() * (M * L * L / 3.0));
        let block = builder.add_block(&mass, &v, &v_free);
        // Centripetal: the foot accelerates towards the centre of mass by omega^2 l.
        let inwards = -foot * (self.omega * self.omega);
        let data = ContactData {
            mu: self.mu,
            acceleration_bias: [inwards.z, inwards.x, inwards.y],
            ..closed(0)
        };
        builder.add_contact(data, &[half(block, &point_rows(up(), foot, 1.0))]);
        builder.finish().unwrap();
    }
}

fn with(on_no_solution: OnNoSolution) -> ModelSettings {
    ModelSettings {
        acceleration: AccelerationSettings {
            on_no_solution,
            ..AccelerationSettings::default()
        },
        ..ModelSettings::default()
    }
}

#[test]
fn both_sides_of_four_thirds() {
    let theta = 2.0_f64.atan();
    let mut builder = ProblemBuilder::new();
    for (mu, sign) in [
        (1.3, 1.0),
        (4.0 / 3.0 - 1e-3, 1.0),
        (4.0 / 3.0 + 1e-3, -1.0),
        (1.4, -1.0),
    ] {
        // With omega = 0, q = -g; fast enough, q > 0.
        for omega in [0.0, 3.0, 5.0] {
            let rod = Rod {
                theta,
                mu,
                slip: 1.0,
                omega,
            };
            assert_eq!(rod.bracket().signum(), sign);
            rod.build(&mut builder);
            let problem = builder.finished().unwrap();
            let (solution, report) = solve(
                problem,
                ModelName::CoulombAcceleration,
                ModelSettings::default(),
            );
            let (bracket, q) = (rod.bracket(), rod.q());
            let expected = match (bracket > 0.0, q > 0.0) {
                (true, _) => SolveStatus::Solved,
                (false, false) => SolveStatus::NoSolution,
                (false, true) => SolveStatus::SeveralSolutions,
            };
            assert_eq!(report.status, expected, "mu {mu} omega {omega}");
            match expected {
                SolveStatus::Solved => {
                    let force = if q < 0.0 { -q * M / bracket } else { 0.0 };
                    let off = solution.f_n[0] - H * force;
                    assert!(off.abs() <= 1e-9 * (1.0 + H * force), "mu {mu}: {off}");
                    assert!(
                        (solution.f_s[0] + mu * solution.f_n[0]).abs() <= 1e-12 * (1.0 + H * force)
                    );
                    assert_eq!(report.failures, 0);
                }
                SolveStatus::NoSolution => {
                    // The exact cone at velocity level answers, and the answer says so.
                    assert_eq!((report.failures, report.exact_cone), (0, 1));
                    assert_eq!(solution.exact_cone, [true]);
                    let cone = solve(problem, ModelName::Cone, ModelSettings::default()).0;
                    assert_eq!(solution.v_plus, cone.v_plus);
                }
                _ => {
                    let two = [0.0, -q * M / bracket * H];
                    let f = solution.f_n[0];
                    assert!(
                        two.iter().any(|x| (x - f).abs() < 1e-9 * (1.0 + x)),
                        "{f} {two:?}"
                    );
                    assert!(report.residuals.max() < 1e-9);
                }
            }
        }
    }
}

#[test]
fn least_coefficient_at_the_critical_angle() {
    // Along the curve of critical coefficients the status flips.
    let mut builder = ProblemBuilder::new();
    for theta in [0.5, 0.8, 1.0, 1.2, 1.4_f64] {
        let (sin, cos) = theta.sin_cos();
        let critical = (1.0 + 3.0 * cos * cos) / (3.0 * sin * cos);
        assert!(critical >= 4.0 / 3.0);
        for (share, status) in [
            (0.999, SolveStatus::Solved),
            (1.001, SolveStatus::NoSolution),
        ] {
            let rod = Rod {
                theta,
                mu: share * critical,
                slip: 0.5,
                omega: 0.0,
            };
            rod.build(&mut builder);
            for slip_rule in [RollingFriction::Pyramid, RollingFriction::Cone] {
                let mut settings = ModelSettings::default();
                settings.acceleration.rolling = slip_rule;
                let (_, report) = solve(
                    builder.finished().unwrap(),
                    ModelName::CoulombAcceleration,
                    settings,
                );
                assert_eq!(report.status, status, "theta {theta} share {share}");
            }
        }
        // The other way round the rod drags, and all is well.
        let rod = Rod {
            theta,
            mu: 1.001 * critical,
            slip: -0.5,
            omega: 0.0,
        };
        rod.build(&mut builder);
        let (_, report) = solve(
            builder.finished().unwrap(),
            ModelName::CoulombAcceleration,
            ModelSettings::default(),
        );
        assert_eq!(report.status, SolveStatus::Solved);
    }
}

#[test]
fn the_velocity_level_passes_through_when_set_to() {
    let rod = Rod {
        theta: 2.0_f64.atan(),
        mu: 1.6,
        slip: 1.0,
        omega: 0.0,
    };
    let mut builder = ProblemBuilder::new();
    rod.build(&mut builder);
    let problem = builder.finished().unwrap();
    let settings = with(OnNoSolution::VelocityLevel);
    let (solution, report) = solve(problem, ModelName::CoulombAcceleration, settings);
    assert_eq!(report.status, SolveStatus::Inaccurate);
    assert_eq!(
        (report.failures, report.unverified, report.fallbacks),
        (0, 1, 1)
    );
    // An impulse without a collision: the contact holds, and the impulse stays finite as the step
    // goes to zero, so the slip ends within it.
    assert!(solution.f_n[0] > 0.1, "{}", solution.f_n[0]);
    assert!(solution.slip[0] < 1e-12, "{}", solution.slip[0]);
    let n = problem
        .row(stickslip_core::problem::RowId(0))
        .dot(&solution.v_plus);
    assert!(n.abs() < 1e-12);
    // The velocity-level models do that of themselves.
    let (other, report) = solve(problem, ModelName::StewartTrinkle, ModelSettings::default());
    assert_eq!(report.status, SolveStatus::Solved);
    assert!(worst_difference(&solution.v_plus, &other.v_plus) < 1e-12);
    let mut settings = ModelSettings::default();
    settings.cone.hover = Hover::Remove;
    let (other, report) = solve(problem, ModelName::Ccp, settings);
    assert_eq!(report.status, SolveStatus::Solved);
    assert!(worst_difference(&solution.v_plus, &other.v_plus) < 1e-5);
}
