//! Writes the pattern rules of `ori-general-optimize` as a static table.

#[allow(dead_code, missing_docs)]
#[path = "src/ori/general_optimize/rule_text.rs"]
mod rule_text;

use std::path::Path;
use std::{env, fs, process};

const RULES: &str = "src/ori/general_optimize/rules.toml";

fn main() {
    println!("cargo::rerun-if-changed={RULES}");
    println!("cargo::rerun-if-changed=src/ori/general_optimize/rule_text.rs");
    if let Err(message) = run() {
        println!("cargo::error={RULES}: {message}");
        process::exit(1);
    }
}

fn run() -> Result<(), String> {
    let place = |name: &str| env::var(name).map_err(|error| format!("{name}: {error}"));
    let input = Path::new(&place("CARGO_MANIFEST_DIR")?).join(RULES);
    let text = fs::read_to_string(input).map_err(|error| error.to_string())?;
    let rows = rule_text::parse(&text)?.into_iter().map(|rule| {
        format!(
            "    Row {{ name: {:?}, lhs: {:?}, rhs: {:?}, when: &{:?}, words: &{:?}, contracts: {} }},\n",
            rule.name, rule.lhs, rule.rhs, rule.when, rule.words, rule.contracts
        )
    });
    let table = format!("static ROWS: &[Row] = &[\n{}];\n", rows.collect::<String>());
    let output = Path::new(&place("OUT_DIR")?).join("rules.rs");
    fs::write(&output, table).map_err(|error| format!("{}: {error}", output.display()))
}
