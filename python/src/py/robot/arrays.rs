//! Arrays of a robot: coordinates, drives, efforts, limits.

use super::Robot;
use crate::error::{Error, Outcome};
use crate::py::{convert, live};
use crate::scene::Scene;
use crate::scene::parts::{Robot as Parts, RobotJoint};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use stickslip_f64::record::{JointProbe, Sets};

impl Robot {
    /// One value per coordinate of the joints.
    fn per_joint<'py>(
        &self,
        py: Python<'py>,
        what: impl Fn(&RobotJoint) -> f64,
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
        let what = live::INPUTS[which];
        let array = self.input(py, which)?;
        let n = self.parts(Parts::joint_dofs)?;
        let numbers = match given.extract::<f64>() {
            Ok(x) => vec![x; n],
            Err(_) => convert::numbers(what, given, &[n])?,
        };
        convert::finite(what, &numbers, &[n])?;
        let bad = numbers.iter().position(|x| *x < 0.0);
        if let (true, Some(k)) = (matches!(what, "kp" | "kd"), bad) {
            let given = numbers[k];
            return Err(
                Error::Input(format!("{what}[{k}] is {given}, but no gain is negative")).into(),
            );
        }
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
}

#[pymethods]
impl Robot {
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

    /// Names of the actuators of a model of MuJoCo.
    #[getter]
    fn actuators(&self) -> PyResult<Vec<String>> {
        self.parts(|robot| robot.actuators.iter().map(|a| a.name.clone()).collect())
    }

    /// Ranges of the actuators' controls (n, 2); infinite without.
    #[getter]
    fn control_ranges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let free = [f64::NEG_INFINITY, f64::INFINITY];
        let all = self.parts(|robot| {
            let each = robot.actuators.iter();
            each.flat_map(|a| a.control.unwrap_or(free))
                .collect::<Vec<_>>()
        })?;
        let rows = all.len() / 2;
        PyArray1::from_vec(py, all).reshape([rows, 2])
    }

    /// Hands the controls of the actuators (n) to drives and efforts.
    fn control(&self, py: Python<'_>, ctrl: &Bound<'_, PyAny>) -> PyResult<()> {
        let n = self.parts(|robot| robot.actuators.len())?;
        let ctrl = convert::numbers("ctrl", ctrl, &[n])?;
        let world = self.world.bind(py).get();
        let mut scene = world.lock()?;
        let scene = &mut *scene;
        world.read_arrays(py, scene)?;
        scene.guarded(|scene| scene.control(self.number, &ctrl))?;
        Ok(world.write_arrays(py, scene, true)?)
    }
}
