//! Joints.

use roxmltree::Node;

use super::{
    numbers::{self, List},
    said::JointScan,
    scanner::{Scanner, WORLD, child, elements},
};
use crate::findings::Place;

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
pub(super) const KNOWN: [&str; 9] = [
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
        self.axis(node, kind, &place);
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

    /// `<axis>`, x by default. Joints that don't move about or along one keep it where it can be read.
    fn axis(&mut self, joint: Node, kind: Option<&str>, place: &Place) {
        let Some(axis) = self.single(joint, "axis", place) else {
            return;
        };
        let here = self.place(axis, place.element.clone());
        let has_none = matches!(kind, Some("fixed" | "floating" | "spherical"));
        match axis.attribute("xyz") {
            Some(text) if has_none && numbers::list(text, List::Three).is_err() => {
                let slip = format!("<axis xyz=\"{text}\"> is no vector; the joint needs none");
                self.found.repaired(&here, slip);
            }
            Some(_) => {
                if let Some(xyz) = self.numbers(axis, "xyz", List::Three, place) {
                    self.xml.empty("axis", &[("xyz", &xyz)]);
                }
            }
            None => self.found.repaired(
                &here,
                "<axis> has no xyz; taken as the format's default, 1 0 0",
            ),
        }
    }

    /// `<limit>`. The format asks for effort and velocity; files leave them out.
    fn limit(&mut self, node: Node, scan: &mut JointScan, joint: &Place, kind: Option<&str>) {
        let place = &self.place(node, joint.element.clone());
        let endless = ["lower", "upper"].map(|name| {
            let omitted = self.omits_limits && !node.has_attribute(name);
            omitted || self.is_endless(node, name, place)
        });
        let mut values = Vec::new();
        for (k, (name, far)) in [("lower", "-1e6"), ("upper", "1e6")]
            .into_iter()
            .enumerate()
        {
            let value = match endless {
                [true, true] => None,
                // One end at infinity: as far as no joint goes.
                _ if endless[k] && node.has_attribute(["upper", "lower"][k]) => Some(far.into()),
                _ if endless[k] => None,
                _ => self.numbers(node, name, List::One, joint),
            };
            scan.both = scan.position && value.is_some();
            scan.position |= value.is_some();
            values.push((name, value.unwrap_or_else(|| "0".into())));
        }
        for (name, stated) in [
            ("effort", &mut scan.effort),
            ("velocity", &mut scan.velocity),
        ] {
            let value = match self.is_endless(node, name, place) {
                true => None,
                false => self.numbers(node, name, List::One, joint),
            };
            *stated = value.is_some();
            // The reader insists on a velocity.
            values.push((name, value.unwrap_or_else(|| "0".into())));
        }
        if matches!(kind, Some("revolute" | "prismatic" | "continuous")) {
            for name in ["effort", "velocity"] {
                if !node.has_attribute(name) && !self.omits_limits {
                    self.found.repaired(
                        place,
                        format!("<limit> has no {name}; taken as not limited"),
                    );
                }
            }
        }
        scan.acceleration = self.number(node, "acceleration", joint);
        let deceleration = self.number(node, "deceleration", joint);
        scan.deceleration = deceleration.or(scan.acceleration);
        scan.jerk = self.number(node, "jerk", joint);
        let values: Vec<_> = values.iter().map(|(n, v)| (*n, v.as_str())).collect();
        self.xml.empty("limit", &values);
    }

    /// Whether a limit is infinite, or as good as that; it counts as not stated then.
    fn is_endless(&mut self, node: Node, name: &str, place: &Place) -> bool {
        let text = node.attribute(name).unwrap_or_default().trim();
        let endless = text
            .parse::<f64>()
            .is_ok_and(|x| x.abs() > numbers::LARGEST);
        if endless {
            let slip = format!("<limit {name}=\"{text}\"> taken as not limited");
            self.found.repaired(place, slip);
        }
        endless
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
