//! Scenes of one's own: what `run` has works on them, and the examples of the document run.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::rows::content;
use common::{Folder, figure, names, refused, result, single, split, stickslip, succeeds};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use stickslip_experiments::settings::Request;

/// A block on a floor: mass 2 kg, friction 0.3, pushed off at 1 m/s.
const BLOCK: &str = r#"
dt = 0.001
duration = 0.6

[ground]
friction = 0.3

[[bodies]]
name = "block"
shape = "box"
size = [0.2, 0.2, 0.05]
mass = 2
friction = 0.3
position = [0, 0, 0.025]
velocity = [1, 0, 0]

[[measure]]
of = "block"
figure = "drift_m"
at_most = 0.2

[[measure]]
of = "block"
figure = "force_up_mean_N"
"#;

fn scene(file: PathBuf) -> Request {
    Request {
        scenario: "scene".to_owned(),
        scene: Some(file),
        ..Request::default()
    }
}

/// It slides v^2 / (2 mu g) - v h / 2 = 169.4 mm, and the floor carries its weight.
#[test]
fn a_block_slides_as_far_as_friction_lets_it() {
    let folder = Folder::new();
    let file = folder.0.join("block.toml");
    fs::write(&file, BLOCK).unwrap();
    for request in [scene(file.clone()), single(scene(file.clone()))] {
        let result = result(&request);
        assert_eq!((&*result.outcome, result.model), ("met", "cone"));
        let way = 1.0 / (2.0 * 0.3 * 9.81) - 0.5e-3;
        let drift = figure(&result, "block.drift_m");
        // The first step's way is before the start of figures.
        assert!((drift - way).abs() < 1.5e-3, "{drift} {way}");
        let up = figure(&result, "block.force_up_mean_N");
        assert!((up / (2.0 * 9.81) - 1.0).abs() < 1e-3, "{up}");
    }
    let slippery = Request {
        set: vec![
            "ground.friction=0.1".to_owned(),
            "bodies.block.friction=0.1".to_owned(),
        ],
        ..scene(file)
    };
    assert_eq!(result(&slippery).outcome, "missed");
}

#[test]
fn recording_tables_replay_and_sweep_work_on_it() {
    let folder = Folder::new();
    fs::write(folder.0.join("block.toml"), BLOCK).unwrap();
    let words = split("run --scene block.toml --duration 0.1 --out out --quiet");
    succeeds(&folder.0, &words);
    assert_eq!(
        names(&folder.0.join("out")),
        ["csv", "plots", "scene.json", "scene.rrd"]
    );
    let forces = folder.read("out/csv/scene-cone-forces.csv");
    assert!(forces.contains(",block,ground,"), "{forces}");
    let result: Value = serde_json::from_str(&folder.read("out/scene.json")).unwrap();
    assert!(result["metrics"]["block.drift_m"].is_number());
    let output = succeeds(&folder.0, &["replay", "out/scene.json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("identical"), "{text}");
    // Another file is not the same run.
    fs::write(
        folder.0.join("block.toml"),
        BLOCK.replace("[1, 0, 0]", "[2, 0, 0]"),
    )
    .unwrap();
    let output = stickslip(&folder.0, &["replay", "out/scene.json"], "");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("the scene file is not what it was"), "{text}");

    let words = split(
        "sweep scene --scene block.toml --set ground.friction=0.1:0.3:0.1 --set bodies.block.velocity=[1,0,0],[0,1,0] --duration 0.05 --out sweep --quiet",
    );
    succeeds(&folder.0, &words);
    let columns = content(&folder.0.join("sweep"));
    assert_eq!(columns["run"].len(), 6);
    assert_eq!(columns["set.ground.friction"][..3], ["0.1", "0.1", "0.2"]);
    assert!(columns["command"][0].contains("--scene block.toml"));
}

#[test]
fn the_examples_of_the_document_run() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let text = fs::read_to_string(docs.join("scene_file.md")).unwrap();
    let blocks: Vec<&str> = text
        .split("```toml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let folder = Folder::new();
        let assets = format!("{}/", docs.join("../assets").display());
        let file = folder.0.join("example.toml");
        fs::write(&file, block.replace("../assets/", &assets)).unwrap();
        let mut request = scene(file);
        let found = result(&request);
        assert_eq!(found.outcome, "met", "{block}");
        // The project's quadruped states no limits of speed.
        assert_eq!(found.robot_notes.is_empty(), !block.contains("[[robots]]"));
        if block.contains("upper") {
            request.set = ["bodies.upper.mass=5", "ground.friction=0.1"]
                .map(str::to_owned)
                .into();
            assert_eq!(result(&request).outcome, "met");
        }
    }
}

#[test]
fn what_is_wrong_is_refused_by_name() {
    let folder = Folder::new();
    let file = |name: &str, text: String| {
        let path = folder.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let robot = |more: &str| format!("[[robots]]\nname = \"r\"\nfile = \"arm.urdf\"\n{more}\n");
    let arm = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/arm.urdf");
    fs::copy(arm, folder.0.join("arm.urdf")).unwrap();
    for (text, words) in [
        (
            BLOCK.replace("mass =", "mas ="),
            &["line 12", "`mas`", "`mass`"][..],
        ),
        (
            BLOCK.replace("of = \"block\"", "of = \"blok\""),
            &["`blok`", "`block`"],
        ),
        (
            robot("joints = { elbwo = 1 }"),
            &["arm.urdf", "`elbwo`", "`elbow`"],
        ),
        (robot("").replace("arm.urdf", "leg.urdf"), &["leg.urdf"]),
        (
            BLOCK.replace("dt = 0.001", "dt = -1"),
            &["--dt", "positive"],
        ),
        (
            BLOCK.replace("dt = 0.001", "model = \"sticky\""),
            &["`sticky`", "cone"],
        ),
        (BLOCK.replace("dt = 0.001", "settle = 9"), &["settle = 9"]),
    ] {
        let path = file("wrong.toml", text);
        refused(&["run", "--scene", &path], "", words);
    }
    let path = file("block.toml", BLOCK.to_owned());
    refused(&["run", "box", "--scene", &path], "", &["`box`", "--scene"]);
    refused(
        &["run", "--scene", "nowhere.toml"],
        "",
        &["nowhere.toml", "cannot be read"],
    );
    refused(
        &["run", "--scene", &path, "--set", "bodies.blok.mass=1"],
        "",
        &["`blok`", "`block`"],
    );
}
