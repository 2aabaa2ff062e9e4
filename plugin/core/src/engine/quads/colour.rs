//! Four visits side by side: which units act on no body in common.

/// No second body.
pub(super) const NONE: u32 = u32::MAX;
/// Colours of a round: as many as a mask has bits.
const COLOURS: u32 = u64::BITS;

/// Sorts units into classes; memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Colours {
    /// Colours that the units of each body have in this round.
    taken: Vec<u64>,
    /// Units with their class; those of a class act on no body in common and are of one kind.
    sorted: Vec<(u32, u32)>,
    /// Where each class begins.
    counts: Vec<u32>,
    left: Vec<u32>,
    found: Vec<(u32, u32)>,
}

/// What a unit acts on, and its kind: one of [`KINDS`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Acting {
    pub(super) bodies: [u32; 2],
    pub(super) kind: u32,
}

/// Kinds of units that are not visited side by side.
pub(super) const KINDS: u32 = 4;

impl Colours {
    /// Units with their class, class by class. Each unit gets the first colour that its bodies do not have yet, in as
    /// many rounds of 64 colours as it takes: the units on one body in one round each. O(units) but for bodies with many.
    pub(super) fn sort(
        &mut self,
        units: std::ops::Range<usize>,
        bodies: usize,
        acting: impl Fn(usize) -> Acting,
    ) -> &[(u32, u32)] {
        self.taken.resize(self.taken.len().max(bodies), 0);
        self.left.clear();
        self.left.extend(units.clone().map(|i| i as u32));
        self.found.clear();
        let mut first = 0;
        while !self.left.is_empty() {
            self.taken.fill(0);
            let (taken, found) = (&mut self.taken, &mut self.found);
            self.left.retain(|&i| {
                let Acting { bodies, kind } = acting(i as usize);
                let bodies = bodies.map(|b| b as usize);
                let mask = |k: usize| taken.get(bodies[k]).copied().unwrap_or(0);
                let colour = (!(mask(0) | mask(1))).trailing_zeros();
                if colour == COLOURS {
                    return true;
                }
                for body in bodies {
                    if let Some(taken) = taken.get_mut(body) {
                        *taken |= 1 << colour;
                    }
                }
                found.push(((first + colour) * KINDS + kind, i));
                false
            });
            first += COLOURS;
        }
        self.count(first * KINDS);
        &self.sorted
    }

    /// Sorts what was found by class, units of a class in their order.
    fn count(&mut self, classes: u32) {
        self.counts.clear();
        self.counts.resize(classes as usize + 1, 0);
        for (class, _) in &self.found {
            self.counts[*class as usize + 1] += 1;
        }
        for k in 1..self.counts.len() {
            self.counts[k] += self.counts[k - 1];
        }
        self.sorted.clear();
        self.sorted.resize(self.found.len(), (0, 0));
        for &(class, i) in &self.found {
            let at = &mut self.counts[class as usize];
            self.sorted[*at as usize] = (class, i);
            *at += 1;
        }
    }
}
