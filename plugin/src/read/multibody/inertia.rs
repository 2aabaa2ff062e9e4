//! Masses of links, and the factor of their mass matrix.

use super::TreeBody;
use crate::base::convert::{local_inertia, real, vector};
use crate::base::tolerances;
use nalgebra::{Matrix3, Vector3};
use rapier::prelude::*;
use stickslip_core::kit::DEPENDENT;
use stickslip_dynamics::{LinkInertia, TreeError};

/// A link without mass, until its own is read.
pub(super) fn none() -> LinkInertia {
    LinkInertia::new(0.0, Vector3::zeros(), Matrix3::zeros())
}

pub(super) fn of_body(rb: &RigidBody) -> LinkInertia {
    let props = &rb.mass_properties().local_mprops;
    LinkInertia {
        mass: real(rb.mass()),
        com: vector(props.local_com),
        inertia: local_inertia(props),
        gravity_scale: real(rb.gravity_scale()),
    }
}

impl TreeBody {
    /// Factors the mass matrix with `self.diagonal` added. Where a coordinate moves no mass (of links without any), all
    /// links get a little ([`Self::fill`]). False if that does not help.
    pub(super) fn factor(&mut self) -> bool {
        let is_factored = self.tries_to_factor();
        if self.is_filled || is_factored && !self.is_light() {
            return is_factored;
        }
        self.fill() && self.tries_to_factor()
    }

    /// Takes the masses of all links from their bodies.
    pub(super) fn read_masses(&mut self, set: &RigidBodySet) -> Result<(), TreeError> {
        self.is_filled = false;
        self.tree.set_negligible_mass(None);
        for (number, &handle) in self.links.iter().enumerate() {
            if let Some(rb) = set.get(handle) {
                self.tree.set_link_inertia(number, of_body(rb))?;
            }
        }
        Ok(())
    }

    fn tries_to_factor(&mut self) -> bool {
        self.tree
            .mass_matrix(&mut self.state, &self.diagonal, &mut self.mass);
        self.held.clear();
        for i in 0..self.diagonal.len() {
            let last = self.mass.pattern().path(i).len() - 1;
            self.held.push(*self.mass.entry_mut(i, last));
        }
        self.mass.factor().is_ok()
    }

    /// Whether the inertia of a coordinate is round-off once the rest of the tree may move, as for a root without mass that
    /// slides on a link. Any force would accelerate it without bound.
    fn is_light(&self) -> bool {
        let mut pivots = self.mass.inv_diag().iter().zip(&self.held);
        pivots.any(|(inv, held)| DEPENDENT * held * inv * inv >= 1.0)
    }

    /// Gives links without mass [`tolerances::NEGLIGIBLE`] of the tree's, and all links that much of the largest rotational inertia, in
    /// every direction: an inertia of a coordinate instead would be next to none in directions that it has a small part in.
    /// They go on as they move, fall and yield to whatever pushes them, until the user changes a mass; the forces that the user applies
    /// to them are the others' ([`stickslip_dynamics::Tree::carry_forces`]). False where the mass matrix has entries that are not finite.
    fn fill(&mut self) -> bool {
        if !self.held.iter().all(|x| x.is_finite()) {
            return false;
        }
        let links = 0..self.links.len();
        let inertias = links.clone().map(|link| *self.tree.link_inertia(link));
        let or_one = |x: f64| if x > 0.0 { x } else { 1.0 };
        let mass = tolerances::NEGLIGIBLE * or_one(inertias.clone().map(|own| own.mass).sum());
        self.is_filled = true;
        let largest = inertias.map(|own| own.inertia.trace()).fold(0.0, f64::max);
        let held = self.held.iter().fold(0.0, |a: f64, b| a.max(*b));
        let turning = tolerances::NEGLIGIBLE * or_one(if largest > 0.0 { largest } else { held });
        for link in links {
            let mut own = *self.tree.link_inertia(link);
            own.mass = own.mass.max(mass);
            own.inertia += Matrix3::identity() * turning;
            if self.tree.set_link_inertia(link, own).is_err() {
                return false;
            }
        }
        self.tree.set_negligible_mass(Some(mass));
        self.tree.forward_kinematics(&mut self.state);
        self.tree.update_velocities(&mut self.state);
        true
    }
}
