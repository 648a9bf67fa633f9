//! The register edges of random code equal those of a simple data-flow analysis that keeps all
//! facts in sets, instruction by instruction.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::dependences::{EdgeKinds, Protection};
use crate::sass::facts::RegisterNumber;
use crate::sass::latency::{Mechanism, TableFile};
use crate::sass::test_support::{Random, function, random_lines};

/// Possible accesses at a point, with the minimum number of instructions since: register, whether
/// it is a write, instruction.
type State = BTreeMap<(RegisterNumber, bool, u32), u32>;
/// By from and to: the kinds, and the protection.
type Plain = BTreeMap<(u32, u32), (u32, Protection)>;

const REGISTERS: u32 = EdgeKinds::READ_AFTER_WRITE.mask()
    | EdgeKinds::WRITE_AFTER_READ.mask()
    | EdgeKinds::WRITE_AFTER_WRITE.mask();

struct Flow<'a> {
    facts: &'a FunctionFacts,
    model: &'a LatencyModel,
    edges: Plain,
}

impl Flow<'_> {
    fn mechanism(&self, instruction: u32) -> Mechanism {
        let class = self.facts.fact(instruction as usize).class;
        self.model.class(class).mechanism
    }

    fn is_timed(&self, register: RegisterNumber, is_write: bool, from: u32) -> bool {
        let fixed = matches!(self.mechanism(from), Mechanism::Fixed | Mechanism::None);
        fixed || !is_write && register.file() != TableFile::General
    }

    fn protection(
        &self,
        register: RegisterNumber,
        from: (u32, bool),
        to: (u32, bool),
    ) -> Protection {
        let class = |number: u32| self.facts.fact(number as usize).class;
        let in_order = self.model.is_read_in_order(class(from.0), class(to.0));
        let class = |number: u32| self.model.class(class(number));
        let (first, second) = (class(from.0), class(to.0));
        let general = register.file() == TableFile::General;
        let same = |one: Option<_>, other: Option<_>| one.is_some() && one == other;
        match (first.mechanism, from.1, to.1) {
            (Mechanism::Variable, true, true) if same(first.result_queue, second.result_queue) => {
                Protection::Time
            }
            (Mechanism::Variable, true, _) => Protection::Results,
            (Mechanism::Variable, false, _) if general && !in_order => Protection::Operands,
            _ => Protection::Time,
        }
    }

    fn note(&mut self, pair: (u32, u32), kinds: u32, protection: Protection) {
        let edge = self.edges.entry(pair).or_insert((0, Protection::Time));
        edge.0 |= kinds;
        edge.1 = edge.1.max(protection);
    }

    /// The state after an instruction; records the edges to it.
    fn step(&mut self, number: u32, before: &State) -> State {
        let (facts, limit) = (self.facts, self.model.longest_latency());
        let reads = facts.reads(number as usize);
        let writes = facts.writes(number as usize);
        let mut found: Vec<(u32, Protection)> = Vec::new();
        for (register, is_write, from) in before.keys() {
            let mut kinds = 0;
            let mut strongest = Protection::Time;
            let is_read = reads.iter().any(|read| read.register == *register);
            let is_written = writes.iter().any(|write| write.register == *register);
            if *is_write && is_read {
                kinds |= EdgeKinds::READ_AFTER_WRITE.mask();
                let tells = self.protection(*register, (*from, true), (number, false));
                strongest = strongest.max(tells);
            }
            if is_written && (*is_write || *from != number) {
                kinds |= match is_write {
                    true => EdgeKinds::WRITE_AFTER_WRITE.mask(),
                    false => EdgeKinds::WRITE_AFTER_READ.mask(),
                };
                let tells = self.protection(*register, (*from, *is_write), (number, true));
                strongest = strongest.max(tells);
            }
            if kinds != 0 {
                self.note((*from, number), kinds, strongest);
                found.push((*from, strongest));
            }
        }
        let waited = |from: u32, is_write: bool| {
            found.iter().any(|(other, tells)| {
                *other == from
                    && match tells {
                        Protection::Time => false,
                        Protection::Operands => !is_write,
                        Protection::Results | Protection::Group => true,
                    }
            })
        };
        let guarded = facts.fact(number as usize).guarded;
        let mut after = State::new();
        for ((register, is_write, from), age) in before {
            let is_written = writes.iter().any(|write| write.register == *register);
            let forgotten = *age >= limit && self.is_timed(*register, true, *from);
            let ends = match is_write {
                true => is_written && (!guarded || *from == number || forgotten),
                false => is_written,
            };
            if !ends && !waited(*from, *is_write) {
                after.insert((*register, *is_write, *from), age + 1);
            }
        }
        for write in writes {
            after.insert((write.register, true, number), 1);
        }
        for read in reads {
            after.insert((read.register, false, number), 1);
        }
        after
    }

    fn walk(&mut self, block: usize, start: &State) -> State {
        let numbers = self.facts.block(block);
        let narrow = |number: usize| u32::try_from(number).expect("a number");
        numbers.fold(start.clone(), |state, number| {
            self.step(narrow(number), &state)
        })
    }

    /// A wait found late does not undo what an earlier walk propagated, so the order of the blocks
    /// affects the result: always the first one with new facts.
    fn run(&mut self, function: &Function<'_>) {
        let count = function.blocks.len();
        let limit = self.model.longest_latency();
        let mut starts: Vec<Option<State>> = vec![None; count];
        let entries = function.entries.iter().map(|entry| entry.block);
        for root in entries.chain(0..count) {
            if starts[root].is_some() {
                continue;
            }
            starts[root] = Some(State::new());
            let mut work = BTreeSet::from([root]);
            while let Some(block) = work.pop_first() {
                let start = starts[block].clone().expect("a start");
                let mut end = self.walk(block, &start);
                end.retain(|(register, is_write, from), age| {
                    *age < limit || !self.is_timed(*register, *is_write, *from)
                });
                for edge in &function.blocks[block].successors {
                    let before = starts[edge.to].clone();
                    let start = starts[edge.to].get_or_insert_with(State::new);
                    for (key, age) in &end {
                        let known = start.entry(*key).or_insert(limit);
                        *known = (*known).min(*age);
                    }
                    if before.as_ref() != Some(start) {
                        work.insert(edge.to);
                    }
                }
            }
        }
        self.edges.clear();
        for (block, start) in starts.iter().enumerate() {
            self.walk(block, start.as_ref().expect("a start"));
        }
    }
}

fn plain(function: &Function<'_>, facts: &FunctionFacts, model: &LatencyModel) -> Plain {
    let mut flow = Flow {
        facts,
        model,
        edges: Plain::new(),
    };
    flow.run(function);
    flow.edges
}

fn built(graph: &DependenceGraph) -> Plain {
    let edges = graph.edges().iter();
    let registers = edges.filter(|edge| edge.kinds.mask() & REGISTERS != 0);
    registers
        .map(|edge| {
            let kinds = edge.kinds.mask() & REGISTERS;
            ((edge.from, edge.to), (kinds, edge.protection))
        })
        .collect()
}

#[test]
fn random_code_has_the_edges_of_a_plain_data_flow() {
    let mut random = Random::new(7);
    for (blocks, instructions, rounds) in [(1, 60, 60), (6, 40, 60), (10, 50, 20)] {
        for _ in 0..rounds {
            let lines = random_lines(&mut random, blocks, instructions);
            let function = function("sm_90a", &lines);
            let model = LatencyModel::for_target(&function.target).expect("a model");
            let facts = FunctionFacts::new(&function, model);
            let graph = DependenceGraph::of_function(&function, &facts, model);
            let (found, wanted) = (built(&graph), plain(&function, &facts, model));
            for (pair, edge) in &wanted {
                assert_eq!(found.get(pair), Some(edge), "{pair:?}\n{lines}");
            }
            for pair in found.keys() {
                assert!(wanted.contains_key(pair), "{pair:?}\n{lines}");
            }
        }
    }
}

/// This many stores that may be jumped over, all of which read a register that is then written.
fn skipped_stores(count: usize) -> DependenceGraph {
    let mut lines = String::new();
    for number in 0..count {
        lines.push_str(&format!(
            "B------:R-:W-:-:S05 @P0 BRA `(.L_x_{number})
             B------:R-:W-:-:S01 STG.E desc[UR4][R2.64], R7
             B------:R-:W-:-:S01 STS [R4], R8
             .L_x_{number}:
             B------:R-:W-:-:S01 MOV R1, RZ\n"
        ));
    }
    lines.push_str("B------:R-:W-:-:S01 MOV R7, RZ\nB------:R-:W-:-:S05 EXIT");
    let function = function("sm_90a", &lines);
    let model = LatencyModel::for_target(&function.target).expect("a model");
    let facts = FunctionFacts::new(&function, model);
    DependenceGraph::of_function(&function, &facts, model)
}

/// No operation is lost where more meet than are followed: the next instruction waits.
#[test]
fn operations_that_are_given_up_are_waited_for() {
    let count = 3 * registers::MOST_BETWEEN_BLOCKS;
    let graph = skipped_stores(count);
    for number in 0..count {
        let store = 4 * number + 1;
        let mut edges = graph.successors(store);
        let waited = edges.any(|edge| edge.protection == Protection::Operands);
        assert!(waited, "the operands of {store}");
    }
}

#[test]
fn blocks_that_may_be_jumped_over_have_linear_edges() {
    let (small, large) = (
        skipped_stores(100).edges().len(),
        skipped_stores(400).edges().len(),
    );
    assert!(large < 5 * small, "{small} {large}");
}
