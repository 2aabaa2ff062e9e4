//! Ground as a grid of heights: the paper's map, hills, or a file.

use crate::error::CommandError;
use std::path::Path;
use stickslip_random::Random;

/// Heights over a rectangle about the origin; z up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Terrain {
    /// Points along x.
    pub(crate) columns: usize,
    /// Points along y.
    pub(crate) rows: usize,
    /// Distance of neighbours \[m\].
    pub(crate) spacing: f64,
    /// Height at row r (y grows with it), column c (x grows with it): `heights[r * columns + c]` \[m\].
    pub(crate) heights: Vec<f64>,
}

/// Points along a side of the paper's map, 1 m long, and the noise on it \[m\] [D15].
const PAPER: (usize, f64, f64) = (250, 1.0, 1e-6);
/// Points along a side of the hills and their distance \[m\].
const HILLS: (usize, f64) = (151, 0.02);
/// Gaussian hills that are summed, and the bounds of their width \[m\].
const COUNT: usize = 1000;
const WIDTH: (f64, f64) = (0.08, 0.3);
/// Most points of a file: a gigabyte of numbers is a mistake.
const MOST: usize = 16_000_000;

impl Terrain {
    /// The paper's map: 250 x 250 points over a square of 1 m with noise of 1e-6 m, repeated over
    /// `copies` x `copies` squares, since a robot leaves one of them.
    pub(crate) fn paper(seed: u64, copies: usize) -> Self {
        let (points, side, noise) = PAPER;
        let mut random = Random::new(seed);
        let tile: Vec<f64> = (0..points * points)
            .map(|_| noise * random.symmetric())
            .collect();
        let count = points * copies;
        let heights = (0..count * count)
            .map(|k| tile[(k / count % points) * points + k % count % points])
            .collect();
        Self {
            columns: count,
            rows: count,
            spacing: side / (points - 1) as f64,
            heights,
        }
    }

    /// A thousand Gaussian hills over a square of 3 m at random places, as high from the lowest to the
    /// highest point as `amplitude` \[m\], the lowest at 0.
    pub(crate) fn hills(seed: u64, amplitude: f64) -> Self {
        let (points, spacing) = HILLS;
        let side = spacing * (points - 1) as f64;
        let mut random = Random::new(seed);
        let mut unit = || random.unit();
        let mut heights = vec![0.0; points * points];
        for _ in 0..COUNT {
            let at = [unit() * side, unit() * side];
            let width = WIDTH.0 + (WIDTH.1 - WIDTH.0) * unit();
            let sign = if unit() < 0.5 { -1.0 } else { 1.0 };
            // Beyond five widths a hill is below 4e-6 of its height.
            let near = |center: f64| {
                let from = ((center - 5.0 * width) / spacing).ceil().max(0.0) as usize;
                let to = ((center + 5.0 * width) / spacing).floor() as usize;
                from..=to.min(points - 1)
            };
            for row in near(at[1]) {
                for column in near(at[0]) {
                    let [x, y] = [column, row].map(|k| k as f64 * spacing);
                    let square = (x - at[0]).powi(2) + (y - at[1]).powi(2);
                    heights[row * points + column] +=
                        sign * (-0.5 * square / (width * width)).exp();
                }
            }
        }
        let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scale = amplitude / (highest - lowest);
        for height in &mut heights {
            *height = (*height - lowest) * scale;
        }
        Self {
            columns: points,
            rows: points,
            spacing,
            heights,
        }
    }

    /// Heights from a text file: a line per y, numbers separated by commas or blanks, one per x, in
    /// metres; empty lines and those that begin with `#` don't count.
    ///
    /// # Errors
    /// Naming file and line.
    pub(crate) fn read(path: &Path, spacing: f64) -> Result<Self, CommandError> {
        let text = std::fs::read_to_string(path).map_err(|e| {
            CommandError::Usage(format!(
                "key `terrain`: {}: {e}; it takes flat, paper, hills or a file of heights",
                path.display()
            ))
        })?;
        Self::parse(&text, spacing)
            .map_err(|e| CommandError::Usage(format!("key `terrain`: {}: {e}", path.display())))
    }

    fn parse(text: &str, spacing: f64) -> Result<Self, String> {
        let mut heights = Vec::new();
        let (mut rows, mut columns) = (0, 0);
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let before = heights.len();
            let words = line.split(|c: char| c == ',' || c == ';' || c.is_whitespace());
            for word in words.filter(|w| !w.is_empty()) {
                match word.parse::<f64>() {
                    Ok(height) if height.is_finite() => heights.push(height),
                    _ => {
                        return Err(format!(
                            "line {}: `{word}` is not a height in metres",
                            number + 1
                        ));
                    }
                }
            }
            let here = heights.len() - before;
            if rows > 0 && here != columns {
                return Err(format!(
                    "line {}: {here} heights, but {columns} in the lines before",
                    number + 1
                ));
            }
            (rows, columns) = (rows + 1, here);
            if heights.len() > MOST {
                return Err(format!("more than {MOST} heights; take a coarser grid"));
            }
        }
        if rows < 2 || columns < 2 {
            return Err(format!(
                "{rows} lines of {columns} heights; a terrain has at least 2 of 2"
            ));
        }
        Ok(Self {
            columns,
            rows,
            spacing,
            heights,
        })
    }

    /// Half the lengths along x and y \[m\].
    pub(crate) fn half(&self) -> [f64; 2] {
        [self.columns, self.rows].map(|n| 0.5 * self.spacing * (n - 1) as f64)
    }

    /// Largest height within a distance of a point \[m\]; `None` off the grid.
    pub(crate) fn highest_near(&self, at: [f64; 2], distance: f64) -> Option<f64> {
        let half = self.half();
        let range = |center: f64, half: f64, count: usize| {
            let index = |x: f64| ((x + half) / self.spacing).clamp(0.0, (count - 1) as f64);
            let from = index(center - distance).floor() as usize;
            let to = index(center + distance).ceil() as usize;
            from..=to
        };
        if at[0].abs() > half[0] || at[1].abs() > half[1] {
            return None;
        }
        let columns = range(at[0], half[0], self.columns);
        range(at[1], half[1], self.rows)
            .flat_map(|row| columns.clone().map(move |column| (row, column)))
            .map(|(row, column)| self.heights[row * self.columns + column])
            .reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hills_are_as_high_as_asked_and_the_same_for_the_same_seed() {
        let hills = Terrain::hills(3, 0.02);
        let highest = hills.heights.iter().copied().fold(0.0, f64::max);
        let lowest = hills.heights.iter().copied().fold(1.0, f64::min);
        assert!((highest - 0.02).abs() < 1e-15 && lowest == 0.0);
        assert_eq!(hills, Terrain::hills(3, 0.02));
        assert_ne!(hills, Terrain::hills(4, 0.02));
        assert!((hills.half()[0] - 1.5).abs() < 1e-12);
    }

    #[test]
    fn the_papers_map_repeats() {
        let map = Terrain::paper(1, 2);
        assert_eq!((map.columns, map.rows), (500, 500));
        assert_eq!(map.heights[0], map.heights[250]);
        assert_eq!(map.heights[7], map.heights[250 * 500 + 7]);
        assert!(map.heights.iter().all(|h| h.abs() <= 1e-6));
    }

    #[test]
    fn a_file_of_heights_is_read() {
        let read = Terrain::parse("# steps\n0, 0.1, 0.2\n\n1 2 3\n", 0.5).unwrap();
        assert_eq!((read.rows, read.columns), (2, 3));
        assert_eq!(read.heights, [0.0, 0.1, 0.2, 1.0, 2.0, 3.0]);
        assert_eq!(read.half(), [0.5, 0.25]);
        assert_eq!(read.highest_near([-0.5, -0.25], 0.1), Some(2.0));
        assert_eq!(read.highest_near([-0.5, -0.25], 0.0), Some(0.0));
        assert_eq!(read.highest_near([0.6, 0.0], 0.1), None);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, says) in [
            ("0 1\n0 x\n", "line 2: `x`"),
            ("0 1\n\n0 1 2\n", "line 3: 3 heights, but 2"),
            ("0 1\n", "1 lines of 2"),
            ("0 nan\n0 1\n", "line 1: `nan`"),
        ] {
            let error = Terrain::parse(text, 1.0).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
