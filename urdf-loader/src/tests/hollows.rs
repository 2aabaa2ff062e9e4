//! Meshes with hollows, and what each choice makes of them.

use super::*;
use crate::{MeshCollision, mesh::tests::BOX};

/// A box between two corners as an OBJ, vertices counted from `first`.
fn cuboid(low: [f64; 3], high: [f64; 3], first: usize) -> String {
    let mut out = String::new();
    for k in 0..8 {
        let x = |i: usize| if k >> i & 1 == 1 { high[i] } else { low[i] };
        out += &format!("v {} {} {}\n", x(0), x(1), x(2));
    }
    for [a, b, c] in BOX.map(|t| t.map(|i| i + first)) {
        out += &format!("f {a} {b} {c}\n");
    }
    out
}

/// An L of two bars, three long and one thick.
fn corner() -> String {
    let upright = cuboid([0.0, 0.0, 0.0], [1.0, 1.0, 3.0], 1);
    format!(
        "o upright\n{upright}o foot\n{}",
        cuboid([1.0, 0.0, 0.0], [3.0, 1.0, 1.0], 9)
    )
}

/// Whether a point of the link is inside its only collider.
fn hit(model: &RobotModel, options: &InsertOptions, [x, y, z]: [f64; 3]) -> bool {
    let mut scene = Scene::default();
    let robot = scene.insert(model, options).unwrap();
    assert_eq!((robot.collider_count(), scene.colliders.len()), (1, 1));
    let collider = &scene.colliders[robot.links[0].colliders[0]];
    let p = Vector::new(real(x), real(y), real(z));
    collider.shape().contains_point(collider.position(), p)
}

#[test]
fn hollows_stay_open_where_asked() {
    let dir = TempDir::new("hollows");
    dir.write("corner.obj", corner());
    let file = dir.write(
        "r.urdf",
        urdf("<link name='a'><collision><geometry><mesh filename='corner.obj'/></geometry></collision></link>"),
    );
    let model = RobotModel::from_file(&file, &LoadOptions::default()).unwrap();
    let options = |mesh_collision| InsertOptions {
        mesh_collision,
        mesh_cache: Some(dir.0.join("cache")),
        ..InsertOptions::default()
    };
    // In the foot; beside the diagonal but in the hull; in the empty corner.
    let (foot, near, far) = ([2.0, 0.5, 0.5], [1.6, 0.5, 1.6], [2.8, 0.5, 2.8]);
    let boxed = options(MeshCollision::BoundingBox);
    assert!(hit(&model, &boxed, foot) && hit(&model, &boxed, near) && hit(&model, &boxed, far));
    let hull = options(MeshCollision::ConvexHull);
    assert!(hit(&model, &hull, foot) && hit(&model, &hull, near) && !hit(&model, &hull, far));
    let parts = options(MeshCollision::ConvexParts { resolution: 32 });
    let check = || {
        assert!(hit(&model, &parts, foot) && hit(&model, &parts, [0.5, 0.5, 2.5]));
        assert!(!hit(&model, &parts, near) && !hit(&model, &parts, far));
    };
    check();
    // The second time from the file; an incomplete one is computed again.
    let files = || -> Vec<PathBuf> {
        let entries = std::fs::read_dir(dir.0.join("cache")).unwrap();
        entries.map(|e| e.unwrap().path()).collect()
    };
    let [kept] = files().try_into().expect("one file, no drafts");
    let whole = std::fs::read_to_string(&kept).unwrap();
    assert!(whole.ends_with("end\n"));
    check();
    // A file that is used: a single part in the empty corner.
    let mut lines = whole.lines();
    let head = format!(
        "{}\n{}\n1\n4\n",
        lines.next().unwrap(),
        lines.next().unwrap()
    );
    let other = format!("{head}2 0 2\n3 0 2\n2.5 1 2\n2.5 0.5 3\nend\n");
    std::fs::write(&kept, other).unwrap();
    assert!(!hit(&model, &parts, foot) && hit(&model, &parts, [2.5, 0.5, 2.3]));
    std::fs::write(&kept, &whole[..whole.len() / 2]).unwrap();
    check();
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), whole);
}

/// What can't be written to is no reason to fail.
#[test]
fn a_cache_that_cannot_be() {
    let dir = TempDir::new("nocache");
    dir.write("corner.obj", corner());
    let file = dir.write(
        "r.urdf",
        urdf("<link name='a'><collision><geometry><mesh filename='corner.obj'/></geometry></collision></link>"),
    );
    let model = RobotModel::from_file(&file, &LoadOptions::default()).unwrap();
    let options = InsertOptions {
        mesh_collision: MeshCollision::ConvexParts { resolution: 16 },
        mesh_cache: Some(file.join("below/a/file")),
        ..InsertOptions::default()
    };
    assert!(hit(&model, &options, [2.0, 0.5, 0.5]));
}
