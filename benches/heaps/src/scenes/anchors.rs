//! Bodies on joints to what a user moves: how far the joint opens.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "anchor",
        "bodies hang from fixed bodies that are set along at 0.5 to 10 m/s",
        dragged,
    )
    .sized(5, 240)
    .short(5, 60),
    Entry::new(
        "anchor-jump",
        "bodies hang from fixed bodies that jump by 0.1 m",
        jumping,
    )
    .sized(5, 240)
    .short(5, 60),
];

/// How far a joint may stand open at the end of a step \[mm\].
const OPEN: f64 = 1.0;

fn dragged(setup: &mut Setup, n: usize) {
    let speed = match setup.seed {
        0 => 3.0,
        _ => setup.random.between(0.5, 10.0),
    };
    let per_step = speed * setup.dt;
    // What is moved before a joint's first step is a joint inserted apart, which closes gently.
    hang(setup, n, move |step| if step > 0 { per_step } else { 0.0 });
}

fn jumping(setup: &mut Setup, n: usize) {
    hang(setup, n, |step| if step == 10 { 0.1 } else { 0.0 });
}

/// n bodies below fixed ones that are moved along x before each step; every other joint is fixed.
fn hang(setup: &mut Setup, n: usize, mut way: impl FnMut(usize) -> f64 + 'static) {
    setup.energy = Energy::Driven;
    setup.driven_speed = 20.0;
    setup.ground = -1.0;
    let mut anchors = Vec::new();
    for k in 0..n {
        let side = 3.0 * k as f64;
        let anchor = setup.put(RigidBodyBuilder::fixed(), [0.0, 5.0, side], []);
        let size = 0.1 * (1.0 + k as f64);
        let body = setup.add([0.0, 5.0 - size, side], ball(0.5 * size));
        let above = vector([0.0, size, 0.0]);
        let joint: GenericJoint = match k % 2 {
            0 => SphericalJointBuilder::new().local_anchor2(above).into(),
            _ => FixedJointBuilder::new().local_anchor2(above).into(),
        };
        setup.world.insert_impulse_joint(anchor, body, joint);
        anchors.push(anchor);
    }
    setup.each_step(move |world, step| {
        let by = vector([way(step), 0.0, 0.0]);
        for anchor in &anchors {
            let rb = &mut world.bodies[*anchor];
            let at = rb.translation() + by;
            rb.set_translation(at, true);
        }
    });
    let mut widest = 0.0;
    setup.figure("joints open [mm]", (0.0, OPEN), move |world, _| {
        widest = f64::max(widest, 1e3 * gap(world));
        widest
    });
}
