//! A look at the XML before `urdf-rs` reads it.
//!
//! That reader drops some things silently and reports others without a name, so the structure is
//! checked here, errors of real files are repaired, and what is understood is written out again
//! ([`Scan::text`]): the reader sees nothing else. What it has no place for is kept beside the text.

mod drives;
mod joint;
mod link;
mod loops;
mod macros;
mod numbers;
mod said;
mod scanner;
mod source;
pub(crate) mod spelling;
mod tidy;
mod writer;

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

pub(crate) use link::PLANE;
pub(crate) use loops::elements_of as loop_elements;
pub(crate) use macros::{first_macro, is_xacro};
pub(crate) use said::{
    ActuatorScan, JointScan, LinkScan, LoopEnd, LoopScan, Scan, TransmissionScan,
};
pub(crate) use scanner::WORLD;
pub(crate) use source::{Origin, Source, parse, prepare};
pub(crate) use writer::escape;

use crate::{
    error::UrdfError,
    findings::{Findings, Place},
    model::NoteKind,
};
use scanner::{Scanner, elements};
use writer::Writer;

/// Links a robot may have: far beyond any robot, far below what would strain a machine.
pub(crate) const MAX_LINKS: usize = 10_000;

/// Reads the structure of the file. `None` when it is no robot (then there are errors).
pub(crate) fn scan(source: &Source, document: &Document, found: &mut Findings) -> Option<Scan> {
    let root = document.root_element();
    if let Some(reason) = foreign(root) {
        found.errors.push(UrdfError::NotUrdf {
            file: found.file(),
            reason,
        });
        return None;
    }
    let mut s = Scanner {
        source,
        found,
        xml: Writer::default(),
        out: Scan::default(),
        omits_limits: version(root) >= (1, 2),
        on_world: None,
        ignored: BTreeMap::new(),
    };
    s.robot(root);
    let Scanner {
        xml,
        mut out,
        ignored,
        ..
    } = s;
    for ((parent, tag), (count, line)) in ignored {
        let place = Place {
            line,
            element: format!("<{parent}>"),
        };
        let times = if count > 1 {
            format!(" ({count} times)")
        } else {
            String::new()
        };
        let (kind, meant) = match spelling::nearest(&tag, known_in(&parent)) {
            Some(known) => (NoteKind::Doubtful, format!("; is <{known}> meant?")),
            None => (NoteKind::Ignored, String::new()),
        };
        let text = format!("<{tag}> has no effect here{times}{meant}");
        found.note(kind, &place, text);
    }
    out.text = xml.finish();
    Some(out)
}

/// The version of the format that the file is written for.
fn version(root: Node) -> (u32, u32) {
    let text = root.attribute("version").unwrap_or_default().trim();
    let parsed = text
        .split_once('.')
        .and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    parsed.unwrap_or((1, 0))
}

/// The elements that are read inside of another.
fn known_in(parent: &str) -> &'static [&'static str] {
    match parent {
        "robot" => &[
            "link",
            "joint",
            "material",
            "transmission",
            "gazebo",
            "loop_joint",
        ],
        "link" => &["inertial", "visual", "collision"],
        "visual" => &["origin", "geometry", "material"],
        "collision" => &["origin", "geometry"],
        "inertial" => &["origin", "mass", "inertia"],
        "joint" => &joint::KNOWN,
        _ => &[],
    }
}

/// Why a document with this root is no robot file, and what reads it.
fn foreign(root: Node) -> Option<String> {
    let name = root.tag_name().name();
    Some(match name {
        "robot" => return None,
        "sdf" | "gazebo" | "world" => format!(
            "this is an SDF file (<{name}>); convert it to URDF, or export URDF where it was made"
        ),
        "mujoco" | "mujocoinclude" => format!(
            "this is a MuJoCo model (<{name}>); load it with the crate rapier3d-mjcf, which reads \
             MJCF into the same rapier sets"
        ),
        "COLLADA" => "this is a COLLADA mesh; name it in a <mesh> of a URDF".into(),
        other => format!("the root element is <{other}>, not <robot>"),
    })
}

impl Scanner<'_, '_> {
    fn robot(&mut self, root: Node) {
        let name = root.attribute("name").unwrap_or_default();
        if name.trim().is_empty() {
            let place = self.place(root, "robot".into());
            self.found.repaired(&place, "<robot> has no name");
        }
        self.xml.open("robot", &[("name", name)]);
        for node in elements(root) {
            match local(node, root) {
                Some("link") => self.link(node),
                Some("joint") => self.joint(node),
                Some("material") => self.material(node),
                Some("transmission") => self.transmission(node),
                Some("loop_joint" | "loop") => self.loop_joint(node),
                Some("gazebo") => self.gazebo(node),
                _ => self.ignore(root, node),
            }
            if self.out.links.len() > MAX_LINKS {
                self.found.errors.push(UrdfError::TooLarge {
                    file: self.found.file(),
                    what: "links",
                    limit: MAX_LINKS,
                });
                return;
            }
        }
        self.world();
    }

    /// Joints on a link `world` that isn't declared: it is the world, which doesn't move.
    fn world(&mut self) {
        let Some(place) = self.on_world.take() else {
            return;
        };
        if self.out.links.iter().any(|l| l.name == WORLD) {
            return;
        }
        self.found.repaired(
            &place,
            format!("its parent link `{WORLD}` is not declared; taken for the world itself"),
        );
        self.xml.empty("link", &[("name", WORLD)]);
        self.out.links.push(LinkScan {
            name: WORLD.into(),
            ..LinkScan::default()
        });
    }
}

/// The name of an element that belongs to the robot: in no namespace, or in that of `<robot>`.
fn local<'a>(node: Node<'a, '_>, root: Node) -> Option<&'a str> {
    let tag = node.tag_name();
    let own = tag.namespace().is_none() || tag.namespace() == root.tag_name().namespace();
    own.then_some(tag.name())
}
