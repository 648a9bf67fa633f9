//! Operations by index, what is waited for, and the facts that all parts of the allocation read.

use orison_sass::control::{Barrier, BarrierSet};
use orison_sass::function::Function;

use super::flow_edges::FlowEdges;
use crate::sass::facts::{FunctionFacts, RegisterNumber};
use crate::sass::latency::{LatencyModel, TableFile};
use crate::sass::roles::Role;

/// The index of an instruction in its function.
pub(super) type Index = u32;

/// The side of an operation that is waited for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Side {
    /// Its results are available.
    Results,
    /// Its operands have been read.
    Operands,
}

/// A condition to wait for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Token {
    pub(super) producer: Index,
    pub(super) side: Side,
}

/// The scoreboards that an instruction arms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Assigned {
    pub(super) write: Option<Barrier>,
    pub(super) read: Option<Barrier>,
}

impl Assigned {
    /// The scoreboard that ends a side. Results imply operands.
    pub(super) fn of(&self, side: Side) -> Option<Barrier> {
        match side {
            Side::Results => self.write,
            Side::Operands => self.read.or(self.write),
        }
    }
}

/// After the registers: the slot for memory-order requirements.
pub(super) const ORDER: u16 = RegisterNumber::COUNT as u16;
/// After it: the slot for strong loads, which an acquiring instruction waits for.
pub(super) const ACQUIRED: u16 = ORDER + 1;
/// The walk's inputs about each instruction beyond its facts.
pub(super) struct Input<'a> {
    pub(super) function: &'a Function<'a>,
    pub(super) facts: &'a FunctionFacts,
    pub(super) model: &'a LatencyModel,
    pub(super) edges: &'a FlowEdges,
    /// The slot beyond the registers that an instruction keeps in flight, and the side that ends it.
    pub(super) beyond: Vec<Option<(u16, Side)>>,
    /// Whether an instruction waits for strong loads.
    pub(super) acquires: Vec<bool>,
}

impl<'a> Input<'a> {
    pub(super) fn new(
        function: &'a Function<'a>,
        facts: &'a FunctionFacts,
        model: &'a LatencyModel,
        edges: &'a FlowEdges,
    ) -> Self {
        let roles = (0..facts.len()).map(|number| facts.fact(number).roles);
        let acquires: Vec<bool> = roles
            .clone()
            .map(|roles| roles.has(Role::Acquires))
            .collect();
        let acquired = acquires.contains(&true);
        let beyond = roles.enumerate().map(|(number, roles)| {
            let has = |role| roles.has(role);
            let with_result = || {
                let mut writes = facts.writes(number).iter();
                writes.any(|write| write.register.file() == TableFile::General)
            };
            let is_strong =
                || has(Role::StrongLoad) || has(Role::StrongLoadWithResult) && with_result();
            let slot = if has(Role::OrdersMemory) {
                (ORDER, Side::Results)
            } else if has(Role::OrdersMemoryWhenRead) {
                (ORDER, Side::Operands)
            } else if acquired && is_strong() {
                (ACQUIRED, Side::Results)
            } else {
                return None;
            };
            let class = model.class(facts.fact(number).class);
            class.is_variable().then_some(slot)
        });
        Input {
            beyond: beyond.collect(),
            acquires,
            function,
            facts,
            model,
            edges,
        }
    }

    /// The registers of an operation that are read when its queue reaches it, and the predicates that
    /// it writes then. Includes uniform registers of copies and products that run asynchronously and of objects
    /// of barriers: ptxas waits before it overwrites them.
    pub(super) fn queued(&self, number: usize) -> impl Iterator<Item = u16> {
        let class = self.model.class(self.facts.fact(number).class);
        let reads = self.facts.reads(number).iter();
        let writes = self.facts.writes(number).iter();
        let written = writes.filter(|write| write.with_operands);
        reads
            .filter(|read| {
                read.queued || class.late_uniform && read.register.file() == TableFile::Uniform
            })
            .map(|read| read.register)
            .chain(written.map(|write| write.register))
            .map(slot)
    }
}

/// The slot of a register.
pub(super) fn slot(register: RegisterNumber) -> u16 {
    u16::try_from(register.index()).unwrap_or(ORDER)
}

/// The scoreboards of all instructions, and waits added by evictions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Words {
    pub(super) assigned: Vec<Assigned>,
    pub(super) evictions: Vec<BarrierSet>,
}
