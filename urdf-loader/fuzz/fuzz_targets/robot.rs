//! Any text is a robot or an error: no panic, no hang, bounded memory.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use stickslip_urdf::{
    ImpossibleInertia, InertiaPolicy, LoadOptions, MissingInertia, RobotModel, Srdf, Strictness,
};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let file = Path::new("fuzzed.urdf");
    let lenient = LoadOptions {
        inertia: InertiaPolicy {
            missing: MissingInertia::MergeIntoParent,
            impossible: ImpossibleInertia::Nearest,
        },
        ..LoadOptions::default()
    };
    for options in [LoadOptions::default(), lenient] {
        if let Ok(model) = RobotModel::from_urdf(&text, file, &options) {
            assert_eq!(model.joints.len() + 1, model.links.len());
            assert!(model.joints.iter().all(|j| j.parent < j.child));
            assert!(model.mass().is_finite());
        }
    }
    let _ = Srdf::from_text(&text, file, Strictness::Tolerant);
});
