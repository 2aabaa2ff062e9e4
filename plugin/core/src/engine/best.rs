//! The best impulses of a run whose residual does not fall with every step.

use super::Ended;
use crate::system::System;

/// The best impulses so far, and their residual.
#[derive(Clone, Debug, Default)]
pub(super) struct Best {
    z: Vec<f64>,
    pub(super) residual: f64,
}

impl Best {
    /// Begins with the impulses present.
    pub(super) fn begin(&mut self, system: &mut System) {
        system.refresh();
        self.residual = system.residual();
        self.z.clone_from(&system.z);
    }

    /// Makes `z` the present impulses, in exchange, and keeps them if they are better. Returns their residual.
    pub(super) fn offer(&mut self, system: &mut System, z: &mut Vec<f64>) -> f64 {
        std::mem::swap(&mut system.z, z);
        system.refresh();
        let left = system.residual();
        if left < self.residual {
            self.residual = left;
            self.z.clone_from(&system.z);
        }
        left
    }

    /// Ends with the best impulses.
    pub(super) fn end(&self, system: &mut System, iterations: usize) -> Ended {
        system.z.clone_from(&self.z);
        system.refresh();
        Ended {
            iterations,
            residual: self.residual,
        }
    }
}
