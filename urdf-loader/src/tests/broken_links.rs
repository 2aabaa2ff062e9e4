//! Links with faults: their inertia, shapes and meshes; what is only a warning, and the full diagnosis.

use super::broken::refused;
use super::*;
use crate::diagnose;

#[test]
fn inertia_faults() {
    let child = |inertial: &str| {
        format!(
            "<link name='a'>{INERTIAL}</link><link name='b'>{inertial}</link>\
             <joint name='j' type='continuous'>{ENDS}</joint>"
        )
    };
    let inertial = |mass: f64, xx: f64, yy: f64, zz: f64, xy: f64| {
        child(&format!(
            "<inertial><mass value='{mass}'/><inertia ixx='{xx}' ixy='{xy}' ixz='0' iyy='{yy}' \
             iyz='0' izz='{zz}'/></inertial>"
        ))
    };
    refused!(
        strictly,
        child(""),
        UrdfError::NoMass { .. },
        "link `b`",
        "joint `j`"
    );
    refused!(
        strictly,
        inertial(0.0, 0.0, 0.0, 0.0, 0.0),
        UrdfError::NoMass { .. },
        "link `b`"
    );
    refused!(
        strictly,
        inertial(0.0, 1.0, 1.0, 1.0, 0.0),
        UrdfError::BadInertia { .. },
        "mass is zero"
    );
    refused!(
        inertial(-1.0, 1.0, 1.0, 1.0, 0.0),
        UrdfError::NegativeMass { .. },
        "link `b`",
        "negative"
    );
    refused!(
        strictly,
        inertial(1.0, 0.0, 0.0, 0.0, 0.0),
        UrdfError::BadInertia { .. },
        "link `b`"
    );
    refused!(
        strictly,
        inertial(1.0, 1.0, 1.0, 0.0, 0.0),
        UrdfError::BadInertia { .. },
        "definite"
    );
    // Eigenvalues 1 - 1.5, 1 + 1.5, 1.
    refused!(
        strictly,
        inertial(1.0, 1.0, 1.0, 1.0, 1.5),
        UrdfError::BadInertia { .. },
        "semidefinite",
        "-5.000000e-1",
        "2.500000e0"
    );
    refused!(
        strictly,
        inertial(1.0, 1.0, 1.0, 2.5, 0.0),
        UrdfError::BadInertia { .. },
        "triangle",
        "2.500000e0"
    );
    // Rounded to a few digits, a flat part may miss the inequality a little.
    assert!(load_strict(&inertial(1.0, 1.0, 1.0, 2.001, 0.0)).is_ok());
    refused!(
        strictly,
        inertial(1.0, 1.0, 1.0, 2.01, 0.0),
        UrdfError::BadInertia { .. },
        "triangle"
    );
    refused!(
        strictly,
        "<link name='a'><inertial><mass value='1'/></inertial></link>",
        UrdfError::NotStrict { .. },
        "link `a`",
        "<inertia>"
    );
}

#[test]
fn geometry_faults() {
    let shape = |geometry: &str| {
        format!("<link name='a'><collision><geometry>{geometry}</geometry></collision></link>")
    };
    for zero in [
        "<box size='1 0 1'/>",
        "<sphere radius='0'/>",
        "<cylinder radius='-1' length='1'/>",
        "<capsule radius='1' length='0'/>",
    ] {
        refused!(
            strictly,
            shape(zero),
            UrdfError::EmptyGeometry { .. },
            "link `a`",
            "collision 1"
        );
    }
    refused!(
        shape("<cone/>"),
        UrdfError::BadElement { .. },
        "link `a`",
        "cone"
    );
    refused!(shape(""), UrdfError::BadElement { .. }, "link `a`", "empty");
    refused!(
        shape("<mesh filename='package://nowhere/x.stl'/>"),
        UrdfError::MeshNotFound { .. },
        "link `a`",
        "package://nowhere/x.stl",
        "package path"
    );
    refused!(
        "<link name='a'><collision/></link>",
        UrdfError::BadElement { .. },
        "link `a`",
        "<geometry>"
    );
}

#[test]
fn unreadable_mesh_names_the_link_and_the_file() {
    let dir = TempDir::new("unreadable");
    let robot = |mesh: &str| {
        urdf(&format!(
            "<link name='a'><collision><geometry><mesh filename='{mesh}'/></geometry></collision></link>"
        ))
    };
    let cases: [(&str, &[u8], &str); 5] = [
        ("short.stl", b"\x01\x02", "too few"),
        ("cut.stl", &[0x01; 100], "truncated"),
        ("empty.obj", b"# nothing\n", "no triangles"),
        ("face.obj", b"v 0 0 0\nf 1 2 3\n", "bad corner"),
        ("x.blend", b"", "not supported"),
    ];
    for (name, bytes, word) in cases {
        dir.write(name, bytes);
        let file = dir.write("r.urdf", robot(name));
        let error = RobotModel::from_file(&file, &LoadOptions::default()).unwrap_err();
        assert!(matches!(error, UrdfError::BadMesh { .. }), "{error:?}");
        let message = error.to_string();
        for w in ["link `a`", name, word] {
            assert!(message.contains(w), "`{w}` missing in {message}");
        }
    }
}

#[test]
fn missing_visual_mesh_is_a_warning() {
    let model = load(
        "<link name='a'><visual><geometry><mesh filename='gone.dae'/></geometry></visual></link>",
    )
    .unwrap();
    assert_eq!(model.links[0].visuals.len(), 1);
    assert!(noted(&model, &["gone.dae", "link `a`"]));
}

#[test]
fn harmless_slips_load_with_a_warning() {
    let model = load(&format!(
        "<material name='m'><texture/></material>{}",
        pair(&format!(
            "type='revolute'>{ENDS}<limit lower='-1' upper='1' effort='2'/>"
        ))
    ))
    .unwrap();
    assert!(noted(&model, &["texture"]));
    assert_eq!(model.joints[0].velocity, None);
    assert_eq!(model.joints[0].effort, Some(2.0));
}

#[test]
fn diagnosis_lists_everything() {
    let dir = TempDir::new("diagnosis");
    let file = dir.write(
        "r.urdf",
        urdf(&format!(
            "<link name='a'>{INERTIAL}<collision><geometry><sphere radius='0'/></geometry></collision></link>\
             <link name='b'>{INERTIAL}</link>\
             <joint name='j' type='revolute'>{ENDS}<axis xyz='0 0 0'/>\
             <limit lower='1' upper='0' effort='0' velocity='0'/></joint>"
        )),
    );
    let options = LoadOptions {
        strictness: Strictness::Strict,
        ..LoadOptions::default()
    };
    let found = diagnose(&file, &options);
    assert!(found.model.is_none());
    let kinds: Vec<_> = found.errors.iter().map(|e| e.element()).collect();
    assert_eq!(kinds, ["link `a`", "joint `j`", "joint `j`"]);
}
