//! Progress of long runs on standard error: a bar on a terminal, a line every few seconds elsewhere.

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Whether progress may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// On standard error.
    Progress,
    /// Never.
    Never,
}

impl Show {
    /// Nothing for those who asked for quiet.
    pub fn unless(quiet: bool) -> Self {
        if quiet { Self::Never } else { Self::Progress }
    }
}

/// Runs shorter than this show no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between lines where there is no bar.
const BETWEEN: Duration = Duration::from_secs(5);

/// How far a run is.
pub struct Progress {
    shown: Shown,
    start: Instant,
    total: u64,
}

enum Shown {
    Nothing,
    Bar { bar: ProgressBar, drawn: bool },
    Lines(Lines),
}

/// Lines of progress.
struct Lines {
    name: String,
    what: &'static str,
    last: Duration,
}

impl Lines {
    /// The line due after this time, if one is: `stack: 300 of 1200 steps, 5 s, about 15 s left`.
    fn due(&mut self, done: u64, total: u64, elapsed: Duration) -> Option<String> {
        if elapsed - self.last < BETWEEN {
            return None;
        }
        self.last = elapsed;
        let seconds = |x: f64| HumanDuration(Duration::from_secs_f64(x)).to_string();
        let left = match done {
            0 => String::new(),
            done => {
                let each = elapsed.as_secs_f64() / done as f64;
                let left = each * total.saturating_sub(done) as f64;
                format!(", about {} left", seconds(left.min(1e9)))
            }
        };
        let gone = seconds(elapsed.as_secs_f64());
        let Self { name, what, .. } = self;
        Some(format!("{name}: {done} of {total} {what} in {gone}{left}"))
    }
}

impl Progress {
    /// Progress of a run of that name through `total` of something.
    pub fn new(name: &str, what: &'static str, total: u64, show: Show) -> Self {
        let shown = match (show, std::io::stderr().is_terminal()) {
            (Show::Never, _) => Shown::Nothing,
            (Show::Progress, false) => Shown::Lines(Lines {
                name: name.to_owned(),
                what,
                last: Duration::ZERO,
            }),
            (Show::Progress, true) => {
                let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
                let style = ProgressStyle::with_template(&format!(
                    "{{wide_bar}} {{pos}}/{{len}} {what}, {{elapsed}} gone, {{eta}} left",
                ));
                if let Ok(style) = style {
                    bar.set_style(style);
                }
                Shown::Bar { bar, drawn: false }
            }
        };
        Self {
            shown,
            start: Instant::now(),
            total,
        }
    }

    /// `done` are done. To be called a few times a second.
    pub fn update(&mut self, done: u64) {
        let elapsed = self.start.elapsed();
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Bar { bar, drawn } => {
                if !*drawn && elapsed > PATIENCE {
                    *drawn = true;
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                bar.set_position(done);
            }
            Shown::Lines(lines) => {
                if let Some(line) = lines.due(done, self.total, elapsed) {
                    // A closed stream is no error for progress.
                    let _ = writeln!(std::io::stderr(), "{line}");
                }
            }
        }
    }

    /// Draws the bar from the start, and keeps its times going while nothing ends.
    pub fn steady(mut self) -> Self {
        if let Shown::Bar { bar, drawn } = &mut self.shown {
            *drawn = true;
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(PATIENCE);
        }
        self
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Shown::Bar { bar, .. } = &self.shown {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_every_five_seconds_says_how_much_is_left() {
        let mut lines = Lines {
            name: "stack".to_owned(),
            what: "steps",
            last: Duration::ZERO,
        };
        let at = Duration::from_secs;
        assert_eq!(lines.due(10, 1200, at(4)), None);
        let line = lines.due(300, 1200, at(5)).unwrap();
        assert_eq!(
            line,
            "stack: 300 of 1200 steps in 5 seconds, about 15 seconds left"
        );
        assert_eq!(lines.due(350, 1200, at(9)), None);
        assert!(lines.due(600, 1200, at(10)).is_some());
    }

    /// Before the first step nothing is known of the rest.
    #[test]
    fn nothing_done_has_no_rest_to_tell() {
        let mut lines = Lines {
            name: "granular".to_owned(),
            what: "steps",
            last: Duration::ZERO,
        };
        let line = lines.due(0, 10, Duration::from_secs(60)).unwrap();
        assert_eq!(line, "granular: 0 of 10 steps in 60 seconds");
    }
}
