//! Schedules operations on virtual registers within blocks, in phases.
//!
//! Each block is divided at operations that nothing moves over, and where it is long; each part is a region of the
//! instruction scheduler ([`crate::instructions`]). Blocks are scheduled from the last one to the first one, so that
//! a block knows when those behind it use its values.

pub mod cross_block;
mod fences;
mod latencies;
mod part;
#[cfg(test)]
mod tests;
mod values;

use orison_ir::analyses::{ControlFlowGraph, Liveness, LoopForest};
use orison_ir::{Context, Operation};
use orison_ori::analyses::frequency::UNKNOWN_TRIPS;
use orison_ori::analyses::{Frequencies, Inductions};
use orison_ori::knobs::Knobs;

use super::budget::{
    BudgetKnobs, Curve, Kind, Limit, LiveWindow, choose_budget, choose_few, choose_step,
};
use super::clock::Clock;
use super::knobs::PriorityKnobs;
use super::occupancy::Occupancy;
use super::region::{Departure, Node, Region};
use super::registers::{Pressure, RegisterClass};
use super::resources::Unit;
use super::strategies::{Choice, Phase, Settings, Strategy, cascade, choose, named};
use crate::dependences::Protection;
use crate::sass::latency::LatencyModel;
use part::{Exposure, Part};

pub use latencies::adjusted_model;

/// A function, and what is known of it.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The context.
    pub context: &'a Context,
    /// The blocks.
    pub flow: &'a ControlFlowGraph,
    /// The live values between them.
    pub liveness: &'a Liveness,
    /// The loops.
    pub forest: &'a LoopForest,
    /// Their counters.
    pub inductions: &'a Inductions,
    /// How often blocks are executed.
    pub frequencies: &'a Frequencies,
    /// The latencies.
    pub model: &'a LatencyModel,
    /// The knobs of the function.
    pub knobs: &'a Knobs,
}

/// How a function is scheduled.
#[derive(Clone, Debug)]
pub struct Options {
    /// The phases, in order.
    pub phases: Vec<Phase>,
    /// The strategy of all blocks; `None` chooses by block.
    pub strategy: Option<&'static dyn Strategy>,
    /// What strategies may spend.
    pub settings: Settings,
    /// The general registers that a thread may have.
    pub registers: u32,
    /// Whether the program asks for this number; if not, fewer may let more warps run at once.
    pub is_asked: bool,
    /// Whether what lives across calls of the function is in registers beside its own, so that it should need few.
    pub is_internal: bool,
    /// How many CTAs run at once with fewer; `None`: the documentation's curve decides.
    pub occupancy: Option<Occupancy>,
}

/// What a phase did.
#[derive(Clone, Debug)]
pub struct PhaseOutcome {
    /// The phase.
    pub phase: Phase,
    /// The general registers that orders may need.
    pub budget: i32,
    /// The most live general registers in any block, before and after.
    pub live: [i32; 2],
    /// Estimated cycles of all executions of all blocks for one of the function, before and after.
    pub cycles: [u64; 2],
    /// The blocks with a new order.
    pub blocks: Vec<BlockOutcome>,
}

/// A block with a new order.
#[derive(Clone, Copy, Debug)]
pub struct BlockOutcome {
    /// The number of the block.
    pub block: u32,
    /// What found the order.
    pub strategy: &'static dyn Strategy,
    /// Estimated cycles of all its executions for one of the function, before and after.
    pub cycles: [u64; 2],
}

/// The new order of a function.
#[derive(Debug, Default)]
pub struct Schedule {
    /// Operations in their new order, and the operation behind them; only parts whose order is new.
    pub moved: Vec<(Vec<Operation>, Operation)>,
    /// What each phase did.
    pub phases: Vec<PhaseOutcome>,
}

/// Executions of a block that count as one, so that those of rare blocks are whole numbers.
const SCALE: u64 = 64;
/// Executions of a block for each of the function below which it is cold (reference section 9.7).
const COLD: f64 = 0.05;

/// Orders the operations of a function. Blocks that are never reached stay.
pub fn schedule(scope: Scope<'_>, options: &Options) -> Schedule {
    let mut schedule = Schedule::default();
    let mut driver = Driver::new(scope, options);
    for phase in &options.phases {
        schedule.phases.push(driver.run(*phase));
    }
    let parts = driver.blocks.into_iter().flat_map(|block| block.parts);
    let moved = parts.filter(|part| !part.order.is_sorted());
    schedule.moved = moved
        .map(|part| {
            let order = part.order.iter();
            let operations = order.map(|node| part.operations[*node as usize]);
            (operations.collect(), part.behind)
        })
        .collect();
    schedule
}

/// Predicates of a thread: those beyond it are kept in general registers.
const PREDICATES: i32 = 7;

struct BlockState<'a> {
    number: u32,
    /// Executions for each of the function.
    frequency: f64,
    parts: Vec<Part<'a>>,
}

struct Driver<'a> {
    scope: Scope<'a>,
    options: &'a Options,
    /// In the order in which they are scheduled: the last one first.
    blocks: Vec<BlockState<'a>>,
    /// The registers that are enough for some order of each block, as soon as they are known.
    least: Option<i32>,
}

impl<'a> Driver<'a> {
    fn new(scope: Scope<'a>, options: &'a Options) -> Self {
        let numbers = scope.flow.reverse_post_order().iter().rev();
        let blocks = numbers.map(|number| BlockState {
            number: *number,
            frequency: scope.frequencies.block(*number),
            parts: limited(part::parts(scope, *number)),
        });
        Driver {
            scope,
            options,
            blocks: blocks.collect(),
            least: None,
        }
    }

    fn run(&mut self, phase: Phase) -> PhaseOutcome {
        let knobs = BudgetKnobs::of(self.scope.knobs);
        let limit = self.limit(&knobs, phase, self.live());
        let mut outcome = match (phase, limit, self.options.occupancy) {
            (Phase::Ilp, Limit::Step(_), Some(occupancy)) if !self.options.is_internal => {
                self.with_steps(limit, occupancy, phase)
            }
            _ => self.attempt(phase, limit).0,
        };
        if phase == Phase::Ilp && self.options.strategy.is_none() {
            self.trim(outcome.cycles[1]);
            outcome.live[1] = self.live();
        }
        outcome
    }

    /// Orders the parts in which the most registers are live with fewer of them, where that costs few cycles.
    fn trim(&mut self, cycles: u64) {
        let mut low = *self.least.get_or_insert_with(|| least(&self.blocks));
        let mut allowed = 2 * SCALE * cycles / TRIMMED;
        for _ in 0..TRIMS {
            let peak = self.live();
            if low >= peak || peak <= FREE {
                return;
            }
            let budget = low.midpoint(peak);
            match self.orders_within(budget, allowed) {
                Some((orders, cost)) => {
                    allowed -= cost;
                    self.restore(orders);
                }
                None => low = budget + 1,
            }
        }
    }

    /// Orders of all parts that need no more registers than a budget, and the cycles that they cost in all executions, if
    /// these are not more than allowed.
    fn orders_within(&self, budget: i32, allowed: u64) -> Option<(Vec<Vec<u32>>, u64)> {
        let strategy = named("limited")?;
        let settings = Settings {
            register_budget: budget,
            careful_budget: budget,
            ..self.options.settings
        };
        let mut cost = 0;
        let parts = self.blocks.iter().flat_map(|block| &block.parts);
        let orders = parts.map(|part| {
            if general(part, &part.order) <= budget {
                return Some(part.order.clone());
            }
            let order = strategy.order(&part.region, &part.order, &settings)?;
            let mut clock = Clock::new(&part.region);
            let [now, then] = [&part.order, &order].map(|order| clock.cost(order).cycles);
            cost += then.saturating_sub(now);
            (general(part, &order) <= budget && cost <= allowed).then_some(order)
        });
        let orders = orders.collect::<Option<Vec<_>>>()?;
        Some((orders, cost))
    }

    /// Orders the blocks with the registers of a step, or with those of the next ones where they save more than the CTAs
    /// that they cost.
    fn with_steps(&mut self, first: Limit, occupancy: Occupancy, phase: Phase) -> PhaseOutcome {
        let most = i32::try_from(self.options.registers).unwrap_or(i32::MAX);
        let start = self.orders();
        let (mut best, mut least) = self.attempt(phase, first);
        let mut limit = first.registers();
        let first = limit;
        let steps = occupancy.steps(most).filter(|step| *step > first);
        for step in steps.take(MORE_STEPS).collect::<Vec<i32>>() {
            let ctas = [limit, step].map(|registers| u64::from(occupancy.ctas(registers)));
            let is_worth_it = |now: u64, then: u64| {
                let [now, then] = [now.saturating_mul(ctas[1]), then.saturating_mul(ctas[0])];
                now.saturating_mul(WORTH.0) > then.saturating_mul(WORTH.1)
            };
            if !is_worth_it(best.cycles[1], least) {
                break;
            }
            let orders = self.orders();
            self.restore(start.clone());
            let next = match step < most {
                true => Limit::Step(step),
                false => Limit::Most(most),
            };
            let (found, fewest) = self.attempt(phase, next);
            if is_worth_it(best.cycles[1], found.cycles[1]) {
                (best, least, limit) = (found, fewest, step);
            } else {
                self.restore(orders);
            }
        }
        best
    }

    /// The orders of all parts.
    fn orders(&self) -> Vec<Vec<u32>> {
        let parts = self.blocks.iter().flat_map(|block| &block.parts);
        parts.map(|part| part.order.clone()).collect()
    }

    fn restore(&mut self, orders: Vec<Vec<u32>>) {
        let parts = self.blocks.iter_mut().flat_map(|block| &mut block.parts);
        for (part, order) in parts.zip(orders) {
            part.order = order;
        }
    }

    /// Orders the blocks in a phase; also returns the cycles of list scheduling, which needs as many registers as it likes.
    fn attempt(&mut self, phase: Phase, limit: Limit) -> (PhaseOutcome, u64) {
        let knobs = BudgetKnobs::of(self.scope.knobs);
        let before = self.live();
        let mut unlimited = 0;
        let priority = PriorityKnobs::of(self.scope.knobs);
        let mut found = Vec::new();
        let mut left = match phase {
            Phase::ReduceReg => self.scope.knobs.budget("SchedReduceRegBudget"),
            Phase::Ilp => None,
            Phase::DynBatch => self.scope.knobs.budget("SchedDynBatchBudget"),
        };
        let mut exposures: Vec<Option<Exposure>> = vec![None; self.scope.flow.block_count()];
        let mut cycles = [0, 0];
        for place in 0..self.blocks.len() {
            let state = &mut self.blocks[place];
            let frequency = state.frequency;
            let is_loop = self.scope.forest.depth(state.number) > 0;
            let budget = knobs.budget(limit, phase, (frequency < COLD, is_loop));
            let settings = Settings {
                register_budget: budget.general,
                careful_budget: budget.reduced,
                phase,
                priority,
                ..self.options.settings
            };
            let departures = departures(self.scope, state, &exposures);
            let strategy = match left {
                Some(0) => Some(None),
                _ => self.options.strategy.map(Some),
            };
            let (costs, strategy) = state.run(self.scope, &settings, strategy, departures);
            cycles[0] += costs[0];
            cycles[1] += costs[1];
            if let Some(strategy) = strategy {
                left = left.map(|left| left.saturating_sub(1));
                found.push(BlockOutcome {
                    block: state.number,
                    strategy,
                    cycles: to_executions(costs),
                });
            }
            if let (Phase::Ilp, Limit::Step(_)) = (phase, limit) {
                unlimited += state.unlimited_cycles(&settings);
            }
            exposures[state.number as usize] = Some(state.exposure(self.scope));
        }
        let outcome = PhaseOutcome {
            phase,
            budget: knobs.budget(limit, phase, (false, false)).general,
            live: [before, self.live()],
            cycles: to_executions(cycles),
            blocks: found,
        };
        (outcome, unlimited / (2 * SCALE))
    }

    /// The general registers that orders may need, before what is kept back: the limit of the program, or fewer.
    fn limit(&mut self, knobs: &BudgetKnobs, phase: Phase, live: i32) -> Limit {
        let most = i32::try_from(self.options.registers).unwrap_or(i32::MAX);
        if phase == Phase::ReduceReg || self.options.is_asked {
            return Limit::Most(most);
        }
        if self.options.is_internal {
            let least = *self.least.get_or_insert_with(|| least(&self.blocks));
            return choose_few(knobs, most, least);
        }
        if let Some(occupancy) = self.options.occupancy {
            let least = *self.least.get_or_insert_with(|| least(&self.blocks));
            return choose_step(occupancy, most, least);
        }
        let windows: Vec<LiveWindow> = self.blocks.iter().flat_map(BlockState::windows).collect();
        let has_loops = !self.scope.forest.loops().is_empty();
        let curve = Curve::of(&windows, has_loops, self.scope.knobs);
        Limit::Most(choose_budget(&curve, knobs, most, live))
    }

    /// The most live general registers, by the orders that the blocks have.
    fn live(&self) -> i32 {
        let parts = self.blocks.iter().flat_map(|block| &block.parts);
        parts
            .map(|part| general(part, &part.order))
            .max()
            .unwrap_or(0)
    }
}

/// Parts whose orders may have as many live predicates as there are.
fn limited(mut parts: Vec<Part<'_>>) -> Vec<Part<'_>> {
    for part in &mut parts {
        part.region.registers.limits[RegisterClass::Predicate as usize] = PREDICATES;
    }
    parts
}

/// The strategies that are tried on a part: first what reduces registers, if there are too many.
fn tried(part: &Part<'_>, settings: &Settings) -> Vec<&'static dyn Strategy> {
    let chosen = cascade(&part.region, settings.phase);
    if settings.phase != Phase::Ilp || general(part, &part.order) <= settings.register_budget {
        return chosen;
    }
    named("pressure").into_iter().chain(chosen).collect()
}

/// The most live general registers of a part in an order.
fn general(part: &Part<'_>, order: &[u32]) -> i32 {
    Pressure::of(&part.region.registers, order)[RegisterClass::General as usize]
}

/// The general registers that are enough for some order of each part: the one that it has, or the one that needs few.
fn least(blocks: &[BlockState<'_>]) -> i32 {
    let parts = blocks.iter().flat_map(|block| &block.parts);
    let counts = parts.map(|part| {
        let now = general(part, &part.order);
        let strategy = named("pressure");
        let order = strategy
            .and_then(|strategy| strategy.order(&part.region, &part.order, &Settings::default()));
        order.map_or(now, |order| general(part, &order).min(now))
    });
    counts.max().unwrap_or(0)
}

/// The cycles of costs, which count them twice, for an execution of the function.
fn to_executions(costs: [u64; 2]) -> [u64; 2] {
    costs.map(|cost| cost / (2 * SCALE))
}

/// Live registers below which fewer gain nothing: as many warps run, and machine code is faster if its registers differ.
const FREE: i32 = 19;
/// How often orders with fewer registers are looked for.
const TRIMS: usize = 5;
/// The cycles that they may cost, as a part of all: one of so many.
const TRIMMED: u64 = 16;
/// Steps of registers beyond the first one that are tried.
const MORE_STEPS: usize = 2;
/// The time of all CTAs that run at once with fewer registers is to be longer than with more by this factor, as a
/// fraction, so that the program gets more.
const WORTH: (u64, u64) = (3, 4);

/// The strategy of all blocks; `Some(None)`: none; `None`: those that suit a block.
type Forced = Option<Option<&'static dyn Strategy>>;

impl BlockState<'_> {
    /// Orders the parts; returns the cycles before and after, and what found the last new order.
    fn run(
        &mut self,
        scope: Scope<'_>,
        settings: &Settings,
        forced: Forced,
        mut departures: (Vec<Departure>, Vec<u64>),
    ) -> ([u64; 2], Option<&'static dyn Strategy>) {
        let last = self.parts.len().saturating_sub(1);
        let mut cycles = [0; 2];
        let mut found = None;
        let mut arrivals = part::Arrivals::default();
        for (place, part) in self.parts.iter_mut().enumerate() {
            part.region.entry.arrivals = arrivals.of(scope.context, part);
            part.region.registers.limits[RegisterClass::General as usize] =
                settings.register_budget;
            if place == last {
                (part.region.departures, part.region.targets) = std::mem::take(&mut departures);
            }
            let tried = match forced {
                Some(strategy) => strategy.into_iter().collect(),
                None if settings.phase == Phase::DynBatch && !part.has_batches() => Vec::new(),
                None => tried(part, settings),
            };
            let choice: Choice = choose(&part.region, &part.order, &tried, settings);
            part.order = choice.order;
            found = choice.strategy.or(found);
            cycles[0] += choice.before.cycles;
            cycles[1] += choice.after.cycles;
            arrivals.leave(scope, part);
        }
        (cycles, found)
    }

    /// The cycles of orders by list scheduling; those of the orders that the parts have, where these are shorter.
    fn unlimited_cycles(&self, settings: &Settings) -> u64 {
        let list = named("list");
        let parts = self.parts.iter().map(|part| {
            let mut clock = Clock::new(&part.region);
            let now = clock.cost(&part.order).cycles;
            let order = list.and_then(|list| list.order(&part.region, &part.order, settings));
            order.map_or(now, |order| clock.cost(&order).cycles.min(now))
        });
        parts.sum()
    }

    /// When values that come from elsewhere are used for the first time, and the cycles of the block.
    fn exposure(&self, scope: Scope<'_>) -> Exposure {
        let mut exposure = Exposure::default();
        for part in &self.parts {
            part.expose(scope.context, &mut exposure);
        }
        exposure
    }

    fn windows(&self) -> Vec<LiveWindow> {
        let parts = self.parts.iter();
        parts.map(|part| part.window(self.frequency)).collect()
    }
}

/// Uses in the blocks behind one, by way, with the values that are used; and how often each way is taken.
fn departures(
    scope: Scope<'_>,
    state: &BlockState<'_>,
    exposures: &[Option<Exposure>],
) -> (Vec<Departure>, Vec<u64>) {
    let (mut all, mut targets) = (Vec::new(), Vec::new());
    let Some(part) = state.parts.last() else {
        return (all, targets);
    };
    let terminator = scope.flow.block(state.number).terminator(scope.context);
    let ways = terminator
        .into_iter()
        .flat_map(|op| op.successors(scope.context));
    for (way, target) in ways.enumerate() {
        let target = scope.flow.number(target).map(|target| target as usize);
        let Some((target, exposure)) = target.and_then(|at| Some((at, exposures[at].as_ref()?)))
        else {
            continue;
        };
        let times = scope.frequencies.block(super::narrow(target));
        let number = super::narrow(targets.len());
        targets.push(executions(times.min(state.frequency)));
        all.extend(part.departures(scope, (way, number), exposure));
    }
    // The terminator reads its condition behind everything.
    let number = super::narrow(targets.len());
    targets.push(executions(state.frequency));
    all.extend(part.terminator_departures(scope, number));
    (all, targets)
}

/// A frequency as a whole number.
fn executions(frequency: f64) -> u64 {
    // A frequency is not negative, and saturates.
    (frequency * SCALE as f64).round().max(1.0) as u64
}

/// How often a loop runs for each time it is entered, and whether that is known.
fn trips(scope: Scope<'_>, number: usize) -> (f64, Option<u64>) {
    let known = scope.inductions.at(number).trip_count.most();
    let trips = known.map_or(UNKNOWN_TRIPS, |trips| trips as f64);
    (trips.max(1.0), known)
}

/// The cycles of a part in the order that it has.
fn walked<'r>(region: &'r Region<'_>, order: &[u32]) -> Clock<'r> {
    let mut clock = Clock::new(region);
    clock.walk(order);
    clock
}

/// What an instruction counts for in the curve of registers.
fn kind(region: &Region<'_>, node: &Node) -> Kind {
    match node.unit {
        _ if node.issue == 0 => Kind::NoInstruction,
        Unit::Texture => Kind::Texture,
        Unit::Memory | Unit::Shared if region.model.class(node.class).is_variable() => Kind::Load,
        _ => Kind::Plain,
    }
}

/// A use behind a region of what a node does, at a cycle behind its end.
fn departure(
    from: u32,
    target: u32,
    at: i64,
    (cycles, protection): (u32, Protection),
) -> Departure {
    Departure {
        from,
        target,
        at,
        cycles,
        protection,
    }
}
