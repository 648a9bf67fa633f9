//! The conversion: operations move before the branch, under guards; values become selects.

use orison_ir::declare::Trait;
use orison_ir::{Block, Context, Operation, Value};
use orison_machine::Flag;
use orison_ori::analyses::{Guard, properties};
use orison_ori::modifiers::Modifier;
use orison_ori::opcodes;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};
use rustc_hash::{FxHashMap, FxHashSet};

use super::shape::{Hammock, Way};
use crate::ori::functions::{branch_instead, create_before, immediate_before};
use crate::ori::guards::with_guard;

/// The truth tables of three predicates p, a, b: `p and a`, and `a if p, else b`.
const BOTH: i32 = 0xf0 & 0xcc;
const CHOICE: i32 = (0xf0 & 0xcc) | (0x0f & 0xaa);

/// The result of a conversion.
pub(super) struct Done {
    /// The remaining branch.
    pub branch: Operation,
    /// Operations that got a guard.
    pub guarded: u64,
    /// Values that became selects.
    pub selected: u64,
}

struct Conversion<'c> {
    context: &'c mut Context,
    branch: Operation,
    guarded: u64,
    selected: u64,
    /// Operations moved from an arm.
    moved: FxHashSet<Operation>,
    /// Results of replaced operations, with the results of the replacements.
    renamed: FxHashMap<Value, Value>,
    /// Guards that are conjunctions of two guards.
    composed: FxHashMap<(Guard, Guard), Value>,
}

/// Converts a branch. All checks have been made.
pub(super) fn convert(context: &mut Context, branch: Operation, hammock: &Hammock) -> Done {
    let mut conversion = Conversion {
        context,
        branch,
        guarded: 0,
        selected: 0,
        moved: FxHashSet::default(),
        renamed: FxHashMap::default(),
        composed: FxHashMap::default(),
    };
    let inverse = Guard {
        inverted: !hammock.guard.inverted,
        ..hammock.guard
    };
    for (way, guard) in hammock.ways.iter().zip([hammock.guard, inverse]) {
        conversion.take_over(way, guard);
    }
    let values = conversion.select(hammock);
    let Conversion {
        context,
        guarded,
        selected,
        ..
    } = conversion;
    let branch = branch_instead(context, branch, hammock.meet, &values);
    for way in &hammock.ways {
        for block in &way.blocks {
            erase(context, *block);
        }
    }
    Done {
        branch,
        guarded,
        selected,
    }
}

fn erase(context: &mut Context, block: Block) {
    if let Some(last) = block.terminator(context) {
        last.erase(context);
    }
    block.erase(context);
}

impl Conversion<'_> {
    /// Moves the operations of an arm before the branch.
    fn take_over(&mut self, way: &Way, guard: Guard) {
        let mut handed = way.handed.clone();
        for block in &way.blocks {
            let arguments: Vec<Value> = block.arguments(self.context).collect();
            for (argument, value) in arguments.into_iter().zip(&handed) {
                argument.replace_all_uses_with(self.context, *value);
            }
            for op in block.operations(self.context).collect::<Vec<_>>() {
                if op.has_trait(self.context, Trait::Terminator) {
                    handed = crate::ori::functions::passed(self.context, op, 0);
                } else {
                    op.move_before(self.context, self.branch);
                    self.put_under(op, guard);
                }
            }
        }
    }

    /// Guards an operation with effects, in addition to its own guard.
    fn put_under(&mut self, op: Operation, guard: Guard) {
        if properties::is_speculatable(self.context, op) {
            self.moved.insert(op);
            return;
        }
        let guard = match properties::guard(self.context, op) {
            None => guard,
            Some(own) => Guard {
                predicate: self.both(op, guard, own),
                inverted: false,
            },
        };
        // If its own guard is false, its results keep their values.
        let otherwise = properties::otherwise(self.context, op);
        let new = with_guard(self.context, op, Some(guard), &otherwise);
        self.moved.insert(new);
        self.guarded += 1;
    }

    fn both(&mut self, anchor: Operation, a: Guard, b: Guard) -> Value {
        if let Some(known) = self.composed.get(&(a, b)) {
            return *known;
        }
        let predicate = self.table(anchor, BOTH, [a, b, a]);
        self.composed.insert((a, b), predicate);
        predicate
    }

    /// A truth table of three predicates.
    fn table(&mut self, anchor: Operation, table: i32, inputs: [Guard; 3]) -> Value {
        let uniform = Register::of(self.context, inputs[0].predicate.ty(self.context));
        let (name, register) = match uniform {
            Some(Register::Up) => (ori::Uplop3::NAME, Register::Up),
            _ => (ori::Plop3::NAME, Register::P),
        };
        let mut op = MachineOperation::new(name).number(self.context, "lut", table);
        for (group, input) in ["a", "b", "c"].into_iter().zip(inputs) {
            let modifier: &[Modifier] = if input.inverted {
                &[Modifier::Invert]
            } else {
                &[]
            };
            op = op.modified(group, input.predicate, modifier);
        }
        let location = anchor.location(self.context);
        let op = create_before(self.context, anchor, location, op.result(register));
        op.result(self.context, 0)
    }

    /// The values passed to the join block.
    fn select(&mut self, hammock: &Hammock) -> Vec<Value> {
        let count = hammock.meet.argument_count(self.context);
        // Operations were replaced: read the branches again.
        let values = hammock.ways.each_ref().map(|way| match way.blocks.last() {
            None => way.values.clone(),
            Some(last) => match last.terminator(self.context) {
                Some(end) => crate::ori::functions::passed(self.context, end, 0),
                None => way.values.clone(),
            },
        });
        let mut selected = Vec::with_capacity(count);
        for (a, b) in values[0].iter().zip(&values[1]) {
            let [a, b] = [a, b].map(|value| self.renamed.get(value).unwrap_or(value));
            let (a, b) = (*a, *b);
            selected.push(if a == b {
                a
            } else {
                self.join(hammock.guard, a, b)
            });
        }
        selected
    }

    /// `a` if the guard holds, else `b`: one of the defining operations under its guard if
    /// possible, else a select.
    fn join(&mut self, guard: Guard, a: Value, b: Value) -> Value {
        let inverse = Guard {
            inverted: !guard.inverted,
            ..guard
        };
        if let Some(value) = self.merge(guard, a, b) {
            return value;
        }
        if let Some(value) = self.merge(inverse, b, a) {
            return value;
        }
        self.selected += 1;
        self.choose(guard, a, b)
    }

    /// The operation that defines a value, executed under the guard, with another value otherwise.
    /// Only operations moved here can be changed this way: they have no users outside their arm.
    fn merge(&mut self, guard: Guard, value: Value, otherwise: Value) -> Option<Value> {
        let context = &*self.context;
        let op = value.defining_op(context)?;
        let own = properties::guard(context, op);
        let possible = self.moved.contains(&op)
            && op.result_count(context) == 1
            && properties::can_be_guarded(context, op)
            && properties::otherwise(context, op).is_empty()
            && own.is_none_or(|own| own == guard)
            && self.fits(op, guard)
            && self.is_before(otherwise, op);
        if !possible {
            return None;
        }
        let new = with_guard(self.context, op, Some(guard), &[otherwise]);
        self.moved.remove(&op);
        self.guarded += u64::from(own.is_none());
        let result = new.result(self.context, 0);
        self.renamed.insert(value, result);
        Some(result)
    }

    /// Whether an operation can have a guard of this register class.
    fn fits(&self, op: Operation, guard: Guard) -> bool {
        let uniform = opcodes::of(self.context, op).is_some_and(|row| row.has(Flag::Uniform));
        let wanted = if uniform { Register::Up } else { Register::P };
        Register::of(self.context, guard.predicate.ty(self.context)) == Some(wanted)
            && properties::is_instruction(self.context, op)
    }

    /// Whether a value available at the branch is defined before an operation in the same block.
    fn is_before(&self, value: Value, op: Operation) -> bool {
        match value.defining_op(self.context) {
            Some(other) if other.block(self.context) == op.block(self.context) => {
                other != op && other.is_before_in_block(self.context, op)
            }
            _ => true,
        }
    }

    /// `a` if the guard holds, else `b`.
    fn choose(&mut self, guard: Guard, a: Value, b: Value) -> Value {
        let register = Register::of(self.context, a.ty(self.context)).unwrap_or(Register::R);
        match register {
            Register::P | Register::Up => {
                let input = |predicate| Guard {
                    predicate,
                    inverted: false,
                };
                self.table(self.branch, CHOICE, [guard, input(a), input(b)])
            }
            Register::R => self.choose_word(ori::Sel::NAME, Register::R, guard, a, b),
            Register::Ur => self.choose_word(ori::Usel::NAME, Register::Ur, guard, a, b),
            Register::Ur64 => {
                self.choose_words(ori::Usel::NAME, Register::Ur, register, guard, [a, b])
            }
            _ => self.choose_words(ori::Sel::NAME, Register::R, register, guard, [a, b]),
        }
    }

    fn choose_word(
        &mut self,
        name: &'static str,
        register: Register,
        guard: Guard,
        a: Value,
        b: Value,
    ) -> Value {
        let modifier: &[Modifier] = if guard.inverted {
            &[Modifier::Invert]
        } else {
            &[]
        };
        let op = MachineOperation::new(name).operand("a", a).operand("b", b);
        let op = op
            .modified("choice", guard.predicate, modifier)
            .result(register);
        let location = self.branch.location(self.context);
        let op = create_before(self.context, self.branch, location, op);
        op.result(self.context, 0)
    }

    /// Selects each 32-bit part, and concatenates them.
    fn choose_words(
        &mut self,
        name: &'static str,
        word: Register,
        whole: Register,
        guard: Guard,
        values: [Value; 2],
    ) -> Value {
        let location = self.branch.location(self.context);
        let mut op = MachineOperation::new(ori::Concat::NAME);
        for number in 0..whole.words().unwrap_or(1) {
            let [a, b] = values.map(|value| self.word(value, number, word));
            let chosen = self.choose_word(name, word, guard, a, b);
            op = op.operand("parts", chosen);
        }
        let op = create_before(self.context, self.branch, location, op.result(whole));
        op.result(self.context, 0)
    }

    fn word(&mut self, value: Value, number: u32, word: Register) -> Value {
        let number = i32::try_from(number).unwrap_or(0);
        if let Some(constant) = properties::immediate(self.context, value) {
            let bits = constant >> (32 * number);
            // The low 32 bits, sign-extended.
            let bits = (bits << 32) >> 32;
            return immediate_before(self.context, self.branch, word, bits);
        }
        let op = MachineOperation::new(ori::Extract::NAME).operand("whole", value);
        let op = op.number(self.context, "word", number).result(word);
        let location = self.branch.location(self.context);
        let op = create_before(self.context, self.branch, location, op);
        op.result(self.context, 0)
    }
}
