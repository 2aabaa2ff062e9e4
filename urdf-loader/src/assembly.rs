//! Links that fixed joints make one rigid body.

use nalgebra::Isometry3;

use crate::model::{Inertial, JointKind, RobotModel};

/// What becomes of fixed joints.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FixedJoints {
    /// The child's inertia and shapes move to the parent's body: fewer bodies, same dynamics.
    #[default]
    Merge,
    /// One body per link, held by fixed joints.
    Keep,
}

/// A link as part of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member {
    /// Index of the link in the model.
    pub link: usize,
    /// Pose of the link frame in the body frame (the frame of the body's first link).
    pub offset: Isometry3<f64>,
}

/// A rigid body: one link or several.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its links, the one that gives the frame first.
    pub members: Vec<Member>,
    /// Joint of the model above the first link; `None` for the base.
    pub joint: Option<usize>,
    /// The body above (0 for the base itself).
    pub parent: usize,
    /// Pose of the joint frame in the parent body's frame.
    pub joint_in_parent: Isometry3<f64>,
    /// All mass properties together, in body axes; `None` without any.
    pub inertial: Option<Inertial>,
}

impl Body {
    /// The mass properties of its links together, in body axes, as the model has them now.
    pub(crate) fn total(&self, model: &RobotModel) -> Option<Inertial> {
        let parts = self.members.iter().filter_map(|m| {
            let own = model.links[m.link].inertial?;
            Some(own.moved(&m.offset))
        });
        parts.reduce(|whole, part| whole.joined(&part))
    }
}

/// The robot as rigid bodies, parents before children.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembly {
    /// Bodies; the first is the base.
    pub bodies: Vec<Body>,
    /// Links of an empty root above a `floating` joint: they stay with the world, poses in the
    /// root frame.
    pub world: Vec<Member>,
    /// Pose of the base's frame in the root link's frame (identity unless `world` is in use).
    pub base_in_root: Isometry3<f64>,
}

impl Assembly {
    /// Groups the links of a model.
    pub fn new(model: &RobotModel, fixed: FixedJoints) -> Self {
        let mut bodies = vec![Body {
            members: vec![Member {
                link: 0,
                offset: Isometry3::identity(),
            }],
            joint: None,
            parent: 0,
            joint_in_parent: Isometry3::identity(),
            inertial: model.links.first().and_then(|l| l.inertial),
        }];
        // Body and offset of each link seen so far.
        let mut place = vec![(0, Isometry3::identity())];
        for (i, joint) in model.joints.iter().enumerate() {
            let (parent, offset) = place[joint.parent];
            let at = offset * joint.origin;
            let inertial = model.links[joint.child].inertial;
            if joint.kind == JointKind::Fixed && fixed == FixedJoints::Merge {
                let body = &mut bodies[parent];
                body.members.push(Member {
                    link: joint.child,
                    offset: at,
                });
                if let Some(part) = inertial.map(|p| p.moved(&at)) {
                    body.inertial = Some(body.inertial.map_or(part, |whole| whole.joined(&part)));
                }
                place.push((parent, at));
            } else {
                place.push((bodies.len(), Isometry3::identity()));
                bodies.push(Body {
                    members: vec![Member {
                        link: joint.child,
                        offset: Isometry3::identity(),
                    }],
                    joint: Some(i),
                    parent,
                    joint_in_parent: at,
                    inertial,
                });
            }
        }
        let mut out = Self {
            bodies,
            world: Vec::new(),
            base_in_root: Isometry3::identity(),
        };
        out.detach_world(model);
        out
    }

    /// A massless root without shapes whose only moving joint is `floating` is the world itself.
    fn detach_world(&mut self, model: &RobotModel) {
        let floats = |b: &Body| {
            b.joint
                .is_some_and(|j| model.joints[j].kind == JointKind::Floating)
        };
        let base = &self.bodies[0];
        let on_base = self.bodies[1..].iter().filter(|b| b.parent == 0).count();
        let bare = base.inertial.is_none()
            && base
                .members
                .iter()
                .all(|m| model.links[m.link].collisions.is_empty());
        if !(bare && on_base == 1 && self.bodies.get(1).is_some_and(floats)) {
            return;
        }
        let world = self.bodies.remove(0);
        self.world = world.members;
        for body in &mut self.bodies {
            body.parent = body.parent.saturating_sub(1);
        }
        let base = &mut self.bodies[0];
        self.base_in_root = base.joint_in_parent;
        base.joint = None;
        base.joint_in_parent = Isometry3::identity();
    }

    /// Whether an empty root above a `floating` joint says that the base is free.
    pub fn declares_floating(&self) -> bool {
        !self.world.is_empty()
    }

    /// Body and offset of every link, by link index; `None` for links of `world`.
    pub fn places(&self, links: usize) -> Vec<Option<(usize, Isometry3<f64>)>> {
        let mut out = vec![None; links];
        for (b, body) in self.bodies.iter().enumerate() {
            for m in &body.members {
                out[m.link] = Some((b, m.offset));
            }
        }
        out
    }
}
