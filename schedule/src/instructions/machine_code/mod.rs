//! Schedules machine code within blocks: registers stay, control words are made anew.
//!
//! Every block is a region of the instruction scheduler ([`crate::instructions`]) with what is in flight at its
//! start and what later blocks wait for (`flow`). The new orders get control words, and are kept where the static
//! time says so: no function becomes slower than its old order with new words.

#[cfg(test)]
mod campaign;
#[cfg(test)]
mod clock_tests;
mod exposed;
mod flow;
#[cfg(test)]
mod pair_tests;
mod parts;
#[cfg(test)]
mod parts_tests;
mod pass;
mod region;
#[cfg(test)]
mod strategy_tests;
#[cfg(test)]
mod tests;

use orison_sass::function::{BlockIndex, Function};

pub use pass::{ScheduleInstructions, ScheduleInstructionsOptions};

use crate::instructions::strategies::{Choice, Phase, Settings, Strategy, cascade, choose};
use crate::instructions::{Departure, Entry};
use crate::sass::facts::FunctionFacts;
use crate::sass::latency::LatencyModel;
use crate::sass::scoreboards::{self, Summary, assign_with, strip};
use crate::sass::simulate::{Frequencies, Timing, hazards, time};
use flow::Flow;
use parts::{Parts, chunks};
use region::Regions;

/// How a function is scheduled.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Whether instructions move; if not, only control words are new.
    pub moves: bool,
    /// Addresses of instructions that nothing moves across, so that they stay where they are in their blocks: what
    /// else there is in a cubin may refer to them.
    pub fixed: &'a [u64],
    /// The constants of the control words.
    pub words: scoreboards::Knobs,
    /// What strategies may spend.
    pub settings: Settings,
    /// The strategy of all blocks; `None` chooses by block.
    pub strategy: Option<&'static dyn Strategy>,
    /// Whether the number of instructions stays: an order that needs a `NOP` is given up, and so are new words.
    pub in_place: bool,
    /// Whether a function keeps the order and the control words that it has if these have no hazard and nothing
    /// faster was found.
    pub keeps_words: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            moves: true,
            fixed: &[],
            // Words are made for every order that is tried: half as wide a search costs 0.003% of the cycles.
            words: scoreboards::Knobs {
                beam: 4,
                ..scoreboards::Knobs::default()
            },
            settings: Settings::default(),
            strategy: None,
            in_place: false,
            keeps_words: false,
        }
    }
}

/// What happened to a block.
#[derive(Clone, Copy, Debug)]
pub struct BlockOutcome {
    /// The block.
    pub block: BlockIndex,
    /// The strategy that found the order.
    pub strategy: &'static dyn Strategy,
    /// Static cycles of an execution with the old order and new words.
    pub before: u64,
    /// Those with the new order.
    pub after: u64,
}

/// What scheduling did to a function.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Static cycles with the control words that it had.
    pub given: u64,
    /// Those of the old order with new words.
    pub before: u64,
    /// Those of the result.
    pub after: u64,
    /// The blocks with a new order.
    pub blocks: Vec<BlockOutcome>,
    /// Scoreboards and waits of the result.
    pub summary: Summary,
}

/// The model for new control words of a function that has some: `model`, that of code for its target, or that of the
/// target machine alone if the given words are right there and not by `model`. ptxas 12.9 and 13.0 make code for
/// `sm_100` whose doubles take no scoreboards, which sm_103 needs; new words need not do more.
pub fn model_of(function: &Function<'_>, model: &'static LatencyModel) -> &'static LatencyModel {
    let own = LatencyModel::for_target(&function.target);
    let code = LatencyModel::for_code(&function.target);
    let safe = |model| is_safe(function, &FunctionFacts::new(function, model), model);
    match (own, code) {
        (Some(own), Some(code)) if std::ptr::eq(model, code) && !std::ptr::eq(own, code) => {
            if !safe(code) && safe(own) { own } else { code }
        }
        _ => model,
    }
}

/// Rounds in which blocks that became slower get their old order back.
const ROUNDS: usize = 2;

/// Schedules a function and computes its control words. The result is the fastest, by static time, of the new
/// orders and the old one with new words.
pub fn schedule(
    function: &mut Function<'_>,
    model: &LatencyModel,
    frequencies: &Frequencies,
    options: &Options<'_>,
) -> Outcome {
    let parts = Parts::of(function);
    let Some(mut cut) = parts.cut(function) else {
        return schedule_parts(function, &parts, model, frequencies, options);
    };
    let frequencies = frequencies.of_parts(parts.first());
    let outcome = schedule_parts(&mut cut, &parts, model, &frequencies, options);
    parts.join(function, cut);
    outcome
}

/// Schedules a function whose blocks are the parts of those of another one.
fn schedule_parts(
    function: &mut Function<'_>,
    parts: &Parts,
    model: &LatencyModel,
    frequencies: &Frequencies,
    options: &Options<'_>,
) -> Outcome {
    let mut facts = FunctionFacts::new(function, model);
    facts.pin(function, options.fixed);
    let mut outcome = Outcome {
        given: time(function, &facts, model, frequencies).cycles,
        ..Outcome::default()
    };
    let as_given = function.clone();
    strip(function);
    let words = Words {
        model,
        frequencies,
        knobs: &options.words,
    };
    let old = words.of(function.clone(), facts.clone());
    outcome.before = old.timing.cycles;
    let (orders, strategies) = orders(function, &facts, model, frequencies, options);
    let best = fastest(function, &facts, &words, &old, orders, options.in_place);
    let found = best.as_ref().map(|best| best.0.timing.cycles);
    let has_no_faster = outcome.given <= found.unwrap_or(outcome.before);
    let has_no_room = options.in_place && best.is_none() && old.summary.inserted > 0;
    if has_no_room || options.keeps_words && has_no_faster && is_safe(&as_given, &facts, model) {
        outcome.after = outcome.given;
        *function = as_given;
        return outcome;
    }
    let Some((new, orders)) = best else {
        outcome.after = outcome.before;
        outcome.summary = old.summary;
        *function = old.function;
        return outcome;
    };
    for block in 0..parts.first().len() - 1 {
        let mut moved = parts
            .of_block(block)
            .filter(|part| !is_program(&orders[*part]));
        let Some(strategy) = moved.find_map(|part| strategies[part]) else {
            continue;
        };
        let cycles = |timing: &Timing| {
            let parts = &timing.blocks[parts.of_block(block)];
            parts.iter().map(|part| part.cycles).sum()
        };
        outcome.blocks.push(BlockOutcome {
            block,
            strategy,
            before: cycles(&old.timing),
            after: cycles(&new.timing),
        });
    }
    outcome.after = new.timing.cycles;
    outcome.summary = new.summary;
    *function = new.function;
    outcome
}

/// The fastest function with new orders, and its orders: blocks that are slower with their words than with the old
/// ones get their old order back. `None` if none is faster than the old order.
fn fastest<'f>(
    function: &Function<'f>,
    facts: &FunctionFacts,
    words: &Words<'_>,
    old: &Candidate<'_>,
    mut orders: Vec<Vec<u32>>,
    in_place: bool,
) -> Option<(Candidate<'f>, Vec<Vec<u32>>)> {
    let mut best: Option<(Candidate<'f>, Vec<Vec<u32>>)> = None;
    for _ in 0..ROUNDS {
        if orders.iter().all(|order| is_program(order)) {
            break;
        }
        let new = words.of(reordered(function, &orders), facts.reordered(&orders));
        let is_slower =
            |block: usize| new.timing.blocks[block].cycles > old.timing.blocks[block].cycles;
        let slower: Vec<usize> = (0..orders.len())
            .filter(|block| is_slower(*block) && !is_program(&orders[*block]))
            .collect();
        let least = best
            .as_ref()
            .map_or(old.timing.cycles, |best| best.0.timing.cycles);
        let fits = !in_place || new.summary.inserted == 0;
        if fits && new.timing.cycles < least {
            best = Some((new, orders.clone()));
        }
        if slower.is_empty() {
            break;
        }
        for block in slower {
            orders[block].sort_unstable();
        }
    }
    best
}

/// Whether the control words of a function have no hazard.
fn is_safe(function: &Function<'_>, facts: &FunctionFacts, model: &LatencyModel) -> bool {
    hazards(function, facts, model).is_empty()
}

/// A function with control words.
struct Candidate<'a> {
    function: Function<'a>,
    timing: Timing,
    summary: Summary,
}

/// Computes control words.
struct Words<'a> {
    model: &'a LatencyModel,
    frequencies: &'a Frequencies,
    knobs: &'a scoreboards::Knobs,
}

impl Words<'_> {
    fn of<'f>(&self, mut function: Function<'f>, mut facts: FunctionFacts) -> Candidate<'f> {
        let Words {
            model,
            frequencies,
            knobs,
        } = *self;
        let summary = assign_with(&mut function, &mut facts, model, frequencies, knobs);
        let timing = time(&function, &facts, model, frequencies);
        Candidate {
            function,
            timing,
            summary,
        }
    }
}

/// Whether a block keeps its order.
fn is_program(order: &[u32]) -> bool {
    order.is_sorted()
}

fn reordered<'a>(function: &Function<'a>, orders: &[Vec<u32>]) -> Function<'a> {
    let mut new = function.clone();
    for ((block, old), order) in new.blocks.iter_mut().zip(&function.blocks).zip(orders) {
        for (place, from) in order.iter().enumerate() {
            if place != *from as usize {
                block.instructions[place] = old.instructions[*from as usize].clone();
            }
        }
    }
    new
}

/// Sweeps over the blocks: the second finds the neighbours of each with their new orders.
const SWEEPS: usize = 2;

/// What found the order of each block that has a new one.
type Found = Vec<Option<&'static dyn Strategy>>;

/// The orders of all blocks, and what found them. The chunks of a long function are scheduled independently.
fn orders(
    function: &Function<'_>,
    facts: &FunctionFacts,
    model: &LatencyModel,
    frequencies: &Frequencies,
    options: &Options<'_>,
) -> (Vec<Vec<u32>>, Found) {
    let program = function.blocks.iter().map(|block| {
        let count = super::narrow(block.instructions.len());
        (0..count).collect()
    });
    let mut orders: Vec<Vec<u32>> = program.collect();
    let mut found: Found = vec![None; orders.len()];
    if !options.moves {
        return (orders, found);
    }
    let predecessors = function.predecessors();
    for blocks in chunks(facts) {
        let regions = Regions::new(function, facts, model, frequencies, blocks);
        let mut flow = Flow::new(&regions, function, frequencies, &predecessors, &orders);
        order_chunk(&regions, &mut flow, &mut orders, &mut found, options);
    }
    (orders, found)
}

/// Orders the blocks of a chunk.
fn order_chunk(
    regions: &Regions<'_>,
    flow: &mut Flow<'_, '_>,
    orders: &mut [Vec<u32>],
    found: &mut Found,
    options: &Options<'_>,
) {
    let first = regions.blocks.start;
    let mut around: Vec<Option<(Entry, Vec<Departure>)>> = vec![None; regions.blocks.len()];
    for sweep in 0..SWEEPS {
        // Blocks that wait come after those that they wait for: backwards, with what is known of those.
        for block in regions.blocks.clone().rev() {
            if orders[block].len() < 2 || sweep > 0 && found[block].is_none() {
                continue;
            }
            let (departures, targets) = flow.departures(block);
            let ends = (flow.entry(block, false), departures);
            let last = &mut around[block - first];
            if last.as_ref() == Some(&ends) {
                continue;
            }
            *last = Some(ends.clone());
            let mut region = regions.get(block).clone();
            (region.entry, region.departures) = ends;
            region.targets = targets;
            let tried = match options.strategy {
                Some(strategy) => vec![strategy],
                None => cascade(&region, Phase::Ilp),
            };
            let Choice {
                order, strategy, ..
            } = choose(&region, &orders[block], &tried, &options.settings);
            if strategy.is_some() {
                orders[block] = order;
                found[block] = strategy;
                flow.update(block, &orders[block]);
            }
        }
    }
}
