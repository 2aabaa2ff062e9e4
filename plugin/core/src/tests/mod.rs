//! The modules of the crate lie on floors: each imports only from those below it, and no two files import each other.

mod imports;

/// From below.
const ROOMS: [&str; 19] = [
    "tolerances",
    "threads",
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
    imports::check(&ROOMS);
}
