//! Line plots as SVG text.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::error::Error;

/// One line of a plot.
#[derive(Clone, Debug)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Points, ascending in x; those that are not finite are left out.
    pub points: Vec<(f64, f64)>,
    /// Line or dots.
    pub style: Style,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Joined by lines.
    Line,
    /// Joined by lines, each point marked.
    Marked,
    /// Dots alone.
    Dots,
}

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal ratios; only positive values are drawn.
    Logarithmic,
}

/// A plot: title, axes, series.
#[derive(Clone, Debug)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// Quantity and unit along x.
    pub x: String,
    /// Quantity and unit along y.
    pub y: String,
    /// Division of both axes.
    pub scale: [Scale; 2],
    /// The lines.
    pub series: Vec<Series>,
}

const SIZE: (u32, u32) = (860, 420);
/// Width of the axes; the legend stands right of them.
const AXES: u32 = 620;

const COLORS: [RGBColor; 9] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(255, 127, 14),
    RGBColor(148, 103, 189),
    RGBColor(23, 160, 170),
    RGBColor(140, 86, 75),
    RGBColor(90, 90, 90),
    RGBColor(227, 119, 194),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The plot as SVG.
///
/// # Errors
/// When the plot has no point to draw, or what the drawing library says.
pub fn svg(plot: &Plot) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    {
        let whole = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        whole.fill(&WHITE)?;
        let (area, right) = whole.split_horizontally(AXES);
        legend(&right, plot)?;
        let (x, y) = (range(plot, 0)?, range(plot, 1)?);
        match plot.scale {
            [Scale::Linear, Scale::Linear] => draw(&area, plot, x.0..x.1, y.0..y.1)?,
            [Scale::Logarithmic, Scale::Linear] => {
                draw(&area, plot, (x.0..x.1).log_scale(), y.0..y.1)?;
            }
            [Scale::Linear, Scale::Logarithmic] => {
                draw(&area, plot, x.0..x.1, (y.0..y.1).log_scale())?;
            }
            [Scale::Logarithmic, Scale::Logarithmic] => {
                draw(&area, plot, (x.0..x.1).log_scale(), (y.0..y.1).log_scale())?;
            }
        }
        whole.present()?;
    }
    Ok(text)
}

/// The points of a series that can be drawn.
fn drawable(plot: &Plot, series: &Series) -> Vec<(f64, f64)> {
    let fits =
        |value: f64, scale: Scale| value.is_finite() && (scale == Scale::Linear || value > 0.0);
    let all = series.points.iter().copied();
    all.filter(|(x, y)| fits(*x, plot.scale[0]) && fits(*y, plot.scale[1]))
        .collect()
}

fn range(plot: &Plot, axis: usize) -> Result<(f64, f64), Box<dyn Error>> {
    let mut ends = (f64::INFINITY, f64::NEG_INFINITY);
    for series in &plot.series {
        for point in drawable(plot, series) {
            let value = [point.0, point.1][axis];
            ends = (ends.0.min(value), ends.1.max(value));
        }
    }
    if ends.0 > ends.1 {
        return Err(format!("the plot `{}` has no points", plot.title).into());
    }
    Ok(match (plot.scale[axis], axis) {
        (Scale::Logarithmic, 0) => (0.9 * ends.0, 1.1 * ends.1),
        (Scale::Logarithmic, _) => (0.7 * ends.0, 1.5 * ends.1),
        (Scale::Linear, 0) => ends,
        (Scale::Linear, _) => {
            let margin = (0.06 * (ends.1 - ends.0))
                .max(1e-3 * ends.1.abs())
                .max(1e-12);
            (ends.0 - margin, ends.1 + margin)
        }
    })
}

/// Names of the series beside the axes, in order.
fn legend(area: &Area<'_>, plot: &Plot) -> Result<(), Box<dyn Error>> {
    for (number, series) in plot.series.iter().enumerate() {
        let color = COLORS[number % COLORS.len()];
        let y = 48 + 20 * i32::try_from(number)?;
        if series.style == Style::Dots {
            area.draw(&Circle::new((8, y), 3, color.filled()))?;
        } else {
            area.draw(&Rectangle::new([(0, y - 1), (16, y + 1)], color.filled()))?;
        }
        area.draw(&Text::new(
            series.name.as_str(),
            (22, y - 5),
            ("sans-serif", 13),
        ))?;
    }
    Ok(())
}

fn draw<X, Y>(area: &Area<'_>, plot: &Plot, x: X, y: Y) -> Result<(), Box<dyn Error>>
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(area)
        .caption(&plot.title, ("sans-serif", 17))
        .margin(10)
        .x_label_area_size(44)
        .y_label_area_size(68)
        .build_cartesian_2d(x, y)?;
    let label = |axis: usize| -> Result<_, Box<dyn Error>> {
        let ends = range(plot, axis)?;
        // What is next to nothing on a linear axis is a value like any other on a logarithmic one.
        let span = match plot.scale[axis] {
            Scale::Linear => ends.1 - ends.0,
            Scale::Logarithmic => 0.0,
        };
        // Over half a decade, ticks at 3, 4, 6 to 9 have no room for numbers.
        let sparse = plot.scale[axis] == Scale::Logarithmic && ends.1 > SPARSE * ends.0;
        Ok(move |x: &f64| match sparse && !leads(*x) {
            true => String::new(),
            false => tick(*x, span),
        })
    };
    let labels = [label(0)?, label(1)?];
    chart
        .configure_mesh()
        .x_desc(&plot.x)
        .y_desc(&plot.y)
        .x_label_formatter(&labels[0])
        .y_label_formatter(&labels[1])
        .axis_desc_style(("sans-serif", 14))
        .label_style(("sans-serif", 12))
        .x_max_light_lines(1)
        .y_max_light_lines(1)
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(225, 225, 225))
        .draw()?;
    for (number, series) in plot.series.iter().enumerate() {
        let color = COLORS[number % COLORS.len()];
        let points = drawable(plot, series);
        let dots = |size: i32| {
            let points = points.clone();
            points
                .into_iter()
                .map(move |p| Circle::new(p, size, color.filled()))
        };
        if series.style != Style::Line {
            let size = if series.style == Style::Dots { 2 } else { 3 };
            chart.draw_series(dots(size))?;
        }
        if series.style != Style::Dots {
            // Later lines are thinner: where lines coincide, those below show as a rim.
            let above = u32::try_from(plot.series.len() - 1 - number)?;
            let style = color.stroke_width(2 + above.min(4));
            chart.draw_series(LineSeries::new(points.clone(), style))?;
        }
    }
    Ok(())
}

/// Ratio of the ends of a logarithmic axis from which every such axis has a tick that leads.
const SPARSE: f64 = 5.0;

/// Whether the first digit is 1, 2 or 5, rounding aside.
fn leads(x: f64) -> bool {
    let first = x / 10_f64.powf((x.log10() + 1e-9).floor());
    [1.0, 2.0, 5.0]
        .iter()
        .any(|lead| (first - lead).abs() < 1e-6)
}

/// A number beside an axis of some span: four digits, no trailing zeros.
fn tick(x: f64, span: f64) -> String {
    let size = x.abs();
    if size <= 1e-9 * span {
        return "0".to_owned();
    }
    if (1e-3..1e5).contains(&size) {
        let digits = (3 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{x:.digits$}");
        return if digits == 0 { text } else { trimmed(&text) };
    }
    let text = format!("{x:.3e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa)),
        None => text,
    }
}

fn trimmed(text: &str) -> String {
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_short() {
        let ticks = [0.1 + 0.2, 1e-17, 2e-12, -1500.0, 1e6, 100.0].map(|x| tick(x, 1.0));
        assert_eq!(ticks, ["0.3", "0", "0", "-1500", "1e6", "100"]);
        assert_eq!(tick(2.5e-12, 1e-11), "2.5e-12");
        assert_eq!(
            (tick(0.0, 0.0), tick(1e-15, 0.0)),
            ("0".to_owned(), "1e-15".to_owned())
        );
    }

    #[test]
    fn ticks_of_logarithmic_axes_have_room() {
        let kept: Vec<_> = (1..=10)
            .map(|k| 1e-3 * f64::from(k))
            .filter(|x| leads(*x))
            .collect();
        assert_eq!(kept, [1e-3, 2e-3, 5e-3, 1e-2]);
        assert!(leads(1e-14) && leads(5e7) && !leads(0.6));
    }

    #[test]
    fn a_plot_holds_its_words_and_an_empty_one_is_refused() {
        let mut plot = Plot {
            title: "Falling".to_owned(),
            x: "time [s]".to_owned(),
            y: "height [m]".to_owned(),
            scale: [Scale::Logarithmic, Scale::Linear],
            series: vec![Series {
                name: "ball".to_owned(),
                points: vec![(0.0, 1.0), (0.1, 0.9), (1.0, 0.5), (2.0, f64::NAN)],
                style: Style::Marked,
            }],
        };
        let text = svg(&plot).unwrap();
        for word in ["Falling", "time [s]", "height [m]", "ball", "</svg>"] {
            assert!(text.contains(word), "{word}");
        }
        // A logarithmic axis has no 0 and nobody draws a NaN: two of the four points are left, the later one
        // lower and farther right.
        let number = |circle: &str, name: &str| -> f64 {
            let (_, rest) = circle.split_once(&format!("{name}=\"")).unwrap();
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        let circles: Vec<_> = text.split("<circle ").skip(1).collect();
        assert_eq!(circles.len(), 2, "{text}");
        let [first, last] = [0, 1].map(|k| [number(circles[k], "cx"), number(circles[k], "cy")]);
        assert!(
            last[0] > first[0] && last[1] > first[1],
            "{first:?} {last:?}"
        );
        plot.series[0].points.truncate(1);
        assert!(svg(&plot).is_err());
    }
}
