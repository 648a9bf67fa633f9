//! The worklist of operations to visit.

use orison_ir::{Context, Listener, Operation};
use rustc_hash::FxHashSet;

/// Which operations may be rewritten, starting with a given list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strictness {
    /// Any operation inside the scope.
    #[default]
    Any,
    /// Given operations, and those that rules create.
    ExistingAndNew,
    /// Given operations only.
    Existing,
}

/// A stack of operations without duplicates. As a [`Listener`], it adds changed operations.
#[derive(Debug)]
pub struct Worklist {
    /// Erased operations remain until they are on top.
    stack: Vec<Operation>,
    /// By operation index: its position in the stack plus one. The stack entry shows whether it
    /// refers to this operation or an erased one with the same index.
    positions: Vec<u32>,
    /// The operation that contains everything in the list.
    root: Operation,
    /// The only operations that are added; all if `None`.
    admitted: Option<FxHashSet<Operation>>,
    /// Whether newly created operations are added.
    admits_new: bool,
    /// A textual log of the changes, if requested.
    journal: Option<String>,
}

impl Worklist {
    /// An empty list for operations inside `root`.
    pub fn new(context: &Context, root: Operation) -> Self {
        Worklist {
            stack: Vec::new(),
            positions: vec![0; context.operation_capacity()],
            root,
            admitted: None,
            admits_new: true,
            journal: None,
        }
    }

    /// Restricts the list to these operations from now on.
    pub fn restrict(&mut self, operations: &[Operation], strictness: Strictness) {
        if strictness != Strictness::Any {
            self.admitted = Some(operations.iter().copied().collect());
        }
        self.admits_new = strictness != Strictness::Existing;
    }

    /// Starts recording changes.
    pub fn keep_journal(&mut self) {
        self.journal = Some(String::new());
    }

    /// The changes since the last call.
    pub fn take_journal(&mut self) -> String {
        self.journal
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    fn note(&mut self, what: &str, context: &Context, op: Operation) {
        if let Some(journal) = &mut self.journal {
            let name = op.name_text(context);
            journal.push_str(&format!("** {what}: '{name}'\n"));
        }
    }

    /// Pushes an operation, unless it is in the list.
    pub fn push(&mut self, op: Operation) {
        if self
            .admitted
            .as_ref()
            .is_some_and(|admitted| !admitted.contains(&op))
        {
            return;
        }
        let index = op.index();
        if index >= self.positions.len() {
            self.positions.resize(index + 1 + index / 2, 0);
        }
        let position = self.positions[index].wrapping_sub(1) as usize;
        if self.stack.get(position) != Some(&op) {
            self.stack.push(op);
            self.positions[index] = u32::try_from(self.stack.len()).unwrap_or(u32::MAX);
        }
    }

    /// Pops the top operation, skipping erased ones.
    pub fn pop(&mut self, context: &Context) -> Option<Operation> {
        while let Some(op) = self.stack.pop() {
            if op.is_live(context) {
                return Some(op);
            }
        }
        None
    }

    /// Reverses the list.
    pub fn reverse(&mut self) {
        self.stack.reverse();
        for (position, op) in (1..).zip(&self.stack) {
            self.positions[op.index()] = position;
        }
    }

    /// Pushes an operation and its ancestors: their rewrites can depend on nested operations.
    fn push_with_ancestors(&mut self, context: &Context, op: Operation) {
        for ancestor in op.ancestors(context) {
            if ancestor == self.root {
                break;
            }
            self.push(ancestor);
        }
        self.push(op);
    }
}

impl Listener for Worklist {
    fn created(&mut self, context: &Context, op: Operation) {
        self.note("Insert  ", context, op);
        if self.admits_new
            && let Some(admitted) = &mut self.admitted
        {
            admitted.insert(op);
        }
        self.push_with_ancestors(context, op);
    }

    fn erasing(&mut self, context: &Context, op: Operation) {
        self.note("Erase   ", context, op);
        // Its operands may be dead now, or have a single use left, which some rules require.
        for operand in op.operands(context) {
            let mut others = operand.users(context).take(8).filter(|user| *user != op);
            if others.nth(1).is_none()
                && let Some(definition) = operand.defining_op(context)
            {
                self.push(definition);
            }
        }
        if let Some(parent) = op.parent_op(context)
            && parent != self.root
        {
            self.push(parent);
        }
    }

    fn modified(&mut self, context: &Context, op: Operation) {
        self.note("Modified", context, op);
        self.push_with_ancestors(context, op);
    }

    fn replacing(&mut self, context: &Context, op: Operation) {
        self.note("Replace ", context, op);
        for result in op.results(context) {
            for user in result.users(context) {
                self.push(user);
            }
        }
    }
}
