//! Polygons with corners of their own.

/// Corners of a polygon at most.
const MOST: usize = 12;
/// Corners that always stay, so that the polygon holds its middle.
const FIRST: usize = 4;
/// Sine of the angle within which a corner counts as there: nearer ones make singular bases.
const THERE: f64 = 1e-5;
/// Sine of the angle within which a corner moves instead of another one joining it.
const BESIDE: f64 = 0.05;

/// The corners of one friction polygon, on the circle of radius 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::models) struct Fan {
    corners: [[f64; 2]; MOST],
    count: usize,
}

impl Fan {
    /// A square, one corner at `angle` [rad] from the first axis.
    pub(in crate::models) fn square(angle: f64) -> Self {
        let (sin, cos) = angle.sin_cos();
        let square = [[cos, sin], [-sin, cos], [-cos, -sin], [sin, -cos]];
        Self {
            corners: std::array::from_fn(|k| square[k % FIRST]),
            count: FIRST,
        }
    }

    /// Its corners.
    pub(in crate::models) fn corners(&self) -> &[[f64; 2]] {
        &self.corners[..self.count]
    }

    /// Puts a corner towards `way` (of any length but zero): moves the one beside it, else adds one, else
    /// takes the one farthest away. False if there is a corner already.
    pub(in crate::models) fn turn_to(&mut self, way: [f64; 2]) -> bool {
        let length = way[0].hypot(way[1]);
        let way = way.map(|x| x / length);
        let along = |c: &[f64; 2]| c[0] * way[0] + c[1] * way[1];
        let within = |c: &[f64; 2], sine: f64| {
            let across = c[0] * way[1] - c[1] * way[0];
            across.abs() <= sine && along(c) > 0.0
        };
        let known = self.corners().iter().any(|c| within(c, THERE));
        if known || !along(&way).is_finite() {
            return false;
        }
        let mut spare = FIRST..self.count;
        let place = match spare.find(|&k| within(&self.corners[k], BESIDE)) {
            Some(place) => place,
            None if self.count < MOST => {
                self.count += 1;
                self.count - 1
            }
            None => {
                let [a, b] = [FIRST, MOST - 1];
                (a..=b).fold(a, |far, k| {
                    let farther = along(&self.corners[k]) < along(&self.corners[far]);
                    if farther { k } else { far }
                })
            }
        };
        self.corners[place] = way;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_go_where_they_are_wanted() {
        let mut fan = Fan::square(0.0);
        assert_eq!(fan.corners()[1], [0.0, 1.0]);
        // One of the square, whatever the length.
        assert!(!fan.turn_to([0.0, -3.0]));
        assert!(fan.turn_to([3.0, 4.0]));
        assert_eq!(fan.corners().len(), 5);
        // A little further: the same corner moves. The square stays.
        assert!(fan.turn_to([3.0, 4.1]));
        assert!(fan.turn_to([1.0, 0.01]));
        assert_eq!(fan.corners().len(), 6);
        assert_eq!(fan.corners()[..4], Fan::square(0.0).corners()[..]);
        for k in 0..40 {
            fan.turn_to((f64::from(k)).sin_cos().into());
        }
        assert_eq!(fan.corners().len(), MOST);
        assert_eq!(fan.corners()[..4], Fan::square(0.0).corners()[..]);
        assert!(!fan.turn_to([0.0, 0.0]) && !fan.turn_to([f64::NAN, 1.0]));
        for c in fan.corners() {
            assert!((c[0].hypot(c[1]) - 1.0).abs() < 1e-15);
        }
    }
}
