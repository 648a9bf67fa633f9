//! How many registers of each class are needed at a time.
//!
//! Words of constant banks and immediates fill operand slots and need none. What is put together from
//! parts, or taken apart, is counted beside its parts while both live: an upper bound, since
//! allocation seats them in the same registers where it can.

use orison_ir::analyses::{ControlFlowGraph, Liveness};
use orison_ir::pass::{Analysis, AnalysisManager};
use orison_ir::{Context, Operation, Value};
use rustc_hash::FxHashSet;

use crate::Register;
use crate::operations::moves::{Cbank, Imm, Undef};

/// A register file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RegisterClass {
    /// General registers, 32 bits each; accumulators are among them.
    General,
    /// Uniform registers, 32 bits each.
    Uniform,
    /// Predicates.
    Predicate,
    /// Uniform predicates.
    UniformPredicate,
    /// Convergence barriers.
    Barrier,
}

impl RegisterClass {
    /// All, in the order in which they are shown.
    pub const ALL: [RegisterClass; 5] = [
        RegisterClass::General,
        RegisterClass::Uniform,
        RegisterClass::Predicate,
        RegisterClass::UniformPredicate,
        RegisterClass::Barrier,
    ];

    /// The prefix of its registers in SASS.
    pub const fn prefix(self) -> &'static str {
        match self {
            RegisterClass::General => "R",
            RegisterClass::Uniform => "UR",
            RegisterClass::Predicate => "P",
            RegisterClass::UniformPredicate => "UP",
            RegisterClass::Barrier => "B",
        }
    }

    /// The class of a register and how many registers of the class it is.
    pub const fn of(register: Register) -> (Self, u32) {
        match register {
            Register::R => (RegisterClass::General, 1),
            Register::R64 => (RegisterClass::General, 2),
            Register::R128 => (RegisterClass::General, 4),
            Register::Accumulator(count) => (RegisterClass::General, count),
            Register::Ur => (RegisterClass::Uniform, 1),
            Register::Ur64 => (RegisterClass::Uniform, 2),
            Register::P => (RegisterClass::Predicate, 1),
            Register::Up => (RegisterClass::UniformPredicate, 1),
            Register::B => (RegisterClass::Barrier, 1),
        }
    }
}

/// Registers by class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RegisterCounts([u32; 5]);

impl RegisterCounts {
    /// How many registers of a class.
    pub const fn get(self, class: RegisterClass) -> u32 {
        self.0[class as usize]
    }

    /// The larger number of each class.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        RegisterCounts(std::array::from_fn(|class| {
            self.0[class].max(other.0[class])
        }))
    }

    /// Adds the registers of a value.
    pub fn add(&mut self, register: Register) {
        let (class, count) = RegisterClass::of(register);
        self.0[class as usize] += count;
    }

    /// Takes the registers of a value away.
    pub fn remove(&mut self, register: Register) {
        let (class, count) = RegisterClass::of(register);
        let own = &mut self.0[class as usize];
        *own = own.saturating_sub(count);
    }
}

impl std::fmt::Display for RegisterCounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, class) in RegisterClass::ALL.into_iter().enumerate() {
            let separator = if number == 0 { "" } else { " " };
            write!(f, "{separator}{}={}", class.prefix(), self.get(class))?;
        }
        Ok(())
    }
}

/// The register that a value needs; none for what fills an operand slot or may be anything.
pub fn needed(context: &Context, value: Value) -> Option<Register> {
    if let Some(op) = value.defining_op(context)
        && (Imm::of(context, op).is_some()
            || Cbank::of(context, op).is_some()
            || Undef::of(context, op).is_some())
    {
        return None;
    }
    Register::of(context, value.ty(context))
}

/// Register pressure of a function.
#[derive(Clone, Debug, Default)]
pub struct RegisterPressure {
    /// The most registers that are needed at a time, by block.
    blocks: Vec<RegisterCounts>,
}

impl RegisterPressure {
    /// Of the blocks of a flow graph. Linear in the operations and the sets of liveness.
    pub fn of(context: &Context, flow: &ControlFlowGraph, liveness: &Liveness) -> Self {
        let mut blocks = Vec::with_capacity(flow.block_count());
        for number in 0..u32::try_from(flow.block_count()).unwrap_or(u32::MAX) {
            let mut most = RegisterCounts::default();
            walk(context, flow, liveness, number, |_, counts| {
                most = most.max(counts);
            });
            blocks.push(most);
        }
        RegisterPressure { blocks }
    }

    /// The most registers of each class that are needed at a time in a block.
    pub fn block(&self, number: u32) -> RegisterCounts {
        self.blocks[number as usize]
    }

    /// The most registers of each class that are needed at a time anywhere.
    pub fn max(&self) -> RegisterCounts {
        let start = RegisterCounts::default();
        self.blocks.iter().fold(start, |most, own| most.max(*own))
    }
}

/// Tells the registers that are needed while each operation of a block is executed, from the last
/// operation to the first, and then at the beginning of the block. Results count as needed while
/// their operation is executed, also where nobody uses them; operands that are used for the last time
/// do not count beside them.
pub fn walk(
    context: &Context,
    flow: &ControlFlowGraph,
    liveness: &Liveness,
    block: u32,
    mut tell: impl FnMut(Option<Operation>, RegisterCounts),
) {
    let mut live: FxHashSet<Value> = FxHashSet::default();
    let mut counts = RegisterCounts::default();
    for value in liveness.live_out(block) {
        if let Some(register) = needed(context, value)
            && live.insert(value)
        {
            counts.add(register);
        }
    }
    let handle = flow.block(block);
    for op in handle.operations_reversed(context) {
        let mut while_executed = counts;
        for result in op.results(context) {
            let Some(register) = needed(context, result) else {
                continue;
            };
            if live.remove(&result) {
                counts.remove(register);
            } else {
                while_executed.add(register);
            }
        }
        tell(Some(op), while_executed);
        for operand in op.operands(context) {
            if let Some(register) = needed(context, operand)
                && live.insert(operand)
            {
                counts.add(register);
            }
        }
    }
    for argument in handle.arguments(context) {
        if let Some(register) = needed(context, argument)
            && live.insert(argument)
        {
            counts.add(register);
        }
    }
    tell(None, counts);
}

/// Of a function.
impl Analysis for RegisterPressure {
    const NAME: &'static str = "ori-register-pressure";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        let flow = analyses.get::<ControlFlowGraph>(context, op);
        let liveness = analyses.get::<Liveness>(context, op);
        RegisterPressure::of(context, &flow, &liveness)
    }
}
