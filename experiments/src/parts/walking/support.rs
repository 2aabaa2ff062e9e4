//! What each standing foot carries.

use nalgebra::{Matrix4, Vector3, Vector4};

/// Weight of the wish for equal shares against that for balance, both relative.
const EVEN: f64 = 1e-3;

/// Vertical forces at the feet that carry a weight \[N\] and balance it about the centre of mass,
/// as far as the feet that stand can: the least squares of
///
///   sum f = weight,   sum f (p - c) x z = 0   (over the size of the support)
///
/// with a little of even shares, so that it has one answer for any number of feet. `share` is how much
/// each foot takes part (0..1): one that has just touched down takes its load up by and by. A foot never
/// pulls. O(1).
pub(super) fn forces(
    feet: &[Vector3<f64>; 4],
    share: &[f64; 4],
    com: &Vector3<f64>,
    weight: f64,
) -> [f64; 4] {
    let arms = feet.map(|p| p - com);
    let size = arms.iter().map(|a| a.xy().norm()).fold(1e-6, f64::max);
    let mut carried = *share;
    // A foot that would pull is left out and the others solve again: at most once per foot.
    for _ in 0..feet.len() {
        let mut normal = Matrix4::zeros();
        let mut rhs = Vector4::zeros();
        for i in 0..4 {
            for j in 0..4 {
                let balance = arms[i].xy().dot(&arms[j].xy()) / (size * size);
                normal[(i, j)] = carried[i] * carried[j] * (1.0 + balance);
            }
            normal[(i, i)] += EVEN;
            rhs[i] = carried[i] * weight;
        }
        // Positive definite by the wish for even shares.
        let Some(factor) = normal.cholesky() else {
            return [0.0; 4];
        };
        let taken = factor.solve(&rhs);
        let forces = [0, 1, 2, 3].map(|i| taken[i] * carried[i]);
        let pulls = (0..4).filter(|i| forces[*i] < 0.0);
        match pulls.min_by(|a, b| forces[*a].total_cmp(&forces[*b])) {
            Some(foot) => carried[foot] = 0.0,
            None => return scaled(forces, weight, &carried),
        }
    }
    [0.0; 4]
}

/// Together the forces carry the weight: even shares take a thousandth off it.
fn scaled(forces: [f64; 4], weight: f64, carried: &[f64; 4]) -> [f64; 4] {
    let total: f64 = forces.iter().sum();
    let stands = carried.iter().copied().fold(0.0, f64::max);
    if total <= 0.0 || stands <= 0.0 {
        return [0.0; 4];
    }
    forces.map(|f| f * weight / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEET: [Vector3<f64>; 4] = [
        Vector3::new(0.2, 0.1, -0.3),
        Vector3::new(0.2, -0.1, -0.3),
        Vector3::new(-0.2, 0.1, -0.3),
        Vector3::new(-0.2, -0.1, -0.3),
    ];

    #[test]
    fn four_feet_share_evenly_about_the_middle() {
        for f in forces(&FEET, &[1.0; 4], &Vector3::zeros(), 100.0) {
            assert!((f - 25.0).abs() < 1e-9, "{f}");
        }
    }

    #[test]
    fn an_offset_load_is_balanced() {
        let com = Vector3::new(0.05, 0.02, 0.0);
        let f = forces(&FEET, &[1.0; 4], &com, 100.0);
        let moment: f64 = (0..4).map(|i| f[i] * (FEET[i].x - com.x)).sum();
        let aside: f64 = (0..4).map(|i| f[i] * (FEET[i].y - com.y)).sum();
        assert!((f.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        assert!(moment.abs() < 0.1 && aside.abs() < 0.1, "{moment} {aside}");
    }

    #[test]
    fn a_diagonal_carries_all_and_a_lifted_foot_nothing() {
        let f = forces(&FEET, &[1.0, 0.0, 0.0, 1.0], &Vector3::zeros(), 100.0);
        assert_eq!((f[1], f[2]), (0.0, 0.0));
        assert!((f[0] - 50.0).abs() < 1e-6 && (f[3] - 50.0).abs() < 1e-6);
        assert_eq!(forces(&FEET, &[0.0; 4], &Vector3::zeros(), 100.0), [0.0; 4]);
    }

    #[test]
    fn no_foot_pulls() {
        let com = Vector3::new(0.5, 0.0, 0.0);
        let f = forces(&FEET, &[1.0; 4], &com, 100.0);
        assert!(f.iter().all(|x| *x >= 0.0), "{f:?}");
    }
}
