//! Small spatial algebra: twists, wrenches, rigid-body inertias.

#![allow(non_snake_case)]

use nalgebra::{Matrix3, Vector3};
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
    SpatialInertia { mass, moment, inertia }
    Flow { momentum, coupling }
}

/// `R` times the rotation by `angle` about its own axis 0, 1 or 2.
#[inline]
pub(crate) fn turned(R: &Matrix3<f64>, axis: usize, angle: f64) -> Matrix3<f64> {
    let (s, c) = angle.sin_cos();
    let [x, y, z] = [0, 1, 2].map(|k| R.column(k).into_owned());
    let columns = match axis {
        0 => [x, y * c + z * s, z * c - y * s],
        1 => [x * c - z * s, y, z * c + x * s],
        _ => [x * c + y * s, y * c - x * s, z],
    };
    Matrix3::from_columns(&columns)
}

/// `A B` column by column: nalgebra's product of two matrices is not inlined.
#[inline]
pub(crate) fn product(A: &Matrix3<f64>, B: &Matrix3<f64>) -> Matrix3<f64> {
    Matrix3::from_columns(&[0, 1, 2].map(|k| A * B.column(k)))
}

/// `mass (c.c 1 - c c^T)`: the inertia of a point mass at `c`.
#[inline]
pub(crate) fn point_inertia(mass: f64, c: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::from_diagonal_element(mass * c.norm_squared()) - c * (c * mass).transpose()
}

/// Inertia of a rigid body, or of several held rigid, about the reference point: ten numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SpatialInertia {
    pub mass: f64,
    /// Mass times centre of mass from the reference point [kg m].
    pub moment: Vector3<f64>,
    /// Rotational inertia about the reference point [kg m^2].
    pub inertia: Matrix3<f64>,
}

impl SpatialInertia {
    /// Momentum of a body moving with `twist`: `[m v + w x h; I w + h x v]`.
    #[inline]
    pub fn momentum(&self, twist: &Twist) -> Wrench {
        Wrench {
            force: twist.linear * self.mass + twist.angular.cross(&self.moment),
            torque: self.inertia * twist.angular + self.moment.cross(&twist.linear),
        }
    }
}

/// Momentum and first moment of momentum of a subtree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flow {
    /// `p` [N s].
    pub momentum: Vector3<f64>,
    /// `K` [N m s].
    pub coupling: Matrix3<f64>,
}
