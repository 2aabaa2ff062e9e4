//! Scenes that users of other simulators reported, and scenes common to simulators.

use super::super::experiment::{Experiment, PLAIN, line};

/// Figures of other simulators in the same scene, at h = 5 ms unless the scene says otherwise; times are with
/// collision detection.
const SAME_SCENE: &str = "same scene, measured on 2 cores, x86-64, by 21 November 2026; in one run with ours: docs/benchmarks.md";

/// How far a cube is lifted, as a user saw it: 318 mm.
const GENESIS: &[(&str, f64)] = &[("Genesis", 318.0 / 1000.0)];

/// Sections C and D.
pub(super) const SCENES: &[Experiment] = &[
    Experiment {
        id: "C1-pinch",
        title: "A 45 g capsule pinched between two pads with 12 N for a minute: creep",
        source: "MuJoCo issue 3328",
        scenario: "pinch",
        models: &["no-slip", "stewart-trinkle", "cone", "host"],
        set: &["squeeze=12"],
        duration: [60.0, 4.0],
        lines: &[
            line(
                "no-slip",
                "creep_m_per_s",
                &[
                    ("MuJoCo, elliptic, at best", 50e-6),
                    ("MuJoCo, pyramidal, at best", 1500e-6),
                    ("MuJoCo, 10 no-slip iterations", 1.4e-6),
                ],
            ),
            line(
                "stewart-trinkle",
                "creep_m_per_s",
                &[("MuJoCo, pyramidal, at best", 1500e-6)],
            ),
            line(
                "cone",
                "creep_m_per_s",
                &[("MuJoCo, elliptic, at best", 50e-6)],
            ),
        ],
        ..PLAIN
    },
    Experiment {
        id: "C3-hover",
        title: "A cube slides at 6 m/s: a convex model of friction lifts it off the ground",
        source: "Genesis issue 3126 (fixed there in July 2026)",
        scenario: "hover",
        models: &["cone", "stewart-trinkle", "ccp", "host"],
        duration: [1.5, 1.5],
        lines: &[
            line("cone", "lift_max_m", GENESIS),
            line("stewart-trinkle", "lift_max_m", GENESIS),
            line("ccp", "lift_max_m", GENESIS),
        ],
        ..PLAIN
    },
    Experiment {
        id: "C4-push",
        title: "A block slides at 30 degrees to the axes: a friction polygon changes its direction",
        source: "SimBenchmark, rolling test (in words)",
        scenario: "slide",
        models: &["cone", "stewart-trinkle", "host"],
        set: &["direction=30"],
        lines: &[
            line("cone", "heading_error_rad", &[]),
            line("stewart-trinkle", "heading_error_rad", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "C10-flight",
        title: "A floating robot with an offset mass thrown spinning: its centre of mass after 1 s",
        source: "rapier's multibodies, the same robot",
        scenario: "free-flight",
        models: &["no-slip"],
        set: &["order=false"],
        lines: &[
            line("no-slip", "com_error_m", &[("rapier 0.36", 0.54)]),
            line("no-slip", "angular_momentum_error_rel", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "D1-box",
        title: "A box at rest",
        source: SAME_SCENE,
        scenario: "box",
        models: &["no-slip", "cone", "host"],
        duration: [5.0, 2.0],
        lines: &[
            line(
                "no-slip",
                "step_median_us",
                &[
                    ("rapier 0.36", 5.3),
                    ("MuJoCo 4.0", 5.7),
                    ("DART 6.20", 7.3),
                    ("Drake 1.51, at best", 32.0),
                ],
            ),
            line(
                "no-slip",
                "penetration_max_m",
                &[("rapier 0.36", 0.07e-3), ("MuJoCo 4.0", 0.02e-3)],
            ),
            line(
                "no-slip",
                "pivots_mean",
                &[("Siconos issue 214, iterations", 100_000.0)],
            ),
        ],
        ..PLAIN
    },
    Experiment {
        id: "D2-stack",
        title: "Ten boxes on top of each other",
        source: SAME_SCENE,
        scenario: "stack",
        models: &["no-slip", "cone", "host"],
        duration: [6.0, 2.0],
        lines: &[
            line(
                "no-slip",
                "step_median_us",
                &[
                    ("rapier 0.36", 18.0),
                    ("MuJoCo 4.0", 37.0),
                    ("DART 6.20", 313.0),
                    ("Drake 1.51, at best", 3375.0),
                ],
            ),
            line(
                "no-slip",
                "penetration_max_m",
                &[
                    ("rapier 0.36", 4.97e-3),
                    ("MuJoCo 4.0", 0.28e-3),
                    ("DART 6.20", 0.004e-3),
                ],
            ),
            line(
                "no-slip",
                "drift_m",
                &[("rapier 0.36", 1.9e-3), ("DART 6.20", 0.07e-3)],
            ),
        ],
        ..PLAIN
    },
    Experiment {
        id: "D2-multibodies",
        title: "The same boxes as multibodies",
        source: SAME_SCENE,
        scenario: "stack",
        models: &["no-slip", "host"],
        set: &["multibody=true"],
        duration: [6.0, 2.0],
        lines: &[
            line("no-slip", "step_median_us", &[("rapier 0.36", 1581.0)]),
            line("no-slip", "penetration_max_m", &[("rapier 0.36", 4.9e-3)]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "D3-grasp",
        title: "Boxes of 0.5 and 1.5 kg held with 20 N at mu = 100: creep, depth, time",
        source: SAME_SCENE,
        scenario: "grasp",
        models: &["no-slip", "cone", "host"],
        set: &["mass=0.5", "mass_2=1.5", "squeeze=20", "mu=100"],
        dt: Some(0.005),
        duration: [10.0, 2.0],
        lines: &[
            line(
                "no-slip",
                "creep_m_per_s",
                &[
                    ("MuJoCo 4.0, elliptic, at best", 0.03e-3),
                    ("MuJoCo 4.0, noslip, at worst", 0.0014e-3),
                    ("DART 6.20", 0.001e-3),
                    ("Drake 1.51, at best", 0.0001e-3),
                ],
            ),
            line("no-slip", "penetration_max_m", &[("rapier 0.36", 2.3e-3)]),
            line(
                "no-slip",
                "step_median_us",
                &[
                    ("rapier 0.36, multibodies", 95.0),
                    ("MuJoCo 4.0, noslip", 21.0),
                    ("DART 6.20", 26.0),
                ],
            ),
            line("cone", "creep_m_per_s", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "D4-holds",
        title: "A box on a slope at 0.98 of what friction holds, turned by 22.5 degrees: it sticks",
        source: SAME_SCENE,
        scenario: "slope",
        models: &["cone", "no-slip", "stewart-trinkle", "host"],
        set: &["ratio=0.98", "direction=22.5"],
        duration: [2.0, 2.0],
        lines: &[
            line(
                "cone",
                "creep_m_per_s",
                &[
                    ("MuJoCo 4.0, elliptic", 0.014e-3),
                    ("rapier 0.36, free bodies", 0.353),
                ],
            ),
            line(
                "no-slip",
                "creep_m_per_s",
                &[
                    ("MuJoCo 4.0, elliptic", 0.014e-3),
                    ("rapier 0.36, free bodies", 0.353),
                ],
            ),
        ],
        ..PLAIN
    },
    Experiment {
        id: "D4-slides",
        title: "The same box at 1.02: it accelerates at g (sin - mu cos)",
        source: SAME_SCENE,
        scenario: "slope",
        models: &["cone", "stewart-trinkle", "host"],
        set: &["ratio=1.02", "direction=22.5"],
        duration: [2.0, 2.0],
        lines: &[line(
            "cone",
            "acceleration_error_rel",
            &[("Drake 1.51", 0.79)],
        )],
        ..PLAIN
    },
    Experiment {
        id: "D5-stand",
        title: "Unitree A1 standing under joint PD control",
        source: SAME_SCENE,
        scenario: "stand",
        models: &["no-slip", "cone", "host"],
        robot: Some("a1_description/urdf/a1.urdf"),
        duration: [5.0, 3.0],
        lines: &[
            line(
                "no-slip",
                "step_median_us",
                &[
                    ("rapier 0.36", 284.0),
                    ("MuJoCo 4.0", 11.7),
                    ("DART 6.20", 40.0),
                    ("Drake 1.51, at best", 63.0),
                ],
            ),
            line(
                "no-slip",
                "slip_max_m",
                &[
                    ("rapier 0.36", 5.6e-3),
                    ("MuJoCo 4.0", 3.3e-3),
                    ("DART 6.20", 0.018e-3),
                    ("Drake 1.51, at best", 0.07e-3),
                ],
            ),
            line("no-slip", "normal_force_error_rel", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "D6-stop",
        title: "Stopping distance of a box that slides at 45 degrees to its axes, relative to v^2 / (2 mu g)",
        source: SAME_SCENE,
        scenario: "slide",
        models: &["cone", "stewart-trinkle", "host"],
        set: &["direction=45", "speed=3"],
        lines: &[
            line(
                "cone",
                "stop_distance_error_rel",
                &[
                    ("rapier 0.36, Coulomb", -0.002),
                    ("MuJoCo 4.0, pyramid", 0.41),
                    ("DART 6.20", -0.30),
                    ("Drake 1.51", -0.008),
                ],
            ),
            line(
                "stewart-trinkle",
                "stop_distance_error_rel",
                &[("MuJoCo 4.0, pyramid", 0.41)],
            ),
        ],
        ..PLAIN
    },
    Experiment {
        id: "D7-spheres",
        title: "A thousand spheres with a radius of 50 mm at rest in a box",
        source: SAME_SCENE,
        scenario: "granular",
        models: &["ccp", "host"],
        set: &["slot=0", "settle=2"],
        dt: Some(0.005),
        duration: [3.0, 2.2],
        lines: &[
            line(
                "ccp",
                "overlap_max_m",
                &[("rapier 0.36", 10.2e-3), ("MuJoCo 4.0", 5.9e-3)],
            ),
            line(
                "ccp",
                "step_median_us",
                &[
                    ("rapier 0.36", 3.5e3),
                    ("MuJoCo 4.0, at best", 26e3),
                    ("DART 6.20, at best", 309e3),
                    ("Drake 1.51, at best", 580e3),
                ],
            ),
        ],
        ..PLAIN
    },
    Experiment {
        id: "D8-contacts-100",
        title: "One free body on a hundred contacts",
        source: SAME_SCENE,
        scenario: "box",
        models: &["no-slip", "host"],
        set: &["feet=100"],
        duration: [3.0, 1.0],
        lines: &[
            line(
                "no-slip",
                "step_median_us",
                &[
                    ("rapier 0.36", 136.0),
                    ("MuJoCo 4.0", 87.0),
                    ("DART 6.20", 2525.0),
                    ("Drake 1.51", 221.0),
                ],
            ),
            line("no-slip", "penetration_max_m", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "D8-contacts-1000",
        title: "One free body on a thousand contacts",
        source: SAME_SCENE,
        scenario: "box",
        models: &["no-slip", "host"],
        set: &["feet=1000"],
        duration: [2.0, 0.5],
        lines: &[
            line(
                "no-slip",
                "step_median_us",
                &[
                    ("rapier 0.36", 1505.0),
                    ("MuJoCo 4.0", 875.0),
                    ("DART 6.20", 2_220_000.0),
                    ("Drake 1.51", 2662.0),
                ],
            ),
            line("no-slip", "penetration_max_m", &[]),
        ],
        ..PLAIN
    },
];
