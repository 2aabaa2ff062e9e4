use super::*;
use crate::engine::Goal;
use crate::engine::sweeps::Sweeps;
use crate::engine::sweeps::tests::{ready, row_of_bodies};
use stickslip_random::Random;

/// From impulses that nearly answer, the convex law is descended to round-off. The exact law of contacts that slide is
/// another one: a descent that gains nothing is given up after three steps, and the impulses stay as they were.
#[test]
fn descents_of_what_slides_are_given_up() {
    let mut random = Random::new(2);
    let mut factors = 0;
    for round in 0..10 {
        let builder = row_of_bodies(12, 2, 1, false, &mut random);
        let problem = builder.finished().unwrap();
        let place = problem.place(problem.islands().next().unwrap());
        let ended = [Law::Convex, Law::Cone].map(|law| {
            let mut system = ready(&builder, law, &mut random);
            system.forget();
            let goal = Goal {
                most: 3000,
                tolerance: 1e-2,
            };
            let near = Sweeps::default().accelerated(&mut system, goal);
            assert!(near.residual <= 1e-2, "{law:?} {round}: {near:?}");
            let before = system.z.clone();
            let path = Path {
                factors: 1000,
                flops: usize::MAX,
                goal: 1e-8,
            };
            let ended = Proximal::default().run(place, &mut system, path).unwrap();
            assert_eq!(ended.residual < 0.99 * near.residual, system.z != before);
            ended
        });
        let [convex, exact] = ended;
        assert!(convex.residual <= 1e-7, "{round}: {convex:?}");
        assert!(exact.residual > 1e-8, "{round}: {exact:?}");
        factors += exact.iterations;
    }
    // 299 where it goes on with all weights.
    assert!(factors < 250, "{factors} factors for nothing");
}
