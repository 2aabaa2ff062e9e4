//! The documents: what they cite is in the bibliography, what they link to is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The project's own files with one of these endings.
fn files(endings: &[&str]) -> Vec<PathBuf> {
    let mut folders = vec![root()];
    let mut out = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the project") {
            let path = entry.expect("an entry of it").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let hidden = name.starts_with('.') || ["target", "fuzz", "runs"].contains(&&*name);
            if path.is_dir() && !path.is_symlink() && !hidden {
                folders.push(path);
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                out.push(path);
            }
        }
    }
    assert!(!out.is_empty());
    out
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The texts in square brackets.
fn bracketed(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.split('[').skip(1);
    starts.filter_map(|rest| rest.split(']').next())
}

/// The marks of a citation: `D15, sec. III-B; T95` has two.
fn marks(citation: &str) -> impl Iterator<Item = &str> {
    let parts = citation.trim_end_matches('\\').split(';');
    parts
        .filter_map(|part| part.split(',').next())
        .map(str::trim)
}

/// Capital letters and two digits: a work and its year. Experiments have one digit, but for C10.
fn is_mark(text: &str) -> bool {
    let letters = text.chars().take_while(char::is_ascii_uppercase).count();
    let digits = text.chars().skip(letters);
    letters > 0 && text.len() == letters + 2 && digits.into_iter().all(|c| c.is_ascii_digit())
}

/// Every mark with a year is in docs/references.md, and every mark there is used.
#[test]
fn citations_are_in_the_bibliography() {
    let bibliography = root().join("docs/references.md");
    let listed: BTreeSet<String> = read(&bibliography)
        .lines()
        .filter_map(|line| {
            line.strip_prefix("| [")?
                .split(']')
                .next()
                .map(String::from)
        })
        .collect();
    assert!(listed.contains("D15"), "{listed:?}");
    let mut used = BTreeSet::new();
    for path in files(&[".rs", ".md"]) {
        if path.ends_with("docs/references.md") {
            continue;
        }
        let text = read(&path);
        for mark in bracketed(&text).flat_map(marks) {
            used.insert(mark.to_owned());
            assert!(
                !is_mark(mark) || mark == "C10" || listed.contains(mark),
                "{} cites [{mark}], which docs/references.md lacks",
                path.display()
            );
        }
    }
    for mark in &listed {
        assert!(used.contains(mark), "nothing cites [{mark}]");
    }
}

/// Files that documents link to or show, relative to where they stand.
#[test]
fn links_lead_somewhere() {
    for path in files(&[".md"]) {
        let text = read(&path);
        // Brackets in code are no links.
        let prose = text.split("```").step_by(2);
        for target in prose.flat_map(|part| part.split("](").skip(1)) {
            let target = target.split([')', '#']).next().unwrap_or_default();
            if target.is_empty() || target.starts_with("http") {
                continue;
            }
            let folder = path.parent().expect("a file lies in a folder");
            assert!(
                folder.join(target).exists(),
                "{} links to {target}, which is not there",
                path.display()
            );
        }
    }
}

/// What a stranger reads first is short.
#[test]
fn the_readme_is_short() {
    let lines = read(&root().join("README.md")).lines().count();
    assert!(lines <= 150, "{lines} lines");
}

/// The README's figures are those of the page that the command writes (`benchmarks --headline README.md`).
#[test]
fn the_headline_is_that_of_the_benchmarks() {
    let table = |file: &str, section: &str| -> Vec<String> {
        let text = read(&root().join(file));
        let (_, rest) = text.split_once(section).expect("the section is there");
        let lines = rest.lines().skip_while(|l| l.is_empty());
        let rows = lines.take_while(|l| l.starts_with('|'));
        rows.map(str::to_owned).collect()
    };
    let page = table("docs/benchmarks.md", "\n## In short\n");
    assert!(page.len() >= 5, "{page:?}");
    assert_eq!(table("README.md", "\n## Where it stands\n"), page);
}

/// Every crate that can be published carries both licences.
#[test]
fn crates_carry_their_licences() {
    let mut published = 0;
    for manifest in files(&["Cargo.toml"]) {
        let text = read(&manifest);
        if !text.contains("[package]") || text.contains("publish = false") {
            continue;
        }
        published += 1;
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let file = manifest.with_file_name(licence);
            assert_eq!(
                read(&file),
                read(&root().join(licence)),
                "{}",
                file.display()
            );
        }
    }
    assert!(published >= 8, "{published} crates");
}
