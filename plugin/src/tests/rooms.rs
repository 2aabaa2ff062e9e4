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
    imports::check(&ROOMS);
}
