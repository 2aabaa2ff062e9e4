//! Contacts as experiments see them.

use super::super::rapier::prelude::*;
use super::super::stickslip::Contact;
use crate::session::ContactSample;
use std::collections::HashMap;

/// Name of a pair of colliders, or of bodies where the contact has none.
fn pair_key(contact: &Contact) -> u64 {
    match contact.point.colliders {
        [Some(a), Some(b)] => join(a.into_raw_parts().0, b.into_raw_parts().0),
        _ => {
            let [a, b] = contact
                .point
                .bodies
                .map(|b| b.map_or(u32::MAX, |b| b.into_raw_parts().0));
            join(a, b)
        }
    }
}

/// One name of two numbers.
pub(super) fn join(a: u32, b: u32) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// What a contact of ours is to an experiment.
pub(super) fn sample(contact: &Contact, index: &HashMap<RigidBodyHandle, usize>) -> ContactSample {
    let number = |body: Option<RigidBodyHandle>| body.and_then(|b| index.get(&b).copied());
    let [s, t] = contact.tangents;
    let [about_n, about_s, about_t] = contact.spin_impulse;
    ContactSample {
        pair: pair_key(contact),
        bodies: contact.point.bodies.map(number),
        point: contact.point.midpoint(),
        normal: contact.point.normal,
        tangents: contact.tangents,
        friction: None,
        gap: contact.gap,
        normal_impulse: contact.impulse[0],
        friction_impulse: s * contact.impulse[1] + t * contact.impulse[2],
        spin_impulse: contact.point.normal * about_n + s * about_s + t * about_t,
        slip: s * contact.velocity[1] + t * contact.velocity[2],
        closed: contact.closed,
    }
}
