//! Any text: read as a listing of nvdisasm, or rejected with an error; what is read prints as a listing
//! and as a module that are read as the same.
#![no_main]

#[allow(dead_code)]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::listing(bytes));
