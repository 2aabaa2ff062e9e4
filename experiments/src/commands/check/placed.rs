//! The robot in a world of its own: what the loader makes of its shapes and joints.

use crate::double::rapier::prelude::PhysicsWorld;
use crate::double::scenes::robots::robot_options::choose;
use crate::robot_args::RobotArgs;
use stickslip_urdf_f64::{Base, InsertOptions, RobotModel};

/// What of a robot can only be known once it stands in a world.
pub(super) struct Placed {
    /// Whether its base moves.
    pub(super) floats: bool,
    /// Velocity coordinates, the base's included.
    pub(super) dofs: usize,
    /// Colliders of each link.
    pub(super) colliders: Vec<usize>,
    /// Initial coordinates of each joint.
    pub(super) initial: Vec<Vec<f64>>,
    /// What was changed or can't be honoured.
    pub(super) warnings: Vec<String>,
}

impl Placed {
    /// Places the robot; the reason in words if that can't be done.
    pub(super) fn new(model: &RobotModel, args: &RobotArgs) -> Result<Self, String> {
        let mut options = InsertOptions::default();
        choose(args, &mut options).map_err(|error| error.to_string())?;
        let mut world = PhysicsWorld::new();
        let robot = model
            .insert(
                &options,
                &mut world.bodies,
                &mut world.colliders,
                &mut world.impulse_joints,
                &mut world.multibody_joints,
            )
            .map_err(|error| format!("{}: {error}", model.file.display()))?;
        let floats = robot.base == Base::Floating;
        let multibody = robot
            .multibody
            .and_then(|m| world.multibody_joints.get_multibody(m));
        Ok(Self {
            floats,
            dofs: multibody.map_or(if floats { 6 } else { 0 }, |m| m.ndofs()),
            colliders: robot.links.iter().map(|l| l.colliders.len()).collect(),
            initial: robot.joints.into_iter().map(|j| j.initial).collect(),
            warnings: robot.warnings,
        })
    }

    /// All colliders.
    pub(super) fn collider_count(&self) -> usize {
        self.colliders.iter().sum()
    }
}
