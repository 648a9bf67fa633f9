//! Dependences through memory, and those caused by synchronisation.

use rustc_hash::FxHashMap;

use super::{Edge, EdgeKinds, GraphRules, Protection};
use crate::sass::facts::{Action, Fact, FunctionFacts, MemoryAccess, MemoryPlace, RegisterNumber};

/// An access to memory, with the values of its address registers.
struct Earlier {
    instruction: u32,
    access: MemoryAccess,
    versions: Vec<u32>,
}

/// The order of memory and synchronisation in a block.
pub(super) struct Order<'a> {
    facts: &'a FunctionFacts,
    rules: &'a GraphRules,
    earlier: Vec<Earlier>,
    /// The last writer of each register in this block.
    versions: FxHashMap<RegisterNumber, u32>,
    /// The instructions ordered since the last synchronisation.
    since: Vec<u32>,
    synchronised: Option<u32>,
    product: Option<u32>,
}

impl<'a> Order<'a> {
    pub(super) fn new(facts: &'a FunctionFacts, rules: &'a GraphRules) -> Self {
        Order {
            facts,
            rules,
            earlier: Vec::new(),
            versions: FxHashMap::default(),
            since: Vec::new(),
            synchronised: None,
            product: None,
        }
    }

    /// Adds an instruction and the edges to it. `last` states whether it ends its block with a
    /// jump, so that everything stays before it.
    pub(super) fn add(&mut self, instruction: usize, edges: &mut Vec<Edge>) {
        let to = u32::try_from(instruction).unwrap_or(u32::MAX);
        let fact = self.facts.fact(instruction);
        for access in &fact.memory {
            self.add_access(to, access, edges);
        }
        if let Action::Product { .. } = fact.action {
            edges.extend(self.product.map(|from| barrier(from, to)));
            self.product = Some(to);
        }
        if synchronises(fact) || self.rules.fences.contains(&fact.class) {
            edges.extend(self.since.drain(..).map(|from| barrier(from, to)));
            edges.extend(self.synchronised.map(|from| barrier(from, to)));
            self.synchronised = Some(to);
            self.earlier.clear();
        } else if fact.action != Action::None || !fact.memory.is_empty() {
            edges.extend(self.synchronised.map(|from| barrier(from, to)));
            self.since.push(to);
        }
        for write in self.facts.writes(instruction) {
            self.versions.insert(write.register, to);
        }
    }

    fn add_access(&mut self, to: u32, access: &MemoryAccess, edges: &mut Vec<Edge>) {
        if self.rules.no_alias {
            return;
        }
        let registers = access.place.iter().flat_map(|place| &place.registers);
        let version = |register: &RegisterNumber| self.versions.get(register).copied();
        let versions: Vec<u32> = registers
            .map(|register| version(register).unwrap_or(u32::MAX))
            .collect();
        let full = self.earlier.len() >= self.rules.memory_window;
        for earlier in &self.earlier {
            if full || earlier.conflicts(access, &versions) {
                edges.push(Edge {
                    from: earlier.instruction,
                    to,
                    kinds: EdgeKinds::MEMORY,
                    cycles: 1,
                    protection: Protection::Time,
                    register: None,
                });
            }
        }
        if full {
            self.earlier.clear();
        }
        // The access that represents all earlier ones is compared as if it accessed anything.
        let access = if full {
            MemoryAccess {
                space: crate::sass::facts::Space::Any,
                writes: true,
                reads: true,
                place: None,
            }
        } else {
            access.clone()
        };
        self.earlier.push(Earlier {
            instruction: to,
            access,
            versions,
        });
    }
}

fn barrier(from: u32, to: u32) -> Edge {
    Edge {
        from,
        to,
        kinds: EdgeKinds::BARRIER,
        cycles: 1,
        protection: Protection::Time,
        register: None,
    }
}

/// Whether memory accesses may not move across an instruction.
fn synchronises(fact: &Fact) -> bool {
    match fact.action {
        Action::None | Action::Product { .. } => false,
        Action::WaitScoreboard { .. }
        | Action::WaitGroups { .. }
        | Action::Call
        | Action::Synchronize => true,
    }
}

impl Earlier {
    fn conflicts(&self, access: &MemoryAccess, versions: &[u32]) -> bool {
        if !(self.access.writes || access.writes) || !self.access.space.may_overlap(access.space) {
            return false;
        }
        match (&self.access.place, &access.place) {
            (Some(first), Some(second)) => {
                let same = first.registers == second.registers && self.versions == versions;
                !(same && apart(first, second))
            }
            _ => true,
        }
    }
}

/// Whether the byte ranges of two locations with the same registers are disjoint.
fn apart(first: &MemoryPlace, second: &MemoryPlace) -> bool {
    let end = |place: &MemoryPlace| place.offset.saturating_add(i64::from(place.bytes));
    end(first) <= second.offset || end(second) <= first.offset
}
