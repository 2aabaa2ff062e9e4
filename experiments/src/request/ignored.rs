//! Friction coefficients that a model leaves out, so that no verdict hides it.

use super::asked::Model;
use crate::catalog::Scenario;
use crate::model_keys::name_of;
use serde::Serialize;
use stickslip_core::models::ModelName;

/// Coefficients of a run that its model leaves out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Ignored {
    /// Whether the scene has a Coulomb coefficient and the model none.
    #[serde(skip)]
    coulomb: bool,
    /// Settings of the user that change nothing.
    set: Vec<String>,
}

/// Whether a model leaves a coefficient out.
fn leaves_out(model: Model, name: &str) -> bool {
    let coulomb = |model| {
        !matches!(
            model,
            ModelName::Frictionless
                | ModelName::NoSlip
                | ModelName::NoSlipReleasing
                | ModelName::Viscous
                | ModelName::ViscousAcceleration
        )
    };
    let viscous = |model| matches!(model, ModelName::Viscous | ModelName::ViscousAcceleration);
    match (model, name) {
        (Model::Ours(model), "mu" | "mu_across") => !coulomb(model),
        (Model::Ours(model), "mu_viscous") => !viscous(model),
        (Model::Ours(model), "mu_torsional" | "mu_rolling") => !model.has_spin_friction(),
        (
            Model::Host,
            "mu_across" | "mu_viscous" | "mu_torsional" | "mu_rolling" | "compliance",
        ) => true,
        _ => false,
    }
}

impl Ignored {
    /// What a model leaves out of a scenario with these settings of the user.
    pub(crate) fn new(scenario: &Scenario, model: Model, set: &[String]) -> Self {
        let has_mu = scenario.keys.iter().any(|key| key.name == "mu");
        let ours = set.iter().filter(|s| leaves_out(model, name_of(s)));
        Self {
            coulomb: has_mu && leaves_out(model, "mu"),
            set: ours.cloned().collect(),
        }
    }

    /// Whether no setting of the user is left out.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// What a verdict says of it; `None` where the model takes everything.
    pub(crate) fn text(&self, model: &str) -> Option<String> {
        match (&self.set[..], self.coulomb) {
            ([], false) => None,
            ([], true) => Some(format!("{model}: friction coefficients are ignored")),
            (set, _) => Some(format!("warning: {model} ignores {}", set.join(", "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::SCENARIOS;

    #[test]
    fn a_coefficient_that_does_nothing_is_named() {
        let text = |scenario: &str, model: Model, set: &[&str]| {
            let scenario = SCENARIOS.iter().find(|s| s.name == scenario).unwrap();
            let set: Vec<_> = set.iter().map(|s| (*s).to_owned()).collect();
            Ignored::new(scenario, model, &set).text(model.as_str())
        };
        let no_slip = Model::Ours(ModelName::NoSlip);
        let cone = Model::Ours(ModelName::Cone);
        assert_eq!(
            text("grasp", no_slip, &["mu=0", "squeeze=3"]).unwrap(),
            "warning: no-slip ignores mu=0"
        );
        assert_eq!(
            text("grasp", no_slip, &[]).unwrap(),
            "no-slip: friction coefficients are ignored"
        );
        assert_eq!(text("grasp", cone, &["mu=0", "mu_torsional=1"]), None);
        assert_eq!(text("pendulum", no_slip, &[]), None);
        assert!(text("box", cone, &["mu_viscous=1"]).is_some());
        assert!(text("box", Model::Host, &["mu=1"]).is_none());
        assert!(text("box", Model::Host, &["mu_rolling=1"]).is_some());
    }
}
