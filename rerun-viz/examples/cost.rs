//! What recording costs: 10 s at h = 1 ms of a walking robot's worth of data (13 links, 4 contacts), to a
//! file and, as a yardstick, only made. Prints the cost per step and the size of the file.
//!
//! `cargo run --release -p stickslip-rerun --example cost -- OUT.rrd`

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};
use std::time::{Duration, Instant};
use stickslip_record::{
    BodyRecord, ContactRecord, ContactState, Geometry, Recorder, SceneRecord, ShapeRecord,
    StepRecord,
};
use stickslip_rerun::{Frames, RecorderOptions, RerunRecorder, Sink};

const LINKS: usize = 13;
const STEPS: u64 = 10_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or("cost.rrd".into());
    for frames in [Frames::PerSecond(100.0), Frames::EverySteps(1)] {
        let options = RecorderOptions {
            frames,
            ..RecorderOptions::default()
        };
        let mut recorder = RerunRecorder::new(Sink::File(path.clone().into()), options)?;
        recorder.begin(&scene())?;
        let mut spent = Duration::ZERO;
        let mut worst = Duration::ZERO;
        for k in 0..STEPS {
            let step = step(k);
            let start = Instant::now();
            recorder.record(&step)?;
            let one = start.elapsed();
            spent += one;
            worst = worst.max(one);
        }
        let start = Instant::now();
        recorder.finish()?;
        let finish = start.elapsed();
        let per_step = (spent + finish).as_secs_f64() * 1e6 / STEPS as f64;
        let size = std::fs::metadata(&path)?.len() as f64 / 1e6;
        println!(
            "{frames:?}: {per_step:.2} us per step (longest {worst:?}, finish {finish:?}), {size:.2} MB"
        );
    }
    Ok(())
}

fn scene() -> SceneRecord {
    let link = |k| BodyRecord {
        name: format!("link {k}"),
        robot: Some("robot".to_owned()),
        moves: true,
        shapes: vec![ShapeRecord {
            pose: Isometry3::identity(),
            geometry: Geometry::Capsule {
                half_height: 0.1,
                radius: 0.02,
            },
            color: [200, 200, 200, 255],
        }],
        ..BodyRecord::default()
    };
    SceneRecord {
        name: "cost".to_owned(),
        bodies: (0..LINKS).map(link).collect(),
        weight: 120.0,
        ..SceneRecord::default()
    }
}

/// Poses and forces that never repeat, so that compression isn't flattered.
fn step(k: u64) -> StepRecord {
    let time = k as f64 * 1e-3;
    let wave = |i: usize, j: usize| (time * (1.3 + i as f64 * 0.37) + j as f64).sin();
    let vector = |i, size| size * Vector3::new(wave(i, 0), wave(i, 1), wave(i, 2));
    let mut step = StepRecord {
        step: k,
        time,
        ..StepRecord::default()
    };
    step.body_poses = (0..LINKS)
        .map(|i| {
            let turn = UnitQuaternion::from_scaled_axis(vector(i, 0.5));
            Isometry3::from_parts(vector(i, 0.3).into(), turn)
        })
        .collect();
    step.contacts = (0..4)
        .map(|i| ContactRecord {
            bodies: [None, Some(i)],
            point: Point3::from(vector(i, 0.2)),
            normal: Vector3::z(),
            tangent: Vector3::x(),
            friction: Some([0.5, 0.5]),
            gap: 1e-9 * wave(i, 3),
            normal_force: 30.0 + wave(i, 4),
            friction_force: vector(i, 3.0),
            spin_torque: Vector3::zeros(),
            slip_velocity: vector(i, 1e-12),
            state: ContactState::Sticking,
        })
        .collect();
    step.report.solve.residuals.momentum = 1e-14 * (2.0 + wave(0, 5));
    step.report.times.detect = 6.0 + wave(1, 1);
    step.report.times.solve = 3.0 + wave(1, 2);
    step
}
