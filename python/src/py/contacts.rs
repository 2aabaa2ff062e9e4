//! Contacts as a structured array, and sums of their forces.

use crate::scene::Scene;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyByteArray;
use rapier3d_f64::prelude::*;
use stickslip_f64::Contact;
use stickslip_f64::record::ContactState;
use stickslip_f64::record::STICKING_SPEED;

/// Fields of a contact in Python, with numpy's word for their type and their shape; the order of [`push`].
const FIELDS: [(&str, &str, &[usize]); 12] = [
    ("bodies", "i4", &[2]),
    ("links", "i4", &[2]),
    ("state", "i4", &[]),
    ("padding", "i4", &[]),
    ("point", "f8", &[3]),
    ("normal", "f8", &[3]),
    ("tangents", "f8", &[2, 3]),
    ("gap", "f8", &[]),
    ("force", "f8", &[3]),
    ("local_force", "f8", &[3]),
    ("slip_velocity", "f8", &[3]),
    ("friction", "f8", &[]),
];

fn push(scene: &Scene, number: usize, contact: &Contact, out: &mut Vec<u8>) {
    let parts = contact.point.colliders.map(|c| scene.part_of(c));
    let index = |x: Option<usize>| x.and_then(|x| i32::try_from(x).ok()).unwrap_or(-1);
    let links = parts.map(|part| {
        let link = part.and_then(|part| scene.names.parts.get(part)?.link);
        index(link.map(|(_, link)| link))
    });
    let state = match contact.state(STICKING_SPEED) {
        ContactState::Separated => 0,
        ContactState::Sticking => 1,
        ContactState::Sliding => 2,
    };
    let [a, b] = parts.map(index);
    for whole in [a, b, links[0], links[1], state, 0] {
        out.extend(whole.to_ne_bytes());
    }
    let h = scene.dt();
    let [s, t] = contact.tangents();
    let slip = s * contact.velocity[1] + t * contact.velocity[2];
    let friction = scene.pipeline.friction_of(number).map_or(0.0, |mu| mu[0]);
    let rows = [
        contact.point.position().to_array(),
        contact.point.normal().to_array(),
        s.to_array(),
        t.to_array(),
    ];
    let rows = rows.into_iter().flatten().chain([contact.gap]);
    let forces = [
        contact.force(h).to_array(),
        contact.impulse.map(|f| f / h),
        slip.to_array(),
    ];
    for x in rows.chain(forces.into_iter().flatten()).chain([friction]) {
        out.extend(x.to_ne_bytes());
    }
}

/// The contacts of the last step, as bytes of the records of [`FIELDS`].
pub fn bytes(scene: &Scene) -> Vec<u8> {
    let contacts = scene.pipeline.contacts();
    let mut out = Vec::with_capacity(contacts.len() * 232);
    for (number, contact) in contacts.iter().enumerate() {
        push(scene, number, contact, &mut out);
    }
    out
}

/// numpy's type of a contact.
///
/// # Errors
/// Where numpy fails.
pub fn dtype(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static DTYPE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made = DTYPE.get_or_try_init(py, || {
        let fields: Vec<_> = FIELDS
            .iter()
            .map(|(name, kind, shape)| match shape {
                [] => Ok((*name, *kind).into_pyobject(py)?.into_any()),
                [n] => Ok((*name, *kind, (*n,)).into_pyobject(py)?.into_any()),
                more => Ok((*name, *kind, (more[0], more[1]))
                    .into_pyobject(py)?
                    .into_any()),
            })
            .collect::<PyResult<_>>()?;
        let dtype = py.import("numpy")?.getattr("dtype")?.call1((fields,))?;
        PyResult::Ok(dtype.unbind())
    })?;
    Ok(made.bind(py))
}

/// The bytes as an array.
///
/// # Errors
/// Where numpy fails.
pub fn array<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy")?;
    if bytes.is_empty() {
        return numpy.getattr("empty")?.call1((0, dtype(py)?));
    }
    let bytes = PyByteArray::new(py, bytes);
    numpy.getattr("frombuffer")?.call1((bytes, dtype(py)?))
}

/// Sum of the contact forces of the last step on what `is_a` says of parts, from what `is_b` says \[N\], world axes.
pub fn net_force(
    scene: &Scene,
    is_a: impl Fn(usize) -> bool,
    is_b: impl Fn(Option<usize>) -> bool,
) -> Vector {
    let h = scene.dt();
    let mut sum = Vector::ZERO;
    for contact in scene.pipeline.contacts() {
        let [one, two] = contact.point.colliders.map(|c| scene.part_of(c));
        let force = contact.force(h);
        if two.is_some_and(&is_a) && is_b(one) {
            sum += force;
        }
        if one.is_some_and(&is_a) && is_b(two) {
            sum -= force;
        }
    }
    sum
}
