//! What every body is to the solver.

/// No block, no number.
pub(super) const NONE: u32 = u32::MAX;

/// What a body is to the contact problem.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Role {
    /// Set aside: no contact touches it.
    Absent,
    /// Fixed, kinematic, asleep, or without mass: moves as prescribed.
    #[default]
    Prescribed,
    /// A free body, by its number in [`Bodies::free`].
    Free(usize),
    /// A link of the tree with the given number.
    Link {
        /// Number of the tree.
        tree: usize,
        /// Number of the link in it.
        link: usize,
    },
}

/// A role in eight bytes: two numbers, or [`NONE`] for what has none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed([u32; 2]);

impl Packed {
    pub(super) fn of(role: Role) -> Self {
        Self(match role {
            Role::Prescribed => [NONE; 2],
            Role::Absent => [NONE, 0],
            Role::Free(number) => [number as u32, NONE],
            Role::Link { tree, link } => [tree as u32, link as u32],
        })
    }

    #[inline]
    pub(super) fn role(self) -> Role {
        match self.0 {
            [NONE, NONE] => Role::Prescribed,
            [NONE, _] => Role::Absent,
            [number, NONE] => Role::Free(number as usize),
            [tree, link] => Role::Link {
                tree: tree as usize,
                link: link as usize,
            },
        }
    }
}
