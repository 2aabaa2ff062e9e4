//! Contact points that belong to the present pose.
//!
//! parry keeps the points of a manifold while the two bodies turn by less than a degree and shift by
//! less than a millimetre. A foot that is not flat then sinks the edge its manifold leaves out: 1.7 mm
//! with a sole of 0.2 m, pushed out again at every step of a robot that should stand still.

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
    /// Those of the query dispatcher that the narrow phase has. For one of your own: put
    /// [`FreshManifolds`] before it with `chain`.
    AsDispatched,
}

/// A query dispatcher that answers nothing itself and has the next one of its chain compute every
/// contact manifold anew.
///
/// ```
/// # use stickslip::rapier;
/// use rapier::parry::query::{DefaultQueryDispatcher, QueryDispatcher};
/// use rapier::prelude::*;
/// use stickslip::FreshManifolds;
///
/// let mine = DefaultQueryDispatcher;
/// let narrow_phase = NarrowPhase::with_query_dispatcher(FreshManifolds::default().chain(mine));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FreshManifolds {
    _seal: Arc<()>,
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
        // The seal is shared as long as the dispatcher lives, and nothing else can have its address.
        if self.wanted == Manifolds::AsDispatched {
            return;
        }
        if Arc::strong_count(&self.seal) > 1 && self.at == address(narrow_phase) {
            return;
        }
        self.seal = Arc::new(());
        let fresh = FreshManifolds {
            _seal: Arc::clone(&self.seal),
        };
        narrow_phase.set_query_dispatcher(fresh.chain(DefaultQueryDispatcher));
        self.at = address(narrow_phase);
    }
}

fn address(narrow_phase: &NarrowPhase) -> usize {
    std::ptr::from_ref(narrow_phase.query_dispatcher()).addr()
}

impl PersistentQueryDispatcher<ContactManifoldData, ContactData> for FreshManifolds {
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        _: Real,
        manifolds: &mut Vec<ContactManifold>,
        _: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        if let ([manifold], Some(_), Some(_)) = (&mut manifolds[..], g1.as_cuboid(), g2.as_cuboid())
            && manifold.try_update_contacts_eps(pos12, TURN_COS, SHIFT * SHIFT)
        {
            return Ok(());
        }
        for manifold in manifolds {
            manifold.mark_shapes_deformed();
        }
        Err(Unsupported)
    }

    fn contact_manifold_convex_convex(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
        _: Option<&dyn NormalConstraints>,
        _: Option<&dyn NormalConstraints>,
        _: Real,
        manifold: &mut ContactManifold,
    ) -> Result<(), Unsupported> {
        manifold.mark_shapes_deformed();
        Err(Unsupported)
    }
}

impl QueryDispatcher for FreshManifolds {
    fn intersection_test(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
    ) -> Result<ShapeIntersection, Unsupported> {
        Err(Unsupported)
    }

    fn distance(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
    ) -> Result<ShapeDistance, Unsupported> {
        Err(Unsupported)
    }

    fn contact(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
        _: Real,
    ) -> Result<Option<Contact>, Unsupported> {
        Err(Unsupported)
    }

    fn closest_points(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
        _: Real,
    ) -> Result<ClosestPoints, Unsupported> {
        Err(Unsupported)
    }

    fn cast_shapes(
        &self,
        _: &Pose,
        _: Vector,
        _: &dyn Shape,
        _: &dyn Shape,
        _: ShapeCastOptions,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Err(Unsupported)
    }

    fn cast_shapes_nonlinear(
        &self,
        _: &NonlinearRigidMotion,
        _: &dyn Shape,
        _: &NonlinearRigidMotion,
        _: &dyn Shape,
        _: Real,
        _: Real,
        _: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Err(Unsupported)
    }
}
