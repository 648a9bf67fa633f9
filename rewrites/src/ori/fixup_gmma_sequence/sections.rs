//! The blocks as the phase sees them: short side blocks are predicated by then.
//!
//! ptxas converts small blocks without products, fences, commits, waits, calls and exits to
//! predicated code before phase 85 (phase 63), so that what happens "in the same block" includes
//! them. The IR is not changed: a section is a list of operations.

use orison_ir::analyses::{Graph, Tree, immediate_dominators};
use orison_ir::{Block, Context, Operation};
use orison_machine::Flag;
use orison_ori::analyses::Divergence;
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::analyses::properties;
use orison_ori::operations as ori;
use orison_ori::operations::control::{Call, CallIndirect};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lines::line_of;
use crate::ori::functions::Function;

/// The most instructions of a side block that becomes predicated code (measured: 20 and fewer).
pub(super) const LONGEST_SIDE: usize = 20;

/// How a section ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// In another section, or in one of several by a condition that is the same for all threads.
    Uniform,
    /// In one of several sections, which may differ between threads.
    Divergent,
    /// With a call.
    Call,
    /// With a call of a function that is not known, after which threads may have diverged.
    ExternCall,
    /// The thread ends.
    Exit,
    /// The thread ends where a condition holds.
    ExitIf,
}

/// Operations that are executed in order.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// The operations, without branches.
    pub operations: Vec<Operation>,
    /// How it ends.
    pub end: End,
    /// The branch at its end.
    pub branch: Option<Operation>,
    /// The sections after it, by number.
    pub next: Vec<usize>,
    /// The sections before it, by number.
    pub before: Vec<usize>,
    /// Whether it contains predicated arms.
    pub is_merged: bool,
    /// Whether it contains predicated arms and other instructions.
    pub is_mixed: bool,
    /// Whether it is in an arm of a divergent branch that is predicated after the phase.
    pub is_arm: bool,
    /// Whether it is the latch of a loop that threads of a warp may leave in different iterations,
    /// although its condition does not vary.
    pub is_uneven: bool,
    /// Whether it is made of copies of a loop's body.
    pub is_unrolled: bool,
}

impl Section {
    /// A section that no other leads to yet.
    pub fn new(operations: Vec<Operation>, end: End) -> Self {
        Section {
            operations,
            end,
            branch: None,
            next: Vec::new(),
            before: Vec::new(),
            is_merged: false,
            is_mixed: false,
            is_arm: false,
            is_uneven: false,
            is_unrolled: false,
        }
    }

    /// Whether it does anything to groups, other than by calls.
    pub fn has_groups(&self, context: &Context) -> bool {
        let mut roles = self.operations.iter().map(|op| role(context, *op));
        roles.any(|role| !matches!(role, None | Some(Role::Call)))
    }

    /// What decides whether it can be predicated.
    pub fn extent(&self, context: &Context) -> Extent {
        // Operations with the same line are one instruction of the source.
        let mut instructions = 0;
        let mut last = None;
        for op in &self.operations {
            let line = line_of(context, *op);
            if !properties::is_instruction(context, *op) || (line.is_some() && line == last) {
                continue;
            }
            instructions += 1;
            last = line;
        }
        Extent {
            instructions,
            has_barrier: self.operations.iter().any(|op| is_barrier(context, *op)),
            is_mixed: self.is_mixed,
        }
    }
}

/// What decides whether operations can be predicated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extent {
    /// The number of instructions.
    pub instructions: usize,
    /// Whether a barrier is among them, which can only be predicated with all others.
    pub has_barrier: bool,
    /// Whether some of them are predicated, and others are not.
    pub is_mixed: bool,
}

impl Extent {
    /// That of the operations of both.
    pub fn and(self, other: Extent) -> Extent {
        Extent {
            instructions: self.instructions + other.instructions,
            has_barrier: self.has_barrier || other.has_barrier,
            is_mixed: self.is_mixed || other.is_mixed,
        }
    }
}

/// Whether an operation waits for other threads.
pub(super) fn is_barrier(context: &Context, op: Operation) -> bool {
    let row = orison_ori::opcodes::of(context, op);
    row.is_some_and(|row| row.has(Flag::Barrier)) && role(context, op).is_none()
}

/// The sections of a function, in the order of the text; the first is the entry.
pub(super) fn sections(
    context: &Context,
    function: Function,
    divergence: &Divergence,
    external: &FxHashSet<Operation>,
) -> Vec<Section> {
    let mut builder = Builder {
        context,
        divergence,
        external,
        sections: Vec::new(),
        first: FxHashMap::default(),
    };
    builder.cut(function);
    let mut sections = builder.sections;
    loop {
        sections = clean(sections);
        let exits = absorb_exits(context, &mut sections);
        if !convert_sides(context, &mut sections) && !exits {
            return clean(in_text_order(context, sections));
        }
    }
}

struct Builder<'a> {
    context: &'a Context,
    divergence: &'a Divergence,
    /// Calls of functions that are not known.
    external: &'a FxHashSet<Operation>,
    sections: Vec<Section>,
    /// The first section of each block.
    first: FxHashMap<Block, usize>,
}

impl Builder<'_> {
    fn cut(&mut self, function: Function) {
        let context = self.context;
        let mut ends = Vec::new();
        for block in function.body.blocks(context) {
            self.first.insert(block, self.sections.len());
            let mut current = Vec::new();
            for op in block.operations(context) {
                if op.successor_count(context) > 0 {
                    continue;
                }
                current.push(op);
                let calls = Call::matches(context, op) || CallIndirect::matches(context, op);
                let exits = op.is(context, ori::ExitIf::NAME);
                if calls || exits {
                    let end = match calls {
                        true if self.external.contains(&op) => End::ExternCall,
                        true => End::Call,
                        false => End::ExitIf,
                    };
                    self.push(std::mem::take(&mut current), end);
                    let after = self.sections.len();
                    self.sections[after - 1].next = vec![after];
                }
            }
            let end = match block.terminator(context) {
                Some(op) if op.successor_count(context) == 0 => End::Exit,
                Some(op) if self.divergence.parts_warp(op) => End::Divergent,
                _ => End::Uniform,
            };
            self.push(current, end);
            let last = self.sections.len() - 1;
            let branch = block.terminator(context);
            self.sections[last].branch = branch.filter(|op| op.successor_count(context) > 0);
            ends.push((last, block));
        }
        for (section, block) in ends {
            let mut next: Vec<usize> = Vec::new();
            for block in block.successors(context) {
                let target = self.first[&block];
                if !next.contains(&target) {
                    next.push(target);
                }
            }
            self.sections[section].next = next;
        }
    }

    fn push(&mut self, operations: Vec<Operation>, end: End) {
        self.sections.push(Section::new(operations, end));
    }
}

/// Drops unreachable and empty sections, joins straight lines, and renumbers.
pub(super) fn clean(mut sections: Vec<Section>) -> Vec<Section> {
    loop {
        let keep = reachable(&sections);
        sections = renumbered(sections, &keep);
        if !join_one(&mut sections) {
            return sections;
        }
    }
}

fn reachable(sections: &[Section]) -> Vec<bool> {
    let mut seen = vec![false; sections.len()];
    let mut pending = vec![0];
    while let Some(number) = pending.pop() {
        if !std::mem::replace(&mut seen[number], true) {
            pending.extend(sections[number].next.iter().copied());
        }
    }
    seen
}

fn renumbered(sections: Vec<Section>, keep: &[bool]) -> Vec<Section> {
    let mut numbers = Vec::with_capacity(keep.len());
    let mut count = 0;
    for kept in keep {
        numbers.push(count);
        count += usize::from(*kept);
    }
    let kept = sections.into_iter().zip(keep).filter(|(_, keep)| **keep);
    let mut all: Vec<Section> = kept.map(|(section, _)| section).collect();
    for section in &mut all {
        section.before.clear();
        for next in &mut section.next {
            *next = numbers[*next];
        }
        section.next.dedup();
    }
    for number in 0..all.len() {
        for next in all[number].next.clone() {
            all[next].before.push(number);
        }
    }
    all
}

/// Joins sections to the only one after them, and skips empty ones; whether anything changed.
fn join_one(sections: &mut [Section]) -> bool {
    let mut changed = false;
    for number in 0..sections.len() {
        while let [next] = sections[number].next[..] {
            let alone = sections[next].before.len() == 1 && next != 0 && next != number;
            let plain = matches!(sections[number].end, End::Uniform | End::Divergent);
            if !alone || !plain {
                break;
            }
            let nothing = Section::new(Vec::new(), End::Uniform);
            let taken = std::mem::replace(&mut sections[next], nothing);
            let own = &mut sections[number];
            own.is_mixed |= taken.is_mixed || own.is_merged && !taken.operations.is_empty();
            own.operations.extend(taken.operations);
            own.end = taken.end;
            own.branch = taken.branch;
            own.is_merged |= taken.is_merged;
            own.is_uneven |= taken.is_uneven;
            own.is_unrolled |= taken.is_unrolled;
            own.next.clone_from(&taken.next);
            for after in taken.next {
                for before in &mut sections[after].before {
                    if *before == next {
                        *before = number;
                    }
                }
            }
            changed = true;
        }
        changed |= number != 0 && skip_empty(sections, number);
    }
    changed
}

fn skip_empty(sections: &mut [Section], number: usize) -> bool {
    let [next] = sections[number].next[..] else {
        return false;
    };
    let empty = sections[number].operations.is_empty() && sections[number].end != End::Exit;
    if !empty || next == number || sections[number].before.is_empty() {
        return false;
    }
    for before in std::mem::take(&mut sections[number].before) {
        let ways = &mut sections[before].next;
        for way in ways.iter_mut() {
            if *way == number {
                *way = next;
            }
        }
        let mut unique = Vec::new();
        for way in ways.iter() {
            if !unique.contains(way) {
                unique.push(*way);
            }
        }
        *ways = unique;
        if !sections[next].before.contains(&before) {
            sections[next].before.push(before);
        }
    }
    sections[number].next.clear();
    sections[next].before.retain(|before| *before != number);
    true
}

/// Makes sections that only end the thread, and are the way of one branch, conditional exits;
/// whether there was one.
fn absorb_exits(context: &Context, sections: &mut [Section]) -> bool {
    let mut changed = false;
    for number in 0..sections.len() {
        let section = &sections[number];
        let [before] = section.before[..] else {
            continue;
        };
        let only_exits = section.end == End::Exit && section.operations.len() == 1;
        let branch = matches!(sections[before].end, End::Uniform | End::Divergent);
        if !only_exits || !branch || sections[before].next.len() != 2 {
            continue;
        }
        // A conditional exit is one instruction: the branch has the same line.
        let exit = section.operations[0];
        let last = exit.block(context).and_then(|block| {
            let from = block.predecessor_edges(context).next();
            from.map(|(branch, _)| branch)
        });
        let same = last.is_some_and(|last| {
            line_of(context, last).is_some() && line_of(context, last) == line_of(context, exit)
        });
        if !same {
            continue;
        }
        sections[before].operations.push(exit);
        sections[before].end = End::ExitIf;
        sections[before].next.retain(|next| *next != number);
        sections[number].before.clear();
        changed = true;
    }
    changed
}

/// Makes the arms of branches predicated code; whether there was one. Inner branches first: the
/// number of sweeps is the depth of the nest.
fn convert_sides(context: &Context, sections: &mut [Section]) -> bool {
    let mut changed = false;
    for number in 0..sections.len() {
        let [a, b] = sections[number].next[..] else {
            continue;
        };
        if !matches!(sections[number].end, End::Uniform | End::Divergent) {
            continue;
        }
        let side = |way: usize| is_side(context, sections, way);
        let after = |way: usize| sections[way].next.first().copied();
        let (arms, join) = if side(a) && after(a) == Some(b) {
            (vec![a], b)
        } else if side(b) && after(b) == Some(a) {
            (vec![b], a)
        } else if side(a) && side(b) && after(a) == after(b) {
            (vec![a, b], after(a).unwrap_or(number))
        } else {
            continue;
        };
        if join == number {
            continue;
        }
        let instructions = sections[number].extent(context).instructions;
        sections[number].is_mixed |= instructions > 1 || arms.len() > 1;
        for arm in arms {
            sections[number].is_mixed |= sections[arm].is_mixed;
            let operations = std::mem::take(&mut sections[arm].operations);
            sections[number].operations.extend(operations);
            sections[arm].next.clear();
            sections[arm].before.clear();
            sections[join].before.retain(|before| *before != arm);
        }
        sections[number].next = vec![join];
        sections[number].end = End::Uniform;
        sections[number].branch = None;
        sections[number].is_merged = true;
        if !sections[join].before.contains(&number) {
            sections[join].before.push(number);
        }
        changed = true;
    }
    changed
}

/// Whether a section can be predicated.
fn is_side(context: &Context, sections: &[Section], number: usize) -> bool {
    let section = &sections[number];
    if section.before.len() != 1 || section.next.len() != 1 || section.end != End::Uniform {
        return false;
    }
    if section.has_groups(context) {
        return false;
    }
    let extent = section.extent(context);
    extent.instructions <= LONGEST_SIDE && !(extent.has_barrier && extent.is_mixed)
}

/// Dominators and post-dominators of sections; the exit is the number after the last section.
pub(super) struct Order {
    dominators: Tree,
    post_dominators: Tree,
    /// The number of the exit.
    pub exit: usize,
}

impl Order {
    /// Computes them.
    pub fn of(sections: &[Section]) -> Self {
        let exit = sections.len();
        let mut all = edges(sections);
        for (from, section) in sections.iter().enumerate() {
            if section.next.is_empty() || section.end == End::ExitIf {
                all.push((narrow(from), narrow(exit)));
            }
        }
        let graph = Graph::new(exit + 1, &all);
        let dominators = Tree::new(immediate_dominators(&graph, 0));
        let reversed = graph.reversed();
        let post_dominators = Tree::new(immediate_dominators(&reversed, narrow(exit)));
        Order {
            dominators,
            post_dominators,
            exit,
        }
    }

    /// Whether there is a loop.
    pub fn has_loop(&self, sections: &[Section]) -> bool {
        let all = sections.iter().enumerate();
        let mut all =
            all.flat_map(|(from, section)| section.next.iter().map(move |to| (from, *to)));
        all.any(|(from, to)| self.dominates(to, from))
    }

    /// Whether one section is on every path to another.
    pub fn dominates(&self, a: usize, b: usize) -> bool {
        self.dominators.contains(narrow(a), narrow(b))
    }

    /// Whether one section is on every path from another.
    pub fn post_dominates(&self, a: usize, b: usize) -> bool {
        self.post_dominators.contains(narrow(a), narrow(b))
    }

    /// The last section on every path to all of some.
    pub fn common_dominator(&self, all: &[usize]) -> usize {
        common(&self.dominators, all)
    }

    /// The first section on every path from all of some.
    pub fn common_post_dominator(&self, all: &[usize]) -> usize {
        common(&self.post_dominators, all)
    }
}

/// The number of a section in graphs.
pub(super) fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn common(tree: &Tree, all: &[usize]) -> usize {
    let mut found = all.first().map_or(0, |first| narrow(*first));
    for section in all {
        while !tree.contains(found, narrow(*section)) {
            match tree.parent(found) {
                Some(parent) => found = parent,
                None => break,
            }
        }
    }
    found as usize
}

/// Sorts sections by the lines where they begin, after the entry: the blocks of an import are in
/// another order. One without a line stays behind the one before it.
fn in_text_order(context: &Context, sections: Vec<Section>) -> Vec<Section> {
    let mut last = 0;
    let lines = sections.iter().enumerate().map(|(number, section)| {
        let all = section.operations.iter().chain(&section.branch).copied();
        let mut all = all.filter(|op| op.successor_count(context) > 0 || is_step(context, *op));
        let line = all.find_map(|op| line_of(context, op));
        last = line.filter(|_| number > 0).unwrap_or(last);
        (number > 0, last)
    });
    let lines: Vec<(bool, u32)> = lines.collect();
    let mut order: Vec<usize> = (0..sections.len()).collect();
    order.sort_by_key(|number| lines[*number]);
    in_order(sections, &order)
}

/// Whether an operation is an instruction, and so in its place of the source.
fn is_step(context: &Context, op: Operation) -> bool {
    role(context, op).is_some() || properties::is_instruction(context, op)
}

/// The sections in another order.
pub(super) fn in_order(sections: Vec<Section>, order: &[usize]) -> Vec<Section> {
    let mut places = vec![0; sections.len()];
    for (place, number) in order.iter().enumerate() {
        places[*number] = place;
    }
    let mut sections: Vec<Option<Section>> = sections.into_iter().map(Some).collect();
    let all = order.iter().filter_map(|number| sections[*number].take());
    let mut all: Vec<Section> = all.collect();
    for next in all.iter_mut().flat_map(|section| &mut section.next) {
        *next = places[*next];
    }
    all
}

/// The edges between sections.
pub(super) fn edges(sections: &[Section]) -> Vec<(u32, u32)> {
    let all = sections.iter().enumerate();
    all.flat_map(|(from, section)| {
        let next = section.next.iter();
        next.map(move |to| (narrow(from), narrow(*to)))
    })
    .collect()
}
