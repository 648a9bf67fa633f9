//! Values in registers: numbers, values in constant banks, copies between the register files.

use orison_ir::declare::Trait;
use orison_ir::{Attribute, Operation, OperationName, OperationState, Value};
use orison_ori::keywords::Width;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::Legalizer;
use crate::ori::functions::immediate_before;
use crate::ori::instruction_forms::Source;

/// The first machine on which only loads read constant banks.
pub(super) const ONLY_LOADED_SINCE: u16 = 90;
/// The first machine with `LDCU` instead of `ULDC`.
pub(super) const LDCU_SINCE: u16 = 100;

impl Legalizer<'_> {
    /// The class of a value.
    pub(super) fn class(&self, value: Value) -> Register {
        Register::of(self.context, value.ty(self.context)).unwrap_or(Register::R)
    }

    /// A value in general registers, before an operation.
    pub(super) fn in_registers(&mut self, anchor: Operation, value: Value) -> Value {
        let class = self.class(value);
        match Source::of(self.context, value) {
            Source::Undefined => value,
            Source::Register(_) if class == Register::Up => self.predicate(anchor, value),
            Source::Register(_) if !class.is_uniform() => value,
            Source::Number(_) | Source::ConstantBank { .. } if class.words().is_none() => value,
            source => match class.words() {
                Some(1) => self.word(anchor, value, source),
                Some(2) if self.is_loaded(source) => self.load(anchor, source, Width::B64),
                Some(words) => {
                    let parts = (0..words).map(|word| {
                        let part = self.part(anchor, value, word);
                        self.in_registers(anchor, part)
                    });
                    let parts: Vec<Value> = parts.collect();
                    self.concat(anchor, &parts, Register::general(words))
                }
                None => value,
            },
        }
    }

    /// Whether a pair in a constant bank is loaded by one instruction.
    fn is_loaded(&self, source: Source) -> bool {
        self.machine >= ONLY_LOADED_SINCE
            && matches!(source, Source::ConstantBank { offset, .. } if offset % 8 == 0)
    }

    fn word(&mut self, anchor: Operation, value: Value, source: Source) -> Value {
        match source {
            Source::ConstantBank { .. } if self.machine >= ONLY_LOADED_SINCE => {
                self.load(anchor, source, Width::B32)
            }
            _ => {
                let copy = MachineOperation::new(ori::Mov::NAME).operand("a", value);
                self.value_before(anchor, copy.result(Register::R))
            }
        }
    }

    fn load(&mut self, anchor: Operation, source: Source, width: Width) -> Value {
        let Source::ConstantBank { bank, offset } = source else {
            return immediate_before(self.context, anchor, Register::R, 0);
        };
        let result = if width == Width::B64 {
            Register::R64
        } else {
            Register::R
        };
        let load = MachineOperation::new(ori::Ldc::NAME)
            .keyword(self.context, "width", width)
            .number(self.context, "bank", bank)
            .number(self.context, "offset", offset)
            .result(result);
        self.value_before(anchor, load)
    }

    /// A value in uniform registers, before an operation. Registers of threads are those of the
    /// first active one: correct where all are the same.
    pub(super) fn in_uniform_registers(&mut self, anchor: Operation, value: Value) -> Value {
        let class = self.class(value);
        let source = Source::of(self.context, value);
        let pair = class.words() == Some(2);
        let result = if pair { Register::Ur64 } else { Register::Ur };
        match source {
            Source::Undefined => value,
            Source::Register(_) if class == Register::P => self.any(anchor, value),
            Source::Register(_) if class.is_uniform() => value,
            Source::ConstantBank { bank, offset } if !pair || offset % 8 == 0 => {
                let width = if pair { Width::B64 } else { Width::B32 };
                let load = MachineOperation::new(self.uniform_load())
                    .keyword(self.context, "width", width)
                    .number(self.context, "bank", bank)
                    .number(self.context, "offset", offset)
                    .result(result);
                self.value_before(anchor, load)
            }
            _ if class.words().is_none() => value,
            _ if pair => {
                let parts = [0, 1].map(|word| {
                    let part = self.part(anchor, value, word);
                    self.in_uniform_registers(anchor, part)
                });
                self.concat(anchor, &parts, Register::Ur64)
            }
            Source::Number(number) => {
                let number = immediate_before(self.context, anchor, Register::Ur, number);
                let copy = MachineOperation::new(ori::Umov::NAME).operand("a", number);
                self.value_before(anchor, copy.result(Register::Ur))
            }
            _ => {
                let copy = MachineOperation::new(ori::R2ur::NAME).operand("a", value);
                self.value_before(anchor, copy.result(Register::Ur))
            }
        }
    }

    /// The operation that loads from a constant bank into uniform registers.
    pub(super) fn uniform_load(&self) -> &'static str {
        if self.machine >= LDCU_SINCE {
            ori::Ldcu::NAME
        } else {
            ori::Uldc::NAME
        }
    }

    /// A uniform predicate as one of each thread.
    pub(super) fn predicate(&mut self, anchor: Operation, value: Value) -> Value {
        let holds = immediate_before(self.context, anchor, Register::P, 1);
        // The conjunction of three.
        let copy = MachineOperation::new(ori::Plop3::NAME)
            .operand("a", holds)
            .operand("b", holds)
            .operand("c", value)
            .number(self.context, "lut", 0x80)
            .result(Register::P);
        self.value_before(anchor, copy)
    }

    /// Whether a predicate holds in any active thread, as a uniform one.
    pub(super) fn any(&mut self, anchor: Operation, value: Value) -> Value {
        let vote = MachineOperation::new(ori::Voteu::NAME)
            .operand("a", value)
            .word(self.context, "vote", "any")
            .result(Register::Ur)
            .result(Register::Up);
        let vote = self.before(anchor, vote);
        vote.result(self.context, 1)
    }

    /// A word of a value: of a number or a value in a constant bank it is the same.
    pub(super) fn part(&mut self, anchor: Operation, whole: Value, word: u32) -> Value {
        let class = self.class(whole);
        let one = if class.is_uniform() {
            Register::Ur
        } else {
            Register::R
        };
        if class.words() == Some(1) {
            return whole;
        }
        match Source::of(self.context, whole) {
            Source::Number(number) => {
                let bits = if word < 2 {
                    number >> (32 * word)
                } else {
                    number >> 63
                };
                let low = u32::try_from(bits & 0xffff_ffff).unwrap_or(0).cast_signed();
                immediate_before(self.context, anchor, one, low.into())
            }
            Source::ConstantBank { bank, offset } => {
                let offset = offset + 4 * i32::try_from(word).unwrap_or(0);
                let cell = MachineOperation::new(ori::Cbank::NAME)
                    .number(self.context, "bank", bank)
                    .number(self.context, "offset", offset)
                    .result(one);
                self.value_before(anchor, cell)
            }
            _ => {
                let extract = MachineOperation::new(ori::Extract::NAME)
                    .operand("whole", whole)
                    .number(self.context, "word", i32::try_from(word).unwrap_or(0))
                    .result(one);
                self.value_before(anchor, extract)
            }
        }
    }

    /// Several values as one.
    pub(super) fn concat(&mut self, anchor: Operation, parts: &[Value], whole: Register) -> Value {
        let location = anchor.location(self.context);
        let name = OperationName::new(self.context, ori::Concat::NAME);
        let mut state = OperationState::new(name, location);
        state.operands.extend(parts.iter().copied());
        state.result_types.push(whole.ty(self.context));
        let op = self.builder_before(anchor).create(&state);
        op.result(self.context, 0)
    }

    /// Replaces parts of numbers and of values in constant banks by numbers and such values.
    pub(super) fn fold_parts(&mut self) {
        for op in self.operations() {
            let Some(extract) = ori::Extract::of(self.context, op) else {
                continue;
            };
            let whole = extract.whole(self.context);
            let word = u32::try_from(extract.word(self.context).unwrap_or(0)).unwrap_or(0);
            let words = self.class(op.result(self.context, 0)).words();
            let source = Source::of(self.context, whole);
            let known = matches!(source, Source::Number(_) | Source::ConstantBank { .. });
            if known && words == Some(1) {
                let part = self.part(op, whole, word);
                self.replace_by(op, part);
            }
        }
    }

    /// Replaces two consecutive words of a constant bank that are put together by the pair, where instructions read pairs
    /// from constant banks.
    pub(super) fn fold_wholes(&mut self) {
        if self.machine >= ONLY_LOADED_SINCE {
            return;
        }
        for op in self.operations() {
            if ori::Concat::of(self.context, op).is_none() || op.operand_count(self.context) != 2 {
                continue;
            }
            let word = |number| Source::of(self.context, op.operand(self.context, number));
            let (Source::ConstantBank { bank, offset }, high) = (word(0), word(1)) else {
                continue;
            };
            let next = Source::ConstantBank {
                bank,
                offset: offset + 4,
            };
            let is_pair = self.class(op.result(self.context, 0)) == Register::R64;
            if is_pair && high == next && offset % 8 == 0 {
                let cell = MachineOperation::new(ori::Cbank::NAME)
                    .number(self.context, "bank", bank)
                    .number(self.context, "offset", offset)
                    .result(Register::R64);
                let pair = self.value_before(op, cell);
                self.replace_by(op, pair);
            }
        }
    }

    /// Removes operations without effects whose results are unused, of the kinds that legalization
    /// leaves behind.
    pub(super) fn remove_unused(&mut self) {
        for op in self.operations().into_iter().rev() {
            if op.is_unused(self.context) && op.has_trait(self.context, Trait::AlwaysSpeculatable) {
                let terminator = op.has_trait(self.context, Trait::Terminator);
                if !terminator && op.result_count(self.context) > 0 {
                    op.erase(self.context);
                }
            }
        }
    }

    /// Sets an integer modifier of an operation.
    pub(super) fn set_number(&mut self, op: Operation, key: &str, number: i32) {
        let number = Attribute::i32(self.context, number);
        op.set_attribute(self.context, key, number);
    }
}
