//! Measures a version of a function.

use orison_sass::control::Barrier;
use orison_sass::function::{Block, Function};
use orison_sass::scheduled::Scheduled;

use super::critical::critical_path;
use super::{Measured, MeasuredBlock, MeasuredInstruction, MeasuredLoop, pressure};
use crate::dependences::{DependenceGraph, Edge, EdgeKinds};
use crate::sass::dependences::{BlockGraphs, GraphRules};
use crate::sass::facts::FunctionFacts;
use crate::sass::latency::{LatencyModel, Mechanism};
use crate::sass::simulate::{Frequencies, Issue, Timing, innermost_loops, replay};

impl Measured {
    /// Measures a version from its control words. It is compared with others by
    /// [`super::FunctionReport::new`].
    pub fn new(
        name: &str,
        function: &Function<'_>,
        model: &'static LatencyModel,
        frequencies: &Frequencies,
    ) -> Measured {
        let facts = FunctionFacts::new(function, model);
        let mut issues = vec![Issue::default(); facts.len()];
        let timing = replay(function, &facts, model, frequencies, |number, issue| {
            issues[number] = *issue;
        });
        let source = Source {
            graph: DependenceGraph::of_function(function, &facts, model),
            live: pressure::needed(function, &facts),
            timing,
            issues,
            facts,
            model,
        };
        // All dependences in a block, also those that an earlier wait covers.
        let rules = GraphRules {
            reorders: true,
            ..GraphRules::default()
        };
        let mut graphs = BlockGraphs::new(&source.facts, model, &rules);
        let blocks = function.blocks.iter().enumerate();
        let blocks: Vec<MeasuredBlock> = blocks
            .map(|(number, block)| source.block(number, block, &graphs.block(function, number)))
            .collect();
        let loops = innermost_loops(function).into_iter().map(|found| {
            let steady = found.iter().map(|block| blocks[*block].steady.total());
            MeasuredLoop {
                steady: steady.sum(),
                blocks: found,
            }
        });
        Measured {
            name: name.to_owned(),
            breakdown: source.timing.breakdown,
            loops: loops.collect(),
            blocks,
        }
    }
}

/// What blocks are measured from.
struct Source {
    facts: FunctionFacts,
    model: &'static LatencyModel,
    graph: DependenceGraph,
    live: Vec<u32>,
    timing: Timing,
    issues: Vec<Issue>,
}

impl Source {
    /// `graph` has the dependences in the block, by places in it.
    fn block(&self, number: usize, block: &Block<'_>, graph: &DependenceGraph) -> MeasuredBlock {
        let numbers = self.facts.block(number);
        let start = numbers.start;
        let extent = (start, numbers.len());
        let path = critical_path(graph, &self.facts, self.model, extent);
        let producers = self.producers(start, block, graph);
        let found = block.instructions.iter().zip(numbers).zip(producers);
        let mut instructions: Vec<MeasuredInstruction> = found
            .map(|((instruction, number), producers)| {
                let class = self.facts.fact(number).class;
                let issue = self.issues[number];
                let fixed = u64::from(self.model.result_cycles(class));
                let is_fixed = self.model.class(class).mechanism == Mechanism::Fixed;
                MeasuredInstruction {
                    text: instruction.to_string(),
                    control: instruction.control.to_string(),
                    unit: &self.model.class(class).unit,
                    interval: self.model.issue_interval(class).max(1),
                    issue,
                    done: match is_fixed && !self.facts.writes(number).is_empty() {
                        true => issue.completes.max(issue.cycle + fixed),
                        false => issue.completes,
                    },
                    live: self.live[number],
                    producers,
                    critical: false,
                    twin: None,
                }
            })
            .collect();
        for place in path.places {
            instructions[place].critical = true;
        }
        let timing = &self.timing.blocks[number];
        MeasuredBlock {
            label: block.labels().next().unwrap_or_default().to_owned(),
            frequency: timing.frequency,
            breakdown: timing.breakdown,
            steady: timing.steady,
            start,
            instructions,
            critical_cycles: path.cycles,
            moved: 0,
        }
    }

    /// For each instruction of a block, those whose results it reads, and those in the block that armed the
    /// scoreboards it waited for, in order.
    fn producers(
        &self,
        start: usize,
        block: &Block<'_>,
        graph: &DependenceGraph,
    ) -> Vec<Vec<usize>> {
        let mut arming: [Vec<usize>; Barrier::COUNT] = Default::default();
        let reads = |edge: &&Edge| edge.kinds.contains(EdgeKinds::READ_AFTER_WRITE);
        let of = |(place, instruction): (usize, &Scheduled<'_>)| {
            let number = start + place;
            let inside = graph.predecessors(place).iter().filter(reads);
            let outside = self.graph.predecessors(number).iter().filter(reads);
            let outside = outside.map(|edge| edge.from as usize);
            let mut producers: Vec<usize> = inside
                .map(|edge| start + edge.from as usize)
                .chain(outside)
                .collect();
            for board in self.issues[number].waited.iter() {
                producers.extend(&arming[usize::from(board.index())]);
            }
            producers.sort_unstable();
            producers.dedup();
            for board in instruction.control.wait.iter() {
                arming[usize::from(board.index())].clear();
            }
            for board in instruction.control.armed().iter() {
                arming[usize::from(board.index())].push(number);
            }
            producers
        };
        block.instructions.iter().enumerate().map(of).collect()
    }
}
