//! Other engines on this machine, as `benches/peers/run.py` measured them, beside ours.

use crate::page::{NEAR, Section, ahead, head, row, short};
use crate::peer_scenes::{HEAPS, Heap, Run, SCENES};
use crate::robot;
use crate::scenes;
use crate::source::{Published, scene};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use stickslip_experiments::runner::run;
use stickslip_experiments::settings::{Request, RunSettings};

/// The file of the peers.
#[derive(Debug, Deserialize)]
struct Peers {
    /// Name of the machine's processor.
    machine: String,
    /// Day of the run.
    date: String,
    /// Engines with their versions; why those are missing that are.
    engines: BTreeMap<String, String>,
    /// What was left out.
    #[serde(default)]
    notes: Vec<String>,
    rows: Vec<Row>,
}

/// A scene under an engine.
#[derive(Clone, Debug, Default, Deserialize)]
struct Row {
    scene: String,
    engine: String,
    /// Settings other than the engine's own.
    #[serde(default)]
    options: String,
    /// Whether it held, stands, rests, if that is the question.
    #[serde(default)]
    outcome: String,
    /// The error of the scene, if it has one.
    error: Option<f64>,
    /// Deepest overlap \[m\].
    #[serde(default)]
    depth: Option<f64>,
    /// Median time of a step \[us\].
    step_us: f64,
}

/// Errors below this are rounding [m, or relative].
const ROUNDING: f64 = 1e-9;

/// Outcomes under which a scene did not do what is asked, so that errors and times say nothing.
const FAILED: [&str; 5] = ["dropped", "slipped", "moves", "fell", "slides"];

impl Row {
    fn failed(&self) -> bool {
        FAILED.contains(&self.outcome.as_str())
    }

    /// Who is ahead of whom, in the error and in time; `ours` is the row of `cone`.
    fn compared(&self, ours: Option<&Row>) -> [String; 2] {
        let Some(ours) = ours else {
            return Default::default();
        };
        if self.failed() || ours.failed() {
            let failed = |r: &Row| {
                if r.failed() {
                    r.outcome.clone()
                } else {
                    "-".to_owned()
                }
            };
            return [failed(self), failed(self)];
        }
        let error = match (ours.error, self.error) {
            (Some(own), Some(other)) if own.abs().max(other.abs()) < ROUNDING => {
                "both at rounding".to_owned()
            }
            (Some(own), Some(other)) => ahead(own.abs(), other.abs(), &self.engine),
            _ => String::new(),
        };
        [error, ahead(ours.step_us, self.step_us, &self.engine)]
    }

    fn line(&self, what: &str, ours: Option<&Row>) -> String {
        let who = format!("{} {}", self.engine, self.options);
        let number = |x: Option<f64>| x.map_or("-".to_owned(), short);
        let [error, time] = self.compared(ours);
        row([
            &self.scene,
            what,
            who.trim(),
            &self.outcome,
            &number(self.error),
            &number(self.depth),
            &short(self.step_us),
            &error,
            &time,
        ])
    }
}

/// How an engine compares with `cone` over all scenes.
#[derive(Default)]
struct Score {
    scenes: usize,
    /// Scenes in which it did not do what is asked, and those it did not end in time.
    failed: usize,
    ended: usize,
    /// Scenes in which `cone` and the engine have the smaller error, and the shorter step.
    error: [usize; 2],
    time: [usize; 2],
}

impl Score {
    fn add(&mut self, ours: &Row, other: &Row) {
        self.scenes += 1;
        if other.failed() {
            self.failed += 1;
            return;
        }
        let mut count = |which: fn(&mut Self) -> &mut [usize; 2], own: f64, theirs: f64| {
            if own * NEAR < theirs {
                which(self)[0] += 1;
            } else if theirs * NEAR < own {
                which(self)[1] += 1;
            }
        };
        count(|s| &mut s.time, ours.step_us, other.step_us);
        match (ours.error, other.error) {
            (Some(own), Some(theirs)) => {
                let over = |x: f64| x.abs().max(ROUNDING);
                count(|s| &mut s.error, over(own), over(theirs));
            }
            _ => self.ended += 1,
        }
    }

    fn line(&self, who: &str) -> String {
        let numbers = [
            self.scenes,
            self.failed,
            self.ended,
            self.error[0],
            self.error[1],
            self.time[0],
            self.time[1],
        ];
        row(std::iter::once(who.to_owned()).chain(numbers.map(|n| n.to_string())))
    }
}

/// A scenario of ours under `cone`, `no-slip` and rapier.
fn own(scene: &Run, file: Option<&Path>, quick: bool) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for model in ["cone", "no-slip", "host"] {
        let short = 0.2_f64.max(2.0 * scene.dt);
        let request = Request {
            scenario: scene.run.to_owned(),
            model: Some(model.to_owned()),
            dt: Some(scene.dt),
            duration: Some(if quick { short } else { scene.duration }),
            robot: file.map(Path::to_owned),
            set: scene.set.iter().map(|s| (*s).to_owned()).collect(),
            ..Request::default()
        };
        let result = run(&RunSettings::new(&request)?)?;
        rows.push(Row {
            scene: scene.scene.to_owned(),
            engine: if model == "host" { "rapier" } else { model }.to_owned(),
            outcome: result.outcome.clone(),
            error: result.metric(scene.error),
            depth: result.metric("penetration_max_m"),
            step_us: result.timing_us.step_median,
            ..Row::default()
        });
    }
    Ok(rows)
}

/// A scene of the heaps under `cone` and rapier, and what its error is.
fn heap(heap: &Heap, quick: bool) -> Result<(&'static str, Vec<Row>), Box<dyn Error>> {
    let published = Published {
        steps: Some(heap.steps),
        dt: Some(heap.dt),
        ..scene(heap.run, heap.size)
    };
    let mut what = "deepest overlap in the last quarter [m]";
    let mut rows = Vec::new();
    for (outcome, who) in scenes::outcomes(&published, true, quick)?
        .iter()
        .zip(["cone", "rapier"])
    {
        let figure = outcome.figure.map(|f| (f.right.name, f.value));
        what = figure.map_or(what, |f| f.0);
        let ended = match outcome.done < outcome.label.steps {
            true => "ended by the limit of time",
            false => "",
        };
        rows.push(Row {
            scene: heap.scene.to_owned(),
            engine: who.to_owned(),
            outcome: ended.to_owned(),
            error: Some(figure.map_or(outcome.depth_tail, |f| f.1)),
            depth: Some(outcome.depth_tail),
            step_us: outcome.step_us.median,
            ..Row::default()
        });
    }
    Ok((what, rows))
}

/// A line of the page's first table: each engine at its most exact.
fn headline(name: &str, own: &[Row], others: &[Row]) -> [String; 4] {
    let said = |r: &Row| {
        let error = match r.error {
            Some(error) if !r.failed() => short(error),
            _ => r.outcome.clone(),
        };
        format!("{error}, {} us", short(r.step_us))
    };
    let find = |who: &str| {
        own.iter()
            .find(|r| r.engine == who)
            .map_or(String::new(), &said)
    };
    let mut best: BTreeMap<&str, &Row> = BTreeMap::new();
    for other in others {
        let error = |r: &Row| match r.error {
            Some(error) if !r.failed() => error.abs(),
            _ => f64::INFINITY,
        };
        let kept = best.entry(&other.engine).or_insert(other);
        if error(other) < error(kept) {
            *kept = other;
        }
    }
    let best = best.into_iter().map(|(who, r)| match r.options.as_str() {
        "" => format!("{who} {}", said(r)),
        options => format!("{who} ({options}) {}", said(r)),
    });
    [
        name.to_owned(),
        find("cone"),
        find("rapier"),
        best.collect::<Vec<_>>().join("; "),
    ]
}

const HOW: &str = "`python benches/peers/run.py --out peers.json` in an environment with what \
    `benches/peers/requirements.txt` names measures other engines; `benchmarks --peers peers.json` sets ours beside them.";

/// How the others are set, and what the columns are.
const ABOUT: &str = "Times are medians of a step, collision detection among them. Overlaps are the deepest since a scene has \
    settled, in heaps that of the last quarter of the steps. `stiff` are contacts as stiff as MuJoCo allows at this step (a time \
    constant of two steps, friction ten times as stiff), `no-slip` ten iterations of its no-slip solver; MuJoCo 4.0.0 has a wrong \
    sparse factor (its issue 3767). Drake steps discretely, at the same time step: `lagged` (its default) and `SAP` are its \
    approximations that SAP solves, `TAMSI` is the other; moduli, relaxation time and dissipation are its defaults, boxes and \
    capsules touch at compliant patches, balls at points. DART detects by Bullet. Panda is that of assets/panda.urdf \
    (benches/peers/panda.xml). A1 is the file of example-robot-data with kp 80, kd 1 and friction 0.8, without rotor inertias; \
    its drives are implicit except in Bullet. Left out: Panda in Bullet and DART, which know no rotor inertia; pyramids and \
    1,000 contacts in DART and heaps under TAMSI, whose steps take seconds.";

/// The section, or a sentence on how to get it.
pub fn section(
    file: Option<&Path>,
    robots: Option<&Path>,
    quick: bool,
) -> Result<Section, Box<dyn Error>> {
    let title = "Other engines on the same machine";
    let Some(file) = file else {
        let text = format!("Left out: no `--peers FILE` was given. {HOW}\n");
        return Ok(Section::new(title, text));
    };
    let said = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
    let text = std::fs::read_to_string(file).map_err(|e| said(&e))?;
    let peers: Peers = serde_json::from_str(&text).map_err(|e| said(&e))?;
    let engines = peers
        .engines
        .iter()
        .map(|(name, version)| format!("{name} {version}"));
    let mut section = Section::new(title, String::new());
    section.text = format!(
        "Measured on {}, {}: {}. {HOW} {ABOUT}\n\n{}",
        peers.machine,
        peers.date,
        engines.collect::<Vec<_>>().join(", "),
        head(&[
            "scene",
            "error",
            "engine",
            "outcome",
            "its error",
            "overlap [m]",
            "median step [us]",
            "ahead in the error",
            "ahead in time"
        ])
    );
    let mut notes = peers.notes.clone();
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let rows_of = |name: &str| -> Vec<Row> {
        let rows = peers.rows.iter().filter(|r| r.scene == name);
        rows.cloned().collect()
    };
    let mut add = |what: &str, title: Option<&str>, rows: (Vec<Row>, Vec<Row>)| {
        let (own, others) = rows;
        for r in &own {
            let beside = own.first().filter(|_| r.engine == "rapier");
            section.text += &r.line(what, beside);
        }
        for other in &others {
            section.text += &other.line(what, own.first());
        }
        let rapier = own.iter().filter(|r| r.engine == "rapier");
        if let Some(ours) = own.first() {
            for other in rapier.chain(&others) {
                let who = format!("{} {}", other.engine, other.options);
                let score = scores.entry(who.trim().to_owned()).or_default();
                score.add(ours, other);
            }
        }
        if let Some(title) = title {
            section.headline.push(headline(title, &own, &others));
        }
    };
    for scene in &SCENES {
        let others = rows_of(scene.scene);
        if others.is_empty() {
            continue;
        }
        let robot = scene.robot.map(|file| (file, robot::file(robots, file)));
        if let Some((file, None)) = robot {
            notes.push(format!(
                "{} is left out: {}",
                scene.scene,
                robot::missing(file)
            ));
            continue;
        }
        eprintln!("  {}", scene.scene);
        let robot = robot.and_then(|(_, found)| found);
        let own = own(scene, robot.as_deref(), quick)?;
        add(scene.error, scene.headline, (own, others));
    }
    for scene in &HEAPS {
        let others = rows_of(scene.scene);
        if !others.is_empty() {
            eprintln!("  {}", scene.scene);
            let (what, own) = heap(scene, quick)?;
            add(what, None, (own, others));
        }
    }
    section.text += &format!(
        "\nAll of these scenes, `cone` beside each engine (errors below {} are equal; only scenes in which the other does what is \
         asked count for errors and times):\n\n{}",
        short(ROUNDING),
        head(&[
            "engine",
            "scenes",
            "failed",
            "not ended in time",
            "stickslip more exact",
            "the other more exact",
            "stickslip faster",
            "the other faster"
        ])
    );
    for (who, score) in &scores {
        section.text += &score.line(who);
    }
    for note in notes {
        section.text += &format!("\n{note}\n");
    }
    Ok(section)
}
