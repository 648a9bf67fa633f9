//! Dependences through memory, and those caused by synchronisation.

use rustc_hash::FxHashMap;

use super::GraphRules;
use crate::dependences::{Edge, EdgeKinds, Protection};
use crate::sass::facts::{Action, Fact, FunctionFacts, MemoryAccess, MemoryPlace, RegisterNumber};
use crate::sass::latency::{LatencyModel, Mechanism};

/// An access to memory, with the values of its address registers.
struct Earlier {
    instruction: u32,
    access: MemoryAccess,
    versions: Vec<u32>,
}

/// The order of memory and synchronisation in a block.
pub(super) struct Order<'a> {
    facts: &'a FunctionFacts,
    model: &'a LatencyModel,
    rules: &'a GraphRules,
    earlier: Vec<Earlier>,
    /// The last writer of each register in this block.
    versions: FxHashMap<RegisterNumber, u32>,
    /// The instructions ordered since the last synchronisation.
    since: Vec<u32>,
    synchronised: Option<u32>,
    product: Option<u32>,
    /// Accesses to registers of products, and what orders them.
    products: Fence,
    /// Everything, and what nothing moves across.
    pinned: Fence,
    /// Operations of variable latency, and waits that count them.
    counted: Fence,
}

/// Instructions that keep their side of others.
#[derive(Default)]
struct Fence {
    since: Vec<u32>,
    last: Option<u32>,
}

impl Fence {
    /// Adds an instruction that is on one side.
    fn add(&mut self, to: u32, edges: &mut Vec<Edge>) {
        edges.extend(self.last.map(|from| barrier(from, to)));
        self.since.push(to);
    }

    /// Adds one that divides the others.
    fn divide(&mut self, to: u32, edges: &mut Vec<Edge>) {
        edges.extend(self.since.drain(..).map(|from| barrier(from, to)));
        edges.extend(self.last.map(|from| barrier(from, to)));
        self.last = Some(to);
    }
}

impl<'a> Order<'a> {
    pub(super) fn new(
        facts: &'a FunctionFacts,
        model: &'a LatencyModel,
        rules: &'a GraphRules,
    ) -> Self {
        Order {
            facts,
            model,
            rules,
            earlier: Vec::new(),
            versions: FxHashMap::default(),
            since: Vec::new(),
            synchronised: None,
            product: None,
            products: Fence::default(),
            pinned: Fence::default(),
            counted: Fence::default(),
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
        if self.rules.reorders {
            self.add_hidden(to, edges);
        }
        let ordered = self.rules.reorders && fact.ordered;
        if synchronises(fact) || ordered || self.rules.fences.contains(&fact.class) {
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

    /// The order that no register or memory shows.
    fn add_hidden(&mut self, to: u32, edges: &mut Vec<Edge>) {
        let instruction = to as usize;
        let fact = self.facts.fact(instruction);
        if fact.pinned {
            self.pinned.divide(to, edges);
        } else {
            self.pinned.add(to, edges);
        }
        if fact.orders_products {
            self.products.divide(to, edges);
        } else if self.facts.shares_with_products(instruction) {
            self.products.add(to, edges);
        }
        if matches!(fact.action, Action::WaitScoreboard { .. }) {
            self.counted.divide(to, edges);
        } else if self.model.class(fact.class).mechanism == Mechanism::Variable {
            self.counted.add(to, edges);
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
                strong: true,
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
        if self.access.strong && access.strong {
            return true;
        }
        if !(self.access.writes || access.writes) || !self.access.space.may_overlap(access.space) {
            return false;
        }
        match (&self.access.place, &access.place) {
            (Some(first), Some(second)) => {
                // Of one space: an address of another one has another base, or another width.
                let same = self.access.space == access.space
                    && first.registers == second.registers
                    && self.versions == versions;
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
