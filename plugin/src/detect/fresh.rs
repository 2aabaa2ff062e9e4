//! Contact points that belong to the present pose, all of them.
//!
//! parry keeps the points of a manifold while the two bodies turn by less than a degree and shift by
//! less than a millimetre. A foot that is not flat then sinks the edge its manifold leaves out: 1.7 mm
//! with a sole of 0.2 m, pushed out again at every step of a robot that should stand still. Found anew,
//! they are still at most four of the corners of a face; [`crate::detect::corners`] adds the others.

use crate::detect::corners;
use rapier::geometry::{ContactData, ContactManifold, ContactManifoldData};
use rapier::math::{Pose, Real};
use rapier::parry::query::details::NormalConstraints;
use rapier::parry::query::{
    ContactManifoldsWorkspace, PersistentQueryDispatcher, QueryDispatcher, Unsupported,
};
use rapier::parry::shape::Shape;

/// Two cuboids keep their points, as parry would, while these shift by less than this \[m\] and the
/// faces turn by less than a degree: the points are all the corners there are, and found anew some would
/// be lost where edges coincide (see [`crate::contacts::memory`]).
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
    /// Those of the present pose. The pipeline puts [`FreshManifolds`] in front of the query dispatcher that the
    /// narrow phase has (parry's, or one of your own), which goes on to answer all scene queries. The impulses
    /// of a step then stand in the narrow phase's manifolds from the next detection on.
    #[default]
    Fresh,
    /// Those of the query dispatcher that the narrow phase has, untouched; to be set before the first step. Impulses
    /// don't show in the narrow phase then, and one fast body has contacts looked for farther off everywhere.
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
}

impl<D> FreshManifolds<D> {
    /// In front of `dispatcher`, which answers everything else as ever.
    pub fn before(dispatcher: D) -> Self {
        Self { dispatcher }
    }
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
    crate::detect::pass_on::pass_queries_on!(dispatcher);
}
