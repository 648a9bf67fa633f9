//! Execution, one operation at a time.

use std::collections::BTreeMap;
use std::fmt;

use orison_ir::{Context, Interface, Operation};

use crate::{
    Action, Datum, Ended, Execution, Frame, FrameKind, Machine, Program, Semantics, Step, Trap,
    World,
};

/// The outcome of one step of a machine.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// An operation was executed.
    Ran,
    /// The operation waits for another task, for this reason; nothing changed.
    Waits(String),
    /// The program has ended; [`Machine::finished`] returns the results.
    Finished,
}

/// The outcome of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It returned these values.
    Returned(Vec<Datum>),
    /// It stopped.
    Trapped(Trap),
    /// It was still running when its fuel was used up.
    OutOfFuel,
    /// It waits for a task that does not exist.
    Stuck(String),
}

/// A module with the semantics of its operations.
pub struct Interpreter<'c> {
    program: Program<'c>,
    executions: Interface<'c, Execution>,
    semantics: BTreeMap<String, Box<dyn Semantics>>,
}

impl fmt::Debug for Interpreter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interpreter")
            .field("module", &self.module())
            .field("dialects", &self.semantics.keys())
            .finish_non_exhaustive()
    }
}

impl<'c> Interpreter<'c> {
    /// The maximum number of frames of a machine.
    pub const MAX_FRAMES: usize = 100_000;

    /// An interpreter of a module without registered dialects.
    pub fn new(context: &'c Context, module: Operation) -> Self {
        Interpreter {
            program: Program::new(context, module),
            executions: context.interface(),
            semantics: BTreeMap::new(),
        }
    }

    /// Registers the semantics of a dialect, replacing any registered before.
    pub fn register(&mut self, dialect: &str, semantics: Box<dyn Semantics>) {
        self.semantics.insert(dialect.to_owned(), semantics);
    }

    /// The context of the IR.
    pub fn context(&self) -> &'c Context {
        self.program.context()
    }

    /// The module.
    pub fn module(&self) -> Operation {
        self.program.module()
    }

    /// A machine at the entry of a function of the module.
    ///
    /// # Errors
    /// If there is no such symbol, or it has no body, or takes another number of arguments.
    pub fn start(&self, function: &str, arguments: Vec<Datum>) -> Result<Machine, Trap> {
        let Some(symbol) = self.module().lookup_symbol(self.context(), function) else {
            let message = format!("undefined symbol '{function}'");
            return Err(Trap::malformed(self.module(), &message));
        };
        let Some(body) = symbol.regions(self.context()).next() else {
            return Err(Trap::unsupported(symbol, "the symbol has no region to run"));
        };
        let frame = Frame::enter(self.context(), FrameKind::Call, body, arguments)?;
        Ok(Machine::new(frame))
    }

    /// Executes the current operation of the machine.
    ///
    /// # Errors
    /// If the program cannot continue; the machine is unchanged.
    pub fn step(&self, machine: &mut Machine, world: &mut World) -> Result<Progress, Trap> {
        let Some(frame) = machine.frames.last() else {
            return Ok(Progress::Finished);
        };
        if machine.finished.is_some() {
            return Ok(Progress::Finished);
        }
        let action = match frame.operation {
            Some(operation) => {
                let mut step = Step {
                    program: &self.program,
                    machine,
                    world,
                };
                self.semantics_of(operation)?
                    .execute(&mut step, operation)?
            }
            None => Action::Leave(Vec::new()),
        };
        self.apply(machine, world, action)
    }

    /// Runs a machine until it ends, for at most `fuel` operations.
    pub fn run(&self, machine: &mut Machine, world: &mut World, fuel: u64) -> Outcome {
        for _ in 0..fuel {
            match self.step(machine, world) {
                Ok(Progress::Ran) => {}
                Ok(Progress::Waits(reason)) => return Outcome::Stuck(reason),
                Ok(Progress::Finished) => break,
                Err(trap) => return Outcome::Trapped(trap),
            }
        }
        match machine.finished() {
            Some(results) => Outcome::Returned(results.to_vec()),
            None => Outcome::OutOfFuel,
        }
    }

    fn semantics_of(&self, operation: Operation) -> Result<&dyn Semantics, Trap> {
        if let Some(execution) = self.executions.of(operation) {
            return Ok(execution);
        }
        let dialect = operation.name(self.context()).dialect(self.context());
        match self.semantics.get(dialect) {
            Some(semantics) => Ok(semantics.as_ref()),
            None => {
                let message = format!("no semantics are registered for dialect '{dialect}'");
                Err(Trap::unsupported(operation, &message))
            }
        }
    }

    /// Applies the action of an operation; the enclosing operations may return actions in turn.
    fn apply(
        &self,
        machine: &mut Machine,
        world: &mut World,
        action: Action,
    ) -> Result<Progress, Trap> {
        match action {
            Action::Results(results) => self.define_results(machine, results)?,
            Action::Enter {
                region,
                arguments,
                saved,
            } => {
                let mut frame = Frame::enter(self.context(), FrameKind::Region, region, arguments)?;
                frame.saved = saved;
                push(machine, frame)?;
            }
            Action::Call { body, arguments } => {
                push(
                    machine,
                    Frame::enter(self.context(), FrameKind::Call, body, arguments)?,
                )?;
            }
            Action::Branch { block, arguments } => {
                if let Some(frame) = machine.frames.last_mut() {
                    frame.go_to(self.context(), block, arguments)?;
                }
            }
            Action::Leave(values) => return self.leave(machine, world, values),
            Action::Wait(reason) => return Ok(Progress::Waits(reason)),
        }
        Ok(Progress::Ran)
    }

    fn define_results(&self, machine: &mut Machine, results: Vec<Datum>) -> Result<(), Trap> {
        let Some(frame) = machine.frames.last_mut() else {
            return Ok(());
        };
        let Some(operation) = frame.operation else {
            return Ok(());
        };
        if operation.result_count(self.context()) != results.len() {
            let message = format!(
                "expected {1} results, found {0}",
                results.len(),
                operation.result_count(self.context())
            );
            return Err(Trap::malformed(operation, &message));
        }
        for (value, datum) in operation.results(self.context()).zip(results) {
            frame.define(value, datum);
        }
        frame.operation = operation.next(self.context());
        Ok(())
    }

    fn leave(
        &self,
        machine: &mut Machine,
        world: &mut World,
        values: Vec<Datum>,
    ) -> Result<Progress, Trap> {
        if machine.frames.len() == machine.floor + 1 {
            machine.finished = Some(values);
            return Ok(Progress::Finished);
        }
        let Some(frame) = machine.frames.pop() else {
            return Ok(Progress::Finished);
        };
        let action = match (frame.kind, machine.operation()) {
            (FrameKind::Call, _) | (_, None) => Ok(Action::Results(values)),
            (FrameKind::Region, Some(operation)) => {
                let ended = Ended {
                    region: frame.region,
                    terminator: frame.operation,
                    values,
                    saved: frame.saved.clone(),
                };
                let mut step = Step {
                    program: &self.program,
                    machine,
                    world,
                };
                self.semantics_of(operation)
                    .and_then(|semantics| semantics.resume(&mut step, operation, ended))
            }
        };
        // The enclosing operation can only continue in its own frame, so this recurses at most
        // twice: it either leaves its own region at once (`scf.reduce`) or returns another action.
        match action {
            Ok(Action::Wait(reason)) => {
                machine.frames.push(frame);
                Ok(Progress::Waits(reason))
            }
            Ok(action) => self.apply(machine, world, action),
            Err(trap) => {
                machine.frames.push(frame);
                Err(trap)
            }
        }
    }
}

fn push(machine: &mut Machine, frame: Frame) -> Result<(), Trap> {
    if machine.frames.len() >= Interpreter::MAX_FRAMES {
        return Err(Trap::TooDeep);
    }
    machine.frames.push(frame);
    Ok(())
}
