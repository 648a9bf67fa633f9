//! Walks blocks, one alone or all of a function to a fixpoint.

use std::collections::BTreeSet;

use orison_sass::function::{BlockIndex, Function};
use orison_sass::instruction::{Flow, flow};

use super::GraphRules;
use super::memory::Order;
use super::registers::{Open, Tracker};
use crate::dependences::{DependenceGraph, Edge, EdgeKinds, Protection};
use crate::sass::facts::FunctionFacts;
use crate::sass::latency::LatencyModel;

/// The edges within a block.
pub(super) fn block(
    facts: &FunctionFacts,
    model: &LatencyModel,
    block: usize,
    rules: &GraphRules,
) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut tracker = Tracker::new(facts, model);
    tracker.reorders = rules.reorders;
    tracker.enter(&Open::default());
    for instruction in facts.block(block) {
        tracker.add(instruction, &mut edges);
    }
    order(facts, model, block, rules, &mut edges);
    edges
}

/// The edges of memory, synchronisation and the jump at the end of a block.
fn order(
    facts: &FunctionFacts,
    model: &LatencyModel,
    block: usize,
    rules: &GraphRules,
    edges: &mut Vec<Edge>,
) {
    let mut order = Order::new(facts, model, rules);
    for instruction in facts.block(block) {
        order.add(instruction, edges);
    }
}

/// Orders everything in a block before the jump, call or exit at its end.
fn before_jump(
    function: &Function<'_>,
    facts: &FunctionFacts,
    block: BlockIndex,
    edges: &mut Vec<Edge>,
) {
    let last = function.blocks[block].instructions.last();
    let numbers = facts.block(block);
    let (Some(last), Some(to)) = (last, numbers.clone().last()) else {
        return;
    };
    if flow(last) == Flow::Next {
        return;
    }
    let narrow = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    edges.extend(numbers.filter(|from| *from != to).map(|from| Edge {
        from: narrow(from),
        to: narrow(to),
        kinds: EdgeKinds::BARRIER,
        cycles: 1,
        protection: Protection::Time,
        register: None,
    }));
}

/// All edges of a function. Calls are transparent: the state before a call holds after it, and
/// callers wait for operations of the callee only through shared registers.
pub(super) fn function(
    function: &Function<'_>,
    facts: &FunctionFacts,
    model: &LatencyModel,
    rules: &GraphRules,
) -> Vec<Edge> {
    let mut tracker = Tracker::new(facts, model);
    let mut starts: Vec<Option<Open>> = vec![None; function.blocks.len()];
    let mut ignored = Vec::new();
    for root in roots(function) {
        if starts[root].is_some() {
            continue;
        }
        starts[root] = Some(Open::default());
        let mut work = BTreeSet::from([root]);
        while let Some(block) = work.pop_first() {
            ignored.clear();
            let end = walk(&mut tracker, facts, block, &starts, &mut ignored);
            let found = &function.blocks[block];
            let next = found.successors.iter().map(|edge| edge.to);
            for to in next.chain(found.callee) {
                let is_new = starts[to].is_none();
                let start = starts[to].get_or_insert_with(Open::default);
                let changed = start.join(&end, !facts.block(to).is_empty());
                let changed = changed || is_new;
                if changed {
                    work.insert(to);
                }
            }
        }
    }
    let mut edges = Vec::new();
    for block in 0..function.blocks.len() {
        walk(&mut tracker, facts, block, &starts, &mut edges);
        order(facts, model, block, rules, &mut edges);
        before_jump(function, facts, block, &mut edges);
    }
    edges
}

/// The entries, then every other block, which is used only if no path to it is known.
fn roots(function: &Function<'_>) -> impl Iterator<Item = BlockIndex> {
    let entries = function.entries.iter().map(|entry| entry.block);
    entries.chain(0..function.blocks.len())
}

fn walk(
    tracker: &mut Tracker<'_>,
    facts: &FunctionFacts,
    block: BlockIndex,
    starts: &[Option<Open>],
    edges: &mut Vec<Edge>,
) -> Open {
    let nothing = Open::default();
    let start = starts[block].as_ref().unwrap_or(&nothing);
    tracker.enter(start);
    tracker.wait_for_given_up(start, facts.block(block).start, edges);
    for instruction in facts.block(block) {
        tracker.add(instruction, edges);
    }
    tracker.leave()
}

/// Makes the graphs of single blocks of a function, whose instructions may be reordered.
pub(crate) struct BlockGraphs<'a> {
    facts: &'a FunctionFacts,
    model: &'a LatencyModel,
    rules: &'a GraphRules,
    tracker: Tracker<'a>,
}

impl<'a> BlockGraphs<'a> {
    pub(crate) fn new(
        facts: &'a FunctionFacts,
        model: &'a LatencyModel,
        rules: &'a GraphRules,
    ) -> Self {
        let mut tracker = Tracker::new(facts, model);
        tracker.reorders = rules.reorders;
        BlockGraphs {
            facts,
            model,
            rules,
            tracker,
        }
    }

    /// The graph of a block, with instructions numbered from its first one. Cost: the edges.
    pub(crate) fn block(&mut self, function: &Function<'_>, block: BlockIndex) -> DependenceGraph {
        let mut edges = Vec::new();
        self.tracker.enter(&Open::default());
        let numbers = self.facts.block(block);
        for instruction in numbers.clone() {
            self.tracker.add(instruction, &mut edges);
        }
        order(self.facts, self.model, block, self.rules, &mut edges);
        before_jump(function, self.facts, block, &mut edges);
        let start = u32::try_from(numbers.start).unwrap_or(u32::MAX);
        for edge in &mut edges {
            edge.from -= start;
            edge.to -= start;
        }
        DependenceGraph::new(edges, numbers.len())
    }
}
