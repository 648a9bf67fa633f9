//! The control flow of a loop.

use orison_ori::analyses::frequency::stated;
use orison_ori::analyses::induction::Loop;
use orison_ori::analyses::properties;
use orison_ori::operations::control::Brx;
use orison_ori::operations::moves::Cbank;
use orison_ori::operations::synchronization::Bar;

use crate::ori::counted_loop::{CountedLoop, entering_value, whole};
use crate::ori::functions::{Function, divergence};

/// Whether every branch of the loop other than that of a block parts into one arm or two, each a
/// single block, that meet again.
pub(super) fn is_hammock(around: &Loop<'_>, exit: u32) -> bool {
    let flow = around.flow;
    let alone = |block: u32| {
        let successors = flow.successors(block);
        (flow.predecessors(block).len() == 1 && successors.len() == 1).then(|| successors[0])
    };
    let joins = |block: u32| flow.predecessors(block).len() == 2;
    around.natural.blocks.iter().all(|block| {
        if *block == exit {
            return true;
        }
        match flow.successors(*block) {
            [a, b] => {
                let (from_a, from_b) = (alone(*a), alone(*b));
                (from_a == Some(*b) && joins(*b))
                    || (from_b == Some(*a) && joins(*a))
                    || (from_a.is_some() && from_a == from_b && from_a.is_some_and(joins))
            }
            [_] => true,
            _ => false,
        }
    })
}

/// Whether all threads of a warp run equally many iterations: the bound is constant or a parameter,
/// and the start is the same in all threads. Measured: other uniform bounds do not count.
pub(super) fn is_uniform(function: Function, around: &Loop<'_>, candidate: &CountedLoop) -> bool {
    let context = around.context;
    if candidate.trips.is_some() {
        return true;
    }
    let constant = |value| {
        let value = whole(context, value);
        let op = value.defining_op(context);
        properties::immediate(context, value).is_some()
            || op.is_some_and(|op| Cbank::of(context, op).is_some())
    };
    let Some(counter) = &candidate.counter else {
        return false;
    };
    let bound = counter.bound(context);
    let bounded = bound.is_some_and(|words| words.into_iter().all(constant));
    let start = entering_value(around, counter.argument).map(|(_, start)| start);
    bounded
        && start.is_some_and(|start| !divergence(context, function, around.flow).is_varying(start))
}

/// Whether an iteration may pass by a barrier of the loop.
pub(super) fn has_partial_barrier(around: &Loop<'_>) -> bool {
    let (context, flow) = (around.context, around.flow);
    around.natural.blocks.iter().any(|block| {
        let mut ops = flow.block(*block).operations(context);
        let mut latches = around.natural.latches.iter();
        ops.any(|op| Bar::of(context, op).is_some())
            && !latches.all(|latch| flow.dominates(*block, *latch))
    })
}

/// Whether the loop contains an indexed branch.
pub(super) fn has_switch(around: &Loop<'_>) -> bool {
    let mut blocks = around.natural.blocks.iter();
    blocks.any(|block| {
        let branch = around.flow.block(*block).terminator(around.context);
        branch.is_some_and(|branch| Brx::of(around.context, branch).is_some())
    })
}

/// Whether pragmas say that the loop runs more than 999 times, and more than three times as often as
/// it is entered: step E.
pub(super) fn is_hot(around: &Loop<'_>) -> bool {
    let context = around.context;
    let frequency = |block: u32| stated(context, around.flow.block(block));
    let latch = around.natural.latches.first();
    let counts =
        latch.and_then(|latch| Some((frequency(*latch)?, frequency(around.natural.header)?)));
    counts.is_some_and(|(latch, header)| latch > 999 && header > 0 && latch / header > 3)
}
