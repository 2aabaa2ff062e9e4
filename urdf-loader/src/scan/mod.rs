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
mod source;
pub(crate) mod spelling;
mod tidy;
mod writer;

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

pub(crate) use drives::{ActuatorScan, TransmissionScan};
pub(crate) use joint::JointScan;
pub(crate) use link::{LinkScan, PLANE};
pub(crate) use loops::{LoopEnd, LoopScan, elements_of as loop_elements};
pub(crate) use macros::{first_macro, is_xacro};
pub(crate) use source::{Origin, Source, parse, prepare};
pub(crate) use writer::escape;

use crate::{
    error::UrdfError,
    findings::{Findings, Place},
    model::NoteKind,
};
use numbers::List;
use writer::Writer;

/// Links a robot may have: far beyond any robot, far below what would strain a machine.
pub(crate) const MAX_LINKS: usize = 10_000;

/// The name of a link that stands for the world.
pub(crate) const WORLD: &str = "world";

/// What the XML says.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// The robot in plain URDF, repaired.
    pub text: String,
    pub links: Vec<LinkScan>,
    pub joints: BTreeMap<String, JointScan>,
    pub joint_count: usize,
    pub transmissions: Vec<TransmissionScan>,
    pub loops: Vec<LoopScan>,
}

/// Walks the document, writes the plain text and keeps what that has no place for.
struct Scanner<'a, 'f> {
    source: &'a Source,
    found: &'a mut Findings<'f>,
    xml: Writer,
    out: Scan,
    /// Whether the file says URDF 1.2 or later, where a limit that isn't stated is none.
    omits_limits: bool,
    /// The first joint whose parent is called [`WORLD`].
    on_world: Option<Place>,
    /// Elements without effect: how often, and where first, by parent and tag.
    ignored: BTreeMap<(String, String), (usize, Option<u32>)>,
}

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

    fn place(&self, node: Node, element: String) -> Place {
        self.source.place(node.range().start, element)
    }

    /// An element without effect; one that is nearly a known one is probably misspelt.
    fn ignore(&mut self, parent: Node, node: Node) {
        let key = (
            parent.tag_name().name().to_string(),
            node.tag_name().name().to_string(),
        );
        let line = self.source.place(node.range().start, String::new()).line;
        self.ignored.entry(key).or_insert((0, line)).0 += 1;
    }

    /// The first child of that name; more of them are a slip.
    fn single<'a, 'i>(
        &mut self,
        parent: Node<'a, 'i>,
        tag: &str,
        place: &Place,
    ) -> Option<Node<'a, 'i>> {
        let mut all = elements(parent).filter(|n| n.tag_name().name() == tag);
        let first = all.next()?;
        let more = all.count();
        if more > 0 {
            self.found.repaired(
                place,
                format!("has {} <{tag}> elements; the first counts", more + 1),
            );
        }
        Some(first)
    }

    /// The numbers of an attribute as clean text. `None` when absent, or wrong (an error then).
    fn numbers(
        &mut self,
        node: Node,
        name: &'static str,
        what: List,
        place: &Place,
    ) -> Option<String> {
        let value = node.attribute(name)?;
        let place = &self.place(
            node,
            place.part(&format!("<{}>", node.tag_name().name())).element,
        );
        match numbers::list(value, what) {
            Ok(n) => {
                if let Some(repair) = n.repair {
                    self.found
                        .repaired(place, format!("{name}=\"{value}\": {repair}"));
                }
                Some(n.text)
            }
            Err(reason) => {
                self.found.errors.push(UrdfError::BadNumber {
                    file: self.found.file(),
                    line: place.line,
                    element: place.element.clone(),
                    attribute: name,
                    value: value.into(),
                    reason,
                });
                None
            }
        }
    }

    /// A single number of an attribute.
    fn number(&mut self, node: Node, name: &'static str, place: &Place) -> Option<f64> {
        self.numbers(node, name, List::One, place)?.parse().ok()
    }

    /// The `<origin>` of `node`, if it has one.
    fn origin(&mut self, node: Node, place: &Place) {
        let Some(origin) = self.single(node, "origin", place) else {
            return;
        };
        let xyz = self.numbers(origin, "xyz", List::Three, place);
        let turn = self.quaternion(origin, place);
        let rpy = turn.or_else(|| self.numbers(origin, "rpy", List::Three, place));
        let mut attributes = Vec::new();
        attributes.extend(xyz.as_deref().map(|v| ("xyz", v)));
        attributes.extend(rpy.as_deref().map(|v| ("rpy", v)));
        self.xml.empty("origin", &attributes);
    }

    /// A quaternion (URDF 1.1) as roll, pitch and yaw. Beside those it counts for nothing.
    fn quaternion(&mut self, origin: Node, place: &Place) -> Option<String> {
        const NAME: &str = "quat_xyzw";
        if origin.has_attribute(NAME) && origin.has_attribute("rpy") {
            let place = self.place(origin, place.element.clone());
            self.found
                .repaired(&place, "<origin> has both rpy and quat_xyzw; rpy counts");
            return None;
        }
        let text = self.numbers(origin, NAME, List::Four, place)?;
        let mut numbers = text.split(' ').filter_map(|w| w.parse().ok());
        let mut next = || numbers.next().unwrap_or(0.0);
        let [x, y, z, w] = [next(), next(), next(), next()];
        let quaternion = nalgebra::Quaternion::new(w, x, y, z);
        let Some(turn) = nalgebra::UnitQuaternion::try_new(quaternion, 0.0) else {
            let place = self.place(origin, place.part("<origin>").element);
            self.found.bad_element(&place, "quat_xyzw is zero");
            return None;
        };
        let (roll, pitch, yaw) = turn.euler_angles();
        Some(format!("{roll} {pitch} {yaw}"))
    }

    /// The name of a link or joint; without one there is an error.
    fn name<'a>(&mut self, node: Node<'a, '_>, tag: &str) -> Option<&'a str> {
        let name = node.attribute("name").filter(|n| !n.trim().is_empty());
        if name.is_none() {
            let place = self.place(node, format!("<{tag}>"));
            self.found.bad_element(&place, "has no name");
        }
        name
    }
}

/// Child elements.
fn elements<'a, 'i: 'a>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

/// First child element of that name, whatever its namespace.
fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    elements(node).find(|c| c.tag_name().name() == name)
}

/// The name of an element that belongs to the robot: in no namespace, or in that of `<robot>`.
fn local<'a>(node: Node<'a, '_>, root: Node) -> Option<&'a str> {
    let tag = node.tag_name();
    let own = tag.namespace().is_none() || tag.namespace() == root.tag_name().namespace();
    own.then_some(tag.name())
}
