//! The modules of the crate lie on floors: each imports only from those below it, and no two files import each other.

#[path = "../../../core/src/tests/imports.rs"]
mod imports;

/// From below.
const ROOMS: [&str; 10] = [
    "spatial",
    "spec",
    "tree",
    "state",
    "kinematics",
    "mass_matrix",
    "bias",
    "momentum",
    "free_velocity",
    "rows",
];

#[test]
fn rooms_import_only_from_those_below_them() {
    let wrong = imports::upward(&ROOMS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_files_import_each_other() {
    let circles = imports::circles();
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}
