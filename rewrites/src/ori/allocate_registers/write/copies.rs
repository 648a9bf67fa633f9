//! The copies: in front of instructions, and on edges.

use orison_ir::{Block, Builder, InsertionPoint, Operation, Value};
use orison_ori::analyses::RegisterClass;
use orison_ori::operations::moves::{Mov, Umov};
use orison_ori::operations::{Lop3, Plop3, Ulop3, Uplop3};
use orison_ori::{MachineOperation, Physical, Register};
use rustc_hash::FxHashMap;

use super::{Former, Piece, Writer, register_of};
use crate::ori::allocate_registers::assign::Transfers;
use crate::ori::allocate_registers::constants::{FIRST, constant_part};
use crate::ori::allocate_registers::edges::{EdgeCopies, EdgeCopy};
use crate::ori::allocate_registers::parallel_copy::{Source, Step, in_order};
use crate::ori::allocate_registers::units::{Passed, UNDEFINED, UnitId};

/// The truth table of the second of three values.
const SECOND: i32 = 0xcc;
/// The truth table of the exclusive or of the first and the second of three values.
const EXCLUSIVE_OR: i32 = 0x3c;

impl Writer<'_> {
    /// Writes the copies in front of an instruction; returns the names that units had before.
    pub(super) fn transfer(
        &mut self,
        transfers: &Transfers,
        op: Operation,
        block: Block,
    ) -> Vec<Former> {
        let mut before = Vec::new();
        for class in RegisterClass::ALL {
            let list = transfers.list.iter().filter(|found| found.class == class);
            let list: Vec<_> = list.copied().collect();
            let copies: Vec<_> = list.iter().map(|found| (found.from, found.to)).collect();
            let mut names = FxHashMap::default();
            for found in &list {
                if let Source::Register(from) = found.from {
                    let name = self.name(found.unit);
                    names.insert(from, (name, found.unit));
                }
            }
            let spare = spare(class, &transfers.spare);
            let values = self.copy(op, class, &in_order(&copies, spare), names);
            for found in &list {
                let Some(((name, _), _)) = values.get(&found.to) else {
                    continue;
                };
                if found.stays {
                    self.copies.insert((found.unit, found.to), *name);
                    continue;
                }
                let former = self.name(found.unit);
                if let Source::Register(register) = found.from {
                    before.push(Former {
                        unit: found.unit,
                        name: former,
                        register,
                    });
                }
                self.rename(found.unit, *name, block);
                self.at[found.unit as usize] = found.to;
            }
        }
        before
    }

    /// Writes copies before an operation; `names` are those of the registers, with their units if they
    /// must be looked for.
    fn copy(
        &mut self,
        op: Operation,
        class: RegisterClass,
        steps: &[Step<(Value, u32)>],
        mut names: FxHashMap<u8, ((Value, bool), UnitId)>,
    ) -> FxHashMap<u8, ((Value, bool), UnitId)> {
        for step in steps {
            match *step {
                Step::Move { from, to } => {
                    let Some(((value, is_pending), unit)) = names.get(&from).copied() else {
                        continue;
                    };
                    let moving = self.moving(op, class, &[value]);
                    let made = self.machine(op, moving, &[to], class);
                    if is_pending {
                        self.wait(made, 0, unit);
                    }
                    names.insert(to, ((made.result(self.context, 0), false), unit));
                }
                Step::Set { to, value } => {
                    let value = self.constant(op, class, value, to);
                    let made = match value {
                        Ok(undefined) => undefined,
                        Err(value) => {
                            let moving = self.moving(op, class, &[value]);
                            self.machine(op, moving, &[to], class)
                                .result(self.context, 0)
                        }
                    };
                    names.insert(to, ((made, false), UNDEFINED));
                }
                Step::Swap(one, two) => self.swap(op, class, (one, two), &mut names),
            }
        }
        names
    }

    /// Exchanges two registers: predicates by one instruction, words by three exclusive ors.
    fn swap(
        &mut self,
        op: Operation,
        class: RegisterClass,
        (one, two): (u8, u8),
        names: &mut FxHashMap<u8, ((Value, bool), UnitId)>,
    ) {
        let (Some(first), Some(second)) = (names.get(&one).copied(), names.get(&two).copied())
        else {
            return;
        };
        let wait = |writer: &mut Self, made: Operation| {
            for (place, ((_, is_pending), unit)) in [(0, first), (1, second)] {
                if is_pending {
                    writer.wait(made, place, unit);
                }
            }
        };
        let values = [first.0.0, second.0.0];
        if matches!(
            class,
            RegisterClass::Predicate | RegisterClass::UniformPredicate
        ) {
            let moving = self.moving(op, class, &values);
            let made = self.machine(op, moving, &[one, two], class);
            wait(self, made);
            let results = [0, 1].map(|number| made.result(self.context, number));
            names.insert(one, ((results[0], false), second.1));
            names.insert(two, ((results[1], false), first.1));
            return;
        }
        let zero = self.immediate(op, register_of(class, 1), 0);
        let name = if class == RegisterClass::Uniform {
            Ulop3::NAME
        } else {
            Lop3::NAME
        };
        let exclusive = |writer: &mut Self, a: Value, b: Value, to: u8| {
            let operation = MachineOperation::new(name).operand("a", a).operand("b", b);
            let operation =
                operation
                    .operand("c", zero)
                    .number(writer.context, "lut", EXCLUSIVE_OR);
            writer.machine(op, operation, &[to], class)
        };
        let both = exclusive(self, values[0], values[1], one);
        wait(self, both);
        let both = both.result(self.context, 0);
        let old_first = exclusive(self, both, values[1], two);
        if second.0.1 {
            self.wait(old_first, 1, second.1);
        }
        let old_first = old_first.result(self.context, 0);
        let old_second = exclusive(self, both, old_first, one).result(self.context, 0);
        names.insert(one, ((old_second, false), second.1));
        names.insert(two, ((old_first, false), first.1));
    }

    /// Creates an operation before another one, with results in registers.
    fn machine(
        &mut self,
        op: Operation,
        operation: MachineOperation,
        registers: &[u8],
        class: RegisterClass,
    ) -> Operation {
        let register = register_of(class, 1);
        let operation = registers
            .iter()
            .fold(operation, |operation, _| operation.result(register));
        let location = op.location(self.context);
        let mut builder = Builder::at(self.context, InsertionPoint::Before(op));
        let made = operation.build(&mut builder, location);
        for (number, index) in registers.iter().enumerate() {
            let ty = Physical {
                register,
                index: *index,
            }
            .ty(self.context);
            made.result(self.context, number).set_type(self.context, ty);
        }
        made
    }

    fn immediate(&mut self, op: Operation, register: Register, number: i64) -> Value {
        crate::ori::functions::immediate_before(self.context, op, register, number)
    }

    /// A copy of one value, or the exchange of two predicates.
    fn moving(
        &mut self,
        op: Operation,
        class: RegisterClass,
        values: &[Value],
    ) -> MachineOperation {
        let name = match class {
            RegisterClass::Uniform => Umov::NAME,
            RegisterClass::Predicate => Plop3::NAME,
            RegisterClass::UniformPredicate => Uplop3::NAME,
            _ => Mov::NAME,
        };
        let made = MachineOperation::new(name).operand("a", values[0]);
        if !matches!(
            class,
            RegisterClass::Predicate | RegisterClass::UniformPredicate
        ) {
            return made;
        }
        let always = self.immediate(op, register_of(class, 1), 1);
        let made = made
            .operand("b", *values.get(1).unwrap_or(&always))
            .operand("c", always);
        match values.len() {
            1 => made.number(self.context, "lut", FIRST),
            _ => {
                let made = made.number(self.context, "lut", SECOND);
                made.number(self.context, "second_lut", FIRST)
            }
        }
    }

    /// A part of a constant, for a copy; as `Ok` a value in the register itself, if it is undefined.
    fn constant(
        &mut self,
        op: Operation,
        class: RegisterClass,
        (value, part): (Value, u32),
        to: u8,
    ) -> Result<Value, Value> {
        let register = register_of(class, 1);
        if let Some(constant) = constant_part(self.context, op, value, part) {
            return Err(constant);
        }
        Ok(self.undefined(
            op,
            Physical {
                register,
                index: to,
            },
        ))
    }

    /// Writes the copies of an edge and what it passes.
    pub(super) fn edge(&mut self, edge: &EdgeCopies) {
        let (branch, _) = edge.branch;
        // Names in a block on the edge are its own: the block in front has other ways.
        let saved = edge.is_split.then(|| self.local.clone());
        let mut arguments: FxHashMap<UnitId, Value> = FxHashMap::default();
        // A unit that goes on living elsewhere may be passed from where it was.
        let mut former = FxHashMap::default();
        for class in RegisterClass::ALL {
            let list: Vec<&EdgeCopy> = edge
                .copies
                .iter()
                .filter(|copy| copy.class == class)
                .collect();
            let mut names = FxHashMap::default();
            for copy in &list {
                if let Source::Register(from) = copy.from {
                    let name = self.name(copy.unit);
                    names.insert(from, (name, copy.unit));
                }
            }
            let sources: Vec<_> = list.iter().map(|copy| (copy.from, copy.to)).collect();
            let spare = spare(class, &edge.spare);
            let values = self.copy(branch, class, &in_order(&sources, spare), names);
            for copy in list {
                let Some(((value, _), _)) = values.get(&copy.to) else {
                    continue;
                };
                match copy.argument {
                    Some(argument) => {
                        arguments.insert(argument, *value);
                    }
                    None => {
                        former.insert(copy.unit, self.name(copy.unit));
                        self.rename(copy.unit, *value, edge.block);
                    }
                }
            }
        }
        self.pass(edge, &arguments, &former);
        if let Some(saved) = saved {
            self.local = saved;
        }
    }

    /// Sets what an edge passes.
    fn pass(
        &mut self,
        edge: &EdgeCopies,
        copied: &FxHashMap<UnitId, Value>,
        former: &FxHashMap<UnitId, (Value, bool)>,
    ) {
        let program = self.program;
        let (branch, way) = edge.branch;
        let Some(operands) = branch.passed_operands(self.context, way) else {
            return;
        };
        for tuple in program.blocks[edge.to as usize].arguments.clone() {
            let found = &program.tuples[tuple as usize];
            let members = program.members(tuple);
            let argument = program.units[members[0] as usize].value;
            let Some(physical) = Physical::of(self.context, argument.ty(self.context)) else {
                continue;
            };
            let piece = |unit: &UnitId| match (copied.get(unit), edge.passed.get(unit)) {
                (Some(value), _) => Piece::Value(*value),
                (None, Some(Passed::Unit(from))) if edge.is_in_place(*unit) => {
                    match former.get(from) {
                        Some(name) => Piece::Former(*name, *from),
                        None => Piece::Unit(*from),
                    }
                }
                _ => Piece::Unit(UNDEFINED),
            };
            let pieces: Vec<Piece> = members.iter().map(piece).collect();
            let operand = operands.start + found.place as usize;
            self.put(branch, operand, &pieces, physical);
        }
    }
}

/// The spare register for cycles of copies; one instruction exchanges two predicates without any.
fn spare(class: RegisterClass, free: &[Option<u8>; 5]) -> Option<u8> {
    let is_word = matches!(class, RegisterClass::General | RegisterClass::Uniform);
    free[class as usize].filter(|_| is_word)
}
