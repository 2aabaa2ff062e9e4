//! Where the eye of the first picture is, and what it follows.

#![allow(non_snake_case)] // X_WB is the pose of B in W

use crate::bounds::Extent;
use crate::options::UpAxis;
use crate::track::Track;
use nalgebra::{Isometry3, Point3, Vector3};
use re_sdk_types::archetypes::Mesh3D;
use re_sdk_types::datatypes::Vec3D;
use stickslip_record::{BodyRecord, Geometry, JointMotion, SceneRecord};

/// Tangent of half the viewer's vertical field of view, 55 degrees.
const TANGENT: f64 = 0.5206;
/// Width of the view by its height, in the layout of a window of 16:9.
const ASPECT: f64 = 1.33;
/// Share of the view that the bounding box of the scene fills; forces reach beyond it.
const FILL: f64 = 0.7;
/// How far around a hand and its objects the picture reaches, by the largest half side of their bounding box.
const SURROUNDINGS: f64 = 2.0;
/// A ground farther below the scene than this, by its size, stays out of the picture.
const FAR_GROUND: f64 = 4.0;
/// The viewer looks at an entity that it begins to follow from this many radii of its bounding sphere.
const RADII: f64 = 1.5;

/// The eye of the first picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Eye {
    /// What it looks at, in the world \[m\].
    pub target: Point3<f64>,
    /// From there to the eye \[m\].
    pub away: Vector3<f64>,
    /// The body that it follows.
    pub follow: Option<usize>,
}

impl Eye {
    /// The eye from which the bounding box of the scene, or of the runs side by side, fills a given share of the view.
    /// `poses` are those of the scene as `track` shows it. O(shapes).
    pub fn of(
        (scene, poses): (&SceneRecord, &[Isometry3<f64>]),
        extent: &Extent,
        up: UpAxis,
        (track, tracks): (Option<&Track>, &[Track]),
    ) -> Self {
        let (low, high) = room(scene, poses, extent);
        let offsets = || tracks.iter().map(|track| track.offset);
        let own = track.map_or_else(Vector3::zeros, |track| track.offset);
        let (low, high) = offsets().fold((low, high), |(least, most), offset| {
            (
                least.inf(&(low + offset - own)),
                most.sup(&(high + offset - own)),
            )
        });
        let row = match tracks {
            [first, second, ..] => second.offset - first.offset,
            _ => Vector3::zeros(),
        };
        let direction = direction(scene, up, &row);
        let half = (high - low) / 2.0;
        Self {
            target: Point3::from((low + high) / 2.0),
            away: direction * distance(&half, &direction, &up.vector()),
            follow: scene.view.follow.or_else(|| match tracks {
                [] => only_piece(scene),
                _ => None,
            }),
        }
    }

    /// An invisible thing whose bounding box makes the viewer, once it follows it, keep the eye where it is; in the axes of
    /// the body at the pose `X_WB`.
    pub fn anchor(&self, X_WB: &Isometry3<f64>) -> Mesh3D {
        let reach = Vector3::repeat(self.away.norm() / RADII / 3f64.sqrt());
        let ends = [self.target - reach, self.target + reach];
        let ends = ends.map(|end| X_WB.inverse_transform_point(&end).cast::<f32>());
        Mesh3D::new(ends.map(|end| Vec3D(end.coords.into())))
            .with_triangle_indices([[0, 1, 1]])
            .with_vertex_normals([Vec3D([0.0, 0.0, 1.0]); 2])
    }
}

/// The bounding box that the picture should show: of what moves, of where it falls to, and of where it swings to. Of a hand and
/// its objects only the surroundings, since an arm may be many times as large.
fn room(
    scene: &SceneRecord,
    poses: &[Isometry3<f64>],
    extent: &Extent,
) -> (Vector3<f64>, Vector3<f64>) {
    let middle = extent.center.coords;
    let (mut low, mut high) = (middle - extent.half, middle + extent.half);
    let is_object = |body: &BodyRecord| body.moves && body.robot.is_none();
    if scene.bodies.iter().any(is_object) && scene.bodies.iter().any(|body| body.is_end) {
        let hand = Extent::of_those(scene, poses, |body| body.is_end || is_object(body));
        if let Some(hand) = hand {
            let reach = Vector3::repeat(SURROUNDINGS * hand.half.max());
            low = low.sup(&(hand.center.coords - reach));
            high = high.inf(&(hand.center.coords + reach));
        }
        return (low, high);
    }
    if scene.anchored {
        let swinging = scene.joints.iter().filter(|joint| {
            joint.motion == JointMotion::Turning
                && scene
                    .bodies
                    .get(joint.body)
                    .is_some_and(|b| b.robot.is_none())
        });
        let (least, most) = (low, high);
        for joint in swinging {
            let Some(X_WB) = poses.get(joint.body) else {
                continue;
            };
            // Across the vertical through the joint.
            let anchor = (X_WB * Point3::from(joint.anchor)).coords;
            let up = scene.gravity.try_normalize(0.0).unwrap_or_default();
            let twice = 2.0 * (anchor - up * anchor.dot(&up));
            let mirror = |p: &Vector3<f64>| twice - p + 2.0 * up * p.dot(&up);
            for corner in [mirror(&least), mirror(&most)] {
                (low, high) = (low.inf(&corner), high.sup(&corner));
            }
        }
    }
    let grounds = scene.bodies.iter().zip(poses);
    let grounds = grounds.filter(|(body, _)| !body.moves);
    for (body, X_WB) in grounds {
        for shape in &body.shapes {
            let Geometry::HalfSpace { normal } = shape.geometry else {
                continue;
            };
            let X_WS = X_WB * shape.pose;
            let normal = X_WS * normal;
            let height = (middle - X_WS.translation.vector).dot(&normal);
            if height > 0.0 && height < FAR_GROUND * extent.size {
                let below = middle - height * normal;
                (low, high) = (low.inf(&below), high.sup(&below));
            }
        }
    }
    (low, high)
}

/// From the scene to the eye: as the scene says, else across a row of runs, else from the usual side. Of unit length.
fn direction(scene: &SceneRecord, up: UpAxis, row: &Vector3<f64>) -> Vector3<f64> {
    if let Some(stated) = scene.view.from.try_normalize(0.0) {
        return stated;
    }
    let side = match up {
        UpAxis::Y => Vector3::new(0.55, 0.0, 1.0),
        UpAxis::Z | UpAxis::AgainstGravity => Vector3::new(0.55, -1.0, 0.0),
    };
    let up = up.vector();
    let side = side.normalize();
    let across = up.cross(row).try_normalize(1e-9 * row.norm());
    let side = across.map_or(side, |across| across * across.dot(&side).signum());
    (side + 0.45 * up).normalize()
}

/// Distance from which a box of these half sides fills [`FILL`] of the view, seen along `-direction` \[m\].
fn distance(half: &Vector3<f64>, direction: &Vector3<f64>, up: &Vector3<f64>) -> f64 {
    let right = up.cross(direction).try_normalize(1e-9);
    let right = right.unwrap_or_else(|| {
        let other = Vector3::new(up.y, up.z, up.x);
        other.cross(direction).normalize()
    });
    let upright = direction.cross(&right);
    let corners = (0..8).map(|k| {
        let side = |axis: usize| if k >> axis & 1 == 0 { -1.0 } else { 1.0 };
        Vector3::new(side(0), side(1), side(2)).component_mul(half)
    });
    let needed = corners.map(|corner| {
        let high = corner.dot(&upright).abs() / (FILL * TANGENT);
        let wide = corner.dot(&right).abs() / (FILL * ASPECT * TANGENT);
        high.max(wide) + corner.dot(direction)
    });
    needed.fold(f64::MIN_POSITIVE, f64::max)
}

/// The heaviest body of the only piece that moves freely: a body, a robot, or bodies on joints; `None` where several do.
fn only_piece(scene: &SceneRecord) -> Option<usize> {
    if scene.anchored {
        return None;
    }
    let moving = || scene.bodies.iter().enumerate().filter(|(_, b)| b.moves);
    let robot = moving().next()?.1.robot.as_ref();
    let is_one = match robot {
        Some(_) => moving().all(|(_, body)| body.robot.as_ref() == robot),
        None => moving().count() <= 1 + scene.joints.len(),
    };
    let mass = |body: &BodyRecord| body.inertial.as_ref().map_or(0.0, |inertial| inertial.mass);
    let heaviest = moving().reduce(|a, b| if mass(b.1) > mass(a.1) { b } else { a });
    heaviest.filter(|_| is_one).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::scene;
    use stickslip_record::ShapeRecord;

    /// Where a corner is in the view: shares of its half height and half width.
    fn seen(corner: &Vector3<f64>, away: &Vector3<f64>) -> [f64; 2] {
        let direction = away.normalize();
        let right = Vector3::z().cross(&direction).normalize();
        let depth = away.norm() - corner.dot(&direction);
        let upright = direction.cross(&right);
        [
            corner.dot(&upright).abs() / (depth * TANGENT),
            corner.dot(&right).abs() / (depth * TANGENT * ASPECT),
        ]
    }

    /// A tower, a plate and a row fill the view to the same share, whichever side is the longest.
    #[test]
    fn the_box_fills_the_view() {
        let direction = direction(&SceneRecord::default(), UpAxis::Z, &Vector3::zeros());
        for half in [[0.1, 0.1, 3.0], [2.0, 2.0, 0.1], [0.5, 8.0, 0.5]] {
            let half = Vector3::from(half);
            let away = direction * distance(&half, &direction, &Vector3::z());
            let mut most = 0.0_f64;
            for k in 0..8 {
                let sign = |axis: usize| if k >> axis & 1 == 0 { -1.0 } else { 1.0 };
                let corner = Vector3::new(sign(0), sign(1), sign(2)).component_mul(&half);
                let [high, wide] = seen(&corner, &away);
                most = most.max(high).max(wide);
            }
            assert!((most - FILL).abs() < 1e-12, "{half}: {most}");
        }
    }

    /// The eye looks across a row of runs, from the side that it would have looked from at one.
    #[test]
    fn a_row_is_seen_from_its_side() {
        for row in [Vector3::y(), -Vector3::y(), Vector3::x()] {
            let direction = direction(&SceneRecord::default(), UpAxis::Z, &row);
            assert!(direction.dot(&row).abs() < 1e-12 && direction.z > 0.0);
            assert!(direction.dot(&Vector3::new(0.55, -1.0, 0.0)) > 0.0);
        }
    }

    /// A single body, or a single robot, is followed; two bodies are not, nor what a joint holds to the ground.
    #[test]
    fn the_only_piece_that_moves_is_followed() {
        let mut scene = scene();
        let body = BodyRecord {
            moves: true,
            robot: None,
            ..scene.bodies[2].clone()
        };
        scene.joints.clear();
        scene.bodies = vec![BodyRecord::default(), body.clone()];
        assert_eq!(only_piece(&scene), Some(1));
        scene.anchored = true;
        assert_eq!(only_piece(&scene), None);
        scene.anchored = false;
        scene.bodies.push(body);
        assert_eq!(only_piece(&scene), None);
        for body in &mut scene.bodies {
            body.robot = Some("a1".to_owned());
        }
        assert!(only_piece(&scene).is_some());
    }

    /// The picture reaches down to the ground below, and not beyond the surroundings of a hand.
    #[test]
    fn the_room_is_what_matters() {
        let body = |moves: bool, geometry: Geometry, x: f64| BodyRecord {
            moves,
            shapes: vec![ShapeRecord {
                geometry,
                pose: Isometry3::translation(x, 0.0, 0.0),
                color: [255; 4],
            }],
            ..BodyRecord::default()
        };
        let ball = |x: f64| body(true, Geometry::Sphere { radius: 0.1 }, x);
        let normal = Vector3::z();
        let ground = body(false, Geometry::HalfSpace { normal }, 0.0);
        let mut scene = SceneRecord {
            bodies: vec![ground, ball(0.0)],
            ..SceneRecord::default()
        };
        let poses = [0.0, 0.5, 0.5].map(|z| Isometry3::translation(0.0, 0.0, z));
        let extent = Extent::of(&scene, &poses);
        let (low, high) = room(&scene, &poses, &extent);
        assert!(low.z.abs() < 1e-12 && (high.z - 0.6).abs() < 1e-12);

        let mut arm = ball(5.0);
        arm.robot = Some("arm".to_owned());
        scene.bodies.push(arm);
        scene.bodies[1].is_end = true;
        let extent = Extent::of(&scene, &poses);
        let (low, high) = room(&scene, &poses, &extent);
        assert!((high.x - 0.2).abs() < 1e-12 && low.x > -0.3, "{low} {high}");
    }
}
