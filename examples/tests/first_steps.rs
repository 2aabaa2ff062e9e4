//! docs/first-steps.md: every command is run, and what it prints has the words that the document shows.
//!
//! Numbers may differ, since times and the last digits do. `FIRST_STEPS=write` puts what was printed into
//! the document. Commands are those of the document but for `--release`: the programs are those of the
//! profile under test, which `cargo test --workspace` has built already.

use std::path::{Path, PathBuf};
use std::process::Command;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/first-steps.md");

/// A command of the document and what it shows as its output.
struct Step<'a> {
    command: &'a str,
    shown: &'a str,
}

/// Blocks marked `sh`, each with the block marked `text` after it.
fn steps(document: &str) -> Vec<Step<'_>> {
    let mut out = Vec::new();
    for part in document.split("```sh\n").skip(1) {
        let (command, rest) = part.split_once("```").expect("the block ends");
        let shown = rest
            .split_once("```text\n")
            .and_then(|(_, rest)| rest.split_once("```"));
        let (shown, _) = shown.expect("an output after the command");
        out.push(Step {
            command: command.trim(),
            shown,
        });
    }
    out
}

/// A folder to run in, with the project's robots where the commands look for them.
fn workplace() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("first-steps");
    let assets = folder.join("assets");
    std::fs::create_dir_all(&assets).expect("a folder of our own");
    for robot in ["arm.urdf", "quadruped.urdf"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets");
        std::fs::copy(from.join(robot), assets.join(robot)).expect("a robot of the project");
    }
    folder
}

/// The program of `cargo run --release --bin NAME` or `--example NAME`, and its arguments.
fn program(command: &str) -> (PathBuf, Vec<&str>) {
    let words: Vec<&str> = command.split_whitespace().collect();
    let (kind, name, rest) = match words.as_slice() {
        ["cargo", "run", "--release", kind, name, rest @ ..] => (*kind, *name, rest),
        _ => panic!("not `cargo run --release --bin|--example NAME`: {command}"),
    };
    let test = std::env::current_exe().expect("a test is a file");
    let built = test.ancestors().nth(2).expect("it lies in target/*/deps");
    let folder = match kind {
        "--bin" => built.to_owned(),
        "--example" => built.join("examples"),
        _ => panic!("neither --bin nor --example: {command}"),
    };
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let arguments = rest.iter().skip_while(|word| **word == "--");
    (folder.join(file), arguments.copied().collect())
}

/// Refuses to run programs that are not there: `cargo test --workspace` builds them.
fn are_built(steps: &[Step<'_>]) {
    for step in steps {
        let (program, _) = program(step.command);
        assert!(
            program.exists(),
            "{} is built by `cargo test --workspace`, or by `cargo build --workspace --bins --examples`",
            program.display()
        );
    }
}

/// Runs one command; what it prints on standard output. Progress of slow runs goes to standard error.
fn run(command: &str, folder: &Path) -> String {
    let (program, arguments) = program(command);
    let output = Command::new(&program)
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// The words of a text: numbers become `#`, rules of tables and spaces go.
fn words(text: &str) -> Vec<String> {
    let is_part = |c: char| !c.is_whitespace() && !"─═│|=+".contains(c);
    let parts = text.split(|c| !is_part(c));
    let is_word = |part: &&str| part.chars().any(|c| c != '-');
    parts.filter(is_word).map(number_aside).collect()
}

fn number_aside(word: &str) -> String {
    let bare = word.trim_matches(|c: char| "(),;:".contains(c));
    match bare.parse::<f64>() {
        Ok(_) => word.replace(bare, "#"),
        Err(_) => word.to_owned(),
    }
}

#[test]
fn the_walk_goes_as_written() {
    let document = std::fs::read_to_string(DOCUMENT).expect("docs/first-steps.md");
    let folder = workplace();
    let mut written = document.clone();
    let mut wrong = Vec::new();
    let steps = steps(&document);
    assert!(steps.len() >= 5, "{} commands", steps.len());
    are_built(&steps);
    for step in &steps {
        let printed = run(step.command, &folder);
        if words(&printed) != words(step.shown) {
            wrong.push(format!(
                "$ {}\n{printed}--- the document:\n{}",
                step.command, step.shown
            ));
        }
        let block = |output: &str| format!("{}\n```\n\n```text\n{output}```", step.command);
        let trimmed: String = printed
            .lines()
            .map(|line| format!("{}\n", line.trim_end()))
            .collect();
        written = written.replace(&block(step.shown), &block(&trimmed));
    }
    if std::env::var("FIRST_STEPS").is_ok_and(|v| v == "write") {
        std::fs::write(DOCUMENT, written).expect("the document can be written");
    } else {
        assert!(
            wrong.is_empty(),
            "{}\n`FIRST_STEPS=write` puts the new output into docs/first-steps.md; read it",
            wrong.join("\n")
        );
    }
}

/// The comparison itself: other numbers pass, other words do not.
#[test]
fn words_count_and_numbers_do_not() {
    assert_eq!(
        words("held 1.5e-3 m, 12 steps"),
        words("held  7 m, 3 steps")
    );
    assert_ne!(words("held 1.5e-3 m"), words("dropped 1.5e-3 m"));
    assert_eq!(words("────\n a  (3) "), words("a (17)"));
    assert_eq!(words("----- a"), words("a"));
}
