//! Contacts with their rows: what they ask for, and what they act on.

use super::memory::Memory;
use super::sides::{Known, Side};
use crate::base::contact::{Contact, ContactPoint};
use crate::base::frame::Frame;
use crate::base::surface::{self, Motion};
use crate::base::tolerances;
use crate::contacts::material::tangents;
use crate::read::bodies::Role;
use crate::read::prescribed::prescribed_motion;
use nalgebra::Vector3;
use stickslip_core::problem::{BlockId, ContactData, ContactRows};

/// Contacts that a thread adds one after another; memory is reused.
#[derive(Default, Debug)]
pub(super) struct Adder {
    /// Rows of the two sides of a contact: n, s, t one after another.
    rows: [Vec<f64>; 2],
    /// The same of their relative angular velocity, where the material asks for it.
    spins: [Vec<f64>; 2],
    pub(super) built: ContactRows,
    /// Blocks of the two sides of each contact.
    pub(super) sides: Vec<[Option<BlockId>; 2]>,
    pub(super) contacts: Vec<Contact>,
}

impl Adder {
    /// Adds a contact, unless nothing that it touches has coordinates.
    pub(super) fn add(
        &mut self,
        known: Known<'_>,
        memory: &Memory,
        point: &ContactPoint,
        due: bool,
        frame: Frame,
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
        let pressed = gap <= frame.margin && memory.has_pressed(point.key);
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
        let (built, blocks) = (&mut self.built, known.blocks);
        let [rows, spins] = [&self.rows, &self.spins];
        let [a, b] = sides;
        let id = match (known.half(a, &rows[0]), known.half(b, &rows[1])) {
            (None, None) => return,
            (Some(a), None) | (None, Some(a)) => built.add_contact(blocks, data, &[a]),
            (Some(a), Some(b)) => built.add_contact(blocks, data, &[a, b]),
        };
        if material.spins() {
            match (known.half(a, &spins[0]), known.half(b, &spins[1])) {
                (None, None) => {}
                (Some(a), None) | (None, Some(a)) => built.add_spin(blocks, id, &[a]),
                (Some(a), Some(b)) => built.add_spin(blocks, id, &[a, b]),
            }
        }
        self.sides.push(sides.map(|side| known.block(side)));
        self.contacts.push(Contact {
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
