//! From bodies, trees and contact points to one contact problem.

mod add;
mod answers;
mod memory;
mod sides;

use crate::assemble::add::Adder;
use crate::assemble::memory::Memory;
use crate::assemble::sides::Known;
use crate::base::contact::{Contact, ContactPoint};
use crate::base::error::StepError;
use crate::base::frame::Frame;
use crate::contacts::material::Materials;
use crate::joints::ImpulseJoints;
use crate::read::bodies::{Bodies, Role};
use crate::read::multibody::Trees;
use crate::read::prescribed::prescribed_motion;
use nalgebra::Vector3;
use rapier::prelude::*;
use std::mem::swap;
use std::ops::Range;
use stickslip_core::kit::HOPS;
use stickslip_core::problem::{BlockId, ContactProblem, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::threads;

/// Builds the problem of a step; buffers are kept from step to step.
#[derive(Default, Debug)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(crate) struct Assembler {
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    builder: ProblemBuilder,
    /// Rows of a link.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    row: Vec<f64>,
    /// Points that may close in this step.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    near: Vec<u32>,
    /// By thread.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    adders: Vec<Adder>,
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
        self.near.clear();
        for (number, point) in points.iter().enumerate() {
            let gap = point.gap();
            let horizon = self.horizons.get(number).copied();
            if gap <= horizon.unwrap_or(frame.margin) && !(gap < 0.0 && joints.pivots(point, -gap))
            {
                self.near.push(number as u32);
            }
        }
        let (blocks, rows) = self.builder.rows_mut();
        let known = Known {
            set,
            colliders,
            bodies,
            trees,
            materials,
            blocks,
        };
        let (near, memory) = (&self.near, &self.memory);
        let count = threads::parts(near.len());
        (self.adders).resize_with(self.adders.len().max(count), Adder::default);
        let adders = &mut self.adders[..count];
        let own = |first: &mut Adder, rows: &mut _, contacts: &mut _, sides: &mut _| {
            swap(&mut first.built, rows);
            swap(&mut first.contacts, contacts);
            swap(&mut first.sides, sides);
        };
        own(&mut adders[0], rows, contacts, &mut self.sides);
        threads::divide(
            0..near.len(),
            adders,
            &|own: Range<usize>, adder: &mut Adder| {
                for &number in &near[own] {
                    let number = number as usize;
                    adder.add(known, memory, &points[number], memory.is_due(number), frame);
                }
            },
        );
        own(&mut adders[0], rows, contacts, &mut self.sides);
        for adder in &mut adders[1..] {
            rows.append(&mut adder.built);
            contacts.append(&mut adder.contacts);
            self.sides.append(&mut adder.sides);
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
                        trees[tree].fastest_along(link, &at, &direction, &mut self.row)
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

    fn add_tree_rows(
        &mut self,
        number: usize,
        tree: &crate::read::multibody::TreeBody,
        frame: Frame,
    ) {
        // Contact keys are hashes of 64 bits; these stay apart by their high half.
        let key = |local: u64| (number as u64 + 1) << 32 | local;
        // The rows of angles are multiplied by one metre, as those of impulse joints are.
        let arm = |coordinate: usize| {
            let is_angle = tree.state.columns()[coordinate].angular != Vector3::zeros();
            if is_angle { frame.length_unit } else { 1.0 }
        };
        for row in &tree.axes.rows {
            let arm = arm(row.coordinate);
            self.builder.add_scalar(
                key(row.key),
                row.kind.scaled(arm),
                &[RowHalf {
                    block: tree.block,
                    cols: &[row.coordinate],
                    rows: [&[arm * row.entry]],
                }],
            );
        }
        for (k, coupling) in tree.couplings().iter().enumerate() {
            let arm = arm(coupling.coordinates[1]);
            let ([j1, j2], [e1, e2]) = (coupling.coordinates, coupling.entries.map(|e| arm * e));
            let (cols, row) = if j1 < j2 {
                ([j1, j2], [e1, e2])
            } else {
                ([j2, j1], [e2, e1])
            };
            let velocity = -frame.baumgarte * coupling.error / frame.h;
            self.builder.add_scalar(
                key(1 << 31 | k as u64),
                ScalarKind::Bilateral { velocity }.scaled(arm),
                &[RowHalf {
                    block: tree.block,
                    cols: &cols,
                    rows: [&row],
                }],
            );
        }
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
