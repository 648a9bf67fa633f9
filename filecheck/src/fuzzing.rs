//! Replaying fuzzer inputs; shared by the fuzz target and the tests.

use crate::options::{DumpInput, Options};
use crate::run::run;

/// Runs the checks in `data` on the input in it: a byte of flags, a check file, a NUL, and a text.
///
/// # Panics
/// If two runs differ. Nothing else may panic; finding that out is what this is for.
pub fn replay(data: &[u8]) {
    let Some((&flags, rest)) = data.split_first() else {
        return;
    };
    let split = memchr::memchr(0, rest).unwrap_or(rest.len());
    let (checks, input) = (&rest[..split], rest.get(split + 1..).unwrap_or(&[]));
    let flag = |bit: u8| flags & (1 << bit) != 0;
    let options = Options {
        strict_whitespace: flag(0),
        match_full_lines: flag(1),
        ignore_case: flag(2),
        enable_var_scope: flag(3),
        lenient: flag(4),
        allow_deprecated_dag_overlap: flag(5),
        verbose: if flag(6) { 2 } else { 0 },
        dump_input: if flag(7) {
            DumpInput::Never
        } else {
            DumpInput::Always
        },
        allow_empty: true,
        ..Options::default()
    };
    let once = || run(checks, || Ok(input.to_vec()), &options);
    let (first, second) = (once(), once());
    assert_eq!(first.status, second.status, "two runs differ");
    assert_eq!(first.output, second.output, "two runs print differently");
}

/// Reads `data` as lit reads a test, a `lit.toml` and the shell's patterns, without running anything.
///
/// # Panics
/// If two readings differ. Nothing else may panic, or take more than time in proportion.
pub fn replay_lit(data: &[u8]) {
    let first = crate::lit::read_for_fuzzing(data);
    assert_eq!(
        first,
        crate::lit::read_for_fuzzing(data),
        "two readings differ"
    );
}
