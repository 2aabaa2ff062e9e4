//! `Robot`: coordinates, drives, dynamics.

use super::body::{Body, check_world};
use super::convert;
use super::world::World;
use crate::error::{Error, Outcome, nearest};
use crate::scene::Scene;
use crate::scene::parts::Robot as Parts;
use nalgebra::DMatrix;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rapier3d_f64::prelude::*;
use stickslip_f64::record::{JointProbe, Sets};

/// A robot of a world.
#[pyclass(frozen, module = "stickslip")]
pub struct Robot {
    /// Its world.
    pub world: Py<World>,
    /// Its number.
    pub number: usize,
}

impl Robot {
    /// The robot of this number.
    pub fn new(world: &Bound<'_, World>, number: usize) -> Self {
        let world = world.clone().unbind();
        Self { world, number }
    }

    /// Refuses another world.
    pub fn check_world(&self, world: &Bound<'_, World>) -> Outcome<()> {
        check_world(&self.world, world, "the robot")
    }

    /// Does something with the scene while the robot is there.
    pub fn with<T>(&self, what: impl FnOnce(&mut Scene) -> Outcome<T>) -> PyResult<T> {
        self.world.get().with(|scene| {
            scene.names.robot_alive(self.number)?;
            what(scene)
        })
    }

    fn parts<T>(&self, what: impl FnOnce(&Parts) -> T) -> PyResult<T> {
        self.with(|scene| Ok(what(&scene.names.robots[self.number])))
    }

    /// One value per coordinate of the joints.
    fn per_joint<'py>(
        &self,
        py: Python<'py>,
        what: impl Fn(&crate::scene::parts::RobotJoint) -> f64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let all = self.parts(|robot| {
            let joints = robot.joints.iter();
            let each = joints.flat_map(|j| vec![what(j); j.coordinates.len()]);
            each.collect::<Vec<_>>()
        })?;
        Ok(PyArray1::from_vec(py, all))
    }

    fn output<'py>(&self, py: Python<'py>, which: usize) -> PyResult<Bound<'py, PyAny>> {
        let world = self.world.bind(py).get();
        let mut scene = world.lock()?;
        let scene = &mut *scene;
        scene.guarded(|scene| scene.names.robot_alive(self.number).map(|_| ()))?;
        world.live(self.number, |live| {
            live.output(py, (scene, self.number), which)
        })
    }

    fn input<'py>(&self, py: Python<'py>, which: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let world = self.world.bind(py).get();
        let mut scene = world.lock()?;
        let scene = &mut *scene;
        scene.guarded(|scene| scene.names.robot_alive(self.number).map(|_| ()))?;
        Ok(world.live(self.number, |live| {
            live.input(py, (scene, self.number), which)
        }))
    }

    fn set_input(&self, py: Python<'_>, which: usize, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let what = super::live::INPUTS[which];
        let array = self.input(py, which)?;
        let n = self.parts(Parts::joint_dofs)?;
        let numbers = match given.extract::<f64>() {
            Ok(x) => vec![x; n],
            Err(_) => convert::numbers(what, given, &[n])?,
        };
        convert::finite(what, &numbers, &[n])?;
        let array = array.try_readwrite();
        let mut array = array.map_err(|_| Error::Input(format!("`{what}` is in use elsewhere")))?;
        if let Ok(slots) = array.as_slice_mut() {
            slots.copy_from_slice(&numbers);
        }
        Ok(())
    }

    fn moved(&self, py: Python<'_>, what: impl FnOnce(&mut Scene) -> Outcome<()>) -> PyResult<()> {
        let world = self.world.bind(py).get();
        let mut scene = world.lock()?;
        let scene = &mut *scene;
        scene.guarded(|scene| {
            scene.names.robot_alive(self.number)?;
            what(scene)
        })?;
        Ok(world.write_arrays(py, scene, false)?)
    }

    /// The part of a link that is given as such or by name.
    pub fn link_part(&self, py: Python<'_>, link: &Bound<'_, PyAny>) -> PyResult<usize> {
        if let Ok(body) = link.cast::<Body>() {
            let body = body.get();
            body.check_world(self.world.bind(py))?;
            let part = body.part;
            return self.with(|scene| match scene.names.alive(part)?.link {
                Some((robot, _)) if robot == self.number => Ok(part),
                _ => Err(Error::Input(format!(
                    "`{}` is no link of robot `{}`",
                    scene.names.parts[part].name, scene.names.robots[self.number].name
                ))),
            });
        }
        let name: String = link
            .extract()
            .map_err(|_| Error::Input(format!("{link} is no link: a name or a Body is wanted")))?;
        self.with(|scene| scene.names.link(self.number, &name))
    }
}

fn matrix<'py>(py: Python<'py>, m: &DMatrix<f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows: Vec<f64> = m.transpose().as_slice().to_vec();
    PyArray1::from_vec(py, rows).reshape([m.nrows(), m.ncols()])
}

#[pymethods]
impl Robot {
    /// Unique name.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.parts(|robot| robot.name.clone())
    }

    /// Names of the joint coordinates, in the order of `targets` (nu).
    #[getter]
    fn names(&self) -> PyResult<Vec<String>> {
        self.parts(|robot| {
            let joints = robot.joints.iter();
            let each = joints.flat_map(|joint| match joint.coordinates.len() {
                1 => vec![joint.name.clone()],
                n => (0..n).map(|k| format!("{}/{k}", joint.name)).collect(),
            });
            each.collect()
        })
    }

    /// Links, the root first.
    #[getter]
    fn links(&self, py: Python<'_>) -> PyResult<Vec<Body>> {
        let links = self.parts(|robot| robot.links.clone())?;
        let world = self.world.bind(py);
        Ok(links
            .into_iter()
            .map(|part| Body::new(world, part))
            .collect())
    }

    /// Names of the links.
    #[getter]
    fn link_names(&self) -> PyResult<Vec<String>> {
        self.with(|scene| {
            let robot = &scene.names.robots[self.number];
            let names = robot
                .links
                .iter()
                .map(|&part| &scene.names.parts[part].name);
            let short = |name: &String| name[robot.name.len() + 1..].to_owned();
            Ok(names.map(short).collect())
        })
    }

    /// A link by name.
    fn link(&self, py: Python<'_>, name: &str) -> PyResult<Body> {
        let part = self.with(|scene| scene.names.link(self.number, name))?;
        Ok(Body::new(self.world.bind(py), part))
    }

    /// Place of a joint's first coordinate in `targets`.
    fn index(&self, joint: &str) -> PyResult<usize> {
        self.with(|scene| {
            let robot = &scene.names.robots[self.number];
            let mut place = 0;
            for own in &robot.joints {
                if own.name == joint {
                    return Ok(place);
                }
                place += own.coordinates.len();
            }
            let near = nearest(joint, robot.joints.iter().map(|j| &*j.name));
            Err(Error::Unknown(format!(
                "robot `{}` has no joint `{joint}` that moves{near}",
                robot.name
            )))
        })
    }

    /// Whether its base floats.
    #[getter]
    fn floating(&self) -> PyResult<bool> {
        self.parts(|robot| robot.floating)
    }

    /// Numbers in `q`.
    #[getter]
    fn nq(&self) -> PyResult<usize> {
        self.parts(Parts::nq)
    }

    /// Numbers in `v`.
    #[getter]
    fn nv(&self) -> PyResult<usize> {
        self.parts(Parts::nv)
    }

    /// Numbers in `targets`.
    #[getter]
    fn nu(&self) -> PyResult<usize> {
        self.parts(Parts::joint_dofs)
    }

    /// Coordinates (nq), a read-only view that every step refreshes.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.output(py, 0)
    }

    #[setter]
    fn set_q(&self, py: Python<'_>, q: &Bound<'_, PyAny>) -> PyResult<()> {
        let q = convert::numbers("q", q, &[self.nq()?])?;
        self.moved(py, |scene| scene.set_q(self.number, &q))
    }

    /// Velocities (nv), a read-only view that every step refreshes.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.output(py, 1)
    }

    #[setter]
    fn set_v(&self, py: Python<'_>, v: &Bound<'_, PyAny>) -> PyResult<()> {
        let v = convert::numbers("v", v, &[self.nv()?])?;
        self.moved(py, |scene| scene.set_v(self.number, &v))
    }

    /// Positions that the drives aim at (nu) [rad or m]; the next step reads the array.
    #[getter]
    fn targets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.input(py, 0)
    }

    #[setter]
    fn set_targets(&self, py: Python<'_>, targets: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_input(py, 0, targets)
    }

    /// Stiffnesses of the drives (nu) [N m/rad or N/m]; the next step reads the array.
    #[getter]
    fn kp<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.input(py, 1)
    }

    #[setter]
    fn set_kp(&self, py: Python<'_>, kp: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_input(py, 1, kp)
    }

    /// Dampings of the drives (nu) [N m s/rad or N s/m]; the next step reads the array.
    #[getter]
    fn kd<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.input(py, 2)
    }

    #[setter]
    fn set_kd(&self, py: Python<'_>, kd: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_input(py, 2, kd)
    }

    /// Efforts applied beside the drives (nu) [N m or N]; the next step reads the array.
    #[getter]
    fn tau<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.input(py, 3)
    }

    #[setter]
    fn set_tau(&self, py: Python<'_>, tau: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_input(py, 3, tau)
    }

    /// Efforts of the drives at the end of the last step (nu) [N m or N]; nan for joints with several coordinates.
    #[getter]
    fn effort<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let all = self.with(|scene| {
            let robot = &scene.names.robots[self.number];
            let sets = Sets::from(&scene.world);
            let joints = sets.multibody_joints;
            let id = joints.rigid_body_link(robot.root);
            let each = robot.joints.iter().flat_map(|joint| {
                let probe = id.and_then(|id| {
                    JointProbe::new(joints, id.multibody, joint.coordinates[0].link_id)
                });
                let effort = probe.map(|probe| probe.sample(&sets).effort.unwrap_or(0.0));
                vec![effort.unwrap_or(f64::NAN); joint.coordinates.len()]
            });
            Ok(each.collect::<Vec<_>>())
        })?;
        Ok(PyArray1::from_vec(py, all))
    }

    /// Position limits (nu, 2) [rad or m]; infinite without.
    #[getter]
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let free = [f64::NEG_INFINITY, f64::INFINITY];
        let all = self.parts(|robot| {
            let joints = robot.joints.iter();
            let each = joints.flat_map(|j| vec![j.limits.unwrap_or(free); j.coordinates.len()]);
            each.flatten().collect::<Vec<_>>()
        })?;
        let rows = all.len() / 2;
        PyArray1::from_vec(py, all).reshape([rows, 2])
    }

    /// Effort limits (nu) [N m or N]; infinite without.
    #[getter]
    fn effort_limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.per_joint(py, |joint| joint.effort.unwrap_or(f64::INFINITY))
    }

    /// Speed limits of the file (nu) [rad/s or m/s]; infinite without. They are for controllers to keep.
    #[getter]
    fn velocity_limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.per_joint(py, |joint| joint.velocity.unwrap_or(f64::INFINITY))
    }

    /// Mass of all that moves [kg].
    #[getter]
    fn mass(&self) -> PyResult<f64> {
        self.with(|scene| {
            let robot = &scene.names.robots[self.number];
            let bodies = robot
                .bodies
                .iter()
                .filter_map(|b| scene.world.bodies.get(*b));
            Ok(bodies.filter(|b| b.is_dynamic()).map(RigidBody::mass).sum())
        })
    }

    /// Centre of mass of all that moves, in the world [m].
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let com = self.with(|scene| {
            let robot = &scene.names.robots[self.number];
            if !robot.articulated {
                let root = scene.world.bodies.get(robot.root);
                return Ok(root.map_or(Vector::ZERO, RigidBody::center_of_mass));
            }
            let com = scene.dynamics(self.number)?.center_of_mass();
            Ok(Vector::new(com.x, com.y, com.z))
        })?;
        Ok(convert::to_array(py, com))
    }

    /// Mass matrix M (nv, nv).
    fn mass_matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let m = self.with(|scene| Ok(scene.dynamics(self.number)?.mass_matrix()))?;
        matrix(py, &m)
    }

    /// Bias c (nv) of M a + c = tau: gravity, Coriolis and centrifugal forces.
    fn bias<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let c = self.with(|scene| {
            let gravity = scene.world.gravity;
            Ok(scene.dynamics(self.number)?.bias(gravity))
        })?;
        Ok(PyArray1::from_slice(py, c.as_slice()))
    }

    /// Jacobian (6, nv) of a point of a link, given in the link's axes: rows of its velocity, then of the angular velocity.
    #[pyo3(signature = (link, point=None))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        link: &Bound<'_, PyAny>,
        point: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let point = point.map_or(Ok(Vector::ZERO), |p| convert::vector("point", p))?;
        let part = self.link_part(py, link)?;
        let j = self.with(|scene| {
            let dynamics = scene.dynamics(self.number)?;
            let own = &scene.names.parts[part];
            let body = scene.world.bodies.get(own.body);
            let pose = body.map_or(Pose::IDENTITY, |b| b.position() * own.offset);
            let link = scene.link_id(part);
            let j = link.and_then(|link| dynamics.jacobian(link, pose * point));
            // Links of an empty root stand still.
            Ok(j.unwrap_or_else(|| DMatrix::zeros(6, dynamics.dim())))
        })?;
        matrix(py, &j)
    }

    /// Position [m] and orientation (w, x, y, z) of a link.
    fn link_pose<'py>(
        &self,
        py: Python<'py>,
        link: &Bound<'_, PyAny>,
    ) -> PyResult<[Bound<'py, PyArray1<f64>>; 2]> {
        let part = self.link_part(py, link)?;
        let pose = self.with(|scene| pose_of(scene, part))?;
        Ok([
            convert::to_array(py, pose.translation),
            convert::to_quaternion(py, pose.rotation),
        ])
    }

    /// Positions of the joints (nu) that put a link where it should be in the world, its base as it is.
    #[pyo3(signature = (link, position=None, orientation=None, *, start=None, tolerance=1e-6, restarts=20))]
    #[allow(clippy::too_many_arguments, reason = "Python's keyword arguments")]
    fn inverse_kinematics<'py>(
        &self,
        py: Python<'py>,
        link: &Bound<'_, PyAny>,
        position: Option<&Bound<'_, PyAny>>,
        orientation: Option<&Bound<'_, PyAny>>,
        start: Option<&Bound<'_, PyAny>>,
        tolerance: f64,
        restarts: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        use stickslip_urdf_f64::{IkOptions, IkTarget};
        let held = [position.is_some(), orientation.is_some()];
        if held == [false; 2] {
            return Err(Error::input(
                "inverse_kinematics: a position, an orientation or both are wanted",
            )
            .into());
        }
        let target = convert::pose(position, orientation)?;
        let part = self.link_part(py, link)?;
        let nu = self.nu()?;
        let start = start
            .map(|q| convert::numbers("start", q, &[nu]))
            .transpose()?;
        let solved = self.with(|scene| {
            let model = scene.model(self.number)?;
            let robot = &scene.names.robots[self.number];
            let root = pose_of(scene, robot.links[0])?;
            let pose = super::options::isometry(&(root.inverse() * target));
            let mut now = Vec::new();
            scene.q(self.number, &mut now);
            let [linear, angular] = held;
            let target = IkTarget {
                pose,
                held: [linear, linear, linear, angular, angular, angular],
            };
            let mut options = IkOptions {
                tolerance,
                angle_tolerance: tolerance,
                restarts,
                ..IkOptions::default()
            };
            let known = match &start {
                Some(start) => Some(&start[..]),
                // Rotations have no number per coordinate.
                None if robot.joints.iter().any(|j| j.is_ball) => None,
                None => Some(&now[robot.nq() - robot.joint_dofs()..]),
            };
            let mut place = 0;
            for joint in &robot.joints {
                if let (1, Some(known)) = (joint.coordinates.len(), known) {
                    options.start.insert(joint.name.clone(), known[place]);
                }
                place += joint.coordinates.len();
            }
            let name = scene.names.parts[part].name[robot.name.len() + 1..].to_owned();
            let solution = model.ik(&name, &target, &options);
            let solution = solution.map_err(|error| Error::Input(error.to_string()))?;
            let each = robot.joints.iter().flat_map(|joint| {
                let place = model.joint_index(&joint.name);
                let q = place.and_then(|place| solution.positions.get(place));
                vec![q.copied().unwrap_or(0.0); joint.coordinates.len()]
            });
            Ok(each.collect::<Vec<_>>())
        })?;
        Ok(PyArray1::from_vec(py, solved))
    }

    fn __repr__(&self) -> PyResult<String> {
        self.with(|scene| {
            let robot = &scene.names.robots[self.number];
            let base = if robot.floating { "floating" } else { "fixed" };
            Ok(format!(
                "Robot('{}', {base} base, {} links, nu={})",
                robot.name,
                robot.links.len(),
                robot.joint_dofs()
            ))
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            other.world.is(&self.world) && other.number == self.number
        })
    }

    fn __hash__(&self) -> u64 {
        !(self.world.as_ptr().addr() as u64) ^ self.number as u64
    }
}

/// Pose of a part in the world.
pub fn pose_of(scene: &Scene, part: usize) -> Outcome<Pose> {
    let own = scene.names.alive(part)?;
    let body = scene.world.bodies.get(own.body);
    let body = body.ok_or_else(|| Error::Removed(format!("`{}` is gone", own.name)))?;
    Ok(body.position() * own.offset)
}
