//! The page.

use stickslip_experiments::provenance::Provenance;

/// A part of the page.
pub struct Section {
    pub title: &'static str,
    pub text: String,
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

/// Who has the smaller number, and by which factor.
pub fn ahead(ours: f64, theirs: f64, who: &str) -> String {
    let factor = |a: f64, b: f64| match a / b {
        f if f.is_finite() && f < 1e6 => format!("{} times", short(f)),
        _ => "by far".to_owned(),
    };
    match ours.partial_cmp(&theirs) {
        None => String::new(),
        Some(std::cmp::Ordering::Equal) => "equal".to_owned(),
        Some(std::cmp::Ordering::Less) => format!("stickslip, {}", factor(theirs, ours)),
        Some(std::cmp::Ordering::Greater) => format!("{who}, {}", factor(ours, theirs)),
    }
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
         robots and other engines, where a clock on the wall tells them.\n",
        version("stickslip"),
        version("rapier"),
        made.build,
        made.machine.cpu,
        made.machine.cores,
        made.machine.os,
        made.started,
    );
    for section in sections {
        out += &format!("\n## {}\n\n{}", section.title, section.text);
    }
    out
}
