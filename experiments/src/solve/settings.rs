//! Model, solver and settings of a solve: the command line before the file before the defaults.

use super::SolveArgs;
use crate::error::CommandError;
use crate::settings::{Model, solver};
use serde_json::Value;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::file::Context;

/// Time constant with which `quasi-static` reads M as its damping E = M / tau \[s\].
const MASS_IS_DAMPING: f64 = 1.0;

/// What a solve uses.
pub(super) struct Chosen {
    pub(super) model: ModelName,
    pub(super) settings: ModelSettings,
}

/// Puts together command line, file and defaults.
pub(super) fn choose(args: &SolveArgs, context: &Context) -> Result<Chosen, CommandError> {
    let model = match &args.model {
        Some(name) => match Model::parse(name)? {
            Model::Ours(model) => model,
            Model::Host => {
                return Err(CommandError::Usage(
                    "model `host` is rapier's own pipeline; it takes no problem from a file"
                        .to_owned(),
                ));
            }
        },
        None => context.model.unwrap_or_default(),
    };
    let mut settings = context.settings.clone().unwrap_or_default();
    if context.settings.is_none() && model == ModelName::QuasiStatic {
        settings.quasi_static.damping_time = MASS_IS_DAMPING;
    }
    if let Some(own) = settings.solver
        && args.model.is_some()
        && !model.solvers().contains(&own)
    {
        // The file's solver was chosen for the file's model.
        settings.solver = None;
    }
    if args.solver.is_some() {
        settings.solver = solver(Model::Ours(model), args.solver.as_deref())?;
    }
    for setting in &args.set {
        settings = set(settings, setting)?;
    }
    Ok(Chosen { model, settings })
}

/// Changes one setting, named as in a problem file: `baumgarte`, `iteration.omega`, or the last part
/// alone where it is the only one of its name.
fn set(settings: ModelSettings, setting: &str) -> Result<ModelSettings, CommandError> {
    let Some((name, text)) = setting.split_once('=') else {
        return Err(CommandError::Usage(format!(
            "--set `{setting}` is not of the form key=value"
        )));
    };
    let (name, text) = (name.trim(), text.trim());
    let mut tree =
        serde_json::to_value(&settings).map_err(|error| CommandError::Scene(error.to_string()))?;
    let mut paths = Vec::new();
    collect("", &tree, &mut paths);
    let path = match paths.iter().find(|p| *p == name) {
        Some(path) => path,
        None => {
            let tail = format!(".{name}");
            let mut ends = paths.iter().filter(|p| p.ends_with(&tail));
            match (ends.next(), ends.next()) {
                (Some(path), None) => path,
                _ => {
                    return Err(CommandError::Usage(format!(
                        "unknown setting `{name}`; the settings are {}",
                        paths.join(", ")
                    )));
                }
            }
        }
    };
    // What is no JSON is a word.
    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
    let pointer = format!("/{}", path.replace('.', "/"));
    if let Some(place) = tree.pointer_mut(&pointer) {
        *place = value;
    }
    serde_json::from_value(tree)
        .map_err(|error| CommandError::Usage(format!("--set {name}={text}: {error}")))
}

/// The names of all settings in a tree of objects.
fn collect(prefix: &str, tree: &Value, paths: &mut Vec<String>) {
    if !prefix.is_empty() {
        paths.push(prefix.to_owned());
    }
    if let Value::Object(fields) = tree {
        for (name, value) in fields {
            let path = if prefix.is_empty() {
                name.clone()
            } else {
                format!("{prefix}.{name}")
            };
            collect(&path, value, paths);
        }
    }
}
