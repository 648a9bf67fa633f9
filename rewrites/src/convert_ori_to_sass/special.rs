//! Operations whose instructions depend on more than a form says: addresses of symbols and of the
//! stack, calls, convergence barriers, predicates as bits, and those that need no instruction.

use orison_ir::declare::VerifyResult;
use orison_ir::{Context, Operation, Value};
use orison_ori::operations as ori;
use orison_sass::instruction::{Operand, RegisterOperand};
use orison_sass::registers::Register;
use rustc_hash::FxHashSet;

use super::Code;
use super::frame::{FRAME_ALIGNMENT, STACK, slot_offset};
use super::operands::{Operands, has, register};

type Writer = fn(&mut Code, &Context, Operation) -> VerifyResult;

/// Writes an operation of this module; false if it is not one.
pub fn write(
    code: &mut Code,
    context: &Context,
    op: Operation,
) -> Result<bool, Box<orison_ir::Diagnostic>> {
    let nothing: [&'static orison_ir::declare::OperationDefinition; 5] = [
        ori::Imm::DEFINITION,
        ori::Cbank::DEFINITION,
        ori::Undef::DEFINITION,
        ori::Concat::DEFINITION,
        ori::Extract::DEFINITION,
    ];
    if op.is_one_of(context, &nothing) {
        check_place(context, op)?;
        return Ok(true);
    }
    let writers: [(&orison_ir::declare::OperationDefinition, Writer); 12] = [
        (ori::AddressOf::DEFINITION, address_of),
        (ori::SlotAddress::DEFINITION, slot_address),
        (ori::Alloca::DEFINITION, alloca),
        (ori::StackSave::DEFINITION, stack_save),
        (ori::StackRestore::DEFINITION, stack_restore),
        (ori::Call::DEFINITION, Code::call),
        (ori::CallIndirect::DEFINITION, Code::call),
        (ori::ExitIf::DEFINITION, |code, context, op| {
            code.exit_if(context, ori::ExitIf(op))
        }),
        (ori::Bssy::DEFINITION, bssy),
        (ori::P2r::DEFINITION, predicates_as_bits),
        (ori::Up2ur::DEFINITION, predicates_as_bits),
        (ori::R2p::DEFINITION, bits_as_predicates),
    ];
    for (definition, writer) in writers {
        if op.is_one_of(context, &[definition]) {
            writer(code, context, op)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Checks that the parts of a whole are in its registers, so that no instruction is needed.
fn check_place(context: &Context, op: Operation) -> VerifyResult {
    let wrong = || Err(op.op_error(context, "the parts are not in the registers of the whole"));
    let words = |value: Value| {
        let class = orison_ori::Register::of(context, value.ty(context));
        class.and_then(orison_ori::Register::words).unwrap_or(1)
    };
    let at = |whole: Value, word: u32| {
        let mut register = register(context, whole)?;
        register.index = u8::try_from(u32::from(register.index) + word).ok()?;
        Some(register)
    };
    if ori::Concat::of(context, op).is_some() {
        let whole = op.result(context, 0);
        let mut word = 0;
        for part in op.operands(context) {
            let place = register(context, part);
            if place.is_some() && place != at(whole, word) {
                return wrong();
            }
            word += words(part);
        }
    }
    if let Some(extract) = ori::Extract::of(context, op) {
        let word = u32::try_from(extract.word(context).unwrap_or(0)).unwrap_or(0);
        let place = register(context, op.result(context, 0));
        if place.is_some() && place != at(extract.whole(context), word) {
            return wrong();
        }
    }
    Ok(())
}

/// The address of a function or of memory that the linker places: its halves.
fn address_of(code: &mut Code, context: &Context, op: Operation) -> VerifyResult {
    let operands = Operands {
        context,
        op,
        machine: code.machine,
    };
    let name = ori::AddressOf(op).symbol(context);
    let name = name
        .and_then(|name| name.as_symbol(context))
        .unwrap_or_default();
    let result = op.result(context, 0);
    let class = orison_ori::Register::of(context, result.ty(context));
    if class.and_then(orison_ori::Register::words) != Some(2) {
        return Err(op.op_error(context, "the address in shared memory is not a number yet"));
    }
    let low = operands.register_of(result, "result")?;
    let high = Register {
        index: low.index.saturating_add(1),
        ..low
    };
    let uniform = class.is_some_and(orison_ori::Register::is_uniform);
    let mnemonic = if uniform { "UMOV" } else { "MOV" };
    for (register, half) in [(low, "lo"), (high, "hi")] {
        let place = Operand::Relocation(format!("32@{half}({name})").into());
        code.emit(
            context,
            op,
            mnemonic,
            vec![Operand::register(register), place],
        )?;
    }
    Ok(())
}

/// Adds an operand to a register.
fn add(
    code: &mut Code,
    context: &Context,
    op: Operation,
    result: Register,
    source: Register,
    addend: Operand,
) -> VerifyResult {
    let mut operands = vec![Operand::register(result)];
    if code.machine >= 100 {
        operands.extend([
            Operand::register(Register::PT),
            Operand::register(Register::PT),
        ]);
    }
    operands.extend([
        Operand::register(source),
        addend,
        Operand::register(Register::RZ),
    ]);
    code.emit(context, op, "IADD3", operands)
}

fn slot_address(code: &mut Code, context: &Context, op: Operation) -> VerifyResult {
    let operands = Operands {
        context,
        op,
        machine: code.machine,
    };
    let address = op.result(context, 0);
    if orison_ori::Physical::of(context, address.ty(context)).is_none() {
        // Accesses add its offset to the stack pointer.
        return Ok(());
    }
    let result = operands.register_of(address, "result")?;
    match slot_offset(context, op) {
        0 => {
            let operands = vec![Operand::register(result), Operand::register(STACK)];
            code.emit(context, op, "MOV", operands)
        }
        offset => add(
            code,
            context,
            op,
            result,
            STACK,
            Operand::integer(offset.into()),
        ),
    }
}

/// Moves the stack pointer down by a number of bytes, then to a multiple of the alignment.
fn alloca(code: &mut Code, context: &Context, op: Operation) -> VerifyResult {
    let operands = Operands {
        context,
        op,
        machine: code.machine,
    };
    let mut size = RegisterOperand::new(operands.named("size")?);
    size.negate = true;
    add(code, context, op, STACK, STACK, Operand::Register(size))?;
    let alignment = operands.number("alignment").max(FRAME_ALIGNMENT.into());
    let mut never = RegisterOperand::new(Register::PT);
    never.not = true;
    let mask = i64::from(u32::try_from(-alignment & 0xffff_ffff).unwrap_or(0));
    let aligned = vec![
        Operand::register(STACK),
        Operand::register(STACK),
        Operand::integer(mask),
        Operand::register(Register::RZ),
        Operand::integer(0xc0),
        Operand::Register(never),
    ];
    code.emit(context, op, "LOP3.LUT", aligned)?;
    stack_save(code, context, op)
}

fn stack_save(code: &mut Code, context: &Context, op: Operation) -> VerifyResult {
    let operands = Operands {
        context,
        op,
        machine: code.machine,
    };
    let result = operands.register_of(op.result(context, 0), "result")?;
    let operands = vec![Operand::register(result), Operand::register(STACK)];
    code.emit(context, op, "MOV", operands)
}

fn stack_restore(code: &mut Code, context: &Context, op: Operation) -> VerifyResult {
    let operands = Operands {
        context,
        op,
        machine: code.machine,
    };
    let place = operands.named("place")?;
    let operands = vec![Operand::register(STACK), Operand::register(place)];
    code.emit(context, op, "MOV", operands)
}

/// `BSSY B0`, with the place after the `BSYNC` at which its threads wait.
fn bssy(code: &mut Code, context: &Context, op: Operation) -> VerifyResult {
    let operands = Operands {
        context,
        op,
        machine: code.machine,
    };
    let barrier = operands.register_of(op.result(context, 0), "barrier")?;
    let Some(end) = end_of_region(context, op.result(context, 0)) else {
        return Err(op.op_error(context, "has no 'ori.bsync' that waits for its threads"));
    };
    let label = code.label_after(end);
    let reconvergent = has(context, op, "reconvergent") && code.machine >= 100;
    let mnemonic = if reconvergent {
        "BSSY.RECONVERGENT"
    } else {
        "BSSY"
    };
    let operands = vec![Operand::register(barrier), Operand::Label(label.into())];
    code.emit(context, op, mnemonic, operands)
}

/// The `ori.bsync` that waits for the threads of a barrier, through the operations that take threads
/// out of it and through arguments of blocks.
fn end_of_region(context: &Context, barrier: Value) -> Option<Operation> {
    let mut seen = FxHashSet::default();
    let mut work = vec![barrier];
    while let Some(value) = work.pop() {
        if !seen.insert(value) {
            continue;
        }
        for user in value.users(context) {
            if ori::Bsync::of(context, user).is_some() {
                return Some(user);
            }
            work.extend(user.results(context));
            for (target, passed) in ori::control::branch_edges(context, user).unwrap_or_default() {
                let arguments = target.arguments(context).zip(passed.iter().copied());
                work.extend(
                    arguments
                        .filter(|(_, found)| *found == value)
                        .map(|(argument, _)| argument),
                );
            }
        }
    }
    None
}

/// `P2R R0, PR, RZ, 0x7`: bit n is that of predicate n.
fn predicates_as_bits(code: &mut Code, context: &Context, op: Operation) -> VerifyResult {
    let operands = Operands {
        context,
        op,
        machine: code.machine,
    };
    let predicates = op.operands_named(context, "predicates");
    in_order(context, op, &predicates)?;
    let uniform = ori::Up2ur::of(context, op).is_some();
    let result = operands.register_of(op.result(context, 0), "result")?;
    let background = operands.value("background")?;
    let background =
        register(context, background).unwrap_or(if uniform { Register::URZ } else { Register::RZ });
    let operands = vec![
        Operand::register(result),
        Operand::AllPredicates { uniform },
        Operand::register(background),
        Operand::integer(operands.number("mask")),
    ];
    code.emit(context, op, if uniform { "UP2UR" } else { "P2R" }, operands)
}

fn bits_as_predicates(code: &mut Code, context: &Context, op: Operation) -> VerifyResult {
    let operands = Operands {
        context,
        op,
        machine: code.machine,
    };
    let predicates: Vec<Value> = op.results(context).collect();
    in_order(context, op, &predicates)?;
    let operands = vec![
        Operand::AllPredicates { uniform: false },
        Operand::register(operands.named("a")?),
        Operand::integer(operands.number("mask")),
    ];
    code.emit(context, op, "R2P", operands)
}

/// Checks that predicate n is in the register with this number.
fn in_order(context: &Context, op: Operation, predicates: &[Value]) -> VerifyResult {
    let mut all = predicates.iter().enumerate();
    let is_in_place = |(number, value): (usize, &Value)| {
        register(context, *value).is_none_or(|found| usize::from(found.index) == number)
    };
    if all.all(is_in_place) {
        return Ok(());
    }
    Err(op.op_error(context, "requires predicate n in register Pn"))
}
