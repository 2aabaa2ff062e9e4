//! Settings of the models at acceleration level.

use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

/// How `viscous-acceleration` goes through a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Integrator {
    /// The classical Runge-Kutta method: four solves, fourth order in the velocities.
    #[default]
    Rk4,
    /// One solve: `v+ = v + h a(v)`, then positions with v+. First order.
    SemiImplicitEuler,
}

/// What bounds the friction of contacts that do not slide yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RollingFriction {
    /// The polygon of [`super::PolygonSettings::directions`]: a linear complementarity problem.
    #[default]
    Pyramid,
    /// The circular cone (the ellipse, where two coefficients are given): Newton's method from the
    /// pyramid's answer.
    Cone,
}

/// What becomes of an island whose accelerations have no solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnNoSolution {
    /// The model has no answer: it moves by the exact cone at velocity level, and the status says why.
    #[default]
    Stop,
    /// Its step is taken at velocity level, where an impulse without a collision passes through; the
    /// status is [`crate::report::SolveStatus::Inaccurate`], since the law of the model is broken.
    VelocityLevel,
}

/// Settings of `viscous-acceleration` and `coulomb-acceleration`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, SmartDefault)]
#[serde(default, deny_unknown_fields)]
pub struct AccelerationSettings {
    /// Normal speed up to which a closed contact is sustained; above it an impact comes first [m/s].
    #[default = 1e-6]
    pub touching_speed: f64,
    /// How `viscous-acceleration` goes through a step.
    pub integrator: Integrator,
    /// Tangential speed above which a contact of `coulomb-acceleration` slides: its friction has the
    /// size `mu f_n` and opposes the velocity [m/s]. A physical threshold.
    #[default = 1e-6]
    pub sliding_speed: f64,
    /// What bounds the friction of the other contacts.
    pub rolling: RollingFriction,
    /// What becomes of an island without solution.
    pub on_no_solution: OnNoSolution,
    /// Most variables of an island with sliding contacts for which all choices of those that act are gone through
    /// to see whether there is a second solution, or none; at most 12. A contact that slides has one. Beyond it the status
    /// says what Lemke's method found. The cost doubles with each.
    #[default = 8]
    pub enumerate_up_to: usize,
}
