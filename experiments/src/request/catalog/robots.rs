//! Scenarios of robots that do something.

use super::keys::{BEFORE_WALK, ITERATIONS, effort, holding_mu};
use super::scenario::{PLAIN, Scenario, ScenarioId};
use crate::figures::figures;
use crate::keys::{FROM_ZERO, Key, POSITIVE};

pub(super) const TROT: Scenario = Scenario {
    id: ScenarioId::Trot,
    name: "trot",
    doc: "a quadruped (URDF) walks over a terrain: speed against the command, foot slip [D15, Table II]",
    keys: &[
        Key::choice(
            "gait",
            "trot",
            &["trot", "walk", "pace", "stand"],
            "order in which the feet move",
        ),
        Key::text(
            "speed",
            "auto",
            "commanded forward speed [m/s]; auto: 0.05 for the paper's robot, others by the root of their height",
        ),
        Key::number(
            "period",
            "0",
            FROM_ZERO,
            "period of the gait [s]; 0: 0.7 for the paper's robot, others by the root of their height",
        ),
        Key::number(
            "duty",
            "0",
            (0.0, 1.0),
            "share of the period for which a foot stands; 0: the gait's own (trot 0.75)",
        ),
        Key::number(
            "step_height",
            "0",
            FROM_ZERO,
            "how high a swinging foot rises [m]; 0: a tenth of the robot's height",
        ),
        Key::text(
            "terrain",
            "flat",
            "flat, paper (1e-6 m of noise), hills, or a file of heights [m]: a line per y, a number per x",
        ),
        Key::number(
            "hills_height",
            "0.02",
            POSITIVE,
            "from the lowest to the highest point of the hills [m]",
        ),
        Key::number(
            "spacing",
            "0.02",
            POSITIVE,
            "distance of neighbouring heights of a terrain file [m]",
        ),
        Key::number(
            "kp",
            "0",
            FROM_ZERO,
            "stiffness of the joint drives [N m/rad]; 0: 10 for the paper's robot, others by weight times height",
        ),
        Key::number(
            "kd",
            "0",
            FROM_ZERO,
            "damping of the joint drives [N m s/rad]; 0: 0.1 for the paper's robot, others in proportion",
        ),
        holding_mu("1"),
        Key::text(
            "pose",
            "",
            "joint:angle,... [rad] instead of the default standing pose",
        ),
        effort("urdf"),
        BEFORE_WALK,
        ITERATIONS,
    ],
    dt: 0.001,
    duration: 10.5,
    takes_robot: true,
    random: Some("the terrains `paper` and `hills`"),
    summary: &[
        "speed_mean_m_per_s",
        "speed_error_rel",
        "slip_max_m",
        "penetration_max_m",
        "tilt_max_rad",
    ],
    ..PLAIN
};

pub(super) const SHAKE: Scenario = Scenario {
    id: ScenarioId::Shake,
    name: "shake",
    doc: "a Panda (URDF) picks an object from the floor, lifts it and is shaken for 16 s: held or dropped, slip in the hand",
    keys: &[
        Key::choice(
            "object",
            "cube",
            &["cube", "ball", "bottle"],
            "a cube of 4 cm or a ball of as much across, 1000 kg/m^3; a lying bottle (a prism) of 6 cm across, 100 kg/m^3",
        ),
        Key::number(
            "noise",
            "0.025",
            FROM_ZERO,
            "standard deviation of the noise on each joint's target, new in every second step [rad]",
        ),
        Key::number(
            "armature",
            "0.1",
            FROM_ZERO,
            "rotor inertia of every joint [kg m^2 or kg]",
        ),
        holding_mu("1"),
        ITERATIONS,
    ],
    dt: 0.002,
    duration: 20.0,
    takes_robot: true,
    // How a pad's load is spread over its corners is up to what gives: pads of rubber by some 1e-6 m/N.
    presets: &["compliance=1e-6"],
    random: Some("the noise on the joints' targets"),
    figures: figures! {
        &["shake"] => {
            height_min_m: "least height of the object's origin from 4 s on", "at least 0.04";
            lost_at_s: "time at which the object's origin was first below that height after 4 s";
            slip_in_hand_max_m: "largest distance of the object from its place in the hand at 4 s, until it was lost";
            turn_in_hand_max_rad: "largest turn of the object against the hand since 4 s, until it was lost";
        }
    },
    summary: &[
        "height_min_m",
        "lost_at_s",
        "slip_in_hand_max_m",
        "turn_in_hand_max_rad",
        "steps_above_1e_8",
        "step_mean_us",
        "step_median_us",
        "step_max_us",
    ],
    ..PLAIN
};

pub(super) const CARRY: Scenario = Scenario {
    id: ScenarioId::Carry,
    name: "carry",
    doc: "any two-finger gripper (URDF) lifts an object and shakes it until it slips: load against the theoretical 2 mu F",
    keys: &[
        Key::number("squeeze", "6", POSITIVE, "force of each finger [N]"),
        Key::text(
            "object",
            "box",
            "what is carried: box, ball, cylinder, or a robot file with its own size and mass",
        ),
        Key::number("mass", "0.5", POSITIVE, "mass of the object [kg]"),
        Key::number(
            "side",
            "0.04",
            POSITIVE,
            "side of the box, diameter of the ball, diameter and height of the cylinder [m]",
        ),
        holding_mu("0.5"),
        Key::choice(
            "shake",
            "side",
            &["side", "up"],
            "whether it shakes sideways or up and down",
        ),
        Key::number(
            "growth",
            "2",
            FROM_ZERO,
            "growth of the acceleration's amplitude while it shakes [m/s^2 per s]",
        ),
        Key::number("height", "0.1", POSITIVE, "how far the cube is lifted [m]"),
        Key::number(
            "kp",
            "20000",
            FROM_ZERO,
            "stiffness of the arm's drives [N/m or N m/rad]",
        ),
        Key::number(
            "kd",
            "400",
            FROM_ZERO,
            "damping of the arm's drives [N s/m or N m s/rad]",
        ),
        Key::text(
            "pose",
            "",
            "joint:position,... of the arm at the start; its hand takes the cube from the ground below",
        ),
        ITERATIONS,
    ],
    dt: 0.001,
    duration: 7.5,
    takes_robot: true,
    // How a face's load is spread over its corners is up to what gives: so little that it shows nowhere
    // else.
    presets: &["compliance=1e-8"],
    summary: &[
        "slip_load_N",
        "load_theory_N",
        "slip_load_error_rel",
        "creep_max_m",
    ],
    ..PLAIN
};
