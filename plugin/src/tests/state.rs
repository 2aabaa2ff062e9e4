//! Saved in mid-contact and restored, a simulation goes on bit by bit (feature `serde-serialize`).

use super::busy::{H, MODELS, bits, scene};
use super::{World, num, vec3};
use crate::{ContactMaterial, ContactPipeline, ModelName, default_settings};
use rapier::prelude::*;
use serde::de::DeserializeOwned;

/// The saved parts by name; what a user's save file holds.
fn save(world: &World) -> [(&'static str, Vec<u8>); 8] {
    let bytes = |part: &dyn erased::Part| part.bytes();
    [
        ("islands", bytes(&world.islands)),
        ("broad phase", bytes(&world.broad_phase)),
        ("narrow phase", bytes(&world.narrow_phase)),
        ("bodies", bytes(&world.bodies)),
        ("colliders", bytes(&world.colliders)),
        ("impulse joints", bytes(&world.impulse_joints)),
        ("multibody joints", bytes(&world.multibody_joints)),
        ("pipeline", bytes(&world.pipeline)),
    ]
}

/// Serialization behind a trait object, to list parts of different types.
mod erased {
    pub(super) trait Part {
        fn bytes(&self) -> Vec<u8>;
    }

    impl<T: serde::Serialize> Part for T {
        fn bytes(&self) -> Vec<u8> {
            bincode::serialize(self).unwrap()
        }
    }
}

fn restore(parts: &[(&'static str, Vec<u8>); 8]) -> World {
    fn part<T: DeserializeOwned>((name, bytes): &(&str, Vec<u8>)) -> T {
        bincode::deserialize(bytes).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
    World {
        islands: part(&parts[0]),
        broad_phase: part(&parts[1]),
        narrow_phase: part(&parts[2]),
        bodies: part(&parts[3]),
        colliders: part(&parts[4]),
        impulse_joints: part(&parts[5]),
        multibody_joints: part(&parts[6]),
        pipeline: part(&parts[7]),
        // Model and settings come out of the snapshot.
        ..World::with_model(H, ModelName::Frictionless)
    }
}

/// C9: the bytes of every later snapshot are those of the run that was not interrupted: bodies, the
/// order inside rapier's sets, the warm start, what our stages remember.
#[test]
fn a_snapshot_in_mid_contact_goes_on_bit_by_bit() {
    for &model in MODELS {
        let mut world = scene(model);
        for _ in 0..60 {
            world.try_step(&()).unwrap();
        }
        let (mut sleepers, mut contacts) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            contacts.push(world.pipeline.contacts().len());
            sleepers.push(
                world
                    .bodies
                    .iter()
                    .filter(|(_, rb)| rb.is_sleeping())
                    .count(),
            );
            let snapshot = save(&world);
            let mut restored = restore(&snapshot);
            assert_eq!(snapshot, save(&restored), "{model}: saved again");
            for step in 1..=15 {
                world.try_step(&()).unwrap();
                restored.try_step(&()).unwrap();
                assert_eq!(bits(&world), bits(&restored), "{model}: {step} steps later");
                assert_eq!(world.pipeline.contacts(), restored.pipeline.contacts());
                for (a, b) in save(&world).iter().zip(&save(&restored)) {
                    assert!(a.1 == b.1, "{model}: {} differs after {step} steps", a.0);
                }
            }
        }
        // In mid-contact, fewer where another stack sleeps for a while.
        assert!(contacts.iter().all(|&n| n > 5) && contacts.iter().any(|&n| n > 30));
        // A stack and a tree asleep, and then the tree awake again.
        assert!(
            sleepers.contains(&5) && sleepers.contains(&3),
            "{sleepers:?}"
        );
    }
}

/// The warm start is part of the state: a stack at rest needs no pivot right after it was restored.
#[test]
fn a_restored_stack_at_rest_is_warm() {
    let mut world = World::new(H);
    world.ground();
    for k in 0..4 {
        let body = RigidBodyBuilder::dynamic();
        let z = 0.5 + f64::from(k);
        let half = num(0.5);
        world.add(
            body.translation(vec3(0.0, 0.0, z)),
            ColliderBuilder::cuboid(half, half, half),
        );
    }
    assert!(world.step().solve.pivots > 0);
    assert_eq!(world.run(20).solve.pivots, 0);
    let mut restored = restore(&save(&world));
    assert_eq!(restored.step().solve.pivots, 0);
    // The same without the warm start, to show that there is something to save.
    let mut cold = restore(&save(&world));
    cold.pipeline = ContactPipeline::new(ModelName::NoSlip, default_settings()).unwrap();
    assert!(cold.step().solve.pivots > 0);
}

/// Text keeps every bit too, and values out of range are refused as elsewhere.
#[test]
fn a_pipeline_goes_through_json_and_is_checked() {
    let mut world = scene(ModelName::NoSlip);
    for _ in 0..40 {
        world.try_step(&()).unwrap();
    }
    let text = serde_json::to_string(&world.pipeline).unwrap();
    let back: ContactPipeline = serde_json::from_str(&text).unwrap();
    assert_eq!(text, serde_json::to_string(&back).unwrap());
    assert_eq!(back.model().name(), ModelName::NoSlip);
    assert_eq!(back.material(), world.pipeline.material());
    let bytes = |p: &ContactPipeline| bincode::serialize(p).unwrap();
    assert_eq!(bytes(&back), bytes(&world.pipeline));

    let fail = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let error = serde_json::from_str::<ContactPipeline>(&text.replace(from, to));
        error.unwrap_err().to_string()
    };
    let error = fail("\"baumgarte\":0.2", "\"baumgarte\":-1.0");
    assert!(error.contains("baumgarte"), "{error}");
    let error = fail("\"mu_viscous\":40.0", "\"mu_viscous\":-2.0");
    assert!(error.contains("mu_viscous"), "{error}");
    let material = *back.material();
    assert_ne!(material, ContactMaterial::default());
}

/// Forgets one saved part of a pipeline.
type Forget = fn(&mut ContactPipeline);

/// Nothing is saved in vain: whichever part a restored pipeline forgets, the run goes elsewhere.
#[test]
fn every_saved_part_matters() {
    let parts: [(&str, Forget); 5] = [
        ("materials", |p| p.materials = Default::default()),
        ("impulse joints", |p| p.joints = Default::default()),
        ("trees", |p| p.trees = Default::default()),
        ("sleepers", |p| p.sleepers = Default::default()),
        ("warm start", |p| p.warm = Default::default()),
    ];
    let mut seen = [false; 5];
    for model in [ModelName::NoSlip, ModelName::NoSlipReleasing] {
        let mut world = scene(model);
        for _ in 0..60 {
            world.try_step(&()).unwrap();
        }
        for _ in 0..5 {
            let snapshot = save(&world);
            // On the heap: six worlds by value are more than a test's stack holds in a build without optimisation.
            let forgetful = parts.iter().map(|(_, forget)| {
                let mut restored = restore(&snapshot);
                forget(&mut restored.pipeline);
                restored
            });
            let mut forgetful: Vec<_> = forgetful.collect();
            for _ in 0..15 {
                world.try_step(&()).unwrap();
                for (restored, seen) in forgetful.iter_mut().zip(&mut seen) {
                    let went = restored.try_step(&()).is_ok();
                    *seen |= !went || bits(restored) != bits(&world);
                }
            }
        }
    }
    for ((name, _), seen) in parts.iter().zip(seen) {
        assert!(seen, "{name}");
    }
}

/// A ball that meets another one beside its middle, which presses a third, is slowed in one step and bounces in the next, though
/// the linear gap left a part of the gap: that the impact is due is saved.
#[test]
fn an_impact_that_is_due_is_saved() {
    let mut world = World::new(1.0 / 60.0);
    world.gravity = vec3(0.0, 0.0, 0.0);
    let ball = |radius: f64| ColliderBuilder::ball(num(radius)).restitution(num(1.0));
    let at = |x: f64, y: f64| RigidBodyBuilder::dynamic().translation(vec3(x, y, 0.0));
    let moving = world.add(at(-0.5, 0.03), ball(0.03).friction(num(0.0)));
    let struck = world.add(at(0.0, 0.0), ball(0.03).friction(num(0.0)));
    world.add(at(0.06, 0.0), ball(0.03).friction(num(0.0)));
    world.bodies[moving].set_linvel(vec3(2.0, 0.0, 0.0), true);
    let mut differs = false;
    for _ in 0..30 {
        let mut restored = restore(&save(&world));
        let mut forgetful = restore(&save(&world));
        forgetful.pipeline.assembler = Default::default();
        let gravity = world.gravity;
        for other in [&mut restored, &mut forgetful] {
            other.gravity = gravity;
            other.params = world.params;
            other.try_step(&()).unwrap();
        }
        world.try_step(&()).unwrap();
        assert_eq!(bits(&restored), bits(&world));
        differs |= bits(&forgetful) != bits(&world);
    }
    assert!(
        world.bodies[struck].linvel().length() > num(0.3),
        "no bounce"
    );
    assert!(differs, "nothing was due");
}
