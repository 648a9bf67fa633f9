//! Reads programs, one JSON object `{"ptx", "flags"}` a line, and tells what `ori-gmma` reports of
//! each, as JSON: `{"codes": [[code, message]], "arrives", "waits", "products"}`, or `{"error"}`. The
//! numbers are those behind real unrolling.
//! `tools/compare-gmma` compares this with ptxas.

#[path = "../tests/gmma/reports.rs"]
mod reports;

use std::io::{self, BufRead as _, Write as _};

use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Program {
    ptx: String,
    flags: Vec<String>,
}

fn main() -> io::Result<()> {
    let registry = reports::registry();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let program: Program = serde_json::from_str(&line?)?;
        let flags = reports::Flags::of(&program.flags);
        let told = reports::report(&registry, &program.ptx, flags, "");
        let unrolled = reports::report(&registry, &program.ptx, flags, reports::UNROLLING);
        let both = told.and_then(|told| {
            let codes = told.codes;
            unrolled.map(|unrolled| reports::Report { codes, ..unrolled })
        });
        match both {
            Ok(report) => writeln!(out, "{}", serde_json::to_string(&report)?)?,
            Err(error) => writeln!(out, "{}", json!({ "error": error }))?,
        }
    }
    Ok(())
}
