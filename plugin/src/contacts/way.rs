//! Two parts of colliders on their way through a step.

use crate::base::convert::{isometry, point, real, to_pose, to_real, vector};
use crate::base::pose::moved;
use crate::base::tolerances;
use crate::contacts::sight::{Sight, nearer};
use crate::detect::polyhedra::{Pair, face_under};
use crate::read::world::World;
use nalgebra::{Isometry3, Point3, Vector3};
use rapier::geometry::{ContactData, ContactManifoldData};
use rapier::parry::query::PersistentQueryDispatcher;
use rapier::parry::shape::{Shape, ShapeType};
use rapier::prelude::*;

/// The way of one part of a collider through the step.
pub(crate) struct Way {
    body: Isometry3<f64>,
    local_com: Point3<f64>,
    com: Point3<f64>,
    /// Linear velocity of the centre of mass [m/s] and angular velocity [rad/s].
    twist: [Vector3<f64>; 2],
    /// The part in the axes of the body.
    part: Isometry3<f64>,
    /// The farthest point of the body from its centre of mass \[m\].
    extent: f64,
}

impl Way {
    pub(crate) fn of(
        world: &World<'_>,
        collider: &Collider,
        part: Option<&Pose>,
        body: Option<RigidBodyHandle>,
        twist: [Vector3<f64>; 2],
    ) -> Self {
        let part = part.map_or_else(Isometry3::identity, isometry);
        let pose = isometry(collider.position());
        let rb = body.and_then(|body| world.bodies.get(body));
        let place = rb.map_or(pose, |rb| isometry(rb.position()));
        let local_com = rb.map_or_else(Point3::origin, |rb| point(rb.local_center_of_mass()));
        Self {
            body: place,
            local_com,
            com: place * local_com,
            twist,
            part: place.inv_mul(&pose) * part,
            extent: rb.map_or(0.0, |rb| real(rb.mass_properties().max_extent())),
        }
    }

    fn at(&self, time: f64) -> Isometry3<f64> {
        let [linear, angular] = &self.twist;
        moved(&self.body, &self.local_com, [linear, angular], time) * self.part
    }

    /// Whether it turns.
    pub(crate) fn turns(&self) -> bool {
        self.twist[1] != Vector3::zeros()
    }

    /// The centre of mass of the body after a while as the body of another way sees it that does not turn, in the world at
    /// the start.
    fn seen_from(&self, other: &Self, time: f64) -> Vector3<f64> {
        self.com.coords + self.shift(time) - other.shift(time)
    }

    /// How far the centre of mass goes \[m\].
    pub(crate) fn shift(&self, time: f64) -> Vector3<f64> {
        self.twist[0] * time
    }

    /// Velocity of the body's point at `at` when the centre of mass is where it is after `time`.
    pub(crate) fn velocity(&self, at: &Point3<f64>, time: f64) -> Vector3<f64> {
        let [linear, angular] = &self.twist;
        linear + angular.cross(&(at - self.com - self.shift(time)))
    }

    /// The most that turning moves a point of the part [m/s].
    fn turning(&self, shape: &dyn Shape) -> f64 {
        let arm = match shape.as_ball() {
            // A ball about the centre of mass stays where it is; one beside it moves on a circle.
            Some(_) => (self.part.translation.vector - self.local_com.coords).norm(),
            None => self.extent,
        };
        self.twist[1].norm() * arm
    }
}

/// Two convex parts on their ways.
pub(crate) struct Meeting<'a> {
    pub(crate) shapes: [&'a dyn Shape; 2],
    pub(crate) ways: &'a [Way; 2],
    /// The skins of both colliders \[m\].
    pub(crate) skin: f64,
    /// Gaps up to which points are looked for \[m\].
    pub(crate) reach: f64,
    pub(crate) dispatcher: &'a dyn PersistentQueryDispatcher<ContactManifoldData, ContactData>,
}

/// Where two parts lie in the world.
pub(crate) struct Poses {
    pub(crate) ends: [Isometry3<f64>; 2],
    /// Unit normal from the first to the second.
    pub(crate) normal: Vector3<f64>,
}

impl Meeting<'_> {
    /// Finds the points of both at a time. None where the dispatcher has no answer.
    pub(crate) fn at(&self, time: f64, found: &mut ContactManifold) -> Option<Poses> {
        let [a, b] = self.ways;
        let ends = [a.at(time), b.at(time)];
        found.points.clear();
        let answer = self.dispatcher.contact_manifold_convex_convex(
            &to_pose(&ends[0].inv_mul(&ends[1])),
            self.shapes[0],
            self.shapes[1],
            None,
            None,
            to_real(self.reach + self.skin),
            found,
        );
        let normal = ends[0].rotation * vector(found.local_n1);
        answer.is_ok().then_some(Poses { ends, normal })
    }

    /// How the two are at a time. The points of a manifold are the closest where their features face each other; else the
    /// axis that separates the two says less than their distance.
    pub(crate) fn look(&self, time: f64, slack: f64, found: &mut ContactManifold) -> Option<Sight> {
        let poses = self.at(time, found)?;
        let [a, b] = &poses.ends;
        let nearer = |a: &&TrackedContact<_>, b: &&TrackedContact<_>| a.dist.total_cmp(&b.dist);
        let faced = found.points.iter().min_by(nearer);
        let pose = to_pose(&a.inv_mul(b));
        // Polyhedra that overlap have no distance.
        let is_known = faced.is_some_and(|near| {
            near.dist <= 0.0 || !self.shapes.iter().all(|shape| is_polyhedron(*shape))
        });
        let closest = match is_known {
            true => None,
            false => (self.dispatcher)
                .contact(&pose, self.shapes[0], self.shapes[1], Real::MAX)
                .ok()
                .flatten(),
        };
        let sight = |normal: Vector3<f64>, ends: [Point3<f64>; 2], faces| {
            let apart =
                self.ways[1].velocity(&ends[1], time) - self.ways[0].velocity(&ends[0], time);
            Sight {
                time,
                gap: (ends[1] - ends[0]).dot(&normal) - self.skin,
                rate: apart.dot(&normal),
                normal,
                ends,
                faces,
                falls: false,
            }
        };
        let by_faces = faced.map(|near| {
            let ends = [a * point(near.local_p1), b * point(near.local_p2)];
            sight(poses.normal, ends, true)
        });
        let by_distance = closest.map(|near| {
            let pair = Pair {
                pos12: &pose,
                shapes: self.shapes,
                constraints: [None; 2],
            };
            let Some(facing) = pair.facing(&vector(near.normal1)) else {
                let ends = [a * point(near.point1), b * point(near.point2)];
                return sight(a.rotation * vector(near.normal1), ends, false);
            };
            let (of_flat, sign) = [(a, 1.0), (b, -1.0)][facing.flat];
            let low = of_flat * facing.low;
            let below = of_flat * facing.below(&facing.low).1;
            let ends = [[below, low], [low, below]][facing.flat];
            sight(of_flat.rotation * facing.normal() * sign, ends, false)
        });
        match (by_faces, by_distance) {
            (Some(faces), Some(distance))
                if (distance.gap - faces.gap).abs() > slack && distance.gap > slack =>
            {
                Some(distance)
            }
            (Some(faces), _) => Some(faces),
            (None, distance) => distance,
        }
    }

    /// How the two are within `h` when their gap first falls to `floor`, else when they are closest, both to `slack` \[m\]. None
    /// where they only recede. At most a thickness of the shapes lies between two poses.
    pub(crate) fn closest(
        &self,
        h: f64,
        floor: f64,
        slack: f64,
        found: &mut ContactManifold,
    ) -> Option<Sight> {
        let count = self.poses(h)?;
        let mut closest: Option<Sight> = None;
        let mut low = self.look(0.0, slack, found)?;
        for k in 1..=count {
            let now = self.look(h * f64::from(k) / f64::from(count), slack, found)?;
            let recedes = now.rate * h > slack;
            let is_last = k == count && !recedes;
            if now.gap < floor || recedes && low.rate * h <= slack {
                let sight = self.turn([low, now], h, floor, slack, found)?;
                if sight.falls {
                    return Some(sight);
                }
                closest = nearer(closest, sight);
            } else if is_last {
                closest = nearer(closest, now);
            }
            low = now;
        }
        closest
    }

    /// How the two are between two times when they cease to approach each other, or before when their gap falls to
    /// `floor`.
    fn turn(
        &self,
        [mut low, mut high]: [Sight; 2],
        h: f64,
        floor: f64,
        slack: f64,
        found: &mut ContactManifold,
    ) -> Option<Sight> {
        // Halves the time between two poses down to the round-off of f32 (twice as far, and `cylinders_slide_over_flush_tiles`
        // fails).
        for _ in 0..f32::MANTISSA_DIGITS {
            if high.gap < floor && low.gap <= floor + slack {
                break;
            }
            let now = self.look(0.5 * (low.time + high.time), slack, found)?;
            if now.gap >= floor && (now.rate * h).abs() <= slack {
                return Some(now);
            }
            let is_after = now.gap < floor || now.rate > 0.0;
            *(if is_after { &mut high } else { &mut low }) = now;
        }
        low.falls = high.gap < floor;
        Some(if low.falls { low } else { low.between(&high) })
    }

    /// The outward normal of the face of the one part, of a body that does not turn, over which the whole body of the other
    /// part stays within `h`: whatever they are like in between, they meet by this face, to a depth \[m\]. Of the faces it is
    /// the one that looks along `outward` best.
    pub(crate) fn face_below(
        &self,
        moved: usize,
        outward: &Vector3<f64>,
        h: f64,
        depth: f64,
    ) -> Option<Vector3<f64>> {
        let [firm, other] = [&self.ways[1 - moved], &self.ways[moved]];
        if firm.turns() {
            return None;
        }
        let centres = [0.0, h].map(|time| other.seen_from(firm, time));
        let shape = self.shapes[1 - moved];
        face_under(shape, &firm.at(0.0), outward, centres, other.extent, depth)
    }

    /// At how many poses the two are looked at, so that neither passes the other in between.
    fn poses(&self, h: f64) -> Option<u32> {
        let is_asked = |shape: &dyn Shape| {
            !matches!(
                shape.shape_type(),
                ShapeType::Voxels | ShapeType::HalfSpace | ShapeType::Custom
            )
        };
        if !self.shapes.into_iter().all(is_asked) {
            return None;
        }
        let thin = self.shapes.map(|shape| real(shape.ccd_thickness()));
        let thin = thin.into_iter().filter(|thickness| *thickness > 0.0);
        let thin = thin.fold(f64::INFINITY, f64::min);
        let [a, b] = self.ways;
        let turning = a.turning(self.shapes[0]) + b.turning(self.shapes[1]);
        let linear = (b.twist[0] - a.twist[0]).norm();
        let poses = (h * (linear + turning) / thin).ceil();
        (poses <= tolerances::MOST_PARTS).then(|| poses.max(1.0) as u32)
    }
}

/// Whether the manifolds of a shape are those of an axis that separates it.
pub(crate) fn is_polyhedron(shape: &dyn Shape) -> bool {
    matches!(
        shape.shape_type(),
        ShapeType::Cuboid | ShapeType::Triangle | ShapeType::ConvexPolyhedron
    )
}

/// Calls `f` with a part of a shape, or with the shape if it has none.
pub(crate) fn with_part(shape: &dyn Shape, part: u32, f: &mut dyn FnMut(&dyn Shape)) {
    if let Some(field) = shape.as_heightfield() {
        if let Some(triangle) = field.triangle_at_id(part) {
            f(&triangle);
        }
    } else if let Some(parts) = shape.as_composite_shape() {
        parts.map_part_at(part, &mut |_, part, _| f(part));
    } else {
        f(shape);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::fresh::FreshManifolds;
    use nalgebra::{Translation3, UnitQuaternion};
    use rapier::parry::query::DefaultQueryDispatcher;
    use rapier::parry::shape::{Ball, Capsule, Cuboid};

    /// Bodies that fall on a plate, turning: over its middle they meet it by its upper face, and [`Meeting::face_below`] says so;
    /// near its sides it doesn't.
    #[test]
    fn what_stays_over_a_face_meets_that_face() {
        let size = |x: f64, y: f64, z: f64| Vector::new(to_real(x), to_real(y), to_real(z));
        let plate = Cuboid {
            half_extents: size(2.0, 2.0, 0.2),
        };
        let cuboid = Cuboid {
            half_extents: size(0.3, 0.2, 0.1),
        };
        let dispatcher = FreshManifolds::before(DefaultQueryDispatcher);
        let (h, slack) = (1.0 / 60.0, 2e-5);
        let mut counts = [0; 3];
        for k in 0..3000_u32 {
            let part = |by: u32| f64::from(k / by % 17) / 8.0 - 1.0;
            let turn = UnitQuaternion::from_scaled_axis(Vector3::new(part(1), part(5), part(11)));
            let at = Translation3::new(2.3 * part(3), 2.3 * part(7), 0.6);
            let way = |body, twist, extent| Way {
                body,
                local_com: Point3::origin(),
                com: body * Point3::origin(),
                twist,
                part: Isometry3::identity(),
                extent,
            };
            let linear = Vector3::new(part(13), part(2), -12.0 - 6.0 * part(19));
            let angular = Vector3::new(part(23), part(29), part(17)) * 4.0;
            let body = Isometry3::from_parts(at, turn);
            let ways = [
                way(Isometry3::identity(), [Vector3::zeros(); 2], 0.0),
                way(body, [linear, angular], real(cuboid.half_extents.length())),
            ];
            let (ball, capsule) = (
                Ball::new(to_real(0.3)),
                Capsule::new_x(to_real(0.25), to_real(0.1)),
            );
            let all: [&dyn Shape; 3] = [&cuboid, &ball, &capsule];
            let meeting = Meeting {
                shapes: [&plate, all[k as usize % 3]],
                ways: &ways,
                skin: 0.0,
                reach: 0.05,
                dispatcher: &dispatcher,
            };
            let below = meeting.face_below(1, &Vector3::z(), h, slack);
            let sight = meeting.closest(h, -slack, slack, &mut ContactManifold::new());
            let is_inside = at.vector.xy().amax() < 1.5;
            assert!(below.is_some() || !is_inside, "{k}");
            counts[usize::from(below.is_some())] += 1;
            if let (Some(below), Some(sight)) = (below, sight) {
                assert_eq!(below, Vector3::z());
                // Parry misses the normal by so much where they nearly touch.
                assert!((sight.normal - below).norm() < 1e-2, "{k}: {sight:?}");
                counts[2] += usize::from(sight.falls);
            }
        }
        assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
    }
}
