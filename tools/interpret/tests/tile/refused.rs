//! Programs that the verifier accepts and a run refuses, one for each message that no other test has.

use orison_interpret::tile::kernel::Argument;

use crate::operations::{function, wrong};

/// The first line of a program is its error.
#[test]
fn programs_without_semantics_are_refused() {
    for program in include_str!("refused.mlir").split("// -----\n") {
        let program = program.trim_start();
        let (first, text) = program.split_once('\n').expect("lines");
        let expected = first.strip_prefix("// ").expect("a comment");
        let signature = text.lines().next().expect("a function");
        let found = wrong(text, &vec![None; signature.matches('%').count()]);
        assert!(found.ends_with(expected), "{expected}: {found}\n{text}");
    }
}

/// Arguments that do not fit their types.
#[test]
fn arguments_are_refused() {
    let memory = "%X: !nv_tileaa.memref<?x4xf32>";
    let large = vec![1 << 40, 4];
    for (signature, argument, expected) in [
        (
            memory,
            Argument::Number(1),
            "argument 0: expected the extents of memory",
        ),
        (
            memory,
            Argument::Random(vec![4, 8]),
            "argument 0: memory of extents [4, 8] does not match the type",
        ),
        (
            memory,
            Argument::Random(large),
            "argument 0: memory of extents [1099511627776, 4] is too large",
        ),
        (
            "%n: i32",
            Argument::Random(vec![4]),
            "argument 0: expected a number",
        ),
    ] {
        let found = wrong(&function(signature, ""), &[Some(argument)]);
        assert_eq!(found, expected);
    }
}
