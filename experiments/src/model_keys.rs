//! Keys that `--set` knows for every scenario and model: settings of the models, and coefficients of
//! the contacts that rapier's colliders don't state.
//!
//! A setting of a model goes by a short name, by its path in [`ModelSettings`] as a problem file states it
//! (`iteration.omega`), or by the last part of that path where it is the only one of its name. A new
//! setting needs nothing here; what it accepts is the core's to say.

use crate::error::CommandError;
use crate::keys::{Key, KeyValues};
use serde_json::Value;
use stickslip_core::models::{ModelName, ModelSettings};

/// A setting of the models by its short name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Name on the command line.
    pub name: &'static str,
    /// Path in [`ModelSettings`].
    pub path: &'static str,
    /// One line: meaning and unit.
    pub doc: &'static str,
}

const fn setting(name: &'static str, path: &'static str, doc: &'static str) -> Setting {
    Setting { name, path, doc }
}

/// Settings with short names. The others go by their paths.
pub const SETTINGS: &[Setting] = &[
    setting(
        "directions",
        "polygon.directions",
        "friction directions of the polygonal models, an even number in 4..=64",
    ),
    setting(
        "restitution_law",
        "polygon.restitution",
        "how anitescu-potra bounces: newton (speeds) or poisson (impulses)",
    ),
    setting(
        "stabilisation",
        "polygon.stabilisation",
        "none, scaled:EPS or tikhonov:EPS on the matrix of the polygonal models [TSL]",
    ),
    setting(
        "iteration_tolerance",
        "iteration.tolerance",
        "residual at which iterations have converged",
    ),
    setting(
        "max_iterations",
        "iteration.max_iterations",
        "sweeps after which iterations end",
    ),
    setting(
        "omega",
        "iteration.omega",
        "relaxation of iterations, in 0..2",
    ),
    setting(
        "lambda",
        "iteration.lambda",
        "share of the projected step that iterations take",
    ),
    setting(
        "sweep",
        "cone.sweep",
        "order in which psor visits the contacts: forward or symmetric",
    ),
    setting(
        "hover",
        "cone.hover",
        "keep, or remove: De Saxce's fixed point takes the hovering out of ccp",
    ),
    setting(
        "touching_speed",
        "acceleration.touching_speed",
        "normal speed up to which the acceleration models see no impact [m/s]",
    ),
    setting(
        "sliding_speed",
        "acceleration.sliding_speed",
        "tangential speed above which their contacts slide [m/s]",
    ),
    setting(
        "rolling_friction",
        "acceleration.rolling",
        "what bounds the friction of those that don't slide: pyramid or cone",
    ),
    setting(
        "on_no_solution",
        "acceleration.on_no_solution",
        "stop, or velocity-level: an impulse without a collision passes through",
    ),
    setting(
        "damping_time",
        "quasi_static.damping_time",
        "time constant tau of the quasi-static damping E = M / tau [s]",
    ),
    setting(
        "closed_tolerance",
        "closed_tolerance",
        "gap up to which a contact is closed [m]; 1e-5 by default in f32",
    ),
    setting(
        "baumgarte",
        "baumgarte",
        "share of a penetration removed per step [-]",
    ),
    setting(
        "push_speed",
        "push_speed",
        "largest speed at which a penetration is pushed out [m/s]",
    ),
    setting(
        "restitution_threshold",
        "restitution_threshold",
        "approach speed from which contacts bounce [m/s]",
    ),
    setting(
        "tolerance",
        "tolerance",
        "what counts as zero in pivoting methods, relative to the speeds",
    ),
    setting(
        "max_pivots",
        "max_pivots",
        "changes of the active set after which a solver gives up",
    ),
    setting(
        "release_rounds",
        "release_rounds",
        "rounds in which no-slip-releasing drops rows",
    ),
];

const FROM_ZERO: (f64, f64) = (0.0, f64::MAX);

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

/// The settings of the models that a run or a solve was given: paths and values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelKeys(Vec<(String, Value)>);

impl ModelKeys {
    /// Whether a name is one of these keys.
    pub fn knows(name: &str) -> bool {
        path_of(name).is_some()
    }

    /// Reads `key=value` settings.
    ///
    /// # Errors
    /// A usage error that lists the keys, or what a key accepts.
    pub fn new(settings: &[String]) -> Result<Self, CommandError> {
        let mut keys = Self::default();
        for setting in settings {
            let Some((name, text)) = setting.split_once('=') else {
                return Err(CommandError::Usage(format!(
                    "--set `{setting}` is not of the form key=value"
                )));
            };
            let (name, text) = (name.trim(), text.trim());
            let Some((path, default)) = path_of(name) else {
                return Err(CommandError::Usage(format!(
                    "unknown setting `{name}`; the settings of the models are {}",
                    names().join(", ")
                )));
            };
            let one = Self(vec![(path.clone(), value(text, &default))]);
            one.apply(ModelSettings::default())
                .map_err(|e| CommandError::Usage(format!("key `{name}` can't be `{text}`: {e}")))?;
            keys.0.extend(one.0);
        }
        Ok(keys)
    }

    /// Model settings: those given, on top of others. What was not set stays.
    ///
    /// # Errors
    /// When a value is not of the setting's kind.
    pub fn apply(&self, base: ModelSettings) -> Result<ModelSettings, CommandError> {
        if self.0.is_empty() {
            return Ok(base);
        }
        let wrong = |e: serde_json::Error| CommandError::Usage(e.to_string());
        let mut tree = serde_json::to_value(base).map_err(wrong)?;
        for (path, value) in &self.0 {
            if let Some(leaf) = tree.pointer_mut(&pointer(path)) {
                *leaf = value.clone();
            }
        }
        serde_json::from_value(tree).map_err(wrong)
    }

    /// The same, and held against a model.
    ///
    /// # Errors
    /// A usage error naming the setting that is out of range, or the solvers that fit.
    pub fn checked(
        &self,
        model: ModelName,
        base: ModelSettings,
    ) -> Result<ModelSettings, CommandError> {
        let settings = self.apply(base)?;
        stickslip_core::models::model(model, settings.clone())
            .map_err(|e| CommandError::Usage(e.to_string()))?;
        Ok(settings)
    }
}

/// Names of all settings: the short ones, then the paths of the rest.
pub fn names() -> Vec<String> {
    let listed = listing();
    listed.into_iter().map(|(name, ..)| name).collect()
}

/// All settings as name, default and one line about each: those with short names first.
pub fn listing() -> Vec<(String, String, &'static str)> {
    let leaves = leaves();
    let default = |path: &str| {
        let found = leaves.iter().find(|(leaf, _)| leaf == path);
        found.map_or_else(String::new, |(_, value)| match value {
            Value::String(word) => word.clone(),
            value => value.to_string(),
        })
    };
    let short = SETTINGS
        .iter()
        .map(|s| (s.name.to_owned(), default(s.path), s.doc));
    let rest = leaves
        .iter()
        .filter(|(path, _)| SETTINGS.iter().all(|s| s.path != path))
        .map(|(path, _)| (path.clone(), default(path), ""));
    short.chain(rest).collect()
}

/// The name in `key=value`.
pub(crate) fn name_of(setting: &str) -> &str {
    let name = setting.split_once('=').map_or(setting, |(name, _)| name);
    name.trim()
}

fn pointer(path: &str) -> String {
    format!("/{}", path.replace('.', "/"))
}

/// Every single setting as its path and default; the solver has a flag of its own.
fn leaves() -> Vec<(String, Value)> {
    fn walk(prefix: &str, tree: Value, out: &mut Vec<(String, Value)>) {
        let Value::Object(map) = tree else {
            out.push((prefix.to_owned(), tree));
            return;
        };
        for (name, value) in map {
            let path = if prefix.is_empty() {
                name
            } else {
                format!("{prefix}.{name}")
            };
            walk(&path, value, out);
        }
    }
    let mut out = Vec::new();
    // Numbers and words: nothing that JSON could not hold.
    if let Ok(tree) = serde_json::to_value(ModelSettings::default()) {
        walk("", tree, &mut out);
    }
    out.retain(|(path, _)| path != "solver");
    out
}

fn path_of(name: &str) -> Option<(String, Value)> {
    let short = SETTINGS.iter().find(|s| s.name == name);
    let path = short.map_or(name, |s| s.path);
    let mut leaves = leaves();
    if let Some(at) = leaves.iter().position(|(leaf, _)| leaf == path) {
        return Some(leaves.swap_remove(at));
    }
    let tail = format!(".{path}");
    leaves.retain(|(leaf, _)| leaf.ends_with(&tail));
    match leaves.len() {
        1 => leaves.pop(),
        _ => None,
    }
}

/// A value as the default's kind suggests; what it isn't, the core refuses.
fn value(text: &str, default: &Value) -> Value {
    let word = || Value::from(text);
    match default {
        Value::Number(number) if number.is_f64() => {
            text.parse::<f64>().map_or_else(|_| word(), Value::from)
        }
        Value::Number(_) => text.parse::<u64>().map_or_else(|_| word(), Value::from),
        Value::Bool(_) => text.parse::<bool>().map_or_else(|_| word(), Value::from),
        // Left to the model.
        Value::Null if text == "null" => Value::Null,
        // Words with a number: `tikhonov:1e-8`, or as a file has it.
        _ if text.starts_with('{') => serde_json::from_str(text).unwrap_or_else(|_| word()),
        _ => match text.split_once(':') {
            Some((kind, number)) => match number.parse::<f64>() {
                Ok(number) => serde_json::json!({ kind: number }),
                Err(_) => word(),
            },
            None => word(),
        },
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::SCENARIOS;
    use stickslip_core::models::{DampingRoute, RestitutionLaw, Stabilisation};

    fn keys(words: &[&str]) -> Result<ModelKeys, CommandError> {
        let words: Vec<_> = words.iter().map(|w| (*w).to_owned()).collect();
        ModelKeys::new(&words)
    }

    fn settings(words: &[&str]) -> ModelSettings {
        let keys = keys(words).unwrap();
        keys.apply(ModelSettings::default()).unwrap()
    }

    /// Short names point to settings that exist, and the listed defaults are accepted and change
    /// nothing.
    #[test]
    fn every_key_exists_and_states_its_default() {
        assert!(listing().len() >= SETTINGS.len());
        for setting in SETTINGS {
            let hidden = leaves().iter().any(|(path, _)| path == setting.name);
            assert!(!hidden || setting.path == setting.name, "{}", setting.name);
        }
        for (name, default, _) in listing() {
            assert!(!default.is_empty(), "{name} points nowhere");
            let same = settings(&[&format!("{name}={default}")]);
            assert_eq!(same, ModelSettings::default(), "{name}");
        }
    }

    #[test]
    fn keys_reach_their_settings() {
        let all = settings(&[
            "directions=8",
            "restitution_law=poisson",
            "stabilisation=tikhonov:1e-8",
            "max_iterations=7",
            "baumgarte=0.5",
            "tolerance=1e-10",
            "iteration.omega=1.5",
            "route=rows",
        ]);
        assert_eq!(all.polygon.directions, 8);
        assert_eq!(all.polygon.restitution, Some(RestitutionLaw::Poisson));
        assert_eq!(all.polygon.stabilisation, Stabilisation::Tikhonov(1e-8));
        assert_eq!(all.iteration.max_iterations, 7);
        assert_eq!((all.baumgarte, all.tolerance), (0.5, 1e-10));
        assert_eq!(all.iteration.omega, 1.5);
        assert_eq!(all.viscous.route, DampingRoute::Rows);
        // As a problem file writes it.
        assert_eq!(
            settings(&["stabilisation={\"scaled\": 1e-6}"])
                .polygon
                .stabilisation,
            Stabilisation::Scaled(1e-6)
        );
    }

    /// What was not set stays, even where the base differs from the defaults.
    #[test]
    fn unset_keys_leave_the_base_alone() {
        let base = ModelSettings {
            closed_tolerance: 1e-5,
            ..ModelSettings::default()
        };
        let settings = keys(&["baumgarte=0.5"]).unwrap().apply(base).unwrap();
        assert_eq!((settings.closed_tolerance, settings.baumgarte), (1e-5, 0.5));
    }

    #[test]
    fn wrong_values_are_refused_with_what_fits() {
        for (wrong, message) in [
            ("directions=5.5", "`directions`"),
            ("omega=much", "`omega`"),
            ("stabilisation=much", "tikhonov"),
            ("stabilisation=tikhonov:x", "tikhonov"),
            ("restitution_law=poison", "`poisson`"),
            ("nonsense=1", "directions, restitution_law"),
            ("directions", "key=value"),
        ] {
            let refused = keys(&[wrong]).unwrap_err().to_string();
            assert!(refused.contains(message), "{wrong}: {refused}");
        }
        // The core knows that a polygon has an even number of corners.
        let odd = keys(&["directions=5"]).unwrap();
        let refused = odd.checked(ModelName::NoSlip, ModelSettings::default());
        assert!(refused.unwrap_err().to_string().contains("even"));
    }

    #[test]
    fn no_scenario_has_a_key_of_the_same_name() {
        for scenario in SCENARIOS {
            for key in scenario.keys {
                assert!(!ModelKeys::knows(key.name), "{}", key.name);
                assert!(MATERIAL.iter().all(|m| m.name != key.name), "{}", key.name);
            }
        }
        assert!(MATERIAL.iter().all(|m| !ModelKeys::knows(m.name)));
    }
}
