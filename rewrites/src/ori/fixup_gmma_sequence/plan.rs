//! What is to be done in a function.

use std::rc::Rc;

use orison_ir::analyses::{ControlFlowGraph, DefUse};
use orison_ir::{Context, Operation};
use orison_ori::analyses::matrix_groups::{Role, role};
use rustc_hash::{FxHashMap, FxHashSet};

use super::arms::mark_arms;
use super::causes::Cause;
use super::convergence::convergent_sections;
use super::events::{Event, Landings, Walk};
use super::facts::Facts;
use super::flight::{self, Conflict, MissingWait};
use super::inputs::Inputs;
use super::page;
use super::region::Region;
use super::sections::{self, End, Order, Section};
use super::unrolled::unroll;
use crate::ori::matrix_registers::variables::Variables;
use crate::ori::matrix_registers::{MatrixRegisters, RegisterLimit};

/// An arrive to inject.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MissingArrive {
    /// The section.
    pub section: usize,
    /// The product or commit after it.
    pub before: Operation,
}

/// What is to be done in a function.
#[derive(Debug)]
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
    pub registers: Rc<MatrixRegisters>,
    /// The registers that a thread may have.
    pub limit: RegisterLimit,
}

impl Plan {
    /// Plans a function; `None` if it has no products, fences, commits or waits. `starts_together` is
    /// whether all threads of a warp enter it together.
    pub fn of(
        context: &Context,
        inputs: &Inputs<'_>,
        number: usize,
        starts_together: bool,
    ) -> Option<Plan> {
        let function = inputs.functions[number];
        let groups = &inputs.analyses[number].1;
        let arranged = Arrangement::of(context, inputs, number, starts_together)?;
        let mut variables = Variables::of(context, function);
        if arranged.order.has_loop(&arranged.sections) {
            variables.keep_constants(context, function);
        }
        let (events, landings) = arranged.walk(context, groups.products(), &mut variables);
        let flow = ControlFlowGraph::of(context, function.body);
        let chains = DefUse::of(context, &flow);
        let found = flight::check(&Facts {
            context,
            groups,
            variables: &variables,
            flow: &flow,
            chains: &chains,
            sections: &arranged.sections,
            events: &events,
        });
        let sections = inputs
            .page
            .then_some(&arranged.sections)
            .into_iter()
            .flatten();
        let mut violations =
            sections.filter_map(|one| page::violation(context, groups, &mut variables, one));
        let violation = violations.next();
        let mut plan = Plan {
            function: number,
            divergent: arranged.divergent,
            waits: found.waits,
            conflicts: found.conflicts,
            violation,
            registers: Rc::clone(&inputs.analyses[number].2),
            limit: RegisterLimit::of(context, function.op, inputs.max_registers),
            sections: arranged.sections,
            arrives: Vec::new(),
            closes: Vec::new(),
            moves: Vec::new(),
            landed: Vec::new(),
            dummies: Vec::new(),
        };
        plan.collect(&events);
        plan.move_fences(context, &landings);
        Some(plan)
    }

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

/// A function as the phase sees it.
struct Arrangement {
    sections: Vec<Section>,
    order: Order,
    /// Sections that not all threads of a warp execute together.
    divergent: Vec<bool>,
    region: Region,
}

impl Arrangement {
    /// Arranges a function; `None` if it has no products, fences, commits or waits.
    fn of(
        context: &Context,
        inputs: &Inputs<'_>,
        number: usize,
        starts_together: bool,
    ) -> Option<Self> {
        let divergence = &inputs.analyses[number].0;
        let external: FxHashSet<Operation> = inputs.calls.calls[number]
            .iter()
            .filter(|(_, callee)| inputs.calls.is_external(*callee))
            .map(|(op, _)| *op)
            .collect();
        let function = inputs.functions[number];
        let mut sections = sections::sections(context, function, divergence, &external);
        mark_arms(context, &mut sections);
        // Which loops are unrolled depends on where threads may have parted.
        convergent_sections(context, &mut sections, divergence, starts_together);
        let mut sections = unroll(context, sections);
        let acting: Vec<usize> = (0..sections.len())
            .filter(|number| sections[*number].has_groups(context))
            .collect();
        if acting.is_empty() {
            return None;
        }
        let order = Order::of(&sections);
        let together = convergent_sections(context, &mut sections, divergence, starts_together);
        Some(Arrangement {
            region: Region::of(&sections, &order, &acting),
            divergent: together.into_iter().map(|together| !together).collect(),
            order,
            sections,
        })
    }

    /// The events of each section, and where fences land.
    fn walk(
        &self,
        context: &Context,
        products: &[Operation],
        variables: &mut Variables,
    ) -> (Vec<Vec<Event>>, Landings) {
        let sinks = products.iter().any(|op| {
            let sparse = op.has_operands_named(context, "metadata");
            sparse || !variables.factor_webs(*op).is_empty()
        });
        let mut walk = Walk {
            context,
            variables,
            waited: false,
            sinks,
            deferred: Vec::new(),
            landings: Vec::new(),
        };
        let all = self.sections.iter().enumerate();
        let events = all.map(|(number, section)| match self.region.inside[number] {
            true => walk.section(section, self.region.ends[number], self.defers(number)),
            false => Vec::new(),
        });
        let events = events.collect();
        (events, walk.landings)
    }

    /// Whether definitions that only what follows reads are made after a section: it ends with an exit
    /// that some threads take.
    fn defers(&self, number: usize) -> bool {
        let section = &self.sections[number];
        let next = section.next.first();
        // The walk is in the order of the text.
        section.end == End::ExitIf
            && next
                .is_some_and(|next| *next == number + 1 && self.sections[*next].before.len() == 1)
    }
}
