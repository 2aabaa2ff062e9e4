//! Names and tree: the parent of every link.

use std::collections::HashMap;

use crate::{
    error::UrdfError,
    findings::{Findings, Place},
    model::Strictness,
};

/// Depth-first order of links and the joints above them, as indices into the parsed file.
pub(super) struct Order {
    /// Links, root first.
    pub links: Vec<usize>,
    /// `joints[i]` leads to `links[i + 1]`.
    pub joints: Vec<usize>,
    /// Place in `links` of the parent of `links[i + 1]`.
    pub parents: Vec<usize>,
    /// Joints to links that another one leads to already: they close loops.
    pub closing: Vec<usize>,
}

/// Sorts the tree. `None` if it isn't one (errors say why).
pub(super) fn sort(robot: &urdf_rs::Robot, found: &mut Findings) -> Option<Order> {
    let before = found.errors.len();
    let path = found.path();
    let file = || path.to_path_buf();
    let mut errors = Vec::new();
    let mut closing = Vec::new();
    let mut link_of = HashMap::new();
    for (i, link) in robot.links.iter().enumerate() {
        if link_of.insert(link.name.as_str(), i).is_some() {
            let element = format!("link `{}`", link.name);
            errors.push(UrdfError::DuplicateName {
                file: file(),
                element,
            });
        }
    }
    let mut joint_of = HashMap::new();
    let mut above: Vec<Option<usize>> = vec![None; robot.links.len()];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); robot.links.len()];
    for (j, joint) in robot.joints.iter().enumerate() {
        if joint_of.insert(joint.name.as_str(), j).is_some() {
            let element = format!("joint `{}`", joint.name);
            errors.push(UrdfError::DuplicateName {
                file: file(),
                element,
            });
        }
        let mut find = |role, name: &str| {
            let link = link_of.get(name).copied();
            if link.is_none() {
                let (joint, link) = (joint.name.clone(), name.to_string());
                errors.push(UrdfError::UnknownLink {
                    file: file(),
                    joint,
                    role,
                    link,
                });
            }
            link
        };
        let parent = find("parent", &joint.parent.link);
        let child = find("child", &joint.child.link);
        let (Some(parent), Some(child)) = (parent, child) else {
            continue;
        };
        match above[child] {
            Some(first) if found.strictness() == Strictness::Tolerant && parent != child => {
                let first = &robot.joints[first].name;
                let slip = format!(
                    "leads to link `{}`, as joint `{first}` does: taken as closing a loop, without limits and drive",
                    joint.child.link
                );
                found.repaired(&Place::joint(&joint.name), slip);
                closing.push(j);
            }
            Some(first) => errors.push(UrdfError::TwoParents {
                file: file(),
                link: joint.child.link.clone(),
                first: robot.joints[first].name.clone(),
                second: joint.name.clone(),
            }),
            None => {
                above[child] = Some(j);
                below[parent].push(j);
            }
        }
    }
    let roots: Vec<usize> = (0..robot.links.len())
        .filter(|&i| above[i].is_none())
        .collect();
    if roots.len() > 1 && errors.is_empty() {
        let roots = roots.iter().map(|&i| robot.links[i].name.clone()).collect();
        errors.push(UrdfError::SeveralRoots {
            file: file(),
            roots,
        });
    }
    let mut order = depth_first(robot, roots.first().copied(), &below, &link_of);
    order.closing = closing;
    if errors.is_empty() {
        let mut reached = vec![false; robot.links.len()];
        for &i in &order.links {
            reached[i] = true;
        }
        if let Some(i) = reached.iter().position(|r| !r)
            && let Some(j) = above[i]
        {
            let (link, joint) = (robot.links[i].name.clone(), robot.joints[j].name.clone());
            errors.push(UrdfError::Loop {
                file: file(),
                link,
                joint,
            });
        }
    }
    found.errors.extend(errors);
    (found.errors.len() == before).then_some(order)
}

fn depth_first(
    robot: &urdf_rs::Robot,
    root: Option<usize>,
    below: &[Vec<usize>],
    link_of: &HashMap<&str, usize>,
) -> Order {
    let mut order = Order {
        links: root.into_iter().collect(),
        joints: Vec::new(),
        parents: Vec::new(),
        closing: Vec::new(),
    };
    // Joints still to follow, with the place of their parent; the last is next.
    let mut open: Vec<(usize, usize)> = root.map_or(Vec::new(), |r| {
        below[r].iter().rev().map(|&j| (j, 0)).collect()
    });
    while let Some((j, parent)) = open.pop() {
        let Some(&child) = link_of.get(robot.joints[j].child.link.as_str()) else {
            continue;
        };
        let place = order.links.len();
        order.links.push(child);
        order.joints.push(j);
        order.parents.push(parent);
        open.extend(below[child].iter().rev().map(|&j| (j, place)));
    }
    order
}
