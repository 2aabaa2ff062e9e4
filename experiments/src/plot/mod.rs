//! Plots as SVG: of runs over time, of sweeps over what was swept.

mod curves;
mod over;
mod svg;
mod thin;
mod unit;

pub use curves::{Curve, over_time};
pub(crate) use over::over_sweep;
pub use svg::{Plot, Scale, Series, Style, svg};
pub use unit::quantity;

use crate::error::CommandError;
use crate::output;
use std::path::Path;

/// Draws plots and writes them as `NAME.svg` into a folder, which is created if needed.
///
/// # Errors
/// A plot that can't be drawn, or an output error.
pub fn write(folder: &Path, plots: &[(String, Plot)]) -> Result<(), CommandError> {
    output::create_folder(folder)?;
    for (name, plot) in plots {
        let text = svg(plot).map_err(|e| CommandError::Scene(format!("plot {name}: {e}")))?;
        output::write_atomically(&folder.join(format!("{name}.svg")), &text)?;
    }
    Ok(())
}
