//! Writes a small recording from closed forms, without any engine: a box at rest on four contacts, and a
//! ball that falls, lands without rebound, slides under Coulomb friction, and then rolls at 5/7 of its
//! landing speed.
//!
//! `cargo run -p stickslip-rerun --example ball_and_box -- OUT.rrd` (or `spawn`, `connect=HOST:PORT`)

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use stickslip_record::{
    BodyRecord, ContactRecord, ContactState, Geometry, Recorder, SceneRecord, ShapeRecord,
    StepRecord,
};
use stickslip_rerun::{RecorderOptions, RerunRecorder, Sink};

const G: f64 = 9.81;
const H: f64 = 1e-3;
const MU: f64 = 0.25;
const RADIUS: f64 = 0.1;
const BALL_MASS: f64 = 2.0;
const BOX_MASS: f64 = 3.0;
const HALF: [f64; 3] = [0.2, 0.15, 0.1];
const DROP: f64 = 0.15;
const V0: f64 = 1.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or("ball_and_box.rrd".into());
    let Some(sink) = Sink::parse(&text)? else {
        return Ok(());
    };
    let mut recorder = RerunRecorder::new(sink, RecorderOptions::default())?;
    recorder.begin(&scene())?;
    for step in 0..1500 {
        recorder.record(&at(step, (step + 1) as f64 * H))?;
    }
    recorder.finish()?;
    println!("recorded to {text}");
    Ok(())
}

fn body(name: &str, moves: bool, geometry: Geometry, color: [u8; 4]) -> BodyRecord {
    BodyRecord {
        name: name.to_owned(),
        moves,
        shapes: vec![ShapeRecord {
            pose: Isometry3::identity(),
            geometry,
            color,
        }],
        ..BodyRecord::default()
    }
}

fn scene() -> SceneRecord {
    let normal = Vector3::z();
    let half_extents = Vector3::from(HALF);
    SceneRecord {
        name: "ball and box".to_owned(),
        bodies: vec![
            body(
                "ground",
                false,
                Geometry::HalfSpace { normal },
                [118, 122, 130, 255],
            ),
            body(
                "box",
                true,
                Geometry::Cuboid { half_extents },
                [205, 170, 110, 255],
            ),
            body(
                "ball",
                true,
                Geometry::Sphere { radius: RADIUS },
                [110, 150, 210, 255],
            ),
        ],
        weight: (BALL_MASS + BOX_MASS) * G,
        ..SceneRecord::default()
    }
}

/// Speed of the ball's centre, its turning speed and its path from landing on, `t` seconds after it.
fn rolling(t: f64) -> (f64, f64, f64) {
    // mu g slows it, 5/2 mu g / r turns it, until v = omega r at 5/7 v0.
    let t_roll = 2.0 * V0 / (7.0 * MU * G);
    let s = t.min(t_roll);
    let v = V0 - MU * G * s;
    let omega = 2.5 * MU * G * s / RADIUS;
    (v, omega, V0 * s - MU * G * s * s / 2.0 + v * (t - s))
}

fn at(step: u64, time: f64) -> StepRecord {
    let landing = (2.0 * DROP / G).sqrt();
    let after = time - landing;
    let mut record = StepRecord {
        step,
        time,
        ..StepRecord::default()
    };
    let mut ball = Vector3::new(-0.7 + V0 * time, -0.45, RADIUS);
    let mut angle = 0.0;
    if after < 0.0 {
        ball.z += DROP - G * time * time / 2.0;
    } else {
        let (v, omega, path) = rolling(after);
        ball.x = -0.7 + V0 * landing + path;
        angle = (0..=100)
            .map(|k| rolling(after * f64::from(k) / 100.0).1)
            .sum::<f64>()
            * after
            / 101.0;
        let slip = v - omega * RADIUS;
        let slides = slip > 1e-9;
        record.contacts.push(ContactRecord {
            bodies: [Some(0), Some(2)],
            point: Point3::new(ball.x, ball.y, 0.0),
            normal: Vector3::z(),
            tangent: Vector3::x(),
            friction: Some([MU, MU]),
            gap: 0.0,
            normal_force: BALL_MASS * G,
            friction_force: Vector3::x() * if slides { -MU * BALL_MASS * G } else { 0.0 },
            spin_torque: Vector3::zeros(),
            slip_velocity: Vector3::x() * slip,
            state: if slides {
                ContactState::Sliding
            } else {
                ContactState::Sticking
            },
        });
    }
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        record.contacts.push(ContactRecord {
            bodies: [Some(0), Some(1)],
            point: Point3::new(x * HALF[0], y * HALF[1], 0.0),
            normal: Vector3::z(),
            tangent: Vector3::x(),
            friction: Some([MU, MU]),
            gap: 0.0,
            normal_force: BOX_MASS * G / 4.0,
            friction_force: Vector3::zeros(),
            spin_torque: Vector3::zeros(),
            slip_velocity: Vector3::zeros(),
            state: ContactState::Sticking,
        });
    }
    record.report.solve.contacts = record.contacts.len();
    record.body_poses = vec![
        Isometry3::identity(),
        Isometry3::translation(0.0, 0.0, HALF[2]),
        Isometry3::from_parts(
            Translation3::from(ball),
            UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle),
        ),
    ];
    record
}
