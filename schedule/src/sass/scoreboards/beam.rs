//! Improves an allocation of scoreboards by beam search.
//!
//! [`super::allocate`] decides for one operation after another, and looks at one path to one waiter.
//! Here every trace, blocks of which each follows only the one before, is walked again with several
//! partial allocations at a time, the beam: an operation
//! that arms a scoreboard continues each of them with every scoreboard that it may take, and those with
//! the least time go on. The time of a partial allocation is that of its waits so far and of those that
//! are certain: each scoreboard has a first instruction that waits for it, in the trace or behind it, and
//! completes at a known cycle. So chains that do not depend on each other are kept apart where waiting
//! for both costs anything, and operations share where it costs nothing.
//!
//! A round takes the rest of the function from the allocation before it: what is in flight where a trace
//! begins, and what its successors wait for. The caller keeps a round only if the static time of the
//! function is less.
//!
//! Cost: the width of the beam times six scoreboards for an operation that arms one.

mod partial;

use std::ops::Range;

use orison_sass::control::{Barrier, BarrierSet};
use orison_sass::function::BlockIndex;
use smallvec::SmallVec;

use partial::{Arming, Board, Candidate, Decision, End, Partial, Wait};

use super::allocate::Waiters;
use super::flow_edges::EdgeKind;
use super::input::{Assigned, Index, Input, Side, Token, Words};
use super::pending::Waits;
use crate::sass::facts::Action;
use crate::sass::simulate::{Frequencies, Queues, completion};

const COUNT: usize = Barrier::COUNT;
/// The cycle of a wait that never comes.
const FAR: i64 = i64::MAX / 4;
/// No instruction of the trace.
const NEVER: Index = Index::MAX;
/// What a block waits for on entry is known for this many operations; it bounds the work at a block with
/// many predecessors.
const MOST_ENTERING: usize = 64;
/// The number of times that a function is improved, as long as it gets faster.
pub(super) const ROUNDS: usize = 3;
/// The number of blocks behind a trace that are searched for waits.
const MOST_BEHIND: usize = 8;

/// What every round shares.
pub(super) struct Problem<'a> {
    pub(super) input: &'a Input<'a>,
    pub(super) needs: &'a Waits,
    pub(super) waiters: &'a Waiters,
    /// Cycle of each instruction from the start of its block, without waits.
    pub(super) offsets: &'a [i64],
    /// The stall of each instruction.
    pub(super) cycles: &'a [u32],
    pub(super) frequencies: &'a Frequencies,
    /// Those that may be armed.
    pub(super) barriers: BarrierSet,
    /// Whether operations may share a scoreboard.
    pub(super) sharing: bool,
    /// Typical latencies, in percent.
    pub(super) latency_scale: i64,
    /// The number of partial allocations that are kept.
    pub(super) width: usize,
}

/// A round over all blocks.
struct Round<'a> {
    problem: &'a Problem<'a>,
    words: Words,
    ends: Vec<End>,
    /// For each block, the operations that are in flight where it begins and that it waits for, with the
    /// first instruction that does.
    entering: Vec<Vec<(Token, Index)>>,
    beam: Vec<Partial>,
    /// Those of a decision; empty between decisions.
    candidates: Vec<Candidate>,
    decisions: Vec<Decision>,
    /// Whether decisions are those of the words.
    replays: bool,
    /// Whether they share or evict.
    shares: bool,
    trace: Trace,
    /// The first wait for each scoreboard behind the trace.
    behind: [Wait; COUNT],
}

/// Blocks one after another, of which each is entered only from the one before.
#[derive(Clone, Debug, Default)]
struct Trace {
    blocks: Range<BlockIndex>,
    instructions: Range<usize>,
    /// The cycle at which each block begins, without waits, and the last one ends.
    starts: Vec<i64>,
}

impl Trace {
    fn length(&self) -> i64 {
        self.starts.last().copied().unwrap_or(0)
    }
}

/// Allocates again, from an allocation of the whole function.
pub(super) fn improve(problem: &Problem<'_>, words: &Words) -> Words {
    let blocks = problem.input.facts.block_count();
    let mut round = Round {
        problem,
        words: words.clone(),
        ends: vec![End::default(); blocks],
        entering: (0..blocks).map(|block| entering(problem, block)).collect(),
        beam: Vec::new(),
        candidates: Vec::new(),
        decisions: Vec::new(),
        replays: true,
        shares: false,
        trace: Trace::default(),
        behind: [Wait::NONE; COUNT],
    };
    // What loops leave in flight, and the traces that are short of scoreboards.
    let mut traces = Vec::new();
    let mut block = 0;
    while block < blocks {
        block = round.follow(block).end;
        round.trace();
        traces.push((round.trace.clone(), round.shares));
    }
    for (trace, shares) in traces {
        round.trace = trace;
        if shares {
            round.replays = false;
            round.trace();
        }
        round.replays = true;
        round.trace();
    }
    round.words
}

/// The operations that a block waits for and that did not start in it before.
fn entering(problem: &Problem<'_>, block: BlockIndex) -> Vec<(Token, Index)> {
    let mut found: Vec<(Token, Index)> = Vec::new();
    let numbers = problem.input.facts.block(block);
    for number in numbers.clone() {
        for token in &problem.needs.needs[number] {
            let is_here = (numbers.start..number).contains(&(token.producer as usize));
            if !is_here && found.len() < MOST_ENTERING {
                found.push((*token, Index::try_from(number).unwrap_or(NEVER)));
            }
        }
    }
    found
}

impl Round<'_> {
    /// Finds the trace from a block on. It ends before a block that runs less often than another successor.
    fn follow(&mut self, first: BlockIndex) -> Range<BlockIndex> {
        let Problem { input, .. } = *self.problem;
        let follows = |last: BlockIndex| {
            let next = last + 1;
            let most = input.edges.out[last]
                .iter()
                .map(|edge| self.weight(edge.0))
                .max();
            input
                .edges
                .into
                .get(next)
                .is_some_and(|into| into[..] == [(last, EdgeKind::Next)])
                && most == Some(self.weight(next))
                && input
                    .function
                    .entries
                    .iter()
                    .all(|entry| entry.block != next)
        };
        let mut last = first;
        let mut starts = vec![0, self.length(first)];
        while follows(last) {
            last += 1;
            starts.push(starts[starts.len() - 1] + self.length(last));
        }
        self.trace = Trace {
            blocks: first..last + 1,
            instructions: input.facts.block(first).start..input.facts.block(last).end,
            starts,
        };
        self.trace.blocks.clone()
    }

    /// The cycle of an instruction of the trace, without waits.
    fn offset(&self, number: usize) -> i64 {
        let block = self.problem.input.facts.block_of(number);
        self.trace.starts[block - self.trace.blocks.start] + self.problem.offsets[number]
    }

    fn trace(&mut self) {
        self.enter();
        let Problem { input, .. } = *self.problem;
        for block in self.trace.blocks.clone() {
            for number in input.facts.block(block) {
                self.issue(number);
            }
            if self.replays {
                let now = self.trace.starts[block + 1 - self.trace.blocks.start];
                self.ends[block] = self
                    .beam
                    .first()
                    .map_or_else(End::default, |only| only.end(now));
            }
        }
        self.leave();
    }

    fn issue(&mut self, number: usize) {
        self.wait(number);
        let Problem { input, .. } = *self.problem;
        let producer = Index::try_from(number).unwrap_or(NEVER);
        let token = |side| Token { producer, side };
        let results = self.first_wait(token(Side::Results));
        let operands = self.first_wait(token(Side::Operands));
        if results.is_none() && operands.is_none() {
            let class = input.facts.fact(number).class;
            if input.model.class(class).result_queue.is_some() {
                let offset = self.offset(number);
                for partial in &mut self.beam {
                    let now = offset + partial.allocation.waited;
                    completion(&mut partial.queues, input.model, class, now);
                }
            }
        }
        if let Some(wait) = results {
            self.decide(token(Side::Results), wait);
        }
        if let Some(wait) = operands {
            self.decide(token(Side::Operands), wait);
        }
    }

    /// Begins the trace with what its predecessors leave in flight.
    fn enter(&mut self) {
        let Problem { input, .. } = *self.problem;
        let mut boards = [Board::FREE; COUNT];
        let mut queues = Queues::new();
        let into = input.edges.into[self.trace.blocks.start].iter();
        for (from, _) in into.filter(|edge| !matches!(edge.1, EdgeKind::Return(_))) {
            let end = &self.ends[*from];
            for (board, ready) in boards.iter_mut().zip(end.ready) {
                board.ready = board.ready.max(ready);
            }
            for (queue, until) in &end.queues {
                match queues.iter_mut().find(|found| found.0 == *queue) {
                    Some(found) => found.1 = found.1.max(*until),
                    None => queues.push((*queue, *until)),
                }
            }
        }
        let first = self.trace.instructions.start;
        for block in self.trace.blocks.clone() {
            for (token, waiter) in &self.entering[block] {
                let is_here = (first..*waiter as usize).contains(&(token.producer as usize));
                let Some(barrier) = self.assigned(*token).filter(|_| !is_here) else {
                    continue;
                };
                let board = &mut boards[usize::from(barrier.index())];
                board.wait = board.wait.earlier(Wait {
                    at: self.offset(*waiter as usize),
                    here: *waiter,
                    weight: self.weight(block),
                });
            }
        }
        self.behind = self.behind();
        self.beam.clear();
        self.beam.push(Partial::new(boards, queues));
        self.decisions.clear();
    }

    fn weight(&self, block: BlockIndex) -> i64 {
        i64::try_from(self.problem.frequencies.of(block)).unwrap_or(FAR)
    }

    fn assigned(&self, token: Token) -> Option<Barrier> {
        self.words.assigned[token.producer as usize].of(token.side)
    }

    /// Cycles from the start of a block to its end, without waits.
    fn length(&self, block: BlockIndex) -> i64 {
        let numbers = self.problem.input.facts.block(block);
        let Problem {
            offsets, cycles, ..
        } = *self.problem;
        let last = numbers.clone().next_back();
        last.map_or(0, |last| offsets[last] + i64::from(cycles[last]))
    }

    /// The first wait for each scoreboard behind the trace, for operations of other blocks, in the nearest
    /// blocks.
    fn behind(&self) -> [Wait; COUNT] {
        let Problem { input, offsets, .. } = *self.problem;
        let mut behind = [Wait::NONE; COUNT];
        let mut known: SmallVec<[(BlockIndex, i64); MOST_BEHIND]> = SmallVec::new();
        let add = |known: &mut SmallVec<_>, from: BlockIndex, start: i64| {
            for (to, _) in &input.edges.out[from] {
                if known.len() < MOST_BEHIND && known.iter().all(|(block, _)| block != to) {
                    known.push((*to, start));
                }
            }
        };
        add(&mut known, self.trace.blocks.end - 1, self.trace.length());
        let mut next = 0;
        while let Some((block, start)) = known.get(next).copied() {
            next += 1;
            for (token, waiter) in &self.entering[block] {
                if self.trace.instructions.contains(&(token.producer as usize)) {
                    continue;
                }
                if let Some(barrier) = self.assigned(*token) {
                    let first = &mut behind[usize::from(barrier.index())];
                    *first = first.earlier(Wait {
                        at: start + offsets[*waiter as usize],
                        here: NEVER,
                        weight: self.weight(block),
                    });
                }
            }
            add(&mut known, block, start + self.length(block));
        }
        behind
    }

    /// The first wait for an operation of the trace after it starts.
    fn first_wait(&self, token: Token) -> Option<Wait> {
        let Problem { input, offsets, .. } = *self.problem;
        let waiter = self.problem.waiters.next(token)?;
        let number = waiter as usize;
        let target = input.facts.block_of(number);
        if waiter > token.producer && self.trace.instructions.contains(&number) {
            return Some(Wait {
                at: self.offset(number),
                here: waiter,
                weight: self.weight(target),
            });
        }
        let out = &input.edges.out[self.trace.blocks.end - 1];
        // At least the shortest of the successors is in between.
        let between = match out.iter().any(|edge| edge.0 == target) {
            true => 0,
            false => out
                .iter()
                .map(|edge| self.length(edge.0))
                .min()
                .unwrap_or(0),
        };
        Some(Wait {
            at: self.trace.length() + between + offsets[number],
            here: NEVER,
            weight: self.weight(target),
        })
    }

    /// The waits of an instruction, but for those of its own decisions.
    fn wait(&mut self, number: usize) {
        let here = Index::try_from(number).unwrap_or(NEVER);
        let (offset, facts) = (self.offset(number), self.problem.input.facts);
        let weight = self.weight(facts.block_of(number));
        let action = facts.fact(number).action;
        for partial in &mut self.beam {
            let allocation = &mut partial.allocation;
            while allocation.next == here {
                for board in 0..COUNT {
                    if allocation.boards[board].wait.here == here {
                        allocation.wait(board, offset, weight);
                    }
                }
            }
            if let Action::WaitScoreboard { others, .. } = action {
                for barrier in others.iter() {
                    allocation.wait(usize::from(barrier.index()), offset, weight);
                }
            }
        }
    }

    /// Continues every partial allocation with a scoreboard for an operation.
    fn decide(&mut self, token: Token, wait: Wait) {
        let number = token.producer as usize;
        let arming = Arming {
            token,
            wait,
            offset: self.offset(number),
            weight: self.weight(self.problem.input.facts.block_of(number)),
            elsewhere: self.elsewhere(token, wait),
        };
        let mut beam = std::mem::take(&mut self.beam);
        let mut candidates = std::mem::take(&mut self.candidates);
        for (of, partial) in beam.iter_mut().enumerate() {
            self.continue_with(&arming, of, partial, &mut candidates);
        }
        candidates.sort_by_key(|found: &Candidate| found.time);
        let mut kept: SmallVec<[[Board; COUNT]; 8]> = SmallVec::new();
        for candidate in candidates.drain(..) {
            if self.beam.len() >= self.problem.width {
                break;
            }
            let mut partial = beam[candidate.of].clone();
            arming.apply(&candidate, &mut partial.allocation);
            let sorted = partial.allocation.sorted();
            let mut known = self.beam.iter().zip(&kept);
            if known.any(|(other, boards)| {
                other.allocation.waited == partial.allocation.waited && *boards == sorted
            }) {
                continue;
            }
            kept.push(sorted);
            partial.decision = Some(self.decisions.len());
            self.decisions.push(candidate.decision);
            self.beam.push(partial);
        }
        self.candidates = candidates;
    }

    /// All ways to continue a partial allocation.
    fn continue_with(
        &self,
        arming: &Arming,
        of: usize,
        partial: &mut Partial,
        found: &mut Vec<Candidate>,
    ) {
        let Arming { token, .. } = *arming;
        let own = match token.side {
            Side::Results => None,
            Side::Operands => self.own_results(partial, token.producer),
        };
        let now = arming.offset + partial.allocation.waited;
        let ready = self.complete(partial, token, own.is_some(), now);
        let partial = &*partial;
        let mut add = |barrier: Option<Barrier>, arms: usize, evicts: bool| {
            let mut candidate = Candidate {
                time: Default::default(),
                decision: Decision {
                    before: partial.decision,
                    token,
                    barrier,
                    evicts,
                },
                of,
                arms,
                ready,
            };
            let mut next = partial.allocation;
            arming.apply(&candidate, &mut next);
            candidate.time = next.time(&self.behind);
            found.push(candidate);
        };
        if self.replays {
            let words = self.words.assigned[token.producer as usize];
            let barrier = match token.side {
                Side::Results => words.write,
                Side::Operands => words.read,
            };
            if let Some(arms) = barrier.or(own) {
                let evicted = self.words.evictions[token.producer as usize];
                add(barrier, usize::from(arms.index()), evicted.contains(arms));
                return;
            }
        }
        // The scoreboard of the results ends the operands, too.
        if let Some(own) = own {
            add(None, usize::from(own.index()), false);
        }
        let mut tried: SmallVec<[(Wait, i64, i64); COUNT]> = SmallVec::new();
        for barrier in self
            .problem
            .barriers
            .iter()
            .filter(|found| Some(*found) != own)
        {
            let index = usize::from(barrier.index());
            let board = partial.allocation.boards[index];
            if board.is_busy() {
                if self.problem.sharing {
                    add(Some(barrier), index, false);
                }
                add(Some(barrier), index, true);
                continue;
            }
            // Free ones that do not differ are one choice.
            let left = (board.ready - now).max(0);
            let sort = (self.behind[index], left, arming.elsewhere[index]);
            if !tried.contains(&sort) {
                tried.push(sort);
                add(Some(barrier), index, false);
            }
        }
    }

    /// The scoreboard that a partial allocation has for the results of an operation.
    fn own_results(&self, partial: &Partial, producer: Index) -> Option<Barrier> {
        let last = self.decisions.get(partial.decision?)?;
        let token = Token {
            producer,
            side: Side::Results,
        };
        (last.token == token).then_some(last.barrier).flatten()
    }

    /// The cycle at which an operation has typically completed. `counted` is whether it is already the last
    /// one of its queue.
    fn complete(&self, partial: &mut Partial, token: Token, counted: bool, now: i64) -> i64 {
        let Problem { input, .. } = *self.problem;
        let class = input.facts.fact(token.producer as usize).class;
        let scaled = |cycles: i64| cycles * self.problem.latency_scale / 100;
        match token.side {
            Side::Results => {
                let end = completion(&mut partial.queues, input.model, class, now);
                now + scaled(end - now)
            }
            Side::Operands => {
                if !counted {
                    completion(&mut partial.queues, input.model, class, now);
                }
                now + scaled(i64::from(input.model.class(class).operands_after))
            }
        }
    }

    /// For an operation that is waited for behind the trace, what the wait costs on other paths to it, by
    /// scoreboard: it is for the operations that are in flight there, too.
    fn elsewhere(&self, token: Token, wait: Wait) -> [i64; COUNT] {
        let mut cost = [0; COUNT];
        let Problem { input, offsets, .. } = *self.problem;
        let Some(waiter) = self.problem.waiters.of(token).first().copied() else {
            return cost;
        };
        if wait.here != NEVER {
            return cost;
        }
        let target = input.facts.block_of(waiter as usize);
        let is_here = |number: Index| self.trace.instructions.contains(&(number as usize));
        let mut waited = BarrierSet::EMPTY;
        for (other, place) in &self.entering[target] {
            if *place <= waiter && !is_here(other.producer) {
                waited = waited.union(self.assigned(*other).into_iter().collect());
            }
        }
        for (from, _) in &input.edges.into[target] {
            if self.trace.blocks.contains(from) {
                continue;
            }
            for barrier in self.problem.barriers.iter() {
                let index = usize::from(barrier.index());
                let late = self.ends[*from].ready[index] - offsets[waiter as usize];
                if late > 0 && !waited.contains(barrier) {
                    cost[index] = cost[index].max(late * self.weight(target));
                }
            }
        }
        cost
    }

    /// Writes the decisions of the best allocation.
    fn leave(&mut self) {
        let beam = std::mem::take(&mut self.beam);
        let best = beam
            .into_iter()
            .min_by_key(|found| found.allocation.time(&self.behind));
        let Some(best) = best else {
            return;
        };
        if self.replays {
            let mut evictions = self.words.evictions[self.trace.instructions.clone()].iter();
            self.shares =
                best.allocation.shared > 0 || evictions.any(|evicted| !evicted.is_empty());
            return;
        }
        let mut last = best.decision;
        while let Some(decision) = last.and_then(|last| self.decisions.get(last)).copied() {
            let number = decision.token.producer as usize;
            // The results are decided first.
            if decision.token.side == Side::Results || !self.has_results(&decision) {
                self.words.assigned[number] = Assigned::default();
                self.words.evictions[number] = BarrierSet::EMPTY;
            }
            last = decision.before;
        }
        last = best.decision;
        while let Some(decision) = last.and_then(|last| self.decisions.get(last)).copied() {
            let number = decision.token.producer as usize;
            let assigned = &mut self.words.assigned[number];
            match decision.token.side {
                Side::Results => assigned.write = decision.barrier,
                Side::Operands => assigned.read = decision.barrier,
            }
            if let Some(barrier) = decision.barrier.filter(|_| decision.evicts) {
                self.words.evictions[number].insert(barrier);
            }
            last = decision.before;
        }
    }

    fn has_results(&self, decision: &Decision) -> bool {
        let before = decision
            .before
            .and_then(|before| self.decisions.get(before));
        before.is_some_and(|before| before.token.producer == decision.token.producer)
    }
}
