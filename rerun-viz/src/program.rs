//! Rerun's viewer as a program.

use re_build_info::CrateVersion;

/// The version of Rerun that recordings are of.
pub(crate) const VERSION: CrateVersion = CrateVersion::LOCAL;
/// The viewer's program.
pub(crate) const PROGRAM: &str = "rerun";
