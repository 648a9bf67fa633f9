//! Loops of one block in the order of a modulo schedule.

use super::{Settings, Strategy};
use crate::dependences::Edge as Dependence;
use crate::instructions::narrow;
use crate::instructions::region::Region;
use crate::modulo::{
    DependenceGraph, Edge, EdgeKind, Node, Pool, PoolUse, ResourceSpace, SchedulingOptions,
    schedule_loop,
};

/// The order in which the instructions of one iteration start in a modulo schedule. Iterations are not moved
/// into each other: that takes a prologue and registers, and is the work of `ori-pipelining`. What a modulo
/// schedule knows here is which instructions have to be early so that the next iteration does not wait.
pub(super) struct SoftwarePipelining;

/// The most instructions of a loop (seed 000, "Strategy Selection").
pub(super) const LONGEST: usize = 256;
/// Work units for each instruction, of the exact search and of the one by ejection.
const WORK: u64 = 200;

impl Strategy for SoftwarePipelining {
    fn name(&self) -> &'static str {
        "software-pipelining"
    }

    fn order(&self, region: &Region<'_>, _: &[u32], _: &Settings) -> Option<Vec<u32>> {
        if !region.repeats() || region.len() > LONGEST {
            return None;
        }
        let graph = graph(region)?;
        let options = SchedulingOptions {
            max_stages: Some(1),
            placements_per_operation: 4,
            exact_work: WORK * region.len() as u64,
            ejection_work: WORK,
            ..SchedulingOptions::default()
        };
        let schedule = schedule_loop(&graph, &options).ok()?;
        let mut order: Vec<u32> = (0..narrow(region.len())).collect();
        order.sort_by_key(|node| (schedule.starts[*node as usize], *node));
        region.allows(&order).then_some(order)
    }
}

/// The graph of the modulo engine: one instruction issues in a cycle.
fn graph(region: &Region<'_>) -> Option<DependenceGraph> {
    let space = ResourceSpace {
        pools: vec![Pool {
            name: "issue".to_owned(),
            capacity: 1,
        }],
        ..ResourceSpace::default()
    };
    let nodes = (0..region.len()).map(|number| {
        let behind = region.graph.successors(number);
        let latency = behind.map(|edge| region.latency(edge)).max().unwrap_or(1);
        let latency = u32::try_from(latency).unwrap_or(1).max(1);
        let mut node = Node::new(String::new(), latency, Vec::new());
        node.pools = vec![PoolUse { pool: 0, count: 1 }];
        node
    });
    let edge = |found: &Dependence, distance: u32| Edge {
        from: found.from as usize,
        to: found.to as usize,
        latency: i32::try_from(region.latency(found)).unwrap_or(i32::MAX),
        distance,
        kind: if distance == 0 {
            EdgeKind::Data
        } else {
            EdgeKind::LoopCarried
        },
    };
    let within = region.graph.edges().iter().map(|found| edge(found, 0));
    let carried = region.carried.iter().map(|found| edge(found, 1));
    DependenceGraph::new(space, nodes.collect(), within.chain(carried).collect()).ok()
}
