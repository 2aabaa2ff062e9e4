//! Bounds on the kinetic energy of a fast tree. A step takes the geometry at its start and linearises the forces of
//! motion, so links that turn by a large part of a radian within it gain energy in every step.

use super::TreeBody;
use crate::base::tolerances;
use nalgebra::Vector3;
use stickslip_dynamics::{Momentum, Twist};

/// Kinetic energies that a fast tree may end a step with \[J\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    /// Beyond which links are slowed among each other.
    inner: f64,
    /// Beyond which the whole tree is.
    whole: f64,
}

fn fastest(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |most, v| most.max(v.abs()))
}

impl TreeBody {
    /// Whether the tree is so fast that the change of its configuration in a step matters, with the velocity `end` after
    /// it. Trees with a prescribed motion are not fast.
    pub(crate) fn is_fast(&self, end: &[f64], h: f64) -> bool {
        let is_prescribed = self.state.root_velocity != Twist::default()
            || self.shape.iter().any(|&(_, kinematic, _)| kinematic);
        !is_prescribed && h * fastest(&self.v).max(fastest(end)) > tolerances::SMALL_TURN
    }

    /// Finds out the work of Coriolis and centrifugal forces `C(q, v)` in the free velocity of a fast tree. They enter a step
    /// as `C + dC/dv dv`, which is `dC/dv (v/2 + dv)`, since C is of second degree in v. Where it is more than the kinetic
    /// energy there is, the step turns links so far that these forces mean nothing, and they are left out: momentum and
    /// energy are corrected at the end of the step anyway. O(links).
    pub(super) fn hold_coriolis(&mut self, gravity: &Vector3<f64>, h: f64) {
        self.turned = 0.0;
        if h * fastest(&self.v).max(fastest(&self.v_free)) <= tolerances::SMALL_TURN {
            return;
        }
        let (v, free) = (&self.v, &self.v_free);
        self.diagonal.clear();
        (self.diagonal).extend(v.iter().zip(free).map(|(v, f)| f - 0.5 * v));
        self.tree
            .bias_derivative(&mut self.state, &self.diagonal, &mut self.net);
        let mean = v.iter().zip(free).map(|(v, f)| 0.5 * (v + f));
        let power: f64 = mean.zip(&self.net).map(|(v, c)| v * c).sum();
        let has = self.tree.kinetic_energy(&self.state);
        // Negated so that a NaN is left out.
        let is_meant = (h * power).abs() <= has;
        if is_meant {
            self.turned = -h * power;
            return;
        }
        self.state.velocity_mut().fill(0.0);
        self.tree.update_velocities(&mut self.state);
        self.tree.bias(&mut self.state, gravity, &mut self.net);
        self.state.velocity_mut().copy_from_slice(&self.v);
        self.tree.update_velocities(&mut self.state);
        let forces = self.axes.force.iter().zip(&self.net);
        for (dv, (force, weight)) in self.v_free.iter_mut().zip(forces) {
            *dv = h * (force - weight);
        }
        self.mass.solve(&mut self.v_free);
        for (dv, v) in self.v_free.iter_mut().zip(&self.v) {
            *dv += v;
        }
    }

    /// The kinetic energy that a fast tree may have in the configuration it moves to with the velocity `end`. Coriolis and
    /// centrifugal forces do the work that the change of the mass matrix takes back, `v . C = v^T (dM/dt) v / 2`:
    /// ```text
    /// T(q+, end) <= T(q, end) + h (dC/dv (v/2 + dv)) . (v + v_free) / 2,   dv = v_free - v
    /// ```
    /// and no more than `T(q, end)` of what is pushed. Leaves the link velocities at `end`. O(links).
    pub(crate) fn energy_allowed(&mut self, end: &[f64], is_pushed: bool) -> Allowed {
        self.state.velocity_mut().copy_from_slice(end);
        self.tree.update_velocities(&mut self.state);
        let end = self.tree.kinetic_energy(&self.state);
        Allowed {
            inner: end - self.turned,
            whole: if is_pushed { end } else { f64::INFINITY },
        }
    }

    /// The momentum that the free velocity is, which the links have afterwards.
    pub(crate) fn free_momentum(&mut self) -> Momentum {
        self.state.velocity_mut().copy_from_slice(&self.v_free);
        self.tree.update_velocities(&mut self.state);
        self.tree.momentum(&self.state)
    }

    /// Slows the links among each other where they have more than that; see
    /// [`limit_energy`](stickslip_dynamics::Tree::limit_energy). What is pushed is slowed as a whole where it has more
    /// than `whole` even so: the momentum it was given would ask for more in its new pose.
    pub(crate) fn limit_energy(&mut self, allowed: Allowed) {
        let Allowed { inner, whole } = allowed;
        self.tree
            .limit_energy(&mut self.state, inner, &mut self.net);
        let most = inner.max(whole);
        let now = self.tree.kinetic_energy(&self.state);
        if now > most {
            let share = (most / now).sqrt();
            let velocity = self.state.velocity_mut();
            velocity.iter_mut().for_each(|v| *v *= share);
            self.tree.update_velocities(&mut self.state);
        }
    }
}
