//! What the joints did in a step: our own account, and rapier's fields.

use crate::base::convert::{to_real, to_vector};
use nalgebra::{Matrix3, Vector3};
use rapier::prelude::*;

/// The impulse of an impulse joint over the last step, on body 2 at the origin of the joint's
/// second frame; body 1 gets the opposite there.
///
/// Entries 0..3 are along the axes of the joint's frame 1 [N s], entries 3..6 about them \[N m s\],
/// whatever rows held the joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointImpulse {
    /// The joint.
    pub joint: ImpulseJointHandle,
    /// By everything the joint does.
    pub impulse: [f64; 6],
    /// By its locked axes alone.
    pub locked: [f64; 6],
    /// By each axis' limits: positive where the lower limit pushes back. Of coupled axes at the
    /// first.
    pub limit: [f64; 6],
    /// By each axis' motor. Of coupled axes at the first.
    pub motor: [f64; 6],
    /// Axes of frame 1 in the world, as columns.
    pub(crate) axes: Matrix3<f64>,
    /// Time step \[s\].
    pub h: f64,
}

impl JointImpulse {
    pub(super) fn new(joint: ImpulseJointHandle, axes: Matrix3<f64>, h: f64) -> Self {
        Self {
            joint,
            impulse: [0.0; 6],
            locked: [0.0; 6],
            limit: [0.0; 6],
            motor: [0.0; 6],
            axes,
            h,
        }
    }

    /// The axes of frame 1 in the world.
    pub fn axes(&self) -> [Vector; 3] {
        [0, 1, 2].map(|axis| to_vector(&self.axes.column(axis).into_owned()))
    }

    /// Mean force along each axis of frame 1 \[N\] and torque about it \[N m\]: impulse / h.
    pub fn force(&self) -> [f64; 6] {
        self.impulse.map(|x| x / self.h)
    }

    /// Linear impulse on body 2 in the world [N s].
    pub fn linear_world(&self) -> Vector {
        let [x, y, z, ..] = self.impulse;
        to_vector(&(self.axes * Vector3::new(x, y, z)))
    }

    /// Angular impulse on body 2 in the world, about the origin of frame 2 \[N m s\].
    pub fn angular_world(&self) -> Vector {
        let [.., x, y, z] = self.impulse;
        to_vector(&(self.axes * Vector3::new(x, y, z)))
    }
}

/// Adds impulses of earlier parts of a step, which has a length of `h` \[s\].
pub(super) fn add(read: &mut [JointImpulse], earlier: &mut [JointImpulse], h: f64) {
    let handle = |entry: &JointImpulse| entry.joint.into_raw_parts();
    earlier.sort_by_key(handle);
    for entry in read {
        entry.h = h;
        let from = earlier.partition_point(|e| handle(e) < handle(entry));
        let same = earlier[from..].iter();
        for part in same.take_while(|e| e.joint == entry.joint) {
            for (sum, part) in [
                (&mut entry.impulse, part.impulse),
                (&mut entry.locked, part.locked),
                (&mut entry.limit, part.limit),
                (&mut entry.motor, part.motor),
            ] {
                sum.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
            }
        }
    }
}

/// Writes impulses where rapier shows them, with rapier's sign: positive pushes body 1 along the
/// axis. `read` has the order of the set.
pub(super) fn write_back(read: &[JointImpulse], set: &mut ImpulseJointSet) {
    let mut next = read.iter().peekable();
    if next.peek().is_none() {
        return;
    }
    for (handle, joint) in set.iter_mut() {
        let Some(entry) = next.next_if(|entry| entry.joint == handle) else {
            continue;
        };
        for axis in 0..6 {
            joint.impulses[axis] = to_real(-entry.locked[axis]);
            joint.data.limits[axis].impulse = to_real(-entry.limit[axis]);
            joint.data.motors[axis].impulse = to_real(-entry.motor[axis]);
        }
    }
}
