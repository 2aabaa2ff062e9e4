use super::*;
use crate::error::CommandError;
use std::fs;

fn read(text: &str, changes: &[&str]) -> Result<SceneFile, CommandError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    fs::write(&file, text).unwrap();
    let changes: Vec<_> = changes.iter().map(|c| (*c).to_owned()).collect();
    load(Some(&file), &changes)
}

const CRATE: &str = "[[bodies]]\nname = \"crate\"\nshape = \"box\"\nsize = [1, 1, 1]\n";

#[test]
fn the_sample_is_a_scene_and_paths_change_it() {
    let scene = load(None, &[]).unwrap();
    assert!(!scene.bodies.is_empty() && !scene.measure.is_empty());
    let scene = read(
        CRATE,
        &[
            "bodies.crate.mass=2",
            "bodies.crate.size=[1, 2, 3]",
            "ground.friction=0.2",
            "settle=1",
        ],
    )
    .unwrap();
    assert_eq!(scene.bodies[0].mass, Some(2.0));
    assert_eq!(scene.bodies[0].size, Some([1.0, 2.0, 3.0]));
    assert_eq!((scene.ground.unwrap().friction, scene.settle), (0.2, 1.0));
    let light = format!("{CRATE}density = 500\n");
    let scene = read(&light, &["bodies.crate.mass=5"]).unwrap();
    assert_eq!(
        (scene.bodies[0].mass, scene.bodies[0].density),
        (Some(5.0), None)
    );
}

#[test]
fn what_is_wrong_is_named_with_file_and_line_or_key() {
    let with = |more: &str| format!("{CRATE}{more}\n");
    let cases: &[(String, &[&str], &[&str])] = &[
        (
            with("masss = 1"),
            &[],
            &["mine.toml", "line 5", "`masss`", "`mass`"],
        ),
        (with("mass = \"heavy\""), &[], &["line 5", "string"]),
        (
            with("mass = 0"),
            &[],
            &["body `crate`", "`mass`", "above zero"],
        ),
        (
            with("mass = 1\ndensity = 2"),
            &[],
            &["body `crate`", "not both"],
        ),
        (with("radius = 1"), &[], &["body `crate`", "no `radius`"]),
        (with("mass = ="), &[], &["line 5"]),
        (
            CRATE.replace("box", "bxo"),
            &[],
            &["line 3", "`bxo`", "`box`"],
        ),
        (format!("{CRATE}{CRATE}"), &[], &["`crate` is there twice"]),
        (
            CRATE.to_owned(),
            &["bodies.crat.mass=1"],
            &["`crat`", "`crate`"],
        ),
        (
            CRATE.to_owned(),
            &["bodies.crate.mas=1"],
            &["`mas`", "`mass`"],
        ),
        (String::new(), &[], &["[[bodies]]"]),
        (
            format!("dtt = 1\n{CRATE}"),
            &[],
            &["line 1", "`dtt`", "`dt`"],
        ),
    ];
    for (text, changes, words) in cases {
        let message = read(text, changes).unwrap_err().to_string();
        for word in *words {
            assert!(
                message.contains(word),
                "{text}: `{word}` is not in: {message}"
            );
        }
    }
}
