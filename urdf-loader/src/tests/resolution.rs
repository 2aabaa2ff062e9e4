//! Where mesh references lead.

use super::*;
use crate::resolve::Resolver;

const TRIANGLES: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

#[test]
fn every_way_to_a_package() {
    let dir = TempDir::new("packages");
    let mesh = |place: &str| dir.write(&format!("{place}/pkg/meshes/part.obj"), TRIANGLES);
    let uri = "package://pkg/meshes/part.obj";
    let robot = dir.0.join("elsewhere/urdf/r.urdf");
    let resolve = |given: &[PathBuf], ros: &[PathBuf], ament: &[PathBuf]| {
        Resolver::with_environment(&robot, given, ros, ament).resolve(uri)
    };
    let tried = resolve(&[], &[], &[]).unwrap_err();
    assert!(tried.contains(&dir.0.join("elsewhere/urdf/pkg/meshes/part.obj")));

    let (given, ros) = (mesh("given"), mesh("ros"));
    let ament = mesh("ament/share");
    let at = |name: &str| vec![dir.0.join(name)];
    assert_eq!(
        resolve(&at("given"), &at("ros"), &at("ament")).unwrap(),
        given
    );
    // The package itself may be given.
    assert_eq!(resolve(&at("given/pkg"), &[], &[]).unwrap(), given);
    assert_eq!(resolve(&[], &at("ros"), &at("ament")).unwrap(), ros);
    assert_eq!(resolve(&[], &[], &at("ament")).unwrap(), ament);
    // Folders above the robot file, as a home of packages and as the package.
    let above = mesh("elsewhere");
    assert_eq!(resolve(&[], &[], &[]).unwrap(), above);
    let inside = dir.0.join("elsewhere/pkg/robots/r.urdf");
    let found = Resolver::with_environment(&inside, &[], &[], &[])
        .resolve(uri)
        .unwrap();
    assert_eq!(found, above);
}

#[test]
fn plain_paths() {
    let dir = TempDir::new("paths");
    let part = dir.write("meshes/part.obj", TRIANGLES);
    let robot = dir.0.join("r.urdf");
    let resolver = Resolver::with_environment(&robot, &[], &[], &[]);
    assert_eq!(resolver.resolve("meshes/part.obj").unwrap(), part);
    assert_eq!(resolver.resolve(part.to_str().unwrap()).unwrap(), part);
    assert_eq!(
        resolver
            .resolve(&format!("file://{}", part.display()))
            .unwrap(),
        part
    );
    assert!(resolver.resolve("http://example.org/part.obj").is_err());
    assert!(resolver.resolve("meshes/other.obj").is_err());
}

#[test]
fn package_path_option_reaches_the_mesh() {
    let dir = TempDir::new("option");
    dir.write("home/pkg/part.obj", TRIANGLES);
    let file = dir.write(
        "robot/r.urdf",
        urdf(
            "<link name='a'>{I}<collision><geometry>\
             <mesh filename='package://pkg/part.obj' scale='2 2 -2'/></geometry></collision></link>",
        ),
    );
    assert!(RobotModel::from_file(&file, &LoadOptions::default()).is_err());
    let options = LoadOptions {
        package_paths: vec![dir.0.join("home")],
        ..LoadOptions::default()
    };
    let model = RobotModel::from_file(&file, &options).unwrap();
    let crate::Geometry::Mesh(reference) = &model.links[0].collisions[0].geometry else {
        panic!("a mesh")
    };
    // A tetrahedron of volume 1/6, scaled by 2 x 2 x -2 and turned right side out again.
    let volume = reference.scaled().unwrap().volume_moments().unwrap().volume;
    assert!((volume - 8.0 / 6.0).abs() < 1e-15);
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &InsertOptions::default()).unwrap();
    assert_eq!(robot.collider_count(), 1);
    let collider = &scene.colliders[robot.links[0].colliders[0]];
    let points = collider.shape().as_convex_polyhedron().unwrap().points();
    assert_eq!(points.len(), 4);
    let low = points.iter().map(|p| p.z).fold(0.0, Real::min);
    assert_eq!(low, -2.0);
}
