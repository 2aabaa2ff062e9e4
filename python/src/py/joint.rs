//! `Joint`: a joint between two bodies.

use super::body::check_world;
use super::convert;
use super::options::Keywords;
use super::world::World;
use crate::error::{Error, Outcome, nearest};
use crate::scene::not_negative;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rapier3d_f64::prelude::*;

/// A joint between two bodies.
#[pyclass(frozen, module = "stickslip")]
pub struct Joint {
    world: Py<World>,
    /// Its number.
    pub number: usize,
}

/// Kinds of joints with the axes that they lock.
const KINDS: [(&str, JointAxesMask); 5] = [
    ("fixed", JointAxesMask::LOCKED_FIXED_AXES),
    ("revolute", JointAxesMask::LOCKED_REVOLUTE_AXES),
    ("prismatic", JointAxesMask::LOCKED_PRISMATIC_AXES),
    ("spherical", JointAxesMask::LOCKED_SPHERICAL_AXES),
    ("free", JointAxesMask::empty()),
];

/// A joint of a kind at a point of the world, with its name if it is asked for one.
pub fn generic_joint(
    world: &World,
    kind: &str,
    pair: [usize; 2],
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Option<String>, GenericJoint)> {
    let mut keys = Keywords::new("add_joint", options)?;
    let locked = KINDS.iter().find(|(name, _)| *name == kind);
    let (_, locked) = locked.ok_or_else(|| {
        let near = nearest(kind, KINDS.map(|(name, _)| name));
        Error::Unknown(format!("no kind of joint is called `{kind}`{near}"))
    })?;
    let (point, axis) = (keys.take("point"), keys.take("axis"));
    let point = point.map(|p| convert::vector("point", &p)).transpose()?;
    let axis = axis.map_or(Ok(Vector::X), |a| convert::vector("axis", &a))?;
    let limits = keys.take("limits");
    let limits = limits
        .map(|l| convert::numbers("limits", &l, &[2]))
        .transpose()?;
    let (target, kp, kd) = (
        keys.number("target")?,
        keys.number("kp")?,
        keys.number("kd")?,
    );
    let max_force = keys.number("max_force")?;
    let contacts = keys.get("contacts", "True or False")?.unwrap_or(false);
    let name = keys.get("name", "a text")?;
    keys.end()?;
    if axis.length() < 1e-9 {
        return Err(Error::input("axis = (0, 0, 0) has no direction").into());
    }
    let poses = world.with(|scene| {
        let pose = |part: usize| -> Outcome<Pose> {
            let body = scene.names.alive(part)?.body;
            let body = scene.world.bodies.get(body);
            Ok(body.map_or(Pose::IDENTITY, |body| *body.position()))
        };
        Ok([pose(pair[0])?, pose(pair[1])?])
    })?;
    let at = point.unwrap_or(poses[1].translation);
    let turn = Rotation::from_rotation_arc(Vector::X, axis.normalize());
    let frame = Pose::from_parts(at, turn);
    let mut joint = GenericJoint::new(*locked);
    joint.set_local_frame1(poses[0].inverse() * frame);
    joint.set_local_frame2(poses[1].inverse() * frame);
    joint.set_contacts_enabled(contacts);
    let free = match kind {
        "revolute" => Some(JointAxis::AngX),
        "prismatic" => Some(JointAxis::LinX),
        _ => None,
    };
    let asked = limits.is_some() || kp.is_some() || kd.is_some() || target.is_some();
    let Some(free) = free else {
        if asked {
            return Err(Error::Input(format!(
                "a {kind} joint has no single axis: limits, target, kp and kd belong to revolute and prismatic ones"
            ))
            .into());
        }
        return Ok((name, joint));
    };
    if let Some(limits) = limits {
        if limits[0] > limits[1] {
            return Err(Error::Input(format!(
                "limits = ({}, {}): the lower one is above the upper one",
                limits[0], limits[1]
            ))
            .into());
        }
        joint.set_limits(free, [limits[0], limits[1]]);
    }
    if kp.is_some() || kd.is_some() {
        let kp = not_negative("kp", kp.unwrap_or(0.0))?;
        let kd = not_negative("kd", kd.unwrap_or(0.0))?;
        joint.set_motor_model(free, MotorModel::ForceBased);
        joint.set_motor(free, target.unwrap_or(0.0), 0.0, kp, kd);
        let most = max_force
            .map(|f| not_negative("max_force", f))
            .transpose()?;
        joint.set_motor_max_force(free, most.unwrap_or(Real::MAX));
    }
    Ok((name, joint))
}

impl Joint {
    /// The joint of this number.
    pub fn new(world: &Bound<'_, World>, number: usize) -> Self {
        let world = world.clone().unbind();
        Self { world, number }
    }

    /// Refuses another world.
    pub fn check_world(&self, world: &Bound<'_, World>) -> Outcome<()> {
        check_world(&self.world, world, "the joint")
    }

    fn mean(&self, linear: bool) -> PyResult<Vector> {
        self.world.get().with(|scene| {
            let handle = scene.joint(self.number)?;
            let h = scene.dt();
            let impulse = scene.pipeline.joint_impulses(handle);
            let impulse = impulse.map_or(Vector::ZERO, |impulse| match linear {
                true => impulse.linear_world(),
                false => impulse.angular_world(),
            });
            Ok(impulse / h)
        })
    }
}

#[pymethods]
impl Joint {
    /// Unique name.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.world.get().with(|scene| {
            scene.joint(self.number)?;
            Ok(scene.names.joints[self.number].name.clone())
        })
    }

    /// Force on the second body in the last step, at the joint, world axes [N].
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(convert::to_array(py, self.mean(true)?))
    }

    /// Torque on the second body in the last step, about the joint, world axes [N m].
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(convert::to_array(py, self.mean(false)?))
    }

    /// Where the motor of a revolute or prismatic joint aims [rad or m].
    #[getter]
    fn target(&self) -> PyResult<f64> {
        self.world.get().with(|scene| {
            let handle = scene.joint(self.number)?;
            let joint = scene.world.impulse_joints.get(handle);
            Ok(joint.map_or(0.0, |joint| joint.data.motors[axis(&joint.data)].target_pos))
        })
    }

    #[setter]
    fn set_target(&self, target: f64) -> PyResult<()> {
        if !target.is_finite() {
            return Err(Error::Input(format!("target = {target}")).into());
        }
        self.world.get().with(|scene| {
            let handle = scene.joint(self.number)?;
            if let Some(joint) = scene.world.impulse_joints.get_mut(handle, true) {
                let axis = axis(&joint.data);
                joint.data.motors[axis].target_pos = target;
            }
            Ok(())
        })
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("Joint('{}')", self.name()?))
    }
}

/// The free axis of a prismatic joint, or that of a revolute one.
fn axis(joint: &GenericJoint) -> usize {
    match joint.locked_axes.contains(JointAxesMask::LIN_X) {
        true => 3,
        false => 0,
    }
}
