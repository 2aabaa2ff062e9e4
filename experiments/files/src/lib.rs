//! Files that are complete or absent: a draft is written beside its place under another name, flushed to the medium,
//! and renamed. The project writes all its files this way.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// A file on its way: under another name beside its place until [`Draft::keep`], removed when dropped
/// before that.
#[derive(Debug)]
pub struct Draft {
    target: PathBuf,
    file: NamedTempFile,
}

impl Draft {
    /// Starts the file `path`; through a link the file behind it.
    ///
    /// # Errors
    /// What the operating system says; [`ErrorKind::InvalidInput`] for what is there but no regular
    /// file, or is no name of a file.
    pub fn create(path: &Path) -> io::Result<Self> {
        // Renaming over a link would replace the link, over a device the device.
        let target = match path.canonicalize() {
            Ok(target) if target.is_file() => target,
            Ok(_) => return Err(Error::new(ErrorKind::InvalidInput, "not a regular file")),
            Err(_) => path.to_owned(),
        };
        let Some(name) = target.file_name() else {
            return Err(Error::new(ErrorKind::InvalidInput, "not a file name"));
        };
        let prefix = format!(".{}.", name.to_string_lossy());
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(".part");
        if let Some(permissions) = permissions() {
            builder.permissions(permissions);
        }
        let file = builder.tempfile_in(folder_of(&target))?;
        Ok(Self { target, file })
    }

    /// Gives the file its name, once all of it is on the medium.
    ///
    /// # Errors
    /// What the operating system says; then nothing is left of the file.
    pub fn keep(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(&self.target)?;
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Those of any new file, less what the process masks; a temporary file is its owner's alone.
#[cfg(unix)]
fn permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn permissions() -> Option<Permissions> {
    None
}

/// Writes a file, whole or not at all; what is no regular file (a pipe, a device) as it is.
///
/// # Errors
/// What the operating system says.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    if path.exists() && !path.is_file() {
        return OpenOptions::new()
            .write(true)
            .open(path)?
            .write_all(bytes.as_ref());
    }
    let mut draft = Draft::create(path)?;
    draft.write_all(bytes.as_ref())?;
    draft.keep()
}

/// Writes several files: they get their names once all of them are written. Folders are created.
///
/// # Errors
/// What the operating system says. A file that can't be written leaves none of them; only where one
/// can't be given its name are those before it there already.
pub fn write_all(files: &[(PathBuf, String)]) -> io::Result<()> {
    let mut drafts = Vec::new();
    for (path, text) in files {
        fs::create_dir_all(folder_of(path))?;
        let mut draft = Draft::create(path)?;
        draft.write_all(text.as_bytes())?;
        drafts.push(draft);
    }
    drafts.into_iter().try_for_each(Draft::keep)
}

/// Whether files can be made in a folder, found out by making one without a name.
///
/// # Errors
/// What the operating system says if not.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    tempfile::tempfile_in(folder).map(|_: File| ())
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test may stop at the first surprise.
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// While it is written the old file stays and the new one has a hidden name; dropped, it is gone.
    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, "old").unwrap();
        let mut draft = Draft::create(&path).unwrap();
        draft.write_all(b"new").unwrap();
        let there = names(folder.path());
        assert_eq!(there.len(), 2);
        assert!(there[0].starts_with(".a.txt.") && there[0].ends_with(".part"));
        drop(draft);
        assert_eq!(names(folder.path()), ["a.txt"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        write(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["a.txt"]);
        check_folder(folder.path()).unwrap();
        assert!(check_folder(&path).is_err());
        assert!(write(&folder.path().join("none/a.txt"), "").is_err());
    }

    /// Other people may read it as any file that is made in that folder.
    #[cfg(unix)]
    #[test]
    fn files_have_the_permissions_of_any_other() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a", "b"].map(|name| folder.path().join(name));
        write(&paths[0], "").unwrap();
        File::create(&paths[1]).unwrap();
        let modes = paths.map(|p| fs::metadata(p).unwrap().permissions().mode());
        assert_eq!(modes[0], modes[1]);
    }

    /// A link stays a link, a device a device.
    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        write(Path::new("/dev/null"), "text").unwrap();
        let refused = Draft::create(Path::new("/dev/null")).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidInput);
    }

    #[test]
    fn several_files_appear_together_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        write_all(&[(at("in/a.md"), "text".into())]).unwrap();
        assert_eq!(fs::read_to_string(at("in/a.md")).unwrap(), "text");
        // A file in the place of a folder.
        let bad = (at("in/a.md/no"), String::new());
        assert!(write_all(&[(at("in/c.md"), String::new()), bad]).is_err());
        // A folder in the place of a file.
        fs::create_dir_all(at("in/d.md")).unwrap();
        let bad = (at("in/d.md"), String::new());
        assert!(write_all(&[(at("in/c.md"), String::new()), bad]).is_err());
        assert_eq!(names(&at("in")), ["a.md", "d.md"]);
    }
}
