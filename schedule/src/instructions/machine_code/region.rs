//! The blocks of a function of machine code as regions.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use orison_machine::Pipe;
use orison_sass::effects;
use orison_sass::function::{BlockIndex, Function};

use super::exposed::{Exposures, distance};
use crate::dependences::{DependenceGraph, Edge, EdgeKinds};
use crate::instructions::registers::Registers;
use crate::instructions::{Entry, Event, Node, Region, Temperature, Unit, narrow};
use crate::sass::dependences::{BlockGraphs, Distances, GraphRules};
use crate::sass::facts::{Action, FunctionFacts};
use crate::sass::latency::LatencyModel;
use crate::sass::simulate::Frequencies;

/// The regions of a chunk of a function: each is a block, with dependences on itself, without what is in flight.
pub(super) struct Regions<'a> {
    pub(super) facts: &'a FunctionFacts,
    pub(super) model: &'a LatencyModel,
    /// The blocks.
    pub(super) blocks: Range<BlockIndex>,
    exposures: Vec<Exposures>,
    regions: Vec<Region<'a>>,
}

impl<'a> Regions<'a> {
    /// Those of some blocks of a function. Near-linear.
    pub(super) fn new(
        function: &Function<'_>,
        facts: &'a FunctionFacts,
        model: &'a LatencyModel,
        frequencies: &Frequencies,
        blocks: Range<BlockIndex>,
    ) -> Self {
        let rules = GraphRules {
            reorders: true,
            ..GraphRules::default()
        };
        let exposures = blocks.clone().map(|block| Exposures::of(facts, block));
        let mut all = Regions {
            facts,
            model,
            exposures: exposures.collect(),
            regions: Vec::with_capacity(blocks.len()),
            blocks: blocks.clone(),
        };
        let mut graphs = BlockGraphs::new(facts, model, &rules);
        for block in blocks {
            let graph = graphs.block(function, block);
            let region = all.region(function, block, graph, frequencies);
            all.regions.push(region);
        }
        all
    }

    /// That of a block.
    pub(super) fn get(&self, block: BlockIndex) -> &Region<'a> {
        &self.regions[block - self.blocks.start]
    }

    /// The accesses of a block that see others.
    pub(super) fn exposures(&self, block: BlockIndex) -> &Exposures {
        &self.exposures[block - self.blocks.start]
    }

    pub(super) fn distances(&self) -> Distances<'a> {
        Distances {
            facts: self.facts,
            model: self.model,
        }
    }

    fn region(
        &self,
        function: &Function<'_>,
        block: BlockIndex,
        graph: DependenceGraph,
        frequencies: &Frequencies,
    ) -> Region<'a> {
        let instructions = function.blocks[block].instructions.iter();
        let nodes = instructions
            .zip(self.facts.block(block))
            .map(|(found, number)| {
                let fact = self.facts.fact(number);
                let entry = effects::entry(&found.mnemonic);
                let pipe = entry.map_or(Pipe::None, |entry| entry.pipe);
                let spaces = entry.map_or([&[][..], &[]], |entry| [entry.reads, entry.writes]);
                Node {
                    class: fact.class,
                    issue: fact.issue_minimum.max(1),
                    unit: Unit::of(pipe, &spaces),
                    event: event(fact.action, fact.closes_copies),
                    temperature: Temperature::of(spaces[0], spaces[1]),
                    reads_constant: fact.reads_constant,
                }
            });
        let nodes: Vec<Node> = nodes.collect();
        let repeats = function.blocks[block]
            .successors
            .iter()
            .any(|edge| edge.to == block);
        let frequency = frequencies.of(block);
        Region {
            model: self.model,
            entry: Entry {
                arrivals: vec![0; nodes.len()],
                ..Entry::default()
            },
            nodes,
            graph: Rc::new(graph),
            registers: Registers::new(self.facts.block(block).len()),
            carried: if repeats {
                self.carried(block)
            } else {
                Vec::new()
            },
            departures: Vec::new(),
            targets: Vec::new(),
            trip_count: None,
            frequency,
            entered: if repeats {
                frequencies.first(block)
            } else {
                frequency
            },
            sparing: OnceCell::new(),
        }
    }

    /// The dependences of a block on its next execution.
    fn carried(&self, block: BlockIndex) -> Vec<Edge> {
        let start = narrow(self.facts.block(block).start);
        let exposures = self.exposures(block);
        let mut edges = Vec::new();
        for first in &exposures.down {
            for second in exposures.up(first.register) {
                if let Some((cycles, protection)) = distance(self.distances(), first, second) {
                    edges.push(Edge {
                        from: first.instruction - start,
                        to: second.instruction - start,
                        kinds: EdgeKinds::READ_AFTER_WRITE,
                        cycles,
                        protection,
                        register: Some(first.register.register()),
                    });
                }
            }
        }
        edges
    }
}

fn event(action: Action, closes_copies: bool) -> Event {
    let left = |left: u32| usize::try_from(left).unwrap_or(usize::MAX);
    match action {
        _ if closes_copies => Event::CloseCopies,
        Action::Product { closes } => Event::Product { closes },
        Action::WaitGroups { left: most } => Event::AwaitProducts { left: left(most) },
        Action::WaitScoreboard { left: most, .. } => Event::AwaitCopies { left: left(most) },
        Action::None | Action::Call | Action::Synchronize => Event::None,
    }
}
