//! Curves of friction used, energy, momentum and joints, and marks at failed steps.

use super::*;
use nalgebra::Matrix3;
use stickslip_core::report::SolveStatus;
use stickslip_record::{InertialRecord, JointMotion, JointRecord, JointSample, MotionRecord};

const MASS: f64 = 2.0;
const G: f64 = 10.0;
const H: f64 = 0.01;

/// A block of 2 kg on a fixed ground under 10 m/s^2, its centre of mass 0.1 m from its origin along its x.
fn block() -> SceneRecord {
    let mut scene = scene();
    scene.bodies.truncate(2);
    scene.bodies[1].inertial = Some(InertialRecord {
        mass: MASS,
        center: Point3::new(0.1, 0.0, 0.0),
        inertia: Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0)),
        gravity_scale: 1.0,
    });
    scene.weight = MASS * G;
    scene.gravity = Vector3::new(0.0, 0.0, -G);
    scene
}

/// Step k of the block with its origin at this height and its centre of mass moving like that.
fn moving(k: u64, height: f64, linear: Vector3<f64>) -> StepRecord {
    let mut step = step(k, H, vec![]);
    step.body_poses.truncate(2);
    step.body_poses[1] = Isometry3::translation(0.0, 0.0, height);
    let motion = MotionRecord {
        linear,
        ..MotionRecord::default()
    };
    step.body_motions = vec![MotionRecord::default(), motion];
    step
}

/// The one value of each row.
fn values(read: &Read, path: &str) -> Vec<f64> {
    let rows = read.curve(path);
    rows.iter().map(|row| row[0]).collect()
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a:?} {b:?}");
    }
}

#[test]
fn the_largest_share_of_a_friction_bound_is_drawn() {
    // 3 N of friction at mu = 0.4: 0.75 of the bound at 10 N, 0.375 at 20 N.
    let with = |forces: &[f64]| {
        let contacts = forces.iter().map(|f| contact(ContactState::Sticking, *f));
        contacts.collect::<Vec<_>>()
    };
    let mut smooth = with(&[10.0]);
    smooth[0].friction = Some([0.0, 0.0]);
    let mut unknown = with(&[10.0]);
    unknown[0].friction = None;
    let mut apart = with(&[0.0]);
    apart[0].state = ContactState::Separated;
    // 750 times its bound.
    let steps = [
        with(&[20.0, 10.0]),
        with(&[20.0]),
        with(&[0.01]),
        smooth,
        unknown,
        apart,
    ];
    let steps: Vec<_> = (0..).zip(steps).map(|(k, c)| step(k, H, c)).collect();
    let read = written(
        "utilisation",
        options(Frames::EverySteps(1)),
        &scene(),
        &steps,
    );
    let rows = read.curve("/plots/utilisation/max");
    assert_eq!(rows.len(), 6);
    close(&[rows[0][0], rows[1][0], rows[2][0]], &[0.75, 0.375, 10.0]);
    assert!(rows[3..].iter().all(Vec::is_empty), "{rows:?}");
}

/// Gaps of less than a nanometre are not drawn; runs without joints held by rows have no curve of theirs.
#[test]
fn gaps_have_a_floor_and_joints_a_curve() {
    let gap = |gap: f64| {
        let mut contact = contact(ContactState::Sticking, 10.0);
        contact.gap = gap;
        vec![contact]
    };
    let steps: Vec<_> = [-0.9e-9, 2e-6]
        .into_iter()
        .enumerate()
        .map(|(k, g)| step(k as u64, H, gap(g)))
        .collect();
    let options = || options(Frames::EverySteps(1));
    let without = written("without-joints", options(), &scene(), &steps);
    close(&values(&without, "/plots/gap/min"), &[0.0, 2e-3]);
    assert!(!without.recording.contains_key("/plots/gap/joint"));

    let folder = Folder::new("with-joints");
    let path = folder.0.join("run.rrd");
    let mut recorder = RerunRecorder::new(Sink::File(path.clone()), options()).expect("sink");
    recorder.begin(&scene()).expect("begin");
    for (step, gap) in steps.iter().zip([0.5e-9, 3e-6]) {
        recorder.joint_gap(gap);
        recorder.record(step).expect("record");
    }
    recorder.finish().expect("finish");
    close(&values(&read(&path), "/plots/gap/joint"), &[0.0, 3e-3]);
}

#[test]
fn free_fall_keeps_energy_and_momentum() {
    // From rest at 5 m: z = 5 - g t^2 / 2, v = -g t. The centre of mass is as high as the origin.
    let steps: Vec<_> = (0..20)
        .map(|k| {
            let t = (k + 1) as f64 * H;
            moving(k, 5.0 - G * t * t / 2.0, Vector3::new(0.3, 0.0, -G * t))
        })
        .collect();
    let read = written("fall", options(Frames::EverySteps(1)), &block(), &steps);
    close(&values(&read, "/plots/energy/change"), &[0.0; 20]);
    let errors = values(&read, "/plots/momentum/error");
    assert!(errors.iter().all(|e| *e < -11.9), "{errors:?}");
}

#[test]
fn energy_is_that_of_moving_turning_and_height() {
    let still = moving(0, 1.0, Vector3::zeros());
    // 2 kg at 3 m/s and 1 m higher: 9 J + 20 J.
    let lifted = moving(1, 2.0, Vector3::new(0.0, 3.0, 0.0));
    // A quarter turn about y brings the body's -z axis to x, so that it turns about its own z: 3 kg m^2 at
    // 2 rad/s, 6 J; the centre of mass comes 0.1 m below the origin: -2 J.
    let mut turned = moving(2, 1.0, Vector3::zeros());
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), std::f64::consts::FRAC_PI_2);
    turned.body_poses[1].rotation = turn;
    turned.body_motions[1].angular = Vector3::new(2.0, 0.0, 0.0);
    let read = written(
        "energy",
        options(Frames::EverySteps(1)),
        &block(),
        &[still, lifted, turned],
    );
    close(&values(&read, "/plots/energy/change"), &[0.0, 29.0, 4.0]);
}

/// About x, an eighth of a turn about z: the body sees (1, -1, 0) / sqrt(2), so 1/2 ((1 + 2) / 2 - 1/2) J; the
/// other way round it would be 1/2 ((1 + 2) / 2 + 1/2) J.
#[test]
fn energy_of_turning_takes_the_inertia_in_the_bodys_axes() {
    let mut scene = block();
    let own = scene.bodies[1].inertial.as_mut().expect("inertia");
    own.center = Point3::origin();
    own.inertia = Matrix3::new(1.0, 0.5, 0.0, 0.5, 2.0, 0.0, 0.0, 0.0, 3.0);
    let still = moving(0, 1.0, Vector3::zeros());
    let mut turned = moving(1, 1.0, Vector3::zeros());
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::FRAC_PI_4);
    turned.body_poses[1].rotation = turn;
    turned.body_motions[1].angular = Vector3::x();
    let read = written(
        "turning",
        options(Frames::EverySteps(1)),
        &scene,
        &[still, turned],
    );
    close(&values(&read, "/plots/energy/change"), &[0.0, 0.5]);
}

#[test]
fn momentum_that_no_force_accounts_for_is_drawn() {
    let push = |k, vx: f64, force: Option<(bool, f64)>| {
        let mut step = moving(k, 1.0, Vector3::new(vx, 0.0, 0.0));
        if let Some((second, fx)) = force {
            let mut c = contact(ContactState::Sliding, MASS * G);
            c.friction_force = Vector3::new(fx, 0.0, 0.0);
            if !second {
                c.bodies = [Some(1), Some(0)];
                c.normal = -c.normal;
            }
            step.contacts = vec![c];
        } else {
            // Held up by the user.
            step.applied_force = Vector3::new(0.0, 0.0, MASS * G);
        }
        step
    };
    // 40 N for 0.01 s make 0.2 m/s of 2 kg, whichever of the bodies comes first.
    let steps = [
        push(0, 0.0, None),
        push(1, 0.2, Some((true, 40.0))),
        push(2, 0.4, Some((false, -40.0))),
        push(3, 0.4, None),
        // 0.05 m/s from nowhere: 0.1 N s.
        push(4, 0.45, None),
    ];
    let read = written("momentum", options(Frames::EverySteps(1)), &block(), &steps);
    let errors = values(&read, "/plots/momentum/error");
    assert!(errors[..4].iter().all(|e| *e < -11.9), "{errors:?}");
    assert!((errors[4] - -1.0).abs() < 1e-9, "{errors:?}");

    // Joints to fixed bodies take momentum that no record states.
    let mut scene = block();
    scene.anchored = true;
    let read = written("anchored", options(Frames::EverySteps(1)), &scene, &steps);
    assert!(!read.recording.contains_key("/plots/momentum/error"));
}

#[test]
fn joints_are_drawn_with_targets_and_limits() {
    let mut scene = block();
    let joint = |name: &str, motion, effort| JointRecord {
        name: name.to_owned(),
        body: 1,
        axis: Vector3::y(),
        motion,
        effort,
        ..JointRecord::default()
    };
    scene.joints = vec![
        joint("free", JointMotion::Turning, None),
        joint("hip", JointMotion::Turning, Some(7.0)),
        joint("slide", JointMotion::Sliding, None),
    ];
    let steps: Vec<_> = (0..3)
        .map(|k| {
            let mut step = moving(k, 1.0, Vector3::zeros());
            let q = 0.1 * k as f64;
            let sample = |position, target, effort| JointSample {
                position,
                velocity: 0.0,
                target,
                effort,
            };
            step.joints = vec![
                sample(9.0, None, None),
                sample(q, Some(0.5), Some(4.0)),
                sample(-q, Some(0.25), Some(1.0)),
            ];
            step
        })
        .collect();
    let read = written("joints", options(Frames::EverySteps(1)), &scene, &steps);
    let rows = read.curve(&format!("/{JOINT_POSITIONS}"));
    assert_eq!(rows, [[9.0, 0.0, -0.0], [9.0, 0.1, -0.1], [9.0, 0.2, -0.2]]);
    let targets = read.curve(&format!("/{JOINT_TARGETS}"));
    assert_eq!(targets, [[0.5, 0.25]; 3]);
    assert_eq!(read.curve(&format!("/{JOINT_EFFORTS}")), [[4.0, 1.0]; 3]);
    assert_eq!(read.curve(&format!("/{JOINT_LIMITS}")), [[7.0, -7.0]; 3]);
    assert_eq!(
        read.words(&format!("/{JOINT_EFFORTS}"), "SeriesLines:names"),
        ["hip [N m]", "slide [N]"]
    );
    // 4 N m and 1 N along 0.1 rad and -0.1 m each step: 0.3 J.
    close(&values(&read, "/plots/energy/drives"), &[0.0, 0.3, 0.6]);

    let mut without = steps.clone();
    without[1].joints.clear();
    let folder = Folder::new("joints-missing");
    let sink = Sink::File(folder.0.join("run.rrd"));
    let mut recorder = RerunRecorder::new(sink, RecorderOptions::default()).expect("sink");
    recorder.begin(&scene).expect("begin");
    recorder.record(&without[0]).expect("first");
    let error = recorder.record(&without[1]).expect_err("no joints");
    assert!(error.to_string().contains("0 joints"), "{error}");
}

#[test]
fn steps_that_failed_or_fell_back_are_marked() {
    let mut steps: Vec<_> = (0..30).map(|k| step(k, 1e-3, vec![])).collect();
    for k in [3, 5, 17] {
        steps[k].report.solve.residuals.cone = 1e-4;
    }
    steps[3].report.solve.fallbacks = 1;
    steps[5].report.solve.fallbacks = 2;
    steps[17].report.solve.failures = 1;
    steps[17].report.solve.status = SolveStatus::PivotLimit;
    let folder = Folder::new("marks");
    let path = folder.0.join("run.rrd");
    // Few frames: marks stand at the steps all the same.
    record(&path, options(Frames::EverySteps(10)), &steps);
    let read = read(&path);
    assert_eq!(read.times(&format!("/{FELL_BACK}"), STEP), [3, 5]);
    assert_eq!(read.times(&format!("/{FAILED}"), STEP), [17]);
    assert_eq!(values(&read, &format!("/{FAILED}")), [-4.0]);
    for path in [FELL_BACK, FAILED] {
        let chunks = read.chunks(&format!("/{path}")).iter();
        assert_eq!(chunks.filter(|c| c.is_static()).count(), 1, "{path}: once");
    }
}
