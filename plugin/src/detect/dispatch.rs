//! The query dispatcher that the pipeline puts into the narrow phase: in front of the one that was there.
//!
//! It has the points of manifolds computed in every step ([`FreshManifolds`]), shows the impulses of the last step in them
//! ([`crate::detect::impulses`]), and passes everything else on.

use crate::base::contact::Contact;
use crate::base::convert::to_real;
use crate::detect::fresh::{FreshManifolds, Manifolds};
use crate::detect::impulses::{self, Impulses, Places};
use crate::detect::pass_on::{pass_convex_pairs_on, pass_queries_on};
use crate::detect::place::{self, ByPlace};
use crate::detect::reach::{MotionBounds, Reach};
use crate::detect::renew::Renewal;
use crate::read::world::World;
use rapier::geometry::{ContactData, ContactManifold, ContactManifoldData, NarrowPhase};
use rapier::math::{Pose, Real};
use rapier::parry::query::{
    ContactManifoldsWorkspace, PersistentQueryDispatcher, QueryDispatcher, Unsupported,
};
use rapier::parry::shape::Shape;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard};

/// The dispatcher that a narrow phase had. Only a narrow phase can hold it, so it is a copy of that one, made
/// when the pipeline first meets it.
#[derive(Clone)]
struct Inner(Arc<NarrowPhase>);

impl Inner {
    fn dispatcher(&self) -> &dyn PersistentQueryDispatcher<ContactManifoldData, ContactData> {
        self.0.query_dispatcher()
    }
}

impl QueryDispatcher for Inner {
    pass_queries_on!(dispatcher());
}

impl PersistentQueryDispatcher<ContactManifoldData, ContactData> for Inner {
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: Real,
        manifolds: &mut Vec<ContactManifold>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        let dispatcher = self.dispatcher();
        dispatcher.contact_manifolds(pos12, g1, g2, prediction, manifolds, workspace)
    }

    pass_convex_pairs_on!(dispatcher());
}

/// What a pipeline tells its dispatchers.
#[derive(Debug, Default)]
pub(crate) struct DispatcherState {
    pub(crate) impulses: Impulses,
    /// By where a shape lies in memory, how much farther its contacts are looked for \[m\].
    reaches: ByPlace<f64>,
}

impl DispatcherState {
    /// How much farther the contacts of two shapes are looked for \[m\].
    fn reach(&self, g1: &dyn Shape, g2: &dyn Shape) -> f64 {
        if self.reaches.is_empty() {
            return 0.0;
        }
        let of = |shape| self.reaches.get(&place::of_shape(shape)).copied();
        of(g1).unwrap_or(0.0) + of(g2).unwrap_or(0.0)
    }
}

/// The dispatcher that the pipeline puts into a narrow phase.
struct Installed {
    fresh: FreshManifolds<Inner>,
    state: Arc<RwLock<DispatcherState>>,
}

/// Where the dispatchers of all pipelines lie in memory, each as long as it lives, and what is behind them: a
/// pipeline that meets one of another pipeline takes its place instead of standing in front of it.
static INSTALLED: Mutex<Vec<(usize, Inner)>> = Mutex::new(Vec::new());

fn installed() -> MutexGuard<'static, Vec<(usize, Inner)>> {
    INSTALLED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Installed {
    fn drop(&mut self) {
        let at = std::ptr::from_ref(self).addr();
        let mut all = installed();
        if let Some(k) = all.iter().position(|known| known.0 == at) {
            let gone = all.swap_remove(k);
            // What is behind it may hold dispatchers of its own.
            drop(all);
            drop(gone);
        }
    }
}

impl QueryDispatcher for Installed {
    pass_queries_on!(fresh);
}

impl PersistentQueryDispatcher<ContactManifoldData, ContactData> for Installed {
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: Real,
        manifolds: &mut Vec<ContactManifold>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let known = state.impulses.of(manifolds);
        let prediction = prediction + to_real(state.reach(g1, g2));
        (self.fresh).contact_manifolds(pos12, g1, g2, prediction, manifolds, workspace)?;
        if let Some((ends, contacts)) = known {
            impulses::write(manifolds, ends, contacts.iter().copied());
        }
        Ok(())
    }

    pass_convex_pairs_on!(fresh);
}

/// Puts the pipeline's dispatcher into narrow phases, if that is wanted.
#[derive(Debug, Default)]
pub(crate) struct DispatcherGuard {
    pub(crate) wanted: Manifolds,
    state: Arc<RwLock<DispatcherState>>,
    /// Address of the dispatcher that was given.
    at: usize,
    pub(crate) renewal: Renewal,
}

impl DispatcherGuard {
    /// Sees to it that `narrow_phase` has the dispatcher of this pipeline. Allocates the first time only.
    pub(crate) fn install(&mut self, narrow_phase: &mut NarrowPhase) {
        if self.wanted == Manifolds::AsDispatched {
            return;
        }
        // The state is shared as long as the dispatcher lives, and nothing else can have its address.
        let at = address(narrow_phase);
        if Arc::strong_count(&self.state) > 1 && self.at == at {
            return;
        }
        let known = installed().iter().find(|known| known.0 == at).cloned();
        let inner = known.map_or_else(|| Inner(Arc::new(narrow_phase.clone())), |known| known.1);
        let mut impulses = std::mem::take(&mut self.write().impulses);
        impulses.find(narrow_phase);
        self.state = Arc::new(RwLock::new(DispatcherState {
            impulses,
            ..DispatcherState::default()
        }));
        narrow_phase.set_query_dispatcher(Installed {
            fresh: FreshManifolds::before(inner.clone()),
            state: Arc::clone(&self.state),
        });
        // Zero where a restored pipeline meets the narrow phase it was saved with.
        self.renewal.is_acquainted &= self.at == 0;
        self.at = address(narrow_phase);
        installed().push((self.at, inner));
    }

    /// Whether the narrow phase last met has a dispatcher of this pipeline.
    pub(crate) fn is_in_place(&self) -> bool {
        self.wanted == Manifolds::Fresh
    }

    /// What the dispatcher is told.
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, DispatcherState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the dispatcher which shapes reach how far in the coming step.
    pub(crate) fn widen(&mut self, shapes: impl Iterator<Item = (usize, f64)>) {
        let mut state = self.write();
        state.reaches.clear();
        for (shape, reach) in shapes {
            // Shapes may be shared.
            let known = state.reaches.entry(shape).or_insert(reach);
            *known = known.max(reach);
        }
    }

    /// Before detection, which may recycle pairs: flags those that it has to compute again.
    pub(crate) fn flag(
        &mut self,
        world: &mut World<'_>,
        reach: &Reach,
        recycles: bool,
        bounds: MotionBounds,
    ) {
        if !recycles {
            self.renewal.is_acquainted = false;
            return;
        }
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let changed = state.impulses.changed();
        self.renewal.flag(world, changed, reach.quick(), bounds);
    }

    /// After detection: takes the flags back.
    pub(crate) fn unflag(&mut self, world: &mut World<'_>) {
        self.renewal.unflag(world);
    }

    /// Gives the dispatcher the impulses of the step to show.
    pub(crate) fn show(&mut self, places: &Places, contacts: &[Contact]) {
        self.write().impulses.take(places, contacts);
    }
}

fn address(narrow_phase: &NarrowPhase) -> usize {
    std::ptr::from_ref(narrow_phase.query_dispatcher()).addr()
}
