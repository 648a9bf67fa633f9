//! No test file and no `lit.toml` may make lit panic, hang or read them differently the second time.

#![no_main]

use libfuzzer_sys::fuzz_target;
use orison_filecheck::fuzzing::replay_lit;

fuzz_target!(|data: &[u8]| replay_lit(data));
