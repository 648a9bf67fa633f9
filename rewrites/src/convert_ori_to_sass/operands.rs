//! Operands of instructions: registers, numbers, values in constant banks, addresses.

use orison_ir::declare::VerifyResult;
use orison_ir::{Attribute, Context, Diagnostic, Operation, Value};
use orison_ori::Register;
use orison_ori::modifiers::{self, Modifier, ModifierSet};
use orison_ori::types::Physical;
use orison_sass::instruction::{
    Address, AddressRegister, AddressSpace, ConstantBank, ConstantOperand, MemoryOperand, Operand,
    RegisterOperand,
};
use orison_sass::registers::{self, RegisterFile};

use super::frame::{STACK, slot_offset};
use crate::ori::instruction_forms::{
    self as forms, Absent, AddressForm, Name, NumberClass, Selector, Slot, Source, ValueSlot,
};

type Written<T> = Result<T, Box<Diagnostic>>;

/// The register of a value; `None` if it has none: register allocation has not given it one.
pub fn register(context: &Context, value: Value) -> Option<registers::Register> {
    let physical = Physical::of(context, value.ty(context))?;
    let file = file(physical.register);
    Some(registers::Register::new(file, physical.index))
}

const fn file(register: Register) -> RegisterFile {
    match register {
        Register::R | Register::R64 | Register::R128 | Register::Accumulator(_) => {
            RegisterFile::General
        }
        Register::Ur | Register::Ur64 => RegisterFile::Uniform,
        Register::P => RegisterFile::Predicate,
        Register::Up => RegisterFile::UniformPredicate,
        Register::B => RegisterFile::Convergence,
    }
}

/// The register of the file of a value that is always zero, or true.
fn constant(context: &Context, value: Value) -> registers::Register {
    let class = Register::of(context, value.ty(context)).unwrap_or(Register::R);
    registers::Register::new(file(class), registers::Register::CONSTANT)
}

/// Writes the operands of one operation.
pub struct Operands<'c> {
    /// Where the operation is.
    pub context: &'c Context,
    /// The operation.
    pub op: Operation,
    /// The number of the machine.
    pub machine: u16,
}

impl Operands<'_> {
    fn fail<T>(&self, message: impl Into<String>) -> Written<T> {
        Err(self.op.op_error(self.context, message.into()))
    }

    /// The register of a value.
    pub fn register_of(&self, value: Value, name: &str) -> Written<registers::Register> {
        match register(self.context, value) {
            Some(register) => Ok(register),
            None => self.fail(format!("'{name}' has no physical register")),
        }
    }

    /// The first value of a group of operands.
    pub fn value(&self, group: &str) -> Written<Value> {
        let found = self.op.operands_named(self.context, group);
        match found.first() {
            Some(value) => Ok(*value),
            None => self.fail(format!("has no '{group}'")),
        }
    }

    /// The register of the first value of a group of operands.
    pub fn named(&self, group: &str) -> Written<registers::Register> {
        self.register_of(self.value(group)?, group)
    }

    /// The register of a result; the constant one if it is unused and has none.
    pub fn result(&self, group: &str, index: usize) -> Option<Written<registers::Register>> {
        let results = self.op.results_named(self.context, group);
        let value = *results.get(index)?;
        if register(self.context, value).is_none() && value.is_unused(self.context) {
            return Some(Ok(constant(self.context, value)));
        }
        Some(self.register_of(value, group))
    }

    /// Appends the operands of a slot: two if it is a pair of numbers, none if it is absent.
    pub fn slot(&self, slot: &Slot, into: &mut Vec<Operand>) -> VerifyResult {
        match slot {
            Slot::Value(slot) => return self.value_slot(slot, into),
            Slot::Number(key) => into.push(Operand::integer(self.number(key))),
            Slot::Special(key) => {
                let name = self.op.attribute(self.context, key);
                let name = name.and_then(|name| name.as_str(self.context));
                into.push(Operand::Special(name.unwrap_or_default().into()));
            }
            Slot::Word(key) => match forms::operand_of_keyword(self.context, self.op, key) {
                Some(operand) => into.push(operand.clone()),
                None => return self.fail(format!("has an unknown '{key}'")),
            },
            Slot::Address(form) => into.push(self.address(form)?),
            Slot::Literal(operand) => into.push(operand.clone()),
        }
        Ok(())
    }

    /// The integer in an attribute; zero if it is absent.
    pub fn number(&self, key: &str) -> i64 {
        let number = self.op.attribute(self.context, key);
        number
            .and_then(|number| number.as_i64(self.context))
            .unwrap_or(0)
    }

    fn value_slot(&self, slot: &ValueSlot, into: &mut Vec<Operand>) -> VerifyResult {
        let Name { group, index } = &slot.name;
        if let Some(register) = self.result(group, *index) {
            let mut register = register?;
            if !register.is_constant() {
                register.index = register.index.saturating_add(slot.step);
            }
            into.push(Operand::register(register));
            return Ok(());
        }
        let range = self.op.operand_range_named(self.context, group);
        if range.len() > *index {
            return self.operand(range.start + index, slot, into);
        }
        match &slot.absent {
            Absent::Omitted => Ok(()),
            Absent::Literal(operand) => {
                into.push(operand.clone());
                Ok(())
            }
            Absent::Never => self.fail(format!("has no '{group}'")),
        }
    }

    /// Appends an operand of the operation.
    fn operand(&self, number: usize, slot: &ValueSlot, into: &mut Vec<Operand>) -> VerifyResult {
        let (context, value) = (self.context, self.op.operand(self.context, number));
        let set = modifiers::of_operand(context, self.op, number);
        let name = &slot.name.group;
        match Source::of(context, value) {
            Source::Register(_) => {
                let mut register = self.register_of(value, name)?;
                register.index = register.index.saturating_add(slot.step);
                into.push(self.with_modifiers(register, set, slot));
            }
            Source::Undefined => into.push(Operand::register(constant(context, value))),
            Source::Number(bits) => return self.constant(value, bits, set, slot, into),
            Source::ConstantBank { bank, offset } => {
                if !slot.kinds.constant {
                    let message = format!("'{name}' cannot be a value in a constant bank");
                    return self.fail(message);
                }
                into.push(Operand::Constant(ConstantOperand {
                    negate: set.contains(Modifier::Negate),
                    absolute: set.contains(Modifier::Absolute),
                    invert: set.contains(Modifier::Invert),
                    bank: ConstantBank::Number(u64::from(bank.unsigned_abs())),
                    // `LDC` writes the first offset as a register.
                    address: match slot.kinds.exclusive || slot.kinds.immediate {
                        true => Address {
                            registers: Vec::new(),
                            offset: Some(offset.into()),
                        },
                        false => self.bank_offset(offset.into()),
                    },
                    selector: half_selector(set, &slot.selector),
                }));
            }
        }
        Ok(())
    }

    fn with_modifiers(
        &self,
        register: registers::Register,
        set: ModifierSet,
        slot: &ValueSlot,
    ) -> Operand {
        let predicate = register.file.is_predicate();
        let inverted = set.contains(Modifier::Invert);
        Operand::Register(RegisterOperand {
            negate: set.contains(Modifier::Negate),
            absolute: set.contains(Modifier::Absolute),
            invert: inverted && !predicate,
            not: inverted && predicate,
            selector: half_selector(set, &slot.selector),
            ..RegisterOperand::new(register)
        })
    }

    /// Appends a number.
    fn constant(
        &self,
        value: Value,
        bits: i64,
        set: ModifierSet,
        slot: &ValueSlot,
        into: &mut Vec<Operand>,
    ) -> VerifyResult {
        let register = constant(self.context, value);
        if register.file.is_predicate() {
            let holds = (bits & 1 != 0) != set.contains(Modifier::Invert);
            let mut operand = RegisterOperand::new(register);
            operand.not = !holds;
            into.push(Operand::Register(operand));
            return Ok(());
        }
        let class = NumberClass::of(self.context, self.op, &slot.name.group);
        if class.is_zero(bits, set) {
            let mut zero = RegisterOperand::new(register);
            zero.negate = match class {
                // 0 - 0 carries, 0 + 0 does not.
                NumberClass::Integer => {
                    set.contains(Modifier::Negate) && self.op.result_count(self.context) > 1
                }
                _ => class.modified(bits, set) != 0,
            };
            into.push(Operand::Register(zero));
            return Ok(());
        }
        let bits = class.modified(bits, set);
        if !slot.kinds.immediate {
            return self.fail(format!("'{}' cannot be a number", slot.name.group));
        }
        match class.operands(bits, slot.kinds) {
            Some(operands) => into.extend(operands),
            None => {
                let message = format!("'{}' is a number of too many bits", slot.name.group);
                return self.fail(message);
            }
        }
        Ok(())
    }

    /// The address `[RZ]`, `[0x10]` in a constant bank.
    fn bank_offset(&self, offset: i64) -> Address {
        if offset == 0 {
            let register = registers::Register::RZ;
            return Address {
                registers: vec![plain(register)],
                offset: None,
            };
        }
        Address {
            registers: Vec::new(),
            offset: Some(offset),
        }
    }

    fn address(&self, form: &AddressForm) -> Written<Operand> {
        match form {
            AddressForm::Operand { name, space } => {
                let register = self.named(name)?;
                let space = match &**space {
                    "tmem" => AddressSpace::Tensor,
                    "gdesc" => AddressSpace::MatrixDescriptor,
                    _ => AddressSpace::Plain,
                };
                Ok(memory(space, vec![plain(register)], 0))
            }
            AddressForm::Pair => {
                let (address, barrier) = (self.named("address")?, self.named("barrier")?);
                if barrier.index != address.index.saturating_add(1) {
                    return self.fail("requires the mbarrier in the register after the address");
                }
                let registers = vec![selected(address, "64")];
                Ok(memory(AddressSpace::Plain, registers, 0))
            }
            AddressForm::Bank => self.bank(),
            AddressForm::Shared => {
                let names = ["shared_base", "shared_uniform", "shared_offset"];
                let (registers, offset) = self.parts(names, form)?;
                Ok(memory(AddressSpace::Plain, registers, offset))
            }
            _ => {
                let (registers, offset) = self.parts(["base", "uniform", "offset"], form)?;
                let mut operand = memory_operand(AddressSpace::Plain, registers, offset);
                if *form == AddressForm::Global {
                    self.describe(&mut operand)?;
                }
                Ok(Operand::Memory(operand))
            }
        }
    }

    /// Sets the descriptor of an access to global memory: a cache policy, or that of all memory,
    /// which the text of sm_80 omits.
    fn describe(&self, operand: &mut MemoryOperand) -> VerifyResult {
        let policy = self.op.operands_named(self.context, "policy");
        if let Some(policy) = policy.first() {
            operand.descriptor = Some(self.register_of(*policy, "policy")?);
            return Ok(());
        }
        let descriptor = Some(self.named("descriptor")?);
        if self.machine < 90 {
            operand.hidden_descriptor = descriptor;
        } else {
            operand.descriptor = descriptor;
        }
        Ok(())
    }

    /// The registers and the offset of an address.
    fn parts(
        &self,
        [base, uniform, offset]: [&str; 3],
        form: &AddressForm,
    ) -> Written<(Vec<AddressRegister>, i64)> {
        let mut registers = Vec::new();
        let mut offset = self.number(offset);
        let global = matches!(form, AddressForm::Global | AddressForm::WideUniform);
        let has_uniform = self.op.has_operands_named(self.context, uniform);
        for value in self.op.operands_named(self.context, base) {
            let wide = Register::of(self.context, value.ty(self.context)) == Some(Register::R64);
            match Source::of(self.context, value) {
                Source::Number(number) => offset += number,
                Source::Undefined => {}
                _ => {
                    if let Some(slot) = self.slot_of_frame(value) {
                        registers.push(plain(STACK));
                        offset += slot;
                        continue;
                    }
                    let register = self.register_of(value, base)?;
                    let shown = wide && (global || has_uniform);
                    let selector = match (wide, has_uniform) {
                        _ if shown => "64",
                        (false, true) if self.is_wide(uniform) => "U32",
                        _ => "",
                    };
                    registers.push(selected(register, selector));
                }
            }
        }
        for value in self.op.operands_named(self.context, uniform) {
            match Source::of(self.context, value) {
                Source::Number(number) => offset += number,
                Source::Undefined => {}
                _ => registers.push(plain(self.register_of(value, uniform)?)),
            }
        }
        let padded = matches!(form, AddressForm::WithUniform | AddressForm::WideUniform);
        if padded && registers.len() == 1 && registers[0].register.file == RegisterFile::General {
            registers.push(plain(registers::Register::URZ));
        }
        if registers.is_empty() && offset == 0 && *form != AddressForm::Bank {
            registers.push(plain(registers::Register::RZ));
        }
        Ok((registers, offset))
    }

    /// The distance from the stack pointer of an address of the frame that is in no register.
    fn slot_of_frame(&self, value: Value) -> Option<i64> {
        let op = value.defining_op(self.context)?;
        orison_ori::operations::SlotAddress::of(self.context, op)?;
        let is_virtual = Physical::of(self.context, value.ty(self.context)).is_none();
        is_virtual.then(|| slot_offset(self.context, op).into())
    }

    fn is_uniform(&self, value: Value) -> bool {
        let class = Register::of(self.context, value.ty(self.context));
        class.is_some_and(Register::is_uniform)
    }

    fn is_wide(&self, group: &str) -> bool {
        let values = self.op.operands_named(self.context, group);
        let class = |value: &Value| Register::of(self.context, value.ty(self.context));
        values.first().and_then(class) == Some(Register::Ur64)
    }

    /// A place in a constant bank.
    fn bank(&self) -> Written<Operand> {
        let names = ["base", "uniform", "offset"];
        let (registers, offset) = self.parts(names, &AddressForm::Bank)?;
        let address = match registers.as_slice() {
            [] if self
                .op
                .results(self.context)
                .any(|result| self.is_uniform(result)) =>
            {
                Address {
                    registers,
                    offset: Some(offset),
                }
            }
            [] => self.bank_offset(offset),
            _ => Address {
                registers,
                offset: (offset != 0).then_some(offset),
            },
        };
        Ok(Operand::Constant(ConstantOperand {
            negate: false,
            absolute: false,
            invert: false,
            bank: ConstantBank::Number(self.number("bank").unsigned_abs()),
            address,
            selector: Box::default(),
        }))
    }
}

fn plain(register: registers::Register) -> AddressRegister {
    selected(register, "")
}

fn selected(register: registers::Register, selector: &str) -> AddressRegister {
    AddressRegister {
        register,
        selector: selector.into(),
    }
}

/// An operand in memory.
pub fn memory(space: AddressSpace, registers: Vec<AddressRegister>, offset: i64) -> Operand {
    Operand::Memory(memory_operand(space, registers, offset))
}

fn memory_operand(
    space: AddressSpace,
    registers: Vec<AddressRegister>,
    offset: i64,
) -> MemoryOperand {
    let alone = registers.is_empty();
    MemoryOperand {
        space,
        descriptor: None,
        hidden_descriptor: None,
        address: Address {
            registers,
            offset: (offset != 0 || alone).then_some(offset),
        },
        selector: Box::default(),
    }
}

/// `H0_H0` and the like.
fn half_selector(set: ModifierSet, selector: &Selector) -> Box<str> {
    let (low, high) = match selector {
        Selector::Text(text) => return text.clone(),
        Selector::Halves => ("H0_H0", "H1_H1"),
        Selector::Half => ("", "H1"),
    };
    if set.contains(Modifier::LowHalf) {
        return low.into();
    }
    match set.contains(Modifier::HighHalf) {
        true => high.into(),
        false => Box::default(),
    }
}

/// Whether an attribute is a unit attribute that is there.
pub fn has(context: &Context, op: Operation, key: &str) -> bool {
    op.attribute(context, key) == Some(Attribute::UNIT)
}
