//! Inertia, free axes and free velocity of a free body.

use super::{Axes, FreeBody};
use crate::base::convert::{local_inertia, real, rotation, vector};
use crate::read::spin::{self, spin_step};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use rapier::prelude::*;
use stickslip_core::mass::MassFactor;

/// The inertia that a body turns with. About an axis without any (an infinitely thin rod) rapier never turns
/// it; here it is as lazy as about its laziest.
pub(super) fn full_inertia(props: &MassProperties) -> Matrix3<f64> {
    let principal = props.principal_inertia();
    let largest = principal.max_element();
    if largest > 0.0 && principal.min_element() == 0.0 {
        let full = principal.map(|x| if x == 0.0 { largest } else { x });
        let filled = MassProperties::with_principal_inertia_frame(
            props.local_com,
            props.mass(),
            full,
            props.principal_inertia_local_frame,
        );
        return local_inertia(&filled);
    }
    local_inertia(props)
}

/// An inertia in the body's axes in those of the world [kg m^2].
pub(super) fn turned_inertia(
    inertia: &Matrix3<f64>,
    rotation: &UnitQuaternion<f64>,
) -> Matrix3<f64> {
    let r = rotation.to_rotation_matrix();
    r.matrix() * inertia * r.matrix().transpose()
}

/// Share of a velocity that damping leaves in a step of h \[s\].
fn damped(damping: Real, h: f64) -> f64 {
    1.0 / (1.0 + h * real(damping))
}

/// Axes that are not locked and have inertia: a point mass does not turn.
pub(super) fn free_axes(rb: &RigidBody, inertia: &Matrix3<f64>) -> Axes {
    let locked = rb.locked_axes();
    let turns = inertia.trace() > 0.0;
    [
        !locked.contains(LockedAxes::TRANSLATION_LOCKED_X),
        !locked.contains(LockedAxes::TRANSLATION_LOCKED_Y),
        !locked.contains(LockedAxes::TRANSLATION_LOCKED_Z),
        turns && !locked.contains(LockedAxes::ROTATION_LOCKED_X),
        turns && !locked.contains(LockedAxes::ROTATION_LOCKED_Y),
        turns && !locked.contains(LockedAxes::ROTATION_LOCKED_Z),
    ]
}

/// Mass, and inertia about the centre of mass along the axes of the world.
pub(super) struct WorldInertia<'a> {
    pub(super) mass: f64,
    pub(super) inertia: &'a Matrix3<f64>,
}

impl FreeBody {
    /// False if that is no mass matrix.
    pub(super) fn fill_mass(
        &self,
        factor: &mut MassFactor,
        mass: f64,
        inertia: &Matrix3<f64>,
    ) -> bool {
        if let (6, Ok(values)) = (self.dim, <&mut [f64; 9]>::try_from(factor.values_mut())) {
            let i = |row: usize, column: usize| inertia[(row, column)];
            let turning = [i(0, 0), i(1, 0), i(1, 1), i(2, 0), i(2, 1), i(2, 2)];
            values[..3].fill(mass);
            values[3..].copy_from_slice(&turning);
            return factor.factor().is_ok();
        }
        let pattern = factor.pattern().clone();
        for (i, axis) in self.axes().enumerate() {
            for (depth, &j) in pattern.path(i).iter().enumerate() {
                let other = usize::from(self.axes[j]);
                *factor.entry_mut(i, depth) = if axis < 3 {
                    mass
                } else {
                    inertia[(axis - 3, other - 3)]
                };
            }
        }
        factor.factor().is_ok()
    }

    /// `v_free = (v + h M^-1 f) / (1 + h damping)`; the gyroscopic torque is taken implicitly.
    pub(super) fn fill_velocity(
        &mut self,
        v: &mut [f64; 6],
        rb: &RigidBody,
        WorldInertia { mass, inertia }: WorldInertia<'_>,
        gravity: &Vector3<f64>,
        h: f64,
    ) {
        let linear = vector(rb.linvel());
        let angular = vector(rb.angvel());
        let force = vector(rb.user_force()) + gravity * (mass * real(rb.gravity_scale()));
        let torque = vector(rb.user_torque());
        let free_linear = (linear + force * (h / mass)) * damped(rb.linear_damping(), h);
        let gyroscopic = rb.gyroscopic_forces_enabled();
        let turned = spin_step(inertia, &angular, &torque, gyroscopic, h);
        let free_angular = turned * damped(rb.angular_damping(), h);
        self.keeps_spin = gyroscopic && self.dim == 6;
        let velocities = v.iter_mut().zip(&mut self.v_free);
        for ((v, v_free), axis) in velocities.zip(self.axes).take(self.dim.into()) {
            let axis = usize::from(axis);
            (*v, *v_free) = if axis < 3 {
                (linear[axis], free_linear[axis])
            } else {
                (angular[axis - 3], free_angular[axis - 3])
            };
        }
    }

    /// Orientation and angular velocity after a flight of `time` \[s\] in which nothing touches the body `rb`, of which nothing has been
    /// written since the step of h \[s\] began: its angular momentum is then `(I w + h torque) / (1 + h damping)`. `None` where
    /// that is not conserved, or without rotational inertia.
    pub(crate) fn flight(
        &self,
        rb: &RigidBody,
        time: f64,
        h: f64,
    ) -> Option<(UnitQuaternion<f64>, Vector3<f64>)> {
        if !self.keeps_spin {
            return None;
        }
        let local = full_inertia(&rb.mass_properties().local_mprops);
        let rotation = rotation(*rb.rotation());
        let inertia = turned_inertia(&local, &rotation);
        let pushed = inertia * vector(rb.angvel()) + vector(rb.user_torque()) * h;
        let momentum = pushed * damped(rb.angular_damping(), h);
        let inverse = local.try_inverse()?;
        Some(spin::free_flight(&inverse, &rotation, &momentum, time))
    }
}
