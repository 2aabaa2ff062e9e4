//! The scenes that others publish figures of, beside those figures: `docs/benchmarks.md`.
//!
//! ```text
//! cargo run --release -p stickslip-benches --bin benchmarks -- --out docs
//! ```
//! Takes some minutes. `--peers FILE.json` adds what other engines do on the same machine (`benches/peers`).

mod curves;
mod page;
mod peer_scenes;
mod peers;
mod robot;
mod scenes;
mod shake;
mod source;

use clap::Parser;
use page::Section;
use std::error::Error;
use std::path::{Path, PathBuf};
use stickslip_experiments::plot::{Plot, svg};

/// Runs the scenes of published benchmarks and writes a page that sets ours beside theirs.
#[derive(Debug, Parser)]
struct Arguments {
    /// Folder of the page: benchmarks.md, and figures/benchmark-*.svg
    #[arg(long, value_name = "DIR", default_value = "docs")]
    out: PathBuf,
    /// Only these parts: shake, coulomb, simbench, box3d, peers
    #[arg(long, value_delimiter = ',', value_name = "PART,..")]
    only: Vec<String>,
    /// Figures of other engines on this machine, as benches/peers/run.py writes them
    #[arg(long, value_name = "FILE.json")]
    peers: Option<PathBuf>,
    /// Folder of public robots, the one that holds example-robot-data [default: $STICKSLIP_ROBOTS]
    #[arg(long, value_name = "DIR")]
    robots: Option<PathBuf>,
    /// Seeds of the scene shake
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Runs nothing: copies the first table of the page into the section "Where it stands" of this file
    #[arg(long, value_name = "README.md")]
    headline: Option<PathBuf>,
    /// Short forms, for a first look and for tests
    #[arg(long)]
    quick: bool,
}

/// What a part gives: its section, and its figures by name.
type Part = (Section, Vec<(String, Plot)>);

const PARTS: [&str; 5] = ["shake", "coulomb", "simbench", "box3d", "peers"];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    if let Some(word) = arguments.only.iter().find(|w| !PARTS.contains(&w.as_str())) {
        return Err(format!("unknown part `{word}`; the parts are {}", PARTS.join(", ")).into());
    }
    if let Some(file) = &arguments.headline {
        return headline(&arguments.out.join("benchmarks.md"), file);
    }
    let wanted =
        |part: &&str| arguments.only.is_empty() || arguments.only.iter().any(|w| w == part);
    let (mut sections, mut plots) = (Vec::new(), Vec::new());
    for part in PARTS.iter().filter(|part| wanted(part)) {
        eprintln!("{part} ...");
        let (section, drawn) = run(part, &arguments)?;
        sections.push(section);
        plots.extend(drawn);
    }
    let page = page::text(&sections, &flags(&arguments));
    write(&arguments.out, page, &plots)
}

/// Takes the first table of a page over into a README.
fn headline(page: &Path, readme: &Path) -> Result<(), Box<dyn Error>> {
    let read =
        |file: &Path| std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()));
    let text = page::readme(&read(readme)?, &read(page)?)
        .map_err(|e| format!("{} and {}: {e}", readme.display(), page.display()))?;
    stickslip_files::write_all(&[(readme.to_owned(), text)])?;
    Ok(())
}

fn run(part: &str, arguments: &Arguments) -> Result<Part, Box<dyn Error>> {
    let quick = arguments.quick;
    let robots = arguments.robots.clone();
    let robots = robots.or_else(|| std::env::var_os("STICKSLIP_ROBOTS").map(PathBuf::from));
    Ok(match part {
        "shake" => (shake::section(arguments.seeds, quick)?, Vec::new()),
        "coulomb" => (scenes::section(&source::COULOMB, quick)?, Vec::new()),
        "box3d" => (scenes::section(&source::BOX3D, quick)?, Vec::new()),
        "simbench" => {
            let mut section = scenes::section(&source::SIMBENCH, quick)?;
            let robot = robot::lines(robots.as_deref(), quick)?;
            section.text.push_str(&robot);
            let drawn = curves::draw(quick)?;
            for curve in &drawn {
                let (title, name) = (&curve.plot.title, &curve.name);
                let line = format!("\n![{title}](figures/{name}.svg)\n\n{}\n", curve.said);
                section.text.push_str(&line);
            }
            let drawn = drawn.into_iter().map(|c| (c.name, c.plot)).collect();
            (section, drawn)
        }
        _ => (
            peers::section(arguments.peers.as_deref(), robots.as_deref(), quick)?,
            Vec::new(),
        ),
    })
}

/// The flags that change the page, as the page shows them: without folders of this machine.
fn flags(arguments: &Arguments) -> String {
    let mut flags = Vec::new();
    if !arguments.only.is_empty() {
        flags.push(format!("--only {}", arguments.only.join(",")));
    }
    if arguments.peers.is_some() {
        flags.push("--peers peers.json".to_owned());
    }
    if arguments.quick {
        flags.push("--quick".to_owned());
    }
    let flags = flags.join(" ");
    if flags.is_empty() {
        flags
    } else {
        format!(" -- {flags}")
    }
}

/// Writes the page with its figures, all or none.
fn write(out: &Path, page: String, plots: &[(String, Plot)]) -> Result<(), Box<dyn Error>> {
    let mut files = Vec::new();
    for (name, plot) in plots {
        files.push((out.join(format!("figures/{name}.svg")), svg(plot)?));
    }
    files.push((out.join("benchmarks.md"), page));
    std::fs::create_dir_all(out.join("figures"))?;
    stickslip_files::write_all(&files)?;
    Ok(())
}
