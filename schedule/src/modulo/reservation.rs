//! The modulo reservation table: which slot is held in which cycle modulo the interval.
//!
//! A row is one cycle modulo the initiation interval, a 64-bit value with bit `slot - 1` set while
//! the slot is held. Pools are counted per row. Admission never modifies the table; a footprint is
//! committed only after a full successful probe.
//!
//! A table may be *quantised*: a row then covers several cycles, and a hold takes every row it
//! touches. A quantised table never admits what an exact table rejects; it may reject more.
//!
//! Source: tileas reference 3.1 (rows), 3.7 (admission rule, self-collision C49, quantisation).

use std::fmt;

use super::graph::{DependenceGraph, Node, ResourceSpace, SERIAL_SLOT};

/// The resources an operation holds, with triples of one slot merged: the form used by probes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// `(slot, duration)` by increasing slot, each slot once, in cycles.
    pub holds: Vec<(u8, u32)>,
    /// `(pool, units)` by increasing pool, each pool once.
    pub pools: Vec<(usize, u32)>,
    /// Cycles the footprint covers: the longest hold, at least 1 when any pool is used.
    pub duration: u32,
}

impl Footprint {
    /// The footprint of an operation. `force_serial_execution` adds a hold of [`SERIAL_SLOT`] for
    /// the latency.
    #[must_use]
    pub fn of(node: &Node) -> Self {
        let mut holds: Vec<(u8, u32)> = node
            .uses
            .iter()
            .filter(|triple| triple.occupancy > 0)
            .map(|triple| (triple.slot, triple.duration))
            .collect();
        if node.constraints.force_serial {
            holds.push((SERIAL_SLOT, node.latency.max(1)));
        }
        holds.sort_unstable_by_key(|&(slot, duration)| (slot, std::cmp::Reverse(duration)));
        holds.dedup_by_key(|hold| hold.0);
        let mut pools: Vec<(usize, u32)> = Vec::new();
        for share in node.pools.iter().filter(|share| share.count > 0) {
            match pools.iter_mut().find(|(pool, _)| *pool == share.pool) {
                Some((_, units)) => *units += share.count,
                None => pools.push((share.pool, share.count)),
            }
        }
        pools.sort_unstable();
        let longest = holds
            .iter()
            .map(|&(_, duration)| duration)
            .max()
            .unwrap_or(0);
        let duration = if pools.is_empty() {
            longest
        } else {
            longest.max(1)
        };
        Self {
            holds,
            pools,
            duration,
        }
    }

    /// The longest hold of a single slot, in cycles; 0 when no slot is held.
    #[must_use]
    pub fn longest_hold(&self) -> u32 {
        self.holds
            .iter()
            .map(|&(_, duration)| duration)
            .max()
            .unwrap_or(0)
    }

    /// Whether nothing is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.duration == 0
    }
}

/// The reason for rejecting a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The operation holds a slot longer than the interval and would overlap itself.
    SelfCollision {
        /// The slot.
        slot: u8,
        /// Cycles the slot is held.
        duration: u32,
    },
    /// Another operation holds the slot in that cycle modulo the interval.
    SlotTaken {
        /// The slot.
        slot: u8,
        /// The row: cycle modulo the interval.
        cycle: u32,
        /// The operation that holds it.
        holder: usize,
    },
    /// The pool has too few units left in that row.
    PoolFull {
        /// The pool.
        pool: usize,
        /// The row: cycle modulo the interval.
        cycle: u32,
    },
}

impl Rejection {
    /// A description of the rejection, with slots and pools by name.
    #[must_use]
    pub fn describe(&self, space: &ResourceSpace) -> String {
        match *self {
            Self::SelfCollision { slot, duration } => format!(
                "op footprint self-conflicts at II: {} is held for {duration} cycles",
                space.slot_name(slot)
            ),
            Self::SlotTaken {
                slot,
                cycle,
                holder,
            } => format!(
                "{} is held in row {cycle} by operation {holder}",
                space.slot_name(slot)
            ),
            Self::PoolFull { pool, cycle } => format!(
                "pool {} is full in row {cycle}",
                space
                    .pools
                    .get(pool)
                    .map_or("?", |entry| entry.name.as_str())
            ),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::SelfCollision { slot, duration } => {
                write!(
                    f,
                    "op footprint self-conflicts at II: slot {slot} held {duration} cycles"
                )
            }
            Self::SlotTaken {
                slot,
                cycle,
                holder,
            } => {
                write!(
                    f,
                    "slot {slot} is held in row {cycle} by operation {holder}"
                )
            }
            Self::PoolFull { pool, cycle } => write!(f, "pool {pool} is full in row {cycle}"),
        }
    }
}

/// Marks a row that no operation holds.
const FREE: u32 = u32::MAX;

/// The table for one initiation interval.
#[derive(Clone, Debug)]
pub struct ReservationTable {
    interval: u32,
    /// Cycles that a row covers.
    quantum: u32,
    /// Number of rows.
    count: u32,
    rows: Vec<u64>,
    /// Column of each slot in `holders`; `None` for slots that no operation uses.
    column: [Option<u8>; 65],
    /// Holder of each (column, row).
    holders: Vec<u32>,
    /// Units taken of each (pool, row); empty when the graph uses no pool.
    pool_usage: Vec<u32>,
    pool_capacity: Vec<u32>,
}

impl ReservationTable {
    /// An empty table of `interval` rows (at least one) for the slots and pools of a graph.
    #[must_use]
    pub fn new(graph: &DependenceGraph, footprints: &[Footprint], interval: u32) -> Self {
        Self::quantised(graph, footprints, interval, 1)
    }

    /// Like [`Self::new`], with rows of `quantum` cycles (at least one); the last row may be
    /// shorter.
    #[must_use]
    pub fn quantised(
        graph: &DependenceGraph,
        footprints: &[Footprint],
        interval: u32,
        quantum: u32,
    ) -> Self {
        let interval = interval.max(1);
        let quantum = quantum.clamp(1, interval);
        let count = interval.div_ceil(quantum);
        let mut column = [None; 65];
        let mut columns = 0_u8;
        for (slot, _) in footprints.iter().flat_map(|footprint| &footprint.holds) {
            let entry = &mut column[usize::from(*slot)];
            if entry.is_none() {
                *entry = Some(columns);
                columns += 1;
            }
        }
        let uses_pools = footprints
            .iter()
            .any(|footprint| !footprint.pools.is_empty());
        let pool_capacity: Vec<u32> = graph
            .space()
            .pools
            .iter()
            .map(|pool| pool.capacity)
            .collect();
        let rows = count as usize;
        let pool_rows = if uses_pools {
            rows * pool_capacity.len()
        } else {
            0
        };
        Self {
            interval,
            quantum,
            count,
            rows: vec![0; rows],
            column,
            holders: vec![FREE; rows * usize::from(columns)],
            pool_usage: vec![0; pool_rows],
            pool_capacity,
        }
    }

    /// The initiation interval, in cycles.
    #[must_use]
    pub const fn interval(&self) -> u32 {
        self.interval
    }

    /// The slots held in a row, bit `slot - 1` for each.
    #[must_use]
    pub fn row(&self, row: u32) -> u64 {
        self.rows[(row % self.count) as usize]
    }

    /// The row that a cycle falls into; defined for negative cycles as well.
    #[must_use]
    pub fn row_of(&self, cycle: i64) -> u32 {
        self.phase(cycle) / self.quantum
    }

    /// The cycle modulo the interval.
    fn phase(&self, cycle: i64) -> u32 {
        cycle.rem_euclid(i64::from(self.interval)) as u32
    }

    /// The number of rows touched by a hold that starts in a phase and takes `duration` cycles.
    fn span(&self, phase: u32, duration: u32) -> u32 {
        if self.quantum == 1 || duration == 0 {
            return duration;
        }
        let first = phase / self.quantum;
        let end = u64::from(phase) + u64::from(duration);
        let interval = u64::from(self.interval);
        let quantum = u64::from(self.quantum);
        let rows = if end <= interval {
            (end - 1) / quantum + 1 - u64::from(first)
        } else {
            u64::from(self.count - first) + (end - interval - 1) / quantum + 1
        };
        u32::try_from(rows).unwrap_or(u32::MAX)
    }

    /// Cycles from a phase to the first cycle of the row `rows` rows after its own.
    fn cycles_to(&self, phase: u32, rows: u32) -> i64 {
        let target = phase / self.quantum + rows;
        if target < self.count {
            i64::from(target) * i64::from(self.quantum) - i64::from(phase)
        } else {
            i64::from(self.interval - phase)
                + i64::from(target - self.count) * i64::from(self.quantum)
        }
    }

    fn holder_index(&self, slot: u8, row: u32) -> Option<usize> {
        let column = usize::from(self.column[usize::from(slot)]?);
        Some(column * self.count as usize + row as usize)
    }

    /// The operation that holds a slot in a row.
    #[must_use]
    pub fn holder(&self, slot: u8, row: u32) -> Option<usize> {
        let holder = self.holders[self.holder_index(slot, row)?];
        (holder != FREE).then_some(holder as usize)
    }

    /// Whether the footprint fits at a cycle; does not modify the table.
    ///
    /// # Errors
    /// The first obstacle: self-collision, then the lowest slot in the earliest row, then pools.
    pub fn admit(&self, footprint: &Footprint, cycle: i64) -> Result<(), Rejection> {
        self.fits_alone(footprint)?;
        let phase = self.phase(cycle);
        let start = phase / self.quantum;
        for offset in 0..self.span(phase, footprint.duration).min(self.count) {
            let row = (start + offset) % self.count;
            let word = self.rows[row as usize];
            for &(slot, duration) in &footprint.holds {
                if offset < self.span(phase, duration) && word & (1 << (slot - 1)) != 0 {
                    let holder = self.holder(slot, row).unwrap_or(usize::MAX);
                    return Err(Rejection::SlotTaken {
                        slot,
                        cycle: row,
                        holder,
                    });
                }
            }
        }
        if let Some(rejection) = self.meets_itself(footprint, phase) {
            return Err(rejection);
        }
        match self.full_pool(footprint, phase) {
            Some((_, rejection)) => Err(rejection),
            None => Ok(()),
        }
    }

    /// In a quantised table the first and the last row of a hold may coincide.
    fn meets_itself(&self, footprint: &Footprint, phase: u32) -> Option<Rejection> {
        let mut holds = footprint.holds.iter();
        let &(slot, duration) = holds.find(|hold| self.span(phase, hold.1) > self.count)?;
        Some(Rejection::SelfCollision { slot, duration })
    }

    /// Whether the footprint could be seated in an empty table.
    ///
    /// # Errors
    /// [`Rejection::SelfCollision`] when a slot is held longer than the interval, and
    /// [`Rejection::PoolFull`] when the operation overlaps itself beyond a pool's capacity.
    pub fn fits_alone(&self, footprint: &Footprint) -> Result<(), Rejection> {
        for &(slot, duration) in &footprint.holds {
            if duration > self.interval {
                return Err(Rejection::SelfCollision { slot, duration });
            }
        }
        Ok(())
    }

    /// The last offset at which some pool has too few units, with the pool.
    fn full_pool(&self, footprint: &Footprint, phase: u32) -> Option<(u32, Rejection)> {
        if footprint.pools.is_empty() {
            return None;
        }
        let start = phase / self.quantum;
        for offset in (0..self.span(phase, footprint.duration).min(self.count)).rev() {
            let row = (start + offset) % self.count;
            for &(pool, units) in &footprint.pools {
                let index = pool * self.count as usize + row as usize;
                if self.pool_usage[index] + units > self.pool_capacity[pool] {
                    return Some((offset, Rejection::PoolFull { pool, cycle: row }));
                }
            }
        }
        None
    }

    /// The last offset at which some slot is taken.
    fn taken_offset(&self, footprint: &Footprint, phase: u32) -> Option<u32> {
        let start = phase / self.quantum;
        let mut last = None;
        for &(slot, duration) in &footprint.holds {
            let bit = 1_u64 << (slot - 1);
            let floor = last.map_or(0, |offset: u32| offset + 1);
            let span = self.span(phase, duration);
            if span > self.count {
                return Some(0);
            }
            for offset in (floor..span).rev() {
                if self.rows[((start + offset) % self.count) as usize] & bit != 0 {
                    last = Some(offset);
                    break;
                }
            }
        }
        last
    }

    /// Cycles (below 0) from a start with obstacles to the last one before it at which each hold, and
    /// the shares of each pool, end before the first of their obstacles; `None` without obstacles.
    fn retreat(&self, footprint: &Footprint, phase: u32) -> Option<i64> {
        let first = |duration: u32, is_taken: &dyn Fn(usize) -> bool| {
            let start = phase / self.quantum;
            let mut offsets = 0..self.span(phase, duration).min(self.count);
            let offset =
                offsets.find(|offset| is_taken(((start + offset) % self.count) as usize))?;
            Some(self.cycles_to(phase, offset) - i64::from(duration))
        };
        let slots = footprint.holds.iter().filter_map(|&(slot, duration)| {
            if self.span(phase, duration) > self.count {
                return Some(-1);
            }
            first(duration, &|row| self.rows[row] >> (slot - 1) & 1 == 1)
        });
        let pools = footprint.pools.iter().filter_map(|&(pool, units)| {
            let usage = &self.pool_usage[pool * self.count as usize..];
            let capacity = self.pool_capacity[pool];
            first(footprint.duration, &|row| usage[row] + units > capacity)
        });
        slots.chain(pools).min()
    }

    /// The first cycle in `from..=to` at which the footprint fits. Rows that cannot hold it are
    /// skipped, so the cost is proportional to the rows visited once, not to their product with the
    /// duration. At most one interval is searched.
    #[must_use]
    pub fn first_fit(&self, footprint: &Footprint, from: i64, to: i64) -> Option<i64> {
        if self.fits_alone(footprint).is_err() {
            return None;
        }
        let to = to.min(from.saturating_add(i64::from(self.interval) - 1));
        let mut cycle = from;
        while cycle <= to {
            let phase = self.phase(cycle);
            let blocked = self.taken_offset(footprint, phase);
            let blocked = blocked.max(self.full_pool(footprint, phase).map(|(offset, _)| offset));
            match blocked {
                None => return Some(cycle),
                Some(offset) => cycle += self.cycles_to(phase, offset + 1),
            }
        }
        None
    }

    /// The last cycle in `from..=to` at which the footprint fits; skips like [`Self::first_fit`].
    #[must_use]
    pub fn last_fit(&self, footprint: &Footprint, from: i64, to: i64) -> Option<i64> {
        if self.fits_alone(footprint).is_err() {
            return None;
        }
        let from = from.max(to.saturating_sub(i64::from(self.interval) - 1));
        let mut cycle = to;
        while cycle >= from {
            match self.retreat(footprint, self.phase(cycle)) {
                None => return Some(cycle),
                Some(cycles) => cycle += cycles,
            }
        }
        None
    }

    /// Whether a hold of a slot from `cycle` would be adjacent to another hold of it on either
    /// side.
    #[must_use]
    pub fn touches(&self, slot: u8, duration: u32, cycle: i64) -> bool {
        let held = |cycle| self.rows[self.row_of(cycle) as usize] >> (slot - 1) & 1 == 1;
        held(cycle - 1) || held(cycle + i64::from(duration))
    }

    /// The first cycle at or after `cycle` in which a slot is held, within one interval.
    #[must_use]
    pub fn next_held(&self, slot: u8, cycle: i64) -> Option<i64> {
        let start = self.row_of(cycle) as usize;
        let held = |row: &u64| row >> (slot - 1) & 1 == 1;
        let offset = match self.rows[start..].iter().position(held) {
            Some(offset) => offset,
            None => self.rows.len() - start + self.rows[..start].iter().position(held)?,
        };
        Some(match offset {
            0 => cycle,
            rows => cycle + self.cycles_to(self.phase(cycle), rows as u32),
        })
    }

    /// The operations to eject before the footprint fits at a cycle, each once, by program index.
    /// For full pools, all holders of the full rows are found through `pool_holders`.
    pub fn blockers(&self, footprint: &Footprint, cycle: i64, into: &mut Vec<usize>) {
        let phase = self.phase(cycle);
        let start = phase / self.quantum;
        for &(slot, duration) in &footprint.holds {
            for offset in 0..self.span(phase, duration).min(self.count) {
                if let Some(holder) = self.holder(slot, (start + offset) % self.count) {
                    into.push(holder);
                }
            }
        }
        into.sort_unstable();
        into.dedup();
    }

    /// Whether some pool is too full for the footprint at a cycle.
    #[must_use]
    pub fn has_full_pool(&self, footprint: &Footprint, cycle: i64) -> bool {
        !footprint.pools.is_empty() && self.full_pool(footprint, self.phase(cycle)).is_some()
    }

    /// Records an admitted footprint. The caller has already probed with [`Self::admit`].
    pub fn commit(&mut self, node: usize, footprint: &Footprint, cycle: i64) {
        self.apply(footprint, cycle, node as u32, true);
    }

    /// Removes what [`Self::commit`] recorded for the same arguments.
    pub fn release(&mut self, footprint: &Footprint, cycle: i64) {
        self.apply(footprint, cycle, FREE, false);
    }

    fn apply(&mut self, footprint: &Footprint, cycle: i64, holder: u32, set: bool) {
        let phase = self.phase(cycle);
        let start = phase / self.quantum;
        for &(slot, duration) in &footprint.holds {
            let bit = 1_u64 << (slot - 1);
            for offset in 0..self.span(phase, duration) {
                let row = (start + offset) % self.count;
                if set {
                    self.rows[row as usize] |= bit;
                } else {
                    self.rows[row as usize] &= !bit;
                }
                if let Some(index) = self.holder_index(slot, row) {
                    self.holders[index] = holder;
                }
            }
        }
        for &(pool, units) in &footprint.pools {
            for offset in 0..self.span(phase, footprint.duration).min(self.count) {
                let row = (start + offset) % self.count;
                let usage = &mut self.pool_usage[pool * self.count as usize + row as usize];
                *usage = if set {
                    *usage + units
                } else {
                    usage.saturating_sub(units)
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Pool, PoolUse, ResourceUse};
    use super::*;

    fn setup(nodes: Vec<Node>, pools: Vec<Pool>) -> (DependenceGraph, Vec<Footprint>) {
        let footprints = nodes.iter().map(Footprint::of).collect();
        let space = ResourceSpace {
            pools,
            ..ResourceSpace::default()
        };
        (
            DependenceGraph::new(space, nodes, Vec::new()).unwrap(),
            footprints,
        )
    }

    #[test]
    fn rows_wrap_and_name_the_holder() {
        let load = Node::new(
            "load",
            8,
            vec![ResourceUse::new(12, 8), ResourceUse::new(16, 8)],
        );
        let write = Node::new("write", 7, vec![ResourceUse::new(16, 7)]);
        let (graph, prints) = setup(vec![load, write], Vec::new());
        let mut table = ReservationTable::new(&graph, &prints, 15);
        table.commit(0, &prints[0], 0);
        assert_eq!(
            table.admit(&prints[1], 3),
            Err(Rejection::SlotTaken {
                slot: 16,
                cycle: 3,
                holder: 0
            })
        );
        assert_eq!(
            table.admit(&prints[1], 9),
            Err(Rejection::SlotTaken {
                slot: 16,
                cycle: 0,
                holder: 0
            })
        );
        assert_eq!(table.admit(&prints[1], 8), Ok(()));
        assert_eq!(table.first_fit(&prints[1], 0, 100), Some(8));
        assert_eq!(table.last_fit(&prints[1], 0, 14), Some(8));
        table.commit(1, &prints[1], -7);
        assert_eq!(table.first_fit(&prints[1], 0, 100), None);
        table.release(&prints[1], 8);
        assert_eq!(table.first_fit(&prints[1], 0, 100), Some(8));
        table.release(&prints[0], 15);
        assert!((0..15).all(|row| table.row(row) == 0));
    }

    #[test]
    fn an_operation_longer_than_the_interval_meets_itself() {
        let long = Node::new("long", 1, vec![ResourceUse::new(3, 9)]);
        let (graph, prints) = setup(vec![long], Vec::new());
        let table = ReservationTable::new(&graph, &prints, 8);
        assert_eq!(
            table.admit(&prints[0], 0),
            Err(Rejection::SelfCollision {
                slot: 3,
                duration: 9
            })
        );
        assert!(
            ReservationTable::new(&graph, &prints, 9)
                .admit(&prints[0], 4)
                .is_ok()
        );
    }

    #[test]
    fn pools_count_units_per_row() {
        let mut op = Node::new("op", 1, Vec::new());
        op.pools.push(PoolUse { pool: 0, count: 2 });
        let pool = Pool {
            name: "issue".to_owned(),
            capacity: 3,
        };
        let (graph, prints) = setup(vec![op.clone(), op], vec![pool]);
        let mut table = ReservationTable::new(&graph, &prints, 2);
        table.commit(0, &prints[0], 0);
        assert_eq!(
            table.admit(&prints[1], 2),
            Err(Rejection::PoolFull { pool: 0, cycle: 0 })
        );
        assert_eq!(table.first_fit(&prints[1], 0, 5), Some(1));
        table.release(&prints[0], 0);
        assert_eq!(table.admit(&prints[1], 2), Ok(()));
    }

    #[test]
    fn a_quantised_table_is_only_ever_stricter() {
        let lengths = [3, 1, 4, 2, 5];
        let nodes: Vec<Node> = lengths
            .iter()
            .map(|&length| Node::new("op", 1, vec![ResourceUse::new(1, length)]))
            .collect();
        let (graph, prints) = setup(nodes, Vec::new());
        for quantum in 2..6 {
            let mut coarse = ReservationTable::quantised(&graph, &prints, 23, quantum);
            let mut fine = ReservationTable::new(&graph, &prints, 23);
            assert_eq!(coarse.row_of(22), 22 / quantum);
            for (node, print) in prints.iter().enumerate() {
                let seat = coarse.first_fit(print, 20, 60);
                let slow = (20..43).find(|&cycle| coarse.admit(print, cycle).is_ok());
                assert_eq!(seat, slow, "quantum {quantum}, operation {node}");
                let Some(seat) = seat else { continue };
                assert_eq!(fine.admit(print, seat), Ok(()));
                coarse.commit(node, print, seat);
                fine.commit(node, print, seat);
                let mut found = Vec::new();
                coarse.blockers(print, seat, &mut found);
                assert_eq!(found, [node]);
            }
        }
    }

    /// Three units a row; the first operation takes two of them in rows 1 and 2.
    #[test]
    fn both_fits_respect_pools_for_the_whole_duration() {
        let op = |slot| {
            let mut op = Node::new("op", 1, vec![ResourceUse::new(slot, 2)]);
            op.pools.push(PoolUse { pool: 0, count: 2 });
            op
        };
        let pool = Pool {
            name: "issue".to_owned(),
            capacity: 3,
        };
        let (graph, prints) = setup(vec![op(1), op(2)], vec![pool]);
        let mut table = ReservationTable::new(&graph, &prints, 4);
        table.commit(0, &prints[0], 1);
        // Two rows without rows 1 and 2 are rows 3 and 0.
        assert_eq!(table.last_fit(&prints[1], 0, 3), Some(3));
        assert_eq!(table.last_fit(&prints[1], 0, 6), Some(3));
        assert_eq!(table.last_fit(&prints[1], 0, 2), None);
        assert_eq!(table.first_fit(&prints[1], 0, 9), Some(3));
        assert!(table.has_full_pool(&prints[1], 0));
        assert!(!table.has_full_pool(&prints[1], 3));
        table.release(&prints[0], 1);
        assert_eq!(table.last_fit(&prints[1], 0, 2), Some(2));
    }

    /// `first_fit` and `last_fit` are the ends of the cycles that `admit` permits.
    #[test]
    fn fits_are_the_ends_of_what_is_admitted() {
        let mut state = 7_u32;
        let mut below = move |end: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % end
        };
        for round in 0..300 {
            let nodes: Vec<Node> = (0..6)
                .map(|_| {
                    let holds =
                        (0..below(3)).map(|_| ResourceUse::new(1 + below(3) as u8, 1 + below(4)));
                    let mut node = Node::new("op", 1, holds.collect());
                    if below(2) == 0 {
                        let count = 1 + below(2);
                        node.pools.push(PoolUse { pool: 0, count });
                    }
                    node
                })
                .collect();
            let pool = Pool {
                name: "issue".to_owned(),
                capacity: 3,
            };
            let (graph, prints) = setup(nodes, vec![pool]);
            let (interval, quantum) = (4 + below(9), 1 + below(3));
            let mut table = ReservationTable::quantised(&graph, &prints, interval, quantum);
            for (node, print) in prints.iter().enumerate() {
                let from = i64::from(below(40)) - 20;
                let to = from + i64::from(below(20));
                let admitted = |cycle: &i64| table.admit(print, *cycle).is_ok();
                let length = i64::from(interval);
                // Cycles an interval apart are one row, so at most one interval is searched.
                let first = (from..=to.min(from + length - 1)).find(admitted);
                let last = (from.max(to - length + 1)..=to).rev().find(admitted);
                assert_eq!(table.first_fit(print, from, to), first, "round {round}");
                assert_eq!(table.last_fit(print, from, to), last, "round {round}");
                if let Some(cycle) = last {
                    table.commit(node, print, cycle);
                }
            }
        }
    }

    #[test]
    fn triples_of_one_slot_merge() {
        let op = Node::new(
            "op",
            1,
            vec![ResourceUse::new(5, 2), ResourceUse::new(5, 6)],
        );
        assert_eq!(Footprint::of(&op).holds, [(5, 6)]);
    }
}
