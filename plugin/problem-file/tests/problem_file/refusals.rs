//! What is wrong with a file is said with its entry.

use stickslip_problem_file::{
    MAX_BYTES, MAX_DENSE, ProblemFileError, parse_problem, read_problem, read_problem_from,
};

/// Every word in the message.
fn refused(text: &str, words: &[&str]) {
    match parse_problem(text.as_bytes()) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => {
            let message = error.to_string();
            for word in words {
                assert!(message.contains(word), "`{word}` is not in `{message}`");
            }
        }
    }
}

/// A problem of two coordinates and two contacts with more fields.
fn with(fields: &str) -> String {
    format!(
        r#"{{"h": 0.1, "M": [[1, 0], [0, 1]], "N": [[1, 0], [0, 1]], "S": [[0, 1], [1, 0]],
        "T": [[0, 0], [0, 0]], {fields}}}"#
    )
}

#[test]
fn text_that_is_no_problem() {
    refused("", &["empty"]);
    refused(" \n\t ", &["empty"]);
    refused("\u{feff}", &["empty"]);
    refused("[]", &["an object"]);
    refused(
        "{\"h\": 0.1,\n \"M\": [[1], [",
        &["M[1]", "ends too early", "line 2", "column"],
    );
    refused("{\"h\": 0.1", &["ends too early", "line 1"]);
    refused(
        &with("\"v\": [0, 0]} x").replace("} x}", "} x"),
        &["trailing", "line 2"],
    );
    refused(&with("\"v\": [0, \"0\"]"), &["v[1]", "string", "f64"]);
    refused("{\"h\": 0.1, \"h\": 0.2}", &["duplicate field `h`"]);
    refused("{}", &["`h`", "missing"]);
    refused("{\"h\": 1}", &["`M`", "missing"]);
    assert!(parse_problem(b"{\"note\": \"\xff\xfe\"}").is_err());
}

#[test]
fn misspelt_fields_name_the_known_ones() {
    refused(
        &with("\"restituton\": 0"),
        &["`restituton`", "`restitution`"],
    );
    refused(&with("\"vfree\": [0, 0]"), &["`vfree`", "`v_free`"]);
    refused(
        &with("\"colour\": 0"),
        &["`colour`", "expected one of", "`N`, `S`, `T`"],
    );
    refused(
        &with("\"limits\": {\"rows\": [], \"gaps\": 1}"),
        &["limits", "`gaps`", "`gap`"],
    );
    refused(
        &with("\"settings\": {\"baumgart\": 0.1}"),
        &["settings", "`baumgart`", "`baumgarte`"],
    );
    refused(
        &with("\"settings\": {\"model\": \"sticky\"}"),
        &["settings", "`sticky`", "no-slip"],
    );
    refused(
        &with("\"settings\": {\"solver\": \"newton\"}"),
        &["settings", "newton", "ppm"],
    );
    refused(
        &with("\"settings\": {\"polygon\": {\"directions\": -1}}"),
        &["settings", "-1"],
    );
    refused(
        &with("\"settings\": {\"model\": \"no-slip\", \"model\": \"no-slip\"}"),
        &["settings", "duplicate field `model`"],
    );
    refused(
        &with("\"settings\": {\"tolerance\": 0, \"tolerance\": 0}"),
        &["settings", "duplicate field `tolerance`"],
    );
}

#[test]
fn numbers_that_are_none() {
    refused(&with("\"phi\": [0, NaN]"), &["phi[1]", "finite", "line 2"]);
    refused(&with("\"phi\": Infinity"), &["phi", "finite"]);
    refused(&with("\"v\": [0, -Infinity]"), &["v[1]", "finite"]);
    refused(&with("\"mu\": null"), &["mu", "null", "a finite number"]);
    refused(&with("\"J\": [[1, null]]"), &["J[0][1]", "null"]);
    refused(&with("\"v\": [1e999, 0]"), &["v[0]", "out of range"]);
    refused(&with("\"mu\": \"slippery\""), &["mu", "slippery"]);
    refused(&with("\"mu\": true"), &["mu", "true"]);
}

#[test]
fn matrices_that_are_no_masses() {
    let mass = |m: &str| format!("{{\"h\": 0.1, {m}}}");
    refused(
        &mass("\"M\": [[1, 0.5], [0, 1]]"),
        &["M[1][0]", "not symmetric", "0.5", "M[0][1]"],
    );
    refused(
        &mass("\"M_blocks\": [[[1]], [[1, 2], [2, 1]]]"),
        &[
            "M_blocks[1]",
            "not positive definite",
            "pivot -3",
            "coordinate 0",
        ],
    );
    refused(
        &mass("\"M\": [[0]]"),
        &["M", "positive definite", "pivot 0"],
    );
    refused(&mass("\"M\": [[1, 0], [0]]"), &["M[1]", "1 values", "2"]);
    refused(&mass("\"M\": [[1, 0]]"), &["M[0]", "2 values", "1"]);
    refused(&mass("\"M\": [1]"), &["M[0]", "a sequence"]);
    refused(
        &mass("\"M\": [[1]], \"M_blocks\": [[[1]]]"),
        &["`M`", "`M_blocks`"],
    );
    // Without its entries: the size alone is refused, before any work.
    let rows = vec!["[]"; MAX_DENSE + 1].join(",");
    refused(
        &mass(&format!("\"M\": [{rows}]")),
        &["M:", "M_blocks", "4096"],
    );
}

#[test]
fn factors_that_fit_nothing() {
    let factor = |f: &str| format!("{{\"h\": 0.1, {f}}}");
    let both = "\"M\": [[4]], \"L_blocks\": [{\"parents\": [-1], \"L\": [2]}]";
    assert!(parse_problem(factor(both).as_bytes()).is_ok());
    refused(
        &factor(&both.replace("[2]", "[3]")),
        &["M[0][0]", "is 4", "9", "L_blocks"],
    );
    refused(
        &factor(&both.replace("[2]", "[2, 1]")),
        &["L_blocks[0].L", "2", "1"],
    );
    refused(
        &factor(&both.replace("[2]", "[-2]")),
        &["L_blocks[0]", "positive"],
    );
    refused(
        &factor(&both.replace("[-1]", "[0]")),
        &["L_blocks[0].parents[0]", "lower"],
    );
    refused(
        &factor(&both.replace("[-1]", "[-2]")),
        &["L_blocks[0].parents[0]", "-2"],
    );
    refused(
        &factor("\"L_blocks\": [{\"L\": [2]}]"),
        &["L_blocks[0]", "parents"],
    );
    // A chain of 100,000 coordinates would have 5e9 entries.
    let parents: Vec<String> = (-1..99_999).map(|p| p.to_string()).collect();
    let chain = format!(
        "\"L_blocks\": [{{\"parents\": [{}], \"L\": [1]}}]",
        parents.join(",")
    );
    refused(&factor(&chain), &["L_blocks[0].L", "5000050000"]);
}

#[test]
fn lists_of_the_wrong_length() {
    refused(&with("\"v\": [0]"), &["v:", "1", "2, one per coordinate"]);
    refused(
        &with("\"f\": [0, 0, 0]"),
        &["f:", "3", "2, one per coordinate"],
    );
    refused(&with("\"phi\": [0]"), &["phi:", "1", "2, one per contact"]);
    refused(
        &with("\"mu_across\": [0.1]"),
        &["mu_across:", "one per contact"],
    );
    refused(
        &with("\"surface_velocity\": [[0, 0], [0]]"),
        &["surface_velocity[1]", "1", "2"],
    );
    refused(
        &with("\"acceleration_bias\": [[0, 0, 0]]"),
        &["acceleration_bias:", "2"],
    );
    refused(
        &with("\"J\": [[1, 0, 0]]"),
        &["J[0]", "3 values", "2, one per coordinate"],
    );
    refused(
        &with("\"J\": [[1, 0]], \"J_rhs\": [1, 2]"),
        &["J_rhs", "2", "1"],
    );
    refused(
        &with("\"limits\": {\"rows\": [[1, 0]], \"gap\": []}"),
        &["limits.gap", "0", "1"],
    );
    refused(
        &with("\"bounded\": {\"rows\": [[1, 0]]}"),
        &["bounded.limit", "missing"],
    );
    refused(
        &with("\"keys\": {\"contacts\": [1]}"),
        &["keys.contacts", "1", "2"],
    );
    refused(
        &with("\"keys\": {\"contacts\": [1, -2]}"),
        &["keys.contacts[1]", "-2"],
    );
    refused(&with("\"A_n\": [[1, 0]]"), &["A_n", "1", "2"]);
    refused(&with("\"scalar_order\": [\"J\"]"), &["scalar_order", "`J`"]);
    refused(
        &with("\"scalar_order\": [\"K\"]"),
        &["scalar_order[0]", "bounded"],
    );
    let text = with("\"mu\": 1");
    refused(
        &text.replace("[[0, 1], [1, 0]]", "[[0, 1]]"),
        &["S:", "1", "2, one per row of N"],
    );
    refused(&text.replace("\"N\"", "\"J\""), &["`S`", "without `N`"]);
    refused("{\"h\": 1, \"M\": [[1]], \"mu\": [1]}", &["mu", "1", "0"]);
}

#[test]
fn sparse_rows_that_do_not_fit() {
    let row = |r: &str| with(&format!("\"J\": [{r}]"));
    refused(
        &row("{\"cols\": [0], \"vals\": []}"),
        &["J[0].vals", "0", "1"],
    );
    refused(
        &row("{\"cols\": [2], \"vals\": [1]}"),
        &["J[0].cols", "column 2", "2 coordinates"],
    );
    refused(
        &row("{\"cols\": [1, 0], \"vals\": [1, 1]}"),
        &["J[0].cols", "ascending"],
    );
    refused(
        &row("{\"cols\": [0.5], \"vals\": [1]}"),
        &["J[0].cols[0]", "0.5"],
    );
    refused(&row("{\"col\": [0]}"), &["J[0]", "`col`", "`cols`"]);
    refused(
        &row("{\"cols\": [], \"vals\": [], \"blocks\": [9]}"),
        &["J[0]", "block 9"],
    );
}

#[test]
fn values_out_of_range() {
    refused(&with("\"mu\": [0, -1]"), &["contact 1", "mu", "-1"]);
    refused(
        &with("\"mu_across\": -0.5"),
        &["contact 0", "mu_across", "-0.5"],
    );
    refused(&with("\"mu_viscous\": -2"), &["mu_viscous", "-2"]);
    refused(&with("\"mu_rolling\": -2"), &["mu_rolling", "-2"]);
    refused(&with("\"compliance\": -2"), &["compliance", "-2"]);
    refused(
        &with("\"restitution\": [0, 1.5]"),
        &["contact 1", "restitution", "1.5"],
    );
    refused(&with("\"restitution\": -1"), &["restitution", "-1"]);
    let bounded = |b: &str| {
        with(&format!(
            "\"J\": [[1, 0]], \"bounded\": {{\"rows\": [[1, 0], [0, 1]], {b}}}"
        ))
    };
    refused(
        &bounded("\"limit\": [1, -1]"),
        &["bounded[1]", "limit", "-1"],
    );
    refused(
        &bounded("\"limit\": 1, \"compliance\": -3"),
        &["bounded[0]", "-3"],
    );
    for h in ["0", "-0.1", "1e-400", "-0.0"] {
        let text = with("\"mu\": 1").replace("\"h\": 0.1", &format!("\"h\": {h}"));
        refused(&text, &["time step", "positive"]);
    }
    refused(
        &with("\"f\": [0, 0], \"v_free\": [0, 0]"),
        &["`f`", "`v_free`"],
    );
    refused(
        &with("\"format\": 2"),
        &["format", "version 2", "version 1"],
    );
    let heavy = "{\"h\": 1e300, \"M\": [[1e-9]], \"f\": [1e300]}";
    refused(heavy, &["f[0]", "not finite"]);
}

#[test]
fn rows_across_more_than_two_bodies() {
    let three = "{\"h\": 0.1, \"M_blocks\": [[[1]], [[1]], [[1]]], ROWS}";
    let rows = |r: &str| three.replace("ROWS", r);
    refused(
        &rows("\"J\": [[1, 0, 1], [1, 1, 1]]"),
        &["J[1]", "0, 1, 2", "two"],
    );
    refused(
        &rows("\"N\": [[1, 0, 0]], \"S\": [[0, 1, 0]], \"T\": [[0, 0, 1]]"),
        &["N[0], S[0], T[0]", "0, 1, 2"],
    );
    refused(
        &rows("\"N\": [[1, 0, 0]], \"A_n\": [[0, 1, 0]]"),
        &["contact 0", "spin", "block"],
    );
    refused(
        "{\"h\": 0.1, \"M\": [], \"N\": [[]]}",
        &["N[0]", "mass matrix is empty"],
    );
}

#[test]
fn nesting_and_size_end_with_a_message() {
    for open in ["[", "{\"a\":", "{\"N\":", "{\"settings\":"] {
        let deep = open.repeat(100_000);
        assert!(parse_problem(deep.as_bytes()).is_err());
    }
    refused(
        &with(&format!("\"J\": {}", "[".repeat(10_000))),
        &["J[0][0]"],
    );
    // A stream that never ends stops at the limit.
    let endless = std::io::repeat(b' ');
    assert_eq!(
        read_problem_from(std::io::Read::take(endless, 1 << 20)).unwrap_err(),
        ProblemFileError::Empty
    );
    let folder = std::env::temp_dir().join(format!("stickslip-large-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("large.json");
    // Sparse: takes no room on the disk, and is refused before a byte is read.
    let file = std::fs::File::create(&path).unwrap();
    file.set_len(MAX_BYTES + 1).unwrap();
    let error = read_problem(&path).unwrap_err().to_string();
    assert!(
        error.contains("large.json") && error.contains("268435456"),
        "{error}"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

/// Settings of any model, those to come included: a part may be left out, a name nobody knows is
/// refused, on every level.
#[test]
fn settings_are_read_strictly_on_every_level() {
    use serde_json::{Value, json};
    use stickslip_core::models::ModelSettings;
    let whole = serde_json::to_value(ModelSettings::default()).unwrap();
    let parts: Vec<String> = whole
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, value)| value.is_object())
        .map(|(name, _)| name.clone())
        .collect();
    assert!(parts.len() >= 4);
    let read =
        |settings: &Value| parse_problem(with(&format!("\"settings\": {settings}")).as_bytes());
    assert!(read(&json!({})).is_ok());
    for part in parts {
        let mut strange = whole.clone();
        strange[&part]["nonsense"] = json!(1);
        let error = read(&strange).expect_err(&part).to_string();
        assert!(error.contains("nonsense"), "{part}: {error}");
        let mut empty = whole.clone();
        empty[&part] = json!({});
        let settings = read(&empty).unwrap().context.settings;
        assert_eq!(settings, Some(ModelSettings::default()), "{part}");
    }
}
