//! Error against processor time over time steps.

use crate::page::short;
use crate::scenes;
use crate::source::{Published, scene};
use std::error::Error;
use stickslip_experiments::plot::{Plot, Scale, Series, Style};

/// Errors below this are drawn there.
const FLOOR: f64 = 1e-16;

/// A curve: scene, size, duration \[s\], error, and a published point (who, processor time \[s\], error).
struct Subject {
    scene: &'static str,
    size: usize,
    duration: f64,
    error: &'static str,
    point: Option<(&'static str, f64, f64)>,
}

const SUBJECTS: [Subject; 5] = [
    Subject {
        scene: "666",
        size: 6,
        duration: 10.0,
        error: "squared penetration [m^2]",
        point: Some(("DART at 1 ms, published", 24.6, 2.8e-4)),
    },
    Subject {
        scene: "elastic-666",
        size: 6,
        duration: 10.0,
        error: "drift of the energy [-]",
        point: None,
    },
    Subject {
        scene: "bouncing",
        size: 1,
        duration: 2.0,
        error: "mean error of the height [m]",
        point: None,
    },
    Subject {
        scene: "rolling",
        size: 5,
        duration: 1.0,
        error: "error of the speed [-]",
        point: None,
    },
    Subject {
        scene: "kapla-8",
        size: 8,
        duration: 60.0,
        error: "largest way of a body [m]",
        point: None,
    },
];

const STEPS: [f64; 6] = [0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

/// A figure, the name of its file, and who is below whom.
pub struct Curve {
    pub name: String,
    pub plot: Plot,
    pub said: String,
}

/// Whether a point lies below a curve: no point of the curve takes at most its time at no larger error.
fn below(point: (f64, f64), curve: &[(f64, f64)]) -> bool {
    !curve.iter().any(|c| c.0 <= point.0 && c.1 <= point.1)
}

/// Who is ahead, in words.
fn said(subject: &Subject, ours: &[(f64, f64)], host: &[(f64, f64)]) -> String {
    let under = host.iter().filter(|p| below(**p, ours)).count();
    let over = ours.iter().filter(|p| below(**p, host)).count();
    let theirs = match subject.point {
        None => "no point of this scene is at hand.".to_owned(),
        Some((who, time, error)) => format!(
            "the point of {who} ({} s, {}) lies {} our curve.",
            short(time),
            short(error),
            if below((time, error), ours) {
                "below"
            } else {
                "above"
            }
        ),
    };
    format!(
        "{}: {theirs} Of rapier's {} points {under} lie below our curve; of our {} points {over} lie below rapier's. (A point lies \
         above a curve that has a point no slower and no less exact.)",
        subject.scene,
        host.len(),
        ours.len()
    )
}

/// A figure for each scene.
pub fn draw(quick: bool) -> Result<Vec<Curve>, Box<dyn Error>> {
    SUBJECTS.iter().map(|s| curve(s, quick)).collect()
}

fn curve(subject: &Subject, quick: bool) -> Result<Curve, Box<dyn Error>> {
    eprintln!("  curve of {}", subject.scene);
    let mut lines = [Vec::new(), Vec::new()];
    let steps = if quick { &STEPS[2..4] } else { &STEPS[..] };
    for &dt in steps {
        let published = Published {
            steps: Some((subject.duration / dt).round() as usize),
            dt: Some(dt),
            ..scene(subject.scene, subject.size)
        };
        for (outcome, line) in scenes::outcomes(&published, true, quick)?
            .iter()
            .zip(&mut lines)
        {
            if let Some(figure) = outcome
                .figure
                .filter(|_| outcome.done == outcome.label.steps)
            {
                let time = 1e-6 * outcome.step_us.mean * outcome.done as f64;
                line.push((time, figure.value.max(FLOOR)));
            }
        }
    }
    let [ours, host] = lines;
    let said = said(subject, &ours, &host);
    let mut series: Vec<_> = [("stickslip", ours), ("rapier", host)]
        .into_iter()
        .map(|(name, points)| Series {
            name: name.to_owned(),
            points,
            style: Style::Marked,
        })
        .collect();
    series.extend(subject.point.map(|(who, time, error)| Series {
        name: who.to_owned(),
        points: vec![(time, error)],
        style: Style::Marked,
    }));
    let plot = Plot {
        title: format!("{}: error against time, steps of 50 to 1 ms", subject.scene),
        x: "processor time [s]".to_owned(),
        y: subject.error.to_owned(),
        scale: [Scale::Logarithmic; 2],
        series,
    };
    Ok(Curve {
        name: format!("benchmark-{}", subject.scene),
        plot,
        said,
    })
}
