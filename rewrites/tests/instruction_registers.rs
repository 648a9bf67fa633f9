//! The registers that written instructions read and write, as `sass` finds them, are those of the
//! operands and results of their operations.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_ir::walk::collect;
use orison_ir::{Context, Operation, Value};
use orison_ori::operations::OPERATIONS;
use orison_ori::{Physical, Register};
use orison_rewrites::convert_ori_to_sass::instructions;
use orison_rewrites::ori::instruction_forms::Source;
use orison_sass::effects::effects;
use orison_sass::instruction::{Instruction, parse};
use orison_sass::registers::{Register as Place, RegisterFile};
use orison_translate::import::{import, register_dialects};
use orison_translate::ptx;

/// Operations that read or write other registers than their operands and results say: products of
/// warp groups and boxes have parts in consecutive registers, checked by their own tests; waits
/// complete registers without naming them; and the stack pointer is no operand.
const OTHERS: [&str; 12] = [
    "ori.wgmma.mma",
    "ori.wgmma.wait",
    "ori.tcgen05.wait_ld",
    "ori.utmaldg",
    "ori.utmastg",
    "ori.utmaredg",
    "ori.utmapf",
    "ori.ublkcp",
    "ori.slot_address",
    "ori.alloca",
    "ori.stack_save",
    "ori.stack_restore",
];

type Registers = BTreeSet<(RegisterFile, u8)>;

/// The words of a value that is in registers.
fn words(context: &Context, value: Value) -> Registers {
    let Some(place) = Physical::of(context, value.ty(context)) else {
        return Registers::new();
    };
    let file = match place.register {
        Register::Ur | Register::Ur64 => RegisterFile::Uniform,
        Register::P => RegisterFile::Predicate,
        Register::Up => RegisterFile::UniformPredicate,
        Register::B => RegisterFile::Convergence,
        _ => RegisterFile::General,
    };
    let count = place.register.words().unwrap_or(1);
    let count = u8::try_from(count).unwrap_or(u8::MAX);
    (place.index..place.index.saturating_add(count))
        .map(|index| (file, index))
        .collect()
}

/// Gives every value of an operation registers of its own; those where a guard does not hold have
/// the registers of the results.
fn assign(context: &mut Context, op: Operation) {
    let mut next: BTreeMap<&str, u32> = BTreeMap::new();
    let mut place = |context: &mut Context, value: Value| {
        let Some(register) = Register::of(context, value.ty(context)) else {
            return;
        };
        let last = next.entry(register.prefix()).or_insert(2);
        let count = register.words().unwrap_or(1);
        let alignment = if count > 2 { 4 } else { count };
        let first = match register {
            Register::P | Register::Up | Register::B => {
                let first = *last - 2;
                *last += 1;
                first
            }
            _ => {
                let first = last.next_multiple_of(alignment);
                *last = first + count;
                first
            }
        };
        let index = u8::try_from(first).expect("few operands");
        let ty = Physical { register, index }.ty(context);
        value.set_type(context, ty);
    };
    let kept = op.operand_range_named(context, "otherwise");
    for value in op.results(context).collect::<Vec<_>>() {
        place(context, value);
    }
    let mut seen = BTreeSet::new();
    for number in 0..op.operand_count(context) {
        let value = op.operand(context, number);
        let in_register = matches!(Source::of(context, value), Source::Register(_));
        if kept.contains(&number) {
            let ty = op.result(context, number - kept.start).ty(context);
            if in_register && value.defining_op(context) != Some(op) {
                value.set_type(context, ty);
                seen.insert(format!("{value:?}"));
            }
        } else if in_register && seen.insert(format!("{value:?}")) {
            place(context, value);
        }
    }
}

/// What the instructions read before they write it, and write.
fn accessed(instructions: &[Instruction]) -> (Registers, Registers) {
    let (mut read, mut written) = (Registers::new(), Registers::new());
    let listed = |ranges: Vec<orison_sass::registers::RegisterRange>| {
        let places = ranges
            .into_iter()
            .flat_map(orison_sass::registers::RegisterRange::registers);
        places
            .map(|place: Place| (place.file, place.index))
            .collect::<Vec<_>>()
    };
    for instruction in instructions {
        let found = effects(instruction);
        let uses = found.uses.iter().map(|access| access.range).collect();
        read.extend(
            listed(uses)
                .into_iter()
                .filter(|place| !written.contains(place)),
        );
        let definitions = found
            .definitions
            .iter()
            .map(|access| access.range)
            .collect();
        written.extend(listed(definitions));
    }
    (read, written)
}

fn check(context: &mut Context, op: Operation, wrong: &mut BTreeMap<String, usize>) -> bool {
    assign(context, op);
    let Ok(written) = instructions(context, op) else {
        context.diagnostics.take();
        return false;
    };
    let text: Vec<String> = written.iter().map(ToString::to_string).collect();
    for (instruction, text) in written.iter().zip(&text) {
        let again = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(again.to_string(), instruction.to_string());
        if !text.contains("UTCATOMSWS") {
            assert!(effects(&again).known, "{text}");
        }
    }
    let (reads, writes) = accessed(&written);
    let kept = op.operand_range_named(context, "otherwise");
    let operands = (0..op.operand_count(context)).filter(|number| !kept.contains(number));
    let operands = operands.map(|number| op.operand(context, number));
    let expected: Registers = operands.flat_map(|value| words(context, value)).collect();
    let results: Registers = op
        .results(context)
        .flat_map(|value| words(context, value))
        .collect();
    let more: Vec<_> = reads.difference(&expected).collect();
    let fewer: Vec<_> = expected.difference(&reads).collect();
    let used = op
        .results(context)
        .filter(|result| !result.is_unused(context));
    let used: Registers = used.flat_map(|value| words(context, value)).collect();
    let outside: Vec<_> = writes.difference(&results).collect();
    let missing: Vec<_> = used.difference(&writes).collect();
    if more.is_empty() && fewer.is_empty() && outside.is_empty() && missing.is_empty() {
        return true;
    }
    let message = format!(
        "{}: {text:?}: reads more {more:?}, less {fewer:?}; writes more {outside:?}, less {missing:?}",
        op.name_text(context)
    );
    *wrong.entry(message).or_default() += 1;
    true
}

/// A PTX text as it is, and for other targets; not all of them have all of its instructions.
fn for_targets(text: &str) -> Vec<String> {
    let own = text
        .split(".target ")
        .nth(1)
        .and_then(|rest| rest.split_whitespace().next());
    let own = own.unwrap_or_default();
    let targets = [
        own, "sm_75", "sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120a",
    ];
    let targets: BTreeSet<&str> = targets.into_iter().collect();
    let change =
        |target: &str| text.replacen(&format!(".target {own}"), &format!(".target {target}"), 1);
    targets.into_iter().map(change).collect()
}

#[test]
fn instructions_access_the_registers_of_their_operations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/translate");
    let mut files: Vec<_> = ["ptx", "."]
        .into_iter()
        .flat_map(|inner| fs::read_dir(folder.join(inner)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| {
        let name = file
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        name.ends_with(".ptx") && name != "syntax.ptx"
            || name.starts_with("select") && name.ends_with(".mlir")
    });
    files.sort();
    let mut registry = PassRegistry::default();
    orison_rewrites::passes(&mut registry);
    let pipeline = "builtin.module(ori-enforce-argument-restrictions)";
    let pipeline = registry.parse_pipeline(pipeline).unwrap();
    let (mut wrong, mut checked) = (BTreeMap::new(), 0);
    let mut seen = BTreeSet::new();
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
    for text in texts.flat_map(|text| for_targets(&text)) {
        let mut context = Context::new();
        register_dialects(&mut context);
        let Ok(module) = ptx::parse(&text) else {
            continue;
        };
        let Ok((module, _)) = import(&mut context, "a.ptx", &text, &module) else {
            continue;
        };
        if run_pipeline(&mut context, &pipeline, module).is_err() {
            panic!("{:?}: {text}", context.diagnostics.take());
        }
        for op in collect(&context, module) {
            let name = op.name_text(&context).to_owned();
            let machine = op.definition(&context).is_some_and(|definition| {
                definition
                    .operands
                    .iter()
                    .any(|operand| operand.name == "guard")
            });
            if machine && !OTHERS.contains(&&*name) && check(&mut context, op, &mut wrong) {
                checked += 1;
                seen.insert(name);
            }
        }
    }
    let lines: Vec<String> = wrong
        .iter()
        .map(|(line, count)| format!("{count} {line}"))
        .collect();
    assert!(
        lines.is_empty(),
        "{} of {checked}:\n{}",
        lines.len(),
        lines.join("\n")
    );
    assert!(checked > 30_000, "{checked}");
    assert!(
        seen.len() > 120 && seen.len() < OPERATIONS.len(),
        "{}",
        seen.len()
    );
}
