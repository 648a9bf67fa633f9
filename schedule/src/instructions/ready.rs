//! The ready list: instructions whose dependences have been issued.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::clock::Clock;
use super::narrow;
use super::region::Region;

/// The instructions of a region that may issue next, in the order of a key, smallest first.
///
/// Those that would stall are apart: by the cycle at which they can issue. Cost: log N for each instruction.
#[derive(Clone, Debug)]
pub struct ReadyList<Key> {
    keys: Vec<Key>,
    /// Dependences of each node that have not been issued.
    missing: Vec<u32>,
    waiting: BinaryHeap<Reverse<(i64, Key, u32)>>,
    ready: BTreeSet<(Key, u32)>,
}

impl<Key: Ord + Copy> ReadyList<Key> {
    /// At the start of a region, with a key for each node.
    pub fn new(region: &Region<'_>, clock: &Clock<'_>, keys: Vec<Key>) -> Self {
        let missing = (0..region.len()).map(|node| narrow(region.graph.predecessors(node).len()));
        let mut list = ReadyList {
            missing: missing.collect(),
            waiting: BinaryHeap::new(),
            ready: BTreeSet::new(),
            keys,
        };
        for node in 0..region.len() {
            if list.missing[node] == 0 {
                list.wait(clock, node);
            }
        }
        list
    }

    fn wait(&mut self, clock: &Clock<'_>, node: usize) {
        let cycle = clock.earliest(node);
        self.waiting
            .push(Reverse((cycle, self.keys[node], narrow(node))));
    }

    /// The nodes that can issue first, the smallest key first; empty at the end of the region.
    pub fn candidates(&mut self, clock: &Clock<'_>) -> impl Iterator<Item = u32> {
        let mut limit = clock.now();
        while let Some(Reverse((cycle, key, node))) = self.waiting.peek().copied()
            && (cycle <= limit || self.ready.is_empty())
        {
            self.waiting.pop();
            // Groups may end later than when it joined.
            let then = clock.earliest(node as usize);
            if then > cycle && then > limit {
                self.waiting.push(Reverse((then, key, node)));
            } else {
                self.ready.insert((key, node));
                limit = limit.max(then);
            }
        }
        self.ready.iter().map(|(_, node)| *node)
    }

    /// The nodes that would stall for longer than the candidates, in the order of the cycles at which they can
    /// issue; at most `count`, which is small.
    pub fn stalled(&mut self, count: usize) -> Vec<u32> {
        let first: Vec<_> = (0..count).map_while(|_| self.waiting.pop()).collect();
        self.waiting.extend(first.iter().copied());
        let nodes = first.into_iter().map(|Reverse((_, _, node))| node);
        nodes.collect()
    }

    /// Takes a candidate, or one of those that would stall, out of the list. It has been issued: what depends only
    /// on issued nodes joins.
    pub fn issued(&mut self, region: &Region<'_>, clock: &Clock<'_>, node: u32) {
        if !self.ready.remove(&(self.keys[node as usize], node)) {
            let mut before = Vec::new();
            while let Some(entry) = self.waiting.pop()
                && entry.0.2 != node
            {
                before.push(entry);
            }
            self.waiting.extend(before);
        }
        for edge in region.graph.successors(node as usize) {
            let left = &mut self.missing[edge.to as usize];
            *left -= 1;
            if *left == 0 {
                self.wait(clock, edge.to as usize);
            }
        }
    }
}

/// An order of a region by list scheduling: of the instructions that can issue first, always the one with the
/// smallest key.
pub fn list<Key: Ord + Copy>(region: &Region<'_>, key: impl Fn(usize) -> Key) -> Vec<u32> {
    let mut clock = Clock::new(region);
    let keys = (0..region.len()).map(key).collect();
    let mut ready = ReadyList::new(region, &clock, keys);
    let mut order = Vec::with_capacity(region.len());
    loop {
        let first = ready.candidates(&clock).next();
        let Some(node) = first else {
            return order;
        };
        clock.issue(node as usize);
        order.push(node);
        ready.issued(region, &clock, node);
    }
}
