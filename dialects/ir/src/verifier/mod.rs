//! The verifier.
//!
//! Checked for every operation, in the order of MLIR:
//!
//! 1. discardable attributes of registered dialects;
//! 2. numbers of operands, results, regions, successors; sizes of operand and result segments;
//! 3. traits about its position and its blocks;
//! 4. inherent attributes: present and valid; types of operands and results, and their consistency;
//!    shape of regions;
//! 5. other traits, and the operation's own rules;
//! 6. entries of its regions;
//! 7. the contents of its regions, block by block: operations in order, then the terminator;
//! 8. the isolated operations directly in it, each as a separate unit;
//! 9. traits and rules about its regions, the symbol references in it if it is a symbol table, and
//!    whether it must be registered;
//! 10. for a unit that passes these checks and has operands: that every operand is defined on every
//!     path to its use, and that no operation in it uses a value from outside.
//!
//! The first error in a unit ends it and the units that contain it; sibling units are still
//! checked.

mod blocks;
mod check_cache;
mod declared;
mod dominance;
#[cfg(test)]
mod tests;
mod traits;

use crate::declare::{OperationDefinition, Trait, VerifyResult};
use crate::entities::{Block, Operation};
use crate::symbol_table::SymbolTables;
use crate::{Context, Diagnostic};

/// Verifies an operation and its regions.
///
/// # Errors
/// The errors found, at most one for each operation that is isolated from above.
pub fn verify(context: &Context, op: Operation) -> Result<(), Vec<Diagnostic>> {
    let mut verifier = Verifier {
        context,
        steps: vec![Step::Unit(op)],
        isolated: Vec::new(),
        symbol_users: Vec::new(),
        errors: Vec::new(),
        operands: 0,
        memory: Memory::default(),
        availability: dominance::Availability::new(context),
    };
    verifier.run();
    if verifier.errors.is_empty() {
        Ok(())
    } else {
        Err(verifier.errors)
    }
}

impl Context {
    /// Verifies an operation and emits the errors found.
    ///
    /// # Errors
    /// If there are errors.
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

/// State kept between operations.
#[derive(Default)]
struct Memory {
    symbols: SymbolTables,
    known: check_cache::Known,
}

/// A step of the walk.
#[derive(Clone, Copy)]
enum Step {
    /// An operation that is verified as a unit.
    Unit(Operation),
    /// The end of a structurally valid unit, with the marks from before the unit.
    Dominance(Operation, Marks),
    /// The contents of a block.
    Block(Block),
    /// The remaining operations of a block, starting at this one.
    Rest(Block, Option<Operation>),
    /// The end of the contents of an operation, with the marks from before it.
    Leave(Operation, Marks),
    /// The end of the isolated operations in an operation, with the marks from before the operation
    /// and the number of errors before them.
    Finish(Operation, Marks, usize),
}

/// Lengths of the lists of pending operations before an operation, and the operands before it.
#[derive(Clone, Copy)]
struct Marks {
    isolated: usize,
    symbol_users: usize,
    operands: usize,
}

/// An error was found; `None` if it has already been recorded.
type Failure = Option<Box<Diagnostic>>;

struct Verifier<'c> {
    context: &'c Context,
    steps: Vec<Step>,
    /// Isolated operations not yet verified, for all operations being verified.
    isolated: Vec<Operation>,
    /// Operations with symbol references since the start of the innermost symbol table.
    symbol_users: Vec<Operation>,
    errors: Vec<Diagnostic>,
    /// The operands of the operations verified so far.
    operands: usize,
    memory: Memory,
    availability: dominance::Availability,
}

impl Verifier<'_> {
    fn run(&mut self) {
        while let Some(step) = self.steps.pop() {
            if let Err(failure) = self.step(step) {
                self.errors.extend(failure.map(|error| *error));
                self.leave_unit();
            }
        }
        // Users without an enclosing table in the verified operation resolve symbols outside it.
        if let Err(error) = self.verify_symbol_users(0) {
            self.errors.push(*error);
        }
    }

    /// Skips the rest of the innermost unit.
    fn leave_unit(&mut self) {
        while let Some(step) = self.steps.pop() {
            if let Step::Dominance(_, marks) = step {
                self.isolated.truncate(marks.isolated);
                self.symbol_users.truncate(marks.symbol_users);
                return;
            }
        }
    }

    fn step(&mut self, step: Step) -> Result<(), Failure> {
        match step {
            Step::Unit(op) => {
                self.steps.push(Step::Dominance(op, self.marks()));
                self.enter(op).map_err(Some)
            }
            // Machine code has no operands: nothing is used.
            Step::Dominance(_, marks) if marks.operands == self.operands => Ok(()),
            Step::Dominance(op, _) => {
                if let Err(error) = self.availability.verify_unit(self.context, op) {
                    self.errors.push(*error);
                }
                Ok(())
            }
            Step::Block(block) => {
                blocks::verify_block(self.context, block).map_err(Some)?;
                self.rest(block, block.first_op(self.context)).map_err(Some)
            }
            Step::Rest(block, next) => self.rest(block, next).map_err(Some),
            Step::Leave(op, marks) => {
                let errors = self.errors.len();
                self.steps.push(Step::Finish(op, marks, errors));
                let units = self.isolated.drain(marks.isolated..).rev();
                let units = units.map(Step::Unit);
                self.steps.extend(units);
                Ok(())
            }
            Step::Finish(_, _, errors) if self.errors.len() > errors => Err(None),
            Step::Finish(op, marks, _) => self.finish(op, marks.symbol_users).map_err(Some),
        }
    }

    /// Verifies an operation and pushes its contents on the stack.
    fn enter(&mut self, op: Operation) -> VerifyResult {
        let context = self.context;
        let definition = op.definition(context);
        self.operands += op.operand_count(context);
        declared::verify_discardable(context, op)?;
        if let Some(definition) = definition {
            verify_invariants(context, op, definition, &mut self.memory)?;
            if definition.verify_symbols.is_some() {
                self.symbol_users.push(op);
            }
        }
        if op.region_count(context) == 0 {
            return verify_left(context, op, definition);
        }
        blocks::verify_entries(context, op)?;
        self.steps.push(Step::Leave(op, self.marks()));
        let start = self.steps.len();
        let blocks = op
            .regions(context)
            .flat_map(|region| region.blocks(context));
        self.steps.extend(blocks.map(Step::Block));
        self.steps[start..].reverse();
        Ok(())
    }

    /// Completes the verification of an operation whose contents are valid.
    fn finish(&mut self, op: Operation, first_user: usize) -> VerifyResult {
        let definition = op.definition(self.context);
        if let Some(definition) = definition {
            traits::verify_region_traits(self.context, op, definition)?;
            if definition.has_trait(Trait::SymbolTable) {
                self.verify_symbol_users(first_user)?;
            }
        }
        verify_left(self.context, op, definition)
    }

    fn verify_symbol_users(&mut self, first: usize) -> VerifyResult {
        for user in self.symbol_users.drain(first..) {
            if let Some(verify) = user.definition(self.context).and_then(|d| d.verify_symbols) {
                verify(self.context, user, &mut self.memory.symbols)?;
            }
        }
        Ok(())
    }

    fn marks(&self) -> Marks {
        Marks {
            isolated: self.isolated.len(),
            symbol_users: self.symbol_users.len(),
            operands: self.operands,
        }
    }

    /// Verifies the operations of a block from one on, up to the first with regions, which is
    /// pushed on the stack with those after it.
    fn rest(&mut self, block: Block, next: Option<Operation>) -> VerifyResult {
        let context = self.context;
        let mut current = next;
        while let Some(op) = current {
            current = op.next(context);
            if op.region_count(context) == 0 {
                self.enter(op)?;
            } else if op.has_trait(context, Trait::IsolatedFromAbove) {
                self.isolated.push(op);
            } else {
                self.steps.push(Step::Rest(block, current));
                return self.enter(op);
            }
        }
        blocks::verify_terminator(context, block)
    }
}

/// Checks an operation whose contents are valid.
fn verify_left(
    context: &Context,
    op: Operation,
    definition: Option<&'static OperationDefinition>,
) -> VerifyResult {
    match definition {
        Some(definition) => definition
            .verify_regions
            .map_or(Ok(()), |verify| verify(context, op)),
        None => declared::verify_unregistered(context, op),
    }
}

/// Checks everything that a declaration defines except the contents of the regions.
fn verify_invariants(
    context: &Context,
    op: Operation,
    definition: &'static OperationDefinition,
    memory: &mut Memory,
) -> VerifyResult {
    let kind = memory.known.of(context, op, definition);
    let types = kind.knows_types(context, op);
    let properties = kind.knows_properties(context, op);
    if !types {
        declared::verify_counts(context, op, definition)?;
    }
    if kind.placed {
        traits::verify_structure(context, op, definition, kind.knows_parent(context, op))?;
        kind.note_parent(context, op);
    }
    if !properties {
        declared::verify_properties(context, op, definition, &kind.keys)?;
        kind.note_properties(context, op);
    }
    if !types {
        declared::verify_value_types(context, op, definition)?;
    }
    if let Some(verify) = definition.verify_types {
        verify(context, op)?;
    }
    declared::verify_region_shapes(context, op, definition)?;
    if !types || kind.special {
        traits::verify_traits(context, op, definition)?;
    }
    if !types {
        kind.note_types(context, op);
    }
    definition
        .verify
        .map_or(Ok(()), |verify| verify(context, op))
}
