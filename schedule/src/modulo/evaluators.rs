//! The two evaluators that rank candidate seats. They read tables and never modify them.
//!
//! - *Bank pressure* examines two reservation tables: operations of the current iteration and
//!   operations of older iterations that are still in flight.
//! - *Pipe slot* measures the distance of a seat from the earliest cycle that dependences allow.
//!
//! Source: seed 004 "Dual-RRT Cost Evaluators"; tileas reference 5.3, 5.4 (recommendation) (C22,
//! C23, C37).

use super::distance::DistanceMatrix;
use super::reservation::{Footprint, ReservationTable};

/// The slots whose rows count as banks: 15 to 18, the shared- and tensor-memory transports.
pub const BANK_MASK: u64 = 0b1111 << 14;

/// Caps of the bank-pressure evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankCaps {
    /// Units in the current iteration's table (pool index 1 of the page: TMEM).
    pub in_iteration: u32,
    /// Units in the older iterations' table (pool index 6: named barriers).
    pub carry: u32,
}

impl Default for BankCaps {
    /// The page's caps, 4 and 3.
    fn default() -> Self {
        Self {
            in_iteration: 4,
            carry: 3,
        }
    }
}

/// Occupied banks in the rows of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BankPressure {
    /// Most banks held in one row by operations of the current iteration.
    pub in_iteration: u32,
    /// Most banks held in one row by operations of older iterations.
    pub carry: u32,
}

impl BankPressure {
    /// Counts banks over the rows of a footprint at a cycle. Both tables have one 64-bit value per
    /// row and the length of the interval; empty tables count as free.
    #[must_use]
    pub fn measure(current: &[u64], older: &[u64], footprint: &Footprint, cycle: i64) -> Self {
        let most = |table: &[u64]| {
            let length = table.len() as i64;
            (0..i64::from(footprint.duration).min(length))
                .map(|offset| table[(cycle + offset).rem_euclid(length) as usize])
                .map(|row| (row & BANK_MASK).count_ones())
                .max()
                .unwrap_or(0)
        };
        Self {
            in_iteration: most(current),
            carry: most(older),
        }
    }

    /// Banks held in one row of either table.
    #[must_use]
    pub const fn of_row(current: u64, older: u64) -> Self {
        Self {
            in_iteration: (current & BANK_MASK).count_ones(),
            carry: (older & BANK_MASK).count_ones(),
        }
    }

    /// The value used in the cost vector.
    #[must_use]
    pub const fn sum(self) -> u32 {
        self.in_iteration + self.carry
    }

    /// Whether both hard caps hold and the sum is within a threshold, over which
    /// [`super::search::smallest`] searches.
    #[must_use]
    pub const fn allows(self, caps: BankCaps, threshold: u32) -> bool {
        self.in_iteration <= caps.in_iteration
            && self.carry <= caps.carry
            && self.sum() <= threshold
    }
}

/// Cycles between the earliest start that seated operations allow and the candidate's seat; `None`
/// if the seat is outside its window. Zero means no slack.
#[must_use]
pub fn pipe_slot(
    distances: &DistanceMatrix,
    starts: &[Option<i64>],
    node: usize,
    cycle: i64,
) -> Option<u32> {
    let (earliest, latest) = distances.window(node, starts);
    if cycle < earliest || latest.is_some_and(|latest| cycle > latest) {
        return None;
    }
    u32::try_from(cycle - earliest).ok()
}

/// The pipe-slot evaluator as a predicate on a threshold: the footprint is free at the cycle, and
/// every predecessor reaches the operation within `threshold` cycles. Monotone in the threshold, so
/// [`super::search::smallest`] finds the least; never modifies the table.
#[must_use]
pub fn pipe_slot_allows(
    table: &ReservationTable,
    footprint: &Footprint,
    distances: &DistanceMatrix,
    (node, cycle): (usize, i64),
    threshold: i64,
) -> bool {
    table.admit(footprint, cycle).is_ok() && distances_within(distances, node, threshold)
}

/// The structural predicate of the page: every predecessor reaches the operation within `threshold`
/// cycles. Signed, so that loop-carried distances below zero pass; monotone in the threshold. It is
/// a property of the graph, not of a seat.
#[must_use]
pub fn distances_within(distances: &DistanceMatrix, node: usize, threshold: i64) -> bool {
    (0..distances.len())
        .filter(|&other| other != node)
        .all(|other| {
            distances
                .get(other, node)
                .is_none_or(|distance| distance <= threshold)
        })
}

#[cfg(test)]
mod tests {
    use super::super::components::Components;
    use super::super::cost::{CostVector, kendall_tau};
    use super::super::graph::{DependenceGraph, Edge, EdgeKind, Node, ResourceSpace, ResourceUse};
    use super::super::reservation::Rejection;
    use super::super::search::smallest;
    use super::*;

    /// The page's loop: load, write, mma, read; load -> read with latency 8.
    fn page_loop() -> (DependenceGraph, Vec<Footprint>) {
        let triple = |slot, duration| ResourceUse::new(slot, duration);
        let nodes = vec![
            Node::new("load", 8, vec![triple(12, 8), triple(16, 8)]),
            Node::new("write", 7, vec![triple(16, 7)]),
            Node::new("mma", 16, vec![triple(11, 8), triple(19, 8)]),
            Node::new("read", 7, vec![triple(15, 7)]),
        ];
        let footprints = nodes.iter().map(Footprint::of).collect();
        let edge = Edge {
            from: 0,
            to: 3,
            latency: 8,
            distance: 0,
            kind: EdgeKind::Data,
        };
        let graph = DependenceGraph::new(ResourceSpace::default(), nodes, vec![edge]).unwrap();
        (graph, footprints)
    }

    #[test]
    fn candidate_a_is_rejected_at_cycle_zero() {
        let (graph, prints) = page_loop();
        let mut table = ReservationTable::new(&graph, &prints, 8);
        table.commit(0, &prints[0], 0);
        assert_eq!(
            table.admit(&prints[1], 0),
            Err(Rejection::SlotTaken {
                slot: 16,
                cycle: 0,
                holder: 0
            })
        );
    }

    #[test]
    fn the_pipe_slot_evaluator_asks_the_table_and_the_distances() {
        let (graph, prints) = page_loop();
        let closure = DistanceMatrix::new(&graph, &Components::new(&graph), 15).unwrap();
        let mut table = ReservationTable::new(&graph, &prints, 15);
        table.commit(0, &prints[0], 0);
        let least = |node: usize, cycle: i64| {
            smallest(0, 64, |cap| {
                let seat = (node, cycle);
                pipe_slot_allows(&table, &prints[node], &closure, seat, i64::from(cap))
            })
        };
        // The read is 8 cycles after the load; the write has no predecessor, and conflicts with the
        // load's hold of tp_smem_wr before cycle 8, at any threshold.
        assert_eq!(least(3, 8), Some(8));
        assert_eq!(least(1, 8), Some(0));
        assert_eq!(least(1, 7), None);
    }

    #[test]
    fn candidate_b_costs_0_0_3_2_on_the_stated_occupancies() {
        let (graph, prints) = page_loop();
        let closure = DistanceMatrix::new(&graph, &Components::new(&graph), 8).unwrap();
        assert_eq!(closure.get(0, 3), Some(8));
        // Threshold 8 is the smallest that the structural predicate accepts: no penalty.
        assert_eq!(
            smallest(0, 64, |cap| distances_within(&closure, 3, i64::from(cap))),
            Some(8)
        );
        let pipe = pipe_slot(&closure, &[Some(0), None, None, None], 3, 8);
        assert_eq!(pipe, Some(0));
        // The page's occupancies: load and read in the current iteration, the write carried over.
        let bit = |slot: u8| 1_u64 << (slot - 1);
        let current = [bit(12) | bit(16) | bit(15); 8];
        let older = [bit(16); 8];
        let pressure = BankPressure::measure(&current, &older, &prints[1], 8);
        assert_eq!(
            pressure,
            BankPressure {
                in_iteration: 2,
                carry: 1
            }
        );
        assert_eq!(pressure.sum(), 3);
        assert!(pressure.allows(BankCaps::default(), 3));
        let threshold = smallest(0, 7, |cap| pressure.allows(BankCaps::default(), cap));
        assert_eq!(threshold, Some(3));
        let cost = CostVector {
            pipe_slot: pipe.unwrap(),
            bank: pressure.sum(),
            distance: kendall_tau(&[0, 2, 3, 1]) as u32,
            ..CostVector::default()
        };
        assert_eq!(cost.to_string(), "(0, 0, 3, 2)");
    }

    #[test]
    fn candidate_b_is_not_a_schedule_at_interval_8() {
        // A stage index does not remove a conflict: cycle 8 is row 0 again.
        let (graph, prints) = page_loop();
        let mut table = ReservationTable::new(&graph, &prints, 8);
        table.commit(0, &prints[0], 0);
        assert!(matches!(
            table.admit(&prints[1], 8),
            Err(Rejection::SlotTaken { slot: 16, .. })
        ));
    }

    #[test]
    fn caps_are_hard_whatever_the_threshold() {
        let pressure = BankPressure {
            in_iteration: 5,
            carry: 0,
        };
        assert!(!pressure.allows(BankCaps::default(), u32::MAX));
        let carried = BankPressure {
            in_iteration: 0,
            carry: 4,
        };
        assert!(!carried.allows(BankCaps::default(), u32::MAX));
        assert_eq!(
            BankPressure::measure(&[], &[], &Footprint::default(), 0).sum(),
            0
        );
    }

    #[test]
    fn negative_distances_pass_the_structural_predicate() {
        let nodes = vec![Node::new("op", 1, Vec::new()); 2];
        let edge = |from, to, latency, distance| Edge {
            from,
            to,
            latency,
            distance,
            kind: EdgeKind::Data,
        };
        let edges = vec![edge(0, 1, 3, 0), edge(1, 0, 2, 1)];
        let graph = DependenceGraph::new(ResourceSpace::default(), nodes, edges).unwrap();
        let closure = DistanceMatrix::new(&graph, &Components::new(&graph), 8).unwrap();
        assert_eq!(closure.get(1, 0), Some(-6));
        assert!(distances_within(&closure, 0, 0));
        assert_eq!(pipe_slot(&closure, &[Some(10), None], 1, 12), None);
        assert_eq!(pipe_slot(&closure, &[Some(10), None], 1, 15), Some(2));
        assert_eq!(pipe_slot(&closure, &[Some(10), None], 1, 17), None);
    }
}
