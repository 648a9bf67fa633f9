//! Scoreboards and control words of machine code: phases 114 to 116 and 119 to 121.
//!
//! [`assign`] takes a function whose instructions are in their final order, discards its control
//! words, and computes new ones: which operations need waits (`pending`), the stalls for fixed
//! latencies (`stalls`), which scoreboards are armed (`allocate`), the remaining waits, then yields
//! and register reuse (`hints`). The decision between stall and scoreboard is by kind of producer,
//! then by latency (contradiction register C17).
//!
//! Only static time is shared with [`super::simulate`], which checks the result.
//! `docs/sass-scoreboards.md` maps the rules of the page to this code.
//!
//! Cost: near-linear; see the parts for their bounds.

mod allocate;
mod beam;
mod flow_edges;
mod groups;
#[cfg(test)]
mod guard_tests;
#[cfg(test)]
mod hint_tests;
mod hints;
mod in_flight;
mod input;
mod object;
mod pending;
#[cfg(test)]
mod queue_tests;
mod repair;
#[cfg(test)]
mod repair_tests;
mod serial;
mod stalls;
#[cfg(test)]
mod tests;

pub use object::Status;
pub use repair::{Mended, Repair, RepairKnobs, repair};
pub use serial::{SerialScheme, assign_serial};

use orison_sass::control::{Barrier, BarrierSet, ControlWord, ReuseSet, Stall};
use orison_sass::function::Function;
use orison_sass::instruction::Instruction;
use orison_sass::scheduled::Scheduled;

use super::facts::{Action, FunctionFacts};
use super::latency::LatencyModel;
use super::roles::Role;
use super::simulate::{Frequencies, time_with};
use allocate::Counts;
use flow_edges::FlowEdges;
use groups::Groups;
use input::{Input, Words};
use pending::Waits;

/// Constants of the pages that may be overridden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knobs {
    /// Scoreboards used, of the six: at least one.
    pub barriers: usize,
    /// Longest stall, 1 to 15 cycles (knobs 805 and 806, capped by the encoding; C03).
    pub longest_stall: u32,
    /// Shortest stall in cycles. The page reads knob 741 as a minimum of 3; real code has none
    /// (measured), so 1 is the default (C03).
    pub stall_floor: u32,
    /// Stalls of at least this many cycles yield to another warp (C31, C44; measured: 3 to 5 cycles
    /// in 58-83%, 2 in 13%, 1 never).
    pub yield_threshold: u32,
    /// Age in cycles from which a scoreboard is evicted before younger ones; 56 on the page. It
    /// releases nothing (C16).
    pub eviction_age: u32,
    /// Whether the free scoreboard last used by the same class is preferred.
    pub class_affinity: bool,
    /// Whether operations may share a scoreboard.
    pub sharing: bool,
    /// Whether an operation that arms a scoreboard waits for those in flight that have a general
    /// register in common with it (the page's conflict correction). Unnecessary, because
    /// scoreboards count (reference 10.4).
    pub conflict_avoidance: bool,
    /// Whether operations may be in flight across blocks (knobs 738 and 739). If not, the last
    /// instruction of each block waits for everything.
    pub across_blocks: bool,
    /// The number of allocation strategies tried if scoreboards are scarce, at least one; there are
    /// five.
    pub strategies: usize,
    /// Partial allocations that are kept at once where the allocation of the best strategy is improved;
    /// with none it stays.
    pub beam: usize,
    /// Typical latencies in the estimates, in percent (knob 747, which scales latencies; stalls are
    /// never scaled).
    pub latency_scale: u32,
    /// One yield per this many textures of a block; 0 follows the stall (a quarter of the target's
    /// batch on the page, which gives no numbers).
    pub texture_batch: u32,
    /// Whether register reuse flags are set.
    pub reuse: bool,
}

impl Default for Knobs {
    fn default() -> Self {
        Knobs {
            barriers: Barrier::COUNT,
            longest_stall: 15,
            stall_floor: 1,
            yield_threshold: 3,
            eviction_age: 56,
            class_affinity: true,
            sharing: true,
            conflict_avoidance: false,
            across_blocks: true,
            strategies: 2,
            beam: 8,
            latency_scale: 100,
            texture_batch: 0,
            reuse: true,
        }
    }
}

/// Statistics of an assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Operation sides (results or operands) that arm a scoreboard.
    pub armed: u64,
    /// Of them, those that share one.
    pub shared: u64,
    /// Waits that release a scoreboard for another operation.
    pub evicted: u64,
    /// Wait bits.
    pub waits: u64,
    /// Instructions inserted where a latency exceeds the preceding stalls.
    pub inserted: u64,
}

impl Summary {
    /// Adds other statistics.
    pub fn add(&mut self, other: &Summary) {
        self.armed += other.armed;
        self.shared += other.shared;
        self.evicted += other.evicted;
        self.waits += other.waits;
        self.inserted += other.inserted;
    }
}

/// Resets the control words of a function.
pub fn strip(function: &mut Function<'_>) {
    function.instructions_mut().for_each(reset);
}

/// Resets the control word of an instruction: one cycle, no scoreboards, no reuse.
pub fn reset(instruction: &mut Scheduled<'_>) {
    instruction.control = ControlWord::PLAIN;
    keep_registers(instruction, ReuseSet::EMPTY, &[]);
}

/// Writes the reuse flags of an instruction, in its control word and at its operands: `operands`
/// are the indices of the operands in slots A, B and C.
fn keep_registers(instruction: &mut Scheduled<'_>, reuse: ReuseSet, operands: &[Option<usize>]) {
    instruction.control.reuse = reuse;
    instruction.mark_reuse(|number| {
        let slot = |slot: u8| operands.get(usize::from(slot)).copied().flatten();
        reuse.iter().any(|kept| slot(kept) == Some(number))
    });
}

/// Recomputes the control words of a function (phase 115).
pub fn assign(
    function: &mut Function<'_>,
    model: &LatencyModel,
    frequencies: &Frequencies,
    knobs: &Knobs,
) -> Summary {
    let mut facts = FunctionFacts::new(function, model);
    assign_with(function, &mut facts, model, frequencies, knobs)
}

/// Like [`assign`], with the facts of the function, which get those of inserted instructions.
pub(crate) fn assign_with(
    function: &mut Function<'_>,
    facts: &mut FunctionFacts,
    model: &LatencyModel,
    frequencies: &Frequencies,
    knobs: &Knobs,
) -> Summary {
    let mut summary = Summary::default();
    // Latencies longer than stalls can be: each iteration inserts the missing instructions.
    let words = loop {
        let mut edges = FlowEdges::new(function);
        if !knobs.across_blocks {
            edges.leaves.fill(true);
        }
        let input = Input::new(function, facts, model, &edges);
        let mut minimum = minimum_stalls(facts, model, knobs);
        let longest = knobs.longest_stall;
        let mut solved = stalls::solve(&input, frequencies, &minimum, longest);
        // What is added between two products may shorten the stalls between others: again, until none lacks
        // any. Each iteration raises a minimum above the stall there.
        loop {
            let spaced = space_products(function, facts, longest, &solved.cycles, &mut minimum);
            if !spaced.raised {
                solved.add_gaps(spaced.gaps);
                break;
            }
            solved = stalls::solve(&input, frequencies, &minimum, longest);
        }
        if solved.gaps.is_empty() {
            break control_words(&input, &solved.cycles, frequencies, knobs, &mut summary);
        }
        summary.inserted += insert_waits(function, facts, &solved.gaps, knobs);
        *facts = FunctionFacts::new(function, model);
    };
    set_words(function, &words);
    drain(function, facts, model.scoreboards().arm_cycles);
    fill(function);
    hints::apply(function, facts, model, knobs);
    summary
}

/// The control words of the strategy with the least static time; the first of equals.
fn control_words(
    input: &Input<'_>,
    cycles: &[u32],
    frequencies: &Frequencies,
    knobs: &Knobs,
    summary: &mut Summary,
) -> Vec<ControlWord> {
    let needs = pending::waits(input, None);
    let mut offsets = Vec::with_capacity(cycles.len());
    for block in 0..input.facts.block_count() {
        offsets.extend(stalls::offsets(&cycles[input.facts.block(block)]));
    }
    let waiters = allocate::Waiters::new(&needs, cycles.len());
    let groups = Groups::new(input);
    let timed = |words: &Words| {
        let waits = pending::waits(input, Some(words));
        let found = merge(input, cycles, words, &waits);
        let time = time_with(
            input.function,
            input.facts,
            input.model,
            frequencies,
            &found,
        );
        (time.cycles, found)
    };
    let mut best: Option<(u64, Vec<ControlWord>, Words, Counts)> = None;
    for strategy in allocate::STRATEGIES.iter().take(knobs.strategies.max(1)) {
        let (words, counts) =
            allocate::allocate(input, &needs, &waiters, &offsets, &groups, knobs, *strategy);
        let (time, found) = timed(&words);
        if best.as_ref().is_none_or(|best| time < best.0) {
            best = Some((time, found, words, counts));
        }
        if counts.shared + counts.evicted == 0 {
            // There are enough scoreboards for all operations.
            break;
        }
    }
    let Some((mut least, mut found, mut words, counts)) = best else {
        return Vec::new();
    };
    // The waits of the page's conflict correction depend on the scoreboards: the search would lose them.
    if knobs.beam > 0 && !knobs.conflict_avoidance && counts.shared + counts.evicted > 0 {
        let problem = beam::Problem {
            input,
            needs: &needs,
            waiters: &waiters,
            offsets: &offsets,
            cycles,
            frequencies,
            barriers: allocate::usable(groups.reserved, knobs),
            sharing: knobs.sharing,
            latency_scale: i64::from(knobs.latency_scale),
            width: knobs.beam,
        };
        for _ in 0..beam::ROUNDS {
            let improved = beam::improve(&problem, &words);
            if improved == words {
                break;
            }
            let (time, better) = timed(&improved);
            if time >= least {
                break;
            }
            (least, found, words) = (time, better, improved);
        }
    }
    summary.armed += counts.armed;
    summary.shared += counts.shared;
    summary.evicted += counts.evicted;
    let bits = found.iter().map(|word| word.wait.iter().count());
    summary.waits += u64::try_from(bits.sum::<usize>()).unwrap_or(u64::MAX);
    found
}

fn set_words(function: &mut Function<'_>, words: &[ControlWord]) {
    for (instruction, word) in function.instructions_mut().zip(words) {
        instruction.control = *word;
    }
}

/// The control words of all instructions. Arming takes effect after two cycles (reference 10.4), so
/// an arming instruction leaves that many before a wait for the same scoreboard, or the end of its
/// block.
fn merge(input: &Input<'_>, cycles: &[u32], words: &Words, waits: &Waits) -> Vec<ControlWord> {
    let arm_cycles = input.model.scoreboards().arm_cycles;
    let mut found: Vec<ControlWord> = Vec::with_capacity(cycles.len());
    for block in 0..input.facts.block_count() {
        let numbers = input.facts.block(block);
        for number in numbers.clone() {
            let assigned = words.assigned[number];
            let mut word = ControlWord {
                stall: Stall::at_most(cycles[number]),
                write_barrier: assigned.write,
                read_barrier: assigned.read,
                wait: waits.masks[number],
                ..ControlWord::PLAIN
            };
            let armed = word.armed();
            let needed = match number + 1 == numbers.end {
                true => armed,
                false => soon_waited_by(input, waits, cycles, number, arm_cycles),
            };
            let too_soon = armed.iter().any(|barrier| needed.contains(barrier));
            if too_soon && cycles[number] < arm_cycles {
                word.stall = Stall::at_most(arm_cycles);
            }
            found.push(word);
        }
    }
    found
}

/// Sets a stall of zero on instructions until whose end nothing issues, as ptxas does, also at -O0, unless a later
/// one needs more cycles than the drain is guaranteed to take.
fn drain(function: &mut Function<'_>, facts: &FunctionFacts, surely: u32) {
    for (number, instruction) in function.instructions_mut().enumerate() {
        let cycles = u32::from(instruction.control.stall.cycles());
        if cycles <= surely && facts.fact(number).roles.has(Role::Drains) {
            stop(instruction);
        }
    }
}

/// A stall of zero that ends with what is in flight: it yields, unlike that of a pair.
fn stop(instruction: &mut Scheduled<'_>) {
    instruction.control.stall = Stall::at_most(0);
    instruction.control.yields = true;
}

/// Sets a stall of zero on the code after the last block, which nothing reaches, or only what stops (`BPT.TRAP`): a
/// branch to itself and no-ops, as ptxas writes them.
fn fill(function: &mut Function<'_>) {
    let edges = FlowEdges::new(function);
    let count = function.blocks.len();
    let is_entry = |block| function.entries.iter().any(|entry| entry.block == block);
    let unreached =
        |block: &usize| !is_entry(*block) && edges.into[*block].iter().all(|edge| edge.0 == *block);
    let stuck = |block: &usize| {
        let found = &function.blocks[*block];
        let mut next = found.successors.iter().map(|edge| edge.to);
        found.instructions.len() == 1 && next.len() > 0 && next.all(|to| to == *block)
    };
    let behind = |block: &usize| unreached(block) || stuck(block);
    let first = (0..count).rev().take_while(behind).last();
    for block in &mut function.blocks[first.unwrap_or(count)..] {
        block.instructions.iter_mut().for_each(stop);
    }
}

/// The scoreboards that instructions wait for which issue less than so many cycles after another of their block:
/// the next, or, if it is the first of a pair, both.
fn soon_waited_by(
    input: &Input<'_>,
    waits: &Waits,
    cycles: &[u32],
    number: usize,
    limit: u32,
) -> BarrierSet {
    let block = input.facts.block(input.facts.block_of(number));
    let mut found = BarrierSet::EMPTY;
    let mut distance = cycles[number];
    for (next, stall) in (number + 1..block.end).zip(&cycles[number + 1..]) {
        if distance >= limit {
            break;
        }
        found = found.union(waited_by(input, waits, next));
        distance += stall;
    }
    found
}

fn waited_by(input: &Input<'_>, waits: &Waits, number: usize) -> BarrierSet {
    let mask = waits.masks[number];
    match input.facts.fact(number).action {
        Action::WaitScoreboard {
            barrier, others, ..
        } => mask.union(others).union([barrier].into_iter().collect()),
        _ => mask,
    }
}

/// The minimum stall of each instruction: what ptxas always leaves after it, and the floor; zero for the first of
/// two that may issue in the same cycle.
fn minimum_stalls(facts: &FunctionFacts, model: &LatencyModel, knobs: &Knobs) -> Vec<u32> {
    let least = (0..facts.len()).map(|number| facts.fact(number).issue_minimum);
    let mut minimum: Vec<u32> = least
        .map(|least| least.max(knobs.stall_floor).clamp(1, knobs.longest_stall))
        .collect();
    if model.has_pairs() && knobs.stall_floor <= 1 {
        for block in 0..facts.block_count() {
            let mut numbers = facts.block(block);
            while let Some(first) = numbers.next() {
                if minimum[first] == 1 && numbers.start < numbers.end && facts.pairs(model, first) {
                    minimum[first] = 0;
                    numbers.next();
                }
            }
        }
    }
    minimum
}

/// What the distances between products lack.
struct Spaced {
    /// Whether a minimum was raised.
    raised: bool,
    /// What the stalls between two products cannot add.
    gaps: Vec<stalls::Gap>,
}

/// Raises minimum stalls to the distance that ptxas leaves between two products of a path without taken
/// branches, from the second one backwards.
fn space_products(
    function: &Function<'_>,
    facts: &FunctionFacts,
    longest: u32,
    cycles: &[u32],
    minimum: &mut [u32],
) -> Spaced {
    let mut spaced = Spaced {
        raised: false,
        gaps: Vec::new(),
    };
    let mut last = None;
    for index in 0..function.blocks.len() {
        let before = index.checked_sub(1).map(|before| &function.blocks[before]);
        if !before.is_some_and(|before| before.successors.iter().any(|edge| edge.to == index)) {
            last = None;
        }
        for number in facts.block(index) {
            let Some(distance) = facts.fact(number).product_distance else {
                continue;
            };
            let Some((earlier, distance)) = last.replace((number, distance)) else {
                continue;
            };
            let between = earlier..number;
            let given: u32 = cycles[between.clone()].iter().sum();
            let mut missing = distance.saturating_sub(given);
            for place in between.rev() {
                let more = missing.min(longest.saturating_sub(cycles[place]));
                if more > 0 {
                    spaced.raised = true;
                    minimum[place] = cycles[place] + more;
                    missing -= more;
                }
            }
            if missing > 0 {
                spaced.gaps.push(stalls::Gap {
                    instruction: number,
                    cycles: missing,
                });
            }
        }
    }
    spaced
}

/// Inserts no-ops where stalls are too short; returns their number.
fn insert_waits(
    function: &mut Function<'_>,
    facts: &FunctionFacts,
    gaps: &[stalls::Gap],
    knobs: &Knobs,
) -> u64 {
    let mut inserted = 0;
    for gap in gaps.iter().rev() {
        let index = facts.block_of(gap.instruction);
        let place = gap.instruction - facts.block(index).start;
        let block = &mut function.blocks[index];
        let count = gap.cycles.div_ceil(knobs.longest_stall);
        for _ in 0..count {
            block.insert(place, Instruction::new("NOP"));
            inserted += 1;
        }
    }
    inserted
}
