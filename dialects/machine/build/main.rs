//! Makes the static tables of `src/table.rs` from the files of `instructions/`.

mod emit;
#[path = "../src/kinds.rs"]
mod kinds;
mod model;

use std::path::Path;
use std::{env, fs, process};

const REGISTERS: &str = "special-registers.toml";
const MULTIPROCESSORS: &str = "multiprocessors.toml";

fn main() {
    println!("cargo::rerun-if-changed=instructions");
    println!("cargo::rerun-if-changed={REGISTERS}");
    println!("cargo::rerun-if-changed={MULTIPROCESSORS}");
    if let Err(message) = run() {
        println!("cargo::error={message}");
        process::exit(1);
    }
}

fn run() -> Result<(), String> {
    let place = |name: &str| env::var(name).map_err(|error| format!("{name}: {error}"));
    let root = place("CARGO_MANIFEST_DIR")?;
    let folder = Path::new(&root).join("instructions");
    let files = read(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let model = model::Model::read(&files)?;
    let registers = parsed(&root, REGISTERS, model::registers)?;
    let multiprocessors = parsed(&root, MULTIPROCESSORS, model::multiprocessors)?;
    let output = Path::new(&place("OUT_DIR")?).join("table.rs");
    fs::write(&output, emit::rust(&model, &registers, &multiprocessors))
        .map_err(|error| format!("{}: {error}", output.display()))
}

/// What a parser makes of a file in the folder of the crate.
fn parsed<T>(
    root: &str,
    name: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<T, String> {
    let text = fs::read_to_string(Path::new(root).join(name)).map_err(|error| error.to_string());
    let parsed = text.and_then(|text| parse(&text));
    parsed.map_err(|error| format!("{name}: {error}"))
}

/// The stems and contents of the files, by name.
fn read(folder: &Path) -> std::io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        if let Some(stem) = stem.filter(|_| path.extension().is_some_and(|ends| ends == "toml")) {
            files.push((stem.to_owned(), fs::read_to_string(&path)?));
        }
    }
    files.sort();
    Ok(files)
}
