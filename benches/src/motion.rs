//! Small motions in the core alone, for the figures: a sliding block, a grasp, a rod.

use crate::GeneratorError;
use nalgebra::{Matrix3, Vector3};
use stickslip_core::mass::MassFactor;
use stickslip_core::models::Solver;
use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::SolveReport;

/// Gravity [m/s^2].
pub const GRAVITY: f64 = 9.81;

const ALL: [usize; 6] = [0, 1, 2, 3, 4, 5];

fn rows(axes: &[Vector3<f64>; 3], arm: &Vector3<f64>, sign: f64) -> [[f64; 6]; 3] {
    axes.map(|a| {
        let m = arm.cross(&a);
        [a.x, a.y, a.z, m.x, m.y, m.z].map(|x| sign * x)
    })
}

fn half(block: stickslip_core::problem::BlockId, rows: &[[f64; 6]; 3]) -> RowHalf<'_, 3> {
    RowHalf {
        block,
        cols: &ALL,
        rows: [&rows[0], &rows[1], &rows[2]],
    }
}

/// Normal z, tangents x and y.
fn level() -> [Vector3<f64>; 3] {
    [Vector3::z(), Vector3::x(), Vector3::y()]
}

/// A block of 1 kg, 0.2 x 0.2 x 0.05 m, on its four corners above level ground. It doesn't turn in what
/// is computed of its position: only the height of its middle counts.
#[derive(Clone, Debug)]
pub struct Block {
    /// Velocity: linear, angular.
    pub velocity: [f64; 6],
    /// Position of the middle of its underside \[m\].
    pub position: Vector3<f64>,
    /// Coefficients of its contacts.
    pub contact: ContactData,
    /// Time step \[s\].
    pub h: f64,
    builder: ProblemBuilder,
}

const HALF: [f64; 3] = [0.1, 0.1, 0.025];

impl Block {
    /// Sliding along a direction of the ground.
    pub fn sliding(contact: ContactData, speed: f64, direction: f64, h: f64) -> Self {
        let (sin, cos) = direction.sin_cos();
        Self {
            velocity: [speed * cos, speed * sin, 0.0, 0.0, 0.0, 0.0],
            position: Vector3::zeros(),
            contact,
            h,
            builder: ProblemBuilder::new(),
        }
    }

    /// One step of symplectic Euler.
    ///
    /// # Errors
    /// When the problem is malformed.
    pub fn step(&mut self, solver: &mut Solver) -> Result<SolveReport, GeneratorError> {
        let square = HALF.map(|a| 4.0 * a * a / 12.0);
        let inertia = Matrix3::from_diagonal(&Vector3::new(
            square[1] + square[2],
            square[0] + square[2],
            square[0] + square[1],
        ));
        let mass = MassFactor::free_body(1.0, &inertia)?;
        let mut free = self.velocity;
        free[2] -= GRAVITY * self.h;
        self.builder.begin(self.h);
        let block = self.builder.add_block(&mass, &self.velocity, &free);
        for corner in 0..4_u64 {
            let sign = |bit: u64| if corner & bit == 0 { -1.0 } else { 1.0 };
            let arm = Vector3::new(sign(1) * HALF[0], sign(2) * HALF[1], -HALF[2]);
            let data = ContactData {
                key: corner,
                phi: self.position.z,
                ..self.contact
            };
            let rows = rows(&level(), &arm, 1.0);
            self.builder.add_contact(data, &[half(block, &rows)]);
        }
        self.builder.finish()?;
        let report = solver.solve(self.builder.finished()?);
        self.velocity.copy_from_slice(&solver.solution().v_plus);
        self.position +=
            Vector3::new(self.velocity[0], self.velocity[1], self.velocity[2]) * self.h;
        Ok(report)
    }

    /// Horizontal speed [m/s].
    pub fn speed(&self) -> f64 {
        self.velocity[0].hypot(self.velocity[1])
    }
}

/// Downward speed of the faster of two cubes of 1 kg after some steps between the jaws of a gripper that
/// presses with 200 N [D15, Table I]; 12 contacts per pair, positions as at the start. The jaws are
/// cubes too, each held to the world but along the row.
///
/// # Errors
/// When the problem is malformed.
pub fn grasp_fall(
    solver: &mut Solver,
    contact: ContactData,
    steps: usize,
) -> Result<f64, GeneratorError> {
    let h = 0.01;
    let mut velocity = [[0.0; 6]; 4];
    let mut builder = ProblemBuilder::new();
    for _ in 0..steps {
        grasp(&mut builder, &velocity, contact, h)?;
        solver.solve(builder.finished()?);
        for (body, v) in velocity.iter_mut().enumerate() {
            v.copy_from_slice(&solver.solution().v_plus[6 * body..6 * body + 6]);
        }
    }
    Ok(f64::max(-velocity[1][2], -velocity[2][2]))
}

fn grasp(
    builder: &mut ProblemBuilder,
    velocity: &[[f64; 6]; 4],
    contact: ContactData,
    h: f64,
) -> Result<(), GeneratorError> {
    let side: f64 = 0.1;
    let mass = MassFactor::free_body(1.0, &(Matrix3::identity() * (side * side / 6.0)))?;
    builder.begin(h);
    let mut blocks = Vec::new();
    for (body, v) in velocity.iter().enumerate() {
        let mut free = *v;
        match body {
            0 => free[0] += 200.0 * h,
            3 => free[0] -= 200.0 * h,
            _ => free[2] -= GRAVITY * h,
        }
        blocks.push(builder.add_block(&mass, v, &free));
    }
    for (jaw, block) in [(0, blocks[0]), (1, blocks[3])] {
        for col in 1..6 {
            let held = ScalarKind::Bilateral { velocity: 0.0 };
            let half = RowHalf {
                block,
                cols: &[col],
                rows: [&[1.0]],
            };
            builder.add_scalar((10 * jaw + col) as u64, held, &[half]);
        }
    }
    let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
    let mut key = 0;
    for pair in 0..3 {
        for counts in [[1, 2, 2, 1], [2, 1, 1, 2]] {
            for (corner, count) in counts.into_iter().enumerate() {
                let y = if corner & 1 == 0 { -0.5 } else { 0.5 } * side;
                let z = if corner & 2 == 0 { -0.5 } else { 0.5 } * side;
                let left = rows(&axes, &Vector3::new(0.5 * side, y, z), -1.0);
                let right = rows(&axes, &Vector3::new(-0.5 * side, y, z), 1.0);
                for _ in 0..count {
                    let halves = [half(blocks[pair], &left), half(blocks[pair + 1], &right)];
                    builder.add_contact(ContactData { key, ..contact }, &halves);
                    key += 1;
                }
            }
        }
    }
    builder.finish()?;
    Ok(())
}

/// The sliding rod of the Painleve paradox: mass 1 kg, length 1 m, at an angle to the ground \[rad\],
/// its foot sliding with 1 m/s away from where it leans.
///
/// # Errors
/// When the problem is malformed.
pub fn rod(angle: f64, mu: f64, h: f64) -> Result<ProblemBuilder, GeneratorError> {
    let (sin, cos) = angle.sin_cos();
    let along = Vector3::new(cos, 0.0, sin);
    let thin = 2e-4;
    let inertia =
        (Matrix3::identity() - along * along.transpose()) / 12.0 + along * along.transpose() * thin;
    let mass = MassFactor::free_body(1.0, &inertia)?;
    let v = [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let mut free = v;
    free[2] -= GRAVITY * h;
    let mut builder = ProblemBuilder::new();
    builder.begin(h);
    let block = builder.add_block(&mass, &v, &free);
    let data = ContactData {
        mu,
        ..ContactData::default()
    };
    let rows = rows(&level(), &(along * -0.5), 1.0);
    builder.add_contact(data, &[half(block, &rows)]);
    builder.finish()?;
    Ok(builder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_core::models::{ModelName, ModelSettings};

    fn contact(mu: f64) -> ContactData {
        ContactData {
            mu,
            ..ContactData::default()
        }
    }

    /// Coulomb friction takes `mu g h` a step; the flat block does not trip at mu = 0.5.
    #[test]
    fn a_block_keeps_its_speed_without_friction_and_loses_mu_g_t_with_it() {
        let slowed = 2.0 - 0.5 * GRAVITY * 3.0 * 0.005;
        for (name, left) in [(ModelName::Frictionless, 2.0), (ModelName::Cone, slowed)] {
            let mut solver = crate::solver(name, ModelSettings::default()).unwrap();
            let mut block = Block::sliding(contact(0.5), 2.0, 0.3, 0.005);
            for _ in 0..3 {
                assert!(block.step(&mut solver).unwrap().status.is_usable());
            }
            // The residual with which the exact cone counts as solved, three times.
            let off = block.speed() - left;
            assert!(off.abs() < 3.0 * 1e-8 * (1.0 + 2.0), "{name}: {off}");
            assert!(block.position.z.abs() < 1e-8, "{name}");
        }
    }

    #[test]
    fn the_grasp_holds_without_slip_and_falls_without_friction() {
        for (name, fall) in [
            (ModelName::Frictionless, 0.05 * GRAVITY),
            (ModelName::NoSlip, 0.0),
        ] {
            let mut solver = crate::solver(name, ModelSettings::default()).unwrap();
            let speed = grasp_fall(&mut solver, contact(0.5), 5).unwrap();
            assert!((speed - fall).abs() < 1e-9, "{name}: {speed}");
        }
    }

    /// The normal row's `N M^-1 (N + mu S)^T` is the Painleve number `1 + 3 cos (cos - mu sin)` (mass 1):
    /// friction on the foot points along +x, against its motion.
    #[test]
    fn the_rod_has_the_painleve_number_of_the_closed_form() {
        let (angle, mu): (f64, f64) = (1.0, 2.0);
        let builder = rod(angle, mu, 1e-3).unwrap();
        let problem = builder.finished().unwrap();
        let row = |k: usize| -> Vec<(usize, f64)> {
            problem
                .row(stickslip_core::problem::RowId(k))
                .iter()
                .collect()
        };
        let (mut normal, mut push) = ([0.0; 6], [0.0; 6]);
        for (i, x) in row(0) {
            normal[i] += x;
            push[i] += x;
        }
        for (i, x) in row(1) {
            push[i] += mu * x;
        }
        // M^-1 push with the rod's own matrix: unit mass, 1/12 across.
        let across = 12.0;
        let moment = across * normal[4] * push[4];
        let number = normal[2] * push[2] + moment;
        let (sin, cos) = angle.sin_cos();
        assert!((number - (1.0 + 3.0 * cos * (cos - mu * sin))).abs() < 1e-12);
    }
}
