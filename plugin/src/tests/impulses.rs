//! Impulses where rapier shows them, and the query dispatcher of the user's.

use super::{G, World, assert_close, num, vec3};
use crate::base::convert::real;
use crate::{ContactPipeline, Sleeping};
use rapier::parry::query::{DefaultQueryDispatcher, QueryDispatcher};
use rapier::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn cube(world: &mut World, x: f64, z: f64) -> (RigidBodyHandle, ColliderHandle) {
    let body = RigidBodyBuilder::dynamic().translation(vec3(x, 0.0, z));
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)).mass(num(2.0));
    let body = world.add(body, shape);
    (body, world.bodies[body].colliders()[0])
}

/// A stack of two at rest: its pairs carry two weights and one, in the same order of magnitude whoever is
/// asked, one step late; a pair that comes apart shows nothing any more.
#[test]
fn the_narrow_phase_shows_the_impulses_of_the_step_before() {
    let mut world = World::new(0.01);
    let ground = world.ground();
    let [(_, low), (top, high)] = [0.5, 1.5].map(|z| cube(&mut world, 0.0, z));
    let shown = |world: &World, a, b| {
        let pair = world.narrow_phase.contact_pair(a, b);
        pair.map_or(0.0, |pair| real(pair.total_impulse_magnitude()))
    };
    world.step();
    assert_eq!(shown(&world, ground, low), 0.0);
    for _ in 0..10 {
        let before = [(ground, low), (low, high)].map(|(a, b)| {
            let between = world.pipeline.contacts_between(a, b);
            between.map(|contact| contact.impulse[0]).sum::<f64>()
        });
        world.step();
        assert_close(shown(&world, ground, low), before[0], 1e-5);
        assert_close(shown(&world, low, high), before[1], 1e-5);
    }
    assert_close(shown(&world, ground, low), 4.0 * G * 0.01, 1e-4);
    // Rapier's solver, were it to go on, would start from them.
    let pair = world.narrow_phase.contact_pair(ground, low).unwrap();
    let points = pair.manifolds().iter().flat_map(|m| &m.points);
    let start: f64 = points.map(|point| real(point.data.warmstart_impulse)).sum();
    assert_close(start, 4.0 * G * 0.01, 1e-4);
    assert_close(shown(&world, low, high), 2.0 * G * 0.01, 1e-4);
    world.bodies[top].set_linvel(vec3(0.0, 0.0, 5.0), true);
    world.run(3);
    assert_eq!(shown(&world, low, high), 0.0);
    // Tangents, as in the contacts: a push of 3 N that sticking holds.
    let (pushed, side) = cube(&mut world, 5.0, 0.5);
    world.bodies[pushed].add_force(vec3(3.0, 0.0, 0.0), true);
    world.run(5);
    let pair = world.narrow_phase.contact_pair(ground, side).unwrap();
    let points = pair.manifolds().iter().flat_map(|m| &m.points);
    let tangential: f64 = points
        .map(|point| real(point.data.tangent_impulse.norm()))
        .sum();
    assert!(tangential > 0.029, "{tangential}");
}

/// Counts the distances and the manifolds of convex shapes it is asked for.
#[derive(Clone, Default)]
pub(super) struct Counting {
    distances: Arc<AtomicUsize>,
    manifolds: Arc<AtomicUsize>,
}

impl Counting {
    /// How many manifolds of convex shapes it was asked for.
    pub(super) fn manifolds(&self) -> usize {
        self.manifolds.load(Ordering::Relaxed)
    }
}

macro_rules! ask_parry {
    ($($name:ident($($arg:ident: $kind:ty),*) -> $out:ty;)*) => {
        $(fn $name(&self, $($arg: $kind),*) -> Result<$out, Unsupported> {
            DefaultQueryDispatcher.$name($($arg),*)
        })*
    };
}

use rapier::parry::query::details::NormalConstraints;
use rapier::parry::query::{
    ClosestPoints, Contact, ContactManifoldsWorkspace, NonlinearRigidMotion,
    PersistentQueryDispatcher, ShapeCastHit, ShapeCastOptions, ShapeDistance, ShapeIntersection,
    Unsupported,
};
use rapier::parry::shape::Shape;

impl QueryDispatcher for Counting {
    fn distance(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
    ) -> Result<ShapeDistance, Unsupported> {
        self.distances.fetch_add(1, Ordering::Relaxed);
        DefaultQueryDispatcher.distance(pos12, g1, g2)
    }

    ask_parry! {
        intersection_test(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape) -> ShapeIntersection;
        contact(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape, most: Real) -> Option<Contact>;
        closest_points(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape, most: Real) -> ClosestPoints;
        cast_shapes(pos12: &Pose, vel12: Vector, g1: &dyn Shape, g2: &dyn Shape,
            options: ShapeCastOptions) -> Option<ShapeCastHit>;
        cast_shapes_nonlinear(motion1: &NonlinearRigidMotion, g1: &dyn Shape,
            motion2: &NonlinearRigidMotion, g2: &dyn Shape, start: Real, end: Real,
            stop: bool) -> Option<ShapeCastHit>;
    }
}

impl PersistentQueryDispatcher<ContactManifoldData, ContactData> for Counting {
    ask_parry! {
        contact_manifolds(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape, prediction: Real,
            manifolds: &mut Vec<ContactManifold>,
            workspace: &mut Option<ContactManifoldsWorkspace>) -> ();
    }

    fn contact_manifold_convex_convex(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        normals1: Option<&dyn NormalConstraints>,
        normals2: Option<&dyn NormalConstraints>,
        prediction: Real,
        manifold: &mut ContactManifold,
    ) -> Result<(), Unsupported> {
        self.manifolds.fetch_add(1, Ordering::Relaxed);
        DefaultQueryDispatcher
            .contact_manifold_convex_convex(pos12, g1, g2, normals1, normals2, prediction, manifold)
    }
}

/// Scene queries ask the dispatcher that the user put into the narrow phase, also after other pipelines
/// stepped the world in turns, each with one of its own, and while a copy of the world is stepped.
#[test]
fn the_users_dispatcher_stays_in_force() {
    let mut world = World::new(0.01);
    world.ground();
    cube(&mut world, 0.0, 0.5);
    let mine = Counting::default();
    world.narrow_phase.set_query_dispatcher(mine.clone());
    let mut other = ContactPipeline::default();
    other.set_sleeping(Sleeping::Never);
    for _ in 0..3000 {
        world.step();
        std::mem::swap(&mut world.pipeline, &mut other);
    }
    let copy = world.narrow_phase.clone();
    world.step();
    for narrow_phase in [&world.narrow_phase, &copy] {
        let before = mine.distances.load(Ordering::Relaxed);
        let ball = Ball::new(num(0.1));
        let apart = Pose::from_translation(vec3(0.0, 0.0, 1.0));
        let dispatcher = narrow_phase.query_dispatcher();
        let distance = dispatcher.distance(&apart, &ball, &ball).unwrap();
        assert_close(real(distance.distance), 0.8, 1e-6);
        assert_eq!(mine.distances.load(Ordering::Relaxed), before + 1);
    }
}
