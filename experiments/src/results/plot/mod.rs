//! Plots as SVG: of runs over time, and what a sweep draws over what was swept.

mod curves;
mod svg;
mod thin;
mod unit;

pub use curves::{Curve, over_time};
pub use svg::{Plot, Scale, Series, Style, svg};
pub use unit::{quantity, unit};

use crate::error::CommandError;
use crate::files;
use std::path::Path;

/// Draws plots and writes them as `NAME.svg` into a folder, which is created if needed.
///
/// # Errors
/// A plot that can't be drawn, or an output error.
pub fn write(folder: &Path, plots: &[(String, Plot)]) -> Result<(), CommandError> {
    files::create_folder(folder)?;
    for (name, plot) in plots {
        let text = svg(plot).map_err(|e| CommandError::Scene(format!("plot {name}: {e}")))?;
        files::write_atomically(&folder.join(format!("{name}.svg")), &text)?;
    }
    Ok(())
}
