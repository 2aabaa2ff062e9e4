//! Contact problems of `stickslip-core` as JSON files, read and written exactly.
//!
//! The format is described in `docs/problem_file.md` of the repository: `h`, the mass matrix `M` (or `M_blocks`), the
//! velocities `v` and `v_free` (or the generalized forces `f`, `v_free = v + h M^-1 f`), the rows `N`,
//! `S`, `T` and `J` over all coordinates, and what a contact knows besides its rows. What is written
//! here is read back bit for bit: the factor of the mass matrix, the columns a row stores, the order
//! of the rows.
//!
//! ```
//! use stickslip_core::models::{ModelName, ModelSettings, Solver};
//! use stickslip_problem_file::parse_problem;
//!
//! // A point mass of 1 kg slides on the ground.
//! let text = br#"{"h": 0.01, "M": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "v": [0.5, 0, 0], "f": [0, 0, -9.81],
//!                 "N": [[0, 0, 1]], "S": [[1, 0, 0]], "T": [[0, 1, 0]], "mu": 0.3}"#;
//! let file = parse_problem(text)?;
//! let mut solver = Solver::new(ModelName::Cone, ModelSettings::default())?;
//! solver.solve(&file.problem);
//! assert!((solver.solution().v_plus[0] - (0.5 - 0.3 * 9.81 * 0.01)).abs() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Reading never panics and allocates no more than the text accounts for; every refusal names the
//! entry. What `serde` does not see (lengths, columns) is checked in `make` and `rows`, what makes a problem by the
//! builder.

mod blocks;
mod error;
mod file;
mod make;
mod raw;
mod rows;
mod write;

pub use error::ProblemFileError;
pub use file::{Context, FORMAT, MAX_BYTES, MAX_DENSE, ProblemFile};
pub use write::problem_json;

use std::fs::File;
use std::io::Read;
use std::path::Path;

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

#[cfg(test)]
mod tests;
