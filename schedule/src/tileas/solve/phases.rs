//! `Schedule::solve`: which pipes connect the producers of a body to its consumers.
//!
//! It runs once for each pair of a raw value and a consumer of it, and classifies, closes, merges,
//! sweeps and emits. It never searches: stages, orders and the interval are read from the schedule
//! and never changed.
//!
//! Source: page "Schedule Solve and Cost Evaluators" (`Schedule::solve`, six phases), TileAS
//! reference 6.1 and 6.2, C24 to C30.

use std::collections::{BTreeMap, BTreeSet};

use super::WrittenSchedule;
use super::disjoint_sets::DisjointSets;
use super::header::{Header, Skeleton};
use super::loads::LoadKind;
use super::roles::{Agent, AgentSet};

/// The steps of one solve, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SolvePhase {
    /// Collects the candidates, sorts them, seeds the forest from the leader groups.
    Init,
    /// Marks every candidate with its leader.
    Topo,
    /// Closes under "live at the consumer", merges, sweeps the roots.
    Dispatch,
    /// One pipe for each producer, if a root mixes producers that cannot share one.
    Fallback,
    /// The pipe of a consumer without producers in the body.
    ZeroProducers,
    /// Copies stages and orders from the schedule to the emitted pipes.
    Finalize,
}

/// A value defined at one point of the body and read by other agents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawValue {
    /// The operation that defines it; `None` if it is not defined in the body.
    pub producer: Option<usize>,
    /// The operations that read it.
    pub consumers: Vec<usize>,
    /// Values with different routes cannot share a pipe.
    pub route: Route,
}

/// How a slot is filled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum FillClass {
    /// By a load.
    Load(LoadKind),
    /// With a copy of a value that the agent computed.
    Computed,
}

/// How a value is passed to other agents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Route {
    /// How its slot is filled.
    pub fill: FillClass,
    /// The agent that fills it.
    pub from: Agent,
    /// The agents that read it.
    pub to: AgentSet,
}

impl Route {
    /// Whether loads fill the slots.
    pub fn is_load(self) -> bool {
        matches!(self.fill, FillClass::Load(_))
    }

    /// Whether an agent is at one of the ends.
    pub fn touches(self, agent: Agent) -> bool {
        self.from == agent || self.to.contains(agent)
    }
}

/// The outcome of a solve.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct SolveFlags {
    /// A root was split: one pipe for each of its producers.
    pub fallback: bool,
    /// A consumer got a pipe without producers.
    pub trivial: bool,
}

impl SolveFlags {
    fn merge(&mut self, other: SolveFlags) {
        self.fallback |= other.fallback;
        self.trivial |= other.trivial;
    }
}

/// A pipe of the solve, before payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolvedPipe {
    /// Its producers and consumers.
    pub header: Header<Skeleton>,
    /// The route of its values; `None` for a pipe without producers.
    pub route: Option<Route>,
    /// Set if the pipe must not be merged.
    pub alone: bool,
}

/// The input of the solver.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'p> {
    /// The schedule, which is only read.
    pub schedule: &'p WrittenSchedule,
    /// The leader group of each operation.
    pub leaders: &'p [Option<u32>],
    /// The passed values.
    pub values: &'p [RawValue],
    /// Producers that share a pipe with no other: a merged pipe would have to be filled before its
    /// values are available.
    pub split: &'p BTreeSet<usize>,
}

/// Solves every pair of raw value and consumer, and merges duplicates. Pipes are in (stage, order)
/// of their first producer.
pub fn solve_all(problem: Problem<'_>) -> (Vec<SolvedPipe>, SolveFlags) {
    let mut flags = SolveFlags::default();
    let mut pipes = Vec::new();
    for (number, value) in problem.values.iter().enumerate() {
        let consumers = value.consumers.iter().copied().map(Some);
        // A value that only the next iteration reads has no consumer, but still a pipe.
        let consumers: Vec<Option<usize>> = if value.consumers.is_empty() {
            vec![None]
        } else {
            consumers.collect()
        };
        for consumer in consumers {
            let mut solve = Solve::new(problem, number, consumer);
            solve.run();
            flags.merge(solve.flags);
            pipes.extend(solve.emitted);
        }
    }
    let mut pipes = collapse(pipes);
    let key = |pipe: &SolvedPipe| {
        let nodes = pipe.header.producers().iter();
        let all = nodes.chain(pipe.header.consumers());
        let first = |nodes: &[usize]| nodes.iter().map(|node| sort_key(problem, *node)).min();
        (
            pipe.route.is_none(),
            first(pipe.header.producers()),
            all.min().copied(),
        )
    };
    pipes.sort_by_key(key);
    (pipes, flags)
}

/// The total order of the schedule: stage, order, program order.
fn sort_key(problem: Problem<'_>, node: usize) -> (u32, u32, usize) {
    (
        problem.schedule.stages[node],
        problem.schedule.orders[node],
        node,
    )
}

/// One solve: the tables of the page and the current phase.
struct Solve<'p> {
    problem: Problem<'p>,
    raw: usize,
    consumer: Option<usize>,
    phase: SolvePhase,
    /// Producers that may be live at the consumer, in schedule order.
    candidates: Vec<usize>,
    /// Leader group of each candidate.
    leaders: BTreeMap<usize, u32>,
    /// Candidates that are not live at the consumer.
    dead: BTreeSet<usize>,
    sets: DisjointSets,
    /// Live producers of each root, in schedule order.
    groups: BTreeMap<usize, Vec<usize>>,
    emitted: Vec<SolvedPipe>,
    flags: SolveFlags,
}

impl<'p> Solve<'p> {
    fn new(problem: Problem<'p>, raw: usize, consumer: Option<usize>) -> Self {
        Solve {
            problem,
            raw,
            consumer,
            phase: SolvePhase::Init,
            candidates: Vec::new(),
            leaders: BTreeMap::new(),
            dead: BTreeSet::new(),
            sets: DisjointSets::default(),
            groups: BTreeMap::new(),
            emitted: Vec::new(),
            flags: SolveFlags::default(),
        }
    }

    fn run(&mut self) {
        while self.phase != SolvePhase::Finalize {
            self.phase = match self.phase {
                SolvePhase::Init => self.init(),
                SolvePhase::Topo => self.topo(),
                SolvePhase::Dispatch => self.dispatch(),
                SolvePhase::Fallback => self.fallback(),
                SolvePhase::ZeroProducers => self.zero_producers(),
                SolvePhase::Finalize => SolvePhase::Finalize,
            };
        }
    }

    fn route(&self) -> Route {
        self.problem.values[self.raw].route
    }

    fn init(&mut self) -> SolvePhase {
        let values = self.problem.values.iter();
        self.candidates = values.filter_map(|value| value.producer).collect();
        self.candidates
            .sort_by_key(|node| sort_key(self.problem, *node));
        self.candidates.dedup();
        let mut first_of: BTreeMap<u32, usize> = BTreeMap::new();
        for &node in &self.candidates {
            if let Some(leader) = self.problem.leaders[node] {
                let first = *first_of.entry(leader).or_insert(node);
                self.sets.union(first, node);
            }
        }
        SolvePhase::Topo
    }

    fn topo(&mut self) -> SolvePhase {
        for &node in &self.candidates {
            if let Some(leader) = self.problem.leaders[node] {
                self.leaders.insert(node, leader);
            }
        }
        SolvePhase::Dispatch
    }

    /// Live are the producer of the raw value and those of the other values that the same consumer
    /// reads; with each of them its leader group.
    fn dispatch(&mut self) -> SolvePhase {
        let Some(producer) = self.problem.values[self.raw].producer else {
            return SolvePhase::ZeroProducers;
        };
        for value in self.problem.values {
            let reads = self
                .consumer
                .is_some_and(|consumer| value.consumers.contains(&consumer));
            if let Some(other) = value.producer
                && reads
                && value.route == self.route()
            {
                self.sets.union(producer, other);
            }
        }
        let root = self.sets.find(producer);
        for &node in &self.candidates {
            if self.sets.find(node) == root {
                self.groups.entry(root).or_default().push(node);
            } else {
                self.dead.insert(node);
            }
        }
        let live: BTreeSet<usize> = self.groups.values().flatten().copied().collect();
        let mixed = self.problem.values.iter().any(|value| {
            value.producer.is_some_and(|node| live.contains(&node)) && value.route != self.route()
        });
        if mixed || live.iter().any(|node| self.problem.split.contains(node)) {
            return SolvePhase::Fallback;
        }
        let groups = std::mem::take(&mut self.groups);
        for members in groups.values() {
            self.emit(members, false);
        }
        SolvePhase::Finalize
    }

    fn fallback(&mut self) -> SolvePhase {
        self.flags.fallback = true;
        if let Some(producer) = self.problem.values[self.raw].producer {
            self.emit(&[producer], true);
        }
        SolvePhase::Finalize
    }

    fn zero_producers(&mut self) -> SolvePhase {
        self.flags.trivial = true;
        self.emit(&[], true);
        SolvePhase::Finalize
    }

    fn emit(&mut self, producers: &[usize], alone: bool) {
        let mut header = Header::new().exist();
        header.join(producers, self.consumer.as_slice());
        let route = (!producers.is_empty()).then_some(self.route());
        self.emitted.push(SolvedPipe {
            header,
            route,
            alone,
        });
    }
}

/// Merges skeletons that have a producer in common or, unless one must stay separate, a consumer.
fn collapse(pipes: Vec<SolvedPipe>) -> Vec<SolvedPipe> {
    let mut collapsed: Vec<SolvedPipe> = Vec::new();
    for mut pipe in pipes {
        let shares = |other: &SolvedPipe| {
            let meets = |a: &[usize], b: &[usize]| a.iter().any(|node| b.contains(node));
            let producer = meets(other.header.producers(), pipe.header.producers());
            let consumer = meets(other.header.consumers(), pipe.header.consumers());
            let alone = pipe.alone || other.alone;
            pipe.route == other.route && (producer || (consumer && !alone))
        };
        let (same, apart): (Vec<_>, Vec<_>) = collapsed.into_iter().partition(shares);
        for other in same {
            pipe.header.absorb(&other.header);
            pipe.alone |= other.alone;
        }
        collapsed = apart;
        collapsed.push(pipe);
    }
    collapsed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(nodes: usize) -> WrittenSchedule {
        let count = u32::try_from(nodes).expect("few");
        WrittenSchedule {
            interval: count,
            stage_count: 1,
            starts: (0..i64::from(count)).collect(),
            stages: vec![0; nodes],
            orders: (0..count).collect(),
        }
    }

    fn route(kind: LoadKind) -> Route {
        Route {
            fill: FillClass::Load(kind),
            from: Agent::LOAD,
            to: AgentSet::of(Agent::COMPUTE),
        }
    }

    fn load(producer: usize, consumers: &[usize], kind: LoadKind) -> RawValue {
        RawValue {
            producer: Some(producer),
            consumers: consumers.to_vec(),
            route: route(kind),
        }
    }

    fn producers(pipes: &[SolvedPipe]) -> Vec<Vec<usize>> {
        let lists = pipes.iter().map(|pipe| pipe.header.producers().to_vec());
        lists.collect()
    }

    fn solve(
        values: &[RawValue],
        leaders: &[Option<u32>],
        split: &[usize],
    ) -> (Vec<SolvedPipe>, SolveFlags) {
        let schedule = schedule(leaders.len());
        let split = split.iter().copied().collect();
        let problem = Problem {
            schedule: &schedule,
            leaders,
            values,
            split: &split,
        };
        solve_all(problem)
    }

    #[test]
    fn loads_with_a_consumer_in_common_share_a_pipe() {
        let tma = LoadKind::Tma;
        let values = [
            load(2, &[4], tma),
            load(0, &[3], tma),
            load(1, &[3, 5], tma),
        ];
        let (pipes, flags) = solve(&values, &[None; 6], &[]);
        assert_eq!(producers(&pipes), [vec![0, 1], vec![2]]);
        assert_eq!(pipes[0].header.consumers(), [3, 5]);
        assert_eq!(flags, SolveFlags::default());
    }

    #[test]
    fn a_chain_of_consumers_collapses() {
        let tma = LoadKind::Tma;
        let values = [
            load(0, &[4], tma),
            load(1, &[4, 5], tma),
            load(2, &[5], tma),
        ];
        let (pipes, _) = solve(&values, &[None; 6], &[]);
        assert_eq!(producers(&pipes), [vec![0, 1, 2]]);
    }

    #[test]
    fn leader_groups_share_a_pipe() {
        let tma = LoadKind::Tma;
        let values = [load(0, &[2], tma), load(1, &[3], tma)];
        let leaders = [Some(1), Some(1), None, None];
        let (pipes, _) = solve(&values, &leaders, &[]);
        assert_eq!(producers(&pipes), [vec![0, 1]]);
    }

    #[test]
    fn different_instructions_do_not_share_a_pipe() {
        let values = [load(0, &[2], LoadKind::Tma), load(1, &[2], LoadKind::Plain)];
        let (pipes, flags) = solve(&values, &[None; 3], &[]);
        assert_eq!(producers(&pipes), [vec![0], vec![1]]);
        assert!(!flags.fallback);
        let leaders = [Some(7), Some(7), None];
        let (pipes, flags) = solve(&values, &leaders, &[]);
        assert_eq!(producers(&pipes), [vec![0], vec![1]]);
        assert!(flags.fallback, "one root mixed two classes");
    }

    #[test]
    fn producers_that_must_be_split_have_pipes_of_their_own() {
        let tma = LoadKind::Tma;
        let values = [load(0, &[2], tma), load(1, &[2], tma)];
        let (pipes, flags) = solve(&values, &[None; 3], &[1]);
        assert_eq!(producers(&pipes), [vec![0], vec![1]]);
        assert!(flags.fallback);
    }

    /// Values that other agents read, or that another agent computes, need their own barriers.
    #[test]
    fn different_agents_do_not_share_a_pipe() {
        let mut values = [0, 1, 2].map(|producer| load(producer, &[3], LoadKind::Tma));
        values[1].route.to.insert(Agent::LOAD);
        values[2].route.from = Agent::COMPUTE;
        let (pipes, _) = solve(&values, &[None; 4], &[]);
        assert_eq!(producers(&pipes), [vec![0], vec![1], vec![2]]);
    }

    #[test]
    fn a_consumer_without_producers_gets_a_pipe_of_its_own() {
        let nothing = RawValue {
            producer: None,
            consumers: vec![1],
            route: route(LoadKind::Tma),
        };
        let values = [load(0, &[1], LoadKind::Tma), nothing];
        let (pipes, flags) = solve(&values, &[None; 2], &[]);
        assert_eq!(producers(&pipes), [vec![0], vec![]]);
        assert_eq!(pipes[1].header.consumers(), [1]);
        assert!(flags.trivial);
    }
}
