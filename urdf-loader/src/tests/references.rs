//! Meshes by references that are not quite right, and what replaces missing ones.

use nalgebra::{Isometry3, Matrix3, Vector3};

use super::*;
use crate::{Geometry, MissingMesh};

fn tetrahedron(at: f64) -> String {
    format!(
        "v {at} 0 0\nv {} 0 0\nv {at} 1 0\nv {at} 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
        at + 1.0
    )
}

/// The file of a folder, with these options.
fn open(file: &Path, missing_mesh: MissingMesh) -> Result<RobotModel, UrdfError> {
    let options = LoadOptions {
        missing_mesh,
        ..LoadOptions::default()
    };
    RobotModel::from_file(file, &options)
}

fn collides_with(mesh: &str) -> String {
    format!("<collision><geometry><mesh filename='{mesh}'/></geometry></collision>")
}

/// Where references lead that are not quite right.
#[test]
fn paths() {
    let dir = TempDir::new("readers");
    for path in [
        "arm/meshes/a b.obj",
        "arm/visual/c.obj",
        "arm/urdf/d.obj",
        "arm/e/f/g.obj",
        "e/f/g.obj",
    ] {
        dir.write(path, tetrahedron(0.0));
    }
    let at = |path: &str| dir.0.join(path);
    let robot = |mesh: &str| {
        let text = urdf(&format!(
            "<link name='l'>{INERTIAL}{}</link>",
            collides_with(mesh)
        ));
        dir.write("arm/urdf/r.urdf", text)
    };
    let whole = format!("file://{}", at("arm/meshes/a%20b.obj").display());
    for (mesh, wanted, tail) in [
        ("package://arm//meshes/a b.obj", "arm/meshes/a b.obj", false),
        ("package:///arm/visual/c.obj", "arm/visual/c.obj", false),
        (
            "package://arm/meshes/a%20b.obj",
            "arm/meshes/a b.obj",
            false,
        ),
        (&whole, "arm/meshes/a b.obj", false),
        ("package://arm\\visual\\c.obj", "arm/visual/c.obj", false),
        ("..\\meshes\\a b.obj", "arm/meshes/a b.obj", false),
        ("package://visual/c.obj", "arm/visual/c.obj", false),
        ("package://other_arm/visual/c.obj", "arm/visual/c.obj", true),
        (
            "file:///home/me/src/arm/visual/c.obj",
            "arm/visual/c.obj",
            true,
        ),
        ("/home/me/ws/visual/c.obj", "arm/visual/c.obj", true),
        ("C:\\me\\visual\\c.obj", "arm/visual/c.obj", true),
        ("../../gone/d.obj", "arm/urdf/d.obj", true),
        // The longest tail, then the nearest folder.
        ("package://x/e/f/g.obj", "arm/e/f/g.obj", true),
        ("$(find elsewhere)/visual/c.obj", "arm/visual/c.obj", true),
        (
            "file://$(find elsewhere)/visual/c.obj",
            "arm/visual/c.obj",
            true,
        ),
    ] {
        let model = open(&robot(mesh), MissingMesh::Refuse).unwrap();
        let Geometry::Mesh(reference) = &model.links[0].collisions[0].geometry else {
            panic!("a mesh")
        };
        let path = reference.path.as_ref().unwrap().canonicalize().unwrap();
        assert_eq!(path, at(wanted).canonicalize().unwrap(), "{mesh}");
        assert_eq!(
            noted(&model, &["repaired", "link `l`", "not found there"]),
            tail,
            "{mesh}"
        );
    }
    for mesh in [
        "http://x/visual/c.obj",
        "package://arm/visual/",
        "package://",
        "",
        "..",
        "%2e%2e",
        "%00c.obj",
    ] {
        let error = open(&robot(mesh), MissingMesh::Refuse).unwrap_err();
        assert!(error.to_string().contains("r.urdf"), "{error}");
    }
    // A visual mesh is no reason to refuse a robot, wherever it is.
    for mesh in [
        "package://gone/visual/c.obj",
        "package://gone/gone.obj",
        &"x/".repeat(3000),
    ] {
        let text = collides_with(mesh).replace("collision", "visual");
        let file = dir.write(
            "arm/urdf/v.urdf",
            urdf(&format!("<link name='l'>{INERTIAL}{text}</link>")),
        );
        let strict = LoadOptions {
            strictness: Strictness::Strict,
            ..LoadOptions::default()
        };
        assert_eq!(
            RobotModel::from_file(&file, &strict).unwrap().links[0]
                .visuals
                .len(),
            1
        );
    }
}

#[test]
fn missing_meshes() {
    let dir = TempDir::new("missing");
    dir.write("there.obj", tetrahedron(2.0));
    dir.write("broken.stl", b"\x01");
    let robot =
        |inside: &str| dir.write("r.urdf", urdf(&format!("<link name='l'>{inside}</link>")));
    let gone = collides_with("gone.stl");
    // What is asked for decides, for meshes that can't be read too.
    for mesh in ["gone.stl", "broken.stl"] {
        let two = format!(
            "{INERTIAL}{}<collision><geometry><sphere radius='1'/></geometry></collision>",
            collides_with(mesh)
        );
        let file = robot(&two);
        let refused = open(&file, MissingMesh::Refuse).unwrap_err().to_string();
        for word in ["link `l`", mesh, "--missing-mesh skip or box"] {
            assert!(refused.contains(word), "{refused}");
        }
        let model = open(&file, MissingMesh::Skip).unwrap();
        assert_eq!(model.links[0].collisions.len(), 1);
        assert!(noted(
            &model,
            &["changed", "link `l`", mesh, "left out, as asked"]
        ));
        let model = open(&file, MissingMesh::Box).unwrap();
        assert_eq!(model.links[0].collisions.len(), 2);
    }
    let boxed = |inside: &str| {
        let model = open(&robot(inside), MissingMesh::Box).unwrap();
        let notes: Vec<_> = model.notes.iter().map(ToString::to_string).collect();
        let shape = model.links[0].collisions.first().map(|shape| {
            let (low, high) = shape.geometry.bounds().unwrap();
            (shape.origin, high - low)
        });
        (shape, notes.join("\n"))
    };
    // Around the only visual shape, in its axes.
    let visual = "<visual><origin xyz='1 2 3' rpy='0.3 0 0'/><geometry><mesh filename='there.obj' scale='1 2 3'/></geometry></visual>";
    let (shape, told) = boxed(&format!("{INERTIAL}{visual}{gone}{gone}"));
    let (origin, size) = shape.unwrap();
    assert!((size - Vector3::new(1.0, 2.0, 3.0)).norm() < 1e-15);
    let wanted = Isometry3::new(Vector3::new(1.0, 2.0, 3.0), Vector3::x() * 0.3)
        * Isometry3::translation(2.5, 1.0, 1.5);
    assert!((origin.inv_mul(&wanted)).translation.vector.norm() < 1e-14);
    assert!(
        told.contains("`gone.stl` and 1 more: a box around its visual shapes"),
        "{told}"
    );
    // Around several, in the link's.
    let ball = |x: f64| {
        format!("<visual><origin xyz='{x} 0 0'/><geometry><sphere radius='1'/></geometry></visual>")
    };
    let (shape, _) = boxed(&format!("{INERTIAL}{}{}{gone}", ball(0.0), ball(4.0)));
    let (origin, size) = shape.unwrap();
    assert_eq!(
        (origin, size),
        (
            Isometry3::translation(2.0, 0.0, 0.0),
            Vector3::new(6.0, 2.0, 2.0)
        )
    );
    // From the inertia of a box of 1 x 2 x 3 m and 12 kg, turned: I_x = m (y^2 + z^2) / 12.
    let inertial = "<inertial><origin xyz='0 0 1' rpy='0 0 0.4'/><mass value='12'/>\
                    <inertia ixx='13' ixy='0' ixz='0' iyy='10' iyz='0' izz='5'/></inertial>";
    let (shape, told) = boxed(&format!("{inertial}{gone}"));
    let (origin, size) = shape.unwrap();
    assert!(told.contains("of its mass and inertia"), "{told}");
    let spread = |x: &Isometry3<f64>, size: &Vector3<f64>| {
        let r = x.rotation.to_rotation_matrix();
        r * Matrix3::from_diagonal(&size.component_mul(size)) * r.transpose()
    };
    let wanted = Isometry3::new(Vector3::z(), Vector3::z() * 0.4);
    let difference = spread(&origin, &size) - spread(&wanted, &Vector3::new(1.0, 2.0, 3.0));
    // The repair of thin inertias lifts the second moments by a ten-thousandth of the largest moment.
    assert!(difference.norm() < 1e-2, "{difference}");
    assert!((origin.translation.vector - Vector3::z()).norm() < 1e-14);
    // From nothing.
    for inside in [
        gone.clone(),
        format!("{gone}<visual><geometry><mesh filename='gone.obj'/></geometry></visual>"),
    ] {
        let (shape, told) = boxed(&inside);
        assert!(
            shape.is_none() && told.contains("left out: neither"),
            "{told}"
        );
    }
}

/// Meshes without volume collide: a triangle, a square, a line.
#[test]
fn flat_meshes_collide() {
    let dir = TempDir::new("sheet");
    for (name, mesh) in [
        ("triangle", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        (
            "square",
            "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n",
        ),
        ("line", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"),
    ] {
        dir.write("m.obj", mesh);
        let text = urdf(&format!(
            "<link name='a'>{INERTIAL}{}</link>",
            collides_with("m.obj")
        ));
        let model =
            RobotModel::from_file(&dir.write("r.urdf", text), &LoadOptions::default()).unwrap();
        let mut scene = Scene::default();
        let robot = scene.insert(&model, &InsertOptions::default());
        let robot = robot.unwrap_or_else(|e| panic!("{name}: {e}"));
        let said = robot
            .warnings
            .iter()
            .any(|w| w.contains("link `a`: mesh `m.obj` is flat"));
        assert_eq!(said, name == "line", "{:?}", robot.warnings);
        assert_eq!(robot.collider_count(), 1);
    }
}

/// A thousand meshes nowhere, in a deep folder: a search above the file each, and no more.
#[test]
fn many_missing_meshes_take_bounded_time() {
    let start = std::time::Instant::now();
    let mesh = |i: usize| collides_with(&format!("package://{}{i}.obj", "p/".repeat(40)));
    let many: String = (0..20_000).map(mesh).collect();
    let file = Path::new("/a/b/c/d/e/f/g/h/i/r.urdf");
    let text = urdf(&format!("<link name='a'>{many}</link>"));
    let options = LoadOptions {
        missing_mesh: MissingMesh::Skip,
        ..LoadOptions::default()
    };
    let model = RobotModel::from_urdf(&text, file, &options).unwrap();
    assert_eq!(model.collision_count(), 0);
    let took = start.elapsed();
    assert!(took < std::time::Duration::from_secs(60), "{took:?}");
}
