//! Inertia, free axes and free velocity of a free body.

use super::{Axes, FreeBody};
use crate::base::convert::{local_inertia, real, vector};
use crate::read::spin::spin_step;
use nalgebra::{Matrix3, Vector3};
use rapier::prelude::*;

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

impl FreeBody {
    /// False if that is no mass matrix.
    pub(super) fn fill_mass(&mut self, mass: f64, inertia: &Matrix3<f64>) -> bool {
        if let (6, Ok(values)) = (self.dim, <&mut [f64; 9]>::try_from(self.mass.values_mut())) {
            let i = |row: usize, column: usize| inertia[(row, column)];
            let turning = [i(0, 0), i(1, 0), i(1, 1), i(2, 0), i(2, 1), i(2, 2)];
            values[..3].fill(mass);
            values[3..].copy_from_slice(&turning);
            return self.mass.factor().is_ok();
        }
        let pattern = self.mass.pattern().clone();
        for i in 0..self.dim {
            let axis = self.axes[i];
            for (depth, &j) in pattern.path(i).iter().enumerate() {
                let other = self.axes[j];
                *self.mass.entry_mut(i, depth) = if axis < 3 {
                    mass
                } else {
                    inertia[(axis - 3, other - 3)]
                };
            }
        }
        self.mass.factor().is_ok()
    }

    /// `v_free = (v + h M^-1 f) / (1 + h damping)`; the gyroscopic torque is taken implicitly.
    pub(super) fn fill_velocity(
        &mut self,
        rb: &RigidBody,
        mass: f64,
        inertia: &Matrix3<f64>,
        gravity: &Vector3<f64>,
        h: f64,
    ) {
        let linear = vector(rb.linvel());
        let angular = vector(rb.angvel());
        let force = vector(rb.user_force()) + gravity * (mass * real(rb.gravity_scale()));
        let torque = vector(rb.user_torque());
        let damp_linear = 1.0 / (1.0 + h * real(rb.linear_damping()));
        let damp_angular = 1.0 / (1.0 + h * real(rb.angular_damping()));
        let free_linear = (linear + force * (h / mass)) * damp_linear;
        let gyroscopic = rb.gyroscopic_forces_enabled();
        let turned = spin_step(inertia, &angular, &torque, gyroscopic, h);
        let free_angular = turned * damp_angular;
        let unlocked = self.dim == 6;
        self.spin_momentum = (gyroscopic && unlocked)
            .then(|| -> Vector3<f64> { (inertia * angular + torque * h) * damp_angular });
        for (i, &axis) in self.axes[..self.dim].iter().enumerate() {
            let (now, free) = if axis < 3 {
                (linear[axis], free_linear[axis])
            } else {
                (angular[axis - 3], free_angular[axis - 3])
            };
            self.v[i] = now;
            self.v_free[i] = free;
        }
    }
}
