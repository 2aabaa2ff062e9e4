//! Seeded random problems.

use crate::common::*;
use nalgebra::{DMatrix, Matrix3, Rotation3, Unit, Vector3};
use std::sync::Arc;
use stickslip_core::mass::{MassFactor, MassPattern, NO_PARENT};
use stickslip_core::problem::{BlockId, ContactData, ProblemBuilder, RowHalf, ScalarKind};

/// A half row of three or one rows, owned.
#[derive(Clone)]
pub struct Half {
    pub block: usize,
    pub cols: Vec<usize>,
    pub rows: Vec<Vec<f64>>,
}

#[derive(Clone)]
pub enum Row {
    Contact(ContactData, Vec<Half>),
    Scalar(u64, ScalarKind, Vec<Half>),
}

/// A problem in a form that can be shuffled, rotated and taken apart.
#[derive(Clone)]
pub struct Scene {
    pub masses: Vec<MassFactor>,
    pub v_free: Vec<Vec<f64>>,
    pub rows: Vec<Row>,
}

fn random_free(r: &mut Random) -> MassFactor {
    let m = 10f64.powf(1.5 * r.next());
    let d = Vector3::new(
        1.0 + 0.5 * r.next(),
        1.0 + 0.5 * r.next(),
        1.0 + 0.5 * r.next(),
    );
    let turn = Rotation3::from_axis_angle(&Unit::new_unchecked(r.unit()), 3.0 * r.next());
    let inertia = turn * Matrix3::from_diagonal(&(d * (0.1 * m))) * turn.inverse();
    free_mass(m, (inertia + inertia.transpose()) * 0.5)
}

/// A random forest of `n` coordinates with a random matrix of its sparsity.
fn random_tree(r: &mut Random, n: usize) -> MassFactor {
    let parents: Vec<usize> = (0..n)
        .map(|i| {
            if i == 0 || r.below(6) == 0 {
                NO_PARENT
            } else {
                i - 1 - r.below(i.min(3))
            }
        })
        .collect();
    let pattern = Arc::new(MassPattern::from_parents(&parents).unwrap());
    let mut l = DMatrix::zeros(n, n);
    for i in 0..n {
        for &j in pattern.path(i) {
            l[(i, j)] = if i == j {
                1.2 + 0.8 * r.next()
            } else {
                0.5 * r.next()
            };
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
    mass
}

fn random_half(r: &mut Random, masses: &[MassFactor], block: usize, k: usize) -> Half {
    let dim = masses[block].pattern().dim();
    let cols: Vec<usize> = (0..dim).filter(|_| r.below(4) > 0).collect();
    let rows = (0..k)
        .map(|_| cols.iter().map(|_| r.next()).collect())
        .collect();
    Half { block, cols, rows }
}

impl Scene {
    /// Bodies and trees with contacts and scalar rows that all admit rest, many of them dependent.
    pub fn random(seed: u64) -> Self {
        let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let count = 1 + r.below(6);
        let masses: Vec<MassFactor> = (0..count)
            .map(|_| {
                if r.below(3) > 0 {
                    random_free(&mut r)
                } else {
                    let n = 1 + r.below(9);
                    random_tree(&mut r, n)
                }
            })
            .collect();
        let v_free = masses
            .iter()
            .map(|m| (0..m.pattern().dim()).map(|_| 2.0 * r.next()).collect())
            .collect();
        let mut scene = Self {
            masses,
            v_free,
            rows: Vec::new(),
        };
        let rows = r.below(5 * count + 2);
        for key in 0..rows as u64 {
            if key > 0 && r.below(5) == 0 {
                // The same again under another key.
                let mut copy = scene.rows[r.below(scene.rows.len())].clone();
                match &mut copy {
                    Row::Contact(data, _) => data.key = key,
                    Row::Scalar(k, _, _) => *k = key,
                }
                scene.rows.push(copy);
                continue;
            }
            let row = scene.random_row(&mut r, key);
            scene.rows.push(row);
        }
        scene
    }

    fn random_row(&self, r: &mut Random, key: u64) -> Row {
        let count = self.masses.len();
        let mut blocks = vec![r.below(count)];
        if count > 1 && r.below(3) > 0 {
            blocks.push(r.below(count));
        }
        let k = if r.below(4) > 0 { 3 } else { 1 };
        let halves: Vec<Half> = if k == 3
            && blocks.iter().all(|&b| self.masses[b].pattern().dim() == 6)
        {
            let frame = axes(r.unit(), r.next());
            blocks
                .iter()
                .enumerate()
                .map(|(i, &block)| {
                    let rows = point_rows(frame, r.unit() * 0.5, if i == 0 { 1.0 } else { -1.0 });
                    Half {
                        block,
                        cols: ALL6.to_vec(),
                        rows: rows.map(|row| row.to_vec()).to_vec(),
                    }
                })
                .collect()
        } else {
            let halves = blocks.iter();
            halves
                .map(|&b| random_half(r, &self.masses, b, k))
                .collect()
        };
        let gap = if r.below(3) == 0 {
            0.01 * r.next().abs()
        } else {
            0.0
        };
        if k == 3 {
            let data = ContactData {
                phi: gap,
                ..closed(key)
            };
            return Row::Contact(data, halves);
        }
        let kind = match r.below(3) {
            0 => ScalarKind::Bilateral { velocity: 0.0 },
            1 => ScalarKind::Unilateral { gap },
            _ => ScalarKind::Bounded {
                velocity: 0.0,
                limit: r.next().abs() * f64::from(r.below(3) as u32),
                compliance: r.next().max(0.0),
            },
        };
        Row::Scalar(key, kind, halves)
    }

    pub fn build(&self, builder: &mut ProblemBuilder) {
        self.build_from(&self.v_free, builder);
    }

    /// The problem with these velocities at the start of the step.
    pub fn build_from(&self, v: &[Vec<f64>], builder: &mut ProblemBuilder) {
        builder.begin(0.01);
        for (mass, (v, v_free)) in self.masses.iter().zip(v.iter().zip(&self.v_free)) {
            builder.add_block(mass, v, v_free);
        }
        for row in &self.rows {
            match row {
                Row::Contact(data, owned) => {
                    let halves: Vec<_> = owned.iter().map(three).collect();
                    let contact = builder.add_contact(*data, &halves);
                    if data.mu_torsional.max(data.mu_rolling) > 0.0 {
                        let spins: Vec<_> = owned.iter().map(spin_half).collect();
                        let spins: Vec<_> = spins.iter().map(three).collect();
                        builder.add_spin(contact, &spins);
                    }
                }
                Row::Scalar(key, kind, halves) => {
                    let halves: Vec<_> = halves
                        .iter()
                        .map(|h| RowHalf {
                            block: BlockId(h.block),
                            cols: &h.cols,
                            rows: [&h.rows[0][..]],
                        })
                        .collect();
                    builder.add_scalar(*key, *kind, &halves);
                }
            }
        }
        builder.finish().unwrap();
    }

    /// The rows in another order, tangents turned about their normal by an angle of each contact's
    /// own.
    pub fn shuffled_and_turned(&self, seed: u64) -> Self {
        let mut r = Random(seed | 1);
        let mut scene = self.clone();
        for i in (1..scene.rows.len()).rev() {
            scene.rows.swap(i, r.below(i + 1));
        }
        for row in &mut scene.rows {
            if let Row::Contact(data, halves) = row {
                // The axes of an ellipse are what they are.
                if data.mu_across.is_some() {
                    continue;
                }
                let (sin, cos) = (3.0 * r.next()).sin_cos();
                for half in halves {
                    for c in 0..half.cols.len() {
                        let (s, t) = (half.rows[1][c], half.rows[2][c]);
                        half.rows[1][c] = cos * s + sin * t;
                        half.rows[2][c] = cos * t - sin * s;
                    }
                }
            }
        }
        scene
    }

    /// Two scenes side by side, sharing nothing.
    pub fn beside(&self, other: &Self) -> Self {
        let mut scene = self.clone();
        let shift = scene.masses.len();
        scene.masses.extend(other.masses.iter().cloned());
        scene.v_free.extend(other.v_free.iter().cloned());
        for row in &other.rows {
            let mut row = row.clone();
            let (Row::Contact(_, halves) | Row::Scalar(_, _, halves)) = &mut row;
            for half in halves {
                half.block += shift;
            }
            scene.rows.push(row);
        }
        scene
    }
}

/// The mass matrix of a factor times `ratio`.
fn scaled(mass: &MassFactor, ratio: f64) -> MassFactor {
    let pattern = mass.pattern();
    let n = pattern.dim();
    let mut l = DMatrix::zeros(n, n);
    for i in 0..n {
        for (&j, &x) in pattern.path(i).iter().zip(&mass.values()[pattern.row(i)]) {
            l[(i, j)] = x;
        }
    }
    let dense = l.transpose() * l * ratio;
    let mut out = MassFactor::new(pattern.clone());
    for i in 0..n {
        for (d, &j) in pattern.path(i).iter().enumerate() {
            *out.entry_mut(i, d) = dense[(i, j)];
        }
    }
    out.factor().unwrap();
    out
}

/// What a random scene with friction cones may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extremes {
    /// Coefficients in 0..1.5, masses within a factor of a thousand.
    Mild,
    /// Also mu = 0 and mu = 1e6, masses up to a million to one.
    Wild,
}

impl Scene {
    /// [`Self::random`] with coefficients of every kind: isotropic and elliptic friction, torsion and
    /// rolling (spin rows are derived in [`Self::build`]), compliance.
    pub fn random_cones(seed: u64, extremes: Extremes) -> Self {
        let mut scene = Self::random(seed);
        let mut r = Random(seed.wrapping_mul(0xd134_2543_de82_ef95) | 1);
        if extremes == Extremes::Wild {
            for mass in &mut scene.masses {
                *mass = scaled(mass, [1.0, 1e-3, 1e3][r.below(3)]);
            }
        }
        for row in &mut scene.rows {
            let Row::Contact(data, _) = row else {
                continue;
            };
            data.mu = match (extremes, r.below(4)) {
                (Extremes::Wild, 0) => 0.0,
                (Extremes::Wild, 1) => 1e6,
                _ => 0.75 * (1.0 + r.next()),
            };
            let across = data.mu * [0.0, 0.3, 1.0, 2.0][r.below(4)];
            data.mu_across = (r.below(4) == 0).then_some(across);
            if r.below(4) == 0 {
                data.mu_torsional = 0.1 * r.next().abs();
                data.mu_rolling = 0.1 * r.next().max(0.0);
            }
            if r.below(6) == 0 {
                data.compliance = 1e-6 * r.next().abs();
            }
        }
        scene
    }
}

fn three(h: &Half) -> RowHalf<'_, 3> {
    RowHalf {
        block: BlockId(h.block),
        cols: &h.cols,
        rows: [&h.rows[0][..], &h.rows[1], &h.rows[2]],
    }
}

/// Spin rows of a half: for a point of a free body the angular velocity about the rows' own axes,
/// else the rows with their columns the other way round (any rows will do).
fn spin_half(half: &Half) -> Half {
    let mut out = half.clone();
    for row in &mut out.rows {
        if half.cols == ALL6 {
            row.copy_within(0..3, 3);
            row[..3].fill(0.0);
        } else {
            row.reverse();
        }
    }
    out
}
