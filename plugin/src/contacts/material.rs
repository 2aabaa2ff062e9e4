//! What surfaces are made of, beyond rapier's friction and restitution.
//!
//! Rapier's colliders state a Coulomb coefficient and a restitution, and its manifolds carry both.
//! What the models know besides is stated here, for all contacts of a pipeline or collider by collider.

use crate::base::contact::ContactPoint;
use crate::base::convert::{isometry, to_vector, vector};
use nalgebra::Vector3;
use rapier::prelude::{ColliderHandle, ColliderSet, Vector};
use std::collections::HashMap;
use stickslip_core::problem::ContactData;

/// Coefficients of a contact that rapier's colliders don't state. The default is a rigid contact with
/// a circle of Coulomb friction and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub struct ContactMaterial {
    /// Coulomb coefficient along tangent t [-] where it differs from rapier's friction, which then
    /// holds along tangent s. `None`: the circle.
    pub mu_across: Option<f64>,
    /// What tangent s follows, as far as it lies in the contact plane (a grain, a tread), in the axes of the
    /// collider; in the world's for the material of all contacts. `None`, or a direction along the
    /// normal: any tangent, on level ground the world's x axis.
    pub grain: Option<Vector>,
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
        let length = self.grain.map_or(1.0, |grain| vector(grain).norm());
        if !(length.is_finite() && length > 0.0) {
            let name = "length of grain";
            return Err(MaterialError {
                name,
                value: length,
            });
        }
        Ok(())
    }

    /// The material of a contact between two, grains in the world.
    fn combine(&self, other: &Self) -> Self {
        let mean = |a: f64, b: f64| 0.5 * (a + b);
        Self {
            mu_across: match (self.mu_across, other.mu_across) {
                (Some(a), Some(b)) => Some(mean(a, b)),
                (a, b) => a.or(b),
            },
            grain: self.grain.or(other.grain),
            mu_viscous: mean(self.mu_viscous, other.mu_viscous),
            mu_torsional: mean(self.mu_torsional, other.mu_torsional),
            mu_rolling: mean(self.mu_rolling, other.mu_rolling),
            // Springs in series.
            compliance: self.compliance + other.compliance,
        }
    }
}

/// Tangents s and t of a contact, s along the grain where that says something.
pub(crate) fn tangents(n: &Vector3<f64>, grain: Option<Vector>) -> [Vector3<f64>; 2] {
    let along = grain.map(|grain| vector(grain).normalize());
    let along = along.map(|grain| grain - n * grain.dot(n));
    match along.filter(|s| s.norm_squared() > 1e-12) {
        Some(s) => {
            let s = s.normalize();
            [s, n.cross(&s)]
        }
        None => crate::base::contact::tangents(n),
    }
}

/// The materials of a pipeline: the only place that is asked what a contact is made of.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(crate) struct Materials {
    default: ContactMaterial,
    #[cfg_attr(
        feature = "serde-serialize",
        serde(with = "crate::contacts::by_collider")
    )]
    colliders: HashMap<ColliderHandle, ContactMaterial>,
    changes: Changes,
}

/// What got another material since the last step: who sleeps on it wakes.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(crate) struct Changes {
    /// Whether every contact did.
    pub(crate) all: bool,
    pub(crate) colliders: Vec<ColliderHandle>,
}

impl Materials {
    /// What changed since the last step; whoever asks forgets it afterwards.
    pub(crate) fn changes(&mut self) -> &mut Changes {
        &mut self.changes
    }

    /// The material of contacts without one of their own.
    pub(crate) fn common(&self) -> &ContactMaterial {
        &self.default
    }

    /// See [`crate::ContactPipeline::set_material`].
    pub(crate) fn set_common(&mut self, material: ContactMaterial) -> Result<(), MaterialError> {
        material.check()?;
        self.changes.all |= self.default != material;
        self.default = material;
        Ok(())
    }

    /// The material that a collider has of its own.
    pub(crate) fn of_collider(&self, collider: ColliderHandle) -> Option<&ContactMaterial> {
        self.colliders.get(&collider)
    }

    /// See [`crate::ContactPipeline::set_collider_material`].
    pub(crate) fn set_of_collider(
        &mut self,
        collider: ColliderHandle,
        material: Option<ContactMaterial>,
    ) -> Result<(), MaterialError> {
        let before = match material {
            Some(material) => {
                material.check()?;
                self.colliders.insert(collider, material)
            }
            None => self.colliders.remove(&collider),
        };
        if before != material && !self.changes.colliders.contains(&collider) {
            self.changes.colliders.push(collider);
        }
        Ok(())
    }

    /// What a saved pipeline may bring.
    #[cfg(feature = "serde-serialize")]
    pub(crate) fn check(&self) -> Result<(), MaterialError> {
        let own = self.colliders.values();
        own.chain([&self.default])
            .try_for_each(ContactMaterial::check)
    }

    /// The material of one contact, its grain in the world.
    pub(crate) fn of(&self, point: &ContactPoint, colliders: &ColliderSet) -> ContactMaterial {
        if self.colliders.is_empty() {
            return self.default;
        }
        let own = point.colliders.map(|handle| {
            let handle = handle?;
            let mut material = *self.colliders.get(&handle)?;
            let turn = isometry(colliders.get(handle)?.position()).rotation;
            material.grain = material
                .grain
                .map(|grain| to_vector(&(turn * vector(grain))));
            Some(material)
        });
        match own {
            [None, None] => self.default,
            [a, b] => {
                let [a, b] = [a, b].map(|own| own.unwrap_or(ContactMaterial::default()));
                a.combine(&b)
            }
        }
    }
}
