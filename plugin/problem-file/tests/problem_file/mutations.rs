//! Text of any kind is read or refused, never more; what is read can be solved.

use crate::common::*;
use proptest::prelude::*;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_problem_file::{Context, parse_problem, problem_json};

/// Tokens that hurt.
const TOKENS: [&str; 24] = [
    "",
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e-308",
    "5e-324",
    "null",
    "NaN",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "[[]]",
    "{}",
    "9007199254740993",
    "18446744073709551615",
    "-0.0",
    "\"mu\"",
    "true",
    "1e999",
];

fn samples() -> Vec<String> {
    let mut builder = ProblemBuilder::new();
    let mut texts = Vec::new();
    stack(&mut builder, 2, 0.01, 2.0);
    let context = Context {
        model: Some(ModelName::NoSlip),
        settings: Some(ModelSettings::default()),
        note: None,
    };
    texts.push(problem_json(builder.finished().unwrap(), &context));
    texts.push(
        r#"{"h": 0.1, "M": [[2, 0.5], [0.5, 1]], "v": [1, -1], "f": [0, -9],
        "N": [[0, 1], [1, 0]], "S": [[1, 0], [0, 1]], "T": [[0, 0], [0, 0]],
        "A_n": [[1, 1], null], "J": [[1, -1]], "J_rhs": 0, "phi": [0, 0.1], "mu": 0.5,
        "mu_across": [null, 0.2], "restitution": 0.5, "compliance": 0, "mu_viscous": 1,
        "limits": {"rows": [[1, 0]], "gap": 0.1},
        "bounded": {"rows": [{"cols": [0], "vals": [1]}], "limit": 1},
        "scalar_order": ["bounded", "J", "limits"],
        "L_blocks": [{"parents": [-1, 0], "L": [1.3228756555322954, 0.5, 1]}]}"#
            .to_owned(),
    );
    texts
}

/// Puts a token in the place of a number or a punctuation mark.
fn mutate(text: &str, edits: &[(u32, usize, u8)]) -> String {
    let mut text = text.to_owned();
    for &(at, token, kind) in edits {
        let places: Vec<(usize, &str)> = text
            .match_indices(|c: char| "[]{},:\"".contains(c) || c.is_ascii_digit())
            .collect();
        if places.is_empty() {
            break;
        }
        let (start, found) = places[at as usize % places.len()];
        let end = start + found.len();
        let token = TOKENS[token % TOKENS.len()];
        match kind % 3 {
            0 => text.replace_range(start..end, token),
            1 => text.insert_str(start, token),
            _ => text.truncate(start),
        }
    }
    text
}

fn read_and_solve(text: &str) {
    if let Ok(file) = parse_problem(text.as_bytes()) {
        let model = file.context.model.unwrap_or_default();
        let settings = file.context.settings.unwrap_or_default();
        // Settings out of range are refused by the model itself.
        if let Ok(mut model) = stickslip_core::models::Model::new(model, settings) {
            model.solve(
                &file.problem,
                &mut stickslip_core::models::WarmStart::new(),
                &mut stickslip_core::models::Workspace::new(),
                &mut stickslip_core::models::ContactSolution::default(),
            );
        }
        // And what was read is written and read again.
        let again = problem_json(&file.problem, &Context::default());
        let again = parse_problem(again.as_bytes()).unwrap().problem;
        crate::round_trip::assert_same(&again, &file.problem, "mutation");
    }
}

#[test]
fn the_samples_themselves_are_read() {
    for text in samples() {
        assert!(parse_problem(text.as_bytes()).is_ok(), "{text}");
        read_and_solve(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn mutated_files_are_read_or_refused(
        sample in 0_usize..2,
        edits in prop::collection::vec((any::<u32>(), any::<usize>(), any::<u8>()), 1..4),
    ) {
        read_and_solve(&mutate(&samples()[sample], &edits));
    }

    #[test]
    fn any_bytes_are_read_or_refused(text in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse_problem(&text);
    }
}
