//! The contact sets of the paper's grasp experiment [D15, sec. VII; experiments.md A1].
//!
//! Neighbours in a row of cubes touch face to face. Each corner of one face is tested against the
//! other face, which is two triangles, both ways; the two corners on the diagonal touch both
//! triangles, so the four corners give 1 + 2 + 2 + 1 contacts, 12 per pair. In the stress test of
//! the paper's footnote each of them stands three times, once per face of the corner.

use super::super::super::rapier::prelude::*;
use super::super::super::stickslip::{ContactPoint, ContactSource, Surface};
use super::super::stage::convert::isometry;
use nalgebra::{Isometry3, Point3, Vector3};

/// Which set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Set {
    /// Normals across the touching faces.
    Paper,
    /// Each corner contact with all three face normals of the corner.
    Triplicated,
}

impl Set {
    /// The set of that name; `None` is the engine's own.
    pub(in super::super) fn parse(word: &str) -> Option<Self> {
        match word {
            "paper" => Some(Self::Paper),
            "triplicated" => Some(Self::Triplicated),
            _ => None,
        }
    }
}

/// A cuboid of the row.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Cube {
    pub(in super::super) body: RigidBodyHandle,
    /// Pose of the cuboid in its body's axes.
    pub(in super::super) at: Isometry3<f64>,
    /// Half its sides \[m\].
    pub(in super::super) half: Vector3<f64>,
}

/// The corners of a face and how many triangles of the other face each touches.
const CORNERS: [([f64; 2], usize); 4] = [
    ([-1.0, -1.0], 1),
    ([1.0, -1.0], 2),
    ([-1.0, 1.0], 2),
    ([1.0, 1.0], 1),
];

/// Contacts between neighbours of a row of cubes, from their actual poses. A cube's -x face touches
/// the +x face of the one before it.
#[derive(Clone, Debug)]
pub(in super::super) struct PaperContacts {
    row: Vec<Cube>,
    set: Set,
    friction: f64,
}

impl PaperContacts {
    /// Contacts of a row in the order of x.
    pub(in super::super) fn new(row: Vec<Cube>, set: Set, friction: f64) -> Self {
        Self { row, set, friction }
    }

    /// Contacts of a corner of one face with the other face. `corner` is in units of the half
    /// sides; `key` numbers the contacts of the pair.
    fn add_corner(
        &self,
        pair: &Pair,
        corner: [f64; 2],
        key: &mut u64,
        out: &mut Vec<ContactPoint>,
    ) {
        let own = pair.corner(pair.own, corner);
        let other = pair.corner(1 - pair.own, corner);
        // From body 0 to body 1 of the pair: the touched face's normal, turned to point that way.
        let axes = [
            Vector3::x(),
            Vector3::y() * corner[0],
            Vector3::z() * corner[1],
        ];
        let kept = if self.set == Set::Paper { 1 } else { 3 };
        for (number, axis) in axes.iter().take(kept).enumerate() {
            let normal = pair.poses[1 - pair.own].rotation * axis;
            // The corner against the plane through the other body's face. The corner itself stays
            // where it is: only the distance along the normal is what the plane says.
            let gap = match (number, pair.own) {
                (_, 0) => (other - own).dot(&normal),
                (_, _) => (own - other).dot(&normal),
            };
            let mut points = [own, own];
            points[1 - pair.own] = if pair.own == 0 {
                own + normal * gap
            } else {
                own - normal * gap
            };
            let mut surfaces = [Surface::Corner; 2];
            surfaces[1 - pair.own] = Surface::Flat;
            let mut point = ContactPoint::in_f64(pair.bodies.map(Some), points, normal);
            point.surfaces = surfaces;
            point.friction = self.friction;
            point.key = *key;
            out.push(point);
            *key += 1;
        }
    }
}

/// Two neighbours while one's corners are tested against the other's face.
struct Pair {
    bodies: [RigidBodyHandle; 2],
    poses: [Isometry3<f64>; 2],
    half: [Vector3<f64>; 2],
    /// Whose corners are tested.
    own: usize,
}

impl Pair {
    /// A corner of the touching face of cube 0 (its +x face) or 1 (its -x face), in the world.
    fn corner(&self, cube: usize, [y, z]: [f64; 2]) -> Point3<f64> {
        let side = if cube == 0 { 1.0 } else { -1.0 };
        let half = self.half[cube];
        self.poses[cube] * Point3::new(side * half.x, y * half.y, z * half.z)
    }
}

impl ContactSource for PaperContacts {
    fn contacts(
        &mut self,
        bodies: &RigidBodySet,
        _colliders: &ColliderSet,
        _h: f64,
        out: &mut Vec<ContactPoint>,
    ) {
        let pose = |cube: &Cube| {
            bodies
                .get(cube.body)
                .map(|b| isometry(b.position()) * cube.at)
        };
        for (number, cubes) in self.row.windows(2).enumerate() {
            let (Some(first), Some(second)) = (pose(&cubes[0]), pose(&cubes[1])) else {
                continue;
            };
            let mut key = (number as u64) << 32;
            for own in [0, 1] {
                let pair = Pair {
                    bodies: [cubes[0].body, cubes[1].body],
                    poses: [first, second],
                    half: [cubes[0].half, cubes[1].half],
                    own,
                };
                for (corner, triangles) in CORNERS {
                    for _ in 0..triangles {
                        self.add_corner(&pair, corner, &mut key, out);
                    }
                }
            }
        }
    }
}
