//! What a loader writes to the log while it reads a file, as notes.

use log::{Level, LevelFilter, Log, Metadata, Record};
use std::cell::RefCell;

thread_local! {
    static NOTES: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

struct Listener;

impl Log for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= Level::Warn
    }

    fn log(&self, record: &Record<'_>) {
        NOTES.with_borrow_mut(|notes| {
            if let Some(notes) = notes.as_mut().filter(|_| record.level() <= Level::Warn) {
                notes.push(record.args().to_string());
            }
        });
    }

    fn flush(&self) {}
}

/// Does something, and gives the warnings that it logged in this thread.
pub fn listening<T>(what: impl FnOnce() -> T) -> (T, Vec<String>) {
    // A logger that another part of the program has set keeps its place, and hears them instead.
    if log::set_logger(&Listener).is_ok() {
        log::set_max_level(LevelFilter::Warn);
    }
    NOTES.set(Some(Vec::new()));
    let done = what();
    (done, NOTES.take().unwrap_or_default())
}
