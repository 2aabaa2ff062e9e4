//! Files of the studies: all of them or none.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes every file beside its place first and renames them all at the end, so that a study that
/// fails on the way leaves nothing behind. Folders are created.
///
/// # Errors
/// What the operating system says; the files of this call are then removed again.
pub fn write_all(files: &[(PathBuf, String)]) -> io::Result<()> {
    let mut parts = Vec::new();
    let written = files.iter().try_for_each(|(path, text)| {
        let part = part_of(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&part, text)?;
        parts.push(part);
        Ok(())
    });
    let renamed = written.and_then(|()| {
        let pairs = parts.iter().zip(files);
        pairs
            .into_iter()
            .try_for_each(|(part, (path, _))| fs::rename(part, path))
    });
    if renamed.is_err() {
        for part in &parts {
            // What was renamed already is no longer there.
            let _ = fs::remove_file(part);
        }
    }
    renamed
}

fn part_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_appear_together_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("stickslip-report-{}", std::process::id()));
        let good = (folder.join("a.md"), "text".to_owned());
        write_all(std::slice::from_ref(&good)).unwrap();
        assert_eq!(fs::read_to_string(&good.0).unwrap(), "text");
        // A folder in the place of a file.
        fs::create_dir_all(folder.join("b.svg/inner")).unwrap();
        fs::remove_file(&good.0).unwrap();
        let bad = (folder.join("a.md/no"), String::new());
        fs::write(&good.0, "old").unwrap();
        assert!(write_all(&[(folder.join("c.md"), String::new()), bad]).is_err());
        assert!(!folder.join("c.md").exists());
        assert_eq!(fs::read_to_string(&good.0).unwrap(), "old");
        fs::remove_dir_all(folder).unwrap();
    }
}
