//! Tests of [`super`]: each edit of a function, and what it leaves alone.

use orison_ir::{Context, Operation, PrintFlags, Source, parse_source, print_to_string};

use super::super::convert;
use super::*;
use crate::control::{BarrierSet, ReuseSet, Stall};
use crate::instruction::Mnemonic;

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
fn edited(change: impl FnOnce(&mut Function)) -> (Vec<String>, bool) {
    let mut context = Context::new();
    let op = parsed(&mut context, CODE);
    let before = convert::function(&context, op).expect("a function");
    let mut after = before.clone();
    change(&mut after);
    let changed = write_changes(&mut context, op, &before, &after);
    assert!(context.verify(op).is_ok(), "{:?}", context.diagnostics);
    let again = convert::function(&context, op).expect("a function");
    let code = |function: &Function| -> Vec<String> {
        let instructions = function.instructions();
        instructions
            .map(|found| format!("{found} {}", found.control))
            .collect()
    };
    assert_eq!(code(&again), code(&after));
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

#[test]
fn removed_instructions_are_erased() {
    let (found, changed) = edited(|function| {
        for (block, index) in [(0, 2), (0, 0), (1, 0)] {
            function.blocks[block].instructions.remove(index);
            function.blocks[block].origins.remove(index);
        }
    });
    assert!(changed);
    let mut wanted = unchanged();
    for line in [7, 4, 2] {
        wanted.remove(line);
    }
    assert_eq!(found, wanted);
}

#[test]
fn moved_instructions_keep_location_and_attributes() {
    // The first one moves behind the second, the third to the next block, whose first moves here;
    // notes stay at the start, and ends at the end.
    let (found, changed) = edited(|function| {
        let [first, second] = &mut function.blocks[..] else {
            panic!("two blocks");
        };
        first.instructions.swap(0, 1);
        first.origins.swap(0, 1);
        std::mem::swap(&mut first.instructions[2], &mut second.instructions[0]);
        std::mem::swap(&mut first.origins[2], &mut second.origins[0]);
    });
    assert!(changed);
    let mut wanted = unchanged();
    wanted.swap(2, 3);
    wanted.swap(4, 7);
    assert_eq!(found, wanted);
}

#[test]
fn control_words_are_reset_without_reading_instructions() {
    let text = r#"
sass.func @k target "sm_90a" {
  sass.fadd "FADD R0, |R1|.reuse, R2" <stall = 4, wr = 2, reuse = [a]> {note = 1 : i32} loc("a.cu":1:1)
  sass.nop "NOP" <stall = 1> loc("a.cu":2:1)
  sass.call "CALL.REL.NOINC `(f.reuse)" <stall = 15, yield, wait = [0]> [^bb1] loc("a.cu":3:1)
^bb1:
  sass.exit "EXIT" <stall = 5> loc("a.cu":4:1)
} loc("a.cu":9:1)
"#;
    let mut context = Context::new();
    let op = parsed(&mut context, text);
    assert!(reset_control_words(&mut context, op));
    let plain = lines(&context, op);
    let wanted = [
        r#"sass.func @k target "sm_90a" {"#,
        r#"sass.fadd "FADD R0, |R1|, R2" <stall = 1> {note = 1 : i32} loc("a.cu":1:1)"#,
        r#"sass.nop "NOP" <stall = 1> loc("a.cu":2:1)"#,
        r#"sass.call "CALL.REL.NOINC `(f.reuse)" <stall = 1> [^bb1] loc("a.cu":3:1)"#,
    ];
    assert_eq!(plain[..4], wanted);
    assert!(context.verify(op).is_ok());
    assert!(!reset_control_words(&mut context, op));
    assert_eq!(lines(&context, op), plain);
}
