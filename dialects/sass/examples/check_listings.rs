//! Compares listings with decoded JSON of the same name:
//! `check_listings [--all] a.sass b.sass …`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut report = common::Report::default();
    let mut limit = 12;
    for path in std::env::args().skip(1) {
        if path == "--all" {
            limit = usize::MAX;
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("{path}: cannot be read");
            return ExitCode::FAILURE;
        };
        let Some(functions) = common::read(&path, &text, &mut report) else {
            continue;
        };
        let json = std::fs::read_to_string(path.replace(".sass", ".json")).unwrap_or_default();
        match serde_json::from_str(&json) {
            Ok(json) => common::compare(&path, &functions, &json, &mut report),
            Err(error) => eprintln!("{path}: no JSON beside it: {error}"),
        }
    }
    println!(
        "{} instructions ({} of functions without lists of registers), {} blocks, {} registers",
        report.instructions, report.unlisted, report.blocks, report.register_uses
    );
    for (kind, found) in &report.differences {
        println!("{kind}: {}", found.len());
        for text in found.iter().take(limit) {
            println!("  {text}");
        }
    }
    ExitCode::from(u8::from(report.unexplained() > 0))
}
