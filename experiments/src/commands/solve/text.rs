//! The answer as tables.

use super::answer::Answer;
use crate::digits::{count, number};
use crate::table::{self, right};
use comfy_table::{Cell, Table};
use stickslip_core::models::{ContactSolution, ModelSettings};
use stickslip_core::problem::{BlockId, ContactProblem, RowId};
use stickslip_core::report::SolveStatus;

/// Rows of a table that are shown; JSON has them all.
const SHOWN: usize = 60;

/// A status in words.
pub(super) fn meaning(status: SolveStatus) -> &'static str {
    match status {
        SolveStatus::Solved => "every condition holds",
        SolveStatus::SolvedInMotion => "every condition holds as far as motion can tell",
        SolveStatus::EnergyBound => {
            "the answer made kinetic energy that nothing asked for, and was shortened until it did not"
        }
        SolveStatus::ExactCone => {
            "the model's solver gave up; this is the answer by the exact cone"
        }
        SolveStatus::TooLarge => {
            "the model would take more than `budget.memory` or `budget.work` allows; this is the engine's answer"
        }
        SolveStatus::Relaxed => {
            "the constraints contradict each other; they hold in the least-squares sense"
        }
        SolveStatus::SeveralSolutions => "several answers satisfy the conditions; this is one",
        SolveStatus::IterationLimit => {
            "the iterations ran out before the tolerance was reached; the answer is the best found"
        }
        SolveStatus::Inaccurate => "the answer fails the residual test",
        SolveStatus::JointsOpen => "joints are open by more than a millimetre",
        SolveStatus::PivotLimit => "the pivots ran out",
        SolveStatus::Cycled => "the pivoting went round in a circle",
        SolveStatus::RayTermination => "the pivoting left on a ray: there may be no answer",
        SolveStatus::Infeasible => "the constraints contradict each other",
        SolveStatus::NoSolution => "no impulses satisfy the conditions",
        SolveStatus::Unstable => {
            "the step is too long for explicit friction; take a shorter one, or the model viscous"
        }
        SolveStatus::Jammed => "bodies are wedged: contact forces of any size balance each other",
        SolveStatus::NonFinite => "a number that is not finite appeared",
    }
}

fn new_table<const K: usize>(header: [&str; K]) -> Table {
    let mut table = table::plain();
    table.set_header(header.map(right));
    table
}

fn add(table: &mut Table, cells: impl IntoIterator<Item = String>) {
    table.add_row(cells.into_iter().map(right));
}

/// A table, and how many rows it leaves out.
fn finish(table: &Table, rows: usize) -> String {
    match rows.saturating_sub(SHOWN) {
        0 => format!("\n{}\n", table::text(table)),
        more => format!(
            "\n{}\n... and {more} more (--json has them all)\n",
            table::text(table)
        ),
    }
}

/// Everything a reader needs of an answer.
pub(super) fn table(
    problem: &ContactProblem,
    settings: &ModelSettings,
    answer: &Answer,
    solution: &ContactSolution,
) -> String {
    let mut text = format!(
        "{}: {}\n{} by {}: {} in {}, {}, {}, {}; {}, {}\n",
        answer.status.as_str(),
        meaning(answer.status),
        answer.model,
        answer.solver_used.as_str(),
        count(problem.dim(), "coordinate"),
        count(problem.block_count(), "block"),
        count(problem.contact_count(), "contact"),
        count(problem.scalar_count(), "other row"),
        count(answer.islands, "island"),
        count(answer.pivots, "pivot"),
        count(answer.iterations, "iteration"),
    );
    if answer.fallbacks + answer.failures > 0 {
        text += &format!(
            "the chosen solver left {} to others; {} without an answer\n",
            count(answer.fallbacks, "island"),
            count(answer.failures, "island")
        );
    }
    if answer.spins_left_out > 0 {
        text += &format!(
            "{} has no torsional and rolling friction: that of {} is left out\n",
            answer.model,
            count(answer.spins_left_out, "contact")
        );
    }
    if problem.contact_count() > 0 {
        text += &contacts(problem, settings, solution);
    }
    for (name, list) in [
        ("J", &answer.f_j),
        ("limit", &answer.f_limits),
        ("bounded", &answer.f_bounded),
    ] {
        if !list.is_empty() {
            let mut table = new_table([name, "impulse [N s]"]);
            for (i, f) in list.iter().enumerate().take(SHOWN) {
                add(&mut table, [i.to_string(), number(*f)]);
            }
            text += &finish(&table, list.len());
        }
    }
    text += &velocities(problem, solution);
    text += &residuals(answer);
    text.truncate(text.trim_end().len());
    text
}

fn contacts(
    problem: &ContactProblem,
    settings: &ModelSettings,
    solution: &ContactSolution,
) -> String {
    let spins = !problem.spins().is_empty();
    let header = [
        "contact",
        "gap [m]",
        "f_n [N s]",
        "f_s [N s]",
        "f_t [N s]",
        "N v+ [m/s]",
        "slip [m/s]",
        "state",
        "spin n, s, t [N m s]",
    ];
    let mut table = new_table(header);
    for (c, data) in problem.contacts().iter().enumerate().take(SHOWN) {
        let normal = problem.row(RowId(3 * c)).dot(&solution.v_plus) + data.normal_drift;
        let state = match (settings.is_closed(data), solution.f_n[c] > 0.0) {
            (false, false) => "open",
            (false, true) => "closing",
            (true, false) => "unloaded",
            (true, true) => "pressed",
        };
        let spin = solution.f_spin[c].map(number).join(", ");
        add(
            &mut table,
            [
                c.to_string(),
                number(data.phi),
                number(solution.f_n[c]),
                number(solution.f_s[c]),
                number(solution.f_t[c]),
                number(normal),
                number(solution.slip[c]),
                state.to_owned(),
                if spins { spin } else { String::new() },
            ],
        );
    }
    table::hide_empty(&mut table);
    finish(&table, problem.contact_count())
}

fn velocities(problem: &ContactProblem, solution: &ContactSolution) -> String {
    let mut table = table::plain();
    table.set_header(["block", "v+ [m/s, rad/s]"]);
    for b in (0..problem.block_count()).take(SHOWN) {
        let v = &solution.v_plus[problem.block_range(BlockId(b))];
        let mut shown: Vec<_> = v.iter().take(SHOWN).map(|x| number(*x)).collect();
        if v.len() > SHOWN {
            shown.push("...".to_owned());
        }
        table.add_row([b.to_string(), shown.join(", ")]);
    }
    finish(&table, problem.block_count())
}

fn residuals(answer: &Answer) -> String {
    let r = &answer.residuals;
    let lines = [
        ("signorini", r.signorini, "impulse and separation at once"),
        ("penetration", r.penetration, "approach that is left"),
        ("cone", r.cone, "friction beyond its bound"),
        (
            "dissipation",
            r.dissipation,
            "friction not against the slip",
        ),
        (
            "bilateral",
            r.bilateral,
            "equations J v+ = c, bounds of rows",
        ),
        (
            "contradiction",
            r.contradiction,
            "what contradictory rows leave open",
        ),
        ("momentum", r.momentum, "M (v+ - v_free) less all impulses"),
        (
            "slip",
            r.slip,
            "fastest closed contact [m/s], no error by itself",
        ),
    ];
    let mut table = table::plain();
    table.set_header([
        "residual",
        "value",
        "meaning (relative to 1 + max |v_free|)",
    ]);
    for (name, value, meaning) in lines {
        table.add_row([Cell::new(name), right(number(value)), Cell::new(meaning)]);
    }
    format!("\n{}\n", table::text(&table))
}
