//! Canonicalization rules of branches and assertions.

mod branches;
mod switch;

pub(super) use branches::*;
pub(super) use switch::*;

use std::collections::HashSet;

use orison_ir::{Block, Context, Declined, Operation, Rewriter, Value, ValueOwner};

use super::Branch;
use super::edges::{Edge, build_branch};

/// The edges of a branch of this dialect.
fn edges(context: &Context, op: Operation) -> Vec<Edge> {
    super::edges(context, op).unwrap_or_default()
}

/// The terminator of the only predecessor of a block, if exactly one edge enters the block.
fn single_predecessor(context: &Context, block: Block) -> Option<Operation> {
    let mut terminators = block.predecessor_terminators(context);
    let first = terminators.next()?;
    terminators.next().is_none().then_some(first)
}

/// Replaces a branch by an unconditional branch along an edge.
fn always_take(rewriter: &mut Rewriter<'_>, op: Operation, edge: &Edge) {
    let location = op.location(rewriter.ir());
    build_branch(rewriter, location, edge);
    rewriter.erase(op);
}

/// Maximum number of unconditional branches followed.
const LONGEST_CHAIN: usize = 1024;

/// Declines if the unconditional branches from a block enter a cycle within the followed length.
fn check_no_cycle(context: &Context, block: Block) -> Result<(), Declined> {
    let mut seen = HashSet::new();
    let mut current = Some(block);
    while let Some(block) = current {
        if !seen.insert(block) {
            return Declined::because("the block starts a cycle of unconditional branches");
        }
        if seen.len() > LONGEST_CHAIN {
            return Declined::because("the chain of branches is too long");
        }
        let end = block.last_op(context);
        let branch = end.and_then(|end| Branch::of(context, end));
        current = branch.and_then(|branch| branch.0.successors(context).next());
    }
    Ok(())
}

/// The edge after blocks that only branch; declines if the block contains other
/// operations, enters a cycle, or if its arguments are used elsewhere.
fn pass_through(context: &Context, edge: &Edge) -> Result<Edge, Declined> {
    let mut passed = next_edge(context, edge)?;
    check_no_cycle(context, edge.0)?;
    while let Ok(next) = next_edge(context, &passed) {
        passed = next;
    }
    Ok(passed)
}

/// The edge after one block that only branches.
fn next_edge(context: &Context, edge: &Edge) -> Result<Edge, Declined> {
    let (block, values) = edge;
    let only = block.first_op(context);
    let next = only.and_then(|only| Branch::of(context, only));
    let Some(next) = next else {
        return Declined::because("the block holds more than a branch");
    };
    let Some(target) = next.0.successors(context).next() else {
        return Declined::because("the branch has no successor");
    };
    if block.argument_count(context) != values.len() {
        return Declined::because(
            "the number of operands does not match the number of block arguments",
        );
    }
    for argument in block.arguments(context) {
        if argument.users(context).any(|user| user != next.0) {
            return Declined::because("an argument of the block is used elsewhere");
        }
    }
    let handed = |value: Value| match value.owner(context) {
        ValueOwner::Argument(owner, position) if owner == *block => values[position],
        _ => value,
    };
    let values = next.0.operands(context).map(handed).collect();
    Ok((target, values))
}

/// Redirects the edges that enter a block that only branches; declines if there are
/// none.
fn shorten(context: &Context, edges: &[Edge], own: Block) -> Result<Vec<Edge>, Declined> {
    let mut shorter = edges.to_vec();
    let mut changed = false;
    for edge in &mut shorter {
        if edge.0 != own
            && let Ok(passed) = pass_through(context, edge)
        {
            *edge = passed;
            changed = true;
        }
    }
    if !changed {
        return Declined::because("no successor holds only a branch");
    }
    Ok(shorter)
}
