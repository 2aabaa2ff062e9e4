//! Where the cube waits for the hand, and what must not touch there.

use super::super::super::super::rapier::prelude::*;
use super::super::super::super::urdf::RobotHandles;
use super::super::super::stage::convert::{to_real, to_vector};
use super::super::super::stage::world::World;
use super::super::robot;
use super::fingers::reach_along;
use super::hand::Hand;
use nalgebra::Vector3;

/// Between the palm and the top of the cube, and between fingertips and ground \[m\].
const CLEAR: f64 = 0.002;
/// Share of its reach by which a hand points down \[-\].
const STEEP: f64 = 0.5;
/// Side of the post over the cube's: the fingers pass beside it.
const POST: f64 = 0.5;
/// What is fixed in the ground.
const MOUNTED: Group = Group::GROUP_31;
/// The ground, beside all that rapier puts a collider into by default.
const GROUND: Group = Group::GROUP_32;

/// How the cube lies in the hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grip {
    /// Middle of the cube beyond the middle of the fingers, so that its top clears the palm \[m\].
    pub(super) deep: f64,
    /// Height of the post that the cube stands on, so that the fingertips clear the ground \[m\].
    pub(super) post: f64,
}

impl Grip {
    /// For an object of this length and height under a hand that reaches down, whose palm and fingertips reach so far
    /// beyond the middle of the fingers \[m\]; `None` for a palm without shape.
    fn new(side: f64, palm: Option<f64>, tips: f64) -> Self {
        let deep = Self::deep(side, palm);
        Self::on(deep, tips - deep, side)
    }

    /// How much deeper an object of this length lies.
    fn deep(length: f64, palm: Option<f64>) -> f64 {
        palm.map_or(0.0, |palm| (palm + CLEAR + 0.5 * length).max(0.0))
    }

    /// The post under an object of this height, for a hand that reaches so far below the object's middle.
    fn on(deep: f64, down: f64, height: f64) -> Self {
        let below = down - 0.5 * height;
        let post = if below > 0.0 { below + CLEAR } else { 0.0 };
        Self { deep, post }
    }

    /// Measured on a robot that stands at the hand's joint positions, its root in the world's origin, for an object of
    /// this extent along x, y and z.
    pub(super) fn measure(size: [f64; 3], trial: (&World, &RobotHandles), hand: &Hand) -> Self {
        let tool = hand.in_root();
        let along = tool.rotation * Vector3::z();
        let reach = |links: &[usize], way: &Vector3<f64>| {
            let far = reach_along(trial, links, way)?;
            Some(far - way.dot(&tool.translation.vector))
        };
        let palm = reach(&hand.palm(), &along);
        let tips = hand.tips();
        // An arm with six joints turns its hand down.
        if hand.arm.len() >= 6 || -along.z > STEEP {
            return Self::new(size[2], palm, reach(&tips, &along).unwrap_or(0.0));
        }
        let all = [tips, hand.palm()].concat();
        let down = reach(&all, &-Vector3::z()).unwrap_or(0.0);
        Self::on(Self::deep(size[1], palm), down, size[2])
    }

    /// Puts the post below a cube whose middle is here.
    pub(super) fn add_post(&self, world: &mut World, cube: &Vector3<f64>, [side, mu]: [f64; 2]) {
        if self.post <= 0.0 {
            return;
        }
        let at = Vector3::new(cube.x, cube.y, 0.5 * self.post);
        let body = RigidBodyBuilder::fixed().translation(to_vector(&at));
        let [half, high] = [0.5 * POST * side, 0.5 * self.post].map(to_real);
        let block = ColliderBuilder::cuboid(half, half, high).friction(to_real(mu));
        let post = world.add("post", body, [block]);
        world.paint(post, super::super::super::stage::world::GROUND_COLOR);
    }
}

/// An arm on its foot: what is in the ground from the start stands there and doesn't collide with it.
pub(super) fn mount(world: &mut World, robot: &RobotHandles, ground: usize) {
    let down = -Vector3::z();
    let stands: Vec<ColliderHandle> = robot
        .links
        .iter()
        .filter(|link| robot::farthest(world, [*link], &down).is_some_and(|far| far > 0.0))
        .flat_map(|link| link.colliders.iter().copied())
        .collect();
    let base: Vec<ColliderHandle> = world.body(ground).colliders().to_vec();
    let parts = [(stands, MOUNTED, GROUND), (base, GROUND, MOUNTED)];
    for (colliders, member, passes) in parts {
        let meets = Group::ALL & !passes;
        let groups = InteractionGroups::new(member, meets, InteractionTestMode::And);
        for collider in colliders {
            if let Some(collider) = world.sets.colliders.get_mut(collider) {
                collider.set_collision_groups(groups);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fingers as long as the cube is high, far below the palm, need neither depth nor post.
    #[test]
    fn a_cube_lies_in_the_middle_where_it_fits() {
        let grip = Grip::new(0.04, None, 0.015);
        assert_eq!(
            grip,
            Grip {
                deep: 0.0,
                post: 0.0
            }
        );
        assert_eq!(Grip::new(0.04, Some(-0.03), 0.015), grip);
    }

    /// The palm 8 mm behind the middle of the fingers, their tips 30 mm beyond it, a cube of 40 mm: its top
    /// is 2 mm below the palm, the middle 20 mm below that; the tips reach 30 - 14 - 20 = -4 mm, no farther
    /// than the cube; those of 50 mm reach 16 mm farther.
    #[test]
    fn a_cube_clears_the_palm_and_fingertips_the_ground() {
        let grip = Grip::new(0.04, Some(-0.008), 0.03);
        assert!((grip.deep - 0.014).abs() < 1e-15);
        assert_eq!(grip.post, 0.0);
        let grip = Grip::new(0.04, Some(-0.008), 0.05);
        assert!((grip.post - (0.016 + CLEAR)).abs() < 1e-15);
    }
}
