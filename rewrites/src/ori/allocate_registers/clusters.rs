//! Units that should lie at fixed distances from each other, so that no copies are needed: the parts of
//! tuples, the two sides of a copy, an argument and what is passed to it.
//!
//! A cluster is a union of units with offsets. It grows only where no two units with the same offset are
//! live together. Clusters get places in the register file one after another, the most expensive first,
//! where their live intervals leave room: a plan, which assignment follows where it can.

use std::collections::BTreeMap;

use orison_ori::analyses::RegisterClass;

use super::live::{Interval, Live};
use super::register_set::RegisterSet;
use super::units::{Program, TupleId, UnitId, is_unit};

/// The most registers that a cluster spans.
const MOST: i32 = 255;

/// Live intervals at one offset or register, by their starts; none overlap.
type Intervals = BTreeMap<u32, u32>;

#[derive(Clone, Debug)]
struct Cluster {
    class: RegisterClass,
    /// By offset.
    members: BTreeMap<i32, Intervals>,
    units: Vec<UnitId>,
    /// The register of offset 0 is this modulo the alignment.
    residue: u32,
    alignment: u32,
    /// What it saves: the weights of all wishes.
    weight: f64,
    /// The register of offset 0, if the program gives it.
    fixed: Option<i32>,
}

/// Clusters of all units of a function.
#[derive(Clone, Debug)]
pub struct Clusters {
    parent: Vec<UnitId>,
    /// The offset of a unit from its parent.
    offset: Vec<i32>,
    clusters: Vec<Option<Cluster>>,
    /// The register that is planned for a unit.
    pub plan: Vec<Option<u8>>,
    /// What is planned for registers, by class.
    taken: [Vec<Intervals>; 5],
}

impl Clusters {
    /// Each unit alone.
    pub fn new(program: &Program, live: &Live) -> Self {
        let count = program.units.len();
        let each = program.units.iter().zip(&live.intervals).zip(0..);
        let clusters = each.map(|((unit, interval), id)| {
            Some(Cluster {
                class: unit.class,
                members: BTreeMap::from([(0, Intervals::from([(interval.start, interval.end)]))]),
                units: vec![id],
                residue: 0,
                alignment: 1,
                weight: 0.0,
                fixed: None,
            })
        });
        Clusters {
            parent: (0..).take(count).collect(),
            offset: vec![0; count],
            clusters: clusters.collect(),
            plan: vec![None; count],
            taken: std::array::from_fn(|_| vec![Intervals::new(); 256]),
        }
    }

    /// The cluster of a unit, and the offset of the unit in it.
    fn find(&mut self, unit: UnitId) -> (UnitId, i32) {
        let mut path = Vec::new();
        let mut at = unit;
        while self.parent[at as usize] != at {
            path.push(at);
            at = self.parent[at as usize];
        }
        let root = at;
        let mut offset = 0;
        for unit in path.into_iter().rev() {
            offset += self.offset[unit as usize];
            self.offset[unit as usize] = offset;
            self.parent[unit as usize] = root;
        }
        (root, offset)
    }

    /// Wishes that `unit` lies `distance` registers behind `other`. Whether they now are in one cluster
    /// that gives it.
    pub fn join(&mut self, unit: UnitId, other: UnitId, distance: i32, weight: f64) -> bool {
        if !is_unit(unit) || !is_unit(other) {
            return true;
        }
        let (one, first) = self.find(unit);
        let (two, second) = self.find(other);
        // The offset of the first cluster in the second one.
        let shift = second + distance - first;
        if one == two {
            return shift == 0;
        }
        let (Some(a), Some(b)) = (&self.clusters[one as usize], &self.clusters[two as usize])
        else {
            return false;
        };
        let (small, large, shift) = match a.units.len() <= b.units.len() {
            true => (one, two, shift),
            false => (two, one, -shift),
        };
        let (Some(own), Some(into)) = (
            &self.clusters[small as usize],
            &self.clusters[large as usize],
        ) else {
            return false;
        };
        let Some(joint) = own.shape_in(into, shift) else {
            return false;
        };
        let Some(own) = self.clusters[small as usize].take() else {
            return false;
        };
        if let Some(into) = &mut self.clusters[large as usize] {
            into.absorb(own, shift, joint);
            into.weight += weight;
        }
        self.parent[small as usize] = large;
        self.offset[small as usize] = shift;
        true
    }

    /// Wishes that a tuple lies in consecutive registers, from an index that is a multiple of its
    /// alignment on.
    pub fn line_up(&mut self, program: &Program, tuple: TupleId, weight: f64) {
        let members = program.members(tuple);
        let found = &program.tuples[tuple as usize];
        let defined = members.iter().zip(0..).filter(|(unit, _)| is_unit(**unit));
        let mut defined = defined.map(|(unit, index)| (*unit, index));
        let Some((first, start)) = defined.next() else {
            return;
        };
        for (unit, index) in defined {
            self.join(unit, first, index - start, weight);
        }
        let (root, offset) = self.find(first);
        let base = offset - start;
        if let Some(cluster) = &mut self.clusters[root as usize] {
            cluster.align(base, found.alignment);
            if let Some(register) = found.fixed {
                cluster.fixed.get_or_insert(i32::from(register) - base);
            }
        }
    }

    /// Plans nothing for registers that calls change, while they do.
    pub fn avoid_calls(&mut self, program: &Program, live: &Live) {
        for (found, slot) in program.instructions.iter().zip(&live.slots) {
            let Some(changes) = &found.changes else {
                continue;
            };
            let during = Interval {
                start: slot + 1,
                end: slot + 2,
            };
            for (class, changed) in changes.iter().enumerate() {
                for register in changed.iter() {
                    self.taken[class][register as usize].insert(during.start, during.end);
                }
            }
        }
    }

    /// Plans registers for all clusters with more than one unit, the most expensive first.
    pub fn place(&mut self, usable: &[RegisterSet; 5]) {
        let mut order: Vec<(usize, f64)> = Vec::new();
        for (number, cluster) in self.clusters.iter().enumerate() {
            if let Some(cluster) = cluster
                && (cluster.units.len() > 1 || cluster.fixed.is_some())
            {
                let fixed = if cluster.fixed.is_some() {
                    f64::INFINITY
                } else {
                    0.0
                };
                let width = cluster.members.len();
                order.push((
                    number,
                    fixed + cluster.weight * f64::from(u32::try_from(width).unwrap_or(1)),
                ));
            }
        }
        order.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0)));
        for (number, _) in order {
            let Some(cluster) = self.clusters[number].take() else {
                continue;
            };
            let class = cluster.class as usize;
            if let Some(base) = self.room(&cluster, usable[class]) {
                for (offset, intervals) in &cluster.members {
                    let register = usize::try_from(base + offset).unwrap_or(0);
                    self.taken[class][register].extend(intervals);
                }
                for unit in &cluster.units {
                    let (_, offset) = self.find(*unit);
                    self.plan[*unit as usize] = u8::try_from(base + offset).ok();
                }
            }
            self.clusters[number] = Some(cluster);
        }
    }

    /// The lowest place where the intervals of a cluster overlap with none that is planned.
    fn room(&self, cluster: &Cluster, usable: RegisterSet) -> Option<i32> {
        let low = *cluster.members.keys().next()?;
        let high = *cluster.members.keys().next_back()?;
        let taken = &self.taken[cluster.class as usize];
        let fits = |base: i32| {
            cluster.members.iter().all(|(offset, intervals)| {
                let register = u32::try_from(base + offset).unwrap_or(u32::MAX);
                usable.contains(register)
                    && intervals.iter().all(|(start, end)| {
                        !overlaps(
                            &taken[register as usize],
                            Interval {
                                start: *start,
                                end: *end,
                            },
                        )
                    })
            })
        };
        if let Some(base) = cluster.fixed {
            return Some(base);
        }
        let (residue, alignment) = (i64::from(cluster.residue), i64::from(cluster.alignment));
        let mut bases = -low..=255 - high;
        bases.find(|base| (i64::from(*base) - residue).rem_euclid(alignment) == 0 && fits(*base))
    }

    /// Whether a register is planned for something else while an interval lasts.
    pub fn is_planned(&self, class: RegisterClass, register: u32, interval: Interval) -> bool {
        overlaps(&self.taken[class as usize][register as usize], interval)
    }

    /// Notes that a register is used for an interval for which it was not planned.
    pub fn take(&mut self, class: RegisterClass, register: u32, interval: Interval) {
        let taken = &mut self.taken[class as usize][register as usize];
        if !overlaps(taken, interval) {
            taken.insert(interval.start, interval.end);
        }
    }
}

/// The alignment of two clusters together: residue and alignment.
type Shape = (u32, u32, Option<i32>);

impl Cluster {
    /// The shape of another cluster with this one at an offset in it; `None` if they do not go together.
    fn shape_in(&self, into: &Cluster, shift: i32) -> Option<Shape> {
        if self.class != into.class {
            return None;
        }
        let low = (self.members.keys().next()? + shift).min(*into.members.keys().next()?);
        let high =
            (self.members.keys().next_back()? + shift).max(*into.members.keys().next_back()?);
        if high - low >= MOST {
            return None;
        }
        // The register of offset 0 here is `shift` more than that of the other.
        let own = u32::try_from(
            (i64::from(self.residue) - i64::from(shift)).rem_euclid(i64::from(self.alignment)),
        )
        .ok()?;
        let (less, more) = match self.alignment <= into.alignment {
            true => ((own, self.alignment), (into.residue, into.alignment)),
            false => ((into.residue, into.alignment), (own, self.alignment)),
        };
        if more.0 % less.1 != less.0 {
            return None;
        }
        let fixed = self.fixed.map(|register| register - shift);
        if let (Some(one), Some(two)) = (fixed, into.fixed)
            && one != two
        {
            return None;
        }
        for (offset, intervals) in &self.members {
            if let Some(present) = into.members.get(&(offset + shift)) {
                let apart = intervals.iter().all(|(start, end)| {
                    !overlaps(
                        present,
                        Interval {
                            start: *start,
                            end: *end,
                        },
                    )
                });
                if !apart {
                    return None;
                }
            }
        }
        Some((more.0, more.1, fixed.or(into.fixed)))
    }

    fn absorb(&mut self, other: Cluster, shift: i32, (residue, alignment, fixed): Shape) {
        for (offset, intervals) in other.members {
            self.members
                .entry(offset + shift)
                .or_default()
                .extend(intervals);
        }
        self.units.extend(other.units);
        self.weight += other.weight;
        (self.residue, self.alignment, self.fixed) = (residue, alignment, fixed);
    }

    /// Wishes that the register of an offset is a multiple of an alignment; nothing if that contradicts.
    fn align(&mut self, offset: i32, alignment: u32) {
        let wide = i64::from(alignment);
        let Ok(residue) = u32::try_from((-i64::from(offset)).rem_euclid(wide)) else {
            return;
        };
        if alignment > self.alignment && residue % self.alignment == self.residue {
            (self.residue, self.alignment) = (residue, alignment);
        }
    }
}

fn overlaps(present: &Intervals, interval: Interval) -> bool {
    let before = present.range(..interval.end).next_back();
    before.is_some_and(|(_, end)| *end > interval.start)
}
