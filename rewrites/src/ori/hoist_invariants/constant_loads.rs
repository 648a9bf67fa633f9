//! Reads of constant banks at computed addresses, which are hoisted also if their block is not worth
//! it: no other read is as cheap to keep.

use orison_ir::{Context, Operation};
use orison_ori::analyses::pressure::RegisterClass;
use rustc_hash::FxHashSet;

use super::nest::Nest;
use super::weights::is_constant_load;
use crate::ori::matrix_registers::RegisterLimit;

/// The invariant reads of constant banks among some invariant operations of a block, and what
/// computes their addresses there.
pub(super) fn with_operands(
    nest: &Nest<'_>,
    context: &Context,
    number: usize,
    block: u32,
    invariants: &[Operation],
) -> Vec<Operation> {
    let mut needed: FxHashSet<Operation> = FxHashSet::default();
    let is_read = |op: &&Operation| is_constant_load(context, **op);
    if !invariants.iter().any(|op| is_read(&op)) || !is_allowed(nest, context, number, block) {
        return Vec::new();
    }
    for op in invariants.iter().rev() {
        if is_read(&op) || needed.contains(op) {
            let operands = op.operands(context);
            needed.extend(operands.filter_map(|value| value.defining_op(context)));
            needed.insert(*op);
        }
    }
    let chosen = invariants.iter().filter(|op| needed.contains(op));
    chosen.copied().collect()
}

fn is_allowed(nest: &Nest<'_>, context: &Context, number: usize, block: u32) -> bool {
    let knobs = nest.settings.knobs;
    let contents = nest.contents(number);
    let natural = &nest.loops.forest.loops()[number];
    let cold = contents.has_cold_block && !knobs.flag("HoistCBOFromLoopWithColdNest");
    let most = knobs.integer("HoistCBOHighCostSBInstRatioThreshold");
    let share = 100 * contents.long_latency / contents.size.max(1);
    let costly = most > 0 && i64::try_from(share).unwrap_or(i64::MAX) > most;
    let dominators = nest.loops.flow.dominators();
    let depth = dominators.depth(block)
        - dominators
            .depth(natural.header)
            .min(dominators.depth(block));
    let far = i64::from(depth) > knobs.integer("HoistCBOLoadIDOMTravseLimit");
    knobs.flag("HoistCBOLoad")
        && knobs.integer("HoistCBOMode") == 0
        && !cold
        && !costly
        && !far
        && has_registers(nest, context, natural.header)
}

/// Whether registers are left where a loop begins.
fn has_registers(nest: &Nest<'_>, context: &Context, header: u32) -> bool {
    let limit = RegisterLimit::of(context, nest.function.op, None);
    let limit = i64::from(limit.registers);
    let rate = nest
        .settings
        .knobs
        .integer("HoistCBORRegPressureLimitApplyRate");
    let live = nest.pressure(context).block(header);
    i64::from(live.get(RegisterClass::General)) * 100 <= limit.saturating_mul(rate)
}
