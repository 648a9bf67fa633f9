//! Any bytes that are valid bytecode: written, they are read as the same IR.
#![no_main]

#[allow(dead_code)]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::bytecode_round_trip(bytes));
