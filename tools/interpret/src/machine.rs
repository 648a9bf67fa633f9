//! A running program: a stack of frames, one for each active region.

use std::sync::Arc;

use orison_ir::{Block, Context, Operation, Region, Value};
use rustc_hash::FxHashMap;

use crate::{Datum, Trap};

/// The kind of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameKind {
    /// The body of a function: it cannot access values of the frames below.
    Call,
    /// A region of the current operation of the frame below: it can access that frame's values.
    Region,
}

/// An active region. Clones share the values until one of them defines another.
#[derive(Clone, Debug)]
pub struct Frame {
    pub(crate) kind: FrameKind,
    pub(crate) region: Region,
    pub(crate) block: Block,
    /// The operation to run next; in frames below the top, the one that waits for its region or
    /// callee. `None` after the last operation.
    pub(crate) operation: Option<Operation>,
    pub(crate) saved: Vec<Datum>,
    values: Arc<FxHashMap<Value, Datum>>,
}

impl Frame {
    /// A frame at the first operation of a region.
    ///
    /// # Errors
    /// If the region is empty or takes another number of arguments.
    pub(crate) fn enter(
        context: &Context,
        kind: FrameKind,
        region: Region,
        arguments: Vec<Datum>,
    ) -> Result<Frame, Trap> {
        let Some(entry) = region.first_block(context) else {
            let owner = region.owner(context);
            return Err(Trap::malformed(owner, "the region has no blocks"));
        };
        let mut frame = Frame {
            kind,
            region,
            block: entry,
            operation: None,
            saved: Vec::new(),
            values: Arc::default(),
        };
        frame.go_to(context, entry, arguments)?;
        Ok(frame)
    }

    /// Continues at the first operation of a block of the region.
    pub(crate) fn go_to(
        &mut self,
        context: &Context,
        block: Block,
        arguments: Vec<Datum>,
    ) -> Result<(), Trap> {
        if block.argument_count(context) != arguments.len() {
            let message = format!(
                "expected {1} block arguments, found {0}",
                arguments.len(),
                block.argument_count(context)
            );
            return Err(Trap::malformed(self.region.owner(context), &message));
        }
        for (argument, datum) in block.arguments(context).zip(arguments) {
            self.define(argument, datum);
        }
        self.block = block;
        self.operation = block.first_op(context);
        Ok(())
    }

    pub(crate) fn define(&mut self, value: Value, datum: Datum) {
        Arc::make_mut(&mut self.values).insert(value, datum);
    }

    /// Whether the frame is the body of a function.
    pub fn kind(&self) -> FrameKind {
        self.kind
    }

    /// The active region.
    pub fn region(&self) -> Region {
        self.region
    }

    /// The current block.
    pub fn block(&self) -> Block {
        self.block
    }

    /// The operation to run next, or the one that waits for the frame above.
    pub fn operation(&self) -> Option<Operation> {
        self.operation
    }

    /// The values that [`crate::Action::Enter`] saved for the end of the region.
    pub fn saved(&self) -> &[Datum] {
        &self.saved
    }

    /// The datum of a value of this region, if defined.
    pub fn value(&self, value: Value) -> Option<&Datum> {
        self.values.get(&value)
    }
}

/// A running program, or one task of it. It is self-contained: it can be cloned at any operation,
/// and both copies can continue.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(crate) frames: Vec<Frame>,
    /// The frames below this index belong to the task that forked this one: they are read only.
    pub(crate) floor: usize,
    pub(crate) finished: Option<Vec<Datum>>,
}

impl Machine {
    pub(crate) fn new(frame: Frame) -> Machine {
        Machine {
            frames: vec![frame],
            floor: 0,
            finished: None,
        }
    }

    /// A task that runs a region independently: it reads the current values of this machine, and
    /// finishes with the values that end the region. The region's operation is not resumed.
    ///
    /// # Errors
    /// If the region is empty or takes another number of arguments.
    pub fn fork(
        &self,
        context: &Context,
        region: Region,
        arguments: Vec<Datum>,
    ) -> Result<Machine, Trap> {
        let mut frames = self.frames.clone();
        let floor = frames.len();
        frames.push(Frame::enter(context, FrameKind::Region, region, arguments)?);
        Ok(Machine {
            frames,
            floor,
            finished: None,
        })
    }

    /// The frames, the innermost last.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The operation to run next; `None` after the last one of a block.
    pub fn operation(&self) -> Option<Operation> {
        self.frames.last()?.operation
    }

    /// The values that the program returned, if it has ended.
    pub fn finished(&self) -> Option<&[Datum]> {
        self.finished.as_deref()
    }

    /// The datum of a value, as visible to the operation to run next.
    pub fn value(&self, value: Value) -> Option<&Datum> {
        for frame in self.frames.iter().rev() {
            if let Some(datum) = frame.value(value) {
                return Some(datum);
            }
            if frame.kind == FrameKind::Call {
                return None;
            }
        }
        None
    }
}
