//! A look at the XML before `urdf-rs` reads it: what that reader would drop silently or report
//! without a name is found here, and harmless slips of real files are mended.

use std::{collections::BTreeMap, ops::Range, path::Path};

use roxmltree::{Document, Node, ParsingOptions};

use crate::error::UrdfError;

/// What the XML says that `urdf-rs` forgets.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// The text with tolerated slips mended.
    pub text: String,
    pub links: Vec<LinkScan>,
    pub joints: BTreeMap<String, JointScan>,
    pub joint_count: usize,
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct LinkScan {
    pub name: String,
    pub collisions: usize,
    pub visuals: usize,
}

/// Which limits a joint states.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct JointScan {
    pub position: bool,
    pub effort: bool,
    pub velocity: bool,
}

struct Scanner<'e> {
    file: &'e Path,
    errors: &'e mut Vec<UrdfError>,
    edits: Vec<(Range<usize>, String)>,
    out: Scan,
}

/// Reads the structure of the file. `None` when it is no XML or no robot (then `errors` has grown).
pub(crate) fn scan(text: &str, file: &Path, errors: &mut Vec<UrdfError>) -> Option<Scan> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let not_urdf = |reason: String| UrdfError::NotUrdf {
        file: file.into(),
        reason,
    };
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = match Document::parse_with_options(text, options) {
        Ok(d) => d,
        Err(e) => {
            errors.push(not_urdf(format!("not well-formed XML: {e}")));
            return None;
        }
    };
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        let name = root.tag_name().name();
        errors.push(not_urdf(format!(
            "the root element is <{name}>, not <robot>"
        )));
        return None;
    }
    let mut s = Scanner {
        file,
        errors,
        edits: Vec::new(),
        out: Scan::default(),
    };
    for node in root.children().filter(Node::is_element) {
        if node
            .tag_name()
            .namespace()
            .is_some_and(|n| n.contains("xacro"))
        {
            s.xacro(&format!("element <{}>", node.tag_name().name()), "xacro:");
            continue;
        }
        match node.tag_name().name() {
            "link" => s.link(node),
            "joint" => s.joint(node),
            "material" => s.material(node),
            _ => {}
        }
    }
    let Scanner { edits, mut out, .. } = s;
    out.text = mended(text, edits);
    Some(out)
}

fn mended(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (range, replacement) in edits {
        out.push_str(text.get(from..range.start).unwrap_or_default());
        out.push_str(&replacement);
        from = range.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

impl Scanner<'_> {
    fn link(&mut self, node: Node) {
        let Some(name) = self.name(node, "link") else {
            return;
        };
        let element = format!("link `{name}`");
        self.attributes(node, &element);
        let mut link = LinkScan {
            name: name.into(),
            ..LinkScan::default()
        };
        for part in node.children().filter(Node::is_element) {
            let tag = part.tag_name().name();
            match tag {
                "collision" => link.collisions += 1,
                "visual" => link.visuals += 1,
                "inertial" => {
                    for needed in ["mass", "inertia"] {
                        if child(part, needed).is_none() {
                            self.element(&element, format!("<inertial> has no <{needed}>; add it"));
                        }
                    }
                    continue;
                }
                _ => continue,
            }
            self.geometry(part, &format!("{element}, {tag}"));
            for material in part.children().filter(|n| n.has_tag_name("material")) {
                self.material(material);
            }
        }
        self.out.links.push(link);
    }

    fn geometry(&mut self, part: Node, element: &str) {
        let Some(geometry) = child(part, "geometry") else {
            return self.element(element, "has no <geometry>; add one".into());
        };
        const KNOWN: [&str; 5] = ["box", "sphere", "cylinder", "capsule", "mesh"];
        let shapes: Vec<_> = geometry.children().filter(Node::is_element).collect();
        match shapes.as_slice() {
            [one] if KNOWN.contains(&one.tag_name().name()) => {}
            [one] => self.element(
                element,
                format!(
                    "<{}> is not known; use {}",
                    one.tag_name().name(),
                    KNOWN.join(", ")
                ),
            ),
            other => self.element(
                element,
                format!("<geometry> holds {} shapes; it must hold one", other.len()),
            ),
        }
    }

    /// `<texture/>` without a file and materials without a name occur in published robots.
    fn material(&mut self, material: Node) {
        if material.attribute("name").is_none() {
            let at = material.range().start + "<material".len();
            self.edits.push((at..at, " name=\"\"".into()));
            self.out.warnings.push("a <material> has no name".into());
        }
        for texture in material.children().filter(|n| n.has_tag_name("texture")) {
            if texture.attribute("filename").is_none() {
                self.edits.push((texture.range(), String::new()));
                self.out
                    .warnings
                    .push("a <texture> without filename is ignored".into());
            }
        }
    }

    fn joint(&mut self, node: Node) {
        let Some(name) = self.name(node, "joint") else {
            return;
        };
        self.out.joint_count += 1;
        let element = format!("joint `{name}`");
        self.attributes(node, &element);
        const TYPES: [&str; 7] = [
            "fixed",
            "revolute",
            "continuous",
            "prismatic",
            "floating",
            "planar",
            "spherical",
        ];
        match node.attribute("type") {
            Some(t) if TYPES.contains(&t) => {}
            Some(t) => {
                self.element(
                    &element,
                    format!("type `{t}` is not one of {}", TYPES.join(", ")),
                );
            }
            None => self.element(&element, "has no type attribute".into()),
        }
        for needed in ["parent", "child"] {
            if child(node, needed)
                .and_then(|n| n.attribute("link"))
                .is_none()
            {
                self.element(&element, format!("has no <{needed} link=\"...\"/>"));
            }
        }
        for single in ["axis", "origin", "limit", "dynamics", "mimic"] {
            let n = node.children().filter(|n| n.has_tag_name(single)).count();
            if n > 1 {
                self.element(&element, format!("has {n} <{single}> elements; keep one"));
            }
        }
        if let Some(axis) = child(node, "axis")
            && axis.attribute("xyz").is_none()
        {
            self.element(&element, "<axis> has no xyz attribute".into());
        }
        if let Some(mimic) = child(node, "mimic")
            && mimic.attribute("joint").is_none()
        {
            self.element(&element, "<mimic> names no joint".into());
        }
        let limit = child(node, "limit");
        let has = |name| limit.is_some_and(|l| l.has_attribute(name));
        if let Some(l) = limit
            && !has("velocity")
        {
            let at = l.range().start + "<limit".len();
            self.edits.push((at..at, " velocity=\"0\"".into()));
        }
        let found = JointScan {
            position: has("lower") || has("upper"),
            effort: has("effort"),
            velocity: has("velocity"),
        };
        self.out.joints.insert(name.into(), found);
    }

    fn name<'a>(&mut self, node: Node<'a, '_>, tag: &str) -> Option<&'a str> {
        match node.attribute("name") {
            Some(name) if !name.trim().is_empty() => Some(name),
            _ => {
                let row = node.document().text_pos_at(node.range().start).row;
                self.element(&format!("<{tag}> in line {row}"), "has no name".into());
                None
            }
        }
    }

    /// Macros and numbers in the attributes below `node`.
    fn attributes(&mut self, node: Node, element: &str) {
        for n in node.descendants().filter(Node::is_element) {
            for a in n.attributes() {
                if a.value().contains("${") || a.value().contains("$(") {
                    self.xacro(element, a.value());
                    continue;
                }
                let count = match a.name() {
                    "xyz" | "rpy" | "size" | "scale" => 3,
                    "rgba" => 4,
                    "value" if n.has_tag_name("mass") => 1,
                    "ixx" | "ixy" | "ixz" | "iyy" | "iyz" | "izz" | "lower" | "upper"
                    | "effort" | "velocity" | "damping" | "friction" | "multiplier" | "offset"
                    | "radius" | "length" => 1,
                    _ => continue,
                };
                if let Err(reason) = numbers(a.value(), count) {
                    self.errors.push(UrdfError::BadNumber {
                        file: self.file.into(),
                        element: format!("{element}, <{}>", n.tag_name().name()),
                        attribute: a.name().into(),
                        value: a.value().into(),
                        reason,
                    });
                }
            }
        }
    }

    fn element(&mut self, element: &str, reason: String) {
        let file = self.file.into();
        self.errors.push(UrdfError::BadElement {
            file,
            element: element.into(),
            reason,
        });
    }

    fn xacro(&mut self, element: &str, found: &str) {
        let (file, element) = (self.file.into(), element.into());
        self.errors.push(UrdfError::Xacro {
            file,
            element,
            found: found.into(),
        });
    }
}

fn child<'a, 'i>(n: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    n.children().find(|c| c.has_tag_name(name))
}

/// Exactly `count` finite numbers, separated by white space.
fn numbers(value: &str, count: usize) -> Result<(), String> {
    let words: Vec<_> = value.split_whitespace().collect();
    if words.len() != count {
        let comma = if value.contains(',') {
            " separated by spaces, not commas"
        } else {
            ""
        };
        return Err(format!(
            "{count} number(s) expected{comma}, {} found",
            words.len()
        ));
    }
    for w in words {
        match w.parse::<f64>() {
            Ok(x) if x.is_finite() => {}
            Ok(_) => return Err(format!("`{w}` is not finite")),
            Err(_) => return Err(format!("`{w}` is not a number")),
        }
    }
    Ok(())
}
