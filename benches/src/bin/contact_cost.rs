//! The cost study: solve time against the number of contacts n and of velocity coordinates m.
//!
//! Writes `contact_cost.md` and `figures/contact_cost.svg` into a folder, both or neither:
//!
//! ```text
//! cargo run --release -p stickslip-benches --bin contact_cost -- --out docs
//! ```
//! `--quick` takes small sizes only and is for tests.

use clap::Parser;
use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use stickslip_benches::cost::{Cost, Subject, exponent};
use stickslip_benches::grounded;
use stickslip_core::models::ModelName;
use stickslip_core::report::SolverName;
use stickslip_experiments::plot::{Plot, Scale, Series, Style, svg};

/// Solve time against the number of contacts and of velocity coordinates.
#[derive(Parser)]
struct Args {
    /// Folder of the table; the figure goes to its folder `figures`
    #[arg(long, value_name = "DIR", default_value = "docs")]
    out: PathBuf,
    /// Small sizes only
    #[arg(long)]
    quick: bool,
}

/// A curve of the study.
struct Curve {
    model: ModelName,
    solver: SolverName,
    /// Velocity coordinates m.
    dim: usize,
    /// Largest number of contacts: what is bearable.
    most: usize,
}

/// One point: n and what a solve took.
type Point = (usize, Cost);

const SEED: u64 = 7;
const COUNTS: [usize; 10] = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
const DIMS: [usize; 3] = [6, 18, 37];
/// The exponent in n that `no-slip` and `viscous` must keep below.
const BOUND: f64 = 1.1;

fn curves(quick: bool) -> Vec<Curve> {
    let most = |n: usize| if quick { n.min(50) } else { n };
    let mut curves = Vec::new();
    for model in [ModelName::NoSlip, ModelName::Viscous] {
        for dim in DIMS {
            curves.push(Curve {
                model,
                solver: SolverName::Ppm,
                dim,
                most: most(10_000),
            });
        }
    }
    for (model, solver, largest) in [
        (ModelName::StewartTrinkle, SolverName::Lemke, 100),
        (ModelName::Ccp, SolverName::Psor, 10_000),
    ] {
        curves.push(Curve {
            model,
            solver,
            dim: 18,
            most: most(largest),
        });
    }
    curves.retain(|c| ModelName::ALL.contains(&c.model));
    curves
}

fn measure(curve: &Curve) -> Result<Vec<Point>, Box<dyn Error>> {
    let mut subject = Subject::new(curve.model, curve.solver)?;
    let mut points = Vec::new();
    for n in COUNTS.into_iter().filter(|n| *n <= curve.most) {
        let builder = grounded(SEED, curve.dim, n)?;
        points.push((n, subject.measure(builder.finished()?)));
        eprintln!(
            "{} m {} n {n}: {:.1} us",
            curve.model,
            curve.dim,
            points.last().map_or(f64::NAN, |p| p.1.time)
        );
    }
    Ok(points)
}

/// Where the cost per contact outweighs what a solve costs whatever n.
const LARGE: usize = 100;

/// The exponent in n over the upper part of a curve, as far as it was solved; over all of a curve that
/// ends before there is one.
fn growth(points: &[Point]) -> f64 {
    let last = points.last().map_or(0, |p| p.0);
    let from = if last > LARGE { LARGE } else { 0 };
    let solved = points
        .iter()
        .filter(|(n, cost)| *n >= from && cost.solved());
    let upper: Vec<_> = solved.map(|(n, cost)| (*n as f64, cost.time)).collect();
    exponent(&upper)
}

/// Solve times against m, at a fixed number of contacts.
fn against_dim(model: ModelName, quick: bool) -> Result<Vec<(usize, Cost)>, Box<dyn Error>> {
    let dims: &[usize] = if quick {
        &[6, 12]
    } else {
        &[6, 12, 18, 24, 37, 50, 75, 100]
    };
    let contacts = if quick { 20 } else { FIXED };
    let mut subject = Subject::new(model, SolverName::Ppm)?;
    let point = |dim: usize| -> Result<(usize, Cost), Box<dyn Error>> {
        let builder = grounded(SEED, dim, contacts)?;
        Ok((dim, subject.measure(builder.finished()?)))
    };
    dims.iter().copied().map(point).collect()
}

/// Contacts where m grows.
const FIXED: usize = 200;

fn cell(cost: Option<&Cost>) -> String {
    match cost {
        None => String::new(),
        Some(cost) if cost.by_choice() => format!("{:.1}", cost.time),
        // Said, so that a solver that gives up never looks fast.
        Some(cost) if cost.solved() => {
            format!("{:.1} ({})", cost.time, cost.report.solver_used.as_str())
        }
        Some(cost) => format!("{:.1} (not solved)", cost.time),
    }
}

fn table(
    measured: &[(Curve, Vec<Point>)],
    dims: &[(ModelName, Vec<(usize, Cost)>)],
    quick: bool,
) -> String {
    let mut text = String::from(
        "# Cost of a solve\n\n\
        Median time of one solve in microseconds, from a cold start with warm memory, on seeded random \
        problems: one body of m velocity coordinates stands with n contacts on the ground \
        (`grounded` in `benches/src/lib.rs`). Made by `cargo run --release -p stickslip-benches --bin \
        contact_cost`. A solver in brackets is the one whose answer was kept after the chosen one failed; the \
        time is that of all attempts.\n\n![Solve time against the number of contacts](figures/contact_cost.svg)\n\n",
    );
    let mut head = String::from("| n |");
    let mut rule = String::from("|---|");
    for (curve, _) in measured {
        // Writing to a string can't fail.
        let _ = write!(
            head,
            " {} / {}, m = {} |",
            curve.model,
            curve.solver.as_str(),
            curve.dim
        );
        rule += "---|";
    }
    let _ = writeln!(text, "{head}\n{rule}");
    for n in COUNTS {
        let find = |points: &[Point]| points.iter().find(|p| p.0 == n).map(|p| p.1);
        if measured.iter().all(|(_, points)| find(points).is_none()) {
            continue;
        }
        let _ = write!(text, "| {n} |");
        for (_, points) in measured {
            let _ = write!(text, " {} |", cell(find(points).as_ref()));
        }
        text.push('\n');
    }
    text += "| exponent in n |";
    for (_, points) in measured {
        let _ = write!(text, " {:.2} |", growth(points));
    }
    let _ = write!(
        text,
        "\n\nThe exponent is the slope of log time over log n by least squares, from n = {LARGE} up (over \
        all of a curve that ends there); \
        `no-slip` and `viscous` must stay below {BOUND}.\n\nAgainst m, at n = {}:\n\n| m |",
        if quick { 20 } else { FIXED }
    );
    for (model, _) in dims {
        let _ = write!(text, " {model} |");
    }
    text += "\n|---|";
    for _ in dims {
        text += "---|";
    }
    let rows = dims.first().map_or(0, |d| d.1.len());
    for row in 0..rows {
        let _ = write!(text, "\n| {} |", dims[0].1[row].0);
        for (_, points) in dims {
            let _ = write!(text, " {} |", cell(points.get(row).map(|p| &p.1)));
        }
    }
    text.push('\n');
    text
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let mut measured = Vec::new();
    for curve in curves(args.quick) {
        let points = measure(&curve)?;
        measured.push((curve, points));
    }
    let mut dims = Vec::new();
    for model in [ModelName::NoSlip, ModelName::Viscous] {
        if ModelName::ALL.contains(&model) {
            dims.push((model, against_dim(model, args.quick)?));
        }
    }
    let series = measured.iter().map(|(curve, points)| Series {
        name: format!(
            "{} / {}, m = {}",
            curve.model,
            curve.solver.as_str(),
            curve.dim
        ),
        points: points.iter().map(|(n, c)| (*n as f64, c.time)).collect(),
        style: Style::Marked,
    });
    let plot = Plot {
        title: "Time of one solve".to_owned(),
        x: "contacts n".to_owned(),
        y: "time [us]".to_owned(),
        scale: [Scale::Logarithmic; 2],
        series: series.collect(),
    };
    stickslip_files::write_all(&[
        (
            args.out.join("contact_cost.md"),
            table(&measured, &dims, args.quick),
        ),
        (args.out.join("figures/contact_cost.svg"), svg(&plot)?),
    ])?;
    let steep = measured.iter().filter(|(curve, points)| {
        let bounded = matches!(curve.model, ModelName::NoSlip | ModelName::Viscous);
        let growth = growth(points);
        bounded && !args.quick && (growth.is_nan() || growth >= BOUND)
    });
    let steep: Vec<_> = steep
        .map(|(c, _)| format!("{} at m = {}", c.model, c.dim))
        .collect();
    if steep.is_empty() {
        return Ok(());
    }
    Err(format!("the exponent in n is above {BOUND}: {}", steep.join(", ")).into())
}
