//! Which loads share a pipe, how deep it is, and what must exclude what: `Schedule::solve`.
//!
//! Nothing here searches. Stages and cycles are read from the schedule and never changed.
//!
//! Source: page "Schedule Solve and Cost Evaluators" (`Schedule::solve`), TileAS reference 6.2.

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::{Context, Operation};

use super::super::attributes::WrittenSchedule;
use super::super::loop_body::LoopBody;
use super::plan::{FirstAgent, MutexPlan};
use crate::modulo::{DependenceGraph, EdgeKind};

/// A disjoint-set forest over operations of the body, with path compression. The root of a union
/// is the smaller root, so the result does not depend on the order of unions.
#[derive(Clone, Debug, Default)]
struct DisjointSets {
    parents: BTreeMap<usize, usize>,
}

impl DisjointSets {
    fn find(&mut self, node: usize) -> usize {
        let mut root = node;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        let mut current = node;
        while let Some(&parent) = self.parents.get(&current) {
            self.parents.insert(current, root);
            current = parent;
        }
        self.parents.remove(&root);
        root
    }

    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parents.insert(a.max(b), a.min(b));
        }
    }
}

/// Groups the loads into pipes: loads with a consumer in common, and loads of one leader group.
/// Groups and their members come in (stage, order).
///
/// The phases of the page: collect and sort the producers; map each to its schedule; close under
/// "live at the consumer" (which planning has done: only live loads come here); union producers
/// of one consumer in the disjoint-set forest, seeded from the leader groups; sweep the roots in
/// schedule order. Emission is the materializer's.
pub(super) fn solve(
    context: &Context,
    body: &LoopBody,
    graph: &DependenceGraph,
    schedule: &WrittenSchedule,
    loads: &BTreeSet<usize>,
    sequence: &[usize],
) -> Vec<Vec<usize>> {
    let key = |load: &usize| (schedule.stages[*load], schedule.orders[*load], *load);
    let mut producers: Vec<usize> = loads.iter().copied().collect();
    producers.sort_by_key(key);
    let mut sets = DisjointSets::default();
    let mut leaders: BTreeMap<u32, usize> = BTreeMap::new();
    let mut by_consumer: BTreeMap<usize, usize> = BTreeMap::new();
    for &load in &producers {
        if let Some(leader) = graph.depth_group(load) {
            let first = *leaders.entry(leader).or_insert(load);
            sets.union(first, load);
        }
        for reader in readers(context, body, load, sequence) {
            let first = *by_consumer.entry(reader).or_insert(load);
            sets.union(first, load);
        }
    }
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    for load in producers {
        let root = sets.find(load);
        match groups.iter_mut().find(|(known, _)| *known == root) {
            Some((_, members)) => members.push(load),
            None => groups.push((root, vec![load])),
        }
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// The operations of the consumer that read the tile of a load.
pub(super) fn readers(
    context: &Context,
    body: &LoopBody,
    load: usize,
    sequence: &[usize],
) -> Vec<usize> {
    let Some(tile) = body.operations[load].results(context).next() else {
        return Vec::new();
    };
    let users: BTreeSet<Operation> = tile
        .users(context)
        .filter_map(|user| user.ancestor_in_block(context, body.block))
        .collect();
    let reads = |node: &&usize| users.contains(&body.operations[**node]);
    sequence.iter().filter(reads).copied().collect()
}

/// Slots that a load needs so that the schedule never waits for one:
/// `max(1, ceil((end of the last read - start of the load) / II))`.
pub(super) fn depth(graph: &DependenceGraph, schedule: &WrittenSchedule, load: usize) -> u32 {
    let interval = i64::from(schedule.interval.max(1));
    let ends = graph
        .successors(load)
        .filter(|edge| edge.kind.carries_value())
        .map(|edge| {
            let shift = interval.saturating_mul(i64::from(edge.distance));
            schedule.starts[edge.to] + shift + i64::from(graph.node(edge.to).latency)
        });
    let Some(end) = ends.max() else { return 1 };
    let span = (end - schedule.starts[load]).max(1);
    u32::try_from((span + interval - 1) / interval).unwrap_or(u32::MAX)
}

/// Order between loads and the consumer's operations that data do not give.
#[derive(Clone, Debug, Default)]
pub(super) struct Exclusions {
    /// Consumer operations that come after a load in the same iteration.
    after: BTreeMap<usize, BTreeSet<usize>>,
    /// Load and consumer operation, and who goes first.
    pairs: BTreeSet<(FirstAgent, usize, usize)>,
}

/// Reads the order between loads and consumer operations off the dependence graph.
pub(super) fn exclusions(
    graph: &DependenceGraph,
    loads: &BTreeSet<usize>,
    sequence: &[usize],
) -> Exclusions {
    let consumers: BTreeSet<usize> = sequence.iter().copied().collect();
    let mut exclusions = Exclusions::default();
    for edge in graph.edges() {
        if loads.contains(&edge.from) && consumers.contains(&edge.to) {
            // The pipe's wait gives this order, when the operation comes behind it.
            if edge.distance == 0 && edge.kind != EdgeKind::Data {
                exclusions
                    .after
                    .entry(edge.from)
                    .or_default()
                    .insert(edge.to);
            }
        } else if consumers.contains(&edge.from) && loads.contains(&edge.to) {
            let first = if edge.distance == 0 {
                FirstAgent::Consumer
            } else {
                FirstAgent::Producer
            };
            exclusions.pairs.insert((first, edge.to, edge.from));
        }
    }
    exclusions
}

impl Exclusions {
    /// The consumer operations that must wait for a load though they do not read its tile.
    pub(super) fn after(&self, load: usize) -> Vec<usize> {
        self.after
            .get(&load)
            .into_iter()
            .flatten()
            .copied()
            .collect()
    }

    /// One mutex for each connected group of loads and operations with the same order.
    pub(super) fn mutexes(&self) -> Vec<MutexPlan> {
        let mut mutexes: Vec<MutexPlan> = Vec::new();
        for &(first, load, consumer) in &self.pairs {
            let meets = |mutex: &MutexPlan| {
                mutex.first == first
                    && (mutex.loads.contains(&load) || mutex.consumers.contains(&consumer))
            };
            let mut merged = MutexPlan {
                loads: BTreeSet::from([load]),
                consumers: BTreeSet::from([consumer]),
                first,
            };
            let (touching, apart): (Vec<_>, Vec<_>) = mutexes.into_iter().partition(meets);
            for mutex in touching {
                merged.loads.extend(mutex.loads);
                merged.consumers.extend(mutex.consumers);
            }
            mutexes = apart;
            mutexes.push(merged);
        }
        mutexes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_do_not_depend_on_their_order() {
        let mut forward = DisjointSets::default();
        let mut backward = DisjointSets::default();
        let pairs = [(5, 3), (3, 9), (1, 2), (9, 2)];
        for (a, b) in pairs {
            forward.union(a, b);
        }
        for (a, b) in pairs.into_iter().rev() {
            backward.union(b, a);
        }
        for node in [1, 2, 3, 5, 9] {
            assert_eq!(forward.find(node), 1);
            assert_eq!(backward.find(node), 1);
        }
        assert_eq!(forward.find(7), 7);
    }

    #[test]
    fn exclusions_that_share_an_operation_share_a_mutex() {
        let exclusions = Exclusions {
            pairs: BTreeSet::from([
                (FirstAgent::Producer, 0, 5),
                (FirstAgent::Producer, 1, 6),
                (FirstAgent::Producer, 1, 5),
                (FirstAgent::Consumer, 1, 7),
            ]),
            ..Exclusions::default()
        };
        let mutexes = exclusions.mutexes();
        assert_eq!(mutexes.len(), 2);
        let shared = mutexes
            .iter()
            .find(|mutex| mutex.first == FirstAgent::Producer);
        let shared = shared.expect("the producer goes first in three of the pairs");
        assert_eq!(shared.loads, BTreeSet::from([0, 1]));
        assert_eq!(shared.consumers, BTreeSet::from([5, 6]));
    }
}
