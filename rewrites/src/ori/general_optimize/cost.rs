//! The cost model: issue slots of pipes, critical path, registers.
//!
//! Extraction uses the cost of an operator, and the pass compares blocks before and after on real
//! operations. Both use the same table, `costs.toml`.

use std::sync::OnceLock;

use orison_ir::declare::Trait;
use orison_ir::{Block, Context, Operation, Value};
use orison_machine::{Entry, Pipe};
use orison_ori::Register;
use orison_ori::opcodes;
use orison_ori::operations::moves::{AddressOf, Cbank, Concat, Extract, Imm, Undef};
use orison_ori::operations::stack::SlotAddress;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

/// The cost of an instruction on a pipe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipeCost {
    /// Cycles it keeps the pipe busy.
    pub issue: u32,
    /// Cycles until its result can be used.
    pub latency: u32,
}

/// The weights of the components of a cost.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// The weight of a pipe cycle.
    pub issue: u64,
    /// The weight of a cycle on the critical path.
    pub latency: u64,
    /// The weight of a 32-bit register at peak pressure.
    pub register: u64,
}

/// The cost table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// The weights.
    pub weights: Weights,
    other: PipeCost,
    pipes: FxHashMap<Pipe, PipeCost>,
}

impl Costs {
    /// The cost of an instruction on a pipe.
    pub fn of(&self, pipe: Pipe) -> PipeCost {
        self.pipes.get(&pipe).copied().unwrap_or(self.other)
    }

    /// The cost of an operation with a single row in the instruction table, by name.
    pub fn of_operation(&self, operation: &str) -> PipeCost {
        let row = Entry::of_operation(operation).next();
        row.map_or(self.other, |row| self.of(row.pipe))
    }
}

/// The table of this pass.
///
/// # Panics
/// Panics if the embedded file is malformed: a bug that every test of the pass detects.
pub fn costs() -> &'static Costs {
    static COSTS: OnceLock<Costs> = OnceLock::new();
    COSTS.get_or_init(|| match toml::from_str(include_str!("costs.toml")) {
        Ok(costs) => costs,
        Err(message) => panic!("costs.toml: {message}"),
    })
}

/// How an instruction reads a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A register.
    Register,
    /// Zero, or a constant predicate: needs no register.
    Free,
    /// An immediate or constant bank access in the operand slot: an instruction has one such slot.
    Slot,
    /// A 64-bit constant, which does not fit an operand slot.
    WideNumber,
}

/// How an instruction reads a value.
pub fn source(context: &Context, value: Value) -> Source {
    source_now(context, value, &|value| value)
}

/// The same with replacements of values: for a part, its whole may be replaced.
fn source_now(context: &Context, value: Value, now: &dyn Fn(Value) -> Value) -> Source {
    let Some(op) = value.defining_op(context) else {
        return Source::Register;
    };
    if let Some(number) = Imm::of(context, op) {
        let register = Register::of(context, value.ty(context));
        return match (number.value(context), register.and_then(Register::words)) {
            (Some(0), _) | (_, None) => Source::Free,
            (_, Some(2)) => Source::WideNumber,
            _ => Source::Slot,
        };
    }
    if Cbank::of(context, op).is_some() {
        return Source::Slot;
    }
    match Extract::of(context, op) {
        Some(extract) => match source_now(context, now(extract.whole(context)), now) {
            Source::WideNumber => Source::Slot,
            other => other,
        },
        None => Source::Register,
    }
}

/// The number of moves for operands that do not fit the slots of an instruction.
pub fn moves_for(sources: impl Iterator<Item = Source>) -> u32 {
    let (mut slots, mut wide) = (0u32, 0);
    for source in sources {
        match source {
            Source::Slot => slots += 1,
            Source::WideNumber => wide += 2,
            Source::Register | Source::Free => {}
        }
    }
    slots.saturating_sub(1) + wide
}

/// Whether an operation generates no instruction: it fills an operand slot or names a part of a
/// register.
fn is_free(context: &Context, op: Operation) -> bool {
    Imm::of(context, op).is_some()
        || Cbank::of(context, op).is_some()
        || Undef::of(context, op).is_some()
        || Extract::of(context, op).is_some()
        || Concat::of(context, op).is_some()
        || AddressOf::of(context, op).is_some()
        || SlotAddress::of(context, op).is_some()
}

/// The cost of a single operation.
pub fn of_operation(context: &Context, op: Operation, now: &dyn Fn(Value) -> Value) -> PipeCost {
    let sources = || {
        op.operands(context)
            .map(|value| source_now(context, now(value), now))
    };
    let nothing = PipeCost {
        issue: 0,
        latency: 0,
    };
    if Concat::of(context, op).is_some() {
        // Each part has to be in a register, including zero.
        let moved = sources()
            .filter(|source| *source != Source::Register)
            .count();
        let alu = costs().of(Pipe::Alu);
        let issue = alu.issue * u32::try_from(moved).unwrap_or(u32::MAX);
        let latency = if moved > 0 { alu.latency } else { 0 };
        return PipeCost { issue, latency };
    }
    if is_free(context, op) {
        return nothing;
    }
    let base = of_instruction(context, op);
    let extra = if op.has_trait(context, Trait::Terminator) {
        0
    } else {
        moves_for(sources()) * costs().of(Pipe::Alu).issue
    };
    PipeCost {
        issue: base.issue + extra,
        ..base
    }
}

/// The cost of the instruction of an operation, without moves for its operands.
pub fn of_instruction(context: &Context, op: Operation) -> PipeCost {
    match opcodes::of(context, op) {
        Some(row) => costs().of(row.pipe),
        None => costs().other,
    }
}

/// Which registers a cost counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registers {
    /// Values that the line defines: the cost is independent of other blocks.
    Own,
    /// Also values that the line reads.
    All,
}

/// The cost of straight-line operations, for each way to count registers.
///
/// `now` returns the replacement of a value; `stays` holds the values used after the line. The time
/// is linear in operations and operands.
pub fn of_line<const WAYS: usize>(
    context: &Context,
    ops: &[Operation],
    now: &dyn Fn(Value) -> Value,
    stays: &FxHashSet<Value>,
    registers: [Registers; WAYS],
) -> [u64; WAYS] {
    let (issue, depth) = issue_and_depth(context, ops, now);
    registers.map(|way| {
        let registers = peak(context, ops, now, stays, way);
        Parts {
            issue,
            depth,
            registers,
        }
        .weighed()
    })
}

/// The components of a cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Cycles of pipes.
    pub issue: u64,
    /// Cycles of the critical path.
    pub depth: u64,
    /// 32-bit registers at peak pressure.
    pub registers: u64,
}

impl Parts {
    /// The weighted cost.
    pub fn weighed(self) -> u64 {
        let weights = costs().weights;
        weights.issue * self.issue
            + weights.latency * self.depth
            + weights.register * self.registers
    }
}

/// The cost of an unchanged block.
pub fn of_block(context: &Context, block: Block) -> u64 {
    parts_of_block(context, block).weighed()
}

/// The cost components of an unchanged block.
pub fn parts_of_block(context: &Context, block: Block) -> Parts {
    let ops: Vec<Operation> = block.operations(context).collect();
    let elsewhere = |user: Operation| user.block(context) != Some(block);
    let results = ops.iter().flat_map(|op| op.results(context));
    let stays = results
        .filter(|value| value.users(context).any(elsewhere))
        .collect();
    let as_it_is = |value| value;
    let (issue, depth) = issue_and_depth(context, &ops, &as_it_is);
    let registers = peak(context, &ops, &as_it_is, &stays, Registers::Own);
    Parts {
        issue,
        depth,
        registers,
    }
}

fn issue_and_depth(
    context: &Context,
    ops: &[Operation],
    now: &dyn Fn(Value) -> Value,
) -> (u64, u64) {
    let mut ready: FxHashMap<Value, u64> = FxHashMap::default();
    let (mut issue, mut depth) = (0, 0);
    for op in ops {
        let cost = of_operation(context, *op, now);
        let operands = op.operands(context).map(now);
        let start = operands.filter_map(|value| ready.get(&value)).max();
        let end = start.copied().unwrap_or(0) + u64::from(cost.latency);
        for result in op.results(context) {
            ready.insert(result, end);
        }
        issue += u64::from(cost.issue);
        depth = depth.max(end);
    }
    (issue, depth)
}

/// 32-bit registers that a value needs; none for operand slots and for parts of a register.
fn words(context: &Context, value: Value) -> u64 {
    let free = value
        .defining_op(context)
        .is_some_and(|op| is_free(context, op) && Concat::of(context, op).is_none());
    let register = Register::of(context, value.ty(context));
    match register.and_then(Register::words) {
        Some(words) if !free => u64::from(words),
        _ => 0,
    }
}

/// The peak number of 32-bit registers of the values that the line defines, and of those it reads.
fn peak(
    context: &Context,
    ops: &[Operation],
    now: &dyn Fn(Value) -> Value,
    stays: &FxHashSet<Value>,
    registers: Registers,
) -> u64 {
    let made: FxHashSet<Value> = ops.iter().flat_map(|op| op.results(context)).collect();
    let counts = |value: &Value| registers == Registers::All || made.contains(value);
    let mut live: FxHashSet<Value> = FxHashSet::default();
    let (mut sum, mut most) = (0u64, 0u64);
    // A part that is used later keeps the whole alive.
    let stays = stays.iter().map(|value| whole(context, *value, now));
    for value in stays.filter(counts) {
        if live.insert(value) {
            sum += words(context, value);
        }
    }
    for op in ops.iter().rev() {
        for result in op.results(context) {
            if live.remove(&result) {
                sum -= words(context, result);
            }
        }
        for operand in op.operands(context) {
            let operand = whole(context, now(operand), now);
            if counts(&operand) && live.insert(operand) {
                sum += words(context, operand);
            }
        }
        most = most.max(sum);
    }
    most
}

/// The register that contains a part.
fn whole(context: &Context, value: Value, now: &dyn Fn(Value) -> Value) -> Value {
    let op = value.defining_op(context);
    match op.and_then(|op| Extract::of(context, op)) {
        Some(extract) => now(extract.whole(context)),
        None => value,
    }
}
