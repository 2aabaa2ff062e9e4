//! Row selection, "FIND-INDICES" [D15, Alg. 2].

use super::{ActiveRows, White};

impl ActiveRows {
    /// Takes a row unless it depends on those taken before: the pivot of the grown factor must
    /// exceed [`super::DEPENDENT`] of the row's squared length. O(envelope) per row, so selecting
    /// from n rows costs O(m^3 + n m^2) for one block of m coordinates. Offer bilateral rows first,
    /// then `S_1, T_1, S_2, T_2, ...`, and stop once the rank is the number of coordinates.
    pub(crate) fn offer(&mut self, white: &White, eps: f64) -> bool {
        let candidate = self.candidate(white, eps);
        if !candidate.dependent {
            self.accept(white, candidate);
        }
        !candidate.dependent
    }
}
