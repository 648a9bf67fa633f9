//! Changes of operations: locations, discardable attributes and everything else that does not change
//! stay.

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;

use std::borrow::Cow;

use orison_ir::{Attribute, Context, Identifier, Operation};
use rustc_hash::FxHashSet;

use super::import::instruction_state;
use super::{keys, read};
use crate::control::ControlWord;
use crate::function::{self, Function};
use crate::instruction::Instruction;
use crate::scheduled::{Origin, Scheduled};

/// Changes of the operations of functions, collected while their instructions are borrowed.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    words: Vec<(Operation, ControlWord)>,
    /// What operations do now.
    instructions: Vec<(Operation, Instruction)>,
    /// The instructions of blocks with new or moved ones, and the operation after them.
    placed: Vec<(Vec<Placed>, Option<Operation>)>,
    erased: Vec<Operation>,
}

/// An instruction in its place.
#[derive(Clone, Debug)]
enum Placed {
    Operation(Operation),
    New(Scheduled<'static>),
}

impl Edits {
    /// Adds what a pass changed in a function that it read from operations: control words,
    /// instructions, which must remain cases of their operations, their order and places, new
    /// instructions before others or before the end of a block, and instructions that it removed.
    ///
    /// The instruction that ends a block must stay.
    pub fn add(&mut self, context: &Context, function: &Function<'_>) {
        for block in &function.blocks {
            self.add_block(context, block);
        }
        self.add_erased(context, function);
    }

    /// Adds what a pass changed in an instruction that it read from an operation: the control word,
    /// and what the instruction does.
    pub fn change(&mut self, context: &Context, op: Operation, found: &Scheduled<'_>) {
        if let Cow::Owned(changed) = &found.instruction {
            self.instructions.push((op, changed.clone()));
        }
        let mut values = op.properties(context).entries(context).iter();
        let word = values.find_map(|(_, value)| value.downcast(context));
        if word != Some(&found.control) {
            self.words.push((op, found.control));
        }
    }

    fn add_block(&mut self, context: &Context, block: &function::Block<'_>) {
        let mut next = block.fall_through;
        let mut stays = true;
        for found in block.instructions.iter().rev() {
            match found.origin {
                Origin::Operation(op) => {
                    stays &= op.next(context) == next;
                    next = Some(op);
                    self.change(context, op, found);
                }
                Origin::New | Origin::Line(_) => stays &= next.is_none(),
            }
        }
        if stays {
            return;
        }
        let placed = |found: &Scheduled<'_>| match found.origin {
            Origin::Operation(op) => Placed::Operation(op),
            Origin::New | Origin::Line(_) => Placed::New(found.to_owned()),
        };
        let placed = block.instructions.iter().map(placed).collect();
        self.placed.push((placed, block.fall_through));
    }

    /// Adds the instructions that the operations have and the function has not.
    fn add_erased(&mut self, context: &Context, function: &Function<'_>) {
        let kept = || {
            let origins = function.instructions().map(|found| found.origin);
            origins.filter_map(|origin| match origin {
                Origin::Operation(op) => Some(op),
                Origin::New | Origin::Line(_) => None,
            })
        };
        let ends = function.blocks.iter().filter_map(|end| end.fall_through);
        let region = kept().chain(ends).find_map(|op| op.parent_region(context));
        let operations = || {
            let blocks = region.iter().flat_map(|region| region.blocks(context));
            let operations = blocks.flat_map(|block| block.operations(context));
            operations.filter(|op| read::is_instruction(context, *op))
        };
        // Every instruction that was kept is among them.
        if operations().count() == kept().count() {
            return;
        }
        let kept: FxHashSet<Operation> = kept().collect();
        self.erased
            .extend(operations().filter(|op| !kept.contains(op)));
    }

    /// Changes the operations. A new one has the location of that before which it is. Returns
    /// whether there is a change.
    pub fn apply(self, context: &mut Context) -> bool {
        let kept = self.words.is_empty() && self.instructions.is_empty();
        let changes = !(kept && self.placed.is_empty() && self.erased.is_empty());
        let key = Identifier::new(context, keys::CONTROL);
        let mut known = None;
        for (op, word) in self.words {
            // Neighbours often have the same.
            let value = match known {
                Some((last, value)) if last == word => value,
                _ => Attribute::typed(context, word),
            };
            known = Some((word, value));
            set(context, op, key, value);
        }
        let key = Identifier::new(context, keys::INSTRUCTION);
        for (op, instruction) in self.instructions {
            let value = Attribute::typed(context, instruction);
            set(context, op, key, value);
        }
        for op in self.erased {
            op.erase(context);
        }
        for (mut placed, end) in self.placed {
            let mut next = end;
            // Each before the next one, which is in its place.
            while let Some(found) = placed.pop() {
                next = place(context, found, next);
            }
        }
        changes
    }
}

fn set(context: &mut Context, op: Operation, key: Identifier, value: Attribute) {
    let properties = op.properties(context).with_entry(context, key, value);
    op.set_properties(context, properties);
}

/// Places an instruction before an operation, or leaves it at the end, where none can be added.
/// Returns the first operation of both.
fn place(context: &mut Context, found: Placed, next: Option<Operation>) -> Option<Operation> {
    match found {
        Placed::Operation(op) => {
            if let Some(next) = next.filter(|next| op.next(context) != Some(*next)) {
                op.move_before(context, next);
            }
            Some(op)
        }
        Placed::New(found) => {
            let next = next?;
            let location = next.location(context);
            let state = instruction_state(context, found, location);
            let op = Operation::create(context, &state);
            let block = next.block(context)?;
            block.insert_before(context, Some(next), op);
            Some(op)
        }
    }
}
