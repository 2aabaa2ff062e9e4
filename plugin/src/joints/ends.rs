//! The two bodies of a joint: their poses now and after the step, and how their coordinates move a
//! point of them.

use super::measure::Slope;
use crate::base::convert::{isometry, point};
use crate::base::pose::{moved, per_rotation_vector};
use crate::read::bodies::{Bodies, Role};
use crate::read::multibody::{TreeBody, Trees};
use crate::read::prescribed::prescribed_twist;
use nalgebra::{Isometry3, Point3};
use rapier::prelude::*;
use stickslip_core::mass::MassFactor;
use stickslip_core::problem::{BlockId, ContactProblem};

/// Columns of a free body's rows: all of its coordinates.
const ALL: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// Everything that moves in a step.
#[derive(Clone, Copy)]
pub(crate) struct Movers<'a> {
    pub(crate) set: &'a RigidBodySet,
    pub(crate) bodies: &'a Bodies,
    pub(crate) trees: &'a Trees,
    /// Time step \[s\].
    pub(crate) h: f64,
}

/// Where a step leads to, and a correction of positions `w` after it (m; empty: none yet).
#[derive(Clone, Copy)]
pub(crate) struct StepEnd<'a> {
    pub(crate) problem: &'a ContactProblem,
    pub(crate) v_plus: &'a [f64],
    pub(crate) w: &'a [f64],
}

/// A coordinate of a joint at a point, with the sign of the side that it is taken of.
#[derive(Clone, Copy)]
pub(super) struct Along<'a> {
    pub(super) at: &'a Point3<f64>,
    pub(super) slope: &'a Slope,
    pub(super) sign: f64,
}

impl<'a> Movers<'a> {
    pub(crate) fn new(set: &'a RigidBodySet, bodies: &'a Bodies, trees: &'a Trees, h: f64) -> Self {
        Self {
            set,
            bodies,
            trees,
            h,
        }
    }
}

/// One body of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) handle: RigidBodyHandle,
    role: Role,
}

impl End {
    /// `None` for a body that is not in the scene.
    pub(super) fn new(handle: RigidBodyHandle, bodies: &Bodies) -> Option<Self> {
        let role = bodies.role(handle);
        (role != Role::Absent).then_some(Self { handle, role })
    }

    /// The tree it is a link of.
    pub(super) fn tree(&self) -> Option<usize> {
        match self.role {
            Role::Link { tree, .. } => Some(tree),
            _ => None,
        }
    }

    /// Whether impulses can move it.
    pub(super) fn moves(&self, m: Movers<'_>) -> bool {
        !self.columns(m).is_empty()
    }

    /// Whether nothing but impulses of others hinders it: a body by itself without locked axes.
    pub(super) fn is_loose(&self, m: Movers<'_>) -> bool {
        matches!(self.role, Role::Free(number) if m.bodies.free()[number].dim() == ALL.len())
    }

    /// The coordinates that its rows cover.
    pub(super) fn columns<'a>(&self, m: Movers<'a>) -> &'a [usize] {
        match self.role {
            Role::Free(number) => &ALL[..m.bodies.free()[number].dim()],
            Role::Link { tree, link } => m.trees[tree].row_path(link),
            Role::Absent | Role::Prescribed => &[],
        }
    }

    /// Its block of the problem, once that is being built.
    pub(super) fn block(&self, m: Movers<'_>) -> Option<BlockId> {
        match self.role {
            Role::Free(number) => m.bodies.free()[number].block(),
            Role::Link { tree, link } => {
                let body = &m.trees[tree];
                (!body.row_path(link).is_empty()).then_some(body.block)
            }
            Role::Absent | Role::Prescribed => None,
        }
    }

    /// The part of a velocity over all coordinates that is its block's; none of an empty one.
    pub(super) fn part<'v>(
        &self,
        m: Movers<'_>,
        problem: &ContactProblem,
        v: &'v [f64],
    ) -> &'v [f64] {
        match self.block(m) {
            Some(block) if !v.is_empty() => &v[problem.block_range(block)],
            _ => &[],
        }
    }

    /// The mass matrix of its block.
    pub(super) fn mass<'a>(&self, m: Movers<'a>) -> Option<&'a MassFactor> {
        match self.role {
            Role::Free(number) => Some(m.bodies.block_data(number).0),
            Role::Link { tree, .. } => Some(m.trees[tree].block_data().0),
            Role::Absent | Role::Prescribed => None,
        }
    }

    /// Pose at the start of the step.
    pub(super) fn pose(&self, m: Movers<'_>) -> Isometry3<f64> {
        if let Role::Link { tree, link } = self.role {
            let body: &TreeBody = &m.trees[tree];
            return body.tree.link_pose(&body.state, link);
        }
        let rb = m.set.get(self.handle);
        rb.map_or_else(Isometry3::identity, |rb| isometry(rb.position()))
    }

    /// Pose at the end of the step with end velocities `v_plus` of its block and the correction `w` after it; links
    /// need [`TreeBody::look_ahead`] with the sum of both first.
    pub(super) fn next_pose(&self, m: Movers<'_>, v_plus: &[f64], w: &[f64]) -> Isometry3<f64> {
        let Some(rb) = m.set.get(self.handle) else {
            return Isometry3::identity();
        };
        let pose = isometry(rb.position());
        let com = point(rb.local_center_of_mass());
        match self.role {
            Role::Free(number) => {
                let [(v, turn), (shift, more)] =
                    [v_plus, w].map(|v| m.bodies.free()[number].twist(v));
                let end = moved(&pose, &com, [&v, &turn], m.h);
                moved(&end, &com, [&shift, &more], m.h)
            }
            Role::Link { tree, link } => {
                let body = &m.trees[tree];
                let root = m.set.get(body.root());
                let carried = root.filter(|rb| rb.is_kinematic()).map(|rb| {
                    let now = isometry(rb.position());
                    next_prescribed(rb, m.h) * now.inverse()
                });
                carried.unwrap_or_else(Isometry3::identity) * body.pose_ahead(link)
            }
            Role::Absent | Role::Prescribed => next_prescribed(rb, m.h),
        }
    }

    /// The rate of a coordinate that its motion as prescribed makes, with the sign of its side.
    pub(super) fn prescribed_rate(
        &self,
        m: Movers<'_>,
        Along { at, slope, sign }: Along<'_>,
    ) -> f64 {
        let (linear, angular) = match self.role {
            Role::Link { tree, link } => {
                let body = &m.trees[tree];
                let twist = body.tree.prescribed_twist(&body.state, link);
                (body.prescribed_velocity(link, at), twist.angular)
            }
            Role::Prescribed => match m.set.get(self.handle).filter(|rb| rb.is_kinematic()) {
                Some(rb) => {
                    let (linear, angular, com) = prescribed_twist(rb, m.h);
                    (linear + angular.cross(&(at - com)), angular)
                }
                None => return 0.0,
            },
            Role::Free(_) | Role::Absent => return 0.0,
        };
        sign * (linear.dot(&slope.linear) + angular.dot(&slope.angular))
    }

    /// Largest rate per unit of one of [`Self::columns`] that a coordinate of this slope's size could have
    /// in any direction.
    pub(super) fn size(&self, m: Movers<'_>, at: &Point3<f64>, slope: &Slope) -> f64 {
        let (linear, angular) = (slope.linear.norm(), slope.angular.norm());
        match self.role {
            Role::Free(number) => linear.max(linear * m.bodies.arm(number, at).norm() + angular),
            Role::Link { tree, link } => {
                let body = &m.trees[tree];
                let columns = body.state.columns();
                let arm = at.coords - body.state.reference();
                let rates = body.row_path(link).iter().map(|&k| {
                    columns[k].at(&arm).norm() * linear + columns[k].angular.norm() * angular
                });
                rates.fold(0.0, f64::max)
            }
            Role::Absent | Role::Prescribed => 0.0,
        }
    }

    /// Appends the rate of a coordinate per unit of each of [`Self::columns`]: at the start of the step, or for a
    /// free body after it moved with its parts of `v_plus` and then of the correction `w`, per unit of w.
    pub(super) fn push_row(
        &self,
        m: Movers<'_>,
        Along { at, slope, sign }: Along<'_>,
        [v_plus, w]: [&[f64]; 2],
        out: &mut Vec<f64>,
    ) {
        let start = out.len();
        match self.role {
            Role::Free(number) => {
                let body = &m.bodies.free()[number];
                let (shift, turn) = body.twist(w);
                let com = m.bodies.com(number) + (body.twist(v_plus).0 + shift) * m.h;
                let moment = (at - com).cross(&slope.linear) + slope.angular;
                let moment = per_rotation_vector(&moment, &(turn * m.h));
                out.extend(body.axes().map(|axis| {
                    if axis < 3 {
                        slope.linear[axis]
                    } else {
                        moment[axis - 3]
                    }
                }));
            }
            Role::Link { tree, link } => {
                let body = &m.trees[tree];
                let columns = body.state.columns();
                let arm = at.coords - body.state.reference();
                out.extend(body.row_path(link).iter().map(|&k| {
                    let column = &columns[k];
                    column.at(&arm).dot(&slope.linear) + column.angular.dot(&slope.angular)
                }));
            }
            Role::Absent | Role::Prescribed => {}
        }
        for x in &mut out[start..] {
            *x *= sign;
        }
    }
}

/// Where a body that moves as prescribed will be.
fn next_prescribed(rb: &RigidBody, h: f64) -> Isometry3<f64> {
    match rb.body_type() {
        RigidBodyType::KinematicPositionBased => isometry(rb.next_position()),
        RigidBodyType::KinematicVelocityBased => {
            let (linear, angular, _) = prescribed_twist(rb, h);
            let com = point(rb.local_center_of_mass());
            moved(&isometry(rb.position()), &com, [&linear, &angular], h)
        }
        _ => isometry(rb.position()),
    }
}
