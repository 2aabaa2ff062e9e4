//! Random contact problems of every shape a solver meets, by seed.

use super::{ALL6, Random, axes, free_mass, point_rows, up};
use nalgebra::{DMatrix, Matrix3, Rotation3, Unit, Vector3};
use std::sync::Arc;
use stickslip_core::mass::{MassFactor, MassPattern, NO_PARENT};
use stickslip_core::problem::{BlockId, ContactData, ProblemBuilder, RowHalf, ScalarKind};

const H: f64 = 0.01;

/// A body of the problem: a free one, or a random tree of so many coordinates.
#[derive(Clone, Copy)]
enum Body {
    Free,
    Tree(usize),
}

/// A half row, owned: block, columns, rows.
type Half = (BlockId, Vec<usize>, Vec<Vec<f64>>);

/// Which problems are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Everything.
    Any,
    /// Problems that have a solution by theorem: nothing penetrates, bounces or is driven.
    WellPosed,
    /// The same, but contacts may bounce.
    Bouncing,
    /// As well-posed, with torsion, rolling and compliance at most contacts.
    Spinning,
}

/// One problem being drawn.
struct Draw<'a> {
    r: Random,
    builder: &'a mut ProblemBuilder,
    bodies: Vec<(BlockId, Body)>,
    /// Contacts so far, to be repeated.
    contacts: Vec<(ContactData, Vec<Half>)>,
    /// Decimal digits the masses spread over, up and down.
    spread: f64,
    wanted: usize,
    kind: Kind,
}

/// Draws the problem of a seed: `least` to `most` contacts, their number log-uniform.
///
/// Three kinds: bodies and trees touching each other and the world anywhere along any normal; flat
/// boxes on the ground and on each other, four corners a face (degenerate: more contacts than
/// coordinates); and both together. Coefficients 0, 0.05 to 2, or 1e6; one contact in six twice;
/// masses within a factor of 1e6 in one problem of four; gaps closed, open or negative; limits,
/// drives and bilateral rows in one problem of four.
pub fn draw(builder: &mut ProblemBuilder, seed: u64, (least, most): (usize, usize), kind: Kind) {
    let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d | 1);
    for _ in 0..4 {
        r.next_u64();
    }
    let share = 0.5 * (r.next() + 1.0);
    let wanted = (least as f64 * ((most + 1) as f64 / least as f64).powf(share)) as usize;
    let spread = if r.below(4) == 0 { 3.0 } else { 1.0 };
    builder.begin(H);
    let mut draw = Draw {
        r,
        builder,
        bodies: Vec::new(),
        contacts: Vec::new(),
        spread,
        wanted: wanted.clamp(least, most),
        kind,
    };
    match draw.r.below(3) {
        0 => draw.boxes(),
        1 => draw.cloud(),
        _ => {
            let all = draw.wanted;
            draw.wanted = all / 2;
            draw.boxes();
            draw.wanted = all;
            draw.cloud();
        }
    }
    if draw.r.below(4) == 0 && kind == Kind::Any {
        draw.scalars();
    }
    if let Err(error) = draw.builder.finish() {
        panic!("seed {seed}: {error}");
    }
}

impl Draw<'_> {
    fn scale(&mut self) -> f64 {
        10f64.powf(self.spread * self.r.next())
    }

    fn free_body(&mut self) -> BlockId {
        let m = self.scale();
        let d = Vector3::new(self.r.next(), self.r.next(), self.r.next());
        let d = d.map(|x| 1.0 + 0.5 * x);
        let turn = Unit::new_unchecked(self.r.unit());
        let turn = Rotation3::from_axis_angle(&turn, 3.0 * self.r.next());
        let inertia = turn * Matrix3::from_diagonal(&(d * (0.1 * m))) * turn.inverse();
        let mass = free_mass(m, (inertia + inertia.transpose()) * 0.5);
        let mut v: Vec<f64> = (0..6).map(|_| self.r.next()).collect();
        if self.r.below(3) == 0 {
            v.fill(0.0);
        }
        let mut free = v.clone();
        free[2] -= 9.81 * H;
        let block = self.builder.add_block(&mass, &v, &free);
        self.bodies.push((block, Body::Free));
        block
    }

    fn tree(&mut self) -> BlockId {
        let n = 2 + self.r.below(10);
        let parents: Vec<usize> = (0..n)
            .map(|i| {
                if i == 0 || self.r.below(6) == 0 {
                    NO_PARENT
                } else {
                    i - 1 - self.r.below(i.min(3))
                }
            })
            .collect();
        let pattern = Arc::new(MassPattern::from_parents(&parents).unwrap());
        let scale = self.scale().sqrt();
        let mut l = DMatrix::zeros(n, n);
        for i in 0..n {
            for &j in pattern.path(i) {
                let x = self.r.next();
                l[(i, j)] = scale * if i == j { 1.2 + 0.8 * x } else { 0.5 * x };
            }
        }
        let dense = l.transpose() * l;
        let mut mass = MassFactor::new(pattern.clone());
        for i in 0..n {
            for (d, &j) in pattern.path(i).iter().enumerate() {
                *mass.entry_mut(i, d) = dense[(i, j)];
            }
        }
        mass.factor().unwrap();
        let v: Vec<f64> = (0..n).map(|_| self.r.next()).collect();
        let free: Vec<f64> = v.iter().map(|v| v + 0.1 * self.r.next()).collect();
        let block = self.builder.add_block(&mass, &v, &free);
        self.bodies.push((block, Body::Tree(n)));
        block
    }

    fn data(&mut self) -> ContactData {
        let key = self.contacts.len() as u64;
        let mu = match self.r.below(5) {
            0 => 0.0,
            1 => 1e6,
            _ => 0.05 + 0.975 * (self.r.next() + 1.0),
        };
        let phi = match self.r.below(6) {
            0 => 1e-2 * self.r.next().abs(),
            1 => -1e-2 * self.r.next().abs(),
            2 => -1e-4 * self.r.next().abs(),
            _ => 0.0,
        };
        let restitution = if self.r.below(5) == 0 { 0.5 } else { 0.0 };
        let data = ContactData {
            key,
            mu,
            phi,
            restitution,
            ..ContactData::default()
        };
        match self.kind {
            Kind::Any => data,
            Kind::Bouncing => ContactData {
                phi: phi.max(0.0),
                ..data
            },
            Kind::WellPosed => ContactData {
                phi: phi.max(0.0),
                restitution: 0.0,
                ..data
            },
            Kind::Spinning => ContactData {
                phi: phi.max(0.0),
                restitution: 0.0,
                mu_torsional: (0.1 * self.r.next()).max(0.0),
                mu_rolling: (0.1 * self.r.next()).max(0.0),
                compliance: (1e-5 * self.r.next()).max(0.0),
                ..data
            },
        }
    }

    fn add(&mut self, data: ContactData, halves: Vec<Half>) {
        let views: Vec<_> = halves
            .iter()
            .map(|(block, cols, rows)| RowHalf {
                block: *block,
                cols,
                rows: [&rows[0][..], &rows[1], &rows[2]],
            })
            .collect();
        let contact = self.builder.add_contact(data, &views);
        if data.mu_torsional.max(data.mu_rolling) > 0.0 {
            let sizes: Vec<_> = halves.iter().map(|half| half.1.len()).collect();
            let rows: Vec<Vec<f64>> = sizes
                .iter()
                .flat_map(|&len| [len; 3])
                .map(|len| (0..len).map(|_| self.r.next()).collect())
                .collect();
            let views: Vec<_> = halves
                .iter()
                .zip(rows.chunks_exact(3))
                .map(|((block, cols, _), rows)| RowHalf {
                    block: *block,
                    cols,
                    rows: [&rows[0][..], &rows[1], &rows[2]],
                })
                .collect();
            self.builder.add_spin(contact, &views);
        }
        self.contacts.push((data, halves));
    }

    /// Unit cubes on the ground and on each other, four corners a face, shifted a little.
    fn boxes(&mut self) {
        let mut below: Option<BlockId> = None;
        while self.contacts.len() < self.wanted {
            let block = self.free_body();
            let mut data = self.data();
            if self.r.below(2) == 0 {
                data.phi = 0.0;
            }
            let shift = Vector3::new(0.2 * self.r.next(), 0.2 * self.r.next(), 0.0);
            for corner in 0..4_u64 {
                if self.contacts.len() >= self.wanted {
                    break;
                }
                let x = if corner & 1 == 0 { -0.5 } else { 0.5 };
                let y = if corner & 2 == 0 { -0.5 } else { 0.5 };
                let upper = point_rows(up(), Vector3::new(x, y, -0.5), 1.0);
                let lower = point_rows(up(), Vector3::new(x, y, 0.5) + shift, -1.0);
                data.key = self.contacts.len() as u64;
                let own = |block, rows: [[f64; 6]; 3]| {
                    (block, ALL6.to_vec(), rows.map(|row| row.to_vec()).to_vec())
                };
                let mut halves = vec![own(block, upper)];
                if let Some(below) = below {
                    halves.push(own(below, lower));
                }
                self.add(data, halves);
            }
            below = (self.r.below(4) > 0).then_some(block);
        }
    }

    /// Contacts anywhere.
    fn cloud(&mut self) {
        let left = self.wanted.saturating_sub(self.contacts.len());
        let count = 1 + self.r.below(left / 2 + 1);
        for _ in 0..count {
            if self.r.below(3) == 0 {
                self.tree();
            } else {
                self.free_body();
            }
        }
        while self.contacts.len() < self.wanted {
            if !self.contacts.is_empty() && self.r.below(6) == 0 {
                let which = self.r.below(self.contacts.len());
                let (mut data, halves) = self.contacts[which].clone();
                data.key = self.contacts.len() as u64;
                if self.r.below(2) == 0 {
                    data.mu = self.data().mu;
                }
                self.add(data, halves);
                continue;
            }
            let data = self.data();
            let frame = axes(self.r.unit(), self.r.next());
            let mut sign = 1.0;
            let mut halves = vec![self.half(frame, sign)];
            if self.bodies.len() > 1 && self.r.below(3) > 0 {
                sign = -1.0;
                let other = self.half(frame, sign);
                if other.0 != halves[0].0 {
                    halves.push(other);
                }
            }
            self.add(data, halves);
        }
    }

    fn half(&mut self, frame: [Vector3<f64>; 3], sign: f64) -> Half {
        let (block, body) = self.bodies[self.r.below(self.bodies.len())];
        match body {
            Body::Free => {
                let rows = point_rows(frame, self.r.unit() * 0.5, sign);
                (block, ALL6.to_vec(), rows.map(|row| row.to_vec()).to_vec())
            }
            Body::Tree(n) => {
                let mut cols: Vec<usize> = (0..n).filter(|_| self.r.below(4) > 0).collect();
                if cols.is_empty() {
                    cols.push(0);
                }
                let mut row = || cols.iter().map(|_| self.r.next()).collect::<Vec<f64>>();
                let rows = vec![row(), row(), row()];
                (block, cols, rows)
            }
        }
    }

    /// A few limits, drives and bilateral rows.
    fn scalars(&mut self) {
        for key in 0..1 + self.r.below(4) as u64 {
            let (block, body) = self.bodies[self.r.below(self.bodies.len())];
            let dim = match body {
                Body::Free => 6,
                Body::Tree(n) => n,
            };
            let half = RowHalf {
                block,
                cols: &[self.r.below(dim)],
                rows: [&[1.0]],
            };
            let kind = match self.r.below(3) {
                0 => ScalarKind::Bilateral { velocity: 0.0 },
                1 => ScalarKind::Unilateral {
                    gap: 0.01 * self.r.next(),
                },
                _ => ScalarKind::Bounded {
                    velocity: 0.2 * self.r.next(),
                    limit: self.r.next().abs(),
                    compliance: self.r.next().max(0.0),
                },
            };
            self.builder.add_scalar(key, kind, &[half]);
        }
    }
}
