//! Text in a recording: the legend, and messages about steps that failed or fell back and about rest.

use crate::contacts::Scale;
use crate::track::Track;
use crate::warnings::{Warning, warnings};
use re_sdk_types::archetypes::{TextDocument, TextLog};
use re_sdk_types::components::TextLogLevel;
use std::cmp::Ordering;
use stickslip_record::{Activity, Arrows, SceneRecord, StepRecord};

/// A run that fails at every step must not fill the disk with words.
const MOST_NOTES: usize = 10_000;

/// What a recording has said so far.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Messages.
    said: usize,
    /// Whether everything that moves slept in the last step.
    rests: bool,
}

impl Notes {
    /// What there is to say about a step, if anything: what went wrong first, then who fell asleep or woke.
    pub fn of(&mut self, step: &StepRecord) -> Vec<TextLog> {
        let trouble = trouble(step);
        let rest = self.rest(step).map(|text| (text, TextLogLevel::INFO));
        let each = trouble.into_iter().chain(rest);
        each.filter_map(|(text, level)| self.say(&text, level))
            .collect()
    }

    /// Counts what is said.
    fn say(&mut self, text: &str, level: &str) -> Option<TextLog> {
        self.said += 1;
        match self.said.cmp(&(MOST_NOTES + 1)) {
            Ordering::Less => Some(TextLog::new(text).with_level(level)),
            Ordering::Equal => Some(
                TextLog::new(format!("{MOST_NOTES} messages; no more are recorded"))
                    .with_level(TextLogLevel::WARN),
            ),
            Ordering::Greater => None,
        }
    }

    /// That everything that moves fell asleep, or that something woke: without a word, curves of contacts that
    /// drop to zero look like an error.
    fn rest(&mut self, step: &StepRecord) -> Option<String> {
        let Activity { awake, asleep } = step.report.activity;
        let rests = asleep > 0 && awake == 0;
        if rests == self.rests {
            return None;
        }
        self.rests = rests;
        let all = awake + asleep;
        Some(if rests {
            format!(
                "step {}: all {all} bodies that move have fallen asleep; nothing is solved, and the curves of \
                 contacts read 0 until one wakes",
                step.step
            )
        } else {
            format!(
                "step {}: {awake} of {all} bodies that move are awake again",
                step.step
            )
        })
    }
}

/// What went wrong in a step, if anything did, and how bad it is.
fn trouble(step: &StepRecord) -> Option<(String, &'static str)> {
    let solve = &step.report.solve;
    let mut level = TextLogLevel::WARN;
    let mut parts = Vec::new();
    for warning in warnings(solve) {
        if warning.is_error() {
            level = TextLogLevel::ERROR;
        }
        parts.push(match warning {
            Warning::NoAnswer => format!(
                "{} of {} islands: {} ({})",
                solve.failures,
                solve.islands,
                warning.as_str(),
                words(&format!("{:?}", solve.status)),
            ),
            Warning::Fallback => format!(
                "{} of {} islands {} ({})",
                solve.fallbacks,
                solve.islands,
                warning.as_str(),
                solve.solver_used.as_str()
            ),
            Warning::MissedTolerance => format!(
                "{} of {} islands: {}",
                solve.unverified,
                solve.islands,
                warning.as_str()
            ),
            Warning::Relaxed => format!("{} by up to {:.1e} m/s", warning.as_str(), solve.relaxed),
            Warning::JointsOpen | Warning::ReleaseFailed => warning.as_str().to_owned(),
        });
    }
    if parts.is_empty() {
        return None;
    }
    let text = format!(
        "step {}: {}; residual {:.1e}, {} pivots, {} contacts",
        step.step,
        parts.join("; "),
        solve.residuals.max(),
        solve.pivots,
        solve.contacts
    );
    Some((text, level))
}

/// `PivotLimit` as `pivot limit`.
fn words(camel: &str) -> String {
    let mut out = String::new();
    for c in camel.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push(' ');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// What colours and lengths mean.
pub(crate) fn legend(
    scene: &SceneRecord,
    scale: &Scale,
    tile: Option<f64>,
    tracks: &[Track],
) -> String {
    let newtons = 0.1 / scale.meters_per_newton;
    let torque = newtons * scale.lever();
    let arrows = match scale.arrows {
        Arrows::Parts => format!(
            "Thick arrows: normal and friction force on the second body, 0.1 m = {newtons:.3} N. "
        ),
        Arrows::Directions => {
            "Thick arrows: contact forces on the second body, the largest of every step \
             equally long: their directions count. "
                .to_owned()
        }
    };
    let contacts = if scale.is_heap {
        "Contacts of a heap: from **blue** (little load) over **yellow** to **white** (the most loaded of the \
         step); those without a load are left out, **orange** ones are loaded in a step that fell back or failed."
    } else {
        "Contacts: **green** sticks, **red** slides, **grey** has no load or is about to close, **orange** is loaded in a \
         step that fell back or failed."
    };
    let ground = tile.map_or(String::new(), |side| format!(" Ground tiles: {side} m."));
    format!(
        "**{}**, weight {:.1} N.{ground}{}\n\n{}\n\n\
         {contacts}\n\n{arrows}Thin blue ones: normals. On feet and fingers: force (light blue), torque (violet, 0.1 m = {torque:.3} N m). \
         Curves show the worst step since the last frame; those of contacts read 0 while all bodies sleep \
         (the messages say when). A view of more curves than fit its legend has none: hover a curve for its name. The eye of an entity in \
         the left panel shows what is hidden: collision shapes, frames, joint axes, tangents, cones, balance, wrenches.",
        scene.name,
        scene.weight,
        named(tracks),
        scene.view.caption,
    )
}

/// The panel of the legend, below the verdicts once there are any.
pub(crate) fn panel(legend: &str, verdicts: &[String]) -> TextDocument {
    let mut parts = verdicts.to_vec();
    parts.push(legend.to_owned());
    TextDocument::from_markdown(parts.join("\n\n"))
}

/// The colours of the runs, if there are several.
fn named(tracks: &[Track]) -> String {
    let names = tracks.iter().map(|track| {
        let [r, g, b] = track.color;
        format!("- **{}**: #{r:02x}{g:02x}{b:02x}", track.name)
    });
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        return String::new();
    }
    format!(
        "\n\nRuns side by side, bodies and curves of each in its colour:\n\n{}",
        names.join("\n")
    )
}
