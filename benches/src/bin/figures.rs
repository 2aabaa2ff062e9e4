//! The figures of `docs/contact_models.md`, made by solving problems with the core.
//!
//! ```text
//! cargo run --release -p stickslip-benches --bin figures -- --out docs/figures
//! ```
//! Writes all figures or none. `--quick` takes few points and is for tests.

use clap::Parser;
use std::error::Error;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::path::PathBuf;

use stickslip_benches::motion::{Block, GRAVITY, grasp_fall, rod};
use stickslip_benches::solver;
use stickslip_core::models::{ModelName, ModelSettings, PolygonSettings, Solver};
use stickslip_core::problem::ContactData;
use stickslip_core::report::SolveStatus;
use stickslip_experiments::plot::{Plot, Scale, Series, Style, svg};

/// The figures of docs/contact_models.md.
#[derive(Parser)]
struct Args {
    /// Folder of the figures
    #[arg(long, value_name = "DIR", default_value = "docs/figures")]
    out: PathBuf,
    /// Few points only
    #[arg(long)]
    quick: bool,
}

type Drawn = Result<Plot, Box<dyn Error>>;

/// Models with what they are called in a legend.
type Subject = (ModelName, ModelSettings, String);

fn plain(name: ModelName) -> Subject {
    (name, ModelSettings::default(), name.to_string())
}

fn polygon(name: ModelName, directions: usize) -> Subject {
    let settings = ModelSettings {
        polygon: PolygonSettings {
            directions,
            ..PolygonSettings::default()
        },
        ..ModelSettings::default()
    };
    (name, settings, format!("{name}, d = {directions}"))
}

/// Those in service.
fn in_service(subjects: Vec<Subject>) -> Vec<Subject> {
    let known = |s: &Subject| ModelName::ALL.contains(&s.0);
    subjects.into_iter().filter(known).collect()
}

fn friction(mu: f64) -> ContactData {
    ContactData {
        mu,
        ..ContactData::default()
    }
}

fn line(name: &str, points: Vec<(f64, f64)>) -> Series {
    Series {
        name: name.to_owned(),
        points,
        style: Style::Line,
    }
}

/// `count + 1` values from `from` to `to`.
fn between(from: f64, to: f64, count: usize) -> impl Iterator<Item = f64> {
    (0..=count).map(move |i| from + (to - from) * i as f64 / count as f64)
}

const MU: f64 = 0.5;

/// Share of mu f_n that acts against the motion, by the direction of sliding.
fn friction_polygon(quick: bool) -> Drawn {
    let count = if quick { 16 } else { 180 };
    let mut series = Vec::new();
    let mut subjects: Vec<_> = [4, 8, 16]
        .map(|d| polygon(ModelName::StewartTrinkle, d))
        .to_vec();
    subjects.push(plain(ModelName::Cone));
    for (name, settings, label) in in_service(subjects) {
        let mut solver = solver(name, settings)?;
        let mut points = Vec::new();
        for angle in between(0.0, PI, count) {
            let mut block = Block::sliding(friction(MU), 1.0, angle, 1e-4);
            block.step(&mut solver)?;
            let answer = solver.solution();
            let sum = |f: &[f64]| f.iter().sum::<f64>();
            let along = sum(&answer.f_s) * angle.cos() + sum(&answer.f_t) * angle.sin();
            points.push((angle.to_degrees(), -along / (MU * sum(&answer.f_n))));
        }
        series.push(line(&label, points));
    }
    Ok(Plot {
        title: "Friction along the direction of sliding".to_owned(),
        x: "direction [deg]".to_owned(),
        y: "share of mu f_n".to_owned(),
        scale: [Scale::Linear; 2],
        series,
    })
}

/// Where a sliding block comes to rest.
struct Stop {
    /// Distance over `v0^2 / (2 mu g)`.
    distance: f64,
    /// Angle between where it set out and where it went \[deg\].
    heading: f64,
}

fn stop(solver: &mut Solver, angle: f64) -> Result<Stop, Box<dyn Error>> {
    let speed = 1.0;
    let mut block = Block::sliding(friction(MU), speed, angle, 1e-3);
    // No polygon has less than cos(pi/4) of the cone's friction.
    let most = (2.0 * speed / (MU * GRAVITY) / block.h) as usize;
    for _ in 0..most {
        block.step(solver)?;
        if block.speed() < 1e-6 {
            break;
        }
    }
    let gone = block.position.xy();
    let turned = gone.y.atan2(gone.x) - angle;
    Ok(Stop {
        distance: gone.norm() * 2.0 * MU * GRAVITY / (speed * speed),
        heading: ((turned + PI).rem_euclid(TAU) - PI).to_degrees(),
    })
}

/// Stopping distance and heading by direction: two plots.
fn sliding(quick: bool) -> Result<[Plot; 2], Box<dyn Error>> {
    let count = if quick { 4 } else { 60 };
    let (mut distances, mut headings) = (Vec::new(), Vec::new());
    let subjects = vec![
        polygon(ModelName::StewartTrinkle, 4),
        polygon(ModelName::StewartTrinkle, 8),
        plain(ModelName::Cone),
        plain(ModelName::Ccp),
        polygon(ModelName::DrumwrightShell, 4),
    ];
    for (name, settings, label) in in_service(subjects) {
        let mut solver = solver(name, settings)?;
        let (mut far, mut turned) = (Vec::new(), Vec::new());
        for angle in between(0.0, FRAC_PI_2, count) {
            let stop = stop(&mut solver, angle)?;
            far.push((angle.to_degrees(), stop.distance));
            turned.push((angle.to_degrees(), stop.heading));
        }
        distances.push(line(&label, far));
        headings.push(line(&label, turned));
    }
    let plot = |title: &str, y: &str, series: Vec<Series>| Plot {
        title: title.to_owned(),
        x: "direction of sliding [deg]".to_owned(),
        y: y.to_owned(),
        scale: [Scale::Linear; 2],
        series,
    };
    Ok([
        plot(
            "Distance to rest of a sliding block",
            "distance over v0^2 / (2 mu g)",
            distances,
        ),
        plot("Heading of a sliding block", "turned by [deg]", headings),
    ])
}

/// Height at which a sliding block hovers while it slows down, by its speed. The tolerance covers the
/// height, so that friction goes on; under `ccp` the block starts where it is to stay.
fn hover(quick: bool) -> Drawn {
    let h = 0.005;
    let (most, every) = if quick { (4, 1) } else { (400, 8) };
    let mut series = Vec::new();
    let subjects = vec![
        plain(ModelName::Ccp),
        plain(ModelName::Cone),
        polygon(ModelName::StewartTrinkle, 4),
    ];
    for (name, settings, label) in in_service(subjects) {
        let settings = ModelSettings {
            closed_tolerance: 0.1,
            ..settings
        };
        let mut solver = solver(name, settings)?;
        let mut block = Block::sliding(friction(MU), 6.0, 0.0, h);
        if name == ModelName::Ccp {
            block.position.z = h * MU * (6.0 - MU * GRAVITY * h);
        }
        let mut points = Vec::new();
        for step in 0..most {
            block.step(&mut solver)?;
            if step % every == 0 && block.speed() > 0.01 {
                points.push((block.speed(), 1e3 * block.position.z));
            }
        }
        points.reverse();
        series.push(line(&label, points));
    }
    let law = between(0.0, 6.0, 24).map(|speed| (speed, 1e3 * h * MU * speed));
    series.push(Series {
        name: "h mu v".to_owned(),
        points: law.collect(),
        style: Style::Dots,
    });
    Ok(Plot {
        title: "Height of a sliding block above the ground (h = 5 ms, mu = 0.5)".to_owned(),
        x: "speed [m/s]".to_owned(),
        y: "height [mm]".to_owned(),
        scale: [Scale::Linear; 2],
        series,
    })
}

/// Speed of the cubes of the paper's grasp after ten steps, by friction.
fn grasp(quick: bool) -> Drawn {
    let count = if quick { 2 } else { 30 };
    let mut series = Vec::new();
    let subjects = vec![
        plain(ModelName::NoSlip),
        polygon(ModelName::StewartTrinkle, 4),
        plain(ModelName::Cone),
        plain(ModelName::Ccp),
        polygon(ModelName::DrumwrightShell, 4),
        plain(ModelName::Viscous),
        plain(ModelName::Frictionless),
    ];
    for (name, settings, label) in in_service(subjects) {
        let mut points = Vec::new();
        for mu in between(0.03, 0.06, count) {
            let contact = ContactData {
                mu_viscous: 0.1,
                ..friction(mu)
            };
            let mut solver = solver(name, settings.clone())?;
            points.push((mu, grasp_fall(&mut solver, contact, 10)?));
        }
        series.push(line(&label, points));
    }
    Ok(Plot {
        title: "The grasp of [D15, Table I]: two cubes of 1 kg under 200 N".to_owned(),
        x: "mu".to_owned(),
        y: "speed of fall after 0.1 s [m/s]".to_owned(),
        scale: [Scale::Linear; 2],
        series,
    })
}

/// Speed of a block on a viscous film, against the exponential.
fn viscous(quick: bool) -> Drawn {
    let steps = if quick { 5 } else { 100 };
    let (h, mu) = (0.02, 0.5);
    let contact = ContactData {
        mu_viscous: mu,
        ..friction(0.0)
    };
    let mut series = Vec::new();
    for (name, settings, label) in in_service(vec![
        plain(ModelName::Viscous),
        plain(ModelName::ViscousAcceleration),
    ]) {
        let mut solver = solver(name, settings)?;
        let mut block = Block::sliding(contact, 1.0, 0.4, h);
        let mut points = vec![(0.0, 1.0)];
        for step in 1..=steps {
            block.step(&mut solver)?;
            points.push((step as f64 * h, block.speed()));
        }
        series.push(line(&label, points));
    }
    let end = steps as f64 * h;
    let law = between(0.0, end, 40).map(|t| (t, (-4.0 * mu * t).exp()));
    series.push(Series {
        name: "exp(-n mu_v t / m)".to_owned(),
        points: law.collect(),
        style: Style::Dots,
    });
    Ok(Plot {
        title: "A block of 1 kg on four viscous contacts (mu_v = 0.5 N s/m, h = 20 ms)".to_owned(),
        x: "time [s]".to_owned(),
        y: "speed [m/s]".to_owned(),
        scale: [Scale::Linear; 2],
        series,
    })
}

/// Where the sliding rod has no solution at acceleration level.
fn painleve(quick: bool) -> Drawn {
    let (across, up) = if quick { (6, 4) } else { (37, 16) };
    let mut none = Vec::new();
    let subjects = in_service(vec![plain(ModelName::CoulombAcceleration)]);
    for (name, settings, _) in subjects {
        let mut solver = solver(name, settings)?;
        for mu in between(1.0, 3.0, up) {
            for degrees in between(15.0, 89.0, across) {
                let builder = rod(degrees.to_radians(), mu, 1e-3)?;
                if solver.solve(builder.finished()?).status == SolveStatus::NoSolution {
                    none.push((degrees, mu));
                }
            }
        }
    }
    // 1 + 3 cos (cos - mu sin) = 0.
    let edge = |degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        (1.0 + 3.0 * cos * cos) / (3.0 * sin * cos)
    };
    let law = between(15.0, 89.0, 148).map(|d| (d, edge(d)));
    let mut series = vec![line(
        "mu = (1 + 3 cos^2) / (3 sin cos)",
        law.filter(|(_, mu)| *mu <= 3.0).collect(),
    )];
    if !none.is_empty() {
        series.push(Series {
            name: "coulomb-acceleration: no solution".to_owned(),
            points: none,
            style: Style::Dots,
        });
    }
    Ok(Plot {
        title: "A rod sliding on its foot".to_owned(),
        x: "angle to the ground [deg]".to_owned(),
        y: "mu".to_owned(),
        scale: [Scale::Linear; 2],
        series,
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let [distance, heading] = sliding(args.quick)?;
    let plots = [
        ("friction_polygon", friction_polygon(args.quick)?),
        ("sliding_distance", distance),
        ("sliding_heading", heading),
        ("hover", hover(args.quick)?),
        ("grasp_hold", grasp(args.quick)?),
        ("viscous_decay", viscous(args.quick)?),
        ("painleve", painleve(args.quick)?),
    ];
    let mut files = Vec::new();
    for (name, plot) in &plots {
        // A model that is not in service yet leaves its figure out.
        if plot.series.is_empty() {
            continue;
        }
        files.push((args.out.join(format!("{name}.svg")), svg(plot)?));
    }
    stickslip_files::write_all(&files)?;
    Ok(())
}
