//! Warnings about sizes, masses and meshes beyond reason; they change nothing.

use super::*;
use crate::{NoteKind, Strictness};

/// The warnings about a robot.
fn doubts(inside: &str) -> Vec<String> {
    let model = load(inside).unwrap();
    let notes = model.notes.iter().filter(|n| n.kind == NoteKind::Doubtful);
    notes.map(ToString::to_string).collect()
}

/// A link of this mass with a moment of a hundredth of it and a cube of this edge.
fn cube(edge: f64, mass: f64) -> String {
    let moment = mass * edge * edge / 6.0;
    format!(
        "<link name='a'><inertial><mass value='{mass}'/><inertia ixx='{moment}' ixy='0' ixz='0' \
         iyy='{moment}' iyz='0' izz='{moment}'/></inertial><collision><geometry>\
         <box size='{edge} {edge} {edge}'/></geometry></collision></link>"
    )
}

#[test]
fn millimetres_for_metres() {
    assert!(doubts(&cube(49.9, 1.0)).is_empty());
    let told = doubts(&cube(50.1, 1.0));
    assert!(
        told[0].contains("50.1") && told[0].contains("scale of 0.001"),
        "{told:?}"
    );
    assert!(doubts(&cube(5.1e-3, 1.0)).is_empty());
    let told = doubts(&cube(4.9e-3, 1.0));
    assert!(
        told[0].contains("4.900e-3 m") && told[0].contains("scale"),
        "{told:?}"
    );
    // Turned by an eighth about z its box is longer by sqrt 2; two cubes as far apart as their joint.
    let turned = cube(40.0, 1.0).replace(
        "<collision>",
        "<collision><origin rpy='0 0 0.7853981633974483'/>",
    );
    assert!(doubts(&turned)[0].contains("56.56"));
    let far = pair(&format!("type='fixed'>{ENDS}<origin xyz='0 60 0'/>"));
    assert!(doubts(&far)[0].contains("60"));
    // A ground is no robot, and a robot without shapes has no size.
    let ground = "<link name='a'><collision><geometry><plane/></geometry></collision></link>";
    assert!(doubts(ground).is_empty());
}

/// It is a warning in strictness too, and scaling takes it away.
#[test]
fn warnings_refuse_nothing() {
    let options = |scale: f64| LoadOptions {
        strictness: Strictness::Strict,
        scale,
        ..LoadOptions::default()
    };
    let text = urdf(&cube(500.0, 1.0));
    let read = |scale| RobotModel::from_urdf(&text, Path::new("r.urdf"), &options(scale)).unwrap();
    assert_eq!(read(1.0).notes.len(), 1);
    assert!(read(1e-3).notes.is_empty());
}

#[test]
fn masses_beyond_reason() {
    for (mass, doubtful) in [(1e-7, true), (1e-5, false), (1e5, false), (1.1e5, true)] {
        let told = doubts(&cube(1.0, mass));
        assert_eq!(!told.is_empty(), doubtful, "{mass}: {told:?}");
        assert!(told.iter().all(|t| t.contains("kilograms")), "{told:?}");
    }
    // kg mm^2 instead of kg m^2: a radius of gyration of 408 m in a robot of 1 m.
    let wrong = cube(1.0, 1.0).replace("0.16666666666666666", "166666.66666666666");
    let told = doubts(&wrong);
    assert!(
        told[0].contains("408.2") && told[0].contains("kg m^2"),
        "{told:?}"
    );
}

/// A million triangles and one: a warning that names the mesh and their number.
#[test]
fn meshes_beyond_reason() {
    let dir = TempDir::new("doubts-mesh");
    let stl = |triangles: u32| {
        let mut out = vec![b' '; 80];
        out.extend(triangles.to_le_bytes());
        let mut facet = [0u8; 50];
        for (place, x) in [(24, 1f32), (40, 1f32), (44, 1f32)] {
            facet[place..place + 4].copy_from_slice(&x.to_le_bytes());
        }
        (0..triangles).for_each(|_| out.extend(facet));
        out
    };
    let text = urdf(
        "<link name='a'><visual><geometry><mesh filename='m.stl'/></geometry></visual></link>",
    );
    let file = dir.write("r.urdf", text);
    let options = LoadOptions {
        visual_meshes: crate::VisualMeshes::Load,
        ..LoadOptions::default()
    };
    for (triangles, doubtful) in [(1_000_000, false), (1_000_001, true)] {
        dir.write("m.stl", stl(triangles));
        let model = RobotModel::from_file(&file, &options).unwrap();
        assert_eq!(noted(&model, &["link `a`", "m.stl", "1000001"]), doubtful);
    }
    // Read once, but fifty-one times in the robot: more than 50 million together.
    dir.write("m.stl", stl(1_000_000));
    let shape = "<visual><geometry><mesh filename='m.stl'/></geometry></visual>";
    for (count, refused) in [(50, false), (51, true)] {
        let text = urdf(&format!("<link name='a'>{}</link>", shape.repeat(count)));
        match RobotModel::from_file(&dir.write("many.urdf", text), &options) {
            Ok(_) => assert!(!refused),
            Err(error) => assert!(refused && error.to_string().contains("50000000 triangles")),
        }
    }
}
