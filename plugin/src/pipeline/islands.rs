//! What became of every island of a step, on request.

use crate::pipeline::ContactPipeline;
use rapier::prelude::*;
use stickslip_core::report::{SolveStatus, SolverName};

/// How one island of the last step was answered: bodies that contacts, joints and drives held together.
#[derive(Clone, Debug, PartialEq)]
pub struct IslandReport {
    /// Its bodies that impulses can move. A multibody is in it with all of its links, its root among them.
    pub bodies: Vec<RigidBodyHandle>,
    /// Its contacts, as places in [`ContactPipeline::contacts`].
    pub contacts: Vec<usize>,
    /// How its solve ended.
    pub status: SolveStatus,
    /// Whose answer was kept: the model's own solver's, or the engine's.
    pub solver: SolverName,
    /// What is wrong with its answer [-], [`Residuals::max`](stickslip_core::report::Residuals::max): `Solved` is below
    /// the tolerance of the settings.
    pub residual: f64,
}

impl ContactPipeline {
    /// Every island of the last step with its status, to act on: which of many broke, whom it concerns. Islands asleep,
    /// and bodies that nothing touches, are none. Their number is `report().solve.islands`.
    ///
    /// Made on request, from the problem of the last step: O(bodies, contacts and islands), and it allocates. A step
    /// costs no more for it.
    ///
    /// ```
    /// use stickslip::core::report::SolveStatus;
    /// use stickslip::{ContactPipeline, rapier::prelude::*};
    ///
    /// let mut world = PhysicsWorld::new();
    /// world.insert_collider(ColliderBuilder::cuboid(9.0, 0.5, 9.0), None);
    /// let mut bodies = Vec::new();
    /// for x in [-3.0, 3.0] {
    ///     let body = RigidBodyBuilder::dynamic().translation(Vector::new(x, 0.75, 0.0));
    ///     let body = world.insert_body(body);
    ///     world.insert_collider(ColliderBuilder::cuboid(0.25, 0.25, 0.25), Some(body));
    ///     bodies.push(body);
    /// }
    /// let mut pipeline = ContactPipeline::default();
    /// pipeline.step_world(&mut world)?;
    ///
    /// let islands: Vec<_> = pipeline.islands().collect();
    /// assert_eq!(islands.len(), 2);
    /// for island in &islands {
    ///     assert_eq!(island.status, SolveStatus::Solved);
    ///     assert!(island.residual < 1e-8);
    ///     assert_eq!((island.bodies.len(), island.contacts.len()), (1, 4));
    /// }
    /// // What to do about an island that was not solved: look at its bodies, and where they touch.
    /// let broken = islands.iter().filter(|island| island.status > SolveStatus::SolvedInMotion);
    /// for island in broken {
    ///     for &c in &island.contacts {
    ///         println!("{:?} at {:?}", island.bodies, pipeline.contacts()[c].point.position());
    ///     }
    /// }
    /// # Ok::<(), stickslip::StepError>(())
    /// ```
    pub fn islands(&self) -> impl Iterator<Item = IslandReport> + '_ {
        let problem = self.problem();
        // By block: a free body's handle, or a tree's links.
        let mut members: Vec<&[RigidBodyHandle]> = vec![&[]; problem.block_count()];
        let free = self.bodies.free().iter();
        let free =
            free.filter_map(|body| Some((body.block()?, std::slice::from_ref(&body.handle))));
        let trees = self
            .trees
            .awake()
            .map(|(_, tree)| (tree.block, &tree.links[..]));
        for (block, bodies) in free.chain(trees) {
            if let Some(own) = members.get_mut(block.0) {
                *own = bodies;
            }
        }
        let answers = self.solution.islands.iter();
        problem.islands().zip(answers).map(move |(island, answer)| {
            let blocks = island.blocks.iter().map(|&block| members[block as usize]);
            let mut contacts: Vec<_> = island.contacts().collect();
            contacts.sort_unstable();
            IslandReport {
                bodies: blocks.flatten().copied().collect(),
                contacts,
                status: answer.status,
                solver: answer.solver,
                residual: answer.residual,
            }
        })
    }
}
