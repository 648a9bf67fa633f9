//! Semantics of operations: the extension point for dialects.

use orison_ir::{Block, Context, Operation, Region, Value};

use crate::{Datum, Machine, Program, Trap, World};

/// What the machine does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// The operation has these results; execution continues at the next one of the block.
    Results(Vec<Datum>),
    /// A region of the operation runs; when it ends, [`Semantics::resume`] decides.
    Enter {
        /// The region.
        region: Region,
        /// The arguments of its first block.
        arguments: Vec<Datum>,
        /// Values passed back to `resume`: for example the counter of a loop.
        saved: Vec<Datum>,
    },
    /// Execution continues at another block of the region.
    Branch {
        /// The block.
        block: Block,
        /// Its arguments.
        arguments: Vec<Datum>,
    },
    /// The region ends with these values. The enclosing operation is resumed; at the end of a
    /// function, the call has these results.
    Leave(Vec<Datum>),
    /// Calls a function; its results are those of the operation.
    Call {
        /// The region of the function.
        body: Region,
        /// The arguments of its first block.
        arguments: Vec<Datum>,
    },
    /// The operation must wait for another task; the machine is unchanged, and the next step
    /// retries it. The operation must not have changed anything.
    Wait(String),
}

/// A region that ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The region.
    pub region: Region,
    /// The operation that ended it; `None` if the block has no terminator.
    pub terminator: Option<Operation>,
    /// The values it ended with.
    pub values: Vec<Datum>,
    /// The values saved when the region was entered.
    pub saved: Vec<Datum>,
}

/// The semantics of the operations of a dialect.
pub trait Semantics {
    /// Executes an operation that the machine reached.
    ///
    /// # Errors
    /// If the program cannot continue.
    fn execute(&self, step: &mut Step<'_, '_>, operation: Operation) -> Result<Action, Trap>;

    /// Resumes an operation after one of its regions ended.
    ///
    /// # Errors
    /// If the program cannot continue.
    fn resume(
        &self,
        step: &mut Step<'_, '_>,
        operation: Operation,
        ended: Ended,
    ) -> Result<Action, Trap> {
        let _ = (step, ended);
        Err(Trap::unsupported(operation, "an operation with regions"))
    }
}

/// Executes an operation that the machine reached, see [`Semantics::execute`].
pub type Execute = fn(&mut Step<'_, '_>, Operation) -> Result<Action, Trap>;
/// Resumes an operation after one of its regions ended, see [`Semantics::resume`].
pub type Resume = fn(&mut Step<'_, '_>, Operation, Ended) -> Result<Action, Trap>;

/// How one operation runs: an interface that its crate attaches to it with
/// [`Context::attach`](orison_ir::Context::attach). It precedes the semantics of the dialect.
#[derive(Clone, Copy, Debug)]
pub struct Execution {
    /// Executes the operation.
    pub execute: Execute,
    /// Resumes it after one of its regions ended.
    pub resume: Resume,
}

impl Execution {
    /// An operation without regions.
    pub const fn new(execute: Execute) -> Self {
        Execution {
            execute,
            resume: |_, operation, _| {
                Err(Trap::unsupported(operation, "an operation with regions"))
            },
        }
    }

    /// An operation that enters its regions.
    pub const fn with_regions(execute: Execute, resume: Resume) -> Self {
        Execution { execute, resume }
    }
}

impl Semantics for Execution {
    fn execute(&self, step: &mut Step<'_, '_>, operation: Operation) -> Result<Action, Trap> {
        (self.execute)(step, operation)
    }

    fn resume(
        &self,
        step: &mut Step<'_, '_>,
        operation: Operation,
        ended: Ended,
    ) -> Result<Action, Trap> {
        (self.resume)(step, operation, ended)
    }
}

/// The state accessible to an operation when it runs.
#[derive(Debug)]
pub struct Step<'a, 'c> {
    /// The program, for symbols.
    pub program: &'a Program<'c>,
    /// The machine at the operation.
    pub machine: &'a Machine,
    /// The shared state.
    pub world: &'a mut World,
}

impl<'c> Step<'_, 'c> {
    /// The context of the IR.
    pub fn context(&self) -> &'c Context {
        self.program.context()
    }

    /// The datum of a value.
    ///
    /// # Errors
    /// If it is not defined yet: the IR is not valid.
    pub fn value(&self, value: Value) -> Result<Datum, Trap> {
        if let Some(datum) = self.machine.value(value) {
            return Ok(datum.clone());
        }
        let operation = match self.machine.operation() {
            Some(operation) => operation,
            None => self.program.module(),
        };
        Err(Trap::malformed(
            operation,
            "a value is used before it is defined",
        ))
    }

    /// The data of values.
    ///
    /// # Errors
    /// If one is not defined yet.
    pub fn values(&self, values: &[Value]) -> Result<Vec<Datum>, Trap> {
        values.iter().map(|value| self.value(*value)).collect()
    }

    /// The data of the operands of an operation.
    ///
    /// # Errors
    /// If one is not defined yet.
    pub fn operands(&self, operation: Operation) -> Result<Vec<Datum>, Trap> {
        let operands = operation.operands(self.context());
        operands.map(|value| self.value(value)).collect()
    }
}
