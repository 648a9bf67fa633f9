//! A unit: a kernel, or a function that others may call, and all functions that it calls.
//!
//! ptxas decides for a unit: if the products of one of its functions are serialized, all are
//! (measured). What is known of calls is known of the whole unit.

use orison_ir::analyses::{ControlFlowGraph, DefUse};
use orison_ir::{Context, Operation};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::analyses::{Divergence, MatrixGroups};
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::{Callee, Calls, is_kernel};
use super::causes::Cause;
use super::convergence::convergent_sections;
use super::demand::{Demand, is_known_at_entry, register_limit};
use super::events::{Event, Walk};
use super::flight::{Check, Conflict, MissingWait};
use super::registers::Variables;
use super::sections::{self, End, Order, Section};
use super::unrolled::unroll;
use super::words::Factors;
use super::{consistency, late, page, secondary, structure};
use crate::ori::form_accumulators::operations;
use crate::ori::functions::Function;

/// The inputs of a plan.
pub(super) struct Inputs<'a> {
    /// The functions of the module.
    pub functions: &'a [Function],
    /// Their calls.
    pub calls: &'a Calls,
    /// The analyses of each function.
    pub analyses: &'a [(std::rc::Rc<Divergence>, std::rc::Rc<MatrixGroups>)],
    /// `-maxrregcount`.
    pub max_registers: Option<u32>,
    /// Whether the page's rules decide about reads, writes and calls.
    pub page: bool,
}

/// An arrive to inject.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MissingArrive {
    /// The section.
    pub section: usize,
    /// The product or commit after it.
    pub before: Operation,
}

/// What is to be done in a function.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The number of the function.
    pub function: usize,
    /// The sections.
    pub sections: Vec<Section>,
    /// Sections that not all threads of a warp execute together.
    pub divergent: Vec<bool>,
    /// Arrives to inject.
    pub arrives: Vec<MissingArrive>,
    /// Waits to inject.
    pub waits: Vec<MissingWait>,
    /// Products after which their group is closed without a commit.
    pub closes: Vec<Operation>,
    /// Fences that move down, each before an operation.
    pub moves: Vec<(Operation, Operation)>,
    /// Products and commits that get an arrive because a fence lands before them that stays where it
    /// is in other copies of a loop.
    pub landed: Vec<Operation>,
    /// Commits of no products.
    pub dummies: Vec<Operation>,
    /// Reads and writes of registers in flight.
    pub conflicts: Vec<Conflict>,
    /// The first violation of the page's rules, if they apply.
    pub violation: Option<(Cause, Operation)>,
    /// The registers that products need.
    pub demand: Demand,
    /// The registers that a thread may have.
    pub limit: u32,
}

/// Why the products of a unit are serialized.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    /// The cause.
    pub cause: Cause,
    /// The function that the message names.
    pub function: usize,
    /// The operation that it is about.
    pub op: Option<Operation>,
}

/// A unit with what is to be done.
#[derive(Debug, Default)]
pub(super) struct Unit {
    /// Its functions with products, fences, commits or waits, in the order of the text.
    pub plans: Vec<Plan>,
    /// Why its products are serialized, if they are.
    pub verdict: Option<Verdict>,
}

impl Unit {
    /// Plans a unit.
    pub fn of(context: &Context, inputs: &Inputs<'_>, root: usize) -> Self {
        let reached = inputs.calls.reached(root);
        let mut unit = Unit::default();
        for number in &reached {
            let kernel = is_kernel(context, inputs.functions[root].op);
            let starts_together = *number != root || kernel;
            let plan = plan(context, inputs, *number, starts_together);
            unit.plans.extend(plan);
        }
        unit.verdict = unit.judge(context, inputs, &reached);
        unit
    }

    /// The first cause by ptxas's order of precedence.
    fn judge(&self, context: &Context, inputs: &Inputs<'_>, reached: &[usize]) -> Option<Verdict> {
        let products = |plan: &Plan| {
            let mut all = operations(context, inputs.functions[plan.function]).into_iter();
            all.any(|op| matches!(role(context, op), Some(Role::Product | Role::Commit)))
        };
        if !self.plans.iter().any(products) {
            return None;
        }
        let arrive = self.plans.iter().rev().find_map(|plan| {
            let mut all = plan.arrives.iter().rev();
            let found = all.find(|arrive| plan.divergent[arrive.section])?;
            Some(verdict(Cause::DivergentArrive, plan, Some(found.before)))
        });
        let called = || {
            if inputs.page {
                None
            } else {
                call_verdict(inputs, reached)
            }
        };
        let violation = || {
            self.plans.iter().find_map(|plan| {
                let (cause, op) = plan.violation?;
                Some(verdict(cause, plan, Some(op)))
            })
        };
        let wait = || {
            self.plans.iter().find_map(|plan| {
                let mut all = plan.waits.iter();
                let found = all.find(|wait| plan.divergent[wait.section])?;
                Some(verdict(Cause::DivergentWait, plan, found.about))
            })
        };
        let copies = || self.first(|plan| consistency::validate(&plan.demand));
        let stage = || self.first(|plan| structure::validate(&plan.demand, plan.limit));
        let conflict = || {
            if inputs.page {
                return None;
            }
            self.plans.iter().find_map(|plan| {
                let (cause, op) = late::validate(&plan.conflicts).err()?;
                Some(verdict(cause, plan, op))
            })
        };
        let function = || self.first(|plan| secondary::validate(&plan.demand, plan.limit));
        arrive
            .or_else(called)
            .or_else(violation)
            .or_else(wait)
            .or_else(copies)
            .or_else(stage)
            .or_else(conflict)
            .or_else(function)
    }

    fn first(&self, validate: impl Fn(&Plan) -> Result<(), Cause>) -> Option<Verdict> {
        self.plans.iter().find_map(|plan| {
            let cause = validate(plan).err()?;
            Some(verdict(cause, plan, plan.demand.largest))
        })
    }
}

fn verdict(cause: Cause, plan: &Plan, op: Option<Operation>) -> Verdict {
    Verdict {
        cause,
        function: plan.function,
        op,
    }
}

/// Serializes a unit with a function that has products and calls one that is not known, or has
/// products too. ptxas reports an external call only where the function called may be in another
/// module (measured).
fn call_verdict(inputs: &Inputs<'_>, reached: &[usize]) -> Option<Verdict> {
    let calls = inputs.calls;
    for number in reached.iter().copied() {
        if !calls.has_products[number] {
            continue;
        }
        for (op, callee) in &calls.calls[number] {
            let cause = match callee {
                Callee::External if calls.is_relocatable => Cause::ExternCall,
                Callee::Known(callee) if !calls.crosses(*callee) => continue,
                _ => Cause::Call,
            };
            return Some(Verdict {
                cause,
                function: number,
                op: Some(*op),
            });
        }
    }
    None
}

/// Plans a function; `None` if it has no products, fences, commits or waits.
fn plan(
    context: &Context,
    inputs: &Inputs<'_>,
    number: usize,
    starts_together: bool,
) -> Option<Plan> {
    let function = inputs.functions[number];
    let (divergence, groups) = &inputs.analyses[number];
    let external: FxHashSet<Operation> = inputs.calls.calls[number]
        .iter()
        .filter(|(_, callee)| inputs.calls.is_external(*callee))
        .map(|(op, _)| *op)
        .collect();
    let has_products = !groups.products().is_empty();
    let together = starts_together || !has_products;
    let mut sections = sections::sections(context, function, divergence, &external);
    // Which loops are unrolled depends on where threads may have parted.
    convergent_sections(context, &mut sections, divergence, together);
    let mut sections = unroll(context, sections);
    let acting: Vec<usize> = (0..sections.len())
        .filter(|number| sections[*number].has_groups(context))
        .collect();
    if acting.is_empty() {
        return None;
    }
    let order = Order::of(&sections);
    let together = convergent_sections(context, &mut sections, divergence, together);
    let divergent = together.into_iter().map(|together| !together).collect();
    let mut variables = Variables::of(context, function);
    if order.has_loop(&sections) {
        variables.keep_constants(context, function);
    }
    let flow = ControlFlowGraph::of(context, function.body);
    let chains = DefUse::of(context, &flow);
    let factors = Factors::of(context, &chains, groups.products());
    let sinks = groups.products().iter().any(|op| {
        let sparse = !op.operands_named(context, "metadata").is_empty();
        sparse || !variables.factor_webs(*op).is_empty()
    });
    let region = Region::of(&sections, &order, &acting);
    let mut walk = Walk {
        context,
        variables: &mut variables,
        waited: false,
        sinks,
        deferred: Vec::new(),
        landings: Vec::new(),
    };
    let events: Vec<Vec<Event>> = (0..sections.len())
        .map(|number| match region.inside[number] {
            true => walk.section(
                &sections[number],
                region.ends[number],
                defers(&sections, number),
            ),
            false => Vec::new(),
        })
        .collect();
    let landings = std::mem::take(&mut walk.landings);
    let violation = || {
        let mut all = sections.iter();
        all.find_map(|section| page::violation(context, groups, &mut variables, section))
    };
    let violation = inputs.page.then(violation).flatten();
    let check = Check {
        context,
        groups,
        variables: &variables,
        flow: &flow,
        chains: &chains,
        factors: &factors,
        sections: &sections,
        events: &events,
    };
    let found = check.run();
    let asked = is_known_at_entry(context, function.op, inputs.max_registers);
    let mut plan = Plan {
        function: number,
        divergent,
        waits: found.waits,
        conflicts: found.conflicts,
        violation,
        demand: Demand::of(context, &flow, groups, &mut variables, asked),
        limit: register_limit(context, function.op, inputs.max_registers),
        ..Plan::default()
    };
    plan.collect(&events);
    plan.move_fences(context, &landings);
    plan.sections = sections;
    Some(plan)
}

/// Whether definitions that only what follows reads are made after a section: it ends with an exit
/// that some threads take.
fn defers(sections: &[Section], number: usize) -> bool {
    let section = &sections[number];
    let next = section.next.first();
    // The walk is in the order of the text.
    section.end == End::ExitIf
        && next.is_some_and(|next| *next == number + 1 && sections[*next].before.len() == 1)
}

impl Plan {
    /// Collects what the walk found.
    fn collect(&mut self, events: &[Vec<Event>]) {
        for (section, events) in events.iter().enumerate() {
            for event in events {
                match event {
                    Event::Arrive {
                        op, injected: true, ..
                    } => self.arrives.push(MissingArrive {
                        section,
                        before: *op,
                    }),
                    Event::Close {
                        product,
                        commit: None,
                    } => self.closes.push(*product),
                    Event::Dummy(op) => self.dummies.push(*op),
                    _ => {}
                }
            }
        }
    }
}

impl Plan {
    /// Moves the fences that land in one place, behind where they are. A fence of a loop whose copies
    /// have it land in several places stays, and an arrive takes its place there.
    fn move_fences(&mut self, context: &Context, landings: &[(Operation, Option<Operation>)]) {
        let mut places: FxHashMap<Operation, Vec<Option<Operation>>> = FxHashMap::default();
        for (fence, before) in landings {
            places.entry(*fence).or_default().push(*before);
        }
        for (fence, before) in landings {
            let Some(before) = before else { continue };
            let same = places[fence].iter().all(|one| *one == Some(*before));
            let behind = fence.block(context) != before.block(context)
                || fence.is_before_in_block(context, *before);
            if same && behind {
                self.moves.push((*fence, *before));
            } else if matches!(role(context, *before), Some(Role::Product | Role::Commit)) {
                self.landed.push(*before);
            }
        }
    }
}

/// The sections between the first and the last fence, product, commit or wait.
struct Region {
    inside: Vec<bool>,
    /// The sections at whose ends nothing may be in flight.
    ends: Vec<bool>,
}

impl Region {
    fn of(sections: &[Section], order: &Order, acting: &[usize]) -> Self {
        let start = order.common_dominator(acting);
        let end = order.common_post_dominator(acting);
        let mut reached = vec![false; sections.len()];
        let mut pending = vec![start];
        while let Some(number) = pending.pop() {
            if !std::mem::replace(&mut reached[number], true) {
                pending.extend(sections[number].next.iter().copied());
            }
        }
        let to_exit = end == order.exit;
        let inside = (0..sections.len())
            .map(|number| {
                let between = order.post_dominates(end, number) && order.dominates(start, number);
                reached[number] && (to_exit || between)
            })
            .collect();
        let leaves = |section: &Section| {
            section.next.is_empty() || matches!(section.end, End::Exit | End::ExitIf)
        };
        let ends = sections.iter().enumerate().map(|(number, section)| {
            if to_exit {
                leaves(section)
            } else {
                number == end
            }
        });
        Region {
            inside,
            ends: ends.collect(),
        }
    }
}
