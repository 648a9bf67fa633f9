//! Operations that are still to be looked at.

use orison_ir::{Context, Listener, Operation};

/// A stack of operations without duplicates. As a [`Listener`] it takes in what changes.
#[derive(Debug)]
pub struct Worklist {
    stack: Vec<Option<Operation>>,
    /// By index of the operation: its position in the stack plus one.
    positions: Vec<u32>,
    /// Whether the operations around a changed one are taken in too.
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
        let known = self.positions[index]
            .checked_sub(1)
            .is_some_and(|position| self.stack[position as usize] == Some(op));
        if !known {
            self.stack.push(Some(op));
            self.positions[index] = u32::try_from(self.stack.len()).unwrap_or(u32::MAX);
        }
    }

    /// Takes the operation on top. Operations that are gone are left out: erasing an operation
    /// takes in those around it, which may be about to go too.
    pub fn pop(&mut self, context: &Context) -> Option<Operation> {
        while let Some(top) = self.stack.pop() {
            if let Some(op) = top {
                self.positions[op.index()] = 0;
                if op.is_live(context) {
                    return Some(op);
                }
            }
        }
        None
    }

    /// Turns the list around.
    pub fn reverse(&mut self) {
        self.stack.retain(Option::is_some);
        self.stack.reverse();
        for (position, op) in (1..).zip(&self.stack) {
            if let Some(op) = op {
                self.positions[op.index()] = position;
            }
        }
    }

    fn remove(&mut self, op: Operation) {
        let Some(position) = self.positions.get_mut(op.index()) else {
            return;
        };
        let slot = position
            .checked_sub(1)
            .and_then(|index| self.stack.get_mut(index as usize));
        if let Some(slot) = slot
            && *slot == Some(op)
        {
            *slot = None;
            *position = 0;
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
        // What it used may be dead now, or have one use left.
        for operand in op.operands(context) {
            if let Some(definition) = operand.defining_op(context) {
                self.push(definition);
            }
        }
        if let Some(parent) = op.parent_op(context)
            && parent != self.root
        {
            self.push(parent);
        }
        self.remove(op);
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
