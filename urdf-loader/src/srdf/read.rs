//! The elements of an SRDF.

use std::path::Path;

use roxmltree::Node;

use super::{DisabledPair, GroupState, Rotor, Srdf};
use crate::{
    error::UrdfError,
    file::text_of,
    findings::{Findings, Place},
    model::{NoteKind, Strictness},
    scan::{self, Source},
};

impl Srdf {
    /// Reads a file.
    ///
    /// # Errors
    /// The first thing wrong: no such file, no SRDF, a number that is not finite.
    pub fn from_file(path: &Path, strictness: Strictness) -> Result<Self, UrdfError> {
        Self::from_text(&text_of(path)?, path, strictness)
    }

    /// The same from text; `file` names it in messages.
    ///
    /// # Errors
    /// As [`Srdf::from_file`].
    pub fn from_text(text: &str, file: &Path, strictness: Strictness) -> Result<Self, UrdfError> {
        let mut found = Findings::new(file, strictness);
        let out = read(text, &mut found);
        let (errors, notes) = found.split();
        match (errors.into_iter().next(), out) {
            (Some(error), _) => Err(error),
            (None, Some(out)) => Ok(Self { notes, ..out }),
            (None, None) => Err(UrdfError::NotUrdf {
                file: file.into(),
                reason: "not an SRDF".into(),
            }),
        }
    }
}

fn read(text: &str, found: &mut Findings) -> Option<Srdf> {
    let mut source = Source::new(text, found);
    if let Err(error) = scan::prepare(&mut source, found) {
        found.errors.push(error);
        return None;
    }
    let document = scan::parse(&source, found)?;
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        let name = root.tag_name().name();
        found.errors.push(UrdfError::NotUrdf {
            file: found.file(),
            reason: format!("not an SRDF: the root element is <{name}>, not <robot>"),
        });
        return None;
    }
    let mut reader = Reader {
        source: &source,
        found,
        out: Srdf {
            name: root.attribute("name").unwrap_or_default().into(),
            ..Srdf::default()
        },
    };
    reader.out.file = reader.found.file();
    for node in root.children().filter(Node::is_element) {
        reader.element(node);
    }
    Some(reader.out)
}

struct Reader<'a, 'f> {
    source: &'a Source,
    found: &'a mut Findings<'f>,
    out: Srdf,
}

impl Reader<'_, '_> {
    fn element(&mut self, node: Node) {
        let tag = node.tag_name().name();
        let place = self.source.place(node.range().start, format!("<{tag}>"));
        match tag {
            "disable_collisions" => {
                if let Some(links) = self.pair(node, &place) {
                    let reason = node.attribute("reason").unwrap_or_default().into();
                    self.out.disabled.push(DisabledPair { links, reason });
                }
            }
            "enable_collisions" => {
                let pair = self.pair(node, &place);
                self.out.enabled.extend(pair);
            }
            "disable_default_collisions" => {
                let link = self.attribute(node, "link", &place);
                self.out.disabled_links.extend(link);
            }
            "group_state" => {
                let state = GroupState {
                    name: node.attribute("name").unwrap_or_default().into(),
                    group: node.attribute("group").unwrap_or_default().into(),
                    joints: self
                        .joints(node, "value")
                        .into_iter()
                        .map(|(_, name, value)| (name, value))
                        .collect(),
                };
                self.out.states.push(state);
            }
            "rotor_params" => {
                for (joint, name, inertia) in self.joints(node, "mass") {
                    let ratio = self.numbers(joint, "gear_ratio", &place);
                    let (inertia, gear_ratio) = (inertia[0], ratio.map_or(1.0, |r| r[0]));
                    let rotor = Rotor {
                        inertia,
                        gear_ratio,
                    };
                    self.out.rotors.insert(name, rotor);
                }
            }
            // Planning groups have no meaning in a simulation.
            "group" | "chain" | "end_effector" | "virtual_joint" | "passive_joint" => {}
            _ => self
                .found
                .note(NoteKind::Ignored, &place, "has no effect here"),
        }
    }

    /// `<joint name ATTRIBUTE="numbers"/>` below `node`.
    fn joints<'a, 'i>(
        &mut self,
        node: Node<'a, 'i>,
        attribute: &'static str,
    ) -> Vec<(Node<'a, 'i>, String, Vec<f64>)> {
        let tag = node.tag_name().name();
        let label = match node.attribute("name") {
            Some(name) => format!("{tag} `{name}`"),
            None => format!("<{tag}>"),
        };
        let mut out = Vec::new();
        for joint in node.children().filter(|n| n.tag_name().name() == "joint") {
            let place = self.source.place(joint.range().start, label.clone());
            let name = self.attribute(joint, "name", &place);
            if self.attribute(joint, attribute, &place).is_none() {
                continue;
            }
            let values = self.numbers(joint, attribute, &place);
            out.extend(name.zip(values).map(|(n, v)| (joint, n, v)));
        }
        out
    }

    fn pair(&mut self, node: Node, place: &Place) -> Option<[String; 2]> {
        let first = self.attribute(node, "link1", place);
        let second = self.attribute(node, "link2", place);
        Some([first?, second?])
    }

    /// An attribute that must be there.
    fn attribute(&mut self, node: Node, name: &str, place: &Place) -> Option<String> {
        let value = node.attribute(name);
        if value.is_none() {
            let text = format!("has no {name} and is left out");
            self.found.repaired(place, text);
        }
        value.map(str::to_string)
    }

    /// At least one finite number. `None` when absent, or wrong (an error then).
    fn numbers(&mut self, node: Node, name: &'static str, place: &Place) -> Option<Vec<f64>> {
        let text = node.attribute(name)?;
        let numbers = text
            .split_whitespace()
            .map(|w| w.parse().ok().filter(|x: &f64| x.is_finite()));
        let values = numbers.collect::<Option<Vec<f64>>>();
        let values = values.filter(|v| !v.is_empty());
        if values.is_none() {
            self.found.errors.push(UrdfError::BadNumber {
                file: self.found.file(),
                line: place.line,
                element: place.element.clone(),
                attribute: name,
                value: text.into(),
                reason: "finite numbers expected".into(),
            });
        }
        values
    }
}
