//! Contact problems as JSON files, read and written exactly.
//!
//! The format is described in `docs/problem_file.md`: `h`, the mass matrix `M` (or `M_blocks`), the
//! velocities `v` and `v_free` (or the generalized forces `f`, `v_free = v + h M^-1 f`), the rows `N`,
//! `S`, `T` and `J` over all coordinates, and what a contact knows besides its rows. What is written
//! here is read back bit for bit: the factor of the mass matrix, the columns a row stores, the order
//! of the rows.
//!
//! Reading never panics and allocates no more than the text accounts for; every refusal names the
//! entry. What `serde` does not see (lengths, columns) is checked in `make` and `rows`, what makes a problem by the
//! builder.

mod error;
mod make;
mod raw;
mod rows;
mod write;

pub use error::ProblemFileError;
pub use write::problem_json;

use super::ContactProblem;
use crate::settings::{ModelName, ModelSettings};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The version of the format that is written; files without a version are read as this one.
pub const FORMAT: u64 = 1;
/// Largest file that is read \[bytes\]. Its text takes up to eight times as much in memory, as empty lists.
pub const MAX_BYTES: u64 = 1 << 28;
/// Most coordinates of one dense block of the mass matrix: its factorization costs the cube.
pub const MAX_DENSE: usize = 4096;

/// What a file says beside the problem: who solved it, with which settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// The model of the step that wrote the file.
    pub model: Option<ModelName>,
    /// Its settings, the solver among them.
    pub settings: Option<ModelSettings>,
    /// Free text: where the problem comes from.
    pub note: Option<String>,
}

/// A problem read from a file.
#[derive(Clone, Debug)]
pub struct ProblemFile {
    /// The problem.
    pub problem: ContactProblem,
    /// What the file says beside it.
    pub context: Context,
}

/// Reads a problem from JSON text. O(size), and the factorization of each dense block.
///
/// # Errors
/// [`ProblemFileError`], naming the entry and, where the text itself is at fault, line and column.
pub fn parse_problem(text: &[u8]) -> Result<ProblemFile, ProblemFileError> {
    if text.len() as u64 > MAX_BYTES {
        let reason = format!("larger than {MAX_BYTES} bytes, the most that is read");
        return Err(ProblemFileError::entry("", reason));
    }
    make::problem(raw::parse(text)?)
}

/// Reads a problem from a stream, to its end.
///
/// # Errors
/// As [`parse_problem`], and what the operating system says.
pub fn read_problem_from(stream: impl Read) -> Result<ProblemFile, ProblemFileError> {
    let mut text = Vec::new();
    // One byte more than allowed tells a file that is too large from one that just fits.
    stream
        .take(MAX_BYTES + 1)
        .read_to_end(&mut text)
        .map_err(ProblemFileError::unreadable)?;
    parse_problem(&text)
}

/// Reads a problem from a file.
///
/// # Errors
/// As [`parse_problem`], naming the file.
pub fn read_problem(path: &Path) -> Result<ProblemFile, ProblemFileError> {
    let read = match path.is_dir() {
        true => Err(ProblemFileError::unreadable("it is a folder")),
        false => File::open(path)
            .map_err(ProblemFileError::unreadable)
            .and_then(read_problem_from),
    };
    read.map_err(|error| error.in_file(path))
}
