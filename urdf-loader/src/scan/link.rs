//! Links and materials.

use roxmltree::Node;

use super::{
    numbers::{self, List},
    said::LinkScan,
    scanner::{Scanner, child, elements},
};
use crate::{findings::Place, model::NoteKind};

/// Shapes and the numbers they need.
const SHAPES: [(&str, &[&str]); 4] = [
    ("box", &["size"]),
    ("sphere", &["radius"]),
    ("cylinder", &["radius", "length"]),
    ("capsule", &["radius", "length"]),
];

/// Entries of the inertia matrix; those of the diagonal must be there.
const TENSOR: [&str; 6] = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];

impl Scanner<'_, '_> {
    pub(super) fn link(&mut self, node: Node) {
        let Some(name) = self.name(node, "link") else {
            return;
        };
        let place = self.place(node, format!("link `{name}`"));
        self.found.stands_at(&place);
        let mut link = LinkScan {
            name: name.into(),
            ..LinkScan::default()
        };
        self.xml.open("link", &[("name", name)]);
        if let Some(inertial) = self.single(node, "inertial", &place) {
            self.inertial(inertial, &place);
        }
        for part in elements(node) {
            let tag = part.tag_name().name();
            let count = match tag {
                "collision" => &mut link.collisions,
                "visual" => &mut link.visuals,
                "inertial" => continue,
                _ => {
                    self.ignore(node, part);
                    continue;
                }
            };
            *count += 1;
            let label = match part.attribute("name") {
                Some(name) => format!("{tag} `{name}`"),
                None => format!("{tag} {count}"),
            };
            let place = self.place(part, place.part(&label).element);
            if !self.shape(part, &place) {
                match tag {
                    "visual" => link.visuals -= 1,
                    _ => link.collisions -= 1,
                }
            }
        }
        self.xml.close();
        self.out.links.push(link);
    }

    fn inertial(&mut self, node: Node, link: &Place) {
        let place = &self.place(node, link.element.clone());
        let (mass, inertia) = (
            self.single(node, "mass", place),
            self.single(node, "inertia", place),
        );
        for (needed, have) in [("mass", mass), ("inertia", inertia)] {
            if have.is_none() {
                self.found
                    .repaired(place, format!("<inertial> has no <{needed}>; taken as 0"));
            }
        }
        for other in elements(node) {
            if !matches!(other.tag_name().name(), "origin" | "mass" | "inertia") {
                self.ignore(node, other);
            }
        }
        self.xml.open("inertial", &[]);
        self.origin(node, place);
        match mass.map(|mass| (mass, self.numbers(mass, "value", List::One, place))) {
            Some((_, Some(value))) => self.xml.empty("mass", &[("value", &value)]),
            Some((mass, None)) if mass.has_attribute("value") => {}
            Some(_) => self
                .found
                .bad_element(place, "<mass> has no value attribute"),
            None => self.xml.empty("mass", &[("value", "0")]),
        }
        let Some(inertia) = inertia else {
            self.xml.empty("inertia", &TENSOR.map(|name| (name, "0")));
            return self.xml.close();
        };
        let mut entries = Vec::new();
        for name in TENSOR {
            match self.numbers(inertia, name, List::One, place) {
                Some(value) => entries.push((name, value)),
                None if inertia.has_attribute(name) => {}
                None if name.as_bytes()[1] == name.as_bytes()[2] => self
                    .found
                    .bad_element(place, format!("<inertia> has no {name} attribute")),
                None => {
                    self.found
                        .repaired(place, format!("<inertia> has no {name}; taken as 0"));
                    entries.push((name, "0".into()));
                }
            }
        }
        let entries: Vec<_> = entries.iter().map(|(n, v)| (*n, v.as_str())).collect();
        self.xml.empty("inertia", &entries);
        self.xml.close();
    }

    /// Writes a visual or collision element. Without a shape that can be read there is an error,
    /// or, for something only seen, a note and nothing is written (`false`).
    fn shape(&mut self, part: Node, place: &Place) -> bool {
        let visual = part.tag_name().name() == "visual";
        let tag = if visual { "visual" } else { "collision" };
        let shape = match self.geometry(part, place) {
            Ok(shape) => shape,
            Err(reason) if visual => {
                self.found
                    .note(NoteKind::Ignored, place, format!("not shown: {reason}"));
                return false;
            }
            Err(reason) => {
                self.found.bad_element(place, reason);
                return true;
            }
        };
        let name = part.attribute("name");
        let name: Vec<_> = name.map(|n| ("name", n)).into_iter().collect();
        self.xml.open(tag, &name);
        self.origin(part, place);
        self.xml.open("geometry", &[]);
        self.dimensions(shape, place);
        self.xml.close();
        if visual && let Some(material) = self.single(part, "material", place) {
            self.material(material);
        }
        for other in elements(part) {
            match other.tag_name().name() {
                "material" if visual => {}
                "geometry" | "origin" => {}
                _ => self.ignore(part, other),
            }
        }
        self.xml.close();
        true
    }

    /// The shape inside `<geometry>`.
    fn geometry<'a, 'i>(
        &mut self,
        part: Node<'a, 'i>,
        place: &Place,
    ) -> Result<Node<'a, 'i>, String> {
        let geometry = self
            .single(part, "geometry", place)
            .ok_or("has no <geometry>; add one")?;
        let known = |n: &Node| {
            let tag = n.tag_name().name();
            tag == "mesh" || tag == "plane" || SHAPES.iter().any(|(name, _)| *name == tag)
        };
        let (shapes, others): (Vec<_>, Vec<_>) = elements(geometry).partition(known);
        match (shapes.as_slice(), others.first()) {
            ([first, more @ ..], other) => {
                if !more.is_empty() {
                    let slip =
                        format!("<geometry> holds {} shapes; the first counts", shapes.len());
                    self.found.repaired(place, slip);
                }
                if let Some(other) = other {
                    self.ignore(geometry, *other);
                }
                Ok(*first)
            }
            ([], Some(other)) => Err(format!(
                "<{}> is not known; use box, sphere, cylinder, capsule, plane or mesh",
                other.tag_name().name()
            )),
            ([], None) => Err("<geometry> is empty; it must hold one shape".into()),
        }
    }

    fn dimensions(&mut self, shape: Node, place: &Place) {
        let tag = shape.tag_name().name();
        if tag == "mesh" {
            let file = shape.attribute("filename").map(str::trim);
            let Some(file) = file.filter(|f| !f.is_empty()) else {
                return self.found.bad_element(place, "<mesh> has no filename");
            };
            let scale = self.numbers(shape, "scale", List::Scale, place);
            let mut attributes = vec![("filename", file)];
            attributes.extend(scale.as_deref().map(|s| ("scale", s)));
            return self.xml.empty("mesh", &attributes);
        }
        if tag == "plane" {
            let normal = self.numbers(shape, "normal", List::Three, place);
            return self.plane(normal.as_deref().unwrap_or("0 0 1"));
        }
        let Some((_, needed)) = SHAPES.iter().find(|(name, _)| *name == tag) else {
            return;
        };
        let mut values = Vec::new();
        for &name in *needed {
            let what = if name == "size" {
                List::Three
            } else {
                List::One
            };
            match self.numbers(shape, name, what, place) {
                Some(value) => values.push((name, value)),
                None if shape.has_attribute(name) => {}
                None => self
                    .found
                    .bad_element(place, format!("<{tag}> has no {name} attribute")),
            }
        }
        let values: Vec<_> = values.iter().map(|(n, v)| (*n, v.as_str())).collect();
        self.xml.empty(tag, &values);
    }

    /// `urdf-rs` has no planes: one passes through it as a mesh with this scheme.
    fn plane(&mut self, normal: &str) {
        let uri = format!("{PLANE}{normal}");
        self.xml.empty("mesh", &[("filename", &uri)]);
    }

    /// `<texture/>` without a file and materials without a name occur in published robots.
    pub(super) fn material(&mut self, material: Node) {
        let name = material.attribute("name").unwrap_or_default();
        let place = self.place(material, format!("material `{name}`"));
        if !material.has_attribute("name") {
            self.found.repaired(&place, "has no name");
        }
        self.xml.open("material", &[("name", name)]);
        if let Some(color) = self.single(material, "color", &place) {
            // It is only for the eye, so that nothing is refused for it.
            let at = self.place(color, place.part("<color>").element);
            match color
                .attribute("rgba")
                .map(|v| (v, numbers::list(v, List::Color)))
            {
                Some((value, Ok(rgba))) => {
                    if let Some(repair) = rgba.repair {
                        let slip = format!("rgba=\"{value}\": {repair}");
                        self.found.repaired(&at, slip);
                    }
                    self.xml.empty("color", &[("rgba", &rgba.text)]);
                }
                Some((value, Err(reason))) => {
                    let slip = format!("rgba=\"{value}\": {reason}; left out");
                    self.found.repaired(&at, slip);
                }
                None => self
                    .found
                    .repaired(&place, "<color> has no rgba and is left out"),
            }
        }
        if let Some(texture) = child(material, "texture") {
            match texture.attribute("filename") {
                Some(_) => self.ignore(material, texture),
                None => self
                    .found
                    .repaired(&place, "<texture> has no filename and is left out"),
            }
        }
        self.xml.close();
    }
}

/// Scheme of the mesh reference that stands for a plane; its normal follows.
pub(crate) const PLANE: &str = "stickslip-plane:";
