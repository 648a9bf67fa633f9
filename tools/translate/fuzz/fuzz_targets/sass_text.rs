//! Any text: read as a module of `sass`, or rejected with an error; what is read survives printing.
#![no_main]

#[allow(dead_code)]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::sass_text(bytes));
