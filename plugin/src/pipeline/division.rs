//! What a step that is divided into parts is to its user: one step.

use super::ContactPipeline;
use crate::base::convert::to_real;
use crate::base::convert::{isometry, point, real, to_pose};
use crate::base::pose::turned;
use crate::base::tolerances;
use crate::joints::JointImpulse;
use crate::read::world::World;
use rapier::math::Pose;
use rapier::prelude::*;
use stickslip_record::StepReport;

/// What the parts of a step so far have done; buffers are kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Division {
    /// The step, a part of it, and what is left of it \[s\].
    whole: Real,
    part: Real,
    left: Real,
    /// Where kinematic bodies are to be at the end of the step; found when it is first divided.
    targets: Vec<(RigidBodyHandle, Pose)>,
    /// Impulses of contacts by key, and of joints.
    contacts: Vec<(u64, [f64; 6])>,
    joints: Vec<JointImpulse>,
    report: StepReport,
}

impl Division {
    /// Starts a step \[s\].
    pub(super) fn begin(&mut self, whole: Real) {
        (self.whole, self.part, self.left) = (whole, whole, whole);
        self.targets.clear();
        self.contacts.clear();
        self.joints.clear();
        self.report = StepReport::default();
    }

    /// Length of the whole step \[s\].
    pub(super) fn whole(&self) -> f64 {
        real(self.whole)
    }

    /// Whether anything is left of the step.
    pub(super) fn goes_on(&self) -> bool {
        self.left > 0.5 * self.part
    }

    /// Halves the part that comes, unless it is the smallest.
    pub(super) fn halve(&mut self) -> bool {
        let halves = self.part * to_real(tolerances::MOST_PARTS) > 1.5 * self.whole;
        if halves {
            self.part *= 0.5;
        }
        halves
    }

    /// Leads kinematic bodies over the part that comes, at constant velocity as over the whole step. How long that
    /// part is \[s\]. O(bodies) where the step is first divided.
    pub(super) fn lead(&mut self, bodies: &mut RigidBodySet) -> Real {
        if self.part == self.whole {
            return self.part;
        }
        if self.left == self.whole && self.part == 0.5 * self.whole {
            let led = bodies.iter().filter(|(_, rb)| {
                rb.body_type() == RigidBodyType::KinematicPositionBased
                    && rb.position() != rb.next_position()
            });
            let targets = led.map(|(handle, rb)| (handle, *rb.next_position()));
            self.targets.extend(targets);
        }
        let share = real(self.part / self.left);
        for (handle, target) in &self.targets {
            let Some(rb) = bodies.get_mut(*handle) else {
                continue;
            };
            let next = match self.left > 1.5 * self.part {
                true => between(rb, target, share),
                false => *target,
            };
            rb.set_next_kinematic_position(next);
        }
        self.part
    }
}

/// Where a body is after a share of its way to a target.
fn between(rb: &RigidBody, target: &Pose, share: f64) -> Pose {
    let (now, target) = (isometry(rb.position()), isometry(target));
    let com = point(rb.local_center_of_mass());
    let turn = target.rotation * now.rotation.inverse();
    let rotation = turn.powf(share) * now.rotation;
    to_pose(&turned(
        &now,
        &com,
        &((target * com - now * com) * share),
        rotation,
    ))
}

impl ContactPipeline {
    /// Ends a part of a step: keeps what it did. O(contacts + joints) where others follow.
    pub(super) fn keep_part(&mut self) {
        let kept = &mut self.division;
        kept.left -= kept.part;
        kept.report.absorb(&self.report);
        if !kept.goes_on() {
            return;
        }
        let pressed = self.contacts.iter().filter(|c| c.impulse != [0.0; 3]);
        kept.contacts.extend(pressed.map(|contact| {
            let ([n, s, t], [a, b, c]) = (contact.impulse, contact.spin_impulse);
            (contact.point.key, [n, s, t, a, b, c])
        }));
        kept.joints.extend_from_slice(self.joints.impulses());
    }

    /// After the last part of a step: adds what the parts before it did, and shows it in rapier's manifolds and joints, and
    /// to the handler of events. Impulses are those of the whole step, of the contacts and joints that its last part has.
    pub(super) fn show(&mut self, world: &mut World<'_>) {
        let kept = &mut self.division;
        self.report = kept.report;
        let (h, share) = (real(kept.whole), real(kept.whole / kept.part));
        if share > 1.0 {
            self.warm.scale(share);
            kept.contacts.sort_by_key(|entry| entry.0);
            for contact in &mut self.contacts {
                let key = contact.point.key;
                let from = kept.contacts.partition_point(|entry| entry.0 < key);
                let same = kept.contacts[from..].iter();
                for (_, f) in same.take_while(|entry| entry.0 == key) {
                    let own = contact.impulse.iter_mut().chain(&mut contact.spin_impulse);
                    own.zip(f).for_each(|(sum, part)| *sum += part);
                }
            }
            self.joints.add(&mut kept.joints, h);
        }
        self.installer.show(&self.found.all.places, &self.contacts);
        self.joints.write_back(world.impulse_joints);
        self.force_events.send(world, &self.contacts, h);
    }
}
