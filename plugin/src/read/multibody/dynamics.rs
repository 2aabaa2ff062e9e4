//! Mass matrix, bias and Jacobians of a multibody, for controllers.

use super::TreeBody;
use crate::base::convert::{point, real, vector};
use crate::base::error::StepError;
use nalgebra::{DMatrix, DVector, Vector3};
use rapier::prelude::*;

/// The dynamics of one multibody as it is now: `M a + c = tau`, with generalized coordinates in rapier's order
/// ([`MultibodyLink::assembly_id`]). A floating base has the first six: velocity of its link's origin, then angular velocity,
/// both in world axes.
///
/// Contacts, limits, drives and damping are no part of it. Making one is O(links) and allocates.
pub struct MultibodyDynamics {
    body: TreeBody,
}

impl std::fmt::Debug for MultibodyDynamics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let coordinates = self.dim();
        f.debug_struct("MultibodyDynamics")
            .field("coordinates", &coordinates)
            .finish_non_exhaustive()
    }
}

impl MultibodyDynamics {
    /// Reads coordinates, velocities and masses of a multibody.
    ///
    /// # Errors
    /// [`StepError::Multibody`] for one whose numbers or joints make no tree.
    pub fn new(multibody: &Multibody, bodies: &RigidBodySet) -> Result<Self, StepError> {
        let mut body = TreeBody::new(multibody)?;
        let root = body.root();
        // The time step only scales what is of no interest here: limits and implicit damping.
        if !body.read(bodies, multibody, 1.0) {
            return Err(StepError::Multibody {
                body: root,
                reason: "a mass, coordinate or velocity of it can't be used".to_owned(),
            });
        }
        body.state.clear_forces();
        body.diagonal.clear();
        (body.diagonal).extend(multibody.armature().iter().map(|&a| real(a)));
        Ok(Self { body })
    }

    /// Number of generalized coordinates m.
    pub fn dim(&self) -> usize {
        self.body.tree.dim()
    }

    /// Mass matrix M with the armatures (m x m) [kg, kg m, kg m^2].
    pub fn mass_matrix(&mut self) -> DMatrix<f64> {
        let TreeBody {
            tree,
            state,
            mass,
            diagonal,
            ..
        } = &mut self.body;
        tree.mass_matrix(state, diagonal, mass);
        let pattern = mass.pattern();
        let mut out = DMatrix::zeros(tree.dim(), tree.dim());
        for j in 0..tree.dim() {
            for (&i, &value) in pattern.path(j).iter().zip(&mass.values()[pattern.row(j)]) {
                out[(i, j)] = value;
                out[(j, i)] = value;
            }
        }
        out
    }

    /// Bias `c = C(q, v) v - g`: the generalized forces that keep every acceleration at zero (m) [N or N m], `gravity` in
    /// m/s^2. Forces that the user applies are not counted.
    pub fn bias(&mut self, gravity: Vector) -> DVector<f64> {
        let mut out = DVector::zeros(self.dim());
        let TreeBody { tree, state, .. } = &mut self.body;
        tree.bias(state, &vector(gravity), out.as_mut_slice());
        out
    }

    /// Jacobian of a link (by its number in the multibody) at a point of it that is at `at` in the world \[m\], 6 x m: rows 0..3
    /// give its velocity [m/s], rows 3..6 the angular velocity of the link [rad/s], in world axes. `None` where there is no such link.
    pub fn jacobian(&self, link: usize, at: Vector) -> Option<DMatrix<f64>> {
        let TreeBody { tree, state, .. } = &self.body;
        if link >= tree.link_count() {
            return None;
        }
        let path = tree.row_path(link);
        let mut row = vec![0.0; path.len()];
        let mut out = DMatrix::zeros(6, tree.dim());
        for k in 0..3 {
            let axis = Vector3::ith(k, 1.0);
            tree.point_row(state, link, &point(at).coords, &axis, &mut row);
            for (&j, &value) in path.iter().zip(&row) {
                out[(k, j)] = value;
            }
            tree.angular_row(state, link, &axis, &mut row);
            for (&j, &value) in path.iter().zip(&row) {
                out[(3 + k, j)] = value;
            }
        }
        Some(out)
    }

    /// Centre of mass of all that moves, in the world \[m\].
    pub fn center_of_mass(&self) -> Vector3<f64> {
        self.body.tree.centre_of_mass(&self.body.state)
    }
}
