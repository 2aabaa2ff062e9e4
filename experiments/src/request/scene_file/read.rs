//! From text to a scene, with what the user changes on the way.

use super::SceneFile;
use crate::error::CommandError;
use crate::near;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// What runs when no file is given.
const SAMPLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/scene.toml"));

/// Parts of a scene that `--set PART.NAME=VALUE` may change.
const PARTS: [&str; 6] = ["ground", "bodies", "robots", "measure", "gravity", "settle"];

/// Keys of which a body has one.
const HEAVINESS: [&str; 2] = ["mass", "density"];

/// Whether a name is a path into a scene: `bodies.crate.mass`, `ground.friction`.
pub fn is_path(name: &str) -> bool {
    let first = name.split('.').next();
    first.is_some_and(|first| PARTS.contains(&first))
}

/// Reads and checks a scene (without a file, the sample), with these `PATH=VALUE` changes.
///
/// # Errors
/// A usage error naming file and line or key.
pub fn load(path: Option<&Path>, changes: &[String]) -> Result<SceneFile, CommandError> {
    let name = path.map_or_else(
        || "assets/scene.toml".to_owned(),
        |p| p.display().to_string(),
    );
    let bad = |what: String| CommandError::Usage(format!("{name}: {what}"));
    let text = match path {
        None => SAMPLE.to_owned(),
        Some(path) => fs::read_to_string(path).map_err(|e| bad(format!("cannot be read: {e}")))?,
    };
    let mut scene: SceneFile =
        toml::from_str(&text).map_err(|error| bad(explain(&text, &error)))?;
    if !changes.is_empty() {
        let mut table: Table =
            toml::from_str(&text).map_err(|error| bad(explain(&text, &error)))?;
        for change in changes {
            apply(&mut table, change).map_err(&bad)?;
        }
        let changed = Value::Table(table).try_into::<SceneFile>();
        scene = changed.map_err(|error| {
            bad(format!(
                "with --set {}: {}",
                changes.join(" "),
                reason(&error)
            ))
        })?;
    }
    let folder = path.and_then(Path::parent).unwrap_or(Path::new(""));
    folder.clone_into(&mut scene.folder);
    scene.check().map_err(bad)?;
    Ok(scene)
}

/// Line and reason.
fn explain(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().and_then(|span| text.get(..span.start));
    let line = line.map_or(1, |before| before.matches('\n').count() + 1);
    format!("line {line}: {}", reason(error))
}

/// The reason; of an unknown name, the nearest known ones.
fn reason(error: &toml::de::Error) -> String {
    let message = error.message();
    let words: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
    match words.split_first() {
        Some((name, known)) if unknown => {
            let rest = near::did_you_mean(name, known.iter().copied())
                .unwrap_or_else(|| format!("known are {}", known.join(", ")));
            let kind = if message.starts_with("unknown field") {
                "key"
            } else {
                "word"
            };
            format!("unknown {kind} `{name}`; {rest}")
        }
        _ => message.trim().replace('\n', "; "),
    }
}

/// Puts a value at its path; elements of lists go by their names.
fn apply(table: &mut Table, change: &str) -> Result<(), String> {
    let (path, text) = change.split_once('=').unwrap_or((change, ""));
    let value = parse(text.trim());
    let mut parts: Vec<&str> = path.trim().split('.').collect();
    let leaf = parts.pop().unwrap_or_default();
    let mut at: &mut Table = table;
    let mut parts = parts.into_iter();
    while let Some(part) = parts.next() {
        let inner = at.entry(part).or_insert_with(|| Value::Table(Table::new()));
        at = match inner {
            Value::Table(table) => table,
            Value::Array(list) => {
                let name = parts.next().unwrap_or(leaf);
                let names: Vec<String> = list.iter().filter_map(name_of).collect();
                let place = names.iter().position(|n| n == name).ok_or_else(|| {
                    let near = near::did_you_mean(name, names.iter().map(String::as_str));
                    let near = near.unwrap_or_else(|| format!("there are {}", names.join(", ")));
                    format!("--set {change}: `{part}` has no `{name}`; {near}")
                })?;
                let named = list.iter_mut().filter(|v| name_of(v).is_some());
                match named.into_iter().nth(place) {
                    Some(Value::Table(table)) => table,
                    _ => return Err(format!("--set {change}: `{name}` has no keys")),
                }
            }
            _ => return Err(format!("--set {change}: `{part}` has no keys")),
        };
    }
    // One of the two states how heavy a body is: the other one of the file goes.
    if let Some(other) = HEAVINESS.iter().position(|key| *key == leaf) {
        at.remove(HEAVINESS[1 - other]);
    }
    at.insert(leaf.to_owned(), value);
    Ok(())
}

/// What an element of a list goes by.
fn name_of(value: &Value) -> Option<String> {
    let name = value.get("name").or_else(|| value.get("of"))?;
    name.as_str().map(str::to_owned)
}

/// A value as TOML has it; anything else is text. A whole number may stand for any number.
fn parse(text: &str) -> Value {
    let parsed: Result<Table, _> = toml::from_str(&format!("x = {text}"));
    let value = parsed.ok().and_then(|mut table| table.remove("x"));
    value.unwrap_or_else(|| Value::String(text.to_owned()))
}
