//! Joint positions that put a link where it should be, by `k`'s Jacobian solver from several
//! starts.

use std::{collections::BTreeMap, f64::consts::PI};

use k::InverseKinematicsSolver;
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

use super::{
    KinematicsError,
    chain::{check_depth, node, to_k},
    spread,
};
use crate::model::{Joint, JointKind, Limits, RobotModel};

/// Share of the Newton step that `k` takes: errors halve, and a step doesn't leave the region in
/// which the Jacobian means anything.
const STEP: f64 = 0.5;

/// Farthest target and largest robot (m): beyond, products of lengths stop being numbers.
const FARTHEST: f64 = 1e9;

/// Room for prismatic joints without limits, in multiples of the robot's and the target's extent:
/// more is only ever needed by axes that are parallel to a thousandth.
const PRISMATIC_ROOM: f64 = 1e3;

/// Where a link should be, in the root link's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IkTarget {
    /// Pose of the link's frame.
    pub pose: Isometry3<f64>,
    /// Which directions matter: position along x, y, z, rotation about x, y, z of the root frame.
    pub held: [bool; 6],
}

impl IkTarget {
    /// Position and orientation.
    pub fn pose(pose: Isometry3<f64>) -> Self {
        Self {
            pose,
            held: [true; 6],
        }
    }

    /// Position of the link's origin (m), any orientation.
    pub fn position(point: Point3<f64>) -> Self {
        Self {
            pose: Isometry3::from_parts(Translation3::from(point), UnitQuaternion::identity()),
            held: [true, true, true, false, false, false],
        }
    }

    /// Distance (m) and angle (rad) from a pose to the target in the held directions: the norms of
    /// the held components of p* - p and of the rotation vector of R* R^T.
    pub fn distance(&self, pose: &Isometry3<f64>) -> (f64, f64) {
        let linear = self.pose.translation.vector - pose.translation.vector;
        let angular = (self.pose.rotation * pose.rotation.inverse()).scaled_axis();
        let held = |v: Vector3<f64>, first: usize| {
            let part = Vector3::from_fn(|i, _| if self.held[first + i] { v[i] } else { 0.0 });
            part.norm()
        };
        (held(linear, 0), held(angular, 3))
    }
}

/// How inverse kinematics searches.
#[derive(Debug, Clone, PartialEq)]
pub struct IkOptions {
    /// Positions to start from, by joint name (rad or m), clamped into the limits; zero, or the
    /// nearest limit, for joints not named.
    pub start: BTreeMap<String, f64>,
    /// Largest distance left (m).
    pub tolerance: f64,
    /// Largest angle left (rad).
    pub angle_tolerance: f64,
    /// Iterations per start.
    pub iterations: usize,
    /// Further starts when the first one fails, spread evenly over the joints' ranges.
    pub restarts: usize,
}

impl Default for IkOptions {
    /// From zero, to 1e-6 m and rad, with 100 iterations from each of 1 + 20 starts.
    fn default() -> Self {
        Self {
            start: BTreeMap::new(),
            tolerance: 1e-6,
            angle_tolerance: 1e-6,
            iterations: 100,
            restarts: 20,
        }
    }
}

/// Joint positions that reach a target.
#[derive(Debug, Clone, PartialEq)]
pub struct IkSolution {
    /// One value per joint of the model (rad or m), within the limits; 0 for joints without a
    /// single coordinate. Fit for [`RobotModel::link_poses`].
    pub positions: Vec<f64>,
    /// Distance left in the held directions (m).
    pub distance: f64,
    /// Angle left about the held directions (rad).
    pub angle: f64,
    /// Starts tried, the successful one included.
    pub tries: usize,
}

impl RobotModel {
    /// Joint positions that put `link` at `target`, near `options.start` if that works.
    ///
    /// Moved are the joints with one coordinate between the root and the link. Joints that follow
    /// another, or lead another one on the way, stay where the start has them, since `k` would
    /// move both apart; so do spherical, planar and floating joints (at zero). The same call gives
    /// the same answer. O(starts x iterations x joints^3) at worst.
    ///
    /// # Errors
    /// [`KinematicsError`]; [`KinematicsError::NotReached`] with the distance left if the target is
    /// out of reach or every start got stuck.
    pub fn ik(
        &self,
        link: &str,
        target: &IkTarget,
        options: &IkOptions,
    ) -> Result<IkSolution, KinematicsError> {
        let robot = || self.name.clone();
        let end = self
            .link_index(link)
            .ok_or_else(|| KinematicsError::UnknownLink {
                robot: robot(),
                link: link.into(),
            })?;
        self.check_numbers(target, options)?;
        let start = self.ik_start(options)?;
        let arm = Arm::new(self, end, target, &start)?;
        let held = target.held.iter().filter(|h| **h).count();
        if arm.moved.len() < held {
            return Err(KinematicsError::TooFewJoints {
                robot: robot(),
                link: link.into(),
                joints: arm.moved.len(),
                held,
            });
        }
        // Judged by our own forward kinematics.
        let left = |positions: &[f64]| target.distance(&self.link_poses(positions)[end]);
        let mut nearest = (f64::INFINITY, f64::INFINITY);
        for n in 0..=options.restarts {
            let mut positions = arm.start(n, &start);
            let (mut distance, mut angle) = left(&positions);
            let reached = |d: f64, a: f64| d <= options.tolerance && a <= options.angle_tolerance;
            if !reached(distance, angle) {
                let stuck = arm.search(target, options, &mut positions);
                (distance, angle) = stuck.unwrap_or_else(|| left(&positions));
            }
            if reached(distance, angle) {
                return Ok(IkSolution {
                    positions,
                    distance,
                    angle,
                    tries: n + 1,
                });
            }
            if distance + angle < nearest.0 + nearest.1 {
                nearest = (distance, angle);
            }
        }
        Err(KinematicsError::NotReached {
            robot: robot(),
            link: link.into(),
            distance: nearest.0,
            angle: nearest.1,
            tries: options.restarts + 1,
        })
    }

    fn check_numbers(&self, target: &IkTarget, options: &IkOptions) -> Result<(), KinematicsError> {
        let bad = |what: &str, value, wanted| {
            Err(KinematicsError::BadNumber {
                robot: self.name.clone(),
                what: what.into(),
                value,
                wanted,
            })
        };
        let far = |x: &&f64| x.is_nan() || x.abs() > FARTHEST;
        let (p, q) = (target.pose.translation.vector, target.pose.rotation.coords);
        if let Some(&value) = p.iter().chain(q.iter()).find(far) {
            return bad("a component of the target", value, "within 1e9 m");
        }
        let tolerances = [
            ("tolerance", options.tolerance),
            ("angle_tolerance", options.angle_tolerance),
        ];
        for (what, value) in tolerances {
            if !(value.is_finite() && value > 0.0) {
                return bad(what, value, "a finite number above zero");
            }
        }
        if options.iterations == 0 {
            return bad("iterations", 0.0, "one or more");
        }
        Ok(())
    }

    /// The first start of every joint.
    fn ik_start(&self, options: &IkOptions) -> Result<Vec<f64>, KinematicsError> {
        let movable = |name: &String| {
            let found = self.joints.iter().find(|j| &j.name == name);
            found.is_some_and(|j| j.kind.dofs() == 1)
        };
        if let Some(name) = options.start.keys().find(|name| !movable(name)) {
            return Err(KinematicsError::UnknownJoint {
                robot: self.name.clone(),
                joint: name.clone(),
            });
        }
        let mut start = vec![0.0; self.joints.len()];
        for (q, joint) in start.iter_mut().zip(&self.joints) {
            if joint.kind.dofs() == 1 {
                let asked = options.start.get(&joint.name).copied().unwrap_or(0.0);
                if !asked.is_finite() {
                    return Err(KinematicsError::BadNumber {
                        robot: self.name.clone(),
                        what: format!("start of joint `{}`", joint.name),
                        value: asked,
                        wanted: "a finite number",
                    });
                }
                *q = joint.limits.map_or(asked, |l| l.clamp(asked));
            }
        }
        self.follow(&mut start);
        Ok(start)
    }
}

/// The way from the root to a link as `k` sees it.
struct Arm {
    chain: k::SerialChain<f64>,
    /// Joints of the model that move, root first.
    moved: Vec<usize>,
    /// Where starts are spread, per joint that moves.
    ranges: Vec<Limits>,
}

impl Arm {
    fn new(
        model: &RobotModel,
        end: usize,
        target: &IkTarget,
        start: &[f64],
    ) -> Result<Self, KinematicsError> {
        let mut way = Vec::new();
        let mut at = end;
        while let Some(i) = at.checked_sub(1) {
            way.push(i);
            at = model.joints[i].parent;
        }
        way.reverse();
        check_depth(model, way.len())?;
        let leads = |i: usize| {
            let follows =
                |&o: &usize| model.joints[o].mimic.is_some() && model.leader(o).joint == i;
            way.iter().any(follows)
        };
        let extent = extent(model, &way) + target.pose.translation.vector.norm();
        if extent.is_nan() || extent > 2.0 * FARTHEST {
            return Err(KinematicsError::BadNumber {
                robot: model.name.clone(),
                what: "extent of the robot".into(),
                value: extent,
                wanted: "within 1e9 m",
            });
        }
        let mut nodes = vec![k::NodeBuilder::new().name("root").into_node()];
        let (mut moved, mut ranges) = (Vec::new(), Vec::new());
        // The fixed part since the last joint that moves.
        let mut before = Isometry3::identity();
        for &i in &way {
            let joint = &model.joints[i];
            if joint.kind.dofs() != 1 || joint.mimic.is_some() || leads(i) {
                before = before * joint.origin * joint.motion(start[i]);
                continue;
            }
            let (bounds, range) = bounds(joint, extent);
            nodes.push(node(model, joint, &before, bounds)?);
            before = Isometry3::identity();
            moved.push(i);
            ranges.push(range);
        }
        let last = k::NodeBuilder::new().name("end").origin(to_k(&before));
        nodes.push(last.into_node());
        for pair in nodes.windows(2) {
            pair[1].set_parent(&pair[0]);
        }
        Ok(Self {
            chain: k::SerialChain::new_unchecked(k::Chain::from_nodes(nodes)),
            moved,
            ranges,
        })
    }

    /// Start `n`: the first one, or one spread over the ranges.
    fn start(&self, n: usize, first: &[f64]) -> Vec<f64> {
        let mut positions = first.to_vec();
        if n > 0 {
            let shares = spread::point(n, self.moved.len());
            for ((&i, range), share) in self.moved.iter().zip(&self.ranges).zip(shares) {
                positions[i] = range.lower + share * (range.upper - range.lower);
            }
        }
        positions
    }

    /// Moves the positions to the target. Where `k` gave up on the way, they stay and the distance
    /// (m) and angle (rad) left there are returned.
    fn search(
        &self,
        target: &IkTarget,
        options: &IkOptions,
        positions: &mut [f64],
    ) -> Option<(f64, f64)> {
        let start: Vec<f64> = self.moved.iter().map(|&i| positions[i]).collect();
        self.chain.set_joint_positions_clamped(&start);
        let solver = k::JacobianIkSolver::new(
            // `k` compares with "<" and its own forward kinematics.
            0.5 * options.tolerance,
            0.5 * options.angle_tolerance,
            STEP,
            options.iterations,
        );
        let held = target.held;
        let constraints = k::Constraints {
            position_x: held[0],
            position_y: held[1],
            position_z: held[2],
            rotation_x: held[3],
            rotation_y: held[4],
            rotation_z: held[5],
            ignored_joint_names: Vec::new(),
        };
        match solver.solve_with_constraints(&self.chain, &to_k(&target.pose), &constraints) {
            Ok(()) => {
                for (&i, q) in self.moved.iter().zip(self.chain.joint_positions()) {
                    positions[i] = q;
                }
                None
            }
            Err(k::Error::NotConvergedError {
                position_diff,
                rotation_diff,
                ..
            }) => Some((position_diff.norm(), rotation_diff.norm())),
            // A singular Jacobian: the positions are those of the start.
            Err(_) => None,
        }
    }
}

/// Sum of the lengths between joints on the way (m).
fn extent(model: &RobotModel, way: &[usize]) -> f64 {
    let length = |&i: &usize| {
        let joint = &model.joints[i];
        let travel = match joint.kind {
            JointKind::Prismatic => joint
                .limits
                .map_or(0.0, |l| l.lower.abs().max(l.upper.abs())),
            _ => 0.0,
        };
        joint.origin.translation.vector.norm() + travel
    };
    way.iter().map(length).sum()
}

/// Bounds of the search and range of the starts of a joint on an arm of this extent.
fn bounds(joint: &Joint, extent: f64) -> (Option<Limits>, Limits) {
    let within = |x: f64| Limits {
        lower: -x,
        upper: x,
    };
    match (joint.limits, joint.kind) {
        (Some(limits), _) => (Some(limits), limits),
        (None, JointKind::Prismatic) => (Some(within(PRISMATIC_ROOM * extent)), within(extent)),
        (None, _) => (None, within(PI)),
    }
}
