//! The walk over the document: what is read of an element, whatever it is.

use std::collections::BTreeMap;

use roxmltree::Node;

use super::{
    numbers::{self, List},
    said::Scan,
    source::Source,
    writer::Writer,
};
use crate::{
    error::UrdfError,
    findings::{Findings, Place},
};

/// The name of a link that stands for the world.
pub(crate) const WORLD: &str = "world";

/// Walks the document, writes the plain text and keeps what that has no place for.
pub(super) struct Scanner<'a, 'f> {
    pub(super) source: &'a Source,
    pub(super) found: &'a mut Findings<'f>,
    pub(super) xml: Writer,
    pub(super) out: Scan,
    /// Whether the file says URDF 1.2 or later, where a limit that isn't stated does not apply.
    pub(super) omits_limits: bool,
    /// The first joint whose parent is called [`WORLD`].
    pub(super) on_world: Option<Place>,
    /// Elements without effect: how often, and where first, by parent and tag.
    pub(super) ignored: BTreeMap<(String, String), (usize, Option<u32>)>,
}

impl Scanner<'_, '_> {
    pub(super) fn place(&self, node: Node, element: String) -> Place {
        self.source.place(node.range().start, element)
    }

    /// An element without effect; one that is nearly a known one is probably misspelt.
    pub(super) fn ignore(&mut self, parent: Node, node: Node) {
        let key = (
            parent.tag_name().name().to_string(),
            node.tag_name().name().to_string(),
        );
        let line = self.source.place(node.range().start, String::new()).line;
        self.ignored.entry(key).or_insert((0, line)).0 += 1;
    }

    /// The first child of that name; more of them are a slip.
    pub(super) fn single<'a, 'i>(
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
    pub(super) fn numbers(
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
    pub(super) fn number(&mut self, node: Node, name: &'static str, place: &Place) -> Option<f64> {
        self.numbers(node, name, List::One, place)?.parse().ok()
    }

    /// The `<origin>` of `node`, if it has one.
    pub(super) fn origin(&mut self, node: Node, place: &Place) {
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
    pub(super) fn quaternion(&mut self, origin: Node, place: &Place) -> Option<String> {
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
    pub(super) fn name<'a>(&mut self, node: Node<'a, '_>, tag: &str) -> Option<&'a str> {
        let name = node.attribute("name").filter(|n| !n.trim().is_empty());
        if name.is_none() {
            let place = self.place(node, format!("<{tag}>"));
            self.found.bad_element(&place, "has no name");
        }
        name
    }
}

/// Child elements.
pub(super) fn elements<'a, 'i: 'a>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

/// First child element of that name, whatever its namespace.
pub(super) fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    elements(node).find(|c| c.tag_name().name() == name)
}
