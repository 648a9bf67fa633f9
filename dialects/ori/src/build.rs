//! A builder of machine operations by operand group, which omits empty groups.

use orison_ir::declare::AttributeForm;
use orison_ir::{
    Attribute, Builder, Context, Keyword, Location, Operation, OperationName, OperationState, Value,
};

use crate::Register;
use crate::modifiers::{self, MODIFIERS, Modifier, ModifierSet};

/// A machine operation under construction.
///
/// Operands are added by the name of their group; groups without operands are empty.
#[derive(Clone, Debug)]
pub struct MachineOperation {
    name: &'static str,
    operands: Vec<(&'static str, Value, ModifierSet)>,
    attributes: Vec<(&'static str, Attribute)>,
    results: Vec<Register>,
}

impl MachineOperation {
    /// Starts an operation with its full name, `ori.iadd3`.
    pub fn new(name: &'static str) -> Self {
        MachineOperation {
            name,
            operands: Vec::new(),
            attributes: Vec::new(),
            results: Vec::new(),
        }
    }

    /// A copy of an operation: its operands with their modifiers, its attributes (discardable ones
    /// excepted), its results. `None` if it is not a declared operation with registers as results.
    pub fn copy_of(context: &Context, op: Operation) -> Option<Self> {
        let definition = op.definition(context)?;
        let mut copy = MachineOperation::new(definition.name);
        for (number, group) in definition.operands.iter().enumerate() {
            for operand in definition.operand_range(context, op, number) {
                let set = modifiers::of_operand(context, op, operand);
                let value = op.operand(context, operand);
                copy.operands.push((group.name, value, set));
            }
        }
        for attribute in definition.attributes {
            let value = op.attribute(context, attribute.name);
            let value = value.filter(|_| attribute.name != MODIFIERS);
            copy.attributes
                .extend(value.map(|value| (attribute.name, value)));
        }
        for result in op.results(context) {
            copy.results
                .push(Register::of(context, result.ty(context))?);
        }
        Some(copy)
    }

    /// Removes the operands of a group.
    #[must_use]
    pub fn without(mut self, group: &str) -> Self {
        self.operands.retain(|(name, ..)| *name != group);
        self
    }

    /// The same operands, modifiers and results under another name.
    #[must_use]
    pub fn renamed(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Removes a modifier of the operation.
    #[must_use]
    pub fn without_modifier(mut self, key: &str) -> Self {
        self.attributes.retain(|(name, _)| *name != key);
        self
    }

    /// Removes the results.
    #[must_use]
    pub fn without_results(mut self) -> Self {
        self.results.clear();
        self
    }

    /// Adds results of the types of values that are registers.
    #[must_use]
    pub fn results_like(mut self, context: &Context, values: &[Value]) -> Self {
        let registers = values.iter().map(|value| value.ty(context));
        let registers = registers.filter_map(|ty| Register::of(context, ty));
        self.results.extend(registers);
        self
    }

    /// Adds an operand to a group.
    #[must_use]
    pub fn operand(self, group: &'static str, value: Value) -> Self {
        self.modified(group, value, &[])
    }

    /// Adds an operand with modifiers to a group.
    #[must_use]
    pub fn modified(mut self, group: &'static str, value: Value, all: &[Modifier]) -> Self {
        let set = all.iter().copied().collect();
        self.operands.push((group, value, set));
        self
    }

    /// Sets a keyword modifier by its spelling, or a string modifier; the verifier reports a word that is not a keyword.
    #[must_use]
    pub fn word(mut self, context: &mut Context, key: &'static str, word: &str) -> Self {
        let definition = OperationName::new(context, self.name).definition(context);
        let declared = definition.and_then(|definition| definition.attribute(key));
        let keywords = declared.and_then(|declared| declared.constraint.keywords);
        let keyword = keywords.and_then(|keywords| keywords.parse(context, word));
        let value = keyword.unwrap_or_else(|| Attribute::string(context, word));
        self.attributes.push((key, value));
        self
    }

    /// Sets a keyword modifier.
    #[must_use]
    pub fn keyword<K: Keyword>(
        mut self,
        context: &mut Context,
        key: &'static str,
        keyword: K,
    ) -> Self {
        self.attributes.push((key, K::write(context, keyword)));
        self
    }

    /// Sets an integer modifier.
    #[must_use]
    pub fn number(mut self, context: &mut Context, key: &'static str, number: i32) -> Self {
        self.attributes.push((key, Attribute::i32(context, number)));
        self
    }

    /// Sets or omits a unit modifier.
    #[must_use]
    pub fn flag(mut self, key: &'static str) -> Self {
        self.attributes.push((key, Attribute::UNIT));
        self
    }

    /// Adds a result.
    #[must_use]
    pub fn result(mut self, register: Register) -> Self {
        self.results.push(register);
        self
    }

    /// The number of results.
    pub fn result_count(&self) -> usize {
        self.results.len()
    }

    /// Creates the operation at the insertion point. Operands of groups that the operation does not
    /// have are dropped; the verifier reports missing ones.
    pub fn build(self, builder: &mut Builder<'_>, location: Location) -> Operation {
        let context = builder.context();
        let name = OperationName::new(context, self.name);
        let mut state = OperationState::new(name, location);
        let definition = name.definition(context);
        let groups = definition.map_or(&[][..], |d| d.operands);
        let (mut sizes, mut sets) = (Vec::new(), Vec::new());
        for group in groups {
            let members = self
                .operands
                .iter()
                .filter(|(name, ..)| *name == group.name);
            let before = sets.len();
            for (_, value, set) in members {
                state.operands.push(*value);
                sets.push(*set);
            }
            sizes.push(i32::try_from(sets.len() - before).unwrap_or(i32::MAX));
        }
        for (key, value) in &self.attributes {
            state.set_property(context, key, *value);
        }
        if let Some(definition) = definition {
            state.properties = definition.with_operand_sizes(context, state.properties, &sizes);
        }
        if let Some(attribute) = modifiers::attribute(context, &sets) {
            state.set_property(context, MODIFIERS, attribute);
        }
        for register in &self.results {
            let ty = register.ty(context);
            state.result_types.push(ty);
        }
        builder.create(&state)
    }
}
