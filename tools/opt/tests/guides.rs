//! Code in the guides is quoted from the repository: a block whose fence names a file
//! (` ```rust file=… `) is an excerpt of that file, which is compiled and tested. A block that creates a file
//! (` ```rust create=… `) is a step that `tools/check-docs` carries out.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Guides in which each block of Rust or TOML names a file.
const GUIDES: [&str; 4] = [
    "adding-a-pass.md",
    "adding-an-instruction.md",
    "adding-an-op.md",
    "your-own-dialect.md",
];

/// The crate that `your-own-dialect.md` shows in full.
const OWN_DIALECT: &str = "examples/own-dialect";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A block of code in a page.
struct Block {
    /// The line of the fence.
    line: usize,
    /// The text after the fence: the language, and `file=` with a path.
    info: String,
    /// The lines without their common indentation.
    lines: Vec<String>,
}

impl Block {
    fn file(&self) -> Option<&str> {
        self.info.split("file=").nth(1)
    }
}

fn without_common_indentation(lines: &[&str]) -> Vec<String> {
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let indentation = |line: &&&str| line.len() - line.trim_start().len();
    let common = filled.map(|line| indentation(&line)).min().unwrap_or(0);
    let shortened = lines.iter().map(|line| line.get(common..).unwrap_or(""));
    shortened.map(|line| line.trim_end().to_owned()).collect()
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            let inside = lines.by_ref().map(|(_, line)| line);
            let inside: Vec<_> = inside
                .take_while(|line| line.trim_start() != "```")
                .collect();
            blocks.push(Block {
                line: number + 1,
                info: info.to_owned(),
                lines: without_common_indentation(&inside),
            });
        }
    }
    blocks
}

/// Whether the lines are consecutive in the file, at any indentation.
fn is_excerpt(block: &[String], file: &str) -> bool {
    let lines: Vec<_> = file.lines().collect();
    lines
        .windows(block.len())
        .any(|window| without_common_indentation(window) == block)
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join("docs").join(name)).expect("a page")
}

#[test]
fn code_in_guides_is_code_of_the_tree() {
    let mut wrong = Vec::new();
    for guide in GUIDES {
        for block in blocks(&page(guide)) {
            let place = format!("docs/{guide}:{}", block.line);
            let Some(path) = block.file() else {
                if ["rust", "toml"].contains(&block.info.trim()) {
                    wrong.push(format!("{place}: the block names no file"));
                }
                continue;
            };
            match fs::read_to_string(root().join(path)) {
                Ok(file) if is_excerpt(&block.lines, &file) => {}
                Ok(_) => wrong.push(format!("{place}: {path} has no such lines")),
                Err(error) => wrong.push(format!("{place}: {path}: {error}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sources below a folder, without tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path
            .file_stem()
            .is_some_and(|name| name == "tests" || name == "target")
        {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path
            .extension()
            .is_some_and(|end| end == "rs" || end == "toml")
        {
            found.push(path);
        }
    }
}

/// The files that the steps for an instruction change are all that name it: with the tests of the
/// tree, that is what shows that the steps suffice.
#[test]
fn an_instruction_is_in_the_places_of_the_guide() {
    let page = page("adding-an-instruction.md");
    let blocks = blocks(&page);
    let files = blocks.iter().filter_map(Block::file);
    let mut places: BTreeSet<&str> = files.filter(|file| !file.contains("/tests/")).collect();
    assert_eq!(places.len(), 6);
    // What the page says of a mnemonic without a class.
    let classes = "schedule/src/sass/machines/classes.toml";
    assert!(page.contains(classes));
    places.insert(classes);
    let mut paths = Vec::new();
    for folder in ["dialects", "rewrites", "schedule", "tools"] {
        sources(&root().join(folder), &mut paths);
    }
    paths.retain(|path| {
        let text = fs::read_to_string(path).expect("a text");
        text.to_ascii_lowercase().contains("fhadd")
    });
    let wanted: BTreeSet<PathBuf> = places.iter().map(|place| root().join(place)).collect();
    assert_eq!(paths.into_iter().collect::<BTreeSet<_>>(), wanted);
}

#[test]
fn the_crate_of_the_guide_is_shown_as_a_whole() {
    let blocks = blocks(&page("your-own-dialect.md"));
    let mut files = BTreeSet::from([PathBuf::from("Cargo.toml")]);
    let folder = root().join(OWN_DIALECT);
    for part in ["src", "tests"] {
        for entry in fs::read_dir(folder.join(part)).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            files.insert(Path::new(part).join(name));
        }
    }
    for path in files {
        let whole = fs::read_to_string(folder.join(&path)).expect("a text");
        let name = format!("{OWN_DIALECT}/{}", path.display());
        let shown = blocks
            .iter()
            .filter(|block| block.file() == Some(name.as_str()));
        let shown = shown.max_by_key(|block| block.lines.len());
        let shown = shown.map(|block| block.lines.join("\n") + "\n");
        assert_eq!(shown.as_deref(), Some(whole.as_str()), "{name}");
    }
}
