//! `tileas-recompute`: computes values again where they are read instead of keeping them.

use std::collections::BTreeSet;

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind,
};
use orison_ir::walk::collect;
use orison_ir::{
    Attribute, Block, Context, Diagnostic, Mapping, Operation, Value, source_position,
};

use super::attributes::{
    self, ENABLE_DEFUSION, GROUP, LEADER, MAX_RECOMPUTATIONS, RECOMPUTABLE, SUMMARY,
};
use super::classify::tile_bytes;
use super::solve::memory_order::is_pure;
use crate::modulo::RecomputationHints;

/// The name of the transformation, in remarks.
const RULE: &str = "recompute";

/// The attributes that a copy does not have: it is not repeated again, and is in no group.
const COPY_LACKS: [&str; 5] = [
    RECOMPUTABLE,
    MAX_RECOMPUTATIONS,
    ENABLE_DEFUSION,
    GROUP,
    LEADER,
];

orison_ir::pass_options! {
    /// Options of `tileas-recompute`.
    pub struct RecomputeOptions {}
}

/// The pass.
#[derive(Clone, Debug)]
pub struct Recompute {
    options: RecomputeOptions,
}

impl Pass for Recompute {
    type Options = RecomputeOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-recompute",
        "Compute values again for each of their readers.\n\n\
         An operation marked `tileas.recomputable` without effects is repeated before each operation \
         of its block that reads it, but the first, so that the schedule need not keep its result \
         between them. `tileas.max_num_of_recomputations` limits the copies. With \
         `tileas.enable_defusion_if_fusion_extending_liveness` a copy is left out if operands that \
         it keeps alive longer take at least as many bytes as the result. Copies belong to no \
         schedule group.\n\n\
         Source: TileAS reference section 2.1.",
        source_position!(),
    );

    fn create(options: RecomputeOptions) -> Self {
        Recompute { options }
    }

    fn options(&self) -> &RecomputeOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut marked = Vec::new();
        for op in collect(pass.context, pass.op()) {
            let hints = attributes::constraints(pass.context, op)?.recomputation;
            if hints.recomputable {
                marked.push((op, hints));
            }
        }
        if marked.is_empty() {
            let reason = "no operation is marked 'tileas.recomputable'";
            pass.nothing_to_do(reason, "mark operations that are cheap to repeat");
        }
        let mut changed = false;
        for (op, hints) in marked {
            if let Some(warning) = obstacle(pass.context, op) {
                pass.context.diagnostics.emit(*warning);
                continue;
            }
            changed |= repeat(pass, op, &hints);
        }
        Ok(IRStatus::changed_if(changed))
    }
}

/// A warning that an operation cannot be repeated.
fn obstacle(context: &Context, op: Operation) -> Option<Box<Diagnostic>> {
    let reason = if !is_pure(context, op) {
        "it has effects"
    } else if op
        .ancestors(context)
        .any(|around| around.attribute(context, SUMMARY).is_some())
    {
        "its loop is already scheduled; run tileas-recompute before tileas-generate-schedule"
    } else {
        return None;
    };
    let mut warning = op.op_error(context, format!("is not recomputed: {reason}"));
    warning.severity = orison_ir::Severity::Warning;
    Some(warning)
}

/// Inserts the copies of one operation.
fn repeat(pass: &mut PassContext<'_>, op: Operation, hints: &RecomputationHints) -> bool {
    let Some(block) = op.block(pass.context) else {
        return false;
    };
    let limit = hints
        .max_recomputations
        .map_or(usize::MAX, |limit| limit as usize);
    let mut copies = 0;
    for reader in readers(pass.context, op, block).into_iter().skip(1) {
        if copies == limit {
            pass.declined(
                op,
                RULE,
                "more readers than copies allowed",
                "raise 'tileas.max_num_of_recomputations'",
            );
            break;
        }
        if hints.enable_defusion && extends_liveness(pass.context, op, reader, block) {
            let reason = "a copy would keep more bytes alive than the result takes";
            pass.declined(op, RULE, reason, "its operands have no later reader");
            continue;
        }
        copy_before(pass.context, op, reader, block);
        copies += 1;
    }
    if copies == 0 {
        return false;
    }
    // What is left of the limit, so that the pass can run again.
    if let Some(limit) = hints.max_recomputations {
        let left = limit.saturating_sub(u32::try_from(copies).unwrap_or(u32::MAX));
        let left = Attribute::i32(pass.context, i32::try_from(left).unwrap_or(i32::MAX));
        op.set_attribute(pass.context, MAX_RECOMPUTATIONS, left);
    }
    if pass.wants_remarks() {
        let remark = Remark::new(RemarkKind::Passed, RULE, "computed again for other readers");
        pass.remark(op, &remark.with_value("copies", copies));
    }
    true
}

/// The operations of the block that read a result, themselves or in their regions, in order.
fn readers(context: &Context, op: Operation, block: Block) -> Vec<Operation> {
    let users = op.results(context).flat_map(|result| result.users(context));
    let found: BTreeSet<Operation> = users
        .filter_map(|user| user.ancestor_in_block(context, block))
        .collect();
    let in_order = block.operations(context);
    in_order.filter(|op| found.contains(op)).collect()
}

/// Whether a copy before a reader keeps operands alive, after their last readers, that take at least
/// as many bytes as the results. Values from outside the block are alive throughout.
fn extends_liveness(context: &Context, op: Operation, reader: Operation, block: Block) -> bool {
    let mut operands: Vec<Value> = Vec::new();
    for nested in collect(context, op) {
        for value in nested.operands(context) {
            let defined_in = match value.owner(context) {
                orison_ir::ValueOwner::Result(made_by, _) => made_by.block(context),
                orison_ir::ValueOwner::Argument(of, _) => Some(of),
            };
            if defined_in == Some(block) && !operands.contains(&value) {
                operands.push(value);
            }
        }
    }
    let is_read_later = |value: &Value| {
        value.users(context).any(|user| {
            let at = user.ancestor_in_block(context, block);
            at.is_some_and(|at| at == reader || reader.is_before_in_block(context, at))
        })
    };
    let kept = operands.iter().filter(|value| !is_read_later(value));
    let kept: u64 = kept.map(|value| bytes(context, *value)).sum();
    let results: u64 = op.results(context).map(|value| bytes(context, value)).sum();
    kept >= results
}

fn bytes(context: &Context, value: Value) -> u64 {
    let ty = value.ty(context);
    let scalar = || {
        ty.bit_width(context)
            .map_or(0, |bits| u64::from(bits.div_ceil(8)))
    };
    tile_bytes(context, ty).unwrap_or_else(scalar)
}

/// Repeats an operation before a reader, which then reads the copy.
fn copy_before(context: &mut Context, op: Operation, reader: Operation, block: Block) {
    let copy = op.clone_into(context, &mut Mapping::default());
    for key in COPY_LACKS {
        copy.remove_attribute(context, key);
    }
    block.insert_before(context, Some(reader), copy);
    let pairs: Vec<(Value, Value)> = op.results(context).zip(copy.results(context)).collect();
    for (result, again) in pairs {
        result.replace_uses_if(context, again, |context, usage| {
            usage.owner.ancestor_in_block(context, block) == Some(reader)
        });
    }
}
