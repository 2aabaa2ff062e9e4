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
    imports::check(&ROOMS);
}
