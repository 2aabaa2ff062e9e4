//! The shortest scenario, to start from: a box is pushed along the ground. Only tests compile it and the lines marked
//! `cfg(test)` that make it known.

use super::super::rapier::prelude::*;
use super::stage::boxes::cube;
use super::stage::convert::to_real;
use super::stage::scene::{Built, Scene};
use super::stage::world::World;
use crate::error::CommandError;
use crate::session::Figures;
use crate::settings::RunSettings;
use stickslip_record::StepReport;

/// A box that moved farther than this has slid \[m\].
const SLID: f64 = 1e-6;

pub(super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let [push, mu] = settings.keys.numbers(["push", "mu"])?;
    let mut world = World::new(settings)?;
    world.add_ground(mu);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.0, to_real(0.1)));
    let number = world.add("box", body, [cube(0.2, 1.0, mu)]);
    let handle = world.entries()[number].handle;
    // Rapier keeps the force until it is reset.
    world.sets.bodies[handle].add_force(Vector::new(to_real(push), 0.0, 0.0), true);
    Ok((world, Box::new(Pushed { number })))
}

struct Pushed {
    number: usize,
}

impl Scene for Pushed {
    fn observe(&mut self, _world: &World, _report: Option<&StepReport>) {}

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let moved = world.position(self.number).x;
        let outcome = if moved <= SLID { "sticks" } else { "slid" };
        Ok(Figures::new(outcome).at_most("moved_m", moved, SLID))
    }
}

/// Below mu m g = 4.905 N the box stays. Above, a step that moves by the velocity at its end covers
/// `(F / m - mu g) h^2 n (n + 1) / 2` in n steps.
#[test]
fn a_box_slides_by_the_closed_form() {
    use crate::figures;
    use crate::settings::Request;
    let run = |push: f64| {
        let request = Request {
            scenario: "example".to_owned(),
            set: vec![format!("push={push}")],
            ..Request::default()
        };
        crate::runner::run(&RunSettings::new(&request).unwrap()).unwrap()
    };
    assert_eq!(run(4.8).outcome, "sticks");
    let slid = run(6.0);
    assert_eq!(slid.outcome, "slid");
    let (h, n) = (slid.dt, slid.steps as f64);
    let expected = (6.0 - 0.5 * 9.81) * h * h * n * (n + 1.0) / 2.0;
    let moved = slid.metric("moved_m").unwrap();
    assert!(
        (moved / expected - 1.0).abs() < 1e-6,
        "{moved} m, {expected} m"
    );
    let stated = figures::of("example").find(|figure| figure.name == "moved_m");
    assert_eq!(stated.map(|figure| figure.bound), Some("at most 1e-6"));
}
