//! The facts of one instruction.

use std::ops::Range;
use std::sync::Arc;

use orison_machine as machine;
use orison_sass::control::{Barrier, BarrierSet};
use orison_sass::effects::{self, Access, Effects};
use orison_sass::instruction::{
    AddressSpace, Flow, Guard, Immediate, Instruction, MemoryOperand, Operand, flow,
};
use orison_sass::registers::RegisterFile;

use super::{
    Action, Fact, FunctionFacts, MemoryAccess, MemoryPlace, Read, RegisterNumber, Space, Write,
};
use crate::sass::guards::{Definitions, Literal};
use crate::sass::latency::{Class, LatencyModel, Mechanism, Position, TableFile};
use crate::sass::roles::Roles;

/// Adds the facts of an instruction to those of its function.
pub(super) fn add(all: &mut FunctionFacts, instruction: &Instruction, model: &LatencyModel) {
    let class_id = model.class_of(instruction.mnemonic.text());
    let class = model.class(class_id);
    let never = instruction.guard.is_some_and(Guard::is_never);
    let effects = if never {
        Effects::default()
    } else {
        effects::effects(instruction)
    };
    let sources_from = source_start(instruction);
    let reads_start = all.reads.len();
    for access in &effects.uses {
        add_reads(
            &mut all.reads,
            reads_start,
            access,
            &effects,
            (class, sources_from),
        );
    }
    let writes_start = all.writes.len();
    for access in &effects.definitions {
        add_writes(&mut all.writes, access, class);
    }
    let memory = if never {
        Vec::new()
    } else {
        memory(instruction)
    };
    let mnemonic = &instruction.mnemonic;
    let acts = all.writes.len() > writes_start || !memory.is_empty();
    all.facts.push(Arc::new(Fact {
        class: class_id,
        guarded: effects.partial,
        guard: instruction.guard.and_then(Literal::of_guard),
        predicates: Definitions::of(instruction, &effects).map(Box::new),
        action: action(instruction, class, !memory.is_empty()),
        ordered: !acts || reads_order(instruction),
        pinned: is_pinned(instruction, &effects),
        reads_constant: instruction
            .operands
            .iter()
            .any(|operand| matches!(operand, Operand::Constant(_))),
        orders_products: mnemonic.base() == "WARPGROUP",
        closes_copies: matches!(instruction.mnemonic.base(), "LDGDEPBAR" | "UTMACMDFLUSH"),
        memory,
        issue_minimum: model.issue_minimum(mnemonic.opcode()),
        product_distance: model.product_distance(mnemonic),
        leaves: matches!(
            flow(instruction),
            Flow::Exit | Flow::Return | Flow::Call | Flow::Jump
        ),
        first_source: sources_from,
        roles: Roles::of(mnemonic, model.name()),
        reads: range(reads_start, all.reads.len()),
        writes: range(writes_start, all.writes.len()),
    }));
}

fn is_pinned(instruction: &Instruction, effects: &Effects) -> bool {
    let fixed = match instruction.mnemonic.base() {
        "LEPC" => instruction.labels().next().is_none(),
        "WARPSYNC" | "ENDCOLLECTIVE" | "USETMAXREG" => true,
        _ => false,
    };
    fixed || instruction.is_opaque() || !effects.known
}

/// Whether an instruction reads what changes without a write, or names a
/// register of a file that facts do not number.
fn reads_order(instruction: &Instruction) -> bool {
    let mut operands = instruction.operands.iter();
    instruction.mnemonic.base() == "B2R"
        || operands.any(|operand| match operand {
            Operand::Special(name) => machine::is_changing_register(name),
            Operand::Register(found) => matches!(
                found.register.file,
                RegisterFile::Convergence | RegisterFile::Scoreboard
            ),
            _ => false,
        })
}

pub(super) fn range(start: usize, end: usize) -> Range<u32> {
    let narrow = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    narrow(start)..narrow(end)
}

/// Index of the first source operand.
fn source_start(instruction: &Instruction) -> usize {
    let row = effects::row(&instruction.mnemonic);
    effects::destination_count(row, &instruction.operands)
}

fn add_reads(
    reads: &mut Vec<Read>,
    instruction_start: usize,
    access: &Access,
    effects: &Effects,
    (class, sources_from): (&Class, usize),
) {
    let accumulator = |register| {
        let mut written = effects.definitions.iter();
        class.mechanism == Mechanism::TensorGroup
            && written.any(|access| access.range.contains(register))
    };
    for (number, register) in access.range.registers().enumerate() {
        let Some(numbered) = RegisterNumber::of(register) else {
            continue;
        };
        let file = numbered.file();
        let row = match access.operand {
            None => class.guard_row(file == TableFile::UniformPredicate),
            Some(_) if access.address => class.read_row(file, Position::Address),
            Some(operand) => {
                let slot = u8::try_from(operand.saturating_sub(sources_from)).unwrap_or(u8::MAX);
                let number = u8::try_from(number).unwrap_or(u8::MAX);
                class.read_row(file, Position::Source(slot, number))
            }
        };
        let mut known = reads.iter().skip(instruction_start);
        if known.any(|read| read.register == numbered && read.row == row) {
            continue;
        }
        let waits = matches!(
            class.mechanism,
            Mechanism::Variable | Mechanism::TensorGroup
        );
        let accumulates = accumulator(register);
        reads.push(Read {
            register: numbered,
            row,
            queued: waits && file == TableFile::General && !accumulates,
            accumulator: accumulates,
        });
    }
}

fn add_writes(writes: &mut Vec<Write>, access: &Access, class: &Class) {
    for (number, register) in access.range.registers().enumerate() {
        let Some(register) = RegisterNumber::of(register) else {
            continue;
        };
        writes.push(Write::new(register, class, number));
    }
}

fn action(instruction: &Instruction, class: &Class, touches_memory: bool) -> Action {
    if class.mechanism == Mechanism::TensorGroup {
        let mut operands = instruction.operands.iter();
        let closes =
            operands.any(|operand| in_file(operand, RegisterFile::GroupScoreboard).is_some());
        return Action::Product { closes };
    }
    let mnemonic = &instruction.mnemonic;
    let number = instruction
        .operands
        .iter()
        .find_map(|operand| match operand {
            Operand::Immediate(Immediate::Integer { magnitude, .. }) => {
                u32::try_from(*magnitude).ok()
            }
            _ => None,
        });
    match mnemonic.base() {
        "DEPBAR" => wait_scoreboard(instruction, number.unwrap_or(0)),
        "WARPGROUP" if mnemonic.has("DEPBAR") => Action::WaitGroups {
            left: number.unwrap_or(0),
        },
        _ if flow(instruction) == Flow::Call => Action::Call,
        _ if effects::memory(mnemonic).orders && !touches_memory => Action::Synchronize,
        _ if effects::entry(mnemonic).is_some_and(|row| row.has(machine::Flag::Barrier)) => {
            Action::Synchronize
        }
        _ => Action::None,
    }
}

fn in_file(operand: &Operand, file: RegisterFile) -> Option<u8> {
    let register = operand.as_register()?.register;
    (register.file == file).then_some(register.index)
}

/// `DEPBAR.LE SB0, 0x1, {2,1}`, or `DEPBAR {5,4,3,2,1,0}`.
fn wait_scoreboard(instruction: &Instruction, left: u32) -> Action {
    let mut operands = instruction.operands.iter();
    let named = operands.find_map(|operand| in_file(operand, RegisterFile::Scoreboard));
    let listed = instruction
        .operands
        .iter()
        .find_map(|operand| match operand {
            Operand::Scoreboards(numbers) => Some(numbers),
            _ => None,
        });
    let others: BarrierSet = listed
        .into_iter()
        .flatten()
        .filter_map(|number| Barrier::new(*number))
        .collect();
    let first = named.and_then(Barrier::new);
    match (first, others.iter().next()) {
        (Some(barrier), _) => Action::WaitScoreboard {
            barrier,
            left,
            others,
        },
        (None, Some(barrier)) => Action::WaitScoreboard {
            barrier,
            left: 0,
            others,
        },
        (None, None) => Action::Synchronize,
    }
}

fn space(space: machine::Space) -> Option<Space> {
    Some(match space {
        machine::Space::Generic => Space::Any,
        machine::Space::Local => Space::Local,
        machine::Space::Shared | machine::Space::SharedCluster => Space::Shared,
        machine::Space::Constant => return None,
        machine::Space::Global => Space::Global,
        machine::Space::Surface | machine::Space::Texture => Space::Texture,
        machine::Space::Tensor => Space::Tensor,
    })
}

/// The memory an instruction accesses. Constant banks are never written, so they order nothing.
fn memory(instruction: &Instruction) -> Vec<MemoryAccess> {
    let touched = effects::memory(&instruction.mnemonic);
    let mnemonic = &instruction.mnemonic;
    let strong = mnemonic.has("STRONG") || mnemonic.has("MMIO");
    let mut accesses: Vec<MemoryAccess> = Vec::new();
    for (spaces, writes) in [(touched.reads, false), (touched.writes, true)] {
        for space in spaces.iter().filter_map(|found| space(*found)) {
            match accesses.iter_mut().find(|access| access.space == space) {
                Some(access) => {
                    access.reads |= !writes;
                    access.writes |= writes;
                }
                None => accesses.push(MemoryAccess {
                    space,
                    reads: !writes,
                    writes,
                    strong,
                    place: None,
                }),
            }
        }
    }
    if let [access] = &mut *accesses {
        access.place = place(instruction);
    }
    accesses
}

/// The location of the only memory operand.
fn place(instruction: &Instruction) -> Option<MemoryPlace> {
    let mut operands = instruction
        .operands
        .iter()
        .filter_map(|operand| match operand {
            Operand::Memory(memory) if memory.space == AddressSpace::Plain => Some(memory),
            _ => None,
        });
    let (Some(memory), None) = (operands.next(), operands.next()) else {
        return None;
    };
    let MemoryOperand { address, .. } = memory;
    let scaled = address
        .registers
        .iter()
        .any(|found| !matches!(&*found.selector, "" | "64"));
    let registers = address.registers.iter();
    let mut registers: Vec<RegisterNumber> = registers
        .filter_map(|found| RegisterNumber::of(found.register))
        .collect();
    registers.sort_unstable();
    let bytes = bytes(instruction)?;
    (!scaled).then_some(MemoryPlace {
        registers,
        offset: address.offset.unwrap_or(0),
        bytes,
    })
}

/// Bytes that a plain load or store of a thread accesses; `None` if the mnemonic does not state it.
fn bytes(instruction: &Instruction) -> Option<u32> {
    let plain = matches!(
        instruction.mnemonic.base(),
        "LD" | "LDG" | "LDS" | "LDL" | "ST" | "STG" | "STS" | "STL"
    );
    let sized = instruction
        .mnemonic
        .modifiers()
        .find_map(|modifier| match modifier {
            "U8" | "S8" => Some(1),
            "U16" | "S16" => Some(2),
            "64" => Some(8),
            "128" => Some(16),
            "256" => Some(32),
            _ => None,
        });
    plain.then_some(sized.unwrap_or(4))
}
