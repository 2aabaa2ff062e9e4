use super::*;
use crate::engine::driver::Engine;
use crate::engine::kernel::{Kernel, Present};
use crate::engine::sweeps::tests::visit_unit;
use crate::law::Law;
use crate::mass::{MassFactor, MassPattern, NO_PARENT};
use crate::problem::{BlockId, ContactData, ContactProblem, ProblemBuilder, RowHalf, ScalarKind};
use crate::system::{Friction, System};
use crate::warm::WarmStart;
use nalgebra::{Unit, Vector3};
use std::sync::Arc;
use stickslip_random::Random;

const COLS: [usize; 6] = [0, 1, 2, 3, 4, 5];

fn vector(random: &mut Random) -> Vector3<f64> {
    Vector3::from_fn(|_, _| random.symmetric())
}

/// The three rows of a contact point at two arms, of the body that is pushed and, with a sign, of the other one.
fn rows(directions: &[Vector3<f64>; 3], arm: &Vector3<f64>, sign: f64) -> [[f64; 6]; 3] {
    directions.map(|d| {
        let turn = arm.cross(&d);
        [d.x, d.y, d.z, turn.x, turn.y, turn.z].map(|x| sign * x)
    })
}

fn half(block: BlockId, rows: &[[f64; 6]; 3]) -> RowHalf<'_, 3> {
    RowHalf {
        block,
        cols: &COLS,
        rows: [&rows[0], &rows[1], &rows[2]],
    }
}

/// Bodies in a row that fly, each with up to three contact points on the ground and on the next ones; what is changed of a contact.
pub(crate) fn heap(
    count: usize,
    speed: f64,
    random: &mut Random,
    change: impl Fn(usize, &mut ContactData),
) -> ProblemBuilder {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let parents = [NO_PARENT, NO_PARENT, NO_PARENT, NO_PARENT, 3, 4];
    let pattern = Arc::new(MassPattern::from_parents(&parents).unwrap());
    let mut blocks = Vec::new();
    for i in 0..count {
        let mut mass = MassFactor::new(pattern.clone());
        for k in 0..3 {
            *mass.entry_mut(k, 0) = 2.0 + (i % 3) as f64;
            *mass.entry_mut(3 + k, k) = 0.3 + 0.1 * k as f64;
        }
        for (i, k) in [(4, 0), (5, 0), (5, 1)] {
            *mass.entry_mut(i, k) = 0.05;
        }
        mass.factor().unwrap();
        let v: [f64; 6] = std::array::from_fn(|_| speed * random.symmetric());
        let free = std::array::from_fn::<_, 6, _>(|k| v[k] - if k == 2 { 0.1 } else { 0.0 });
        blocks.push(builder.add_block(&mass, &v, &free));
    }
    let mut key = 0;
    for i in 0..count {
        for far in 0..=2.min(count - 1 - i) {
            let n = Unit::new_normalize(vector(random)).into_inner();
            let s = Unit::new_normalize(n.cross(&vector(random))).into_inner();
            let directions = [n, s, n.cross(&s)];
            for _ in 0..1 + (i + far) % 3 {
                let [a, b] = [0, 1].map(|_| 0.5 * vector(random));
                let (own, other) = (rows(&directions, &a, 1.0), rows(&directions, &b, -1.0));
                let half = |body: usize, rows| half(blocks[body], rows);
                let ends = match far {
                    0 => vec![half(i, &own)],
                    _ => vec![half(i, &other), half(i + far, &own)],
                };
                let mut data = ContactData {
                    key: key as u64,
                    mu: 0.6,
                    compliance: if key % 3 == 0 { 1e-6 } else { 0.0 },
                    surface_velocity: [0.1, -0.2],
                    phi: [0.0, 2e-3, -1e-3][key % 3],
                    restitution: if key % 4 == 1 { 0.5 } else { 0.0 },
                    normal_drift: if key % 5 == 2 { -0.1 } else { 0.0 },
                    ..ContactData::default()
                };
                change(key, &mut data);
                builder.add_contact(data, &ends);
                key += 1;
            }
        }
    }
    builder
}

/// An answer with impulses at random, some zero.
fn answer(problem: &ContactProblem, random: &mut Random) -> ContactSolution {
    let mut answer = ContactSolution::default();
    answer.reset(problem);
    for c in 0..problem.contact_count() {
        answer.f_n[c] = random.symmetric().max(0.0);
        answer.f_s[c] = 0.3 * answer.f_n[c];
        answer.f_t[c] = -0.2 * answer.f_n[c];
    }
    answer
}

/// How far single precision may be from double.
const SINGLE_STEPS: f64 = 2e-5;

fn close(a: &[f64], b: &[f64], what: &str) {
    assert_eq!(a.len(), b.len());
    let size = a.iter().fold(1.0, |most: f64, a| most.max(a.abs()));
    for (k, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() < SINGLE_STEPS * size, "{what} {k}: {a} {b}");
    }
}

/// Eights make the steps of the system's contacts, one after another in the order of visits, and have the same velocities and
/// residual.
fn steps_as_the_system(machine: impl Machine, count: usize) {
    let mut random = Random::new(count as u64);
    let mut builder = heap(count, 1.0, &mut random, |_, _| {});
    builder.finish().unwrap();
    let problem = builder.finished().unwrap();
    let place = problem.place(problem.islands().next().unwrap());
    let settings = ModelSettings::default();
    let start = answer(problem, &mut random);
    let mut pairs = Pairs::default();
    assert!(pairs.pack(place, &settings, Start::Answer(&start)));
    let mut system = System::default();
    system.build(place, &settings, Friction::Law(Law::Cone));
    system.start_from(problem, Start::Answer(&start));
    let mut sweeps = crate::engine::sweeps::Sweeps::default();
    let (of_pairs, of_system) = (pairs.reached(), sweeps.reaches(&system));
    assert!(
        (of_pairs / of_system - 1.0).abs() < 1e-9,
        "{of_pairs} {of_system}"
    );
    let kernel = On {
        machine,
        rows: &pairs.rows,
        shares: &pairs.shares,
        speed: pairs.speed,
    };
    let flat = |v: &[Eight]| -> Vec<f64> {
        let six = |x: &Eight| {
            let root = f64::from(x.0[3]).sqrt();
            let linear = [0, 1, 2].map(|k| f64::from(x.0[k]) / root);
            [linear, [4, 5, 6].map(|k| f64::from(x.0[k]))].concat()
        };
        v.iter().flat_map(six).collect()
    };
    let (z, v) = (&mut pairs.iterate.z, &mut pairs.iterate.v);
    kernel.velocity_of(z, v);
    close(&system.v, &flat(v), "velocity");
    let left = kernel.residual(z, v);
    let off = (left - system.residual()).abs();
    assert!(
        off < SINGLE_STEPS * (1.0 + left),
        "{left} {}",
        system.residual()
    );
    // Contacts in the order of visits, as units of the system.
    let mut order: Vec<_> = pairs.contacts.iter().zip(&pairs.slots).collect();
    order.sort_by_key(|(_, slot)| **slot);
    let mut weight = vec![0.0; system.z.len()];
    for unit in &system.units {
        weight[unit.range()].copy_from_slice(&[0, 1, 1].map(|k| unit.weight[k]));
        weight[unit.at as usize] *= 1.0 + unit.mu[0] * unit.mu[0];
    }
    for (contact, _) in order {
        let unit = |i: &usize| {
            system.units[*i].group == GroupId::Contact(ContactId(contact.index as usize))
        };
        let i = (0..system.units.len()).find(unit).unwrap();
        let (mut z, mut v) = (system.z.clone(), system.v.clone());
        visit_unit(&system, &weight, i, &mut z, &mut v);
        (system.z, system.v) = (z, v);
    }
    let from = [0; 2];
    kernel.forward(0..pairs.rows.visits.len(), Present { z, v, from });
    close(&system.v, &flat(v), "velocity after");
    pairs.iterate.best.clone_from(&pairs.iterate.z);
    let (mut given, mut wanted) = (start.clone(), start.clone());
    pairs.give(&mut given);
    system.write(place, &mut wanted);
    close(&wanted.f_n, &given.f_n, "normal impulse");
    close(&wanted.f_s, &given.f_s, "impulse along s");
    close(&wanted.f_t, &given.f_t, "impulse along t");
}

#[test]
fn eights_step_as_the_system_does() {
    for count in [40, 300] {
        steps_as_the_system(Portable, count);
        #[cfg(target_arch = "x86_64")]
        if let Some(avx) = eight::Avx::here() {
            steps_as_the_system(avx, count);
        }
    }
}

/// Ellipses, rolling friction and rows that are not those of a point are left to the rows of the system.
#[test]
fn other_contacts_are_left_to_the_system() {
    let mut random = Random::new(3);
    let change = |kind: usize| {
        move |key: usize, data: &mut ContactData| match (kind, key) {
            (1, 17) => data.mu_across = Some(0.5),
            (2, 17) => data.mu_rolling = 0.1,
            _ => {}
        }
    };
    for kind in 0..4 {
        let mut builder = heap(40, 1.0, &mut random, change(kind));
        if kind == 3 {
            let own = [[1.0, 0.0, 0.0, 0.3, 0.1, 0.2]; 3];
            let other =
                own.map(|[_, rest @ ..]| [0.9, rest[0], rest[1], rest[2], rest[3], rest[4]]);
            let data = ContactData {
                key: 1_000_000,
                mu: 0.6,
                ..ContactData::default()
            };
            builder.add_contact(data, &[half(BlockId(0), &own), half(BlockId(1), &other)]);
        }
        builder.finish().unwrap();
        let problem = builder.finished().unwrap();
        let place = problem.place(problem.islands().next().unwrap());
        let start = answer(problem, &mut random);
        let mut pairs = Pairs::default();
        let can = pairs.pack(place, &ModelSettings::default(), Start::Answer(&start));
        assert_eq!(can, kind == 0, "{kind}");
    }
}

/// A heap that moves is swept to its tolerance; a heap that creeps, or that has a joint, is not swept here.
#[test]
fn large_heaps_that_move_are_swept_first() {
    let settings = ModelSettings::default();
    let own = settings.tolerances();
    let tolerances = crate::settings::Tolerances {
        loose: 10.0 * own.motion,
        ..own
    };
    let budget = settings.budget.engine(false);
    for (speed, joint, wanted) in [(1.0, false, true), (1e-3, false, false), (1.0, true, false)] {
        let mut random = Random::new(9);
        let mut builder = heap(60, speed, &mut random, |_, _| {});
        if joint {
            let row = RowHalf {
                block: BlockId(0),
                cols: &COLS,
                rows: [&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0][..]],
            };
            builder.add_scalar(7, ScalarKind::Bilateral { velocity: 0.0 }, &[row]);
        }
        builder.finish().unwrap();
        let problem = builder.finished().unwrap();
        let place = problem.place(problem.islands().next().unwrap());
        let mut engine = Engine::default();
        let warm = WarmStart::default();
        let start = Start::Last(&warm);
        let swept = engine.sweep_loose(place, &settings, start, tolerances, budget);
        assert_eq!(swept.is_some(), wanted, "{speed} {joint}");
        let most = Engine::in_motion(place, tolerances);
        let enough = if wanted { 1e-3 } else { 1e-4 };
        assert!(
            (most / enough - 1.0).abs() < 1e-12,
            "{most} {speed} {joint}"
        );
        if let Some(swept) = swept {
            assert!(swept.first > 1e-3 && swept.ended.residual <= 1e-3);
            assert!(swept.ended.iterations > 0);
        }
    }
}
