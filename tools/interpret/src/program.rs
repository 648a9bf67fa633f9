//! The program that is interpreted.

use std::cell::RefCell;
use std::fmt;

use orison_ir::symbol_table::SymbolTables;
use orison_ir::{Attribute, Context, Operation};

/// A module and its symbols.
pub struct Program<'c> {
    context: &'c Context,
    module: Operation,
    symbols: RefCell<SymbolTables>,
}

impl fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("module", &self.module)
            .finish_non_exhaustive()
    }
}

impl<'c> Program<'c> {
    /// The program of a module.
    pub(crate) fn new(context: &'c Context, module: Operation) -> Self {
        Program {
            context,
            module,
            symbols: RefCell::default(),
        }
    }

    /// The context of the IR.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The module.
    pub fn module(&self) -> Operation {
        self.module
    }

    /// The symbol that a reference resolves to, as seen from an operation.
    pub fn symbol(&self, from: Operation, reference: Attribute) -> Option<Operation> {
        self.symbols
            .borrow_mut()
            .resolve(self.context, from, reference)
    }
}
