//! What surfaces are made of, beyond rapier's friction and restitution.
//!
//! Rapier's colliders state a Coulomb coefficient and a restitution, and its manifolds carry both.
//! What the models know besides is stated here, for all contacts of a pipeline alike.

use crate::contacts::ContactPoint;
use crate::pipeline::ContactPipeline;
use stickslip_core::problem::ContactData;

/// Coefficients of a contact that rapier's colliders don't state. The default is a rigid contact with
/// a circle of Coulomb friction and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactMaterial {
    /// Coulomb coefficient along tangent t [-] where it differs from rapier's friction, which then
    /// holds along tangent s. On level ground s is the world's x axis. `None`: the circle.
    pub mu_across: Option<f64>,
    /// Viscous coefficient [N s/m]; used by the viscous models.
    pub mu_viscous: f64,
    /// Torsional (soft finger) coefficient \[m\]: `|tau_n| <= mu_torsional f_n`.
    pub mu_torsional: f64,
    /// Rolling coefficient \[m\]: `|(tau_s, tau_t)| <= mu_rolling f_n`.
    pub mu_rolling: f64,
    /// Compliance \[m/N\], 0 = rigid: a force F is carried at the depth `compliance F`.
    pub compliance: f64,
}

/// A coefficient of a material that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("material: {name} must be finite and >= 0, not {value}")]
pub struct MaterialError {
    /// Which one.
    pub name: &'static str,
    /// The value given.
    pub value: f64,
}

impl ContactMaterial {
    /// Whether torsional or rolling friction acts, so that contacts need spin rows.
    pub(crate) fn spins(&self) -> bool {
        self.mu_torsional > 0.0 || self.mu_rolling > 0.0
    }

    /// Writes the coefficients into a contact's data.
    pub(crate) fn apply(&self, data: &mut ContactData) {
        data.mu_across = self.mu_across;
        data.mu_viscous = self.mu_viscous;
        data.mu_torsional = self.mu_torsional;
        data.mu_rolling = self.mu_rolling;
        data.compliance = self.compliance;
    }

    fn check(&self) -> Result<(), MaterialError> {
        let values = [
            ("mu_across", self.mu_across.unwrap_or(0.0)),
            ("mu_viscous", self.mu_viscous),
            ("mu_torsional", self.mu_torsional),
            ("mu_rolling", self.mu_rolling),
            ("compliance", self.compliance),
        ];
        for (name, value) in values {
            if !(value.is_finite() && value >= 0.0) {
                return Err(MaterialError { name, value });
            }
        }
        Ok(())
    }
}

/// The materials of a pipeline: the only place that is asked what a contact is made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Materials {
    default: ContactMaterial,
}

impl Materials {
    /// Sets the material of every contact.
    pub(crate) fn set_default(&mut self, material: ContactMaterial) -> Result<(), MaterialError> {
        material.check()?;
        self.default = material;
        Ok(())
    }

    /// The material of every contact.
    pub(crate) fn default_material(&self) -> &ContactMaterial {
        &self.default
    }

    /// The material of one contact.
    pub(crate) fn of(&self, _point: &ContactPoint) -> &ContactMaterial {
        &self.default
    }
}

impl ContactPipeline {
    /// Gives every contact the coefficients that rapier's colliders don't state.
    ///
    /// # Errors
    /// When a coefficient is negative or not finite; the old material then stays.
    pub fn set_material(&mut self, material: ContactMaterial) -> Result<(), MaterialError> {
        self.materials.set_default(material)
    }

    /// The material of every contact.
    pub fn material(&self) -> &ContactMaterial {
        self.materials.default_material()
    }
}
