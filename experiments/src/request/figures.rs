//! What the figures of a run mean: a sentence and, where the outcome depends on it, a bound for each. Units are in the
//! names.

use crate::catalog::SCENARIOS;

/// A figure of some scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its name.
    pub name: &'static str,
    /// The scenarios that state it; none: every run does.
    pub of: &'static [&'static str],
    /// One sentence.
    pub doc: &'static str,
    /// What it is held against, where the outcome depends on it.
    pub bound: &'static str,
}

/// A figure without a bound.
pub const fn figure(name: &'static str, of: &'static [&'static str], doc: &'static str) -> Figure {
    Figure {
        name,
        of,
        doc,
        bound: "",
    }
}

/// A figure that the outcome depends on.
pub const fn bounded(
    name: &'static str,
    of: &'static [&'static str],
    doc: &'static str,
    bound: &'static str,
) -> Figure {
    Figure {
        name,
        of,
        doc,
        bound,
    }
}

const PILES: &[&str] = &["box", "stack", "mass-ratio"];
const WALKERS: &[&str] = &["trot", "hexapod"];
const SWINGS: &[&str] = &["pendulum", "four-bar"];
const TOUCHING: &[&str] = &[
    "grasp",
    "pinch",
    "box",
    "stack",
    "mass-ratio",
    "stand",
    "drop",
    "carry",
    "trot",
    "slope",
    "slide",
    "conveyor",
    "hover",
    "spin",
    "roll",
    "bounce",
    "hexapod",
];

/// The figures of a scenario (those of its entry in the catalogue first), then those of every run.
pub fn of(scenario: &str) -> impl Iterator<Item = &'static Figure> {
    let entry = SCENARIOS.iter().find(|s| s.name == scenario);
    let entry = entry.map_or(&[][..], |s| s.figures).iter();
    let own = FIGURES.iter().filter(move |f| f.of.contains(&scenario));
    entry
        .chain(own)
        .chain(FIGURES.iter().filter(|f| f.of.is_empty()))
}

/// Every figure.
pub const FIGURES: &[Figure] = &[
    // Contacts.
    figure(
        "penetration_max_m",
        TOUCHING,
        "deepest penetration of a closed contact since the settling time; 0: none",
    ),
    figure(
        "slip_max_m",
        &[
            "grasp",
            "pinch",
            "box",
            "stack",
            "mass-ratio",
            "stand",
            "carry",
            "trot",
            "slope",
            "slide",
            "conveyor",
        ],
        "longest path that two touching surfaces slid along each other: tangential speed at the fastest closed contact of a pair, summed up",
    ),
    figure(
        "slip_max_m",
        &["scene"],
        "longest path that two touching surfaces slid along each other since the settling time",
    ),
    figure(
        "penetration_max_m",
        &["scene"],
        "deepest penetration of a closed contact since the settling time",
    ),
    bounded(
        "drift_m",
        &["scene"],
        "NAME.drift_m: farthest of a body, robot or link from its place at the settling time",
        "by the file",
    ),
    bounded(
        "height_end_m",
        &["scene"],
        "NAME.height_end_m: height of its origin at the end",
        "by the file",
    ),
    bounded(
        "speed_end_m_per_s",
        &["scene"],
        "NAME.speed_end_m_per_s: its speed at the end",
        "by the file",
    ),
    bounded(
        "tilt_max_rad",
        &["scene"],
        "NAME.tilt_max_rad: its largest turn since the settling time",
        "by the file",
    ),
    bounded(
        "force_up_mean_N",
        &["scene"],
        "NAME.force_up_mean_N: mean upward force of its contacts since the settling time",
        "by the file",
    ),
    // Grasps.
    bounded(
        "drop_m",
        &["grasp"],
        "how far the lower of the two cubes has sunk",
        "at most 1e-3",
    ),
    figure(
        "drop_m",
        &["pinch"],
        "how far the capsule has sunk since the settling time",
    ),
    bounded(
        "fall_m",
        &["pinch"],
        "how far the capsule has sunk in all",
        "at most 0.02, half a pad's height",
    ),
    figure(
        "drop_expected_m",
        &["grasp"],
        "how far the cubes must sink by the closed form of a block between two rough faces",
    ),
    figure(
        "creep_m_per_s",
        &["grasp", "pinch", "slope"],
        "speed at which what should hold moves: down in a grasp at the end, mean over the run elsewhere",
    ),
    figure(
        "creep_expected_m_per_s",
        &["grasp"],
        "the same by the closed form",
    ),
    figure(
        "normal_impulse_pair_N_s",
        &["grasp"],
        "impulse per step along the row of cubes, mean of the pairs; squeeze times step",
    ),
    figure(
        "normal_impulse_pair_error_N_s",
        &["grasp"],
        "its largest difference from squeeze times step",
    ),
    figure(
        "tangent_rows",
        &["grasp"],
        "tangential rows that no-slip has in a step, at most",
    ),
    figure(
        "tangent_rows_kept",
        &["grasp"],
        "those of them that are independent",
    ),
    // Rest and drift.
    bounded(
        "drift_m",
        PILES,
        "farthest that a box moved since the settling time",
        "at most half a box's side",
    ),
    figure("drift_m", &["grasp"], "farthest that a cube moved"),
    bounded(
        "drift_m",
        &["slope"],
        "how far the box moved along the slope",
        "at most 1e-4, where friction is enough to hold it",
    ),
    figure(
        "tilt_max_rad",
        PILES,
        "largest turn of a box since the settling time",
    ),
    bounded(
        "tilt_max_rad",
        &["trot"],
        "largest tilt of the base",
        "at most 0.8",
    ),
    bounded(
        "tilt_max_rad",
        &["hexapod"],
        "largest tilt of the trunk",
        "at most 0.5",
    ),
    // Robots.
    figure(
        "normal_force_error_rel",
        &["stand"],
        "largest difference of the ground's normal forces from the weight in the last 0.1 s, over the weight",
    ),
    figure("weight_N", &["stand"], "weight of the robot"),
    bounded(
        "base_height_m",
        &["stand"],
        "height of the base at the end",
        "at least half of that at the start",
    ),
    bounded(
        "base_upright_share",
        &["stand"],
        "cosine of the base's tilt at the end",
        "at least 0.8",
    ),
    figure(
        "base_drift_m",
        &["stand"],
        "farthest that the base was from its place at the settling time; more than its height: slid",
    ),
    figure(
        "base_speed_end_m_per_s",
        &["stand"],
        "speed of the base at the end",
    ),
    figure(
        "pressing_contacts",
        &["stand", "trot"],
        "contacts that press in the last step",
    ),
    figure(
        "settled",
        &["drop"],
        "1 if every link is at rest at the end",
    ),
    figure(
        "settle_time_s",
        &["drop"],
        "time since which every link has been at rest",
    ),
    bounded(
        "residual_speed_m_per_s",
        &["drop"],
        "largest speed of a link at the end",
        "at most 0.01",
    ),
    bounded(
        "residual_turn_rad_per_s",
        &["drop"],
        "largest angular speed of a link at the end",
        "at most 0.05",
    ),
    figure(
        "speed_max_m_per_s",
        &["drop"],
        "largest speed of a link in the run",
    ),
    figure(
        "joint_limit_violation_max_rad",
        &["drop"],
        "farthest of a turning joint beyond a limit",
    ),
    figure(
        "joint_limit_violation_max_m",
        &["drop"],
        "farthest of a sliding joint beyond a limit",
    ),
    figure(
        "mimic_error_max",
        &["drop"],
        "farthest of a mimicking joint from where it should be [rad or m]",
    ),
    figure(
        "joint_speed_over_limit_max",
        &["drop"],
        "largest speed of a joint over its limit [-]",
    ),
    figure("base_drop_m", &["drop"], "how far the base came down"),
    figure("mass_kg", &["drop"], "mass of the robot"),
    figure(
        "colliders_declared",
        &["drop"],
        "collision shapes in the file",
    ),
    figure("colliders_loaded", &["drop"], "colliders in the scene"),
    figure(
        "loop_gap_max_m",
        &["drop"],
        "farthest that a loop of links was open",
    ),
    figure("loop_gap_max_rad", &["drop"], "the same of its angle"),
    figure(
        "com_error_m",
        &["free-flight"],
        "farthest of the centre of mass from its parabola",
    ),
    figure(
        "angular_momentum_error_rel",
        &["free-flight"],
        "largest change of the angular momentum about the centre of mass, over its size",
    ),
    figure(
        "limit_gap_min_rad",
        &["free-flight"],
        "how close a joint came to a limit",
    ),
    figure(
        "joint_error_2h_rad",
        &["free-flight"],
        "error of the joint angles at twice the step, against a fine one",
    ),
    figure(
        "joint_error_h_rad",
        &["free-flight"],
        "the same at the step",
    ),
    figure(
        "joint_error_half_h_rad",
        &["free-flight"],
        "the same at half the step",
    ),
    figure(
        "joint_order",
        &["free-flight"],
        "order of convergence between 2h and h [-]",
    ),
    figure(
        "joint_order_fine",
        &["free-flight"],
        "order of convergence between h and h/2 [-]",
    ),
    figure(
        "load_theory_N",
        &["carry"],
        "load that the contacts hold, pressed as they are (limit analysis over the last 20 steps)",
    ),
    figure(
        "load_centred_N",
        &["carry"],
        "2 mu F: what two fingers hold of a load between the middles of their pads",
    ),
    figure(
        "load_held_max_N",
        &["carry"],
        "largest load on the fingers before the object slipped",
    ),
    figure(
        "creep_max_m",
        &["carry"],
        "farthest of the object from its place in the hand before it slipped",
    ),
    figure(
        "slip_load_N",
        &["carry"],
        "load at which the object slipped",
    ),
    bounded(
        "slip_load_error_rel",
        &["carry"],
        "difference of that load from load_theory_N, over it",
        "at most 0.02",
    ),
    figure("slip_time_s", &["carry"], "when it slipped"),
    // Walking.
    figure(
        "speed_mean_m_per_s",
        WALKERS,
        "mean forward speed since it began to walk",
    ),
    figure("speed_command_m_per_s", &["trot"], "commanded speed"),
    figure(
        "speed_error_rel",
        WALKERS,
        "difference of the mean speed from the command, over it",
    ),
    figure("walked_m", &["trot"], "way forward"),
    figure("sideways_m", WALKERS, "way to the left"),
    figure(
        "heading_error_rad",
        &["trot"],
        "turn of the base from its heading at the end",
    ),
    bounded(
        "base_height_min_m",
        &["trot"],
        "least height of the base above the ground",
        "at least half of its standing height",
    ),
    figure("moving_parts", &["hexapod"], "bodies that move"),
    figure("hinges", &["hexapod"], "hinges of the walker"),
    figure("motors", &["hexapod"], "motors of the walker"),
    bounded(
        "trunk_height_m",
        &["hexapod"],
        "height of the trunk at the end",
        "at least half of that at the start",
    ),
    figure("feet_on_ground", &["hexapod"], "feet that press at the end"),
    figure(
        "joint_drift_max_m",
        &["pendulum", "four-bar", "hexapod"],
        "farthest that a hinge came apart",
    ),
    figure(
        "joint_axis_error_max_rad",
        &["pendulum", "four-bar", "hexapod"],
        "largest angle between the two axes of a hinge",
    ),
    figure(
        "period_closed_form_s",
        SWINGS,
        "period by the closed form (elliptic integral)",
    ),
    figure("period_s", SWINGS, "measured period"),
    figure(
        "period_error_rel",
        SWINGS,
        "difference of the two over the closed form",
    ),
    figure(
        "energy_error_rel",
        SWINGS,
        "largest change of the energy over the energy of the swing",
    ),
    figure("angle_max_rad", SWINGS, "largest angle from the vertical"),
    // Sliding.
    figure(
        "acceleration_m_per_s2",
        &["slope"],
        "measured acceleration down the slope",
    ),
    figure(
        "acceleration_frictionless_m_per_s2",
        &["slope"],
        "g sin(slope)",
    ),
    figure(
        "acceleration_coulomb_m_per_s2",
        &["slope"],
        "g (sin - mu cos), 0 where friction holds",
    ),
    figure(
        "acceleration_error_rel",
        &["slope"],
        "difference of the measured acceleration from Coulomb's, over it",
    ),
    figure("slope_rad", &["slope"], "angle of the slope"),
    figure(
        "heading_error_rad",
        &["slope", "slide", "conveyor"],
        "angle between the way that the box went and the way that it should",
    ),
    figure(
        "closed_form_error_m_per_s",
        &["slope", "slide", "conveyor"],
        "largest difference of the velocity from the closed form of this model with this step",
    ),
    figure("stop_distance_m", &["slide"], "way until it stopped"),
    figure("stop_distance_coulomb_m", &["slide"], "v^2 / (2 mu g)"),
    figure(
        "stop_distance_error_rel",
        &["slide"],
        "difference of the two over the latter; a step moves by the velocity at its end, which alone is -v h / 2 of the way",
    ),
    figure(
        "stop_distance_scheme_m",
        &["slide"],
        "the way that such a step must take under Coulomb's law",
    ),
    bounded(
        "speed_end_m_per_s",
        &["slide"],
        "speed at the end",
        "at most 1e-3, of a box that had the time to stop",
    ),
    figure(
        "speed_end_m_per_s",
        &["grasp", "hover", "conveyor", "roll"],
        "speed at the end: of what moves, along its way",
    ),
    figure(
        "rolling_speed_error_rel",
        &["slide"],
        "largest slip of a rolling sphere's lowest point since it rolls, over its speed",
    ),
    bounded(
        "rolling_speed_end_error_rel",
        &["slide"],
        "difference of the speed at the end from that of a rolling sphere, over it",
        "at most 1e-3",
    ),
    figure(
        "ride_time_s",
        &["conveyor"],
        "time from which the box has the belt's speed",
    ),
    figure("ride_time_coulomb_s", &["conveyor"], "v / (mu g)"),
    figure(
        "slip_coulomb_m",
        &["conveyor"],
        "v^2 / (2 mu g): how far the box slides on the belt",
    ),
    figure(
        "slip_scheme_m",
        &["conveyor"],
        "the same for a step that moves by the velocity at its end",
    ),
    figure(
        "hover_height_m",
        &["hover"],
        "height to which the first step lifts the cube",
    ),
    figure(
        "hover_predicted_m",
        &["hover"],
        "mu v h: that of the convex law",
    ),
    bounded(
        "lift_max_m",
        &["hover"],
        "highest that the cube was above the ground",
        "at most 1e-4",
    ),
    figure("speed_end_rad_per_s", &["spin"], "angular speed at the end"),
    figure(
        "deceleration_rad_per_s2",
        &["spin"],
        "deceleration by the closed form",
    ),
    figure(
        "deceleration_m_per_s2",
        &["roll"],
        "deceleration by the closed form",
    ),
    figure(
        "closed_form_error_rel",
        &["spin", "roll"],
        "largest difference of the speed from the closed form, over the speed at the start",
    ),
    figure(
        "friction_share_min",
        &["polygon"],
        "least friction of any direction over mu f_n [-]",
    ),
    figure(
        "friction_share_max",
        &["polygon"],
        "most friction of any direction over mu f_n [-]",
    ),
    figure(
        "heading_error_max_rad",
        &["polygon"],
        "largest angle between friction and the direction against the motion",
    ),
    figure(
        "friction_share_expected_min",
        &["polygon"],
        "what a polygon with this many corners gives at least [-]",
    ),
    figure(
        "polygon_error_rel",
        &["polygon"],
        "difference of the least friction from that, over it",
    ),
    // Textbook problems.
    figure(
        "painleve_number",
        &["painleve"],
        "below 0 no finite force holds the rod [-]",
    ),
    figure(
        "normal_acceleration_free_m_per_s2",
        &["painleve"],
        "acceleration of the foot without a normal force",
    ),
    figure("time_s", &["painleve"], "simulated time"),
    figure(
        "angle_rad",
        &["painleve"],
        "angle of the rod to the ground at the end",
    ),
    figure(
        "foot_speed_m_per_s",
        &["painleve"],
        "speed of the foot at the end",
    ),
    figure("normal_force_max_N", &["painleve"], "largest normal force"),
    figure(
        "steps_with_several_solutions",
        &["painleve"],
        "steps with more than one solution",
    ),
    bounded(
        "steps_failed",
        &["painleve"],
        "steps without an answer",
        "at most 0",
    ),
    bounded(
        "solved_share_016",
        &["contact-table"],
        "share of the problems of 16 unknowns that were solved",
        "at least 1",
    ),
    bounded(
        "solved_share_050",
        &["contact-table"],
        "the same of 50 unknowns",
        "at least 1",
    ),
    bounded(
        "solved_share_100",
        &["contact-table"],
        "the same of 100 unknowns",
        "at least 1",
    ),
    bounded(
        "solved_share_170",
        &["contact-table"],
        "the same of 170 unknowns",
        "at least 1",
    ),
    figure(
        "solve_median_016_us",
        &["contact-table"],
        "median time of a solve of 16 unknowns",
    ),
    figure(
        "solve_median_050_us",
        &["contact-table"],
        "the same of 50 unknowns",
    ),
    figure(
        "solve_median_100_us",
        &["contact-table"],
        "the same of 100 unknowns",
    ),
    figure(
        "solve_median_170_us",
        &["contact-table"],
        "the same of 170 unknowns",
    ),
    figure(
        "published_share_016",
        &["contact-table"],
        "share solved as published [T95]",
    ),
    figure(
        "published_share_050",
        &["contact-table"],
        "the same of 50 unknowns",
    ),
    figure(
        "published_share_100",
        &["contact-table"],
        "the same of 100 unknowns",
    ),
    figure(
        "published_share_170",
        &["contact-table"],
        "the same of 170 unknowns",
    ),
    // Many bodies, bouncing, insertion.
    figure(
        "rebound_error_rel",
        &["bounce"],
        "largest difference of a rebound's height from e^2 times the one before, over it",
    ),
    figure("rebounds", &["bounce"], "rebounds that were measured"),
    figure(
        "energy_gain_rel",
        &["bounce"],
        "energy above that of the start, over it",
    ),
    figure(
        "height_end_m",
        &["bounce"],
        "height of the ball's lowest point at the end",
    ),
    figure(
        "overlap_max_m",
        &["granular", "peg"],
        "deepest overlap of two bodies",
    ),
    bounded(
        "overlap_max_radii",
        &["granular"],
        "the same over the radius of a sphere [-]",
        "at most 2e-3",
    ),
    figure(
        "overlap_mean_radii",
        &["granular"],
        "mean overlap of the contacts over the radius [-]",
    ),
    figure(
        "flowed_out",
        &["granular"],
        "spheres beyond the slot at the end",
    ),
    figure(
        "speed_end_max_m_per_s",
        &["granular"],
        "speed of the fastest sphere at the end",
    ),
    figure(
        "kinetic_energy_end_J",
        &["granular"],
        "kinetic energy at the end",
    ),
    bounded(
        "depth_m",
        &["peg"],
        "how far the peg is in at the end",
        "at least 0.95 of the hole",
    ),
    figure("depth_start_m", &["peg"], "how far it was in at the start"),
    figure(
        "wedge_depth_theory_m",
        &["peg"],
        "mu D: up to this depth a peg that touches twice is wedged",
    ),
    figure("lean_end_rad", &["peg"], "lean of the peg at the end"),
    figure("lean_max_rad", &["peg"], "largest lean of the peg"),
    figure(
        "pusher_height_m",
        &["peg"],
        "height of the pusher at the end",
    ),
    // Of every run.
    figure(
        "residual_max",
        &[],
        "largest residual of a step: how far an answer misses its law, dimensionless; 1e-6 is a speed of a um/s in a scene of 1 m/s",
    ),
    figure(
        "failures",
        &[],
        "islands of contacts that ended without a usable answer, over all steps",
    ),
    figure(
        "fallbacks",
        &[],
        "islands whose first solver failed, over all steps",
    ),
    figure(
        "pivots_mean",
        &[],
        "changes of the active set per step, mean",
    ),
    figure("pivots_max", &[], "the same, largest"),
    figure("contacts_mean", &[], "contacts per step, mean"),
    figure("contacts_max", &[], "contacts per step, largest"),
    figure(
        "spins_left_out_max",
        &[],
        "contacts of a step whose torsional and rolling coefficients the model leaves out",
    ),
    figure("step_median_us", &[], "time of a step, median"),
    figure("step_p99_us", &[], "time of a step, 99th percentile"),
    figure(
        "detect_median_us",
        &[],
        "time of collision detection, median",
    ),
    figure(
        "assemble_median_us",
        &[],
        "time of dynamics and assembly, median",
    ),
    figure("solve_median_us", &[], "time of the solve, median"),
    figure("solve_total_us", &[], "time of all solves"),
    figure(
        "integrate_median_us",
        &[],
        "time of write-back and integration, median",
    ),
];
