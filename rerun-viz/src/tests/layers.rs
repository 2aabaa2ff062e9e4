//! Layers: looks and collision shapes, frames, joint axes; which of them a layout shows.

use super::*;
use stickslip_record::{CurveGroup, JointMotion, JointRecord, Layer, ViewRecord};

/// The test scene with a robot whose link looks unlike its collision shape and turns about its y axis.
fn robot() -> SceneRecord {
    let mut scene = scene();
    scene.bodies[1].collision = vec![shape(Geometry::Sphere { radius: 0.2 })];
    scene.joints = vec![JointRecord {
        name: "hip".to_owned(),
        body: 1,
        anchor: Vector3::new(0.1, 0.0, 0.0),
        axis: Vector3::y(),
        motion: JointMotion::Turning,
        effort: None,
    }];
    scene
}

fn shown(name: &str, view: ViewRecord) -> Read {
    let mut scene = robot();
    scene.view = view;
    let steps = [step(0, 0.01, vec![])];
    written(name, RecorderOptions::default(), &scene, &steps)
}

const LINK: &str = "/world/rob_ot/base_link";

#[test]
fn links_have_layers_logged_once() {
    let read = shown("layers", ViewRecord::default());
    for part in [VISUAL, COLLISION] {
        let path = format!("{LINK}/{part}/shape_0");
        assert!(read.chunks(&path).iter().all(Chunk::is_static), "{path}");
    }
    let boxes = &read.recording[&format!("{LINK}/{VISUAL}/shape_0")];
    let spheres = &read.recording[&format!("{LINK}/{COLLISION}/shape_0")];
    let has = |chunks: &[Chunk], part: &str| {
        let mut names = chunks.iter().flat_map(|c| c.component_descriptors());
        names.any(|d| d.component.as_str().starts_with(part))
    };
    assert!(has(boxes, "Boxes3D") && !has(boxes, "Ellipsoids3D"));
    assert!(has(spheres, "Ellipsoids3D") && !has(spheres, "Boxes3D"));
    assert!(has(
        read.chunks(&format!("{LINK}/{FRAME}")),
        "TransformAxes3D"
    ));
    // What looks like its collision shape has just one layer; what is no robot has no frame.
    assert!(
        !read
            .recording
            .contains_key(&format!("/world/scene/ball/{COLLISION}/shape_0"))
    );
    assert!(
        !read
            .recording
            .contains_key(&format!("/world/scene/ball/{FRAME}"))
    );

    // An arrow through the anchor along the axis: 0.3 of the size long, half of it before the anchor.
    let axes = read.chunks(&format!("{LINK}/{JOINTS}"));
    let one = |component: &'static str| -> [f32; 3] {
        let rows = axes.iter().flat_map(|c| {
            let rows = c.iter_slices::<[f32; 3]>(component.into());
            rows.map(<[[f32; 3]]>::to_vec).collect::<Vec<_>>()
        });
        rows.flatten().next().expect("an arrow")
    };
    let (vector, origin) = (one("Arrows3D:vectors"), one("Arrows3D:origins"));
    assert!(
        vector[1] > 0.0 && vector[0] == 0.0 && vector[2] == 0.0,
        "{vector:?}"
    );
    assert!((origin[1] + 0.5 * vector[1]).abs() < 1e-6, "{origin:?}");
    assert_eq!((origin[0], origin[2]), (0.1, 0.0));
}

fn hidden(read: &Read) -> Vec<String> {
    let overrides = read.blueprint.keys().filter_map(|path| {
        let (_, entity) = path.split_once("/ViewContents/overrides")?;
        entity.strip_suffix("/visualizers")
    });
    overrides.map(str::to_owned).collect()
}

#[test]
fn a_layout_shows_the_layers_and_curves_a_scene_asks_for() {
    let usual = hidden(&shown("usual", ViewRecord::default()));
    let link = |part: &str| format!("{LINK}/{part}");
    assert_eq!(
        usual,
        [
            "/world/contacts/cones".to_owned(),
            "/world/contacts/tangents".to_owned(),
            link(COLLISION),
            link(FRAME),
            link(JOINTS),
        ]
    );
    let asked = shown(
        "asked",
        ViewRecord {
            caption: "Look at the hip.".to_owned(),
            curves: vec![CurveGroup::Solver, CurveGroup::Energy, CurveGroup::Gap],
            layers: Some(vec![Layer::Cones, Layer::JointAxes]),
            from: Vector3::x(),
            follow: Some(1),
            ..ViewRecord::default()
        },
    );
    let all = hidden(&asked);
    let expected = [
        "/world/balance".to_owned(),
        "/world/contacts/tangents".to_owned(),
        link(COLLISION),
        link(FRAME),
        "/world/wrenches".to_owned(),
    ];
    assert_eq!(all, expected);
    let legend = asked.words(&format!("/{LEGEND}"), "TextDocument:text");
    assert!(legend[0].contains("Look at the hip."), "{legend:?}");
    let eye = asked
        .blueprint
        .iter()
        .find(|(path, _)| path.ends_with("/EyeControls3D"));
    let (_, chunks) = eye.expect("an eye");
    let tracked: Vec<String> = chunks
        .iter()
        .flat_map(|c| {
            let rows = c.iter_slices::<String>("EyeControls3D:tracking_entity".into());
            rows.map(|row| row[0].to_string()).collect::<Vec<_>>()
        })
        .collect();
    let followed = format!("{LINK}/eye");
    assert_eq!(tracked, [followed.as_str()]);
    assert!(asked.recording.contains_key(&followed));
}

/// Where directions count, each contact has one arrow for its whole force, and the largest of every step is as
/// long as half the scene's size.
#[test]
fn directions_are_drawn_alike_however_large_the_forces() {
    let mut scene = scene();
    scene.view.arrows = stickslip_record::Arrows::Directions;
    let pressed = |force: f64| {
        let mut contact = contact(ContactState::Sticking, 4.0 * force);
        contact.friction_force = Vector3::new(3.0 * force, 0.0, 0.0);
        contact
    };
    let steps = [
        step(0, 0.01, vec![pressed(1.0)]),
        step(1, 0.01, vec![pressed(500.0), pressed(-250.0)]),
        step(2, 0.01, vec![]),
    ];
    let read = written("directions", RecorderOptions::default(), &scene, &steps);
    let forces = read.vectors(&format!("/{CONTACT_FORCES}"), "Arrows3D:vectors");
    let counts: Vec<_> = forces.iter().map(Vec::len).collect();
    assert_eq!(counts, [1, 2, 0]);
    let arrow = |row: usize, k: usize| Vector3::from(forces[row][k]);
    let long = arrow(0, 0).norm();
    assert!(long > 0.0);
    for (row, k, share) in [(0, 0, 1.0), (1, 0, 1.0), (1, 1, -0.5)] {
        let expected = Vector3::new(0.6, 0.0, 0.8) * long * share;
        assert!((arrow(row, k) - expected).norm() < 1e-6, "{forces:?}");
    }
    for path in [NORMAL_FORCES, FRICTION_FORCES] {
        assert!(!read.recording.contains_key(&format!("/{path}")), "{path}");
    }
}
