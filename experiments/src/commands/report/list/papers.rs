//! Experiments of papers.

use super::super::experiment::{Experiment, PLAIN, line};

const D15: &str = "Drumwright 2015, Table I";

/// Sections A and B: what papers report, as published.
pub(super) const PAPERS: &[Experiment] = &[
    Experiment {
        id: "A1-times",
        title: "The paper's grasp, ten steps: three models, times relative to the first",
        source: D15,
        scenario: "grasp",
        models: &["stewart-trinkle:lemke", "no-slip:active-set", "no-slip:ppm"],
        set: &["contacts=paper", "mu=100"],
        duration: [0.1, 0.1],
        lines: &[
            line(
                "no-slip:active-set",
                "solve_total_speedup_to_first",
                &[("paper", 5.51)],
            ),
            line(
                "no-slip:ppm",
                "solve_total_speedup_to_first",
                &[("paper", 6.58)],
            ),
            line(
                "stewart-trinkle:lemke",
                "solve_total_us",
                &[("paper, its machine", 10.97e6)],
            ),
            line(
                "no-slip:active-set",
                "solve_total_us",
                &[("paper, its machine", 1.99e6)],
            ),
            line(
                "no-slip:ppm",
                "solve_total_us",
                &[("paper, its machine", 1.67e6)],
            ),
            line("no-slip:ppm", "pivots_mean", &[("paper", 5.5)]),
            line("no-slip:ppm", "pivots_max", &[("paper", 7.0)]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "A1-hold",
        title: "The paper's grasp over 10,000 steps: the paper's no-slip model held for at least 100, its Stewart-Trinkle dropped the cubes after about 10",
        source: D15,
        scenario: "grasp",
        models: &["no-slip", "stewart-trinkle", "cone", "host"],
        set: &[],
        duration: [100.0, 2.0],
        lines: &[
            line("no-slip", "drop_m", &[]),
            line("no-slip", "slip_max_m", &[]),
            line("stewart-trinkle", "drop_m", &[]),
            line("cone", "drop_m", &[]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "B4-polygon",
        title: "A block slides in every direction: the share of mu f_n that a friction polygon of four sides allows, and the cone",
        source: "Tan, Siu, Liu 2012; cos(pi/4)",
        scenario: "polygon",
        models: &["stewart-trinkle", "cone"],
        duration: [1.44, 1.44],
        lines: &[
            line(
                "stewart-trinkle",
                "friction_share_min",
                &[("theory", std::f64::consts::FRAC_1_SQRT_2)],
            ),
            line("cone", "friction_share_min", &[("theory", 1.0)]),
        ],
        ..PLAIN
    },
    Experiment {
        id: "B6-lemke",
        title: "Random contact problems of 16 to 170 unknowns by Lemke's method: share solved",
        source: "Trinkle et al. 1995",
        scenario: "contact-table",
        models: &["stewart-trinkle:lemke"],
        duration: [4.0, 0.8],
        lines: &[
            line(
                "stewart-trinkle:lemke",
                "solved_share_016",
                &[("paper", 1.0)],
            ),
            line(
                "stewart-trinkle:lemke",
                "solved_share_050",
                &[("paper", 0.35)],
            ),
            line(
                "stewart-trinkle:lemke",
                "solved_share_100",
                &[("paper", 0.10)],
            ),
            line(
                "stewart-trinkle:lemke",
                "solved_share_170",
                &[("paper", 0.0)],
            ),
        ],
        ..PLAIN
    },
    Experiment {
        id: "B6-interior-point",
        title: "The same problems by the interior-point method",
        source: "Trinkle et al. 1995",
        scenario: "contact-table",
        models: &["stewart-trinkle:interior-point"],
        duration: [4.0, 0.8],
        lines: &[
            line(
                "stewart-trinkle:interior-point",
                "solved_share_016",
                &[("paper", 1.0)],
            ),
            line(
                "stewart-trinkle:interior-point",
                "solved_share_050",
                &[("paper", 0.30)],
            ),
            line(
                "stewart-trinkle:interior-point",
                "solved_share_100",
                &[("paper", 0.70)],
            ),
            line(
                "stewart-trinkle:interior-point",
                "solved_share_170",
                &[("paper", 0.0)],
            ),
        ],
        ..PLAIN
    },
    Experiment {
        id: "B7-painleve",
        title: "A rod slides on its end in a pose without a solution at acceleration level (Painleve): models at velocity level go on",
        source: "Trinkle et al. 1995",
        scenario: "painleve",
        models: &["coulomb-acceleration", "stewart-trinkle", "cone", "no-slip"],
        duration: [0.2, 0.2],
        lines: &[
            line("stewart-trinkle", "angle_rad", &[]),
            line("cone", "angle_rad", &[]),
            line("no-slip", "angle_rad", &[]),
        ],
        ..PLAIN
    },
];
