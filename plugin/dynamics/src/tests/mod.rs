//! Tests of the tree dynamics: closed forms, and properties on seeded random trees against
//! independent constructions.

mod closed_forms;
mod floating;
mod moving_parts;
mod random_trees;
mod refusals;
mod rooms;
mod solve;

use super::*;
use nalgebra::{DMatrix, DVector, Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};
use stickslip_core::mass::MassFactor;
use stickslip_random::Random;

pub(super) const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

/// What the tests draw.
pub(super) trait Draw {
    fn vector(&mut self) -> Vector3<f64>;
    fn pose(&mut self) -> Isometry3<f64>;
    fn fill(&mut self, x: &mut [f64], scale: f64);
    /// A positive definite inertia that a body can have: `tr(E) 1 - E` with E definite.
    fn inertia(&mut self) -> LinkInertia;
}

impl Draw for Random {
    fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.symmetric())
    }

    fn pose(&mut self) -> Isometry3<f64> {
        let turn = UnitQuaternion::from_scaled_axis(self.vector() * 2.0);
        Isometry3::from_parts(Translation3::from(self.vector() * 0.5), turn)
    }

    fn fill(&mut self, x: &mut [f64], scale: f64) {
        x.iter_mut().for_each(|x| *x = scale * self.symmetric());
    }

    fn inertia(&mut self) -> LinkInertia {
        let a = Matrix3::from_fn(|_, _| self.symmetric());
        let second = (a * a.transpose() + Matrix3::identity() * 0.1) * 0.05;
        let inertia = Matrix3::identity() * second.trace() - second;
        LinkInertia {
            gravity_scale: 1.0 + 0.5 * self.symmetric(),
            ..LinkInertia::new(1.5 + self.symmetric(), self.vector() * 0.3, inertia)
        }
    }
}

/// The roots that random trees stand on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Root {
    Fixed,
    Floating,
    /// Six free axes with turned frames: no shortened code.
    Turned,
    Hinge,
}

pub(super) const ROOTS: [Root; 4] = [Root::Fixed, Root::Floating, Root::Turned, Root::Hinge];

/// Every kind of joint, locked ones included, on random frames.
pub(super) fn random_tree(random: &mut Random, root: Root, links: usize) -> Tree {
    let specs: Vec<LinkSpec> = (0..links)
        .map(|link| {
            let (frame1, frame2) = (random.pose(), random.pose());
            let mut joint = JointSpec::fixed(frame1, frame2);
            match (link, root) {
                (0, Root::Fixed) => {}
                (0, Root::Floating) => joint = JointSpec::floating(),
                (0, Root::Turned) => (joint.linear, joint.angular) = ([true; 3], [true; 3]),
                (0, Root::Hinge) => joint.angular[1] = true,
                _ => match random.below(7) {
                    0 => {}
                    1 => joint.linear[random.below(3)] = true,
                    2 => joint.angular = [true; 3],
                    3 => {
                        joint.linear = [random.symmetric() > 0.0, true, random.symmetric() > 0.0];
                        joint.angular[random.below(3)] = true;
                    }
                    4 => (joint.linear, joint.angular) = ([false, true, true], [true; 3]),
                    _ => joint.angular[random.below(3)] = true,
                },
            }
            LinkSpec {
                parent: (link > 0).then(|| random.below(link)),
                joint,
                inertia: random.inertia(),
            }
        })
        .collect();
    Tree::new(&specs).unwrap()
}

/// A state in general position, its root moving if it is fixed.
pub(super) fn random_state(random: &mut Random, tree: &Tree) -> TreeState {
    let mut state = tree.new_state();
    for position in state.positions_mut() {
        position.linear = random.vector();
        position.angle = 2.0 * random.symmetric();
        position.rotation = UnitQuaternion::from_scaled_axis(random.vector() * 2.0);
    }
    random.fill(state.velocity_mut(), 2.0);
    state.root_velocity = Twist::new(random.vector(), random.vector());
    update(tree, &mut state);
    state
}

pub(super) fn update(tree: &Tree, state: &mut TreeState) {
    tree.forward_kinematics(state);
    tree.update_velocities(state);
}

pub(super) fn bias(tree: &Tree, state: &mut TreeState, gravity: &Vector3<f64>) -> DVector<f64> {
    let mut out = vec![f64::NAN; tree.dim()];
    tree.bias(state, gravity, &mut out);
    DVector::from_vec(out)
}

/// `|a - b| <= tolerance (1 + |b|)`, entry by entry in the largest norm.
#[track_caller]
pub(super) fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    let size = 1.0 + b.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        // Negated so that NaN fails.
        assert!(
            (x - y).abs() <= tolerance * size,
            "entry {i}: {x} is not {y} (scale {size})"
        );
    }
}

/// The factored mass matrix with a given diagonal addition.
pub(super) fn factor(tree: &Tree, state: &mut TreeState, diagonal: &[f64]) -> MassFactor {
    let mut factor = MassFactor::new(tree.pattern().clone());
    tree.mass_matrix(state, diagonal, &mut factor);
    factor.factor().unwrap();
    factor
}

/// A link as a point or body with an inertia about its centre, on joint `joint`.
pub(super) fn link(
    parent: Option<usize>,
    joint: JointSpec,
    mass: f64,
    com: [f64; 3],
    inertia: [f64; 3],
) -> LinkSpec {
    let inertia = Matrix3::from_diagonal(&Vector3::from(inertia));
    LinkSpec {
        parent,
        joint,
        inertia: LinkInertia::new(mass, com.into(), inertia),
    }
}

pub(super) fn at(x: f64, y: f64, z: f64) -> Isometry3<f64> {
    Isometry3::translation(x, y, z)
}

/// Potential energy in uniform gravity, zero at the world origin, gravity scales included.
pub(super) fn potential_energy(tree: &Tree, state: &TreeState) -> f64 {
    let links = (0..tree.link_count()).filter(|&l| !tree.row_path(l).is_empty());
    links
        .map(|l| {
            let LinkInertia {
                mass,
                gravity_scale,
                ..
            } = *tree.link_inertia(l);
            -mass * gravity_scale * tree.link_com(state, l).dot(&GRAVITY)
        })
        .sum()
}

/// The mass matrix over all coordinates, prescribed ones included.
pub(super) fn dense(tree: &Tree, state: &mut TreeState) -> DMatrix<f64> {
    let m = tree.dim();
    let mut columns = vec![0.0; m * m];
    for (j, column) in columns.chunks_mut(m.max(1)).enumerate() {
        let mut unit = vec![0.0; m];
        unit[j] = 1.0;
        tree.mul_mass(state, &unit, column);
    }
    DMatrix::from_vec(m, m, columns)
}
