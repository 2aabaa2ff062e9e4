//! The text of a file on disk, bounded.

use std::{io::Read, path::Path};

use crate::error::UrdfError;

/// Bytes of a robot file: hundreds of times the largest in use.
pub(crate) const MAX_BYTES: usize = 32 << 20;

/// The text of a robot file. One that isn't UTF-8 is read as Latin-1, byte for byte.
pub(crate) fn text_of(path: &Path) -> Result<String, UrdfError> {
    let unreadable = |reason: String| UrdfError::Unreadable {
        file: path.into(),
        reason,
    };
    let bytes = bounded(path, MAX_BYTES).map_err(|e| unreadable(e.to_string()))?;
    if bytes.len() > MAX_BYTES {
        return Err(UrdfError::TooLarge {
            file: path.into(),
            what: "bytes",
            limit: MAX_BYTES,
        });
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|e| e.as_bytes().iter().map(|&b| char::from(b)).collect()))
}

/// The bytes of a file, one more than `limit` at most: not everything that can be opened has an end.
fn bounded(path: &Path, limit: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
