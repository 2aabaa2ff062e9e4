//! How the velocities of bodies and the lanes of numbers lie in memory.

use crate::engine::kernel::Entry;
use crate::law::number::Number;
use wide::f32x4;

/// Numbers of units that are visited at once, a lane each.
pub(crate) trait Lanes: Number {
    /// How many.
    const COUNT: usize;

    /// How many numbers of a list hold the six coordinates of a free body.
    const PER_SIX: usize;

    /// Where the velocity of a body begins, by lane.
    type Places: Copy + std::fmt::Debug + Send + Sync + AsMut<[u32]>;

    const NOWHERE: Self::Places;

    fn set(&mut self, lane: usize, x: f64);

    fn lane(self, lane: usize) -> f64;

    /// Takes over a velocity.
    fn velocities(v: &[f64], out: &mut Vec<Self>);

    /// The velocities of bodies, coordinate by coordinate, in a list that begins at `start`.
    fn gather(v: &[Self], places: &Self::Places, start: usize) -> Option<[Self; 6]>;

    /// Writes velocities back; the first lane last, which others that are not used repeat.
    fn scatter(x: &[Self; 6], v: &mut [Self], places: &Self::Places, start: usize);

    /// A list as single numbers, where a lane is all there is: units that act on other than free bodies are visited so.
    fn single(list: &[Self]) -> Option<&[f64]>;

    /// The same of a list that is written to.
    fn single_mut(list: &mut [Self]) -> Option<&mut [f64]>;
}

impl<T: Lanes> Entry for T {
    const DRIFTS: bool = T::COUNT > 1;

    fn all(x: f64) -> Self {
        T::of(x)
    }

    fn sum(self) -> f64 {
        (0..T::COUNT).map(|lane| self.lane(lane)).sum()
    }
}

impl Lanes for f64 {
    const COUNT: usize = 1;
    const PER_SIX: usize = 6;

    type Places = [u32; 1];

    const NOWHERE: Self::Places = [0];

    fn set(&mut self, _: usize, x: f64) {
        *self = x;
    }

    fn lane(self, _: usize) -> f64 {
        self
    }

    fn velocities(v: &[f64], out: &mut Vec<Self>) {
        out.clear();
        out.extend_from_slice(v);
    }

    #[inline(always)]
    fn gather(v: &[Self], [at]: &Self::Places, start: usize) -> Option<[Self; 6]> {
        let at = *at as usize - start;
        v.get(at..at + 6)?.try_into().ok()
    }

    #[inline(always)]
    fn scatter(x: &[Self; 6], v: &mut [Self], [at]: &Self::Places, start: usize) {
        let at = *at as usize - start;
        if let Some(v) = v.get_mut(at..at + 6) {
            v.copy_from_slice(x);
        }
    }

    fn single(list: &[Self]) -> Option<&[f64]> {
        Some(list)
    }

    fn single_mut(list: &mut [Self]) -> Option<&mut [f64]> {
        Some(list)
    }
}

impl Lanes for f32x4 {
    const COUNT: usize = 4;
    const PER_SIX: usize = 2;

    type Places = [u32; 4];

    const NOWHERE: Self::Places = [0; 4];

    fn set(&mut self, lane: usize, x: f64) {
        self.as_mut_array()[lane] = x as f32;
    }

    fn lane(self, lane: usize) -> f64 {
        f64::from(self.as_array()[lane])
    }

    fn velocities(v: &[f64], out: &mut Vec<Self>) {
        out.clear();
        for six in v.chunks(6) {
            let at = |j: usize| six.get(j).map_or(0.0, |v| *v as f32);
            out.push(Self::new([at(0), at(1), at(2), at(3)]));
            out.push(Self::new([at(4), at(5), 0.0, 0.0]));
        }
    }

    #[inline(always)]
    fn gather(v: &[Self], places: &Self::Places, start: usize) -> Option<[Self; 6]> {
        let mut halves = [[Self::ZERO; 4]; 2];
        for (lane, at) in places.iter().enumerate() {
            let at = *at as usize - start;
            let [a, b] = v.get(at..at + 2)?.try_into().ok()?;
            (halves[0][lane], halves[1][lane]) = (a, b);
        }
        let [a, b] = halves.map(Self::transpose);
        Some([a[0], a[1], a[2], a[3], b[0], b[1]])
    }

    #[inline(always)]
    fn scatter(x: &[Self; 6], v: &mut [Self], places: &Self::Places, start: usize) {
        let a = Self::transpose([x[0], x[1], x[2], x[3]]);
        let b = Self::transpose([x[4], x[5], Self::ZERO, Self::ZERO]);
        for lane in (0..4).rev() {
            let at = places[lane] as usize - start;
            if let Some(v) = v.get_mut(at..at + 2) {
                v.copy_from_slice(&[a[lane], b[lane]]);
            }
        }
    }

    fn single(_: &[Self]) -> Option<&[f64]> {
        None
    }

    fn single_mut(_: &mut [Self]) -> Option<&mut [f64]> {
        None
    }
}
