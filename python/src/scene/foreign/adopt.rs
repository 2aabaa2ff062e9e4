//! Rapier's sets into a scene: bodies, joints and robots with names.

use super::{Labels, Sets};
use crate::error::{Error, Outcome};
use crate::scene::Scene;
use crate::scene::parts::{Coordinate, Joint, Part, Robot, RobotFile, RobotJoint};
use rapier3d_f64::prelude::*;
use std::collections::{HashMap, HashSet};

/// New handles by old ones.
type Moved = HashMap<RigidBodyHandle, RigidBodyHandle>;

/// What was added.
#[derive(Default)]
pub struct Adopted {
    /// New handles of the bodies.
    pub bodies: Moved,
    /// Numbers of the robots.
    pub robots: Vec<usize>,
}

/// Adds everything; the scene is as it was after an error.
///
/// # Errors
/// A joint that rapier refuses.
pub fn adopt(scene: &mut Scene, sets: &Sets, labels: &Labels) -> Outcome<Adopted> {
    let names = &scene.names;
    let [parts, robots, joints] = [names.parts.len(), names.robots.len(), names.joints.len()];
    let mut out = Adopted::default();
    let added = fill(scene, (sets, labels), &mut out);
    if added.is_err() {
        for &body in out.bodies.values() {
            scene.world.remove_body(body);
        }
        scene.names.parts.truncate(parts);
        scene.names.robots.truncate(robots);
        scene.names.joints.truncate(joints);
    }
    added.map(|()| out)
}

fn fill(scene: &mut Scene, (sets, labels): (&Sets, &Labels), out: &mut Adopted) -> Outcome<()> {
    let mut carried: HashMap<RigidBodyHandle, Vec<ColliderHandle>> = HashMap::new();
    for (old, body) in sets.bodies.iter() {
        out.bodies
            .insert(old, scene.world.bodies.insert(body.clone()));
    }
    let mut alone = Vec::new();
    for (old, collider) in sets.colliders.iter() {
        let world = &mut scene.world;
        let mut own = collider.clone();
        let parent = collider.parent().and_then(|p| out.bodies.get(&p).copied());
        let body = parent.unwrap_or_else(|| {
            // What no body carries stands still.
            let body = RigidBodyBuilder::fixed().pose(*collider.position());
            own.set_position(Pose::IDENTITY);
            let body = world.bodies.insert(body);
            alone.push((old, body));
            body
        });
        let new = (world.colliders).insert_with_parent(own, body, &mut world.bodies);
        carried.entry(body).or_default().push(new);
    }
    let mut linked = HashSet::new();
    for multibody in sets.multibody_joints.multibodies() {
        if multibody.num_links() > 1 {
            insert_multibody(scene, multibody, &out.bodies)?;
            linked.extend(
                multibody
                    .links()
                    .map(|l| out.bodies[&l.rigid_body_handle()]),
            );
            let robot = add_robot(scene, multibody, &out.bodies, (labels, &carried))?;
            out.robots.push(robot);
        }
    }
    let named = sets.bodies.iter().map(|(old, _)| {
        let name = labels.bodies.get(&old).map_or("body", |name| name);
        (name, out.bodies[&old])
    });
    let named = named.chain(alone.iter().map(|(old, body)| {
        let name = labels.colliders.get(old).map_or("ground", |name| name);
        (name, *body)
    }));
    for (name, body) in named.filter(|(_, body)| !linked.contains(body)) {
        let name = scene.names.free(None, name)?;
        let colliders = carried.remove(&body).unwrap_or_default();
        scene.names.parts.push(part(name, body, None, colliders));
    }
    for (_, joint) in sets.impulse_joints.iter() {
        let ends = [joint.body1(), joint.body2()].map(|b| out.bodies.get(&b).copied());
        let [Some(a), Some(b)] = ends else { continue };
        let handle = scene.world.insert_impulse_joint(a, b, joint.data);
        let name = scene.names.free(None, "joint")?;
        let removed = false;
        scene.names.joints.push(Joint {
            name,
            handle,
            removed,
        });
    }
    let sets = &mut scene.world;
    for body in out.bodies.values() {
        if let Some(body) = sets.bodies.get_mut(*body) {
            body.recompute_mass_properties_from_colliders(&sets.colliders);
        }
    }
    (sets.bodies).propagate_modified_body_positions_to_colliders(&mut sets.colliders);
    scene.index_colliders();
    Ok(())
}

fn part(
    name: String,
    body: RigidBodyHandle,
    link: Option<(usize, usize)>,
    colliders: Vec<ColliderHandle>,
) -> Part {
    Part {
        name,
        body,
        offset: Pose::IDENTITY,
        link,
        colliders,
        removed: false,
    }
}

/// The axes that a joint leaves free.
fn free_axes(joint: &GenericJoint) -> Vec<usize> {
    let locked = joint.locked_axes.bits();
    (0..6).filter(|axis| locked & (1 << axis) == 0).collect()
}

/// Where a joint stands, as rapier takes displacements: by free axis, rotations as vectors.
fn displacement(joint: &MultibodyJoint) -> [f64; 6] {
    let (axes, coords) = (free_axes(&joint.data), joint.coords());
    let mut out = [0.0; 6];
    for (slot, axis) in out.iter_mut().zip(&axes) {
        *slot = coords[*axis];
    }
    if axes.iter().filter(|a| **a >= 3).count() == 3 {
        let turn = joint.joint_rot().to_scaled_axis().to_array();
        out[axes.len() - 3..axes.len()].copy_from_slice(&turn);
    }
    out
}

/// An articulated body again, with its links in the same order, and so its coordinates.
fn insert_multibody(scene: &mut Scene, old: &Multibody, bodies: &Moved) -> Outcome<()> {
    let sets = &mut scene.world;
    for link in old.links() {
        let parent = link.parent_id().and_then(|p| old.link(p));
        let Some(parent) = parent else { continue };
        let ends = [parent, link].map(|l| bodies[&l.rigid_body_handle()]);
        let data = link.joint().data;
        let joints = &mut sets.multibody_joints;
        let added = match link.joint().kinematic {
            true => joints.insert_kinematic(ends[0], ends[1], data, true),
            false => joints.insert(ends[0], ends[1], data, true),
        };
        added.ok_or_else(|| Error::input("joints of an articulated body close a loop"))?;
    }
    let root = bodies[&old.root().rigid_body_handle()];
    let id = sets.multibody_joints.rigid_body_link(root).copied();
    let new = id.and_then(|id| sets.multibody_joints.get_multibody_mut(id.multibody));
    let new = new.ok_or_else(|| Error::input("an articulated body has no links"))?;
    // It finds out whether its root moves.
    new.forward_kinematics(&sets.bodies, true);
    if new.ndofs() != old.ndofs() {
        return Err(Error::input("an articulated body has other coordinates"));
    }
    new.set_self_contacts_enabled(old.self_contacts_enabled());
    new.damping_mut().copy_from(old.damping());
    new.armature_mut().copy_from(old.armature());
    new.frictions_mut().copy_from(old.frictions());
    for (k, link) in old.links().enumerate() {
        let Some(own) = new.link_mut(k).filter(|_| !link.is_root()) else {
            continue;
        };
        for axis in 0..6 {
            let (stiffness, rest) = link.joint().spring(axis);
            own.joint.set_spring(axis, stiffness, rest);
        }
        own.joint.apply_displacement(&displacement(link.joint()));
    }
    for coupling in old.couplings() {
        new.add_dof_coupling(*coupling);
    }
    new.forward_kinematics(&sets.bodies, true);
    for (x, v) in new
        .generalized_velocity_mut()
        .iter_mut()
        .zip(&old.generalized_velocity())
    {
        *x = *v;
    }
    for link in new.links() {
        if let Some(body) = sets.bodies.get_mut(link.rigid_body_handle())
            && body.is_dynamic()
        {
            body.set_position(*link.local_to_world(), true);
        }
    }
    Ok(())
}

fn add_robot(
    scene: &mut Scene,
    old: &Multibody,
    bodies: &Moved,
    (labels, carried): (&Labels, &HashMap<RigidBodyHandle, Vec<ColliderHandle>>),
) -> Outcome<usize> {
    let names = &mut scene.names;
    let name = names.free(None, &labels.robot)?;
    let (number, first) = (names.robots.len(), names.parts.len());
    let mut joints = Vec::new();
    for (link_id, link) in old.links().enumerate() {
        let was = link.rigid_body_handle();
        let own = labels.bodies.get(&was).map_or("link", |name| name);
        if !labels.between.contains(&was) {
            let body = bodies[&was];
            let place = names.parts.len() - first;
            let colliders = carried.get(&body).cloned().unwrap_or_default();
            let name = format!("{name}/{own}");
            names
                .parts
                .push(part(name, body, Some((number, place)), colliders));
        }
        let named = labels.joints.get(&was).cloned();
        let named = named.unwrap_or_else(|| format!("{own}_joint"));
        joints.extend(joint(link, link_id, named).filter(|_| !link.is_root()));
    }
    let root = bodies[&old.root().rigid_body_handle()];
    let tau = joints.iter().flat_map(|j| vec![0.0; j.coordinates.len()]);
    let tau = tau.collect();
    let is_free = scene
        .world
        .bodies
        .get(root)
        .is_some_and(RigidBody::is_dynamic);
    names.robots.push(Robot {
        name,
        root,
        bodies: old
            .links()
            .map(|l| bodies[&l.rigid_body_handle()])
            .collect(),
        floating: is_free,
        articulated: true,
        links: (first..names.parts.len()).collect(),
        joints: joints.into(),
        extra: Vec::new(),
        file: RobotFile::default(),
        removed: false,
        tau,
        actuators: Vec::new(),
    });
    Ok(number)
}

fn joint(link: &MultibodyLink, link_id: usize, name: String) -> Option<RobotJoint> {
    let data = &link.joint().data;
    let axes = free_axes(data);
    let is_ball = axes.iter().filter(|a| **a >= 3).count() == 3;
    let bit = |axis: usize| JointAxesMask::from_bits_truncate(1 << axis);
    let limits = match axes[..] {
        [axis] if data.limit_axes.contains(bit(axis)) => Some(data.limits[axis]),
        _ => None,
    };
    let kind = match (&axes[..], is_ball) {
        ([], _) => return None,
        ([3..=5], _) => "revolute",
        ([0..=2], _) => "prismatic",
        ([3, 4, 5], _) => "spherical",
        _ => "floating",
    };
    let coordinates = axes.iter().map(|&axis| Coordinate { link_id, axis });
    Some(RobotJoint {
        name,
        kind: kind.to_owned(),
        coordinates: coordinates.collect(),
        is_ball,
        limits: limits.map(|l| [l.min, l.max]),
        effort: None,
        velocity: None,
        mimics: false,
    })
}
