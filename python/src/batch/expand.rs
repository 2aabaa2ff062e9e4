//! What differs between the worlds of a batch.

use crate::error::{Error, Outcome, nearest};
use crate::scene::Scene;
use rapier3d_f64::prelude::Vector;

/// A quantity that may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Coulomb coefficient of a body or link, or of all.
    Friction,
    /// Mass of a body or link \[kg\].
    Mass,
    /// Gravity [m/s^2].
    Gravity,
    /// Stiffnesses of the drives.
    Kp,
    /// Dampings of the drives.
    Kd,
    /// Coordinates of the robots at the start.
    Q,
    /// Velocities of the robots at the start.
    V,
    /// Position of a body at the start \[m\].
    Position,
}

/// Their names.
pub const QUANTITIES: [(&str, Quantity); 8] = [
    ("friction", Quantity::Friction),
    ("mass", Quantity::Mass),
    ("gravity", Quantity::Gravity),
    ("kp", Quantity::Kp),
    ("kd", Quantity::Kd),
    ("q", Quantity::Q),
    ("v", Quantity::V),
    ("position", Quantity::Position),
];

impl Quantity {
    /// By name.
    ///
    /// # Errors
    /// Names the nearest ones.
    pub fn of(name: &str) -> Outcome<Self> {
        let found = QUANTITIES.iter().find(|(known, _)| *known == name);
        found.map(|(_, quantity)| *quantity).ok_or_else(|| {
            let near = nearest(name, QUANTITIES.map(|(known, _)| known));
            Error::Unknown(format!("a batch can't be expanded by `{name}`{near}"))
        })
    }

    /// Numbers per world, of batches whose worlds have so many in q, v and ctrl.
    pub fn size(self, [q, v, u]: [usize; 3]) -> usize {
        match self {
            Self::Friction | Self::Mass => 1,
            Self::Gravity | Self::Position => 3,
            Self::Kp | Self::Kd => u,
            Self::Q => q,
            Self::V => v,
        }
    }
}

/// A quantity with a value for each world.
pub struct Expansion {
    /// The quantity.
    pub quantity: Quantity,
    /// The parts that have the quantity; empty for one of the world or of its robots.
    pub parts: Vec<usize>,
    /// The robots of the batch.
    pub robots: Vec<usize>,
    /// Numbers per world.
    pub size: usize,
    /// The values, world by world.
    pub values: Vec<f64>,
}

impl Expansion {
    /// Whether another one sets all that this one sets.
    pub fn is_replaced_by(&self, other: &Self) -> bool {
        self.quantity == other.quantity && self.parts == other.parts
    }

    /// Gives world `k` its value.
    ///
    /// # Errors
    /// A value that can't be.
    pub fn apply(&self, scene: &mut Scene, k: usize) -> Outcome<()> {
        let own = &self.values[k * self.size..(k + 1) * self.size];
        match self.quantity {
            Quantity::Friction => {
                for &part in &self.parts {
                    scene.set_friction(part, own[0])?;
                }
            }
            Quantity::Mass => {
                for &part in &self.parts {
                    scene.set_mass(part, own[0])?;
                }
            }
            Quantity::Gravity => scene.world.gravity = Vector::new(own[0], own[1], own[2]),
            Quantity::Position => {
                for &part in &self.parts {
                    let at = Vector::new(own[0], own[1], own[2]);
                    scene.change_body(part, |body| body.set_translation(at, true))?;
                }
            }
            Quantity::Kp | Quantity::Kd | Quantity::Q | Quantity::V => {
                return self.apply_to_robots(scene, own);
            }
        }
        Ok(())
    }

    fn apply_to_robots(&self, scene: &mut Scene, mut own: &[f64]) -> Outcome<()> {
        for &robot in &self.robots {
            let parts = &scene.names.robots[robot];
            let size = match self.quantity {
                Quantity::Q => parts.nq(),
                Quantity::V => parts.nv(),
                _ => parts.joint_dofs(),
            };
            let numbers;
            (numbers, own) = own.split_at(size);
            let is_gain = matches!(self.quantity, Quantity::Kp | Quantity::Kd);
            if let Some(bad) = numbers.iter().find(|x| is_gain && **x < 0.0) {
                return Err(Error::Input(format!("a gain of {bad} is negative")));
            }
            match self.quantity {
                Quantity::Q => scene.set_q(robot, numbers)?,
                Quantity::V => scene.set_v(robot, numbers)?,
                _ => {
                    let [targets, kp, kd] = scene.drives(robot);
                    let all = match self.quantity {
                        Quantity::Kp => [&targets, numbers, &kd],
                        _ => [&targets[..], &kp, numbers],
                    };
                    scene.set_drives(robot, all);
                }
            }
        }
        Ok(())
    }
}
