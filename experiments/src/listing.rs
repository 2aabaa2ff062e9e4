//! `stickslip list`.

use crate::catalog::SCENARIOS;
use crate::keys::{Key, Kind};
use crate::model_keys;
use crate::settings::Model;
use std::fmt::Write as _;
use stickslip_core::models::ModelName;
use stickslip_core::report::SolverName;

fn solver_doc(solver: SolverName) -> &'static str {
    match solver {
        SolverName::Ppm => "principal pivoting that never forms the n x n matrix [D15, Alg. 1]",
        SolverName::ActiveSet => "dual active-set quadratic program, always finite [GI83]",
        SolverName::Lemke => "Lemke's method, lexicographic, never inverts anew [CPS, Alg. 4.4.5]",
        SolverName::Dantzig => "Baraff's direct method, one contact at a time [B94]",
        SolverName::PrincipalPivoting => "principal pivoting on the full matrix [CPS]",
        SolverName::InteriorPoint => "feasible interior-point method [K91]",
        SolverName::Pgs => "projected Gauss-Seidel on the full matrix",
        SolverName::Psor => "projected relaxation over cones, matrix-free [TA]",
        SolverName::Apgd => "accelerated projected gradient, matrix-free",
        SolverName::Conic => "interior-point solve of the conic program, the reference",
        SolverName::Engine => "chosen by the kind of island: Newton, interior point, sweeps",
        SolverName::Newton => "primal-dual Newton on the rows that act",
        SolverName::Sweeps => "accelerated symmetric projected sweeps, matrix-free",
    }
}

fn keys(out: &mut String, keys: &[Key]) {
    for key in keys {
        let setting = format!("{}={}", key.name, key.default);
        // Writing to a string can't fail.
        let _ = match key.kind {
            Kind::Text => writeln!(out, "      {setting:<26} {}", key.doc),
            kind => writeln!(out, "      {setting:<26} {}; {kind}", key.doc),
        };
    }
}

/// Scenarios with their keys, models and solvers, one line each.
pub fn text() -> String {
    let mut out = String::from("Scenarios (keys for --set, with their defaults)\n");
    // Writing to a string can't fail.
    for scenario in SCENARIOS {
        let _ = writeln!(
            out,
            "  {:<13} {} ({}, dt {} s, {} s)",
            scenario.name, scenario.doc, scenario.model, scenario.dt, scenario.duration
        );
        keys(&mut out, scenario.keys);
        for preset in scenario.presets {
            let _ = writeln!(out, "      {preset:<26} here, unless set otherwise");
        }
    }
    out += "\nKeys of every scenario: settings of the models\n";
    for (name, default, doc) in model_keys::listing() {
        let setting = format!("{name}={default}");
        let _ = writeln!(out, "      {}", format!("{setting:<26} {doc}").trim_end());
    }
    out += "\nKeys of every scenario: all contacts, beyond what rapier's colliders state\n";
    keys(&mut out, model_keys::MATERIAL);
    out += "\nModels\n";
    for model in Model::all() {
        let _ = writeln!(out, "  {:<18} {}", model.as_str(), model.doc());
    }
    out += "\nSolvers\n";
    for solver in SolverName::ALL {
        let models: Vec<_> = ModelName::ALL
            .into_iter()
            .filter(|m| m.solvers().contains(&solver))
            .map(ModelName::as_str)
            .collect();
        let _ = writeln!(
            out,
            "  {:<18} {}; for {}",
            solver.as_str(),
            solver_doc(solver),
            models.join(", ")
        );
    }
    out.truncate(out.trim_end().len());
    out
}
