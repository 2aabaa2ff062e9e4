//! What the figures of a run mean: a sentence for each and, where the outcome depends on it, a bound. Units are in the names.

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
    /// The range that the outcome asks for; empty: none.
    pub bound: &'static str,
}

/// Figures by the scenarios that state them: `SCENARIOS => { name_unit: "sentence", "bound, if any"; }`.
macro_rules! figures {
    ($($of:expr => { $($name:ident: $doc:literal $(, $bound:literal)?;)* })*) => {
        &[$($($crate::figures::Figure {
            name: stringify!($name),
            of: $of,
            doc: $doc,
            bound: concat!($($bound)?),
        },)*)*]
    };
}
pub(crate) use figures;

/// The figures of a scenario (those of its entry in the catalogue first), then those of every run.
pub fn of(scenario: &str) -> impl Iterator<Item = &'static Figure> {
    let entry = SCENARIOS.iter().find(|s| s.name == scenario);
    let entry = entry.map_or(&[][..], |s| s.figures).iter();
    let own = FIGURES.iter().filter(move |f| f.of.contains(&scenario));
    let every = FIGURES.iter().filter(|f| f.of.is_empty());
    entry.chain(own).chain(every)
}

const EVERY_RUN: &[&str] = &[];
const PILES: &[&str] = &["box", "stack", "mass-ratio"];
const WALKERS: &[&str] = &["trot", "hexapod"];
const SWINGS: &[&str] = &["pendulum", "four-bar"];
const HINGED: &[&str] = &["pendulum", "four-bar", "hexapod"];
const BLOCKS: &[&str] = &["slope", "slide", "conveyor"];
const SLIPPING: &[&str] = &[
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
];
const TOUCHING: &[&str] = &[
    "grasp",
    "pinch",
    "box",
    "stack",
    "mass-ratio",
    "stand",
    "drop",
    "carry",
    "shake",
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

/// Every figure that is not in an entry of the catalogue.
pub const FIGURES: &[Figure] = figures! {
    TOUCHING => {
        penetration_max_m: "deepest penetration of a closed contact since the settling time; 0: none";
    }
    SLIPPING => {
        slip_max_m: "longest way of two surfaces along each other: tangential speed at a pair's fastest closed contact, summed";
    }
    &["grasp"] => {
        drop_m: "how far the lower of the two cubes has sunk", "at most 1e-3";
        drop_expected_m: "how far the cubes must sink by the closed form of a block between two rough faces";
        creep_expected_m_per_s: "creep speed by the closed form";
        normal_impulse_pair_N_s: "impulse per step along the row of cubes, mean of the pairs; squeeze times step";
        normal_impulse_pair_error_N_s: "largest difference of that impulse from squeeze times step";
        tangent_rows: "most tangential rows of a step under no-slip";
        tangent_rows_kept: "independent ones among the tangential rows";
        drift_m: "largest distance of a cube from its start";
    }
    &["pinch"] => {
        drop_m: "how far the capsule has sunk since the settling time";
        fall_m: "how far the capsule has sunk in all", "at most 0.02, half a pad's height";
    }
    &["grasp", "pinch", "slope"] => {
        creep_m_per_s: "speed of a body that should be held: downwards at the end of a grasp, mean over the run elsewhere";
    }
    PILES => {
        drift_m: "largest distance of a box from its place at the settling time", "at most half a box's side";
        tilt_max_rad: "largest turn of a box since the settling time";
    }
    &["slope"] => {
        drift_m: "how far the box moved along the slope", "at most 1e-4, where friction is enough to hold it";
        acceleration_m_per_s2: "measured acceleration down the slope";
        acceleration_frictionless_m_per_s2: "g sin(slope)";
        acceleration_coulomb_m_per_s2: "g (sin - mu cos), 0 where friction holds";
        acceleration_error_rel: "difference of the measured acceleration from Coulomb's, over it";
        slope_rad: "angle of the slope";
    }
    &["trot"] => {
        tilt_max_rad: "largest tilt of the base", "at most 0.8";
        speed_command_m_per_s: "commanded speed";
        walked_m: "distance walked forwards";
        heading_error_rad: "angle between the base and its commanded heading at the end";
        base_height_min_m: "least height of the base above the ground", "at least half of its standing height";
    }
    &["hexapod"] => {
        tilt_max_rad: "largest tilt of the trunk", "at most 0.5";
        moving_parts: "bodies that move";
        hinges: "hinges of the walker";
        motors: "motors of the walker";
        trunk_height_m: "height of the trunk at the end", "at least half of that at the start";
        feet_on_ground: "feet that press at the end";
    }
    &["stand"] => {
        normal_force_error_rel: "largest difference of the ground's normal forces from the weight in the last 0.1 s, relative";
        weight_N: "weight of the robot";
        base_height_m: "height of the base at the end", "at least half of that at the start";
        base_upright_share: "cosine of the base's tilt at the end", "at least 0.8";
        base_drift_m: "largest distance of the base from its place at the settling time; more than its height: slid";
        base_speed_end_m_per_s: "speed of the base at the end";
    }
    &["stand", "trot"] => {
        pressing_contacts: "contacts that press in the last step";
    }
    &["drop"] => {
        settled: "1 if every link is at rest at the end";
        settle_time_s: "time since which every link has been at rest";
        residual_speed_m_per_s: "largest speed of a link at the end", "at most 0.01";
        residual_turn_rad_per_s: "largest angular speed of a link at the end", "at most 0.05";
        speed_max_m_per_s: "largest speed of a link in the run";
        joint_limit_violation_max_rad: "largest angle of a revolute joint beyond a limit";
        joint_limit_violation_max_m: "largest distance of a prismatic joint beyond a limit";
        mimic_error_max: "largest distance of a mimic joint from its leader's value [rad or m]";
        joint_speed_over_limit_max: "largest speed of a joint over its limit [-]";
        base_drop_m: "how far the base came down";
        mass_kg: "mass of the robot";
        colliders_declared: "collision shapes in the file";
        colliders_loaded: "colliders in the scene";
        loop_gap_max_m: "largest gap of a closed loop of links";
        loop_gap_max_rad: "largest angle between the two frames of a closed loop";
    }
    &["free-flight"] => {
        com_error_m: "largest distance of the centre of mass from its parabola";
        angular_momentum_error_rel: "largest change of the angular momentum about the centre of mass, relative";
        limit_gap_min_rad: "least distance of a joint from a limit";
        joint_error_2h_rad: "error of the joint angles at twice the step, against a fine one";
        joint_error_h_rad: "error of the joint angles at the step";
        joint_error_half_h_rad: "error of the joint angles at half the step";
        joint_order: "order of convergence between 2h and h [-]";
        joint_order_fine: "order of convergence between h and h/2 [-]";
    }
    &["carry"] => {
        load_theory_N: "load that the contacts hold at their normal forces (limit analysis over the last 20 steps)";
        load_centred_N: "2 mu F: the load that two fingers hold between the middles of their pads";
        load_held_max_N: "largest load on the fingers before the object slipped";
        creep_max_m: "largest distance of the object from its place in the hand before it slipped";
        slip_load_N: "load at which the object slipped";
        slip_load_error_rel: "difference of that load from load_theory_N, over it", "at most 0.02";
        slip_time_s: "time at which the object slipped";
    }
    WALKERS => {
        speed_mean_m_per_s: "mean forward speed since it began to walk";
        speed_error_rel: "difference of the mean speed from the command, over it";
        sideways_m: "distance walked to the left";
    }
    HINGED => {
        joint_drift_max_m: "largest gap between the two anchors of a hinge";
        joint_axis_error_max_rad: "largest angle between the two axes of a hinge";
    }
    SWINGS => {
        period_closed_form_s: "period by the closed form (elliptic integral)";
        period_s: "measured period";
        period_error_rel: "difference of the two over the closed form";
        energy_error_rel: "largest change of the energy over the energy of the swing";
        angle_max_rad: "largest angle from the vertical";
    }
    BLOCKS => {
        heading_error_rad: "angle between the path of the box and the path by the closed form";
        closed_form_error_m_per_s: "largest difference of the velocity from the closed form of this model with this step";
    }
    &["slide"] => {
        stop_distance_m: "distance until the box stopped";
        stop_distance_coulomb_m: "v^2 / (2 mu g): that distance by Coulomb's law";
        stop_distance_error_rel: "difference of the two over the latter; -v h / 2 of it is the step, which moves by its end velocity";
        stop_distance_scheme_m: "stopping distance of this time step by Coulomb's law";
        speed_end_m_per_s: "speed at the end", "at most 1e-3, of a box that had the time to stop";
        rolling_speed_error_rel: "largest slip speed of a rolling sphere's lowest point, over its speed";
        rolling_speed_end_error_rel: "difference of the speed at the end from that of a rolling sphere, over it", "at most 1e-3";
    }
    &["grasp", "hover", "conveyor", "roll"] => {
        speed_end_m_per_s: "speed of the moving body at the end, along its path";
    }
    &["conveyor"] => {
        ride_time_s: "time from which the box has the belt's speed";
        ride_time_coulomb_s: "v / (mu g): that time by Coulomb's law";
        slip_coulomb_m: "v^2 / (2 mu g): how far the box slides on the belt";
        slip_scheme_m: "that distance for a step that moves by the velocity at its end";
    }
    &["hover"] => {
        hover_height_m: "height to which the first step lifts the cube";
        hover_predicted_m: "mu v h: that of the convex law";
        lift_max_m: "largest height of the cube above the ground", "at most 1e-4";
    }
    &["spin"] => {
        speed_end_rad_per_s: "angular speed at the end";
        deceleration_rad_per_s2: "deceleration by the closed form";
    }
    &["roll"] => {
        deceleration_m_per_s2: "deceleration by the closed form";
    }
    &["spin", "roll"] => {
        closed_form_error_rel: "largest difference of the speed from the closed form, over the speed at the start";
    }
    &["polygon"] => {
        friction_share_min: "least friction of any direction over mu f_n [-]";
        friction_share_max: "most friction of any direction over mu f_n [-]";
        heading_error_max_rad: "largest angle between friction and the direction against the motion";
        friction_share_expected_min: "least friction share of a polygon with this many corners, by the closed form [-]";
        polygon_error_rel: "difference of the measured least share from the closed form, relative";
    }
    &["painleve"] => {
        painleve_number: "Painleve's number [-]; below 0 no finite force holds the rod";
        normal_acceleration_free_m_per_s2: "acceleration of the foot without a normal force";
        time_s: "simulated time";
        angle_rad: "angle of the rod to the ground at the end";
        foot_speed_m_per_s: "speed of the foot at the end";
        normal_force_max_N: "largest normal force";
        steps_with_several_solutions: "steps with more than one solution";
        steps_failed: "steps without an answer", "at most 0";
    }
    &["contact-table"] => {
        solved_share_016: "share of the problems of 16 unknowns that were solved", "at least 1";
        solved_share_050: "share of the problems of 50 unknowns that were solved", "at least 1";
        solved_share_100: "share of the problems of 100 unknowns that were solved", "at least 1";
        solved_share_170: "share of the problems of 170 unknowns that were solved", "at least 1";
        solve_median_016_us: "median time of a solve of 16 unknowns";
        solve_median_050_us: "median time of a solve of 50 unknowns";
        solve_median_100_us: "median time of a solve of 100 unknowns";
        solve_median_170_us: "median time of a solve of 170 unknowns";
        published_share_016: "share of the problems of 16 unknowns that were solved as published [T95]";
        published_share_050: "share of the problems of 50 unknowns that were solved as published [T95]";
        published_share_100: "share of the problems of 100 unknowns that were solved as published [T95]";
        published_share_170: "share of the problems of 170 unknowns that were solved as published [T95]";
    }
    &["bounce"] => {
        rebound_error_rel: "largest difference of a rebound's height from e^2 times the one before, over it";
        rebounds: "rebounds that were measured";
        energy_gain_rel: "energy above that of the start, over it";
        height_end_m: "height of the ball's lowest point at the end";
    }
    &["granular", "peg"] => {
        overlap_max_m: "deepest overlap of two bodies";
    }
    &["granular"] => {
        overlap_max_radii: "deepest overlap over the radius of a sphere [-]", "at most 2e-3";
        overlap_mean_radii: "mean overlap of the contacts over the radius [-]";
        flowed_out: "spheres beyond the slot at the end";
        speed_end_max_m_per_s: "speed of the fastest sphere at the end";
        kinetic_energy_end_J: "kinetic energy at the end";
    }
    &["peg"] => {
        depth_m: "depth of the peg in the hole at the end", "at least 0.95 of the hole";
        depth_start_m: "depth of the peg in the hole at the start";
        wedge_depth_theory_m: "mu D: up to this depth a peg with two contacts is wedged";
        lean_end_rad: "tilt of the peg at the end";
        lean_max_rad: "largest tilt of the peg";
        pusher_height_m: "height of the pusher at the end";
    }
    EVERY_RUN => {
        residual_max: "largest residual of a step [-]: how far an answer misses its law; 1e-6 is 1 um/s in a scene of 1 m/s";
        steps_above_1e_8: "steps whose residual is above 1e-8";
        steps_above_1e_6: "steps whose residual is above 1e-6";
        steps_above_1e_4: "steps whose residual is above 1e-4";
        failures: "islands of contacts that ended without a usable answer, over all steps";
        fallbacks: "islands whose first solver failed, over all steps";
        pivots_mean: "changes of the active set per step, mean";
        pivots_max: "changes of the active set in a step, largest";
        contacts_mean: "contacts per step, mean";
        contacts_max: "contacts per step, largest";
        spins_left_out_max: "contacts of a step whose torsional and rolling coefficients the model leaves out";
        step_median_us: "time of a step, median";
        step_p99_us: "time of a step, 99th percentile";
        step_mean_us: "time of a step, mean";
        step_max_us: "time of the longest step";
        detect_median_us: "time of collision detection, median";
        assemble_median_us: "time of dynamics and assembly, median";
        solve_median_us: "time of the solve, median";
        solve_total_us: "time of all solves";
        integrate_median_us: "time of write-back and integration, median";
    }
};
