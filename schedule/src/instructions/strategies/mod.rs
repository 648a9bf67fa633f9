//! How a region is scheduled: one strategy a module, chosen by what the region is (seed 000, "Strategy
//! Selection").

mod backtracking;
mod dual_issue;
mod latency;
mod limited;
mod list;
mod loops;
mod option;
mod permutation;
mod pressure;
mod priority;
mod search;
mod software_pipelining;
mod tensor;
#[cfg(test)]
pub(crate) use dual_issue::benefit as dual_issue_benefit;
pub use option::StrategyChoice;
pub use permutation::LONGEST as LONGEST_PERMUTATION;
#[cfg(test)]
pub(crate) use permutation::exact;

use super::bound::least_cycles;
use super::clock::{Clock, Cost};
use super::knobs::PriorityKnobs;
use super::region::Region;

/// What strategies may spend and must respect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Instructions that a search may issue in trials for a region that is executed often.
    pub effort: u64,
    /// The general registers that the code may use.
    pub register_budget: i32,
    /// The candidates that strategies with dynamic priorities compare at a time (knob 770 is 4 for one of
    /// ptxas' lookaheads).
    pub window: usize,
    /// The phase.
    pub phase: Phase,
    /// The general registers beyond which the priority function prefers what needs few.
    pub careful_budget: i32,
    /// Knobs of the priority function.
    pub priority: PriorityKnobs,
}

/// A phase of the scheduler (seed 000, "3-Phase Pipeline").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// Fewer live registers, where there are too many.
    ReduceReg,
    /// Fewer cycles.
    Ilp,
    /// Batches of matrix products and of loads.
    DynBatch,
}

impl Phase {
    /// All, in the default order (reference C05).
    pub const ALL: [Phase; 3] = [Phase::ReduceReg, Phase::Ilp, Phase::DynBatch];

    /// The name in options and remarks.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::ReduceReg => "reduce-reg",
            Phase::Ilp => "ilp",
            Phase::DynBatch => "dyn-batch",
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            effort: 4_000,
            register_budget: 255,
            window: 32,
            phase: Phase::Ilp,
            careful_budget: 240,
            priority: PriorityKnobs::default(),
        }
    }
}

/// A way to order the instructions of a region.
pub trait Strategy: Sync {
    /// The name in options and remarks.
    fn name(&self) -> &'static str;

    /// Whether it spends time on needing few registers, which is worth nothing where orders that do not look at them have
    /// enough.
    fn spares_registers(&self) -> bool {
        false
    }

    /// An order of the region, which has `now`; `None` if the strategy does not apply to it.
    fn order(&self, region: &Region<'_>, now: &[u32], settings: &Settings) -> Option<Vec<u32>>;
}

/// All strategies, in the order in which they are listed.
pub const ALL: [&dyn Strategy; 12] = [
    &list::List,
    &priority::Priority,
    &latency::Latency,
    &pressure::Pressure,
    &backtracking::Backtracking,
    &limited::Limited,
    &tensor::Tensor,
    &loops::Loop,
    &software_pipelining::SoftwarePipelining,
    &dual_issue::DualIssue,
    &permutation::Permutation,
    &search::Search,
];

/// The strategy with a name.
pub fn named(name: &str) -> Option<&'static dyn Strategy> {
    ALL.into_iter().find(|strategy| strategy.name() == name)
}

/// The strategies that are tried on a region in a phase, in order: those of the page's cascade that list instructions,
/// then, where registers are counted, those that respect them, then those that try many orders, which are faster
/// behind a good one. The list scheduler is always among them where cycles count.
pub fn cascade(region: &Region<'_>, phase: Phase) -> Vec<&'static dyn Strategy> {
    match phase {
        Phase::ReduceReg => return vec![&pressure::Pressure, &priority::Priority],
        Phase::DynBatch => return vec![&priority::Priority, &tensor::Tensor],
        Phase::Ilp => {}
    }
    let mut chosen: Vec<&'static dyn Strategy> = Vec::new();
    if region.repeats() {
        if region.has_products() {
            chosen.push(&tensor::Tensor);
        }
        if region.trip_count.is_some() && region.len() <= software_pipelining::LONGEST {
            chosen.push(&software_pipelining::SoftwarePipelining);
        }
        chosen.push(&loops::Loop);
    }
    if dual_issue::benefit(region) > 0 {
        chosen.push(&dual_issue::DualIssue);
    }
    chosen.push(&latency::Latency);
    chosen.push(&list::List);
    if !region.registers.is_empty() {
        chosen.push(&limited::Limited);
        chosen.push(&priority::Priority);
        chosen.push(&backtracking::Backtracking);
    }
    if region.len() <= permutation::LONGEST {
        chosen.push(&permutation::Permutation);
    } else if region.len() <= search::LONGEST && region.frequency >= search::OFTEN {
        chosen.push(&search::Search);
    }
    chosen
}

/// The result of scheduling a region.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The order.
    pub order: Vec<u32>,
    /// The strategy that found it; `None` if the order stays.
    pub strategy: Option<&'static dyn Strategy>,
    /// The cost of the order that the region had.
    pub before: Cost,
    /// The cost of the order.
    pub after: Cost,
}

/// Strategies are equal if their names are.
impl PartialEq for dyn Strategy {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for dyn Strategy {}

impl std::fmt::Debug for dyn Strategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The best order that some strategies find for a region that has the order `now`: never a worse one. Each
/// strategy starts from the best order so far.
pub fn choose(
    region: &Region<'_>,
    now: &[u32],
    strategies: &[&'static dyn Strategy],
    settings: &Settings,
) -> Choice {
    let mut clock = Clock::new(region);
    let before = clock.cost(now);
    let mut choice = Choice {
        order: now.to_vec(),
        strategy: None,
        before,
        after: before,
    };
    let least = Cost {
        excess: 0,
        cycles: least_cycles(region),
        conflicts: 0,
    };
    // Whether another order needed more registers than there are; `None`: none was looked for.
    let mut is_crowded = (before.excess > 0).then_some(true);
    for strategy in strategies {
        // Nothing is to be reduced, or gained.
        let reduced = settings.phase == Phase::ReduceReg && choice.after.excess == 0;
        if reduced || choice.after <= least {
            break;
        }
        if strategy.spares_registers() && settings.phase == Phase::Ilp && is_crowded == Some(false)
        {
            continue;
        }
        let Some(order) = strategy.order(region, &choice.order, settings) else {
            continue;
        };
        let cost = clock.cost(&order);
        is_crowded = Some(is_crowded == Some(true) || cost.excess > 0);
        if cost < choice.after {
            choice.order = order;
            choice.strategy = Some(*strategy);
            choice.after = cost;
        }
    }
    choice
}
