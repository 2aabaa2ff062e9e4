//! The same scene gives the same bits: twice in a row, and with any number of threads.

use super::busy::{MODELS, bits, scene};
use crate::{ModelName, StepMemory};

fn run(model: ModelName, steps: usize) -> Vec<u64> {
    let mut world = scene(model);
    let hash = |_| {
        world.try_step(&()).unwrap();
        bits(&world)
    };
    (0..steps).map(hash).collect()
}

/// Nothing depends on addresses, on the order of a hash map or on memory left from other scenes.
#[test]
fn the_same_scene_twice_gives_the_same_bits() {
    for &model in MODELS {
        let first = run(model, 120);
        assert!(first.windows(2).all(|w| w[0] != w[1]), "nothing moves");
        assert_eq!(first, run(model, 120), "{model}");
    }
}

/// Worlds in turns in the same memory, each under another model and five steps behind the one before, go on as alone.
#[test]
fn worlds_that_share_a_memory_go_on_as_alone() {
    let mut memory = StepMemory::default();
    let begun = MODELS
        .iter()
        .map(|&model| (scene(model), run(model, 40).into_iter()));
    let mut worlds: Vec<_> = begun.collect();
    for step in 0..40 + 5 * worlds.len() {
        for (world, alone) in worlds.iter_mut().take(1 + step / 5) {
            let Some(bits_alone) = alone.next() else {
                continue;
            };
            world.pipeline.swap_memory(&mut memory);
            world.try_step(&()).unwrap();
            world.pipeline.swap_memory(&mut memory);
            let model = world.pipeline.model().name();
            assert_eq!(bits(world), bits_alone, "{model}, in round {step}");
        }
    }
    assert!(worlds.iter().all(|(_, alone)| alone.len() == 0));
}

/// With feature `parallel`, rapier's detection and our islands run on the threads of the current pool.
#[cfg(feature = "parallel")]
#[test]
fn one_two_or_three_threads_give_the_same_bits() {
    for &model in MODELS {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                let mut world = super::busy::crowd(model);
                let hash = |_| {
                    let solve = world.try_step(&()).unwrap().solve;
                    (bits(&world), solve)
                };
                (0..40).map(hash).collect::<Vec<_>>()
            })
        };
        let one = run(1);
        assert!(one.iter().all(|(_, solve)| solve.islands > 10));
        for threads in [2, 3] {
            let several = run(threads);
            assert!(one == several, "{model}, {threads} threads");
        }
    }
}

/// The same of many pyramids at rest, and of a heap that falls apart: every stage is divided.
#[cfg(feature = "parallel")]
#[test]
fn pyramids_and_a_heap_have_the_same_bits_by_any_number_of_threads() {
    use super::{World, num, vec3};
    use rapier::prelude::*;

    let pyramids = |world: &mut World| {
        for pyramid in 0..9 {
            for (row, k) in (0..8).flat_map(|row| (0..8 - row).map(move |k| (row, k))) {
                let along = f64::from(k) + 0.5 * f64::from(row);
                let place = vec3(along, 3.0 * f64::from(pyramid), 0.5 + f64::from(row));
                let cube = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5));
                world.add(RigidBodyBuilder::dynamic().translation(place), cube);
            }
        }
    };
    let heap = |world: &mut World| {
        for k in 0..7 * 7 * 7 {
            let cell = [k % 7, k / 7 % 7, k / 49].map(f64::from);
            let lean = 0.05 * cell[2];
            let place = vec3(cell[0] + lean, cell[1] - lean, 0.5 + cell[2]);
            let cube = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5));
            let body = RigidBodyBuilder::dynamic().translation(place);
            world.add(body.linvel(vec3(0.3 * cell[2], 0.0, -0.5)), cube);
        }
    };
    type Fill = dyn Fn(&mut World) + Sync;
    let scenes: [(&str, &Fill); 2] = [("pyramids", &pyramids), ("heap", &heap)];
    for (name, fill) in scenes {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                let mut world = World::new(super::busy::H);
                world.ground();
                fill(&mut world);
                let step = |_| {
                    let solve = world.try_step(&()).unwrap().solve;
                    (bits(&world), solve)
                };
                (0..12).map(step).collect::<Vec<_>>()
            })
        };
        let one = run(1);
        assert!(one.iter().all(|(_, solve)| solve.contacts > 1000), "{name}");
        for threads in [2, 3] {
            assert!(one == run(threads), "{name}, {threads} threads");
        }
    }
}

/// A pool that the world was given is the one that its steps run on, whatever pool they are called in. Cause of what was
/// wrong: rapier keeps the pool in its own pipeline, which our step does not run.
#[cfg(feature = "parallel")]
#[test]
fn a_worlds_own_pool_runs_its_steps() {
    use super::num;
    use crate::ContactPipeline;
    use rapier::prelude::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[derive(Default)]
    struct Threads(AtomicUsize);

    impl PhysicsHooks for Threads {
        fn filter_contact_pair(&self, _: &PairFilterContext) -> Option<SolverFlags> {
            self.0
                .store(rayon::current_num_threads(), Ordering::Relaxed);
            Some(SolverFlags::COMPUTE_RIGID_IMPULSES)
        }
    }

    let mut world = PhysicsWorld::new();
    let floor = ColliderBuilder::cuboid(num(5.0), num(0.5), num(5.0));
    world.insert_collider(floor.active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS), None);
    let body = RigidBodyBuilder::dynamic().translation(super::vec3(0.0, 1.0, 0.0));
    let body = world.insert_body(body);
    world.insert_collider(ColliderBuilder::ball(num(0.5)), Some(body));
    let mut pipeline = ContactPipeline::default();
    let threads = Threads::default();
    world.configure_thread_pool(3).unwrap();
    pipeline
        .step_world_with_events(&mut world, &threads, &())
        .unwrap();
    assert_eq!(threads.0.load(Ordering::Relaxed), 3);
    world.clear_thread_pool();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    let pool = pool.build().unwrap();
    pool.install(|| {
        let report = pipeline.step_world_with_events(&mut world, &threads, &());
        report.map(|_| ())
    })
    .unwrap();
    assert_eq!(threads.0.load(Ordering::Relaxed), 2);
}
