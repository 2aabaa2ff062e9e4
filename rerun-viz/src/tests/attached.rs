//! A recorder attached to a pipeline, as in the example `attach`.

use super::*;
use stickslip::ContactPipeline;
use stickslip::rapier::prelude::*;
use stickslip::record::Attached;

#[test]
fn a_rapier_user_attaches_a_recorder_to_a_pipeline() {
    let folder = Folder::new("attached");
    let path = folder.0.join("run.rrd");
    let mut world = PhysicsWorld::new();
    let ground = ColliderBuilder::cuboid(2.0, 0.1, 2.0).translation(Vector::new(0.0, -0.1, 0.0));
    world.insert_collider(ground, None);
    let body = world
        .bodies
        .insert(RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.25, 0.0)));
    world.insert_collider(ColliderBuilder::cuboid(0.25, 0.25, 0.25), Some(body));
    let options = RecorderOptions {
        frames: Frames::EverySteps(1),
        up: UpAxis::Y,
        ..RecorderOptions::default()
    };
    let recorder = RerunRecorder::new(Sink::File(path.clone()), options).expect("sink");
    let mut attached = Attached::new("box", recorder).named(body, "box");
    let mut pipeline = ContactPipeline::default();
    for _ in 0..20 {
        pipeline.step_world(&mut world).expect("step");
        attached.record(&pipeline, &world).expect("record");
    }
    attached.finish().expect("finish");

    let read = read(&path);
    assert_eq!(read.rows("/world/scene/box"), 20);
    assert!(
        read.recording
            .contains_key("/world/scene/box/visual/shape_0")
    );
    assert!(
        read.recording
            .contains_key("/world/scene/colliders/visual/shape_0")
    );
    let weight = read.curve("/plots/force/weight")[19][0];
    let force = read.curve("/plots/force/normal_sum")[19][0];
    // 0.5^3 m^3 of rapier's density 1.
    assert!((weight - 0.125 * 9.81).abs() < 1e-5, "{weight}");
    assert!(
        (force / weight - 1.0).abs() < 1e-3,
        "{force} N of {weight} N"
    );
    // The eye is where y is up, and the box stands on its face: the centre of mass above the middle.
    let center = read.vectors(&format!("/{CENTER_OF_MASS}"), "Points3D:positions");
    assert!((center[19][0][1] - 0.25).abs() < 1e-4, "{center:?}");
}
