//! Seeded random problems. Shared by the tests and the timing example.
#![allow(dead_code)]

use stickslip_reference::lcp::Lcp;

/// A fixed linear congruential sequence: the same numbers everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut r = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
        for _ in 0..4 {
            r.next();
        }
        r
    }

    /// Uniform in [-1, 1).
    pub fn next(&mut self) -> f64 {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Uniform in 0..n.
    pub fn below(&mut self, n: usize) -> usize {
        ((0.5 + 0.5 * self.next()) * n as f64) as usize
    }

    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

/// Owned matrix (row-major) and vector.
#[derive(Clone, Default)]
pub struct Problem {
    pub a: Vec<f64>,
    pub q: Vec<f64>,
}

impl Problem {
    pub fn lcp(&self) -> Lcp<'_> {
        Lcp::new(&self.a, &self.q).unwrap()
    }

    pub fn dim(&self) -> usize {
        self.q.len()
    }

    pub fn w(&self, z: &[f64]) -> Vec<f64> {
        let n = self.dim();
        (0..n)
            .map(|i| self.q[i] + dot(&self.a[i * n..(i + 1) * n], z))
            .collect()
    }
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `A = G G^T` of the given rank and `q` in its range, so that a solution exists.
pub fn semidefinite(r: &mut Random, n: usize, rank: usize) -> Problem {
    let g: Vec<Vec<f64>> = (0..n).map(|_| r.vector(rank)).collect();
    let v = r.vector(rank);
    let a = (0..n * n).map(|k| dot(&g[k / n], &g[k % n])).collect();
    let q = g.iter().map(|g| dot(g, &v)).collect();
    Problem { a, q }
}

/// A P-matrix that is neither symmetric nor semidefinite: `D_1 (S + K) D_2` with S positive
/// definite, K skew, D positive diagonal, spread over four decades. Principal minors of S + K are
/// positive, and positive row and column scalings keep their signs.
pub fn p_matrix(r: &mut Random, n: usize) -> Problem {
    let mut p = semidefinite(r, n, n);
    let rows: Vec<f64> = (0..n).map(|_| 10f64.powf(r.next())).collect();
    let cols: Vec<f64> = (0..n).map(|_| 10f64.powf(r.next())).collect();
    for i in 0..n {
        p.a[i * n + i] += 0.1;
        for j in 0..i {
            let k = 2.0 * r.next();
            p.a[i * n + j] += k;
            p.a[j * n + i] -= k;
        }
    }
    for (k, a) in p.a.iter_mut().enumerate() {
        *a *= rows[k / n] * cols[k % n];
    }
    p.q = r.vector(n);
    p
}

/// What a random friction problem looks like.
#[derive(Clone, Copy, Debug)]
pub struct Friction {
    pub contacts: usize,
    pub bodies: usize,
    /// Coulomb coefficients are drawn from these.
    pub mu: &'static [f64],
    /// Of eight contacts, how many repeat the one before.
    pub repeated: usize,
    pub motion: Motion,
}

/// The free velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// At random.
    Random,
    /// Straight down, with normals near the vertical: everything at rest but for gravity, so that
    /// many right-hand sides are zero.
    Resting,
}

/// Directions of the friction pyramid.
pub const DIRECTIONS: usize = 4;

/// A row of contact velocities: one body or two.
type Row = [(usize, [f64; 6]); 2];

/// A Stewart-Trinkle problem (theory of the time-stepping LCP): free bodies of unit-order masses
/// touching each other and the ground, `b >= 0`, so `v+ = 0` obeys the normal conditions and a
/// solution exists.
pub fn friction(r: &mut Random, f: Friction) -> Problem {
    let masses: Vec<[f64; 6]> = (0..f.bodies)
        .map(|_| {
            let m = 10f64.powf(r.next());
            let inertia = |r: &mut Random| 10.0 / (m * (1.0 + 0.5 * r.next()));
            let [x, y, z] = [inertia(r), inertia(r), inertia(r)];
            [1.0 / m, 1.0 / m, 1.0 / m, x, y, z]
        })
        .collect();
    let v_free: Vec<[f64; 6]> = (0..f.bodies)
        .map(|_| match f.motion {
            Motion::Random => std::array::from_fn(|_| r.next()),
            Motion::Resting => [0.0, 0.0, -0.1, 0.0, 0.0, 0.0],
        })
        .collect();
    let mut rows: Vec<[Row; 3]> = Vec::new();
    let mut gaps = Vec::new();
    for i in 0..f.contacts {
        if i > 0 && r.below(8) < f.repeated {
            rows.push(rows[i - 1]);
            gaps.push(gaps[i - 1]);
        } else {
            rows.push(contact(r, f));
            let open = f.motion == Motion::Random && r.below(4) == 0;
            gaps.push(if open { 0.3 * (1.0 + r.next()) } else { 0.0 });
        }
    }
    let mu: Vec<f64> = rows.iter().map(|_| f.mu[r.below(f.mu.len())]).collect();
    assemble(&masses, &v_free, &rows, &gaps, &mu)
}

fn contact(r: &mut Random, f: Friction) -> [Row; 3] {
    let body = r.below(f.bodies);
    // Half of the contacts are with the ground.
    let other = if r.below(2) == 0 {
        body
    } else {
        r.below(f.bodies)
    };
    let tilt = if f.motion == Motion::Resting {
        0.0
    } else {
        1.0
    };
    let n = unit([tilt * r.next(), tilt * r.next(), 1.2 + r.next()]);
    let s = unit(cross(n, [0.3, 1.0, 0.2]));
    let t = cross(n, s);
    let arms: [[f64; 3]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| 0.3 * r.next()));
    [n, s, t].map(|d| {
        let half = |arm: [f64; 3], sign: f64| {
            let c = cross(arm, d);
            [d[0], d[1], d[2], c[0], c[1], c[2]].map(|x| sign * x)
        };
        let second = if other == body {
            [0.0; 6]
        } else {
            half(arms[1], -1.0)
        };
        [(body, half(arms[0], 1.0)), (other, second)]
    })
}

fn assemble(
    masses: &[[f64; 6]],
    v_free: &[[f64; 6]],
    contacts: &[[Row; 3]],
    gaps: &[f64],
    mu: &[f64],
) -> Problem {
    // (row, sign, contact, kind)
    let mut list: Vec<(Row, usize)> = contacts
        .iter()
        .enumerate()
        .map(|(i, c)| (c[0], i))
        .collect();
    let normals = list.len();
    for (i, c) in contacts.iter().enumerate() {
        if mu[i] > 0.0 {
            for row in [c[1], negated(c[1]), c[2], negated(c[2])] {
                list.push((row, i));
            }
        }
    }
    let moving = list.len();
    let rough: Vec<usize> = (0..normals).filter(|&i| mu[i] > 0.0).collect();
    let n = moving + rough.len();
    let mut p = Problem {
        a: vec![0.0; n * n],
        q: vec![0.0; n],
    };
    for (i, (row, c)) in list.iter().enumerate() {
        for (j, (other, _)) in list.iter().enumerate() {
            p.a[i * n + j] = product(masses, row, other);
        }
        let speed: f64 = row.iter().map(|(b, r)| dot(r, &v_free[*b])).sum();
        p.q[i] = speed + if i < normals { gaps[*c] } else { 0.0 };
    }
    for (k, &c) in rough.iter().enumerate() {
        let l = moving + k;
        p.a[l * n + c] = mu[c];
        for (j, _) in list
            .iter()
            .enumerate()
            .skip(normals)
            .filter(|(_, x)| x.1 == c)
        {
            p.a[l * n + j] = -1.0;
            p.a[j * n + l] = 1.0;
        }
    }
    p
}

fn product(masses: &[[f64; 6]], a: &Row, b: &Row) -> f64 {
    let mut sum = 0.0;
    for (i, x) in a {
        for (j, y) in b {
            if i == j {
                sum += (0..6).map(|k| x[k] * y[k] * masses[*i][k]).sum::<f64>();
            }
        }
    }
    sum
}

fn negated(row: Row) -> Row {
    row.map(|(b, r)| (b, r.map(|x| -x)))
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let l = dot(&a, &a).sqrt();
    a.map(|x| x / l)
}
