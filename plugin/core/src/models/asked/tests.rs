use super::*;
use crate::mass::MassFactor;
use crate::problem::{ProblemBuilder, RowHalf};
use nalgebra::DMatrix;

/// What one row on a body of 1 kg asks for.
fn ask(entry: f64, kind: ScalarKind) -> Asked {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let mass = MassFactor::from_dense(&DMatrix::identity(1, 1)).unwrap();
    let block = builder.add_block(&mass, &[0.0], &[0.0]);
    let half = RowHalf {
        block,
        cols: &[0],
        rows: [&[entry][..]],
    };
    builder.add_scalar(1, kind, &[half]);
    let row = GroupId::Scalar(ScalarId(0));
    asks(builder.finish().unwrap(), row, &ModelSettings::default())
}

/// The work of a row that gives is the most of `f u` over all u it may end with.
#[test]
fn what_gives_puts_in_the_most_of_force_times_speed() {
    for (a, limit, compliance) in [(3.0, 1e30, 0.5), (-2.0, 1e30, 0.1), (2.0, 0.4, 0.1)] {
        let kind = ScalarKind::Bounded {
            velocity: a,
            limit,
            compliance,
        };
        let asked = ask(1.0, kind);
        let power = |u: f64| u * ((a - u) / compliance).clamp(-limit, limit);
        let speeds = (0..=4000).map(|k| a * f64::from(k) / 4000.0);
        let most = speeds.map(power).fold(0.0, f64::max);
        assert_eq!((asked.firm, asked.all), (0.0, a.abs()));
        assert!(most <= asked.work * (1.0 + 1e-12), "{most} {asked:?}");
        match limit < 1.0 {
            // As if all of its limit acted at all of its speed.
            true => assert_eq!(asked.work, limit * a.abs()),
            false => assert!(most > 0.999_999 * asked.work, "{most} {asked:?}"),
        }
    }
    // Asked for nothing, without compliance: 0/0 is no work.
    let still = ScalarKind::Bounded {
        velocity: 0.0,
        limit: 1e30,
        compliance: 0.0,
    };
    assert_eq!(ask(1.0, still).work, 0.0);
}

/// A limit that is scaled to a seventh asks for seven times the speed it names.
#[test]
fn a_scaled_row_asks_for_the_speed_of_what_it_moves() {
    let kind = ScalarKind::Unilateral { gap: -1.0 };
    let [whole, seventh] = [1.0, 1.0 / 7.0].map(|entry| ask(entry, kind).firm);
    assert!(whole > 0.0 && (seventh / whole - 7.0).abs() < 1e-12);
}
