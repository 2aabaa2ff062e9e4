//! Settings of the implicit viscous model.

use serde::{Deserialize, Serialize};

/// Where the viscous rows of an island go. Both ways give the same answer; they differ in cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DampingRoute {
    /// The mass, of an island of one body or robot with at least as many rows as coordinates.
    #[default]
    Cheapest,
    /// Rows of compliance `1 / (h mu_v)` beside the others: cheap for many bodies with few contacts
    /// each.
    Rows,
    /// Added to the mass, `M + h (S^T mu_v S + T^T mu_v T)`, dense over the coordinates of an island of one body or robot:
    /// O(m^3 + m^2 n) and O(m^2 + n) memory, for many contacts on few coordinates. Islands of several bodies take rows.
    Mass,
}

/// Settings of `viscous`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ViscousSettings {
    /// Where the viscous rows go.
    pub route: DampingRoute,
}
