//! The contacts of free bodies, with the rows of the problem whitened one contact at a time.

use crate::engine::colours::NONE;
use crate::law::project::least_majorant;
use crate::problem::{ContactProblem, NO_BLOCK, RowId};
use crate::settings::ModelSettings;
use crate::system::Start;

/// A contact under the exact cone of one coefficient.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// Its index in the problem.
    pub(super) index: u32,
    /// First coordinates of its bodies in the island; the second is [`NONE`] where it has one.
    pub(super) bodies: [u32; 2],
    /// Unit normal, s and t.
    pub(super) directions: [[f32; 3]; 3],
    pub(super) mu: f64,
    /// Whitened angular parts of the rows, by body.
    pub(super) turns: [[[f64; 3]; 3]; 2],
    pub(super) b: [f64; 3],
    pub(super) soft: f64,
    /// Weights and diagonals, normal and tangential.
    pub(super) weight: [f64; 2],
    pub(super) diagonal: [f64; 2],
    /// The impulses it starts from.
    pub(super) f: [f64; 3],
    /// Whether it has no impulse and parts at the free velocity.
    pub(super) is_idle: bool,
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
        let (group, _) = problem.group_of(RowId(3 * c));
        let is_pair = group.blocks[1] != NO_BLOCK;
        let sides = if is_pair { 2 } else { 1 };
        let mut turns = [[[0.0; 3]; 3]; 2];
        let mut inv_mass = 0.0;
        let mut bodies = [NONE; 2];
        let mut directions = [[0.0; 3]; 3];
        if group.run_count as usize != sides {
            return None;
        }
        let runs = problem.contact_runs(c);
        for ((side, (_, rows)), block) in runs.enumerate().zip(group.blocks) {
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
        let gram: [[f64; 3]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let angular = turns[..sides].iter().map(|turns| dot(&turns[i], &turns[j]));
                inv_mass * dot(&directions[i], &directions[j]) + angular.sum::<f64>()
            })
        });
        let diagonal = [gram[0][0], gram[1][1].max(gram[2][2])];
        if !(diagonal[0] > 0.0 && diagonal[1] > 0.0) {
            return None;
        }
        let soft = settings.softness(data, problem.h());
        let mut block = gram;
        block[0][0] += soft;
        let grow = least_majorant(&block, [block[0][0], diagonal[1], diagonal[1]]);
        let [v, free] = problem.normal_rates(c);
        let b_n = settings.contact_velocity(data, v, problem.h());
        let [s, t] = data.surface_velocity;
        let known = start.contact(problem, c).unwrap_or_default();
        let f = [known[0], known[1], known[2]];
        Some(Self {
            index: c as u32,
            bodies,
            directions: directions.map(|d| d.map(|x| x as f32)),
            mu,
            turns,
            b: [b_n, -s, -t],
            soft,
            // The normal impulse moves the bound of the friction that the same visit sets.
            weight: [block[0][0] * grow * (1.0 + mu * mu), diagonal[1] * grow],
            diagonal,
            f,
            is_idle: f == [0.0; 3] && free + b_n >= 0.0,
        })
    }

    /// Whether the next contact of a list is a point of the same pair under the same directions.
    pub(super) fn joins(&self, other: &Self) -> bool {
        self.bodies == other.bodies && self.directions == other.directions
    }
}
