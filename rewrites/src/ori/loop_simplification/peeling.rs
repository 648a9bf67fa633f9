//! Peeling: the first iteration of a loop, in front of it.

use orison_ir::analyses::{NaturalLoop, PostDominatorTree};
use orison_ir::pass::{IRStatus, PassContext, PassFailure};
use orison_ir::{Context, Operation, Value};
use orison_machine::Space;
use orison_ori::analyses::induction::{Loop, LoopInductions};
use orison_ori::analyses::linear::LinearForm;
use orison_ori::analyses::{Divergence, properties};
use orison_ori::keywords::Compare;
use orison_ori::knobs::Knobs;
use orison_ori::opcodes;
use orison_ori::operations::integer::Isetp;

use super::PEELED;
use crate::ori::functions::{Function, applied, divergence, passed};
use crate::ori::loops::Loops;
use crate::ori::surgery::{close_loops, peel_first_iteration};

const RULE: &str = "loop-peeling";

/// Peels the first iteration of innermost loops whose other iterations compute less without it.
pub(super) fn peel(
    pass: &mut PassContext<'_>,
    loops: &Loops,
    function: Function,
    knobs: &Knobs,
) -> Result<IRStatus, PassFailure> {
    let divergence = divergence(pass.context, function, &loops.flow);
    let post_dominators = PostDominatorTree::of(&loops.flow);
    let mut chosen = Vec::new();
    for (number, natural) in loops.forest.loops().iter().enumerate() {
        let innermost = natural.children.is_empty() && loops.is_natural(number);
        let canonical = natural.preheader(&loops.flow).is_some() && natural.latches.len() == 1;
        if !innermost || !canonical || !has_own_exits(loops, natural) {
            continue;
        }
        if wants(pass, loops, number, (&divergence, &post_dominators), knobs)? {
            chosen.push(number);
        }
    }
    close_loops(pass.context, &loops.flow, &loops.forest, &chosen);
    for number in &chosen {
        let natural = &loops.forest.loops()[*number];
        peel_first_iteration(pass.context, &loops.flow, natural);
        pass.count(PEELED, 1);
    }
    Ok(IRStatus::changed_if(!chosen.is_empty()))
}

fn has_own_exits(loops: &Loops, natural: &NaturalLoop) -> bool {
    let mut targets = natural.exits.iter().map(|(_, to)| *to);
    targets.all(|to| {
        let mut before = loops.flow.predecessors(to).iter();
        before.all(|block| natural.contains(*block))
    })
}

/// Whether a loop is to be peeled; remarks say why it is not.
fn wants(
    pass: &mut PassContext<'_>,
    loops: &Loops,
    number: usize,
    threads: (&Divergence, &PostDominatorTree),
    knobs: &Knobs,
) -> Result<bool, PassFailure> {
    let natural = &loops.forest.loops()[number];
    let around = Loop {
        context: pass.context,
        flow: &loops.flow,
        natural,
    };
    let Some(reason) = reason(&around, loops.inductions.at(number)) else {
        return Ok(false);
    };
    let context = &*pass.context;
    let blocks = natural.blocks.iter().map(|block| loops.flow.block(*block));
    let body: Vec<Operation> = blocks.flat_map(|block| block.operations(context)).collect();
    let size = body
        .iter()
        .filter(|op| properties::is_instruction(context, **op));
    let size = i64::try_from(size.count()).unwrap_or(i64::MAX);
    let samples = body.iter().copied().find(|op| samples(context, *op));
    let Some(branch) = loops.flow.block(natural.header).terminator(context) else {
        return Ok(false);
    };
    let partial = is_entered_by_part(&around, threads);
    let refusal =
        if loops.inductions.at(number).is_convergent && !knobs.flag("GenPeelingLoopsForSyncs") {
            Some((
                "the threads of the loop act together",
                "GenPeelingLoopsForSyncs=true",
            ))
        } else if partial && !knobs.flag("EnableSingleThreadPeelingLoops") {
            Some((
                "a part of the threads enters the loop",
                "EnableSingleThreadPeelingLoops=true",
            ))
        } else if size > knobs.integer("UnrollBudget") {
            Some(("the body is too large", "a larger UnrollBudget"))
        } else {
            None
        };
    if let Some((reason, help)) = refusal {
        pass.declined(branch, RULE, reason, help);
        return Ok(false);
    }
    if let Some(op) = samples
        && knobs.flag("AssertIfPeelingLoopForTexSurf")
    {
        let message = "is in a loop that is peeled (AssertIfPeelingLoopForTexSurf)";
        return Err(op.op_error(pass.context, message).into());
    }
    applied(pass, branch, RULE, reason);
    Ok(true)
}

/// Whether a branch that parts the warp decides whether a thread enters a loop. Linear in the
/// depth of the dominator tree.
fn is_entered_by_part(
    around: &Loop<'_>,
    (divergence, post_dominators): (&Divergence, &PostDominatorTree),
) -> bool {
    let (flow, header) = (around.flow, around.natural.header);
    let above = |block: &u32| flow.dominators().parent(*block);
    std::iter::successors(above(&header), above).any(|block| {
        let branch = flow.block(block).terminator(around.context);
        branch.is_some_and(|branch| divergence.parts_warp(branch))
            && !post_dominators.post_dominates(header, block)
    })
}

/// Whether an operation accesses a texture or a surface.
fn samples(context: &Context, op: Operation) -> bool {
    let sampled = [Space::Texture, Space::Surface];
    opcodes::of(context, op).is_some_and(|row| {
        let mut spaces = row.reads.iter().chain(row.writes);
        spaces.any(|space| sampled.contains(space))
    })
}

/// What the iterations behind the first one do not compute any more.
fn reason(around: &Loop<'_>, inductions: &LoopInductions) -> Option<&'static str> {
    if becomes_invariant(around) {
        return Some("a value of the loop does not change behind its first iteration");
    }
    let context = around.context;
    let mut blocks = around
        .natural
        .blocks
        .iter()
        .map(|block| around.flow.block(*block));
    let tests_first = |op: Operation| is_test_of_first(around, inductions, op);
    blocks
        .any(|block| block.operations(context).any(tests_first))
        .then_some("a condition holds in the first iteration only")
}

/// Whether an argument of the header, which is used, is invariant behind the first iteration.
fn becomes_invariant(around: &Loop<'_>) -> bool {
    let context = around.context;
    let header = around.flow.block(around.natural.header);
    let [latch] = around.natural.latches[..] else {
        return false;
    };
    let Some(back) = around.flow.block(latch).terminator(context) else {
        return false;
    };
    let mut ways = 0..back.successor_count(context);
    let Some(way) = ways.find(|way| back.successor(context, *way) == Some(header)) else {
        return false;
    };
    let next: Vec<Value> = passed(context, back, way);
    let mut pairs = header.arguments(context).zip(next);
    pairs.any(|(argument, next)| {
        argument.uses(context).next().is_some() && next != argument && around.is_invariant(next)
    })
}

/// Whether an operation compares an induction variable with its start.
fn is_test_of_first(around: &Loop<'_>, inductions: &LoopInductions, op: Operation) -> bool {
    let context = around.context;
    let Some(test) = Isetp::of(context, op) else {
        return false;
    };
    let equality = matches!(test.compare(context), Some(Compare::Eq | Compare::Ne));
    if !equality || test.extended(context).is_some() {
        return false;
    }
    let sides = [0, 1].map(|side| LinearForm::of(context, op.operand(context, side)));
    let [left, right] = sides.map(|side| inductions.affine(around, &side));
    let (Some(left), Some(right)) = (left, right) else {
        return false;
    };
    left.start == right.start && left.step != right.step
}
