//! Any text is a robot or an error: no panic, no hang, bounded memory.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use stickslip_urdf::{
    ImpossibleInertia, InertiaPolicy, LoadOptions, MissingInertia, MissingMesh, RobotModel, Srdf,
    Strictness,
};

/// A folder that isn't there, one step below the root: a mesh that the text names costs one look at
/// the disk, not one per folder of the fuzzer.
const FILE: &str = "/fuzzed.urdf";

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let file = Path::new(FILE);
    // One reading per execution: which one follows from the text, so that a crash can be repeated.
    let choice = data.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) % 8;
    let Some(options) = options(choice) else {
        let _ = Srdf::from_text(&text, file, Strictness::Tolerant);
        return;
    };
    match RobotModel::from_urdf(&text, file, &options) {
        Ok(model) => {
            assert_eq!(model.joints.len() + 1, model.links.len());
            assert!(model.joints.iter().all(|j| j.parent < j.child));
            assert!(model.mass().is_finite());
        }
        Err(error) => assert!(error.to_string().contains(FILE)),
    }
});

/// As it is by default (everything repaired), half of the time; with each other choice about inertias;
/// strict. `None`: as an SRDF.
fn options(choice: u8) -> Option<LoadOptions> {
    let density = 1000.0;
    let (missing, impossible, strictness) = match choice {
        0..4 => return Some(LoadOptions::default()),
        4 => (
            MissingInertia::MergeIntoParent,
            ImpossibleInertia::Nearest,
            Strictness::Tolerant,
        ),
        5 => (
            MissingInertia::FromGeometry { density },
            ImpossibleInertia::FromGeometry { density },
            Strictness::Tolerant,
        ),
        6 => (
            MissingInertia::Refuse,
            ImpossibleInertia::Accept,
            Strictness::Strict,
        ),
        _ => return None,
    };
    let inertia = InertiaPolicy {
        missing,
        impossible,
    };
    let missing_mesh = match choice {
        4 => MissingMesh::Box,
        5 => MissingMesh::Skip,
        _ => MissingMesh::Refuse,
    };
    Some(LoadOptions {
        inertia,
        missing_mesh,
        strictness,
        ..LoadOptions::default()
    })
}
