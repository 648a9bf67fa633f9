//! Back edges, entries and exits of loops.

use orison_ir::pass::{IRStatus, PassContext};
use orison_ir::{Block, Operation};

use super::{EXITS, LATCHES, PREHEADERS};
use crate::ori::functions::applied;
use crate::ori::loops::Loops;
use crate::ori::surgery::{EdgeId, join_edges};

const FORM: &str = "loop-form";

/// Puts a block on edges; counts it, and tells why.
fn join(
    pass: &mut PassContext<'_>,
    (target, edges): (Block, &[EdgeId]),
    before: Option<Block>,
    (statistic, reason): (&'static str, &str),
) -> IRStatus {
    let Some(block) = join_edges(pass.context, target, edges, before) else {
        return IRStatus::Unchanged;
    };
    pass.count(statistic, 1);
    if let Some(branch) = block.terminator(pass.context) {
        applied(pass, branch, FORM, reason);
    }
    IRStatus::Changed
}

/// Gives each loop one back edge.
pub(super) fn back_edges(pass: &mut PassContext<'_>, loops: &Loops) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    for (number, natural) in loops.forest.loops().iter().enumerate() {
        let header = loops.flow.block(natural.header);
        let [_, back] = loops.edges_to(pass.context, number, header);
        if back.len() < 2 || !loops.is_natural(number) {
            continue;
        }
        let last = back
            .last()
            .and_then(|(branch, _)| branch.block(pass.context));
        let behind = last.and_then(|block| block.next(pass.context));
        let reason = "the back edges of the loop are joined";
        status |= join(pass, (header, &back), behind, (LATCHES, reason));
    }
    status
}

/// Gives the loops that want one a preheader. The pass has the statistic `preheaders`.
pub fn preheaders(
    pass: &mut PassContext<'_>,
    loops: &Loops,
    is_wanted: impl Fn(usize) -> bool,
) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    for (number, natural) in loops.forest.loops().iter().enumerate() {
        let has_one = natural.preheader(&loops.flow).is_some();
        if has_one || !loops.is_natural(number) || !is_wanted(number) {
            continue;
        }
        let header = loops.flow.block(natural.header);
        let [entering, _] = loops.edges_to(pass.context, number, header);
        if let [(branch, _)] = entering[..]
            && is_suppressed(pass, loops, number, branch)
        {
            continue;
        }
        let made = (PREHEADERS, "the loop has a preheader");
        status |= join(pass, (header, &entering), Some(header), made);
    }
    status
}

/// Gives each loop exit blocks of its own. Inner loops come first: an edge that leaves several loops
/// gets one block, which is in none of them.
pub(super) fn exits(pass: &mut PassContext<'_>, loops: &Loops) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    for number in (0..loops.forest.loops().len()).rev() {
        if !loops.is_natural(number) {
            continue;
        }
        for target in loops.shared_exits(number) {
            let [_, leaving] = loops.edges_to(pass.context, number, target);
            // An inner loop with the same exit may have taken the edges.
            let Some((branch, _)) = leaving.first().copied() else {
                continue;
            };
            if !is_suppressed(pass, loops, number, branch) {
                let made = (EXITS, "the loop has an exit block of its own");
                status |= join(pass, (target, &leaving), Some(target), made);
            }
        }
    }
    status
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
