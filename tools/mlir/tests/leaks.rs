//! Memory is given back. One test a file, because others would change what is measured.

mod common;

use std::fs;

use common::context;
use melior::ir::Module;

/// The memory of this process, in kilobytes.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS"));
    let line = line.expect("the kernel says it");
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

#[test]
fn a_thousand_runs_take_no_more_memory_than_a_hundred() {
    let context = context();
    let mut text = String::new();
    for number in 0..200 {
        text.push_str(&format!(
            "func.func @f{number}(%a: i32) -> i32 {{ %c = arith.constant {number} : i32 \
             %s = arith.addi %a, %c : i32 func.return %s : i32 }}\n"
        ));
    }
    let mut live = Module::parse(&context, &text).expect("MLIR reads it");
    let run = |live: &mut Module<'_>, times: usize| {
        for _ in 0..times {
            orison_mlir::run_pipeline(live, "builtin.module(canonicalize)").expect("it succeeds");
        }
    };
    run(&mut live, 100);
    let before = resident();
    run(&mut live, 1_000);
    let grown = resident().saturating_sub(before);
    // A single leaked copy of the module in each run would be 200 MB.
    assert!(grown < 4_096, "{grown} kB more");
}
