//! Joints that close loops, as far as files have words for them:
//!
//! - `<loop_joint name type>` with `<link1 link xyz rpy/>`, `<link2 link xyz rpy/>` and `<axis xyz/>`;
//! - `<loop name type>` with `<predecessor link>` and `<successor link>`, each with an `<origin>`;
//! - a joint of SDF inside `<gazebo>`: `<parent>`, `<child>`, `<pose>` in the child's frame,
//!   `<axis><xyz>`.

use roxmltree::Node;

use super::{
    numbers::{self, List},
    said::{LoopEnd, LoopScan},
    scanner::{Scanner, child, elements},
    source::Source,
};
use crate::findings::{Findings, Place};

/// All loop elements of a document, for files that hold nothing else.
pub(crate) fn elements_of(source: &Source, root: Node, found: &mut Findings) -> Vec<LoopScan> {
    let mut out = Vec::new();
    for node in elements(root) {
        match node.tag_name().name() {
            "loop_joint" | "loop" => out.extend(loop_joint(source, node, found)),
            _ => {}
        }
    }
    out
}

impl Scanner<'_, '_> {
    pub(super) fn loop_joint(&mut self, node: Node) {
        let found = loop_joint(self.source, node, self.found);
        self.out.loops.extend(found);
    }

    /// `<gazebo>` has settings for another simulator, and sometimes joints.
    pub(super) fn gazebo(&mut self, node: Node) {
        let mut other = false;
        for part in elements(node) {
            if part.tag_name().name() == "joint" {
                let found = sdf_joint(self.source, part, self.found);
                self.out.loops.extend(found);
            } else {
                other = true;
            }
        }
        if other && let Some(parent) = node.parent_element() {
            self.ignore(parent, node);
        }
    }
}

fn loop_joint(source: &Source, node: Node, found: &mut Findings) -> Option<LoopScan> {
    let name = node.attribute("name").unwrap_or_default();
    let place = source.place(node.range().start, format!("loop joint `{name}`"));
    let mut end = |names: [&str; 2]| {
        let side = names.iter().find_map(|n| child(node, n));
        let Some((side, link)) = side.and_then(|s| Some((s, s.attribute("link")?))) else {
            let [a, b] = names;
            found.bad_element(&place, format!("has no <{a} link=\"...\"/> (or <{b}>)"));
            return None;
        };
        // The numbers stand in the element itself or in an <origin> inside.
        let at = child(side, "origin").unwrap_or(side);
        let stated = at.has_attribute("xyz") || at.has_attribute("rpy");
        let xyz = vector(at.attribute("xyz"), &place, found);
        let rpy = vector(at.attribute("rpy"), &place, found);
        let frame = stated.then(|| (xyz.unwrap_or_default(), rpy.unwrap_or_default()));
        Some(LoopEnd {
            link: link.into(),
            frame,
        })
    };
    let first = end(["link1", "predecessor"]);
    let second = end(["link2", "successor"]);
    let axis = child(node, "axis").and_then(|n| n.attribute("xyz"));
    Some(LoopScan {
        name: name.into(),
        kind: node.attribute("type").unwrap_or("spherical").trim().into(),
        ends: [first?, second?],
        axis: vector(axis, &place, found),
        place,
        foreign: false,
    })
}

/// A joint of SDF: its pose is given in the child link's frame, the axis in the joint's. What can't be read is left
/// out: the format leaves it to the other simulator.
fn sdf_joint(source: &Source, node: Node, found: &mut Findings) -> Option<LoopScan> {
    let name = node.attribute("name").unwrap_or_default();
    let place = source.place(node.range().start, format!("gazebo joint `{name}`"));
    match sdf_parts(node) {
        Ok((ends, axis)) => Some(LoopScan {
            name: name.into(),
            kind: node.attribute("type").unwrap_or("revolute").trim().into(),
            ends,
            axis,
            place,
            foreign: true,
        }),
        Err(reason) => {
            found.repaired(&place, format!("{reason}; left out"));
            None
        }
    }
}

fn sdf_parts(node: Node) -> Result<([LoopEnd; 2], Option<[f64; 3]>), String> {
    let text = |tag: &str| child(node, tag).and_then(|n| n.text()).map(str::trim);
    let link = |tag: &str| text(tag).ok_or_else(|| format!("has no <{tag}>"));
    let (parent, own) = (link("parent")?, link("child")?);
    let pose: Vec<f64> = text("pose")
        .unwrap_or("0 0 0 0 0 0")
        .split_whitespace()
        .map_while(|w| w.parse().ok())
        .filter(|x: &f64| x.abs() <= numbers::LARGEST)
        .collect();
    let [x, y, z, r, p, w] = pose[..] else {
        return Err("<pose> needs six numbers".into());
    };
    let axis = child(node, "axis").and_then(|a| child(a, "xyz"));
    let axis = match axis.and_then(|n| n.text()) {
        Some(text) => Some(three(&numbers::list(text, List::Three)?.text)),
        None => None,
    };
    let ends = [
        LoopEnd {
            link: parent.into(),
            frame: None,
        },
        LoopEnd {
            link: own.into(),
            frame: Some(([x, y, z], [r, p, w])),
        },
    ];
    Ok((ends, axis.flatten()))
}

/// Three numbers; `None` when absent, or wrong (an error then).
fn vector(text: Option<&str>, place: &Place, found: &mut Findings) -> Option<[f64; 3]> {
    let text = text?;
    match numbers::list(text, List::Three) {
        Ok(n) => {
            if let Some(repair) = n.repair {
                found.repaired(place, format!("\"{text}\": {repair}"));
            }
            three(&n.text)
        }
        Err(reason) => {
            found.bad_element(place, format!("\"{text}\": {reason}"));
            None
        }
    }
}

/// Three numbers of a clean list.
fn three(text: &str) -> Option<[f64; 3]> {
    let v: Vec<f64> = text.split(' ').filter_map(|w| w.parse().ok()).collect();
    v.try_into().ok()
}
