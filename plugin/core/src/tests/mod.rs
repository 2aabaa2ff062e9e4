//! The modules of the crate lie on floors: each imports only from those below it, and no two files import each other.

mod imports;

/// From below.
const ROOMS: [&str; 18] = [
    "tolerances",
    "named",
    "kernel",
    "factor",
    "report",
    "settings",
    "mass",
    "problem",
    "solution",
    "warm",
    "law",
    "rows",
    "residual",
    "system",
    "engine",
    "lcp",
    "models",
    "kit",
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
