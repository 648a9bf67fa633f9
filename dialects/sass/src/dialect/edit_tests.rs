//! Tests of [`super`]: each edit of a function, and what it leaves alone.

use orison_ir::{Context, Operation, PrintFlags, Source, parse_source, print_to_string, walk};

use super::*;
use crate::control::{BarrierSet, ReuseSet, Stall};
use crate::instruction::{Instruction, Mnemonic, parse_operand};

const CODE: &str = r#"
sass.func @k target "sm_90a" {
  sass.notes ["k:"]
  sass.fadd "FADD R0, R1.reuse, R2" <stall = 4, reuse = [a]> {note = "first"} loc("a.cu":1:1)
  sass.mov "MOV R3, R1" <stall = 2, wr = 1> loc("second"("a.cu":2:1))
  sass.nop "NOP" <stall = 1> loc(fused["a.cu":3:1, "b.cu":3:1])
  sass.fall_through ^bb1 loc("a.cu":4:1)
^bb1:
  sass.mov "MOV R5, R6" <stall = 3> {note = "fifth"} loc(callsite("f.cu":5:1 at "a.cu":5:1))
  sass.exit "EXIT" <stall = 5> loc("a.cu":6:1)
} loc("a.cu":9:1)
"#;

fn parsed(context: &mut Context, text: &str) -> Operation {
    orison_host::register(context);
    crate::register(context);
    let source = Source {
        name: "k.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(context, source).expect("a module");
    let body = module.body_block(context, 0).expect("a body");
    body.first_op(context).expect("a function")
}

/// The lines of a function with locations, after a change of it, which must be valid.
fn edited(change: impl FnOnce(&mut Function<'_>)) -> (Vec<String>, bool) {
    let mut context = Context::new();
    let op = parsed(&mut context, CODE);
    let mut function = Function::of_operation(&context, op).expect("a function");
    change(&mut function);
    let code = |function: &Function<'_>| -> Vec<String> {
        let instructions = function.instructions();
        instructions
            .map(|found| format!("{found} {}", found.control))
            .collect()
    };
    let wanted = code(&function);
    let mut edits = Edits::default();
    edits.add(&context, &function);
    let changed = edits.apply(&mut context);
    assert!(context.verify(op).is_ok(), "{:?}", context.diagnostics);
    let again = Function::of_operation(&context, op).expect("a function");
    assert_eq!(code(&again), wanted);
    (lines(&context, op), changed)
}

fn lines(context: &Context, op: Operation) -> Vec<String> {
    let flags = PrintFlags {
        debug_info: true,
        local_scope: true,
        ..PrintFlags::default()
    };
    let text = print_to_string(context, op, &flags);
    text.lines().map(|line| line.trim().to_owned()).collect()
}

/// The lines of the function that is not changed.
fn unchanged() -> Vec<String> {
    let (lines, changed) = edited(|_| {});
    assert!(!changed);
    lines
}

#[test]
fn a_control_word_is_set_and_nothing_else() {
    let (found, changed) = edited(|function| {
        let word = &mut function.blocks[1].instructions[0].control;
        word.stall = Stall::at_most(7);
        word.wait = BarrierSet::from_mask(0b100).expect("a mask");
    });
    assert!(changed);
    let mut wanted = unchanged();
    let line = &mut wanted[7];
    assert_eq!(
        line,
        r#"sass.mov "MOV R5, R6" <stall = 3> {note = "fifth"} loc(callsite("f.cu":5:1 at "a.cu":5:1))"#
    );
    *line = line.replace("<stall = 3>", "<stall = 7, wait = [2]>");
    assert_eq!(found, wanted);
}

#[test]
fn a_changed_instruction_keeps_location_and_attributes() {
    let (found, changed) = edited(|function| {
        let first = &mut function.blocks[0].instructions[0];
        first.mnemonic = Mnemonic::new("FADD.FTZ");
        first.control.reuse = ReuseSet::EMPTY;
        first.operands[1] = parse_operand("-R1").expect("an operand");
    });
    assert!(changed);
    let mut wanted = unchanged();
    wanted[2] = r#"sass.fadd "FADD.FTZ R0, -R1, R2" <stall = 4> {note = "first"} loc("a.cu":1:1)"#
        .to_owned();
    assert_eq!(found, wanted);
}

#[test]
fn a_new_instruction_has_the_location_of_the_next_operation() {
    let (found, changed) = edited(|function| {
        // Before an instruction, before that, and before the end of a block.
        function.blocks[1].insert(1, Instruction::new("NOP"));
        function.blocks[1].insert(1, Instruction::new("YIELD"));
        function.blocks[0].insert(3, Instruction::new("NOP"));
    });
    assert!(changed);
    let mut wanted = unchanged();
    wanted.insert(
        8,
        r#"sass.nop "NOP" <stall = 1> loc("a.cu":6:1)"#.to_owned(),
    );
    wanted.insert(
        8,
        r#"sass.yield "YIELD" <stall = 1> loc("a.cu":6:1)"#.to_owned(),
    );
    wanted.insert(
        5,
        r#"sass.nop "NOP" <stall = 1> loc("a.cu":4:1)"#.to_owned(),
    );
    assert_eq!(found, wanted);
}

/// An operation is moved as it is; nothing else is.
#[test]
fn a_moved_instruction_keeps_location_and_attributes() {
    let (found, changed) = edited(|function| {
        // To the front, past two others, and from another block.
        function.blocks[0].instructions.rotate_right(1);
        let other = function.blocks[1].instructions.remove(0);
        function.blocks[0].instructions.insert(1, other);
    });
    assert!(changed);
    let mut wanted = unchanged();
    let moved = wanted.remove(7);
    assert!(
        moved.starts_with(r#"sass.mov "MOV R5, R6" <stall = 3> {note = "fifth"} loc(callsite"#)
    );
    wanted[2..5].rotate_right(1);
    assert!(wanted[2].starts_with(r#"sass.nop "NOP" <stall = 1> loc(fused"#));
    wanted.insert(3, moved);
    assert_eq!(found, wanted);
}

/// Every order of the instructions of a block, with a new one at each place of it.
#[test]
fn every_order_is_made() {
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        for place in 0..=3 {
            let (_, changed) = edited(|function| {
                let block = &mut function.blocks[0];
                let before = block.instructions.clone();
                block.instructions = order.map(|number| before[number].clone()).into();
                block.insert(place, Instruction::new("YIELD"));
            });
            assert!(changed);
        }
    }
}

#[test]
fn a_removed_instruction_is_erased_and_nothing_else() {
    let (found, changed) = edited(|function| {
        function.blocks[0].instructions.remove(0);
        function.blocks[1].instructions.remove(0);
    });
    assert!(changed);
    let mut wanted = unchanged();
    wanted.remove(7);
    wanted.remove(2);
    assert_eq!(found, wanted);
}

/// A block of which nothing is left still has its notes and its end.
#[test]
fn a_block_may_lose_all_instructions() {
    let (found, changed) = edited(|function| function.blocks[0].instructions.clear());
    assert!(changed);
    let mut wanted = unchanged();
    wanted.drain(2..5);
    assert_eq!(found, wanted);
}

#[test]
fn an_instruction_is_changed_without_its_function() {
    let mut context = Context::new();
    let op = parsed(&mut context, CODE);
    let before = lines(&context, op);
    let mut edits = Edits::default();
    for op in walk::collect(&context, op) {
        if let Some(mut found) = Scheduled::find(&context, op) {
            found.control.stall = Stall::at_most(4);
            edits.change(&context, op, &found);
        }
    }
    // One of the five has this stall.
    assert_eq!(edits.words.len(), 4);
    assert!(edits.apply(&mut context));
    let stalls = |line: &String| {
        ["1", "2", "3", "5"]
            .iter()
            .fold(line.clone(), |line, cycles| {
                line.replace(&format!("stall = {cycles}"), "stall = 4")
            })
    };
    let wanted: Vec<String> = before.iter().map(stalls).collect();
    assert_eq!(lines(&context, op), wanted);
}

#[test]
fn an_instruction_after_the_end_of_a_block_is_left_out() {
    let mut context = Context::new();
    let op = parsed(&mut context, CODE);
    let mut function = Function::of_operation(&context, op).expect("a function");
    function.blocks[1].insert(2, Instruction::new("NOP"));
    let mut edits = Edits::default();
    edits.add(&context, &function);
    assert!(!edits.apply(&mut context));
}

#[test]
fn marks_that_are_equal_change_nothing() {
    let (_, changed) = edited(|function| {
        for instruction in function.instructions_mut() {
            let marked = !instruction.control.reuse.is_empty();
            instruction.mark_reuse(|operand| marked && operand == 1);
        }
    });
    assert!(!changed);
    let (found, changed) = edited(|function| {
        for instruction in function.instructions_mut() {
            instruction.control.reuse = ReuseSet::EMPTY;
            instruction.mark_reuse(|_| false);
        }
    });
    assert!(changed);
    let mut wanted = unchanged();
    wanted[2] =
        r#"sass.fadd "FADD R0, R1, R2" <stall = 4> {note = "first"} loc("a.cu":1:1)"#.to_owned();
    assert_eq!(found, wanted);
}
