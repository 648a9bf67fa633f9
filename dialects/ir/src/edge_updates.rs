//! What branches hand to their successors, read and changed for many edges at a time.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::{Block, Context, Operation, Value};

/// What branches hand to their successors, with changes that are written back later.
///
/// A branch by number may have thousands of successors, and its operands stand in one list: changing
/// what one successor is handed takes time linear in all of them. Here each branch is read once and
/// written once. Successors are redirected at once; what they are handed is written by
/// [`Self::flush`] and [`Self::finish`], and until then the operands of a changed branch are those
/// from before.
#[derive(Debug, Default)]
pub struct EdgeUpdates {
    branches: FxHashMap<Operation, Passed>,
    /// The branches that were changed, in the order of their first change; those flushed since are no
    /// longer in `branches`.
    changed: Vec<Operation>,
}

#[derive(Debug)]
struct Passed {
    /// By successor.
    values: Vec<Vec<Value>>,
    changed: bool,
}

impl EdgeUpdates {
    /// What a branch hands to a successor, changes included; none when its declaration does not tell.
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

    /// Leads a successor of a branch to a block and hands it these values; nothing happens when the
    /// declaration of the branch does not tell what it hands over.
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

    /// Writes the changes of one branch; to be called before its operands are looked at, changed or
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
