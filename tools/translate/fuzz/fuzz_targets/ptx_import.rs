//! PTX that parses: imported as valid IR that parses to the same IR, or rejected with an error.
#![no_main]

#[allow(dead_code)]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::import(bytes));
