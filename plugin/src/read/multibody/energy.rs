//! What a fast tree may not gain: a step takes its geometry as it is at the start and linearises the forces of its motion,
//! and where links turn by a large part of a radian in it they make energy without end (two loose links at 50 rad/s and
//! 60 Hz: 4,600 m/s).

use super::TreeBody;
use stickslip_core::dynamics::{Momentum, Twist};

/// Angle that links turn by in a step \[rad\], or way \[m\], from which on the energy of a tree is looked at.
const FAST: f64 = 0.1;

impl TreeBody {
    /// Whether the tree is so fast that the change of its configuration in a step matters, with the velocity `end` after
    /// it. What is led as prescribed is not looked at.
    pub(crate) fn is_fast(&self, end: &[f64], h: f64) -> bool {
        let fastest = |v: &[f64]| v.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        let is_prescribed = self.state.root_velocity != Twist::default()
            || self.shape.iter().any(|&(_, kinematic, _)| kinematic);
        !is_prescribed && h * fastest(&self.v).max(fastest(end)) > FAST
    }

    /// The kinetic energy that a fast tree may have in the configuration it moves to with the velocity `end`. Coriolis and centrifugal forces `C(q, v)` do the work that the change of the mass
    /// matrix takes back, `v . C = v^T (dM/dt) v / 2`; they enter a step as `C + dC/dv dv`, which is `dC/dv (v/2 + dv)`,
    /// since C is of second degree in v. So
    /// ```text
    /// T(q+, end) <= T(q, end) + h (dC/dv (v/2 + dv)) . (v + v_free) / 2,   dv = v_free - v
    /// ```
    /// Leaves the link velocities at `end`. O(links).
    pub(crate) fn energy_allowed(&mut self, end: &[f64], h: f64) -> f64 {
        let (v, free) = (&self.v, &self.v_free);
        self.diagonal.clear();
        (self.diagonal).extend(v.iter().zip(free).map(|(v, f)| f - 0.5 * v));
        self.tree
            .bias_derivative(&mut self.state, &self.diagonal, &mut self.net);
        let mean = v.iter().zip(free).map(|(v, f)| 0.5 * (v + f));
        let power: f64 = mean.zip(&self.net).map(|(v, c)| v * c).sum();
        self.state.velocity_mut().copy_from_slice(end);
        self.tree.update_velocities(&mut self.state);
        self.tree.kinetic_energy(&self.state) + h * power
    }

    /// The momentum that the free velocity is, which the links have afterwards.
    pub(crate) fn free_momentum(&mut self) -> Momentum {
        self.state.velocity_mut().copy_from_slice(&self.v_free);
        self.tree.update_velocities(&mut self.state);
        self.tree.momentum(&self.state)
    }

    /// Slows the links among each other where they have more than that; see
    /// [`limit_energy`](stickslip_core::dynamics::Tree::limit_energy).
    pub(crate) fn limit_energy(&mut self, most: f64) {
        self.tree.limit_energy(&mut self.state, most, &mut self.net);
    }
}
