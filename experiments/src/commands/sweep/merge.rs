//! `stickslip merge`: the rows of a sweep that was made in parts.

use super::folder::{SweepFolder, SweepManifest};
use super::gather::gather;
use crate::error::CommandError;
use crate::files;
use crate::settings::Request;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Folders of the parts, or the one they share
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Folder of the whole sweep, required where there are several
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Draw figures over what is swept as SVG into a folder
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Print no summary
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn merge(args: &MergeArgs) -> Result<(), CommandError> {
    if args.folders.len() > 1 && args.out.is_none() {
        return Err(CommandError::Usage(
            "several folders need --out, the folder of the whole sweep".to_owned(),
        ));
    }
    let parts: Vec<_> = args
        .folders
        .iter()
        .map(|path| SweepFolder::open(path))
        .collect::<Result<_, _>>()?;
    let (first, others) = parts
        .split_first()
        .ok_or_else(|| CommandError::Usage("no folder to merge".to_owned()))?;
    for other in others {
        first.same_sweep(other)?;
    }
    let cases = first.manifest.sweep.cases()?;
    if let Some(folder) = &args.plots {
        files::check_folder_target(folder)?;
    }
    let whole = match &args.out {
        None => None,
        Some(out) => {
            files::check_folder_target(out)?;
            let whole = SweepFolder::start(out, SweepManifest::clone(&first.manifest))?;
            collect(&whole, &parts, &cases)?;
            Some(whole)
        }
    };
    let folder = whole.as_ref().unwrap_or(first);
    gather(folder, &cases, args.plots.as_deref(), args.quiet)
}

/// Copies the rows of all parts. The same run in two parts must be the same.
fn collect(
    whole: &SweepFolder,
    parts: &[SweepFolder],
    cases: &[Request],
) -> Result<(), CommandError> {
    for (run, case) in cases.iter().enumerate() {
        let mut there = whole.row(run, case)?;
        for part in parts {
            let Some(row) = part.row(run, case)? else {
                continue;
            };
            let Some(known) = &there else {
                let text = serde_json::to_string_pretty(&row)
                    .map_err(|error| CommandError::Scene(error.to_string()))?;
                whole.put(run, &(text + "\n"))?;
                there = Some(row);
                continue;
            };
            let mark = |row: &serde_json::Value| row["manifest"]["trajectory_hash"].clone();
            if mark(known) != mark(&row) || known["error"] != row["error"] {
                return Err(CommandError::Usage(format!(
                    "{}: run {run} was made twice, with different results; keep the one to trust",
                    part.row_path(run).display()
                )));
            }
        }
    }
    Ok(())
}
