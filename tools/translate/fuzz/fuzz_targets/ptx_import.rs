//! PTX that parses: imported as valid IR that is read again as the same, or refused with an error.
#![no_main]

#[allow(dead_code)]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::import(bytes));
