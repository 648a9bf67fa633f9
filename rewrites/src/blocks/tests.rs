//! Blocks that are merged, and the values that the branches to them pass afterwards.

use orison_ir::pass::IRStatus;
use orison_ir::{Context, Operation, PrintFlags, Region, Source, parse_source, print_to_string};

use super::{drop_redundant_arguments, merge_identical};

fn changed(text: &str, change: fn(&mut Context, Region) -> IRStatus) -> (IRStatus, String) {
    let mut context = Context::new();
    orison_host::register(&mut context);
    context.allow_unregistered_dialects(true);
    let source = Source {
        name: "t.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the text is well-formed");
    assert!(context.verify(module).is_ok(), "the program is valid");
    let body = module.body_block(&context, 0);
    let func: Operation = body
        .and_then(|body| body.first_op(&context))
        .expect("a function");
    let region = func.region(&context, 0);
    let status = change(&mut context, region);
    assert!(context.verify(module).is_ok(), "it is valid after it");
    (
        status,
        print_to_string(&context, func, &PrintFlags::default()),
    )
}

#[track_caller]
fn check(change: fn(&mut Context, Region) -> IRStatus, before: &str, after: &str) {
    let (status, found) = changed(before, change);
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| {
            let line = line.split("  //").next().unwrap_or_default();
            line.trim().to_owned()
        });
        lines.filter(|line| !line.is_empty()).collect()
    };
    assert_eq!(lines(&found), lines(after), "\n{found}");
    let same = lines(&changed(before, |_, _| IRStatus::Unchanged).1) == lines(after);
    assert_eq!(status.is_changed(), !same);
}

#[test]
fn a_one_block_loop_that_passes_itself_another_value_than_its_twin_keeps_both() {
    // The leader branches to itself with %u, its twin branches to the leader with %v. Merged, the
    // block gets what it is to pass: the first time what the block entered would have passed, and
    // from then on what the leader passes.
    check(
        merge_identical,
        "func.func @f(%c: i1, %x: i32, %y: i32, %u: i32, %v: i32) -> i32 {
           cf.cond_br %c, ^leader(%x : i32), ^twin(%y : i32)
         ^leader(%p: i32):
           %more = arith.cmpi slt, %p, %x : i32
           cf.cond_br %more, ^leader(%u : i32), ^exit(%p : i32)
         ^twin(%q: i32):
           %again = arith.cmpi slt, %q, %x : i32
           cf.cond_br %again, ^leader(%v : i32), ^exit(%q : i32)
         ^exit(%r: i32):
           return %r : i32
         }",
        "func.func @f(%arg0: i1, %arg1: i32, %arg2: i32, %arg3: i32, %arg4: i32) -> i32 {
           cf.cond_br %arg0, ^bb1(%arg1, %arg3 : i32, i32), ^bb1(%arg2, %arg4 : i32, i32)
         ^bb1(%0: i32, %1: i32):
           %2 = arith.cmpi slt, %0, %arg1 : i32
           cf.cond_br %2, ^bb1(%1, %arg3 : i32, i32), ^bb2(%0 : i32)
         ^bb2(%3: i32):
           return %3 : i32
         }",
    );
}

#[test]
fn a_twin_before_the_loop_takes_the_place_of_the_loop() {
    // Here the leader is the block that is left once, and its twin is the loop.
    check(
        merge_identical,
        "func.func @f(%c: i1, %x: i32, %u: i32, %v: i32) -> i32 {
           cf.br ^once(%x : i32)
         ^once(%q: i32):
           %again = arith.cmpi slt, %q, %x : i32
           cf.cond_br %again, ^loop(%v : i32), ^exit(%q : i32)
         ^loop(%p: i32):
           %more = arith.cmpi slt, %p, %x : i32
           cf.cond_br %more, ^loop(%u : i32), ^exit(%p : i32)
         ^exit(%r: i32):
           return %r : i32
         }",
        "func.func @f(%arg0: i1, %arg1: i32, %arg2: i32, %arg3: i32) -> i32 {
           cf.br ^bb1(%arg1, %arg3 : i32, i32)
         ^bb1(%0: i32, %1: i32):
           %2 = arith.cmpi slt, %0, %arg1 : i32
           cf.cond_br %2, ^bb1(%1, %arg2 : i32, i32), ^bb2(%0 : i32)
         ^bb2(%3: i32):
           return %3 : i32
         }",
    );
}

#[test]
fn a_block_with_a_new_argument_is_unlike_the_next_one_until_the_next_time() {
    check(
        merge_identical,
        "func.func @f(%f: i32, %x: i32, %y: i32, %z: i32) -> i32 {
           cf.switch %f : i32, [default: ^a, 1: ^b, 2: ^c]
         ^a:
           return %x : i32
         ^b:
           return %y : i32
         ^c:
           return %z : i32
         }",
        "func.func @f(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32) -> i32 {
           cf.switch %arg0 : i32, [
             default: ^bb1(%arg1 : i32),
             1: ^bb1(%arg2 : i32),
             2: ^bb2
           ]
         ^bb1(%0: i32):
           return %0 : i32
         ^bb2:
           return %arg3 : i32
         }",
    );
}

#[test]
fn blocks_that_use_their_values_in_another_order_stay_apart() {
    let text = "func.func @f(%arg0: i1, %arg1: i32) -> i32 {
           cf.cond_br %arg0, ^bb1(%arg1, %arg1 : i32, i32), ^bb2(%arg1, %arg1 : i32, i32)
         ^bb1(%0: i32, %1: i32):
           %2 = arith.subi %0, %1 : i32
           return %2 : i32
         ^bb2(%3: i32, %4: i32):
           %5 = arith.subi %4, %3 : i32
           return %5 : i32
         }";
    check(merge_identical, text, text);
}

#[test]
fn blocks_whose_values_are_used_elsewhere_stay_apart() {
    // Both blocks end like each other, with a branch of which nothing is passed. What %0 is used for
    // decides: in the block only, or in the one behind it too.
    let with = |other: &str| {
        format!(
            "func.func @f(%arg0: i1, %arg1: i32) -> i32 {{
               cf.cond_br %arg0, ^bb1, ^bb2
             ^bb1:
               %0 = arith.addi %arg1, %arg1 : i32
               \"d.op\"(%0) : (i32) -> ()
               \"d.end\"() : () -> ()
             ^bb2:
               %1 = arith.addi %arg1, %arg1 : i32
               \"d.op\"(%1) : (i32) -> ()
               \"d.end\"() : () -> ()
             ^bb3:
               \"d.use\"({other}) : (i32) -> ()
               \"d.end\"() : () -> ()
             }}"
        )
    };
    assert!(changed(&with("%arg1"), merge_identical).0.is_changed());
    assert!(!changed(&with("%0"), merge_identical).0.is_changed());
    assert!(!changed(&with("%1"), merge_identical).0.is_changed());
}

#[test]
fn an_argument_that_is_passed_itself_or_one_value_is_that_value() {
    check(
        drop_redundant_arguments,
        "func.func @f(%c: i1, %x: i32) -> i32 {
           cf.br ^loop(%x, %x : i32, i32)
         ^loop(%same: i32, %other: i32):
           %next = arith.addi %same, %other : i32
           cf.cond_br %c, ^loop(%same, %next : i32, i32), ^exit(%same : i32)
         ^exit(%r: i32):
           return %r : i32
         }",
        "func.func @f(%arg0: i1, %arg1: i32) -> i32 {
           cf.br ^bb1(%arg1 : i32)
         ^bb1(%0: i32):
           %1 = arith.addi %arg1, %0 : i32
           cf.cond_br %arg0, ^bb1(%1 : i32), ^bb2
         ^bb2:
           return %arg1 : i32
         }",
    );
}

#[test]
fn an_argument_with_two_values_stays_wherever_they_come_from() {
    let text = "func.func @f(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
           cf.cond_br %arg0, ^bb1(%arg1 : i32), ^bb1(%arg2 : i32)
         ^bb1(%0: i32):
           return %0 : i32
         }";
    check(drop_redundant_arguments, text, text);
}
