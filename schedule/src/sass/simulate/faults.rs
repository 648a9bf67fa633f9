//! Faults in real code: control words that no longer protect a dependence must be noticed.
//!
//! That a fault breaks something is known from the dependence graph and the words alone: the edge lies
//! in a block, and between its ends nothing is left that could protect it.

use std::collections::BTreeMap;

use orison_sass::control::{Barrier, BarrierSet, ControlWord, Stall};
use orison_sass::program::Function;

use super::*;
use crate::sass::dependences::{DependenceGraph, Edge, Protection};
use crate::sass::facts::Action;
use crate::sass::test_support::real_functions;

/// So many faults of a kind are tried in a function.
const EACH: usize = 12;

/// A function with what is known of it.
struct Subject {
    function: Function,
    facts: FunctionFacts,
    model: &'static LatencyModel,
    words: Vec<ControlWord>,
}

impl Subject {
    fn new(function: Function) -> Subject {
        let model = LatencyModel::for_target(&function.target).expect("a model");
        Subject {
            facts: FunctionFacts::new(&function, model),
            words: function.instructions().map(|found| found.control).collect(),
            function,
            model,
        }
    }

    /// Whether the simulator notices another word at an instruction.
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

    /// The faults that break an edge: kind, instruction, word.
    fn faults(&self, edge: &Edge) -> Vec<(&'static str, usize, ControlWord)> {
        let (from, to) = (edge.from as usize, edge.to as usize);
        match edge.protection {
            Protection::Time => self.shorter(from, to, edge.cycles),
            Protection::Operands => self.unprotected(from, to, true),
            Protection::Results => self.unprotected(from, to, false),
            Protection::Group => Vec::new(),
        }
    }

    /// One cycle less where there is none to spare.
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

    /// Without the wait, without the scoreboard, with another one: when nothing in between waits for
    /// anything, or arms what is waited for.
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
        let both = first.armed().iter().count() > 1 && operands;
        let others = armed.iter().any(|barrier| last.wait.contains(barrier));
        if (from + 1..to).any(waits) || others || both {
            return Vec::new();
        }
        self.without(from, to, operands, own)
    }

    /// The words without the wait, without the scoreboard, with another one.
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

#[test]
fn broken_dependences_are_noticed() {
    let mut table: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for (_, function) in real_functions() {
        let mut subject = Subject::new(function);
        let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
        for block in 0..subject.facts.block_count() {
            let graph = DependenceGraph::of_block(&subject.facts, subject.model, block);
            let edges: Vec<Edge> = graph
                .edges()
                .iter()
                .filter(|edge| edge.register.is_some())
                .copied()
                .collect();
            for (kind, instruction, word) in edges
                .iter()
                .flat_map(|edge| subject.faults(edge))
                .collect::<Vec<_>>()
            {
                let tried = tried.entry(kind).or_default();
                if *tried >= EACH {
                    continue;
                }
                *tried += 1;
                let (all, noticed) = table.entry(kind).or_default();
                *all += 1;
                *noticed += u32::from(subject.notices(instruction, word));
            }
        }
    }
    println!("{table:?}");
    assert_eq!(table.len(), 6);
    for (kind, (all, noticed)) in table {
        assert!(all >= 10, "{kind}: {all}");
        assert!(noticed * 100 >= all * 95, "{kind}: {noticed} of {all}");
    }
}
