//! A recorder attached to a pipeline, as in the example `attach`.

use super::*;
use stickslip::ContactPipeline;
use stickslip::rapier::prelude::*;
use stickslip::record::Attached;

/// A box of 0.5 m and 0.125 kg that stands on the ground, y up.
fn box_on_ground() -> (PhysicsWorld, RigidBodyHandle) {
    let mut world = PhysicsWorld::new();
    let ground = ColliderBuilder::cuboid(2.0, 0.1, 2.0).translation(Vector::new(0.0, -0.1, 0.0));
    world.insert_collider(ground, None);
    let body = world
        .bodies
        .insert(RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.25, 0.0)));
    world.insert_collider(ColliderBuilder::cuboid(0.25, 0.25, 0.25), Some(body));
    (world, body)
}

/// A recorder into `path` that draws every step, y up.
fn every_step(path: &Path) -> RerunRecorder {
    let options = RecorderOptions {
        frames: Frames::EverySteps(1),
        up: UpAxis::Y,
        ..RecorderOptions::default()
    };
    RerunRecorder::new(Sink::File(path.to_path_buf()), options).expect("sink")
}

#[test]
fn a_rapier_user_attaches_a_recorder_to_a_pipeline() {
    let folder = Folder::new("attached");
    let path = folder.0.join("run.rrd");
    let (mut world, body) = box_on_ground();
    let recorder = every_step(&path);
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

/// A box comes to rest, sleeps after the engine's half second and is kicked awake: the curve of the forces drops to
/// zero and comes back, the log says why, at the steps in which the body itself slept and woke.
#[test]
fn a_box_that_sleeps_is_said_to() {
    let folder = Folder::new("asleep");
    let path = folder.0.join("run.rrd");
    let (mut world, body) = box_on_ground();
    let recorder = every_step(&path);
    let mut attached = Attached::new("box", recorder);
    let mut pipeline = ContactPipeline::default();
    let mut slept = Vec::new();
    for k in 0..200 {
        if k == 180 {
            let kick = Vector::new(0.0, 0.1, 0.0);
            world.bodies[body].apply_impulse(kick, true);
        }
        pipeline.step_world(&mut world).expect("step");
        attached.record(&pipeline, &world).expect("record");
        slept.push(world.bodies[body].is_sleeping());
    }
    attached.finish().expect("finish");

    let from = slept.iter().position(|s| *s).expect("it sleeps");
    // 0.5 s of 1/60 s each.
    assert_eq!(from, 30);
    assert!(slept[from..180].iter().all(|s| *s), "{slept:?}");
    let read = read(&path);
    assert_eq!(read.times("/log/solver", STEP), [from as i64, 180]);
    let texts = read.words("/log/solver", "TextLog:text");
    assert!(texts[0].contains("all 1 bodies"), "{texts:?}");
    assert!(texts[1].contains("1 of 1 bodies"), "{texts:?}");
    let (asleep, force) = (
        read.curve("/plots/solver/asleep"),
        read.curve("/plots/force/normal_sum"),
    );
    for k in 0..200 {
        let sleeps = (from..180).contains(&k);
        assert_eq!(asleep[k], [f64::from(u8::from(sleeps))], "step {k}");
        if sleeps {
            assert_eq!(force[k], [0.0], "step {k}");
        }
    }
    assert!(force[from - 1][0] > 1.0, "{:?}", force[from - 1]);
}
