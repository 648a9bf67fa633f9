//! The hazard simulator: issues real machine code from its control words alone, on all ways through
//! a function, and tells where a value may be read, overwritten or replaced at the wrong time.
//!
//! Fixed results arrive after their latency. Variable ones, and the reads of operations that wait in
//! a queue, end at the worst time that their scoreboard allows: nothing but a wait ends them. Where
//! ways join, ages become the least and covers what holds on all of them; blocks are walked again
//! until nothing changes. `docs/sass-simulate.md` has the rules and the evidence for each.
//!
//! Cost: every walk of a block is linear in its instructions times what is under way, which the
//! number of registers bounds. A block is walked once for each change at its start; ages only fall
//! (at most the longest latency, some 30 cycles), covers and groups only shrink, so that there is an
//! end; real code needs two or three walks.

mod hazard;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod timing;

use orison_sass::program::{BlockIndex, Flow, Function, flow};

pub use hazard::{Hazard, HazardKind, Lint, LintKind};
pub use state::InstructionIndex;
pub use timing::{BlockTiming, Frequencies, StallBreakdown, Timing};

use super::facts::FunctionFacts;
use super::latency::LatencyModel;
use state::{Snapshot, State};
use step::{Findings, Step};

/// What the simulator says about a function.
#[derive(Clone, Debug)]
pub struct Report {
    /// Hazards, by consumer, producer and kind, each once.
    pub hazards: Vec<Hazard>,
    /// Lints, by instruction.
    pub lints: Vec<Lint>,
    /// Time.
    pub timing: Timing,
    /// What was looked at.
    pub checked: Checked,
}

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Blocks.
    pub blocks: u64,
    /// Instructions.
    pub instructions: u64,
    /// Dependences on something that may be under way.
    pub dependences: u64,
    /// Wait bits.
    pub waits: u64,
    /// Walks of a block until nothing changed.
    pub walks: u64,
}

impl Checked {
    /// Adds what was looked at elsewhere.
    pub fn add(&mut self, other: &Checked) {
        self.blocks += other.blocks;
        self.instructions += other.instructions;
        self.dependences += other.dependences;
        self.waits += other.waits;
        self.walks += other.walks;
    }
}

/// Simulates a function.
pub fn simulate(function: &Function, model: &LatencyModel) -> Report {
    let facts = FunctionFacts::new(function, model);
    simulate_with(function, &facts, model, &Frequencies::of_loops(function))
}

/// Simulates a function whose facts are known, and whose blocks are executed so often.
pub fn simulate_with(
    function: &Function,
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
        timing: timing::time(function, facts, model, frequencies),
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
pub fn hazards(function: &Function, facts: &FunctionFacts, model: &LatencyModel) -> Vec<Hazard> {
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
    function: &'a Function,
    facts: &'a FunctionFacts,
    model: &'a LatencyModel,
    state: State<'a>,
    /// What is under way at the start of each block; none until a way to it is known.
    starts: Vec<Option<Snapshot>>,
    /// Blocks to walk, each once.
    queue: std::collections::BTreeSet<BlockIndex>,
    /// Of each block, those behind the calls of the function that it is in.
    returns: Vec<Vec<(BlockIndex, usize)>>,
    walks: u64,
}

fn find(function: &Function, facts: &FunctionFacts, model: &LatencyModel) -> (Findings, u64) {
    let blocks = function.blocks.len();
    let mut walker = Walker {
        function,
        facts,
        model,
        state: State::new(model, facts.len()),
        starts: vec![None; blocks],
        queue: std::collections::BTreeSet::new(),
        returns: callers(function),
        walks: 0,
    };
    for entry in &function.entries {
        walker.start(entry.block, &Snapshot::default());
    }
    walker.settle();
    // Blocks that nobody knows a way to: behind jumps through a register.
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

    /// Walks a block from its start; what is under way at its end.
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

    /// Hands what is under way on to the blocks that follow.
    fn leave(&mut self, block: BlockIndex, end: &Snapshot) {
        let function = self.function;
        let found = &function.blocks[block];
        let last = found.instructions.last().map(flow);
        if let Some(callee) = found.callee {
            self.start(callee, end);
        }
        let behind = match last {
            Some(Flow::Call) => end.clone().after_call(),
            _ => end.clone(),
        };
        for edge in &found.successors {
            self.start(edge.to, &behind);
        }
        if last == Some(Flow::Return) {
            for (to, callee) in self.returns[block].clone() {
                let facts = self.facts;
                let returned = &self.returns;
                let own = |who: InstructionIndex| {
                    let from = facts.block_of(who as usize);
                    returned[from].iter().any(|(_, name)| *name == callee)
                };
                let back = end.clone().only(own);
                self.start(to, &back);
            }
        }
    }
}

/// Of each block, where the calls of its function go on: the block behind each call, and the callee.
/// A block that several callees share has all of theirs.
fn callers(function: &Function) -> Vec<Vec<(BlockIndex, usize)>> {
    let mut returns: Vec<Vec<(BlockIndex, usize)>> = vec![Vec::new(); function.blocks.len()];
    let mut callees: Vec<(BlockIndex, Vec<BlockIndex>)> = Vec::new();
    for block in &function.blocks {
        let Some(callee) = block.callee else {
            continue;
        };
        let behind = block.successors.iter().map(|edge| edge.to);
        match callees.iter_mut().find(|found| found.0 == callee) {
            Some(found) => found.1.extend(behind),
            None => callees.push((callee, behind.collect())),
        }
    }
    for (callee, mut behind) in callees {
        behind.sort_unstable();
        behind.dedup();
        for block in reachable(function, callee) {
            let to = behind.iter().map(|block| (*block, callee));
            returns[block].extend(to);
        }
    }
    returns
}

/// The blocks that control can reach from one without returning, in order.
fn reachable(function: &Function, from: BlockIndex) -> Vec<BlockIndex> {
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
