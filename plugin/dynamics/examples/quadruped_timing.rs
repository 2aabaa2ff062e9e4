//! Times the dynamics of a quadruped of 18 coordinates: a floating base with an offset centre of
//! mass and four legs of three hinges. Run with `--release`; prints nanoseconds per call, the best
//! of several batches.

use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};
use std::hint::black_box;
use std::time::Instant;
use stickslip_core::mass::MassFactor;
use stickslip_dynamics::{JointSpec, LinkInertia, LinkSpec, Tree, TreeError};

/// Short batches: the best one is not interrupted, whatever else the machine does.
const CALLS: u32 = 200;
const BATCHES: u32 = 2_000;

fn inertia(mass: f64, com: [f64; 3], size: f64) -> LinkInertia {
    let shape = Matrix3::new(2.0, 0.1, 0.0, 0.1, 1.5, 0.2, 0.0, 0.2, 1.0);
    LinkInertia::new(mass, com.into(), shape * (mass * size * size / 12.0))
}

fn hinge(parent: usize, at: [f64; 3], axis: Vector3<f64>, body: LinkInertia) -> LinkSpec {
    let turn = UnitQuaternion::rotation_between(&Vector3::x(), &axis)
        .unwrap_or_else(UnitQuaternion::identity);
    let frame1 = Isometry3::from_parts(Translation3::from(Vector3::from(at)), turn);
    let frame2 = Isometry3::from_parts(Translation3::identity(), turn);
    LinkSpec {
        parent: Some(parent),
        joint: JointSpec::revolute(frame1, frame2, 0),
        inertia: body,
    }
}

fn quadruped() -> Result<Tree, TreeError> {
    let mut links = vec![LinkSpec {
        parent: None,
        joint: JointSpec::floating(),
        inertia: inertia(6.0, [0.01, 0.004, -0.0005], 0.25),
    }];
    for (x, y) in [(0.18, -0.05), (0.18, 0.05), (-0.18, -0.05), (-0.18, 0.05)] {
        let hip = links.len();
        links.push(hinge(
            0,
            [x, y, 0.0],
            Vector3::x(),
            inertia(0.7, [0.003, 0.01, 0.0], 0.08),
        ));
        let side = [0.0, 1.7 * y, 0.0];
        links.push(hinge(
            hip,
            side,
            Vector3::y(),
            inertia(1.0, [0.003, 0.02, -0.03], 0.2),
        ));
        let thigh = [0.0, 0.0, -0.2];
        links.push(hinge(
            hip + 1,
            thigh,
            Vector3::y(),
            inertia(0.2, [0.006, 0.0, -0.1], 0.2),
        ));
    }
    Tree::new(&links)
}

fn time(name: &str, mut call: impl FnMut()) {
    let mut best = f64::INFINITY;
    for _ in 0..BATCHES {
        let start = Instant::now();
        for _ in 0..CALLS {
            call();
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(CALLS));
    }
    println!("{name:<28} {:8.1} ns", best * 1e9);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tree = quadruped()?;
    let mut state = tree.new_state();
    for (i, position) in state.positions_mut().iter_mut().enumerate() {
        position.angle = 0.3 * (i as f64).sin();
    }
    for (i, v) in state.velocity_mut().iter_mut().enumerate() {
        *v = 2.0 * (1.0 + i as f64).cos();
    }
    let gravity = Vector3::new(0.0, 0.0, -9.81);
    let m = tree.dim();
    let diagonal = vec![0.01; m];
    let mut factor = MassFactor::new(tree.pattern().clone());
    let (mut bias, mut dv, mut rows) = (vec![0.0; m], vec![0.0; m], vec![0.0; 3 * m]);
    let directions = [Vector3::z(), Vector3::x(), Vector3::y()];
    tree.forward_kinematics(&mut state);
    tree.update_velocities(&mut state);
    let foot = tree.link_pose(&state, 3).translation.vector;

    time("forward kinematics", || {
        tree.forward_kinematics(black_box(&mut state))
    });
    time("velocities", || {
        tree.update_velocities(black_box(&mut state))
    });
    time("bias", || {
        tree.bias(black_box(&mut state), &gravity, &mut bias)
    });
    time("mass matrix", || {
        tree.mass_matrix(black_box(&mut state), &diagonal, &mut factor)
    });
    time("mass matrix + factor", || {
        tree.mass_matrix(black_box(&mut state), &diagonal, &mut factor);
        factor.factor().unwrap_or_else(|e| println!("{e}"));
    });
    time("all of the above", || {
        tree.forward_kinematics(black_box(&mut state));
        tree.update_velocities(&mut state);
        tree.bias(&mut state, &gravity, &mut bias);
        tree.mass_matrix(&mut state, &diagonal, &mut factor);
        factor.factor().unwrap_or_else(|e| println!("{e}"));
    });
    let load = bias.clone();
    time("factor.solve", || {
        dv.copy_from_slice(&load);
        factor.solve(black_box(&mut dv));
    });
    time("bias derivative", || {
        tree.bias_derivative(black_box(&mut state), &diagonal, &mut bias);
    });
    tree.bias(&mut state, &gravity, &mut bias);
    let net: Vec<f64> = bias.iter().map(|b| -b).collect();
    for h in [1e-3, 1e-2] {
        let mut path = Default::default();
        time("velocity change", || {
            path = tree.velocity_change(black_box(&mut state), &factor, h, &net, &mut dv);
        });
        println!("    h = {h}: {path:?}");
    }
    time("three rows of one contact", || {
        tree.point_rows(black_box(&state), 3, &foot, &directions, &mut rows);
    });
    time("integrate (h = 0)", || {
        tree.integrate(black_box(&mut state), 0.0)
    });
    Ok(())
}
