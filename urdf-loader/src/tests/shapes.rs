//! Collision shapes and masses of links as they arrive in rapier's sets.

use nalgebra::{Isometry3, Vector3};

use super::*;
use crate::{Base, FixedJoints, MeshCollision, SelfCollision};

/// Merged or kept, a robot has the same mass, the same links in the same places and falls alike.
#[test]
fn merged_and_kept_fixed_joints_agree() {
    let model = asset("quadruped.urdf");
    let mut options = InsertOptions {
        self_collision: SelfCollision::Off,
        ..Default::default()
    };
    options.initial.insert("lf_thigh".into(), 0.6);
    let mut merged = Scene::default();
    let a = merged.insert(&model, &options).unwrap();
    options.fixed_joints = FixedJoints::Keep;
    let mut kept = Scene::default();
    let b = kept.insert(&model, &options).unwrap();
    assert_eq!((a.bodies.len(), b.bodies.len()), (13, model.links.len()));
    assert_eq!(a.collider_count(), b.collider_count());
    let mass = |scene: &Scene| -> Real { scene.bodies.iter().map(|(_, b)| b.mass()).sum() };
    let tolerance = 64.0 * f64::from(Real::EPSILON);
    assert!(close(mass(&merged), 1.34, tolerance) && close(mass(&kept), 1.34, tolerance));
    for (x, y) in a.links.iter().zip(&b.links) {
        let (p, q) = (
            x.pose(&merged.bodies).unwrap(),
            y.pose(&kept.bodies).unwrap(),
        );
        assert!(
            p.translation.distance(q.translation) < real(tolerance),
            "{}",
            x.name
        );
        assert_eq!(x.colliders.len(), y.colliders.len());
    }
}

#[test]
fn self_collision_choices() {
    let model = asset("arm.urdf");
    for (choice, whole, neighbours) in [
        (SelfCollision::Off, false, false),
        (SelfCollision::ExcludeAdjacent, true, false),
        (SelfCollision::On, true, true),
    ] {
        let options = InsertOptions {
            self_collision: choice,
            ..InsertOptions::default()
        };
        let mut scene = Scene::default();
        let robot = scene.insert(&model, &options).unwrap();
        let multibody = scene.multibody(&robot);
        assert_eq!(multibody.self_contacts_enabled(), whole);
        for link in multibody.links().filter(|l| !l.is_root()) {
            assert_eq!(link.joint().data.contacts_enabled(), neighbours);
        }
    }
}

#[test]
fn overlapping_links_are_told() {
    let text = |x: f64| {
        let ball = "<collision><geometry><sphere radius='0.1'/></geometry></collision>";
        format!(
            "<link name='a'>{INERTIAL}{ball}</link><link name='b'>{INERTIAL}</link>\
             <link name='c'>{INERTIAL}{ball}</link><joint name='j' type='continuous'>{ENDS}</joint>\
             <joint name='k' type='continuous'><origin xyz='{x} 0 0'/>\
             <parent link='b'/><child link='c'/></joint>"
        )
    };
    let warnings = |x: f64, choice| {
        let options = InsertOptions {
            self_collision: choice,
            ..InsertOptions::default()
        };
        Scene::default()
            .insert(&load(&text(x)).unwrap(), &options)
            .unwrap()
            .warnings
    };
    let told = warnings(0.19, SelfCollision::ExcludeAdjacent);
    assert!(
        told.len() == 1 && told[0].contains("`a` and `c`"),
        "{told:?}"
    );
    assert!(warnings(0.21, SelfCollision::ExcludeAdjacent).is_empty());
    assert!(warnings(0.19, SelfCollision::Off).is_empty());
}

#[test]
fn exact_mesh_and_flat_hull() {
    let dir = TempDir::new("flat");
    dir.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    dir.write(
        "tetra.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
    );
    let robot = |mesh: &str| {
        let text = format!(
            "<link name='a'>{INERTIAL}<collision><geometry><mesh filename='{mesh}'/></geometry>\
             </collision></link>"
        );
        let file = dir.write("r.urdf", urdf(&text));
        RobotModel::from_file(&file, &LoadOptions::default()).unwrap()
    };
    let exact = InsertOptions {
        mesh_collision: MeshCollision::Exact,
        ..Default::default()
    };
    let mut scene = Scene::default();
    let tetra = scene.insert(&robot("tetra.obj"), &exact).unwrap();
    let shape = scene.colliders[tetra.links[0].colliders[0]].shape();
    assert_eq!(shape.as_trimesh().unwrap().indices().len(), 4);
    assert_eq!(
        scene
            .insert(&robot("flat.obj"), &exact)
            .unwrap()
            .collider_count(),
        1
    );
}

/// Shapes fill the boxes that their sizes say, cylinders and capsules along z, where their frames put them:
/// the shape stands at (2, 0, 0) of its link, a quarter turn about z at (1, 0, 0) fixes the link to the
/// base, the base stands at (10, 0, 0). So (x, y, z) of the shape comes to (11 - y, 2 + x, z).
#[test]
fn shapes_stand_where_their_frames_say() {
    let dir = TempDir::new("wedge");
    // A tetrahedron from (1, 0, 0) to (2, 1, 3).
    let obj = "v 1 0 0\nv 2 0 0\nv 1 1 0\nv 1 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    dir.write("m.obj", obj);
    for (shape, low, high) in [
        (
            "<box size='0.2 0.4 0.6'/>",
            [-0.1, -0.2, -0.3],
            [0.1, 0.2, 0.3],
        ),
        (
            "<cylinder radius='0.1' length='0.8'/>",
            [-0.1, -0.1, -0.4],
            [0.1, 0.1, 0.4],
        ),
        (
            "<capsule radius='0.1' length='0.8'/>",
            [-0.1, -0.1, -0.5],
            [0.1, 0.1, 0.5],
        ),
        ("<mesh filename='m.obj'/>", [1.0, 0.0, 0.0], [2.0, 1.0, 3.0]),
    ] {
        let text = urdf(&format!(
            "<link name='a'>{INERTIAL}</link><link name='b'><collision><origin xyz='2 0 0'/>\
             <geometry>{shape}</geometry></collision></link><joint name='j' type='fixed'>{ENDS}\
             <origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/></joint>"
        ));
        let file = dir.0.join("r.urdf");
        let model = RobotModel::from_urdf(&text, &file, &LoadOptions::default()).unwrap();
        let options = InsertOptions {
            base: Base::Fixed,
            pose: Isometry3::translation(10.0, 0.0, 0.0),
            mesh_collision: MeshCollision::BoundingBox,
            ..InsertOptions::default()
        };
        let mut scene = Scene::default();
        let robot = scene.insert(&model, &options).unwrap();
        let collider = robot.link("b").unwrap().colliders[0];
        let found = scene.colliders[collider].compute_aabb();
        let want = [
            Vector3::new(11.0 - high[1], 2.0 + low[0], low[2]),
            Vector3::new(11.0 - low[1], 2.0 + high[0], high[2]),
        ];
        for (have, want) in [found.mins, found.maxs].into_iter().zip(want) {
            let off = (0..3).map(|k| (f64::from(have[k]) - want[k]).abs());
            // Round-off of numbers up to 11.
            let tolerance = 64.0 * f64::from(Real::EPSILON);
            assert!(
                off.fold(0.0, f64::max) < tolerance,
                "{shape}: {have} for {want}"
            );
        }
    }
}
