//! Peg in hole (B5).
//!
//! In the plane of the tilt the hole has walls at x = 0 and x = D and its mouth at y = 0. A peg of
//! width w leans by theta to the right: its axis is `u = (sin, cos)`, its right-hand side faces
//! `p = (cos, -sin)`. Its lower left corner A touches the left wall, the edge B of the mouth its right
//! side, at a depth s: with A = (0, -s) and B = (D, 0)
//! ```text
//! (B - A) . p = w:    D cos - s sin = w,      clearance D - w = D (1 - cos) + s sin
//! ```
//! so at a given tilt a tight clearance touches at a small depth. Forces at A lie within phi = atan mu
//! of +x, those at B within phi of -p. Two forces balance only along the line AB, which rises by
//! `beta = atan(s / D)`: the one at A is beta off its normal, the one at B beta + theta. The peg wedges
//! exactly if the cones see each other,
//! ```text
//! beta + theta <= phi.
//! ```

use crate::paper::{
    Friction, QuasiStaticAnswer, QuasiStaticContact, QuasiStaticMemory, QuasiStaticProblem,
};
use nalgebra::{DMatrix, Vector2};
use stickslip_core::models::{ModelSettings, PolygonSettings};
use stickslip_core::report::SolveStatus;
use stickslip_reference::Pointedness;

const D: f64 = 0.02;
const LENGTH: f64 = 0.1;
const H: f64 = 0.01;

type V = Vector2<f64>;

/// The peg: centre of its lower face, tilt to the right.
#[derive(Clone, Copy)]
struct Peg {
    at: V,
    theta: f64,
    width: f64,
    mu: f64,
}

impl Peg {
    /// In two-point contact at this tilt.
    fn touching(theta: f64, width: f64, mu: f64) -> Self {
        let (sin, cos) = theta.sin_cos();
        let depth = (D * cos - width) / sin;
        let p = V::new(cos, -sin);
        Self {
            at: V::new(0.0, -depth) + p * (0.5 * width),
            theta,
            width,
            mu,
        }
    }

    fn axes(&self) -> (V, V) {
        let (sin, cos) = self.theta.sin_cos();
        (V::new(sin, cos), V::new(cos, -sin))
    }

    /// The four contacts (point, normal into the peg, gap), the reference of velocities being the
    /// middle of the peg: lower corners against the walls, edges of the mouth against the sides.
    fn contacts(&self) -> [(V, V, f64); 4] {
        let (_, p) = self.axes();
        let left = self.at - p * (0.5 * self.width);
        let right = self.at + p * (0.5 * self.width);
        let (l, r) = (V::zeros(), V::new(D, 0.0));
        [
            (left, V::x(), left.x),
            (r, -p, (r - right).dot(&p)),
            (right, -V::x(), D - right.x),
            (l, p, (left - l).dot(&p)),
        ]
    }

    fn middle(&self) -> V {
        let (u, _) = self.axes();
        self.at + u * (0.5 * LENGTH)
    }

    /// Pushed down along the hole at its upper end, with gaps up to `reach` taken in.
    fn problem(&self, force: f64, reach: f64) -> QuasiStaticProblem {
        let (u, _) = self.axes();
        let cross = |r: V, f: V| r.x * f.y - r.y * f.x;
        let top = u * (0.5 * LENGTH);
        let load = V::new(0.0, -force);
        let contacts = self.contacts().into_iter().filter(|c| c.2 <= reach);
        let contacts = contacts.map(|(point, n, psi)| {
            let r = point - self.middle();
            let t = V::new(-n.y, n.x);
            QuasiStaticContact {
                w_n: vec![n.x, n.y, cross(r, n)],
                w_f: Friction::Planar(vec![t.x, t.y, cross(r, t)]),
                psi: psi.max(0.0),
                psi_rate: 0.0,
                slip_rate: [0.0; 2],
                mu: self.mu,
            }
        });
        QuasiStaticProblem {
            h: H,
            damping: vec![DMatrix::from_diagonal(&nalgebra::dvector![
                20.0, 20.0, 0.02
            ])],
            f_ext: vec![load.x, load.y, cross(top, load)],
            contacts: contacts.collect(),
        }
    }

    /// One step; angles are counter-clockwise, tilts to the right.
    fn step(&mut self, force: f64, memory: &mut QuasiStaticMemory) -> QuasiStaticAnswer {
        let problem = self.problem(force, 1e-3);
        let answer = problem.solve(&ModelSettings::default(), memory);
        let middle = self.middle() + V::new(answer.v[0], answer.v[1]) * H;
        self.theta -= H * answer.v[2];
        let (u, _) = self.axes();
        self.at = middle - u * (0.5 * LENGTH);
        answer
    }

    fn depth(&self) -> f64 {
        -self.at.y
    }
}

/// Whether the cones see each other, by the closed form.
fn wedges(theta: f64, width: f64, mu: f64) -> bool {
    let (sin, cos) = theta.sin_cos();
    let depth = (D * cos - width) / sin;
    (depth / D).atan() + theta <= mu.atan()
}

#[test]
fn the_check_knows_the_closed_form() {
    let settings = ModelSettings::default();
    let mut seen = [0, 0];
    for theta in [0.02, 0.05, 0.1, 0.2] {
        for clearance in 1..60 {
            for mu in [0.1, 0.3, 0.5, 0.9] {
                let width = D * (1.0 - 0.002 * f64::from(clearance));
                let peg = Peg::touching(theta, width, mu);
                if peg.depth() <= 0.1 * D {
                    continue;
                }
                let problem = peg.problem(1.0, 1e-12);
                assert_eq!(problem.contacts.len(), 2);
                let found = problem.pointedness(&settings);
                let expected = if wedges(theta, width, mu) {
                    Pointedness::Jammed {
                        contacts: vec![0, 1],
                    }
                } else {
                    Pointedness::Pointed
                };
                assert_eq!(found, expected, "theta {theta} width {width} mu {mu}");
                seen[usize::from(wedges(theta, width, mu))] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 50), "{seen:?}");
}

#[test]
fn the_threshold_is_sharp() {
    // At the clearance where the cones just see each other, a millionth either way decides.
    let (theta, mu) = (0.08_f64, 0.4_f64);
    let (sin, cos) = theta.sin_cos();
    let depth = D * (mu.atan() - theta).tan();
    let settings = ModelSettings::default();
    for (shift, jammed) in [(-1e-6, true), (1e-6, false)] {
        let width = D * cos - depth * (1.0 + shift) * sin;
        let peg = Peg::touching(theta, width, mu);
        let found = peg.problem(1.0, 1e-12).pointedness(&settings);
        assert_eq!(found != Pointedness::Pointed, jammed, "{shift}");
    }
}

#[test]
fn a_loose_peg_goes_in_and_a_tight_one_wedges() {
    let (theta, mu) = (0.06, 0.35);
    let mut memory = QuasiStaticMemory::default();
    for (clearance, goes_in) in [(0.04, true), (0.006, false)] {
        let mut peg = Peg::touching(theta, D * (1.0 - clearance), mu);
        assert_eq!(wedges(theta, peg.width, mu), !goes_in);
        let start = peg.depth();
        let mut worst = 0.0_f64;
        for step in 0..100 {
            let answer = peg.step(5.0, &mut memory);
            assert_eq!(answer.status, SolveStatus::Solved, "step {step}");
            assert!(answer.residuals.max() < 1e-9, "{:?}", answer.residuals);
            if !goes_in {
                assert!(answer.wedged);
            }
            worst = worst.max(-peg.contacts().into_iter().map(|c| c.2).fold(0.0, f64::min));
        }
        let moved = peg.depth() - start;
        println!(
            "clearance {clearance}: moved {moved:.5} m, tilt {:.4}, overlap {worst:.1e}",
            peg.theta
        );
        assert!(worst < 1e-5, "{worst}");
        if goes_in {
            assert!(moved > 0.04, "{moved}");
        } else {
            assert!(moved.abs() < 1e-9, "{moved}");
        }
    }
}

/// The same in three dimensions: rows over (v, omega), the plane of the tilt turned about the hole's
/// axis to lie along a corner of the polygons, eight directions.
fn spatial(peg: &Peg, turn: f64, force: f64) -> QuasiStaticProblem {
    use nalgebra::{Rotation3, Vector3};
    let about = Rotation3::from_axis_angle(&Vector3::y_axis(), turn);
    let lift = |x: V| about * Vector3::new(x.x, x.y, 0.0);
    let out = about * Vector3::z();
    let row = |r: Vector3<f64>, f: Vector3<f64>| {
        let m = r.cross(&f);
        vec![f.x, f.y, f.z, m.x, m.y, m.z]
    };
    let (u, _) = peg.axes();
    let contacts = peg.contacts().into_iter().filter(|c| c.2 <= 1e-12);
    let contacts = contacts.map(|(point, n, _)| {
        let r = lift(point - peg.middle());
        QuasiStaticContact {
            w_n: row(r, lift(n)),
            w_f: Friction::Spatial([row(r, lift(V::new(-n.y, n.x))), row(r, out)]),
            psi: 0.0,
            psi_rate: 0.0,
            slip_rate: [0.0; 2],
            mu: peg.mu,
        }
    });
    let load = Vector3::new(0.0, -force, 0.0);
    QuasiStaticProblem {
        h: H,
        damping: vec![
            DMatrix::from_diagonal_element(3, 3, 20.0),
            DMatrix::from_diagonal_element(3, 3, 0.02),
        ],
        f_ext: row(lift(u * (0.5 * LENGTH)), load),
        contacts: contacts.collect(),
    }
}

#[test]
fn three_dimensions_agree_with_two() {
    let settings = ModelSettings {
        polygon: PolygonSettings {
            directions: 8,
            ..PolygonSettings::default()
        },
        ..ModelSettings::default()
    };
    let mut memory = QuasiStaticMemory::default();
    let mut jams = 0;
    for (k, clearance) in (1..40).enumerate() {
        let (theta, mu) = (0.07, 0.4);
        let width = D * (1.0 - 0.002 * f64::from(clearance));
        let peg = Peg::touching(theta, width, mu);
        if peg.depth() <= 0.0 {
            continue;
        }
        let problem = spatial(&peg, 0.3 * k as f64, 5.0);
        let jammed = wedges(theta, width, mu);
        let found = problem.pointedness(&settings);
        if jammed {
            let contacts = vec![0, 1];
            assert_eq!(found, Pointedness::Jammed { contacts });
            jams += 1;
        } else {
            assert_eq!(found, Pointedness::Pointed);
        }
        let answer = problem.solve(&settings, &mut memory);
        assert_eq!(answer.status, SolveStatus::Solved, "{clearance}");
        assert!(answer.residuals.max() < 1e-9);
        assert_eq!(answer.wedged, jammed);
        // The motion stays in the plane of the tilt, where it is the planar one.
        let flat = peg.problem(5.0, 1e-12);
        let flat = flat.solve(&settings, &mut QuasiStaticMemory::default());
        assert!(
            (answer.v[1] - flat.v[1]).abs() < 1e-9,
            "{clearance}: {answer:?} {flat:?}"
        );
    }
    assert!((5..35).contains(&jams), "{jams}");
}
