//! What contacts are made of, beyond what rapier's colliders state.

use super::super::key_values::KeyValues;
use crate::error::CommandError;
use crate::keys::{FROM_ZERO, Key};

/// Coefficients of every contact of a scene.
pub const MATERIAL: &[Key] = &[
    Key::text(
        "mu_across",
        "",
        "Coulomb coefficient along the second tangent (y on level ground) where it differs [-]",
    ),
    Key::number(
        "mu_viscous",
        "0.1",
        FROM_ZERO,
        "viscous coefficient [N s/m], for the viscous models",
    ),
    Key::number(
        "mu_torsional",
        "0",
        FROM_ZERO,
        "torsional friction (soft finger) [m]",
    ),
    Key::number("mu_rolling", "0", FROM_ZERO, "rolling friction [m]"),
    Key::number(
        "compliance",
        "0",
        FROM_ZERO,
        "depth per unit force [m/N], 0: rigid",
    ),
];

/// Coefficients of every contact of a scene that rapier's colliders don't state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// Coulomb coefficient along the second tangent [-], where it differs.
    pub mu_across: Option<f64>,
    /// Viscous coefficient [N s/m].
    pub mu_viscous: f64,
    /// Torsional coefficient \[m\].
    pub mu_torsional: f64,
    /// Rolling coefficient \[m\].
    pub mu_rolling: f64,
    /// Compliance \[m/N\].
    pub compliance: f64,
}

/// Reads the settings among `key=value` that speak of the material.
///
/// # Errors
/// A usage error about what a key accepts.
pub fn material(settings: &[String]) -> Result<Material, CommandError> {
    let keys = KeyValues::new("the material", MATERIAL, settings)?;
    let across = keys.text("mu_across")?;
    let mu_across = match across.parse::<f64>() {
        _ if across.is_empty() => None,
        Ok(mu) if mu.is_finite() && mu >= 0.0 => Some(mu),
        _ => {
            return Err(CommandError::Usage(format!(
                "key `mu_across` must be empty or a number from 0 up, not `{across}`"
            )));
        }
    };
    Ok(Material {
        mu_across,
        mu_viscous: keys.number("mu_viscous")?,
        mu_torsional: keys.number("mu_torsional")?,
        mu_rolling: keys.number("mu_rolling")?,
        compliance: keys.number("compliance")?,
    })
}
