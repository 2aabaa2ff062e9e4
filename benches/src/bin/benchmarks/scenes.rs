//! Tables of scenes from `stickslip-heaps`.

use crate::page::{Section, ahead, head, row, short};
use crate::source::{Per, Published, Source};
use std::error::Error;
use stickslip_heaps::engine::{Engine, Precision};
use stickslip_heaps::measure::Outcome;
use stickslip_heaps::single::scenes;
use stickslip_heaps::turns::{self, Plan};

/// Time that an engine may step a scene \[s\].
const LIMIT: f64 = 30.0;

/// The scene under `cone` and under rapier.
pub fn outcomes(
    published: &Published,
    double: bool,
    quick: bool,
) -> Result<Vec<Outcome>, Box<dyn Error>> {
    let short = scenes::find(published.scene).map(|e| e.short);
    let short = short.filter(|_| quick);
    let plan = Plan {
        scene: published.scene.to_owned(),
        size: Some(short.map_or(published.size, |s| s.0)),
        steps: short.map(|s| s.1).or(published.steps),
        dt: published.dt,
        seed: 0,
        precision: if double {
            Precision::F64
        } else {
            Precision::F32
        },
        limit: LIMIT,
    };
    let engines: [Engine; 2] = ["cone".parse()?, "host".parse()?];
    Ok(turns::run(&plan, &engines)?)
}

/// The time that the source compares.
fn time(per: Per, outcome: &Outcome) -> f64 {
    let mean = outcome.step_us.mean;
    match per {
        Per::Step => 1e-3 * mean,
        Per::Body => mean / outcome.label.bodies as f64,
        Per::Run => 1e-6 * mean * outcome.done as f64,
    }
}

fn figure(outcome: &Outcome) -> String {
    outcome.figure.map_or("-".to_owned(), |f| {
        let text = short(f.value);
        if f.right.has(f.value) {
            text
        } else {
            format!("**{text}**")
        }
    })
}

/// The section of a source.
pub fn section(source: &Source, quick: bool) -> Result<Section, Box<dyn Error>> {
    let unit = match source.per {
        Per::Step => "mean step [ms]",
        Per::Body => "step and body [us]",
        Per::Run => "whole run [s]",
    };
    let published = format!("published: {unit}");
    let ours = format!("stickslip: {unit}");
    let columns = [
        "scene",
        "figure",
        "stickslip",
        "rapier",
        ours.as_str(),
        "median / worst step [ms]",
        "rapier",
        published.as_str(),
        "ahead in time",
        "residual: median / worst",
        "steps above 1e-8 / 1e-6 / 1e-4",
        "what they say",
    ];
    let mut text = format!(
        "{} Bold figures are not right. Times of rapier are of the same unit as ours.\n\n{}",
        source.about,
        head(&columns)
    );
    let (mut ended, mut headline) = (Vec::new(), Vec::new());
    for published in source.scenes {
        eprintln!("  {} {}", published.scene, published.size);
        let all = outcomes(published, source.double, quick)?;
        let [ours, host] = &all[..] else {
            continue;
        };
        let label = &ours.label;
        for outcome in &all {
            if outcome.done < label.steps {
                ended.push(format!(
                    "{} {} under `{}` was ended after {} of {} steps.",
                    label.scene, label.size, outcome.engine, outcome.done, label.steps
                ));
            }
        }
        let took = time(source.per, ours);
        // A short form is another scene than theirs.
        let theirs = published.time.filter(|_| !quick);
        if let (Some(name), Some(of_ours)) = (published.headline, ours.figure) {
            let of = |o: &Outcome| match o.figure {
                Some(figure) => format!(
                    "{}, {} ms",
                    short(figure.value),
                    short(1e-3 * o.step_us.mean)
                ),
                None => "-".to_owned(),
            };
            let said = theirs.map_or(String::new(), |(who, t)| format!("{who} {} ms", short(t)));
            headline.push([
                format!("{name}: {}, mean step", of_ours.right.name),
                of(ours),
                of(host),
                format!("published: {said}; {}", published.note),
            ]);
        }
        let residual = ours.residual.unwrap_or_default();
        let [above_8, above_6] = ours.above_small;
        text += &row([
            format!(
                "{} {}, {} bodies, dt {}",
                label.scene,
                label.size,
                label.bodies,
                short(label.dt)
            ),
            ours.figure
                .map_or(String::new(), |f| f.right.name.to_owned()),
            figure(ours),
            figure(host),
            short(took),
            format!(
                "{} / {}",
                short(1e-3 * ours.step_us.median),
                short(1e-3 * ours.step_us.max)
            ),
            short(time(source.per, host)),
            theirs.map_or(String::new(), |(who, t)| format!("{who} {}", short(t))),
            theirs.map_or(String::new(), |(who, t)| ahead(took, t, who)),
            format!("{:.0e} / {:.0e}", residual.median, residual.max),
            format!("{above_8} / {above_6} / {} of {}", ours.above, ours.done),
            published.note.to_owned(),
        ]);
    }
    for line in ended {
        text += &format!("\n{line}\n");
    }
    text += "\nWhat the scenes are: `cargo run --release -p stickslip-heaps --bin heaps -- --published --list`; one of them: \
             `heaps SCENE:SIZE:STEPS --models cone,host --precision f64`.\n";
    let mut section = Section::new(source.title, text);
    section.headline = headline;
    Ok(section)
}
