//! Back edges, entries and exits of loops.

use std::collections::BTreeMap;

use orison_ir::Operation;
use orison_ir::analyses::NaturalLoop;
use orison_ir::pass::{IRStatus, PassContext};

use super::{EXITS, LATCHES, Loops, PREHEADERS};
use crate::ori::surgery::{EdgeId, join_edges};

const FORM: &str = "loop-form";

/// The edges to the header of a loop from outside, and those from inside.
fn header_edges(pass: &PassContext<'_>, loops: &Loops, natural: &NaturalLoop) -> [Vec<EdgeId>; 2] {
    let header = loops.flow.block(natural.header);
    let mut all = [Vec::new(), Vec::new()];
    for edge in header.predecessor_edges(pass.context) {
        let from = edge.0.block(pass.context);
        let from = from.and_then(|block| loops.flow.number(block));
        // Edges from blocks that are never reached enter like any others.
        let inside = from.is_some_and(|from| natural.contains(from));
        all[usize::from(inside)].push(edge);
    }
    // The newest use is first.
    all.iter_mut().for_each(|edges| edges.reverse());
    all
}

fn tell(pass: &mut PassContext<'_>, op: Option<Operation>, what: &str) {
    if let Some(op) = op {
        crate::ori::functions::applied(pass, op, FORM, what);
    }
}

/// Gives each loop one back edge.
pub(super) fn back_edges(pass: &mut PassContext<'_>, loops: &Loops) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    for (number, natural) in loops.forest.loops().iter().enumerate() {
        let [_, back] = header_edges(pass, loops, natural);
        if back.len() < 2 || !loops.is_natural(number) {
            continue;
        }
        let header = loops.flow.block(natural.header);
        let last = back
            .last()
            .and_then(|(branch, _)| branch.block(pass.context));
        let behind = last.and_then(|block| block.next(pass.context));
        if let Some(latch) = join_edges(pass.context, header, &back, behind) {
            pass.count(LATCHES, 1);
            let branch = latch.terminator(pass.context);
            tell(pass, branch, "the back edges of the loop are joined");
            status = IRStatus::Changed;
        }
    }
    status
}

/// Gives each loop a preheader.
pub(super) fn preheaders(pass: &mut PassContext<'_>, loops: &Loops) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    for (number, natural) in loops.forest.loops().iter().enumerate() {
        if natural.preheader(&loops.flow).is_some() || !loops.is_natural(number) {
            continue;
        }
        let [entering, _] = header_edges(pass, loops, natural);
        let header = loops.flow.block(natural.header);
        if let [(branch, _)] = entering[..]
            && is_suppressed(pass, loops, number, branch)
        {
            continue;
        }
        if let Some(before) = join_edges(pass.context, header, &entering, Some(header)) {
            pass.count(PREHEADERS, 1);
            let branch = before.terminator(pass.context);
            tell(pass, branch, "the loop has a preheader");
            status = IRStatus::Changed;
        }
    }
    status
}

/// Gives each loop exit blocks of its own. Inner loops come first: an edge that leaves several loops
/// gets one block, which is in none of them.
pub(super) fn exits(pass: &mut PassContext<'_>, loops: &Loops) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    for (number, natural) in loops.forest.loops().iter().enumerate().rev() {
        if !loops.is_natural(number) {
            continue;
        }
        let mut targets: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (from, to) in &natural.exits {
            targets.entry(*to).or_default().push(*from);
        }
        for (to, from) in targets {
            let before = loops.flow.predecessors(to).iter();
            let shared = before.copied().any(|block| !natural.contains(block));
            if shared {
                status |= own_exit(pass, loops, number, to, &from);
            }
        }
    }
    status
}

/// Puts a block between the blocks of a loop and the block that they leave it to.
fn own_exit(
    pass: &mut PassContext<'_>,
    loops: &Loops,
    number: usize,
    to: u32,
    from: &[u32],
) -> IRStatus {
    let target = loops.flow.block(to);
    let mut edges: Vec<EdgeId> = target
        .predecessor_edges(pass.context)
        .filter(|(branch, _)| {
            let block = branch.block(pass.context);
            let block = block.and_then(|block| loops.flow.number(block));
            block.is_some_and(|block| from.contains(&block))
        })
        .collect();
    edges.reverse();
    // An inner loop with the same exit has taken the edges.
    let Some((branch, _)) = edges.first().copied() else {
        return IRStatus::Unchanged;
    };
    if is_suppressed(pass, loops, number, branch) {
        return IRStatus::Unchanged;
    }
    let Some(exit) = join_edges(pass.context, target, &edges, Some(target)) else {
        return IRStatus::Unchanged;
    };
    pass.count(EXITS, 1);
    let branch = exit.terminator(pass.context);
    tell(pass, branch, "the loop has an exit block of its own");
    IRStatus::Changed
}

/// Whether the edges of a loop must not be split, since its threads are to stay together.
fn is_suppressed(
    pass: &mut PassContext<'_>,
    loops: &Loops,
    number: usize,
    branch: Operation,
) -> bool {
    let suppressed = loops.inductions.at(number).is_convergent;
    if suppressed && branch.successor_count(pass.context) > 1 {
        pass.declined(
            branch,
            FORM,
            "the edge is not split: the threads of the loop act together",
            "a loop without operations of the whole warp",
        );
        return true;
    }
    false
}
