//! Rewriting: rules and the rewriter they change IR with.
//!
//! A rule belongs to the dialect of its root operation and is listed in the declaration of that
//! operation; the driver that applies rules lives in `orison-rewrites`.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use crate::builder::Builder;
use crate::entities::{Block, Operation, OperationState, Value};
use crate::{Attribute, Location};

/// Why a rule left an operation as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declined(pub Cow<'static, str>);

impl Declined {
    /// A rule declines with this reason.
    ///
    /// # Errors
    /// Always: `return Declined::because("…")` ends a rule.
    pub fn because<T>(reason: impl Into<Cow<'static, str>>) -> Result<T, Declined> {
        Err(Declined(reason.into()))
    }
}

/// What a rule did: `Ok` when it changed the IR.
pub type RuleResult = Result<(), Declined>;

/// A rewrite rule.
#[derive(Debug)]
pub struct Rule {
    /// Unique name in kebab-case, `dialect-what-it-does`.
    pub name: &'static str,
    /// One line: what becomes what.
    pub summary: &'static str,
    /// The operation it starts from.
    pub root: &'static str,
    /// Rules with a higher benefit are tried first; then by name.
    pub benefit: u16,
    /// Applies the rule to an operation named `root`. Must leave the IR unchanged when it declines.
    pub apply: fn(&mut Rewriter<'_>, Operation) -> RuleResult,
    /// What it was made from, when it is a [`peephole!`](crate::peephole).
    pub pattern: Option<&'static crate::pattern::Pattern>,
    /// Source file of the rule.
    pub file: &'static str,
    /// Line of the rule.
    pub line: u32,
}

/// Declares a rewrite rule as a static.
///
/// `rule!(FOLD_ZERO, "arith-addi-zero", "x + 0 becomes x", "arith.addi", function)`.
#[macro_export]
macro_rules! rule {
    ($(#[$doc:meta])* $visibility:vis $ident:ident, $name:literal, $summary:literal, $root:literal, $apply:expr) => {
        $(#[$doc])*
        #[doc = $summary]
        $visibility static $ident: $crate::rewrite::Rule = $crate::rewrite::Rule {
            name: $name,
            summary: $summary,
            root: $root,
            benefit: 1,
            apply: $apply,
            pattern: None,
            file: file!(),
            line: line!(),
        };
    };
}

/// Changes IR and tells a listener about every change. Dereferences to the [`Builder`].
///
/// A change that would leave invalid IR, such as erasing an operation whose results are used, is
/// not made; an error at the operation says why, and the pass fails.
#[derive(Debug)]
pub struct Rewriter<'a> {
    builder: Builder<'a>,
}

impl<'a> Rewriter<'a> {
    /// A rewriter around a builder.
    pub fn new(builder: Builder<'a>) -> Self {
        Rewriter { builder }
    }

    /// Replaces the results of `op` by `values` and erases it. Does nothing when one of the values is
    /// a result of `op` itself, as in unreachable code where values may use each other. Refused when
    /// the number of values is not that of the results, or one of them is defined in its regions.
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

    /// Emits an error about a change that is not made.
    fn refuse(&mut self, op: Operation, message: impl std::fmt::Display) {
        let error = op.op_error(self.ir(), message);
        self.context().diagnostics.emit(*error);
    }

    /// Creates an operation before `op`, replaces `op` by its results and erases it.
    pub fn replace_with_new(&mut self, op: Operation, state: &OperationState) -> Operation {
        self.set_insertion_point(crate::InsertionPoint::Before(op));
        let new = self.create(state);
        let results: Vec<_> = new.results(self.ir()).collect();
        self.replace(op, &results);
        new
    }

    /// Redirects all uses of a value, telling the listener of each user.
    pub fn replace_all_uses(&mut self, value: Value, replacement: Value) {
        let users: Vec<_> = value.users(self.ir()).collect();
        value.replace_all_uses_with(self.context(), replacement);
        for user in users {
            self.modified(user);
        }
    }

    /// Erases an operation with everything in it. Refused when something outside uses what it
    /// defines.
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

    /// Moves the operations of a block to the insertion point, `values` taking the place of its
    /// arguments, and erases the block. Refused when a branch leads to the block, or the number of
    /// values is not that of the arguments.
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

    /// Tells the listener that a value has a use less than before: what defines it may be dead.
    pub fn used_less(&mut self, value: Value) {
        if let Some(definition) = value.defining_op(self.ir()) {
            self.modified(definition);
        }
    }

    /// Tells the listener that an operation was changed in place.
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

    /// The operation name with this text, at a location, as a state to fill.
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
