//! What one run is asked to do, validated.

pub(crate) use super::asked::solver;
pub use super::asked::{Model, Precision, Request};
use super::key_values::{KeyValues, unknown};
use crate::catalog::{Scenario, ScenarioId};
use crate::error::CommandError;
use crate::hands;
use crate::ignored::Ignored;
use crate::model_keys::{self, MATERIAL, Material, ModelKeys};
use crate::robot_args::RobotArgs;
use crate::scene_file::{self, SceneFile};
use std::path::PathBuf;
use std::sync::Arc;
use stickslip_core::models::ModelSettings;

/// One run, validated.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// What was asked for.
    pub request: Request,
    /// The scenario.
    pub scenario: &'static Scenario,
    /// The model.
    pub model: Model,
    /// Settings of the project's models, the solver among them.
    pub model_settings: ModelSettings,
    /// Which of them were asked for: where the engine's precision wants other defaults, only these
    /// hold.
    pub model_keys: ModelKeys,
    /// Coefficients of the contacts that rapier's colliders don't state.
    pub material: Material,
    /// Friction coefficients that the model leaves out.
    pub ignored: Ignored,
    /// Time step \[s\].
    pub dt: f64,
    /// Number of steps.
    pub steps: u64,
    /// Robot file, if given.
    pub robot: Option<PathBuf>,
    /// How the robot file is read and placed.
    pub robot_args: RobotArgs,
    /// The scene of the scenario `scene`.
    pub scene: Option<Arc<SceneFile>>,
    /// The scenario's keys.
    pub keys: KeyValues,
    /// Seed of everything random.
    pub seed: u64,
    /// Precision of the engine.
    pub precision: Precision,
    /// Whether the run is recorded, so that visual meshes of robots are read.
    pub is_drawn: bool,
}

/// Most steps of one run: beyond it a slip of the keyboard is likelier than patience.
const MAX_STEPS: f64 = 1e9;

impl RunSettings {
    /// Validates a request.
    ///
    /// # Errors
    /// A usage error that lists what is known.
    pub fn new(request: &Request) -> Result<Self, CommandError> {
        let scenario = hands::scenario(request)?;
        let scene = scene(scenario, request)?;
        let of_scene = |own: fn(&SceneFile) -> Option<f64>| scene.as_deref().and_then(own);
        let word = |own: fn(&SceneFile) -> &Option<String>| {
            scene.as_deref().and_then(|scene| own(scene).as_deref())
        };
        let given = request.model.as_deref();
        let model = match given.or_else(|| word(|s| &s.model)) {
            Some(name) => Model::parse(name)?,
            None => Model::Ours(scenario.model),
        };
        let own_solver = word(|s| &s.solver).filter(|_| given.is_none());
        let solver = solver(model, request.solver.as_deref().or(own_solver))?;
        let dt = request.dt.or(of_scene(|s| s.dt)).unwrap_or(scenario.dt);
        let dt = positive("--dt", dt)?;
        let duration = request.duration.or(of_scene(|s| s.duration));
        let duration = positive("--duration", duration.unwrap_or(scenario.duration))?;
        let steps = (duration / dt).round().max(1.0);
        if steps > MAX_STEPS {
            return Err(CommandError::Usage(format!(
                "--duration {duration} at --dt {dt} would be {steps:.3e} steps; the most is {MAX_STEPS:e}"
            )));
        }
        let settle = scene.as_deref().map_or(0.0, |scene| scene.settle);
        // A shorter run than the file's measures its second half.
        if settle >= steps * dt && request.duration.is_none() {
            return Err(CommandError::Usage(format!(
                "nothing is left to measure: settle = {settle} s of {duration} s"
            )));
        }
        let about_robot = request.robot.is_some() || request.robot_args != RobotArgs::default();
        if about_robot && !scenario.takes_robot && scene.is_none()
            || request.robot.is_some() && scene.is_some()
        {
            return Err(CommandError::Usage(format!(
                "scenario `{}` takes no --robot",
                scenario.name
            )));
        }
        let presets = scenario.presets.iter().map(|s| (*s).to_owned());
        let of_file = scene.iter().flat_map(|scene| scene.set.iter().cloned());
        let asked = request.set.iter().filter(|s| !changes_scene(scenario, s));
        let set: Vec<_> = presets.chain(of_file).chain(asked.cloned()).collect();
        let set = Sorted::new(scenario, &set)?;
        let model_keys = ModelKeys::new(&set.model)?;
        let base = ModelSettings {
            solver,
            ..ModelSettings::default()
        };
        let model_settings = match model {
            Model::Ours(name) => model_keys.checked(name, base)?,
            Model::Host => base,
        };
        Ok(Self {
            request: request.clone(),
            scenario,
            model,
            model_settings,
            model_keys,
            material: model_keys::material(&set.material)?,
            ignored: Ignored::new(scenario, model, &request.set),
            dt,
            steps: steps as u64,
            robot: request.robot.clone(),
            robot_args: request.robot_args.clone(),
            scene,
            keys: KeyValues::new(
                &format!("scenario `{}`", scenario.name),
                scenario.keys,
                &set.scenario,
            )?,
            seed: request.seed,
            precision: request.precision,
            is_drawn: false,
        })
    }

    /// Name of the solver as results state it.
    pub fn solver_name(&self) -> &'static str {
        match self.model {
            Model::Ours(model) => self.model_settings.solver_for(model).as_str(),
            Model::Host => "rapier",
        }
    }
}

/// `key=value` settings by whom they concern.
struct Sorted {
    scenario: Vec<String>,
    model: Vec<String>,
    material: Vec<String>,
}

impl Sorted {
    /// An unknown name is refused with the nearest known ones.
    fn new(scenario: &Scenario, settings: &[String]) -> Result<Self, CommandError> {
        let mut sorted = Self {
            scenario: Vec::new(),
            model: Vec::new(),
            material: Vec::new(),
        };
        for setting in settings {
            let name = model_keys::name_of(setting);
            let own = scenario.keys.iter().any(|k| k.name == name);
            let list = if own || !setting.contains('=') {
                &mut sorted.scenario
            } else if ModelKeys::knows(name) {
                &mut sorted.model
            } else if MATERIAL.iter().any(|k| k.name == name) {
                &mut sorted.material
            } else {
                let mut others = model_keys::names();
                others.extend(MATERIAL.iter().map(|k| k.name.to_owned()));
                let whose = format!("scenario `{}`", scenario.name);
                let mut error = unknown(&whose, scenario.keys, name, &others);
                if let (ScenarioId::Scene, CommandError::Usage(text)) = (scenario.id, &mut error) {
                    text.push_str("; values of its file go by their paths, as bodies.NAME.mass=5");
                }
                return Err(error);
            };
            list.push(setting.clone());
        }
        Ok(sorted)
    }
}

/// Whether a setting changes the scene of a file.
fn changes_scene(scenario: &Scenario, setting: &str) -> bool {
    scenario.id == ScenarioId::Scene && scene_file::is_path(model_keys::name_of(setting))
}

/// The scene of the scenario `scene`.
fn scene(scenario: &Scenario, request: &Request) -> Result<Option<Arc<SceneFile>>, CommandError> {
    if scenario.id != ScenarioId::Scene {
        return match &request.scene {
            None => Ok(None),
            Some(_) => Err(CommandError::Usage(format!(
                "scenario `{}` takes no --scene; it goes with the scenario `scene`",
                scenario.name
            ))),
        };
    }
    let changes = request.set.iter().filter(|s| changes_scene(scenario, s));
    let changes: Vec<String> = changes.cloned().collect();
    let scene = scene_file::load(request.scene.as_deref(), &changes)?;
    Ok(Some(Arc::new(scene)))
}

fn positive(flag: &str, value: f64) -> Result<f64, CommandError> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(CommandError::Usage(format!(
        "{flag} must be a positive, finite number of seconds, not {value}"
    )))
}
