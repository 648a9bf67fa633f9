//! Lower bounds of the interval from how operations share slots and pools, without dependences.
//!
//! Both are sound for every schedule and cost little at any size.

use std::collections::BTreeMap;

use super::graph::DependenceGraph;
use super::reservation::Footprint;

/// The largest of the bounds of this module, in cycles, at least 1.
#[must_use]
pub fn packing_bound(graph: &DependenceGraph, footprints: &[Footprint]) -> u32 {
    let bound = tour_bound(footprints).max(share_bound(graph, footprints));
    u32::try_from(bound.max(1)).unwrap_or(u32::MAX)
}

/// Types of successors above this number are not told apart: the work grows with their square.
const TYPE_LIMIT: usize = 256;

/// Operations that hold one slot take turns around the interval. The next one starts when the earlier
/// one is done with every slot that both hold, which may be later than with this slot. The sum over a
/// tour is at least that of the cheapest assignment of successors.
fn tour_bound(footprints: &[Footprint]) -> u64 {
    let mut users: BTreeMap<u8, Vec<&Footprint>> = BTreeMap::new();
    for footprint in footprints {
        for &(slot, _) in &footprint.holds {
            users.entry(slot).or_default().push(footprint);
        }
    }
    let tours = users.values().map(|users| cheapest_successors(users));
    tours.max().unwrap_or(1)
}

/// The total of the cheapest assignment of a successor to each operation. Successors that hold the same
/// slots cost the same.
fn cheapest_successors(users: &[&Footprint]) -> u64 {
    let slots = |user: &Footprint| user.holds.iter().map(|hold| hold.0).collect::<Vec<u8>>();
    let mut types: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    let mut costs: BTreeMap<&[(u8, u32)], u64> = BTreeMap::new();
    for user in users {
        *types.entry(slots(user)).or_default() += 1;
        *costs.entry(&user.holds).or_default() += 1;
    }
    if users.len() < 2 || types.len() > TYPE_LIMIT {
        return 0;
    }
    let supplies: Vec<u64> = costs.values().copied().collect();
    let demands: Vec<u64> = types.values().copied().collect();
    let cost = |holds: &[(u8, u32)], slots: &Vec<u8>| {
        let shared = holds.iter().filter(|hold| slots.contains(&hold.0));
        shared.map(|hold| i64::from(hold.1)).max().unwrap_or(0)
    };
    let row = |holds: &&[(u8, u32)]| types.keys().map(|slots| cost(holds, slots)).collect();
    let table: Vec<Vec<i64>> = costs.keys().map(row).collect();
    transport(&table, supplies, demands)
}

/// The least cost of a transport from rows to columns, by shortest augmenting paths. Supplies and
/// demands have the same total.
fn transport(cost: &[Vec<i64>], mut supplies: Vec<u64>, mut demands: Vec<u64>) -> u64 {
    let (rows, columns) = (supplies.len(), demands.len());
    let mut flow = vec![vec![0_u64; columns]; rows];
    let mut total = 0_i64;
    while let Some(first) = supplies.iter().position(|&supply| supply > 0) {
        // Distances from the row over the residual edges; `from` is the previous row or column.
        let mut to_row = vec![(i64::MAX, columns); rows];
        let mut to_column = vec![(i64::MAX, rows); columns];
        to_row[first].0 = 0;
        let mut changed: Vec<usize> = vec![first];
        while !changed.is_empty() {
            let mut next = Vec::new();
            for row in changed {
                for column in 0..columns {
                    let through = to_row[row].0 + cost[row][column];
                    if through >= to_column[column].0 {
                        continue;
                    }
                    to_column[column] = (through, row);
                    for back in 0..rows {
                        let reached = through - cost[back][column];
                        if flow[back][column] > 0 && reached < to_row[back].0 {
                            to_row[back] = (reached, column);
                            next.push(back);
                        }
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            changed = next;
        }
        let open = (0..columns).filter(|&column| demands[column] > 0);
        let Some(last) = open.min_by_key(|&column| to_column[column].0) else {
            return 0;
        };
        let mut path = Vec::new();
        let mut column = last;
        loop {
            let row = to_column[column].1;
            path.push((row, column, to_row[row].1));
            if row == first {
                break;
            }
            column = to_row[row].1;
        }
        let backwards = path.iter().filter(|step| step.0 != first);
        let amount = backwards.map(|&(row, _, back)| flow[row][back]).min();
        let amount = amount
            .unwrap_or(u64::MAX)
            .min(supplies[first])
            .min(demands[last]);
        for &(row, column, back) in &path {
            flow[row][column] += amount;
            if row != first {
                flow[row][back] -= amount;
            }
        }
        total += to_column[last].0 * amount as i64;
        supplies[first] -= amount;
        demands[last] -= amount;
    }
    u64::try_from(total).unwrap_or(0)
}

/// Units of a pool that cannot be used together count as more. For a threshold of up to half of the
/// capacity, shares above `capacity - threshold` count as the whole capacity, and shares below the
/// threshold as nothing.
///
/// Source: the dual feasible function of the bound L2 of Martello and Toth (Lower bounds and reduction
/// procedures for the bin packing problem, 1990).
fn share_bound(graph: &DependenceGraph, footprints: &[Footprint]) -> u64 {
    let pools = graph.space().pools.iter().enumerate();
    let bounds = pools.map(|(pool, entry)| {
        let shares: Vec<(u64, u64)> = footprints
            .iter()
            .flat_map(|footprint| {
                let own = footprint.pools.iter().filter(move |share| share.0 == pool);
                own.map(|share| (u64::from(share.1), u64::from(footprint.duration)))
            })
            .collect();
        let capacity = u64::from(entry.capacity).max(1);
        // In halves of a unit, so that half of an odd capacity is among them.
        let mut thresholds: Vec<u64> = shares
            .iter()
            .flat_map(|&(units, _)| [2 * units, (2 * capacity + 1).saturating_sub(2 * units)])
            .filter(|&threshold| threshold <= capacity)
            .collect();
        thresholds.sort_unstable();
        thresholds.dedup();
        let bound = |threshold: u64| {
            let counted = shares.iter().map(|&(units, cycles)| {
                let units = match 2 * units {
                    double if double + threshold > 2 * capacity => capacity,
                    double if double < threshold => 0,
                    _ => units,
                };
                units * cycles
            });
            counted.sum::<u64>().div_ceil(capacity)
        };
        thresholds.into_iter().map(bound).max().unwrap_or(0)
    });
    bounds.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Node, PoolUse};
    use super::super::test_support::{graph_with_pool, node};
    use super::*;

    fn bound(nodes: Vec<Node>, capacity: u32) -> u32 {
        let footprints: Vec<_> = nodes.iter().map(Footprint::of).collect();
        let graph = graph_with_pool(capacity, nodes, Vec::new());
        packing_bound(&graph, &footprints)
    }

    /// Each slot is held for 11 cycles, but after the first operation another that holds slot 2 waits
    /// 9 cycles, and so does one after the second: 9 + 9.
    #[test]
    fn operations_that_share_two_slots_follow_each_other_after_the_longer_hold() {
        let pair = vec![node(&[(1, 2), (2, 9)]), node(&[(1, 9), (2, 2)])];
        assert_eq!(bound(pair, 1), 18);
    }

    /// The cheapest tour on slot 1 covers the long hold of slot 2 by the operation that does not hold
    /// it: 2 + 3 + 9.
    #[test]
    fn an_operation_without_the_second_slot_fills_the_gap() {
        let nodes = [
            node(&[(1, 2), (2, 9)]),
            node(&[(1, 9), (2, 2)]),
            node(&[(1, 3)]),
        ];
        let footprints = nodes.each_ref().map(Footprint::of);
        assert_eq!(cheapest_successors(&footprints.each_ref()), 14);
    }

    fn shares(shares: &[u32], cycles: u32) -> Vec<Node> {
        let nodes = (1..).zip(shares).map(|(slot, &count)| {
            let mut node = node(&[(slot, cycles)]);
            node.pools.push(PoolUse { pool: 0, count });
            node
        });
        nodes.collect()
    }

    /// Shares of 3 of 5 units exclude each other: 4 * 2 cycles, though the units fit into 5.
    #[test]
    fn shares_above_half_of_a_pool_do_not_overlap() {
        assert_eq!(bound(shares(&[3; 4], 2), 5), 8);
    }

    /// Two shares of half of the units fit: 4 * 2 / 2 cycles.
    #[test]
    fn shares_of_half_a_pool_overlap() {
        assert_eq!(bound(shares(&[2; 4], 2), 4), 4);
    }

    /// A share of 4 leaves one unit, in which a share of 2 does not fit: 4 + 2 * 2 / 5 cycles.
    #[test]
    fn small_shares_count_beside_large_ones() {
        assert_eq!(bound(shares(&[4, 4, 4, 4, 2, 2], 1), 5), 5);
    }

    #[test]
    fn a_transport_takes_the_cheapest_routes() {
        // Two rows want the first column, which takes one: 1 + 5 is cheaper than 9 + 2.
        let cost = vec![vec![1, 9], vec![2, 5]];
        assert_eq!(transport(&cost, vec![1, 1], vec![1, 1]), 6);
        assert_eq!(transport(&cost, vec![2, 3], vec![4, 1]), 2 + 2 * 2 + 5);
        // The first row gives the column back that it took first: 2 + 1 is cheaper than 1 + 100.
        let cost = vec![vec![1, 2], vec![1, 100]];
        assert_eq!(transport(&cost, vec![1, 1], vec![1, 1]), 3);
    }
}
