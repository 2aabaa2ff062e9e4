//! Every key exists, reaches its setting and refuses what it does not take.

use super::paths::leaves;
use super::*;
use crate::catalog::SCENARIOS;
use crate::error::CommandError;
use stickslip_core::models::{
    DampingRoute, ModelName, ModelSettings, RestitutionLaw, Stabilisation,
};

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
        "budget.memory=1000000",
        "milliseconds=20",
    ]);
    assert_eq!(all.polygon.directions, 8);
    assert_eq!(all.polygon.restitution, Some(RestitutionLaw::Poisson));
    assert_eq!(all.polygon.stabilisation, Stabilisation::Tikhonov(1e-8));
    assert_eq!(all.iteration.max_iterations, 7);
    assert_eq!((all.baumgarte, all.tolerance), (0.5, 1e-10));
    assert_eq!(all.iteration.omega, 1.5);
    assert_eq!(all.viscous.route, DampingRoute::Rows);
    assert_eq!(all.budget.memory, 1_000_000);
    assert_eq!(all.budget.milliseconds, Some(20.0));
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
        ("nonsense=1", "stickslip list"),
        ("omga=1", "`omega`"),
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
