//! Files: whole or not at all, reproducible, and errors that say which.

use super::*;
use crate::outlet::{FileOutlet, Medium, Outlet};
use std::io::Write;

#[test]
fn the_same_records_give_the_same_messages() {
    let folder = Folder::new("same");
    let steps: Vec<_> = (0..300)
        .map(|k| {
            step(
                k,
                0.01,
                vec![contact(ContactState::Sliding, 1.0 + k as f64)],
            )
        })
        .collect();
    let bytes: Vec<Vec<u8>> = ["a", "b"]
        .map(|sub| {
            let sub = folder.0.join(sub);
            std::fs::create_dir_all(&sub).expect("folder");
            let path = sub.join("run.rrd");
            record(&path, RecorderOptions::default(), &steps);
            std::fs::read(path).expect("recording")
        })
        .into();
    // All but Rerun's index at the end, whose columns come in the order of a hash table.
    let same = bytes[0]
        .iter()
        .zip(&bytes[1])
        .take_while(|(a, b)| a == b)
        .count();
    let messages = bytes_before_index(&bytes[0]);
    assert!(same >= messages, "equal up to byte {same} of {messages}");
}

/// How many bytes precede the index of a recording.
fn bytes_before_index(bytes: &[u8]) -> usize {
    // 12 bytes of file header, then messages: kind and length as two little-endian u64, kind 0 = end.
    let word = |at: usize| {
        let raw: [u8; 8] = bytes[at..at + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(raw)
    };
    let mut at = 12;
    while word(at) != 0 {
        at += 16 + word(at + 8) as usize;
    }
    assert!(at > 10_000, "the messages come first");
    at
}

#[test]
fn a_file_appears_whole_or_not_at_all() {
    let folder = Folder::new("whole");
    let path = folder.0.join("run.rrd");
    let open = || RerunRecorder::new(Sink::File(path.clone()), RecorderOptions::default());

    let mut recorder = open().expect("sink");
    recorder.begin(&scene()).expect("begin");
    recorder.record(&step(0, 0.01, vec![])).expect("record");
    assert_eq!(folder.names().len(), 1);
    assert!(!path.exists(), "not before the end");
    drop(recorder);
    assert!(folder.names().is_empty(), "dropped: nothing left behind");

    std::fs::write(&path, b"older").expect("write");
    let mut recorder = open().expect("sink");
    recorder.begin(&scene()).expect("begin");
    assert_eq!(
        std::fs::read(&path).expect("read"),
        b"older",
        "kept until the end"
    );
    recorder.finish().expect("finish");
    assert_eq!(folder.names(), ["run.rrd"]);
    assert!(
        read(&path)
            .recording
            .contains_key("/world/rob_ot/base_link/visual/shape_0")
    );
}

#[test]
fn paths_that_cannot_be_written_are_named_at_once() {
    let folder = Folder::new("bad");
    let open = |path: PathBuf| {
        let error = RerunRecorder::new(Sink::File(path), RecorderOptions::default()).err();
        error.expect("an error").to_string()
    };
    let missing = open(folder.0.join("no/such/run.rrd"));
    assert!(missing.contains("no/such/run.rrd"), "{missing}");
    let directory = folder.0.join("dir.rrd");
    std::fs::create_dir(&directory).expect("folder");
    let directory = open(directory);
    assert!(
        directory.contains("dir.rrd") && directory.contains("not a regular file"),
        "{directory}"
    );
    assert_eq!(folder.names(), ["dir.rrd"]);
}

/// A disk with room for so many bytes.
struct Small(usize);

impl Write for Small {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0 < bytes.len() {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Medium for Small {
    fn keep(self: Box<Self>) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    let folder = Folder::new("full");
    for room in [0, 1000, 300_000] {
        let path = folder.0.join("run.rrd");
        let outlet = FileOutlet::over(path, Box::new(Small(room)));
        let outlet = outlet.expect("the header stays in the buffer");
        let options = options(Frames::EverySteps(1));
        let mut recorder = RerunRecorder::over(Outlet::File(outlet), options);
        let mut run = || -> Result<(), RerunError> {
            recorder.begin(&scene())?;
            for k in 0..10_000 {
                let contacts = vec![contact(ContactState::Sticking, k as f64); 4];
                recorder.record(&step(k, 1e-3, contacts))?;
            }
            recorder.finish()
        };
        let error = run().expect_err("no room").to_string();
        assert!(error.contains("run.rrd"), "{error}");
        assert!(folder.names().is_empty(), "{:?}", folder.names());
        let later = recorder.finish();
        assert!(matches!(later, Err(RerunError::Ended { reason }) if reason == error));
    }
}
