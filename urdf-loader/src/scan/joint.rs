//! Joints.

use roxmltree::Node;

use super::{List, Scanner, WORLD, child, elements};
use crate::findings::Place;

/// What a joint states beyond what `urdf-rs` keeps.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct JointScan {
    /// Whether it states a lower or an upper limit.
    pub position: bool,
    /// Whether it states both.
    pub both: bool,
    pub effort: bool,
    pub velocity: bool,
    pub acceleration: Option<f64>,
    pub deceleration: Option<f64>,
    pub jerk: Option<f64>,
}

const TYPES: [&str; 7] = [
    "fixed",
    "revolute",
    "continuous",
    "prismatic",
    "floating",
    "planar",
    "spherical",
];

/// Children of a joint that are read.
const KNOWN: [&str; 9] = [
    "origin",
    "parent",
    "child",
    "axis",
    "limit",
    "dynamics",
    "mimic",
    "safety_controller",
    "calibration",
];

impl Scanner<'_, '_> {
    pub(super) fn joint(&mut self, node: Node) {
        let Some(name) = self.name(node, "joint") else {
            return;
        };
        self.out.joint_count += 1;
        let place = self.place(node, format!("joint `{name}`"));
        self.found.stands_at(&place);
        let mut scan = JointScan::default();
        let kind = node.attribute("type").map(str::trim);
        match kind {
            Some(t) if TYPES.contains(&t) => {}
            Some(t) => self.found.bad_element(
                &place,
                format!("type `{t}` is not one of {}", TYPES.join(", ")),
            ),
            None => self.found.bad_element(&place, "has no type attribute"),
        }
        self.xml.open(
            "joint",
            &[("name", name), ("type", kind.unwrap_or("fixed"))],
        );
        self.origin(node, &place);
        for end in ["parent", "child"] {
            let link = self
                .single(node, end, &place)
                .and_then(|n| n.attribute("link"));
            match link {
                Some(link) => {
                    self.xml.empty(end, &[("link", link)]);
                    if end == "parent" && link == WORLD {
                        self.on_world.get_or_insert_with(|| place.clone());
                    }
                }
                None => self
                    .found
                    .bad_element(&place, format!("has no <{end} link=\"...\"/>")),
            }
        }
        if let Some(axis) = self.single(node, "axis", &place) {
            match self.numbers(axis, "xyz", List::Three, &place) {
                Some(xyz) => self.xml.empty("axis", &[("xyz", &xyz)]),
                None if axis.has_attribute("xyz") => {}
                None => self
                    .found
                    .bad_element(&place, "<axis> has no xyz attribute"),
            }
        }
        if let Some(limit) = self.single(node, "limit", &place) {
            self.limit(limit, &mut scan, &place, kind);
        }
        if child(node, "dynamics").is_some() {
            self.plain(node, "dynamics", &["damping", "friction"], &place);
        }
        if child(node, "calibration").is_some() {
            self.plain(node, "calibration", &["rising", "falling"], &place);
        }
        self.safety(node, &place);
        self.mimic(node, &place);
        self.xml.close();
        for other in elements(node) {
            if !KNOWN.contains(&other.tag_name().name()) {
                self.ignore(node, other);
            }
        }
        self.out.joints.insert(name.into(), scan);
    }

    /// `<limit>`. The format asks for effort and velocity; files leave them out.
    fn limit(&mut self, node: Node, scan: &mut JointScan, joint: &Place, kind: Option<&str>) {
        let has = |name| node.has_attribute(name);
        scan.position = has("lower") || has("upper");
        scan.both = has("lower") && has("upper");
        scan.effort = has("effort");
        scan.velocity = has("velocity");
        let place = &self.place(node, joint.element.clone());
        if matches!(kind, Some("revolute" | "prismatic" | "continuous")) {
            for name in ["effort", "velocity"] {
                if !has(name) {
                    self.found.repaired(
                        place,
                        format!("<limit> has no {name}; taken as not limited"),
                    );
                }
            }
        }
        let mut values = Vec::new();
        for name in ["lower", "upper", "effort", "velocity"] {
            let value = self.numbers(node, name, List::One, joint);
            // The reader insists on a velocity.
            values.push((name, value.unwrap_or_else(|| "0".into())));
        }
        scan.acceleration = self.number(node, "acceleration", joint);
        scan.deceleration = self.number(node, "deceleration", joint);
        scan.jerk = self.number(node, "jerk", joint);
        let values: Vec<_> = values.iter().map(|(n, v)| (*n, v.as_str())).collect();
        self.xml.empty("limit", &values);
    }

    /// `<safety_controller>`; the format asks for `k_velocity`.
    fn safety(&mut self, joint: Node, place: &Place) {
        let Some(node) = child(joint, "safety_controller") else {
            return;
        };
        if !node.has_attribute("k_velocity") {
            let place = self.place(node, place.element.clone());
            self.found
                .repaired(&place, "<safety_controller> has no k_velocity; taken as 0");
        }
        let names = [
            "soft_lower_limit",
            "soft_upper_limit",
            "k_position",
            "k_velocity",
        ];
        self.plain(joint, "safety_controller", &names, place);
    }

    fn mimic(&mut self, joint: Node, place: &Place) {
        let Some(node) = self.single(joint, "mimic", place) else {
            return;
        };
        let Some(source) = node.attribute("joint") else {
            return self.found.bad_element(place, "<mimic> names no joint");
        };
        let multiplier = self.numbers(node, "multiplier", List::One, place);
        let offset = self.numbers(node, "offset", List::One, place);
        let mut attributes = vec![("joint", source)];
        attributes.extend(multiplier.as_deref().map(|v| ("multiplier", v)));
        attributes.extend(offset.as_deref().map(|v| ("offset", v)));
        self.xml.empty("mimic", &attributes);
    }

    /// An element with single numbers in its attributes; absent ones become 0, except in
    /// `<calibration>`, where absence says something.
    fn plain(&mut self, parent: Node, tag: &'static str, names: &[&'static str], place: &Place) {
        let Some(node) = self.single(parent, tag, place) else {
            return;
        };
        let mut values = Vec::new();
        for &name in names {
            let value = self.numbers(node, name, List::One, place);
            let zero = (tag != "calibration").then(|| "0".to_string());
            values.extend(value.or(zero).map(|v| (name, v)));
        }
        let values: Vec<_> = values.iter().map(|(n, v)| (*n, v.as_str())).collect();
        self.xml.empty(tag, &values);
    }
}
