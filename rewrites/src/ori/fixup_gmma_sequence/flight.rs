//! Products in flight along the events: where a wait is missing, and the late check of reads and
//! writes (the page's fourth validator).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use orison_ir::{Operation, Value};
use orison_ori::analyses::matrix_groups::{Flights, SharedSet};
use orison_ori::operations::matrix::WgmmaMma;
use rustc_hash::{FxHashMap, FxHashSet};

use super::causes::Cause;
use super::definitions::Definitions;
use super::events::{Event, Touched};
use super::facts::Facts;
use super::words::{Factors, Word, word_of};
use crate::ori::matrix_registers::variables::Variable;

/// What is known at a point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct State {
    /// The products and commits of none in flight.
    flights: Flights,
    /// Those that were in flight when each accumulator was written, if no product wrote it since.
    written: Rc<BTreeMap<Variable, SharedSet>>,
    /// The definitions whose values accumulators may have.
    defined: SharedSet,
}

impl State {
    /// Adds what may hold on another path.
    fn merge(&mut self, other: &State) {
        self.flights.merge(&other.flights);
        self.defined.add(&other.defined);
        if other.written.is_empty() || Rc::ptr_eq(&self.written, &other.written) {
            return;
        }
        let own = Rc::make_mut(&mut self.written);
        for (variable, products) in &*other.written {
            own.entry(*variable).or_default().add(products);
        }
    }

    /// An operation that is no product writes an accumulator.
    fn write(&mut self, definitions: &Definitions, variable: Variable, op: Operation) {
        let flights = self.flights.all();
        if !flights.is_empty() {
            Rc::make_mut(&mut self.written).insert(variable, flights);
        }
        self.defined.remove(definitions.of_variable(variable));
        if let Some(number) = definitions.number(variable, op) {
            self.defined.insert(number);
        }
    }

    /// A product, or a commit of none, is issued.
    fn issue(&mut self, definitions: &Definitions, number: u32, tuple: &[Variable]) {
        // It may be in flight since the iteration before.
        self.forget(&SharedSet::from_iter([number]));
        for variable in tuple {
            if self.written.contains_key(variable) {
                Rc::make_mut(&mut self.written).remove(variable);
            }
            self.defined.remove(definitions.of_variable(*variable));
        }
        self.flights.issue(number);
    }

    /// Drops what is known of products that are not in flight any more.
    fn forget(&mut self, products: &SharedSet) {
        if self.written.values().any(|written| written.meets(products)) {
            Rc::make_mut(&mut self.written).retain(|_, written| {
                written.remove(products);
                !written.is_empty()
            });
        }
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
    /// The products that it completes, by number.
    pub completes: SharedSet,
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
    /// Why the PTX ISA does not call the program wrong, if it does not.
    pub excuse: Option<&'static str>,
}

/// The excuse where an accumulator was written while only products on other registers, or commits of
/// none, were in flight; or where on another path it has a value that its product did not take.
const NOT_IN_FLIGHT: &str = "no instruction writes a register while a product on it is in flight: ptxas \
                             takes groups and values of several paths together";

/// What the analysis finds.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Waits to inject, in order.
    pub waits: Vec<MissingWait>,
    /// Conflicts, in order.
    pub conflicts: Vec<Conflict>,
}

impl Found {
    /// Reports that an accumulator was written. `in_flight` tells whether a product on it was in flight;
    /// it is asked for the first report only, since the others are not shown.
    fn overwritten(
        &mut self,
        (place, op): ((usize, usize), Option<Operation>),
        in_flight: impl FnOnce() -> bool,
    ) {
        let cause = Cause::AccumulatorDefined;
        let is_first = !self.conflicts.iter().any(|one| one.cause == cause);
        let excuse = (is_first && !in_flight()).then_some(NOT_IN_FLIGHT);
        self.conflicts.push(Conflict {
            place,
            cause,
            op,
            excuse,
        });
    }
}

/// Follows the products to all sections, then reports. A section is visited again when what enters
/// it changes: the counts only fall, and the marks only grow.
pub(super) fn check(inputs: &Facts<'_>) -> Found {
    let (context, groups) = (inputs.context, inputs.groups);
    let mut numbers: FxHashMap<Operation, u32> =
        groups.products().iter().copied().zip(0..).collect();
    for event in inputs.events.iter().flatten() {
        if let Event::Dummy(op) = event {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            numbers.entry(*op).or_insert(next);
        }
    }
    let check = Check {
        inputs,
        numbers,
        factors: Factors::of(context, inputs.chains, groups.products()),
        definitions: Definitions::of(inputs),
    };
    check.run()
}

struct Check<'a> {
    inputs: &'a Facts<'a>,
    /// The numbers of the products, and of commits of none.
    numbers: FxHashMap<Operation, u32>,
    /// The left factors in registers.
    factors: Factors,
    /// The definitions of accumulators.
    definitions: Definitions,
}

impl Check<'_> {
    fn run(&self) -> Found {
        let sections = self.inputs.sections;
        let count = sections.len();
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
                    for next in &sections[section].next {
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
        let mut before = self.inputs.sections[section].before.iter();
        let first = before.next().map(|before| leaving[*before].clone());
        let mut state = first.unwrap_or_default();
        for other in before {
            state.merge(&leaving[*other]);
        }
        state
    }

    /// Follows the events of a section; reports what it finds if it is asked to.
    fn section(&self, section: usize, mut state: State, mut found: Option<&mut Found>) -> State {
        let events = &self.inputs.events[section];
        let closes = closes_soon(events);
        for (number, event) in events.iter().enumerate() {
            let place = (section, number);
            match event {
                Event::Product(op) | Event::Dummy(op) => {
                    let tuple = self.inputs.variables.tuple(*op);
                    state.issue(&self.definitions, self.numbers[op], tuple);
                }
                Event::Close { .. } => state.flights.commit(),
                Event::Wait(op, left) => {
                    let completed = state.flights.completed(*left);
                    if let Some(found) = &mut found {
                        let conflict = self.is_written(&state, &completed, &completed)
                            || self.meets_other(&state, &completed);
                        if conflict {
                            let in_flight = || self.is_overwritten(&state, &completed);
                            found.overwritten((place, Some(*op)), in_flight);
                        }
                    }
                    state.flights.wait(*left);
                    state.forget(&completed);
                }
                Event::Candidate(op) => {
                    let close = closes[number];
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
                        state.write(&self.definitions, *variable, *op);
                    }
                }
                Event::Copied(written) => {
                    for (variable, op) in written {
                        state.write(&self.definitions, *variable, *op);
                    }
                }
                Event::Arrive { .. } => {}
            }
        }
        state
    }

    /// Whether some products have accumulators that were written since one of those that complete
    /// was issued.
    fn is_written(&self, state: &State, completed: &SharedSet, concerned: &SharedSet) -> bool {
        let mut written = state.written.iter();
        written.any(|(variable, products)| {
            products.meets(completed) && self.definitions.products_on(*variable).meets(concerned)
        })
    }

    /// Whether a product that completes has accumulators that were written since it was issued. Linear
    /// in the products on what was written.
    fn is_overwritten(&self, state: &State, completed: &SharedSet) -> bool {
        state.written.iter().any(|(variable, products)| {
            let own = self.definitions.products_on(*variable);
            let mut all = products.iter();
            all.any(|product| completed.contains(product) && own.contains(product))
        })
    }

    /// Whether products that complete have, on some path, a value in their accumulators which neither
    /// is what they took nor was overwritten before them: they are on another path.
    fn meets_other(&self, state: &State, completed: &SharedSet) -> bool {
        self.definitions
            .meet(self.inputs, &state.defined, completed)
    }

    fn wait_before(
        &self,
        state: &mut State,
        place: (usize, usize),
        op: Operation,
        close: Option<Option<(Operation, Operation)>>,
        found: Option<&mut Found>,
    ) {
        let all = state.flights.all();
        let mut covered = all.clone();
        if close.is_none() {
            covered.remove(state.flights.open());
        }
        if covered.is_empty() {
            return;
        }
        if let Some(found) = found {
            let is_open = !state.flights.open().is_empty();
            if self.is_written(state, &covered, &all) {
                let in_flight = || self.is_overwritten(state, &covered);
                found.overwritten((place, Some(op)), in_flight);
            }
            found.waits.push(MissingWait {
                section: place.0,
                before: Some(op),
                about: Some(op),
                completes: covered.clone(),
                // The group is open if a product in flight is in none yet.
                commit: close.flatten().filter(|_| is_open),
            });
        }
        match close {
            Some(_) => state.flights.clear(),
            None => state.flights.wait(0),
        }
        state.forget(&covered);
    }

    fn wait_at_end(
        &self,
        state: &mut State,
        place: (usize, usize),
        op: Option<Operation>,
        found: Option<&mut Found>,
    ) {
        let all = state.flights.all();
        if all.is_empty() {
            return;
        }
        if let Some(found) = found {
            let leaves = matches!(self.inputs.events[place.0][place.1], Event::Leave(_));
            if self.is_written(state, &all, &all) || self.meets_other(state, &all) {
                found.overwritten((place, op), || self.is_overwritten(state, &all));
            }
            found.waits.push(MissingWait {
                section: place.0,
                before: op.filter(|_| leaves),
                about: op,
                completes: all,
                commit: None,
            });
        }
        state.flights.clear();
        state.written = Rc::default();
    }

    fn plain(
        &self,
        state: &State,
        place: (usize, usize),
        (op, touched): (Operation, &Touched),
        found: &mut Found,
    ) {
        if state.flights.is_empty() {
            return;
        }
        let flights = state.flights.all();
        let mut tell = |cause| {
            found.conflicts.push(Conflict {
                place,
                cause,
                op: Some(op),
                excuse: None,
            });
        };
        let origins = &self.inputs.groups.origins;
        let in_flight = |value: &Value| origins.of_value(*value).meets(&flights);
        if touched.reads.iter().any(in_flight) {
            tell(Cause::AccumulatorRead);
        }
        if !touched.factors.is_empty() && self.writes_factor(place.0, touched, &flights) {
            tell(Cause::InputDefined);
        }
    }

    /// Whether factors of a product are written while it is in flight. The copies of a loop have
    /// registers of their own, unless all factors are written before the next wait.
    fn writes_factor(&self, section: usize, touched: &Touched, flights: &SharedSet) -> bool {
        if self.inputs.sections[section].is_unrolled {
            return self.renews_factor(section, flights);
        }
        touched.factors.iter().any(|(_, value)| {
            let word = word_of(self.inputs.context, *value, 0);
            self.factors.is_read_by(word, flights)
        })
    }

    /// Whether all factors of a product in flight are written between it and the next wait of its
    /// section.
    fn renews_factor(&self, section: usize, flights: &SharedSet) -> bool {
        let mut written: BTreeSet<Variable> = BTreeSet::new();
        let mut waited = false;
        for event in self.inputs.events[section].iter().rev() {
            match event {
                Event::Plain(_, touched) => {
                    written.extend(touched.factors.iter().map(|(variable, _)| *variable));
                }
                Event::Wait(..) => {
                    waited = true;
                    written.clear();
                }
                Event::Product(op) if waited && flights.contains(self.numbers[op]) => {
                    let factor = self.inputs.variables.factor(*op);
                    if !factor.is_empty() && factor.iter().all(|own| written.contains(own)) {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// Reports reads of an accumulator between an arrive and the product that takes it in place:
    /// the product may have it by then. Linear in the events.
    fn captured(&self, section: usize, found: &mut Found) {
        let events = &self.inputs.events[section];
        let mut arrives = false;
        let behind_arrive: Vec<bool> = events
            .iter()
            .map(|event| {
                if let Event::Arrive { waited, .. } = event {
                    arrives = !waited;
                }
                arrives
            })
            .collect();
        let mut later = Captured::default();
        for (number, event) in events.iter().enumerate().rev() {
            match event {
                Event::Arrive { .. } => later = Captured::default(),
                Event::Product(op) => later.add(self.inputs, *op),
                Event::Plain(op, touched) if behind_arrive[number] => {
                    let mut reads = touched.reads.iter();
                    if reads.any(|value| later.holds(self.inputs, *value)) {
                        found.conflicts.push(Conflict {
                            place: (section, number),
                            cause: Cause::AccumulatorRead,
                            op: Some(*op),
                            excuse: None,
                        });
                    }
                }
                _ => {}
            }
        }
    }
}

/// What the products between a point and the next arrive take in place.
#[derive(Default)]
struct Captured {
    words: FxHashSet<Word>,
    constants: FxHashSet<Operation>,
}

impl Captured {
    fn add(&mut self, inputs: &Facts<'_>, op: Operation) {
        let Some(product) = WgmmaMma::of(inputs.context, op) else {
            return;
        };
        let Some(before) = product.accumulator(inputs.context) else {
            self.constants.extend(inputs.variables.constants(op));
            return;
        };
        let count = inputs.variables.tuple(op).len();
        let words = 0..u32::try_from(count).unwrap_or(0);
        self.words
            .extend(words.map(|number| word_of(inputs.context, before, number)));
    }

    fn holds(&self, inputs: &Facts<'_>, value: Value) -> bool {
        let is_constant = |op| self.constants.contains(&op);
        inputs.groups.origins.of_value(value).is_empty()
            && (self.words.contains(&word_of(inputs.context, value, 0))
                || value.defining_op(inputs.context).is_some_and(is_constant))
    }
}

/// For each event, whether the open group is closed before another product is added to it; its last
/// product and the commit that does it.
fn closes_soon(events: &[Event]) -> Vec<Option<Option<(Operation, Operation)>>> {
    let mut next = None;
    let mut all = vec![None; events.len()];
    for (event, slot) in events.iter().zip(&mut all).rev() {
        *slot = next;
        match event {
            Event::Close { product, commit } => {
                next = Some(commit.map(|commit| (*product, commit)));
            }
            Event::Product(_) | Event::Dummy(_) => next = None,
            _ => {}
        }
    }
    all
}
