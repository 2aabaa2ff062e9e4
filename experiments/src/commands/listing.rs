//! `stickslip list`.

use crate::catalog::{SCENARIOS, Scenario};
use crate::choices;
use crate::keys::{Key, Kind};
use crate::model_keys;
use crate::settings::Model;
use clap::Args;
use std::fmt::Write as _;
use stickslip_core::models::ModelName;
use stickslip_core::report::SolverName;

/// Arguments of `list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Scenario whose keys and figures are listed
    #[arg(value_parser = choices::scenario(), hide_possible_values = true)]
    scenario: Option<String>,
    /// List what each figure of the scenario means, with its unit and its bound
    #[arg(long, requires = "scenario")]
    figures: bool,
}

fn solver_doc(solver: SolverName) -> &'static str {
    match solver {
        SolverName::Ppm => "principal pivoting that never forms the n x n matrix [D15, Alg. 1]",
        SolverName::ActiveSet => "dual active-set quadratic program, always finite [GI83]",
        SolverName::Lemke => {
            "Lemke's method, lexicographic, on an updated tableau [CPS, Alg. 4.4.5]"
        }
        SolverName::Dantzig => "Baraff's direct method, one contact at a time [B94]",
        SolverName::PrincipalPivoting => "principal pivoting on the full matrix [CPS]",
        SolverName::InteriorPoint => "interior-point method, from any start [K91]",
        SolverName::Pgs => "projected Gauss-Seidel on the full matrix",
        SolverName::Psor => "projected relaxation over cones, matrix-free [TA]",
        SolverName::Apgd => "accelerated projected gradient, matrix-free",
        SolverName::Engine => "by the kind of island: Newton or sweeps, in bounded work",
        SolverName::Own => "a model of one's own",
    }
}

/// Scenarios, models and solvers, or one scenario in full.
pub(crate) fn text(args: &ListArgs) -> String {
    let name = args.scenario.as_deref();
    let found = SCENARIOS.iter().find(|s| Some(s.name) == name);
    let text = match found {
        Some(scenario) if args.figures => figures(scenario),
        Some(scenario) => one(scenario),
        None => all(),
    };
    text.trim_end().to_owned()
}

/// A line each.
fn all() -> String {
    let mut out = String::from(
        "A scenario is a scene with figures and a verdict: stickslip run SCENARIO [--model MODEL] [--set KEY=VALUE]\n\
         Its keys: stickslip list SCENARIO; its figures: stickslip list SCENARIO --figures\n\n\
         Scenarios\n",
    );
    // Writing to a string can't fail.
    for scenario in SCENARIOS {
        let _ = writeln!(out, "  {:<20} {}", scenario.name, scenario.doc);
    }
    out += "\nModels: the law of contact and friction; a scenario takes cone unless its list says otherwise\n";
    for model in Model::all() {
        let _ = writeln!(out, "  {:<20} {}", model.as_str(), model.doc());
    }
    out += "\nSolvers: methods for a model's problem, the first that fits by default (--solver)\n";
    for solver in SolverName::ALL {
        let models: Vec<_> = ModelName::ALL
            .into_iter()
            .filter(|m| m.solvers().contains(&solver))
            .map(ModelName::as_str)
            .collect();
        let _ = writeln!(
            out,
            "  {:<20} {}; for {}",
            solver.as_str(),
            solver_doc(solver),
            models.join(", ")
        );
    }
    out
}

/// Every figure of a scenario: name, unit, sentence, bound.
fn figures(scenario: &Scenario) -> String {
    let mut out = format!("Figures of {} (main ones marked *)\n", scenario.name);
    for figure in crate::figures::of(scenario.name) {
        let main = if scenario.summary.contains(&figure.name) {
            "*"
        } else {
            " "
        };
        let unit = crate::plot::unit(figure.name).map_or_else(String::new, |u| format!(" [{u}]"));
        let bound = match figure.bound {
            "" => String::new(),
            bound => format!("; bound: {bound}"),
        };
        let name = format!("{}{unit}", figure.name);
        // Writing to a string can't fail.
        let _ = writeln!(out, " {main} {name:<40} {}{bound}", figure.doc);
    }
    out
}

/// Everything about a scenario.
fn one(scenario: &Scenario) -> String {
    let mut out = format!(
        "{}: {}\n\n  model {}, time step {} s, duration {} s{}\n",
        scenario.name,
        scenario.doc,
        scenario.model,
        scenario.dt,
        scenario.duration,
        if scenario.takes_robot {
            "; takes --robot"
        } else {
            ""
        }
    );
    // Writing to a string can't fail.
    let _ = match scenario.random {
        Some(what) => writeln!(out, "  --seed changes {what}"),
        None => writeln!(out, "  nothing is random: --seed changes nothing"),
    };
    let _ = writeln!(
        out,
        "  main figures: {} (all, explained: stickslip list {} --figures)",
        scenario.summary.join(", "),
        scenario.name
    );
    out += "\nKeys (--set KEY=VALUE), with their defaults\n";
    keys(&mut out, scenario.keys);
    out += "\nKeys of every scenario: settings of the models\n";
    let preset = |name: &str| {
        let mut pairs = scenario.presets.iter().filter_map(|p| p.split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    for (name, default, doc) in model_keys::listing() {
        let setting = format!("{name}={}", preset(&name).unwrap_or(&default));
        let _ = writeln!(out, "{}", format!("  {setting:<30} {doc}").trim_end());
    }
    out += "\nKeys of every scenario: material of all contacts\n";
    for key in model_keys::MATERIAL {
        let default = preset(key.name).unwrap_or(key.default);
        keys(&mut out, &[Key { default, ..*key }]);
    }
    out
}

fn keys(out: &mut String, keys: &[Key]) {
    for key in keys {
        let setting = format!("{}={}", key.name, key.default);
        // Writing to a string can't fail.
        let _ = match key.kind {
            Kind::Text => writeln!(out, "  {setting:<30} {}", key.doc),
            kind => writeln!(out, "  {setting:<30} {}; {kind}", key.doc),
        };
    }
}
