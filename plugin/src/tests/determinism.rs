//! The same scene gives the same bits: twice in a row, and with any number of threads.

use super::busy::{MODELS, bits, scene};
use crate::ModelName;

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
    for model in MODELS {
        let first = run(model, 120);
        assert!(first.windows(2).all(|w| w[0] != w[1]), "nothing moves");
        assert_eq!(first, run(model, 120), "{model}");
    }
}

/// With feature `parallel`, rapier's detection and our islands run on the threads of the current pool.
#[cfg(feature = "parallel")]
#[test]
fn one_two_or_three_threads_give_the_same_bits() {
    for model in MODELS {
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
