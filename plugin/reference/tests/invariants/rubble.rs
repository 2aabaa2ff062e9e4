//! Random heaps of bodies: one to many contacts, duplicated ones, masses from grams to tonnes,
//! friction from none to a million, joints, limits and drives among them.

use crate::common::*;
use nalgebra::{Matrix3, Rotation3, Unit, Vector3};
use stickslip_core::mass::MassFactor;
use stickslip_core::problem::{BlockId, ContactData, ProblemBuilder, RowHalf, ScalarKind};

type Rows = [[f64; 6]; 3];

/// A row triple or a single row on up to two bodies.
#[derive(Clone)]
struct Half {
    body: usize,
    rows: Rows,
}

#[derive(Clone)]
struct Touch {
    data: ContactData,
    halves: Vec<Half>,
    /// Relative angular velocity about n, s, t, where torsion or rolling resists.
    spin: Vec<Half>,
}

#[derive(Clone)]
struct Joint {
    key: u64,
    kind: ScalarKind,
    halves: Vec<Half>,
}

/// A problem that can be reordered and turned.
#[derive(Clone)]
pub struct Rubble {
    masses: Vec<MassFactor>,
    v_free: Vec<[f64; 6]>,
    touches: Vec<Touch>,
    joints: Vec<Joint>,
}

/// What a heap may hold.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Most contacts; sizes are spread evenly in their logarithm.
    pub contacts: usize,
    /// Decades of mass, up and down.
    pub decades: f64,
}

/// How a heap moves before the step. The velocity without contacts is the same; from rest it is forces that
/// give it, which is all that models of accelerations and of bodies without inertia see.
#[derive(Clone, Copy, Debug)]
pub enum Start {
    Moving,
    Rest,
}

fn body_mass(r: &mut Random, decades: f64) -> MassFactor {
    let m = 10f64.powf(decades * r.next());
    let d = Vector3::from_fn(|_, _| 1.0 + 0.5 * r.next());
    let turn = Rotation3::from_axis_angle(&Unit::new_unchecked(r.unit()), 3.0 * r.next());
    let inertia = turn * Matrix3::from_diagonal(&(d * (0.02 * m))) * turn.inverse();
    free_mass(m, (inertia + inertia.transpose()) * 0.5)
}

fn angular(frame: [Vector3<f64>; 3], sign: f64) -> Rows {
    frame.map(|a| [0.0, 0.0, 0.0, sign * a.x, sign * a.y, sign * a.z])
}

impl Rubble {
    /// The heap of a seed. All rows admit rest, so that a solution exists for every model.
    pub fn new(seed: u64, recipe: Recipe) -> Self {
        let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let share = 0.5 + 0.5 * r.next();
        let count = (recipe.contacts as f64).powf(share).round() as usize;
        let bodies = 1 + r.below(count / 3 + 2);
        let decades = if r.below(3) == 0 { recipe.decades } else { 0.5 };
        let masses = (0..bodies).map(|_| body_mass(&mut r, decades)).collect();
        let v_free = (0..bodies).map(|_| std::array::from_fn(|_| r.next()));
        let mut heap = Self {
            masses,
            v_free: v_free.collect(),
            touches: Vec::new(),
            joints: Vec::new(),
        };
        let friction = r.below(5);
        for key in 0..count as u64 {
            if key > 0 && r.below(6) == 0 {
                // The same contact again under another name.
                let mut copy = heap.touches[r.below(heap.touches.len())].clone();
                copy.data.key = key;
                heap.touches.push(copy);
                continue;
            }
            let touch = heap.touch(&mut r, key, friction);
            heap.touches.push(touch);
        }
        for key in 0..r.below(4) as u64 {
            let joint = heap.joint(&mut r, 1000 + key);
            heap.joints.push(joint);
        }
        heap
    }

    fn pair(&self, r: &mut Random) -> Vec<(usize, f64)> {
        let a = r.below(self.masses.len());
        let b = r.below(self.masses.len());
        if a == b || r.below(3) == 0 {
            vec![(a, 1.0)]
        } else {
            vec![(a, 1.0), (b, -1.0)]
        }
    }

    fn touch(&self, r: &mut Random, key: u64, friction: usize) -> Touch {
        let frame = axes(r.unit(), 3.0 * r.next());
        let pair = self.pair(r);
        let halves = pair.iter().map(|&(body, sign)| Half {
            body,
            rows: point_rows(frame, r.unit() * 0.2, sign),
        });
        let halves: Vec<Half> = halves.collect();
        let mut data = closed(key);
        data.mu = match friction {
            0 => 0.0,
            1 => 1e6,
            2 => [0.0, 0.3, 1e6][r.below(3)],
            _ => 1.0 + 0.95 * r.next(),
        };
        data.mu_viscous = [0.0, 0.1, 10.0, 1e6][r.below(4)];
        if r.below(4) == 0 {
            data.phi = 0.01 * r.next().abs();
        }
        if r.below(8) == 0 {
            data.mu_across = Some(data.mu * 0.5);
        }
        let mut spin = Vec::new();
        if r.below(8) == 0 {
            data.mu_torsional = 0.02;
            data.mu_rolling = 0.005;
            spin.extend(pair.iter().map(|&(body, sign)| Half {
                body,
                rows: angular(frame, sign),
            }));
        }
        Touch { data, halves, spin }
    }

    fn joint(&self, r: &mut Random, key: u64) -> Joint {
        let frame = axes(r.unit(), 0.0);
        let halves = self.pair(r).into_iter().map(|(body, sign)| Half {
            body,
            rows: point_rows(frame, r.unit() * 0.2, sign),
        });
        let halves = halves.collect();
        let kind = match r.below(3) {
            0 => ScalarKind::Bilateral { velocity: 0.0 },
            1 => ScalarKind::Unilateral {
                gap: 0.01 * r.next().abs(),
            },
            _ => ScalarKind::Bounded {
                velocity: 0.0,
                limit: r.next().abs(),
                compliance: r.next().max(0.0),
            },
        };
        Joint { key, kind, halves }
    }

    /// Moving freely: nothing but the contacts changes a velocity.
    pub fn build(&self, builder: &mut ProblemBuilder) {
        self.build_from(Start::Moving, builder);
    }

    pub fn build_from(&self, start: Start, builder: &mut ProblemBuilder) {
        builder.begin(0.01);
        for (mass, free) in self.masses.iter().zip(&self.v_free) {
            let v = match start {
                Start::Moving => free,
                Start::Rest => &[0.0; 6],
            };
            builder.add_block(mass, v, free);
        }
        let mut spins = Vec::new();
        for touch in &self.touches {
            let halves: Vec<_> = touch.halves.iter().map(triple).collect();
            let id = builder.add_contact(touch.data, &halves);
            if !touch.spin.is_empty() {
                spins.push((id, touch));
            }
        }
        for (id, touch) in spins {
            let halves: Vec<_> = touch.spin.iter().map(triple).collect();
            builder.add_spin(id, &halves);
        }
        for joint in &self.joints {
            let halves = joint.halves.iter().map(|h| RowHalf {
                block: BlockId(h.body),
                cols: &ALL6,
                rows: [&h.rows[0][..]],
            });
            let halves: Vec<_> = halves.collect();
            builder.add_scalar(joint.key, joint.kind, &halves);
        }
        builder.finish().unwrap();
    }

    /// The contacts in another order, each one's tangents turned by an angle of its own. Elliptic
    /// contacts keep theirs: their tangents mean something.
    pub fn shuffled_and_turned(&self, seed: u64) -> Self {
        let mut r = Random(seed | 1);
        let mut heap = self.clone();
        for i in (1..heap.touches.len()).rev() {
            heap.touches.swap(i, r.below(i + 1));
        }
        for touch in &mut heap.touches {
            if touch.data.mu_across.is_some() {
                continue;
            }
            let (sin, cos) = (3.0 * r.next()).sin_cos();
            for half in touch.halves.iter_mut().chain(&mut touch.spin) {
                for c in 0..6 {
                    let (s, t) = (half.rows[1][c], half.rows[2][c]);
                    half.rows[1][c] = cos * s + sin * t;
                    half.rows[2][c] = cos * t - sin * s;
                }
            }
        }
        heap
    }
}

fn triple(half: &Half) -> RowHalf<'_, 3> {
    RowHalf {
        block: BlockId(half.body),
        cols: &ALL6,
        rows: [&half.rows[0], &half.rows[1], &half.rows[2]],
    }
}
