//! The keyword arguments of a world as settings of its contact model.

use crate::error::{Error, Outcome, nearest};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use serde_json::{Map, Value};
use stickslip_f64::core::models::ModelSettings;
use stickslip_f64::{ModelName, default_settings};

/// A model by name.
///
/// # Errors
/// Names the nearest ones.
pub fn model(name: &str) -> Outcome<ModelName> {
    name.parse().map_err(|_| {
        let near = nearest(name, ModelName::ALL.map(ModelName::as_str));
        Error::Unknown(format!("no contact model is called `{name}`{near}"))
    })
}

/// Settings with these changes; groups are dictionaries: `cone={"tolerance_at_rest": 1e-8}`.
///
/// # Errors
/// A setting that is not there, or of another type.
pub fn settings(changes: Option<&Bound<'_, PyDict>>) -> PyResult<ModelSettings> {
    let defaults = default_settings();
    let Some(changes) = changes.filter(|c| !c.is_empty()) else {
        return Ok(defaults);
    };
    let mut all = serde_json::to_value(&defaults).unwrap_or(Value::Null);
    if let Value::Object(all) = &mut all {
        merge("", all, changes)?;
    }
    let read = serde_path_to_error::deserialize(all);
    Ok(read.map_err(|error| {
        let (path, why) = (error.path().to_string(), error.into_inner());
        Error::Input(format!("setting `{path}`: {why}"))
    })?)
}

fn merge(path: &str, all: &mut Map<String, Value>, changes: &Bound<'_, PyDict>) -> PyResult<()> {
    for (key, value) in changes {
        let key: String = key.extract()?;
        let Some(old) = all.get_mut(&key) else {
            let near = nearest(&key, all.keys().map(String::as_str));
            return Err(Error::Unknown(format!("no setting is called `{path}{key}`{near}")).into());
        };
        match (&mut *old, value.cast::<PyDict>()) {
            (Value::Object(group), Ok(changes)) => {
                merge(&format!("{path}{key}."), group, changes)?;
            }
            _ => *old = json(&format!("{path}{key}"), &value)?,
        }
    }
    Ok(())
}

fn json(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(truth.is_true().into());
    }
    if let Ok(whole) = value.extract::<i64>() {
        return Ok(whole.into());
    }
    if let Ok(number) = value.extract::<f64>() {
        let number = serde_json::Number::from_f64(number);
        return number.map(Value::Number).ok_or_else(|| {
            Error::Input(format!("setting `{what}` is not a finite number")).into()
        });
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(text.into());
    }
    if let Ok(group) = value.cast::<PyDict>() {
        let mut out = Map::new();
        for (key, value) in group {
            let key: String = key.extract()?;
            out.insert(key.clone(), json(&format!("{what}.{key}"), &value)?);
        }
        return Ok(Value::Object(out));
    }
    Err(Error::Input(format!(
        "setting `{what}` is a number, a truth value, a word or a dictionary"
    ))
    .into())
}
