//! The verifier.
//!
//! Checked for every operation, in this order:
//!
//! 1. numbers of operands, results, regions, successors; sizes of operand and result segments;
//! 2. inherent attributes: present and of the declared form;
//! 3. types of operands and results;
//! 4. shape of regions;
//! 5. traits;
//! 6. the operation's own rules;
//! 7. discardable attributes of registered dialects;
//! 8. blocks: terminators, successors of the same region;
//! 9. what is in its regions, then its rules about them;
//! 10. when all that holds: that every operand is defined on every path to its use, and that
//!     nothing in an isolated operation uses a value from outside.
//!
//! Operations that are isolated from above are checked independently: the first error of each is
//! reported.

mod blocks;
mod declared;
mod dominance;
mod known;
mod traits;

use crate::declare::{Trait, VerifyResult};
use crate::entities::{Block, Operation};
use crate::symbol_table::SymbolTables;
use crate::{Context, Diagnostic};

/// Verifies an operation and everything in it.
///
/// # Errors
/// The errors found, at most one for each operation that is isolated from above.
pub fn verify(context: &Context, op: Operation) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut units = vec![op];
    let mut availability = dominance::Availability::new(context);
    let mut memory = Memory::default();
    let mut next = 0;
    while let Some(&unit) = units.get(next) {
        next += 1;
        let mut nested = Vec::new();
        let result = verify_unit(context, unit, &mut nested, &mut memory)
            .and_then(|()| availability.verify_unit(context, unit));
        if let Err(error) = result {
            errors.push(*error);
        }
        units.extend(nested);
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

impl Context {
    /// Verifies an operation and emits the errors found.
    ///
    /// # Errors
    /// When there are errors.
    pub fn verify(&mut self, op: Operation) -> Result<(), crate::ParseError> {
        match verify(self, op) {
            Ok(()) => Ok(()),
            Err(errors) => {
                for error in errors {
                    self.diagnostics.emit(error);
                }
                Err(crate::ParseError)
            }
        }
    }
}

/// What is kept from one operation to the next.
#[derive(Default)]
struct Memory {
    symbols: SymbolTables,
    known: known::Known,
}

/// A step of the walk through one unit.
enum Step {
    Enter(Operation),
    /// What is inside was verified.
    Leave(Operation),
}

/// Verifies an operation and what is in it, but for nested operations that are isolated from
/// above, which are collected.
fn verify_unit(
    context: &Context,
    unit: Operation,
    isolated: &mut Vec<Operation>,
    memory: &mut Memory,
) -> VerifyResult {
    let mut steps = vec![Step::Enter(unit)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Leave(op) => {
                if let Some(verify) = op.definition(context).and_then(|d| d.verify_regions) {
                    verify(context, op)?;
                }
            }
            Step::Enter(op) => {
                if op != unit && op.has_trait(context, Trait::IsolatedFromAbove) {
                    isolated.push(op);
                    continue;
                }
                verify_entered(context, op, memory)?;
                if op.region_count(context) > 0 {
                    steps.push(Step::Leave(op));
                    let start = steps.len();
                    for block in op
                        .regions(context)
                        .flat_map(|region| region.blocks(context))
                    {
                        push_block(context, block, &mut steps, memory)?;
                    }
                    steps[start..].reverse();
                }
            }
        }
    }
    Ok(())
}

fn push_block(
    context: &Context,
    block: Block,
    steps: &mut Vec<Step>,
    memory: &mut Memory,
) -> VerifyResult {
    blocks::verify_block(context, block)?;
    // Operations without regions need no place on the stack.
    for op in block.operations(context) {
        if op.region_count(context) == 0 && !op.has_trait(context, Trait::IsolatedFromAbove) {
            verify_entered(context, op, memory)?;
        } else {
            steps.push(Step::Enter(op));
        }
    }
    blocks::verify_terminator(context, block)
}

/// Everything about one operation but the contents of its regions.
fn verify_entered(context: &Context, op: Operation, memory: &mut Memory) -> VerifyResult {
    let Some(definition) = op.definition(context) else {
        return declared::verify_unregistered(context, op);
    };
    let kind = memory.known.of(context, op, definition);
    let types = kind.knows_types(context, op);
    let properties = kind.knows_properties(context, op);
    if !types {
        declared::verify_counts(context, op, definition)?;
    }
    if kind.placed {
        traits::verify_structure(context, op, definition)?;
    }
    if !properties {
        declared::verify_properties(context, op, definition)?;
    }
    if !types {
        declared::verify_value_types(context, op, definition)?;
    }
    declared::verify_region_shapes(context, op, definition)?;
    if let Some(verify) = definition.verify_types {
        verify(context, op)?;
    }
    if !types || kind.special {
        traits::verify_traits(context, op, definition)?;
    }
    if !types || !properties {
        kind.note(context, op);
    }
    if let Some(verify) = definition.verify {
        verify(context, op)?;
    }
    if let Some(verify) = definition.verify_symbols {
        verify(context, op, &mut memory.symbols)?;
    }
    declared::verify_discardable(context, op)
}
