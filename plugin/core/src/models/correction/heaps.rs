//! Heaps of loose bodies: normals alone, by sweeps in single precision.
//!
//! With whitened rows `r~ = L^-T n` and `w~ = L w`, the correction of free bodies that nothing joints is
//! ```text
//! min 1/2 |w~|^2,   r~ w~ + b >= 0;   w~ = sum r~ z,   z >= 0
//! ```
//! A visit steps one contact against its velocity, `z' = max(z - (r~ w~ + b) / |r~|^2, 0)`. Sweeps go in one direction, with
//! Nesterov's momentum, which restarts where the step and the way so far point apart. Few are made: the next step goes
//! on with what is left of the errors, from these impulses.

use crate::kernel::widest;
use crate::problem::{ContactProblem, IslandProblem, NO_BLOCK};
use crate::settings::ModelSettings;
use crate::solution::ContactSolution;
use crate::tolerances::{BETWEEN_TESTS, HEAP, NEAR};
use crate::warm::WarmStart;

/// Numbers of a body: six coordinates, and two that are zero.
type Six = [f32; 8];

/// The normal of a contact.
#[derive(Clone, Copy, Debug)]
struct Row {
    contact: u32,
    /// Places of its bodies; the same zero one for what does not move.
    bodies: [u32; 2],
    sides: [Six; 2],
    /// What it asks for [m/s].
    b: f32,
    /// `1 / |r~|^2`.
    gain: f32,
}

/// An iterate and the one before it.
#[derive(Debug, Default)]
struct Iterate<T> {
    now: Vec<T>,
    before: Vec<T>,
}

/// A heap and what is corrected of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heap<'a> {
    pub(super) place: IslandProblem<'a>,
    /// Gaps at the end of the step \[m\], and which contacts take part (n each).
    pub(super) gaps: &'a [f64],
    pub(super) keeps: &'a [bool],
    /// How the step ends (m).
    pub(super) v_plus: &'a [f64],
}

/// Corrects heaps; memory is reused.
#[derive(Debug, Default)]
pub(super) struct Heaps {
    rows: Vec<Row>,
    /// Blocks that take part, by place from 1 on.
    blocks: Vec<u32>,
    /// Place of each block; stale outside the heap.
    places: Vec<u32>,
    w: Iterate<Six>,
    z: Iterate<f32>,
    /// Where the last sweep began.
    start: Vec<f32>,
}

/// Whether an island is one: of free bodies that touch more than a few times, without joints.
pub(super) fn is_heap(place: IslandProblem<'_>) -> bool {
    let island = place.island;
    island.blocks.len() > HEAP
        && island.groups.len() > island.blocks.len()
        && island.scalars().next().is_none()
        && place.blocks().all(|block| block.dim() <= 6)
}

impl Heaps {
    /// Writes the correction of a heap and its impulses. O(contacts).
    pub(super) fn solve(
        &mut self,
        heap: Heap<'_>,
        settings: &ModelSettings,
        warm: &WarmStart,
        solution: &mut ContactSolution,
    ) {
        let (place, problem) = (heap.place, heap.place.problem);
        let h = problem.h();
        self.places.resize(problem.block_count(), 0);
        self.blocks.clear();
        for &b in place.island.blocks {
            self.places[b as usize] = 0;
        }
        self.rows.clear();
        self.z.now.clear();
        for c in place.contacts() {
            if !heap.keeps[c] {
                continue;
            }
            let b = settings.gap_velocity(heap.gaps[c], h);
            let Some(row) = self.row(problem, c, b) else {
                continue;
            };
            self.rows.push(row);
            let key = problem.contacts()[c].key;
            let known = warm.contact_impulse(c, key).map_or(0.0, |f| f[0]);
            self.z.now.push(known.max(0.0) as f32);
        }
        widest(
            #[inline(always)]
            || self.sweep(),
        );
        let Some(share) = self.share(place, heap.v_plus) else {
            return;
        };
        for (place, &b) in self.blocks.iter().enumerate() {
            let block = problem.block(b as usize);
            let w = &mut solution.v_plus[block.range()];
            for (w, white) in w.iter_mut().zip(&self.w.now[place + 1]) {
                *w = share * f64::from(*white);
            }
            block.solve_l(w);
        }
        for (row, z) in self.rows.iter().zip(&self.z.now) {
            solution.f_n[row.contact as usize] = share * f64::from(*z);
        }
    }

    /// The whitened normal of a contact; none where nothing of it moves.
    fn row(&mut self, problem: &ContactProblem, c: usize, b: f64) -> Option<Row> {
        let mut row = Row {
            contact: c as u32,
            bodies: [0; 2],
            sides: [[0.0; 8]; 2],
            b: b as f32,
            gain: 0.0,
        };
        let mut size = 0.0;
        let blocks = problem.contact_group(c).blocks.into_iter().enumerate();
        for (side, b) in blocks.filter(|(_, b)| *b != NO_BLOCK) {
            let block = problem.block(b as usize);
            let own = block.range();
            let mut normal = [0.0; 6];
            for (run, [n, _, _]) in problem.contact_runs(c) {
                for i in run.start.max(own.start)..run.end.min(own.end) {
                    normal[i - own.start] = n[i - run.start];
                }
            }
            let white = &mut normal[..block.dim()];
            block.solve_lt(white);
            for (to, x) in row.sides[side].iter_mut().zip(&*white) {
                size += x * x;
                *to = *x as f32;
            }
            row.bodies[side] = self.place(b);
        }
        row.gain = (1.0 / size) as f32;
        (size > 0.0 && row.gain.is_finite() && row.b.is_finite()).then_some(row)
    }

    fn place(&mut self, block: u32) -> u32 {
        let place = &mut self.places[block as usize];
        if *place == 0 {
            self.blocks.push(block);
            *place = self.blocks.len() as u32;
        }
        *place
    }

    /// The sweeps, from the impulses in `z`.
    #[inline(always)]
    fn sweep(&mut self) {
        let Self {
            rows, w, z, start, ..
        } = self;
        w.now.clear();
        w.now.resize(self.blocks.len() + 1, [0.0; 8]);
        for (row, z) in rows.iter().zip(&z.now).filter(|(_, z)| **z != 0.0) {
            row.add(*z, &mut w.now);
        }
        let asked = rows.iter().fold(0.0_f32, |most, row| most.max(-row.b));
        z.before.clone_from(&z.now);
        w.before.clone_from(&w.now);
        let mut theta = 1.0_f32;
        for _ in 0..BETWEEN_TESTS {
            start.clone_from(&z.now);
            let mut change = 0.0_f32;
            for (row, z) in rows.iter().zip(&mut z.now) {
                let to = (*z - (row.dot(&w.now) + row.b) * row.gain).max(0.0);
                let step = to - *z;
                if step != 0.0 {
                    row.add(step, &mut w.now);
                    change = change.max(step.abs() / row.gain);
                    *z = to;
                }
            }
            if change <= (NEAR as f32) * asked {
                break;
            }
            let steps = rows
                .iter()
                .zip(start.iter())
                .zip(z.now.iter().zip(&z.before));
            let turn =
                steps.map(|((row, start), (z, before))| (start - z) * (z - before) / row.gain);
            let share = if turn.sum::<f32>() > 0.0 {
                theta = 1.0;
                0.0
            } else {
                let next = 0.5 * (1.0 + (1.0 + 4.0 * theta * theta).sqrt());
                let share = (theta - 1.0) / next;
                theta = next;
                share
            };
            z.advance(|now, before| now + share * (now - before));
            w.advance(|now, before| std::array::from_fn(|k| now[k] + share * (now[k] - before[k])));
        }
    }

    /// Share of the correction with the energy that is granted: that of all coordinates at the fastest speed that a contact asks
    /// for or a coordinate has. None where numbers overflow.
    fn share(&self, place: IslandProblem<'_>, v_plus: &[f64]) -> Option<f64> {
        let asked = self.rows.iter().fold(0.0_f32, |most, row| most.max(-row.b));
        let mut fastest = f64::from(asked);
        let mut trace = 0.0;
        for block in place.blocks() {
            let v = v_plus[block.range()].iter();
            fastest = v.fold(fastest, |most, v| most.max(v.abs()));
            trace += block.values.iter().map(|l| l * l).sum::<f64>();
        }
        let energy = self.w.now.iter().flatten().map(|x| f64::from(x * x));
        let (energy, granted) = (energy.sum::<f64>(), fastest * fastest * trace);
        let share = (granted / energy.max(granted).max(f64::MIN_POSITIVE)).sqrt();
        (energy.is_finite() && share.is_finite()).then_some(share)
    }
}

impl Row {
    /// `r~ w~`.
    #[inline(always)]
    fn dot(&self, w: &[Six]) -> f32 {
        let ([a, b], [v, u]) = (self.sides, self.bodies.map(|place| w[place as usize]));
        let p: Six = std::array::from_fn(|k| a[k] * v[k] + b[k] * u[k]);
        let q: [f32; 4] = std::array::from_fn(|k| p[k] + p[k + 4]);
        (q[0] + q[2]) + (q[1] + q[3])
    }

    /// `w~ += r~ z`.
    #[inline(always)]
    fn add(&self, z: f32, w: &mut [Six]) {
        for (side, place) in self.sides.iter().zip(self.bodies) {
            let w = &mut w[place as usize];
            for (w, r) in w.iter_mut().zip(side) {
                *w += z * r;
            }
        }
    }
}

impl<T: Copy> Iterate<T> {
    /// Goes on from the last two.
    fn advance(&mut self, ahead: impl Fn(T, T) -> T) {
        for (now, before) in self.now.iter_mut().zip(&mut self.before) {
            let next = ahead(*now, *before);
            (*before, *now) = (*now, next);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::mass::MassFactor;
    use crate::problem::{BlockId, ContactData, ProblemBuilder, RowHalf};
    use nalgebra::DMatrix;

    /// Ten bodies of 1 to 10 kg in a row between two walls, a contact between every two.
    fn row() -> ProblemBuilder {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        for b in 1..=10_u32 {
            let mass = MassFactor::from_dense(&DMatrix::from_element(1, 1, f64::from(b))).unwrap();
            builder.add_block(&mass, &[0.0], &[0.0]);
        }
        let half = |block, row: &'static [f64]| RowHalf {
            block: BlockId(block),
            cols: &[0],
            rows: [row, &[0.0], &[0.0]],
        };
        for b in 0..=10 {
            let contact = ContactData {
                key: b as u64,
                ..ContactData::default()
            };
            match b {
                0 => builder.add_contact(contact, &[half(0, &[1.0])]),
                10 => builder.add_contact(contact, &[half(9, &[-1.0])]),
                _ => builder.add_contact(contact, &[half(b - 1, &[-1.0]), half(b, &[1.0])]),
            };
        }
        builder.finish().unwrap();
        builder
    }

    /// From step to step the sweeps lead to the least motion: contacts part as they are asked to, by impulses that press,
    /// and only where nothing parts faster. The last two contacts may close by far.
    #[test]
    fn sweeps_go_on_to_the_least_motion() {
        let builder = row();
        let problem = builder.finished().unwrap();
        let settings = ModelSettings::default();
        let place = problem.place(problem.island(0));
        assert!(is_heap(place) && problem.island_count() == 1);
        let mut gaps = [0.0; 11];
        (gaps[3], gaps[6]) = (-2e-3, 2e-4);
        (gaps[9], gaps[10]) = (0.1, 0.1);
        let (mut heaps, mut warm) = (Heaps::default(), WarmStart::new());
        let mut solution = ContactSolution::default();
        for _ in 0..100 {
            solution.reset(problem);
            warm.begin(problem);
            let heap = Heap {
                place,
                gaps: &gaps,
                keeps: &[true; 11],
                v_plus: &[0.0; 10],
            };
            heaps.solve(heap, &settings, &warm, &mut solution);
            warm.record_impulses(&solution);
            warm.commit();
        }
        let w = &solution.v_plus;
        let mut momentum = [0.0; 10];
        for (c, gap) in gaps.into_iter().enumerate() {
            let left = problem.contact_dots(c, w)[0] + settings.gap_velocity(gap, 0.01);
            let z = solution.f_n[c];
            // What is not worth another sweep.
            let round = NEAR * 0.04;
            assert!(left > -round && z >= 0.0, "{c}: {left} {z}");
            assert!(z == 0.0 || left < round, "{c}: {left} {z}");
            problem
                .row(crate::problem::RowId(3 * c))
                .add_to(z, &mut momentum);
        }
        assert!(solution.f_n[3] > 0.0);
        for (b, p) in momentum.iter().enumerate() {
            assert!((p - (b + 1) as f64 * w[b]).abs() < 1e-5, "{b}: {p} {w:?}");
        }
    }
}
