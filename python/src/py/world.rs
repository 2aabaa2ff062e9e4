//! `World`: adding, stepping, saving.

use super::body::Body;
use super::convert;
use super::joint::{Joint, generic_joint};
use super::live::Live;
use super::options::{BodyKeywords, RobotKeywords};
use super::record::{self, Recording};
use super::report::Report;
use super::robot::Robot;
use super::{contacts, settings};
use crate::error::{Error, Outcome, RobotFileWarning};
use crate::scene::add::{NewBody, heightfield, upright};
use crate::scene::robots::NewRobot;
use crate::scene::{Scene, finite3, positive};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use rapier3d_f64::prelude::*;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};
use stickslip_f64::Sleeping;

/// How long a call goes on before it looks whether Ctrl-C was pressed.
pub const PATIENCE: Duration = Duration::from_millis(50);

/// A world of bodies and robots. See the type stubs for what its methods take.
#[pyclass(frozen, module = "stickslip")]
pub struct World {
    scene: Mutex<Scene>,
    live: Mutex<Vec<Live>>,
}

impl World {
    /// Around a scene.
    pub fn of(scene: Scene) -> Self {
        Self {
            scene: Mutex::new(scene),
            live: Mutex::new(Vec::new()),
        }
    }

    /// The scene, unless another thread has it.
    pub fn lock(&self) -> Outcome<MutexGuard<'_, Scene>> {
        match self.scene.try_lock() {
            Ok(scene) => Ok(scene),
            // Panics are caught while it is locked, and remembered in the scene.
            Err(TryLockError::Poisoned(scene)) => Ok(scene.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Error::Busy),
        }
    }

    /// Does something with the scene.
    pub fn with<T>(&self, what: impl FnOnce(&mut Scene) -> Outcome<T>) -> PyResult<T> {
        Ok(self.lock()?.guarded(what)?)
    }

    fn arrays(&self) -> MutexGuard<'_, Vec<Live>> {
        self.live
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The arrays of a robot.
    pub fn live<T>(&self, robot: usize, what: impl FnOnce(&mut Live) -> T) -> T {
        let mut all = self.arrays();
        if all.len() <= robot {
            all.resize_with(robot + 1, Live::default);
        }
        what(&mut all[robot])
    }

    /// Hands what the user wrote into arrays to the scene.
    pub fn read_arrays(&self, py: Python<'_>, scene: &mut Scene) -> Outcome<()> {
        for (robot, live) in self.arrays().iter().enumerate() {
            if scene.names.robot_alive(robot).is_ok() {
                live.read(py, scene, robot)?;
            }
        }
        Ok(())
    }

    /// Shows the state of the scene in the arrays.
    pub fn write_arrays(&self, py: Python<'_>, scene: &Scene, inputs: bool) -> Outcome<()> {
        for (robot, live) in self.arrays().iter().enumerate() {
            if scene.names.robot_alive(robot).is_ok() {
                live.write(py, (scene, robot), inputs)?;
            }
        }
        Ok(())
    }

    /// The number of a part that is given as a body, a link or a name.
    pub fn part(slf: &Bound<'_, Self>, given: &Bound<'_, PyAny>) -> PyResult<usize> {
        if let Ok(body) = given.cast::<Body>() {
            let body = body.get();
            body.check_world(slf)?;
            return Ok(body.part);
        }
        if let Ok(name) = given.extract::<String>() {
            return slf.get().with(|scene| scene.names.part(&name));
        }
        Err(Error::Input(format!(
            "{given} is no body: a Body, a link or the name of one is wanted"
        ))
        .into())
    }

    /// The numbers of the parts that are given as a body, a link, a robot or a name.
    pub fn parts(slf: &Bound<'_, Self>, given: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        if let Ok(robot) = given.cast::<Robot>() {
            let robot = robot.get();
            robot.check_world(slf)?;
            let number = robot.number;
            let links = |scene: &mut Scene| Ok(scene.names.robot_alive(number)?.links.clone());
            return slf.get().with(links);
        }
        if let Ok(name) = given.extract::<String>() {
            let links = slf.get().with(|scene| {
                let robot = scene.names.robot(&name)?;
                Ok(scene.names.robots[robot].links.clone())
            });
            if let Ok(links) = links {
                return Ok(links);
            }
        }
        let part = Self::part(slf, given)?;
        slf.get()
            .with(|scene| scene.names.alive(part).map(|_| ()))?;
        Ok(vec![part])
    }

    fn add(
        slf: &Bound<'_, Self>,
        new: &NewBody<'_>,
        shape: impl FnOnce() -> Outcome<ColliderBuilder>,
    ) -> PyResult<Body> {
        let part = slf
            .get()
            .with(|scene| shape().and_then(|shape| scene.add_body(new, shape)))?;
        Ok(Body::new(slf, part))
    }
}

/// Warns of what the loader repaired, assumed or left out.
pub fn warn(py: Python<'_>, name: &str, notes: &[String]) -> PyResult<()> {
    let category = py.get_type::<RobotFileWarning>();
    for note in notes {
        let text = CString::new(format!("{name}: {note}").replace('\0', " "));
        PyErr::warn(py, &category, &text.unwrap_or_default(), 1)?;
    }
    Ok(())
}

/// Points of shape (n, 3).
fn points(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Vector>> {
    let (all, shape) = convert::array(what, value)?;
    let [n, 3] = shape[..] else {
        return Err(Error::Input(format!(
            "{what} has shape {}, but (n, 3) is wanted",
            convert::shape_text(&shape)
        ))
        .into());
    };
    convert::finite(what, &all, &[n, 3])?;
    let each = all.chunks_exact(3);
    Ok(each.map(|p| Vector::new(p[0], p[1], p[2])).collect())
}

fn triangles(value: &Bound<'_, PyAny>, corners: usize) -> PyResult<Vec<[u32; 3]>> {
    let (all, shape) = convert::array("triangles", value)?;
    let bad = |why: String| Error::Input(format!("triangles: {why}"));
    if shape.len() != 2 || shape[1] != 3 || shape[0] == 0 {
        let shape = convert::shape_text(&shape);
        return Err(bad(format!("shape {shape}, but (n, 3) is wanted")).into());
    }
    let most = corners as f64;
    if let Some(x) = all
        .iter()
        .find(|x| !(0.0..most).contains(*x) || x.fract() != 0.0)
    {
        return Err(bad(format!("{x} is no index of the {corners} vertices")).into());
    }
    let each = all.chunks_exact(3);
    Ok(each
        .map(|t| [t[0] as u32, t[1] as u32, t[2] as u32])
        .collect())
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (dt=0.005, gravity=None, model="cone", *, sleeping=false, **settings))]
    fn new(
        dt: f64,
        gravity: Option<&Bound<'_, PyAny>>,
        model: &str,
        sleeping: bool,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let gravity = gravity.map_or(Ok([0.0, 0.0, -9.81]), |g| convert::three("gravity", g))?;
        let model = settings::model(model)?;
        let settings = settings::settings(settings)?;
        let sleeping = match sleeping {
            true => Sleeping::Allowed,
            false => Sleeping::Never,
        };
        Ok(Self::of(Scene::new(
            dt,
            gravity,
            (model, settings),
            sleeping,
        )?))
    }

    #[pyo3(signature = (height=0.0, *, size=200.0, **options))]
    fn add_ground(
        slf: &Bound<'_, Self>,
        height: f64,
        size: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_ground", options)?.fixed();
        let mut new = keys.body("ground");
        let [thick, height] = [1.0, finite3("height", [0.0, 0.0, height])?.z];
        new.pose.translation += Vector::new(0.0, 0.0, height);
        Self::add(slf, &new, || {
            let half = 0.5 * positive("size", size)?;
            let slab = ColliderBuilder::cuboid(half, half, 0.5 * thick);
            Ok(slab.translation(Vector::new(0.0, 0.0, -0.5 * thick)))
        })
    }

    #[pyo3(signature = (size, **options))]
    fn add_box(
        slf: &Bound<'_, Self>,
        size: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_box", options)?;
        let size = convert::three("size", size)?;
        Self::add(slf, &keys.body("box"), || {
            for side in size {
                positive("size", side)?;
            }
            let [x, y, z] = size.map(|side| 0.5 * side);
            Ok(ColliderBuilder::cuboid(x, y, z))
        })
    }

    #[pyo3(signature = (radius, **options))]
    fn add_sphere(
        slf: &Bound<'_, Self>,
        radius: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_sphere", options)?;
        Self::add(slf, &keys.body("sphere"), || {
            Ok(ColliderBuilder::ball(positive("radius", radius)?))
        })
    }

    #[pyo3(signature = (radius, length, **options))]
    fn add_capsule(
        slf: &Bound<'_, Self>,
        radius: f64,
        length: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_capsule", options)?;
        Self::add(slf, &keys.body("capsule"), || {
            let half = 0.5 * positive("length", length)?;
            Ok(ColliderBuilder::capsule_z(
                half,
                positive("radius", radius)?,
            ))
        })
    }

    #[pyo3(signature = (radius, length, **options))]
    fn add_cylinder(
        slf: &Bound<'_, Self>,
        radius: f64,
        length: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_cylinder", options)?;
        Self::add(slf, &keys.body("cylinder"), || {
            let half = 0.5 * positive("length", length)?;
            let radius = positive("radius", radius)?;
            Ok(upright(ColliderBuilder::cylinder(half, radius)))
        })
    }

    #[pyo3(signature = (vertices, **options))]
    fn add_hull(
        slf: &Bound<'_, Self>,
        vertices: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_hull", options)?;
        let vertices = points("vertices", vertices)?;
        Self::add(slf, &keys.body("hull"), || {
            let hull = ColliderBuilder::convex_hull(&vertices);
            hull.ok_or_else(|| {
                Error::input("the vertices have no convex hull: at least four that lie in no plane are wanted")
            })
        })
    }

    #[pyo3(signature = (vertices, triangles, **options))]
    fn add_mesh(
        slf: &Bound<'_, Self>,
        vertices: &Bound<'_, PyAny>,
        triangles: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_mesh", options)?;
        let vertices = points("vertices", vertices)?;
        let triangles = self::triangles(triangles, vertices.len())?;
        Self::add(slf, &keys.body("mesh"), || {
            let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
            let mesh = ColliderBuilder::trimesh_with_flags(vertices, triangles, flags);
            mesh.map_err(|error| Error::Input(format!("the mesh: {error}")))
        })
    }

    #[pyo3(signature = (heights, spacing, **options))]
    fn add_heightfield(
        slf: &Bound<'_, Self>,
        heights: &Bound<'_, PyAny>,
        spacing: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = BodyKeywords::read("add_heightfield", options)?.fixed();
        let (heights, shape) = convert::array("heights", heights)?;
        let [rows, columns] = shape[..] else {
            return Err(Error::Input(format!(
                "heights has shape {}, but (rows, columns) is wanted",
                convert::shape_text(&shape)
            ))
            .into());
        };
        Self::add(slf, &keys.body("terrain"), || {
            heightfield(&heights, [rows, columns], spacing)
        })
    }

    #[pyo3(signature = (path, **options))]
    fn add_robot(
        slf: &Bound<'_, Self>,
        path: PathBuf,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Robot> {
        let keys = RobotKeywords::read(options)?;
        let (number, notes) = slf.get().with(|scene| {
            scene.add_robot(NewRobot {
                path: &path,
                name: keys.name.as_deref(),
                load: keys.load,
                insert: keys.insert,
                lowest: keys.lowest,
            })
        })?;
        let robot = Robot::new(slf, number);
        let warned = warn(slf.py(), &path.display().to_string(), &notes);
        if let Err(error) = warned {
            // Warnings are errors: the call did nothing.
            slf.get().with(|scene| scene.remove_robot(number))?;
            return Err(error);
        }
        Ok(robot)
    }

    #[pyo3(signature = (kind, a, b, **options))]
    fn add_joint(
        slf: &Bound<'_, Self>,
        kind: &str,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Joint> {
        let pair = [Self::part(slf, a)?, Self::part(slf, b)?];
        let (name, joint) = generic_joint(slf.get(), kind, pair, options)?;
        let number = slf
            .get()
            .with(|scene| scene.add_joint(name.as_deref(), pair, joint))?;
        Ok(Joint::new(slf, number))
    }

    /// Removes a body, a robot (with a link: its robot) or a joint.
    fn remove(slf: &Bound<'_, Self>, what: &Bound<'_, PyAny>) -> PyResult<()> {
        let world = slf.get();
        if let Ok(robot) = what.cast::<Robot>() {
            robot.get().check_world(slf)?;
            let number = robot.get().number;
            return world.with(|scene| scene.remove_robot(number));
        }
        if let Ok(joint) = what.cast::<Joint>() {
            joint.get().check_world(slf)?;
            let number = joint.get().number;
            return world.with(|scene| scene.remove_joint(number));
        }
        if let Ok(name) = what.extract::<String>() {
            let robot = world.with(|scene| scene.names.robot(&name));
            if let Ok(robot) = robot {
                return world.with(|scene| scene.remove_robot(robot));
            }
        }
        let part = Self::part(slf, what)?;
        world.with(|scene| scene.remove_part(part))
    }

    /// Advances by n steps, without the GIL. Ctrl-C ends it after a whole step.
    #[pyo3(signature = (n=1))]
    fn step(&self, py: Python<'_>, n: i64) -> PyResult<()> {
        if n < 1 {
            return Err(Error::Input(format!("step(n={n}): at least one step is wanted")).into());
        }
        let mut guard = self.lock()?;
        let scene = &mut *guard;
        self.read_arrays(py, scene)?;
        let mut left = n;
        let mut outcome = Ok(());
        while left > 0 && outcome.is_ok() {
            let stepped = py.detach(|| {
                let start = Instant::now();
                loop {
                    scene.guarded(Scene::step)?;
                    left -= 1;
                    if left == 0 || start.elapsed() > PATIENCE {
                        return Ok(());
                    }
                }
            });
            outcome = stepped.map_err(|error: Error| error.into());
            if left > 0 && outcome.is_ok() {
                outcome = py.check_signals();
            }
        }
        self.write_arrays(py, scene, false)?;
        outcome
    }

    /// The contacts of the last step.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes = self.with(|scene| Ok(contacts::bytes(scene)))?;
        contacts::array(py, &bytes)
    }

    /// Sum of the contact forces on a, from b or from everything else [N].
    #[pyo3(signature = (a, b=None))]
    fn net_force<'py>(
        slf: &Bound<'py, Self>,
        a: &Bound<'_, PyAny>,
        b: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let a = Self::parts(slf, a)?;
        let b = b.map(|b| Self::parts(slf, b)).transpose()?;
        let sum = slf.get().with(|scene| {
            Ok(contacts::net_force(
                scene,
                |part| a.contains(&part),
                |part| match (&b, part) {
                    (Some(b), part) => part.is_some_and(|part| b.contains(&part)),
                    // Forces among the parts of a add up to nothing.
                    (None, _) => true,
                },
            ))
        })?;
        Ok(convert::to_array(slf.py(), sum))
    }

    /// Records every step from now on into a file for Rerun.
    #[pyo3(signature = (path, *, rate=100.0))]
    fn record(slf: &Bound<'_, Self>, path: PathBuf, rate: f64) -> PyResult<Recording> {
        positive("rate", rate)?;
        slf.get().with(|scene| {
            if scene.recording.is_some() {
                return Err(Error::input("a recording is under way: close it first"));
            }
            scene.recording = Some(Mutex::new(record::attach(scene, path, rate)?));
            Ok(())
        })?;
        let world = slf.clone().unbind();
        Ok(Recording { world })
    }

    /// The shapes of all bodies and links, a dictionary each.
    fn shapes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut scene = self.lock()?;
        scene.guarded(|_| Ok(()))?;
        record::shapes(py, &scene)
    }

    /// Refuses: MuJoCo's models are read in single precision only.
    #[pyo3(signature = (path, **_options))]
    fn add_mjcf(&self, path: PathBuf, _options: Option<&Bound<'_, PyDict>>) -> PyResult<Robot> {
        Err(Error::Robot(format!(
            "{}: MJCF files can't be read here: the loader rapier3d-mjcf fills rapier's sets of single precision, and this package \
             computes in double; convert the model to URDF, or use the Rust crate `stickslip` with rapier3d-mjcf (examples/mjcf.rs)",
            path.display()
        ))
        .into())
    }

    /// What the last step says of itself.
    #[getter]
    fn report(&self) -> PyResult<Report> {
        self.with(|scene| Ok(Report::of(scene.pipeline.report())))
    }

    /// Everything that the next steps depend on, as bytes.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut scene = self.lock()?;
        self.read_arrays(py, &mut scene)?;
        Ok(PyBytes::new(py, &scene.guarded(|scene| scene.save())?))
    }

    /// Goes back (or on) to a saved state; bodies and robots of the world then mean those of that state.
    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let mut scene = self.lock()?;
        let mut restored = Scene::restored(saved)?;
        restored.take_models(&mut scene);
        restored.recording = scene.recording.take();
        *scene = restored;
        self.write_arrays(py, &scene, true)?;
        Ok(())
    }

    /// A second world in the same state.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let mut scene = self.lock()?;
        self.read_arrays(py, &mut scene)?;
        Ok(Self::of(scene.guarded(|scene| scene.copied())?))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let make = slf.get_type().getattr("from_bytes")?;
        (make, (slf.get().save(py)?,)).into_pyobject(py)
    }

    /// A world from the bytes of `save`.
    #[staticmethod]
    fn from_bytes(saved: &[u8]) -> PyResult<Self> {
        Ok(Self::of(Scene::restored(saved)?))
    }

    /// Time step [s].
    #[getter]
    fn dt(&self) -> PyResult<f64> {
        self.with(|scene| Ok(scene.dt()))
    }

    #[setter]
    fn set_dt(&self, dt: f64) -> PyResult<()> {
        self.with(|scene| scene.set_dt(dt))
    }

    /// Gravity [m/s^2].
    #[getter]
    fn gravity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let gravity = self.with(|scene| Ok(scene.world.gravity))?;
        Ok(convert::to_array(py, gravity))
    }

    #[setter]
    fn set_gravity(&self, gravity: &Bound<'_, PyAny>) -> PyResult<()> {
        let gravity = convert::vector("gravity", gravity)?;
        self.with(|scene| {
            scene.world.gravity = gravity;
            Ok(())
        })
    }

    /// Simulated time [s].
    #[getter]
    fn time(&self) -> PyResult<f64> {
        self.with(|scene| Ok(scene.time))
    }

    /// Steps done.
    #[getter]
    fn steps(&self) -> PyResult<u64> {
        self.with(|scene| Ok(scene.steps))
    }

    /// Name of the contact model.
    #[getter]
    fn model(&self) -> PyResult<&'static str> {
        self.with(|scene| Ok(scene.pipeline.model().name().as_str()))
    }

    /// Bodies that are no links of robots.
    #[getter]
    fn bodies(slf: &Bound<'_, Self>) -> PyResult<Vec<Body>> {
        let all = slf.get().with(|scene| {
            let parts = scene.names.parts.iter().enumerate();
            let free = parts.filter(|(_, p)| !p.removed && p.link.is_none());
            Ok(free.map(|(number, _)| number).collect::<Vec<_>>())
        })?;
        Ok(all.into_iter().map(|part| Body::new(slf, part)).collect())
    }

    /// Robots.
    #[getter]
    fn robots(slf: &Bound<'_, Self>) -> PyResult<Vec<Robot>> {
        let all = slf.get().with(|scene| {
            let robots = scene.names.robots.iter().enumerate();
            let there = robots.filter(|(_, r)| !r.removed);
            Ok(there.map(|(number, _)| number).collect::<Vec<_>>())
        })?;
        Ok(all
            .into_iter()
            .map(|robot| Robot::new(slf, robot))
            .collect())
    }

    /// A body, or a link as `robot/link`, by name.
    fn body(slf: &Bound<'_, Self>, name: &str) -> PyResult<Body> {
        let part = slf.get().with(|scene| scene.names.part(name))?;
        Ok(Body::new(slf, part))
    }

    /// A robot by name.
    fn robot(slf: &Bound<'_, Self>, name: &str) -> PyResult<Robot> {
        let robot = slf.get().with(|scene| scene.names.robot(name))?;
        Ok(Robot::new(slf, robot))
    }

    /// The name behind a number in `contacts()["bodies"]`.
    fn name_of(&self, number: i64) -> PyResult<String> {
        self.with(|scene| {
            let part = usize::try_from(number).ok();
            let part = part.and_then(|part| scene.names.parts.get(part));
            part.map(|part| part.name.clone())
                .ok_or_else(|| Error::Unknown(format!("there is no body of number {number}")))
        })
    }

    fn __repr__(&self) -> PyResult<String> {
        self.with(|scene| {
            let bodies = scene.names.parts.iter();
            let bodies = bodies.filter(|p| !p.removed && p.link.is_none()).count();
            let robots = scene.names.robots.iter().filter(|r| !r.removed).count();
            Ok(format!(
                "World({bodies} bodies, {robots} robots, t={:.6} s, dt={} s, model='{}')",
                scene.time,
                scene.dt(),
                scene.pipeline.model().name()
            ))
        })
    }
}
