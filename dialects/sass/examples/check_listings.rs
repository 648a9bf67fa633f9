//! Compares listings with decoded JSON beside them: `check_listings a.sass b.sass …`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut report = common::Report::default();
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("{path}: cannot be read");
            return ExitCode::FAILURE;
        };
        let Some(program) = common::read(&path, &text, &mut report) else {
            continue;
        };
        let json = std::fs::read_to_string(path.replace(".sass", ".json")).unwrap_or_default();
        match serde_json::from_str(&json) {
            Ok(json) => common::compare(&path, &program, &json, &mut report),
            Err(error) => eprintln!("{path}: no JSON beside it: {error}"),
        }
    }
    println!(
        "{} instructions, {} blocks",
        report.instructions, report.blocks
    );
    for (kind, found) in &report.differences {
        println!("{kind}: {}", found.len());
        for text in found.iter().take(12) {
            println!("  {text}");
        }
    }
    ExitCode::from(u8::from(!report.differences.is_empty()))
}
