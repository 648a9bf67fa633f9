//! Changes of operations: locations, discardable attributes and everything else that does not change
//! stay.

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;

use orison_ir::{Attribute, Context, Operation};

use super::import::instruction_state;
use super::keys;
use crate::control::ControlWord;
use crate::function::{self, Function};
use crate::instruction::{Instruction, Origin, Scheduled};

/// Changes of the operations of functions, collected while their instructions are borrowed.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// Operations with new control words, and new instructions if what they do changes.
    changed: Vec<(Operation, ControlWord, Option<Instruction>)>,
    /// New instructions, and the operations before which they are.
    inserted: Vec<(Operation, Scheduled<'static>)>,
}

impl Edits {
    /// Adds what a pass changed in a function that it read from operations: control words,
    /// instructions, which must remain cases of their operations, and new instructions before
    /// others or before the end of a block.
    pub fn add(&mut self, context: &Context, function: &Function<'_>) {
        for block in &function.blocks {
            self.add_block(context, block);
        }
    }

    fn add_block(&mut self, context: &Context, block: &function::Block<'_>) {
        let inserted = self.inserted.len();
        let mut next = block.fall_through;
        for found in block.instructions.iter().rev() {
            match found.origin {
                Origin::Operation(op) => {
                    next = Some(op);
                    self.add_change(context, op, found);
                }
                Origin::New | Origin::Line(_) => {
                    self.inserted
                        .extend(next.map(|next| (next, found.to_owned())));
                }
            }
        }
        // Several before one operation are inserted in their order.
        self.inserted[inserted..].reverse();
    }

    fn add_change(&mut self, context: &Context, op: Operation, found: &Scheduled<'_>) {
        let instruction = match &found.instruction {
            std::borrow::Cow::Borrowed(_) => None,
            std::borrow::Cow::Owned(changed) => Some(changed.clone()),
        };
        let word = super::Inst(op).control(context);
        if instruction.is_some() || word != Some(found.control) {
            self.changed.push((op, found.control, instruction));
        }
    }

    /// Changes the operations. A new one has the location of that before which it is. Returns
    /// whether there is a change.
    pub fn apply(self, context: &mut Context) -> bool {
        let changes = !self.changed.is_empty() || !self.inserted.is_empty();
        for (op, control, instruction) in self.changed {
            let control = Attribute::typed(context, control);
            let properties = op.properties(context);
            let mut properties = properties.with(context, keys::CONTROL, control);
            if let Some(instruction) = instruction {
                let instruction = Attribute::typed(context, instruction);
                properties = properties.with(context, keys::INSTRUCTION, instruction);
            }
            op.set_properties(context, properties);
        }
        for (next, found) in self.inserted {
            let location = next.location(context);
            let state = instruction_state(context, found, location);
            let op = Operation::create(context, &state);
            if let Some(block) = next.block(context) {
                block.insert_before(context, Some(next), op);
            }
        }
        changes
    }
}
