//! The hazard simulator: issues machine code from its control words alone, on all paths through a
//! function, and reports where a value may be read, overwritten or replaced at the wrong time.
//!
//! Fixed results arrive after their latency. Variable ones, and the reads of queued operations,
//! complete at the worst time that their scoreboard permits: only a wait ends them. At joins, ages
//! are the minimum and covers the intersection over all paths; blocks are walked again to a
//! fixpoint. `docs/sass-simulate.md` has the rules and the evidence for each.
//!
//! Cost: every walk of a block is linear in its instructions times what is in flight, which the
//! number of registers bounds. A block is walked once for each change at its start; ages only fall
//! (at most the longest latency, some 30 cycles), covers and groups only shrink, so the walk
//! terminates; real code needs two or three walks.

#[cfg(test)]
mod faults;
mod groups;
mod hazard;
#[cfg(test)]
mod join_tests;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod timing;

use orison_sass::function::{Block, BlockIndex, EdgeKind, Function};
use orison_sass::instruction::{Flow, flow};

pub use hazard::{Hazard, HazardKind, Lint, LintKind};
pub use state::InstructionIndex;
pub(in crate::sass) use timing::replay;
pub use timing::{BlockTiming, Frequencies, Issue, StallBreakdown, Timing, innermost_loops};
pub(crate) use timing::{Queues, completion, counted, join_counted, join_queues};
pub(crate) use timing::{time, time_with};

use super::facts::FunctionFacts;
use super::guards::Literal;
use super::latency::LatencyModel;
use state::{Snapshot, State};
use step::{Findings, Step};

/// The simulator's report on a function.
#[derive(Clone, Debug)]
pub struct Report {
    /// Hazards, by consumer, producer and kind, each once.
    pub hazards: Vec<Hazard>,
    /// Lints, by instruction.
    pub lints: Vec<Lint>,
    /// Time.
    pub timing: Timing,
    /// Statistics of the checks.
    pub checked: Checked,
}

/// Statistics of the checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Blocks.
    pub blocks: u64,
    /// Instructions.
    pub instructions: u64,
    /// Dependences on operations that may be in flight.
    pub dependences: u64,
    /// Wait bits.
    pub waits: u64,
    /// Block walks until the fixpoint.
    pub walks: u64,
}

impl Checked {
    /// Adds other statistics.
    pub fn add(&mut self, other: &Checked) {
        self.blocks += other.blocks;
        self.instructions += other.instructions;
        self.dependences += other.dependences;
        self.waits += other.waits;
        self.walks += other.walks;
    }
}

/// Simulates a function.
pub fn simulate(function: &Function<'_>, model: &LatencyModel) -> Report {
    let facts = FunctionFacts::new(function, model);
    simulate_with(function, &facts, model, &Frequencies::of_loops(function))
}

/// Simulates a function with given facts and execution frequencies of blocks.
pub fn simulate_with(
    function: &Function<'_>,
    facts: &FunctionFacts,
    model: &LatencyModel,
    frequencies: &Frequencies,
) -> Report {
    let (findings, walks) = find(function, facts, model);
    let Findings {
        mut hazards,
        mut lints,
        waits,
        checked,
        ..
    } = findings;
    hazards.sort_by_key(Hazard::key);
    hazards.dedup_by_key(|hazard| hazard.key());
    lints.sort();
    lints.dedup();
    Report {
        hazards,
        lints,
        timing: time(function, facts, model, frequencies),
        checked: Checked {
            blocks: count(function.blocks.len()),
            instructions: count(facts.len()),
            dependences: checked,
            waits,
            walks,
        },
    }
}

/// The hazards of a function, without its time.
pub fn hazards(
    function: &Function<'_>,
    facts: &FunctionFacts,
    model: &LatencyModel,
) -> Vec<Hazard> {
    let (findings, _) = find(function, facts, model);
    let mut hazards = findings.hazards;
    hazards.sort_by_key(Hazard::key);
    hazards.dedup_by_key(|hazard| hazard.key());
    hazards
}

fn count(value: usize) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}

/// The fixed point over blocks.
struct Walker<'a> {
    function: &'a Function<'a>,
    facts: &'a FunctionFacts,
    model: &'a LatencyModel,
    state: State<'a>,
    /// The state in flight at the start of each block; `None` until a path to it is known.
    starts: Vec<Option<Snapshot>>,
    /// Blocks to walk, each once.
    queue: std::collections::BTreeSet<BlockIndex>,
    /// For blocks that end with a call or return, the state in flight at their end.
    ends: Vec<Option<Snapshot>>,
    calls: Calls,
    walks: u64,
}

fn find(function: &Function<'_>, facts: &FunctionFacts, model: &LatencyModel) -> (Findings, u64) {
    let blocks = function.blocks.len();
    let mut walker = Walker {
        function,
        facts,
        model,
        state: State::new(model, facts.len()),
        starts: vec![None; blocks],
        queue: std::collections::BTreeSet::new(),
        ends: vec![None; blocks],
        calls: Calls::of(function),
        walks: 0,
    };
    for entry in &function.entries {
        walker.start(entry.block, &Snapshot::default());
    }
    walker.settle();
    // Blocks without a known path: after jumps through a register.
    for block in 0..blocks {
        if walker.starts[block].is_none() {
            walker.start(block, &Snapshot::default());
            walker.settle();
        }
    }
    let mut findings = Findings {
        wanted: true,
        ..Findings::default()
    };
    for block in 0..blocks {
        walker.walk(block, &mut findings);
    }
    findings.hazards.extend(groups::hazards(function, facts));
    (findings, walker.walks)
}

impl Walker<'_> {
    fn start(&mut self, block: BlockIndex, snapshot: &Snapshot) {
        let Some(start) = self.starts.get_mut(block) else {
            return;
        };
        let changed = match start {
            Some(start) => start.join(snapshot),
            None => {
                *start = Some(snapshot.clone());
                true
            }
        };
        if changed {
            self.queue.insert(block);
        }
    }

    fn settle(&mut self) {
        let mut nothing = Findings::default();
        while let Some(block) = self.queue.pop_first() {
            let end = self.walk(block, &mut nothing);
            self.walks += 1;
            self.leave(block, &end);
        }
    }

    /// Walks a block from its start; returns the state in flight at its end.
    fn walk(&mut self, block: BlockIndex, findings: &mut Findings) -> Snapshot {
        let nothing = Snapshot::default();
        let start = self.starts[block].as_ref().unwrap_or(&nothing);
        self.state.enter(start);
        let numbers = self.facts.block(block);
        for (instruction, number) in self.function.blocks[block].instructions.iter().zip(numbers) {
            let step = Step {
                model: self.model,
                facts: self.facts,
                index: InstructionIndex::try_from(number).unwrap_or(InstructionIndex::MAX),
                control: &instruction.control,
            };
            step.issue(&mut self.state, findings);
        }
        self.state.leave()
    }

    /// Propagates the state in flight to the successors.
    fn leave(&mut self, block: BlockIndex, end: &Snapshot) {
        let function = self.function;
        let found = &function.blocks[block];
        let last = found.flow();
        let returns = found.callee.map(|callee| self.calls.returns(callee));
        if let (Some(callee), Some(returns)) = (found.callee, returns.filter(|all| !all.is_empty()))
        {
            self.ends[block] = Some(end.clone());
            self.start(callee, end);
            for from in returns {
                self.come_back(from, block);
            }
            return;
        }
        // An unknown callee is assumed to only take time.
        let behind = match last {
            Some(Flow::Call) => end.clone().after_call(),
            _ => end.clone(),
        };
        for edge in &found.successors {
            match taken_where(found, edge.kind) {
                Some(literal) => self.start(edge.to, &behind.clone().under(literal)),
                None => self.start(edge.to, &behind),
            }
        }
        if last == Some(Flow::Return) {
            self.ends[block] = Some(end.clone());
            for call in self.calls.calls_of[block].clone() {
                self.come_back(block, call);
            }
        }
    }

    /// After a call, the state that its callee leaves in flight: operations started by the callee,
    /// and those in flight at this call that nothing in the callee waited for.
    fn come_back(&mut self, from: BlockIndex, call: BlockIndex) {
        let (Some(end), Some(before)) = (&self.ends[from], &self.ends[call]) else {
            return;
        };
        let (facts, calls) = (self.facts, &self.calls);
        let of_callee =
            |who: InstructionIndex| calls.calls_of[facts.block_of(who as usize)].contains(&call);
        let behind = end.clone().only(of_callee, before);
        let function = self.function;
        for edge in &function.blocks[call].successors {
            self.start(edge.to, &behind);
        }
    }
}

/// What holds in all threads that leave a block along an edge: the guard of its jump, or the negation.
fn taken_where(block: &Block<'_>, kind: EdgeKind) -> Option<Literal> {
    let last = block.instructions.last()?;
    let guard = Literal::of_guard(last.instruction.guard?)?;
    // Other operands may be conditions, too.
    let ends = matches!(flow(&last.instruction), Flow::Jump | Flow::Exit);
    match kind {
        EdgeKind::Taken => ends.then_some(guard),
        EdgeKind::FallThrough => {
            (ends && last.instruction.operands.len() <= 1).then(|| guard.where_it_is(false))
        }
    }
}

/// The blocks of the callees of each call.
struct Calls {
    /// For each block, the blocks that end with a call of a function that contains it.
    calls_of: Vec<Vec<BlockIndex>>,
    /// For each callee, the blocks that end with its returns.
    returns: Vec<(BlockIndex, Vec<BlockIndex>)>,
}

impl Calls {
    fn of(function: &Function<'_>) -> Calls {
        let mut calls = Calls {
            calls_of: vec![Vec::new(); function.blocks.len()],
            returns: Vec::new(),
        };
        let mut callees: Vec<(BlockIndex, Vec<BlockIndex>)> = Vec::new();
        for (number, block) in function.blocks.iter().enumerate() {
            let Some(callee) = block.callee else {
                continue;
            };
            match callees.iter_mut().find(|found| found.0 == callee) {
                Some(found) => found.1.push(number),
                None => callees.push((callee, vec![number])),
            }
        }
        for (callee, from) in callees {
            let inside = reachable(function, callee);
            for block in &inside {
                calls.calls_of[*block].extend_from_slice(&from);
            }
            let returns = inside
                .into_iter()
                .filter(|block| function.blocks[*block].flow() == Some(Flow::Return));
            calls.returns.push((callee, returns.collect()));
        }
        calls
    }

    /// The blocks that end with the returns of a callee.
    fn returns(&self, callee: BlockIndex) -> Vec<BlockIndex> {
        let found = self.returns.iter().find(|found| found.0 == callee);
        found.map(|found| found.1.clone()).unwrap_or_default()
    }
}

/// The blocks reachable from one without returning, in order.
fn reachable(function: &Function<'_>, from: BlockIndex) -> Vec<BlockIndex> {
    let mut seen = vec![false; function.blocks.len()];
    let mut work = vec![from];
    let mut found = Vec::new();
    while let Some(block) = work.pop() {
        if seen.get(block).copied().unwrap_or(true) {
            continue;
        }
        seen[block] = true;
        found.push(block);
        work.extend(function.blocks[block].successors.iter().map(|edge| edge.to));
    }
    found.sort_unstable();
    found
}
