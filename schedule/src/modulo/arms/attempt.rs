//! One refinement iteration: runs every group of the loop through the chain of arms.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::super::cost::CostVector;
use super::super::decisions::{Arm, Decision, DecisionLog, Event, Gate};
use super::super::distance::DistanceMatrix;
use super::super::order::{Timing, next_random};
use super::super::placement::Placement;
use super::super::problem::LoopProblem;
use super::ancestors::Ancestors;
use super::groups::{Groups, Key};

/// Operations given up in this iteration, with the depth horizon at that time. An operation given
/// up because of its depth is reconsidered when the horizon has grown.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot(BTreeMap<usize, Option<u32>>);

impl Snapshot {
    /// Records that the gate rejected the operation under a horizon.
    pub fn give_up(&mut self, node: usize, gate: Gate, horizon: u32) {
        let by_depth = matches!(gate, Gate::DepthHorizon);
        self.0.insert(node, by_depth.then_some(horizon));
    }

    /// Whether the operation is skipped under a horizon.
    pub fn is_dead(&self, node: usize, horizon: u32) -> bool {
        match self.0.get(&node) {
            None => false,
            Some(None) => true,
            Some(Some(then)) => *then >= horizon,
        }
    }
}

/// The reason that an iteration failed.
#[derive(Clone, Debug)]
pub(super) struct Blame {
    /// The group that no arm could seat.
    pub group: usize,
    /// The first of its members without a seat.
    pub node: usize,
    /// Seated operations that conflict with it and need not precede it, by program index.
    pub obstacles: Vec<usize>,
}

/// The state of one iteration.
#[derive(Debug)]
pub(super) struct Attempt<'a> {
    pub problem: &'a LoopProblem<'a>,
    pub timing: &'a Timing,
    pub groups: &'a Groups,
    pub ancestors: &'a Ancestors,
    pub placement: Placement<'a>,
    /// Longest distances between all operations; absent for large loops.
    pub distances: Option<&'a DistanceMatrix>,
    /// Operations held over (G1).
    pub held: Vec<bool>,
    /// The largest `max_depth` that G2 accepts.
    pub horizon: u32,
    /// Remaining placements.
    pub placements: u64,
    round: u32,
}

impl<'a> Attempt<'a> {
    /// An empty iteration at an interval, with a table whose rows cover `quantum` cycles.
    pub fn new(
        problem: &'a LoopProblem<'a>,
        timing: &'a Timing,
        groups: &'a Groups,
        ancestors: &'a Ancestors,
        (interval, quantum): (u32, u32),
    ) -> Self {
        Self {
            problem,
            timing,
            groups,
            ancestors,
            placement: Placement::quantised(problem, interval, quantum),
            distances: None,
            held: Vec::new(),
            horizon: 1,
            placements: 0,
            round: 1,
        }
    }

    /// Sets the distances that narrow the windows of seats.
    pub fn with_distances(mut self, distances: Option<&'a DistanceMatrix>) -> Self {
        self.distances = distances;
        self
    }

    /// Sets the iteration's index, the held-over operations, and the placement limit.
    pub fn in_round(mut self, round: u32, held: &[bool], placements: u64) -> Self {
        self.round = round;
        self.held = held.to_vec();
        self.placements = placements;
        self
    }

    /// Seats all groups. Also returns the placements left.
    pub fn run(mut self, log: &mut DecisionLog) -> (Result<Vec<i64>, Blame>, u64) {
        let mut ready = Readiness::new(self.problem, self.groups);
        let mut snapshot = Snapshot::default();
        let mut aside = Vec::new();
        loop {
            let next = match ready.next() {
                None if aside.is_empty() => ready.next_waiting(),
                next => next,
            };
            let Some(group) = next else {
                if aside.is_empty() {
                    break;
                }
                // All other operations have a seat: the hold-over set is cleared.
                self.held.fill(false);
                aside.drain(..).for_each(|group| ready.put_back(group));
                continue;
            };
            let members = &self.groups.list[group].members;
            if let Some(&node) = members.iter().find(|&&node| self.held[node]) {
                self.note(log, (Arm::Permute, members[0]), node, Err(Gate::HoldOver));
                aside.push(group);
                continue;
            }
            if !self.seat(group, &mut snapshot, log) {
                return (Err(self.blame(group)), self.placements);
            }
            ready.seated(self.problem, self.groups, group);
        }
        match self.placement.complete() {
            Some(starts) => (Ok(starts), self.placements),
            None => (Err(self.blame(0)), self.placements),
        }
    }

    /// The chain of arms for one group.
    fn seat(&mut self, group: usize, snapshot: &mut Snapshot, log: &mut DecisionLog) -> bool {
        self.permute(group, snapshot, log)
            || self.fuse(group, log)
            || self.retry(group, snapshot, log)
            || self.cost(group, snapshot, log)
            || self.retry(group, &mut Snapshot::default(), log)
            || self.cost(group, &mut Snapshot::default(), log)
    }

    /// Determines what prevents a group from being seated.
    fn blame(&mut self, group: usize) -> Blame {
        let members = &self.groups.list[group].members;
        let mut failed = members[0];
        for &node in members {
            failed = node;
            let seat = self.earliest_seat(node);
            let seated = seat.is_ok_and(|cycle| self.placement.seat(node, cycle).is_ok());
            if !seated {
                break;
            }
        }
        let window = self.dependence_window(failed);
        let found = self.placement.obstacles(failed, window.earliest);
        let known = self.ancestors.is_known();
        let free = |other: &usize| {
            known && !members.contains(other) && !self.ancestors.related(&[*other], members)
        };
        Blame {
            group,
            node: failed,
            obstacles: found.into_iter().filter(free).collect(),
        }
    }

    /// Takes a seat that was found, and logs it.
    pub fn take(
        &mut self,
        log: &mut DecisionLog,
        by: (Arm, usize),
        node: usize,
        cycle: i64,
    ) -> Result<(), Gate> {
        self.placements = self.placements.saturating_sub(1);
        self.note(log, by, node, Ok(cycle));
        self.placement.seat(node, cycle).map_err(Gate::Resources)
    }

    /// Logs a decision of an arm about a group before it changes the placement.
    pub fn note(
        &self,
        log: &mut DecisionLog,
        (arm, group): (Arm, usize),
        node: usize,
        seat: Result<i64, Gate>,
    ) {
        if !log.is_on() {
            return;
        }
        let cost = match seat {
            Ok(cycle) => self.costs_of(node).at(self, node, cycle),
            Err(_) => CostVector::rejection(),
        };
        log.push(Event::Decision(Decision {
            interval: self.placement.interval(),
            round: self.round,
            arm,
            group,
            node,
            cycle: seat.ok(),
            cost,
            gate: seat.err(),
            committed: seat.is_ok(),
        }));
    }

    /// The delay of an operation under the stress option, in cycles.
    pub fn delay(&self, node: usize) -> i64 {
        const MOST: u64 = 8;
        let Some(seed) = self.problem.options.random_delay else {
            return 0;
        };
        let mut state = (seed ^ (node as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1;
        (next_random(&mut state) % MOST) as i64
    }
}

/// The groups that are ready: those whose predecessors within the iteration are seated.
struct Readiness {
    /// Edges from other groups whose source has no seat yet.
    missing: Vec<u32>,
    queue: BinaryHeap<Reverse<(Key, usize)>>,
    waiting: BinaryHeap<Reverse<(Key, usize)>>,
    queued: Vec<bool>,
}

impl Readiness {
    fn new(problem: &LoopProblem<'_>, groups: &Groups) -> Self {
        let mut missing = vec![0_u32; groups.list.len()];
        for edge in problem.graph.edges() {
            let (from, to) = (groups.of[edge.from], groups.of[edge.to]);
            missing[to] += u32::from(edge.distance == 0 && from != to);
        }
        let entry = |group: usize| Reverse((groups.list[group].key, group));
        let queued: Vec<bool> = missing.iter().map(|&count| count == 0).collect();
        let (first, rest): (Vec<usize>, Vec<usize>) =
            (0..groups.list.len()).partition(|&group| queued[group]);
        Self {
            missing,
            queue: first.into_iter().map(entry).collect(),
            waiting: rest.into_iter().map(entry).collect(),
            queued,
        }
    }

    /// The next group that is ready.
    fn next(&mut self) -> Option<usize> {
        self.queue.pop().map(|Reverse((_, group))| group)
    }

    /// If groups wait for each other, the first of them.
    fn next_waiting(&mut self) -> Option<usize> {
        while let Some(Reverse((_, group))) = self.waiting.pop() {
            if !std::mem::replace(&mut self.queued[group], true) {
                return Some(group);
            }
        }
        None
    }

    fn put_back(&mut self, group: usize) {
        let key = (Reverse(u32::MAX), Reverse(0), Reverse(0), group);
        self.queue.push(Reverse((key, group)));
    }

    fn seated(&mut self, problem: &LoopProblem<'_>, groups: &Groups, group: usize) {
        for &node in &groups.list[group].members {
            for edge in problem.graph.successors(node) {
                let to = groups.of[edge.to];
                if to == group || edge.distance > 0 {
                    continue;
                }
                self.missing[to] -= 1;
                if self.missing[to] == 0 && !std::mem::replace(&mut self.queued[to], true) {
                    self.queue.push(Reverse((groups.list[to].key, to)));
                }
            }
        }
    }
}
