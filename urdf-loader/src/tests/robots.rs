//! Public robots: every one must load, with as many colliders as its file declares. The environment
//! variable STICKSLIP_ROBOTS names the folder that holds `example-robot-data`.

use super::*;
use crate::Base;

/// File, velocity coordinates with the base `Auto` picks, that base.
const ROBOTS: [(&str, usize, Base); 14] = [
    ("a1_description/urdf/a1.urdf", 18, Base::Floating),
    (
        "allegro_hand_description/urdf/allegro_left_hand.urdf",
        22,
        Base::Floating,
    ),
    (
        "allegro_hand_description/urdf/allegro_right_hand.urdf",
        22,
        Base::Floating,
    ),
    (
        "anymal_b_simple_description/robots/anymal-kinova.urdf",
        24,
        Base::Floating,
    ),
    (
        "anymal_b_simple_description/robots/anymal.urdf",
        18,
        Base::Floating,
    ),
    (
        "double_pendulum_description/urdf/double_pendulum.urdf",
        8,
        Base::Floating,
    ),
    (
        "double_pendulum_description/urdf/double_pendulum_continuous.urdf",
        8,
        Base::Floating,
    ),
    (
        "double_pendulum_description/urdf/double_pendulum_simple.urdf",
        8,
        Base::Floating,
    ),
    (
        "finger_edu_description/robots/finger_edu.urdf",
        9,
        Base::Floating,
    ),
    (
        "hyq_description/robots/hyq_no_sensors.urdf",
        18,
        Base::Floating,
    ),
    ("panda_description/urdf/panda.urdf", 15, Base::Floating),
    (
        "panda_description/urdf/panda_collision.urdf",
        15,
        Base::Floating,
    ),
    ("solo_description/robots/solo.urdf", 14, Base::Floating),
    ("solo_description/robots/solo12.urdf", 18, Base::Floating),
];

fn folder() -> PathBuf {
    let folder = std::env::var_os("STICKSLIP_ROBOTS");
    PathBuf::from(folder.expect("STICKSLIP_ROBOTS names the folder of public robots"))
}

/// The meshes of one arm belong to a package that the collection may come without; without them the
/// robot must be refused, not loaded with fewer colliders.
fn lacks_its_arm(folder: &Path, path: &str) -> bool {
    let package = folder.join("example-robot-data/robots/kinova_description");
    if !path.contains("kinova") || package.is_dir() {
        return false;
    }
    let file = folder.join("example-robot-data/robots").join(path);
    let error = RobotModel::from_file(&file, &LoadOptions::default()).unwrap_err();
    assert!(matches!(error, UrdfError::MeshNotFound { .. }), "{error}");
    println!("{path}: refused, its kinova_description is not there");
    true
}

#[test]
#[ignore = "needs public robots: set STICKSLIP_ROBOTS, see CONTRIBUTING.md"]
fn every_robot_loads_and_stands_in_a_scene() {
    let folder = folder();
    for (path, dofs, base) in ROBOTS {
        if lacks_its_arm(&folder, path) {
            continue;
        }
        let file = folder.join("example-robot-data/robots").join(path);
        let options = LoadOptions::default();
        let model = RobotModel::from_file(&file, &options).unwrap_or_else(|e| panic!("{e}"));
        let mut scene = Scene::default();
        let robot = scene.insert(&model, &InsertOptions::default()).unwrap();
        assert_eq!(robot.base, base, "{path}");
        assert_eq!(scene.multibody(&robot).ndofs(), dofs, "{path}");
        assert_eq!(robot.collider_count(), model.collision_count(), "{path}");
        assert_eq!(scene.colliders.len(), model.collision_count(), "{path}");
        println!(
            "{path}: {:.6} kg, {} links, {} bodies, {} colliders",
            model.mass(),
            model.links.len(),
            robot.bodies.len(),
            robot.collider_count()
        );
        let notes = model.notes.iter().map(ToString::to_string);
        for told in notes.chain(robot.warnings) {
            println!("    {told}");
        }
        // The engine's own step must find nothing to choke on.
        scene.run(Vector::ZERO, 3);
        for (_, body) in scene.bodies.iter() {
            assert!(body.position().is_finite(), "{path}");
        }
    }
}

/// Visual meshes too: every STL, OBJ and DAE file of the collection.
#[test]
#[ignore = "needs public robots: set STICKSLIP_ROBOTS, see CONTRIBUTING.md"]
fn every_visual_mesh_is_readable() {
    let folder = folder();
    for (path, ..) in ROBOTS {
        if lacks_its_arm(&folder, path) {
            continue;
        }
        let file = folder.join("example-robot-data/robots").join(path);
        let options = LoadOptions {
            visual_meshes: crate::VisualMeshes::Load,
            ..LoadOptions::default()
        };
        let model = RobotModel::from_file(&file, &options).unwrap_or_else(|e| panic!("{e}"));
        let unread: Vec<_> = model
            .notes
            .iter()
            .filter(|n| n.text.starts_with("not shown"))
            .collect();
        assert!(unread.is_empty(), "{path}: {unread:?}");
    }
}
