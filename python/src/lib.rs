//! The extension module of the Python package `stickslip`: a thin layer over `stickslip-f64`, with no physics of its own.
//!
//! [`scene`] and [`batch`] know nothing of Python; [`py`](mod@py) are the classes that Python sees.

pub mod batch;
pub mod error;
pub mod py;
pub mod scene;

use pyo3::prelude::*;

/// The command `stickslip`; gives its exit status.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| stickslip_experiments::command_from(arguments))
}

#[pymodule(name = "_core")]
fn core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<py::world::World>()?;
    module.add_class::<py::batch::Batch>()?;
    module.add_class::<py::body::Body>()?;
    module.add_class::<py::robot::Robot>()?;
    module.add_class::<py::joint::Joint>()?;
    module.add_class::<py::record::Recording>()?;
    module.add_class::<py::report::Report>()?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add("CONTACT", py::contacts::dtype(module.py())?)?;
    Ok(())
}
