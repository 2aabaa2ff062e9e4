//! The modules of the crate are the stages of a step: each imports only from those before it, and no two files import
//! each other.

#[path = "../../core/src/tests/imports.rs"]
mod imports;

/// In the order of a step, as the crate's documentation lists them.
const ROOMS: [&str; 11] = [
    "base", "read", "detect", "contacts", "joints", "assemble", "correct", "sleep", "write",
    "pipeline", "record",
];

#[test]
fn rooms_import_only_from_those_before_them() {
    let wrong = imports::upward(&ROOMS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_files_import_each_other() {
    let circles = imports::circles();
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}
