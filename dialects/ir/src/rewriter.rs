//! The rewriter, through which rewrite rules change IR.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use crate::builder::Builder;
use crate::entities::{Block, Operation, OperationState, Value};
use crate::{Attribute, Location};

/// The reason why a rule did not change an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declined(pub Cow<'static, str>);

impl Declined {
    /// Declines with this reason.
    ///
    /// # Errors
    /// Always: `return Declined::because("…")` ends a rule.
    pub fn because<T>(reason: impl Into<Cow<'static, str>>) -> Result<T, Declined> {
        Err(Declined(reason.into()))
    }
}

/// The outcome of a rule: `Ok` if it changed the IR.
pub type RuleResult = Result<(), Declined>;

/// Changes IR and notifies a listener of every change. Dereferences to the [`Builder`].
///
/// A change that would make the IR invalid, such as erasing an operation whose results are used, is
/// refused: an error at the operation states the reason, and the pass fails.
#[derive(Debug)]
pub struct Rewriter<'a> {
    builder: Builder<'a>,
}

impl<'a> Rewriter<'a> {
    /// A rewriter around a builder.
    pub fn new(builder: Builder<'a>) -> Self {
        Rewriter { builder }
    }

    /// Replaces the results of `op` with `values` and erases it. Does nothing if one of the values
    /// is a result of `op` itself, as in unreachable code where values may use each other. Refused
    /// if the number of values differs from the number of results, or a value is defined in its
    /// regions.
    pub fn replace(&mut self, op: Operation, values: &[Value]) {
        let context = self.builder.ir();
        let (found, wanted) = (values.len(), op.result_count(context));
        if found != wanted {
            let message = format!("has {wanted} results, and cannot be replaced by {found} values");
            return self.refuse(op, message);
        }
        if values
            .iter()
            .any(|value| value.defining_op(context) == Some(op))
        {
            return;
        }
        let inside = |value: &Value| {
            let block = value.parent_block(context);
            let owner = value.defining_op(context);
            let owner = owner.or_else(|| block.and_then(|block| block.parent_op(context)));
            owner.is_some_and(|owner| op.is_ancestor_of(context, owner))
        };
        if values.iter().any(inside) {
            return self.refuse(op, "cannot be replaced by values that it defines");
        }
        self.builder
            .notify(|listener, context| listener.replacing(context, op));
        for (number, value) in values.iter().enumerate() {
            let result = op.result(self.builder.ir(), number);
            result.replace_all_uses_with(self.builder.context(), *value);
        }
        self.erase(op);
    }

    /// Emits an error for a refused change.
    fn refuse(&mut self, op: Operation, message: impl std::fmt::Display) {
        let error = op.op_error(self.ir(), message);
        self.context().diagnostics.emit(*error);
    }

    /// Creates an operation before `op`, replaces `op` with its results and erases it.
    pub fn replace_with_new(&mut self, op: Operation, state: &OperationState) -> Operation {
        self.set_insertion_point(crate::InsertionPoint::Before(op));
        let new = self.create(state);
        let results: Vec<_> = new.results(self.ir()).collect();
        self.replace(op, &results);
        new
    }

    /// Redirects all uses of a value and notifies the listener of each user.
    pub fn replace_all_uses(&mut self, value: Value, replacement: Value) {
        let users: Vec<_> = value.users(self.ir()).collect();
        value.replace_all_uses_with(self.context(), replacement);
        for user in users {
            self.modified(user);
        }
    }

    /// Erases an operation and its regions. Refused if a value it defines is used outside.
    pub fn erase(&mut self, op: Operation) {
        if let Err(error) = op.check_erasable(self.ir()) {
            self.context().diagnostics.emit(*error);
            return;
        }
        self.builder.notify(|listener, context| {
            listener.erasing(context, op);
            crate::walk::walk_nested(context, op, |nested| listener.erasing(context, nested));
        });
        op.erase(self.builder.context());
    }

    /// Moves the operations of a block to the insertion point, replaces its arguments with
    /// `values`, and erases the block. Refused if a branch targets the block, or the number of
    /// values differs from the number of arguments.
    pub fn inline_block(&mut self, block: Block, values: &[Value]) {
        let context = self.builder.ir();
        let (found, wanted) = (values.len(), block.argument_count(context));
        let refusal = if found != wanted {
            format!("has a block with {wanted} arguments, which {found} values cannot replace")
        } else if block.predecessors(context).next().is_some() {
            "has a block that cannot be inlined: a branch leads to it".to_owned()
        } else {
            String::new()
        };
        if !refusal.is_empty() {
            let location = values
                .first()
                .map_or(Location::UNKNOWN, |v| v.location(context));
            return match block.parent_op(context) {
                Some(op) => self.refuse(op, refusal),
                None => self
                    .context()
                    .error(location, format!("a region {refusal}")),
            };
        }
        let arguments: Vec<_> = block.arguments(context).collect();
        for (argument, value) in arguments.into_iter().zip(values) {
            self.replace_all_uses(argument, *value);
        }
        let operations: Vec<_> = block.operations(self.builder.ir()).collect();
        for op in operations {
            op.detach(self.builder.context());
            self.builder.insert(op);
        }
        block.erase(self.builder.context());
    }

    /// Replaces the operands of an operation.
    pub fn set_operands(&mut self, op: Operation, operands: &[Value]) {
        let before: Vec<_> = op.operands(self.ir()).collect();
        op.set_operands(self.context(), operands);
        self.modified(op);
        for value in before {
            self.used_less(value);
        }
    }

    /// Notifies the listener that a value has lost a use: its definition may be dead.
    pub fn used_less(&mut self, value: Value) {
        if let Some(definition) = value.defining_op(self.ir()) {
            self.modified(definition);
        }
    }

    /// Notifies the listener that an operation was changed in place.
    pub fn modified(&mut self, op: Operation) {
        self.builder
            .notify(|listener, context| listener.modified(context, op));
    }

    /// Changes an operand.
    pub fn set_operand(&mut self, op: Operation, number: usize, value: Value) {
        op.set_operand(self.context(), number, value);
        self.modified(op);
    }

    /// Changes an attribute.
    pub fn set_attribute(&mut self, op: Operation, key: &str, value: Attribute) {
        op.set_attribute(self.context(), key, value);
        self.modified(op);
    }

    /// An operation state for this name and location, to be filled in.
    pub fn state(&mut self, name: &str, location: Location) -> OperationState {
        let name = crate::OperationName::new(self.context(), name);
        OperationState::new(name, location)
    }
}

impl<'a> Deref for Rewriter<'a> {
    type Target = Builder<'a>;
    fn deref(&self) -> &Builder<'a> {
        &self.builder
    }
}

impl<'a> DerefMut for Rewriter<'a> {
    fn deref_mut(&mut self) -> &mut Builder<'a> {
        &mut self.builder
    }
}
