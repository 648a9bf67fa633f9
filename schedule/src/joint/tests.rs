//! The joint search against an enumeration of all assignments and start cycles, which simulates
//! iterations cycle by cycle and shares nothing with the search but the definition of the problem.

use super::*;
use crate::modulo::{
    DependenceGraph, Edge, EdgeKind, Node, ResourceSpace, ResourceUse, SchedulingOptions,
};

/// Stages of all schedules: starts are below this many intervals.
const STAGES: u32 = 2;

fn limits(warps: u32) -> Limits {
    Limits {
        warps,
        registers: 2_048,
        load_registers: 40,
        reserved_registers: 0,
        most_registers: 80,
        shared_bytes: u64::MAX,
        barriers: 16,
        signal: 1,
    }
}

/// Bytes of this many registers in each thread of four warps.
const fn bytes(registers: u64) -> u64 {
    registers * 4 * 32 * 4
}

fn operation(registers: u64) -> JointOperation {
    JointOperation {
        placement: Placement::Compute,
        work: Work::Elementwise,
        result_bytes: bytes(registers),
        passing: Some(Passing {
            uses: vec![ResourceUse::new(9, 1)],
            latency: 1,
            bytes: bytes(registers),
        }),
        keeps: Vec::new(),
        invariants: Vec::new(),
        storage: Vec::new(),
    }
}

fn edge(from: usize, to: usize, latency: u32, distance: u32) -> Edge {
    let kind = match distance {
        0 => EdgeKind::Data,
        _ => EdgeKind::LoopCarried,
    };
    Edge {
        from,
        to,
        latency: i32::try_from(latency).expect("small"),
        distance,
        kind,
    }
}

/// The solution with the least interval.
fn shortest(problem: &JointProblem, options: &JointOptions) -> Result<JointSolution, JointError> {
    solve(problem, options, &mut |found| Some(found.schedule.interval))
}

fn problem(nodes: Vec<(Node, u64)>, edges: Vec<Edge>, warps: u32) -> JointProblem {
    let operations = nodes
        .iter()
        .map(|(_, registers)| operation(*registers))
        .collect();
    let nodes = nodes.into_iter().map(|(node, _)| node).collect();
    JointProblem {
        graph: DependenceGraph::new(ResourceSpace::default(), nodes, edges).expect("a graph"),
        operations,
        invariants: Vec::new(),
        together: Vec::new(),
        limits: limits(warps),
    }
}

fn options(work: u64) -> JointOptions {
    JointOptions {
        scheduling: SchedulingOptions {
            max_stages: Some(STAGES),
            ..SchedulingOptions::default()
        },
        work,
    }
}

fn node(latency: u32, uses: &[(u8, u32)]) -> Node {
    let uses = uses
        .iter()
        .map(|&(slot, duration)| ResourceUse::new(slot, duration));
    Node::new("op", latency, uses.collect())
}

/// Values of 40 registers, of which an agent can keep two: three values that are alive at once need a
/// second agent or a longer interval.
#[test]
fn registers_decide_between_one_agent_and_two() {
    let nodes = || {
        let one = |slot| (node(4, &[(slot, 1)]), 40);
        vec![one(1), one(2), one(3), one(4), one(5), one(6)]
    };
    // Three independent chains of two operations.
    let edges = || vec![edge(0, 1, 4, 0), edge(2, 3, 4, 0), edge(4, 5, 4, 0)];
    let few = shortest(&problem(nodes(), edges(), 4), &options(0)).expect("one agent");
    let many = shortest(&problem(nodes(), edges(), 16), &options(0)).expect("several agents");
    assert_eq!(few.registers.len(), 1);
    assert!(few.schedule.interval > many.schedule.interval);
    assert!(many.registers.len() > 1 || many.warps > 4);
    assert_eq!(few.passed_bytes, 0, "one agent passes nothing");
}

#[test]
fn recurrences_and_asynchronous_groups_have_one_agent() {
    let nodes = (0..4).map(|slot| (node(2, &[(slot + 1, 1)]), 1)).collect();
    let edges = vec![
        edge(0, 1, 2, 0),
        edge(1, 0, 2, 1),
        edge(1, 2, 2, 0),
        edge(2, 3, 2, 0),
    ];
    let mut problem = problem(nodes, edges, 16);
    problem.together = vec![vec![2, 3]];
    assert_eq!(problem.units(), [vec![0, 1], vec![2, 3]]);
}

/// Assignments are enumerated without permutations of agents, and those without communication come
/// first.
#[test]
fn assignments_are_ordered_by_the_bytes_they_pass() {
    let nodes = (0..4).map(|slot| (node(1, &[(slot + 1, 1)]), 1)).collect();
    let problem = problem(nodes, vec![edge(0, 1, 1, 0), edge(2, 3, 1, 0)], 16);
    let all = assignment::assignments(&problem, 2).list;
    // 2^3 - 1 ways to divide four units between two agents that are not told apart.
    assert_eq!(all.len(), 7);
    assert_eq!(all[0], [Some(0), Some(0), Some(1), Some(1)]);
    assert_eq!(assignment::assignments(&problem, 4).list.len(), 1);
}

#[test]
fn a_kernel_with_too_few_warps_has_no_agents() {
    let problem = problem(vec![(node(1, &[]), 1)], Vec::new(), 3);
    assert_eq!(
        shortest(&problem, &options(0)),
        Err(JointError::Warps { agents: 1 })
    );
}

#[test]
fn a_tile_that_no_agent_can_keep_is_an_error() {
    let nodes = vec![(node(4, &[(1, 1)]), 1_000), (node(1, &[(2, 1)]), 1)];
    let problem = problem(nodes, vec![edge(0, 1, 4, 0)], 64);
    let error = shortest(&problem, &options(0)).expect_err("too large");
    // 1,000 registers in threads of four warps are 334 in those of twelve.
    assert_eq!(error, JointError::Registers { needed: 336 });
}

/// Peaks are counted over the rows of all iterations that overlap.
#[test]
fn peaks_count_values_of_all_iterations() {
    let nodes = vec![(node(1, &[]), 10), (node(1, &[]), 0)];
    let mut problem = problem(nodes, vec![edge(0, 1, 1, 0)], 16);
    let agents = [Some(0), Some(0)];
    let peak = |problem: &JointProblem, start| {
        let starts = [Some(0), Some(start)];
        register_peaks(problem, (&agents, 1), (&starts, &[]), 4)[0]
    };
    assert_eq!(peak(&problem, 4), bytes(10));
    assert_eq!(peak(&problem, 5), bytes(20));
    assert_eq!(peak(&problem, 9), bytes(30));
    // A factor is read until its product is complete.
    problem.operations[1].keeps = vec![0];
    assert_eq!(peak(&problem, 4), bytes(20));
}

/// A generator of small loops, from a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn small(&mut self, limit: u32) -> u32 {
        u32::try_from(self.below(u64::from(limit))).expect("small")
    }

    fn problem(&mut self) -> JointProblem {
        let mut nodes = Vec::new();
        for _ in 0..3 {
            let slot = 1 + u8::try_from(self.below(2)).expect("small");
            let duration = 1 + self.small(2);
            let latency = 1 + self.small(3);
            nodes.push((node(latency, &[(slot, duration)]), 8 * (1 + self.below(6))));
        }
        let mut edges = Vec::new();
        for to in 1..3_usize {
            let from = usize::try_from(self.below(to as u64)).expect("small");
            edges.push(edge(from, to, nodes[from].0.latency, 0));
        }
        if self.below(2) == 0 {
            let from = 1 + usize::try_from(self.below(2)).expect("small");
            edges.push(edge(from, 0, nodes[from].0.latency, 1 + self.small(2)));
        }
        let warps = 4 + 4 * self.small(3);
        problem(nodes, edges, warps)
    }
}

/// All schedules of a problem at an interval under one assignment, by enumeration.
struct Enumeration<'p> {
    problem: &'p JointProblem,
    agents: Vec<usize>,
    warps: u32,
    interval: i64,
    /// Operations whose values are copied.
    copies: Vec<usize>,
    starts: Vec<i64>,
}

impl Enumeration<'_> {
    fn exists(&mut self) -> bool {
        let all = self.agents.len() + self.copies.len();
        if !self.respects_dependences() {
            return false;
        }
        if self.starts.len() == all {
            return self.respects_slots() && self.fits();
        }
        for start in 0..self.interval * i64::from(STAGES) {
            self.starts.push(start);
            if self.exists() {
                return true;
            }
            self.starts.pop();
        }
        false
    }

    fn copy_of(&self, node: usize) -> Option<usize> {
        let position = self.copies.iter().position(|copied| *copied == node)?;
        Some(self.agents.len() + position)
    }

    /// Whether the starts so far respect the dependences between them.
    fn respects_dependences(&self) -> bool {
        let latency = |node: usize| i64::from(self.problem.graph.node(node).latency);
        let start = |node: usize| self.starts.get(node).copied();
        let is_before = |first: Option<i64>, cycles: i64, second: Option<i64>| match (first, second)
        {
            (Some(first), Some(second)) => first + cycles <= second,
            _ => true,
        };
        let copied = self.copies.iter().enumerate().all(|(number, &node)| {
            is_before(
                start(node),
                latency(node),
                start(self.agents.len() + number),
            )
        });
        copied
            && self.problem.graph.edges().iter().all(|edge| {
                let iterations = self.interval * i64::from(edge.distance);
                let due = start(edge.to).map(|start| start + iterations);
                if self.agents[edge.from] == self.agents[edge.to] {
                    return is_before(start(edge.from), latency(edge.from), due);
                }
                // One cycle of the copy, and two signals of one cycle.
                let copy = self.copy_of(edge.from);
                copy.is_some_and(|copy| is_before(start(copy), 3, due))
            })
    }

    /// Cycles of a steady interval, in which iterations of all stages overlap.
    fn steady(&self) -> std::ops::Range<i64> {
        let first = self.interval * i64::from(STAGES) * 4;
        first..first + self.interval
    }

    fn respects_slots(&self) -> bool {
        let mut uses: Vec<(u8, i64, i64)> = Vec::new();
        for (node, &start) in self.starts.iter().enumerate().take(self.agents.len()) {
            for held in &self.problem.graph.node(node).uses {
                uses.push((held.slot, start, i64::from(held.duration)));
            }
        }
        for copy in 0..self.copies.len() {
            uses.push((9, self.starts[self.agents.len() + copy], 1));
        }
        self.steady().all(|cycle| {
            [1, 2, 9].into_iter().all(|slot| {
                let mut holders = 0;
                for &(used, start, duration) in &uses {
                    for iteration in 0..40 {
                        let begin = start + iteration * self.interval;
                        if used == slot && (begin..begin + duration).contains(&cycle) {
                            holders += 1;
                        }
                    }
                }
                holders <= 1
            })
        })
    }

    fn fits(&self) -> bool {
        let mut total = 0;
        let used: std::collections::BTreeSet<usize> = self.agents.iter().copied().collect();
        for &agent in &used {
            let alive = self.steady().map(|cycle| self.alive(agent, cycle)).max();
            let threads = u64::from(self.warps) * 32;
            let registers = alive.unwrap_or(0).div_ceil(threads * 4);
            let registers = registers.div_ceil(8) * 8;
            if registers > 80 {
                return false;
            }
            total += registers.max(24) * u64::from(self.warps);
        }
        total <= 2_048
    }

    /// Bytes of the values of an agent that are alive in a cycle.
    fn alive(&self, agent: usize, cycle: i64) -> u64 {
        let mut bytes = 0;
        for node in (0..self.agents.len()).filter(|&node| self.agents[node] == agent) {
            let graph = &self.problem.graph;
            let mut end = self.starts[node] + i64::from(graph.node(node).latency);
            for edge in graph.edges().iter().filter(|edge| edge.from == node) {
                if self.agents[edge.to] == agent {
                    end = end.max(self.starts[edge.to] + self.interval * i64::from(edge.distance));
                } else if let Some(copy) = self.copy_of(node) {
                    end = end.max(self.starts[copy] + 1);
                }
            }
            for iteration in 0..40 {
                let shift = iteration * self.interval;
                if (self.starts[node] + shift..end + shift).contains(&cycle) {
                    bytes += self.problem.operations[node].result_bytes;
                }
            }
        }
        bytes
    }
}

/// The least interval up to a limit, by enumeration of assignments, warps and starts.
fn least_interval(problem: &JointProblem, limit: u32) -> Option<u32> {
    (1..=limit).find(|&interval| {
        let longest = problem.graph.nodes().iter().flat_map(|node| &node.uses);
        if longest.map(|held| held.duration).max().unwrap_or(0) > interval {
            return false;
        }
        (0..27_usize).any(|code| {
            let agents = vec![code % 3, code / 3 % 3, code / 9];
            let used: std::collections::BTreeSet<&usize> = agents.iter().collect();
            let used = u32::try_from(used.len()).expect("few");
            // An agent more than the first is only used after those before it.
            let in_order =
                (0..3).all(|at| agents[at] <= agents[..at].iter().max().map_or(0, |most| most + 1));
            [4, 8, 12].into_iter().any(|warps| {
                in_order && used * warps <= problem.limits.warps && {
                    let crossing = problem.graph.edges().iter();
                    let crossing = crossing.filter(|edge| agents[edge.from] != agents[edge.to]);
                    let mut copies: Vec<usize> = crossing.map(|edge| edge.from).collect();
                    copies.sort_unstable();
                    copies.dedup();
                    let mut all = Enumeration {
                        problem,
                        agents: agents.clone(),
                        warps,
                        interval: i64::from(interval),
                        copies,
                        starts: Vec::new(),
                    };
                    all.exists()
                }
            })
        })
    })
}

/// Intervals that are proven are those of the enumeration; loops without a solution have none there.
#[test]
fn proven_intervals_are_the_least_of_all_assignments() {
    let mut random = Random(11);
    let (mut proven, mut without) = (0, 0);
    for number in 0..24 {
        let problem = random.problem();
        match shortest(&problem, &options(20_000_000)) {
            Ok(found) => {
                let interval = found.schedule.interval;
                let least = least_interval(&problem, interval);
                assert!(found.schedule.proven, "loop {number}");
                assert_eq!(least, Some(interval), "loop {number}");
                proven += 1;
            }
            Err(error) => {
                assert_eq!(least_interval(&problem, 3), None, "loop {number}: {error}");
                without += 1;
            }
        }
    }
    assert!(
        proven >= 12,
        "{proven} proven, {without} without a solution"
    );
}

/// A reader in another agent waits for the copy of a value, which takes a cycle and starts when the value is
/// there, and for two signals of a cycle.
#[test]
fn a_passed_value_waits_for_its_copy_and_two_signals() {
    let node = |latency| (Node::new("op", latency, Vec::new()), 1);
    let problem = problem(vec![node(5), node(1)], vec![edge(0, 1, 5, 0)], 16);
    let latencies = |agents: [Option<usize>; 2]| {
        let assigned = problem.assigned(&agents).expect("an assignment");
        let edges = assigned.graph.edges().iter();
        let mut found: Vec<_> = edges
            .map(|edge| (edge.from, edge.to, edge.latency))
            .collect();
        found.sort_unstable();
        found
    };
    assert_eq!(latencies([Some(0), Some(0)]), [(0, 1, 5)]);
    assert_eq!(latencies([Some(0), Some(1)]), [(0, 2, 5), (2, 1, 3)]);
}
