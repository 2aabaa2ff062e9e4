use super::*;

fn contact(friction: Option<[f64; 2]>, force: [f64; 3], normal_force: f64) -> ContactRecord {
    ContactRecord {
        bodies: [None, None],
        point: Point3::origin(),
        normal: Vector3::z(),
        tangent: Vector3::x(),
        friction,
        gap: 0.0,
        normal_force,
        friction_force: force.into(),
        spin_torque: Vector3::zeros(),
        slip_velocity: Vector3::zeros(),
        state: ContactState::Sticking,
    }
}

#[test]
fn utilisation_is_the_share_of_the_bound() {
    // |(3, 4)| = 5 of 0.5 times 20.
    let round = contact(Some([0.5, 0.5]), [3.0, 4.0, 0.0], 20.0);
    assert_eq!(round.utilisation(), Some(0.5));
    // (3 / 0.3, 4 / 0.16) / 50 = (0.2, 0.5): the ellipse, s along x and t along y.
    let oval = contact(Some([0.3, 0.16]), [3.0, 4.0, 0.0], 50.0);
    let expected = f64::hypot(0.2, 0.5);
    assert!((oval.utilisation().unwrap() - expected).abs() < 1e-15);
}

#[test]
fn utilisation_without_a_bound() {
    assert_eq!(contact(None, [1.0, 0.0, 0.0], 1.0).utilisation(), None);
    let lifted = contact(Some([1.0, 1.0]), [0.0; 3], 0.0);
    assert_eq!(lifted.utilisation(), None);
    let smooth = contact(Some([0.0, 0.0]), [0.0; 3], 2.0);
    assert_eq!(smooth.utilisation(), Some(0.0));
    let broken = contact(Some([0.0, 0.0]), [1.0, 0.0, 0.0], 2.0);
    assert_eq!(broken.utilisation(), Some(f64::INFINITY));
}
