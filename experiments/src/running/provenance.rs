//! Where a result comes from: program, machine, time.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;

/// Versions of what takes part in a run.
pub fn versions() -> BTreeMap<String, String> {
    let versions = [
        ("stickslip", env!("CARGO_PKG_VERSION")),
        ("rapier", rapier3d_f64::VERSION),
    ];
    versions
        .map(|(name, version)| (name.to_owned(), version.to_owned()))
        .into()
}

/// The machine a run was made on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Operating system.
    pub os: String,
    /// Name of the processor, or its architecture where the system doesn't say.
    pub cpu: String,
    /// Cores this process may use.
    pub cores: usize,
}

impl Machine {
    /// This machine.
    pub fn this() -> Self {
        Self {
            os: std::env::consts::OS.to_owned(),
            cpu: cpu().unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// What Linux calls the first processor.
fn cpu() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.trim().to_owned())
}

/// Program, machine, time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The command line, a word each.
    pub command: Vec<String>,
    /// Versions of what took part.
    pub versions: BTreeMap<String, String>,
    /// `release`, or `debug`, whose times mean nothing.
    #[serde(default)]
    pub build: String,
    /// The machine.
    pub machine: Machine,
    /// When it started, UTC.
    pub started: String,
}

impl Provenance {
    /// This process, now.
    pub fn now() -> Self {
        let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
        Self {
            command: words.collect(),
            versions: versions(),
            build: if cfg!(debug_assertions) {
                "debug"
            } else {
                "release"
            }
            .to_owned(),
            machine: Machine::this(),
            // Seconds are enough, and easier to read.
            started: format!("{:.0}", jiff::Timestamp::now()),
        }
    }
}
