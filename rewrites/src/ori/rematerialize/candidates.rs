//! Values that can be computed again where they are used, and what that costs.

use orison_ir::{Context, Operation, Value};
use orison_machine::Pipe;
use orison_ori::analyses::pressure::{RegisterClass, needed};
use orison_ori::analyses::properties;
use orison_ori::operations::moves::{Concat, Extract, S2r};
use orison_ori::{MachineOperation, Register, opcodes};
use rustc_hash::FxHashMap;

use super::State;
use crate::ori::allocate_registers::units::is_unit;
use crate::ori::functions::create_before;

/// The operations that compute a copy, at most.
const LONGEST: usize = 4;
/// Issue slots that a load from a constant bank counts for: others hide a part of its latency.
const LOAD: f64 = 4.0;
/// The same of a special register.
const SPECIAL: f64 = 6.0;
/// The same of a product with a wide result.
const WIDE: f64 = 2.0;

/// The copies of operations in blocks that are known.
pub(super) type Copies = FxHashMap<(Operation, u32), Operation>;

/// A value that its users can compute.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// What computes it.
    pub op: Operation,
    /// Issue slots that its copies take in an execution of the function.
    pub cost: f64,
    /// The blocks that use it, beside its own.
    blocks: Vec<UsingBlock>,
    /// The operations that use it in its own block.
    at_home: Vec<Operation>,
}

/// A block that uses a value.
#[derive(Clone, Debug)]
struct UsingBlock {
    /// Its number.
    number: u32,
    /// The operation that uses the value first, in front of which it is computed.
    anchor: Operation,
    /// The operations that read it, or what names it: the operand, and what it reads.
    uses: Vec<(Operation, usize, Value)>,
    /// The instructions that read it.
    readers: Vec<Operation>,
}

impl Candidate {
    /// The candidate that a value is; `None` if its users cannot compute it.
    pub fn of(context: &Context, state: &State, value: Value) -> Option<Self> {
        let op = value.defining_op(context)?;
        let own = cost(context, op).filter(|_| !is_uniform(context, value))?;
        let home = state.block_of(context, op)?;
        let (blocks, at_home) = using_blocks(context, state, value, home)?;
        let mut cost = 0.0;
        for block in &blocks {
            let slots = chain(context, state, op, block.number, &mut Vec::new())?;
            cost += slots * state.frequencies.block(block.number);
        }
        if at_home.is_empty() {
            cost -= own * state.frequencies.block(home);
        }
        (!blocks.is_empty()).then_some(Candidate {
            op,
            cost,
            blocks,
            at_home,
        })
    }

    /// The instructions that read it in a block.
    pub fn users(
        &self,
        context: &Context,
        state: &State,
        block: u32,
    ) -> impl Iterator<Item = Operation> {
        let is_home = state.block_of(context, self.op) == Some(block);
        let here = self
            .blocks
            .iter()
            .filter(move |found| found.number == block);
        let here = here.flat_map(|found| found.readers.iter().copied());
        let at_home = self.at_home.iter().copied().filter(move |_| is_home);
        here.chain(at_home)
    }

    /// Computes the value where it is used, also by copies that were made since it was found; returns the instructions
    /// that were copied, which stay.
    pub fn apply(
        &self,
        context: &mut Context,
        state: &State,
        known: &mut Copies,
    ) -> Vec<Operation> {
        let value = self.op.result(context, 0);
        let home = state.block_of(context, self.op);
        let blocks = home.and_then(|home| using_blocks(context, state, value, home));
        let (blocks, _) = blocks.unwrap_or_default();
        let mut copied = Vec::new();
        for block in blocks {
            let mut operations = Vec::new();
            if chain(context, state, self.op, block.number, &mut operations).is_some() {
                copied.extend(block.apply(context, &operations, known));
            }
        }
        copied
    }
}

/// The blocks that use a value, and the operations that use it in its own one.
fn using_blocks(
    context: &Context,
    state: &State,
    value: Value,
    home: u32,
) -> Option<(Vec<UsingBlock>, Vec<Operation>)> {
    let (mut blocks, mut at_home): (Vec<UsingBlock>, _) = (Vec::new(), Vec::new());
    let mut places: FxHashMap<u32, usize> = FxHashMap::default();
    let Uses { leaves, readers } = Uses::of(context, state, value, home);
    for (user, operand, read) in leaves {
        let number = state.block_of(context, user)?;
        if number == home {
            at_home.push(user);
            continue;
        }
        let place = *places.entry(number).or_insert_with(|| {
            blocks.push(UsingBlock {
                number,
                anchor: user,
                uses: Vec::new(),
                readers: Vec::new(),
            });
            blocks.len() - 1
        });
        let block = &mut blocks[place];
        block.uses.push((user, operand, read));
        if user.is_before_in_block(context, block.anchor) {
            block.anchor = user;
        }
    }
    for reader in readers {
        let place = places.get(&state.block_of(context, reader)?);
        if let Some(place) = place {
            blocks[*place].readers.push(reader);
        }
    }
    Some((blocks, at_home))
}

/// Adds what computes the result of an operation in a block to a list, operands first; returns the issue slots. `None` if
/// an operand is not there and cannot be computed.
fn chain(
    context: &Context,
    state: &State,
    op: Operation,
    block: u32,
    found: &mut Vec<Operation>,
) -> Option<f64> {
    if found.contains(&op) {
        return Some(0.0);
    }
    let mut slots = cost(context, op)?;
    for operand in op.operands(context) {
        if !is_there(context, state, operand, block) {
            slots += chain(context, state, operand.defining_op(context)?, block, found)?;
        }
    }
    found.push(op);
    let instructions = found.iter().filter(|op| !is_name(context, **op));
    (instructions.count() <= LONGEST).then_some(slots)
}

/// Whether a value needs no register, or has one at the start of a block.
fn is_there(context: &Context, state: &State, value: Value, block: u32) -> bool {
    if needed(context, value).is_none() {
        return true;
    }
    let units = state.program.units_of(value).unwrap_or_default();
    let members = &state.program.members[units.start as usize..units.end as usize];
    let ins = &state.live.ins[block as usize];
    let mut members = members.iter().filter(|unit| is_unit(**unit));
    members.all(|unit| ins.binary_search(unit).is_ok())
}

impl UsingBlock {
    /// Returns the instructions that were copied, and not there already.
    fn apply(
        &self,
        context: &mut Context,
        operations: &[Operation],
        known: &mut Copies,
    ) -> Vec<Operation> {
        let mut made: FxHashMap<Value, Value> = FxHashMap::default();
        let mut copied = Vec::new();
        for op in operations {
            let place = (*op, self.number);
            let found = known.get(&place).copied();
            let found = found.filter(|copy| copy.is_before_in_block(context, self.anchor));
            if let Some(found) = found {
                let results = op.results(context).zip(found.results(context));
                made.extend(results.collect::<Vec<_>>());
            } else if let Some(copy) = copy(context, *op, self.anchor, &mut made) {
                known.insert(place, copy);
                copied.extend(Some(*op).filter(|op| !is_name(context, *op)));
            }
        }
        for (user, operand, read) in &self.uses {
            name(context, *read, self.anchor, &mut made);
            if let Some(value) = made.get(read) {
                user.set_operand(context, *operand, *value);
            }
        }
        copied
    }
}

/// Copies the tuples and parts of tuples that lead to a value, of which something is copied.
fn name(
    context: &mut Context,
    value: Value,
    anchor: Operation,
    made: &mut FxHashMap<Value, Value>,
) {
    let Some(op) = value
        .defining_op(context)
        .filter(|op| is_name(context, *op))
    else {
        return;
    };
    if made.contains_key(&value) {
        return;
    }
    for operand in op.operands(context).collect::<Vec<_>>() {
        name(context, operand, anchor, made);
    }
    if op
        .operands(context)
        .any(|operand| made.contains_key(&operand))
    {
        copy(context, op, anchor, made);
    }
}

/// Copies an operation to a place, with the copies of its operands.
fn copy(
    context: &mut Context,
    op: Operation,
    anchor: Operation,
    made: &mut FxHashMap<Value, Value>,
) -> Option<Operation> {
    let machine = MachineOperation::copy_of(context, op)?;
    let location = op.location(context);
    let copied = create_before(context, anchor, location, machine);
    for operand in 0..copied.operand_count(context) {
        if let Some(value) = made.get(&copied.operand(context, operand)) {
            copied.set_operand(context, operand, *value);
        }
    }
    let results = op.results(context).zip(copied.results(context));
    made.extend(results.collect::<Vec<_>>());
    Some(copied)
}

/// Erases an operation that nothing uses, with what only names its results. A name may have several of these as its
/// operands, and one of them twice.
pub(super) fn erase_unused(context: &mut Context, op: Operation) {
    let mut found = vec![op];
    let mut next = 0;
    while let Some(op) = found.get(next).copied() {
        for result in op.results(context) {
            for usage in result.uses(context) {
                let user = usage.owner;
                if is_name(context, user) && !found.contains(&user) {
                    found.push(user);
                }
            }
        }
        next += 1;
    }
    while let Some(place) = found
        .iter()
        .rposition(|op| op.results(context).all(|result| result.is_unused(context)))
    {
        found.remove(place).erase(context);
    }
}

/// Whether an operation only names registers: tuples and their parts.
fn is_name(context: &Context, op: Operation) -> bool {
    Concat::of(context, op).is_some() || Extract::of(context, op).is_some()
}

/// The uses of a value.
#[derive(Default)]
struct Uses {
    /// The operations that read it, or what names it: the operand, and what it reads. A name outside of the block of the
    /// value that the block of the name uses is one of them, as other parts of it may be from there.
    leaves: Vec<(Operation, usize, Value)>,
    /// The instructions that read it.
    readers: Vec<Operation>,
}

impl Uses {
    fn of(context: &Context, state: &State, value: Value, home: u32) -> Self {
        let mut found = Uses::default();
        let block_of = |op: Operation| state.block_of(context, op);
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            let from = value.defining_op(context).and_then(block_of);
            for usage in value.uses(context) {
                let user = usage.owner;
                let block = block_of(user);
                let is_name = is_name(context, user);
                let is_local = block == from && block != Some(home);
                if is_name {
                    pending.extend(user.results(context));
                } else {
                    found.readers.push(user);
                }
                let is_read_there = || {
                    let mut users = user
                        .results(context)
                        .flat_map(|result| result.uses(context));
                    users.any(|usage| block_of(usage.owner) == block)
                };
                let is_leaf = !is_name || (block != Some(home) && is_read_there());
                if is_leaf && !is_local {
                    found.leaves.push((user, usage.operand, value));
                }
            }
        }
        found
    }
}

fn is_uniform(context: &Context, value: Value) -> bool {
    Register::of(context, value.ty(context)).is_some_and(Register::is_uniform)
}

/// The issue slots of an operation that can be executed again; `None` for others.
fn cost(context: &Context, op: Operation) -> Option<f64> {
    if is_name(context, op) {
        return Some(0.0);
    }
    let mut results = op.results(context);
    let first = results.next()?;
    let (class, words) = RegisterClass::of(Register::of(context, first.ty(context))?);
    let is_constant = properties::reads_constants(context, op);
    let is_small = words <= 2
        && match class {
            RegisterClass::General => true,
            RegisterClass::Uniform => is_constant,
            _ => false,
        };
    // A carry goes with the sum that needs it.
    let is_predicate = |result: Value| {
        let register = Register::of(context, result.ty(context));
        register.is_some_and(|found| RegisterClass::of(found).0 == RegisterClass::Predicate)
    };
    let is_plain = results.all(|result| result.is_unused(context) || is_predicate(result))
        && properties::guard(context, op).is_none()
        && properties::is_speculatable(context, op);
    if !is_small || !is_plain {
        return None;
    }
    if S2r::of(context, op).is_some() {
        return Some(SPECIAL);
    }
    if is_constant {
        return (op.operand_count(context) == 0).then_some(LOAD);
    }
    match opcodes::of(context, op)?.pipe {
        Pipe::Alu | Pipe::Fma => Some(1.0),
        Pipe::FmaWide => Some(WIDE),
        _ => None,
    }
}
