//! Parses arbitrary bytes; valid text must survive printing and parsing unchanged.
#![no_main]

#[allow(dead_code)]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::round_trip(bytes));
