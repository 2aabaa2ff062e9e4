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

/// A point of a curve: time \[s\] and error.
type Point = (f64, f64);

/// On which side of a curve a point lies: above it if a point of the curve is no slower and no less exact, else below it if
/// it is so itself, compared with a point of the curve.
fn side(point: Point, curve: &[Point]) -> &'static str {
    let beats = |a: &Point, b: &Point| a.0 <= b.0 && a.1 <= b.1;
    if curve.iter().any(|c| beats(c, &point)) {
        "above"
    } else if curve.iter().any(|c| beats(&point, c)) {
        "below"
    } else {
        "beside"
    }
}

/// Who is ahead, in words.
fn said(subject: &Subject, ours: &[Point], host: &[Point]) -> String {
    let count = |word: &str| host.iter().filter(|p| side(**p, ours) == word).count();
    let theirs = match subject.point {
        None => "no published point is at hand.".to_owned(),
        Some((who, time, error)) => format!(
            "the point of {who} ({} s, {}), lies {} our curve.",
            short(time),
            short(error),
            side((time, error), ours)
        ),
    };
    format!(
        "{}: {theirs} Of rapier's {} points {} lie above our curve, {} below it, {} on neither side.",
        subject.scene,
        host.len(),
        count("above"),
        count("below"),
        count("beside"),
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

#[cfg(test)]
mod tests {
    use super::side;

    #[test]
    fn points_lie_above_below_or_beside_a_curve() {
        let curve = [(1.0, 1e-3), (2.0, 1e-5)];
        assert_eq!(side((3.0, 1e-5), &curve), "above");
        assert_eq!(side((1.0, 1e-6), &curve), "below");
        // Faster than every point and less exact; between the points.
        assert_eq!(side((0.5, 1e-2), &curve), "beside");
        assert_eq!(side((1.5, 1e-4), &curve), "beside");
    }
}
