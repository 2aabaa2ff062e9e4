//! How two parts are at a moment of their way: a plane between them, and how they move along its normal.

use crate::base::tolerances;
use nalgebra::{Point3, Vector3};

/// How two parts are at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    pub(crate) time: f64,
    /// Gap \[m\].
    pub(crate) gap: f64,
    /// Its rate [m/s].
    pub(crate) rate: f64,
    /// Unit normal of a plane between them.
    pub(crate) normal: Vector3<f64>,
    /// The closest points in the world, without skins.
    pub(crate) ends: [Point3<f64>; 2],
    /// Whether they are those of a manifold.
    pub(crate) faces: bool,
    /// Whether the gap falls below what was asked for after that.
    pub(crate) falls: bool,
}

impl Sight {
    /// Where the normal jumps between two adjacent times, from one along which the parts approach to one along which they recede: the
    /// plane between those along which they do neither. The separation of convex shapes is concave in the direction: along
    /// `a n_1 + b n_2` it is at least `a` times that along `n_1` and `b` times that along `n_2` together.
    pub(super) fn between(self, other: &Self) -> Self {
        let [a, b] = [other.rate, -self.rate].map(|share| share.max(0.0));
        let sum = self.normal * a + other.normal * b;
        let size = sum.norm();
        // Opposite normals have no plane between them.
        if size <= tolerances::SAME_DIRECTION * (a + b) {
            return self;
        }
        Self {
            normal: sum / size,
            gap: (a * self.gap + b * other.gap) / size,
            rate: 0.0,
            ..if a > b { self } else { *other }
        }
    }
}

/// The nearer of two.
pub(crate) fn nearer(known: Option<Sight>, sight: Sight) -> Option<Sight> {
    known.filter(|known| known.gap < sight.gap).or(Some(sight))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point passes the origin, from where one normal sees it approach to where another sees it recede: between them it does
    /// neither, and is as far along the plane as it is, a separation being linear where both supporting points stay.
    #[test]
    fn the_plane_between_two_is_neither_approached_nor_left() {
        let (point, velocity) = (Vector3::new(0.3, 0.5, 0.2), Vector3::new(2.0, -0.5, 1.0));
        let sight = |normal: Vector3<f64>| Sight {
            time: 0.1,
            gap: point.dot(&normal),
            rate: velocity.dot(&normal),
            normal,
            ends: [Point3::origin(), point.into()],
            faces: false,
            falls: false,
        };
        let low = sight(Vector3::new(-0.6, 0.8, 0.0));
        let high = sight(Vector3::new(0.0, 0.6, 0.8));
        assert!(low.rate < 0.0 && high.rate > 0.0);
        let found = low.between(&high);
        assert!((found.normal.norm() - 1.0).abs() < 1e-12);
        assert!(velocity.dot(&found.normal).abs() < 1e-12 && found.rate == 0.0);
        assert!((found.gap - point.dot(&found.normal)).abs() < 1e-12);
        // What is not approached along a plane has no better one.
        let still = sight(Vector3::new(0.0, -2.0, -1.0).normalize());
        let still = Sight { rate: 0.0, ..still };
        assert!((still.between(&high).normal - still.normal).norm() < 1e-12);
    }
}
