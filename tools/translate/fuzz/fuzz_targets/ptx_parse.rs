//! Any input: parsed without a panic; a parsed tree prints as text that parses to the same tree.
#![no_main]

#[allow(dead_code)]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::parse(bytes));
