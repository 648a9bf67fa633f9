//! The registers that orders may need (seed 000, "Register Budget"; reference section 4.4).

use orison_ori::knobs::Knobs;

use super::occupancy::{Occupancy, STEP};
use super::strategies::Phase;

/// Knobs of the budget.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BudgetKnobs {
    /// `SchedBumpScaleAugmentFactor`: what a register more costs than are live, as a part of an issue slot.
    bump: f64,
    /// `SchedMaxRLiveCarefulSlack`: registers below the budget from which on few are preferred; negative: a 16th.
    careful: i32,
    /// `SchedMaxRLiveOKslack`: registers that are kept back.
    slack: i32,
    /// `SchedMaxRLiveOKslackColdBlocks`: more of them in cold blocks, and in the phase that reduces registers;
    /// negative: an eighth and 3 there, none in cold blocks.
    cold: i32,
    /// `SchedMaxRTarget`: the registers of the function; 0: no limit; negative: those of the machine.
    target: i32,
    /// `SchedReduceIncLimit`: registers up to which the phase that reduces them leaves a block in a loop as it is.
    reduce: i32,
    /// `SchedReduceIncLimitHigh`: the same for other blocks.
    reduce_high: i32,
}

/// The registers of a function, before what is kept back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Those that it may have at most.
    Most(i32),
    /// Those with which a number of CTAs run at once: fewer gain nothing.
    Step(i32),
}

impl Limit {
    /// The number.
    pub fn registers(self) -> i32 {
        match self {
            Limit::Most(registers) | Limit::Step(registers) => registers,
        }
    }
}

/// The general registers that an order may need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Those of an order.
    pub general: i32,
    /// Those beyond which what needs few is preferred.
    pub reduced: i32,
}

impl BudgetKnobs {
    /// Those of a function.
    pub fn of(knobs: &Knobs) -> Self {
        let count = |name: &str| i32::try_from(knobs.integer(name)).unwrap_or(i32::MAX);
        BudgetKnobs {
            bump: knobs.number("SchedBumpScaleAugmentFactor"),
            careful: count("SchedMaxRLiveCarefulSlack"),
            slack: count("SchedMaxRLiveOKslack"),
            cold: count("SchedMaxRLiveOKslackColdBlocks"),
            target: count("SchedMaxRTarget"),
            reduce: count("SchedReduceIncLimit"),
            reduce_high: count("SchedReduceIncLimitHigh"),
        }
    }

    /// The registers of a function that may have `most`.
    fn whole(&self, most: i32) -> i32 {
        match self.target {
            0 => i32::MAX,
            ..0 => most,
            target => target.min(most),
        }
    }

    /// The budget of a block in a phase, for a function with a limit. The block is cold, and in a loop, or not.
    pub fn budget(&self, limit: Limit, phase: Phase, (is_cold, is_loop): (bool, bool)) -> Budget {
        let whole = self.whole(limit.registers());
        if whole == i32::MAX {
            return Budget {
                general: whole,
                reduced: whole,
            };
        }
        // 98.4 % of the registers, and of those of the machine at most 95 % where cycles count (C07).
        let mut base = whole - (whole >> 6);
        let mut kept = self.slack;
        if phase == Phase::ReduceReg {
            let limit = if is_loop {
                self.reduce
            } else {
                self.reduce_high
            };
            base = base.min(limit);
            kept += if self.cold >= 0 {
                self.cold
            } else {
                base / 8 + 3
            };
        } else {
            if let Limit::Most(_) = limit {
                base = base.min(whole * 95 / 100);
            }
            kept += if is_cold { self.cold.max(0) } else { 0 };
        }
        let general = (base - kept).max(1);
        let careful = if self.careful >= 0 {
            self.careful
        } else {
            general / 16
        };
        Budget {
            general,
            reduced: (general - careful).max(1),
        }
    }
}

/// What an operation counts for in the curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It is no instruction.
    NoInstruction,
    /// An instruction.
    Plain,
    /// A load.
    Load,
    /// A texture read.
    Texture,
}

/// The instructions of a block with the general registers that are live at each.
#[derive(Clone, PartialEq, Debug)]
pub struct LiveWindow {
    /// Executions of the block for each of the function.
    pub frequency: f64,
    /// The instructions.
    pub instructions: Vec<(Kind, i32)>,
}

/// How many instructions of a function can issue one behind another, by the registers that may be live (seed 000,
/// "Pressure Curve").
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    has_loops: bool,
    /// `SchedEstimatedLoopIterations`: the executions of a block that count, at most; and the issue width with few
    /// warps and with many.
    iterations: f64,
    narrow: f64,
    wide: f64,
    /// Windows: their weights, and the registers with which all their loads can be in flight.
    windows: Vec<(f64, i32)>,
}

/// Slots of a window: the most operations of a batch.
const WINDOW: usize = super::knobs::LONGEST_BATCH;

impl Curve {
    /// That of a function.
    pub fn of(blocks: &[LiveWindow], has_loops: bool, knobs: &Knobs) -> Self {
        let text = knobs.text("SchedEstimatedLoopIterations");
        let mut numbers = text
            .split([',', ':'])
            .map(|number| number.trim().parse().ok());
        let mut next = |default: f64| numbers.next().flatten().unwrap_or(default);
        let (iterations, narrow, wide) = (next(4.0), next(2.0), next(6.0));
        let texture = i32::try_from(knobs.integer("SchedCountLoadsPerTex")).unwrap_or(1);
        let mut windows = Vec::new();
        for block in blocks {
            let weight = block.frequency.min(iterations);
            let instructions = block.instructions.iter();
            let issued: Vec<(Kind, i32)> = instructions
                .filter(|(kind, _)| *kind != Kind::NoInstruction)
                .copied()
                .collect();
            for window in issued.chunks(WINDOW) {
                let loads = window.iter().map(|(kind, _)| match kind {
                    Kind::NoInstruction | Kind::Plain => 0,
                    Kind::Load => 1,
                    Kind::Texture => texture,
                });
                let live = window.iter().map(|(_, live)| *live).max().unwrap_or(0);
                windows.push((weight, live + loads.sum::<i32>()));
            }
        }
        Curve {
            has_loops,
            iterations,
            narrow,
            wide,
            windows,
        }
    }

    /// The part of the windows, by weight, whose loads can be in flight with so many registers.
    fn density(&self, registers: i32) -> f64 {
        let all: f64 = self.windows.iter().map(|(weight, _)| weight).sum();
        let fitting = self.windows.iter().filter(|window| window.1 <= registers);
        let fitting: f64 = fitting.map(|(weight, _)| weight).sum();
        if all > 0.0 { fitting / all } else { 0.0 }
    }

    /// The instructions that issue at once if so many warps of a scheduler run: from the narrow width up to the wide
    /// one, which as many warps reach as iterations count times the narrow width.
    fn width(&self, warps: f64) -> f64 {
        let part = (warps / (self.iterations.max(1.0) * self.narrow.max(1.0))).min(1.0);
        self.narrow + (self.wide - self.narrow) * part
    }
}

/// General registers of a scheduler, a quarter of a multiprocessor, for a lane of each warp.
const FILE: i32 = 65_536 / 4 / 32;
/// The most candidates that are compared.
const CANDIDATES: usize = 5;

/// Registers that a function is to have besides those that some order of it needs: the stack pointer, and what lets
/// operations overlap (measured with ptxas 13.0.88: with 3 more than the least it takes the next step, with 5 not).
const ROOM: i32 = 1 + 4;

/// The registers of a function that may have `most`, of which some order needs `least` at once: those with which the
/// most CTAs run, and that leave room.
pub fn choose_step(occupancy: Occupancy, most: i32, least: i32) -> Limit {
    let fits = |registers: &i32| *registers >= least.saturating_add(ROOM);
    match occupancy.steps(most).find(fits) {
        Some(registers) if registers < most => Limit::Step(registers),
        _ => Limit::Most(most),
    }
}

/// The registers of a function that is to need few, of which some order of it needs `least` at once.
pub fn choose_few(knobs: &BudgetKnobs, most: i32, least: i32) -> Limit {
    Limit::Step(least.saturating_add(knobs.slack).min(most))
}

/// The same by the documentation, in an order with `live`: at most five numbers that let more warps
/// run are compared by the instructions that issue at once, less what registers cost that are not needed.
pub fn choose_budget(curve: &Curve, knobs: &BudgetKnobs, most: i32, live: i32) -> i32 {
    if !curve.has_loops {
        return most;
    }
    let warps = |registers: i32| FILE / registers.max(STEP);
    let needed = (live.max(STEP) + STEP - 1) / STEP * STEP;
    let mut candidates = vec![most];
    let mut count = warps(most) + 1;
    while candidates.len() < CANDIDATES && FILE / count >= needed {
        candidates.push(FILE / count / STEP * STEP);
        count += 1;
    }
    let value = |registers: i32| {
        let more = f64::from((registers - live).max(0));
        let issue = curve.width(f64::from(warps(registers))) * curve.density(registers);
        issue - knobs.bump * more / f64::from(STEP)
    };
    let mut best = most;
    for candidate in candidates
        .into_iter()
        .filter(|candidate| *candidate >= needed)
    {
        if value(candidate) > value(best) {
            best = candidate;
        }
    }
    best
}
