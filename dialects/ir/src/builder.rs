//! Creating operations at an insertion point.

use crate::Context;
use crate::entities::{Block, Operation, OperationState};

/// The position at which the next operation is inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsertionPoint {
    /// Nowhere: operations are created detached.
    Detached,
    /// At the end of a block.
    End(Block),
    /// Before an operation.
    Before(Operation),
}

/// Receives notifications of the changes made by a builder or rewriter.
pub trait Listener {
    /// An operation was created and inserted.
    fn created(&mut self, _context: &Context, _op: Operation) {}
    /// An operation is about to be erased.
    fn erasing(&mut self, _context: &Context, _op: Operation) {}
    /// Operands, attributes or regions of an operation were changed.
    fn modified(&mut self, _context: &Context, _op: Operation) {}
    /// The results of an operation are about to be replaced everywhere.
    fn replacing(&mut self, _context: &Context, _op: Operation) {}
}

/// Creates operations at an insertion point.
pub struct Builder<'a> {
    context: &'a mut Context,
    point: InsertionPoint,
    listener: Option<&'a mut dyn Listener>,
}

impl std::fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder")
            .field("point", &self.point)
            .finish_non_exhaustive()
    }
}

impl<'a> Builder<'a> {
    /// A builder that creates detached operations until it is given an insertion point.
    pub fn new(context: &'a mut Context) -> Self {
        Builder {
            context,
            point: InsertionPoint::Detached,
            listener: None,
        }
    }

    /// A builder that inserts at `point`.
    pub fn at(context: &'a mut Context, point: InsertionPoint) -> Self {
        Builder {
            context,
            point,
            listener: None,
        }
    }

    /// Sets the listener.
    #[must_use]
    pub fn with_listener(mut self, listener: &'a mut dyn Listener) -> Self {
        self.listener = Some(listener);
        self
    }

    /// The context.
    pub fn context(&mut self) -> &mut Context {
        self.context
    }

    /// The context, read-only.
    pub fn ir(&self) -> &Context {
        self.context
    }

    /// The current insertion point.
    pub fn insertion_point(&self) -> InsertionPoint {
        self.point
    }

    /// Moves the insertion point; returns the old one.
    pub fn set_insertion_point(&mut self, point: InsertionPoint) -> InsertionPoint {
        std::mem::replace(&mut self.point, point)
    }

    /// Moves the insertion point after an operation.
    pub fn set_insertion_point_after(&mut self, op: Operation) {
        self.point = match (op.next(self.context), op.block(self.context)) {
            (Some(next), _) => InsertionPoint::Before(next),
            (None, Some(block)) => InsertionPoint::End(block),
            (None, None) => InsertionPoint::Detached,
        };
    }

    /// Creates an operation at the insertion point.
    pub fn create(&mut self, state: &OperationState) -> Operation {
        let op = Operation::create(self.context, state);
        self.insert(op);
        op
    }

    /// Inserts a detached operation at the insertion point.
    pub fn insert(&mut self, op: Operation) {
        match self.point {
            InsertionPoint::Detached => {}
            InsertionPoint::End(block) => block.append(self.context, op),
            InsertionPoint::Before(anchor) => {
                if let Some(block) = anchor.block(self.context) {
                    block.insert_before(self.context, Some(anchor), op);
                }
            }
        }
        if let Some(listener) = &mut self.listener {
            listener.created(self.context, op);
        }
    }

    /// Notifies the listener, if any.
    pub(crate) fn notify(&mut self, tell: impl FnOnce(&mut dyn Listener, &Context)) {
        if let Some(listener) = &mut self.listener {
            tell(&mut **listener, self.context);
        }
    }
}
