//! Contact points that belong to the present pose, all of them.
//!
//! parry keeps the points of a manifold while the two bodies turn by less than a degree and shift by
//! less than a millimetre. A foot that is not flat then sinks the edge its manifold leaves out: 1.7 mm
//! with a sole of 0.2 m, pushed out again at every step of a robot that should stand still. Found anew,
//! they are still at most four of the corners of a face; [`crate::corners`] adds the others.

use crate::corners;
use rapier::geometry::{ContactData, ContactManifold, ContactManifoldData, NarrowPhase};
use rapier::math::{Pose, Real, Vector};
use rapier::parry::query::details::NormalConstraints;
use rapier::parry::query::{
    ClosestPoints, Contact, ContactManifoldsWorkspace, DefaultQueryDispatcher,
    NonlinearRigidMotion, PersistentQueryDispatcher, QueryDispatcher, ShapeCastHit,
    ShapeCastOptions, ShapeDistance, ShapeIntersection, Unsupported,
};
use rapier::parry::shape::Shape;
use std::sync::Arc;

/// Two cuboids keep their points, as parry would, while these shift by less than this \[m\] and the
/// faces turn by less than a degree: the points are all the corners there are, and found anew some would
/// be lost where edges coincide (see [`crate::memory`]).
const SHIFT: Real = 1e-5;

/// Cosine of a degree.
const TURN_COS: Real = 0.999_847_7;

/// Which contact points a step works with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub enum Manifolds {
    /// Those of the present pose. The pipeline gives the narrow phase parry's query dispatcher behind
    /// [`FreshManifolds`], in place of what it had.
    #[default]
    Fresh,
    /// Those of the query dispatcher that the narrow phase has; to be set before the first step, which
    /// would replace it. For one of your own: put it behind [`FreshManifolds::before`].
    AsDispatched,
}

/// A query dispatcher that has another one find the points of every contact manifold anew, and adds the
/// corners of convex polyhedra on flat faces that are missing then.
///
/// ```
/// # use stickslip::rapier;
/// use rapier::parry::query::DefaultQueryDispatcher;
/// use rapier::prelude::*;
/// use stickslip::FreshManifolds;
///
/// let mine = DefaultQueryDispatcher;
/// let narrow_phase = NarrowPhase::with_query_dispatcher(FreshManifolds::before(mine));
/// ```
#[derive(Clone, Debug)]
pub struct FreshManifolds<D> {
    dispatcher: D,
    _seal: Arc<()>,
}

impl<D> FreshManifolds<D> {
    /// In front of `dispatcher`, which answers everything else as ever.
    pub fn before(dispatcher: D) -> Self {
        Self {
            dispatcher,
            _seal: Arc::default(),
        }
    }
}

/// Gives fresh manifolds to narrow phases, if that is wanted.
#[derive(Debug, Default)]
pub(crate) struct Installer {
    pub(crate) wanted: Manifolds,
    seal: Arc<()>,
    /// Address of the dispatcher that was given.
    at: usize,
}

impl Installer {
    /// Sees to it that `narrow_phase` computes its manifolds anew. Allocates the first time only.
    pub(crate) fn install(&mut self, narrow_phase: &mut NarrowPhase) {
        if self.wanted == Manifolds::AsDispatched {
            return;
        }
        // The seal is shared as long as the dispatcher lives, and nothing else can have its address.
        if Arc::strong_count(&self.seal) > 1 && self.at == address(narrow_phase) {
            return;
        }
        self.seal = Arc::new(());
        narrow_phase.set_query_dispatcher(FreshManifolds {
            dispatcher: DefaultQueryDispatcher,
            _seal: Arc::clone(&self.seal),
        });
        self.at = address(narrow_phase);
    }
}

fn address(narrow_phase: &NarrowPhase) -> usize {
    std::ptr::from_ref(narrow_phase.query_dispatcher()).addr()
}

impl<D> PersistentQueryDispatcher<ContactManifoldData, ContactData> for FreshManifolds<D>
where
    D: PersistentQueryDispatcher<ContactManifoldData, ContactData>,
{
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: Real,
        manifolds: &mut Vec<ContactManifold>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        if let ([manifold], Some(_), Some(_)) = (&mut manifolds[..], g1.as_cuboid(), g2.as_cuboid())
            && manifold.try_update_contacts_eps(pos12, TURN_COS, SHIFT * SHIFT)
        {
            return Ok(());
        }
        for manifold in &mut *manifolds {
            manifold.mark_shapes_deformed();
        }
        (self.dispatcher).contact_manifolds(pos12, g1, g2, prediction, manifolds, workspace)?;
        for manifold in manifolds {
            corners::complete(pos12, [g1, g2], prediction, manifold);
        }
        Ok(())
    }

    fn contact_manifold_convex_convex(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        normal_constraints1: Option<&dyn NormalConstraints>,
        normal_constraints2: Option<&dyn NormalConstraints>,
        prediction: Real,
        manifold: &mut ContactManifold,
    ) -> Result<(), Unsupported> {
        manifold.mark_shapes_deformed();
        self.dispatcher.contact_manifold_convex_convex(
            pos12,
            g1,
            g2,
            normal_constraints1,
            normal_constraints2,
            prediction,
            manifold,
        )
    }
}

/// Everything but contacts is the other dispatcher's.
impl<D: QueryDispatcher> QueryDispatcher for FreshManifolds<D> {
    fn intersection_test(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
    ) -> Result<ShapeIntersection, Unsupported> {
        self.dispatcher.intersection_test(pos12, g1, g2)
    }

    fn distance(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
    ) -> Result<ShapeDistance, Unsupported> {
        self.dispatcher.distance(pos12, g1, g2)
    }

    fn contact(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: Real,
    ) -> Result<Option<Contact>, Unsupported> {
        self.dispatcher.contact(pos12, g1, g2, prediction)
    }

    fn closest_points(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        max_dist: Real,
    ) -> Result<ClosestPoints, Unsupported> {
        self.dispatcher.closest_points(pos12, g1, g2, max_dist)
    }

    fn cast_shapes(
        &self,
        pos12: &Pose,
        vel12: Vector,
        g1: &dyn Shape,
        g2: &dyn Shape,
        options: ShapeCastOptions,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        self.dispatcher.cast_shapes(pos12, vel12, g1, g2, options)
    }

    fn cast_shapes_nonlinear(
        &self,
        motion1: &NonlinearRigidMotion,
        g1: &dyn Shape,
        motion2: &NonlinearRigidMotion,
        g2: &dyn Shape,
        start_time: Real,
        end_time: Real,
        stop_at_penetration: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        self.dispatcher.cast_shapes_nonlinear(
            motion1,
            g1,
            motion2,
            g2,
            start_time,
            end_time,
            stop_at_penetration,
        )
    }
}
