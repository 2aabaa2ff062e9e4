//! Outcomes as a page of tables: a row per scene, in its cells the engines one after another.

use crate::engine::{Engine, Precision};
use crate::measure::Outcome;
use crate::table::figures;
use std::fmt::Write;

/// The page. `command` is the one that made it, `about` what a scene is by its name.
pub fn page(
    command: &str,
    about: impl Fn(&str) -> Option<&'static str>,
    all: &[Outcome],
) -> String {
    let engines = first_of_each(all.iter().map(|o| o.engine));
    let names: Vec<_> = engines.iter().map(Engine::to_string).collect();
    let mut page = head(command, &names.join(" / "));
    for precision in [Precision::F32, Precision::F64] {
        let here = all.iter().filter(|o| o.label.precision == precision);
        let here: Vec<_> = here.collect();
        if here.is_empty() {
            continue;
        }
        let _ = writeln!(page, "\n## {}\n", precision.as_str());
        for engine in &engines {
            let own = here.iter().filter(|o| o.engine == *engine);
            let (runs, sane) = own.fold((0, 0), |(runs, sane), o| {
                (runs + 1, sane + usize::from(o.verdict == "sane"))
            });
            let _ = writeln!(page, "- `{engine}`: {sane} of {runs} runs are sane");
        }
        page += "\n| scene | peak speed [m/s] | energy gained | depth at the end [mm] | joints open [mm] | mean step [us] | \
                 worst step [us] |\n|---|---|---|---|---|---|---|\n";
        for runs in here.chunk_by(|a, b| is_same_world(a, b)) {
            row(&mut page, runs);
        }
        page += "\nNot sane, or stopped by the limit of time:\n\n";
        let mut none = true;
        for outcome in here.iter().filter(|o| o.verdict != "sane") {
            none = false;
            let label = &outcome.label;
            let _ = writeln!(
                page,
                "- {} {}, `{}`: {}",
                label.scene, label.size, outcome.engine, outcome.verdict
            );
        }
        if none {
            page += "- none\n";
        }
    }
    page += "\n## The scenes\n";
    page + &legend(about, all)
}

/// A table of the scenes: a name and a sentence each.
pub(crate) fn legend(about: impl Fn(&str) -> Option<&'static str>, all: &[Outcome]) -> String {
    let mut table = "\n| scene | what it is |\n|---|---|\n".to_owned();
    for scene in first_of_each(all.iter().map(|o| o.label.scene)) {
        let _ = writeln!(table, "| {scene} | {} |", about(scene).unwrap_or_default());
    }
    table
}

/// The values without repetitions, in the order of their first appearance.
pub(crate) fn first_of_each<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    values.fold(Vec::new(), |mut found, value| {
        if !found.contains(&value) {
            found.push(value);
        }
        found
    })
}

fn head(command: &str, engines: &str) -> String {
    format!(
        "# Common rapier scenes\n\
         \n\
         Copies of one world, stepped in turns by rapier (`host`) and by contact models of stickslip. This page is written by\n\
         \n\
         ```sh\n\
         {command}\n\
         ```\n\
         \n\
         In every cell: {engines}. Times are processor times of one thread; compare them within a row. *Energy gained* is the\n\
         largest kinetic energy that one step adds beyond the work of gravity, relative to the energy of the scene; `-` where motors,\n\
         moving bodies or bounces do work. *Depth at the end* is the deepest penetration in the last quarter of the run. *Joints open* is\n\
         the widest gap of an impulse joint in any step. A run is *sane* when all numbers are finite, no body is faster than the scene\n\
         explains, no joint is open by a millimetre more than rapier's, structures that should stand do, and no step takes more than\n\
         20 times the median (and more than a millisecond).\n"
    )
}

fn is_same_world(a: &Outcome, b: &Outcome) -> bool {
    let of = |o: &Outcome| (o.label.scene, o.label.size, o.label.seed, o.label.steps);
    of(a) == of(b)
}

fn row(page: &mut String, runs: &[&Outcome]) {
    let Some(first) = runs.first() else { return };
    let label = &first.label;
    let cell = |value: &dyn Fn(&Outcome) -> Option<f64>| {
        let cells = runs.iter().map(|outcome| match value(outcome) {
            Some(x) => figures(x),
            None => "-".to_owned(),
        });
        cells.collect::<Vec<_>>().join(" / ")
    };
    let _ = writeln!(
        page,
        "| {} {} | {} | {} | {} | {} | {} | {} |",
        label.scene,
        label.size,
        cell(&|o| Some(o.speed)),
        cell(&|o| o.excess_relative),
        cell(&|o| Some(1e3 * o.depth_tail)),
        cell(&|o| Some(1e3 * o.gap)),
        cell(&|o| Some(o.step_us.mean)),
        cell(&|o| Some(o.step_us.max)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turns::{self, Plan};

    /// Two engines, one scene: the row has both, the list what is wrong with one of them.
    #[test]
    fn a_row_per_scene_and_a_line_per_fault() {
        let plan = Plan {
            scene: "slide".to_owned(),
            size: Some(2),
            steps: Some(3),
            dt: None,
            seed: 0,
            precision: Precision::F32,
            limit: 10.0,
        };
        let engines = ["no-slip".parse().unwrap(), Engine::Host];
        let mut outcomes = turns::run(&plan, &engines).unwrap();
        outcomes[1].verdict = "joint open by 3 mm".to_owned();
        let page = page("heaps slide:2:3", |_| Some("cubes that slide"), &outcomes);
        let rows: Vec<_> = page
            .lines()
            .filter(|l| l.starts_with("| slide 2 |"))
            .collect();
        assert_eq!(rows.len(), 1, "{page}");
        assert_eq!(rows[0].matches(" / ").count(), 6, "{}", rows[0]);
        for line in [
            "In every cell: no-slip / host",
            "- `no-slip`: 1 of 1 runs are sane",
            "- slide 2, `host`: joint open by 3 mm",
            "| slide | cubes that slide |",
        ] {
            assert!(page.lines().any(|l| l.starts_with(line)), "{line}\n{page}");
        }
        assert!(!page.contains("## f64"));
    }
}
