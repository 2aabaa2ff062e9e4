//! Contacts as experiments see them.

use super::super::super::rapier::prelude::*;
use super::super::super::stickslip::Contact;
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
pub(in super::super) fn join(a: u32, b: u32) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// What a contact of ours is to an experiment, in a step of length `dt` \[s\]; `friction` are its coefficients
/// along the tangents.
pub(in super::super) fn sample(
    contact: &Contact,
    dt: f64,
    friction: Option<[f64; 2]>,
    index: &HashMap<RigidBodyHandle, usize>,
) -> ContactSample {
    let number = |body: Option<RigidBodyHandle>| body.and_then(|b| index.get(&b).copied());
    ContactSample {
        pair: pair_key(contact),
        colliders: contact
            .point
            .colliders
            .map(|c| c.map(|c| c.into_raw_parts().0)),
        closed: contact.closed,
        record: contact.record(dt, friction, contact.point.bodies.map(number)),
    }
}
