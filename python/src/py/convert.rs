//! Between Python's objects and numbers.

use crate::error::{Error, Outcome};
use crate::scene::coords::rotation;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use rapier3d_f64::prelude::*;

/// A shape in words: `(3,)`, `(n, 4)`.
pub fn shape_text(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        _ => {
            let words: Vec<_> = shape.iter().map(ToString::to_string).collect();
            format!("({})", words.join(", "))
        }
    }
}

/// numpy's `asarray`.
fn asarray<'py>(py: Python<'py>, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let asarray = ASARRAY.import(py, "numpy", "asarray")?;
    let how = PyDict::new(py);
    how.set_item("dtype", "float64")?;
    how.set_item("order", "C")?;
    asarray.call((value,), Some(&how))
}

/// Any array of numbers, with its shape.
///
/// # Errors
/// What is no array of numbers.
pub fn array(what: &str, value: &Bound<'_, PyAny>) -> PyResult<(Vec<f64>, Vec<usize>)> {
    let read = |array: &PyReadonlyArrayDyn<'_, f64>| {
        let numbers: Vec<f64> = array.as_array().iter().copied().collect();
        (numbers, array.shape().to_vec())
    };
    if let Ok(array) = value.cast::<PyArrayDyn<f64>>() {
        return Ok(read(&array.readonly()));
    }
    let text = |value: &Bound<'_, PyAny>| match value.repr() {
        Ok(text) => text.to_string_lossy().chars().take(80).collect(),
        Err(_) => "what was given".to_owned(),
    };
    let converted = asarray(value.py(), value)
        .ok()
        .and_then(|array| array.cast_into::<PyArrayDyn<f64>>().ok());
    match converted {
        Some(array) => Ok(read(&array.readonly())),
        None => Err(Error::Input(format!("{what}: {} is no array of numbers", text(value))).into()),
    }
}

/// An array of this shape, every entry finite.
///
/// # Errors
/// Another shape, a NaN.
pub fn numbers(what: &str, value: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Vec<f64>> {
    let (numbers, given) = array(what, value)?;
    if given != shape {
        return Err(Error::Input(format!(
            "{what} has shape {}, but {} is wanted",
            shape_text(&given),
            shape_text(shape)
        ))
        .into());
    }
    finite(what, &numbers, shape)?;
    Ok(numbers)
}

/// Refuses what is not finite, with its place.
///
/// # Errors
/// Names it.
pub fn finite(what: &str, numbers: &[f64], shape: &[usize]) -> Outcome<()> {
    let Some(k) = numbers.iter().position(|x| !x.is_finite()) else {
        return Ok(());
    };
    let (mut rest, mut place) = (k, Vec::new());
    for size in shape.iter().rev() {
        place.push((rest % size).to_string());
        rest /= size;
    }
    place.reverse();
    let place = match place.is_empty() {
        true => String::new(),
        false => format!("[{}]", place.join(", ")),
    };
    Err(Error::Input(format!("{what}{place} is {}", numbers[k])))
}

/// Three finite numbers.
///
/// # Errors
/// Anything but three finite numbers.
pub fn three(what: &str, value: &Bound<'_, PyAny>) -> PyResult<[f64; 3]> {
    let all = numbers(what, value, &[3])?;
    Ok([all[0], all[1], all[2]])
}

/// A vector.
///
/// # Errors
/// Anything but three finite numbers.
pub fn vector(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vector> {
    Ok(Vector::from_array(three(what, value)?))
}

/// A rotation: a quaternion (w, x, y, z) or a matrix (3, 3).
///
/// # Errors
/// Anything but a unit quaternion or a rotation matrix.
pub fn orientation(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Rotation> {
    let (given, shape) = array(what, value)?;
    finite(what, &given, &shape)?;
    match (&shape[..], &given[..]) {
        ([4], &[w, x, y, z]) => Ok(rotation(what, [w, x, y, z])?),
        ([3, 3], m) => {
            let matrix = nalgebra::Matrix3::from_row_slice(m);
            let error = (matrix * matrix.transpose() - nalgebra::Matrix3::identity()).amax();
            if error > 1e-6 || matrix.determinant() < 0.0 {
                return Err(Error::Input(format!(
                    "{what}: the matrix is no rotation, its product with its transpose is off by {error:.1e}"
                ))
                .into());
            }
            let turn = nalgebra::Rotation3::from_matrix_unchecked(matrix);
            let q = nalgebra::UnitQuaternion::from_rotation_matrix(&turn);
            Ok(rotation(what, [q.w, q.i, q.j, q.k])?)
        }
        _ => Err(Error::Input(format!(
            "{what} has shape {}, but a quaternion (w, x, y, z) of shape (4,) or a matrix of shape (3, 3) is wanted",
            shape_text(&shape)
        ))
        .into()),
    }
}

/// A pose, from what is given of it.
///
/// # Errors
/// What is no position or orientation.
pub fn pose(
    position: Option<&Bound<'_, PyAny>>,
    turn: Option<&Bound<'_, PyAny>>,
) -> PyResult<Pose> {
    let at = position.map_or(Ok(Vector::ZERO), |p| vector("position", p))?;
    let turn = turn.map_or(Ok(Rotation::IDENTITY), |t| orientation("orientation", t))?;
    Ok(Pose::from_parts(at, turn))
}

/// A vector as an array.
pub fn to_array<'py>(py: Python<'py>, v: Vector) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_slice(py, &v.to_array())
}

/// A rotation as (w, x, y, z).
pub fn to_quaternion<'py>(py: Python<'py>, q: Rotation) -> Bound<'py, PyArray1<f64>> {
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    PyArray1::from_slice(py, &[q.w, q.x, q.y, q.z].map(|x| sign * x))
}
