//! Curves of many numbers in one entity: one per joint, one per foot or finger.

use crate::chunks::{Times, Writer};
use crate::error::RerunError;
use crate::track::COLORS;
use re_log_types::EntityPath;
use re_sdk_types::archetypes::{Scalars, SeriesLines};
use re_sdk_types::datatypes::Rgba32;

/// How a bundle of curves is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Style {
    /// As it is.
    Plain,
    /// Paler and thinner: what is aimed at.
    Pale,
    /// Dark and thin: a bound.
    Dark,
}

impl Style {
    fn color(self, number: usize) -> Rgba32 {
        let mix = |c: u8, other: u8, share: f64| {
            (f64::from(c) * (1.0 - share) + f64::from(other) * share).round() as u8
        };
        let color = COLORS[number % COLORS.len()].map(|c| match self {
            Self::Plain => c,
            Self::Pale => mix(c, 255, 0.55),
            Self::Dark => mix(c, 40, 0.55),
        });
        Rgba32::from(color)
    }

    fn width(self) -> f32 {
        match self {
            Self::Plain => 1.5,
            _ => 1.0,
        }
    }
}

/// As many numbers per row as there are names.
#[derive(Debug)]
pub(crate) struct Bundle {
    path: EntityPath,
    names: Vec<String>,
    /// Which colour each curve has.
    colors: Vec<usize>,
    style: Style,
    values: Vec<f64>,
}

/// Curves of a bundle that are shown at first: more can't be told apart.
const SHOWN: usize = 3;

impl Bundle {
    /// No rows yet. Curves come with their names and the number of their colour.
    pub fn new(path: &str, style: Style, curves: impl Iterator<Item = (String, usize)>) -> Self {
        let (names, colors) = curves.unzip();
        Self {
            path: path.into(),
            names,
            colors,
            style,
            values: Vec::new(),
        }
    }

    /// Logs names and colours. Of many joints the first few are shown until the legend is clicked.
    pub fn put_static(&self, out: &mut Writer<'_>) -> Result<(), RerunError> {
        if self.names.is_empty() {
            return Ok(());
        }
        let all = self
            .colors
            .iter()
            .max()
            .is_none_or(|most| *most < 2 * SHOWN);
        out.put_static(
            &self.path,
            &SeriesLines::new()
                .with_names(self.names.iter().map(String::as_str))
                .with_colors(self.colors.iter().map(|k| self.style.color(*k)))
                .with_widths([self.style.width()])
                .with_visible_series(self.colors.iter().map(|k| all || *k < SHOWN)),
        )
    }

    /// Adds a row: as many numbers as names.
    pub fn push(&mut self, values: impl Iterator<Item = f64>) {
        self.values.extend(values);
    }

    /// Sends the rows and starts over.
    pub fn flush(&mut self, out: &mut Writer<'_>, times: &Times) -> Result<(), RerunError> {
        if self.names.is_empty() {
            return Ok(());
        }
        let counts = vec![self.names.len(); times.len()];
        let values = Scalars::new(self.values.drain(..)).columns(counts);
        out.put_columns(&self.path, times, values)
    }
}
