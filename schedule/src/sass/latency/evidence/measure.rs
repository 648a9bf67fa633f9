//! The least distances between dependent instructions of listings.
//!
//! Only pairs within a block count, with no wait between them and none at the later one: then the
//! sum of the stalls is what their author relied on. Nor do pairs count whose guards exclude each
//! other.

use std::collections::BTreeMap;

use orison_sass::function::Function;
use orison_sass::instruction::Scheduled;

use super::super::{LatencyModel, Mechanism, TableFile};
use super::cells;
use super::instance::Instance;
use crate::sass::facts::{FunctionFacts, RegisterNumber, Write};
use crate::sass::guards::Guards;

/// The pairs of a cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    /// The least distance.
    pub(super) least: u32,
    /// How many issue at it.
    pub(super) at_least: usize,
    /// All pairs.
    pub(super) all: usize,
    /// Some of those at the least distance.
    pub(super) instances: Vec<Instance>,
}

/// The most instances that are kept for a cell.
const INSTANCES: usize = 40;

/// What listings show, by the name of the cell.
#[derive(Debug, Default)]
pub(super) struct Measured {
    pub(super) cells: BTreeMap<String, Pairs>,
}

impl Measured {
    fn add(&mut self, cell: String, distance: u32, instance: impl FnOnce() -> Instance) {
        let pairs = self.cells.entry(cell).or_default();
        pairs.all += 1;
        if pairs.all == 1 || distance < pairs.least {
            pairs.least = distance;
            pairs.at_least = 0;
            pairs.instances.clear();
        }
        if distance == pairs.least {
            pairs.at_least += 1;
            let found = (pairs.instances.len() < INSTANCES).then(instance);
            if let Some(found) = found.filter(|found| !pairs.instances.contains(found)) {
                pairs.instances.push(found);
            }
        }
    }
}

/// An access that later instructions depend on.
#[derive(Clone, Copy)]
struct Access {
    instruction: usize,
    at: u32,
    write: Option<Write>,
}

/// The accesses of a block that are not hidden by a wait.
#[derive(Default)]
struct Block {
    now: u32,
    writers: BTreeMap<RegisterNumber, Vec<Access>>,
    readers: BTreeMap<RegisterNumber, Vec<Access>>,
    armed: [Option<Access>; 6],
    guards: Guards,
}

/// Adds the pairs of a function.
pub(super) fn function(
    all: &mut Measured,
    model: &LatencyModel,
    function: &Function<'_>,
    file: &str,
) {
    let facts = FunctionFacts::new(function, model);
    let code: Vec<&Scheduled<'_>> = function.instructions().collect();
    let mut walk = Walk {
        all,
        model,
        facts: &facts,
        code: &code,
        file,
        name: &function.name,
    };
    for block in 0..facts.block_count() {
        let mut state = Block::default();
        for number in facts.block(block) {
            walk.step(&mut state, number);
        }
    }
}

struct Walk<'a> {
    all: &'a mut Measured,
    model: &'a LatencyModel,
    facts: &'a FunctionFacts,
    code: &'a [&'a Scheduled<'a>],
    file: &'a str,
    name: &'a str,
}

impl Walk<'_> {
    fn step(&mut self, state: &mut Block, number: usize) {
        let control = self.code[number].control;
        self.waits(state, number);
        if !control.wait.is_empty() || self.code[number].mnemonic.base() == "DEPBAR" {
            state.writers.clear();
            state.readers.clear();
        }
        self.reads(state, number);
        self.writes(state, number);
        self.record(state, number);
        let fact = self.facts.fact(number);
        let issued = u32::try_from(number).expect("instructions of a function");
        state.guards.issue(issued, fact.guard);
        state.guards.define(fact.predicates.as_deref());
        let stall = u32::from(control.stall.cycles());
        self.issue(number, stall);
        for barrier in control.armed().iter() {
            state.armed[usize::from(barrier.index())] = Some(Access {
                instruction: number,
                at: state.now,
                write: None,
            });
        }
        if stall == 0 {
            *state = Block::default();
        }
        state.now += stall;
    }

    fn instance(&self, from: usize, to: usize, how: &str) -> Instance {
        let (from, to) = (self.code[from], self.code[to]);
        let file = self.file.trim_end_matches(".sass");
        // Names of templates have thousands of characters.
        let mut name: String = self.name.chars().take(60).collect();
        if name.len() < self.name.len() {
            name.push('…');
        }
        Instance {
            from: from.to_string(),
            to: to.to_string(),
            place: format!("{how}{file} {name} {:04x}", to.address),
        }
    }

    /// The accesses to a register of instructions that a thread may have executed.
    fn met(
        &self,
        state: &Block,
        accesses: &BTreeMap<RegisterNumber, Vec<Access>>,
        register: RegisterNumber,
        number: usize,
    ) -> Vec<Access> {
        let guard = self.facts.fact(number).guard;
        let exclusive = |access: &Access| {
            let earlier = u32::try_from(access.instruction).expect("instructions of a function");
            state.guards.exclusive(earlier, guard)
        };
        let accesses = accesses.get(&register).into_iter().flatten().copied();
        accesses.filter(|access| !exclusive(access)).collect()
    }

    fn add(&mut self, cell: String, from: Access, now: u32, to: usize) {
        let instance = self.instance(from.instruction, to, "");
        self.all.add(cell, now - from.at, || instance);
    }

    fn waits(&mut self, state: &mut Block, number: usize) {
        for barrier in self.code[number].control.wait.iter() {
            if let Some(armed) = state.armed[usize::from(barrier.index())].take() {
                let instance = self.instance(armed.instruction, number, "armed ");
                let name = "scoreboard: arm -> wait".to_owned();
                self.all.add(name, state.now - armed.at, || instance);
            }
        }
    }

    fn issue(&mut self, number: usize, stall: u32) {
        let base = self.code[number].mnemonic.base();
        if self.model.issue_minimum(base) > 1 && stall > 0 {
            let instance = self.instance(number, number, "");
            self.all.add(format!("issue: {base}"), stall, || instance);
        }
    }

    fn reads(&mut self, state: &Block, number: usize) {
        for read in self.facts.reads(number) {
            for from in self.met(state, &state.writers, read.register, number) {
                let file = read.register.file();
                let Some(write) = from.write else { continue };
                let name = cells::read_name(self.model, file, write.column, read.row);
                self.add(name, from, state.now, number);
            }
        }
    }

    fn writes(&mut self, state: &Block, number: usize) {
        let model = self.model;
        let class = |number: usize| model.class(self.facts.fact(number).class);
        let second = class(number).group;
        let mut found = Vec::new();
        for write in self.facts.writes(number) {
            let file = write.register.file();
            for from in self.met(state, &state.writers, write.register, number) {
                let first = class(from.instruction).group;
                let guarded = self.facts.fact(from.instruction).guarded;
                let name = match (file, from.write) {
                    (TableFile::General | TableFile::Predicate, _) => {
                        cells::overwrite_name(first, second, guarded)
                    }
                    (_, Some(before)) => {
                        let writers = &model.table(file).writers;
                        let (first, second) = (before.column.0, write.column.0);
                        let (first, second) =
                            (&writers[usize::from(first)], &writers[usize::from(second)]);
                        format!("uniform overwrite: {first} -> {second}")
                    }
                    (_, None) => continue,
                };
                found.push((name, from));
            }
            for from in self.met(state, &state.readers, write.register, number) {
                let first = class(from.instruction).group;
                found.push((cells::antidependence_name(first, second), from));
            }
        }
        for (name, from) in found {
            self.add(name, from, state.now, number);
        }
    }

    fn record(&self, state: &mut Block, number: usize) {
        let fact = self.facts.fact(number);
        let mechanism = self.model.class(fact.class).mechanism;
        let timed = matches!(mechanism, Mechanism::Fixed | Mechanism::None);
        for write in self.facts.writes(number) {
            if !fact.guarded {
                state.writers.remove(&write.register);
                state.readers.remove(&write.register);
            }
            if timed {
                let access = Access {
                    instruction: number,
                    at: state.now,
                    write: Some(*write),
                };
                state
                    .writers
                    .entry(write.register)
                    .or_default()
                    .push(access);
            }
        }
        for read in self.facts.reads(number) {
            let own = self.facts.writes(number).iter();
            let overwritten = own.clone().any(|write| write.register == read.register);
            if !timed || read.register.file() != TableFile::General || overwritten && !fact.guarded
            {
                continue;
            }
            let access = Access {
                instruction: number,
                at: state.now,
                write: None,
            };
            state.readers.entry(read.register).or_default().push(access);
        }
    }
}
