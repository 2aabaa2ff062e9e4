//! The contacts of free bodies, with the rows of the problem whitened one contact at a time.

use crate::engine::colours::NONE;
use crate::kernel::six;
use crate::law::project::least_majorant;
use crate::problem::{ContactProblem, NO_BLOCK};
use crate::settings::ModelSettings;
use crate::system::Start;

/// A contact under the exact cone of one coefficient, scaled by the roots of its weights as a lane takes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// Its index in the problem.
    pub(super) index: u32,
    /// First coordinates of its bodies in the island; the second is [`NONE`] where it has one.
    pub(super) bodies: [u32; 2],
    /// Whether it has no impulse and parts at the free velocity.
    pub(super) is_idle: bool,
    /// Unit normal, s and t.
    pub(super) directions: [[f32; 3]; 3],
    /// Whitened angular parts of the rows, by body.
    pub(super) turns: [[[f32; 3]; 3]; 2],
    pub(super) b: [f32; 3],
    /// Reciprocal roots of the weights, normal and tangential.
    pub(super) root: [f32; 2],
    pub(super) soft: f32,
    /// Radius of the disc by the normal impulse.
    pub(super) bound: f32,
    /// Diagonals by roots of the weights, and weights by diagonals.
    pub(super) scale: [[f32; 2]; 2],
    /// The impulses it starts from.
    pub(super) z: [f32; 3],
    pub(super) mu: f64,
    /// Roots of the weights, normal and tangential.
    pub(super) root_of_weight: [f64; 2],
    /// The velocity that the impulses it starts from make at most, and the one that is asked for [m/s].
    pub(super) speeds: [f64; 2],
}

impl Contact {
    /// A contact of one or two free bodies, whose first coordinates in the island are given by block; none where it
    /// is another one: rows that are not those of a point on a rigid body, spin, an ellipse.
    pub(super) fn of(
        problem: &ContactProblem,
        c: usize,
        settings: &ModelSettings,
        start: Start<'_>,
        local: &[u32],
    ) -> Option<Self> {
        let data = &problem.contacts()[c];
        let [mu, across] = data.friction();
        if mu != across || data.mu_torsional.max(data.mu_rolling) > 0.0 {
            return None;
        }
        let group = problem.contact_group(c);
        let is_pair = group.blocks[1] != NO_BLOCK;
        let sides = if is_pair { 2 } else { 1 };
        let mut turns = [[[0.0; 3]; 3]; 2];
        let mut inv_mass = 0.0;
        // Of the normal, now and without impulses.
        let mut rates = [0.0; 2];
        let mut bodies = [NONE; 2];
        let mut directions = [[0.0; 3]; 3];
        if group.run_count as usize != sides {
            return None;
        }
        let runs = problem.contact_runs(c);
        for ((side, (range, rows)), block) in runs.enumerate().zip(group.blocks) {
            bodies[side] = local[block as usize];
            let body = problem.block(block as usize);
            let rows: [&[f64; 6]; 3] = match rows.map(TryInto::try_into) {
                [Ok(n), Ok(s), Ok(t)] => [n, s, t],
                _ => return None,
            };
            if !body.pattern.is_body()
                || body.inv_diag[0] != body.inv_diag[1]
                || body.inv_diag[0] != body.inv_diag[2]
            {
                return None;
            }
            inv_mass += body.inv_diag[0] * body.inv_diag[0];
            for (rate, v) in rates.iter_mut().zip([problem.v(), problem.v_free()]) {
                if let Ok(v) = v[range.clone()].try_into() {
                    *rate += six(rows[0], v);
                }
            }
            for (k, row) in rows.into_iter().enumerate() {
                let linear = [row[0], row[1], row[2]];
                // Both bodies have the same directions, the other way round.
                if side == 1 && directions[k] != linear.map(|x| -x) {
                    return None;
                }
                directions[k] = linear;
                let mut row = *row;
                body.solve_lt(&mut row);
                turns[side][k] = [row[3], row[4], row[5]];
            }
        }
        let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let product = |i: usize, j: usize| {
            let angular = turns[..sides].iter().map(|turns| dot(&turns[i], &turns[j]));
            inv_mass * dot(&directions[i], &directions[j]) + angular.sum::<f64>()
        };
        let mut gram = [[0.0; 3]; 3];
        for (i, j) in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)] {
            gram[i][j] = product(i, j);
            gram[j][i] = gram[i][j];
        }
        let diagonal = [gram[0][0], gram[1][1].max(gram[2][2])];
        if !(diagonal[0] > 0.0 && diagonal[1] > 0.0) {
            return None;
        }
        let soft = settings.softness(data, problem.h());
        let mut block = gram;
        block[0][0] += soft;
        let grow = least_majorant(&block, [block[0][0], diagonal[1], diagonal[1]]);
        let [v, free] = rates;
        let b_n = settings.contact_velocity(data, v, problem.h());
        let [s, t] = data.surface_velocity;
        let known = start.contact(problem, c).unwrap_or_default();
        let f = [known[0], known[1], known[2]];
        // The normal impulse moves the bound of the friction that the same visit sets.
        let weight = [block[0][0] * grow * (1.0 + mu * mu), diagonal[1] * grow];
        let root = weight.map(f64::sqrt);
        let [normal, along] = root.map(|root| 1.0 / root);
        let by = [normal, along, along];
        let made = [f[0] * weight[0], f[1] * weight[1], f[2] * weight[1]];
        let scaled = |x: [f64; 3]| std::array::from_fn(|k| (x[k] * by[k]) as f32);
        let turned = |rows: [[f64; 3]; 3]| {
            std::array::from_fn(|k| std::array::from_fn(|j| (rows[k][j] * by[k]) as f32))
        };
        Some(Self {
            index: c as u32,
            bodies,
            is_idle: f == [0.0; 3] && free + b_n >= 0.0,
            directions: directions.map(|d| d.map(|x| x as f32)),
            turns: turns.map(turned),
            b: scaled([b_n, -s, -t]),
            root: [normal as f32, along as f32],
            soft: (soft * normal * normal) as f32,
            bound: (mu * normal / along) as f32,
            scale: [
                std::array::from_fn(|k| (diagonal[k] / root[k]) as f32),
                std::array::from_fn(|k| (weight[k] / diagonal[k]) as f32),
            ],
            z: std::array::from_fn(|k| (f[k] * root[k.min(1)]) as f32),
            mu,
            root_of_weight: root,
            speeds: [
                made.iter().fold(0.0, |most, u| u.abs().max(most)),
                b_n.abs(),
            ],
        })
    }

    /// Whether the next contact of a list is a point of the same pair under the same directions.
    pub(super) fn joins(&self, other: &Self) -> bool {
        self.bodies == other.bodies && self.directions == other.directions
    }
}
