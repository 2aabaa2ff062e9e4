//! The command itself, in a folder of its own.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Folders so far: no two of a test run are the same.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A folder of its own for each test, gone at its end.
pub struct Folder(pub PathBuf);

impl Folder {
    /// An empty folder.
    pub fn new() -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("stickslip-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // What an earlier process of the same number may have left.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Names of what is in it, sorted.
    pub fn names(&self) -> Vec<String> {
        names(&self.0)
    }

    /// The text of a file in it.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Names of what is in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The command itself.
pub const STICKSLIP: &str = env!("CARGO_BIN_EXE_stickslip");

/// The words of a command line without quotes.
pub fn split(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// A program in a folder, all its streams pipes.
pub fn program(folder: &Path, name: &str, words: &[&str]) -> Command {
    let mut command = Command::new(name);
    command
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the command in a folder with this standard input.
pub fn stickslip(folder: &Path, words: &[&str], input: &str) -> Output {
    let mut child = program(folder, STICKSLIP, words).spawn().unwrap();
    // A command that reads nothing closes its end.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The same, which must succeed.
pub fn succeeds(folder: &Path, words: &[&str]) -> Output {
    let output = stickslip(folder, words, "");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {errors}");
    output
}

/// Bad input: exit status 2, every word in the message, nothing on standard output, no file.
pub fn refused(words: &[&str], input: &str, message: &[&str]) {
    let folder = Folder::new();
    let output = stickslip(&folder.0, words, input);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
    for word in message {
        assert!(text.contains(word), "{words:?}: `{word}` is not in: {text}");
    }
    assert!(output.stdout.is_empty(), "{words:?} printed an answer");
    assert_eq!(folder.names(), Vec::<String>::new(), "{words:?} left files");
}
