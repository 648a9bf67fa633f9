//! The independent schedule checker.
//!
//! It re-derives everything a schedule claims from nodes, edges and start cycles alone, and shares
//! no code with the schedulers: only the plain input types come from [`crate::modulo`]. It reports
//! the first violated constraint, with the operations and the cycle.
//!
//! Source: design section 5.2; tileas reference 2.2 (groups), 3.7 (rows), 4.8 (stage, order).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::modulo::{DependenceGraph, Edge, Node, ResourceSpace, Schedule};

/// The claims of a schedule, as plain data, so that they can also come from attributes.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'c> {
    /// The initiation interval, in cycles.
    pub interval: u32,
    /// Start cycle of every operation.
    pub starts: &'c [i64],
    /// Stage of every operation.
    pub stages: &'c [u32],
    /// Order of every operation inside its stage.
    pub orders: &'c [u32],
    /// Number of stages.
    pub stage_count: u32,
}

impl<'c> From<&'c Schedule> for Claim<'c> {
    fn from(schedule: &'c Schedule) -> Self {
        Self {
            interval: schedule.interval,
            starts: &schedule.starts,
            stages: &schedule.stages,
            orders: &schedule.orders,
            stage_count: schedule.stage_count,
        }
    }
}

/// A constraint that a schedule breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The interval is 0.
    ZeroInterval,
    /// The number of starts, stages or orders differs from the number of operations.
    WrongLength {
        /// Operations in the loop.
        expected: usize,
        /// The first list length that differs.
        found: usize,
    },
    /// An edge or a pool share refers to an operation or pool that does not exist.
    DanglingReference {
        /// The operation at fault.
        node: usize,
    },
    /// A dependence is not satisfied.
    Dependence {
        /// The edge.
        edge: Edge,
        /// The least distance of the starts that the edge allows, in cycles.
        needed: i64,
        /// The distance that the schedule has.
        found: i64,
    },
    /// An operation holds a slot longer than the interval.
    SelfCollision {
        /// The operation.
        node: usize,
        /// The slot.
        slot: String,
        /// Cycles held.
        duration: u32,
    },
    /// Two operations hold one slot in the same cycle modulo the interval.
    SlotConflict {
        /// The slot.
        slot: String,
        /// The operation with the smaller program index.
        first: usize,
        /// The other operation.
        second: usize,
        /// The cycle modulo the interval.
        cycle: u32,
    },
    /// A pool has too many units in one cycle modulo the interval.
    PoolOverflow {
        /// The pool.
        pool: String,
        /// The cycle modulo the interval.
        cycle: u32,
        /// Units used.
        units: u64,
        /// Units available.
        capacity: u32,
        /// The operations that use them.
        nodes: Vec<usize>,
    },
    /// Two operations under `force_serial_execution` overlap.
    SerialOverlap {
        /// The first operation.
        first: usize,
        /// The second operation; equal to the first if it overlaps its own next iteration.
        second: usize,
    },
    /// No operation starts in stage 0, or one starts before cycle 0.
    NotNormalised {
        /// The least start.
        least: i64,
    },
    /// The stage is not `start div interval`.
    Stage {
        /// The operation.
        node: usize,
        /// The stage that follows from the start.
        expected: u32,
        /// The stage that is claimed.
        found: u32,
    },
    /// The number of stages is not one more than the last stage.
    StageCount {
        /// The number that follows from the stages.
        expected: u32,
        /// The number that is claimed.
        found: u32,
    },
    /// The order is not the rank by (start mod interval, program index).
    Order {
        /// The operation.
        node: usize,
        /// The rank that follows from the starts.
        expected: u32,
        /// The order that is claimed.
        found: u32,
    },
    /// An operation is in a deeper stage than its `max_depth`.
    MaxDepth {
        /// The operation.
        node: usize,
        /// Its stage.
        depth: u32,
        /// The limit.
        limit: u32,
    },
    /// Two operations under one leader are in different stages.
    LeaderGroup {
        /// The first operation of the group.
        first: usize,
        /// The operation that differs.
        second: usize,
        /// Stage of the first.
        first_depth: u32,
        /// Stage of the second.
        second_depth: u32,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroInterval => f.write_str("the initiation interval is 0"),
            Self::WrongLength { expected, found } => {
                write!(
                    f,
                    "the schedule covers {found} operations, the loop has {expected}"
                )
            }
            Self::DanglingReference { node } => {
                write!(
                    f,
                    "operation {node} refers to an operation or pool that does not exist"
                )
            }
            Self::Dependence {
                edge,
                needed,
                found,
            } => write!(
                f,
                "operation {} must start at least {needed} cycles after operation {} (latency {}, \
                 distance {}, {:?}), but starts {found} cycles after it",
                edge.to, edge.from, edge.latency, edge.distance, edge.kind
            ),
            Self::SelfCollision {
                node,
                slot,
                duration,
            } => write!(
                f,
                "operation {node} holds {slot} for {duration} cycles, longer than the interval"
            ),
            Self::SlotConflict {
                slot,
                first,
                second,
                cycle,
            } => {
                write!(
                    f,
                    "operations {first} and {second} both hold {slot} in row {cycle}"
                )
            }
            Self::PoolOverflow {
                pool,
                cycle,
                units,
                capacity,
                nodes,
            } => write!(
                f,
                "pool {pool} has {units} of {capacity} units taken in row {cycle} by operations \
                 {nodes:?}"
            ),
            Self::SerialOverlap { first, second } => {
                write!(
                    f,
                    "operations {first} and {second} are forced serial but overlap"
                )
            }
            Self::NotNormalised { least } => {
                write!(f, "the earliest start is {least}, which is not in stage 0")
            }
            Self::Stage {
                node,
                expected,
                found,
            } => {
                write!(f, "operation {node} has stage {found}, expected {expected}")
            }
            Self::StageCount { expected, found } => {
                write!(
                    f,
                    "the schedule declares {found} stages, expected {expected}"
                )
            }
            Self::Order {
                node,
                expected,
                found,
            } => {
                write!(
                    f,
                    "operation {node} has order {found} in its stage, expected {expected}"
                )
            }
            Self::MaxDepth { node, depth, limit } => {
                write!(
                    f,
                    "operation {node} is in stage {depth}, its max_depth is {limit}"
                )
            }
            Self::LeaderGroup {
                first,
                second,
                first_depth,
                second_depth,
            } => write!(
                f,
                "operations {first} and {second} have the same leader but are in stages \
                 {first_depth} and {second_depth}"
            ),
        }
    }
}

impl std::error::Error for Violation {}

impl Violation {
    /// The operations at fault, by program index.
    #[must_use]
    pub fn nodes(&self) -> Vec<usize> {
        match self {
            Self::Dependence { edge, .. } => vec![edge.from, edge.to],
            Self::SlotConflict { first, second, .. }
            | Self::SerialOverlap { first, second, .. }
            | Self::LeaderGroup { first, second, .. } => vec![*first, *second],
            Self::DanglingReference { node }
            | Self::SelfCollision { node, .. }
            | Self::Stage { node, .. }
            | Self::Order { node, .. }
            | Self::MaxDepth { node, .. } => vec![*node],
            Self::ZeroInterval
            | Self::WrongLength { .. }
            | Self::PoolOverflow { .. }
            | Self::NotNormalised { .. }
            | Self::StageCount { .. } => Vec::new(),
        }
    }
}

/// Checks a schedule against a dependence graph.
///
/// # Errors
/// The first violated constraint.
pub fn check_schedule(graph: &DependenceGraph, claim: &Claim<'_>) -> Result<(), Violation> {
    check(graph.nodes(), graph.edges(), graph.space(), claim)
}

/// Checks a schedule against plain nodes and edges, without assuming them valid.
///
/// # Errors
/// The first violated constraint: shape, dependences, slots, pools, serial operations, stages,
/// orders, depth limits, leader groups, in this order.
pub fn check(
    nodes: &[Node],
    edges: &[Edge],
    space: &ResourceSpace,
    claim: &Claim<'_>,
) -> Result<(), Violation> {
    check_shape(nodes, claim)?;
    check_dependences(nodes, edges, claim)?;
    check_slots(nodes, space, claim)?;
    check_pools(nodes, space, claim)?;
    check_serial(nodes, claim)?;
    check_stages(claim)?;
    check_orders(claim)?;
    check_depths(nodes, claim)?;
    check_leaders(nodes, claim)
}

fn check_shape(nodes: &[Node], claim: &Claim<'_>) -> Result<(), Violation> {
    if claim.interval == 0 {
        return Err(Violation::ZeroInterval);
    }
    for found in [claim.starts.len(), claim.stages.len(), claim.orders.len()] {
        if found != nodes.len() {
            return Err(Violation::WrongLength {
                expected: nodes.len(),
                found,
            });
        }
    }
    Ok(())
}

fn check_dependences(nodes: &[Node], edges: &[Edge], claim: &Claim<'_>) -> Result<(), Violation> {
    for edge in edges {
        if edge.from >= nodes.len() || edge.to >= nodes.len() {
            return Err(Violation::DanglingReference { node: edge.from });
        }
        let needed =
            i128::from(edge.latency) - i128::from(claim.interval) * i128::from(edge.distance);
        let found = i128::from(claim.starts[edge.to]) - i128::from(claim.starts[edge.from]);
        if found < needed {
            return Err(Violation::Dependence {
                edge: *edge,
                needed: needed as i64,
                found: found as i64,
            });
        }
    }
    Ok(())
}

/// The row of a cycle.
fn wrap(cycle: i128, interval: u32) -> u32 {
    cycle.rem_euclid(i128::from(interval)) as u32
}

fn check_slots(nodes: &[Node], space: &ResourceSpace, claim: &Claim<'_>) -> Result<(), Violation> {
    let mut held: BTreeMap<(u8, u32), usize> = BTreeMap::new();
    for (node, data) in nodes.iter().enumerate() {
        for triple in data.uses.iter().filter(|triple| triple.occupancy > 0) {
            if triple.duration > claim.interval {
                return Err(Violation::SelfCollision {
                    node,
                    slot: space.slot_name(triple.slot),
                    duration: triple.duration,
                });
            }
            for offset in 0..triple.duration {
                let cycle = wrap(
                    i128::from(claim.starts[node]) + i128::from(offset),
                    claim.interval,
                );
                match held.insert((triple.slot, cycle), node) {
                    Some(other) if other != node => {
                        return Err(Violation::SlotConflict {
                            slot: space.slot_name(triple.slot),
                            first: other.min(node),
                            second: other.max(node),
                            cycle,
                        });
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

fn check_pools(nodes: &[Node], space: &ResourceSpace, claim: &Claim<'_>) -> Result<(), Violation> {
    let mut taken: BTreeMap<(usize, u32), (u64, BTreeSet<usize>)> = BTreeMap::new();
    for (node, data) in nodes.iter().enumerate() {
        let live = data.uses.iter().filter(|triple| triple.occupancy > 0);
        let longest = live.map(|triple| triple.duration).max().unwrap_or(0);
        let serial = if data.constraints.force_serial {
            data.latency.max(1)
        } else {
            0
        };
        for share in data.pools.iter().filter(|share| share.count > 0) {
            for offset in 0..longest.max(serial).max(1) {
                let cycle = wrap(
                    i128::from(claim.starts[node]) + i128::from(offset),
                    claim.interval,
                );
                let entry = taken.entry((share.pool, cycle)).or_default();
                entry.0 += u64::from(share.count);
                entry.1.insert(node);
            }
        }
    }
    for ((pool, cycle), (units, users)) in taken {
        let Some(entry) = space.pools.get(pool) else {
            return Err(Violation::DanglingReference {
                node: users.first().copied().unwrap_or(0),
            });
        };
        if units > u64::from(entry.capacity) {
            return Err(Violation::PoolOverflow {
                pool: entry.name.clone(),
                cycle,
                units,
                capacity: entry.capacity,
                nodes: users.into_iter().collect(),
            });
        }
    }
    Ok(())
}

/// Forced-serial operations run from start to start + latency without overlap, on a circle of
/// `interval` cycles.
fn check_serial(nodes: &[Node], claim: &Claim<'_>) -> Result<(), Violation> {
    let mut runs: Vec<(u32, u32, usize)> = nodes
        .iter()
        .enumerate()
        .filter(|(_, data)| data.constraints.force_serial)
        .map(|(node, data)| {
            (
                wrap(i128::from(claim.starts[node]), claim.interval),
                data.latency.max(1),
                node,
            )
        })
        .collect();
    runs.sort_unstable();
    for (position, &(begin, length, node)) in runs.iter().enumerate() {
        let (next, _, other) = runs[(position + 1) % runs.len()];
        let gap = if position + 1 == runs.len() {
            next + claim.interval
        } else {
            next
        } - begin;
        if length > gap {
            return Err(Violation::SerialOverlap {
                first: node,
                second: other,
            });
        }
    }
    Ok(())
}

fn check_stages(claim: &Claim<'_>) -> Result<(), Violation> {
    let length = i64::from(claim.interval);
    if let Some(&least) = claim.starts.iter().min()
        && !(0..length).contains(&least)
    {
        return Err(Violation::NotNormalised { least });
    }
    let mut last = 0;
    for (node, (&start, &found)) in claim.starts.iter().zip(claim.stages).enumerate() {
        let expected = u32::try_from(start / length).unwrap_or(u32::MAX);
        if expected != found {
            return Err(Violation::Stage {
                node,
                expected,
                found,
            });
        }
        last = last.max(expected);
    }
    let expected = last.saturating_add(1);
    if claim.stage_count != expected {
        return Err(Violation::StageCount {
            expected,
            found: claim.stage_count,
        });
    }
    Ok(())
}

fn check_orders(claim: &Claim<'_>) -> Result<(), Violation> {
    let mut by_stage: BTreeMap<u32, Vec<(i64, usize)>> = BTreeMap::new();
    for (node, &start) in claim.starts.iter().enumerate() {
        let row = start % i64::from(claim.interval);
        by_stage
            .entry(claim.stages[node])
            .or_default()
            .push((row, node));
    }
    for members in by_stage.values_mut() {
        members.sort_unstable();
        for (rank, &(_, node)) in members.iter().enumerate() {
            if claim.orders[node] as usize != rank {
                return Err(Violation::Order {
                    node,
                    expected: rank as u32,
                    found: claim.orders[node],
                });
            }
        }
    }
    Ok(())
}

fn check_depths(nodes: &[Node], claim: &Claim<'_>) -> Result<(), Violation> {
    for (node, data) in nodes.iter().enumerate() {
        if let Some(limit) = data.constraints.max_depth
            && claim.stages[node] > limit
        {
            return Err(Violation::MaxDepth {
                node,
                depth: claim.stages[node],
                limit,
            });
        }
    }
    Ok(())
}

/// Groups connected by leader declarations, found by repeated merging of labels.
fn check_leaders(nodes: &[Node], claim: &Claim<'_>) -> Result<(), Violation> {
    let mut label: BTreeMap<u32, u32> = BTreeMap::new();
    for data in nodes {
        for group in [data.constraints.group, data.constraints.leader]
            .into_iter()
            .flatten()
        {
            label.insert(group, group);
        }
    }
    loop {
        let mut changed = false;
        for data in nodes {
            if let (Some(group), Some(leader)) = (data.constraints.group, data.constraints.leader) {
                let least = label[&group].min(label[&leader]);
                for member in [group, leader] {
                    changed |= label.insert(member, least) != Some(least);
                }
            }
        }
        if !changed {
            break;
        }
    }
    let mut first_of: BTreeMap<u32, usize> = BTreeMap::new();
    for (node, data) in nodes.iter().enumerate() {
        let Some(group) = data.constraints.group else {
            continue;
        };
        let first = *first_of.entry(label[&group]).or_insert(node);
        if claim.stages[first] != claim.stages[node] {
            return Err(Violation::LeaderGroup {
                first,
                second: node,
                first_depth: claim.stages[first],
                second_depth: claim.stages[node],
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
