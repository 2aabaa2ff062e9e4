//! From bodies, trees and contact points to one contact problem.

mod answers;
mod memory;
mod sides;

use crate::assemble::memory::Memory;
use crate::assemble::sides::{Known, Side};
use crate::base::contact::{Contact, ContactPoint};
use crate::base::error::StepError;
use crate::base::frame::Frame;
use crate::base::surface::{self, Motion};
use crate::base::tolerances;
use crate::contacts::material::{Materials, tangents};
use crate::joints::ImpulseJoints;
use crate::read::bodies::{Bodies, Role};
use crate::read::multibody::Trees;
use crate::read::prescribed::prescribed_motion;
use nalgebra::Vector3;
use rapier::prelude::*;
use stickslip_core::kit::HOPS;
use stickslip_core::problem::{
    BlockId, ContactData, ContactProblem, ProblemBuilder, RowHalf, ScalarKind,
};

/// Builds the problem of a step; buffers are kept from step to step.
#[derive(Default, Debug)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(crate) struct Assembler {
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    builder: ProblemBuilder,
    /// Rows of the two sides of a contact: n, s, t one after another.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    rows: [Vec<f64>; 2],
    /// The same of their relative angular velocity, where the material asks for it.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    spins: [Vec<f64>; 2],
    /// Blocks of the two sides of each contact.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    sides: Vec<[Option<BlockId>; 2]>,
    /// Per point, the gap beyond which it can't close \[m\]; none where no point is beyond the margin.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    horizons: Vec<f64>,
    /// Per point, the free body or tree on either side.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    movers: Vec<[Option<u32>; 2]>,
    /// The fastest approach at each free body and tree [m/s].
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    fastest: Vec<f64>,
    /// Per block, whether a contact or a joint gave it an impulse.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    pushed: Vec<bool>,
    /// What the last step leaves to this one.
    memory: Memory,
}

impl Assembler {
    /// The problem last built, an empty one before the first.
    pub(crate) fn problem(&self) -> &ContactProblem {
        static NONE: std::sync::LazyLock<ContactProblem> =
            std::sync::LazyLock::new(ContactProblem::default);
        self.builder.finished().unwrap_or(&NONE)
    }

    /// Whether a contact or a joint gave the block an impulse in the solution last read.
    pub(crate) fn is_pushed(&self, block: BlockId) -> bool {
        self.pushed.get(block.0).copied().unwrap_or(false)
    }

    /// Notes that a joint gave the block an impulse; after [`Self::read_contacts`].
    pub(crate) fn set_pushed(&mut self, block: BlockId) {
        if let Some(pushed) = self.pushed.get_mut(block.0) {
            *pushed = true;
        }
    }

    /// Builds blocks and rows. `contacts` gets one entry per contact of the problem, in its order; points between bodies
    /// that both move as prescribed are left out, and overlaps at the anchor of a joint of their two bodies
    /// ([`ImpulseJoints::pivots`]).
    pub(crate) fn build(
        &mut self,
        parts: Parts<'_>,
        contacts: &mut Vec<Contact>,
        frame: Frame,
    ) -> Result<(), StepError> {
        let Parts {
            set,
            colliders,
            bodies,
            trees,
            points,
            joints,
            materials,
        } = parts;
        self.builder.begin(frame.h);
        for (mass, v, v_free) in bodies.blocks() {
            self.builder.add_block(mass, v, v_free);
        }
        for tree in trees.awake_mut() {
            let (mass, v, v_free) = tree.block_data();
            let block = self.builder.add_block(mass, v, v_free);
            tree.block = block;
        }
        contacts.clear();
        self.sides.clear();
        self.memory.find_due(points);
        self.measure_horizons(set, bodies, trees, points, frame);
        for (number, point) in points.iter().enumerate() {
            let gap = point.gap();
            if gap > self.horizons.get(number).copied().unwrap_or(frame.margin) {
                continue;
            }
            if gap < 0.0 && joints.pivots(point, -gap) {
                continue;
            }
            let known = Known {
                set,
                colliders,
                bodies,
                trees,
                materials,
            };
            let due = self.memory.is_due(number);
            self.add_contact(known, point, due, frame, contacts);
        }
        for (number, tree) in trees.awake() {
            self.add_tree_rows(number, tree, frame);
        }
        joints.add_rows(&mut self.builder, bodies, trees, set, frame);
        self.builder.finish()?;
        Ok(())
    }

    /// The gaps beyond which contacts can't close in this step: a margin, and what the fastest approach of a
    /// contact covers, or of one that shares a body with it, or shares one with such a one; four times over
    /// because contacts pass their motion on. None where all are within the margin. O(contacts).
    fn measure_horizons(
        &mut self,
        set: &RigidBodySet,
        bodies: &Bodies,
        trees: &Trees,
        points: &[ContactPoint],
        Frame { h, margin, .. }: Frame,
    ) {
        self.horizons.clear();
        if points.iter().all(|p| p.gap() <= margin) {
            return;
        }
        self.movers.clear();
        let free = bodies.free().len();
        for point in points {
            let at = point.midpoint();
            let mut movers = [None; 2];
            let speeds = [(0, 1.0), (1, -1.0)].map(|(k, sign)| {
                let Some(handle) = point.bodies[k] else {
                    return 0.0;
                };
                let speed = match bodies.role(handle) {
                    Role::Absent => 0.0,
                    Role::Prescribed => {
                        let prescribed = prescribed_motion(set, handle, &at, h);
                        prescribed.velocity.dot(&point.normal)
                    }
                    Role::Free(number) => {
                        movers[k] = Some(number as u32);
                        bodies.fastest_along(number, &at, &point.normal, sign)
                    }
                    Role::Link { tree, link } => {
                        movers[k] = Some((free + tree) as u32);
                        let direction = point.normal * sign;
                        trees[tree].fastest_along(link, &at, &direction, &mut self.rows[0])
                    }
                };
                speed.abs()
            });
            self.horizons.push(speeds[0].max(speeds[1]));
            self.movers.push(movers);
        }
        for _ in 0..HOPS {
            self.fastest.clear();
            self.fastest.resize(free + trees.len(), 0.0);
            for (movers, speed) in self.movers.iter().zip(&self.horizons) {
                for mover in movers.iter().flatten() {
                    let fastest = &mut self.fastest[*mover as usize];
                    *fastest = fastest.max(*speed);
                }
            }
            for (movers, speed) in self.movers.iter().zip(&mut self.horizons) {
                for mover in movers.iter().flatten() {
                    *speed = speed.max(self.fastest[*mover as usize]);
                }
            }
        }
        for horizon in &mut self.horizons {
            *horizon = margin + 4.0 * h * *horizon;
        }
    }

    /// Adds a contact, unless nothing that it touches has coordinates.
    fn add_contact(
        &mut self,
        known: Known<'_>,
        point: &ContactPoint,
        due: bool,
        frame: Frame,
        contacts: &mut Vec<Contact>,
    ) {
        let Known {
            set, bodies, trees, ..
        } = known;
        let material = known.materials.of(point, known.colliders);
        let at = point.midpoint();
        let [s, t] = tangents(&point.normal, material.grain);
        let directions = [point.normal, s, t];
        let mut sides = [Side::Prescribed; 2];
        let mut motions = [Motion::default(); 2];
        // Velocity of body 1 relative to body 0 that no coordinate accounts for.
        let mut prescribed = Vector3::zeros();
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            let Some(handle) = point.bodies[k] else {
                continue;
            };
            let unmoved = if k == 0 {
                point.dominance > 0
            } else {
                point.dominance < 0
            };
            let role = if unmoved {
                Role::Prescribed
            } else {
                bodies.role(handle)
            };
            match role {
                Role::Absent => return,
                Role::Prescribed => {
                    motions[k] = prescribed_motion(set, handle, &at, frame.h);
                    prescribed += motions[k].velocity * sign;
                }
                Role::Free(number) => {
                    let body = &bodies.free()[number];
                    if frame.accelerations {
                        motions[k] = bodies.motion(number, &at);
                    }
                    body.point_rows(
                        &bodies.arm(number, &at),
                        &directions,
                        sign,
                        &mut self.rows[k],
                    );
                    if material.spins() {
                        body.spin_rows(&directions, sign, &mut self.spins[k]);
                    }
                    sides[k] = Side::Free(number);
                }
                Role::Link { tree, link } => {
                    let body = &trees[tree];
                    if frame.accelerations {
                        motions[k] = body.motion(link, &at);
                    }
                    prescribed += body.prescribed_velocity(link, &at) * sign;
                    if !body.row_path(link).is_empty() {
                        body.point_rows(link, &at, &directions, sign, &mut self.rows[k]);
                        if material.spins() {
                            body.spin_rows(link, &directions, sign, &mut self.spins[k]);
                        }
                        sides[k] = Side::Link { tree, link };
                    }
                }
            }
        }
        let gap = point.gap();
        let surface = point.surface_velocity - prescribed;
        let mut data = ContactData {
            key: point.key,
            phi: gap,
            mu: point.friction,
            restitution: point.restitution,
            surface_velocity: [surface.dot(&s), surface.dot(&t)],
            normal_drift: prescribed.dot(&point.normal),
            ..ContactData::default()
        };
        if frame.accelerations {
            data.acceleration_bias = surface::bias(&point.surfaces, &motions, &directions);
        }
        material.apply(&mut data);
        let is_corrected = data.compliance == 0.0 && frame.splits;
        let deep = gap < 0.0 && is_corrected;
        let no_gap = frame
            .no_gap
            .max(tolerances::ROUND_OFF * (1.0 + at.coords.amax()));
        if is_corrected && gap <= no_gap.min(frame.closed_tolerance) {
            data.phi = 0.0;
        }
        // The motion of the last step ended in contact, to first order: what is left of the gap opens no contact. It is closed by
        // the tolerance in a step.
        let pressed = gap <= frame.margin && self.memory.has_pressed(point.key);
        if pressed {
            data.phi = data.phi.min(frame.closed_tolerance);
        }
        let mut closed = pressed || gap <= frame.closed_tolerance;
        if point.restitution > 0.0 {
            let (one, other) = (
                known.rates(sides[0], &self.rows[0]),
                known.rates(sides[1], &self.rows[1]),
            );
            let speeds = [0, 1].map(|k| -(one[k] + other[k] + data.normal_drift));
            // The motion of the last step ended at the impact, to first order: what is left of the gap is no part of it.
            if due && gap <= frame.h * speeds[0] {
                (data.phi, closed) = (data.phi.min(0.0), true);
            }
            if closed {
                data.restitution = late(point.restitution, speeds);
            }
        }
        let builder = &mut self.builder;
        let [rows, spins] = [&self.rows, &self.spins];
        let [a, b] = sides;
        let id = match (known.half(a, &rows[0]), known.half(b, &rows[1])) {
            (None, None) => return,
            (Some(a), None) | (None, Some(a)) => builder.add_contact(data, &[a]),
            (Some(a), Some(b)) => builder.add_contact(data, &[a, b]),
        };
        if material.spins() {
            match (known.half(a, &spins[0]), known.half(b, &spins[1])) {
                (None, None) => {}
                (Some(a), None) | (None, Some(a)) => builder.add_spin(id, &[a]),
                (Some(a), Some(b)) => builder.add_spin(id, &[a, b]),
            }
        }
        self.sides.push(sides.map(|side| known.block(side)));
        contacts.push(Contact {
            point: *point,
            tangents: [s, t],
            gap,
            impulse: [0.0; 3],
            spin_impulse: [0.0; 3],
            velocity: [0.0; 3],
            closed,
            deep,
        });
    }

    fn add_tree_rows(
        &mut self,
        number: usize,
        tree: &crate::read::multibody::TreeBody,
        frame: Frame,
    ) {
        // Contact keys are hashes of 64 bits; these stay apart by their high half.
        let key = |local: u64| (number as u64 + 1) << 32 | local;
        for row in &tree.axes.rows {
            self.builder.add_scalar(
                key(row.key),
                row.kind,
                &[RowHalf {
                    block: tree.block,
                    cols: &[row.coordinate],
                    rows: [&[row.entry]],
                }],
            );
        }
        for (k, coupling) in tree.couplings().iter().enumerate() {
            let ([j1, j2], [e1, e2]) = (coupling.coordinates, coupling.entries);
            let (cols, row) = if j1 < j2 {
                ([j1, j2], [e1, e2])
            } else {
                ([j2, j1], [e2, e1])
            };
            let velocity = -frame.baumgarte * coupling.error / frame.h;
            self.builder.add_scalar(
                key(1 << 31 | k as u64),
                ScalarKind::Bilateral { velocity },
                &[RowHalf {
                    block: tree.block,
                    cols: &cols,
                    rows: [&row],
                }],
            );
        }
    }
}

/// Coefficient with which a contact of restitution e leaves with the speed of the end of the step, if it closes at `speeds` before
/// and after forces.
///
/// Velocities of symplectic Euler are half a step behind in what forces do: of a ball that falls, u at the impact, they
/// are `u - g/2` before and `e u - g/2` after it, where g is what forces add to the approach in a step. So an approach a
/// ends as `e a - (1 - e) g/2`, and the ball rises to e^2 of its height to second order in h.
fn late(e: f64, [before, after]: [f64; 2]) -> f64 {
    if before > 0.0 {
        (e - 0.5 * (1.0 - e) * (after - before) / before).clamp(0.0, 1.0)
    } else {
        e
    }
}

/// What a problem is built from.
pub(crate) struct Parts<'a> {
    pub(crate) set: &'a RigidBodySet,
    pub(crate) colliders: &'a ColliderSet,
    pub(crate) bodies: &'a mut Bodies,
    pub(crate) trees: &'a mut Trees,
    pub(crate) points: &'a [ContactPoint],
    pub(crate) joints: &'a mut ImpulseJoints,
    pub(crate) materials: &'a Materials,
}
