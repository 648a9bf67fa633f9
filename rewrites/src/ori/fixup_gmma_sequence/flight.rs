//! Products in flight along the events: where a wait is missing, and the late check of reads and
//! writes (the page's fourth validator).

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::analyses::{ControlFlowGraph, DefUse};
use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::MatrixGroups;
use orison_ori::operations::matrix::WgmmaMma;

use super::causes::Cause;
use super::events::{Event, Touched};
use super::registers::{Variable, Variables};
use super::sections::Section;
use super::words::{Factors, feeds, word_of};

/// A product in flight.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Flight {
    /// How many groups were closed after its own; `None` if its own is open.
    newer: Option<u32>,
    /// The accumulators that were written since it was issued.
    written: BTreeSet<Variable>,
}

/// What is known at a point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct State {
    /// The products in flight.
    flights: BTreeMap<Operation, Flight>,
    /// The operations whose values accumulators may have, other than products.
    defined: BTreeMap<Variable, BTreeSet<Operation>>,
}

impl State {
    /// Adds what may hold on another path.
    fn merge(&mut self, other: &State) {
        for (product, flight) in &other.flights {
            let known = self.flights.entry(*product);
            known
                .and_modify(|known| {
                    known.newer = known.newer.min(flight.newer);
                    known.written.extend(&flight.written);
                })
                .or_insert_with(|| flight.clone());
        }
        for (variable, definitions) in &other.defined {
            let known = self.defined.entry(*variable).or_default();
            known.extend(definitions);
        }
    }

    /// An operation that is no product writes accumulators.
    fn write(&mut self, variable: Variable, op: Operation) {
        for flight in self.flights.values_mut() {
            flight.written.insert(variable);
        }
        self.defined.insert(variable, BTreeSet::from([op]));
    }

    /// A product, or a commit of none, is issued.
    fn issue(&mut self, op: Operation, tuple: &[Variable]) {
        for flight in self.flights.values_mut() {
            flight.written.retain(|own| !tuple.contains(own));
        }
        for variable in tuple {
            self.defined.remove(variable);
        }
        self.flights.insert(op, Flight::default());
    }
}

/// A wait to inject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MissingWait {
    /// The section.
    pub section: usize,
    /// Before this operation, or (`None`) at the end of the section.
    pub before: Option<Operation>,
    /// The operation that the message is about.
    pub about: Option<Operation>,
    /// The products that it completes.
    pub completes: Vec<Operation>,
    /// The last product, and the commit behind the wait that closes its group: it must come first.
    pub commit: Option<(Operation, Operation)>,
}

/// A read or write of a register in flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Conflict {
    /// The section, and the event in it.
    pub place: (usize, usize),
    /// Which rule it breaks.
    pub cause: Cause,
    /// The operation that reads, or where an overwritten product completes.
    pub op: Option<Operation>,
}

/// What the analysis finds.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Waits to inject, in order.
    pub waits: Vec<MissingWait>,
    /// Conflicts, in order.
    pub conflicts: Vec<Conflict>,
}

impl Found {
    /// Reports, if there is a conflict, that an accumulator in flight was written.
    fn overwritten(&mut self, conflict: bool, (place, op): ((usize, usize), Option<Operation>)) {
        if conflict {
            self.conflicts.push(Conflict {
                place,
                cause: Cause::AccumulatorDefined,
                op,
            });
        }
    }
}

/// The inputs of the analysis.
pub(super) struct Check<'a> {
    /// The IR.
    pub context: &'a Context,
    /// The products.
    pub groups: &'a MatrixGroups,
    /// The registers.
    pub variables: &'a Variables,
    /// The flow graph.
    pub flow: &'a ControlFlowGraph,
    /// What branches pass to block arguments.
    pub chains: &'a DefUse,
    /// The left factors in registers.
    pub factors: &'a Factors,
    /// The sections.
    pub sections: &'a [Section],
    /// Their events; sections outside of the region have none.
    pub events: &'a [Vec<Event>],
}

impl Check<'_> {
    /// Follows the products to all sections, then reports. A section is visited again when what
    /// enters it changes: the counts only fall, and the marks only grow.
    pub fn run(&self) -> Found {
        let count = self.sections.len();
        let mut leaving: Vec<State> = vec![State::default(); count];
        let mut waiting = vec![true; count];
        let mut again = true;
        while again {
            again = false;
            for section in 0..count {
                if !std::mem::take(&mut waiting[section]) {
                    continue;
                }
                let entering = self.entering(section, &leaving);
                let after = self.section(section, entering, None);
                if after != leaving[section] {
                    leaving[section] = after;
                    for next in &self.sections[section].next {
                        waiting[*next] = true;
                        again |= *next <= section;
                    }
                }
            }
        }
        let mut found = Found::default();
        for section in 0..count {
            let entering = self.entering(section, &leaving);
            self.section(section, entering, Some(&mut found));
        }
        for section in 0..count {
            self.captured(section, &mut found);
        }
        found.conflicts.sort_by_key(|conflict| conflict.place);
        found
    }

    fn entering(&self, section: usize, leaving: &[State]) -> State {
        let mut before = self.sections[section].before.iter();
        let first = before.next().map(|before| leaving[*before].clone());
        let mut state = first.unwrap_or_default();
        for other in before {
            state.merge(&leaving[*other]);
        }
        state
    }

    /// Follows the events of a section; reports what it finds if it is asked to.
    fn section(&self, section: usize, mut state: State, mut found: Option<&mut Found>) -> State {
        let events = &self.events[section];
        for (number, event) in events.iter().enumerate() {
            let place = (section, number);
            match event {
                Event::Product(op) | Event::Dummy(op) => {
                    state.issue(*op, self.variables.tuple(*op));
                }
                Event::Close { .. } => {
                    for flight in state.flights.values_mut() {
                        flight.newer = Some(flight.newer.map_or(0, |newer| newer + 1));
                    }
                }
                Event::Wait(op, left) => {
                    let complete =
                        |flight: &Flight| flight.newer.is_some_and(|newer| newer >= *left);
                    if let Some(found) = &mut found {
                        let conflict = self.is_written(&state, complete, complete)
                            || self.meets_other(&state, complete);
                        found.overwritten(conflict, (place, Some(*op)));
                    }
                    state.flights.retain(|_, flight| !complete(flight));
                }
                Event::Candidate(op) => {
                    let close = closes_soon(&events[number + 1..]);
                    self.wait_before(&mut state, place, *op, close, found.as_deref_mut());
                }
                Event::Leave(op) => {
                    self.wait_at_end(&mut state, place, Some(*op), found.as_deref_mut());
                }
                Event::Last(op) => {
                    self.wait_at_end(&mut state, place, *op, found.as_deref_mut());
                }
                Event::Plain(op, touched) => {
                    if let Some(found) = &mut found {
                        self.plain(&state, place, (*op, touched), found);
                    }
                    for variable in &touched.accumulators {
                        state.write(*variable, *op);
                    }
                }
                Event::Copied(written) => {
                    for (variable, op) in written {
                        state.write(*variable, *op);
                    }
                }
                Event::Arrive { .. } => {}
            }
        }
        state
    }

    /// Whether products have accumulators that were written since one of those that complete was
    /// issued.
    fn is_written(
        &self,
        state: &State,
        complete: impl Fn(&Flight) -> bool,
        concerns: impl Fn(&Flight) -> bool,
    ) -> bool {
        let done = state.flights.values().filter(|flight| complete(flight));
        let written: BTreeSet<Variable> = done
            .flat_map(|flight| flight.written.iter().copied())
            .collect();
        let mut all = state.flights.iter().filter(|(_, flight)| concerns(flight));
        all.any(|(product, _)| {
            let mut tuple = self.variables.tuple(*product).iter();
            tuple.any(|own| written.contains(own))
        })
    }

    /// Whether products that complete have, on some path, a value in their accumulators which neither
    /// is what they took nor was overwritten before them: they are on another path.
    fn meets_other(&self, state: &State, complete: impl Fn(&Flight) -> bool) -> bool {
        let done = state.flights.iter().filter(|(_, flight)| complete(flight));
        let mut done = done.filter_map(|(op, _)| WgmmaMma::of(self.context, *op));
        done.any(|product| {
            let op = product.operation();
            let tuple = self.variables.tuple(op).iter().enumerate();
            let mut words = tuple.filter_map(|(word, own)| Some((u32::try_from(word).ok()?, own)));
            words.any(|(word, own)| {
                let mut definitions = state.defined.get(own).into_iter().flatten();
                definitions.any(|definition| {
                    let (context, at) = (self.context, (product, word));
                    !self.is_overwritten(*definition, op)
                        && !feeds(context, self.chains, self.variables, at, *definition)
                })
            })
        })
    }

    /// Whether a definition is on every path to a product.
    fn is_overwritten(&self, definition: Operation, product: Operation) -> bool {
        let (context, flow) = (self.context, self.flow);
        if definition.block(context) == product.block(context) {
            return definition.is_before_in_block(context, product);
        }
        let block = |op| flow.block_around(context, op);
        let both = block(definition).zip(block(product));
        both.is_some_and(|(above, below)| flow.dominates(above, below))
    }

    fn wait_before(
        &self,
        state: &mut State,
        place: (usize, usize),
        op: Operation,
        close: Option<Option<(Operation, Operation)>>,
        found: Option<&mut Found>,
    ) {
        let covered = |flight: &Flight| close.is_some() || flight.newer.is_some();
        if !state.flights.values().any(covered) {
            return;
        }
        if let Some(found) = found {
            let mut flights = state.flights.values();
            let is_open = flights.any(|flight| flight.newer.is_none());
            found.waits.push(MissingWait {
                section: place.0,
                before: Some(op),
                about: Some(op),
                completes: completed(state, covered),
                // The group is open if a product in flight is in none yet.
                commit: close.flatten().filter(|_| is_open),
            });
            let conflict = self.is_written(state, covered, |_| true);
            found.overwritten(conflict, (place, Some(op)));
        }
        state.flights.retain(|_, flight| !covered(flight));
    }

    fn wait_at_end(
        &self,
        state: &mut State,
        place: (usize, usize),
        op: Option<Operation>,
        found: Option<&mut Found>,
    ) {
        if state.flights.is_empty() {
            return;
        }
        if let Some(found) = found {
            let leaves = matches!(self.events[place.0][place.1], Event::Leave(_));
            found.waits.push(MissingWait {
                section: place.0,
                before: op.filter(|_| leaves),
                about: op,
                completes: completed(state, |_| true),
                commit: None,
            });
            let conflict =
                self.is_written(state, |_| true, |_| true) || self.meets_other(state, |_| true);
            found.overwritten(conflict, (place, op));
        }
        state.flights.clear();
    }

    fn plain(
        &self,
        state: &State,
        place: (usize, usize),
        (op, touched): (Operation, &Touched),
        found: &mut Found,
    ) {
        let in_flight = |value: &Value| {
            let mut origins = self.groups.origins.of_value(*value).iter();
            origins.any(|origin| state.flights.contains_key(&origin.product))
        };
        let mut tell = |cause| {
            let op = Some(op);
            found.conflicts.push(Conflict { place, cause, op });
        };
        if touched.reads.iter().any(in_flight) {
            tell(Cause::AccumulatorRead);
        }
        let mut products = state.flights.keys();
        if products.any(|product| self.writes_factor(place.0, touched, *product)) {
            tell(Cause::InputDefined);
        }
    }

    /// Whether factors of a product are written while it is in flight. The copies of a loop have
    /// registers of their own, unless all factors are written before the next wait.
    fn writes_factor(&self, section: usize, touched: &Touched, product: Operation) -> bool {
        if touched.factors.is_empty() {
            return false;
        }
        if self.sections[section].is_unrolled {
            return self.renews_factor(section, product);
        }
        touched.factors.iter().any(|(_, value)| {
            let word = word_of(self.context, *value, 0);
            self.factors.writes_factor(word, product)
        })
    }

    /// Whether all factors of a product are written between it and the next wait of its section.
    fn renews_factor(&self, section: usize, product: Operation) -> bool {
        let events = self.events[section].iter();
        let later =
            events.skip_while(|event| !matches!(event, Event::Product(op) if *op == product));
        let mut written: BTreeSet<Variable> = BTreeSet::new();
        for event in later {
            match event {
                Event::Plain(_, touched) => {
                    written.extend(touched.factors.iter().map(|(variable, _)| *variable));
                }
                Event::Wait(..) => {
                    let factor = self.variables.factor(product);
                    let mut factor = factor.iter();
                    return factor.len() > 0 && factor.all(|own| written.contains(own));
                }
                _ => {}
            }
        }
        false
    }

    /// Reports reads of an accumulator between an arrive and the product that takes it in place:
    /// the product may have it by then.
    fn captured(&self, section: usize, found: &mut Found) {
        let events = &self.events[section];
        let mut arrives = false;
        for (number, event) in events.iter().enumerate() {
            if let Event::Arrive { waited, .. } = event {
                arrives = !waited;
            }
            let Event::Plain(op, touched) = event else {
                continue;
            };
            if !arrives {
                continue;
            }
            let later = &events[number + 1..];
            let captured = |value: &Value| self.is_captured(*value, later);
            if touched.reads.iter().any(captured) {
                found.conflicts.push(Conflict {
                    place: (section, number),
                    cause: Cause::AccumulatorRead,
                    op: Some(*op),
                });
            }
        }
    }

    fn is_captured(&self, value: Value, later: &[Event]) -> bool {
        if !self.groups.origins.of_value(value).is_empty() {
            return false;
        }
        let definition = value.defining_op(self.context);
        let word = word_of(self.context, value, 0);
        let later = later
            .iter()
            .take_while(|event| !matches!(event, Event::Arrive { .. }));
        let mut products = later.filter_map(|event| match event {
            Event::Product(op) => WgmmaMma::of(self.context, *op),
            _ => None,
        });
        products.any(|product| {
            let op = product.operation();
            let Some(before) = product.accumulator(self.context) else {
                return definition.is_some_and(|one| self.variables.takes_constant(op, one));
            };
            let count = self.variables.tuple(op).len();
            let mut words = 0..u32::try_from(count).unwrap_or(0);
            words.any(|number| word_of(self.context, before, number) == word)
        })
    }
}

/// The products that a wait completes.
fn completed(state: &State, is: impl Fn(&Flight) -> bool) -> Vec<Operation> {
    let all = state.flights.iter().filter(|(_, flight)| is(flight));
    all.map(|(product, _)| *product).collect()
}

/// Whether the open group is closed before another product is added to it; its last product and the
/// commit that does it.
fn closes_soon(later: &[Event]) -> Option<Option<(Operation, Operation)>> {
    let next = later.iter().find(|event| {
        matches!(
            event,
            Event::Close { .. } | Event::Product(_) | Event::Dummy(_)
        )
    });
    match next {
        Some(Event::Close { product, commit }) => Some(commit.map(|commit| (*product, commit))),
        _ => None,
    }
}
