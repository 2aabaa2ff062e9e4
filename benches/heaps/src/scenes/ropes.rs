//! Ropes, nets and grids of joints whose links turn far in a step: how far joints open.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("rope", "light capsules and a light ball, from level", rope)
        .sized(20, 600)
        .short(20, 300),
    Entry::new(
        "rope-heavy",
        "links of 0.9 kg and a ball of 67 kg",
        rope_heavy,
    )
    .sized(20, 600)
    .short(20, 300),
];

/// How far a joint may stand open at the end of a step \[mm\].
const OPEN: f64 = 2.0;

fn rope(setup: &mut Setup, n: usize) {
    hang(setup, n, [1.0, 1.0]);
}

fn rope_heavy(setup: &mut Setup, n: usize) {
    hang(setup, n, [1000.0, 2000.0]);
}

/// A level rope of n links from a fixed ball, a ball at its end, of two densities. Seeds turn it and stretch its links.
fn hang(setup: &mut Setup, n: usize, [link, end]: [f64; 2]) {
    let (long, away) = match setup.seed {
        0 => (0.2, 0.0),
        _ => (
            setup.random.between(0.15, 0.3),
            setup.random.between(-0.6, 0.6),
        ),
    };
    let at = |k: f64| {
        let along = k * long;
        [-19.9 + along * away.cos(), 6.0, 10.0 + along * away.sin()]
    };
    let fixed = RigidBodyBuilder::fixed().rotation(vector([0.0, -away, 0.0]));
    let of_link = |shape: ColliderBuilder| shape.density(real(link));
    let mut last = setup.put(fixed, at(0.0), [of_link(ball(0.2))]);
    let turn = vector([0.0, -away, 0.0]);
    for k in 1..=n + 1 {
        let body = RigidBodyBuilder::dynamic().rotation(turn);
        let shape = match k <= n {
            true => {
                let axis = vector([0.3 * long, 0.0, 0.0]);
                of_link(ColliderBuilder::capsule_from_endpoints(
                    -axis,
                    axis,
                    real(0.04),
                ))
            }
            false => ball(0.2).density(real(end)),
        };
        let body = setup.put(body, at(k as f64), [shape]);
        let joint = SphericalJointBuilder::new()
            .local_anchor1(vector([0.5 * long, 0.0, 0.0]))
            .local_anchor2(vector([-0.5 * long, 0.0, 0.0]))
            .contacts_enabled(false);
        setup.world.insert_impulse_joint(last, body, joint);
        last = body;
    }
    let mut widest = 0.0;
    setup.figure("joints open [mm]", (0.0, OPEN), move |world, _| {
        widest = f64::max(widest, 1e3 * gap(world));
        widest
    });
}
