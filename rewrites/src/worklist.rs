//! Operations that are still to be looked at.

use orison_ir::{Context, Listener, Operation};

/// A stack of operations without duplicates. As a [`Listener`] it takes in what changes.
#[derive(Debug)]
pub struct Worklist {
    /// Operations that were erased stay here until they are on top.
    stack: Vec<Operation>,
    /// By index of the operation: its position in the stack plus one. What stands there says
    /// whether this was the operation or one that is gone.
    positions: Vec<u32>,
    /// The operation around everything in the list.
    root: Operation,
}

impl Worklist {
    /// An empty list for operations inside `root`.
    pub fn new(context: &Context, root: Operation) -> Self {
        Worklist {
            stack: Vec::new(),
            positions: vec![0; context.operation_capacity()],
            root,
        }
    }

    /// Puts an operation on top, unless it is in the list.
    pub fn push(&mut self, op: Operation) {
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

    /// Takes the operation on top, leaving out those that are gone.
    pub fn pop(&mut self, context: &Context) -> Option<Operation> {
        while let Some(op) = self.stack.pop() {
            if op.is_live(context) {
                return Some(op);
            }
        }
        None
    }

    /// Turns the list around.
    pub fn reverse(&mut self) {
        self.stack.reverse();
        for (position, op) in (1..).zip(&self.stack) {
            self.positions[op.index()] = position;
        }
    }

    /// An operation and those around it: what they may do can depend on what is in them.
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
        self.push_with_ancestors(context, op);
    }

    fn erasing(&mut self, context: &Context, op: Operation) {
        // What it used may be dead now, or have one user left, which some rules ask for.
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
        self.push_with_ancestors(context, op);
    }

    fn replacing(&mut self, context: &Context, op: Operation) {
        for result in op.results(context) {
            for user in result.users(context) {
                self.push(user);
            }
        }
    }
}
