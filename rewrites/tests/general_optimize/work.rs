//! The work of the pass is bounded per operation, for all kinds and numbers of operations.

use std::fmt::Write as _;

use orison_ir::pass::PassManager;

use crate::programs::{read, run_passes, with};
use crate::random::Random;

/// The shapes of functions: operations on values defined in the function, `{a}`, `{b}` and `{c}`.
const SHAPES: [(&str, &[&str]); 7] = [
    (
        "xor",
        &["ori.lop3 <lut = 60> {a}, {b}, {z} : (R, R, R) -> R"],
    ),
    (
        "bits",
        &[
            "ori.lop3 <lut = 192> {a}, {b}, {z} : (R, R, R) -> R",
            "ori.lop3 <lut = 252> {a}, {b}, {z} : (R, R, R) -> R",
            "ori.lop3 <lut = 150> {a}, {b}, {c} : (R, R, R) -> R",
        ],
    ),
    ("sums", &["ori.iadd3 {a}, {b}, {z} : (R, R, R) -> R"]),
    (
        "differences",
        &[
            "ori.iadd3 {a}, neg {b}, {c} : (R, R, R) -> R",
            "ori.lea <shift = 3> {a}, {b}, {z} : (R, R, R) -> R",
        ],
    ),
    (
        "products",
        &[
            "ori.imad {a}, {b}, {z} : (R, R, R) -> R",
            "ori.imad {a}, {b}, {c} : (R, R, R) -> R",
        ],
    ),
    (
        "choices",
        &[
            "ori.sel {a}, {b}, %p : (R, R, !ori.p) -> R",
            "ori.vimnmx <s32> {a}, {b}, %t : (R, R, !ori.p) -> R",
        ],
    ),
    (
        "bytes",
        &[
            "ori.shf <left, u32> {a}, %eight, {z} : (R, R, R) -> R",
            "ori.lop3 <lut = 252> {a}, {b}, {z} : (R, R, R) -> R",
            "ori.lop3 <lut = 192> {a}, %mask, {z} : (R, R, R) -> R",
            "ori.prmt <idx> {a}, %eight, {b} : (R, R, R) -> R",
        ],
    ),
];

/// A function of `count` operations. Operands are among the last `near` results, so that parts are
/// shared; with 1, they are the previous result and one of twelve arguments, which forms a chain.
fn function(operations: &[&str], count: usize, near: usize, random: &mut Random) -> String {
    let arguments: Vec<String> = (0..12).map(|number| format!("%a{number}: R")).collect();
    let mut text = format!(
        "ori.func @f({}, %p: !ori.p) -> R target \"sm_90a\" {{\n  %z = ori.imm 0 : R\n  \
         %eight = ori.imm 8 : R\n  %mask = ori.imm 65280 : R\n  %t = ori.imm 1 : !ori.p\n",
        arguments.join(", ")
    );
    let mut values: Vec<String> = (0..12).map(|number| format!("%a{number}")).collect();
    for number in 0..count {
        let recent = values.len() - near.min(values.len());
        let made = values[recent + random.below(values.len() - recent)].clone();
        let others = if near == 1 { 12 } else { near };
        let first = if near == 1 { 0 } else { recent };
        let [b, c] = [0, 1].map(|_| values[first + random.below(others)].clone());
        let operation = operations[random.below(operations.len())];
        let operation = operation
            .replace("{a}", &made)
            .replace("{b}", &b)
            .replace("{c}", &c)
            .replace("{z}", "%z");
        writeln!(text, "  %v{number} = {operation}").unwrap();
        values.push(format!("%v{number}"));
    }
    writeln!(text, "  ori.ret %v{} : R\n}}", count - 1).unwrap();
    text.replace("R)", "!ori.r)")
        .replace("R,", "!ori.r,")
        .replace("-> R", "-> !ori.r")
        .replace(": R", ": !ori.r")
}

/// The units of work of the pass on a function.
fn work(text: &str, options: &str) -> u64 {
    let (mut context, module) = read(text);
    let mut manager = PassManager::default();
    run_passes(&mut manager, &mut context, module, &with(options));
    manager.statistics().get(0, "work")
}

const UNBOUNDED: &str = "work=1000000000";

/// Without a work limit, the other limits hold: the work grows linearly with the operations,
/// averaged over many windows, and is bounded for each operation, for all shapes.
#[test]
fn the_work_of_any_shape_grows_as_its_length() {
    for (name, operations) in SHAPES {
        for near in [1, 12] {
            let each = |count: usize| {
                let mut random = Random(7);
                let text = function(operations, count, near, &mut random);
                work(&text, UNBOUNDED) / count as u64
            };
            let (short, long) = (each(512), each(2048));
            assert!(
                long <= short * 3 / 2 + 100,
                "{name}, {near}: {short}, {long}"
            );
        }
    }
}

/// The work limit holds for the whole pass, except for the current step of a window.
#[test]
fn no_shape_takes_more_work_than_the_bound() {
    for (name, operations) in SHAPES {
        for (near, share) in [(1, 20), (12, 20), (12, 200)] {
            let count = 1_000;
            let mut random = Random(3);
            let text = function(operations, count, near, &mut random);
            let done = work(&text, &format!("work={share}"));
            let most = share * count as u64 * 2 + 100_000;
            assert!(done <= most, "{name}, {near}, {share}: {done}");
        }
    }
}
