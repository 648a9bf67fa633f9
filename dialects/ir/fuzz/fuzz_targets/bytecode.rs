//! Reads arbitrary bytes as bytecode; must not panic.
#![no_main]

#[allow(dead_code)]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::bytecode(bytes));
