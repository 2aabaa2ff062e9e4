//! Where results go, and what was written of them.

use crate::error::CommandError;
use crate::files;
use crate::output::JsonTarget;
use crate::runner::Done;
use std::path::{Path, PathBuf};
use stickslip_rerun::Sink;

/// Where the results of a run or a comparison go.
pub(super) struct Outputs {
    pub(super) recording: Option<Sink>,
    pub(super) json: Option<JsonTarget>,
    pub(super) csv: Option<PathBuf>,
    pub(super) plots: Option<PathBuf>,
    /// The folder of all of them, where one was asked for.
    pub(super) folder: Option<PathBuf>,
}

impl Outputs {
    /// Refuses what can't be written, before anything runs, and makes the folder of everything.
    pub(super) fn check(&self) -> Result<(), CommandError> {
        let named = [
            ("--out", &self.folder),
            ("--csv", &self.csv),
            ("--plots", &self.plots),
        ];
        for (flag, folder) in named {
            if folder.as_deref() == Some(Path::new("-")) {
                return Err(CommandError::Usage(format!(
                    "{flag} takes a folder, not `-`: several tables don't fit one stream; --json - writes the result to standard output"
                )));
            }
        }
        if let Some(folder) = &self.folder {
            files::check_folder_target(folder)?;
            self.check_fresh(folder)?;
            files::create_folder(folder)?;
        }
        if let Some(JsonTarget::File(path)) = &self.json {
            files::check_file_target(path)?;
        }
        if let Some(Sink::File(path)) = &self.recording {
            files::check_file_target(path)?;
        }
        let folders = self.csv.iter().chain(&self.plots);
        folders
            .into_iter()
            .try_for_each(|folder| files::check_folder_target(folder))
    }
}

impl Outputs {
    /// Refuses a folder that holds what an earlier run left there.
    fn check_fresh(&self, folder: &Path) -> Result<(), CommandError> {
        let json = match &self.json {
            Some(JsonTarget::File(path)) => Some(path),
            _ => None,
        };
        let recording = match &self.recording {
            Some(Sink::File(path)) => Some(path),
            _ => None,
        };
        let mut files = [json, recording].into_iter().flatten();
        match files.find(|path| path.starts_with(folder) && path.exists()) {
            None => Ok(()),
            Some(file) => Err(CommandError::Usage(format!(
                "{} holds a run already: {}; choose another --out, or remove it",
                folder.display(),
                file.display()
            ))),
        }
    }
}

/// The files that were written, with what is in them.
#[derive(Default)]
pub(super) struct Written(Vec<(String, String)>);

impl Written {
    pub(super) fn add(&mut self, path: &Path, what: &str) {
        self.0.push((path.display().to_string(), what.to_owned()));
    }

    /// The recording, if it was completed.
    pub(super) fn recording(&mut self, sink: Option<&Sink>, done: &[Done]) {
        if let Some(Sink::File(path)) = sink
            && done.iter().all(|d| d.is_recorded)
        {
            let look = format!("recording; look at it: rerun {}", path.display());
            self.add(path, &look);
        }
    }

    /// The folders of contact problems.
    pub(super) fn problems(&mut self, done: &[Done]) {
        for folder in done.iter().filter_map(|d| d.problems.as_deref()) {
            self.add(
                folder,
                "contact problems; solve one again: stickslip solve FILE",
            );
        }
    }

    /// A line per file, after an empty one.
    pub(super) fn text(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let width = self.0.iter().map(|(path, _)| path.chars().count()).max();
        let width = width.unwrap_or_default();
        let lines = self.0.iter();
        let lines: Vec<_> = lines
            .map(|(path, what)| format!("  {path:<width$}  {what}"))
            .collect();
        format!("\nWritten:\n{}\n", lines.join("\n"))
    }
}
