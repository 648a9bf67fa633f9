//! What operations cost: issue slots of pipes, the longest path, registers.
//!
//! Two users: the extraction asks what an operator costs, and the pass compares blocks before and
//! after on real operations. Both read the same table, `costs.toml`.

use std::sync::OnceLock;

use orison_ir::declare::Trait;
use orison_ir::{Block, Context, Operation, Value};
use orison_ori::Register;
use orison_ori::opcodes::{self, Pipe};
use orison_ori::operations::moves::{AddressOf, Cbank, Concat, Extract, Imm, Undef};
use orison_ori::operations::stack::SlotAddress;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

/// What an instruction on a pipe costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipeCost {
    /// Cycles it keeps the pipe busy.
    pub issue: u32,
    /// Cycles until its result can be used.
    pub latency: u32,
}

/// How the parts of a cost are weighed.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// A cycle of a pipe.
    pub issue: u64,
    /// A cycle of the longest path.
    pub latency: u64,
    /// A 32-bit register at the peak.
    pub register: u64,
}

/// The table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// The weights.
    pub weights: Weights,
    other: PipeCost,
    pipes: std::collections::BTreeMap<String, PipeCost>,
}

impl Costs {
    /// What an instruction on a pipe costs.
    pub fn of(&self, pipe: Pipe) -> PipeCost {
        self.pipes.get(name_of(pipe)).copied().unwrap_or(self.other)
    }

    /// What an operation costs that has one row in the opcode table, by name.
    pub fn of_operation(&self, operation: &str) -> PipeCost {
        let row = opcodes::table().of_operation(operation).next();
        row.map_or(self.other, |row| self.of(row.pipe))
    }
}

const fn name_of(pipe: Pipe) -> &'static str {
    match pipe {
        Pipe::None => "none",
        Pipe::Alu => "alu",
        Pipe::Fma => "fma",
        Pipe::FmaWide => "fma-wide",
        Pipe::Fp16 => "fp16",
        Pipe::HalfTensor => "half-tensor",
        Pipe::Fp64 => "fp64",
        Pipe::Fp64Tensor => "fp64-tensor",
        Pipe::Transcendental => "transcendental",
        Pipe::Memory => "memory",
        Pipe::Texture => "texture",
        Pipe::Address => "address",
        Pipe::Control => "control",
        Pipe::Uniform => "uniform",
        Pipe::AluToUniform => "alu-to-uniform",
        Pipe::Tensor => "tensor",
        Pipe::WarpgroupTensor => "warpgroup-tensor",
        Pipe::TensorCore => "tensor-core",
        Pipe::TensorMemory => "tensor-memory",
        Pipe::Tma => "tma",
    }
}

/// The table of this pass.
///
/// # Panics
/// When the embedded file is malformed: a bug, which every test of the pass shows.
pub fn costs() -> &'static Costs {
    static COSTS: OnceLock<Costs> = OnceLock::new();
    COSTS.get_or_init(|| match toml::from_str(include_str!("costs.toml")) {
        Ok(costs) => costs,
        Err(message) => panic!("costs.toml: {message}"),
    })
}

/// What a value is to an instruction that reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A register.
    Register,
    /// Zero, or a predicate that is always the same: registers that need no room.
    Free,
    /// A number or a word of a constant bank in the slot: an instruction has room for one.
    Slot,
    /// A number of 64 bits, which no slot has room for.
    WideNumber,
}

/// What a value is to an instruction that reads it.
pub fn source(context: &Context, value: Value) -> Source {
    source_now(context, value, &|value| value)
}

/// The same where values have others in their place: of a part, the whole may have one.
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

/// Cycles of moves for what has no room in the slots of an instruction.
pub fn moves_for(sources: impl Iterator<Item = Source>) -> u32 {
    let (mut slots, mut wide) = (0u32, 0);
    for source in sources {
        match source {
            Source::Slot => slots += 1,
            Source::WideNumber => wide += 2,
            Source::Register | Source::Free => {}
        }
    }
    (slots.saturating_sub(1) + wide) * costs().of(Pipe::Alu).issue
}

/// Whether an operation is no instruction: it fills an operand slot or names a part of a register.
fn is_free(context: &Context, op: Operation) -> bool {
    Imm::of(context, op).is_some()
        || Cbank::of(context, op).is_some()
        || Undef::of(context, op).is_some()
        || Extract::of(context, op).is_some()
        || Concat::of(context, op).is_some()
        || AddressOf::of(context, op).is_some()
        || SlotAddress::of(context, op).is_some()
}

/// What one operation costs by itself.
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
        // Each part has to be in a register, zero too.
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
        moves_for(sources())
    };
    PipeCost {
        issue: base.issue + extra,
        ..base
    }
}

/// What the instruction of an operation costs, without moves for its operands.
pub fn of_instruction(context: &Context, op: Operation) -> PipeCost {
    match opcodes::of(context, op) {
        Some(row) => costs().of(row.pipe),
        None => costs().other,
    }
}

/// Whose registers a cost counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registers {
    /// Of values that the line makes: what other blocks do does not change it.
    Own,
    /// Of values that the line reads too.
    All,
}

/// The cost of a straight line of operations.
///
/// `now` tells what takes the place of a value, `stays` which values are used behind the line. Time is
/// linear in operations and operands.
pub fn of_line(
    context: &Context,
    ops: &[Operation],
    now: &dyn Fn(Value) -> Value,
    stays: &FxHashSet<Value>,
    registers: Registers,
) -> u64 {
    let (issue, depth) = issue_and_depth(context, ops, now);
    let registers = peak(context, ops, now, stays, registers);
    Parts {
        issue,
        depth,
        registers,
    }
    .weighed()
}

/// What a cost is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Cycles of pipes.
    pub issue: u64,
    /// Cycles of the longest path.
    pub depth: u64,
    /// Words of registers at the peak.
    pub registers: u64,
}

impl Parts {
    /// The cost.
    pub fn weighed(self) -> u64 {
        let weights = costs().weights;
        weights.issue * self.issue
            + weights.latency * self.depth
            + weights.register * self.registers
    }
}

/// The cost of a block as it is.
pub fn of_block(context: &Context, block: Block) -> u64 {
    parts_of_block(context, block).weighed()
}

/// What the cost of a block as it is is made of.
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

/// Words of registers a value needs; what fills a slot needs none, a part none beside the whole.
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

/// The most words that values need at once which the line makes, and those that it reads.
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
    // A part that stays keeps the whole.
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

/// The register that a part is in.
fn whole(context: &Context, value: Value, now: &dyn Fn(Value) -> Value) -> Value {
    let op = value.defining_op(context);
    match op.and_then(|op| Extract::of(context, op)) {
        Some(extract) => now(extract.whole(context)),
        None => value,
    }
}
