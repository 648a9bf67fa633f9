//! Bytes of the tiles that an agent keeps in registers when its iterations overlap.

use std::collections::{BTreeMap, BTreeSet};

use orison_host::arith;
use orison_ir::{Context, Value};

use super::super::super::solve::loads::value_bytes;
use super::super::steps::{Step, is_asynchronous_product};
use super::timeline::{Timeline, TimelineBuilder};
use crate::modulo::pressure::LiveRows;

/// The cycles in which a value is alive, for the first iteration.
#[derive(Clone, Copy)]
struct Lifetime {
    from: i64,
    to: i64,
    bytes: u64,
}

impl TimelineBuilder<'_, '_> {
    /// The most bytes of tiles that are alive at once. `views` are operations that take no time:
    /// their results are in the registers of their operand.
    ///
    /// An operation may write over an operand that it is the last to read. Tiles in slots, splat
    /// constants, and factors of products that are loaded before the loop are not in registers.
    pub(super) fn live_bytes(&self, timeline: &Timeline, views: &BTreeSet<usize>) -> u64 {
        let mut rows = LiveRows::new(timeline.interval);
        rows.add_always(self.invariant_bytes(timeline));
        for life in self.lifetimes(timeline, views).into_values() {
            rows.add(life.from, life.to, life.bytes);
        }
        rows.peak()
    }

    fn lifetimes(&self, timeline: &Timeline, views: &BTreeSet<usize>) -> BTreeMap<Value, Lifetime> {
        let context = self.steps.context;
        let list: Vec<Step> = timeline.steps.iter().map(|timed| timed.step).collect();
        // What is made of several tiles is a tile of its own.
        let is_view = |value: Value| {
            let Some(op) = value.defining_op(context) else {
                return false;
            };
            let tiles = op
                .operands(context)
                .filter(|tile| register_bytes(context, *tile) > 0);
            let node = self.steps.plan.items.iter().position(|item| *item == op);
            node.is_some_and(|node| views.contains(&node)) && tiles.count() <= 1
        };
        let mut lifetimes = BTreeMap::new();
        for timed in &timeline.steps {
            let values: Vec<Value> = match timed.step {
                Step::Copy(op) => op.results(context).collect(),
                Step::Take(pipe) => self.steps.plan.pipes[pipe].values.clone(),
                _ => continue,
            };
            for value in values.into_iter().filter(|value| !is_view(*value)) {
                let life = Lifetime {
                    from: timed.cycle,
                    to: timed.cycle + 1,
                    bytes: register_bytes(context, value),
                };
                lifetimes.insert(value, life);
            }
        }
        let uses = self.uses(&list);
        // A use of a view is a use of what it shows; views of views come later in program order.
        for read in uses.iter().rev() {
            let mut end = timeline.steps[read.to].cycle;
            if let (Step::Copy(op), false) = (list[read.to], read.adds)
                && is_asynchronous_product(context, op)
                && op.operands_named(context, "c").first() != Some(&read.value)
            {
                let awaited = list.iter().position(|step| *step == Step::Await(op));
                end = awaited.map_or(end, |awaited| timeline.steps[awaited].cycle);
            }
            let mut value = read.value;
            let mut end = end + read.distance * timeline.interval;
            let mut shown = BTreeSet::new();
            loop {
                if !shown.insert(value) {
                    // Only views carry it from one iteration to the next.
                    let bytes = register_bytes(context, value);
                    let (from, to) = (0, timeline.interval);
                    lifetimes.insert(value, Lifetime { from, to, bytes });
                    break;
                }
                if let Some(life) = lifetimes.get_mut(&value) {
                    life.to = life.to.max(end);
                    break;
                }
                let source = uses.iter().find(|other| {
                    matches!(list[other.to], Step::Copy(op) if value.defining_op(context) == Some(op))
                });
                let Some(source) = source.filter(|_| is_view(value)) else {
                    break;
                };
                end += source.distance * timeline.interval;
                value = source.value;
            }
        }
        lifetimes
    }

    /// Bytes of the tiles from before the loop that the agent reads in every iteration.
    pub(super) fn invariant_bytes(&self, timeline: &Timeline) -> u64 {
        let context = self.steps.context;
        let mut known = BTreeSet::new();
        let mut total = 0;
        for timed in &timeline.steps {
            let Step::Copy(op) = timed.step else { continue };
            let is_product = is_asynchronous_product(context, op);
            for value in op.operands(context) {
                let made = value.defining_op(context);
                let outside = value.parent_block(context) != Some(self.steps.frame.block);
                let constant = made.is_some_and(|made| arith::Constant::matches(context, made));
                let loaded = made.is_some_and(|made| made.name_text(context).ends_with("load"));
                if outside && !constant && !(is_product && loaded) && known.insert(value) {
                    total += register_bytes(context, value);
                }
            }
        }
        total
    }
}

/// Bytes of a tile in registers; none for other values.
pub(super) fn register_bytes(context: &Context, value: Value) -> u64 {
    let ty = value.ty(context);
    let bytes = value_bytes(context, ty).filter(|_| ty.is_shaped(context));
    bytes.unwrap_or(0)
}
