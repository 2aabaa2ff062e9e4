//! Arrays of a robot that stay the same objects: what a step reads, and what it leaves.

use crate::error::{Error, Outcome};
use crate::scene::Scene;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// What the user writes and a step reads, in this order.
pub const INPUTS: [&str; 4] = ["targets", "kp", "kd", "tau"];

/// What a step writes and the user reads: coordinates and velocities.
pub const OUTPUTS: [&str; 2] = ["q", "v"];

/// The array that is written, and the read-only view of it that is given away.
type Output = (Py<PyArray1<f64>>, Py<PyAny>);

/// The arrays of one robot, made when they are first asked for.
#[derive(Default)]
pub struct Live {
    inputs: Option<[Py<PyArray1<f64>>; 4]>,
    outputs: [Option<Output>; 2],
}

fn held(name: &str) -> Error {
    Error::Input(format!(
        "`{name}` is in use elsewhere: an array of it is being read or written"
    ))
}

fn values(scene: &Scene, robot: usize, output: usize, out: &mut Vec<f64>) {
    match output {
        0 => scene.q(robot, out),
        _ => scene.v(robot, out),
    }
}

impl Live {
    /// One of [`INPUTS`].
    pub fn input<'py>(
        &mut self,
        py: Python<'py>,
        (scene, robot): (&Scene, usize),
        which: usize,
    ) -> Bound<'py, PyArray1<f64>> {
        let all = self.inputs.get_or_insert_with(|| {
            let [targets, kp, kd] = scene.drives(robot);
            let tau = scene.names.robots[robot].tau.clone();
            [targets, kp, kd, tau].map(|x| PyArray1::from_vec(py, x).unbind())
        });
        all[which].bind(py).clone()
    }

    /// One of [`OUTPUTS`].
    ///
    /// # Errors
    /// Where numpy fails.
    pub fn output<'py>(
        &mut self,
        py: Python<'py>,
        (scene, robot): (&Scene, usize),
        which: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some((_, shown)) = &self.outputs[which] {
            return Ok(shown.bind(py).clone());
        }
        let mut now = Vec::new();
        values(scene, robot, which, &mut now);
        let own = PyArray1::from_vec(py, now);
        let shown = own.call_method0("view")?;
        shown.call_method1("setflags", (false,))?;
        self.outputs[which] = Some((own.unbind(), shown.clone().unbind()));
        Ok(shown)
    }

    /// Hands the inputs to the scene.
    ///
    /// # Errors
    /// An entry that is not finite, or a negative gain; the scene is then as it was.
    pub fn read(&self, py: Python<'_>, scene: &mut Scene, robot: usize) -> Outcome<()> {
        let Some(all) = &self.inputs else {
            return Ok(());
        };
        let name = &scene.names.robots[robot].name;
        let mut read = Vec::with_capacity(4);
        for (what, array) in INPUTS.iter().zip(all) {
            let array = array.bind(py).try_readonly().map_err(|_| held(what))?;
            let numbers = array.as_slice().map_err(|_| held(what))?;
            let least = if matches!(*what, "kp" | "kd") {
                0.0
            } else {
                f64::MIN
            };
            if let Some(k) = numbers.iter().position(|x| !(least..=f64::MAX).contains(x)) {
                let wanted = if least == 0.0 {
                    "a finite number from zero up"
                } else {
                    "a finite number"
                };
                return Err(Error::Input(format!(
                    "robot `{name}`: {what}[{k}] is {}, but {wanted} is wanted",
                    numbers[k]
                )));
            }
            read.push(array);
        }
        let slice = |k: usize| read[k].as_slice().unwrap_or(&[]);
        scene.set_drives(robot, [slice(0), slice(1), slice(2)]);
        scene.set_tau(robot, slice(3));
        Ok(())
    }

    /// Shows what the scene has now; `inputs` too after it was restored.
    ///
    /// # Errors
    /// An array that is held elsewhere.
    pub fn write(
        &self,
        py: Python<'_>,
        (scene, robot): (&Scene, usize),
        inputs: bool,
    ) -> Outcome<()> {
        let mut now = Vec::new();
        for (which, array) in self.outputs.iter().enumerate() {
            if let Some((own, _)) = array {
                values(scene, robot, which, &mut now);
                fill(py, own, &now, OUTPUTS[which])?;
            }
        }
        if let (true, Some(all)) = (inputs, &self.inputs) {
            let [targets, kp, kd] = scene.drives(robot);
            let tau = &scene.names.robots[robot].tau;
            for ((what, array), now) in INPUTS.iter().zip(all).zip([&targets, &kp, &kd, tau]) {
                fill(py, array, now, what)?;
            }
        }
        Ok(())
    }
}

fn fill(py: Python<'_>, array: &Py<PyArray1<f64>>, now: &[f64], what: &str) -> Outcome<()> {
    let mut array = array.bind(py).try_readwrite().map_err(|_| held(what))?;
    let slots = array.as_slice_mut().map_err(|_| held(what))?;
    if slots.len() == now.len() {
        slots.copy_from_slice(now);
    }
    Ok(())
}
