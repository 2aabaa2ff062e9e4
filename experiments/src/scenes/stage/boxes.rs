//! Boxes.

use super::super::super::rapier::prelude::ColliderBuilder;
use super::convert::to_real;

/// A box by half its sides \[m\], with its mass \[kg\] and coefficient of friction.
pub(in super::super) fn cuboid(half: [f64; 3], mass: f64, friction: f64) -> ColliderBuilder {
    let [x, y, z] = half.map(to_real);
    let shape = ColliderBuilder::cuboid(x, y, z);
    shape.mass(to_real(mass)).friction(to_real(friction))
}

/// A cube by its side \[m\].
pub(in super::super) fn cube(side: f64, mass: f64, friction: f64) -> ColliderBuilder {
    cuboid([0.5 * side; 3], mass, friction)
}
