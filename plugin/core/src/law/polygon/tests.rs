use super::*;

#[test]
fn polygon_projection_is_nearest_and_idempotent() {
    for corners in [4, 6, 8, 16] {
        let step = TAU / corners as f64;
        for i in 0..400 {
            let (sin, cos) = (0.0157 * f64::from(i)).sin_cos();
            let x = [1.7 * cos, 1.7 * sin];
            let p = into_polygon(x, 1.0, corners);
            let again = into_polygon(p, 1.0, corners);
            assert!(
                (p[0] - again[0]).hypot(p[1] - again[1]) < 1e-15,
                "{corners} {i}"
            );
            // Optimality: x - p makes no acute angle with any corner seen from p.
            for k in 0..corners {
                let (s, c) = (step * k as f64).sin_cos();
                let dot = (x[0] - p[0]) * (c - p[0]) + (x[1] - p[1]) * (s - p[1]);
                assert!(dot < 1e-12, "{corners} {i} {k}: {dot}");
            }
        }
    }
    assert_eq!(into_polygon([0.1, 0.2], 1.0, 4), [0.1, 0.2]);
    assert_eq!(into_polygon([0.1, 0.2], 0.0, 4), [0.0, 0.0]);
}
