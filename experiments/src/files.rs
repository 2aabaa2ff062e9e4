//! Files and folders that are written: refused before a run rather than after it, and whole or not at all.

use crate::error::CommandError;
use std::fs;
use std::path::Path;
use stickslip_files::folder_of;

/// Refuses a file that can't be written, before the run rather than after it.
///
/// # Errors
/// A usage error naming the file or its folder.
pub fn check_file_target(path: &Path) -> Result<(), CommandError> {
    let folder = folder_of(path);
    if path.is_dir() || path.file_name().is_none() {
        return Err(CommandError::Usage(format!(
            "{} is not a file name",
            path.display()
        )));
    }
    if !folder.is_dir() {
        return Err(CommandError::Usage(format!(
            "{}: the folder {} does not exist; create it first",
            path.display(),
            folder.display()
        )));
    }
    if path.exists() && !path.is_file() {
        // A pipe or a device is written as it is.
        return Ok(());
    }
    check_writable(folder)
}

/// Refuses a folder that can't be created or written into, before the run rather than after it.
///
/// # Errors
/// A usage error naming the folder.
pub fn check_folder_target(path: &Path) -> Result<(), CommandError> {
    let mut existing = path;
    while !existing.exists() {
        existing = folder_of(existing);
    }
    if !existing.is_dir() {
        return Err(CommandError::Usage(format!(
            "{}: {} is not a folder",
            path.display(),
            existing.display()
        )));
    }
    check_writable(existing)
}

fn check_writable(folder: &Path) -> Result<(), CommandError> {
    stickslip_files::check_folder(folder).map_err(|error| {
        CommandError::Usage(format!("{}: cannot be written: {error}", folder.display()))
    })
}

/// Writes a file whole or not at all. Through a link the file behind it; what is no regular file (a pipe,
/// a device) is written as it is.
///
/// # Errors
/// An output error naming the file.
pub fn write_atomically(path: &Path, text: &str) -> Result<(), CommandError> {
    stickslip_files::write(path, text).map_err(|error| CommandError::Output {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

/// Creates a folder and those above it.
///
/// # Errors
/// An output error naming the folder.
pub fn create_folder(folder: &Path) -> Result<(), CommandError> {
    fs::create_dir_all(folder).map_err(|error| CommandError::Output {
        path: folder.to_owned(),
        reason: error.to_string(),
    })
}
