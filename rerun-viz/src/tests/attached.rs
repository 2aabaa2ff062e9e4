//! A recorder attached to a pipeline, as in the example `record`.

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

/// Two balls hang on a fixed one by spherical joints and swing: the curve is what each step reported, in mm. The
/// box, which hangs on nothing, has no such curve.
#[test]
fn the_gap_of_joints_is_a_curve_of_an_attached_recording() {
    let mut world = PhysicsWorld::new();
    let mut last = world.bodies.insert(RigidBodyBuilder::fixed());
    for k in 1..=2 {
        let at = Vector::new(k as f32, 0.0, 0.0);
        let ball = RigidBodyBuilder::dynamic().translation(at);
        let ball = world.bodies.insert(ball);
        world.insert_collider(ColliderBuilder::ball(0.2), Some(ball));
        let joint = SphericalJointBuilder::new().local_anchor2(-Vector::X);
        world.insert_impulse_joint(last, ball, joint);
        last = ball;
    }
    let folder = Folder::new("swing");
    let path = folder.0.join("run.rrd");
    let mut attached = Attached::new("swing", every_step(&path));
    let mut pipeline = ContactPipeline::default();
    let mut gaps = Vec::new();
    for _ in 0..30 {
        pipeline.step_world(&mut world).expect("step");
        attached.record(&pipeline, &world).expect("record");
        gaps.push(pipeline.report().joint_gap);
    }
    attached.finish().expect("finish");
    // At rest the anchors coincide but for round-off, which is drawn as 0; in motion they do not.
    assert!(gaps[0] < GAP_FLOOR && gaps[29] > GAP_FLOOR, "{gaps:?}");
    let drawn: Vec<f64> = read(&path).curve("/plots/gap/joint").concat();
    let shown = gaps
        .iter()
        .map(|gap| if *gap < GAP_FLOOR { 0.0 } else { gap * 1e3 });
    let expected: Vec<f64> = shown.collect();
    assert_eq!(drawn, expected);

    let path = folder.0.join("box.rrd");
    let (mut world, _) = box_on_ground();
    let mut attached = Attached::new("box", every_step(&path));
    let mut pipeline = ContactPipeline::default();
    pipeline.step_world(&mut world).expect("step");
    attached.record(&pipeline, &world).expect("record");
    attached.finish().expect("finish");
    assert!(!read(&path).recording.contains_key("/plots/gap/joint"));
}

/// A program that ends before it finishes its recording, by an error or a panic, leaves one that opens to its last
/// step.
#[test]
fn a_recording_of_a_crash_opens_to_its_last_step() {
    let folder = Folder::new("crash");
    let path = folder.0.join("run.rrd");
    let crash = std::panic::catch_unwind(|| {
        let (mut world, body) = box_on_ground();
        let mut attached = Attached::new("box", every_step(&path)).named(body, "box");
        let mut pipeline = ContactPipeline::default();
        for k in 0..20 {
            assert!(k < 7, "the crash");
            pipeline.step_world(&mut world).expect("step");
            attached.record(&pipeline, &world).expect("record");
        }
    });
    assert!(crash.is_err());
    assert_eq!(read(&path).rows("/world/scene/box"), 7);
    assert_eq!(folder.names(), ["run.rrd"]);

    // Nothing was recorded: nothing is left.
    let other = folder.0.join("none.rrd");
    drop(Attached::new("box", every_step(&other)));
    assert_eq!(folder.names(), ["run.rrd"]);
}
