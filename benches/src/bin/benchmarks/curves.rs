//! Error against processor time over time steps.

use crate::scenes;
use crate::source::Published;
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

const SUBJECTS: [Subject; 4] = [
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
];

const STEPS: [f64; 6] = [0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

/// A figure for each scene.
pub fn draw(quick: bool) -> Result<Vec<(String, Plot)>, Box<dyn Error>> {
    SUBJECTS.iter().map(|s| curve(s, quick)).collect()
}

fn curve(subject: &Subject, quick: bool) -> Result<(String, Plot), Box<dyn Error>> {
    eprintln!("  curve of {}", subject.scene);
    let mut lines = [Vec::new(), Vec::new()];
    let steps = if quick { &STEPS[2..4] } else { &STEPS[..] };
    for &dt in steps {
        let published = Published {
            scene: subject.scene,
            size: subject.size,
            steps: Some((subject.duration / dt).round() as usize),
            dt: Some(dt),
            time: None,
            note: "",
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
        style: Style::Dots,
    }));
    let plot = Plot {
        title: format!("{}: error against time, steps of 50 to 1 ms", subject.scene),
        x: "processor time [s]".to_owned(),
        y: subject.error.to_owned(),
        scale: [Scale::Logarithmic; 2],
        series,
    };
    Ok((format!("benchmark-{}", subject.scene), plot))
}
