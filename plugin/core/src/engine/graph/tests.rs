//! The matrix of islands with trees beside the dense one.

use super::*;
use crate::law::{Law, by_width};
use crate::mass::{MassFactor, MassPattern, NO_PARENT};
use crate::problem::{BlockId, ContactData, ProblemBuilder, RowHalf};
use crate::settings::ModelSettings;
use crate::system::Friction;
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;
use stickslip_random::Random;

/// Parents of a tree of 11 coordinates with two branches, of a free body, and of an arm that has as many coordinates as
/// that.
const PARENTS: [&[usize]; 3] = [
    &[NO_PARENT, 0, 1, 2, 3, 3, 5, 6, 2, 8, 9],
    &[NO_PARENT, NO_PARENT, NO_PARENT, NO_PARENT, 3, 4],
    &[NO_PARENT, 0, 1, 2, 3, 4],
];

fn block(builder: &mut ProblemBuilder, parents: &[usize], r: &mut Random) -> BlockId {
    let pattern = Arc::new(MassPattern::from_parents(parents).unwrap());
    let mut values: Vec<f64> = (0..pattern.len()).map(|_| r.symmetric()).collect();
    for i in 0..pattern.dim() {
        values[pattern.row(i).end - 1] = 2.0 + r.symmetric();
    }
    let mass = MassFactor::from_factor(pattern, values).unwrap();
    let v: Vec<f64> = (0..parents.len()).map(|_| r.symmetric()).collect();
    builder.add_block(&mass, &v, &v)
}

/// Contacts, some of them with spin: each named by the last coordinates of the paths that its one or two sides have entries
/// on. Two may be of the same tree.
const CONTACTS: [&[(usize, usize)]; 8] = [
    &[(0, 7)],
    &[(0, 7), (0, 10)],
    &[(0, 4), (1, 5)],
    &[(1, 5), (2, 5)],
    &[(2, 3)],
    &[(0, 10), (2, 5)],
    &[(1, 5)],
    &[(0, 2), (1, 5)],
];

/// The coordinates that an entry at the last of them needs.
fn path(&(block, last): &(usize, usize)) -> Vec<usize> {
    if block == 1 {
        return (0..6).collect();
    }
    let up = |&i: &usize| Some(PARENTS[block][i]).filter(|&i| i != NO_PARENT);
    let mut path: Vec<_> = std::iter::successors(Some(last), up).collect();
    path.reverse();
    path
}

/// One side of a contact: block, coordinates, rows.
type Side = (BlockId, Vec<usize>, [Vec<f64>; 3]);

fn half((block, cols, rows): &Side) -> RowHalf<'_, 3> {
    RowHalf {
        block: *block,
        cols,
        rows: [&rows[0], &rows[1], &rows[2]],
    }
}

fn island(builder: &mut ProblemBuilder, r: &mut Random) {
    builder.begin(0.01);
    let blocks = PARENTS.map(|parents| block(builder, parents, r));
    for (key, sides) in CONTACTS.into_iter().enumerate() {
        let mut draw = || -> Vec<Side> {
            let sides = sides.iter().map(|side| {
                let cols = path(side);
                let rows = [0; 3].map(|_| cols.iter().map(|_| r.symmetric()).collect());
                (blocks[side.0], cols, rows)
            });
            sides.collect()
        };
        let [rows, spins] = [draw(), draw()];
        let data = ContactData {
            key: key as u64,
            mu: 0.5,
            mu_torsional: if key % 3 == 0 { 0.1 } else { 0.0 },
            ..ContactData::default()
        };
        let own: Vec<_> = rows.iter().map(half).collect();
        let id = builder.add_contact(data, &own);
        if data.mu_torsional > 0.0 {
            let own: Vec<_> = spins.iter().map(half).collect();
            builder.add_spin(id, &own);
        }
    }
    builder.finish().unwrap();
}

/// `(I + sum_c R_c^T H_c R_c) x = b` with any H, entered unit by unit and solved on the sparse factor: what the dense
/// matrix of the same rows leaves of b is round-off.
#[test]
fn islands_of_trees_agree_with_the_dense_matrix() {
    let mut r = Random::new(11);
    let mut builder = ProblemBuilder::new();
    let (mut system, mut graph) = (System::default(), Graph::default());
    for _ in 0..20 {
        island(&mut builder, &mut r);
        let problem = builder.finished().unwrap();
        let place = problem.place(problem.islands().next().unwrap());
        system.build(place, &ModelSettings::default(), Friction::Law(Law::Cone));
        assert!(graph.enter(place, &system, usize::MAX));
        graph.begin();
        let m = system.dim();
        let mut dense = DMatrix::<f64>::identity(m, m);
        for (number, unit) in system.units.iter().enumerate() {
            by_width!(unit, W => {
                let mut rows = vec![0.0; W * m];
                system.scatter(unit, &mut rows);
                let rows = DMatrix::from_row_slice(W, m, &rows);
                let mut h: Matrix<W> = [[0.0; W]; W];
                h.iter_mut().flatten().for_each(|h| *h = r.symmetric() / 10.0);
                graph.add(&system, number, &h);
                let h = DMatrix::from_fn(W, W, |i, j| h[i][j]);
                dense += rows.transpose() * h * rows;
            });
        }
        graph.factor().unwrap();
        let b = DVector::from_fn(m, |_, _| r.symmetric());
        let mut x = b.as_slice().to_vec();
        graph.solve(&mut x);
        let left = (&dense * DVector::from_vec(x.clone()) - &b).amax();
        let size = x.iter().fold(1.0_f64, |most, x| most.max(x.abs())) * dense.amax();
        assert!(left < 1e-11 * size, "{left:e} of {size:e}");
    }
}

/// Two links that branch off one coordinate touch the world: eliminated from the last links on, neither changes the rows
/// of the other, and between them the factor stays zero to the bit. From the root on it would fill in.
#[test]
fn branches_do_not_fill_in() {
    let (n, mut r) = (PARENTS[0].len(), Random::new(3));
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let tree = block(&mut builder, PARENTS[0], &mut r);
    for (key, last) in [4, 7, 10].into_iter().enumerate() {
        let cols = path(&(0, last));
        let rows = [0; 3].map(|_| cols.iter().map(|_| r.symmetric()).collect());
        let data = ContactData {
            key: key as u64,
            mu: 0.5,
            ..ContactData::default()
        };
        builder.add_contact(data, &[half(&(tree, cols, rows))]);
    }
    let problem = builder.finish().unwrap();
    let place = problem.place(problem.islands().next().unwrap());
    let (mut system, mut graph) = (System::default(), Graph::default());
    system.build(place, &ModelSettings::default(), Friction::Law(Law::Cone));
    assert!(graph.enter(place, &system, usize::MAX));
    graph.begin();
    // Weak enough for every pivot to be on the diagonal.
    let h: Matrix<3> = std::array::from_fn(|i| std::array::from_fn(|k| f64::from(i == k) * 1e-3));
    for unit in 0..system.units.len() {
        graph.add(&system, unit, &h);
    }
    graph.factor().unwrap();
    let factor = graph.factor.block_mut(0, 0);
    let meet = |i: usize, j: usize| path(&(0, i)).contains(&j) || path(&(0, j)).contains(&i);
    for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
        let entry = factor[stored(n, i) * n + stored(n, j)];
        assert_eq!(entry != 0.0, meet(i, j), "{i} {j}: {entry:e}");
    }
}
