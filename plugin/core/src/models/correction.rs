//! Errors of position corrected by moving bodies, without velocity.
//!
//! A push that takes a penetration or an open joint back within a step is a velocity that stays: what
//! overlaps deeply flies apart, and where rows nearly contradict each other (exact sticking against
//! a push, loops redundant in velocity but not in position) any speed may come of it. So large
//! errors are left out of the step's own problem and corrected here, at its end, on a
//! problem with the same masses and rows at rest:
//! ```text
//! min 1/2 w^T M w     N w + b(phi+) >= 0,  r w = 0 for what is held,  r w + C f = rate for rows to correct
//! ```
//! with a quadratic penalty of each row for what it misses, so that rows that contradict each other find a compromise,
//! without friction (heaps of loose bodies by sweeps, without the penalty, in `heaps`), phi+ being the gaps after the step and b of
//! [`ModelSettings::gap_velocity`]. Bodies move by `h w` and no velocity changes, so no energy but that
//! of lifted weights comes of it. Only islands with something to correct are solved, by the engine, and the
//! bound on energy holds for them: a connected part is corrected with no more than `d |1|`, d being the fastest that
//! one of its rows asks for or one of its coordinates moves.

mod filter;
mod heaps;

use super::asked::fastest_asked;
use super::energy::Bound;
use super::{ContactSolution, ModelError, ModelName, ModelSettings, WarmStart};
use crate::engine::Engine;
use crate::law::Law;
use crate::problem::{ContactData, ContactProblem, GroupId, Part, ScalarId, ScalarKind};
use crate::system::{Friction, Start};
use filter::ContactFilter;
use heaps::{Heap, Heaps};

/// What a scalar row demands of the correction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowCorrection {
    /// The row.
    pub row: ScalarId,
    /// What `row w` must be [m/s or rad/s].
    pub kind: ScalarKind,
    /// Where in [`Errors::entries`] the entries begin and end that the row has at the end of the step, in the order
    /// of its coordinates; an empty range leaves those it had.
    pub entries: [usize; 2],
}

impl RowCorrection {
    /// Whether rest does not meet it.
    fn asks(&self) -> bool {
        match self.kind {
            ScalarKind::Bilateral { velocity } | ScalarKind::Bounded { velocity, .. } => {
                velocity != 0.0
            }
            ScalarKind::Unilateral { gap } => gap < 0.0,
        }
    }
}

/// What a step leaves to correct.
#[derive(Clone, Copy, Debug)]
pub struct Errors<'a> {
    /// Gap phi+ of every contact of the problem at the end of the step \[m\] (n); negative ones are pushed
    /// out.
    pub gaps: &'a [f64],
    /// Rows that are corrected; of the others bilateral ones are held, bounded ones exert nothing, and
    /// one-sided ones keep to the gap that the step leaves.
    pub rows: &'a [RowCorrection],
    /// Entries of rows at the end of the step.
    pub entries: &'a [f64],
    /// Which islands of the problem are corrected, by their number; none beyond the end.
    pub islands: &'a [bool],
    /// Gap up to which contacts take part whatever is corrected \[m\]; of the others only those that something to correct is
    /// near enough to, and in a part connected with a row to correct.
    pub margin: f64,
}

/// Corrects positions; memory is reused.
#[derive(Debug)]
pub struct PositionCorrection {
    settings: ModelSettings,
    warm: WarmStart,
    solution: ContactSolution,
    /// Made for the first correction.
    work: Option<Box<Work>>,
}

/// The problem of the correction, and what it is made and solved with.
#[derive(Debug, Default)]
struct Work {
    /// The islands to correct.
    problem: ContactProblem,
    part: Part,
    answer: ContactSolution,
    engine: Engine,
    bound: Bound,
    /// Whether a group (all contacts, then all scalar rows) asks for a correction.
    asks: Vec<bool>,
    near: ContactFilter,
    /// Which islands are to be corrected and are no heaps.
    others: Vec<bool>,
    /// Which groups of the part take part.
    keeps: Vec<bool>,
    heaps: Heaps,
    /// Whether the problem is that of this step.
    is_copied: bool,
    /// Whether the step had a solve before.
    is_begun: bool,
}

impl PositionCorrection {
    /// With the share K and the push speed of `settings`.
    ///
    /// # Errors
    /// When one of them is out of range.
    pub fn new(settings: &ModelSettings) -> Result<Self, ModelError> {
        let settings = ModelSettings {
            baumgarte: settings.baumgarte,
            push_speed: settings.push_speed,
            budget: settings.budget,
            ..ModelSettings::default()
        };
        settings.check(ModelName::Frictionless)?;
        Ok(Self {
            settings,
            warm: WarmStart::new(),
            solution: ContactSolution::default(),
            work: None,
        })
    }

    /// Changes the largest velocity with which a penetration is pushed out [m/s].
    pub fn set_push_speed(&mut self, speed: f64) {
        self.settings.push_speed = speed;
    }

    /// Begins a step, for any number of [`Self::solve`]s.
    pub fn begin(&mut self) {
        let work = self.work.get_or_insert_default();
        (work.is_copied, work.is_begun) = (false, false);
    }

    /// Takes over the masses and rows of the islands to correct that are no heaps. O(blocks, and the size of those islands).
    fn copy(&mut self, source: &ContactProblem) {
        let work = self.work.get_or_insert_default();
        let islands = source.islands().zip(&work.others);
        let islands = islands.filter(|(_, is_wanted)| **is_wanted);
        let islands = islands.map(|(island, _)| island);
        if work.is_copied && islands.clone().all(|island| work.part.has(island)) {
            return;
        }
        work.is_copied = true;
        let problem = &mut work.problem;
        problem.copy_part(source, islands, &mut work.part);
        let (v, v_free) = problem.velocities_mut();
        v.fill(0.0);
        v_free.fill(0.0);
        for contact in problem.contacts_mut() {
            *contact = ContactData {
                key: contact.key,
                ..ContactData::default()
            };
        }
    }

    /// Finds the correction for a step of `source` that ends with `v_plus` (m); returns the velocity that it misses at
    /// most, as where errors contradict each other [m/s]. Cost: a few factors, or sweeps, of the islands with errors. The
    /// first solve of a step starts from the impulses of the first one of the step before, those that follow from none.
    pub fn solve(&mut self, source: &ContactProblem, v_plus: &[f64], errors: Errors<'_>) -> f64 {
        let h = source.h();
        let work = self.work.get_or_insert_default();
        let contacts = source.contact_count();
        work.asks.clear();
        (work.asks).extend(errors.gaps.iter().map(|gap| *gap < 0.0));
        work.asks.resize(contacts + source.scalar_count(), false);
        for wanted in errors.rows {
            if let Some(asks) = work.asks.get_mut(contacts + wanted.row.0) {
                *asks = wanted.asks();
            }
        }
        let wanted = errors.islands.iter().chain(std::iter::repeat(&false));
        let islands = || source.islands().zip(wanted.clone());
        for (island, _) in islands().filter(|(_, is_wanted)| !**is_wanted) {
            let places = island.groups.iter().map(|group| group.place(contacts));
            places.for_each(|place| work.asks[place] = false);
        }
        let pushes = |gap: f64| -h * self.settings.gap_velocity(gap, h);
        let keeps = (work.near).find(source, &work.asks, errors, pushes);
        let (solution, warm) = (&mut self.solution, &mut self.warm);
        solution.reset(source);
        solution.v_plus.fill(0.0);
        warm.begin(source);
        work.others.clear();
        for (island, is_wanted) in islands() {
            let is_asking = |g: &GroupId| work.asks[g.place(contacts)];
            let place = source.place(island);
            let is_heap = *is_wanted && heaps::is_heap(place);
            work.others.push(*is_wanted && !is_heap);
            if !is_heap || !island.groups.iter().any(is_asking) {
                continue;
            }
            let heap = Heap {
                place,
                gaps: errors.gaps,
                keeps,
                v_plus,
            };
            (work.heaps).solve(heap, &self.settings, warm, solution);
            island.contacts().for_each(|c| work.asks[c] = false);
        }
        let missed = match work.asks.contains(&true) {
            true => self.solve_others(source, v_plus, errors),
            false => 0.0,
        };
        if let Some(work) = self.work.as_mut().filter(|work| !work.is_begun) {
            work.is_begun = true;
            self.warm.record_impulses(&self.solution);
            self.warm.commit();
        }
        missed
    }

    /// The same for the islands that are no heaps; the bound on energy is held for all of those.
    fn solve_others(&mut self, source: &ContactProblem, v_plus: &[f64], errors: Errors<'_>) -> f64 {
        self.copy(source);
        let h = source.h();
        let work = self.work.get_or_insert_default();
        let (problem, part) = (&mut work.problem, &work.part);
        for (contact, c) in problem.contacts_mut().iter_mut().zip(&part.contacts) {
            contact.phi = errors.gaps[*c as usize];
        }
        for ((_, kind), &i) in problem.scalars_mut().iter_mut().zip(&part.scalars) {
            let i = i as usize;
            *kind = match source.scalars()[i].1 {
                ScalarKind::Bilateral { .. } => ScalarKind::Bilateral { velocity: 0.0 },
                ScalarKind::Bounded { compliance, .. } => ScalarKind::Bounded {
                    velocity: 0.0,
                    limit: 0.0,
                    compliance,
                },
                ScalarKind::Unilateral { gap } => ScalarKind::Unilateral {
                    gap: gap + h * source.row(source.scalar_row(i)).dot(v_plus),
                },
            };
        }
        for wanted in errors.rows {
            if let Ok(row) = part.scalars.binary_search(&(wanted.row.0 as u32)) {
                problem.scalars_mut()[row].1 = wanted.kind;
                let [from, to] = wanted.entries;
                problem.set_scalar_row(row, &errors.entries[from..to]);
            }
        }
        let all = source.contact_count();
        part.flags(work.near.keeps(), all, &mut work.keeps);
        problem.split_along(&work.keeps);
        part.flags(&work.asks, all, &mut work.keeps);
        let (asks, contacts) = (&work.keeps, problem.contact_count());
        let engine = &mut work.engine;
        let (answer, settings) = (&mut work.answer, &self.settings);
        answer.reset(problem);
        answer.take_from(&self.solution, source, problem, part);
        let mut missed = 0.0_f64;
        for island in problem.islands() {
            // The others stay where they are.
            if !island.groups.iter().any(|g| asks[g.place(contacts)]) {
                continue;
            }
            let place = problem.place(island);
            let system = &mut engine.system;
            system.build(place, settings, Friction::Law(Law::Half));
            match work.is_begun {
                true => system.refresh(),
                false => system.start_from(problem, Start::Part(&self.warm, part)),
            }
            let asked = fastest_asked(place, settings);
            let budget = settings.budget.engine(false);
            let own = engine.project(place, asked, settings.tolerances(), budget);
            if own.is_finite() {
                engine.system.write(place, answer);
                missed = missed.max(own);
            }
        }
        let granted = &mut work.bound.granted;
        granted.clear();
        for &b in &part.blocks {
            granted.extend_from_slice(&v_plus[source.block(b as usize).range()]);
        }
        work.bound.hold(problem, settings, answer);
        self.solution.adopt_part(answer, source, problem, part);
        missed
    }

    /// The impulses of its scalar rows [N s or N m s]; of bilateral, bounded and one-sided rows alike.
    pub fn impulses(&self) -> &[f64] {
        &self.solution.f_scalar
    }

    /// The impulses the next solve starts from, to save with a simulation.
    pub fn warm(&self) -> &WarmStart {
        &self.warm
    }

    /// Starts the next solve from the impulses of a saved simulation.
    pub fn set_warm(&mut self, warm: WarmStart) {
        self.warm = warm;
    }

    /// The correction w last found (m): bodies move by `h w`.
    pub fn velocity(&self) -> &[f64] {
        &self.solution.v_plus
    }
}
