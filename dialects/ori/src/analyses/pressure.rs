//! Register pressure: the number of live registers of each class.
//!
//! Constant-bank operands and immediates fill operand slots and need no registers. A concatenation
//! or an extracted part is counted in addition to its parts while both are live: an upper bound,
//! since allocation assigns them the same registers where it can.

use orison_ir::analyses::{ControlFlowGraph, Liveness};
use orison_ir::pass::{Analysis, AnalysisManager};
use orison_ir::{Context, Operation, Value};
use rustc_hash::FxHashSet;

use crate::Register;
use crate::operations::moves::{Cbank, Imm, Undef};

/// A register class.
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
    /// All classes, in print order.
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

    /// Whether its registers belong to a warp, and not to a thread.
    pub const fn is_uniform(self) -> bool {
        matches!(
            self,
            RegisterClass::Uniform | RegisterClass::UniformPredicate
        )
    }

    /// The class of a register and the number of registers of that class.
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

/// Register counts by class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RegisterCounts([u32; 5]);

impl RegisterCounts {
    /// The number of registers of a class.
    pub const fn get(self, class: RegisterClass) -> u32 {
        self.0[class as usize]
    }

    /// The maximum of each class.
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

    /// Subtracts the registers of a value.
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

/// The register that a value needs; `None` for a value that fills an operand slot or is undefined.
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
    /// Maximum number of live registers, by block.
    blocks: Vec<RegisterCounts>,
}

impl RegisterPressure {
    /// Computes the pressure of the blocks of a flow graph. Linear in the operations and the
    /// liveness sets.
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

    /// Maximum number of live registers of each class in a block.
    pub fn block(&self, number: u32) -> RegisterCounts {
        self.blocks[number as usize]
    }

    /// Maximum number of live registers of each class in the function.
    pub fn max(&self) -> RegisterCounts {
        let start = RegisterCounts::default();
        self.blocks.iter().fold(start, |most, own| most.max(*own))
    }
}

/// Reports the live registers during each operation of a block, from the last operation to the
/// first, and then at the beginning of the block. Results count as live during their operation even
/// if unused; operands at their last use do not count in addition.
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

/// Computes the pressure of a function.
impl Analysis for RegisterPressure {
    const NAME: &'static str = "ori-register-pressure";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        let flow = analyses.get::<ControlFlowGraph>(context, op);
        let liveness = analyses.get::<Liveness>(context, op);
        RegisterPressure::of(context, &flow, &liveness)
    }
}
