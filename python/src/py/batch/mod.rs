//! `Batch`: copies of a world stepped side by side; what is read of them is in a module.

mod read;

use super::convert;
use super::world::World;
use crate::batch::expand::{Expansion, Quantity};
use crate::batch::{Batch as Cells, Control, When};
use crate::error::{Error, Outcome, nearest};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Copies of a world, stepped side by side on a pool of threads.
#[pyclass(frozen, module = "stickslip")]
pub struct Batch {
    cells: Mutex<Cells>,
    /// The process whose threads step it.
    process: u32,
    /// The world that it was made of: what bodies and links are named by.
    origin: Py<World>,
    n: usize,
    sizes: [usize; 3],
    /// Coordinates and velocities: what is written, and the read-only views that are given away.
    outputs: [(Py<PyArray2<f64>>, Py<PyAny>); 2],
    ctrl: Py<PyArray2<f64>>,
}

/// The words for what `ctrl` is.
const CONTROLS: [(&str, Control); 2] =
    [("targets", Control::Targets), ("efforts", Control::Efforts)];

fn table<'py>(
    py: Python<'py>,
    numbers: Vec<f64>,
    shape: [usize; 2],
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_vec(py, numbers).reshape(shape)
}

impl Batch {
    fn lock(&self) -> Outcome<MutexGuard<'_, Cells>> {
        if self.process != std::process::id() {
            return Err(Error::input(
                "this batch belongs to the process that this one was forked from, where its threads are: make one here, or \
                 start processes by multiprocessing's method `spawn`",
            ));
        }
        match self.cells.try_lock() {
            Ok(cells) => Ok(cells),
            Err(TryLockError::Poisoned(cells)) => Ok(cells.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Error::Busy),
        }
    }

    /// Does something without the GIL; a panic outside of a world's step becomes an error.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        what: impl FnOnce(&mut Cells) -> Outcome<T> + Send,
    ) -> PyResult<T> {
        let mut guard = self.lock()?;
        let cells = &mut *guard;
        let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| what(cells))));
        match done {
            Ok(done) => Ok(done?),
            Err(payload) => Err(Error::of_panic(&*payload).into()),
        }
    }

    fn show(&self, py: Python<'_>, cells: &Cells) -> PyResult<()> {
        for (which, (own, _)) in self.outputs.iter().enumerate() {
            let held = |_| Error::input("q or v of the batch is in use elsewhere");
            let mut array = own.bind(py).try_readwrite().map_err(held)?;
            let slots = array.as_slice_mut()?;
            let size = self.sizes[which];
            py.detach(|| {
                cells.gather(size, slots, |scene, out| {
                    cells.numbers(scene, which == 1, out);
                    Ok(())
                });
            });
        }
        Ok(())
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (world, n, threads=None, *, control="targets"))]
    fn new(
        world: &Bound<'_, World>,
        n: i64,
        threads: Option<i64>,
        control: &str,
    ) -> PyResult<Self> {
        let py = world.py();
        let found = CONTROLS.iter().find(|(word, _)| *word == control);
        let (_, control) = found.ok_or_else(|| {
            let near = nearest(control, CONTROLS.map(|(word, _)| word));
            Error::Unknown(format!("Batch(control={control:?}) is not known{near}"))
        })?;
        let (cells, start) = {
            let mut guard = world.get().lock()?;
            let scene = &mut *guard;
            world.get().read_arrays(py, scene)?;
            let cells = scene.guarded(|scene| Cells::new(scene, n, threads, *control))?;
            let start = cells.start();
            let one: Vec<f64> = match control {
                Control::Targets => {
                    let robots = cells.robots.iter();
                    robots
                        .flat_map(|&r| start.drives(r).into_iter().next())
                        .flatten()
                        .collect()
                }
                Control::Efforts => {
                    let robots = cells.robots.iter();
                    robots
                        .flat_map(|&r| start.names.robots[r].tau.clone())
                        .collect()
                }
            };
            (cells, one)
        };
        let n = cells.cells.len();
        let sizes = cells.sizes();
        let output = |size: usize| -> PyResult<_> {
            let own = table(py, vec![0.0; n * size], [n, size])?;
            let shown = own.call_method0("view")?;
            shown.call_method1("setflags", (false,))?;
            Ok((own.unbind(), shown.unbind()))
        };
        let batch = Self {
            outputs: [output(sizes[0])?, output(sizes[1])?],
            ctrl: table(py, start.repeat(n), [n, sizes[2]])?.unbind(),
            origin: world.clone().unbind(),
            n,
            sizes,
            cells: Mutex::new(cells),
            process: std::process::id(),
        };
        {
            let cells = batch.lock()?;
            batch.show(py, &cells)?;
        }
        Ok(batch)
    }

    fn __len__(&self) -> usize {
        self.n
    }

    /// Threads of the pool.
    #[getter]
    fn threads(&self) -> PyResult<usize> {
        Ok(self.lock()?.threads())
    }

    /// Numbers of one world in `q`.
    #[getter]
    fn nq(&self) -> usize {
        self.sizes[0]
    }

    /// Numbers of one world in `v`.
    #[getter]
    fn nv(&self) -> usize {
        self.sizes[1]
    }

    /// Numbers of one world in `ctrl`.
    #[getter]
    fn nu(&self) -> usize {
        self.sizes[2]
    }

    /// Coordinates of the robots (n, nq), a read-only view that every step refreshes.
    #[getter]
    fn q(&self, py: Python<'_>) -> Py<PyAny> {
        self.outputs[0].1.clone_ref(py)
    }

    /// Velocities of the robots (n, nv), a read-only view that every step refreshes.
    #[getter]
    fn v(&self, py: Python<'_>) -> Py<PyAny> {
        self.outputs[1].1.clone_ref(py)
    }

    /// What the next step hands to the robots (n, nu).
    #[getter]
    fn ctrl(&self, py: Python<'_>) -> Py<PyArray2<f64>> {
        self.ctrl.clone_ref(py)
    }

    #[setter]
    fn set_ctrl(&self, py: Python<'_>, ctrl: &Bound<'_, PyAny>) -> PyResult<()> {
        let shape = [self.n, self.sizes[2]];
        let numbers = convert::numbers("ctrl", ctrl, &shape)?;
        let held = |_| Error::input("ctrl of the batch is in use elsewhere");
        let mut array = self.ctrl.bind(py).try_readwrite().map_err(held)?;
        array.as_slice_mut()?.copy_from_slice(&numbers);
        Ok(())
    }

    /// Steps all worlds nstep times.
    #[pyo3(signature = (ctrl=None, nstep=1))]
    fn step(&self, py: Python<'_>, ctrl: Option<&Bound<'_, PyAny>>, nstep: i64) -> PyResult<()> {
        let steps = usize::try_from(nstep).ok().filter(|steps| *steps > 0);
        let steps = steps.ok_or_else(|| {
            Error::Input(format!("step(nstep={nstep}): at least one step is wanted"))
        })?;
        let mut guard = self.lock()?;
        let cells = &mut *guard;
        if let Some(ctrl) = ctrl {
            self.set_ctrl(py, ctrl)?;
        }
        {
            let held = |_| Error::input("ctrl of the batch is in use elsewhere");
            let array = self.ctrl.bind(py).try_readonly().map_err(held)?;
            let numbers = array.as_slice()?;
            convert::finite("ctrl", numbers, &[self.n, self.sizes[2]])?;
            py.detach(|| cells.control(numbers));
        }
        let signal = || Python::attach(|py| py.check_signals());
        let stepped = py.detach(|| {
            let whole = AssertUnwindSafe(|| cells.step(steps, signal));
            catch_unwind(whole).map_err(|payload| Error::of_panic(&*payload))
        });
        self.show(py, cells)?;
        stepped?
    }

    /// Puts the worlds that the mask (n) names back to the start; all without one.
    #[pyo3(signature = (mask=None))]
    fn reset(&self, py: Python<'_>, mask: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let n = self.n;
        let mask = match mask {
            None => vec![true; n],
            Some(mask) => {
                let given = convert::numbers("mask", mask, &[n])?;
                given.into_iter().map(|x| x != 0.0).collect()
            }
        };
        self.with(py, |cells| cells.reset(&mask))?;
        let cells = self.lock()?;
        self.show(py, &cells)
    }

    /// Gives every world a value of its own.
    #[pyo3(signature = (quantity, values, of=None, *, now=true))]
    fn expand(
        &self,
        py: Python<'_>,
        quantity: &str,
        values: &Bound<'_, PyAny>,
        of: Option<&Bound<'_, PyAny>>,
        now: bool,
    ) -> PyResult<()> {
        let which = Quantity::of(quantity)?;
        let size = which.size(self.sizes);
        let (given, shape) = convert::array(quantity, values)?;
        convert::finite(quantity, &given, &shape)?;
        let n = self.n;
        let values = if shape == [n, size] || (size == 1 && shape == [n]) {
            given
        } else if shape == [n] && matches!(which, Quantity::Kp | Quantity::Kd) {
            given.iter().flat_map(|&x| vec![x; size]).collect()
        } else {
            let wanted = match size {
                1 => vec![n],
                _ => vec![n, size],
            };
            return Err(Error::Input(format!(
                "{quantity} has shape {}, but {} is wanted",
                convert::shape_text(&shape),
                convert::shape_text(&wanted)
            ))
            .into());
        };
        let needs = matches!(which, Quantity::Mass | Quantity::Position);
        let parts = match of {
            Some(of) => World::parts(self.origin.bind(py), of)?,
            None if needs => {
                return Err(Error::Input(format!(
                    "expand({quantity:?}): say of which body, of=..."
                ))
                .into());
            }
            None if which == Quantity::Friction => self.with(py, |cells| {
                let parts = cells.start().names.parts.iter().enumerate();
                let there = parts.filter(|(_, part)| !part.removed);
                Ok(there.map(|(number, _)| number).collect())
            })?,
            None => Vec::new(),
        };
        self.with(py, |cells| {
            let robots = cells.robots.clone();
            let expansion = Expansion {
                quantity: which,
                parts,
                robots,
                size,
                values,
            };
            cells.expand(expansion, if now { When::Now } else { When::Reset })
        })?;
        let cells = self.lock()?;
        self.show(py, &cells)
    }

    /// Makes the next step of world k fail, or panics in it, for tests.
    #[pyo3(signature = (k, panic=false))]
    fn _break(&self, py: Python<'_>, k: i64, panic: bool) -> PyResult<()> {
        let k = self.cell_number(k)?;
        self.with(py, |cells| {
            let cell = &mut cells.cells[k];
            if panic {
                let died: Outcome<()> = cell.scene.guarded(|_| panic!("asked for by a test"));
                cell.error = died.err();
            } else {
                cell.scene.world.gravity.x = f64::NAN;
            }
            Ok(())
        })
    }

    fn __repr__(&self) -> PyResult<String> {
        let cells = self.lock()?;
        let resting = cells.cells.iter().filter(|c| c.error.is_some()).count();
        Ok(format!(
            "Batch(n={}, threads={}, nq={}, nv={}, nu={}, resting={resting})",
            self.n,
            cells.threads(),
            self.sizes[0],
            self.sizes[1],
            self.sizes[2]
        ))
    }
}
