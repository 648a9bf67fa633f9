//! Operations are asked for by declaration or interface, not by name: quoted names of operations
//! outside of declarations, tests and tables are few, and each has a reason.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use orison_ir::Context;

/// The file with the names that stay.
const FILE: &str = include_str!("quoted_names.toml");

/// Fewer than this many stay.
const LIMIT: usize = 50;

/// Folders of crates with source text of tools and libraries.
const SOURCES: [&str; 5] = ["dialects", "rewrites", "schedule", "filecheck", "tools"];

/// Folders without.
const SKIPPED: [&str; 8] = [
    "tests",
    "benches",
    "examples",
    "fuzz",
    "bench",
    "peers",
    "mutants_suite",
    "upstream_suite",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Rust files below a folder that are not tests.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("a readable folder");
    for entry in entries {
        let path = entry.expect("a readable entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !SKIPPED.contains(&name.as_ref()) && name != "target" {
                sources(&path, files);
            }
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            files.push(path);
        }
    }
}

/// The names of all declared operations.
fn operations() -> HashSet<&'static str> {
    let mut context = Context::new();
    orison_opt::registry::register_all_dialects(&mut context);
    let all = context.dialects().iter();
    all.flat_map(|dialect| dialect.operations.iter().map(|definition| definition.name))
        .collect()
}

/// Whether the text before a quoted name declares it: `Addi = "arith.addi"`.
fn declares(before: &str) -> bool {
    let word = before.trim_end().strip_suffix('=').map(str::trim_end);
    let word = word.and_then(|text| text.rsplit(|c: char| !c.is_alphanumeric()).next());
    word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// The quoted names of a text, without comments, declarations and a module of tests at its end.
fn quoted<'t>(text: &'t str, operations: &HashSet<&str>) -> Vec<&'t str> {
    let text = text
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or(text);
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let of_line = |line: &'t str| {
        let pieces: Vec<&str> = line.split('"').collect();
        let inner = pieces
            .windows(3)
            .filter(|piece| operations.contains(piece[1]));
        let used = inner.filter(|piece| !declares(piece[0]));
        used.map(|piece| piece[1]).collect::<Vec<_>>()
    };
    lines.flat_map(of_line).collect()
}

/// The quoted names by file, with their numbers.
fn found() -> BTreeMap<String, BTreeMap<String, usize>> {
    let (root, operations) = (root(), operations());
    let mut files = Vec::new();
    for folder in SOURCES {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 500, "the sources of all crates");
    let mut found: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("a readable file");
        for name in quoted(&text, &operations) {
            let file = path.strip_prefix(&root).expect("below the root");
            let file = file.to_string_lossy().replace('\\', "/");
            *found
                .entry(file)
                .or_default()
                .entry(name.to_owned())
                .or_default() += 1;
        }
    }
    found
}

/// The names that stay: for each file a reason, and the number of occurrences of each name.
fn listed() -> BTreeMap<String, BTreeMap<String, usize>> {
    let table: toml::Table = FILE.parse().expect("a readable list");
    let files = table.into_iter().map(|(file, entry)| {
        let entry = entry.as_table().expect("an entry for each file").clone();
        let why = entry["why"].as_str().unwrap_or_default();
        assert!(!why.is_empty(), "{file}: the reason is missing");
        let names = entry["names"].as_table().expect("the names").clone();
        let count = |value: &toml::Value| value.as_integer().and_then(|n| usize::try_from(n).ok());
        let names = names
            .iter()
            .map(|(name, value)| (name.clone(), count(value).expect("a number")));
        (file, names.collect())
    });
    files.collect()
}

#[test]
fn quoted_names_of_operations_are_few_and_have_reasons() {
    let (found, listed) = (found(), listed());
    let files: BTreeSet<&String> = found.keys().chain(listed.keys()).collect();
    for file in files {
        assert_eq!(
            found.get(file),
            listed.get(file),
            "{file}: found and listed; use the typed view, or say why the name stays"
        );
    }
    let total: usize = found.values().flat_map(BTreeMap::values).sum();
    assert!(
        total < LIMIT,
        "{total} quoted names, fewer than {LIMIT} are allowed"
    );
}

#[test]
fn declarations_comments_and_tests_do_not_count() {
    let operations = HashSet::from(["arith.addi", "arith.subi"]);
    let text = "AddI = \"arith.addi\";\n// \"arith.addi\"\nlet name = \"arith.subi\";\n\
                (\"arith.addi\" | \"arith.subi\", \"arith.muli\")\n\
                #[cfg(test)]\nmod tests {\n\"arith.addi\"\n";
    let names = quoted(text, &operations);
    assert_eq!(names, ["arith.subi", "arith.addi", "arith.subi"]);
}
