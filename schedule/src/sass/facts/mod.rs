//! The facts about an instruction that the analyses use, computed once: the registers it reads and
//! writes with their rows and columns in the latency tables, its class, and its effects on
//! scoreboards and groups of products besides its control word.
//!
//! Control words are not part of the facts, so a pass that changes them computes facts once.

mod instruction;
mod listed;
mod registers;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use orison_sass::control::{Barrier, BarrierSet};
use orison_sass::function::Function;
use rustc_hash::FxHashSet;

pub use listed::Listed;
pub use registers::RegisterNumber;

use super::guards::{Definitions, Literal};
use super::latency::{Class, ClassId, Column, LatencyModel, Row, TableFile};
use super::roles::Roles;

/// A register that an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Read {
    /// The register.
    pub register: RegisterNumber,
    /// Its row in the table of its file.
    pub row: Row,
    /// Whether the operand is read when its queue reaches the instruction, so that overwriting it
    /// needs a scoreboard. Never the case for predicates and uniform registers (measured).
    pub queued: bool,
    /// Whether it is the accumulator of a product that reads and writes it in place.
    pub accumulator: bool,
}

/// A register that an instruction writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// The register.
    pub register: RegisterNumber,
    /// Its column in the table of its file.
    pub column: Column,
    /// Whether it is there as soon as the operands have been read, by the scoreboard of which it is
    /// waited for.
    pub with_operands: bool,
}

impl Write {
    /// The register with this number in a result of an instruction of a class.
    fn new(register: RegisterNumber, class: &Class, number: usize) -> Write {
        let file = register.file();
        Write {
            register,
            column: class.write_column(file, number),
            with_operands: class.predicate_with_operands && file == TableFile::Predicate,
        }
    }
}

/// The effects of an instruction on scoreboards, groups and order, beyond its control word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing.
    None,
    /// `DEPBAR.LE SBn, k, {…}`: waits until the first has at most `k` operations in flight, and the
    /// others none.
    WaitScoreboard {
        /// The first scoreboard.
        barrier: Barrier,
        /// Maximum number of operations in flight.
        left: u32,
        /// The others.
        others: BarrierSet,
    },
    /// A product of a warp group.
    Product {
        /// Whether it ends its group.
        closes: bool,
    },
    /// `WARPGROUP.DEPBAR.LE gsb0, N`: waits until at most `left` groups are in flight.
    WaitGroups {
        /// Maximum number of groups in flight.
        left: u32,
    },
    /// A call: control returns to the next instruction.
    Call,
    /// Orders memory or threads: `BAR`, `MEMBAR`, `FENCE`, `WARPSYNC` and such.
    Synchronize,
}

/// The facts about an instruction.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Its class.
    pub class: ClassId,
    /// Whether it has a guard, so that it may not execute and old values remain.
    pub guarded: bool,
    /// The predicate that it is guarded by, if threads decide.
    pub guard: Option<Literal>,
    /// The predicates that it writes.
    pub predicates: Option<Box<Definitions>>,
    /// Its other effects.
    pub action: Action,
    /// Whether it closes a group of copies or stores, on the scoreboard that it arms: `LDGDEPBAR` and
    /// `UTMACMDFLUSH`. A later `DEPBAR.LE` waits for that (corpus: always so).
    pub closes_copies: bool,
    /// Whether its place among memory accesses and synchronisation counts, although nothing that it
    /// reads or writes shows it: it reads a clock, names a convergence barrier, or has no result.
    pub ordered: bool,
    /// Whether no other instruction moves across it: what it does depends on its address, on the threads that
    /// execute it together with others, or is unknown, or it changes the number of registers.
    pub pinned: bool,
    /// Whether it has an operand in constant memory.
    pub reads_constant: bool,
    /// Whether it orders registers with the products of a warp group: `WARPGROUP.ARRIVE` and `.DEPBAR`.
    pub orders_products: bool,
    /// The memory it accesses.
    pub memory: Vec<MemoryAccess>,
    /// Cycles until the next instruction may issue, at least 1 ([`LatencyModel::issue_minimum`]).
    pub issue_minimum: u32,
    /// Cycles until the next product ([`LatencyModel::product_distance`]).
    pub product_distance: Option<u32>,
    /// Whether it is the last one that a thread issues here: it exits, returns, calls or jumps.
    pub leaves: bool,
    /// The index of its first source operand.
    pub(in crate::sass) first_source: usize,
    pub(in crate::sass) roles: Roles,
    reads: Range<u32>,
    writes: Range<u32>,
}

/// A memory access of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryAccess {
    /// The space.
    pub space: Space,
    /// Whether it may be written.
    pub writes: bool,
    /// Whether it may be read.
    pub reads: bool,
    /// Whether other threads observe its order with other such accesses: `.STRONG`, `.MMIO`.
    pub strong: bool,
    /// The location, if the address is a sum of registers and a constant.
    pub place: Option<MemoryPlace>,
}

/// A memory location: the sum of registers and an offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryPlace {
    /// The registers in the sum, in ascending order.
    pub registers: Vec<RegisterNumber>,
    /// Constant offset in bytes.
    pub offset: i64,
    /// Size of the access in bytes.
    pub bytes: u32,
}

/// A memory space, for alias analysis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Space {
    /// Global.
    Global,
    /// Shared, of the block or the cluster.
    Shared,
    /// Local.
    Local,
    /// Tensor memory.
    Tensor,
    /// Texture and surface.
    Texture,
    /// Any: generic addresses, or an unknown space.
    Any,
}

impl Space {
    /// Whether accesses to two spaces may overlap.
    pub fn may_overlap(self, other: Space) -> bool {
        self == other
            || self == Space::Any && other != Space::Tensor
            || other == Space::Any && self != Space::Tensor
    }
}

/// The facts of all instructions of a function, in the order of their addresses.
#[derive(Clone, Debug)]
pub struct FunctionFacts {
    /// Shared by all orders of the instructions.
    facts: Vec<Arc<Fact>>,
    reads: Vec<Read>,
    writes: Vec<Write>,
    blocks: Vec<Range<usize>>,
    /// For each register, whether a product of a warp group reads or writes it.
    of_products: Box<[bool]>,
    /// Whether an instruction with a guard may be in flight.
    guarded: bool,
}

impl FunctionFacts {
    /// The facts of a function. Linear in its text.
    pub fn new(function: &Function<'_>, model: &LatencyModel) -> FunctionFacts {
        let mut all = FunctionFacts {
            facts: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            blocks: Vec::with_capacity(function.blocks.len()),
            of_products: Box::default(),
            guarded: false,
        };
        for block in &function.blocks {
            let start = all.facts.len();
            for instruction in &block.instructions {
                instruction::add(&mut all, instruction, model);
            }
            all.blocks.push(start..all.facts.len());
        }
        all.finish();
        all
    }

    /// Pins the instructions at addresses.
    pub(crate) fn pin(&mut self, function: &Function<'_>, addresses: &[u64]) {
        let addresses: FxHashSet<u64> = addresses.iter().copied().collect();
        for (fact, found) in self.facts.iter_mut().zip(function.instructions()) {
            if addresses.contains(&found.address) {
                Arc::make_mut(fact).pinned = true;
            }
        }
    }

    /// Finds what depends on all facts.
    fn finish(&mut self) {
        self.of_products = self.registers_of_products();
        self.guarded = (0..self.len()).any(|number| {
            let fact = self.fact(number);
            let mut reads = self.reads(number).iter();
            let acts = |read: &Read| {
                !matches!(
                    read.register.file(),
                    TableFile::Predicate | TableFile::UniformPredicate
                )
            };
            let acts = !self.writes(number).is_empty() || reads.any(acts);
            fact.guard.is_some()
                && (acts || !fact.memory.is_empty() || fact.roles != Roles::default())
        });
    }

    /// Whether an instruction with a guard may be in flight: if not, what guards exclude says nothing.
    pub(in crate::sass) fn has_guarded(&self) -> bool {
        self.guarded
    }

    /// The same facts when each block has the order that `orders` has for it: numbers of instructions in the
    /// block.
    pub(crate) fn reordered(&self, orders: &[Vec<u32>]) -> FunctionFacts {
        let mut all = self.clone();
        for (numbers, order) in self.blocks.iter().zip(orders) {
            for (number, from) in numbers.clone().zip(order) {
                if number != numbers.start + *from as usize {
                    all.facts[number] = self.facts[numbers.start + *from as usize].clone();
                }
            }
        }
        all
    }

    fn registers_of_products(&self) -> Box<[bool]> {
        let is_product = |fact: &Fact| matches!(fact.action, Action::Product { .. });
        let mut found = Vec::new();
        for (number, _) in self
            .facts
            .iter()
            .enumerate()
            .filter(|(_, fact)| is_product(fact.as_ref()))
        {
            found.resize(RegisterNumber::COUNT, false);
            let reads = self.reads(number).iter().map(|read| read.register);
            let writes = self.writes(number).iter().map(|write| write.register);
            for register in reads.chain(writes) {
                found[register.index()] = true;
            }
        }
        found.into()
    }

    /// Whether a product of a warp group of the function reads or writes a register that an
    /// instruction reads or writes.
    pub fn shares_with_products(&self, instruction: usize) -> bool {
        let reads = self.reads(instruction).iter().map(|read| read.register);
        let writes = self.writes(instruction).iter().map(|write| write.register);
        let mut registers = reads.chain(writes);
        registers.any(|register| self.of_products.get(register.index()) == Some(&true))
    }

    /// The number of instructions.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there are no instructions.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// The fact about an instruction, by its index in the function.
    pub fn fact(&self, instruction: usize) -> &Fact {
        &self.facts[instruction]
    }

    /// Whether an instruction and the next may issue in the same cycle, as far as registers permit.
    pub(crate) fn pairs(&self, model: &LatencyModel, first: usize) -> bool {
        let side = |number: usize| (self.fact(number).class, self.fact(number).reads_constant);
        model.pairs(side(first), side(first + 1))
    }

    /// The registers an instruction reads.
    pub fn reads(&self, instruction: usize) -> &[Read] {
        let range = &self.facts[instruction].reads;
        &self.reads[range.start as usize..range.end as usize]
    }

    /// The registers an instruction writes.
    pub fn writes(&self, instruction: usize) -> &[Write] {
        let range = &self.facts[instruction].writes;
        &self.writes[range.start as usize..range.end as usize]
    }

    /// The indices of the instructions of a block.
    pub fn block(&self, block: usize) -> Range<usize> {
        self.blocks[block].clone()
    }

    /// The number of blocks.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The block of an instruction. Logarithmic in the number of blocks.
    pub fn block_of(&self, instruction: usize) -> usize {
        self.blocks
            .partition_point(|block| block.end <= instruction)
    }
}
