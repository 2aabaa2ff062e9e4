//! A progress bar for long runs on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Whether progress may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// When standard error is a terminal.
    OnTerminal,
    /// Never.
    Never,
}

/// A bar that appears on standard error after the first second.
pub struct Progress {
    bar: Option<ProgressBar>,
    drawn: bool,
    start: Instant,
    next: u64,
    total: u64,
}

/// Runs shorter than this show no bar.
const PATIENCE: Duration = Duration::from_secs(1);

impl Progress {
    /// A bar of `total` steps.
    pub fn new(total: u64, show: Show) -> Self {
        Self::of("steps", total, show)
    }

    /// A bar of `total` of something.
    pub fn of(what: &str, total: u64, show: Show) -> Self {
        let visible = show == Show::OnTerminal && std::io::stderr().is_terminal();
        let bar = visible.then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
            let style = ProgressStyle::with_template(&format!(
                "{{wide_bar}} {{pos}}/{{len}} {what}, {{elapsed}} gone, {{eta}} left",
            ));
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar
        });
        Self {
            bar,
            drawn: false,
            start: Instant::now(),
            next: 0,
            total,
        }
    }

    /// `done` steps are done. Costs a comparison but for every thousandth of the run.
    pub fn update(&mut self, done: u64) {
        let Some(bar) = &self.bar else { return };
        if done < self.next {
            return;
        }
        self.next = done + (self.total / 1000).max(1);
        if !self.drawn && self.start.elapsed() > PATIENCE {
            self.drawn = true;
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_position(done);
    }

    /// Draws the bar from the start, and keeps its times going while nothing ends.
    pub fn steady(mut self) -> Self {
        if let Some(bar) = &self.bar {
            self.drawn = true;
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(PATIENCE);
        }
        self
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
