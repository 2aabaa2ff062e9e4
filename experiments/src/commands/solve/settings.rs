//! Model, solver and settings of a solve: the command line before the file before the defaults.

use crate::error::CommandError;
use crate::model_keys::ModelKeys;
use crate::settings::{Model, solver};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_problem_file::Context;

/// Time constant with which `quasi-static` reads M as its damping E = M / tau \[s\].
const MASS_IS_DAMPING: f64 = 1.0;

/// What the command line says.
pub(super) struct Asked<'a> {
    pub(super) model: Option<&'a str>,
    pub(super) solver: Option<&'a str>,
    pub(super) set: &'a [String],
}

/// What a solve uses.
pub(super) struct Chosen {
    pub(super) model: ModelName,
    pub(super) settings: ModelSettings,
}

/// Puts together command line, file and defaults.
pub(super) fn choose(asked: &Asked, context: &Context) -> Result<Chosen, CommandError> {
    let model = match asked.model {
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
        && asked.model.is_some()
        && !model.solvers().contains(&own)
    {
        // The file's solver was chosen for the file's model.
        settings.solver = None;
    }
    if asked.solver.is_some() {
        settings.solver = solver(Model::Ours(model), asked.solver)?;
    }
    let settings = ModelKeys::new(asked.set)?.apply(settings)?;
    Ok(Chosen { model, settings })
}
