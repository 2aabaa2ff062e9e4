//! The exact cone from the answers for polygons that turn their corners to where contacts slide.

use super::super::driver::{self, Effort};
use super::super::polygon::{self, Fan};
use super::super::{ContactSolution, ModelSettings, PolygonSettings, WarmStart};
use super::Run;
use crate::cone::Friction;
use crate::problem::Island;
use crate::report::{SolveStatus, SolverName};

/// Polygons tried, one after the other.
const ROUNDS: usize = 12;

/// Pivots after which no other polygon is begun.
const PIVOTS: usize = 40_000;

/// Contacts and scalars up to which an island is small enough for it.
const FEW: usize = 100;

/// Angle by which the squares are turned where a polygon has no answer [rad]: the golden section of a
/// right angle, which comes back to no earlier square.
const TURN: f64 = 0.618_033_988_749_894_9 * std::f64::consts::FRAC_PI_2;

impl Run<'_> {
    /// Lemke's method finds its way where iterations and Newton's method do not, but over polygons. What
    /// presses, sticks and slides in its answer does so over the circle, but for contacts between two corners.
    /// So: squares first; then again with a corner more wherever a contact slides, towards its friction
    /// over the circle, against the slip. Once the corners are where they belong the answer is that over the
    /// circle; Newton's method on the exact law is tried from each. Squares turned afresh where there is no
    /// answer.
    pub(super) fn solve_by_turning(
        &mut self,
        island: Island<'_>,
        warm: &mut WarmStart,
        solution: &mut ContactSolution,
    ) -> Option<Effort> {
        let problem = self.context.problem;
        if self.friction == Friction::Convex || island.groups.len() > FEW {
            return None;
        }
        let settings = &ModelSettings {
            polygon: PolygonSettings::default(),
            ..self.context.settings.clone()
        };
        let accepted = settings.acceptance(self.context.name, SolverName::Conic);
        let mut effort = Effort {
            status: SolveStatus::IterationLimit,
            pivots: 0,
            iterations: 0,
        };
        let mut angle = 0.0;
        self.turn_all(island, angle);
        for _ in 0..ROUNDS {
            driver::free(problem, island, solution);
            let memory = (&mut *self.polygon, &mut *warm);
            let given = (settings, &self.fans[..]);
            let answer = polygon::answer((problem, island), given, memory, solution)?;
            effort.pivots += answer.pivots;
            let found = answer.status.is_usable();
            let mut turned = false;
            if found {
                self.solvers.system.take(problem, solution);
                turned = self.turn(island);
                let ended = self.solvers.polish(self.friction);
                effort.iterations += ended.iterations;
                if ended.residual <= accepted {
                    effort.status = SolveStatus::Solved;
                    break;
                }
            }
            if effort.pivots > PIVOTS {
                break;
            }
            if !turned {
                angle += TURN;
                self.turn_all(island, angle);
            }
        }
        driver::free(problem, island, solution);
        let missed = self.solvers.system.write(problem, island, solution);
        if effort.status == SolveStatus::Solved {
            effort.status = super::solved(missed);
        }
        Some(effort)
    }

    /// Squares throughout, turned by an angle.
    fn turn_all(&mut self, island: Island<'_>, angle: f64) {
        self.fans.clear();
        let squares = [Fan::square(angle); 2];
        self.fans.resize(island.groups.len(), squares);
    }

    /// Gives every polygon whose contact slides a corner against the slip; whether one is new.
    fn turn(&mut self, island: Island<'_>) -> bool {
        let mut turned = false;
        let mut slips = self.solvers.system.slips().peekable();
        for (&group, fans) in island.groups.iter().zip(self.fans.iter_mut()) {
            let Some((_, slips)) = slips.next_if(|slip| slip.0 == group) else {
                continue;
            };
            for (fan, slip) in fans.iter_mut().zip(slips) {
                if let Some(slip) = slip {
                    turned |= fan.turn_to(slip.map(|u| -u));
                }
            }
        }
        turned
    }
}
