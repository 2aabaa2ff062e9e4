use super::*;
use crate::mass::{MassFactor, MassPattern, NO_PARENT};
use nalgebra::{DMatrix, DVector, Matrix3};

fn identity(dim: usize) -> MassFactor {
    MassFactor::from_dense(&DMatrix::identity(dim, dim)).unwrap()
}

fn builder(dims: &[usize]) -> ProblemBuilder {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    for &dim in dims {
        builder.add_block(&identity(dim), &vec![0.0; dim], &vec![0.0; dim]);
    }
    builder
}

const BILATERAL: ScalarKind = ScalarKind::Bilateral { velocity: 0.0 };

fn scalar(builder: &mut ProblemBuilder, halves: &[(usize, &[usize], &[f64])]) -> ScalarId {
    let halves: Vec<_> = halves
        .iter()
        .map(|&(block, cols, row)| RowHalf {
            block: BlockId(block),
            cols,
            rows: [row],
        })
        .collect();
    builder.add_scalar(0, BILATERAL, &halves)
}

fn reason(builder: &mut ProblemBuilder) -> String {
    builder.finish().unwrap_err().to_string()
}

#[test]
fn every_malformed_input_names_the_place_and_the_reason() {
    for h in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut b = ProblemBuilder::new();
        b.begin(h);
        assert!(reason(&mut b).contains("time step"));
    }
    let mut b = builder(&[2, 2]);
    b.add_block(&identity(2), &[0.0; 2], &[0.0, f64::NAN]);
    assert_eq!(reason(&mut b), "mass block 2: a velocity is not finite");
    let mut b = builder(&[2]);
    b.add_block(&identity(2), &[0.0; 2], &[0.0; 3]);
    assert!(reason(&mut b).starts_with("mass block 1: the mass matrix has 2"));
    let mut b = builder(&[]);
    let unfactored = MassFactor::new(identity(2).pattern().clone());
    b.add_block(&unfactored, &[0.0; 2], &[0.0; 2]);
    assert!(reason(&mut b).contains("not been factored"));

    type Half<'a> = (usize, &'a [usize], &'a [f64]);
    let cases: [(&[Half], &str); 7] = [
        (&[], "has 0 halves"),
        (
            &[(0, &[0], &[1.0]), (0, &[0], &[1.0]), (0, &[0], &[1.0])],
            "has 3 halves",
        ),
        (&[(1, &[0], &[1.0])], "names block 1, there are 1"),
        (&[(0, &[1, 0], &[1.0, 1.0])], "not strictly ascending"),
        (
            &[(0, &[0, 3], &[1.0, 1.0])],
            "column 3 is out of range, block 0 has 3",
        ),
        (&[(0, &[0, 1], &[1.0])], "row 0 has 1 values for 2 columns"),
        (
            &[(0, &[0], &[f64::INFINITY])],
            "row 0 holds a number that is not finite",
        ),
    ];
    for (halves, expected) in cases {
        let mut b = builder(&[3]);
        scalar(&mut b, &[(0, &[0], &[1.0])]);
        scalar(&mut b, halves);
        let text = reason(&mut b);
        assert!(
            text.starts_with("scalar row 1: ") && text.contains(expected),
            "{text}"
        );
        // The problem is not there, and the builder is usable again.
        assert_eq!(b.finished().unwrap_err().to_string(), text);
        b.begin(0.01);
        assert_eq!(b.finished().unwrap_err(), ProblemError::Unfinished);
        assert!(b.finish().is_ok());
    }
    for kind in [
        ScalarKind::Unilateral { gap: f64::NAN },
        ScalarKind::Bilateral { velocity: f64::NAN },
        ScalarKind::Bounded {
            velocity: 0.0,
            limit: -1.0,
            compliance: 0.0,
        },
        ScalarKind::Bounded {
            velocity: 0.0,
            limit: 1.0,
            compliance: f64::NAN,
        },
    ] {
        let mut b = builder(&[1]);
        let half = RowHalf {
            block: BlockId(0),
            cols: &[0],
            rows: [&[1.0]],
        };
        b.add_scalar(0, kind, &[half]);
        assert!(reason(&mut b).starts_with("scalar row 0: "));
    }
    for data in [
        ContactData {
            mu: -0.1,
            ..ContactData::default()
        },
        ContactData {
            mu_viscous: f64::NAN,
            ..ContactData::default()
        },
        ContactData {
            restitution: 1.5,
            ..ContactData::default()
        },
        ContactData {
            phi: f64::NAN,
            ..ContactData::default()
        },
        ContactData {
            surface_velocity: [0.0, f64::INFINITY],
            ..ContactData::default()
        },
    ] {
        let mut b = builder(&[1]);
        let half = RowHalf {
            block: BlockId(0),
            cols: &[0],
            rows: [&[1.0], &[0.0], &[0.0]],
        };
        b.add_contact(data, &[half]);
        assert!(reason(&mut b).starts_with("contact 0: "));
    }
}

#[test]
fn halves_are_sorted_by_block_and_merged_within_one() {
    let mut b = builder(&[3, 4]);
    scalar(
        &mut b,
        &[(1, &[0, 3], &[1.0, 2.0]), (0, &[1, 2], &[3.0, 4.0])],
    );
    scalar(
        &mut b,
        &[(1, &[0, 2], &[1.0, 2.0]), (1, &[1, 2, 3], &[3.0, 4.0, 5.0])],
    );
    let p = b.finish().unwrap();
    let entries = |s| p.row(p.scalar_row(s)).iter().collect::<Vec<_>>();
    assert_eq!(entries(0), [(1, 3.0), (2, 4.0), (3, 1.0), (6, 2.0)]);
    assert_eq!(entries(1), [(3, 1.0), (4, 3.0), (5, 6.0), (6, 5.0)]);
    // Runs never cross a block boundary although coordinates 2 and 3 are neighbours.
    assert_eq!(p.row(p.scalar_row(0)).runs.len(), 3);
    let x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    assert_eq!(p.row(p.scalar_row(0)).dot(&x), 3.0 + 8.0 + 3.0 + 12.0);
}

#[test]
fn closure_is_judged_by_the_block_s_tree() {
    let pattern = MassPattern::from_parents(&[NO_PARENT, 0, 1, 0]).unwrap();
    let mut mass = MassFactor::new(Arc::new(pattern));
    for i in 0..4 {
        let depth = mass.pattern().path(i).len() - 1;
        *mass.entry_mut(i, depth) = 1.0;
    }
    mass.factor().unwrap();
    let mut b = ProblemBuilder::new();
    b.begin(0.01);
    b.add_block(&mass, &[0.0; 4], &[0.0; 4]);
    scalar(&mut b, &[(0, &[0, 3], &[1.0, 1.0])]);
    scalar(&mut b, &[(0, &[0, 2], &[1.0, 1.0])]);
    let p = b.finish().unwrap();
    assert!(p.scalar_groups[0].closed && !p.scalar_groups[1].closed);
}

/// The scalar rows of these numbers.
fn rows(numbers: &[usize]) -> Vec<GroupId> {
    let rows = numbers.iter().map(|&s| GroupId::Scalar(ScalarId(s)));
    rows.collect()
}

#[test]
fn islands_are_the_connected_parts_and_chains_come_in_order() {
    // A chain 3 - 0 - 4 - 1 given out of order, 2 alone without rows, 5 alone with one.
    let mut b = builder(&[1; 6]);
    for (x, y) in [(4, 1), (3, 0), (0, 4)] {
        scalar(&mut b, &[(x, &[0], &[1.0]), (y, &[0], &[-1.0])]);
    }
    scalar(&mut b, &[(5, &[0], &[1.0])]);
    let p = b.finish().unwrap();
    let islands: Vec<_> = p.islands().collect();
    assert_eq!(islands.len(), 2);
    assert_eq!(islands[0].blocks, [1, 4, 0, 3]);
    assert_eq!(islands[0].groups, rows(&[0, 2, 1]));
    assert_eq!(islands[1].blocks, [5]);
    assert_eq!(islands[1].groups, rows(&[3]));
}

/// A builder keeps the islands of the last problem where the same blocks are connected, and only there.
#[test]
fn islands_follow_connections_from_problem_to_problem() {
    let split = |b: &mut ProblemBuilder, pairs: [(usize, usize); 2]| {
        b.begin(0.01);
        for _ in 0..4 {
            b.add_block(&identity(1), &[0.0], &[0.0]);
        }
        for (x, y) in pairs {
            scalar(b, &[(x, &[0], &[1.0]), (y, &[0], &[-1.0])]);
        }
        let islands = b.finish().unwrap().islands();
        let lists = islands.map(|island| (island.blocks.to_vec(), island.groups.to_vec()));
        lists.collect::<Vec<_>>()
    };
    let mut b = ProblemBuilder::new();
    for pairs in [
        [(0, 1), (2, 3)],
        [(0, 1), (2, 3)],
        [(0, 1), (1, 3)],
        [(2, 3), (0, 1)],
        [(0, 1), (2, 3)],
    ] {
        let anew = split(&mut ProblemBuilder::new(), pairs);
        assert_eq!(split(&mut b, pairs), anew, "{pairs:?}");
    }
}

/// Where a row is left out, what it held together falls apart, and it is in no island.
#[test]
fn islands_split_along_some_rows_only() {
    let mut b = ProblemBuilder::new();
    b.begin(0.01);
    for _ in 0..4 {
        b.add_block(&identity(1), &[0.0], &[0.0]);
    }
    for x in 0..3 {
        scalar(&mut b, &[(x, &[0], &[1.0]), (x + 1, &[0], &[-1.0])]);
    }
    let mut copy = b.finish().unwrap().clone();
    let split = |p: &ContactProblem| {
        let lists = p.islands().map(|i| (i.blocks.to_vec(), i.groups.to_vec()));
        lists.collect::<Vec<_>>()
    };
    let whole = split(&copy);
    assert_eq!(whole, [(vec![0, 1, 2, 3], rows(&[0, 1, 2]))]);
    copy.split_along(&[true, false, true]);
    let halves = [(vec![0, 1], rows(&[0])), (vec![2, 3], rows(&[2]))];
    assert_eq!(split(&copy), halves);
    copy.split_along(&[true, false, false]);
    assert_eq!(split(&copy), [(vec![0, 1], rows(&[0]))]);
    copy.split_along(&[true; 3]);
    assert_eq!(split(&copy), whole);
}

/// A problem of two blocks with a contact and a scalar row.
fn pair() -> ProblemBuilder {
    let mut b = builder(&[2, 3]);
    let half = |block, rows| RowHalf {
        block: BlockId(block),
        cols: &[0, 1],
        rows,
    };
    let rows: [&[f64]; 3] = [&[1.0, 2.0], &[0.5, -1.0], &[3.0, 0.0]];
    let contact = ContactData {
        key: 7,
        phi: -0.1,
        ..ContactData::default()
    };
    b.add_contact(contact, &[half(0, rows), half(1, rows)]);
    scalar(&mut b, &[(1, &[2], &[4.0])]);
    b.finish().unwrap();
    b
}

/// `M x` over all coordinates.
fn momentum(p: &ContactProblem, x: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    for b in 0..p.block_count() {
        let block = p.block(b);
        let range = block.range();
        block.add_momentum(&x[range.clone()], &mut out[range]);
    }
    out
}

/// Momentum and kinetic energy of a free body, which have formulas of their own, are `M x` and `x . M x / 2` of the dense mass matrix.
#[test]
fn a_free_body_has_the_momentum_and_energy_of_its_mass_matrix() {
    let root = Matrix3::new(0.7, 0.0, 0.0, -0.2, 0.5, 0.0, 0.3, 0.1, 0.9);
    let mass = MassFactor::free_body(2.5, &(root * root.transpose())).unwrap();
    let x = DVector::from_iterator(6, (0..6).map(|k| (1.3 * f64::from(k) + 0.4).sin()));
    let mut b = builder(&[]);
    b.add_block(&mass, x.as_slice(), x.as_slice());
    let problem = b.finish().unwrap();
    let expected = mass.dense() * &x;
    let p = DVector::from_vec(momentum(problem, x.as_slice()));
    assert!(
        (&p - &expected).norm() < 1e-15 * expected.norm() * 8.0,
        "{p}"
    );
    // On top of what is there.
    let mut twice = p.clone();
    problem
        .block(0)
        .add_momentum(x.as_slice(), twice.as_mut_slice());
    assert!((twice - 2.0 * &p).norm() < 1e-14 * p.norm());
    let energy = problem.kinetic_energy(0, x.as_slice());
    assert!(
        (energy - 0.5 * x.dot(&expected)).abs() < 1e-14 * energy,
        "{energy}"
    );
}

/// `L^T y` is the row that y was whitened from, on a tree whose chains are longer and shorter than those whitened in one
/// pass; rows side by side have the same bits as one alone.
#[test]
fn a_whitened_row_times_the_factor_is_the_row() {
    let parents = [
        NO_PARENT, 0, 1, 2, 3, 4, 5, 2, 7, 8, 9, 10, NO_PARENT, 12, 12,
    ];
    let pattern = Arc::new(MassPattern::from_parents(&parents).unwrap());
    let entry = |at: usize| 0.3 * (1.7 * at as f64).sin();
    let mut values: Vec<f64> = (0..pattern.len()).map(entry).collect();
    for i in 0..parents.len() {
        values[pattern.row(i).end - 1] = 1.0 + 0.1 * i as f64;
    }
    let mass = MassFactor::from_factor(pattern.clone(), values.clone()).unwrap();
    let (dim, mut b) = (parents.len(), ProblemBuilder::new());
    b.begin(0.01);
    b.add_block(&mass, &vec![0.0; dim], &vec![0.0; dim]);
    let block = b.finish().unwrap().block(0);
    // The path of a link in the first branch, and all coordinates.
    for len in [7, dim] {
        let runs = [Run {
            start: 0,
            len: len as u32,
        }];
        let row = |k: usize| -> Vec<f64> {
            let entries = (0..dim).map(|i| {
                if i < len {
                    ((3 * i + k) as f64).cos()
                } else {
                    0.0
                }
            });
            entries.collect()
        };
        let rows = [0, 1, 2].map(row);
        let mut lanes: Vec<[f64; 4]> = (0..dim)
            .map(|i| [rows[0][i], rows[1][i], rows[2][i], 0.0])
            .collect();
        block.whiten_lanes(&runs, &mut lanes);
        for (k, row) in rows.iter().enumerate() {
            let mut white = row.clone();
            block.whiten(&runs, &mut white);
            let beside: Vec<f64> = lanes.iter().map(|x| x[k]).collect();
            assert_eq!(white, beside);
            let mut back = vec![0.0; dim];
            for (i, y) in white.iter().enumerate() {
                for (&j, l) in pattern.path(i).iter().zip(&values[pattern.row(i)]) {
                    back[j] += l * y;
                }
            }
            for (back, row) in back.iter().zip(row) {
                assert!((back - row).abs() < 1e-13, "{back} {row}");
            }
        }
    }
}

#[test]
fn a_copy_takes_the_place_of_whatever_was_there() {
    let source = pair();
    let source = source.finished().unwrap();
    let mut big = builder(&[4, 4, 4]);
    scalar(&mut big, &[(0, &[0], &[1.0]), (2, &[3], &[1.0])]);
    let mut copy = big.finish().unwrap().clone();
    copy.copy_from(source);
    assert_eq!(copy.dim(), 5);
    assert_eq!(copy.contacts(), source.contacts());
    assert_eq!(copy.scalars(), source.scalars());
    for row in 0..source.row_count() {
        let entries = |p: &ContactProblem| p.row(RowId(row)).iter().collect::<Vec<_>>();
        assert_eq!(entries(&copy), entries(source));
    }
    let (ours, theirs): (Vec<_>, Vec<_>) = (copy.islands().collect(), source.islands().collect());
    assert_eq!(ours.len(), theirs.len());
    for (a, b) in ours.iter().zip(&theirs) {
        assert_eq!((a.blocks, a.groups), (b.blocks, b.groups));
    }
    let x = [1.0, -2.0, 3.0, 0.5, 0.25];
    assert_eq!(momentum(&copy, &x), momentum(source, &x));
}

#[test]
fn a_scaled_mass_gives_scaled_momentum_and_diagonals() {
    let source = pair();
    let mut copy = ContactProblem::default();
    copy.copy_from(source.finished().unwrap());
    copy.scale_mass(9.0);
    let x = [1.0, -2.0, 3.0, 0.5, 0.25];
    for (a, b) in momentum(&copy, &x)
        .iter()
        .zip(momentum(source.finished().unwrap(), &x))
    {
        assert!((a - 9.0 * b).abs() < 1e-14 * b.abs());
    }
    // L^-T of a unit row: M^-1 is a ninth.
    let mut row = [1.0, 0.0];
    copy.block(0).solve_lt(&mut row);
    assert!((row[0] - 1.0 / 3.0).abs() < 1e-16);
}

#[test]
fn velocities_and_demands_can_be_replaced() {
    let source = pair();
    let mut copy = ContactProblem::default();
    copy.copy_from(source.finished().unwrap());
    copy.set_velocities(&[1.0; 5], &[2.0; 5]);
    copy.set_time_step(1.0);
    copy.contacts_mut()[0].phi = 0.0;
    copy.scalars_mut()[0].1 = ScalarKind::Unilateral { gap: 0.5 };
    assert_eq!((copy.v(), copy.v_free()), (&[1.0; 5][..], &[2.0; 5][..]));
    assert_eq!((copy.h(), copy.contacts()[0].phi), (1.0, 0.0));
    assert_eq!(copy.scalars()[0].1, ScalarKind::Unilateral { gap: 0.5 });
    assert_eq!(source.finished().unwrap().contacts()[0].phi, -0.1);
}
