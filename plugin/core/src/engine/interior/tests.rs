use super::*;
use crate::engine::proximal::Proximal;
use crate::engine::sweeps::tests::{ready, row_of_bodies};
use crate::mass::{MassFactor, MassPattern, NO_PARENT};
use crate::problem::{GroupId, ProblemBuilder, RowHalf, ScalarKind};
use crate::settings::ModelSettings;
use crate::system::Friction;
use std::sync::Arc;
use stickslip_random::Random;

fn inside(random: &mut Random) -> Vector3<f64> {
    let [x, y] = [random.symmetric(), random.symmetric()];
    Vector3::new(x.hypot(y) + random.unit(), x, y)
}

fn cone(random: &mut Random) -> Cone {
    let mut cone = Cone {
        scale: 0.4,
        at: 1,
        len: 2,
        p: inside(random),
        q: inside(random),
        ..Cone::default()
    };
    assert!(cone.set_scaling());
    cone
}

/// `W p = W^-1 q`, both ways of W undo each other, and what a unit's impulses are made by is the inverse of its square.
#[test]
fn the_scaling_takes_both_points_to_one() {
    let mut random = Random::new(1);
    for _ in 0..100 {
        let cone = cone(&mut random);
        let off = cone.unscaled(&cone.q) - cone.lambda;
        assert!(off.amax() < 1e-13 * cone.lambda.amax(), "{off}");
        let x = Vector3::from_fn(|_, _| random.symmetric());
        let back = cone.unscaled(&cone.scaled(&x));
        assert!((back - x).amax() < 1e-12, "{back} {x}");
        // H is the inverse of E (W^2 + own) E^T + soft.
        let (own, soft) = (0.1, 0.2);
        let (mut h, mut follow) = ([[0.0; 3]; 3], [1.0, 0.0, 0.0]);
        let normal = soft + cone.eliminate(own, &mut h, &mut follow);
        let hx: [f64; 3] = from_fn(|i| {
            let share = (0..3).map(|j| follow[j] * x[j]).sum::<f64>() / normal;
            (0..3).map(|j| h[i][j] * x[j]).sum::<f64>() + follow[i] * share
        });
        let scale = Vector3::new(cone.scale, 1.0, 1.0);
        let z = Vector3::from(hx);
        let p = scale.component_mul(&z);
        let firm = Vector3::new(soft, own, own).component_mul(&z);
        let back = scale.component_mul(&cone.scaled(&cone.scaled(&p))) + firm;
        assert!((back - x).amax() < 1e-10, "{back} {x}");
    }
}

/// `a o (a \ b) = b`, and a step as long as `reach` ends on the boundary.
#[test]
fn quotients_and_lengths_are_those_of_the_cone() {
    let mut random = Random::new(2);
    for _ in 0..100 {
        let a = inside(&mut random);
        let b = Vector3::from_fn(|_, _| random.symmetric());
        let left = product(&a, &quotient(&a, &b)) - b;
        assert!(left.amax() < 1e-12, "{left}");
        let t = reach(&a, &b);
        if t.is_finite() {
            let end = a + b * t;
            let off = determinant(&end).abs();
            assert!(off < 1e-12 * end.norm_squared(), "{off:e}");
            assert!(determinant(&(a + b * (0.5 * t))) > 0.0);
        } else {
            assert!(b[0] >= b[1].hypot(b[2]));
        }
    }
    // A half-line.
    let [a, b] = [2.0, -4.0].map(|x| Vector3::new(x, 0.0, 0.0));
    assert_eq!(reach(&a, &b), 0.5);
}

/// The way is the same whatever impulses are present, and leads to where a descent needs a few factors for the rest.
#[test]
fn the_path_leads_near_the_answer_from_anywhere() {
    let mut random = Random::new(3);
    for round in 0..10 {
        let builder = row_of_bodies(12, 2, 1, round % 2 == 1, &mut random);
        let problem = builder.finished().unwrap();
        let place = problem.place(problem.islands().next().unwrap());
        let path = |factors, goal| Path {
            factors,
            flops: usize::MAX,
            goal,
        };
        let mut systems = [0.0, 1e3].map(|size| {
            let mut system = ready(&builder, Law::Convex, &mut random);
            (system.z.iter_mut()).for_each(|z| *z = size * random.symmetric());
            let near = path(14, 1e-4);
            let ended = Interior::default().run(place, &mut system, near).unwrap();
            assert!(ended.residual <= 1e-4, "{round}: {ended:?}");
            assert!((system.residual() - ended.residual).abs() < 1e-9);
            system
        });
        assert_eq!(systems[0].z, systems[1].z, "{round}");
        let mut descent = Proximal::default();
        let ended = descent.run(place, &mut systems[0], path(60, 1e-8));
        let ended = ended.unwrap();
        assert!(ended.residual <= 1e-8, "{round}: {ended:?}");
    }
}

/// Nothing is done where a factor takes more than is allowed.
#[test]
fn factors_beyond_the_budget_are_refused() {
    let builder = row_of_bodies(12, 2, 1, false, &mut Random::new(4));
    let problem = builder.finished().unwrap();
    let place = problem.place(problem.islands().next().unwrap());
    let mut system = ready(&builder, Law::Convex, &mut Random::new(4));
    let path = Path {
        factors: 30,
        flops: 10,
        goal: 1e-4,
    };
    let before = system.z.clone();
    assert!(Interior::default().run(place, &mut system, path).is_none());
    assert_eq!(system.z, before);
}

/// Rows with bounds have closed forms: a mass m = 2 is driven along x and y faster than the drives can, to either side; its x and z together by a
/// drive that yields, `v_x + v_z = 1 - c z`, so that `z (2 / m + c) = 1 - 0.5 / m`; and its first turn is stopped.
#[test]
fn bounds_on_either_side_and_compliance_are_met() {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let pattern = MassPattern::from_parents(&[NO_PARENT; 6]).unwrap();
    let mut mass = MassFactor::new(Arc::new(pattern));
    for i in 0..6 {
        *mass.entry_mut(i, 0) = 2.0;
    }
    mass.factor().unwrap();
    let free = [0.0, 0.0, 0.0, -3.0, 0.0, 0.0];
    let block = builder.add_block(&mass, &free, &free);
    let drive = |velocity, limit, compliance| ScalarKind::Bounded {
        velocity,
        limit,
        compliance,
    };
    let rows = [
        (drive(1.0, 0.5, 0.0), 0.5),
        (drive(-1.0, 0.25, 0.0), -0.25),
        (drive(1.0, 100.0, 0.5), 0.5),
        (ScalarKind::Unilateral { gap: 0.0 }, 6.0),
    ];
    for (key, (kind, _)) in rows.into_iter().enumerate() {
        let cols = if key == 2 { vec![0, 2] } else { vec![key] };
        let half = RowHalf {
            block,
            cols: &cols,
            rows: [&[1.0; 2][..cols.len()]],
        };
        builder.add_scalar(key as u64, kind, &[half]);
    }
    let problem = builder.finish().unwrap();
    let place = problem.place(problem.islands().next().unwrap());
    let mut system = System::default();
    system.build(place, &ModelSettings::default(), Friction::Law(Law::Convex));
    let path = Path {
        factors: 20,
        flops: usize::MAX,
        goal: 1e-9,
    };
    let ended = Interior::default().run(place, &mut system, path).unwrap();
    assert!(ended.residual <= 1e-9, "{ended:?}");
    for unit in &system.units {
        let GroupId::Scalar(row) = unit.group else {
            panic!("a row");
        };
        let (z, wanted) = (system.z[unit.at as usize], rows[row.0].1);
        assert!((z - wanted).abs() < 1e-7, "row {}: {z}", row.0);
    }
}
