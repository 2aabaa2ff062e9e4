//! What the format's own readers (urdfdom, PyBullet) load, loads: a note per slip, and the model that they make.

use nalgebra::{Isometry3, Matrix3, Vector3};

use super::*;
use crate::{Base, Geometry, JointKind, Limits, MissingMesh, NoteKind, diagnose};

const FILE: &str = "made/up.urdf";

fn tetrahedron(at: f64) -> String {
    format!(
        "v {at} 0 0\nv {} 0 0\nv {at} 1 0\nv {at} 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
        at + 1.0
    )
}

/// Loads with one repair of these words, and is refused where nothing may be repaired.
#[track_caller]
fn once(inside: &str, words: &[&str]) -> RobotModel {
    let error = load_strict(inside).expect_err("strictness refuses it");
    assert!(error.to_string().contains(FILE));
    let model = load(inside).unwrap();
    let told = model.notes.iter().filter(|n| n.kind == NoteKind::Repaired);
    let told: Vec<_> = told.map(ToString::to_string).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    for word in words {
        assert!(told[0].contains(word), "`{word}` in {}", told[0]);
    }
    model
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

#[test]
fn the_first_of_several_counts() {
    let visual = |inside: &str| format!("<link name='a'><visual>{inside}</visual></link>");
    let sphere = "<geometry><sphere radius='1'/></geometry>";
    let colour = |rgba: &str| format!("<material name='{rgba}'><color rgba='{rgba}'/></material>");
    let two = format!("{sphere}{}{}", colour("1 0 0 1"), colour("0 1 0 1"));
    let model = once(
        &visual(&two),
        &["line 1, link `a`, visual 1", "2 <material>", "first"],
    );
    assert_eq!(model.links[0].visuals[0].color, Some([1.0, 0.0, 0.0, 1.0]));
    let shapes = "<geometry><box size='1 1 1'/><sphere radius='1'/></geometry>";
    let collision = format!("<link name='a'><collision>{shapes}</collision></link>");
    let model = once(&collision, &["link `a`, collision 1", "2 shapes", "first"]);
    let size = Vector3::repeat(1.0);
    assert_eq!(
        model.links[0].collisions[0].geometry,
        Geometry::Box { size }
    );
    let text = urdf(&pair(&format!("type='fixed' type='floating'>{ENDS}")));
    let model = RobotModel::from_urdf(&text, Path::new(FILE), &LoadOptions::default()).unwrap();
    assert_eq!(model.joints[0].kind, JointKind::Fixed);
    assert!(noted(
        &model,
        &["repaired", "attribute given twice", "robot"]
    ));
}

#[test]
fn axes() {
    let joint = |kind: &str, axis: &str| pair(&format!("type='{kind}'>{ENDS}{axis}"));
    for (kind, axis, word) in [
        ("continuous", "<axis/>", "no xyz"),
        ("continuous", "<axis xyz='0 0 0'/>", "zero vector"),
        ("fixed", "<axis xyz='0 1'/>", "no vector"),
        ("floating", "<axis xyz='up'/>", "no vector"),
        ("fixed", "<axis rpy='0 0 0'/>", "no xyz"),
    ] {
        let model = once(&joint(kind, axis), &["joint `j`", word]);
        assert_eq!(*model.joints[0].axis, Vector3::x());
    }
    let model = load_strict(&joint("fixed", "<axis xyz='0 0 0'/>")).unwrap();
    assert!(model.notes.is_empty());
    assert!(load(&joint("continuous", "<axis xyz='0 1'/>")).is_err());
}

#[test]
fn limits_without_end() {
    let limits = |lower: &str, upper: &str| {
        let limit =
            format!("<limit lower='{lower}' upper='{upper}' effort='1e99' velocity='inf'/>");
        load(&pair(&format!("type='revolute'>{ENDS}{limit}"))).unwrap()
    };
    for (lower, upper, wanted) in [
        ("-inf", "inf", None),
        ("-1e300", "1e300", None),
        ("0", "inf", Some([0.0, 1e6])),
        ("-inf", "2", Some([-1e6, 2.0])),
    ] {
        let model = limits(lower, upper);
        let joint = &model.joints[0];
        let wanted = wanted.map(|[lower, upper]| Limits { lower, upper });
        assert_eq!(
            (joint.limits, joint.effort, joint.velocity),
            (wanted, None, None)
        );
        assert!(noted(
            &model,
            &["repaired", "joint `j`", "effort=\"1e99\"", "not limited"]
        ));
    }
    let nan = "<limit lower='nan' upper='1' effort='1' velocity='1'/>";
    assert!(load(&pair(&format!("type='revolute'>{ENDS}{nan}"))).is_err());
}

#[test]
fn negative_damping_is_none() {
    let model = once(
        &pair(&format!(
            "type='continuous'>{ENDS}<dynamics damping='-1' friction='2'/>"
        )),
        &["joint `j`", "damping = -1", "taken as 0"],
    );
    assert_eq!(
        (model.joints[0].damping, model.joints[0].friction),
        (0.0, 2.0)
    );
}

/// A four-bar linkage as some exporters write it: two joints lead to one link. The second closes the loop.
#[test]
fn a_second_parent_closes_a_loop() {
    let link = |name: &str| format!("<link name='{name}'>{INERTIAL}</link>");
    let joint = |name: &str, ends: [&str; 2], x: f64| {
        format!(
            "<joint name='{name}' type='revolute'><origin xyz='{x} 0 0' rpy='0 0 0.5'/><axis xyz='0 2 0'/>\
             <parent link='{}'/><child link='{}'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint>",
            ends[0], ends[1]
        )
    };
    let text = ["base", "left", "right", "bar"].map(link).concat()
        + &joint("a", ["base", "left"], 0.0)
        + &joint("b", ["base", "right"], 1.0)
        + &joint("c", ["left", "bar"], 0.5)
        + &joint("d", ["right", "bar"], 0.25);
    let model = once(
        &text,
        &[
            "joint `d`",
            "link `bar`, as joint `c` does",
            "closing a loop",
        ],
    );
    assert_eq!((model.joints.len(), model.closures.len()), (3, 1));
    let closure = &model.closures[0];
    let links = closure.links.map(|l| model.links[l].name.as_str());
    assert_eq!((closure.name.as_str(), links), ("d", ["right", "bar"]));
    assert_eq!(
        (closure.kind, *closure.axis),
        (JointKind::Revolute, Vector3::y())
    );
    let origin = Isometry3::new(Vector3::x() * 0.25, Vector3::z() * 0.5);
    assert!(
        (closure.frames[0].inv_mul(&origin))
            .translation
            .vector
            .norm()
            < 1e-15
    );
    assert_eq!(closure.frames[1], Isometry3::identity());
    let mut scene = Scene::default();
    let options = InsertOptions {
        base: Base::Fixed,
        ..InsertOptions::default()
    };
    assert_eq!(scene.insert(&model, &options).unwrap().closures.len(), 1);
    // What can't close a loop is left out.
    let floating = text.replacen("'d' type='revolute'", "'d' type='floating'", 1);
    assert!(load(&floating).unwrap().closures.is_empty());
}

#[test]
fn loops_of_links_that_are_not_there_are_left_out() {
    let with = |inside: &str| {
        format!(
            "<link name='a'/><link name='b'/><joint name='j' type='fixed'>{ENDS}</joint>{inside}"
        )
    };
    let sdf = |kind: &str, inside: &str| {
        with(&format!(
            "<gazebo><joint name='g' type='{kind}'>{inside}</joint></gazebo>"
        ))
    };
    for (text, word) in [
        (
            with(
                "<loop_joint name='c'><link1 link='a' xyz='0 0 0'/><link2 link='gone'/></loop_joint>",
            ),
            "`gone`",
        ),
        (
            with("<loop name='c'><predecessor link='gone'/><successor link='a'/></loop>"),
            "`gone`",
        ),
        (
            sdf("ball", "<parent>gone</parent><child>a</child>"),
            "`gone`",
        ),
        (
            sdf("screw", "<parent>a</parent><child>b</child>"),
            "`screw`",
        ),
        (sdf("ball", "<child>b</child>"), "<parent>"),
        (
            sdf("ball", "<parent>a</parent><child>b</child><pose>0 0</pose>"),
            "six numbers",
        ),
        (
            sdf(
                "hinge",
                "<parent>a</parent><child>b</child><axis><xyz>1</xyz></axis>",
            ),
            "3 numbers",
        ),
    ] {
        let model = once(&text, &["joint `", word, "left out"]);
        assert!(model.closures.is_empty());
    }
    let own = with(
        "<loop_joint name='c' type='screw'><link1 link='a' xyz='0 0 0'/><link2 link='b'/></loop_joint>",
    );
    assert!(matches!(
        load(&own).unwrap_err(),
        UrdfError::BadClosure { .. }
    ));
}

#[test]
fn xacro_left_in_a_urdf() {
    let text = |inside: &str| {
        format!(
            "<robot name='r' xmlns:xacro='http://ros.org/xacro'>\n<link name='a'/>\n{inside}</robot>"
        )
    };
    for (inside, word) in [
        (
            "<xacro:arm_gazebo/>",
            "macro `arm_gazebo` is not defined; dropped",
        ),
        (
            "<xacro:arm side='left'><origin xyz='0 0 0'/></xacro:arm><xacro:arm/>",
            "dropped (2 times)",
        ),
        ("<xacro:include filename='gone.xacro'/>", "no file"),
        (
            "<xacro:include filename='$(find gone)/gone.xacro'/>",
            "no file",
        ),
        (
            "<xacro:macro name='m' params='x'><xacro:n/></xacro:macro><xacro:m x='1'/>",
            "`n` is not defined",
        ),
    ] {
        let load = |name: &str| {
            RobotModel::from_urdf(&text(inside), Path::new(name), &LoadOptions::default())
        };
        let model = load("made/up.urdf").unwrap();
        assert_eq!(model.links.len(), 1);
        assert!(
            noted(&model, &["repaired: line 3, <xacro:", word]),
            "{word}: {:#?}",
            model.notes
        );
        let error = load("made/up.xacro").unwrap_err();
        assert!(matches!(error, UrdfError::Xacro { .. }), "{error}");
    }
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
        "arm/meshes/collision/h.obj",
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
        (
            "package://collision/h.obj",
            "arm/meshes/collision/h.obj",
            true,
        ),
        (
            "package://x/collision/h.obj",
            "arm/meshes/collision/h.obj",
            true,
        ),
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

#[test]
fn misspelt_elements_are_asked_about() {
    let model = load(&format!(
        "<link name='a'><colision/><verbose/></link><Joint/>"
    ))
    .unwrap();
    assert!(noted(
        &model,
        &[
            "doubtful: line 1, <link>: <colision>",
            "is <collision> meant?"
        ]
    ));
    assert!(noted(
        &model,
        &["doubtful: line 1, <robot>: <Joint>", "is <joint> meant?"]
    ));
    assert!(noted(
        &model,
        &["ignored: line 1, <link>: <verbose> has no effect here"]
    ));
}

/// Characters that XML forbids and the format's readers take.
#[test]
fn text_that_is_nearly_xml() {
    let body = "<link name='a & b'/>\n<!-- a -- b -->\n<link name='c' name='d'/><joint name='j'type='fixed'>\
                <parent link='a & b'/>\n<child link='c'/></joint>";
    let text =
        format!("<!-- head -->\n<?xml version='1.0'?>\n<robot name='r'>{body}</robot>\n<robot/>");
    let model = RobotModel::from_urdf(&text, Path::new(FILE), &LoadOptions::default()).unwrap();
    assert_eq!(model.links[0].name, "a & b");
    for words in [
        ["line 2", "declaration"],
        ["line 4", "`--`"],
        ["line 5", "given twice"],
        ["line 5", "no blank between"],
        ["line 3", "`&`"],
    ] {
        assert!(noted(&model, &words), "{words:?}: {:#?}", model.notes);
    }
    let options = LoadOptions {
        strictness: Strictness::Strict,
        ..LoadOptions::default()
    };
    let dir = TempDir::new("nearly");
    let found = diagnose(&dir.write("r.urdf", text), &options);
    assert!(!found.errors.is_empty());
    assert!(
        found
            .errors
            .iter()
            .all(|e| matches!(e, UrdfError::NotStrict { .. }))
    );
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
