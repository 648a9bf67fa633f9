//! A function as register allocation sees it: instructions that read and write tuples of units.
//!
//! A unit is one register of a value: 32 bits, a predicate, a barrier. `ori.concat` and `ori.extract`
//! are no instructions: the whole and its parts are the same units, so that no copy is made where they
//! already lie in place.

use std::ops::Range;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::RegisterClass;
use orison_ori::analyses::pressure::needed;
use orison_ori::operations::moves::{Concat, Extract, Undef};
use orison_ori::{Physical, Register};
use rustc_hash::FxHashMap;

use super::calls::{self, Callees, Registers};
use super::factors::InFlight;
use crate::ori::operand_registers;

/// Index of a unit in [`Program::units`].
pub type UnitId = u32;
/// Index of a tuple in [`Program::tuples`].
pub type TupleId = u32;

/// One register of a value.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Its file.
    pub class: RegisterClass,
    /// The value that it is a part of: a result or a block argument.
    pub value: Value,
    /// The index of the register in the value.
    pub part: u32,
}

/// Units that an instruction reads or writes together, in consecutive registers.
#[derive(Clone, Debug)]
pub struct Tuple {
    /// The file.
    pub class: RegisterClass,
    /// In [`Program::members`].
    pub members: Range<u32>,
    /// The number of which the index of the first register is a multiple.
    pub alignment: u32,
    /// The index of the operand or the result.
    pub place: u32,
    /// The index of the first register, if it is given.
    pub fixed: Option<u8>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The operation.
    pub op: Operation,
    /// The tuples that it reads, in [`Program::tuples`].
    pub uses: Range<TupleId>,
    /// The tuples that it writes.
    pub defs: Range<TupleId>,
    /// Tuples that are read and written in the same registers.
    pub ties: Vec<(TupleId, TupleId)>,
    /// Tuples that are results as well: what a wait completes.
    pub renamed: Vec<(TupleId, Value)>,
    /// Units that it reads until a later wait.
    pub held: Vec<UnitId>,
    /// Units that are read until it: it is a wait.
    pub released: Vec<UnitId>,
    /// The registers that it changes besides: those of a call.
    pub changes: Option<Box<Registers>>,
}

/// What an edge passes to an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    /// A unit.
    Unit(UnitId),
    /// The part of a value that needs no register: a constant, or an undefined value.
    Constant(Value, u32),
}

/// An edge to a successor.
#[derive(Clone, Debug)]
pub struct Way {
    /// The block.
    pub to: u32,
    /// What its arguments get, unit by unit.
    pub passed: Vec<(UnitId, Passed)>,
}

/// A block.
#[derive(Clone, Debug)]
pub struct BlockOf {
    /// In [`Program::instructions`].
    pub instructions: Range<u32>,
    /// The tuples of the arguments.
    pub arguments: Range<TupleId>,
    /// The edges to successors, in their order.
    pub ways: Vec<Way>,
}

/// A function.
#[derive(Debug, Default)]
pub struct Program {
    /// All units.
    pub units: Vec<Unit>,
    /// All tuples.
    pub tuples: Vec<Tuple>,
    /// The units of tuples.
    pub members: Vec<UnitId>,
    /// All instructions, block by block.
    pub instructions: Vec<Instruction>,
    /// The blocks, numbered as in the flow graph. Blocks that are never reached are empty.
    pub blocks: Vec<BlockOf>,
    /// Parts of constants that are parts of wider values: what the members from [`CONSTANT`] on are.
    pub constants: Vec<(Value, u32)>,
    /// The units of values, in [`Self::members`].
    values: FxHashMap<Value, Range<u32>>,
}

/// The first number of constants among the members of tuples.
const CONSTANT: UnitId = 1 << 31;

/// What the part of an undefined value is in a tuple: no unit.
pub const UNDEFINED: UnitId = u32::MAX;

/// The place of a tuple that is no operand: what is read until a wait.
pub const NO_PLACE: u32 = u32::MAX;

/// Whether a member of a tuple is a unit, and not a constant or undefined.
pub fn is_unit(member: UnitId) -> bool {
    member < CONSTANT
}

impl Program {
    /// Reads a function. `ori.extract` must have no constant whole.
    pub fn of(context: &Context, flow: &ControlFlowGraph, callees: &Callees) -> Self {
        let mut program = Program::default();
        // Definitions precede uses in reverse post-order.
        let empty = BlockOf {
            instructions: 0..0,
            arguments: 0..0,
            ways: Vec::new(),
        };
        program.blocks = vec![empty; flow.block_count()];
        for block in flow.reverse_post_order().iter().copied() {
            program.read_block(context, flow, block, callees);
        }
        for block in flow.reverse_post_order().iter().copied() {
            program.read_edges(context, flow, block);
        }
        program
    }

    fn read_block(
        &mut self,
        context: &Context,
        flow: &ControlFlowGraph,
        block: u32,
        callees: &Callees,
    ) {
        let handle = flow.block(block);
        let first = self.next_tuple();
        let arguments = handle.arguments(context);
        let given = match handle.is_entry(context) {
            true => {
                calls::places(arguments.map(|argument| Register::of(context, argument.ty(context))))
            }
            false => Vec::new(),
        };
        for (argument, place) in handle.arguments(context).zip(0..) {
            self.define(
                context,
                argument,
                place,
                given.get(place as usize).copied().flatten(),
            );
        }
        let arguments = first..self.next_tuple();
        let first = len(&self.instructions);
        let mut flight = InFlight::default();
        for op in handle.operations(context) {
            let completed = flight.execute(context, op);
            self.read_op(context, (op, completed), callees);
        }
        self.blocks[block as usize].instructions = first..len(&self.instructions);
        self.blocks[block as usize].arguments = arguments;
    }

    fn read_op(
        &mut self,
        context: &Context,
        (op, completed): (Operation, Vec<Value>),
        callees: &Callees,
    ) {
        if Concat::of(context, op).is_some() {
            let operands = op.operands(context).collect::<Vec<_>>();
            let start = len(&self.members);
            for operand in operands {
                self.push_units(context, operand);
            }
            let units = start..len(&self.members);
            self.values.insert(op.result(context, 0), units);
            return;
        }
        if let Some(extract) = Extract::of(context, op) {
            let whole = self.units_of(extract.whole(context));
            let word = extract
                .word(context)
                .and_then(|word| u32::try_from(word).ok());
            let result = extract.part(context);
            let count = words(context, result);
            if let (Some(whole), Some(word)) = (whole, word)
                && word + count <= whole.end - whole.start
            {
                let units = whole.start + word..whole.start + word + count;
                self.values.insert(result, units);
            }
            return;
        }
        if Undef::of(context, op).is_some() {
            return;
        }
        let passed = (0..op.successor_count(context))
            .filter_map(|way| op.passed_operands(context, way))
            .collect::<Vec<_>>();
        let first = self.next_tuple();
        let given = calls::given_operands(context, op);
        // What shares registers with a result has a place also if it is undefined.
        let tied = operand_registers::in_place(context, op);
        for (operand, place) in op.operands(context).zip(0_u32..) {
            let is_passed = passed.iter().any(|range| range.contains(&(place as usize)));
            let given = given.get(place as usize).copied().flatten();
            let is_tied = tied.iter().any(|(operand, _)| *operand == place);
            let has_place = is_tied || given.is_some() || needed(context, operand).is_some();
            if !is_passed && has_place {
                self.use_value(context, operand, place, given);
            }
        }
        let renamed = self.renamed(context, op, &(first..self.next_tuple()));
        let released = self.released(completed);
        let uses = first..self.next_tuple();
        let first = self.next_tuple();
        let given = calls::given_results(context, op);
        for (result, place) in op.results(context).zip(0..) {
            if !renamed.iter().any(|(_, known)| *known == result) {
                self.define(
                    context,
                    result,
                    place,
                    given.get(place as usize).copied().flatten(),
                );
            }
        }
        let defs = first..self.next_tuple();
        if uses.is_empty()
            && defs.is_empty()
            && !orison_ori::analyses::properties::is_instruction(context, op)
        {
            return;
        }
        let ties = self.ties(context, op, (&uses, &defs));
        self.instructions.push(Instruction {
            op,
            uses,
            defs,
            ties,
            renamed,
            held: self.units_in(operand_registers::read_in_flight(context, op)),
            released,
            changes: callees.changed(context, op).map(Box::new),
        });
    }

    /// The results that have the units of operands.
    fn renamed(
        &mut self,
        context: &Context,
        op: Operation,
        uses: &Range<TupleId>,
    ) -> Vec<(TupleId, Value)> {
        let mut renamed = Vec::new();
        for (operand, result) in operand_registers::renamed(context, op) {
            let mut tuples = uses.clone();
            let tuple = tuples.find(|tuple| self.tuples[*tuple as usize].place == operand);
            let Some(tuple) =
                tuple.filter(|tuple| self.members(*tuple).iter().all(|unit| is_unit(*unit)))
            else {
                continue;
            };
            let result = op.result(context, result as usize);
            self.values
                .insert(result, self.tuples[tuple as usize].members.clone());
            renamed.push((tuple, result));
        }
        renamed
    }

    /// The units that are read until a wait, as tuples that it uses: they are live until then.
    fn released(&mut self, completed: Vec<Value>) -> Vec<UnitId> {
        let values = completed.into_iter();
        let mut units: Vec<UnitId> = values
            .flat_map(|value| self.units_in(Some(value)))
            .collect();
        units.sort_unstable();
        units.dedup();
        for unit in &units {
            let start = len(&self.members);
            self.members.push(*unit);
            self.tuples.push(Tuple {
                class: self.units[*unit as usize].class,
                members: start..start + 1,
                alignment: 1,
                place: NO_PLACE,
                fixed: None,
            });
        }
        units
    }

    /// The units of a value, without constants.
    fn units_in(&self, value: Option<Value>) -> Vec<UnitId> {
        let members = value.and_then(|value| self.units_of(value));
        let members = members.unwrap_or_default();
        let members = &self.members[members.start as usize..members.end as usize];
        members
            .iter()
            .copied()
            .filter(|unit| is_unit(*unit))
            .collect()
    }

    fn ties(
        &self,
        context: &Context,
        op: Operation,
        (uses, defs): (&Range<TupleId>, &Range<TupleId>),
    ) -> Vec<(TupleId, TupleId)> {
        let at = |range: &Range<TupleId>, place: u32| {
            range
                .clone()
                .find(|tuple| self.tuples[*tuple as usize].place == place)
        };
        let pairs = operand_registers::in_place(context, op).into_iter();
        pairs
            .filter_map(|(operand, result)| Some((at(uses, operand)?, at(defs, result)?)))
            .collect()
    }

    fn read_edges(&mut self, context: &Context, flow: &ControlFlowGraph, block: u32) {
        let Some(branch) = flow.block(block).terminator(context) else {
            return;
        };
        let mut ways = Vec::new();
        for (target, passed) in branch.edges(context) {
            let Some(to) = flow.number(target) else {
                continue;
            };
            let mut list = Vec::new();
            for (argument, operand) in target.arguments(context).zip(passed.into_iter().flatten()) {
                let value = branch.operand(context, operand);
                let units = self.units_of(argument).unwrap_or_default();
                let given = self.units_of(value);
                for (unit, part) in units.zip(0_u32..) {
                    let unit = self.members[unit as usize];
                    let from = given
                        .clone()
                        .map(|given| self.members[(given.start + part) as usize]);
                    let passed = match from {
                        Some(from) if is_unit(from) => Passed::Unit(from),
                        from => match from.and_then(|from| self.constant(from)) {
                            Some((value, part)) => Passed::Constant(value, part),
                            None => Passed::Constant(value, part),
                        },
                    };
                    list.push((unit, passed));
                }
            }
            ways.push(Way { to, passed: list });
        }
        self.blocks[block as usize].ways = ways;
    }

    /// Makes the units of a result or an argument.
    fn define(&mut self, context: &Context, value: Value, place: u32, given: Option<u8>) {
        let Some(register) = needed(context, value) else {
            return;
        };
        let (class, count) = RegisterClass::of(register);
        let start = len(&self.members);
        for part in 0..count {
            self.members.push(len(&self.units));
            self.units.push(Unit { class, value, part });
        }
        let members = start..len(&self.members);
        self.values.insert(value, members.clone());
        let alignment = operand_registers::alignment(register);
        let known = || Physical::of(context, value.ty(context)).map(|found| found.index);
        let fixed = given.or_else(known);
        self.tuples.push(Tuple {
            class,
            members,
            alignment,
            place,
            fixed,
        });
    }

    fn use_value(&mut self, context: &Context, value: Value, place: u32, given: Option<u8>) {
        let Some(register) = Register::of(context, value.ty(context)) else {
            return;
        };
        let members = self.units_of(value).unwrap_or_else(|| {
            // A constant in given registers.
            let start = len(&self.members);
            self.push_units(context, value);
            start..len(&self.members)
        });
        let alignment = operand_registers::alignment(register);
        let known = || Physical::of(context, value.ty(context)).map(|found| found.index);
        let fixed = given.or_else(known);
        self.tuples.push(Tuple {
            class: RegisterClass::of(register).0,
            members,
            alignment,
            place,
            fixed,
        });
    }

    /// The units of a value, in [`Self::members`]; `None` if it needs no register.
    pub fn units_of(&self, value: Value) -> Option<Range<u32>> {
        self.values.get(&value).cloned()
    }

    fn push_units(&mut self, context: &Context, value: Value) {
        match self.units_of(value) {
            Some(units) => self
                .members
                .extend_from_within(units.start as usize..units.end as usize),
            None => {
                let count = words(context, value);
                let source = value.defining_op(context);
                let is_undefined = source.is_none_or(|source| Undef::of(context, source).is_some());
                for part in 0..count {
                    self.members.push(match is_undefined {
                        true => UNDEFINED,
                        false => CONSTANT + len(&self.constants),
                    });
                    if !is_undefined {
                        self.constants.push((value, part));
                    }
                }
            }
        }
    }

    /// The units of a tuple.
    pub fn members(&self, tuple: TupleId) -> &[UnitId] {
        let Range { start, end } = self.tuples[tuple as usize].members;
        &self.members[start as usize..end as usize]
    }

    /// The constant that a member of a tuple is.
    pub fn constant(&self, member: UnitId) -> Option<(Value, u32)> {
        self.constants
            .get(member.checked_sub(CONSTANT)? as usize)
            .copied()
    }

    fn next_tuple(&self) -> TupleId {
        len(&self.tuples)
    }
}

/// The number of registers of a value.
fn words(context: &Context, value: Value) -> u32 {
    let register = Register::of(context, value.ty(context));
    register.map_or(1, |register| RegisterClass::of(register).1)
}

/// The length of a list as an index.
pub fn len<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}
