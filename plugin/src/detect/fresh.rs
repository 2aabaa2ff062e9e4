//! Contact points that belong to the present pose, all of them.
//!
//! Pairs of polyhedra have theirs from [`crate::detect::polyhedra`]; meshes and compounds are taken apart by parry's
//! own functions and their parts come back here. For all other shapes the dispatcher behind has to compute them again: parry keeps
//! the points of a manifold while the two bodies turn by less than a degree and shift by less than a millimetre.

use crate::base::convert::to_real;
use crate::base::tolerances;
use crate::detect::polyhedra::Pair;
use rapier::geometry::{ContactData, ContactManifold, ContactManifoldData};
use rapier::math::{Pose, Real};
use rapier::parry::query::details::{
    NormalConstraints, contact_manifolds_composite_shape_composite_shape,
    contact_manifolds_composite_shape_shape, contact_manifolds_heightfield_composite_shape,
    contact_manifolds_heightfield_shape_shapes, contact_manifolds_trimesh_shape_shapes,
};
use rapier::parry::query::{
    ContactManifoldsWorkspace, PersistentQueryDispatcher, QueryDispatcher, Unsupported,
};
use rapier::parry::shape::{PackedFeatureId, Shape, ShapeType};

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

/// A query dispatcher that finds the contact points of convex polyhedra itself, has another one compute those of all other
/// shapes in every step, and takes meshes, height fields and compounds apart so that this holds for their parts too.
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

impl<D> FreshManifolds<D>
where
    D: PersistentQueryDispatcher<ContactManifoldData, ContactData>,
{
    /// The one manifold of two convex shapes. There is none until they have points: most pairs whose bounding boxes meet
    /// never do.
    fn find_one(
        &self,
        pos12: &Pose,
        [g1, g2]: [&dyn Shape; 2],
        prediction: Real,
        manifolds: &mut Vec<ContactManifold>,
    ) -> Result<(), Unsupported> {
        let find = |manifold: &mut _| {
            self.contact_manifold_convex_convex(pos12, g1, g2, None, None, prediction, manifold)
        };
        if let Some(manifold) = manifolds.first_mut() {
            return find(manifold);
        }
        let mut manifold = ContactManifold::new();
        find(&mut manifold)?;
        if !manifold.points.is_empty() {
            manifolds.reserve_exact(1);
            manifolds.push(manifold);
        }
        Ok(())
    }
}

/// Whether shapes of a kind are taken apart.
fn has_parts(kind: &ShapeType) -> bool {
    matches!(
        kind,
        ShapeType::TriMesh | ShapeType::Polyline | ShapeType::HeightField | ShapeType::Compound
    )
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
        let kinds = [g1.shape_type(), g2.shape_type()];
        let is_any = |is: fn(&ShapeType) -> bool| kinds.iter().any(is);
        if is_any(|kind| matches!(kind, ShapeType::Voxels | ShapeType::Custom)) {
            for manifold in &mut *manifolds {
                manifold.mark_shapes_deformed();
            }
            return (self.dispatcher)
                .contact_manifolds(pos12, g1, g2, prediction, manifolds, workspace);
        }
        if !is_any(has_parts) {
            return self.find_one(pos12, [g1, g2], prediction, manifolds);
        }
        let parts = [g1.as_composite_shape(), g2.as_composite_shape()];
        let fields = [g1.as_heightfield(), g2.as_heightfield()];
        match (parts, fields) {
            ([Some(a), Some(b)], _) => contact_manifolds_composite_shape_composite_shape(
                self, pos12, a, b, prediction, manifolds, workspace,
            ),
            ([_, Some(parts)], [Some(field), _]) => contact_manifolds_heightfield_composite_shape(
                self,
                pos12,
                &pos12.inverse(),
                field,
                parts,
                prediction,
                manifolds,
                workspace,
                false,
            ),
            ([Some(parts), _], [_, Some(field)]) => contact_manifolds_heightfield_composite_shape(
                self,
                &pos12.inverse(),
                pos12,
                field,
                parts,
                prediction,
                manifolds,
                workspace,
                true,
            ),
            _ if g1.as_trimesh().is_some() || g2.as_trimesh().is_some() => {
                contact_manifolds_trimesh_shape_shapes(
                    self, pos12, g1, g2, prediction, manifolds, workspace,
                );
            }
            (_, [Some(_), _] | [_, Some(_)]) => contact_manifolds_heightfield_shape_shapes(
                self, pos12, g1, g2, prediction, manifolds, workspace,
            ),
            ([Some(parts), _], _) => contact_manifolds_composite_shape_shape(
                self, pos12, parts, g2, prediction, manifolds, workspace, false,
            ),
            ([_, Some(parts)], _) => contact_manifolds_composite_shape_shape(
                self,
                &pos12.inverse(),
                parts,
                g1,
                prediction,
                manifolds,
                workspace,
                true,
            ),
            _ => return self.find_one(pos12, [g1, g2], prediction, manifolds),
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
        let pair = Pair {
            pos12,
            shapes: [g1, g2],
            constraints: [normal_constraints1, normal_constraints2],
        };
        if pair.find(prediction, manifold) {
            return Ok(());
        }
        manifold.mark_shapes_deformed();
        self.dispatcher.contact_manifold_convex_convex(
            pos12,
            g1,
            g2,
            normal_constraints1,
            normal_constraints2,
            prediction,
            manifold,
        )?;
        drop_repeated(manifold);
        pair.straighten(manifold);
        Ok(())
    }
}

/// Where parry adds the closest points of the two shapes to the corners it has found: drops corners that would be deeper,
/// which no point can be, and then the closest points themselves, unless they are closer than what is left. A corner
/// is put onto the plane of a face along the normal, and where that lies nearly in the plane it lands anywhere: 39 m
/// deep between two cylinders of the scene `bin-cylinders`.
pub(crate) fn drop_repeated(manifold: &mut ContactManifold) {
    let points = &mut manifold.points;
    let Some(closest) = points.pop_if(|last| last.fid1 == PackedFeatureId::UNKNOWN) else {
        return;
    };
    let deepest = closest.dist
        - to_real(tolerances::TOUCHING)
        - to_real(tolerances::SAME_DEPTH) * closest.dist.abs();
    points.retain(|corner| corner.dist >= deepest);
    if points
        .iter()
        .all(|corner| closest.dist < corner.dist - to_real(tolerances::SAME_PLACE))
    {
        points.push(closest);
    }
}

/// Everything but contacts is the other dispatcher's.
impl<D: QueryDispatcher> QueryDispatcher for FreshManifolds<D> {
    crate::detect::pass_on::pass_queries_on!(dispatcher);
}
