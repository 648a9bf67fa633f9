//! What functions need of the machine beside their instructions.

use orison_ir::{Context, Operation, walk};
use orison_ori::operations as ori;
use orison_ori::operations::structure::Func;
use orison_sass::dialect::Resources;
use orison_sass::effects::effects;
use orison_sass::instruction::{Immediate, Operand};
use orison_sass::registers::RegisterFile;
use rustc_hash::FxHashMap;

use super::Code;
use crate::ori::allocate_registers::SPILL_SLOT;

/// Barriers of a CTA.
const BARRIERS: u32 = 16;
/// The fewest registers that a kernel asks for (measured with ptxas 13.0).
const FEWEST_REGISTERS: u32 = 4;
/// Bytes of a spilled register.
const SPILLED: u32 = 4;

/// What a function calls.
#[derive(Default)]
struct Calls {
    /// Functions by name.
    direct: Vec<String>,
    /// Whether it calls by address.
    indirect: bool,
}

impl Calls {
    fn of(context: &Context, function: Operation) -> Self {
        let mut calls = Calls::default();
        for op in walk::collect(context, function) {
            calls.indirect |= ori::CallIndirect::of(context, op).is_some();
            let callee = ori::Call::of(context, op).and_then(|call| call.callee(context));
            let callee = callee.and_then(|callee| callee.as_symbol(context));
            calls.direct.extend(callee.map(str::to_owned));
        }
        calls
    }
}

/// The resources of functions, in their order. A kernel has the registers and barriers of all functions that it
/// calls; its stack is the longest chain of frames, as far as calls are known.
pub(super) fn of(context: &Context, functions: &[(Operation, Code)]) -> Vec<Resources> {
    let own: Vec<Resources> = functions
        .iter()
        .map(|(op, code)| of_one(context, *op, code))
        .collect();
    let names = functions.iter().enumerate();
    let names: FxHashMap<&str, usize> = names
        .map(|(index, (_, code))| (&*code.function.name, index))
        .collect();
    let calls = functions.iter().map(|(op, code)| {
        let calls = Calls::of(context, *op);
        let direct = calls.direct.iter();
        let mut callees: Vec<usize> = direct
            .filter_map(|name| names.get(&**name).copied())
            .collect();
        if calls.indirect {
            let all = functions.iter().enumerate();
            let any = all.filter(|(_, (_, other))| {
                !other.kernel && other.function.name != code.function.name
            });
            callees.extend(any.map(|(index, _)| index));
        }
        callees
    });
    let calls: Vec<Vec<usize>> = calls.collect();
    let mut all = own.clone();
    // Each round makes chains longer by a call; in recursive ones they end.
    for _ in 0..functions.len() {
        let before = all.clone();
        for (index, callees) in calls.iter().enumerate() {
            let deepest = callees.iter().map(|callee| before[*callee].stack).max();
            let found = &mut all[index];
            found.stack = own[index].frame + deepest.unwrap_or(0);
            for callee in callees {
                found.registers = found.registers.max(before[*callee].registers);
                found.barriers = found.barriers.max(before[*callee].barriers);
            }
        }
        if all == before {
            break;
        }
    }
    all
}

fn of_one(context: &Context, op: Operation, code: &Code) -> Resources {
    let mut found = Resources {
        kernel: code.kernel,
        registers: if code.kernel { FEWEST_REGISTERS } else { 0 },
        frame: code.frame,
        stack: code.frame,
        max_registers: Func(op)
            .max_registers(context)
            .and_then(|most| u32::try_from(most).ok())
            .unwrap_or(0),
        cluster: Func(op).cluster(context).map(extents),
        max_threads: Func(op).max_threads(context).map(extents),
        required_threads: Func(op).required_threads(context).map(extents),
        ..Resources::default()
    };
    let blocks = code.function.blocks.iter();
    for scheduled in blocks.flat_map(|block| &block.instructions) {
        let accessed = effects(&scheduled.instruction);
        for access in accessed.definitions.iter().chain(&accessed.uses) {
            if access.range.file == RegisterFile::General {
                let end = u32::from(access.range.first) + u32::from(access.range.count);
                found.registers = found.registers.max(end);
            }
        }
        let mnemonic = &scheduled.instruction.mnemonic;
        if mnemonic.base() == "BAR" && !mnemonic.has("ALL") {
            let end = match scheduled.instruction.operands.first() {
                Some(Operand::Immediate(Immediate::Integer { magnitude, .. })) => {
                    u32::try_from(*magnitude).unwrap_or(0).saturating_add(1)
                }
                _ => BARRIERS,
            };
            found.barriers = found.barriers.max(end.min(BARRIERS));
        }
    }
    let is_spill = |address: Option<orison_ir::Value>| {
        let slot = address.and_then(|address| address.defining_op(context));
        let slot = slot.and_then(|op| ori::SlotAddress::of(context, op));
        slot.is_some_and(|slot| slot.slot(context) == Some(SPILL_SLOT))
    };
    for op in walk::collect(context, op) {
        let address = op.operands_named(context, "base").first().copied();
        if ori::Stl::of(context, op).is_some() && is_spill(address) {
            found.spill_stores += SPILLED;
        }
        if ori::Ldl::of(context, op).is_some() && is_spill(address) {
            found.spill_loads += SPILLED;
        }
    }
    found
}

/// Extents by dimension; those that are not given are 1.
fn extents(given: Vec<i32>) -> [u32; 3] {
    let mut extents = [1; 3];
    for (to, extent) in extents.iter_mut().zip(given) {
        *to = u32::try_from(extent).unwrap_or(1).max(1);
    }
    extents
}
