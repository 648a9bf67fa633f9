//! Any bytes: parsed without a panic; what is parsed prints as text that reads as the same tree.
#![no_main]

#[allow(dead_code)]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::parse(bytes));
