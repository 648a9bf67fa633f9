//! The slots and pools of a multiprocessor, shared by its agents.

use std::collections::BTreeMap;

use orison_schedule::machine::MachineModel;

use super::costs::Cost;

/// A resource of the model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unit {
    /// A slot, by number.
    Slot(u8),
    /// An issue pool, by index.
    Pool(usize),
}

/// The state of all slots and pools.
#[derive(Clone, Debug)]
pub(super) struct Units {
    names: BTreeMap<Unit, String>,
    capacities: Vec<u32>,
    /// When each slot is free again.
    free_at: BTreeMap<u8, u64>,
    /// Shares of pools that are held: the end, and the units.
    shares: Vec<Vec<(u64, u32)>>,
    /// Cycles for which each slot was held.
    busy: BTreeMap<u8, u64>,
}

impl Units {
    pub fn new(machine: &MachineModel) -> Self {
        let slots = machine.slots().iter();
        let mut names: BTreeMap<Unit, String> = slots
            .map(|slot| (Unit::Slot(slot.number), slot.name.clone()))
            .collect();
        for (number, pool) in machine.pools().iter().enumerate() {
            names.insert(Unit::Pool(number), pool.name.clone());
        }
        let capacities: Vec<u32> = machine.pools().iter().map(|pool| pool.capacity).collect();
        Units {
            names,
            shares: vec![Vec::new(); capacities.len()],
            capacities,
            free_at: BTreeMap::new(),
            busy: BTreeMap::new(),
        }
    }

    /// The name of a unit in the model.
    pub fn name(&self, unit: Unit) -> String {
        let unnamed = || match unit {
            Unit::Slot(number) => format!("slot {number}"),
            Unit::Pool(number) => format!("pool {number}"),
        };
        self.names.get(&unit).cloned().unwrap_or_else(unnamed)
    }

    /// The unit that is not free for an operation now, and when to try again.
    pub fn obstacle(&self, cost: &Cost, now: u64) -> Option<(Unit, u64)> {
        let slots = cost.slots.iter().filter_map(|(slot, _)| {
            let free = self.free_at.get(slot).copied().unwrap_or(0);
            (free > now).then_some((Unit::Slot(*slot), free))
        });
        let last = slots.max_by_key(|(_, free)| *free);
        last.or_else(|| {
            let mut pools = cost.pools.iter();
            pools.find_map(|(pool, count)| {
                let held = self.shares.get(*pool)?;
                let held = held.iter().filter(|(end, _)| *end > now);
                let taken: u32 = held.clone().map(|(_, count)| *count).sum();
                let fits = taken.saturating_add(*count) <= self.capacities[*pool];
                // A share above the capacity is taken when the pool is empty.
                if fits || taken == 0 {
                    return None;
                }
                let next = held.map(|(end, _)| *end).min()?;
                Some((Unit::Pool(*pool), next))
            })
        })
    }

    /// Holds the units of an operation from now on.
    pub fn take(&mut self, cost: &Cost, now: u64) {
        for (slot, cycles) in &cost.slots {
            self.free_at.insert(*slot, now + cycles);
            *self.busy.entry(*slot).or_default() += cycles;
        }
        for (pool, count) in &cost.pools {
            if let Some(shares) = self.shares.get_mut(*pool) {
                shares.retain(|(end, _)| *end > now);
                shares.push((now + cost.hold(), *count));
            }
        }
    }

    /// Cycles for which each slot that was used was held.
    pub fn busy(&self) -> impl Iterator<Item = (Unit, u64)> + '_ {
        self.busy
            .iter()
            .map(|(slot, cycles)| (Unit::Slot(*slot), *cycles))
    }
}
