//! What each operand of an instruction may be.

use orison_ir::declare::{TypeConstraint, VerifyResult};
use orison_ir::{Operation, Value};
use orison_ori::Register;
use orison_ori::modifiers;
use orison_ori::operations as ori;
use orison_ori::types;
use rustc_hash::FxHashMap;

use super::Legalizer;
use super::materialize::ONLY_LOADED_SINCE;
use crate::ori::instruction_forms::{
    self as forms, AddressForm, Kinds, NumberClass, Slot, Source, ValueSlot,
};

/// The operand sets of uniform registers only.
const UNIFORM_SETS: [&TypeConstraint; 7] = [
    &types::UNIFORM,
    &types::UNIFORM_INTEGER,
    &types::UNIFORM_FLOAT,
    &types::UNIFORM_WIDE,
    &types::UNIFORM_WIDE_INTEGER,
    &types::UNIFORM_PREDICATE,
    &types::UNIFORM_ADDRESS,
];

/// What is in registers: numbers are the same wherever they come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Original {
    /// A number, and its class.
    Number(i64, Register),
    /// Another value.
    Value(Value),
}

/// The values of a block that are in registers, by what they were, and whether they are in uniform ones.
pub(super) type Loaded = FxHashMap<(Original, bool), Value>;

impl Legalizer<'_> {
    /// Makes the operands of all operations those that their instructions can have.
    pub(super) fn operands(&mut self) -> VerifyResult {
        let blocks: Vec<_> = self.function.body.blocks(self.context).collect();
        for block in blocks {
            let mut loaded = Loaded::default();
            for op in block.operations(self.context).collect::<Vec<_>>() {
                self.operands_of(op, &mut loaded)?;
            }
        }
        Ok(())
    }

    fn operands_of(&mut self, op: Operation, loaded: &mut Loaded) -> VerifyResult {
        if ori::Concat::of(self.context, op).is_some() {
            let uniform = self.class(op.result(self.context, 0)).is_uniform();
            for number in 0..op.operand_count(self.context) {
                self.load_operand(op, number, uniform, loaded);
            }
            return Ok(());
        }
        self.wide_edges(op, loaded);
        self.call_operands(op, loaded);
        self.arrange(op);
        let Some(form) = forms::select(self.context, op, self.machine) else {
            return self.code_operands(op, loaded);
        };
        for template in &form.instructions {
            for slot in &template.operands {
                if let Slot::Address(form) = slot {
                    self.address_operands(op, form, loaded);
                }
            }
            let slots = template.operands.iter().filter_map(|slot| match slot {
                Slot::Value(slot) => Some(slot),
                _ => None,
            });
            let slots: Vec<&ValueSlot> = slots.collect();
            let mut kept = self.kept_operand(op, &slots);
            for slot in slots {
                let range = op.operand_range_named(self.context, &slot.name.group);
                if range.len() <= slot.name.index {
                    continue;
                }
                let number = range.start + slot.name.index;
                if self.accepts(op, number, slot.kinds, kept) {
                    continue;
                }
                if self.place(op, number, slot.kinds, kept.is_none(), loaded) {
                    kept = Some(number);
                }
            }
        }
        Ok(())
    }

    /// The parts of an address are in registers.
    fn address_operands(&mut self, op: Operation, form: &AddressForm, loaded: &mut Loaded) {
        let (base, uniform) = match form {
            AddressForm::Shared => ("shared_base", "shared_uniform"),
            AddressForm::Operand { name, .. } => ("", &**name),
            AddressForm::Pair => ("address", ""),
            _ => ("base", "uniform"),
        };
        for (group, uniform) in [(base, false), (uniform, true), ("policy", true)] {
            for number in op.operand_range_named(self.context, group) {
                self.load_operand(op, number, uniform, loaded);
            }
        }
    }

    /// Operands of operations that code writes: registers, of the file that they are declared with.
    fn code_operands(&mut self, op: Operation, loaded: &mut Loaded) -> VerifyResult {
        let Some(definition) = op.definition(self.context) else {
            return Ok(());
        };
        let machine = definition
            .operands
            .iter()
            .any(|operand| operand.name == "guard");
        if !machine {
            return Ok(());
        }
        for (group, operand) in definition.operands.iter().enumerate() {
            if matches!(operand.name, "guard" | "otherwise" | "scale") {
                continue;
            }
            let uniform = is_uniform_set(operand.constraint);
            for number in definition.operand_range(self.context, op, group) {
                let value = op.operand(self.context, number);
                let register = matches!(Source::of(self.context, value), Source::Register(_));
                if uniform || !register {
                    self.load_operand(op, number, uniform, loaded);
                }
            }
        }
        Ok(())
    }

    /// What a function is given and gives is in registers.
    fn call_operands(&mut self, op: Operation, loaded: &mut Loaded) {
        let calls = [
            ori::Call::DEFINITION,
            ori::CallIndirect::DEFINITION,
            ori::Ret::DEFINITION,
        ];
        if !op.is_one_of(self.context, &calls) {
            return;
        }
        for number in 0..op.operand_count(self.context) {
            let uniform = self.class(op.operand(self.context, number)).is_uniform();
            self.load_operand(op, number, uniform, loaded);
        }
    }

    /// Loads numbers of several words that a branch passes, or that are kept where a guard does not
    /// hold: copies are of words.
    fn wide_edges(&mut self, op: Operation, loaded: &mut Loaded) {
        let kept = op.operand_range_named(self.context, "otherwise");
        let passed = (0..op.successor_count(self.context))
            .filter_map(|way| op.passed_operands(self.context, way))
            .flatten();
        let numbers: Vec<usize> = kept.chain(passed).collect();
        for number in numbers {
            let value = op.operand(self.context, number);
            let class = self.class(value);
            if class.words().is_some_and(|words| words > 1) {
                self.load_operand(op, number, class.is_uniform(), loaded);
            }
        }
    }

    /// The operand of an exclusive group that is not a register: the widest one, which would need the most of them, then
    /// numbers, constant banks, uniform registers.
    fn kept_operand(&self, op: Operation, slots: &[&ValueSlot]) -> Option<usize> {
        let candidates = slots.iter().filter_map(|slot| {
            let range = op.operand_range_named(self.context, &slot.name.group);
            let number = range.start + slot.name.index;
            if range.len() <= slot.name.index || !slot.kinds.exclusive {
                return None;
            }
            let value = op.operand(self.context, number);
            let rank = match Source::of(self.context, value) {
                Source::Number(_) if self.is_zero(op, number) => return None,
                Source::Number(_) => 0,
                Source::ConstantBank { .. } => 1,
                Source::Register(class) if class.is_uniform() => 2,
                _ => return None,
            };
            let words = std::cmp::Reverse(self.class(value).words());
            self.is_possible(op, number, slot.kinds)
                .then_some((words, rank, number))
        });
        candidates.min().map(|(.., number)| number)
    }

    /// Whether an operand is the number zero, which every file has a register for.
    fn is_zero(&self, op: Operation, number: usize) -> bool {
        let value = op.operand(self.context, number);
        let Source::Number(bits) = Source::of(self.context, value) else {
            return false;
        };
        let group = self.group_of(op, number);
        let set = modifiers::of_operand(self.context, op, number);
        let class = NumberClass::of(self.context, op, group);
        class.is_zero(bits, set)
    }

    /// The name of the group of an operand.
    pub(super) fn group_of(&self, op: Operation, number: usize) -> &'static str {
        let Some(definition) = op.definition(self.context) else {
            return "";
        };
        let mut groups = definition.operands.iter().enumerate();
        let found = groups.find(|(group, _)| {
            definition
                .operand_range(self.context, op, *group)
                .contains(&number)
        });
        found.map_or("", |(_, operand)| operand.name)
    }

    /// Whether an operand is one of some kinds, apart from others of its group.
    pub(super) fn is_possible(&self, op: Operation, number: usize, kinds: Kinds) -> bool {
        let value = op.operand(self.context, number);
        let group = self.group_of(op, number);
        match Source::of(self.context, value) {
            Source::Register(class) if class.is_uniform() => {
                kinds.uniform || self.is_uniform_operand(op, group)
            }
            Source::Undefined | Source::Register(_) => true,
            Source::Number(_) if self.class(value).words().is_none() => true,
            Source::Number(_) if self.is_zero(op, number) => true,
            Source::Number(bits) => {
                let set = modifiers::of_operand(self.context, op, number);
                let class = NumberClass::of(self.context, op, group);
                kinds.immediate && class.operands(class.modified(bits, set), kinds).is_some()
            }
            Source::ConstantBank { .. } => {
                let read = self.machine < ONLY_LOADED_SINCE || !kinds.exclusive && !kinds.uniform;
                let copied = ori::Mov::of(self.context, op).is_some();
                kinds.constant && (read || copied)
            }
        }
    }

    /// Whether an operand is one of some kinds, or would be loaded as one.
    pub(super) fn fits(&self, op: Operation, number: usize, kinds: Kinds) -> bool {
        let value = op.operand(self.context, number);
        let loaded = self.machine >= ONLY_LOADED_SINCE
            && matches!(Source::of(self.context, value), Source::ConstantBank { .. });
        loaded && kinds.uniform || self.is_possible(op, number, kinds)
    }

    /// Whether an operand is one of some kinds, where only `kept` of its group is not a register.
    fn accepts(&self, op: Operation, number: usize, kinds: Kinds, kept: Option<usize>) -> bool {
        if !self.is_possible(op, number, kinds) {
            return false;
        }
        let value = op.operand(self.context, number);
        let plain = match Source::of(self.context, value) {
            Source::Number(_) => self.is_zero(op, number) || self.class(value).words().is_none(),
            Source::ConstantBank { .. } => false,
            Source::Register(class) => {
                !class.is_uniform() || self.is_uniform_operand(op, self.group_of(op, number))
            }
            Source::Undefined => true,
        };
        plain || !kinds.exclusive || kept == Some(number)
    }

    /// Whether an operand is declared as a uniform register only.
    fn is_uniform_operand(&self, op: Operation, group: &str) -> bool {
        let declared = op.definition(self.context).and_then(|definition| {
            let mut operands = definition.operands.iter();
            operands.find(|operand| operand.name == group)
        });
        declared.is_some_and(|declared| is_uniform_set(declared.constraint))
    }

    /// Places an operand in a register: in a uniform one if it is loaded from a constant bank and the
    /// instruction can have it. Whether it is now the only one of its group.
    fn place(
        &mut self,
        op: Operation,
        number: usize,
        kinds: Kinds,
        free: bool,
        loaded: &mut Loaded,
    ) -> bool {
        let value = op.operand(self.context, number);
        let group = self.group_of(op, number);
        let cell = matches!(Source::of(self.context, value), Source::ConstantBank { .. });
        let uniform = self.is_uniform_operand(op, group);
        let as_uniform = cell && kinds.uniform && (free || !kinds.exclusive);
        self.load_operand(op, number, uniform || as_uniform, loaded);
        as_uniform && kinds.exclusive
    }

    /// Replaces an operand by the same value in registers; the block's later ones use them, too.
    fn load_operand(&mut self, op: Operation, number: usize, uniform: bool, loaded: &mut Loaded) {
        let value = op.operand(self.context, number);
        let source = Source::of(self.context, value);
        let cell = matches!(source, Source::ConstantBank { .. });
        let original = match source {
            Source::Number(number) => Original::Number(number, self.class(value)),
            _ => Original::Value(value),
        };
        let known = if cell { &self.cells } else { &*loaded };
        let known = known.get(&(original, uniform)).copied();
        // A value in a constant bank is loaded where it is defined, once.
        let next = value.defining_op(self.context).filter(|_| cell);
        let anchor = next
            .and_then(|definition| definition.next(self.context))
            .unwrap_or(op);
        let register = known.unwrap_or_else(|| match uniform {
            true => self.in_uniform_registers(anchor, value),
            false => self.in_registers(anchor, value),
        });
        if register != value {
            let known = if cell { &mut self.cells } else { loaded };
            known.insert((original, uniform), register);
            op.set_operand(self.context, number, register);
        }
    }
}

fn is_uniform_set(constraint: &TypeConstraint) -> bool {
    UNIFORM_SETS
        .iter()
        .any(|set| std::ptr::eq(*set, constraint))
}
