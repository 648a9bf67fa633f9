//! The parts of a block that are scheduled by themselves.

use std::cell::OnceCell;
use std::rc::Rc;

use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::induction::Loop;
use rustc_hash::{FxHashMap, FxHashSet};

use super::fences::Fences;
use super::values::Values;
use super::{LiveWindow, Scope, departure, executions, latencies, trips, walked};
use crate::dependences::{DependenceGraph, Edge, EdgeKinds, Protection};
use crate::instructions::clock::Clock;
use crate::instructions::narrow;
use crate::instructions::region::{Departure, Entry, Node, Region};
use crate::instructions::registers::{Pressure, RegisterClass, Registers};
use crate::instructions::resources::Unit;
use crate::ori::{Dependences, Reason};

/// The most operations of a part (seed 000, "Pre-Scheduling Setup").
const LONGEST: usize = 4095;

/// Consecutive operations that get a new order.
pub(super) struct Part<'a> {
    /// In the order of the program.
    pub operations: Vec<Operation>,
    /// The operation behind them, which stays.
    pub behind: Operation,
    pub region: Region<'a>,
    /// The order that they have now.
    pub order: Vec<u32>,
    /// What makes each value of the part.
    makers: FxHashMap<Value, u32>,
}

/// When values that come from elsewhere are used for the first time in a block, in cycles from its start.
#[derive(Clone, Debug, Default)]
pub(super) struct Exposure {
    pub uses: FxHashMap<Value, i64>,
    cycles: i64,
}

/// When values of parts in front are there, in cycles from the start of a part.
#[derive(Debug, Default)]
pub(super) struct Arrivals(FxHashMap<Value, i64>);

/// The parts of a block, in the order of the program; without its terminator, and what nothing moves over.
pub(super) fn parts<'a>(scope: Scope<'a>, block: u32) -> Vec<Part<'a>> {
    let Scope { context, flow, .. } = scope;
    let handle = flow.block(block);
    let Some(terminator) = handle.terminator(context) else {
        return Vec::new();
    };
    let found = Dependences::of_block(context, handle);
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    let fences = Fences::of(scope);
    for (number, op) in found.operations.iter().enumerate() {
        if fences.is_fence(*op) {
            ranges.push((start, number));
            start = number + 1;
        } else if number - start == LONGEST {
            ranges.push((start, number));
            start = number;
        }
    }
    ranges.push((start, found.operations.len()));
    ranges.retain(|(start, end)| start < end);
    let mut edges = found.edges.as_slice();
    let mut parts = Vec::with_capacity(ranges.len());
    let whole = ranges.len() == 1;
    for (start, end) in ranges {
        // Edges are in the order of their first operations.
        let from = edges.partition_point(|edge| edge.from < start);
        let to = edges.partition_point(|edge| edge.from < end);
        let own = &edges[from..to];
        edges = &edges[to..];
        let operations = found.operations[start..end].to_vec();
        let behind = found.operations.get(end).copied().unwrap_or(terminator);
        let builder = Builder {
            scope,
            fences: &fences,
            nodes: operations
                .iter()
                .map(|op| latencies::node(scope, *op))
                .collect(),
            operations,
            start,
        };
        let within = own.iter().filter(|edge| edge.to < end);
        parts.push(builder.part(block, behind, within, whole));
    }
    keep_used_values(scope, block, terminator, &mut parts);
    parts
}

struct Builder<'a, 'f> {
    scope: Scope<'a>,
    fences: &'f Fences<'a>,
    operations: Vec<Operation>,
    nodes: Vec<Node>,
    /// The number of the first one in the block.
    start: usize,
}

impl<'a> Builder<'a, '_> {
    /// The part, without its registers.
    fn part<'e>(
        self,
        block: u32,
        behind: Operation,
        found: impl Iterator<Item = &'e crate::ori::Dependence>,
        whole: bool,
    ) -> Part<'a> {
        let scope = self.scope;
        let mut edges = Vec::new();
        for found in found {
            let (from, to) = (found.from - self.start, found.to - self.start);
            if !self
                .fences
                .forgets(found.reason, self.operations[from], self.operations[to])
            {
                edges.extend(self.edges(from, to, found.reason));
            }
        }
        let orders = self.fences.orders(&self.operations);
        edges.extend(orders.map(|(from, to)| self.edge(from, to, (1, Protection::Time))));
        let graph = DependenceGraph::new(edges, self.operations.len());
        let repeats = scope.flow.successors(block).contains(&block) && whole;
        let (carried, trip_count, trips) = match repeats {
            true => self.carried(block),
            false => (Vec::new(), None, 1.0),
        };
        let frequency = scope.frequencies.block(block);
        let results = (0..).zip(&self.operations).flat_map(|(node, op)| {
            let results = op.results(scope.context);
            results.map(move |result| (result, node))
        });
        Part {
            makers: results.collect(),
            behind,
            order: (0..narrow(self.operations.len())).collect(),
            region: Region {
                model: scope.model,
                entry: Entry {
                    arrivals: vec![0; self.nodes.len()],
                    ..Entry::default()
                },
                nodes: self.nodes,
                graph: Rc::new(graph),
                registers: Registers::default(),
                carried,
                departures: Vec::new(),
                targets: Vec::new(),
                trip_count,
                frequency: executions(frequency),
                entered: executions(frequency / trips),
                sparing: OnceCell::new(),
            },
            operations: self.operations,
        }
    }

    fn edge(&self, from: usize, to: usize, (cycles, protection): (u32, Protection)) -> Edge {
        Edge {
            from: narrow(from),
            to: narrow(to),
            kinds: EdgeKinds::MEMORY,
            cycles,
            protection,
            register: None,
        }
    }

    /// The edges for a dependence: for values one for each operand.
    fn edges(&self, from: usize, to: usize, reason: Reason) -> Vec<Edge> {
        let scope = self.scope;
        let (first, second) = (self.operations[from], self.operations[to]);
        if reason != Reason::Data {
            let cycles = latencies::of_order(scope, first);
            return vec![self.edge(from, to, (cycles, Protection::Time))];
        }
        let operands = second.operands(scope.context).enumerate();
        let read = operands.filter(|(_, value)| value.defining_op(scope.context) == Some(first));
        let edges = read.map(|(number, value)| {
            let reader = Some((&self.nodes[to], second, number));
            let mut edge = self.edge(
                from,
                to,
                latencies::of_value(scope, &self.nodes[from], value, reader),
            );
            edge.kinds = EdgeKinds::READ_AFTER_WRITE;
            edge
        });
        edges.collect()
    }

    /// The dependences of a loop of one block on its next iteration, its number of iterations if that is known, and
    /// how many it probably has.
    fn carried(&self, block: u32) -> (Vec<Edge>, Option<u64>, f64) {
        let scope = self.scope;
        let Some(number) = scope.forest.innermost(block) else {
            return (Vec::new(), None, 1.0);
        };
        let around = Loop {
            context: scope.context,
            flow: scope.flow,
            natural: &scope.forest.loops()[number],
        };
        let found = Dependences::of_loop(&around, scope.inductions.at(number));
        let next = found.edges.iter().filter(|edge| edge.distance == 1);
        let edges = next.map(|found| {
            let from = &self.nodes[found.from];
            let op = self.operations[found.from];
            let distance = match (found.reason, op.results(scope.context).next()) {
                (Reason::Data, Some(value)) => latencies::of_value(scope, from, value, None),
                _ => (latencies::of_order(scope, op), Protection::Time),
            };
            self.edge(found.from, found.to, distance)
        });
        let (trips, known) = trips(scope, number);
        (edges.collect(), known, trips)
    }
}

/// Counts the registers of the parts of a block: which values are used behind each.
fn keep_used_values(scope: Scope<'_>, block: u32, terminator: Operation, parts: &mut [Part<'_>]) {
    let Scope { context, .. } = scope;
    let mut used: FxHashSet<Value> = scope.liveness.live_out(block).collect();
    used.extend(terminator.operands(context));
    for part in parts.iter_mut().rev() {
        let mut values = Values::new(context, scope.knobs, part.operations.len());
        for (node, op) in part.operations.iter().enumerate() {
            values.add(node, *op);
        }
        let mut behind: Vec<Value> = used.iter().copied().collect();
        behind.sort_unstable();
        for value in behind {
            values.keep(value);
        }
        part.region.registers = values.finish();
        for op in &part.operations {
            for result in op.results(context) {
                used.remove(&result);
            }
            used.extend(op.operands(context));
        }
        // What the part defines itself and uses is not used in it from elsewhere.
        used.retain(|value| !part.makers.contains_key(value));
    }
}

impl Part<'_> {
    /// Whether there are operations that are issued in batches: products, or textures.
    pub fn has_batches(&self) -> bool {
        let mut nodes = self.region.nodes.iter();
        nodes.any(|node| matches!(node.unit, Unit::Tensor | Unit::Texture))
    }

    /// The uses of what the part makes in a block behind it, on a way with a number.
    pub fn departures(
        &self,
        scope: Scope<'_>,
        (way, number): (usize, u32),
        exposure: &Exposure,
    ) -> Vec<Departure> {
        let context = scope.context;
        let terminator = self.terminator(context);
        let passed = terminator.and_then(|branch| {
            let target = branch.successors(context).nth(way)?;
            let range = branch.passed_operands(context, way)?;
            let values = range.map(|number| branch.operand(context, number));
            Some(
                target
                    .arguments(context)
                    .zip(values)
                    .collect::<FxHashMap<_, _>>(),
            )
        });
        let passed = passed.unwrap_or_default();
        let mut uses: Vec<(u32, i64)> = Vec::new();
        for (value, at) in &exposure.uses {
            let value = passed.get(value).unwrap_or(value);
            if let Some(node) = self.makers.get(value) {
                uses.push((*node, *at));
            }
        }
        uses.sort_unstable();
        uses.dedup_by_key(|(node, _)| *node);
        let uses = uses.into_iter();
        uses.map(|(node, at)| departure(node, number, at, self.latency(scope, node)))
            .collect()
    }

    /// The uses of the terminator, which issues at once.
    pub fn terminator_departures(&self, scope: Scope<'_>, number: u32) -> Vec<Departure> {
        let context = scope.context;
        let Some(terminator) = self.terminator(context) else {
            return Vec::new();
        };
        let passed: Vec<usize> = (0..terminator.successors(context).count())
            .filter_map(|way| terminator.passed_operands(context, way))
            .flatten()
            .collect();
        let operands = terminator.operands(context).enumerate();
        let own = operands.filter(|(number, _)| !passed.contains(number));
        let mut nodes: Vec<u32> = own
            .filter_map(|(_, value)| self.makers.get(&value).copied())
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        let nodes = nodes.into_iter();
        nodes
            .map(|node| departure(node, number, 0, self.latency(scope, node)))
            .collect()
    }

    fn terminator(&self, context: &Context) -> Option<Operation> {
        self.behind.block(context)?.terminator(context)
    }

    /// The cycles from a node to any use of its first result.
    fn latency(&self, scope: Scope<'_>, node: u32) -> (u32, Protection) {
        let op = self.operations[node as usize];
        let from = &self.region.nodes[node as usize];
        let result = op.results(scope.context).next();
        result.map_or((0, Protection::Time), |value| {
            latencies::of_value(scope, from, value, None)
        })
    }

    /// Adds the first uses of values from elsewhere, and the cycles.
    pub fn expose(&self, context: &Context, exposure: &mut Exposure) {
        let clock = walked(&self.region, &self.order);
        for (node, op) in self.operations.iter().enumerate() {
            let at = exposure.cycles + clock.issued(node);
            for value in op.operands(context) {
                if !self.makers.contains_key(&value) {
                    let first = exposure.uses.entry(value).or_insert(at);
                    *first = at.min(*first);
                }
            }
        }
        exposure.cycles += clock.now();
    }

    /// The instructions, with the live registers at each, in the order that they have.
    pub fn window(&self, frequency: f64) -> LiveWindow {
        let mut live = Pressure::new(&self.region.registers);
        let instructions = self.order.iter().map(|node| {
            live.issue(*node as usize);
            let node = &self.region.nodes[*node as usize];
            let general = live.live()[RegisterClass::General as usize];
            (super::kind(&self.region, node), general)
        });
        LiveWindow {
            frequency,
            instructions: instructions.collect(),
        }
    }
}

impl Arrivals {
    /// For each node of a part, when what it uses is there.
    pub fn of(&self, context: &Context, part: &Part<'_>) -> Vec<i64> {
        let operations = part.operations.iter();
        let arrivals = operations.map(|op| {
            let operands = op.operands(context);
            let cycles = operands.filter_map(|value| self.0.get(&value).copied());
            cycles.max().unwrap_or(0).max(0)
        });
        arrivals.collect()
    }

    /// Goes on to the start of the part behind one.
    pub fn leave(&mut self, scope: Scope<'_>, part: &Part<'_>) {
        let clock: Clock<'_> = walked(&part.region, &part.order);
        self.0.retain(|_, cycle| {
            *cycle -= clock.now();
            *cycle > 0
        });
        for (value, node) in &part.makers {
            let (cycles, protection) = part.latency(scope, *node);
            let cycle = clock.available(*node as usize, cycles, protection) - clock.now();
            if cycle > 0 {
                self.0.insert(*value, cycle);
            }
        }
    }
}
