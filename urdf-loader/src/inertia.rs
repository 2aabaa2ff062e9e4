//! Which inertias a rigid body can have, and inertias computed from shapes.

use nalgebra::{Isometry3, Matrix3, Vector3};

use crate::{
    mesh::{TriMesh, VolumeMoments},
    model::{Geometry, Inertial, Link, Shape},
};

/// Relative slack of the triangle inequality I1 + I2 >= I3. Files round their entries, often to
/// four digits (5e-5 of each), and flat parts meet the inequality with equality. It is asked of
/// whole bodies; of the public robots in the tests no body that moves needs the slack, though single
/// links that are fixed to heavier ones miss the inequality by up to 26 %.
pub const TRIANGLE_SLACK: f64 = 1e-3;

/// Relative slack of I1 >= 0, for the round-off of an eigenvalue computation.
pub const DEFINITE_SLACK: f64 = 1e-12;

/// Smallest second moment of a repaired inertia, relative to its largest moment: thin, but far from
/// the round-off of single precision.
pub(crate) const THINNEST: f64 = 1e-4;

/// Smallest edge of the box that stands for a flat mesh, relative to its largest: a sheet.
pub(crate) const FLATTEST: f64 = 1e-2;

/// Whether the smallest principal moment may be zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// Semidefinite: a point or a thin rod, fixed to something heavier.
    MayBeThin,
    /// Definite: a body that turns by itself.
    Definite,
}

/// Principal moments (ascending) of a symmetric matrix.
pub(crate) fn principal_moments(inertia: &Matrix3<f64>) -> [f64; 3] {
    let mut e: [f64; 3] = inertia.symmetric_eigenvalues().into();
    e.sort_by(f64::total_cmp);
    e
}

/// Definiteness. `Err` says which condition fails.
pub(crate) fn check(inertia: &Matrix3<f64>, how: Strictness) -> Result<(), String> {
    let [a, _, c] = principal_moments(inertia);
    if a < -DEFINITE_SLACK * c.abs() || c < 0.0 {
        return Err("not positive semidefinite".into());
    }
    if how == Strictness::Definite && a <= DEFINITE_SLACK * c {
        return Err("not positive definite, so the smallest moment would be zero".into());
    }
    Ok(())
}

/// I1 + I2 >= I3, within [`TRIANGLE_SLACK`]. `Err` says by how much it fails.
pub(crate) fn check_triangle(inertia: &Matrix3<f64>) -> Result<(), String> {
    let [a, b, c] = principal_moments(inertia);
    if a + b < c * (1.0 - TRIANGLE_SLACK) {
        return Err(format!(
            "triangle inequality broken: {a:.6e} + {b:.6e} < {c:.6e}, no mass distribution has that"
        ));
    }
    Ok(())
}

/// The inertia nearest to `inertia` (Frobenius norm) among those that a solid can have.
///
/// A solid's second moments about its principal axes are s_i >= 0, its inertia is
/// diag(s_2 + s_3, s_1 + s_3, s_1 + s_2). The set is closed under rotations and convex, so the
/// nearest matrix has the same principal axes, and its moments are the projection of the given ones
/// on the cone of those sums: three unknowns, non-negative least squares over the eight choices of
/// which of them are zero. To be definite, s_i is held above [`THINNEST`] of the largest moment.
pub(crate) fn nearest(inertia: &Matrix3<f64>) -> Matrix3<f64> {
    let eigen = inertia.symmetric_eigen();
    let moments = eigen.eigenvalues;
    let floor = Vector3::repeat(THINNEST * moments.amax());
    let sums = Matrix3::repeat(1.0) - Matrix3::identity();
    let wanted = moments - sums * floor;
    let mut best = Vector3::zeros();
    for choice in 0..8u8 {
        let mut columns = sums;
        for i in (0..3).filter(|i| choice >> i & 1 == 0) {
            columns.column_mut(i).fill(0.0);
        }
        // The columns are independent, so only the ones struck out have zero singular values.
        let Ok(s) = columns.svd(true, true).solve(&wanted, 1e-9) else {
            continue;
        };
        if s.min() >= 0.0 && (sums * s - wanted).norm() < (sums * best - wanted).norm() {
            best = s;
        }
    }
    let moments = sums * (best + floor);
    let q = eigen.eigenvectors;
    let out = q * Matrix3::from_diagonal(&moments) * q.transpose();
    (out + out.transpose()) * 0.5
}

/// Mass properties of a link's shapes at a uniform density, scaled to `mass` if that is positive.
pub(crate) fn from_geometry(link: &Link, mass: f64, density: f64) -> Result<Inertial, String> {
    if !(density.is_finite() && density > 0.0) {
        return Err(format!("the density {density} is not positive"));
    }
    let shapes = if link.collisions.is_empty() {
        &link.visuals
    } else {
        &link.collisions
    };
    let mut sum: Option<Inertial> = None;
    for shape in shapes {
        let part = of_shape(shape)?;
        sum = Some(sum.map_or(part, |s| s.joined(&part)));
    }
    let unit = sum.ok_or("it has no shapes")?;
    let factor = if mass > 0.0 {
        mass / unit.mass
    } else {
        density
    };
    Ok(Inertial {
        mass: unit.mass * factor,
        com: unit.com,
        inertia: unit.inertia * factor,
    })
}

/// Mass properties of a link's shapes, scaled to `mass` if that is positive, where exact ones are not
/// to be had: a mesh that encloses no volume counts as the box around it, planes and meshes that
/// can't be read count for nothing. `None` without any shape that counts.
pub(crate) fn from_whatever(link: &Link, mass: f64, density: f64) -> Option<Inertial> {
    let shapes = if link.collisions.is_empty() {
        &link.visuals
    } else {
        &link.collisions
    };
    let unit = shapes
        .iter()
        .filter_map(roughly)
        .reduce(|sum, part| sum.joined(&part))?;
    let factor = if mass > 0.0 {
        mass / unit.mass
    } else {
        density
    };
    let out = Inertial {
        mass: unit.mass * factor,
        com: unit.com,
        inertia: unit.inertia * factor,
    };
    let sound = out.mass > 0.0
        && out.mass.is_finite()
        && out.inertia.iter().all(|x| x.is_finite())
        && check(&out.inertia, Strictness::Definite).is_ok();
    sound.then_some(out)
}

/// A shape at density 1, in link axes.
fn roughly(shape: &Shape) -> Option<Inertial> {
    let Geometry::Mesh(reference) = &shape.geometry else {
        return of_shape(shape).ok();
    };
    let mesh = match reference.scaled() {
        Some(mesh) => mesh,
        None => TriMesh::read(reference.path.as_deref()?)
            .ok()?
            .scaled(&reference.scale),
    };
    let (low, high) = mesh.bounds();
    // The signed volume of an open mesh is anything; that of a closed one is within its box.
    let inside = |v: &VolumeMoments| {
        (0..3).all(|k| low[k] <= v.centroid[k] && v.centroid[k] <= high[k])
            && v.volume <= (high - low).product()
            && check(&v.inertia, Strictness::Definite).is_ok()
            && check_triangle(&v.inertia).is_ok()
    };
    let part = match mesh.volume_moments().filter(inside) {
        Some(v) => Inertial {
            mass: v.volume,
            com: v.centroid,
            inertia: v.inertia,
        },
        None => {
            let edges = high - low;
            let thick = edges.map(|x| x.max(FLATTEST * edges.max()));
            let moved = Isometry3::from(nalgebra::center(&low, &high).coords);
            cuboid(&thick).moved(&moved)
        }
    };
    Some(part.moved(&shape.origin))
}

/// A box at density 1: I_x = m (y^2 + z^2) / 12.
fn cuboid(size: &Vector3<f64>) -> Inertial {
    let s = size.component_mul(size);
    let mass = size.product();
    let moments = Vector3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 12.0);
    Inertial {
        mass,
        com: Vector3::zeros(),
        inertia: Matrix3::from_diagonal(&moments),
    }
}

/// A solid ball about the link's origin: m = 4/3 pi r^3 rho, I = 2/5 m r^2.
pub(crate) fn ball(mass: f64, density: f64) -> Inertial {
    let r = (0.75 * mass / (std::f64::consts::PI * density)).cbrt();
    Inertial {
        mass,
        com: Vector3::zeros(),
        inertia: Matrix3::identity() * (0.4 * mass * r * r),
    }
}

/// Mass properties of one shape at density 1, in link axes.
fn of_shape(shape: &Shape) -> Result<Inertial, String> {
    let diagonal = |mass: f64, moments: Vector3<f64>| Inertial {
        mass,
        com: Vector3::zeros(),
        inertia: Matrix3::from_diagonal(&(moments * mass)),
    };
    let part = match &shape.geometry {
        Geometry::Box { size } => cuboid(size),
        Geometry::Sphere { radius } => diagonal(
            4.0 / 3.0 * std::f64::consts::PI * radius.powi(3),
            Vector3::repeat(0.4 * radius * radius),
        ),
        Geometry::Cylinder { radius, length } => cylinder(*radius, *length),
        Geometry::Capsule { radius, length } => capsule(*radius, *length),
        Geometry::Plane { .. } => return Err("a plane has no mass".into()),
        Geometry::Mesh(reference) => {
            let mesh = reference.scaled().ok_or("its mesh was not read")?;
            let v = mesh
                .volume_moments()
                .ok_or("its mesh encloses no volume (open, flat or inside out)")?;
            Inertial {
                mass: v.volume,
                com: v.centroid,
                inertia: v.inertia,
            }
        }
    };
    Ok(part.moved(&shape.origin))
}

/// I_x = m (3 r^2 + l^2) / 12, I_z = m r^2 / 2.
fn cylinder(r: f64, l: f64) -> Inertial {
    let mass = std::f64::consts::PI * r * r * l;
    let side = (3.0 * r * r + l * l) / 12.0;
    Inertial {
        mass,
        com: Vector3::zeros(),
        inertia: Matrix3::from_diagonal(&(Vector3::new(side, side, r * r / 2.0) * mass)),
    }
}

/// A cylinder and two half balls. A half ball of mass m has I = 2/5 m r^2 about any axis through
/// the centre of its flat face; its centre of mass is 3r/8 above that, so about its own centre of
/// mass the sideways moment is (2/5 - 9/64) m r^2.
fn capsule(r: f64, l: f64) -> Inertial {
    let half = 2.0 / 3.0 * std::f64::consts::PI * r.powi(3);
    let side = (0.4 - 9.0 / 64.0) * half * r * r;
    let cap = |sign: f64| Inertial {
        mass: half,
        com: Vector3::z() * (sign * (l / 2.0 + 0.375 * r)),
        inertia: Matrix3::from_diagonal(&Vector3::new(side, side, 0.4 * half * r * r)),
    };
    cylinder(r, l).joined(&cap(1.0)).joined(&cap(-1.0))
}

/// The file's inertia tensor with its own frame, turned into link axes: R I R^T.
pub(crate) fn in_link_axes(mass: f64, frame: &Isometry3<f64>, tensor: Matrix3<f64>) -> Inertial {
    Inertial {
        mass,
        com: Vector3::zeros(),
        inertia: tensor,
    }
    .moved(frame)
}
