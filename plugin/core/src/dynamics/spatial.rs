//! Small spatial algebra: twists, wrenches, symmetric matrices, rigid-body inertias.
//!
//! Written out for three dimensions so that the compiler inlines everything; `Rot` keeps a rotation
//! by its columns, which are the joint axes the recursions ask for.

use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};
use std::ops::{Add, AddAssign, Mul, Sub};

/// Velocity of a rigid body: of the body's point at the reference, and angular; world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Velocity of the body-fixed point at the reference point [m/s].
    pub linear: Vector3<f64>,
    /// Angular velocity [rad/s].
    pub angular: Vector3<f64>,
}

impl Twist {
    /// A twist from its two halves.
    #[inline]
    pub fn new(linear: Vector3<f64>, angular: Vector3<f64>) -> Self {
        Self { linear, angular }
    }

    /// Velocity of the body's point at `r` from the reference point: `v + w x r` [m/s].
    #[inline]
    pub fn at(&self, r: &Vector3<f64>) -> Vector3<f64> {
        self.linear + self.angular.cross(r)
    }

    /// Rate of change of `other`, a twist carried along by a body moving with `self`:
    /// `[w x other.v + v x other.w; w x other.w]`.
    #[inline]
    pub fn cross(&self, other: &Self) -> Self {
        Self {
            linear: self.angular.cross(&other.linear) + self.linear.cross(&other.angular),
            angular: self.angular.cross(&other.angular),
        }
    }

    /// Power of a wrench about the same reference point \[W\].
    #[inline]
    pub fn power(&self, wrench: &Wrench) -> f64 {
        self.linear.dot(&wrench.force) + self.angular.dot(&wrench.torque)
    }
}

impl Mul<f64> for Twist {
    type Output = Self;
    #[inline]
    fn mul(self, scale: f64) -> Self {
        Self::new(self.linear * scale, self.angular * scale)
    }
}

/// A force and its torque about the reference point; world axes. Also a momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Force \[N\], or linear momentum [N s].
    pub force: Vector3<f64>,
    /// Torque about the reference point [N m], or angular momentum [N m s].
    pub torque: Vector3<f64>,
}

/// Sums and differences, part by part.
macro_rules! sums {
    ($($name:ident { $($part:ident),+ })+) => {$(
        impl Add for $name {
            type Output = Self;
            #[inline]
            fn add(self, other: Self) -> Self {
                Self { $($part: self.$part + other.$part),+ }
            }
        }

        impl Sub for $name {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                Self { $($part: self.$part - other.$part),+ }
            }
        }

        impl AddAssign for $name {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                $(self.$part += other.$part;)+
            }
        }
    )+};
}

sums! {
    Twist { linear, angular }
    Wrench { force, torque }
    Rot { x, y, z }
    Sym3 { xx, yy, zz, xy, xz, yz }
    SpatialInertia { mass, moment, inertia }
    Flow { momentum, coupling }
}

/// A matrix, most often a rotation, by columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rot {
    pub x: Vector3<f64>,
    pub y: Vector3<f64>,
    pub z: Vector3<f64>,
}

impl Rot {
    #[inline]
    pub fn from_quaternion(q: &UnitQuaternion<f64>) -> Self {
        let (w, x, y, z) = (q.w, q.i, q.j, q.k);
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        Self {
            x: Vector3::new(1.0 - yy - zz, xy + wz, xz - wy),
            y: Vector3::new(xy - wz, 1.0 - xx - zz, yz + wx),
            z: Vector3::new(xz + wy, yz - wx, 1.0 - xx - yy),
        }
    }

    pub fn to_quaternion(self) -> UnitQuaternion<f64> {
        let matrix = Matrix3::from_columns(&[self.x, self.y, self.z]);
        UnitQuaternion::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(matrix))
    }

    /// `R v`.
    #[inline]
    pub fn apply(&self, v: &Vector3<f64>) -> Vector3<f64> {
        self.x * v.x + self.y * v.y + self.z * v.z
    }

    /// `R^T v`.
    #[inline]
    pub fn apply_transposed(&self, v: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(self.x.dot(v), self.y.dot(v), self.z.dot(v))
    }

    /// `R other`.
    #[inline]
    pub fn times(&self, other: &Self) -> Self {
        Self {
            x: self.apply(&other.x),
            y: self.apply(&other.y),
            z: self.apply(&other.z),
        }
    }

    /// `R` times the rotation by `angle` about its own axis 0, 1 or 2.
    #[inline]
    pub fn times_axis_angle(&self, axis: usize, angle: f64) -> Self {
        let (s, c) = angle.sin_cos();
        let Self { x, y, z } = *self;
        match axis {
            0 => Self {
                x,
                y: y * c + z * s,
                z: z * c - y * s,
            },
            1 => Self {
                x: x * c - z * s,
                y,
                z: z * c + x * s,
            },
            _ => Self {
                x: x * c + y * s,
                y: y * c - x * s,
                z,
            },
        }
    }

    #[inline]
    pub fn axis(&self, axis: usize) -> Vector3<f64> {
        match axis {
            0 => self.x,
            1 => self.y,
            _ => self.z,
        }
    }
}

/// A rigid pose: rotation by columns, translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub rot: Rot,
    pub pos: Vector3<f64>,
}

impl Pose {
    pub fn from_isometry(pose: &Isometry3<f64>) -> Self {
        Self {
            rot: Rot::from_quaternion(&pose.rotation),
            pos: pose.translation.vector,
        }
    }
}

/// A symmetric 3 x 3 matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sym3 {
    pub xx: f64,
    pub yy: f64,
    pub zz: f64,
    pub xy: f64,
    pub xz: f64,
    pub yz: f64,
}

impl Sym3 {
    /// The symmetric part of a matrix.
    pub fn from_matrix(m: &Matrix3<f64>) -> Self {
        Self {
            xx: m[(0, 0)],
            yy: m[(1, 1)],
            zz: m[(2, 2)],
            xy: 0.5 * (m[(0, 1)] + m[(1, 0)]),
            xz: 0.5 * (m[(0, 2)] + m[(2, 0)]),
            yz: 0.5 * (m[(1, 2)] + m[(2, 1)]),
        }
    }

    pub fn to_matrix(self) -> Matrix3<f64> {
        let Self {
            xx,
            yy,
            zz,
            xy,
            xz,
            yz,
        } = self;
        Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    }

    #[inline]
    pub fn times(&self, v: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }

    /// `R self R^T`.
    #[inline]
    pub fn rotated(&self, r: &Rot) -> Self {
        let a = r.x * self.xx + r.y * self.xy + r.z * self.xz;
        let b = r.x * self.xy + r.y * self.yy + r.z * self.yz;
        let c = r.x * self.xz + r.y * self.yz + r.z * self.zz;
        Self {
            xx: a.x * r.x.x + b.x * r.y.x + c.x * r.z.x,
            yy: a.y * r.x.y + b.y * r.y.y + c.y * r.z.y,
            zz: a.z * r.x.z + b.z * r.y.z + c.z * r.z.z,
            xy: a.x * r.x.y + b.x * r.y.y + c.x * r.z.y,
            xz: a.x * r.x.z + b.x * r.y.z + c.x * r.z.z,
            yz: a.y * r.x.z + b.y * r.y.z + c.y * r.z.z,
        }
    }

    /// Adds `mass (c.c 1 - c c^T)`: the inertia of a point mass at `c`.
    #[inline]
    pub fn add_point(&mut self, mass: f64, c: &Vector3<f64>) {
        let mc = c * mass;
        self.xx += mc.y * c.y + mc.z * c.z;
        self.yy += mc.x * c.x + mc.z * c.z;
        self.zz += mc.x * c.x + mc.y * c.y;
        self.xy -= mc.x * c.y;
        self.xz -= mc.x * c.z;
        self.yz -= mc.y * c.z;
    }
}

/// Inertia of a rigid body, or of several held rigid, about the reference point: ten numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpatialInertia {
    pub mass: f64,
    /// Mass times centre of mass from the reference point [kg m].
    pub moment: Vector3<f64>,
    /// Rotational inertia about the reference point [kg m^2].
    pub inertia: Sym3,
}

impl SpatialInertia {
    /// Momentum of a body moving with `twist`: `[m v + w x h; I w + h x v]`.
    #[inline]
    pub fn momentum(&self, twist: &Twist) -> Wrench {
        Wrench {
            force: twist.linear * self.mass + twist.angular.cross(&self.moment),
            torque: self.inertia.times(&twist.angular) + self.moment.cross(&twist.linear),
        }
    }
}

/// Momentum and first moment of momentum of a subtree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flow {
    /// `p` [N s].
    pub momentum: Vector3<f64>,
    /// `K` by columns [N m s].
    pub coupling: Rot,
}
