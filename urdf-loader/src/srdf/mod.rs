//! SRDF: what a robot's maker says beside its URDF: which links needn't be checked against each
//! other, and named poses.

mod read;

use std::{
    collections::{BTreeMap, HashSet},
    path::PathBuf,
};

use crate::model::{Note, NoteKind, RobotModel};

/// A semantic description that goes with a robot model, names as in its file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Srdf {
    /// Name of the robot it is for (may be empty).
    pub name: String,
    /// The file it came from.
    pub file: PathBuf,
    /// Pairs of links that don't collide (`<disable_collisions>`).
    pub disabled: Vec<DisabledPair>,
    /// Links that collide with no other unless enabled (`<disable_default_collisions>`).
    pub disabled_links: Vec<String>,
    /// Pairs that collide even so (`<enable_collisions>`).
    pub enabled: Vec<[String; 2]>,
    /// Named poses, in file order.
    pub states: Vec<GroupState>,
    /// Rotors (`<rotor_params>`), by joint.
    pub rotors: BTreeMap<String, Rotor>,
    /// What was repaired or ignored.
    pub notes: Vec<Note>,
}

/// Two links that don't collide.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DisabledPair {
    /// Their names.
    pub links: [String; 2],
    /// Why, for example `Adjacent` or `Never` (may be empty).
    pub reason: String,
}

/// A named pose of a group of joints (`<group_state>`).
#[derive(Debug, Clone, PartialEq)]
pub struct GroupState {
    /// Name of the pose.
    pub name: String,
    /// Group it is for.
    pub group: String,
    /// Positions by joint: one number (rad or m) or, for joints with several coordinates, as many
    /// as the file gives.
    pub joints: BTreeMap<String, Vec<f64>>,
}

/// Rotor of a joint's motor (`<rotor_params>`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rotor {
    /// Its inertia (kg m^2); the attribute is called `mass`.
    pub inertia: f64,
    /// Turns of the motor per turn of the joint.
    pub gear_ratio: f64,
}

impl Rotor {
    /// As the joint feels it: gear_ratio^2 I (kg m^2).
    pub fn reflected_inertia(&self) -> f64 {
        self.gear_ratio * self.gear_ratio * self.inertia
    }
}

impl Srdf {
    /// A named pose; the first of that name.
    pub fn state(&self, name: &str) -> Option<&GroupState> {
        self.states.iter().find(|s| s.name == name)
    }

    /// Whether two links may touch as far as this file is concerned.
    pub fn collides(&self, link1: &str, link2: &str) -> bool {
        let is = |pair: &[String; 2]| {
            (pair[0] == link1 && pair[1] == link2) || (pair[0] == link2 && pair[1] == link1)
        };
        if self.enabled.iter().any(is) {
            return true;
        }
        let off = |link: &str| self.disabled_links.iter().any(|l| l == link);
        !(off(link1) || off(link2) || self.disabled.iter().any(|d| is(&d.links)))
    }

    /// Whatever names a link or joint that the robot doesn't have; it has no effect.
    pub fn check(&self, model: &RobotModel) -> Vec<Note> {
        let links: HashSet<&str> = model.links.iter().map(|l| l.name.as_str()).collect();
        let joints: HashSet<&str> = model.joints.iter().map(|j| j.name.as_str()).collect();
        let mut out = Vec::new();
        let mut unknown = |what: &str, element: String| {
            out.push(Note {
                kind: NoteKind::Ignored,
                line: None,
                element,
                text: format!("{what} is not in robot `{}`", model.name),
            });
        };
        let disabled = self
            .disabled
            .iter()
            .map(|d| ("disable_collisions", &d.links));
        let enabled = self.enabled.iter().map(|pair| ("enable_collisions", pair));
        for (tag, pair) in disabled.chain(enabled) {
            for link in pair.iter().filter(|l| !links.contains(l.as_str())) {
                unknown(&format!("link `{link}`"), format!("<{tag}>"));
            }
        }
        for link in self
            .disabled_links
            .iter()
            .filter(|l| !links.contains(l.as_str()))
        {
            unknown(
                &format!("link `{link}`"),
                "<disable_default_collisions>".into(),
            );
        }
        for state in &self.states {
            for joint in state.joints.keys().filter(|j| !joints.contains(j.as_str())) {
                let element = format!("group_state `{}`", state.name);
                unknown(&format!("joint `{joint}`"), element);
            }
        }
        for joint in self.rotors.keys().filter(|j| !joints.contains(j.as_str())) {
            unknown(&format!("joint `{joint}`"), "<rotor_params>".into());
        }
        out
    }
}
