//! Planes of contacts where the motion of the step comes closest to them.
//!
//! A contact is a row by its tangent plane. Any plane between two convex shapes keeps them apart, but the one of the present
//! pose goes on beyond the feature that it touches: the near edge of the next tile has a plane tilted backwards, and a ball
//! that passes above that edge passes through the plane. So where a plane says that the motion closes it though the shapes
//! don't meet on their way, the row is that of the pose in which they come closest: this plane admits the motion, and keeps
//! the shapes apart whatever else becomes of it. The motion is that of the present velocities, held back by the contacts that
//! close earlier.

mod motion;

use crate::base::contact::{ContactPoint, Names};
use crate::base::convert::{point, real};
use crate::base::frame::Frame;
use crate::base::tolerances;
use crate::contacts::mend;
use crate::contacts::way::{Meeting, Way, with_part};
use crate::read::world::World;
use motion::{is_movable, moves, velocity};
use nalgebra::{Point3, Vector3};
use rapier::prelude::*;

/// The points of one manifold.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: usize,
    end: usize,
    /// What closes first comes first: by the gap \[m\], among closed ones by the approach [m/s].
    order: [f64; 2],
    /// The points in their place, from and to.
    fresh: Option<[usize; 2]>,
}

/// Finds them; buffers are kept.
#[derive(Default)]
pub(crate) struct Ghosts {
    runs: Vec<Run>,
    suspects: Vec<usize>,
    /// By the body's index: how many others it has contacts with.
    partners: Vec<u32>,
    /// Bodies with a suspect, by index, sorted.
    bodies: Vec<u32>,
    /// The runs of those, by the body's index, sorted.
    of_bodies: Vec<(u32, usize)>,
    fresh: Vec<ContactPoint>,
    /// All points after replacement.
    all: Vec<ContactPoint>,
    probe: ContactManifold,
}

impl std::fmt::Debug for Ghosts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ghosts").finish_non_exhaustive()
    }
}

/// The contacts of a step, and what moves their bodies.
#[derive(Clone, Copy)]
struct Scene<'a> {
    world: &'a World<'a>,
    points: &'a [ContactPoint],
    frame: Frame,
    gravity: &'a Vector3<f64>,
}

impl Ghosts {
    /// Replaces the contacts in `points` that the motion of the step closes by their planes alone. O(points), and a few
    /// queries for each that approaches what does not give way.
    pub(crate) fn replace(
        &mut self,
        world: &World<'_>,
        points: &mut Vec<ContactPoint>,
        frame: Frame,
        gravity: &Vector3<f64>,
    ) {
        self.runs.clear();
        self.suspects.clear();
        self.fresh.clear();
        let mut first = 0;
        self.count_partners(points);
        for run in points.chunk_by(|a, b| a.manifold == b.manifold && a.colliders == b.colliders) {
            let end = first + run.len();
            let (order, closes) = look_at(world, run, frame);
            if closes && self.is_known(world, run[0].bodies) {
                self.suspects.push(self.runs.len());
            }
            self.runs.push(Run {
                first,
                end,
                order,
                fresh: None,
            });
            first = end;
        }
        if self.suspects.is_empty() {
            return;
        }
        self.find_neighbours(points);
        let runs = &self.runs;
        self.suspects
            .sort_unstable_by(|&a, &b| compare(&runs[a].order, &runs[b].order).then(a.cmp(&b)));
        for k in 0..self.suspects.len() {
            let number = self.suspects[k];
            let from = self.fresh.len();
            let scene = Scene {
                world,
                points,
                frame,
                gravity,
            };
            if self.move_plane(scene, number).is_some() {
                self.runs[number].fresh = Some([from, self.fresh.len()]);
            }
        }
        if self.fresh.is_empty() {
            return;
        }
        self.all.clear();
        for run in &self.runs {
            self.all.extend_from_slice(match run.fresh {
                Some([from, to]) => &self.fresh[from..to],
                None => &points[run.first..run.end],
            });
        }
        std::mem::swap(points, &mut self.all);
    }

    /// How many others each body has contacts with.
    fn count_partners(&mut self, points: &[ContactPoint]) {
        self.partners.clear();
        for run in points.chunk_by(|a, b| a.bodies == b.bodies) {
            for body in run[0].bodies.into_iter().flatten() {
                let index = body.into_raw_parts().0 as usize;
                if self.partners.len() <= index {
                    self.partners.resize(index + 1, 0);
                }
                self.partners[index] += 1;
            }
        }
    }

    /// Whether the way of two bodies is known well enough: one gives way to what does not, or both to each other alone.
    fn is_known(&self, world: &World<'_>, bodies: [Option<RigidBodyHandle>; 2]) -> bool {
        let [a, b] = bodies.map(|body| is_movable(world, body));
        let alone = |body: RigidBodyHandle| {
            let index = body.into_raw_parts().0 as usize;
            self.partners.get(index).is_none_or(|count| *count < 2)
        };
        a != b || a && bodies.into_iter().flatten().all(alone)
    }

    fn find_neighbours(&mut self, points: &[ContactPoint]) {
        let index = |body: RigidBodyHandle| body.into_raw_parts().0;
        self.bodies.clear();
        for &number in &self.suspects {
            let bodies = points[self.runs[number].first].bodies;
            self.bodies.extend(bodies.into_iter().flatten().map(index));
        }
        self.bodies.sort_unstable();
        self.bodies.dedup();
        self.of_bodies.clear();
        for (number, run) in self.runs.iter().enumerate() {
            for body in points[run.first].bodies.into_iter().flatten().map(index) {
                if self.bodies.binary_search(&body).is_ok() {
                    self.of_bodies.push((body, number));
                }
            }
        }
        self.of_bodies.sort_unstable();
    }

    /// How deep a body overlaps what does not give way \[m\], zero or less: as deep as on one tile it lies on the next.
    fn deepest(
        &self,
        world: &World<'_>,
        body: Option<RigidBodyHandle>,
        points: &[ContactPoint],
    ) -> f64 {
        let runs = self.runs_of(body).map(|run| &points[run.first..run.end]);
        let firm = runs.filter(|run| !run[0].bodies.iter().all(|body| is_movable(world, *body)));
        firm.flatten().map(ContactPoint::gap).fold(0.0, f64::min)
    }

    /// The manifolds of a body with a suspect.
    fn runs_of(&self, body: Option<RigidBodyHandle>) -> impl Iterator<Item = &Run> + Clone {
        let index = body.map_or(u32::MAX, |body| body.into_raw_parts().0);
        let start = self.of_bodies.partition_point(|(body, _)| *body < index);
        let runs = self.of_bodies[start..].iter();
        let runs = runs.take_while(move |(body, _)| *body == index);
        runs.map(|(_, number)| &self.runs[*number])
    }

    /// Where the motion of the step does not close a manifold: adds its points as they are when its two parts are closest.
    fn move_plane(&mut self, scene: Scene<'_>, number: usize) -> Option<()> {
        let Scene {
            world,
            points,
            frame,
            ..
        } = scene;
        let run = self.runs[number];
        let sample = &points[run.first];
        let handles = [sample.colliders[0]?, sample.colliders[1]?];
        let pair = (world.narrow_phase).contact_pair(handles[0], handles[1])?;
        let manifolds = pair.rigid()?.solver_manifolds();
        let manifold = manifolds.get(sample.manifold as usize)?;
        let [a, b] = [
            world.colliders.get(handles[0])?,
            world.colliders.get(handles[1])?,
        ];
        // What a hook made of the points holds at the present pose alone.
        let hooks = a.active_hooks() | b.active_hooks();
        if hooks.contains(ActiveHooks::MODIFY_SOLVER_CONTACTS) {
            return None;
        }
        let slack = slack(sample, frame);
        let ways = [0, 1].map(|k| {
            let body = sample.bodies[k];
            let (linear, angular, _) = self.held_back(scene, body, &run.order, slack);
            let parts = [manifold.subshape_pos1(), manifold.subshape_pos2()];
            Way::of(world, [a, b][k], parts[k], body, [linear, angular])
        });
        let closes = points[run.first..run.end].iter().any(|point| {
            let at = point.midpoint();
            let apart = ways[1].velocity(&at, 0.0) - ways[0].velocity(&at, 0.0);
            point.gap().max(0.0) + frame.h * apart.dot(&point.normal) < -slack
        });
        if !closes {
            return None;
        }
        let movable = sample.bodies.map(|body| is_movable(world, body));
        let moved = usize::from(movable[1]);
        let gaps = points[run.first..run.end].iter().map(ContactPoint::gap);
        let widest = gaps.fold(0.0, f64::max);
        let (mut probe, mut fresh) = (
            std::mem::take(&mut self.probe),
            std::mem::take(&mut self.fresh),
        );
        let body = sample.bodies[moved];
        let deepest = self.deepest(world, body, points);
        let outward = |point: &ContactPoint| match point.bodies[1] == body {
            true => point.normal,
            false => -point.normal,
        };
        let sign = if moved == 1 { 1.0 } else { -1.0 };
        let this = &*self;
        let lies_on = |normal: Vector3<f64>| {
            let runs = this.runs_of(body);
            let mut closed = runs.flat_map(|run| &points[run.first..run.end]);
            closed.any(|point| {
                point.gap() <= slack
                    && (outward(point) - normal * sign).norm() <= tolerances::SAME_DIRECTION
            })
        };
        probe.subshape1 = manifold.subshape1;
        probe.subshape2 = manifold.subshape2;
        let mut done = None;
        with_part(a.shape(), manifold.subshape1, &mut |first| {
            with_part(b.shape(), manifold.subshape2, &mut |second| {
                let meeting = Meeting {
                    shapes: [first, second],
                    ways: &ways,
                    skin: real(a.contact_skin()) + real(b.contact_skin()),
                    reach: widest + slack,
                    dispatcher: world.narrow_phase.query_dispatcher(),
                };
                let floor = deepest - slack;
                // Where a plane does not turn, the present points are as good.
                let shift = ways[1].shift(frame.h) - ways[0].shift(frame.h);
                let stays =
                    |normal: &Vector3<f64>| (normal - sample.normal).dot(&shift).abs() <= slack;
                let outward = sample.normal * sign;
                let below = meeting.face_below(moved, &outward, frame.h, -floor);
                if below.is_some_and(|normal| stays(&(normal * sign))) {
                    return;
                }
                let Some(sight) = meeting.closest(frame.h, floor, slack, &mut probe) else {
                    return;
                };
                // What it meets is a part of what it lies on, or stops it by the present plane.
                if sight.falls && !lies_on(sight.normal) {
                    return;
                }
                // The place of a contact on both of two that move is that of the present alone.
                if movable == [true; 2] && sight.gap <= slack {
                    return;
                }
                if stays(&sight.normal) {
                    return;
                }
                let mut new = ContactPoint {
                    normal: sight.normal,
                    surfaces: Default::default(),
                    ..*sample
                };
                if !mend::mend(&mut new) {
                    return;
                }
                let mut push = |ends: [Point3<f64>; 2], key| {
                    let ends = [ends[0] + new.normal * meeting.skin, ends[1]];
                    let at = nalgebra::center(&ends[0], &ends[1]);
                    let apart =
                        ways[1].velocity(&at, sight.time) - ways[0].velocity(&at, sight.time);
                    // The gap there, and from there the motion back to the start of the step along the plane.
                    let gap = (ends[1] - ends[0]).dot(&new.normal);
                    // An overlap that the body has already is no error of this contact.
                    let gap = gap.max(0.0) + (gap - deepest).min(0.0);
                    let gap = gap - apart.dot(&new.normal) * sight.time;
                    let at = at - ways[moved].shift(sight.time);
                    new.points = [-0.5, 0.5].map(|half| at + new.normal * (half * gap));
                    if mend::has_place(&new) {
                        new.key = key;
                        fresh.push(new);
                    }
                };
                done = Some(());
                if !sight.faces {
                    return push(sight.ends, sample.key);
                }
                let Some(poses) = meeting.at(sight.time, &mut probe) else {
                    return;
                };
                let number = sample.manifold as usize;
                let names = Names::of(handles, number, &probe);
                for (id, found) in probe.points.iter().enumerate() {
                    let ends = [
                        poses.ends[0] * point(found.local_p1),
                        poses.ends[1] * point(found.local_p2),
                    ];
                    push(ends, names.key(id));
                }
            });
        });
        self.probe = probe;
        self.fresh = fresh;
        done
    }
}

/// By gap, then by approach.
fn compare(a: &[f64; 2], b: &[f64; 2]) -> std::cmp::Ordering {
    a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
}

/// Overlap that counts as none \[m\].
pub(crate) fn slack(point: &ContactPoint, frame: Frame) -> f64 {
    let round_off = tolerances::ROUND_OFF * (frame.length_unit + point.points[0].coords.amax());
    tolerances::DEEPER * frame.left_overlap.max(round_off)
}

/// When the points of a manifold close, and whether their planes say that they do.
fn look_at(world: &World<'_>, run: &[ContactPoint], frame: Frame) -> ([f64; 2], bool) {
    let slack = slack(&run[0], frame);
    let [one, two] = [0, 1].map(|k| moves(world, run[0].bodies[k], frame.h));
    let mut order = [f64::INFINITY, 0.0];
    let mut closes = false;
    for point in run {
        let at = point.midpoint();
        let apart = velocity(&two, &at) - velocity(&one, &at);
        let along = apart.dot(&point.normal);
        let gap = point.gap().max(0.0);
        closes |= gap + frame.h * along < -slack;
        let own = if gap < slack { 0.0 } else { gap };
        order = [order[0].min(own), order[1].max(-along)];
    }
    (order, closes)
}
