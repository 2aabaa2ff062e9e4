//! Problems small enough for a pen, and what is refused.

use stickslip_reference::lcp::{Lcp, LcpError};

#[test]
fn malformed_input_is_refused() {
    let err = |a: &[f64], q: &[f64]| Lcp::new(a, q).unwrap_err();
    assert_eq!(
        err(&[1.0, 2.0, 3.0], &[1.0, 2.0]),
        LcpError::Shape { dim: 2, found: 3 }
    );
    assert_eq!(
        err(&[1.0, 2.0, f64::NAN, 3.0], &[1.0, 2.0]),
        LcpError::MatrixNotFinite { row: 1, column: 0 }
    );
    assert_eq!(
        err(&[1.0], &[f64::INFINITY]),
        LcpError::VectorNotFinite { row: 0 }
    );
    assert!(err(&[], &[1.0]).to_string().contains("1 x 1"));
}

#[test]
fn residual_is_zero_at_a_solution_only() {
    let (a, q) = ([2.0, 1.0, 0.0, 0.0], [-2.0, 3.0]);
    let lcp = Lcp::new(&a, &q).unwrap();
    assert_eq!(lcp.dim(), 2);
    assert_eq!(lcp.natural_residual(&[1.0, 0.0]), 0.0);
    // min(2 * 1.5, 1) / (1 + 3)
    assert_eq!(lcp.natural_residual(&[1.5, 0.0]), 0.25);
    // The second row has no diagonal: its z counts as it is.
    assert_eq!(lcp.natural_residual(&[0.75, 0.5]), 0.125);
    assert_eq!(lcp.natural_residual(&[1.0]), f64::INFINITY);
    assert!(lcp.natural_residual(&[f64::NAN, 0.0]).is_nan());
    assert!(lcp.natural_residual(&[1.0, f64::INFINITY]).is_nan());
}
