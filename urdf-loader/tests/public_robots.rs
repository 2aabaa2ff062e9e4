//! Public robots load as their files say, or are refused for the right reason.
//!
//! Robots come from the folder that STICKSLIP_PUBLIC_ROBOTS names; tests/install_robots.sh makes one and
//! says what to set. What a file declares is counted again here, in its XML.

#![allow(clippy::unwrap_used)] // A test may stop at the first surprise.

mod common;

use std::path::Path;

use rapier::prelude::*;
use roxmltree::{Document, Error, Node, ParsingOptions};
use stickslip_urdf::{
    ImpossibleInertia, InertiaPolicy, InsertError, InsertOptions, LoadOptions, MissingInertia,
    RobotModel, UrdfError,
};

/// What can't be a robot whatever is repaired: end of the path, word of the reason.
const REFUSED: [(&str, &str); 9] = [
    // Joints that follow joints of another name than any in the file.
    ("alex_psyonic_hands.urdf", "mimics"),
    ("biped2d_pybullet.urdf", "`-1.57.` is not a number"),
    ("cube_no_rotation.urdf", "limits crossed"),
    // Its meshes are in a folder that the package lacks.
    ("kuka_iiwa/model_for_sdf.urdf", "mesh `meshes/coarse"),
    // Links with a mass, but without any inertia or shape that would tell how large they are.
    ("icub.urdf", "principal moments 0.000000e0"),
    ("icub_reduced.urdf", "principal moments 0.000000e0"),
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

fn options(missing: MissingInertia) -> LoadOptions {
    LoadOptions {
        inertia: InertiaPolicy {
            missing,
            impossible: ImpossibleInertia::Nearest,
        },
        ..LoadOptions::default()
    }
}

/// Why a file is refused, on reading or on placing.
struct Refusal {
    reason: String,
    about_inertia: bool,
}

impl Refusal {
    fn new(error: &UrdfError) -> Self {
        Self {
            reason: error.to_string(),
            about_inertia: matches!(
                error,
                UrdfError::NoMass { .. }
                    | UrdfError::BadInertia { .. }
                    | UrdfError::NoInertiaFromGeometry { .. }
            ),
        }
    }
}

/// The robot and the number of its colliders in rapier's sets.
fn attempt(file: &Path, options: &LoadOptions) -> Result<(RobotModel, usize), Refusal> {
    let model = RobotModel::from_file(file, options).map_err(|e| Refusal::new(&e))?;
    let mut world = PhysicsWorld::new();
    let robot = model.insert(
        &InsertOptions::default(),
        &mut world.bodies,
        &mut world.colliders,
        &mut world.impulse_joints,
        &mut world.multibody_joints,
    );
    match robot {
        Ok(robot) => {
            assert_eq!(robot.collider_count(), world.colliders.len());
            Ok((model, robot.collider_count()))
        }
        Err(InsertError::Base(error)) => Err(Refusal::new(&error)),
        Err(error) => Err(Refusal {
            reason: format!("{}: {error}", file.display()),
            about_inertia: false,
        }),
    }
}

/// As it is; where only an inertia stands against it, repaired as its refusal says.
fn load(file: &Path) -> Result<(RobotModel, usize), Refusal> {
    let repairs = [
        options(MissingInertia::FromGeometry { density: 1000.0 }),
        options(MissingInertia::MergeIntoParent),
    ];
    let mut found = attempt(file, &LoadOptions::default());
    for repair in &repairs {
        match &found {
            Err(refusal) if refusal.about_inertia => found = attempt(file, repair),
            _ => break,
        }
    }
    found
}

#[test]
fn public_robots_load_or_are_refused_for_the_right_reason() {
    let Some(robots) = common::robots("STICKSLIP_PUBLIC_ROBOTS") else {
        return;
    };
    let is_random = |p: &Path| p.components().any(|c| c.as_os_str() == "random_urdfs");
    let (random, named): (Vec<_>, Vec<_>) = robots.into_iter().partition(|p| is_random(p));
    let mut loaded = 0;
    let mut wrong = Vec::new();
    for file in named.iter().chain(random.iter().step_by(EVERY)) {
        let name = file.display();
        let expected = REFUSED.iter().find(|(end, _)| file.ends_with(end));
        let (model, colliders) = match (load(file), expected) {
            (Ok(found), None) => found,
            (Err(refusal), Some((_, word))) if refusal.reason.contains(word) => continue,
            (Ok(_), Some((_, word))) => {
                wrong.push(format!("{name}: loads, but should be refused: {word}"));
                continue;
            }
            (Err(refusal), _) => {
                wrong.push(refusal.reason);
                continue;
            }
        };
        loaded += 1;
        let (mass, shapes) = counted(&read(file));
        let as_it_is = model.inertia_policy == InertiaPolicy::default();
        if as_it_is && (model.mass() - mass).abs() > MASS * mass {
            wrong.push(format!("{name}: {} kg, the file has {mass}", model.mass()));
        }
        if model.collision_count() != shapes {
            let declared = model.collision_count();
            wrong.push(format!("{name}: {declared} shapes, the file has {shapes}"));
        }
        if colliders != shapes {
            wrong.push(format!("{name}: {colliders} colliders of {shapes}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{loaded} robots load as their files say");
}
