//! Every single setting of the models by its path, and the values it takes.

use super::SETTINGS;
use serde_json::Value;
use stickslip_core::models::ModelSettings;

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

pub(super) fn pointer(path: &str) -> String {
    format!("/{}", path.replace('.', "/"))
}

/// Every single setting as its path and default; the solver has a flag of its own.
pub(super) fn leaves() -> Vec<(String, Value)> {
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

pub(super) fn path_of(name: &str) -> Option<(String, Value)> {
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
pub(super) fn value(text: &str, default: &Value) -> Value {
    let word = || Value::from(text);
    match default {
        Value::Number(number) if number.is_f64() => {
            text.parse::<f64>().map_or_else(|_| word(), Value::from)
        }
        Value::Number(_) => text.parse::<u64>().map_or_else(|_| word(), Value::from),
        Value::Bool(_) => text.parse::<bool>().map_or_else(|_| word(), Value::from),
        // Left to the model, a number or a word.
        Value::Null if text == "null" => Value::Null,
        Value::Null => text.parse::<f64>().map_or_else(|_| word(), Value::from),
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
