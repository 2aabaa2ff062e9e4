//! Scene queries go to the dispatcher behind ours.

/// The methods of a `QueryDispatcher` that asks the one in a field or behind a method without arguments.
macro_rules! pass_queries_on {
    ($to:ident $($call:tt)?) => {
        fn intersection_test(
            &self,
            pos12: &rapier::math::Pose,
            g1: &dyn rapier::parry::shape::Shape,
            g2: &dyn rapier::parry::shape::Shape,
        ) -> Result<rapier::parry::query::ShapeIntersection, rapier::parry::query::Unsupported> {
            self.$to$($call)?.intersection_test(pos12, g1, g2)
        }

        fn distance(
            &self,
            pos12: &rapier::math::Pose,
            g1: &dyn rapier::parry::shape::Shape,
            g2: &dyn rapier::parry::shape::Shape,
        ) -> Result<rapier::parry::query::ShapeDistance, rapier::parry::query::Unsupported> {
            self.$to$($call)?.distance(pos12, g1, g2)
        }

        fn contact(
            &self,
            pos12: &rapier::math::Pose,
            g1: &dyn rapier::parry::shape::Shape,
            g2: &dyn rapier::parry::shape::Shape,
            prediction: rapier::math::Real,
        ) -> Result<Option<rapier::parry::query::Contact>, rapier::parry::query::Unsupported> {
            self.$to$($call)?.contact(pos12, g1, g2, prediction)
        }

        fn closest_points(
            &self,
            pos12: &rapier::math::Pose,
            g1: &dyn rapier::parry::shape::Shape,
            g2: &dyn rapier::parry::shape::Shape,
            max_dist: rapier::math::Real,
        ) -> Result<rapier::parry::query::ClosestPoints, rapier::parry::query::Unsupported> {
            self.$to$($call)?.closest_points(pos12, g1, g2, max_dist)
        }

        fn cast_shapes(
            &self,
            pos12: &rapier::math::Pose,
            vel12: rapier::math::Vector,
            g1: &dyn rapier::parry::shape::Shape,
            g2: &dyn rapier::parry::shape::Shape,
            options: rapier::parry::query::ShapeCastOptions,
        ) -> Result<Option<rapier::parry::query::ShapeCastHit>, rapier::parry::query::Unsupported> {
            self.$to$($call)?.cast_shapes(pos12, vel12, g1, g2, options)
        }

        fn cast_shapes_nonlinear(
            &self,
            motion1: &rapier::parry::query::NonlinearRigidMotion,
            g1: &dyn rapier::parry::shape::Shape,
            motion2: &rapier::parry::query::NonlinearRigidMotion,
            g2: &dyn rapier::parry::shape::Shape,
            start_time: rapier::math::Real,
            end_time: rapier::math::Real,
            stop_at_penetration: bool,
        ) -> Result<Option<rapier::parry::query::ShapeCastHit>, rapier::parry::query::Unsupported> {
            self.$to$($call)?.cast_shapes_nonlinear(
                motion1,
                g1,
                motion2,
                g2,
                start_time,
                end_time,
                stop_at_penetration,
            )
        }
    };
}
pub(crate) use pass_queries_on;

/// The method of a `PersistentQueryDispatcher` for one pair of convex shapes, passed on likewise.
macro_rules! pass_convex_pairs_on {
    ($to:ident $($call:tt)?) => {
        fn contact_manifold_convex_convex(
            &self,
            pos12: &rapier::math::Pose,
            g1: &dyn rapier::parry::shape::Shape,
            g2: &dyn rapier::parry::shape::Shape,
            normals1: Option<&dyn rapier::parry::query::details::NormalConstraints>,
            normals2: Option<&dyn rapier::parry::query::details::NormalConstraints>,
            prediction: rapier::math::Real,
            manifold: &mut rapier::geometry::ContactManifold,
        ) -> Result<(), rapier::parry::query::Unsupported> {
            self.$to$($call)?.contact_manifold_convex_convex(
                pos12, g1, g2, normals1, normals2, prediction, manifold,
            )
        }
    };
}
pub(crate) use pass_convex_pairs_on;
