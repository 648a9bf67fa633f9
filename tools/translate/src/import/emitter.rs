//! Emission of operations: operands as values, values as registers, the guard.

use orison_ir::{
    Attribute, Builder, Context, Identifier, Location, LocationKind, Operation, OperationName,
    OperationState, Value,
};
use orison_ori::modifiers::Modifier;
use orison_ori::operations as ori;
use orison_ori::operations::control::Call;
use orison_ori::operations::moves::{AddressOf, Cbank, Concat, Extract, Imm, S2r};
use orison_ori::operations::stack::SlotAddress;
use orison_ori::{MachineOperation, Register};

use super::registers::{Memory, Registers};
use super::routines::Routine;
use super::symbols::Symbols;
use crate::ptx::ast::Expression;

const R: Register = Register::R;

/// Emits the operations of one function.
pub(super) struct Emitter<'e, 'a> {
    pub builder: Builder<'e>,
    pub location: Location,
    /// The location of the instruction in the PTX.
    pub place: Location,
    pub registers: &'e Registers<'a>,
    /// The index of the scope of the instruction.
    pub scope: usize,
    pub symbols: &'e Symbols<'a>,
    /// Whether the function is a kernel.
    pub is_kernel: bool,
    /// Offsets of the kernel's parameters in the bank, by name.
    pub parameters: &'e [(&'a str, i32)],
    /// The current value of each register, by index.
    pub values: Vec<Option<Value>>,
    /// The entries of `values` that the instruction replaced, for rollback.
    pub replaced: Vec<(usize, Option<Value>)>,
    /// The registers written since the start of the block.
    pub touched: Vec<usize>,
    /// The predicate of the instruction, and whether it is inverted.
    pub guard: Option<(Value, bool)>,
    /// Whether the operation that produces the result carries the guard itself.
    pub guarded: bool,
    /// The carry flag of the last `add.cc` or similar, and whether it is inverted.
    pub carry: Option<(Value, bool)>,
    /// Destinations of asynchronous operations: the registers of `wgmma.mma_async` and
    /// `tcgen05.ld`, which are complete after a wait.
    pub unfinished: &'e [(&'a str, Vec<&'a str>)],
    /// Whether locations name the registers that operations write, and copies of registers are
    /// operations.
    pub names: bool,
}

/// An address: a register and an offset in bytes.
#[derive(Clone, Copy)]
pub(super) struct Address {
    pub base: Option<Value>,
    pub offset: i32,
}

const INVERTED: &[Modifier] = &[Modifier::Invert];

impl<'a> Emitter<'_, 'a> {
    /// The context.
    pub fn context(&mut self) -> &mut Context {
        self.builder.context()
    }

    /// The number of the target, 90 for `sm_90a`.
    pub fn sm(&self) -> u16 {
        self.symbols.sm
    }

    /// Builds an operation; returns all its results.
    pub fn emit_all(&mut self, op: MachineOperation) -> Vec<Value> {
        let op = op.build(&mut self.builder, self.location);
        op.results(self.builder.ir()).collect()
    }

    /// Builds an operation with one result; returns it.
    pub fn emit(&mut self, op: MachineOperation) -> Value {
        let op = op.build(&mut self.builder, self.location);
        op.result(self.builder.ir(), 0)
    }

    fn value_of(&self, name: &str) -> Option<Value> {
        self.values[self.registers.known(self.scope, name)?]
    }

    /// The register type of an operand, if it is a register.
    pub fn kind(&self, operand: &Expression<'a>) -> Option<Register> {
        match operand {
            Expression::Name(name) => self.registers.kind(self.scope, name),
            _ => None,
        }
    }

    /// Whether an operand is a register of 16 bits.
    pub fn is_half(&self, operand: &Expression<'a>) -> bool {
        match operand {
            Expression::Name(name) => self.registers.is_half(self.scope, name),
            _ => false,
        }
    }

    /// The value of an operand in a register of a type.
    pub fn read(&mut self, operand: &Expression<'a>, register: Register) -> Option<Value> {
        match operand {
            Expression::Name(name) if self.registers.kind(self.scope, name).is_some() => {
                (self.registers.kind(self.scope, name)? == register).then_some(())?;
                self.value_of(name)
            }
            Expression::Name(name) => self.symbol(name, register),
            Expression::Member(of, part) => match of.as_ref() {
                Expression::Name(name) if register == R => self.special(name, part),
                _ => None,
            },
            Expression::Single(bits) if register == R => {
                Some(self.immediate(i64::from(bits.cast_signed()), R))
            }
            Expression::Double(bits) if register == Register::R64 => {
                Some(self.immediate(bits.cast_signed(), register))
            }
            Expression::Binary(..) if named_offset(operand).is_some() => {
                self.address_from_symbol(operand, register)
            }
            other => {
                let value = other.as_integer()?;
                match register {
                    // The low 32 bits of a number, in any notation.
                    Register::R if (-(1 << 31)..1 << 32).contains(&value) => {
                        let low = u32::try_from(value & 0xffff_ffff).ok()?;
                        Some(self.immediate(i64::from(low.cast_signed()), R))
                    }
                    Register::P => Some(self.immediate(i64::from(value != 0), register)),
                    Register::R64 => Some(self.immediate(i64::try_from(value).ok()?, register)),
                    _ => None,
                }
            }
        }
    }

    /// A predicate operand and its modifiers.
    pub fn read_predicate(
        &mut self,
        operand: &Expression<'a>,
    ) -> Option<(Value, &'static [Modifier])> {
        match operand {
            Expression::Unary('!', inner) => Some((self.read(inner, Register::P)?, INVERTED)),
            other => Some((self.read(other, Register::P)?, &[])),
        }
    }

    /// The value of `%r`, or of `{%r1, %r2}` concatenated.
    pub fn read_parts(
        &mut self,
        operand: &Expression<'a>,
        register: Register,
        count: u32,
    ) -> Option<Value> {
        let Expression::Vector(parts) = operand else {
            return (count == 1).then(|| self.read(operand, register))?;
        };
        if u32::try_from(parts.len()) != Ok(count) {
            return None;
        }
        let part = Register::general(register.words()? / count);
        let values: Option<Vec<_>> = parts.iter().map(|each| self.read(each, part)).collect();
        Some(self.concat(&values?))
    }

    /// Writes a register, which keeps its value if the guard of the instruction is false.
    pub fn write(&mut self, destination: &Expression<'a>, value: Value) -> Option<()> {
        let Expression::Name(name) = destination else {
            return None;
        };
        if *name == "_" {
            return Some(());
        }
        let number = self.registers.known(self.scope, name)?;
        self.set(number, value)?;
        if let Some(kept) = self.values[number] {
            self.name(kept, || (*name).to_owned());
        }
        Some(())
    }

    /// Writes a register by its index; it keeps its value if the guard of the instruction is false.
    pub fn set(&mut self, number: usize, value: Value) -> Option<()> {
        let register = self.registers.kind_of(number);
        let found = value.ty(self.builder.ir());
        (Register::of(self.builder.ir(), found) == Some(register)).then_some(())?;
        let kept = match (self.guard, self.values[number]) {
            (Some((predicate, inverted)), Some(old)) if !self.guarded => {
                let modifiers = if inverted { INVERTED } else { &[] };
                self.choose(value, old, predicate, modifiers, register)?
            }
            _ => value,
        };
        let kept = if self.names && register == R && self.registers.results.contains(&number) {
            // A result is moved to its register where it is stored.
            self.emit(
                MachineOperation::new(ori::Mov::NAME)
                    .operand("a", kept)
                    .result(R),
            )
        } else {
            kept
        };
        let before = self.values[number].replace(kept);
        self.replaced.push((number, before));
        self.touched.push(number);
        Some(())
    }

    /// Names the location of the operation that computes a value after the registers it is written
    /// to, unless it has a name.
    pub fn name(&mut self, value: Value, text: impl FnOnce() -> String) {
        let Some(op) = value.defining_op(self.builder.ir()).filter(|_| self.names) else {
            return;
        };
        let child = op.location(self.builder.ir());
        if matches!(child.kind(self.builder.ir()), LocationKind::Name { .. }) {
            return;
        }
        let text = text();
        let context = self.builder.context();
        let name = Identifier::new(context, &text);
        let location = Location::new(context, LocationKind::Name { name, child });
        op.set_location(context, location);
    }

    /// Writes the parts of a value to `%r` or `{%r1, %r2}`.
    pub fn write_parts(
        &mut self,
        destination: &Expression<'a>,
        value: Value,
        count: u32,
    ) -> Option<()> {
        let Expression::Vector(parts) = destination else {
            return (count == 1).then(|| self.write(destination, value))?;
        };
        if u32::try_from(parts.len()) != Ok(count) {
            return None;
        }
        let whole = Register::of(self.builder.ir(), value.ty(self.builder.ir()))?;
        let each = whole.words()? / count;
        for (part, number) in parts.iter().zip(0..) {
            let part_value = self.part(value, number * each, Register::general(each));
            self.write(part, part_value)?;
        }
        Some(())
    }

    /// `a` if a predicate holds, else `b`.
    pub fn choose(
        &mut self,
        a: Value,
        b: Value,
        predicate: Value,
        modifiers: &[Modifier],
        register: Register,
    ) -> Option<Value> {
        if register == Register::P {
            // (p and a) or (not p and b).
            let op = MachineOperation::new(ori::Plop3::NAME).modified("a", predicate, modifiers);
            let op = op.operand("b", a).operand("c", b).result(Register::P);
            let op = op.number(self.context(), "lut", 0xca);
            return Some(self.emit(op));
        }
        let words = register.words()?;
        let mut parts = Vec::new();
        for word in 0..words {
            let (a, b) = if words == 1 {
                (a, b)
            } else {
                (self.word(a, word), self.word(b, word))
            };
            let op = MachineOperation::new(ori::Sel::NAME)
                .operand("a", a)
                .operand("b", b);
            let op = op.modified("choice", predicate, modifiers).result(R);
            parts.push(self.emit(op));
        }
        Some(self.concat(&parts))
    }

    /// A number in a register.
    pub fn immediate(&mut self, value: i64, register: Register) -> Value {
        let ty = register.ty(self.builder.context());
        let op = Imm::build(&mut self.builder, self.location, value, ty);
        op.result(self.builder.ir())
    }

    /// One or two 32-bit values of constant bank 0.
    pub fn constant(&mut self, offset: i32, register: Register) -> Option<Value> {
        let bytes = i32::try_from(4 * register.words()?).ok()?;
        (offset % bytes == 0 && (0..1 << 16).contains(&offset)).then_some(())?;
        let ty = register.ty(self.builder.context());
        let op = Cbank::build(&mut self.builder, self.location, 0, offset, ty);
        Some(op.result(self.builder.ir()))
    }

    /// A 32-bit part of a value.
    pub fn word(&mut self, value: Value, word: u32) -> Value {
        self.part(value, word, R)
    }

    /// A value as `count` parts of a type, the lowest first.
    pub fn cut(&mut self, value: Value, count: usize, register: Register) -> Vec<Value> {
        let words = register.words().unwrap_or(1);
        let count = u32::try_from(count).unwrap_or(1);
        (0..count)
            .map(|number| self.part(value, number * words, register))
            .collect()
    }

    fn part(&mut self, value: Value, word: u32, register: Register) -> Value {
        let ty = register.ty(self.builder.context());
        if value.ty(self.builder.ir()) == ty {
            return value;
        }
        let word = i32::try_from(word).unwrap_or(i32::MAX);
        let op = Extract::build(&mut self.builder, self.location, value, word, ty);
        op.part(self.builder.ir())
    }

    /// Concatenates values, the first lowest.
    pub fn concat(&mut self, parts: &[Value]) -> Value {
        if let [one] = parts {
            return *one;
        }
        let context = self.builder.ir();
        let widths = parts.iter().map(|part| part.ty(context));
        let words = widths
            .filter_map(|ty| Register::of(context, ty)?.words())
            .sum();
        let ty = Register::general(words).ty(self.builder.context());
        let op = Concat::build(&mut self.builder, self.location, parts, ty);
        op.whole(self.builder.ir())
    }

    /// `ori.shf` of `[low, amount, high]`.
    pub fn funnel(
        &mut self,
        direction: &str,
        signedness: &str,
        operands: [Value; 3],
        high: bool,
    ) -> Value {
        let [a, b, c] = operands;
        let op = MachineOperation::new(ori::Shf::NAME)
            .operand("a", a)
            .operand("b", b);
        let op = op.operand("c", c).result(R);
        let op = op.word(self.context(), "direction", direction);
        let op = op.word(self.context(), "signedness", signedness);
        self.emit(if high { op.flag("high") } else { op })
    }

    /// The sum or difference of two 64-bit pairs.
    pub fn add_wide(&mut self, a: Value, b: Value, subtract: bool) -> Value {
        let zero = self.immediate(0, R);
        let parts = [(a, 0), (a, 1), (b, 0), (b, 1)].map(|(value, word)| self.word(value, word));
        let [a_low, a_high, b_low, b_high] = parts;
        let of = |modifier| if subtract { vec![modifier] } else { Vec::new() };
        let op = MachineOperation::new(ori::Iadd3::NAME).operand("a", a_low);
        let op = op
            .modified("b", b_low, &of(Modifier::Negate))
            .operand("c", zero);
        let low = self.emit_all(op.result(R).result(Register::P));
        // The carry of the negated low half provides the one that two's complement adds.
        let op = MachineOperation::new(ori::Iadd3::NAME).operand("a", a_high);
        let op = op
            .modified("b", b_high, &of(Modifier::Invert))
            .operand("c", zero);
        let high = self.emit(op.operand("carry", low[1]).flag("extended").result(R));
        self.concat(&[low[0], high])
    }

    /// The low 64 bits of `a * b + c`.
    pub fn multiply_wide(&mut self, a: Value, b: Value, c: Value) -> Value {
        let zero = self.immediate(0, R);
        let parts = [(a, 0), (a, 1), (b, 0), (b, 1)].map(|(value, word)| self.word(value, word));
        let [a_low, a_high, b_low, b_high] = parts;
        let mut cross = zero;
        for (x, y) in [(a_low, b_high), (a_high, b_low)] {
            let op = MachineOperation::new(ori::Imad::NAME)
                .operand("a", x)
                .operand("b", y);
            cross = self.emit(op.operand("c", cross).result(R));
        }
        let op = MachineOperation::new(ori::ImadWide::NAME)
            .operand("a", a_low)
            .operand("b", b_low);
        let op = op.operand("c", c).result(Register::R64);
        let op = op.word(self.context(), "signedness", "u32");
        let product = self.emit(op);
        let (low, high) = (self.word(product, 0), self.word(product, 1));
        let op = MachineOperation::new(ori::Iadd3::NAME)
            .operand("a", high)
            .operand("b", cross);
        let high = self.emit(op.operand("c", zero).result(R));
        self.concat(&[low, high])
    }

    /// Whether an address starts with a register.
    pub fn is_by_register(&self, place: &Expression<'a>) -> bool {
        let Expression::Address(parts) = place else {
            return false;
        };
        let name = parts.first().and_then(named_offset).map(|(name, _)| name);
        name.is_some_and(|name| self.registers.kind(self.scope, name).is_some())
    }

    /// Whether an address starts with a parameter in memory.
    pub fn is_spilled(&self, place: &Expression<'a>) -> bool {
        let Expression::Address(parts) = place else {
            return false;
        };
        let name = parts.first().and_then(named_offset).map(|(name, _)| name);
        let memory = name.and_then(|name| self.registers.memory(self.scope, name));
        let mut spilled = self.registers.spilled.iter();
        matches!(memory, Some(Memory::Slot(slot)) if spilled.any(|each| each.slot == *slot))
    }

    /// The location of a kernel's parameter in constant bank 0: `[name+4]`, or `[%q+4]` with an
    /// address relative to the first parameter.
    pub fn parameter(&mut self, place: &Expression<'a>) -> Option<Address> {
        let Expression::Address(parts) = place else {
            return None;
        };
        let [part] = parts.as_slice() else {
            return None;
        };
        let (name, offset) = named_offset(part)?;
        let mut known = self.parameters.iter();
        if self.registers.kind(self.scope, name).is_none() {
            let (_, start) = known.find(|(known, _)| *known == name)?;
            let offset = start.checked_add(offset)?;
            return Some(Address { base: None, offset });
        }
        let offset = self.symbols.parameter_place()?.checked_add(offset)?;
        let known = self
            .value_of(name)
            .and_then(|value| self.known_low_word(value));
        if let Some(number) = known.and_then(|number| i32::try_from(number).ok()) {
            let offset = offset.checked_add(number)?;
            return Some(Address { base: None, offset });
        }
        let base = self.address(place, true)?.base;
        Some(Address { base, offset })
    }

    /// The constant value of a 32-bit value, or of the low half of a pair, if known.
    fn known_low_word(&self, value: Value) -> Option<i64> {
        let context = self.builder.ir();
        let op = value.defining_op(context)?;
        let low = match Concat::of(context, op) {
            Some(_) => op.operands(context).next()?,
            None => value,
        };
        orison_ori::patterns::immediate(context, low)
    }

    /// The address in `[…]`, in a 32-bit register if `narrow`.
    pub fn address(&mut self, place: &Expression<'a>, narrow: bool) -> Option<Address> {
        let Expression::Address(parts) = place else {
            return None;
        };
        let [part] = parts.as_slice() else {
            return None;
        };
        let (name, offset) = named_offset(part)?;
        if !(-(1 << 23)..1 << 23).contains(&offset) {
            return None;
        }
        let register = self.registers.kind(self.scope, name);
        let wanted = if narrow { R } else { Register::R64 };
        let base = match register {
            Some(Register::R64) if narrow => {
                let wide = self.value_of(name)?;
                self.word(wide, 0)
            }
            Some(register) if register == wanted => self.value_of(name)?,
            None => self.symbol(name, wanted)?,
            _ => return None,
        };
        Some(Address {
            base: Some(base),
            offset,
        })
    }

    /// The address of a symbol.
    fn symbol(&mut self, name: &str, register: Register) -> Option<Value> {
        if let Some(value) = self.plain_special(name) {
            return (register == R).then_some(value);
        }
        let (value, own) = match self.registers.memory(self.scope, name) {
            Some(Memory::Slot(slot)) => {
                let slot = slot.clone();
                (self.slot_address(&slot), R)
            }
            declared => {
                let name = match declared {
                    Some(Memory::Symbol(symbol)) => symbol,
                    _ => name,
                };
                let narrow = self.symbols.is_narrow(name)?;
                let own = if narrow { R } else { Register::R64 };
                let name = self.symbols.aliased(name).to_owned();
                (self.address_of(&name, own), own)
            }
        };
        match (own, register) {
            (R, Register::R64) => {
                let zero = self.immediate(0, R);
                Some(self.concat(&[value, zero]))
            }
            (own, wanted) => (own == wanted).then_some(value),
        }
    }

    /// The address at an offset from a symbol: `a+4`.
    fn address_from_symbol(
        &mut self,
        operand: &Expression<'a>,
        register: Register,
    ) -> Option<Value> {
        let (name, distance) = named_offset(operand)?;
        self.registers
            .kind(self.scope, name)
            .is_none()
            .then_some(())?;
        let symbol = self.symbol(name, register)?;
        let distance = self.immediate(distance.into(), register);
        if register == Register::R64 {
            return Some(self.add_wide(symbol, distance, false));
        }
        let zero = self.immediate(0, R);
        let op = MachineOperation::new(ori::Iadd3::NAME).operand("a", symbol);
        let op = op.operand("b", distance).operand("c", zero);
        Some(self.emit(op.result(R)))
    }

    /// The address of a symbol of the module, in a register of its natural width.
    pub fn address_of(&mut self, name: &str, register: Register) -> Value {
        let ty = register.ty(self.builder.context());
        let symbol = Attribute::symbol(self.builder.context(), name);
        let op = AddressOf::build(&mut self.builder, self.location, symbol, ty);
        op.result(self.builder.ir())
    }

    /// The address of a slot of the frame.
    pub fn slot_address(&mut self, slot: &str) -> Value {
        let ty = R.ty(self.builder.context());
        let op = SlotAddress::build(&mut self.builder, self.location, slot, ty);
        op.result(self.builder.ir())
    }

    fn plain_special(&mut self, name: &str) -> Option<Value> {
        match name {
            "%laneid" => Some(self.special_register("SR_LANEID")),
            "WARP_SZ" => Some(self.immediate(32, R)),
            _ => None,
        }
    }

    /// `%tid.x` and similar. Extents of the grid are in the constant bank.
    fn special(&mut self, name: &str, part: &str) -> Option<Value> {
        let axis = [".x", ".y", ".z"].iter().position(|axis| *axis == part)?;
        let letter = ['X', 'Y', 'Z'][axis];
        let distance = i32::try_from(4 * axis).ok()?;
        match name {
            "%tid" => Some(self.special_register(&format!("SR_TID.{letter}"))),
            "%ctaid" => Some(self.special_register(&format!("SR_CTAID.{letter}"))),
            "%ntid" => self.constant(self.symbols.launch_place()? + distance, R),
            "%nctaid" => self.constant(self.symbols.launch_place()? + 12 + distance, R),
            _ => None,
        }
    }

    pub fn special_register(&mut self, name: &str) -> Value {
        let ty = R.ty(self.builder.context());
        let op = S2r::build(&mut self.builder, self.location, None, &[], name, ty);
        op.result(self.builder.ir())
    }

    /// Stores the carry flag in a register.
    pub fn settle_carry(&mut self) {
        let (Some(number), Some((value, is_inverted))) = (self.registers.known_carry(), self.carry)
        else {
            return;
        };
        let value = if is_inverted {
            let truth = self.immediate(1, Register::P);
            let op = MachineOperation::new(ori::Plop3::NAME).modified("a", value, INVERTED);
            let op = op.operand("b", truth).operand("c", truth);
            let op = op.number(self.context(), "lut", 0xc0);
            self.emit(op.result(Register::P))
        } else {
            value
        };
        self.values[number] = Some(value);
        self.touched.push(number);
        self.carry = Some((value, false));
    }

    /// The last operation of the block, for rollback.
    pub fn mark(&self) -> Option<Operation> {
        match self.builder.insertion_point() {
            orison_ir::InsertionPoint::End(block) => block.last_op(self.builder.ir()),
            _ => None,
        }
    }

    /// Erases the operations emitted after a mark, and reverts the instruction's writes.
    pub fn take_back(&mut self, mark: Option<Operation>) {
        while let Some((number, before)) = self.replaced.pop() {
            self.values[number] = before;
        }
        while let Some(last) = self.mark().filter(|last| Some(*last) != mark) {
            last.erase(self.builder.context());
        }
    }
}

/// A name with an optional offset: `a`, `a+4`, `a+-4`, `a-4`.
pub(super) fn named_offset<'a>(expression: &Expression<'a>) -> Option<(&'a str, i32)> {
    match expression {
        Expression::Name(name) => Some((name, 0)),
        Expression::Binary(sign @ ("+" | "-"), name, offset) => {
            let (name, before) = named_offset(name)?;
            let offset = i32::try_from(offset.as_integer()?).ok()?;
            let offset = if *sign == "-" {
                offset.checked_neg()?
            } else {
                offset
            };
            Some((name, before.checked_add(offset)?))
        }
        _ => None,
    }
}

impl Emitter<'_, '_> {
    /// The result of a routine.
    pub fn routine(&mut self, routine: Routine, arguments: &[Value]) -> Value {
        self.symbols.routines.call(routine);
        let location = self.location;
        let context = self.context();
        let name = OperationName::new(context, Call::NAME);
        let mut state = OperationState::new(name, location);
        let callee = Attribute::symbol(context, &routine.name());
        state.set_property(context, "callee", callee);
        state.set_property(context, "pure", Attribute::UNIT);
        state.operands.extend(arguments.iter().copied());
        state.result_types.push(routine.interface().1.ty(context));
        let op = self.builder.create(&state);
        op.result(self.builder.ir(), 0)
    }
}
