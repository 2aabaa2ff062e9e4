//! Reads from the sources of a crate which module imports which.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Modules outside the tests with their sources, by their path (`read::bodies`).
fn modules(folder: &Path, path: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let at = entry.unwrap().path();
        let stem = at.file_stem().unwrap().to_str().unwrap();
        let inner = match (stem, path) {
            ("tests", _) | ("lib", "") => continue,
            ("mod", _) => path.to_owned(),
            (_, "") => stem.to_owned(),
            _ => format!("{path}::{stem}"),
        };
        if at.is_dir() {
            modules(&at, &inner, found);
        } else {
            found.insert(inner, fs::read_to_string(&at).unwrap());
        }
    }
}

/// Paths in the source of a module that begin with `crate::` or `super::`, from the root of the crate: one per item of a
/// list in braces.
fn imports(module: &str, source: &str) -> Vec<String> {
    let lines = source.lines().map(|line| line.split("//").next().unwrap());
    let code = lines.collect::<Vec<_>>().join("\n");
    let belongs = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut paths = Vec::new();
    let mut rest = &code[..];
    while let Some(start) = rest.find(belongs) {
        let end = rest[start..].find(|c| !belongs(c));
        let (path, after) = rest.split_at(end.map_or(rest.len(), |end| start + end));
        rest = after;
        let Some(path) = from_root(module, &path[start..]) else {
            continue;
        };
        match (path.strip_suffix("::"), after.strip_prefix('{')) {
            (Some(path), Some(list)) => {
                let list = list.split('}').next().unwrap();
                let items = list
                    .split(',')
                    .map(str::trim)
                    .filter(|item| !item.is_empty());
                paths.extend(items.map(|item| format!("{path}::{item}")));
            }
            _ => paths.push(path),
        }
    }
    paths
}

/// A path as seen from the root of the crate; none for other crates, what was imported and local names.
fn from_root(module: &str, path: &str) -> Option<String> {
    if let Some(path) = path.strip_prefix("crate::") {
        return Some(path.to_owned());
    }
    let (mut at, mut rest) = (module, path.strip_prefix("super::")?);
    loop {
        at = at.rsplit_once("::").map_or("", |(parent, _)| parent);
        match rest.strip_prefix("super::") {
            Some(further) => rest = further,
            None => return Some(format!("{at}::{rest}")),
        }
    }
}

/// The module that a path leads into: the longest beginning that is one.
fn module_of<'a>(path: &str, known: &'a BTreeMap<String, String>) -> Option<&'a str> {
    let mut path = path;
    loop {
        if let Some((name, _)) = known.get_key_value(path) {
            return Some(name);
        }
        path = path.rsplit_once("::")?.0;
    }
}

fn sources() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    modules(&src, "", &mut found);
    found
}

/// What is wrong with the order of the modules at the root of the crate: each may import from those before it.
fn upward(rooms: &[&str]) -> Vec<String> {
    let room = |path: &str| {
        let first = path.split("::").next()?;
        rooms.iter().position(|room| *room == first)
    };
    let sources = sources();
    let absent = rooms.iter().filter(|name| !sources.contains_key(**name));
    let mut wrong: Vec<_> = absent.map(|name| format!("no room {name}")).collect();
    for (module, source) in &sources {
        let Some(own) = room(module) else {
            wrong.push(format!("{module} is in no room"));
            continue;
        };
        for path in imports(module, source) {
            // What is re-exported at the root has a room of its own to be imported from.
            if room(&path).is_none_or(|other| other > own) {
                wrong.push(format!("{module} imports {path}"));
            }
        }
    }
    wrong
}

/// Modules that import each other, by whatever way round.
fn circles() -> Vec<String> {
    let sources = sources();
    let mut ahead: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (module, source) in &sources {
        let paths = imports(module, source);
        let into = paths.iter().filter_map(|path| module_of(path, &sources));
        // What a module is a part of imports it, and lends it its types.
        let apart = into.filter(|other| !format!("{module}::").starts_with(&format!("{other}::")));
        ahead.insert(module, apart.collect());
    }
    // Take away what imports nothing that is left, until nothing more goes: what stays goes in a circle.
    while let Some(done) = ahead
        .iter()
        .find(|(_, into)| into.is_empty())
        .map(|(module, _)| *module)
    {
        ahead.remove(done);
        for into in ahead.values_mut() {
            into.remove(done);
        }
    }
    let circles = ahead.iter();
    circles
        .map(|(module, into)| format!("{module} imports {into:?}"))
        .collect()
}

/// The reader of sources finds what it is there to find.
#[test]
fn imports_are_found() {
    let source = "use crate::read::{bodies::Bodies, spin};\n// crate::write\nuse super::rows;\ncrate::sleep::wake()";
    let found = [
        "read::bodies::Bodies",
        "read::spin",
        "joints::rows",
        "sleep::wake",
    ];
    assert_eq!(imports("joints::ends", source), found);
    assert_eq!(
        from_root("joints::rows::kind", "super::super::past::Past"),
        Some("joints::past::Past".to_owned())
    );
    assert_eq!(from_root("joints::ends", "nalgebra::Vector3"), None);
}

/// Fails where a room imports from one above it (`rooms` from below), or two files import each other.
pub fn check(rooms: &[&str]) {
    let wrong = upward(rooms);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let circles = circles();
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}
