//! Two fingers: which joints they are, which way they close, and how far they open.

use super::super::super::super::urdf::{Geometry, JointKind, RobotHandles, RobotModel};
use super::super::super::stage::world::World;
use super::super::robot;
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::PI;

/// Range that is looked at where a joint has no limits [m, rad].
const ROOM: [f64; 2] = [0.5, PI];
/// Halvings of the range in which a finger's position is looked for.
const HALVINGS: usize = 60;

/// The fingers of a hand, the first at the lower end of the line.
pub(super) struct Fingers {
    /// Link that carries both.
    pub(super) link: usize,
    /// Their joints and the links that these move.
    pub(super) joints: [usize; 2],
    pub(super) tips: [usize; 2],
    /// Unit vector from the first finger to the second, along which they close, in the root's frame.
    pub(super) line: Vector3<f64>,
    /// Sign of the joint velocity that closes each finger.
    pub(super) closing: [f64; 2],
    /// Way of each finger along the line per coordinate [1, or m/rad].
    pub(super) levers: [f64; 2],
    /// Positions of all joints that the shapes are placed at.
    placed: Vec<f64>,
}

/// How far links reach along a direction of the robot's root from there, in the pose that they are placed in \[m\].
pub(super) fn reach_along(
    (world, robot): (&World, &RobotHandles),
    links: &[usize],
    direction: &Vector3<f64>,
) -> Option<f64> {
    let links = links.iter().map(|link| &robot.links[*link]);
    robot::farthest(world, links, direction)
}

/// A link with all that is fixed to it below.
pub(super) fn group(model: &RobotModel, link: usize) -> Vec<usize> {
    let mut out = vec![link];
    let mut next = 0;
    while let Some(&at) = out.get(next) {
        let fixed = model.joints.iter();
        let fixed = fixed.filter(|j| j.parent == at && j.kind.dofs() == 0);
        out.extend(fixed.map(|j| j.child));
        next += 1;
    }
    out
}

/// The topmost link that a link is fixed to.
fn carrier(model: &RobotModel, mut link: usize) -> usize {
    while link != 0 && model.joints[link - 1].kind.dofs() == 0 {
        link = model.joints[link - 1].parent;
    }
    link
}

/// Joints at the ends of a robot that move something with a shape.
fn ends(model: &RobotModel, slide: bool) -> Vec<usize> {
    let is_end = |joint: usize| {
        let links = group(model, model.joints[joint].child);
        let mut below = model.joints.iter().filter(|j| links.contains(&j.parent));
        let touches = links.iter().any(|l| !model.links[*l].collisions.is_empty());
        touches && below.all(|j| j.kind.dofs() == 0)
    };
    let kind = |joint: &usize| match model.joints[*joint].kind {
        JointKind::Prismatic => slide,
        JointKind::Revolute | JointKind::Continuous => !slide,
        _ => false,
    };
    let all = 0..model.joints.len();
    all.filter(kind).filter(|j| is_end(*j)).collect()
}

fn range(model: &RobotModel, joint: usize) -> [f64; 2] {
    let joint = &model.joints[joint];
    let room = ROOM[usize::from(joint.kind != JointKind::Prismatic)];
    joint.limits.map_or([-room, room], |l| [l.lower, l.upper])
}

impl Fingers {
    /// The fingers of a robot that is placed at these joint positions.
    ///
    /// # Errors
    /// What it lacks.
    pub(super) fn find(
        model: &RobotModel,
        positions: &[f64],
        trial: (&World, &RobotHandles),
    ) -> Result<Self, String> {
        let joints = [true, false].into_iter().find_map(|slide| {
            let ends = ends(model, slide);
            <[usize; 2]>::try_from(ends).ok()
        });
        let Some(joints) = joints else {
            let names = |slide| {
                let all = ends(model, slide);
                let all = all.iter().map(|j| &*model.joints[*j].name);
                all.collect::<Vec<_>>().join(", ")
            };
            return Err(format!(
                "it needs a hand with exactly two fingers that slide (prismatic) or turn, each with a collision shape; at its ends slide: [{}], turn: [{}]",
                names(true),
                names(false)
            ));
        };
        let parents = joints.map(|j| carrier(model, model.joints[j].parent));
        if parents[0] != parents[1] {
            return Err(format!(
                "its fingers are not on the same link: `{}` is on `{}`, `{}` on `{}`",
                model.joints[joints[0]].name,
                model.links[parents[0]].name,
                model.joints[joints[1]].name,
                model.links[parents[1]].name
            ));
        }
        let mut found = Self {
            link: parents[0],
            joints,
            tips: joints.map(|j| model.joints[j].child),
            line: Vector3::x(),
            closing: [1.0; 2],
            levers: [1.0; 2],
            placed: positions.to_vec(),
        };
        found.orient(model, trial)?;
        Ok(found)
    }

    /// The line between the fingers where they are farthest apart, who is first on it, and which way they close.
    fn orient(&mut self, model: &RobotModel, trial: (&World, &RobotHandles)) -> Result<(), String> {
        let ranges = self.joints.map(|j| range(model, j));
        let mut widest = Vector3::zeros();
        for a in ranges[0] {
            for b in ranges[1] {
                let apart = self.center(model, 1, b, trial) - self.center(model, 0, a, trial);
                if apart.norm() > widest.norm() {
                    widest = apart;
                }
            }
        }
        let poses = model.link_poses(&self.placed);
        let joint = &model.joints[self.joints[0]];
        let axis = poses[joint.child].rotation * joint.axis.into_inner();
        let line = match joint.kind {
            JointKind::Prismatic => axis * axis.dot(&widest).signum(),
            _ => widest - axis * axis.dot(&widest),
        };
        self.line = line
            .try_normalize(1e-9)
            .ok_or("its fingers are in the same place over their whole range")?;
        for (k, [low, high]) in ranges.into_iter().enumerate() {
            let inward = if k == 0 { 1.0 } else { -1.0 };
            let way = self.face(model, k, high, trial) - self.face(model, k, low, trial);
            self.closing[k] = if way * inward < 0.0 { -1.0 } else { 1.0 };
            let (mean, small) = (0.5 * (low + high), 1e-6 * (high - low));
            let step = [mean - small, mean + small].map(|q| self.center(model, k, q, trial));
            let lever = (step[1] - step[0]).dot(&self.line).abs() / (2.0 * small);
            if lever.is_nan() || lever < 1e-6 {
                return Err(format!(
                    "joint `{}` does not move its finger towards the other one",
                    model.joints[self.joints[k]].name
                ));
            }
            self.levers[k] = lever;
        }
        Ok(())
    }

    /// How a finger lies with its joint at `q`, against how it is placed.
    fn moved(&self, model: &RobotModel, k: usize, q: f64) -> Isometry3<f64> {
        let mut positions = self.placed.clone();
        let before = model.link_poses(&positions)[self.tips[k]];
        positions[self.joints[k]] = q;
        model.link_poses(&positions)[self.tips[k]] * before.inverse()
    }

    /// How far a finger reaches along a direction with its joint at `q` \[m\].
    fn far(
        &self,
        model: &RobotModel,
        (k, q): (usize, f64),
        direction: &Vector3<f64>,
        trial: (&World, &RobotHandles),
    ) -> f64 {
        let moved = self.moved(model, k, q);
        let links = group(model, self.tips[k]);
        let along = moved.rotation.inverse_transform_vector(direction);
        let far = reach_along(trial, &links, &along).unwrap_or_default();
        far + direction.dot(&moved.translation.vector)
    }

    /// The middle of a finger's bounding box with its joint at `q`.
    fn center(
        &self,
        model: &RobotModel,
        k: usize,
        q: f64,
        trial: (&World, &RobotHandles),
    ) -> Vector3<f64> {
        Vector3::from_fn(|axis, _| {
            let mut d = Vector3::zeros();
            d[axis] = 1.0;
            0.5 * (self.far(model, (k, q), &d, trial) - self.far(model, (k, q), &-d, trial))
        })
    }

    /// Where a finger's inner face is on the line with its joint at `q` \[m\].
    fn face(&self, model: &RobotModel, k: usize, q: f64, trial: (&World, &RobotHandles)) -> f64 {
        match k {
            0 => self.far(model, (k, q), &self.line, trial),
            _ => -self.far(model, (k, q), &-self.line, trial),
        }
    }

    /// Where the face of each finger is when it is open.
    fn opened(&self, model: &RobotModel, trial: (&World, &RobotHandles)) -> [f64; 2] {
        [0, 1].map(|k| self.face(model, k, self.outermost(model, k), trial))
    }

    fn outermost(&self, model: &RobotModel, k: usize) -> f64 {
        let [low, high] = range(model, self.joints[k]);
        if self.closing[k] > 0.0 { low } else { high }
    }

    /// Opens the fingers so that their faces are `wide` apart about the middle between them, or as far as they go; how
    /// wide that is \[m\].
    pub(super) fn open(
        &self,
        model: &RobotModel,
        positions: &mut [f64],
        wide: f64,
        trial: (&World, &RobotHandles),
    ) -> f64 {
        let ends = self.opened(model, trial);
        let middle = 0.5 * (ends[0] + ends[1]);
        for k in 0..2 {
            let wanted = middle + if k == 0 { -0.5 } else { 0.5 } * wide;
            let [low, high] = range(model, self.joints[k]);
            let (mut out, mut inner) = match self.closing[k] > 0.0 {
                true => (low, high),
                false => (high, low),
            };
            let is_outside = |q: f64| {
                let at = self.face(model, k, q, trial);
                if k == 0 { at <= wanted } else { at >= wanted }
            };
            if is_outside(out) {
                for _ in 0..HALVINGS {
                    let q = 0.5 * (out + inner);
                    if is_outside(q) {
                        out = q;
                    } else {
                        inner = q;
                    }
                }
            }
            positions[self.joints[k]] = out;
            let leader = model.leader(self.joints[k]);
            if leader.joint != self.joints[k] && leader.multiplier != 0.0 {
                positions[leader.joint] = (out - leader.offset) / leader.multiplier;
            }
        }
        model.follow(positions);
        let at = |k: usize| self.face(model, k, positions[self.joints[k]], trial);
        at(1) - at(0)
    }

    /// The middle of both fingers in the frame of the hand: across the line where their faces are, along the rest where
    /// their shapes are.
    pub(super) fn middle(
        &self,
        model: &RobotModel,
        hand: &Isometry3<f64>,
        trial: (&World, &RobotHandles),
    ) -> Vector3<f64> {
        let is_mesh = |link: &usize| {
            let mut shapes = model.links[*link].collisions.iter();
            shapes.any(|s| matches!(s.geometry, Geometry::Mesh(_)))
        };
        let poses = model.link_poses(&self.placed);
        let centers = [0, 1].map(|k| {
            let links = group(model, self.tips[k]);
            if links.iter().any(is_mesh) {
                // The origin of a mesh may be anywhere.
                return self.center(model, k, self.placed[self.joints[k]], trial);
            }
            let places: Vec<Vector3<f64>> = links
                .iter()
                .flat_map(|l| model.links[*l].collisions.iter().map(move |s| (l, s)))
                .map(|(l, shape)| (poses[*l] * shape.origin).translation.vector)
                .collect();
            places.iter().sum::<Vector3<f64>>() / places.len().max(1) as f64
        });
        let ends = self.opened(model, trial);
        let mean = (centers[0] + centers[1]) * 0.5;
        let across = 0.5 * (ends[0] + ends[1]) - mean.dot(&self.line);
        hand.inverse_transform_point(&(mean + self.line * across).into())
            .coords
    }
}
