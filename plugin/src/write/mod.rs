//! Velocities and positions back into rapier's sets (symplectic Euler: positions follow with v+).
//!
//! A plain semi-implicit step of a tree in free flight loses angular momentum at first order in h,
//! and its centre of mass wanders at second. Where no contact pushed, both are put right: the
//! floating base is shifted so that the centre of mass lands on `x + h p+/m`, and its six velocities
//! are corrected so that the momentum at the new configuration is `p + h F`, `L + h torque`. A fast tree is held to the
//! energy it has a reason for.

pub(crate) mod events;

use crate::assemble::Assembler;
use crate::base::convert::{isometry, point, to_pose, to_real, to_vector, vector};
use crate::base::pose::{moved, rotated, turned};
use crate::read::bodies::Bodies;
use crate::read::multibody::{Allowed, TreeBody, Trees};
use crate::read::prescribed::prescribed_twist;
use crate::read::world::World;
use nalgebra::Vector3;
use rapier::prelude::*;

/// How a step ends for its blocks.
#[derive(Clone, Copy)]
pub(crate) struct Outcome<'a> {
    pub(crate) assembler: &'a Assembler,
    /// Velocity over all coordinates that bodies move with.
    pub(crate) v_plus: &'a [f64],
    /// Correction of positions after that, as a velocity.
    pub(crate) correction: Option<&'a [f64]>,
    /// Velocity at the end.
    pub(crate) end: &'a [f64],
}

/// Free bodies. One that no row touched flies on: it keeps its angular momentum and kinetic energy to
/// round-off. One whose answer is no number stays, and is named in `bad`. Whether any body changed.
pub(crate) fn bodies(
    bodies: &Bodies,
    outcome: Outcome<'_>,
    set: &mut RigidBodySet,
    h: f64,
    bad: &mut Vec<RigidBodyHandle>,
) -> bool {
    let mut wrote = false;
    for (number, body) in bodies.free().iter().enumerate() {
        let stop = bodies.stop(number);
        let (problem, block) = (outcome.assembler.problem(), body.block());
        let untouched = block.is_none_or(|block| !outcome.assembler.is_pushed(block));
        let (linear, angular) = body.twist(body.part_of(problem, outcome.v_plus));
        let (end, mut spin_end) = body.twist(body.part_of(problem, outcome.end));
        let Some(rb) = set.get(body.handle) else {
            continue;
        };
        let flight = untouched.then(|| body.flight(rb, stop.time, h)).flatten();
        let (shift, turn) = (outcome.correction.zip(block))
            .map_or_else(Default::default, |(w, block)| {
                body.twist(&w[problem.block_range(block)])
            });
        let way = linear * stop.time + stop.carried;
        let next = if flight.is_none() && [way, angular, shift, turn] == [Vector3::zeros(); 4] {
            *rb.position()
        } else {
            let pose = isometry(rb.position());
            let local_com = point(rb.local_center_of_mass());
            let rotation = match flight {
                Some((rotation, spin)) => {
                    spin_end = spin;
                    rotation
                }
                None => rotated(&pose, &angular, stop.time),
            };
            let flown = turned(&pose, &local_com, &way, rotation);
            to_pose(&moved(&flown, &local_com, [&shift, &turn], h))
        };
        let (linear, angular) = (to_vector(&end), to_vector(&spin_end));
        if !(linear.is_finite() && angular.is_finite() && next.is_finite()) {
            bad.push(body.handle);
            continue;
        }
        // Reading first: asking for a mutable body marks it as modified.
        let is_same = [rb.position(), rb.next_position()] == [&next; 2]
            && [rb.linvel(), rb.angvel()] == [linear, angular];
        if !is_same && let Some(rb) = set.get_mut(body.handle) {
            rb.set_linvel(linear, false);
            rb.set_angvel(angular, false);
            rb.set_position(next, false);
            wrote = true;
        }
    }
    wrote
}

/// Kinematic bodies that are not the root of a tree. Whether any moved.
pub(crate) fn prescribed(bodies: &Bodies, set: &mut RigidBodySet, h: f64) -> bool {
    let mut wrote = false;
    for &handle in bodies.kinematic() {
        if set.get(handle).is_some_and(moves)
            && let Some(rb) = set.get_mut(handle)
        {
            move_prescribed(rb, h);
            wrote = true;
        }
    }
    wrote
}

fn moves(rb: &RigidBody) -> bool {
    match rb.body_type() {
        RigidBodyType::KinematicPositionBased => rb.position() != rb.next_position(),
        RigidBodyType::KinematicVelocityBased => !rb.vels().is_zero(),
        _ => false,
    }
}

/// Moves a kinematic body as its user said. Returns whether it moved.
pub(crate) fn move_prescribed(rb: &mut RigidBody, h: f64) -> bool {
    if !moves(rb) {
        return false;
    }
    if rb.body_type() == RigidBodyType::KinematicPositionBased {
        let next = *rb.next_position();
        rb.set_position(next, false);
    } else {
        let (linear, angular, _) = prescribed_twist(rb, h);
        let local_com = point(rb.local_center_of_mass());
        let next = moved(&isometry(rb.position()), &local_com, [&linear, &angular], h);
        rb.set_position(to_pose(&next), false);
    }
    true
}

/// What the write-back of trees needs to know of the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    pub(crate) gravity: Vector3<f64>,
    pub(crate) h: f64,
    /// Length of the step that it is a part of \[s\].
    pub(crate) whole: f64,
}

/// Multibodies: coordinates, velocities, link bodies. One whose answer is no number stays, and its root is
/// named in `bad`.
pub(crate) fn trees(
    trees: &mut Trees,
    outcome: Outcome<'_>,
    motion: &Motion,
    world: &mut World<'_>,
    bad: &mut Vec<RigidBodyHandle>,
) {
    for tree in trees.awake_mut() {
        let range = outcome.assembler.problem().block_range(tree.block);
        let v_plus = &outcome.v_plus[range.clone()];
        let end = &outcome.end[range.clone()];
        if !v_plus.iter().chain(end).all(|v| to_real(*v).is_finite()) {
            bad.push(tree.root());
            continue;
        }
        let whole = tree.time == motion.h;
        let untouched = !outcome.assembler.is_pushed(tree.block);
        let floats = tree.tree.has_floating_base();
        let flies = whole && untouched && floats;
        let is_fast = tree.is_fast(end, motion.whole);
        let mut flight = (flies || is_fast && floats).then(|| Flight::of(tree, motion));
        let most = is_fast.then(|| tree.energy_allowed(end, !flies));
        if let Some(flight) = flight.as_mut().filter(|_| !flies) {
            flight.push(tree);
        }
        tree.displacement.clear();
        tree.displacement
            .extend(v_plus.iter().map(|v| to_real(v * tree.time)));
        tree.state.velocity_mut().copy_from_slice(v_plus);
        if let Some(w) = outcome.correction {
            let moved = tree.state.velocity_mut().iter_mut();
            for ((v, d), w) in moved.zip(&mut tree.displacement).zip(&w[range]) {
                *v += w;
                *d += to_real(w * motion.h);
            }
        }
        if let Some(flight) = flight.as_ref().filter(|_| flies) {
            flight.shift(tree, motion.h);
        }
        tree.state.velocity_mut().copy_from_slice(end);
        write_tree(tree, flight.as_ref(), most, motion.h, world);
    }
}

fn write_tree(
    tree: &mut TreeBody,
    flight: Option<&Flight>,
    most: Option<Allowed>,
    h: f64,
    world: &mut World<'_>,
) {
    let root = tree.root();
    let prescribed = world.bodies.get(root).is_some_and(|rb| !rb.is_dynamic());
    if prescribed
        && world.bodies.get(root).is_some_and(moves)
        && let Some(rb) = world.bodies.get_mut(root)
    {
        move_prescribed(rb, h);
    }
    let Some(id) = world.multibody_joints.rigid_body_link(root) else {
        return;
    };
    let index = id.multibody;
    let Some(multibody) = world.multibody_joints.get_multibody_mut(index) else {
        return;
    };
    multibody.apply_displacements(&tree.displacement);
    multibody.forward_kinematics(world.bodies, prescribed);
    tree.read_positions(multibody);
    tree.tree.forward_kinematics(&mut tree.state);
    tree.tree.update_velocities(&mut tree.state);
    if let Some(flight) = flight {
        flight.restore(tree);
    }
    if let Some(most) = most {
        tree.limit_energy(most);
    }
    let velocities = tree.state.velocity();
    for (to, from) in multibody
        .generalized_velocity_mut()
        .iter_mut()
        .zip(velocities)
    {
        *to = to_real(*from);
    }
    for (number, link) in multibody.links().enumerate() {
        let Some(rb) = world.bodies.get_mut(link.rigid_body_handle()) else {
            continue;
        };
        if number > 0 || !prescribed {
            rb.set_position(*link.local_to_world(), false);
            let com = vector(rb.center_of_mass());
            let linear = tree.tree.point_velocity(&tree.state, number, &com);
            let angular = tree.tree.link_velocity(&tree.state, number).angular;
            rb.set_linvel(to_vector(&linear), false);
            rb.set_angvel(to_vector(&angular), false);
        }
        if number == 0 {
            tree.written_root(rb);
        }
    }
}

/// Momentum that a step must end with, and in free flight the centre of mass.
#[derive(Clone, Copy, Debug)]
struct Flight {
    com: Vector3<f64>,
    linear: Vector3<f64>,
    angular: Vector3<f64>,
}

impl Flight {
    /// From the start of the step, weight and the impulse of everything else outside ([`TreeBody::impulse_of_world`]).
    fn of(tree: &TreeBody, motion: &Motion) -> Self {
        let [impulse, moment] = tree.impulse_of_world(motion.h);
        let now = tree.tree.momentum(&tree.state);
        let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
        for link in 0..tree.links.len() {
            let own = tree.tree.link_inertia(link);
            let weight = motion.gravity * (own.mass * own.gravity_scale);
            let arm = tree.tree.link_com(&tree.state, link) - now.com;
            force += weight;
            torque += arm.cross(&weight);
        }
        let linear = now.linear + force * motion.h + impulse;
        let arm = tree.state.reference() - now.com;
        Self {
            com: now.com + linear * (motion.h / now.mass),
            linear,
            angular: now.angular + torque * motion.h + moment + arm.cross(&impulse),
        }
    }

    /// Adds what contacts and joints gave: the momentum at the start's configuration with the velocity at the end, which the
    /// links have, less that with the free velocity. What those velocities would be as a momentum in the configuration that
    /// follows is another thing: a light base that turns by half a radian under a heavy link doubled it in every step.
    fn push(&mut self, tree: &mut TreeBody) {
        let end = tree.tree.momentum(&tree.state);
        let free = tree.free_momentum();
        self.linear += end.linear - free.linear;
        self.angular += end.angular - free.angular;
    }

    /// Adds to the base's displacement what brings the centre of mass to its place.
    fn shift(&self, tree: &mut TreeBody, h: f64) {
        tree.tree.integrate(&mut tree.state, h);
        tree.tree.forward_kinematics(&mut tree.state);
        let shift = self.com - tree.tree.centre_of_mass(&tree.state);
        for (d, s) in tree.displacement.iter_mut().zip(shift.iter()) {
            *d += to_real(*s);
        }
    }

    /// Gives the tree its momentum at the new configuration.
    fn restore(&self, tree: &mut TreeBody) {
        // A tree without rotational inertia has no angular momentum to restore.
        let _ = tree
            .tree
            .correct_base_momentum(&mut tree.state, &self.linear, &self.angular);
    }
}
