//! No check file and no input may make a run panic, hang or answer differently the second time.

#![no_main]

use libfuzzer_sys::fuzz_target;
use orison_filecheck::fuzzing::replay;

fuzz_target!(|data: &[u8]| replay(data));
