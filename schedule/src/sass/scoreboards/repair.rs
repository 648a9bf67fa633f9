//! Phases 114 and 119 to 121: control words with errors at some instructions are repaired rather
//! than recomputed. Control words only get longer stalls, more waits and more scoreboards, so
//! existing protection is preserved.
//!
//! Missing protection is found by [`crate::sass::simulate`]: these phases repair the output of an
//! earlier one and prove nothing. The page's severities 3 and 4 and its waits for destinations
//! (`WAITDP`) have no instruction on sm_70 and later; the wait mask replaces them (reference 8.2
//! and 10.5).

use orison_sass::control::{Barrier, BarrierSet, ReuseSet, Stall};
use orison_sass::function::{BlockIndex, Function};
use orison_sass::instruction::Instruction;
use orison_sass::scheduled::Scheduled;

use crate::sass::facts::FunctionFacts;
use crate::sass::latency::LatencyModel;
use crate::sass::roles::{self, Role};
use crate::sass::simulate::{Hazard, HazardKind, hazards};

/// What a phase repairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repair {
    /// Results of texture operations (phase 114).
    Textures,
    /// Results, stalls and the order of scoreboards (phase 120).
    Results,
    /// Operands that are overwritten before they were read (phases 119 and 121).
    Operands,
}

/// Constants of the pages that may be overridden.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RepairKnobs {
    /// Readers at most this many instructions after a texture yield (phase 114, step 4; 56 there,
    /// none here, as the wait yields the warp anyway).
    pub yield_distance: u32,
    /// Extra cycles for a stall which protects an operand (knob 17 of phase 120 removes the page's;
    /// reference 8.1).
    pub operand_penalty: u32,
}

/// Maximum iterations of repair: each repairs everything that is found, and a change can only
/// uncover hazards it masked.
const MOST_ROUNDS: usize = 16;
/// Longest penalty in cycles: one stall.
const LONGEST_PENALTY: u32 = 15;

/// Statistics of a repair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mended {
    /// Scoreboards newly armed.
    pub armed: u64,
    /// Wait bits.
    pub waits: u64,
    /// Lengthened stalls.
    pub stalls: u64,
    /// Instructions inserted where stalls were too short.
    pub inserted: u64,
}

impl Repair {
    fn wants(self, hazard: &Hazard, producer: &Instruction) -> bool {
        let operands = matches!(
            hazard.kind,
            HazardKind::WriteTooEarly | HazardKind::WriteWithoutWait
        );
        match self {
            Repair::Operands => operands,
            Repair::Results => !operands,
            Repair::Textures => !operands && roles::has(&producer.mnemonic, Role::Texture),
        }
    }
}

/// Repairs the control words of a function.
///
/// Cost: the simulator's, at most `MOST_ROUNDS` times; correct code costs one simulation.
pub fn repair(
    function: &mut Function<'_>,
    model: &LatencyModel,
    repair: Repair,
    knobs: &RepairKnobs,
) -> Mended {
    let mut mended = Mended::default();
    for _ in 0..MOST_ROUNDS {
        let facts = FunctionFacts::new(function, model);
        let found: Vec<Hazard> = hazards(function, &facts, model)
            .into_iter()
            .filter(|hazard| repair.wants(hazard, at(function, &facts, hazard.producer)))
            .collect();
        let before = mended;
        let mut gaps = Vec::new();
        for hazard in &found {
            mend(function, &facts, hazard, knobs, &mut mended, &mut gaps);
            if repair == Repair::Textures {
                yield_near(function, &facts, hazard, knobs);
            }
        }
        insert(function, &facts, &mut gaps, &mut mended);
        if mended == before {
            break;
        }
    }
    mended
}

fn at<'f>(function: &'f Function<'f>, facts: &FunctionFacts, number: u32) -> &'f Scheduled<'f> {
    let block = facts.block_of(number as usize);
    let place = number as usize - facts.block(block).start;
    &function.blocks[block].instructions[place]
}

fn at_mut<'f, 'a>(
    function: &'f mut Function<'a>,
    facts: &FunctionFacts,
    number: usize,
) -> &'f mut Scheduled<'a> {
    let block = facts.block_of(number);
    let place = number - facts.block(block).start;
    &mut function.blocks[block].instructions[place]
}

fn mend(
    function: &mut Function<'_>,
    facts: &FunctionFacts,
    hazard: &Hazard,
    knobs: &RepairKnobs,
    mended: &mut Mended,
    gaps: &mut Vec<usize>,
) {
    match hazard.kind {
        HazardKind::ReadTooEarly
        | HazardKind::OverwriteTooEarly
        | HazardKind::WriteTooEarly
        | HazardKind::WaitBeforeArmed
        | HazardKind::NoPair => {
            let penalty = match hazard.kind {
                HazardKind::WriteTooEarly => knobs.operand_penalty,
                _ => 0,
            };
            let missing = hazard.needed.saturating_sub(hazard.found);
            let missing = missing.saturating_add(penalty.min(LONGEST_PENALTY));
            stall(
                function,
                facts,
                hazard.consumer as usize,
                missing,
                mended,
                gaps,
            );
        }
        HazardKind::ReadWithoutWait | HazardKind::OverwriteWithoutWait => {
            wait(function, facts, hazard, false, mended);
        }
        HazardKind::WriteWithoutWait => wait(function, facts, hazard, true, mended),
        // Neither a scoreboard nor time ends these.
        HazardKind::ProductInFlight
        | HazardKind::PartialWaitUnordered
        | HazardKind::GroupNotWaitedFor
        | HazardKind::NothingToSignal => {}
    }
}

/// Makes early readers of a texture yield.
fn yield_near(
    function: &mut Function<'_>,
    facts: &FunctionFacts,
    hazard: &Hazard,
    knobs: &RepairKnobs,
) {
    let (from, to) = (hazard.producer, hazard.consumer);
    if from < to && to - from <= knobs.yield_distance {
        let consumer = at_mut(function, facts, to as usize);
        consumer.control.yields = true;
        super::keep_registers(consumer, ReuseSet::EMPTY, &[]);
    }
}

/// Lengthens the stall before an instruction, or those at the ends of the preceding blocks.
fn stall(
    function: &mut Function<'_>,
    facts: &FunctionFacts,
    consumer: usize,
    missing: u32,
    mended: &mut Mended,
    gaps: &mut Vec<usize>,
) {
    let block = facts.block_of(consumer);
    let mut before: Vec<usize> = Vec::new();
    if consumer > facts.block(block).start {
        before.push(consumer - 1);
    } else {
        before.extend(ends_before(function, facts, block));
    }
    let mut left = before.is_empty();
    for number in before {
        let word = &mut at_mut(function, facts, number).control;
        let wanted = u32::from(word.stall.cycles()) + missing;
        left |= wanted > u32::from(Stall::MAXIMUM.cycles());
        let longer = Stall::at_most(wanted);
        if longer > word.stall {
            word.stall = longer;
            mended.stalls += 1;
        }
        word.yields |= longer.cycles() >= 12;
        if word.yields {
            super::keep_registers(at_mut(function, facts, number), ReuseSet::EMPTY, &[]);
        }
    }
    if left {
        gaps.push(consumer);
    }
}

/// The last instructions of the preceding blocks, including callers.
fn ends_before(function: &Function<'_>, facts: &FunctionFacts, block: BlockIndex) -> Vec<usize> {
    let blocks = function.blocks.iter().enumerate();
    let leads = blocks.filter(|(_, from)| {
        from.callee == Some(block) || from.successors.iter().any(|edge| edge.to == block)
    });
    leads
        .filter_map(|(from, _)| facts.block(from).next_back())
        .collect()
}

/// Inserts no-ops before others, each for the longest stall of an iteration.
fn insert(
    function: &mut Function<'_>,
    facts: &FunctionFacts,
    gaps: &mut Vec<usize>,
    mended: &mut Mended,
) {
    gaps.sort_unstable();
    gaps.dedup();
    for gap in gaps.iter().rev() {
        let block = facts.block_of(*gap);
        let place = *gap - facts.block(block).start;
        function.blocks[block].insert(place, Instruction::new("NOP"));
        mended.inserted += 1;
    }
}

/// Makes a producer arm a scoreboard, and the consumer wait for it.
fn wait(
    function: &mut Function<'_>,
    facts: &FunctionFacts,
    hazard: &Hazard,
    for_operands: bool,
    mended: &mut Mended,
) {
    let producer = hazard.producer as usize;
    let word = at(function, facts, hazard.producer).control;
    let known = match for_operands {
        true => word.read_barrier.or(word.write_barrier),
        false => word.write_barrier,
    };
    let barrier = known.or_else(|| {
        let chosen = least_armed(function, facts, producer, word.armed())?;
        let word = &mut at_mut(function, facts, producer).control;
        match for_operands {
            true => word.read_barrier = Some(chosen),
            false => word.write_barrier = Some(chosen),
        }
        mended.armed += 1;
        Some(chosen)
    });
    let Some(barrier) = barrier else {
        return;
    };
    let word = &mut at_mut(function, facts, hazard.consumer as usize).control;
    if !word.wait.contains(barrier) {
        word.wait.insert(barrier);
        mended.waits += 1;
    }
}

/// The scoreboard armed by the fewest instructions of a block. One that counts groups (`DEPBAR.LE`)
/// is excluded.
fn least_armed(
    function: &Function<'_>,
    facts: &FunctionFacts,
    producer: usize,
    without: BarrierSet,
) -> Option<Barrier> {
    let block = &function.blocks[facts.block_of(producer)];
    let armed = |barrier: Barrier| {
        let words = block.instructions.iter().map(|found| found.control);
        words.filter(|word| word.armed().contains(barrier)).count()
    };
    let counted: BarrierSet = (0..facts.len())
        .filter_map(|number| match facts.fact(number).action {
            crate::sass::facts::Action::WaitScoreboard { barrier, left, .. } if left > 0 => {
                Some(barrier)
            }
            _ => None,
        })
        .collect();
    let usable = |barrier: &Barrier| !without.contains(*barrier) && !counted.contains(*barrier);
    let barriers = Barrier::ALL.into_iter().filter(usable);
    barriers.min_by_key(|barrier| (armed(*barrier), *barrier))
}
