//! Reads of constant banks at computed addresses, which are hoisted also if their block is not worth
//! it: no other read is as cheap to keep.

use orison_ir::{Context, Operation};
use orison_ori::knobs::Knobs;
use rustc_hash::FxHashSet;

use super::contents::Contents;
use super::weights::is_constant_load;

/// The invariant reads of constant banks among some invariant operations of a block, and what
/// computes their addresses there.
pub(super) fn with_operands(context: &Context, invariants: &[Operation]) -> Vec<Operation> {
    let mut needed: FxHashSet<Operation> = FxHashSet::default();
    for op in invariants.iter().rev() {
        if is_constant_load(context, *op) || needed.contains(op) {
            let operands = op.operands(context);
            needed.extend(operands.filter_map(|value| value.defining_op(context)));
            needed.insert(*op);
        }
    }
    let chosen = invariants.iter().filter(|op| needed.contains(op));
    chosen.copied().collect()
}

/// What decides whether they are.
pub(super) struct Surroundings<'s> {
    /// What the loop contains.
    pub contents: &'s Contents,
    /// How far the block is below the header in the dominator tree.
    pub depth: u32,
    /// The knobs.
    pub knobs: &'s Knobs,
}

impl Surroundings<'_> {
    /// Whether they are hoisted; `registers` are those that are live where the loop begins, and those
    /// that a thread may have.
    pub fn allow(&self, registers: impl FnOnce() -> [u32; 2]) -> bool {
        let (knobs, contents) = (self.knobs, self.contents);
        let cold = contents.has_cold_block && !knobs.flag("HoistCBOFromLoopWithColdNest");
        let most = knobs.integer("HoistCBOHighCostSBInstRatioThreshold");
        let share = 100 * contents.long_latency / contents.size.max(1);
        let costly = most > 0 && i64::try_from(share).unwrap_or(i64::MAX) > most;
        let far = i64::from(self.depth) > knobs.integer("HoistCBOLoadIDOMTravseLimit");
        let rate = knobs.integer("HoistCBORRegPressureLimitApplyRate");
        let are_left = || {
            let [live, limit] = registers().map(i64::from);
            live * 100 <= limit.saturating_mul(rate)
        };
        knobs.flag("HoistCBOLoad")
            && knobs.integer("HoistCBOMode") == 0
            && !cold
            && !costly
            && !far
            && are_left()
    }
}
