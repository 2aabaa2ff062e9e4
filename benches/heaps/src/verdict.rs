//! Whether a run is sane, and if not, what broke.

use crate::measure::{Outcome, Stop};

/// How much wider than rapier's a joint may stand open \[m\].
pub const JOINT_ALLOWANCE: f64 = 1e-3;

/// A step longer than this many medians is one that a player sees.
pub const HITCH: f64 = 20.0;

/// Shorter steps than this no player sees, whatever the median \[us\].
const UNSEEN: f64 = 1000.0;

/// A run of fewer steps has no median worth the name.
const FEWEST_STEPS: usize = 20;

/// What broke: numbers, refusals, speed, joints. Empty when the motion is sane; step times are judged
/// by [`hitches`], for they depend on the build.
pub fn faults(outcome: &Outcome, host: Option<&Outcome>) -> Vec<String> {
    let mut faults = Vec::new();
    match &outcome.stop {
        Some(Stop::Error(reason)) => {
            faults.push(format!("error after {} steps: {reason}", outcome.done))
        }
        Some(Stop::Lost) => faults.push(format!("not-a-number after {} steps", outcome.done)),
        Some(Stop::Limit(_)) | None => {}
    }
    if outcome.lost > 0 && outcome.stop != Some(Stop::Lost) {
        faults.push(format!("{} bodies not-a-number", outcome.lost));
    }
    if outcome.speed > outcome.speed_allowed {
        let (speed, allowed) = (outcome.speed, outcome.speed_allowed);
        faults.push(format!("{speed:.3} m/s, allowed {allowed:.3}"));
    }
    if let Some(host) = host
        && outcome.gap > host.gap + JOINT_ALLOWANCE
    {
        let (gap, theirs) = (1e3 * outcome.gap, 1e3 * host.gap);
        faults.push(format!("joint open by {gap:.2} mm, rapier {theirs:.2}"));
    }
    faults
}

/// Faults, and what the scene was made to show and does not: it doesn't stand, or doesn't move.
pub fn shortcomings(outcome: &Outcome, host: Option<&Outcome>) -> Vec<String> {
    let mut all = faults(outcome, host);
    all.extend(outcome.unfit.clone());
    all
}

/// A step that took far longer than the others.
pub fn hitches(outcome: &Outcome) -> Option<String> {
    let times = outcome.max_over_median;
    let seen = outcome.step_us.max > UNSEEN && outcome.done >= FEWEST_STEPS;
    (seen && times > HITCH).then(|| format!("a step of {times:.0} medians"))
}

/// `sane`, or what broke; and whether the run was cut short.
pub fn verdict(outcome: &Outcome, host: Option<&Outcome>) -> String {
    let mut all = shortcomings(outcome, host);
    all.extend(hitches(outcome));
    let mut verdict = if all.is_empty() {
        "sane".to_owned()
    } else {
        all.join("; ")
    };
    if let Some(Stop::Limit(seconds)) = outcome.stop {
        verdict += &format!("; stopped by the limit of {seconds} s");
    }
    verdict
}
