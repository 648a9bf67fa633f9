//! The pass `ori-branch-opt`: phase 15 of ptxas, with 13 and 38.

mod jump_threading;
mod known_conditions;

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Block, Context, EdgeUpdates, Operation, Value};
use orison_ori::analyses::properties::immediate;
use orison_ori::operations as ori;
use orison_ori::operations::control::{Bra, ExitIf};
use rustc_hash::{FxHashMap, FxHashSet};

use super::functions::{
    Edge, Function, applied, branch_instead, merge_into_predecessor, on_each, passed,
};
use crate::regions::erase_unreachable;

orison_ir::pass_options! {
    /// Options of `ori-branch-opt`.
    pub struct BranchOptOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
    }
}

/// The pass `ori-branch-opt`.
#[derive(Clone, Debug)]
pub struct BranchOpt(BranchOptOptions);

const RULES: [Statistic; 8] = [
    Statistic {
        name: "merged",
        summary: "Number of blocks merged into their only predecessor",
    },
    Statistic {
        name: "unreachable",
        summary: "Number of times unreachable blocks were erased",
    },
    Statistic {
        name: "decided",
        summary: "Number of branches and exits with a constant condition",
    },
    Statistic {
        name: "same-target",
        summary: "Number of conditional branches with identical successors",
    },
    Statistic {
        name: "threaded",
        summary: "Number of branches redirected past empty blocks",
    },
    Statistic {
        name: "answered",
        summary: "Number of branches and exits whose condition a dominating branch implies",
    },
    Statistic {
        name: "jumps",
        summary: "Number of branches threaded through blocks whose branch they decide",
    },
    Statistic {
        name: "rounds",
        summary: "Number of iterations over the blocks of functions",
    },
];

impl Pass for BranchOpt {
    type Options = BranchOptOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<BranchOpt>(
        "ori-branch-opt",
        "Simplifies branches: phase 15 of ptxas.\n\
         \n\
         A block is merged into its only predecessor if it is that block's only successor; \
         unreachable blocks are erased; a conditional branch on a constant, or with identical \
         successors, becomes unconditional; a branch to an empty block is redirected to the \
         successor of that block, past at most `BranchOptDepth` blocks. A condition is known if a \
         dominating branch or exit implies it; equal conditions are recognized up to a depth of \
         two operations. A branch that passes constants that decide the branch of its target is \
         redirected to the final target, unless the target is a loop header. The pass iterates \
         until nothing changes, at most `BranchOptIterations` times.",
        source_position!(),
    )
    .with_statistics(&RULES);

    fn create(options: BranchOptOptions) -> Self {
        BranchOpt(options)
    }

    fn options(&self) -> &BranchOptOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            let rounds = knobs.integer("BranchOptIterations");
            let depth = usize::try_from(knobs.integer("BranchOptDepth")).unwrap_or(0);
            let mut status = IRStatus::Unchanged;
            for _ in 0..rounds {
                pass.count("rounds", 1);
                let mut changed = round(pass, function, depth);
                if knobs.flag("BranchOptKnownConditions") {
                    changed |= known_conditions::decide(pass, function);
                }
                if let Ok(most) = usize::try_from(knobs.integer("BranchOptThreadLimit")) {
                    changed |= jump_threading::thread(pass, function, most);
                }
                if !changed.is_changed() {
                    break;
                }
                status = IRStatus::Changed;
            }
            Ok(status)
        })
    }
}

/// Visits every block once.
fn round(pass: &mut PassContext<'_>, function: Function, depth: usize) -> IRStatus {
    let mut status = erase_unreachable(pass.context, function.body);
    if status.is_changed() {
        pass.count("unreachable", 1);
    }
    let blocks: Vec<Block> = function.body.blocks(pass.context).collect();
    for block in blocks {
        if !block.is_live(pass.context) {
            continue;
        }
        status |= decide_exits(pass, block);
        let Some(branch) = block.terminator(pass.context) else {
            continue;
        };
        if branch.successor_count(pass.context) == 0 {
            continue;
        }
        status |= thread(pass, branch, depth);
        let branch = match decide(pass, branch) {
            Some(branch) => {
                status = IRStatus::Changed;
                branch
            }
            None => branch,
        };
        status |= merge(pass, block, branch);
    }
    status
}

/// Guarded exits with a known condition: removes the exit, or everything after it.
fn decide_exits(pass: &mut PassContext<'_>, block: Block) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    for op in block.body(pass.context) {
        let context = &mut *pass.context;
        let Some(exit) = ExitIf::of(context, op) else {
            continue;
        };
        let Some(known) = immediate(context, exit.condition(context)) else {
            continue;
        };
        let ends = (known != 0) != op.attribute(context, "inverted").is_some();
        status = IRStatus::Changed;
        if !ends {
            op.erase(context);
            pass.count("decided", 1);
            continue;
        }
        end_at(context, block, op);
        pass.count("decided", 1);
        break;
    }
    status
}

/// Replaces an operation and the rest of its block with an exit.
fn end_at(context: &mut Context, block: Block, op: Operation) {
    let location = op.location(context);
    // Values of the rest are used only in unreachable code: the next iteration erases both.
    let _rest = block.split_before(context, op);
    let name = orison_ir::OperationName::new(context, ori::Exit::NAME);
    let state = orison_ir::OperationState::new(name, location);
    let exit = Operation::create(context, &state);
    block.append(context, exit);
}

/// Replaces a branch whose condition is known, or whose successors are the same, with an
/// unconditional branch.
fn decide(pass: &mut PassContext<'_>, branch: Operation) -> Option<Operation> {
    let context = &mut *pass.context;
    if branch.successor_count(context) < 2 {
        return None;
    }
    let targets: Vec<Block> = branch.successors(context).collect();
    let choice = branch.operands(context).next()?;
    let declared = branch.definition(context)?.branch?;
    let constant = choice
        .defining_op(context)
        .filter(|_| immediate(context, choice).is_some());
    let constant = constant.and_then(|op| op.attribute(context, "value"));
    if let Some(taken) = (declared.taken)(context, branch, &[constant]) {
        let values = passed(context, branch, taken);
        let new = branch_instead(context, branch, *targets.get(taken)?, &values);
        pass.count("decided", 1);
        applied(pass, new, "constant-guard", "the condition is constant");
        return Some(new);
    }
    if targets.iter().any(|target| *target != targets[0]) {
        return None;
    }
    let edges = Edge::all(context, branch);
    let alike = edges.filter(|edges| edges.iter().all(|edge| *edge == edges[0]));
    let Some(values) = alike.and_then(|edges| Some(edges.into_iter().next()?.values)) else {
        pass.declined(
            branch,
            "same-target",
            "the successors are the same block, but the passed values differ",
            "ori-predication converts the values to selects",
        );
        return None;
    };
    let new = branch_instead(context, branch, targets[0], &values);
    pass.count("same-target", 1);
    applied(
        pass,
        new,
        "same-target",
        "all successors are the same block",
    );
    Some(new)
}

/// Redirects the successors of a branch past blocks that only branch.
fn thread(pass: &mut PassContext<'_>, branch: Operation, depth: usize) -> IRStatus {
    let mut updates = EdgeUpdates::default();
    let mut status = IRStatus::Unchanged;
    for way in 0..branch.successor_count(pass.context) {
        let Some(first) = branch.successor(pass.context, way) else {
            break;
        };
        let Some(values) = updates.passed(pass.context, branch, way) else {
            break;
        };
        let mut seen = FxHashSet::default();
        seen.insert(first);
        let (mut target, mut values) = (first, values.to_vec());
        while let Some((next, handed)) = empty(pass.context, target, &values) {
            if seen.len() > depth {
                pass.declined(
                    branch,
                    "branch-to-branch",
                    "too many empty blocks in a row",
                    "a larger BranchOptDepth",
                );
                break;
            }
            // Cycles of empty blocks are kept.
            if !seen.insert(next) {
                break;
            }
            (target, values) = (next, handed);
        }
        if target == first {
            continue;
        }
        updates.redirect(pass.context, branch, way, target, values);
        pass.count("threaded", 1);
        applied(
            pass,
            branch,
            "branch-to-branch",
            "redirected past empty blocks",
        );
        status = IRStatus::Changed;
    }
    updates.finish(pass.context);
    status
}

/// The successor of a block that only branches, if it is passed these values.
fn empty(context: &Context, block: Block, values: &[Value]) -> Option<(Block, Vec<Value>)> {
    let only = block.first_op(context)?;
    Bra::of(context, only)?;
    let arguments: FxHashMap<Value, Value> = block
        .arguments(context)
        .zip(values.iter().copied())
        .collect();
    if arguments.len() != block.argument_count(context) {
        return None;
    }
    let local = |argument: Value| argument.users(context).all(|user| user == only);
    if !block.arguments(context).all(local) {
        return None;
    }
    let handed = passed(context, only, 0).into_iter();
    let handed = handed.map(|value| arguments.get(&value).copied().unwrap_or(value));
    Some((only.successors(context).next()?, handed.collect()))
}

/// Merges a block into its only predecessor.
fn merge(pass: &mut PassContext<'_>, block: Block, branch: Operation) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    let mut branch = branch;
    loop {
        let context = &mut *pass.context;
        if Bra::of(context, branch).is_none() {
            return status;
        }
        let Some(target) = branch.successors(context).next() else {
            return status;
        };
        let mut leads = target.predecessor_terminators(context);
        let alone = leads.next() == Some(branch) && leads.next().is_none();
        drop(leads);
        if !alone || target == block || target.is_entry(context) {
            return status;
        }
        merge_into_predecessor(context, branch, target);
        pass.count("merged", 1);
        status = IRStatus::Changed;
        match block.terminator(pass.context) {
            Some(next) => branch = next,
            None => return status,
        }
    }
}
