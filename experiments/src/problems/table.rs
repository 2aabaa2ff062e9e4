//! `contact-table` [B6]: random multi-body contact problems of growing size, after [T95].
//!
//! A contact with friction counts six unknowns, as in the LCP of a four-sided pyramid (normal, four
//! directions, slip speed), one without friction counts one. Bodies touch each other and the ground at random
//! points with random normals; all contacts are closed, and their velocities have no normal part, so
//! that each of them rolls or slides. One problem per step, each from a cold start; sizes take turns.

use super::bench::Bench;
use super::body::{ALL, point_rows};
use crate::error::CommandError;
use crate::metrics::percentiles;
use crate::session::{ContactSample, Figures, Session, StepProblem, StepSample};
use crate::settings::RunSettings;
use nalgebra::{DMatrix, DVector, Isometry3, Matrix3, Vector3};
use stickslip_core::mass::MassFactor;
use stickslip_core::problem::{BlockId, ContactData, RowHalf};
use stickslip_core::report::SolveReport;
use stickslip_random::Random;
use stickslip_record::SceneRecord;

/// Unknowns, contacts with friction, contacts without.
const SIZES: [(usize, usize, usize); 4] = [(16, 2, 4), (50, 8, 2), (100, 16, 4), (170, 28, 2)];

/// Shares that \[T95\] reports for the sizes, of a few problems each.
fn published(solver: &str) -> Option<[f64; SIZES.len()]> {
    match solver {
        "lemke" => Some([1.0, 0.35, 0.10, 0.0]),
        "interior-point" => Some([1.0, 0.30, 0.70, 0.0]),
        _ => None,
    }
}

/// Random forces accelerate by up to this [m/s^2].
const PUSH: f64 = 10.0;

/// Counts of one size.
#[derive(Clone, Debug, Default)]
struct Class {
    solved: usize,
    problems: usize,
    times: Vec<f64>,
}

/// The problems and what became of them.
pub(super) struct Table {
    bench: Bench,
    name: &'static str,
    published: Option<[f64; SIZES.len()]>,
    random: Random,
    mu: f64,
    sliding: f64,
    h: f64,
    step: usize,
    classes: [Class; SIZES.len()],
}

/// One contact: its two sides, as body and rows; the ground has none.
struct Touch {
    bodies: [Option<usize>; 2],
    rows: [[[f64; 6]; 3]; 2],
}

impl Table {
    /// From the keys of the scenario.
    pub(super) fn new(settings: &RunSettings) -> Result<Self, CommandError> {
        Ok(Self {
            bench: Bench::new(settings)?,
            name: settings.scenario.name,
            published: published(settings.solver_name()),
            random: Random::new(settings.seed),
            mu: settings.keys.number("mu")?,
            sliding: settings.keys.number("sliding")?,
            h: settings.dt,
            step: 0,
            classes: std::array::from_fn(|_| Class::default()),
        })
    }

    /// Uniform in 0..1.
    fn share(&mut self) -> f64 {
        self.random.unit()
    }

    fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.random.symmetric())
    }

    /// A random right-handed frame.
    fn frame(&mut self) -> [Vector3<f64>; 3] {
        loop {
            let (a, b) = (self.vector(), self.vector());
            let across = a.cross(&b);
            if a.norm() > 0.1 && across.norm() > 0.1 * a.norm() {
                let (n, t) = (a.normalize(), across.normalize());
                return [n, t.cross(&n), t];
            }
        }
    }

    /// Contact `c`: its first body takes turns, so that none is left alone; the other is any body or
    /// the ground.
    fn touch(&mut self, c: usize, bodies: usize) -> Touch {
        let axes = self.frame();
        let arms = [self.vector(), self.vector()];
        let first = c % bodies;
        // As many chances for the ground as for a body.
        let other = (self.share() * 2.0 * bodies as f64) as usize;
        let second = (other < bodies && other != first).then_some(other);
        let rows = [(1.0, arms[0]), (-1.0, arms[1])]
            .map(|(sign, arm)| point_rows(&axes, &arm).map(|row| row.map(|x| sign * x)));
        Touch {
            bodies: [Some(first), second],
            rows,
        }
    }

    /// Builds the next problem of a size.
    fn build(&mut self, (_, rough, smooth): (usize, usize, usize)) -> Result<(), String> {
        let count = rough + smooth;
        // Two contacts per body: six velocities each, so that the normals are independent.
        let bodies = count.div_ceil(2).max(2);
        let touches: Vec<Touch> = (0..count).map(|c| self.touch(c, bodies)).collect();
        let v = self.velocities(&touches, bodies);
        self.bench.begin(self.h);
        let mut blocks: Vec<BlockId> = Vec::new();
        for body in 0..bodies {
            let mass = 0.5 + self.share();
            let spread = Matrix3::from_fn(|_, _| self.random.symmetric());
            let inertia = (spread * spread.transpose() + Matrix3::identity()) * (0.2 * mass);
            let factor = MassFactor::free_body(mass, &inertia).map_err(|e| e.to_string())?;
            let now = &v[6 * body..6 * body + 6];
            let free: Vec<f64> = now
                .iter()
                .map(|v| v + self.h * PUSH * self.random.symmetric())
                .collect();
            blocks.push(self.bench.builder.add_block(&factor, now, &free));
        }
        for (c, touch) in touches.iter().enumerate() {
            let mu = if c < rough {
                self.mu * (0.5 + 0.5 * self.share())
            } else {
                0.0
            };
            let data = ContactData {
                key: c as u64,
                mu,
                ..ContactData::default()
            };
            let half = |k: usize| {
                touch.bodies[k].map(|body| RowHalf {
                    block: blocks[body],
                    cols: &ALL,
                    rows: [&touch.rows[k][0][..], &touch.rows[k][1], &touch.rows[k][2]],
                })
            };
            let halves: Vec<_> = [half(0), half(1)].into_iter().flatten().collect();
            self.bench.builder.add_contact(data, &halves);
        }
        Ok(())
    }

    /// Random velocities of the wanted size with `N v = 0`: `v - N^T (N N^T)^+ N v`.
    fn velocities(&mut self, touches: &[Touch], bodies: usize) -> Vec<f64> {
        let dim = 6 * bodies;
        let v = DVector::from_fn(dim, |_, _| self.sliding * self.random.symmetric());
        let mut normals = DMatrix::zeros(touches.len(), dim);
        for (c, touch) in touches.iter().enumerate() {
            for (body, rows) in touch.bodies.iter().zip(&touch.rows) {
                let Some(body) = body else { continue };
                for (k, value) in rows[0].iter().enumerate() {
                    normals[(c, 6 * body + k)] += value;
                }
            }
        }
        let approach = &normals * &v;
        // Singular values below round-off belong to dependent normals. The threshold is not negative,
        // so that there is an answer.
        let solved = normals.svd(true, true).solve(&approach, 1e-10);
        let back = solved.unwrap_or_else(|_| v.clone());
        (v - back).iter().copied().collect()
    }

    fn count(&mut self, class: usize, solve: &SolveReport, time: f64) {
        let class = &mut self.classes[class];
        let own = solve.fallbacks == 0 && solve.failures == 0 && solve.unverified == 0;
        class.problems += 1;
        class.solved += usize::from(own && solve.status.is_usable());
        class.times.push(time);
    }
}

impl Session for Table {
    fn step(&mut self) -> Result<StepSample, String> {
        let class = self.step % SIZES.len();
        self.build(SIZES[class])?;
        self.bench.forget();
        let sample = self.bench.solve()?;
        if let Some(report) = &sample.report {
            self.count(class, &report.solve, report.times.solve);
        }
        self.step += 1;
        Ok(sample)
    }

    fn contacts(&self) -> &[ContactSample] {
        &self.bench.contacts
    }

    fn problem(&self) -> Option<StepProblem<'_>> {
        self.bench.problem()
    }

    fn scene_record(&self) -> SceneRecord {
        // Rows without bodies: there is nothing to draw.
        SceneRecord {
            name: self.name.to_owned(),
            ..SceneRecord::default()
        }
    }

    fn body_poses(&self) -> Vec<Isometry3<f64>> {
        Vec::new()
    }

    fn figures(&mut self) -> Result<Figures, CommandError> {
        let all = self.classes.iter().all(|c| c.solved == c.problems);
        let mut figures = Figures::new(if all { "solved" } else { "partly-solved" });
        for (k, ((unknowns, ..), class)) in SIZES.into_iter().zip(&mut self.classes).enumerate() {
            if class.problems == 0 {
                continue;
            }
            let share = class.solved as f64 / class.problems as f64;
            let [median, _] = percentiles(&mut class.times);
            figures = figures
                .at_least(&format!("solved_share_{unknowns:03}"), share, 1.0)
                .with(&format!("solve_median_{unknowns:03}_us"), median);
            if let Some(published) = self.published {
                let name = format!("published_share_{unknowns:03}");
                figures = figures.with(&name, published[k]);
            }
        }
        Ok(figures)
    }
}
