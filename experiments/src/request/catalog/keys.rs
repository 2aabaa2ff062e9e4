//! Keys that several scenarios have.

use crate::keys::{ANY, FROM_ZERO, Key, POSITIVE};

/// Iterations of rapier.
pub(super) const ITERATIONS: Key = Key::whole(
    "iterations",
    "4",
    (1, 10_000),
    "solver iterations of rapier's own solver (model host only)",
);

/// Settling.
pub(super) const SETTLE: Key = Key::number(
    "settle",
    "1",
    FROM_ZERO,
    "time before figures are taken [s]; by default half of a run no longer than that",
);

/// Settling of a scene whose figures begin at once.
pub(super) const NO_SETTLE: Key = Key::number(
    "settle",
    "0",
    FROM_ZERO,
    "time before figures are taken [s]",
);

/// Standing before a walk.
pub(super) const BEFORE_WALK: Key =
    Key::number("settle", "0.5", FROM_ZERO, "time before it walks [s]");

/// Effort limits of a robot's drives.
pub(super) const fn effort(default: &'static str) -> Key {
    let doc = "whether the drives honour the effort limits of the file";
    Key::choice("effort", default, &["urdf", "unlimited"], doc)
}

/// How the joints of a machine are made.
pub(super) const fn joints(default: &'static str, doc: &'static str) -> Key {
    Key::choice("joints", default, &["impulse", "multibody"], doc)
}

/// Side of a box.
pub(super) const SIZE: Key = Key::number("size", "0.1", POSITIVE, "side [m]");

/// Mass of what moves.
pub(super) const MASS: Key = Key::number("mass", "1", POSITIVE, "mass [kg]");

/// Friction of a scene that is about friction, and may have none.
pub(super) const MU: Key = Key::number("mu", "0.5", FROM_ZERO, "Coulomb coefficient [-]");

/// Friction whose figures are relative to it.
pub(super) const SOME_MU: Key = Key::number("mu", "0.5", POSITIVE, "Coulomb coefficient [-]");

/// Friction of a scene that is about holding.
pub(super) const fn holding_mu(default: &'static str) -> Key {
    let doc = "Coulomb coefficient [-], for models that use one";
    Key::number("mu", default, FROM_ZERO, doc)
}

/// Speed at the start.
pub(super) const fn speed(default: &'static str, doc: &'static str) -> Key {
    Key::number("speed", default, POSITIVE, doc)
}

/// Radius of a ball.
pub(super) const RADIUS: Key = Key::number("radius", "0.1", POSITIVE, "radius [m]");

/// A direction in the plane.
pub(super) const fn direction(doc: &'static str) -> Key {
    Key::number("direction", "0", ANY, doc)
}

/// A choice of yes or no.
pub(super) const fn yes_no(name: &'static str, default: &'static str, doc: &'static str) -> Key {
    Key::choice(name, default, &["true", "false"], doc)
}
