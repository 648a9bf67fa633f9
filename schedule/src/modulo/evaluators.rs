//! The bank-pressure evaluator. It examines two reservation tables and never modifies them: that of
//! operations of the current iteration, and that of operations of older iterations that are still
//! in flight.
//!
//! The pipe-slot evaluator is the window that [`super::distance`] leaves a seat, and the delay of the
//! seat in it. The page's search over thresholds by doubling and bisection is left out: the reservation
//! table finds the first free seat of a window directly, and its delay is the least threshold.
//!
//! Source: seed 004 "Dual-RRT Cost Evaluators"; tileas reference 5.3, 5.4 (recommendation) (C22,
//! C23, C37).

use super::reservation::Footprint;

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

    /// Whether both caps hold.
    #[must_use]
    pub const fn allows(self, caps: BankCaps) -> bool {
        self.in_iteration <= caps.in_iteration && self.carry <= caps.carry
    }
}

#[cfg(test)]
mod tests {
    use super::super::components::Components;
    use super::super::cost::{CostVector, kendall_tau};
    use super::super::distance::DistanceMatrix;
    use super::super::graph::{DependenceGraph, Node, ResourceUse};
    use super::super::reservation::{Rejection, ReservationTable};
    use super::super::test_support::{edge, graph};
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
        let graph = graph(nodes, vec![edge(0, 3, 8, 0)]);
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
    fn candidate_b_costs_0_0_3_2_on_the_stated_occupancies() {
        let (graph, prints) = page_loop();
        let closure = DistanceMatrix::new(&graph, &Components::new(&graph), 8).unwrap();
        assert_eq!(closure.get(0, 3), Some(8));
        // The read starts at the first cycle of its window: no delay.
        let (earliest, _) = closure.window(3, &[Some(0), None, None, None]);
        assert_eq!(earliest, 8);
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
        assert!(pressure.allows(BankCaps::default()));
        let cost = CostVector {
            pipe_slot: 8 - u32::try_from(earliest).unwrap(),
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
    fn each_cap_is_hard() {
        let pressure = BankPressure {
            in_iteration: 5,
            carry: 0,
        };
        assert!(!pressure.allows(BankCaps::default()));
        let carried = BankPressure {
            in_iteration: 0,
            carry: 4,
        };
        assert!(!carried.allows(BankCaps::default()));
        assert_eq!(
            BankPressure::measure(&[], &[], &Footprint::default(), 0).sum(),
            0
        );
    }
}
