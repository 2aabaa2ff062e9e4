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
        builder.begin(0.01);
        for (mass, v) in self.masses.iter().zip(&self.v_free) {
            builder.add_block(mass, v, v);
        }
        for row in &self.rows {
            match row {
                Row::Contact(data, halves) => {
                    let halves: Vec<_> = halves
                        .iter()
                        .map(|h| RowHalf {
                            block: BlockId(h.block),
                            cols: &h.cols,
                            rows: [&h.rows[0][..], &h.rows[1], &h.rows[2]],
                        })
                        .collect();
                    builder.add_contact(*data, &halves);
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
            if let Row::Contact(_, halves) = row {
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
