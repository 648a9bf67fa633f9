//! Scoreboards of real code: which instructions arm them, and which pairs need none.

use orison_machine::Opcode;
use rustc_hash::FxHashMap;

use super::instance::Instance;
use super::walk::{Accesses, Walk};
use crate::sass::facts::{Action, RegisterNumber};
use crate::sass::guards::Guards;
use crate::sass::latency::{ClassId, Mechanism, TableFile};

/// Of instructions, how many arm a scoreboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Armed {
    /// Instructions that write a register, and those of them that arm a scoreboard for results.
    pub results: [usize; 2],
    /// Instructions that read a general register, and those of them that arm a scoreboard for operands.
    pub operands: [usize; 2],
}

/// How many instructions arm a scoreboard, by class and opcode; `None` is one that the instruction table
/// does not have.
#[derive(Clone, Debug, Default)]
pub struct Scoreboards(pub FxHashMap<(ClassId, Option<Opcode>), Armed>);

impl Scoreboards {
    pub(super) fn add(&mut self, walk: &Walk<'_>, number: usize) {
        let found = walk.code[number];
        let class = walk.facts.fact(number).class;
        let armed = self.0.entry((class, found.mnemonic.opcode())).or_default();
        let mut reads = walk.facts.reads(number).iter();
        let reads = reads.any(|read| read.register.file() == TableFile::General);
        for (counts, counted, barrier) in [
            (
                &mut armed.results,
                !walk.facts.writes(number).is_empty(),
                found.control.write_barrier,
            ),
            (&mut armed.operands, reads, found.control.read_barrier),
        ] {
            counts[0] += usize::from(counted);
            counts[1] += usize::from(counted && barrier.is_some());
        }
    }
}

/// A dependence on an instruction of variable latency.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OrderKind {
    /// Its result is read.
    Read,
    /// Its result is overwritten.
    Overwrite,
    /// Its operand is overwritten.
    Antidependence,
}

impl OrderKind {
    /// The name, such as `operand -> overwrite`.
    pub fn name(self) -> &'static str {
        match self {
            OrderKind::Read => "result -> read",
            OrderKind::Overwrite => "result -> overwrite",
            OrderKind::Antidependence => "operand -> overwrite",
        }
    }
}

/// The pairs of a kind of dependence and two classes.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Pairs with a wait for the scoreboard of the first, after it and up to the second.
    pub own: usize,
    /// Pairs with waits for other scoreboards only.
    pub other: usize,
    /// Pairs with no wait at all: these need none.
    pub none: usize,
    /// The first pair with no wait.
    pub example: Option<Instance>,
}

/// The pairs by kind, class of the first and class of the second.
#[derive(Clone, Debug, Default)]
pub struct Orders(pub FxHashMap<(OrderKind, ClassId, ClassId), Order>);

/// The accesses of instructions of variable latency in a block, and the waits.
#[derive(Default)]
pub(super) struct Block {
    results: Accesses,
    operands: Accesses,
    /// For each scoreboard, the last instruction that waits for it.
    waited: [Option<usize>; 6],
    last_wait: Option<usize>,
}

impl Walk<'_> {
    /// Adds the pairs of an instruction with earlier ones of variable latency, and its own accesses.
    pub(super) fn order(
        &self,
        all: &mut Orders,
        state: &mut Block,
        guards: &Guards,
        number: usize,
    ) {
        let waits = self.code[number].control.wait;
        let mut waited: Vec<_> = waits.iter().collect();
        if let Action::WaitScoreboard {
            barrier, others, ..
        } = self.facts.fact(number).action
        {
            waited.push(barrier);
            waited.extend(others.iter());
        }
        for barrier in &waited {
            state.waited[usize::from(barrier.index())] = Some(number);
            state.last_wait = Some(number);
        }
        for read in self.facts.reads(number) {
            self.pairs(all, state, guards, OrderKind::Read, read.register, number);
        }
        for write in self.facts.writes(number) {
            for kind in [OrderKind::Overwrite, OrderKind::Antidependence] {
                self.pairs(all, state, guards, kind, write.register, number);
            }
        }
        self.record_order(state, number);
    }

    fn pairs(
        &self,
        all: &mut Orders,
        state: &Block,
        guards: &Guards,
        kind: OrderKind,
        register: RegisterNumber,
        number: usize,
    ) {
        let accesses = match kind {
            OrderKind::Read | OrderKind::Overwrite => &state.results,
            OrderKind::Antidependence => &state.operands,
        };
        for from in self.met(guards, accesses, register, number) {
            let first = from.instruction;
            let control = self.code[first].control;
            // That the result is there shows that the operands have been read.
            let read = match kind {
                OrderKind::Read | OrderKind::Overwrite => None,
                OrderKind::Antidependence => control.read_barrier,
            };
            let after = |wait: Option<usize>| wait.is_some_and(|wait| wait > first);
            let mut own = [read, control.write_barrier].into_iter().flatten();
            let own = own.any(|barrier| after(state.waited[usize::from(barrier.index())]));
            let class = |number: usize| self.facts.fact(number).class;
            let order = all.0.entry((kind, class(first), class(number)));
            let order = order.or_default();
            if own {
                order.own += 1;
            } else if after(state.last_wait) {
                order.other += 1;
            } else {
                order.none += 1;
                order
                    .example
                    .get_or_insert_with(|| self.instance(first, number, ""));
            }
        }
    }

    fn record_order(&self, state: &mut Block, number: usize) {
        let fact = self.facts.fact(number);
        let variable = self.model.class(fact.class).mechanism == Mechanism::Variable;
        for write in self.facts.writes(number) {
            if !fact.guarded {
                state.results.remove(&write.register);
                state.operands.remove(&write.register);
            }
            if variable {
                let results = state.results.entry(write.register).or_default();
                results.push(Walk::access(number));
            }
        }
        for read in self.facts.reads(number) {
            let mut own = self.facts.writes(number).iter();
            let overwritten = own.any(|write| write.register == read.register);
            if variable && read.queued && (!overwritten || fact.guarded) {
                let operands = state.operands.entry(read.register).or_default();
                operands.push(Walk::access(number));
            }
        }
    }
}
