//! Writes an assignment into the function: types with registers, copies, and names for what moved.

mod copies;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{
    Attribute, Block, Builder, Context, InsertionPoint, Location, Operation, OperationName,
    OperationState, Type, Use, Value, ValueOwner, walk,
};
use orison_ori::analyses::RegisterClass;
use orison_ori::operations::moves::{Cbank, Concat, Extract, Imm, Undef};
use orison_ori::operations::structure::Func;
use orison_ori::operations::{Ldl, Ret, SlotAddress, Stl};
use orison_ori::{MachineOperation, Physical, Register};
use rustc_hash::FxHashMap;

use crate::ori::allocate_registers::assign::{Assignment, pinned};
use crate::ori::allocate_registers::calls;
use crate::ori::allocate_registers::edges::EdgeCopies;
use crate::ori::allocate_registers::spills::{self, Spills};
use crate::ori::allocate_registers::units::{NO_PLACE, Program, TupleId, UNDEFINED, UnitId};
use crate::ori::functions::Function;
use crate::ori::surgery::{SsaRepair, Variable};

/// Writes it. Linear in the function and in the copies.
pub fn write(
    context: &mut Context,
    function: Function,
    flow: &ControlFlowGraph,
    (program, found, spills): (&Program, &Assignment, Option<&Spills>),
    edges: &[Vec<EdgeCopies>],
) {
    let in_flight = spills.map_or_else(Vec::new, |_| pinned(context, program));
    let mut writer = Writer {
        context,
        program,
        found,
        spills,
        moved: moved(program, found, edges),
        in_flight,
        at: vec![0; program.units.len()],
        parts: FxHashMap::default(),
        local: FxHashMap::default(),
        copies: FxHashMap::default(),
        definitions: FxHashMap::default(),
        pending: FxHashMap::default(),
        order: Vec::new(),
    };
    writer.set_types();
    for block in flow.reverse_post_order().iter().copied() {
        writer.block(flow, block);
        for copies in &edges[block as usize] {
            writer.edge(copies);
        }
    }
    writer.repair(flow, function);
    writer.sweep(function);
    set_signature(context, function);
    if let Some(spills) = spills.filter(|spills| spills.size() > 0) {
        spills::add_slot(context, function, spills.size());
    }
}

/// Gives the type of a function the registers of its arguments and results.
fn set_signature(context: &mut Context, function: Function) {
    let ty = Func(function.op).function_type(context);
    let results = ty
        .and_then(|ty| ty.as_function(context))
        .map(|(_, results)| results.to_vec());
    let blocks: Vec<Block> = function.body.blocks(context).collect();
    let ends = blocks.iter().filter_map(|block| block.terminator(context));
    let returned = ends.filter(|end| Ret::of(context, *end).is_some());
    let returned = returned.map(|end| end.operand_types(context)).next();
    if let (Some(results), Some(entry)) = (returned.or(results), blocks.first()) {
        let inputs = entry.argument_types(context);
        let ty = Type::function(context, &inputs, &results);
        let ty = Attribute::ty(context, ty);
        function.op.set_attribute(context, "function_type", ty);
    }
}

/// Gives the types of functions without bodies the registers of their arguments and results.
pub fn set_declared_signatures(context: &mut Context, module: Operation) {
    let all = walk::collect(context, module);
    let declared = all.into_iter().filter(|op| {
        let mut regions = op.regions(context);
        let body = regions.next();
        Func::of(context, *op).is_some() && body.is_none_or(|body| body.is_empty(context))
    });
    for op in declared.collect::<Vec<_>>() {
        let ty = Func(op).function_type(context);
        let Some((inputs, results)) = ty.and_then(|ty| ty.as_function(context)) else {
            continue;
        };
        let types = [inputs.to_vec(), results.to_vec()];
        let [inputs, results] = types.map(|types| in_places(context, &types));
        let ty = Type::function(context, &inputs, &results);
        let ty = Attribute::ty(context, ty);
        op.set_attribute(context, "function_type", ty);
    }
}

/// The types of arguments or results in the registers that calls have them in.
fn in_places(context: &mut Context, types: &[Type]) -> Vec<Type> {
    let registers: Vec<_> = types.iter().map(|ty| Register::of(context, *ty)).collect();
    let places = calls::places(registers.iter().copied());
    let all = types.iter().zip(registers).zip(places);
    all.map(|((ty, register), place)| match (register, place) {
        (Some(register), Some(index)) => Physical { register, index }.ty(context),
        _ => *ty,
    })
    .collect()
}

/// The units that have several names: they move, or an edge copies them.
fn moved(program: &Program, found: &Assignment, edges: &[Vec<EdgeCopies>]) -> Vec<bool> {
    let mut moved = vec![false; program.units.len()];
    for transfer in found.transfers.values().flat_map(|found| &found.list) {
        if !transfer.stays {
            moved[transfer.unit as usize] = true;
        }
    }
    for (unit, _) in found.back.values().flatten() {
        moved[*unit as usize] = true;
    }
    for found in &program.instructions {
        for (tuple, _) in &found.renamed {
            program
                .members(*tuple)
                .iter()
                .for_each(|unit| moved[*unit as usize] = true);
        }
    }
    for copy in edges.iter().flatten().flat_map(|edge| &edge.copies) {
        if copy.argument.is_none() {
            moved[copy.unit as usize] = true;
        }
    }
    moved
}

struct Writer<'a> {
    context: &'a mut Context,
    program: &'a Program,
    found: &'a Assignment,
    spills: Option<&'a Spills>,
    moved: Vec<bool>,
    /// The register of each unit.
    at: Vec<u8>,
    /// Parts of values: by value, first word and number of words.
    parts: FxHashMap<(Value, u32, u32), Value>,
    /// Units of which an asynchronous instruction writes the registers later; empty without spills.
    in_flight: Vec<bool>,
    /// The names of units that moved, in this block.
    local: FxHashMap<UnitId, Value>,
    /// The copies for an instruction: by unit and register.
    copies: FxHashMap<(UnitId, u8), Value>,
    /// The last name of units that moved in the blocks that define one.
    definitions: FxHashMap<UnitId, FxHashMap<Block, Value>>,
    /// The uses of units that moved, for which it is not known yet which name reaches them.
    pending: FxHashMap<UnitId, Vec<Use>>,
    /// The units of `definitions`, in the order of their first definition.
    order: Vec<UnitId>,
}

impl Writer<'_> {
    /// Gives the types of all results and arguments their registers.
    fn set_types(&mut self) {
        let program = self.program;
        let made = program.instructions.iter().map(|found| found.defs.clone());
        let arguments = program.blocks.iter().map(|block| block.arguments.clone());
        for tuple in made.chain(arguments).flatten() {
            if let Some(unit) = program.members(tuple).first() {
                self.set_type(program.units[*unit as usize].value, tuple);
            }
        }
        for (tuple, result) in program.instructions.iter().flat_map(|found| &found.renamed) {
            self.set_type(*result, *tuple);
        }
    }

    fn set_type(&mut self, value: Value, tuple: TupleId) {
        let register = Register::of(self.context, value.ty(self.context));
        if let (Some(index), Some(register)) = (self.found.tuples[tuple as usize], register) {
            let ty = Physical { register, index }.ty(self.context);
            value.set_type(self.context, ty);
        }
    }

    fn block(&mut self, flow: &ControlFlowGraph, block: u32) {
        let program = self.program;
        self.local.clear();
        for (unit, register) in &self.found.starts[block as usize] {
            self.at[*unit as usize] = *register;
        }
        for tuple in program.blocks[block as usize].arguments.clone() {
            self.define(tuple, flow.block(block));
            self.keep(tuple);
        }
        for at in program.blocks[block as usize].instructions.clone() {
            let instruction = &program.instructions[at as usize];
            self.copies.clear();
            self.bring_back(at, instruction.op, flow.block(block));
            let before: Vec<Former> = match self.found.transfers.get(&at) {
                Some(transfers) => self.transfer(transfers, instruction.op, flow.block(block)),
                None => Vec::new(),
            };
            for tuple in instruction.uses.clone() {
                self.operand(tuple, instruction.op, &before);
            }
            for tuple in instruction.defs.clone() {
                self.define(tuple, flow.block(block));
                self.keep(tuple);
            }
            for (tuple, result) in &instruction.renamed {
                for (unit, word) in program.members(*tuple).iter().zip(0..) {
                    let name = self.part(*result, word, 1);
                    self.rename(*unit, name, flow.block(block));
                    self.keep_unit(*unit, name);
                }
            }
        }
    }

    /// Notes the names of a result or an argument.
    fn define(&mut self, tuple: TupleId, block: Block) {
        let Some(first) = self.found.tuples[tuple as usize] else {
            return;
        };
        let program = self.program;
        for (unit, register) in program.members(tuple).iter().zip(first..) {
            self.at[*unit as usize] = register;
            if self.moved[*unit as usize] {
                let found = program.units[*unit as usize];
                let name = self.part(found.value, found.part, 1);
                self.rename(*unit, name, block);
            }
        }
    }

    /// Stores the units of a result or an argument that come back later. Those in flight are stored behind the
    /// waits that complete them.
    fn keep(&mut self, tuple: TupleId) {
        for unit in self.program.members(tuple) {
            if self.spills.is_some() && !self.in_flight[*unit as usize] {
                let found = self.program.units[*unit as usize];
                let part = self.part(found.value, found.part, 1);
                self.keep_unit(*unit, part);
            }
        }
    }

    /// Stores a unit that comes back later, behind the definition of its name.
    fn keep_unit(&mut self, unit: UnitId, name: Value) {
        let place = self.spills.and_then(|spills| spills.places.get(&unit));
        let Some(place) = place else { return };
        let (point, location) = behind(self.context, name);
        let slot = self.slot(point, location);
        let store = MachineOperation::new(Stl::NAME)
            .operand("base", slot)
            .operand("value", name);
        let store = store.number(self.context, "offset", *place);
        store.build(&mut Builder::at(self.context, point), location);
    }

    /// The address of the slot of spilled units: the stack pointer and a constant.
    fn slot(&mut self, point: InsertionPoint, location: Location) -> Value {
        let name = OperationName::new(self.context, SlotAddress::NAME);
        let mut state = OperationState::new(name, location);
        let slot = Attribute::string(self.context, spills::SLOT);
        state.set_property(self.context, "slot", slot);
        let ty = Register::R.ty(self.context);
        state.result_types.push(ty);
        let op = Builder::at(self.context, point).create(&state);
        op.result(self.context, 0)
    }

    /// Brings units back in front of an instruction.
    fn bring_back(&mut self, at: u32, op: Operation, block: Block) {
        let Some(spills) = self.spills else { return };
        for (unit, index) in self.found.back.get(&at).into_iter().flatten() {
            let location = op.location(self.context);
            let point = InsertionPoint::Before(op);
            let made = match spills.places.get(unit) {
                Some(place) => {
                    let slot = self.slot(point, location);
                    let load = MachineOperation::new(Ldl::NAME).operand("base", slot);
                    load.number(self.context, "offset", *place)
                        .result(Register::R)
                }
                None => match spills::copy_of(self.context, self.program, *unit) {
                    Some(copy) => copy,
                    None => continue,
                },
            };
            let made = made.build(&mut Builder::at(self.context, point), location);
            let register = Register::R;
            let ty = Physical {
                register,
                index: *index,
            }
            .ty(self.context);
            let name = made.result(self.context, 0);
            name.set_type(self.context, ty);
            self.rename(*unit, name, block);
            self.at[*unit as usize] = *index;
        }
    }

    fn rename(&mut self, unit: UnitId, name: Value, block: Block) {
        self.local.insert(unit, name);
        let order = &mut self.order;
        let names = self.definitions.entry(unit).or_insert_with(|| {
            order.push(unit);
            FxHashMap::default()
        });
        names.insert(block, name);
    }

    /// A part of a value, taken where the value is defined; the value itself if it is all of it.
    fn part(&mut self, value: Value, word: u32, count: u32) -> Value {
        let Some(Physical { register, index }) = Physical::of(self.context, value.ty(self.context))
        else {
            return value;
        };
        let (class, all) = RegisterClass::of(register);
        if all == count {
            return value;
        }
        if let Some(part) = self.parts.get(&(value, word, count)) {
            return *part;
        }
        let register = register_of(class, count);
        let index = index + u8::try_from(word).unwrap_or(0);
        let name = OperationName::new(self.context, Extract::NAME);
        let (point, location) = behind(self.context, value);
        let mut state = OperationState::new(name, location);
        state.operands.push(value);
        let number = Attribute::i32(self.context, i32::try_from(word).unwrap_or(0));
        state.set_property(self.context, "word", number);
        state
            .result_types
            .push(Physical { register, index }.ty(self.context));
        let op = Builder::at(self.context, point).create(&state);
        let part = op.result(self.context, 0);
        self.parts.insert((value, word, count), part);
        part
    }

    /// The name of a unit here, and whether it must be looked for.
    fn name(&mut self, unit: UnitId) -> (Value, bool) {
        let found = self.program.units[unit as usize];
        match self.local.get(&unit) {
            Some(name) => (*name, false),
            None if self.moved[unit as usize] => (found.value, true),
            None => (self.part(found.value, found.part, 1), false),
        }
    }

    /// Sets an operand to a unit.
    fn set(&mut self, op: Operation, operand: usize, unit: UnitId) {
        let (value, is_pending) = self.name(unit);
        op.set_operand(self.context, operand, value);
        if is_pending {
            self.wait(op, operand, unit);
        }
    }

    fn wait(&mut self, op: Operation, operand: usize, unit: UnitId) {
        let usage = Use { owner: op, operand };
        self.pending.entry(unit).or_default().push(usage);
    }

    /// Sets an operand of an instruction to the units of a tuple. `before` has the names of the units that
    /// moved away, for what the instruction reads where it was.
    fn operand(&mut self, tuple: TupleId, op: Operation, before: &[Former]) {
        let program = self.program;
        let found = &program.tuples[tuple as usize];
        let members = program.members(tuple);
        if found.place == NO_PLACE {
            return;
        }
        let operand = found.place as usize;
        let value = op.operand(self.context, operand);
        let Some(register) = Register::of(self.context, value.ty(self.context)) else {
            return;
        };
        let Some(first) = self.found.tuples[tuple as usize] else {
            return;
        };
        let mut pieces = Vec::with_capacity(members.len());
        for (unit, at) in members.iter().zip(first..) {
            let earlier = before
                .iter()
                .find(|former| former.unit == *unit && former.register == at);
            pieces.push(match (self.copies.get(&(*unit, at)), earlier) {
                (Some(copy), _) => Piece::Value(*copy),
                (None, Some(former)) if self.at.get(*unit as usize) != Some(&at) => {
                    Piece::Former(former.name, former.unit)
                }
                _ => Piece::Unit(*unit),
            });
        }
        self.put(
            op,
            operand,
            &pieces,
            Physical {
                register,
                index: first,
            },
        );
    }

    /// Sets an operand to a value of a physical register.
    fn put(&mut self, op: Operation, operand: usize, pieces: &[Piece], physical: Physical) {
        let whole = self.whole(pieces);
        if let Some(value) = whole
            && Register::of(self.context, value.ty(self.context)) == Some(physical.register)
        {
            return op.set_operand(self.context, operand, value);
        }
        if let ([piece], None) = (pieces, whole) {
            match *piece {
                Piece::Unit(unit) if unit != UNDEFINED => self.set(op, operand, unit),
                Piece::Value(value) => op.set_operand(self.context, operand, value),
                Piece::Former((value, is_pending), unit) => {
                    op.set_operand(self.context, operand, value);
                    if is_pending {
                        self.wait(op, operand, unit);
                    }
                }
                Piece::Unit(_) => {
                    let value = self.undefined(op, physical);
                    op.set_operand(self.context, operand, value);
                }
            }
            return;
        }
        let (class, _) = RegisterClass::of(physical.register);
        let name = OperationName::new(self.context, Concat::NAME);
        let mut state = OperationState::new(name, op.location(self.context));
        let mut waiting = Vec::new();
        // Four registers and an accumulator of four are different types.
        state.operands.extend(whole);
        let pieces = if whole.is_some() { &[] } else { pieces };
        for ((piece, index), place) in pieces.iter().zip(physical.index..).zip(0..) {
            state.operands.push(match *piece {
                Piece::Unit(UNDEFINED) => {
                    let register = register_of(class, 1);
                    self.undefined(op, Physical { register, index })
                }
                Piece::Unit(unit) => {
                    let (value, is_pending) = self.name(unit);
                    if is_pending {
                        waiting.push((place, unit));
                    }
                    value
                }
                Piece::Former((value, is_pending), unit) => {
                    if is_pending {
                        waiting.push((place, unit));
                    }
                    value
                }
                Piece::Value(value) => value,
            });
        }
        state.result_types.push(physical.ty(self.context));
        let concat = Builder::at(self.context, InsertionPoint::Before(op)).create(&state);
        for (place, unit) in waiting {
            self.wait(concat, place, unit);
        }
        let whole = concat.result(self.context, 0);
        op.set_operand(self.context, operand, whole);
    }

    /// A value that consists of the pieces as they lie, if there is one.
    fn whole(&mut self, pieces: &[Piece]) -> Option<Value> {
        let Piece::Unit(first) = *pieces.first()? else {
            return None;
        };
        let first = *self.program.units.get(first as usize)?;
        let together = pieces
            .iter()
            .zip(first.part..)
            .all(|(piece, part)| match *piece {
                Piece::Unit(unit) if unit != UNDEFINED && !self.moved[unit as usize] => {
                    let unit = self.program.units[unit as usize];
                    unit.value == first.value && unit.part == part
                }
                _ => false,
            });
        let count = u32::try_from(pieces.len()).ok()?;
        let register = Register::of(self.context, first.value.ty(self.context))?;
        let is_value = RegisterClass::of(register).1 == count;
        (together && (is_value || count > 1)).then(|| self.part(first.value, first.part, count))
    }

    fn undefined(&mut self, op: Operation, physical: Physical) -> Value {
        let name = OperationName::new(self.context, Undef::NAME);
        let mut state = OperationState::new(name, op.location(self.context));
        state.result_types.push(physical.ty(self.context));
        let op = Builder::at(self.context, InsertionPoint::Before(op)).create(&state);
        op.result(self.context, 0)
    }

    /// Gives the uses of units that moved the names that reach them.
    fn repair(&mut self, old: &ControlFlowGraph, function: Function) {
        if self.order.is_empty() {
            return;
        }
        let flow = ControlFlowGraph::of(self.context, function.body);
        let mut starts: FxHashMap<UnitId, Vec<(Block, u8)>> = FxHashMap::default();
        for (number, list) in (0..).zip(&self.found.starts) {
            for (unit, register) in list.iter().filter(|(unit, _)| self.moved[*unit as usize]) {
                starts
                    .entry(*unit)
                    .or_default()
                    .push((old.block(number), *register));
            }
        }
        let mut repair = SsaRepair::new(&flow);
        for unit in std::mem::take(&mut self.order) {
            let Some(uses) = self.pending.remove(&unit) else {
                continue;
            };
            let names = self.definitions.remove(&unit).unwrap_or_default();
            let Some(some) = names.values().next().copied() else {
                continue;
            };
            let mut variable = Variable::like(self.context, some);
            let numbered = names
                .iter()
                .filter_map(|(block, value)| Some((flow.number(*block)?, *value)));
            variable.definitions = numbered.collect();
            let register = register_of(self.program.units[unit as usize].class, 1);
            variable.ty = register.ty(self.context);
            repair.repair(self.context, &variable, &uses);
            for (block, index) in starts.get(&unit).into_iter().flatten() {
                let last = block.arguments(self.context).last();
                if let Some(argument) = last.filter(|last| last.ty(self.context) == variable.ty) {
                    let ty = Physical {
                        register,
                        index: *index,
                    }
                    .ty(self.context);
                    argument.set_type(self.context, ty);
                }
            }
        }
        repair.finish(self.context);
    }

    /// Erases the old names of parts and wholes: users before what they use, which blocks in the order of the text need
    /// not be.
    fn sweep(&mut self, function: Function) {
        let flow = ControlFlowGraph::of(self.context, function.body);
        let blocks = (0..).take(flow.block_count());
        let unreached = blocks.filter(|block| !flow.is_reachable(*block));
        let reached = flow.reverse_post_order().iter().copied();
        for block in unreached.chain(reached.rev()) {
            for op in flow.block(block).body(self.context).into_iter().rev() {
                let is_name = [
                    Concat::NAME,
                    Extract::NAME,
                    Undef::NAME,
                    Imm::NAME,
                    Cbank::NAME,
                ];
                let is_name = is_name.iter().any(|name| op.is(self.context, name));
                if is_name && op.is_unused(self.context) {
                    op.erase(self.context);
                }
            }
        }
    }
}

/// A register of an operand.
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// The unit as it is.
    Unit(UnitId),
    /// The unit as it was before it moved: its name, and whether that must be looked for.
    Former((Value, bool), UnitId),
    /// A copy for this purpose.
    Value(Value),
}

/// What a unit was before it moved.
#[derive(Clone, Copy, Debug)]
struct Former {
    unit: UnitId,
    /// Its name, and whether that must be looked for.
    name: (Value, bool),
    register: u8,
}

/// The register type of a class and a number of registers.
fn register_of(class: RegisterClass, count: u32) -> Register {
    match (class, count) {
        (RegisterClass::General, count) => Register::general(count),
        (RegisterClass::Uniform, 1) => Register::Ur,
        (RegisterClass::Uniform, _) => Register::Ur64,
        (RegisterClass::Predicate, _) => Register::P,
        (RegisterClass::UniformPredicate, _) => Register::Up,
        (RegisterClass::Barrier, _) => Register::B,
    }
}

/// The place behind the definition of a value.
fn behind(context: &Context, value: Value) -> (InsertionPoint, Location) {
    match value.owner(context) {
        ValueOwner::Result(op, _) => {
            let location = op.location(context);
            match op.next(context) {
                Some(next) => (InsertionPoint::Before(next), location),
                None => (InsertionPoint::Before(op), location),
            }
        }
        ValueOwner::Argument(block, position) => {
            let first = block.first_op(context);
            let point = first.map_or(InsertionPoint::End(block), InsertionPoint::Before);
            (point, block.argument_location(context, position))
        }
    }
}
