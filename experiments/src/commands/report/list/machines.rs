//! Experiments with robots that walk and carry, mechanisms, and many bodies.

use super::super::experiment::{Experiment, PLAIN, line};

const TA: &str = "Tasora, Anitescu 2009, sec. 7";

/// A peg at the mouth of its hole.
const PEG: Experiment = Experiment {
    source: "Gavrea; wedged below mu D",
    scenario: "peg",
    models: &["quasi-static"],
    duration: [6.0, 6.0],
    lines: &[line(
        "quasi-static",
        "depth_m",
        &[("mu D, wedged if less", 0.012)],
    )],
    ..PLAIN
};

/// What moves by itself or by the hundreds.
pub(super) const MACHINES: &[Experiment] = &[
    Experiment {
        id: "A2-trot",
        title: "The paper's quadruped trots on level ground at mu = 100: times relative to the first model, speed, slip of loaded feet",
        source: "Drumwright 2015, Table II",
        scenario: "trot",
        models: &["drumwright-shell", "no-slip", "stewart-trinkle", "cone"],
        set: &["mu=100"],
        duration: [10.5, 3.0],
        lines: &[
            line(
                "no-slip",
                "solve_total_speedup_to_first",
                &[("paper, whole run", 1.38)],
            ),
            line("no-slip", "speed_mean_m_per_s", &[("command", 0.05)]),
            line("no-slip", "slip_max_m", &[]),
            line(
                "stewart-trinkle",
                "speed_mean_m_per_s",
                &[("command", 0.05)],
            ),
            line("cone", "speed_mean_m_per_s", &[("command", 0.05)]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "A2-hills",
        title: "The same quadruped on hills of 20 mm",
        source: "Drumwright 2015, Fig. 2",
        scenario: "trot",
        models: &["no-slip", "viscous", "host"],
        set: &["terrain=hills"],
        duration: [10.5, 3.0],
        lines: &[
            line("no-slip", "speed_mean_m_per_s", &[("command", 0.05)]),
            line("no-slip", "penetration_max_m", &[]),
            line("viscous", "speed_mean_m_per_s", &[("command", 0.05)]),
            line("host", "speed_mean_m_per_s", &[("command", 0.05)]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "B1-hexapod",
        title: "A walker of 37 moving parts with 12 loops and 12 motors",
        source: TA,
        scenario: "hexapod",
        models: &["cone"],
        duration: [10.0, 3.0],
        lines: &[
            line("cone", "step_median_us", &[("paper, its machine", 1000.0)]),
            line("cone", "speed_mean_m_per_s", &[("command", 0.1)]),
            line("cone", "joint_drift_max_m", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "B2-granular",
        title: "A thousand spheres flow out of a box: overlap, time",
        source: TA,
        scenario: "granular",
        models: &["ccp"],
        duration: [2.0, 0.3],
        lines: &[
            line("ccp", "overlap_max_radii", &[("paper", 0.002)]),
            line("ccp", "step_median_us", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "B3-pendulum",
        title: "A pendulum, bilateral rows alone: period, drift of the hinge",
        source: "closed form (elliptic integral)",
        scenario: "pendulum",
        models: &["no-slip", "host"],
        duration: [10.0, 4.0],
        lines: &[
            line("no-slip", "period_s", &[("theory", 1.757_814_804_7)]),
            line("host", "period_s", &[("theory", 1.757_814_804_7)]),
            line("no-slip", "joint_drift_max_m", &[]),
            line("host", "joint_drift_max_m", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "B3-four-bar",
        title: "A parallelogram whose loop is closed by a hinge with three redundant rows",
        source: "closed form (elliptic integral)",
        scenario: "four-bar",
        models: &["no-slip", "host"],
        duration: [10.0, 4.0],
        lines: &[
            line("no-slip", "period_s", &[("theory", 1.965_296_697_6)]),
            line("host", "period_s", &[("theory", 1.965_296_697_6)]),
            line("no-slip", "joint_drift_max_m", &[]),
            line("host", "joint_drift_max_m", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "B5-wedged",
        title: "A peg pushed at its rim, 0.2 of its width in its hole: it touches twice within both friction cones and wedges",
        set: &["depth=0.2"],
        ..PEG
    },
    Experiment {
        id: "B5-inserted",
        title: "The same peg, started 0.32 of its width deep, goes in",
        set: &["depth=0.32"],
        ..PEG
    },
    Experiment {
        id: "C2-carry",
        title: "A gripper shakes a cube until it slips: the load relative to 2 mu F",
        source: "closed form (2 mu F)",
        scenario: "carry",
        models: &["cone", "no-slip"],
        duration: [7.5, 5.5],
        lines: &[
            line("cone", "slip_load_N", &[("theory", 6.0)]),
            line("cone", "creep_max_m", &[]),
            line("no-slip", "creep_max_m", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "C2-panda",
        title: "A Panda arm of seven joints lifts a cube with two coupled fingers and shakes it until it slips",
        source: "closed form (2 mu F)",
        scenario: "carry",
        models: &["cone", "no-slip"],
        set: &["side=0.02"],
        robot: Some("panda_description/urdf/panda_collision.urdf"),
        duration: [7.5, 7.5],
        lines: &[
            line("cone", "slip_load_N", &[("theory", 6.0)]),
            line("cone", "slip_max_m", &[]),
            line("no-slip", "slip_max_m", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "C5-mass-ratio",
        title: "A box of 1000 times the mass on a light one: penetration",
        source: "DART issue 3442",
        scenario: "mass-ratio",
        models: &["no-slip", "host"],
        duration: [5.0, 2.0],
        lines: &[
            line("no-slip", "penetration_max_m", &[]),
            line("host", "penetration_max_m", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "C8-bounce",
        title: "A ball rebounds: its height relative to e^2 h",
        source: "rapier issue 974",
        scenario: "bounce",
        models: &["no-slip", "host"],
        duration: [2.0, 1.5],
        lines: &[
            line("no-slip", "rebound_error_rel", &[("bound", 0.02)]),
            line("host", "rebound_error_rel", &[("bound", 0.02)]),
        ],
        ..PLAIN
    },
];
