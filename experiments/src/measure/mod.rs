//! What is measured of a session: contacts, figures with their bounds, a row per step, a mark of the motion.

mod contact;
pub(crate) mod digits;
pub mod forces;
pub mod metrics;
pub mod session;
pub mod trace;
pub mod trajectory;
pub mod verdict;
