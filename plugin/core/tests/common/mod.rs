//! Scenes built straight as contact problems, for the tests and the timing example.
#![allow(dead_code, unused_imports, clippy::unwrap_used, missing_docs)]

pub mod campaign;
pub mod make;
pub mod measures;

pub use make::model;
pub use measures::*;

use nalgebra::{DMatrix, Matrix3, Rotation3, Vector3};
use std::sync::Arc;
use stickslip_core::mass::{MassFactor, MassPattern, NO_PARENT};
use stickslip_core::models::{
    ContactSolution, Model, ModelName, ModelSettings, WarmStart, Workspace,
};
use stickslip_core::problem::{
    BlockId, ContactData, ContactProblem, ProblemBuilder, RowHalf, ScalarKind,
};
use stickslip_core::report::SolveReport;

pub const G: f64 = 9.81;

/// The models solved by `ppm` and `active-set`.
pub const PROJECTED: [ModelName; 3] = [
    ModelName::Frictionless,
    ModelName::NoSlip,
    ModelName::NoSlipReleasing,
];

/// A small deterministic generator (xorshift64*), uniform in [-1, 1).
pub struct Random(pub u64);

impl Random {
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    pub fn next(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next_u64() >> 33) as usize % n
    }
    pub fn unit(&mut self) -> Vector3<f64> {
        loop {
            let v = Vector3::new(self.next(), self.next(), self.next());
            let l = v.norm();
            if l > 0.1 && l <= 1.0 {
                return v / l;
            }
        }
    }
}

/// Mass factor of a free body: velocity of its centre of mass, then angular velocity, world axes.
pub fn free_mass(mass: f64, inertia: Matrix3<f64>) -> MassFactor {
    MassFactor::free_body(mass, &inertia).unwrap()
}

/// Rows of the velocity of a body's point `r` (from its centre of mass) along n, s, t, times `sign`.
pub fn point_rows(axes: [Vector3<f64>; 3], r: Vector3<f64>, sign: f64) -> [[f64; 6]; 3] {
    axes.map(|a| {
        let m = r.cross(&a);
        [a.x, a.y, a.z, m.x, m.y, m.z].map(|x| sign * x)
    })
}

pub const ALL6: [usize; 6] = [0, 1, 2, 3, 4, 5];

pub fn half(block: BlockId, rows: &[[f64; 6]; 3]) -> RowHalf<'_, 3> {
    RowHalf {
        block,
        cols: &ALL6,
        rows: [&rows[0], &rows[1], &rows[2]],
    }
}

pub fn closed(key: u64) -> ContactData {
    ContactData {
        key,
        mu: 1.0,
        mu_viscous: 20.0,
        ..ContactData::default()
    }
}

/// Normal +z with tangents x, y (right-handed: n, s, t).
pub fn up() -> [Vector3<f64>; 3] {
    [Vector3::z(), Vector3::x(), Vector3::y()]
}

/// Right-handed axes about a normal.
pub fn axes(n: Vector3<f64>, angle: f64) -> [Vector3<f64>; 3] {
    let other = if n.x.abs() < 0.6 {
        Vector3::x()
    } else {
        Vector3::y()
    };
    let s = (other - n * n.dot(&other)).normalize();
    let s = Rotation3::from_axis_angle(&nalgebra::Unit::new_unchecked(n), angle) * s;
    [n, s, n.cross(&s)]
}

/// Spheres side by side on the ground, each touching its neighbours, with free velocities of their own: one island.
pub fn carpet(builder: &mut ProblemBuilder, side: usize, v_free: impl Fn(usize) -> [f64; 6]) {
    builder.begin(0.01);
    let mass = free_mass(1.0, Matrix3::identity() * 0.1);
    let mut blocks = Vec::new();
    for i in 0..side * side {
        blocks.push(builder.add_block(&mass, &[0.0; 6], &v_free(i)));
    }
    let mut key = 0;
    for i in 0..side * side {
        let ground = point_rows(up(), Vector3::new(0.0, 0.0, -0.5), 1.0);
        builder.add_contact(closed(key), &[half(blocks[i], &ground)]);
        key += 1;
        for (step, n, inside) in [
            (1, Vector3::x(), i % side + 1 < side),
            (side, Vector3::y(), i / side + 1 < side),
        ] {
            if inside {
                let frame = axes(n, 0.0);
                let lower = point_rows(frame, n * 0.5, -1.0);
                let upper = point_rows(frame, n * -0.5, 1.0);
                let halves = [half(blocks[i], &lower), half(blocks[i + step], &upper)];
                builder.add_contact(closed(key), &halves);
                key += 1;
            }
        }
    }
    builder.finish().unwrap();
}

/// A push along, down and about y for sphere `i` of a carpet: its neighbours press.
pub fn pressed(i: usize) -> [f64; 6] {
    let x = 0.3 * (i as f64).sin();
    [x, 0.2 * x, -G * 0.01, 0.0, x, 0.0]
}

/// `count` unit cubes in a column, four corner contacts each, falling for one step. Masses grow by
/// the factor `ratio` upwards.
pub fn stack(builder: &mut ProblemBuilder, count: usize, h: f64, ratio: f64) {
    builder.begin(h);
    let mut blocks = Vec::new();
    for i in 0..count {
        let m = ratio.powi(i as i32);
        let mass = free_mass(m, Matrix3::identity() * (m / 6.0));
        let v = [0.0; 6];
        let v_free = [0.0, 0.0, -G * h, 0.0, 0.0, 0.0];
        blocks.push(builder.add_block(&mass, &v, &v_free));
    }
    for i in 0..count {
        for corner in 0..4_u64 {
            let x = if corner & 1 == 0 { -0.5 } else { 0.5 };
            let y = if corner & 2 == 0 { -0.5 } else { 0.5 };
            let upper = point_rows(up(), Vector3::new(x, y, -0.5), 1.0);
            let lower = point_rows(up(), Vector3::new(x, y, 0.5), -1.0);
            let data = closed(10 * i as u64 + corner);
            if i == 0 {
                builder.add_contact(data, &[half(blocks[0], &upper)]);
            } else {
                builder.add_contact(
                    data,
                    &[half(blocks[i - 1], &lower), half(blocks[i], &upper)],
                );
            }
        }
    }
    builder.finish().unwrap();
}

/// One free body on `count` contacts spread over its flat underside.
pub fn many(builder: &mut ProblemBuilder, count: usize, h: f64) {
    builder.begin(h);
    let mass = free_mass(
        2.0,
        Matrix3::new(0.3, 0.02, 0.0, 0.02, 0.4, 0.01, 0.0, 0.01, 0.5),
    );
    let block = builder.add_block(&mass, &[0.0; 6], &[0.1, 0.0, -G * h, 0.02, -0.01, 0.03]);
    let side = (count as f64).sqrt().ceil() as usize;
    for i in 0..count {
        let x = (i % side) as f64 / side as f64 - 0.5;
        let y = (i / side) as f64 / side as f64 - 0.5;
        let rows = point_rows(up(), Vector3::new(x, y, -0.2), 1.0);
        builder.add_contact(closed(i as u64), &[half(block, &rows)]);
    }
    builder.finish().unwrap();
}

/// A four-legged robot of 18 coordinates standing on its feet; 24 joint limits far away.
pub fn quadruped(builder: &mut ProblemBuilder, h: f64) {
    let mut parents = vec![NO_PARENT, 0, 1, 2, 3, 4];
    for leg in 0..4 {
        parents.extend([5, 6 + 3 * leg, 7 + 3 * leg]);
    }
    let pattern = Arc::new(MassPattern::from_parents(&parents).unwrap());
    // Links as point masses on massless legs give a positive definite matrix with the right zeros.
    let mut dense = DMatrix::<f64>::identity(18, 18) * 0.02;
    for i in 0..3 {
        dense[(i, i)] += 6.0;
        dense[(3 + i, 3 + i)] += 0.1;
    }
    let mut feet = Vec::new();
    for leg in 0..4_usize {
        let side = if leg % 2 == 0 { 1.0 } else { -1.0 };
        let fore = if leg < 2 { 1.0 } else { -1.0 };
        let hip = Vector3::new(0.18 * fore, 0.13 * side, 0.0);
        let knee = hip + Vector3::new(-0.14, 0.0, -0.15);
        let foot = hip + Vector3::new(0.0, 0.0, -0.3);
        let joints = [
            (hip, Vector3::x()),
            (hip, Vector3::y()),
            (knee, Vector3::y()),
        ];
        let jacobian = |p: Vector3<f64>, depth: usize| {
            let mut j = DMatrix::zeros(3, 18);
            for (k, a) in [Vector3::x(), Vector3::y(), Vector3::z()]
                .iter()
                .enumerate()
            {
                j[(k, k)] = 1.0;
                j.set_column(3 + k, &a.cross(&p));
            }
            for (d, (o, a)) in joints.iter().take(depth).enumerate() {
                j.set_column(6 + 3 * leg + d, &a.cross(&(p - o)));
            }
            j
        };
        for (p, depth, m) in [(hip, 1, 0.7), (knee, 2, 1.0), (foot, 3, 0.2)] {
            let j = jacobian(p, depth);
            dense += j.transpose() * &j * m;
        }
        feet.push(jacobian(foot, 3));
    }
    let mut mass = MassFactor::new(pattern.clone());
    for i in 0..18 {
        for (d, &j) in pattern.path(i).iter().enumerate() {
            *mass.entry_mut(i, d) = dense[(i, j)];
        }
    }
    mass.factor().unwrap();
    let mut v_free = [0.0; 18];
    v_free[2] = -G * h;
    for (i, v) in v_free.iter_mut().enumerate().skip(6) {
        *v = 0.003 * (i as f64).sin();
    }
    builder.begin(h);
    let block = builder.add_block(&mass, &[0.0; 18], &v_free);
    for (leg, jacobian) in feet.iter().enumerate() {
        let cols = [0, 1, 2, 3, 4, 5, 6 + 3 * leg, 7 + 3 * leg, 8 + 3 * leg];
        let row = |k: usize| cols.map(|c| jacobian[(k, c)]);
        let (n, s, t) = (row(2), row(0), row(1));
        let half = RowHalf {
            block,
            cols: &cols,
            rows: [&n, &s, &t],
        };
        builder.add_contact(closed(leg as u64), &[half]);
    }
    for joint in 0..12 {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let half = RowHalf {
                block,
                cols: &[6 + joint],
                rows: [&[sign]],
            };
            let kind = ScalarKind::Unilateral { gap: 0.8 };
            builder.add_scalar((2 * joint + side) as u64, kind, &[half]);
        }
    }
    builder.finish().unwrap();
}

/// The paper's grasp (A1): four cubes of side 0.1 m and mass 1 kg along x; the outer two are
/// grippers held to the world by 5 bilateral rows each and pushed inwards with 200 N; gravity acts on
/// the inner two. Per touching pair 12 contacts with normals +-x: six corner visits of each cube's
/// face against the other's triangles, multiplicities 1, 2, 2, 1. `triplicated` gives every corner
/// the three face normals of the cube (the footnote's set).
pub fn grasp(builder: &mut ProblemBuilder, triplicated: bool) {
    build_grasp(builder, triplicated, (1.0, 200.0));
}

/// [`grasp`] with a coefficient of friction.
pub fn grasp_with(builder: &mut ProblemBuilder, mu: f64) {
    build_grasp(builder, false, (mu, 200.0));
}

/// [`grasp`] squeezed by another force \[N\].
pub fn grasp_squeezed(builder: &mut ProblemBuilder, triplicated: bool, force: f64) {
    build_grasp(builder, triplicated, (1.0, force));
}

fn build_grasp(builder: &mut ProblemBuilder, triplicated: bool, (mu, force): (f64, f64)) {
    let h = 0.01;
    builder.begin(h);
    let side: f64 = 0.1;
    let mass = free_mass(1.0, Matrix3::identity() * (side * side / 6.0));
    let mut blocks = Vec::new();
    for i in 0..4 {
        let mut v_free = [0.0; 6];
        match i {
            0 => v_free[0] = force * h,
            3 => v_free[0] = -force * h,
            _ => v_free[2] = -G * h,
        }
        blocks.push(builder.add_block(&mass, &[0.0; 6], &v_free));
    }
    let kind = ScalarKind::Bilateral { velocity: 0.0 };
    for (g, block) in [blocks[0], blocks[3]].into_iter().enumerate() {
        for col in 1..6 {
            let half = RowHalf {
                block,
                cols: &[col],
                rows: [&[1.0]],
            };
            builder.add_scalar((10 * g + col) as u64, kind, &[half]);
        }
    }
    let mut key = 0;
    for pair in 0..3 {
        for (way, multiplicities) in [(0, [1, 2, 2, 1]), (1, [2, 1, 1, 2])] {
            for (corner, count) in multiplicities.into_iter().enumerate() {
                let y = if corner & 1 == 0 { -0.5 } else { 0.5 } * side;
                let z = if corner & 2 == 0 { -0.5 } else { 0.5 } * side;
                let mut normals = vec![Vector3::x()];
                if triplicated {
                    normals.push(Vector3::new(0.0, y.signum(), 0.0));
                    normals.push(Vector3::new(0.0, 0.0, z.signum()));
                }
                for (normal, _) in normals
                    .iter()
                    .flat_map(|n| std::iter::repeat_n((n, ()), count))
                {
                    // Which cube is called the second one depends on the way round.
                    let sign = if way == 0 { 1.0 } else { -1.0 };
                    let axes = axes(*normal * sign, 0.0);
                    let left = point_rows(axes, Vector3::new(0.5 * side, y, z), -sign);
                    let right = point_rows(axes, Vector3::new(-0.5 * side, y, z), sign);
                    let halves = [half(blocks[pair], &left), half(blocks[pair + 1], &right)];
                    let data = ContactData { mu, ..closed(key) };
                    builder.add_contact(data, &halves);
                    key += 1;
                }
            }
        }
    }
    builder.finish().unwrap();
}

/// A solve with fresh memory.
pub fn solve(
    problem: &ContactProblem,
    name: ModelName,
    settings: ModelSettings,
) -> (ContactSolution, SolveReport) {
    let mut model = model(name, settings);
    let mut solution = ContactSolution::default();
    let report = model.solve(
        problem,
        &mut WarmStart::new(),
        &mut Workspace::new(),
        &mut solution,
    );
    (solution, report)
}

/// A model with its memory, for solving again and again.
pub struct Solver {
    pub model: Model,
    pub warm: WarmStart,
    pub workspace: Workspace,
    pub solution: ContactSolution,
}

impl Solver {
    pub fn new(name: ModelName, settings: ModelSettings) -> Self {
        Self {
            model: model(name, settings),
            warm: WarmStart::new(),
            workspace: Workspace::new(),
            solution: ContactSolution::default(),
        }
    }
    pub fn solve(&mut self, problem: &ContactProblem) -> SolveReport {
        self.model.solve(
            problem,
            &mut self.warm,
            &mut self.workspace,
            &mut self.solution,
        )
    }
}
