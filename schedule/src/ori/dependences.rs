//! The dependences between the operations of a block of `ori`.
//!
//! Operations are numbered in program order. A dependence says that one operation comes after another
//! one of the same iteration, or of an iteration before it if the block is a loop. Latencies are not
//! part of it: a scheduler adds those of its machine.

use orison_ir::{Block, Context, Operation, Value, ValueOwner};
use orison_machine::{Category, Flag, Space, is_changing_register};
use orison_ori::analyses::induction::{Distance, Loop, LoopInductions, distance};
use orison_ori::analyses::memory::{self, Access, AliasKind};
use orison_ori::analyses::{RegisterClass, properties};
use orison_ori::operations::{Call, CallIndirect};
use orison_ori::{Register, opcodes};
use rustc_hash::FxHashMap;

/// The reason for a dependence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The second operation reads a result of the first one.
    Data,
    /// The second operation reads memory that the first one may write.
    ReadAfterWrite,
    /// The second operation writes memory that the first one may read or write.
    Overwrite,
    /// The operations act on other threads, or on what is not memory: they stay in order.
    Order,
}

/// One operation comes after another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Dependence {
    /// The number of the first operation.
    pub from: usize,
    /// The number of the second operation.
    pub to: usize,
    /// Iterations from the first to the second: 0 in straight code.
    pub distance: u32,
    /// The reason.
    pub reason: Reason,
}

/// The dependences between the operations of a block, without its terminator.
#[derive(Clone, Debug, Default)]
pub struct Dependences {
    /// The operations, in program order.
    pub operations: Vec<Operation>,
    /// The dependences, in order, each once. Of those between two operations for one reason, the one
    /// with the least distance.
    pub edges: Vec<Dependence>,
}

/// The operations that access memory of which all pairs are examined: a block with more is divided
/// into groups that stay in order. Bounds the work per operation.
const GROUP: usize = 256;

impl Dependences {
    /// The dependences of one execution of a block.
    pub fn of_block(context: &Context, block: Block) -> Self {
        Finder::new(context, block, None).find()
    }

    /// The dependences of a loop that is one block, also from an iteration to later ones.
    pub fn of_loop(around: &Loop<'_>, inductions: &LoopInductions) -> Self {
        let block = around.flow.block(around.natural.header);
        Finder::new(around.context, block, Some((around, inductions))).find()
    }
}

fn has_flag(context: &Context, op: Operation, flag: Flag) -> bool {
    opcodes::of(context, op).is_some_and(|row| row.has(flag))
}

/// Whether an operation is a product of warp groups.
fn is_product(context: &Context, op: Operation) -> bool {
    opcodes::of(context, op)
        .is_some_and(|row| row.has(Flag::Group) && row.category == Category::Matrix)
}

fn is_call(context: &Context, op: Operation) -> bool {
    Call::of(context, op).is_some() || CallIndirect::of(context, op).is_some()
}

/// Whether an operation reads and writes the same memory at once.
fn exchanges(context: &Context, op: Operation) -> bool {
    opcodes::of(context, op).is_some_and(|row| {
        let mut reads = row.reads.iter();
        reads.any(|space| *space != Space::Tensor && row.writes.contains(space))
    })
}

/// Whether an operation reads what changes by itself, such as a clock, or changes the stack.
fn changes(context: &Context, op: Operation) -> bool {
    let register = op.attribute(context, "register");
    match register.and_then(|register| register.as_str(context)) {
        Some(name) => is_changing_register(name),
        None => has_flag(context, op, Flag::Changing),
    }
}

/// The memory that an operation accesses, as far as its place among accesses matters: behind an exit nothing may be
/// accessed that was in front of it, and a clock that moves measures something else.
fn accesses(context: &Context, op: Operation) -> Vec<Access> {
    if has_flag(context, op, Flag::Exit) || changes(context, op) {
        return vec![Access::ANY];
    }
    memory::accesses(context, op)
}

struct Finder<'f> {
    context: &'f Context,
    block: Block,
    repeated: Option<(&'f Loop<'f>, &'f LoopInductions)>,
    operations: Vec<Operation>,
    numbers: FxHashMap<Operation, usize>,
    /// What the back edge passes.
    next: Vec<Value>,
    edges: Vec<Dependence>,
}

impl<'f> Finder<'f> {
    fn new(
        context: &'f Context,
        block: Block,
        repeated: Option<(&'f Loop<'f>, &'f LoopInductions)>,
    ) -> Self {
        let terminator = block.terminator(context);
        let operations = block.operations(context);
        let operations: Vec<_> = operations.filter(|op| Some(*op) != terminator).collect();
        let back = terminator
            .filter(|_| repeated.is_some())
            .and_then(|branch| {
                let mut ways = branch.successors(context);
                let way = ways.position(|target| target == block)?;
                let range = branch.passed_operands(context, way)?;
                Some(
                    range
                        .map(|number| branch.operand(context, number))
                        .collect(),
                )
            });
        Finder {
            context,
            block,
            repeated,
            numbers: operations.iter().copied().zip(0..).collect(),
            operations,
            next: back.unwrap_or_default(),
            edges: Vec::new(),
        }
    }

    fn find(mut self) -> Dependences {
        self.data();
        self.order();
        self.products();
        self.uniform_values();
        self.memory();
        self.edges
            .sort_unstable_by_key(|edge| (edge.from, edge.to, edge.reason, edge.distance));
        self.edges
            .dedup_by_key(|edge| (edge.from, edge.to, edge.reason));
        Dependences {
            operations: self.operations,
            edges: self.edges,
        }
    }

    fn add(&mut self, from: usize, to: usize, distance: u32, reason: Reason) {
        self.edges.push(Dependence {
            from,
            to,
            distance,
            reason,
        });
    }

    fn data(&mut self) {
        for to in 0..self.operations.len() {
            let op = self.operations[to];
            let operands: Vec<Value> = op.operands(self.context).collect();
            for value in operands {
                if let Some((from, distance)) = self.maker(value) {
                    self.add(from, to, distance, Reason::Data);
                }
            }
        }
    }

    /// The operation of the block that makes a value, and how many iterations before.
    fn maker(&self, mut value: Value) -> Option<(usize, u32)> {
        // Arguments that are passed on as other arguments form no longer a chain than there are.
        for distance in 0..=self.next.len() {
            match value.owner(self.context) {
                ValueOwner::Result(op, _) => {
                    let from = self.numbers.get(&op)?;
                    return Some((*from, u32::try_from(distance).ok()?));
                }
                ValueOwner::Argument(block, place) if block == self.block => {
                    value = *self.next.get(place)?;
                }
                ValueOwner::Argument(..) => return None,
            }
        }
        None
    }

    /// Keeps operations in order that have effects besides those on memory, and accesses whose order other threads
    /// observe. The threads that come back from a call together are not those that called.
    fn order(&mut self) {
        let context = self.context;
        self.chain(|op| {
            properties::is_convergent(context, op)
                || is_call(context, op)
                || memory::accesses(context, op).is_empty()
                    && !properties::is_removable(context, op)
        });
        self.chain(|op| exchanges(context, op));
    }

    /// Keeps some operations in order.
    fn chain(&mut self, belongs: impl Fn(Operation) -> bool) {
        let all = self.operations.iter().copied().enumerate();
        let chained: Vec<usize> = all
            .filter(|(_, op)| belongs(*op))
            .map(|(number, _)| number)
            .collect();
        for pair in chained.windows(2) {
            self.add(pair[0], pair[1], 0, Reason::Order);
        }
        if let (Some(first), Some(last)) = (chained.first(), chained.last())
            && self.repeated.is_some()
        {
            self.add(*last, *first, 1, Reason::Order);
        }
    }

    /// Keeps what uses or makes values of products of warp groups between the fences, commits and waits that it is
    /// between: products access their registers until they are waited for.
    fn products(&mut self) {
        let context = self.context;
        let all = self.operations.iter().copied().enumerate();
        let groups: Vec<usize> = all
            .filter(|(_, op)| has_flag(context, *op, Flag::Group) && !is_product(context, *op))
            .map(|(number, _)| number)
            .collect();
        if groups.is_empty() {
            return;
        }
        let mut known = FxHashMap::default();
        let mut is_of_product = |value: Value| {
            *known.entry(value).or_insert_with(|| {
                let made = value.defining_op(context);
                made.is_some_and(|op| is_product(context, op))
                    || value.users(context).any(|op| is_product(context, op))
            })
        };
        for number in 0..self.operations.len() {
            let op = self.operations[number];
            let mut values = op.operands(context).chain(op.results(context));
            if !is_product(context, op) && !values.any(&mut is_of_product) {
                continue;
            }
            let behind = groups.partition_point(|group| *group <= number);
            let before = groups[..behind].iter().rfind(|group| **group != number);
            if let Some(before) = before {
                self.add(*before, number, 0, Reason::Order);
            }
            if let Some(behind) = groups.get(behind) {
                self.add(number, *behind, 0, Reason::Order);
            }
        }
    }

    /// Keeps what reads a uniform value in front of calls that it was in front of: in a callee other threads of the
    /// warp may execute, which have their own values in the same uniform registers.
    fn uniform_values(&mut self) {
        let context = self.context;
        let all = self.operations.iter().copied().enumerate();
        let calls: Vec<usize> = all
            .filter(|(_, op)| is_call(context, *op))
            .map(|(number, _)| number)
            .collect();
        let is_uniform = |value: Value| {
            let register = Register::of(context, value.ty(context));
            register.is_some_and(|register| RegisterClass::of(register).0.is_uniform())
        };
        for number in 0..calls.last().copied().unwrap_or(0) {
            let mut operands = self.operations[number].operands(context);
            let reads = operands.any(|value| is_uniform(value) && self.maker(value).is_some());
            let behind = calls.partition_point(|call| *call <= number);
            if let Some(call) = calls.get(behind).filter(|_| reads) {
                self.add(number, *call, 0, Reason::Order);
            }
        }
    }

    fn memory(&mut self) {
        let all = self.operations.iter().enumerate();
        let accessing: Vec<(usize, Vec<Access>)> = all
            .map(|(number, op)| (number, accesses(self.context, *op)))
            .filter(|(_, accesses)| !accesses.is_empty())
            .collect();
        let groups: Vec<&[(usize, Vec<Access>)]> = accessing.chunks(GROUP).collect();
        for group in &groups {
            for (place, first) in group.iter().enumerate() {
                for second in &group[place + 1..] {
                    self.pair(first, second, 0);
                }
            }
        }
        // The first operation of a group is behind all of the group before and in front of the rest.
        for pair in groups.windows(2) {
            let anchor = pair[1][0].0;
            for (before, _) in pair[0] {
                self.add(*before, anchor, 0, Reason::Order);
            }
            for (behind, _) in &pair[1][1..] {
                self.add(anchor, *behind, 0, Reason::Order);
            }
        }
        if self.repeated.is_some() {
            self.carried(&groups);
        }
    }

    /// Dependences from an iteration to a later one, where the second operation is not behind the first
    /// one in the block.
    fn carried(&mut self, groups: &[&[(usize, Vec<Access>)]]) {
        if let [only] = groups {
            for (place, second) in only.iter().enumerate() {
                for first in &only[place..] {
                    self.pair(first, second, 1);
                }
            }
        } else if let (Some(first), Some(last)) = (groups.first(), groups.last()) {
            let anchor = first[0].0;
            for (number, _) in *last {
                self.add(*number, anchor, 1, Reason::Order);
            }
            for (number, _) in &first[1..] {
                self.add(anchor, *number, 0, Reason::Order);
            }
        }
    }

    /// The dependences of one operation on another one, at least `least` iterations before.
    fn pair(
        &mut self,
        (from, first): &(usize, Vec<Access>),
        (to, second): &(usize, Vec<Access>),
        least: u32,
    ) {
        for a in first {
            for b in second {
                let reason = match (a.writes, b.writes) {
                    (_, true) => Reason::Overwrite,
                    (true, false) if b.reads => Reason::ReadAfterWrite,
                    _ => continue,
                };
                if let Some(distance) = self.overlap(a, b, least) {
                    self.add(*from, *to, distance, reason);
                }
            }
        }
    }

    /// The least number of iterations, from `least`, after which the second access may overlap the
    /// first one.
    fn overlap(&self, first: &Access, second: &Access, least: u32) -> Option<u32> {
        let Some((around, inductions)) = self.repeated else {
            let kind = memory::alias(first, second).kind;
            return (kind != AliasKind::None).then_some(least);
        };
        match distance(around, inductions, first, second) {
            Distance::Never => None,
            Distance::Any => Some(least),
            Distance::Between(_, most) if most < i64::from(least) => None,
            Distance::Between(from, _) => {
                Some(u32::try_from(from.max(i64::from(least))).unwrap_or(u32::MAX))
            }
        }
    }
}
