//! The page.

use stickslip_experiments::provenance::Provenance;

/// A part of the page.
pub struct Section {
    pub title: &'static str,
    pub text: String,
    /// Rows of the first table of the page: scene, ours, rapier, others.
    pub headline: Vec<[String; 4]>,
}

impl Section {
    pub fn new(title: &'static str, text: String) -> Self {
        Self {
            title,
            text,
            headline: Vec::new(),
        }
    }
}

/// A line of a table.
pub fn row<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    let cells: Vec<_> = cells.into_iter().map(|c| c.as_ref().to_owned()).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// The head of a table.
pub fn head(columns: &[&str]) -> String {
    row(columns) + &row(columns.iter().map(|_| "---"))
}

/// Three digits.
pub fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    match x.abs() {
        a if !a.is_finite() => "-".to_owned(),
        a if !(1e-3..1e5).contains(&a) => format!("{x:.1e}"),
        a if a >= 100.0 => format!("{x:.0}"),
        a => {
            let digits = (2.0 - a.log10().floor()).clamp(0.0, 6.0) as usize;
            format!("{x:.digits$}")
        }
    }
}

/// Factors closer to 1 than this are no difference.
pub const NEAR: f64 = 1.01;

/// Who has the smaller number, and by which factor.
pub fn ahead(ours: f64, theirs: f64, who: &str) -> String {
    let factor = |a: f64, b: f64| match a / b {
        f if f.is_finite() && f < 1e6 => format!("{} times", short(f)),
        _ => "by far".to_owned(),
    };
    match ours.partial_cmp(&theirs) {
        None => String::new(),
        Some(_) if ours <= NEAR * theirs && theirs <= NEAR * ours => "equal".to_owned(),
        Some(std::cmp::Ordering::Equal) => "equal".to_owned(),
        Some(std::cmp::Ordering::Less) => format!("stickslip, {}", factor(theirs, ours)),
        Some(std::cmp::Ordering::Greater) => format!("{who}, {}", factor(ours, theirs)),
    }
}

/// Title of the first table.
const HEADLINE: &str = "In short";
/// The section of the README that shows it.
const README: &str = "## Where it stands\n";

/// The README with the first table of the page in its section.
///
/// # Errors
/// Which of the two sections is missing.
pub fn readme(text: &str, page: &str) -> Result<String, String> {
    let table: Vec<_> = page
        .split_once(&format!("\n## {HEADLINE}\n"))
        .ok_or_else(|| format!("the page has no section `{HEADLINE}`"))?
        .1
        .lines()
        .skip_while(|l| l.is_empty())
        .take_while(|l| l.starts_with('|'))
        .collect();
    let (before, rest) = text
        .split_once(README)
        .ok_or_else(|| format!("no section `{}`", README.trim()))?;
    let after = rest.find("\n## ").map_or("", |at| &rest[at..]);
    Ok(format!(
        "{before}{README}\n{}\n\nFrom [docs/benchmarks.md](docs/benchmarks.md), which one command writes: the scenes of others with \
         their figures, and MuJoCo, Bullet, DART and Drake on the same machine; also where we are behind.\n{after}",
        table.join("\n")
    ))
}

/// The whole page; `flags` are those of the command that made it.
pub fn text(sections: &[Section], flags: &str) -> String {
    let made = Provenance::now();
    let version = |name: &str| made.versions.get(name).map_or("", String::as_str);
    let mut out = format!(
        "# Benchmarks of others\n\
         \n\
         Scenes that other projects publish figures of, built from their parameters and run by one command:\n\
         \n\
         ```sh\n\
         cargo run --release -p stickslip-benches --bin benchmarks{flags}\n\
         ```\n\
         \n\
         stickslip {}, rapier {}, {} build, {}, {} cores, {}; {}. Figures of rapier are from the same run: its own solver \
         steps a copy of each scene in turns with ours. Figures called *published* are the authors' own, from their machines; each \
         part says where they are from. Times are those of one thread: processor times, but for \
         scenarios of the command (robots, and those of the last table that are no heaps), where a clock on the wall tells them.\n",
        version("stickslip"),
        version("rapier"),
        made.build,
        made.machine.cpu,
        made.machine.cores,
        made.machine.os,
        made.started,
    );
    let rows: Vec<_> = sections.iter().flat_map(|s| &s.headline).collect();
    if !rows.is_empty() {
        out += &format!(
            "\n## {HEADLINE}\n\n{}",
            head(&["scene", "stickslip `cone`", "rapier", "others"])
        );
        out.extend(rows.into_iter().map(row));
    }
    for section in sections {
        out += &format!("\n## {}\n\n{}", section.title, section.text);
    }
    out
}
