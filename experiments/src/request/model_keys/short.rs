//! Short names of settings of the models.

/// A setting of the models by its short name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Name on the command line.
    pub name: &'static str,
    /// Path in [`ModelSettings`](stickslip_core::models::ModelSettings).
    pub path: &'static str,
    /// One line: meaning and unit.
    pub doc: &'static str,
}

const fn setting(name: &'static str, path: &'static str, doc: &'static str) -> Setting {
    Setting { name, path, doc }
}

/// Settings with short names, then those that go by their paths.
pub const SETTINGS: &[Setting] = &[
    setting(
        "directions",
        "polygon.directions",
        "friction directions of the polygonal models, an even number in 4..=64",
    ),
    setting(
        "restitution_law",
        "polygon.restitution",
        "how anitescu-potra bounces: newton (speeds) or poisson (impulses)",
    ),
    setting(
        "stabilisation",
        "polygon.stabilisation",
        "none, scaled:EPS or tikhonov:EPS on the matrix of the polygonal models [TSL]",
    ),
    setting(
        "iteration_tolerance",
        "iteration.tolerance",
        "residual at which iterations have converged",
    ),
    setting(
        "max_iterations",
        "iteration.max_iterations",
        "sweeps after which iterations end",
    ),
    setting(
        "omega",
        "iteration.omega",
        "relaxation of iterations, in 0..2",
    ),
    setting(
        "lambda",
        "iteration.lambda",
        "share of the projected step that iterations take",
    ),
    setting(
        "sweep",
        "cone.sweep",
        "order in which psor visits the contacts: forward or symmetric",
    ),
    setting(
        "hover",
        "cone.hover",
        "keep, or remove: De Saxce's fixed point takes the hovering out of ccp",
    ),
    setting(
        "touching_speed",
        "acceleration.touching_speed",
        "normal speed up to which the acceleration models see no impact [m/s]",
    ),
    setting(
        "sliding_speed",
        "acceleration.sliding_speed",
        "tangential speed above which their contacts slide [m/s]",
    ),
    setting(
        "rolling_friction",
        "acceleration.rolling",
        "what bounds the friction of those that don't slide: pyramid or cone",
    ),
    setting(
        "on_no_solution",
        "acceleration.on_no_solution",
        "stop, or velocity-level: an impulse without a collision passes through",
    ),
    setting(
        "damping_time",
        "quasi_static.damping_time",
        "time constant tau of the quasi-static damping E = M / tau [s]",
    ),
    setting(
        "closed_tolerance",
        "closed_tolerance",
        "gap up to which a contact is closed [m]; 1e-5 by default in f32",
    ),
    setting(
        "baumgarte",
        "baumgarte",
        "share of a penetration removed per step [-]",
    ),
    setting(
        "push_speed",
        "push_speed",
        "largest speed at which a penetration is pushed out [m/s]",
    ),
    setting(
        "restitution_threshold",
        "restitution_threshold",
        "approach speed from which contacts bounce [m/s]",
    ),
    setting(
        "tolerance",
        "tolerance",
        "what counts as zero in pivoting methods, relative to the speeds",
    ),
    setting(
        "max_pivots",
        "max_pivots",
        "changes of the active set after which a solver gives up",
    ),
    setting(
        "release_rounds",
        "release_rounds",
        "rounds in which no-slip-releasing drops rows",
    ),
    setting(
        "energy_bound",
        "energy_bound",
        "whether an answer that creates kinetic energy is shortened until it does not",
    ),
    setting(
        "cone.tolerance_at_rest",
        "cone.tolerance_at_rest",
        "residual at which the engine has solved an island",
    ),
    setting(
        "cone.tolerance_in_motion",
        "cone.tolerance_in_motion",
        "the same for large islands in motion; ten times as much for large heaps without joints under cone",
    ),
    setting(
        "budget.work",
        "budget.work",
        "operations of the pivoting methods in one step",
    ),
    setting(
        "budget.memory",
        "budget.memory",
        "bytes of the dense matrices of an island",
    ),
    setting(
        "budget.pairs",
        "budget.pairs",
        "pairs of sweeps of the engine",
    ),
    setting(
        "budget.visits",
        "budget.visits",
        "contacts and rows that those pairs may visit: large islands get fewer, a third at least",
    ),
    setting(
        "budget.factor",
        "budget.factor",
        "operations that one sparse factor of the engine may take",
    ),
    setting(
        "budget.milliseconds",
        "budget.milliseconds",
        "time of a whole solve [ms]; the answer then depends on the machine",
    ),
    setting(
        "acceleration.integrator",
        "acceleration.integrator",
        "how viscous-acceleration goes through a step: rk4 or semi-implicit-euler",
    ),
    setting(
        "acceleration.enumerate_up_to",
        "acceleration.enumerate_up_to",
        "sliding contacts up to which coulomb-acceleration looks for all solutions, at most 12",
    ),
    setting(
        "quasi_static.pointedness",
        "quasi_static.pointedness",
        "when quasi-static checks whether bodies are wedged",
    ),
    setting(
        "viscous.route",
        "viscous.route",
        "where the rows of viscous go: cheapest, rows or mass",
    ),
];
