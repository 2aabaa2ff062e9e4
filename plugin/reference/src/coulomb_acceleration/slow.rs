//! Contacts that slide slowly.
//!
//! Friction along the slip at the start of a step, `-mu F_n u / |u|`, turns the slip at the rate
//! `D mu F_n / |u|` (D the mobility of the contact along the tangents). Taken over a whole step that is
//! unstable once `|u| < h D mu F_n / 2`: a box that starts to slide would spin to and fro and lose
//! friction. Such contacts, and those that break away in the step, get the friction that opposes their
//! slip at the *end* of the step. Its direction is found by solving the stage once with all of them on
//! the circular cone; the stage is then solved with that direction, which is its own consequence.

use super::stage::{end_slip, is_sliding, roll, slide_along, slide_under, slip};
use stickslip_core::models::ContactSolution;
use stickslip_core::problem::{ContactProblem, RowId};
use stickslip_core::residual;

/// Share of the friction that stops a contact which is given to it: inside its bound, so that the contact
/// does not count as sliding.
const INSIDE: f64 = 1.0 - 1e-8;

/// How a step starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepStart<'a> {
    pub(super) problem: &'a ContactProblem,
    /// Velocity (m).
    pub(super) v: &'a [f64],
    /// Slip above which a contact slides [m/s].
    pub(super) speed: f64,
}

/// Memory of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Slow {
    /// Whether a contact is slow, and whether it slides at the start of the step (n).
    marks: Vec<(bool, bool)>,
    /// Contacts that the cone stops, and their friction per unit of normal force.
    stops: Vec<(usize, [f64; 2])>,
}

impl Slow {
    /// Looks for contacts that press and slide slowly, or break away, under the accelerations and the
    /// normal forces of an answer; takes those that slid as rolling. False if there is none that slid and
    /// `breaking` asks for none that breaks away.
    pub(super) fn find(
        &mut self,
        StepStart { problem, v, speed }: StepStart<'_>,
        answer: &ContactSolution,
        stage: &mut ContactProblem,
        check: &mut residual::Scratch,
        breaking: BreakingAway,
    ) -> bool {
        let (a, f_n) = (&answer.v_plus, &answer.f_n);
        let n = problem.contact_count();
        self.stops.clear();
        self.marks.clear();
        self.marks.resize(n, (false, false));
        let mut any = false;
        for island in problem.islands() {
            let pressing = island.contacts().filter(|&c| f_n[c] > 0.0);
            // The sum bounds the rate from above, however the contacts share their bodies.
            let mut taken = 0.0;
            for c in pressing.clone().filter(|&c| is_sliding(stage, c)) {
                let mu = problem.contacts()[c].friction();
                let d = [1, 2].map(|k| check.mobility(problem, RowId(3 * c + k)));
                taken += problem.h() * f_n[c] * mu[0].max(mu[1]) * d[0].max(d[1]);
            }
            for c in pressing {
                let [s, t] = slip(problem, c, v);
                let [end_s, end_t] = end_slip(problem, c, v, a);
                let slides = is_sliding(stage, c);
                let slow = if slides {
                    s.hypot(t) < taken
                } else {
                    breaking == BreakingAway::Included && end_s.hypot(end_t) > speed
                };
                self.marks[c] = (slow, s.hypot(t) > speed);
                any |= slow;
                if slow && slides {
                    roll(problem, c, v, stage);
                }
            }
        }
        any
    }

    /// Gives the contacts found the friction of their slip at the end of the step under the answer on
    /// the cone. Those that stick in it stay as they are: what holds a contact at rest is up to the
    /// polygon. What stops those that slid is kept for [`Self::stop`].
    pub(super) fn direct(
        &mut self,
        StepStart { problem, v, speed }: StepStart<'_>,
        answer: &ContactSolution,
        stage: &mut ContactProblem,
    ) {
        for (c, mark) in self.marks.iter().enumerate().filter(|(_, mark)| mark.0) {
            let end = end_slip(problem, c, v, &answer.v_plus);
            let f_n = answer.f_n[c];
            if end[0].hypot(end[1]) > speed {
                slide_along(c, end, stage);
            } else if mark.1 && f_n > 0.0 {
                let friction = [answer.f_s[c], answer.f_t[c]].map(|f| INSIDE * f / f_n);
                self.stops.push((c, friction));
            }
        }
    }

    /// Gives contacts that slid, that the cone stops and the polygon does not under the accelerations
    /// `a`, the friction that stops them; whether there are any.
    pub(super) fn stop(
        &mut self,
        StepStart { problem, v, speed }: StepStart<'_>,
        a: &[f64],
        stage: &mut ContactProblem,
    ) -> bool {
        let slips = |c: usize| {
            let end = end_slip(problem, c, v, a);
            end[0].hypot(end[1]) > speed
        };
        let any = self.stops.iter().any(|&(c, _)| slips(c));
        for (c, friction) in self.stops.drain(..).filter(|_| any) {
            slide_under(c, friction, stage);
        }
        any
    }
}

/// Whether contacts that break away are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BreakingAway {
    /// They are.
    Included,
    /// They are not: their friction is right already.
    Excluded,
}
