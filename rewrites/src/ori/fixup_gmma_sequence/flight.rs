//! Products in flight along the events: where a wait is missing, and the late check of reads and
//! writes (the page's fourth validator).

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::MatrixGroups;
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::operations::matrix::WgmmaMma;
use orison_ori::operations::moves::{Concat, Extract};

use super::causes::Cause;
use super::events::{Event, Touched};
use super::registers::{Variable, Variables};
use super::sections::Section;

/// A product in flight.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Flight {
    /// How many groups were closed after its own; `None` if its own is open.
    newer: Option<u32>,
    /// The accumulators that were written since it was issued.
    written: BTreeSet<Variable>,
}

/// The products in flight at a point.
type Flights = BTreeMap<Operation, Flight>;

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

/// The inputs of the analysis.
pub(super) struct Check<'a> {
    /// The IR.
    pub context: &'a Context,
    /// The products.
    pub groups: &'a MatrixGroups,
    /// The registers.
    pub variables: &'a Variables,
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
        let mut leaving: Vec<Flights> = vec![Flights::new(); count];
        let mut waiting = vec![true; count];
        let mut again = true;
        let mut none = Found::default();
        while again {
            again = false;
            for section in 0..count {
                if !std::mem::take(&mut waiting[section]) {
                    continue;
                }
                let entering = self.entering(section, &leaving);
                let after = self.section(section, entering, &mut none);
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
            self.section(section, entering, &mut found);
        }
        for section in 0..count {
            self.captured(section, &mut found);
        }
        found.conflicts.sort_by_key(|conflict| conflict.place);
        found
    }

    fn entering(&self, section: usize, leaving: &[Flights]) -> Flights {
        let mut state = Flights::new();
        for before in &self.sections[section].before {
            for (product, flight) in &leaving[*before] {
                state
                    .entry(*product)
                    .and_modify(|known| {
                        known.newer = known.newer.min(flight.newer);
                        known.written.extend(&flight.written);
                    })
                    .or_insert_with(|| flight.clone());
            }
        }
        state
    }

    fn section(&self, section: usize, mut state: Flights, found: &mut Found) -> Flights {
        let events = &self.events[section];
        for (number, event) in events.iter().enumerate() {
            let place = (section, number);
            match event {
                Event::Product(op) | Event::Dummy(op) => {
                    let tuple = self.variables.tuple(*op);
                    for flight in state.values_mut() {
                        flight.written.retain(|own| !tuple.contains(own));
                    }
                    state.insert(*op, Flight::default());
                }
                Event::Close { .. } => {
                    for flight in state.values_mut() {
                        flight.newer = Some(flight.newer.map_or(0, |newer| newer + 1));
                    }
                }
                Event::Wait(op, left) => {
                    let complete =
                        |flight: &Flight| flight.newer.is_some_and(|newer| newer >= *left);
                    self.complete(&mut state, complete, (place, Some(*op)), found);
                }
                Event::Candidate(op) => {
                    let close = closes_soon(&events[number + 1..]);
                    self.wait_before(&mut state, place, *op, close, found);
                }
                Event::Leave(op) => self.wait_at_end(&mut state, place, Some(*op), found),
                Event::Last(op) => self.wait_at_end(&mut state, place, *op, found),
                Event::Plain(op, touched) => {
                    self.plain(&mut state, place, (*op, touched), found);
                }
                Event::Copied(written) => {
                    for flight in state.values_mut() {
                        flight.written.extend(written);
                    }
                }
                Event::Arrive { .. } => {}
            }
        }
        state
    }

    /// Removes the products that are complete. If a register of a product that was in flight was
    /// written since one of them was issued, that is a conflict.
    fn complete(
        &self,
        state: &mut Flights,
        is: impl Fn(&Flight) -> bool,
        (place, op): ((usize, usize), Option<Operation>),
        found: &mut Found,
    ) {
        let complete = state.values().filter(|flight| is(flight));
        let written: BTreeSet<Variable> = complete
            .flat_map(|flight| flight.written.iter().copied())
            .collect();
        let overwritten = !written.is_empty()
            && state.keys().any(|product| {
                let mut tuple = self.variables.tuple(*product).iter();
                tuple.any(|own| written.contains(own))
            });
        if overwritten {
            found.conflicts.push(Conflict {
                place,
                cause: Cause::AccumulatorDefined,
                op,
            });
        }
        state.retain(|_, flight| !is(flight));
    }

    fn wait_before(
        &self,
        state: &mut Flights,
        place: (usize, usize),
        op: Operation,
        close: Option<Option<(Operation, Operation)>>,
        found: &mut Found,
    ) {
        let covered = |flight: &Flight| close.is_some() || flight.newer.is_some();
        if !state.values().any(covered) {
            return;
        }
        found.waits.push(MissingWait {
            section: place.0,
            before: Some(op),
            about: Some(op),
            completes: completed(state, covered),
            // The group is open if a product in flight is in none yet.
            commit: close
                .flatten()
                .filter(|_| state.values().any(|flight| flight.newer.is_none())),
        });
        self.complete(state, covered, (place, Some(op)), found);
    }

    fn wait_at_end(
        &self,
        state: &mut Flights,
        place: (usize, usize),
        op: Option<Operation>,
        found: &mut Found,
    ) {
        if state.is_empty() {
            return;
        }
        let leaves = matches!(self.events[place.0][place.1], Event::Leave(_));
        found.waits.push(MissingWait {
            section: place.0,
            before: op.filter(|_| leaves),
            about: op,
            completes: completed(state, |_| true),
            commit: None,
        });
        self.complete(state, |_| true, (place, op), found);
    }

    fn plain(
        &self,
        state: &mut Flights,
        place: (usize, usize),
        (op, touched): (Operation, &Touched),
        found: &mut Found,
    ) {
        let in_flight = |value: &Value| {
            let origins = self.groups.origins.of_value(*value).iter();
            origins.into_iter().any(|o| state.contains_key(&o.product))
        };
        if touched.reads.iter().any(in_flight) {
            found.conflicts.push(Conflict {
                place,
                cause: Cause::AccumulatorRead,
                op: Some(op),
            });
        }
        let factor = |product: &Operation| {
            let webs = self.variables.factor_webs(*product);
            touched.factor_webs.iter().any(|web| webs.contains(web))
        };
        if state.keys().any(factor) {
            found.conflicts.push(Conflict {
                place,
                cause: Cause::InputDefined,
                op: Some(op),
            });
        }
        for flight in state.values_mut() {
            flight.written.extend(&touched.accumulators);
        }
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
        let word = word_of(self.context, value, 0);
        let later = later
            .iter()
            .take_while(|event| !matches!(event, Event::Arrive { .. }));
        let mut products = later.filter_map(|event| match event {
            Event::Product(op) => WgmmaMma::of(self.context, *op),
            _ => None,
        });
        products.any(|product| {
            let before = product.accumulator(self.context);
            before.is_some_and(|before| {
                let count = self.variables.tuple(product.operation()).len();
                let mut words = 0..u32::try_from(count).unwrap_or(0);
                words.any(|number| word_of(self.context, before, number) == word)
            })
        })
    }
}

/// The products that a wait completes.
fn completed(state: &Flights, is: impl Fn(&Flight) -> bool) -> Vec<Operation> {
    let all = state.iter().filter(|(_, flight)| is(flight));
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

/// The word of a value, where it is defined: through extracts, concatenations and waits.
fn word_of(context: &Context, mut value: Value, mut word: u32) -> (Value, u32) {
    while let Some(op) = value.defining_op(context) {
        if let Some(extract) = Extract::of(context, op) {
            let first = extract
                .word(context)
                .and_then(|word| u32::try_from(word).ok());
            word += first.unwrap_or(0);
            value = extract.whole(context);
        } else if Concat::matches(context, op) {
            let parts = op.operands(context);
            let sizes = parts.map(|part| (part, super::registers::words(context, part)));
            let mut at = 0;
            let mut found = None;
            for (part, size) in sizes {
                if found.is_none() && word < at + size {
                    found = Some((part, word - at));
                }
                at += size;
            }
            match found {
                Some((part, inner)) => (value, word) = (part, inner),
                None => return (value, word),
            }
        } else if matches!(role(context, op), Some(Role::Wait(_))) {
            let passed = op.operands_named(context, "accumulators");
            match passed.get(value.position(context)) {
                Some(before) => value = *before,
                None => return (value, word),
            }
        } else {
            break;
        }
    }
    (value, word)
}
