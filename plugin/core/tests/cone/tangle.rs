//! Capsules tied into one articulated body under contacts with each other and the ground: one dense block, in whose mass
//! matrix every coordinate feels every other.
#![allow(clippy::unwrap_used)]

use crate::common::{G, Random, axes, closed};
use nalgebra::{DMatrix, Vector3};
use stickslip_core::mass::MassFactor;
use stickslip_core::problem::{BlockId, ContactData, ProblemBuilder, RowHalf};

/// What a tangle is made of.
#[derive(Clone, Copy)]
pub struct Tangle {
    pub capsules: usize,
    pub contacts: usize,
    /// Time step [s].
    pub h: f64,
    /// Added to every sixth coordinate of the free velocity [m/s].
    pub push: f64,
    /// The largest drift along normals and surface velocity along tangents [m/s].
    pub drift: f64,
}

impl Tangle {
    pub fn dim(&self) -> usize {
        6 * self.capsules
    }

    /// Rows n, s, t of the contact of two capsules (or of one with the ground) over all coordinates.
    fn rows(&self, random: &mut Random, one: Option<usize>, other: usize) -> [Vec<f64>; 3] {
        let normal = match one {
            Some(_) => random.unit(),
            None => Vector3::z(),
        };
        let directions = axes(normal, 0.0);
        let mut rows = [0, 1, 2].map(|_| vec![0.0; self.dim()]);
        for (body, sign) in [(one, -1.0), (Some(other), 1.0)] {
            let Some(body) = body else { continue };
            let arm = random.unit() * 0.1;
            for (row, d) in rows.iter_mut().zip(directions) {
                let moment = arm.cross(&d);
                let own = &mut row[6 * body..6 * body + 6];
                own[..3].copy_from_slice((d * sign).as_slice());
                own[3..].copy_from_slice((moment * sign).as_slice());
            }
        }
        rows
    }

    pub fn build(&self, builder: &mut ProblemBuilder, seed: u64) {
        let mut random = Random(seed);
        let dim = self.dim();
        let mixing = DMatrix::from_fn(dim, dim, |_, _| 0.02 * random.next());
        let mass = &mixing * mixing.transpose() + DMatrix::identity(dim, dim);
        let v: Vec<f64> = (0..dim).map(|_| 0.1 * random.next()).collect();
        let free = |(i, v): (usize, &f64)| match i % 6 {
            2 => v - G * self.h,
            1 => v + self.push,
            _ => *v,
        };
        let v_free: Vec<f64> = v.iter().enumerate().map(free).collect();
        builder.begin(self.h);
        let mass = MassFactor::from_dense(&mass).unwrap();
        assert_eq!(builder.add_block(&mass, &v, &v_free), BlockId(0));
        let cols: Vec<usize> = (0..dim).collect();
        for key in 0..self.contacts {
            let other = random.below(self.capsules);
            let one = match key % 3 {
                0 => None,
                _ => Some((other + 1 + random.below(self.capsules - 1)) % self.capsules),
            };
            let [n, s, t] = self.rows(&mut random, one, other);
            let half = RowHalf {
                block: BlockId(0),
                cols: &cols,
                rows: [&n[..], &s[..], &t[..]],
            };
            let [normal_drift, along, across] = [0; 3].map(|_| match self.drift {
                0.0 => 0.0,
                drift => drift * random.next(),
            });
            let data = ContactData {
                mu: 0.5,
                normal_drift,
                surface_velocity: [along, across],
                ..closed(key as u64)
            };
            builder.add_contact(data, &[half]);
        }
        builder.finish().unwrap();
    }
}
