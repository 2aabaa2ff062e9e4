//! Contact problems of steps, written to files that `stickslip solve` reads.

use crate::digits::count;
use crate::error::CommandError;
use crate::session::StepProblem;
use crate::settings::RunSettings;
use std::fs;
use std::path::{Path, PathBuf};
use stickslip_core::problem::{ContactProblem, RowId};
use stickslip_core::report::{SolveReport, SolveStatus};
use stickslip_problem_file::{Context, problem_json};
use stickslip_rerun::Sink;

/// Problems of troubled steps written per run: more of them tell nothing new.
const MOST_TROUBLED: usize = 20;
/// Bytes of files per run without `--dump-problems`. A heap of 50,000 bodies takes 0.2 GB a step.
const MOST_UNASKED: usize = 64 << 20;
/// Bytes of files per run that were asked for.
const MOST_ASKED: usize = 2 << 30;

/// Bytes that a number takes at least, as a rule: zeros are shorter, most others twice as long.
const SHORT: f64 = 8.0;

/// Which steps leave their problem behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Every,
    Troubled,
}

impl Which {
    /// The size of all files together, at most.
    fn most_bytes(self) -> usize {
        match self {
            Self::Every => MOST_ASKED,
            Self::Troubled => MOST_UNASKED,
        }
    }
}

/// Writes problems as `step-000123.json` into a folder.
#[derive(Debug)]
pub struct Dumps {
    folder: PathBuf,
    which: Which,
    written: usize,
    bytes: usize,
    /// What a number of a problem takes in its text, from the last one made [bytes].
    rate: f64,
    troubled: usize,
    /// Problems left out because the files would have become too large together.
    left_out: usize,
    /// Why a file of a troubled step could not be written.
    failure: Option<String>,
}

/// Whether something went wrong in a step: it failed, fell back or missed its tolerance.
fn is_troubled(report: &SolveReport) -> bool {
    let fine = matches!(
        report.status,
        SolveStatus::Solved
            | SolveStatus::SolvedInMotion
            | SolveStatus::Relaxed
            | SolveStatus::SeveralSolutions
    );
    !fine || report.failures + report.fallbacks + report.unverified > 0
}

impl Dumps {
    fn new(folder: PathBuf, which: Which) -> Self {
        Self {
            folder,
            which,
            written: 0,
            bytes: 0,
            rate: SHORT,
            troubled: 0,
            left_out: 0,
            failure: None,
        }
    }

    /// Every step's problem into `folder`, which is created if needed.
    ///
    /// # Errors
    /// When `folder` is a file, or can't be created.
    pub fn every(folder: &Path) -> Result<Self, CommandError> {
        if folder.exists() && !folder.is_dir() {
            return Err(CommandError::Usage(format!(
                "--dump-problems {}: not a folder",
                folder.display()
            )));
        }
        fs::create_dir_all(folder).map_err(|error| CommandError::Output {
            path: folder.to_owned(),
            reason: error.to_string(),
        })?;
        Ok(Self::new(folder.to_owned(), Which::Every))
    }

    /// The problems of troubled steps into `SCENARIO-failed-problems` beside the recording, or in
    /// the current folder if there is none; created with the first of them.
    pub fn troubled(recording: Option<&Sink>, scenario: &str) -> Self {
        let name = format!("{scenario}-failed-problems");
        let folder = match recording {
            Some(Sink::File(path)) => path.with_file_name(name),
            _ => PathBuf::from(name),
        };
        Self::new(folder, Which::Troubled)
    }

    /// Takes a step.
    ///
    /// # Errors
    /// When a file can't be written that was asked for. One that was not does not end the run.
    pub fn take(
        &mut self,
        settings: &RunSettings,
        step: u64,
        problem: StepProblem<'_>,
        report: &SolveReport,
    ) -> Result<(), CommandError> {
        let troubled = is_troubled(report);
        self.troubled += usize::from(troubled);
        let wanted = match self.which {
            Which::Every => true,
            Which::Troubled => troubled && self.written < MOST_TROUBLED && self.failure.is_none(),
        };
        if !wanted {
            return Ok(());
        }
        match (self.write(settings, step, problem, report), self.which) {
            (Err(error), Which::Troubled) => self.failure = Some(error.to_string()),
            (done, _) => done?,
        }
        Ok(())
    }

    fn write(
        &mut self,
        settings: &RunSettings,
        step: u64,
        problem: StepProblem<'_>,
        report: &SolveReport,
    ) -> Result<(), CommandError> {
        let numbers = numbers(problem.problem).max(1) as f64;
        let free = self.which.most_bytes().saturating_sub(self.bytes);
        if self.rate * numbers > free as f64 {
            // Its text would take several times as much memory, in each of the steps that follow.
            self.left_out += 1;
            return Ok(());
        }
        let context = Context {
            model: Some(problem.model.name()),
            settings: Some(problem.model.settings().clone()),
            note: Some(note(settings, step, report)),
        };
        let text = problem_json(problem.problem, &context);
        self.rate = text.len() as f64 / numbers;
        if text.len() > free {
            self.left_out += 1;
            return Ok(());
        }
        crate::files::create_folder(&self.folder)?;
        let path = self.folder.join(format!("step-{step:06}.json"));
        crate::files::write_atomically(&path, &text)?;
        self.written += 1;
        self.bytes += text.len();
        Ok(())
    }

    /// The folder, if anything was written into it.
    pub fn folder(&self) -> Option<PathBuf> {
        (self.written > 0).then(|| self.folder.clone())
    }

    /// What to tell the reader of the table.
    pub fn note(&self) -> Option<String> {
        let mut parts = Vec::new();
        if self.troubled > 0 {
            parts.push(format!(
                "{} failed, fell back or missed the tolerance; the contact problems of {} were written",
                count(self.troubled, "step"),
                self.written
            ));
        } else if self.which == Which::Every {
            parts.push(format!(
                "the contact problems of {} were written",
                count(self.written, "step")
            ));
        }
        if self.left_out > 0 {
            parts.push(format!(
                "those of {} were left out: the files together are bounded by {} MB",
                self.left_out,
                self.which.most_bytes() >> 20
            ));
        }
        if let Some(failure) = &self.failure {
            parts.push(format!("a problem could not be written: {failure}"));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// Entries of the rows and of the mass blocks, which are most of a text.
fn numbers(problem: &ContactProblem) -> usize {
    let rows = (0..problem.row_count()).map(|row| problem.row(RowId(row)).iter().count());
    let dims = (0..problem.block_count()).map(|block| problem.block(block).dim());
    rows.sum::<usize>() + dims.map(|dim| dim * dim).sum::<usize>()
}

/// Where a problem comes from and how it went.
fn note(settings: &RunSettings, step: u64, report: &SolveReport) -> String {
    format!(
        "{} with {} by {}, {}, dt {} s, seed {}: step {step} (t = {:.6} s); {}, by {}, {} fallbacks, \
         {} failures, residual {:.1e}",
        settings.scenario.name,
        settings.model.as_str(),
        settings.solver_name(),
        settings.precision.as_str(),
        settings.dt,
        settings.seed,
        step as f64 * settings.dt,
        report.status.as_str(),
        report.solver_used.as_str(),
        report.fallbacks,
        report.failures,
        report.residuals.max()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Request;
    use stickslip_core::models::{Model, ModelName, ModelSettings};
    use stickslip_core::problem::ProblemBuilder;
    use stickslip_problem_file::read_problem;

    /// Calls `check` with an empty folder of that name, settings of a run, and an empty problem.
    fn with_a_step(name: &str, check: impl FnOnce(&Path, &RunSettings, StepProblem<'_>)) {
        let root = std::env::temp_dir().join(format!("stickslip-{name}-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let settings = RunSettings::new(&Request {
            scenario: "box".to_owned(),
            ..Request::default()
        })
        .unwrap();
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        let model = Model::new(ModelName::Frictionless, ModelSettings::default()).unwrap();
        let problem = StepProblem {
            problem: builder.finish().unwrap(),
            model: &model,
        };
        check(&root, &settings, problem);
        fs::remove_dir_all(root).unwrap();
    }

    /// Thirty steps, every other one troubled in one way or another: the first twenty of those are
    /// kept beside the recording.
    #[test]
    fn troubled_steps_are_kept_up_to_a_cap() {
        with_a_step("dumps", |root, settings, problem| {
            let sink = Sink::File(root.join("box.rrd"));
            let mut dumps = Dumps::troubled(Some(&sink), "box");
            assert_eq!((dumps.note(), dumps.folder()), (None, None));
            let failed = SolveReport {
                status: SolveStatus::Cycled,
                failures: 1,
                ..SolveReport::default()
            };
            let fell_back = SolveReport {
                fallbacks: 1,
                ..SolveReport::default()
            };
            let unverified = SolveReport {
                unverified: 1,
                ..SolveReport::default()
            };
            let troubles = [failed, fell_back, unverified];
            for step in 0..30 {
                dumps
                    .take(settings, 2 * step, problem, &SolveReport::default())
                    .unwrap();
                let report = &troubles[step as usize % 3];
                dumps.take(settings, 2 * step + 1, problem, report).unwrap();
            }
            let folder = root.join("box-failed-problems");
            assert_eq!(fs::read_dir(&folder).unwrap().count(), MOST_TROUBLED);
            let file = read_problem(&folder.join("step-000001.json")).unwrap();
            assert_eq!(file.context.model, Some(ModelName::Frictionless));
            let note = file.context.note.unwrap();
            assert!(
                note.contains("step 1 ") && note.contains("cycled"),
                "{note}"
            );
            let line = dumps.note().unwrap();
            assert!(
                line.contains("30 steps failed") && line.contains("of 20 were written"),
                "{line}"
            );
            assert_eq!(dumps.folder(), Some(folder));
        });
    }

    /// What just fits is written, and what does not fit is not even made into text once it is known how long that is:
    /// 50,000 spheres took 0.9 GB for it in each of their steps.
    #[test]
    fn what_cannot_fit_is_not_made() {
        with_a_step("fit", |root, settings, problem| {
            let mut dumps = Dumps::every(root).unwrap();
            let report = SolveReport::default();
            let take = |dumps: &mut Dumps, step| {
                dumps.take(settings, step, problem, &report).unwrap();
                (dumps.written, dumps.left_out)
            };
            assert_eq!(take(&mut dumps, 0), (1, 0));
            let length = dumps.bytes;
            assert_eq!(
                dumps.rate, length as f64,
                "a problem without numbers counts as one"
            );
            dumps.bytes = MOST_ASKED - length;
            assert_eq!(take(&mut dumps, 1), (2, 0));
            dumps.bytes = MOST_ASKED - length + 1;
            dumps.rate *= 0.5;
            assert_eq!(take(&mut dumps, 2), (2, 1));
            assert_eq!(
                dumps.rate, length as f64,
                "it was made, and told its length"
            );
            dumps.rate *= 1.5;
            let rate = dumps.rate;
            assert_eq!(take(&mut dumps, 3), (2, 2));
            assert_eq!(dumps.rate, rate, "it was not made");
        });
    }

    /// A file that would not fit any more is not begun.
    #[test]
    fn files_are_bounded_together() {
        with_a_step("bound", |root, settings, problem| {
            let mut dumps = Dumps::every(root).unwrap();
            dumps.bytes = MOST_ASKED - 1;
            let report = SolveReport::default();
            dumps.take(settings, 0, problem, &report).unwrap();
            assert_eq!(fs::read_dir(root).unwrap().count(), 0);
            let note = dumps.note().unwrap();
            assert!(
                note.contains("1 were left out") && note.contains("2048 MB"),
                "{note}"
            );
        });
    }
}
