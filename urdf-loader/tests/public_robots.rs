//! Public robots load as their files say, or are refused for the right reason.
//!
//! Robots come from the folder that STICKSLIP_PUBLIC_ROBOTS names; tests/install_robots.sh makes one and
//! says what to set. What a file declares is counted again here, in its XML; xacro has nothing that could be counted so.

#![allow(clippy::unwrap_used)] // A test may stop at the first surprise.

mod common;

use std::path::Path;

use rapier::prelude::*;
use roxmltree::{Document, Error, Node, ParsingOptions};
use stickslip_urdf::{InsertOptions, LoadOptions, NoteKind, RobotModel};

/// What is no robot, or lacks a mesh, and loads in none of MuJoCo 4.0, PyBullet 3.2.7 and Drake: end of the
/// path, word of the reason. (MuJoCo takes those without links for an empty world.)
const REFUSED: [(&str, &str); 13] = [
    // Collision meshes in a format that none of them collides with.
    ("vega_1u/vega_1u.urdf", "format `glb`"),
    ("vega_1u/vega_1u_f5d6.urdf", "format `glb`"),
    ("vega_1u/vega_1u_gripper.urdf", "format `glb`"),
    // Macros and parts of a robot.
    ("urdf/finger_macro.urdf", "no links"),
    ("edu/trifingeredu_stage.urdf", "`base_link` is not declared"),
    ("urdf/trifinger_stage.urdf", "`base_link` is not declared"),
    // Its meshes are in a folder that the package lacks.
    ("edu/trifingeredu_with_stage.urdf", "trifinger_table"),
    ("pro/trifingerpro_with_stage.urdf", "trifinger_table"),
    ("urdf/trifinger_with_stage.urdf", "trifinger_table"),
    // Its meshes are in a folder that the package lacks.
    ("kuka_iiwa/model_for_sdf.urdf", "mesh `meshes/coarse"),
    ("torus_deform.urdf", "no links"),
    ("concave_box.urdf", "<cdf> is not known"),
    ("ur_description/urdf/ur3.urdf", "no links"),
];

/// One of this many of pybullet's thousand random objects, which are all of one kind.
const EVERY: usize = 25;

/// Relative: sums of the same decimals in another order.
const MASS: f64 = 1e-12;

/// A file that isn't UTF-8 keeps its numbers in any other reading.
fn read(file: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned()
}

fn parse(text: &str) -> Result<Document<'_>, Error> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options)
}

/// Sum of masses and number of collision shapes as the XML has them.
fn counted(text: &str) -> (f64, usize) {
    // Most readers of URDF don't look at namespaces; prefixes that aren't declared are declared here.
    let mut text = text.trim_start().trim_end_matches('\0').to_owned();
    while let Err(Error::UnknownNamespace(prefix, _)) = parse(&text) {
        text = text.replacen("<robot", &format!("<robot xmlns:{prefix}='undeclared'"), 1);
    }
    let document = parse(&text).unwrap();
    fn named<'a, 'i: 'a>(node: Node<'a, 'i>, tag: &'a str) -> impl Iterator<Item = Node<'a, 'i>> {
        node.children().filter(move |n| n.has_tag_name(tag))
    }
    let root = document.root_element();
    let links: Vec<_> = named(root, "link").collect();
    let masses = links.iter().flat_map(|&link| {
        let inertial = named(link, "inertial").next()?;
        let mass = named(inertial, "mass").next()?;
        mass.attribute("value")?.trim().parse::<f64>().ok()
    });
    let shapes = links.iter().map(|&link| named(link, "collision").count());
    (masses.sum(), shapes.sum())
}

/// The robot and the number of its colliders in rapier's sets, or why there is none.
fn load(file: &Path) -> Result<(RobotModel, usize), String> {
    let model = RobotModel::from_file(file, &LoadOptions::default()).map_err(|e| e.to_string())?;
    let mut world = PhysicsWorld::new();
    let robot = model.insert(
        &InsertOptions::default(),
        &mut world.bodies,
        &mut world.colliders,
        &mut world.impulse_joints,
        &mut world.multibody_joints,
    );
    let robot = robot.map_err(|e| format!("{}: {e}", file.display()))?;
    assert_eq!(robot.collider_count(), world.colliders.len());
    Ok((model, robot.collider_count()))
}

/// Whether a mass was given to a link of the file that has none.
fn is_given_mass(model: &RobotModel) -> bool {
    let mut notes = model.notes.iter();
    notes.any(|n| n.kind == NoteKind::Repaired && n.text.contains("has no mass"))
}

#[test]
#[ignore = "needs public robots: set STICKSLIP_PUBLIC_ROBOTS, see CONTRIBUTING.md"]
fn public_robots_load_or_are_refused_for_the_right_reason() {
    let robots = common::robots("STICKSLIP_PUBLIC_ROBOTS");
    let is_random = |p: &Path| p.components().any(|c| c.as_os_str() == "random_urdfs");
    let (random, named): (Vec<_>, Vec<_>) = robots.into_iter().partition(|p| is_random(p));
    let (mut loaded, mut repaired) = (0, 0);
    let mut wrong = Vec::new();
    for file in named.iter().chain(random.iter().step_by(EVERY)) {
        let name = file.display();
        let expected = REFUSED.iter().find(|(end, _)| file.ends_with(end));
        let (model, colliders) = match (load(file), expected) {
            (Ok(found), None) => found,
            (Err(reason), Some((_, word))) if reason.contains(word) => continue,
            (Ok(_), Some((_, word))) => {
                wrong.push(format!("{name}: loads, but should be refused: {word}"));
                continue;
            }
            (Err(reason), _) => {
                wrong.push(reason);
                continue;
            }
        };
        loaded += 1;
        let text = read(file);
        if text.contains("<xacro:") {
            continue;
        }
        let (mass, shapes) = counted(&text);
        repaired += usize::from(model.notes.iter().any(|n| n.kind == NoteKind::Repaired));
        if !is_given_mass(&model) && (model.mass() - mass).abs() > MASS * mass {
            wrong.push(format!("{name}: {} kg, the file has {mass}", model.mass()));
        }
        let points = model
            .notes
            .iter()
            .filter(|n| n.text.contains("no extent"))
            .count();
        let shapes = shapes - points;
        if model.collision_count() != shapes {
            let declared = model.collision_count();
            wrong.push(format!("{name}: {declared} shapes, the file has {shapes}"));
        }
        if colliders != shapes {
            wrong.push(format!("{name}: {colliders} colliders of {shapes}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{loaded} robots load as their files say, {repaired} of them repaired");
}
