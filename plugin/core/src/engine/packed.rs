//! Contacts of free bodies packed for sweeps: all numbers of a visit in one place, widths fixed at compile time.

use crate::law::{Law, PART, Unit};
use crate::system::{BodyRows, System};

/// A contact of `B` free bodies with its three rows.
#[derive(Clone, Copy, Debug)]
struct Packed<const B: usize> {
    /// First coordinate of each body.
    at: [u32; B],
    /// First of its impulses.
    z: u32,
    mu: f64,
    soft: f64,
    b: [f64; 3],
    /// Reciprocal weights of the normal and the tangential step.
    step: [f64; 2],
    /// Normal, s and t row of each body.
    rows: [BodyRows; B],
}

/// Where a unit is visited.
#[derive(Clone, Copy, Debug)]
enum Place {
    One(u32),
    Two(u32),
    /// Rows of joints, trees, spins: by the system.
    Apart,
}

/// All packed contacts of an island; memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    places: Vec<Place>,
    one: Vec<Packed<1>>,
    two: Vec<Packed<2>>,
}

impl Contacts {
    /// Packs what can be packed. O(rows).
    pub(super) fn pack(&mut self, system: &System, weight: &[f64]) {
        self.places.clear();
        self.one.clear();
        self.two.clear();
        for unit in &system.units {
            let place = match pack::<2>(system, unit, weight) {
                Some(contact) => {
                    self.two.push(contact);
                    Place::Two(self.two.len() as u32 - 1)
                }
                None => match pack::<1>(system, unit, weight) {
                    Some(contact) => {
                        self.one.push(contact);
                        Place::One(self.one.len() as u32 - 1)
                    }
                    None => Place::Apart,
                },
            };
            self.places.push(place);
        }
    }

    /// Visits unit `i` if it is packed.
    #[inline(always)]
    pub(super) fn visit(&self, i: usize, z: &mut [f64], v: &mut [f64]) -> bool {
        match self.places[i] {
            Place::One(k) => self.one[k as usize].visit(z, v),
            Place::Two(k) => self.two[k as usize].visit(z, v),
            Place::Apart => return false,
        }
        true
    }
}

fn pack<const B: usize>(system: &System, unit: &Unit, weight: &[f64]) -> Option<Packed<B>> {
    if unit.law != Law::Cone || unit.width != 3 {
        return None;
    }
    let (starts, rows) = system.bodies::<B>(unit)?;
    let weight = &weight[unit.range()];
    Some(Packed {
        at: starts,
        z: unit.at,
        mu: unit.mu[0],
        soft: unit.soft,
        b: [unit.b[0], unit.b[1], unit.b[2]],
        step: [1.0 / weight[0], 1.0 / weight[PART[1]]],
        rows,
    })
}

/// The product in two interleaved sums, as vector units of two numbers take it.
#[inline(always)]
fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    (a[0] * b[0] + a[2] * b[2] + a[4] * b[4]) + (a[1] * b[1] + a[3] * b[3] + a[5] * b[5])
}

/// A vector of this square at the length of its bound. A call, so that what sticks does not wait for root and quotient:
/// each visit waits for the last one's.
#[inline(never)]
fn shortened(way: [f64; 2], square: f64, bound: f64) -> [f64; 2] {
    let share = bound / square.sqrt();
    way.map(|x| x * share)
}

#[inline(always)]
fn six(v: &mut [f64], at: u32) -> Option<&mut [f64; 6]> {
    v.get_mut(at as usize..at as usize + 6)?.try_into().ok()
}

impl<const B: usize> Packed<B> {
    /// Steps the normal impulse, then the tangential ones onto the disc of the new one, at the velocities
    /// before both: `f' = Proj(f - W^-1 u)` of the exact law.
    #[inline(always)]
    fn visit(&self, z: &mut [f64], v: &mut [f64]) {
        let at = self.z as usize;
        let Some([n, s, t]) = z.get_mut(at..at + 3) else {
            return;
        };
        let mut u = self.b;
        u[0] += self.soft * *n;
        for k in 0..B {
            let Some(v) = six(v, self.at[k]) else { return };
            u[0] += dot(&self.rows[k][0], v);
        }
        if *n == 0.0 && u[0] >= 0.0 && *s == 0.0 && *t == 0.0 {
            return;
        }
        for k in 0..B {
            let Some(v) = six(v, self.at[k]) else { return };
            u[1] += dot(&self.rows[k][1], v);
            u[2] += dot(&self.rows[k][2], v);
        }
        let to = (*n - u[0] * self.step[0]).max(0.0);
        let mut way = [*s - u[1] * self.step[1], *t - u[2] * self.step[1]];
        let (square, bound) = (way[0] * way[0] + way[1] * way[1], self.mu * to);
        if square > bound * bound {
            way = shortened(way, square, bound);
        }
        let change = [to - *n, way[0] - *s, way[1] - *t];
        (*n, *s, *t) = (to, way[0], way[1]);
        for k in 0..B {
            let Some(v) = six(v, self.at[k]) else { return };
            let [rn, rs, rt] = &self.rows[k];
            for j in 0..6 {
                v[j] += (change[0] * rn[j] + change[1] * rs[j]) + change[2] * rt[j];
            }
        }
    }
}
