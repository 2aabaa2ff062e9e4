//! Forces in numbers: contacts.csv, forces.csv and the JSON.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking like the tests themselves"
)]

mod common;

use common::rows::columns;
use common::{Folder, split, succeeds};
use serde_json::Value;
use std::collections::BTreeMap;

type Table = BTreeMap<String, Vec<String>>;

fn table(folder: &Folder, name: &str) -> Table {
    columns(&folder.read(name))
}

fn number(table: &Table, column: &str, row: usize) -> f64 {
    table[column][row].parse().unwrap()
}

/// Each finger squeezes with 200 N; what the cubes weigh hangs on the fingers by friction, by links of the file's
/// names.
#[test]
fn fingers_press_with_the_squeeze_and_carry_the_weight() {
    let folder = Folder::new();
    for precision in ["f64", "f32"] {
        let words = split("run grasp --duration 0.2 --rerun off --json x.json --csv csv --quiet");
        succeeds(
            &folder.0,
            &[&words[..], &["--precision", precision]].concat(),
        );
        let forces = table(&folder, "csv/grasp-cone-forces.csv");
        let last = forces["time_s"].last().unwrap().clone();
        let rows: Vec<usize> = (0..forces["on"].len())
            .filter(|row| forces["time_s"][*row] == last)
            .collect();
        // Three pairs, each in both directions.
        assert_eq!(rows.len(), 6, "{forces:?}");
        let mut carried = 0.0;
        for row in rows {
            let (on, by) = (&*forces["on"][row], &*forces["by"][row]);
            let along = number(&forces, "force_x_N", row);
            assert!((along.abs() - 200.0).abs() < 1e-3, "{on} by {by}: {along}");
            if on.ends_with("cube") && by.ends_with("finger_link") {
                carried += number(&forces, "force_z_N", row);
            }
        }
        assert!((carried - 2.0 * 9.81).abs() < 1e-3, "{carried}");

        let contacts = table(&folder, "csv/grasp-cone-contacts.csv");
        let result: Value = serde_json::from_str(&folder.read("x.json")).unwrap();
        let stated = result["contacts"].as_array().unwrap();
        let count = contacts["time_s"].iter().filter(|t| **t == last).count();
        assert_eq!(stated.len(), count);
        let row = contacts["step"].len() - 1;
        assert_eq!(contacts["state"][row], "sticking");
        let state = stated.last().unwrap();
        assert_eq!(state["body_b"], *contacts["body_b"][row]);
        assert_eq!(
            state["force_n_N"].as_f64().unwrap(),
            number(&contacts, "force_n_N", row)
        );
        // The world's force is that along normal and tangents.
        let n = number(&contacts, "force_n_N", row);
        let [s, t] = ["force_s_N", "force_t_N"].map(|c| number(&contacts, c, row));
        let world = ["force_x_N", "force_y_N", "force_z_N"].map(|c| number(&contacts, c, row));
        let squares = |list: &[f64]| list.iter().map(|x| x * x).sum::<f64>();
        assert!((squares(&[n, s, t]) / squares(&world) - 1.0).abs() < 1e-9);
    }
}

/// Every step in the JSON where that is asked for; feet by the names of their links; a scene where nothing touches
/// has heads alone.
#[test]
fn the_json_states_every_step_on_request() {
    let folder = Folder::new();
    let words = split("run stand --duration 0.02 --rerun off --json x.json --contacts --quiet");
    succeeds(&folder.0, &words);
    let result: Value = serde_json::from_str(&folder.read("x.json")).unwrap();
    let forces = result["forces"].as_array().unwrap();
    let steps: Vec<_> = forces
        .iter()
        .map(|row| row["step"].as_u64().unwrap())
        .collect();
    assert_eq!((steps[0], *steps.last().unwrap()), (0, 9));
    let feet = forces.iter().filter(|row| row["on"] == "lf_foot");
    assert!(feet.clone().count() == 10, "{forces:?}");
    let words = split("run pendulum --duration 0.02 --rerun off --csv csv --quiet");
    succeeds(&folder.0, &words);
    assert_eq!(
        folder.read("csv/pendulum-cone-forces.csv").lines().count(),
        1
    );
}

/// A robot file of one's own to forces in a table: the first walk of docs/first-steps.md, on to docs/forces.md. What the
/// document's lines of pandas and polars compute is computed here from the same columns: the ground carries the weight.
#[test]
fn a_robot_of_ones_own_has_its_forces_in_a_table() {
    let folder = Folder::new();
    let robot = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/quadruped.urdf");
    let words = split("run stand --duration 0.5 --rerun off --json x.json --csv csv --quiet");
    succeeds(&folder.0, &[&words[..], &["--robot", robot]].concat());
    let forces = table(&folder, "csv/stand-cone-forces.csv");
    let result: Value = serde_json::from_str(&folder.read("x.json")).unwrap();
    let weight = result["metrics"]["weight_N"].as_f64().unwrap();
    let last = forces["time_s"].last().unwrap().clone();
    let feet = (0..forces["by"].len())
        .filter(|row| forces["by"][*row] == "ground" && forces["time_s"][*row] == last);
    let feet: Vec<(String, f64)> = feet
        .map(|row| (forces["on"][row].clone(), number(&forces, "force_z_N", row)))
        .collect();
    assert!(
        feet.iter()
            .all(|(on, up)| on.ends_with("foot") && *up > 0.0),
        "{feet:?}"
    );
    let carried: f64 = feet.iter().map(|(_, up)| up).sum();
    assert_eq!(feet.len(), 4);
    assert!(
        (carried / weight - 1.0).abs() < 1e-3,
        "{carried} N of {weight} N"
    );
}

/// The columns that the lines of Python in docs/forces.md name are there.
#[test]
fn the_lines_of_python_name_columns_that_exist() {
    let document = include_str!("../../docs/forces.md");
    let python: String = document
        .split("```python\n")
        .skip(1)
        .filter_map(|part| part.split("```").next())
        .collect();
    let columns = ["on", "by", "time_s", "force_z_N"];
    for column in columns {
        assert!(
            stickslip_experiments::forces::FORCE_COLUMNS.contains(&column),
            "{column}"
        );
    }
    for (quoted, column) in [
        ("forces.by", "by"),
        ("\"on\"", "on"),
        ("\"time_s\"", "time_s"),
        ("\"force_z_N\"", "force_z_N"),
    ] {
        assert!(
            python.contains(quoted) && columns.contains(&column),
            "{quoted}"
        );
    }
}
