//! The lexicographic cost of a candidate seat, and its parts.
//!
//! Source: tileas reference 4.7 (recommendation): five named fields, hardest first, never summed
//! across fields; spill surcharge 17 a unit, capped at 4096; structural distance is Kendall's tau.

use std::fmt;

use super::evaluators::BANK_MASK;
use super::problem::LoopProblem;

/// Cost per unit of register pressure above the budget.
pub const SPILL_SURCHARGE_WEIGHT: u32 = 17;

/// The largest spill surcharge of an operation; reached at an excess of 241.
pub const SPILL_SURCHARGE_CAP: u32 = 4096;

/// Cost of a candidate, compared field by field; less is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CostVector {
    /// Whether a hard gate rejects the candidate (resources, dependences).
    pub rejected: bool,
    /// Cycles between the earliest start that dependences allow and the seat.
    pub pipe_slot: u32,
    /// Spill surcharge.
    pub spill: u32,
    /// Bank pressure: units in both reservation tables.
    pub bank: u32,
    /// Inversions between emission order and program order.
    pub distance: u32,
}

impl CostVector {
    /// A candidate that a hard gate rejects: worse than every other.
    #[must_use]
    pub const fn rejection() -> Self {
        Self {
            rejected: true,
            pipe_slot: u32::MAX,
            spill: u32::MAX,
            bank: u32::MAX,
            distance: u32::MAX,
        }
    }
}

/// `(gate, pipe slot, bank, distance)`, with a nonzero surcharge as a fifth field; a rejected
/// candidate prints as `(inf, *, *, *)`.
impl fmt::Display for CostVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rejected {
            return f.write_str("(inf, *, *, *)");
        }
        let Self {
            pipe_slot,
            spill,
            bank,
            distance,
            ..
        } = self;
        if self.spill == 0 {
            write!(f, "(0, {pipe_slot}, {bank}, {distance})")
        } else {
            write!(f, "(0, {pipe_slot}, spill {spill}, {bank}, {distance})")
        }
    }
}

/// The two reservation tables of the bank-pressure evaluator, banks only: operations that start
/// in stage 0, and operations of older iterations.
pub(super) fn bank_tables(
    problem: &LoopProblem<'_>,
    interval: u32,
    starts: impl Iterator<Item = (usize, i64)>,
) -> [Vec<u64>; 2] {
    let length = i64::from(interval);
    let mut tables = [
        vec![0_u64; interval as usize],
        vec![0_u64; interval as usize],
    ];
    for (node, start) in starts {
        let older = usize::from(start.div_euclid(length) > 0);
        for &(slot, duration) in &problem.footprints[node].holds {
            let bit = 1_u64 << (slot - 1);
            if bit & BANK_MASK == 0 {
                continue;
            }
            for offset in 0..i64::from(duration) {
                tables[older][(start + offset).rem_euclid(length) as usize] |= bit;
            }
        }
    }
    tables
}

/// Surcharge of one operation: 17 for each unit of pressure above the budget, at most 4096. It
/// ranks candidates and never rejects one.
#[must_use]
pub const fn spill_surcharge(pressure: u32, budget: u32) -> u32 {
    let surcharge = pressure
        .saturating_sub(budget)
        .saturating_mul(SPILL_SURCHARGE_WEIGHT);
    if surcharge > SPILL_SURCHARGE_CAP {
        SPILL_SURCHARGE_CAP
    } else {
        surcharge
    }
}

/// Kendall's tau: the number of inverted pairs. For an emission order given as program indices this
/// is the structural distance. Takes n log n steps.
#[must_use]
pub fn kendall_tau(emission: &[usize]) -> u64 {
    let mut values = emission.to_vec();
    let mut scratch = values.clone();
    count_inversions(&mut values, &mut scratch)
}

/// Merge sort that counts inversions.
fn count_inversions(values: &mut [usize], scratch: &mut [usize]) -> u64 {
    let length = values.len();
    let mut inversions = 0;
    let mut width = 1;
    while width < length {
        for begin in (0..length).step_by(2 * width) {
            let middle = (begin + width).min(length);
            let end = (begin + 2 * width).min(length);
            let (mut left, mut right) = (begin, middle);
            for slot in &mut scratch[begin..end] {
                if left < middle && (right == end || values[left] <= values[right]) {
                    *slot = values[left];
                    left += 1;
                } else {
                    *slot = values[right];
                    right += 1;
                    inversions += (middle - left) as u64;
                }
            }
        }
        values.copy_from_slice(scratch);
        width *= 2;
    }
    inversions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_order_has_distance_two() {
        // Program order load, write, mma, read; emitted load, mma, read, write.
        assert_eq!(kendall_tau(&[0, 2, 3, 1]), 2);
    }

    #[test]
    fn tau_counts_inverted_pairs() {
        let orders: [&[usize]; 5] = [&[], &[4], &[0, 1, 2], &[3, 2, 1, 0], &[5, 1, 4, 0, 2, 3, 3]];
        for order in orders {
            let pairs = (0..order.len())
                .flat_map(|second| (0..second).map(move |first| (first, second)))
                .filter(|&(first, second)| order[first] > order[second])
                .count();
            assert_eq!(kendall_tau(order), pairs as u64);
        }
    }

    #[test]
    fn the_surcharge_saturates_at_an_excess_of_241() {
        assert_eq!(spill_surcharge(100, 100), 0);
        assert_eq!(spill_surcharge(99, 100), 0);
        assert_eq!(spill_surcharge(101, 100), 17);
        assert_eq!(spill_surcharge(340, 100), 4080);
        assert_eq!(spill_surcharge(341, 100), 4096);
        assert_eq!(spill_surcharge(u32::MAX, 0), 4096);
    }

    #[test]
    fn comparison_is_lexicographic() {
        let cost = |pipe_slot, bank, distance| CostVector {
            pipe_slot,
            bank,
            distance,
            ..CostVector::default()
        };
        assert!(cost(0, 2, 9) < cost(0, 3, 0));
        assert!(cost(0, 9, 9) < cost(1, 0, 0));
        assert!(cost(u32::MAX, 9, 9) < CostVector::rejection());
        assert_eq!(cost(0, 3, 2).to_string(), "(0, 0, 3, 2)");
        assert_eq!(CostVector::rejection().to_string(), "(inf, *, *, *)");
    }
}
