//! The modules of the crate lie on floors: each imports only from those below it, and no two files import each other.

#[path = "../../../core/src/tests/imports.rs"]
mod imports;

/// From below.
const ROOMS: [&str; 7] = ["error", "file", "blocks", "raw", "rows", "make", "write"];

#[test]
fn rooms_import_only_from_those_below_them() {
    imports::check(&ROOMS);
}
