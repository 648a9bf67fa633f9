//! The operands that branches pass to their successors, read and changed for many edges at a time.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::{Block, Context, Operation, Value};

/// The operands that branches pass to their successors, with deferred updates.
///
/// A switch-like branch may have thousands of successors, and all its operands are in one list:
/// changing the operands passed to one successor takes time linear in all of them. Here each branch
/// is read once and written once. Successors are redirected immediately; the operands passed to
/// them are written by [`Self::flush`] and [`Self::finish`], and until then a changed branch keeps
/// its old operands.
#[derive(Debug, Default)]
pub struct EdgeUpdates {
    branches: FxHashMap<Operation, Passed>,
    /// The changed branches, in the order of their first change; those flushed since are no longer
    /// in `branches`.
    changed: Vec<Operation>,
}

#[derive(Debug)]
struct Passed {
    /// Passed values by successor.
    values: Vec<Vec<Value>>,
    changed: bool,
}

impl EdgeUpdates {
    /// The values that a branch passes to a successor, changes included; `None` if its declaration
    /// does not define them.
    pub fn passed(
        &mut self,
        context: &Context,
        branch: Operation,
        successor: usize,
    ) -> Option<&[Value]> {
        let passed = self.load(context, branch)?;
        passed.values.get(successor).map(Vec::as_slice)
    }

    fn load(&mut self, context: &Context, branch: Operation) -> Option<&mut Passed> {
        match self.branches.entry(branch) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(place) => {
                let groups = branch.passed_groups(context)?;
                let operands: Vec<Value> = branch.operands(context).collect();
                let values = groups.into_iter().map(|range| operands[range].to_vec());
                Some(place.insert(Passed {
                    values: values.collect(),
                    changed: false,
                }))
            }
        }
    }

    /// Redirects a successor of a branch to a block and passes these values to it. Does nothing if
    /// the declaration of the branch does not define its passed operands.
    pub fn redirect(
        &mut self,
        context: &mut Context,
        branch: Operation,
        successor: usize,
        target: Block,
        values: Vec<Value>,
    ) {
        let Some(passed) = self.load(context, branch) else {
            return;
        };
        let Some(slot) = passed.values.get_mut(successor) else {
            return;
        };
        *slot = values;
        if !std::mem::replace(&mut passed.changed, true) {
            self.changed.push(branch);
        }
        if branch.successor(context, successor) != Some(target) {
            branch.set_successor(context, successor, target);
        }
    }

    /// Writes the changes of one branch. Must be called before its operands are read or changed, or
    /// the branch is erased.
    pub fn flush(&mut self, context: &mut Context, branch: Operation) {
        if let Some(passed) = self.branches.remove(&branch)
            && passed.changed
        {
            branch.set_all_passed_operands(context, &passed.values);
        }
    }

    /// Writes all changes.
    pub fn finish(mut self, context: &mut Context) {
        for branch in self.changed {
            if let Some(passed) = self.branches.remove(&branch) {
                branch.set_all_passed_operands(context, &passed.values);
            }
        }
    }
}
