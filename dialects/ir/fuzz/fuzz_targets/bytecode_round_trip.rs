//! Reads arbitrary bytes as bytecode; valid bytecode must survive a round trip.
#![no_main]

#[allow(dead_code)]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::bytecode_round_trip(bytes));
