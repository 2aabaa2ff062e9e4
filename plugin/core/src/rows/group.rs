//! The three rows of a contact at once: they share their columns, so one pass over the mass factor
//! and over the active rows serves all three.

use super::kernel::{add_lanes, dot_lanes};
use super::{ActiveRows, White, is_dependent};
use crate::problem::{ContactProblem, NO_BLOCK};

impl ActiveRows {
    /// Whitens n, s, t of a contact into the arena.
    pub(crate) fn whiten_contact(
        &mut self,
        problem: &ContactProblem,
        contact: usize,
    ) -> [White; 3] {
        let group = problem.contact_group(contact);
        let view = problem.group_row(group, 0);
        let values = problem.group_values(group);
        let nnz = group.nnz as usize;
        let run_start = self.runs.len();
        let mut at = 0;
        for run in view.runs {
            for x in &mut self.x_lanes[run.range()] {
                *x = [values[at], values[nnz + at], values[2 * nnz + at], 0.0];
                at += 1;
            }
        }
        let (first, second) = view.runs.split_at(group.split as usize);
        for (block, runs) in group.blocks.into_iter().zip([first, second]) {
            if block == NO_BLOCK {
                continue;
            }
            let block = problem.block(block as usize);
            let from = self.runs.len();
            if group.closed {
                self.runs.extend_from_slice(runs);
            } else {
                self.close(&block, runs);
            }
            block.whiten_lanes(&self.runs[from..], &mut self.x_lanes[block.range()]);
        }
        self.join(run_start);
        let runs = &self.runs[run_start..];
        let len: usize = runs.iter().map(|r| r.len as usize).sum();
        let start = self.vals.len();
        self.vals.resize(start + 3 * len, 0.0);
        let (n, rest) = self.vals[start..].split_at_mut(len);
        let (s, t) = rest.split_at_mut(len);
        let mut diag = [0.0; 4];
        let mut at = 0;
        for run in runs {
            for x in &mut self.x_lanes[run.range()] {
                (n[at], s[at], t[at]) = (x[0], x[1], x[2]);
                for (d, x) in diag.iter_mut().zip(&*x) {
                    *d += x * x;
                }
                *x = [0.0; 4];
                at += 1;
            }
        }
        let white = |k: usize| White {
            run_start: run_start as u32,
            run_end: self.runs.len() as u32,
            val_start: (start + k * len) as u32,
            blocks: group.blocks,
            diag: diag[k],
        };
        [white(0), white(1), white(2)]
    }

    /// Offers three rows that share their columns, with compliances `eps`, one after the other, as
    /// [`ActiveRows::offer`] would; returns which were taken.
    pub(crate) fn offer_three(&mut self, whites: &[White; 3], eps: [f64; 3]) -> [bool; 3] {
        let n = self.len();
        let mut first = n as u32;
        for b in whites[0].blocks {
            if b != NO_BLOCK {
                first = first.min(self.block_first[b as usize]);
            }
        }
        let first = first as usize;
        let mut x = std::mem::take(&mut self.x_lanes);
        let mut l = std::mem::take(&mut self.l_lanes);
        let mut at = 0;
        let starts = whites.map(|w| w.val_start as usize);
        for run in self.runs_of(&whites[0]) {
            for x in &mut x[run.range()] {
                *x = [
                    self.vals[starts[0] + at],
                    self.vals[starts[1] + at],
                    self.vals[starts[2] + at],
                    0.0,
                ];
                at += 1;
            }
        }
        // Gram matrix of the three, then minus what the active rows already span.
        let mut gram = [[0.0; 4]; 3];
        for run in self.runs_of(&whites[0]) {
            for x in &mut x[run.range()] {
                for (row, &a) in gram.iter_mut().zip(&*x) {
                    add_lanes(row, a, x);
                }
            }
        }
        l.clear();
        l.resize(n, [0.0; 4]);
        for (entry, white) in l.iter_mut().zip(&self.whites).skip(first) {
            let mut at = white.val_start as usize;
            for run in self.runs_of(white) {
                let len = run.len as usize;
                let part = dot_lanes(&self.vals[at..at + len], &x[run.range()]);
                add_lanes(entry, 1.0, &part);
                at += len;
            }
        }
        for run in self.runs_of(&whites[0]) {
            x[run.range()].fill([0.0; 4]);
        }
        self.factor.forward_lanes(first, &mut l);
        for entry in &l[first..] {
            for (row, &a) in gram.iter_mut().zip(entry) {
                add_lanes(row, -a, entry);
            }
        }
        // The 3 x 3 remainder, row by row; `inner` holds the taken rows' entries.
        let mut taken = [false; 3];
        let mut inner = [[0.0; 3]; 3];
        for a in 0..3 {
            let mut schur = gram[a][a] + eps[a];
            for b in 0..a {
                if taken[b] {
                    let mut sum = gram[a][b];
                    for (x, y) in inner[a].iter().zip(&inner[b]).take(b) {
                        sum -= x * y;
                    }
                    inner[a][b] = sum / inner[b][b];
                    schur -= inner[a][b] * inner[a][b];
                }
            }
            if is_dependent(schur, whites[a].diag) {
                inner[a] = [0.0; 3];
                continue;
            }
            inner[a][a] = schur.sqrt();
            taken[a] = true;
            self.l.clear();
            self.l.extend(l.iter().map(|entry| entry[a]));
            for b in 0..a {
                if taken[b] {
                    self.l.push(inner[a][b]);
                }
            }
            let candidate = super::Candidate {
                first,
                schur,
                dependent: false,
            };
            self.accept(&whites[a], candidate);
        }
        self.x_lanes = x;
        self.l_lanes = l;
        taken
    }
}
