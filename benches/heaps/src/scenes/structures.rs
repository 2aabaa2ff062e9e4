//! Structures that friction alone holds.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("arch", "stones that share their faces exactly", arch)
        .sized(25, 150)
        .short(9, 30),
    Entry::new(
        "arch-gap",
        "stones with faces drawn back by 1e-5 m",
        arch_gap,
    )
    .sized(25, 150)
    .short(9, 30),
    Entry::new("house", "a card house of N storeys, h = 1/240", house)
        .sized(4, 240)
        .short(2, 40),
    Entry::new("cards", "a small card house at h = 1/60", cards)
        .sized(5, 150)
        .short(2, 40),
    Entry::new(
        "planks",
        "layers of three planks, each across the last",
        planks,
    )
    .sized(15, 150)
    .short(5, 40),
    Entry::new("kapla", "planks on edge in squares", kapla)
        .sized(15, 150)
        .short(4, 40),
];

fn arch(setup: &mut Setup, n: usize) {
    stones(setup, n, 0.0);
}

fn arch_gap(setup: &mut Setup, n: usize) {
    stones(setup, n, 1e-5);
}

/// Wedges in a semicircle, the first and the last fixed, each face drawn back by `gap` \[m\].
fn stones(setup: &mut Setup, n: usize, gap: f64) {
    let (inner, outer) = (5.0 - 0.375, 5.0 + 0.375);
    setup.fixed([0.0, -1.5, 0.0], cuboid([50.0, 0.5, 50.0]));
    setup.ground = -1.0;
    let half = 0.5 * std::f64::consts::PI / n as f64;
    for k in 0..n {
        let middle = (2 * k + 1) as f64 * half;
        let (s, c) = middle.sin_cos();
        let centre = [5.0 * c, 5.0 * s, 0.0];
        let mut corners = Vec::new();
        for side in [-1.0, 1.0] {
            let (sin, cos) = (middle + side * half).sin_cos();
            for radius in [inner, outer] {
                // Back along the face's normal, into the stone.
                let x = radius * cos + side * gap * sin - centre[0];
                let y = radius * sin - side * gap * cos - centre[1];
                corners.extend([-0.5, 0.5].map(|z| vector([x, y, z])));
            }
        }
        add_stone(setup, &corners, centre, k == 0 || k + 1 == n);
    }
    setup.must_stand();
}

/// Puts a stone of an arch, the hull of its corners about its centre; the first and the last one are fixed.
pub(super) fn add_stone(setup: &mut Setup, corners: &[Vector], centre: [f64; 3], is_fixed: bool) {
    let Some(stone) = ColliderBuilder::convex_hull(corners) else {
        return;
    };
    let body = if is_fixed {
        RigidBodyBuilder::fixed()
    } else {
        RigidBodyBuilder::dynamic()
    };
    setup.put(body, centre, [plain(stone).friction(real(0.8))]);
}

/// A card house: what its cards are like.
pub(super) struct Card {
    /// Half sides \[m\].
    pub(super) half: [f64; 3],
    pub(super) density: f64,
    pub(super) friction: f64,
    /// Distance from pair to pair \[m\].
    pub(super) pitch: f64,
}

impl Card {
    pub(super) const LARGE: Self = Self {
        half: [1.25, 0.02, 0.625],
        density: 200.0,
        friction: 0.8,
        pitch: 2.51,
    };
}

fn house(setup: &mut Setup, n: usize) {
    setup.time_step(1.0 / 240.0);
    storeys(setup, n, &Card::LARGE);
    setup.must_stand();
}

fn cards(setup: &mut Setup, n: usize) {
    let card = Card {
        half: [0.5, 0.01, 0.25],
        density: DENSITY,
        friction: 0.8,
        pitch: 1.004,
    };
    storeys(setup, n, &card);
    setup.must_stand();
}

/// Rows of pairs that lean at 65 degrees, bridges from top to top between the rows; the height of all \[m\].
pub(super) fn storeys(setup: &mut Setup, n: usize, card: &Card) -> f64 {
    setup.floor();
    let angle = 65.0_f64.to_radians();
    let (sin, cos) = angle.sin_cos();
    let [long, thick, _] = card.half;
    // Half the width and the height of a card that leans.
    let (wide, high) = (long * cos + thick * sin, long * sin + thick * cos);
    let shape = || {
        cuboid(card.half)
            .density(real(card.density))
            .friction(real(card.friction))
    };
    for row in 0..n {
        let base = row as f64 * 2.0 * (high + thick);
        let pairs = n - row;
        let apex = |k: usize| card.pitch * (k as f64 - 0.5 * (pairs as f64 - 1.0));
        for k in 0..pairs {
            for side in [-1.0, 1.0] {
                let at = [apex(k) + side * wide, base + high, 0.0];
                setup.turned(at, [0.0, 0.0, -side * angle], shape());
            }
            if k + 1 < pairs {
                let x = 0.5 * (apex(k) + apex(k + 1));
                setup.add([x, base + 2.0 * high + thick, 0.0], shape());
            }
        }
    }
    2.0 * n as f64 * (high + thick)
}

fn planks(setup: &mut Setup, n: usize) {
    setup.floor();
    let half = [0.75, 0.15, 0.245];
    for layer in 0..n {
        let y = half[1] * (2 * layer + 1) as f64;
        for k in [-1.0, 0.0, 1.0] {
            let across = 0.5 * k;
            if layer % 2 == 0 {
                setup.add([0.0, y, across], cuboid(half));
            } else {
                let [long, high, wide] = half;
                setup.add([across, y, 0.0], cuboid([wide, high, long]));
            }
        }
    }
    setup.must_stand();
}

/// Pairs of planks on their narrow sides, each pair across the last.
fn kapla(setup: &mut Setup, n: usize) {
    setup.floor();
    let [long, high, thick] = [0.6, 0.12, 0.04];
    for layer in 0..n {
        let y = high * (2 * layer + 1) as f64;
        for side in [-0.5, 0.5] {
            if layer % 2 == 0 {
                setup.add([0.0, y, side], cuboid([long, high, thick]));
            } else {
                setup.add([side, y, 0.0], cuboid([thick, high, long]));
            }
        }
    }
    setup.must_stand();
}
