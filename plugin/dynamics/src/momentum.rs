//! Energies, momentum, and the base motion that keeps a floating tree's momentum.

use crate::spatial::Twist;
use crate::state::TreeState;
use crate::tree::Tree;
use nalgebra::Vector3;

/// Mass, centre of mass and momentum of everything that moves (a fixed root and what is locked to it
/// don't count).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum {
    /// Total mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the world; the reference point where nothing with mass moves \[m\].
    pub com: Vector3<f64>,
    /// Linear momentum, world axes [N s].
    pub linear: Vector3<f64>,
    /// Angular momentum about the centre of mass, world axes [N m s].
    pub angular: Vector3<f64>,
}

/// Why a base correction was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaseError {
    /// The root has no six free coordinates.
    #[error("the tree's root is not a free floating base: it has no base velocity to correct")]
    NotFloating,
    /// Massless, or without rotational inertia about some axis.
    #[error("the tree's mass or its rotational inertia about the centre of mass is singular")]
    Singular,
}

impl Tree {
    /// Kinetic energy of the links, armatures not included \[J\]. Needs [`Tree::update_velocities`].
    pub fn kinetic_energy(&self, state: &TreeState) -> f64 {
        let pairs = self.bodies.iter().zip(&state.bodies).skip(1);
        pairs
            .map(|(body, at)| {
                let (v, w) = (&at.com_velocity, &at.velocity.angular);
                0.5 * (body.mass * v.norm_squared() + w.dot(&at.spin))
            })
            .sum()
    }

    /// Centre of mass of everything that moves, in the world \[m\]. Needs
    /// [`Tree::forward_kinematics`].
    pub fn centre_of_mass(&self, state: &TreeState) -> Vector3<f64> {
        state.reference + self.total_inertia(state).1
    }

    /// Sum of the external forces and of their moments about the reference point [N, N m]. O(links).
    pub fn external_forces(&self, state: &TreeState) -> [Vector3<f64>; 2] {
        let all = state.external.iter().skip(1);
        all.fold([Vector3::zeros(); 2], |[force, moment], wrench| {
            [force + wrench.force, moment + wrench.torque]
        })
    }

    /// Mass, centre of mass and centroidal momentum. Needs [`Tree::update_velocities`]. O(links).
    pub fn momentum(&self, state: &TreeState) -> Momentum {
        let (mass, com, _) = self.total_inertia(state);
        let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
        for (body, at) in self.bodies.iter().zip(&state.bodies).skip(1) {
            let p = at.com_velocity * body.mass;
            linear += p;
            angular += at.spin + (at.com - com).cross(&p);
        }
        Momentum {
            mass,
            com: state.reference + com,
            linear,
            angular,
        }
    }

    /// Slows the links among each other until the kinetic energy is at most `most`; what moves as one rigid body with the
    /// momentum there is stays, or for a tree on the ground nothing. Then updates the velocities. The two motions are
    /// orthogonal, so that `T = T_rigid + s^2 T_inner`. `memory` is overwritten. O(links).
    pub fn limit_energy(&self, state: &mut TreeState, most: f64, memory: &mut Vec<f64>) {
        let whole = self.kinetic_energy(state);
        if whole <= most {
            return;
        }
        let now = self.momentum(state);
        memory.clear();
        memory.extend_from_slice(state.velocity());
        state.velocity_mut().fill(0.0);
        self.update_velocities(state);
        // Without a floating base, or without inertia, nothing moves as a whole.
        let _ = self.correct_base_momentum(state, &now.linear, &now.angular);
        let rigid = self.kinetic_energy(state);
        let inner = whole - rigid;
        let share = match inner > 0.0 {
            true => ((most - rigid).max(0.0) / inner).sqrt(),
            false => 1.0,
        };
        for (v, old) in state.velocity_mut().iter_mut().zip(&*memory) {
            *v += share * (old - *v);
        }
        self.update_velocities(state);
    }

    /// Changes the six base velocities alone so that the centroidal momentum becomes the target, then
    /// updates the velocities. The change is a rigid motion of the whole tree: angular velocity
    /// `I_c^-1 dL`, velocity of the centre of mass `dp / m`, I_c the inertia of the tree held rigid at
    /// its present pose. For a tree in free flight after a position update, with the momentum that
    /// the step should have left. O(links).
    ///
    /// # Errors
    /// [`BaseError`]; the state is then unchanged.
    pub fn correct_base_momentum(
        &self,
        state: &mut TreeState,
        linear: &Vector3<f64>,
        angular: &Vector3<f64>,
    ) -> Result<(), BaseError> {
        if !self.has_floating_base() {
            return Err(BaseError::NotFloating);
        }
        let now = self.momentum(state);
        let (mass, com, inertia) = self.total_inertia(state);
        let factor = inertia.cholesky().ok_or(BaseError::Singular)?;
        if mass <= 0.0 {
            return Err(BaseError::Singular);
        }
        let turn = factor.solve(&(angular - now.angular));
        let drift = (linear - now.linear) / mass;
        // The base coordinates: the velocity of the joint frame's origin, here the reference point.
        let change = Twist::new(drift - turn.cross(&com), turn);
        let axes = self.bodies[1].placement.rotation;
        let local = [
            axes.inverse_transform_vector(&change.linear),
            axes.inverse_transform_vector(&change.angular),
        ];
        for (v, d) in state.velocity_mut().iter_mut().zip(local.iter().flatten()) {
            *v += d;
        }
        self.update_velocities(state);
        Ok(())
    }
}
