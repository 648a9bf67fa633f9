//! Fault injection in real code: control words that no longer protect a dependence must be
//! detected.
//!
//! That a fault breaks a dependence follows from the dependence graph and the control words alone:
//! the edge is in one block, and nothing between its ends still protects it. A stall that needs
//! `yield` follows from the control word alone; [`crate::sass::verify`] has to detect that.

use std::collections::BTreeMap;

use orison_sass::control::{Barrier, BarrierSet, ControlWord, Inline21, Stall};
use orison_sass::function::Function;

use super::*;
use crate::dependences::{DependenceGraph, Edge, Protection};
use crate::sass::facts::Action;
use crate::sass::test_support::real_functions;
use crate::sass::verify;

const SWAPPED: &str = "swap barriers";

/// Maximum number of faults of a kind tried per function.
const EACH: usize = 12;

/// A function with its analyses.
struct Subject {
    function: Function<'static>,
    facts: FunctionFacts,
    model: &'static LatencyModel,
    words: Vec<ControlWord>,
}

impl Subject {
    fn new(function: Function<'static>) -> Subject {
        let model = LatencyModel::for_target(&function.target).expect("a model");
        Subject {
            facts: FunctionFacts::new(&function, model),
            words: function.instructions().map(|found| found.control).collect(),
            function,
            model,
        }
    }

    /// Whether the simulator detects a wait moved to the next instruction; `None` at the end of a
    /// block.
    fn notices_moved_wait(&mut self, instruction: usize, without: ControlWord) -> Option<bool> {
        let block = self.facts.block(self.facts.block_of(instruction));
        let next = instruction + 1;
        if !block.contains(&next) {
            return None;
        }
        let moved = self.words[instruction].wait;
        let mut later = self.words[next];
        later.wait = later.wait.union(moved);
        self.set(next, later);
        let noticed = self.notices(instruction, without);
        self.set(next, self.words[next]);
        Some(noticed)
    }

    /// Whether the schedule checks detect a missing `yield` at an instruction; `None` if its stall
    /// needs none.
    fn notices_cleared_yield(&mut self, instruction: usize) -> Option<bool> {
        let word = self.words[instruction];
        let needed = word.yields && !matches!(word.stall.cycles(), 1..12);
        if !needed {
            return None;
        }
        self.set(
            instruction,
            ControlWord {
                yields: false,
                ..word
            },
        );
        let found = verify::verify(&self.function, self.model, &Inline21);
        self.set(instruction, word);
        let number = InstructionIndex::try_from(instruction).expect("a number");
        let mut at_it = found.iter().filter(|finding| finding.instruction == number);
        Some(at_it.any(|finding| finding.check == verify::Check::Yield))
    }

    /// Whether the simulator detects another control word at an instruction.
    fn notices(&mut self, instruction: usize, word: ControlWord) -> bool {
        self.set(instruction, word);
        let found = !hazards(&self.function, &self.facts, self.model).is_empty();
        self.set(instruction, self.words[instruction]);
        found
    }

    fn set(&mut self, instruction: usize, word: ControlWord) {
        let block = self.facts.block_of(instruction);
        let place = instruction - self.facts.block(block).start;
        self.function.blocks[block].instructions[place].control = word;
    }

    /// The faults that break an edge: kind, instruction, control word.
    fn faults(&self, edge: &Edge) -> Vec<(&'static str, usize, ControlWord)> {
        let (from, to) = (edge.from as usize, edge.to as usize);
        match edge.protection {
            Protection::Time => self.shorter(from, to, edge.cycles),
            Protection::Operands => self.unprotected(from, to, true),
            Protection::Results => {
                let mut faults = self.unprotected(from, to, false);
                faults.extend(self.swapped(from, to));
                faults
            }
            Protection::Group => Vec::new(),
        }
    }

    /// One cycle less, if there is no slack.
    fn shorter(
        &self,
        from: usize,
        to: usize,
        cycles: u32,
    ) -> Vec<(&'static str, usize, ControlWord)> {
        let between = &self.words[from..to];
        let distance: u32 = between
            .iter()
            .map(|word| u32::from(word.stall.cycles()))
            .sum();
        let spare = between.iter().any(|word| word.stall.cycles() == 0);
        if spare || distance != cycles {
            return Vec::new();
        }
        let longest = (from..to).max_by_key(|number| self.words[*number].stall);
        let longest = longest.filter(|number| self.words[*number].stall.cycles() > 1);
        let fault = |number: usize| {
            let mut word = self.words[number];
            word.stall = Stall::at_most(u32::from(word.stall.cycles()) - 1);
            ("stall less one", number, word)
        };
        longest.map(fault).into_iter().collect()
    }

    /// Without the wait, without the scoreboard, with another one: if no instruction in between
    /// waits for anything, or arms what is waited for.
    fn unprotected(
        &self,
        from: usize,
        to: usize,
        operands: bool,
    ) -> Vec<(&'static str, usize, ControlWord)> {
        let (first, last) = (self.words[from], self.words[to]);
        let inside = &self.words[from + 1..to];
        let armed: BarrierSet = inside
            .iter()
            .flat_map(|word| word.armed().iter().collect::<Vec<_>>())
            .collect();
        let waits = |number: usize| {
            let waits = matches!(
                self.facts.fact(number).action,
                Action::WaitScoreboard { .. } | Action::Call
            );
            waits || !self.words[number].wait.is_empty()
        };
        let own = if operands {
            first.read_barrier
        } else {
            first.write_barrier
        };
        let Some(own) = own.filter(|own| last.wait.contains(*own) && !armed.contains(*own)) else {
            return Vec::new();
        };
        // An operation with results has read its operands; one scoreboard may even signal both.
        let both = operands && first.write_barrier.is_some();
        let others = armed.iter().any(|barrier| last.wait.contains(barrier));
        if (from + 1..to).any(waits) || others || both {
            return Vec::new();
        }
        self.without(from, to, operands, own)
    }

    /// The write and the read barrier swapped: a consumer of the results waits only until operands
    /// have been read. No instruction in between waits for the other one, or for scoreboards armed
    /// in between that might complete later.
    fn swapped(&self, from: usize, to: usize) -> Option<(&'static str, usize, ControlWord)> {
        let word = self.words[from];
        let (write, read) = (word.write_barrier?, word.read_barrier?);
        let covering = self.words[from + 1..to].iter().fold(
            [write, read].into_iter().collect(),
            |all: BarrierSet, word| all.union(word.armed()),
        );
        let waits = |number: usize| {
            let other = !matches!(self.facts.fact(number).action, Action::None);
            let mut waited = self.words[number].wait.iter();
            other || waited.any(|barrier| covering.contains(barrier))
        };
        let mut last = self.words[to].wait;
        last.remove(write);
        let protected = last.iter().any(|barrier| covering.contains(barrier));
        if write == read || protected || (from + 1..to).any(waits) {
            return None;
        }
        let swapped = ControlWord {
            write_barrier: Some(read),
            read_barrier: Some(write),
            ..word
        };
        Some((SWAPPED, from, swapped))
    }

    /// The control words without the wait, without the scoreboard, with another one.
    fn without(
        &self,
        from: usize,
        to: usize,
        operands: bool,
        own: Barrier,
    ) -> Vec<(&'static str, usize, ControlWord)> {
        let (first, last) = (self.words[from], self.words[to]);
        let mut wait = last;
        wait.wait.remove(own);
        let other = Barrier::ALL
            .into_iter()
            .find(|barrier| !last.wait.contains(*barrier) && !first.armed().contains(*barrier));
        let with = |barrier: Option<Barrier>| {
            let mut word = first;
            *(if operands {
                &mut word.read_barrier
            } else {
                &mut word.write_barrier
            }) = barrier;
            word
        };
        let side =
            |result: &'static str, operand: &'static str| if operands { operand } else { result };
        let mut faults = vec![
            ("drop wait", to, wait),
            (
                side("drop write barrier", "drop read barrier"),
                from,
                with(None),
            ),
        ];
        if other.is_some() {
            faults.push((
                side("other write barrier", "other read barrier"),
                from,
                with(other),
            ));
        }
        faults
    }
}

/// The numbers of tried and detected faults, by kind.
#[derive(Default)]
struct Table {
    counts: BTreeMap<&'static str, (u32, u32)>,
    /// Faults tried in the current function.
    tried: BTreeMap<&'static str, usize>,
}

impl Table {
    /// Whether enough faults of a kind were tried in a function.
    fn is_full(&self, kind: &str) -> bool {
        self.tried.get(kind).is_some_and(|tried| *tried >= EACH)
    }

    fn add(&mut self, kind: &'static str, noticed: bool) {
        *self.tried.entry(kind).or_default() += 1;
        let (all, found) = self.counts.entry(kind).or_default();
        *all += 1;
        *found += u32::from(noticed);
    }
}

fn try_edges(subject: &mut Subject, table: &mut Table) {
    for block in 0..subject.facts.block_count() {
        let graph = DependenceGraph::of_block(&subject.facts, subject.model, block);
        let faults = graph.edges().iter().filter(|edge| edge.register.is_some());
        let faults: Vec<_> = faults.flat_map(|edge| subject.faults(edge)).collect();
        for (kind, instruction, word) in faults {
            if !table.is_full(kind) {
                let noticed = subject.notices(instruction, word);
                table.add(kind, noticed);
            }
            if kind == "drop wait"
                && !table.is_full("move wait")
                && let Some(noticed) = subject.notices_moved_wait(instruction, word)
            {
                table.add("move wait", noticed);
            }
        }
    }
}

#[test]
fn broken_dependences_are_noticed() {
    let mut table = Table::default();
    for (_, function) in real_functions() {
        let mut subject = Subject::new(function);
        table.tried.clear();
        try_edges(&mut subject, &mut table);
        for instruction in 0..subject.words.len() {
            if !table.is_full("clear yield")
                && let Some(noticed) = subject.notices_cleared_yield(instruction)
            {
                table.add("clear yield", noticed);
            }
        }
    }
    println!("{:?}", table.counts);
    // Few instructions have both barriers and a consumer of their results in the same block.
    let common = table.counts.keys().filter(|kind| **kind != SWAPPED);
    assert_eq!(common.count(), 8);
    for (kind, (all, noticed)) in table.counts {
        assert!(all >= 10 || kind == SWAPPED, "{kind}: {all}");
        assert!(noticed * 100 >= all * 95, "{kind}: {noticed} of {all}");
    }
}
