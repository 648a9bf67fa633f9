//! The four arms.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::super::cost::{CostVector, bank_tables, spill_surcharge};
use super::super::decisions::{Arm, DecisionLog, Gate};
use super::super::evaluators::BankPressure;
use super::super::placement::Window;
use super::super::pressure::RegisterPressure;
use super::attempt::{Attempt, Snapshot};

/// Maximum number of groups that FUSE tries to merge with.
const MOST_PARTNERS: usize = 4;

/// Maximum number of seats that COST tries for one operation.
const MOST_CANDIDATES: usize = 64;

impl Attempt<'_> {
    /// Runs `arm` as a transaction, in the placement and in the log.
    fn transaction(
        &mut self,
        log: &mut DecisionLog,
        arm: impl FnOnce(&mut Self, &mut DecisionLog) -> bool,
    ) -> bool {
        let checkpoint = self.placement.checkpoint();
        let mark = log.mark();
        let success = arm(self, log);
        if success {
            self.placement.keep(checkpoint);
        } else {
            self.placement.roll_back(checkpoint);
            log.give_back(mark);
        }
        success
    }

    /// PERMUTE: members in several orders, each at its earliest legal cycle.
    pub(super) fn permute(
        &mut self,
        group: usize,
        snapshot: &mut Snapshot,
        log: &mut DecisionLog,
    ) -> bool {
        let first = self.groups.list[group].members[0];
        self.orders(group).into_iter().any(|order| {
            self.transaction(log, |attempt, log| {
                order.iter().all(|&node| {
                    let seat = attempt.delayed_seat(node);
                    if let Err(gate @ Gate::DepthHorizon) = seat {
                        snapshot.give_up(node, gate, attempt.horizon);
                    }
                    attempt.accept(log, (Arm::Permute, first), node, seat)
                })
            })
        })
    }

    /// Takes a seat or logs the rejection; also `false` if no placements are left.
    fn accept(
        &mut self,
        log: &mut DecisionLog,
        by: (Arm, usize),
        node: usize,
        seat: Result<i64, Gate>,
    ) -> bool {
        match seat {
            Ok(cycle) => self.placements > 0 && self.take(log, by, node, cycle).is_ok(),
            Err(gate) => {
                self.note(log, by, node, Err(gate));
                false
            }
        }
    }

    /// The earliest legal cycle, or a later one under the stress option.
    fn delayed_seat(&self, node: usize) -> Result<i64, Gate> {
        let earliest = self.earliest_seat(node)?;
        let delay = self.delay(node);
        if delay == 0 {
            return Ok(earliest);
        }
        let window = self.same_depth(node, self.open_window(node)?);
        let later = Window {
            earliest: earliest + delay,
            latest: window.latest.min(earliest + 2 * delay),
        };
        Ok(self.placement.first_fit(node, later).unwrap_or(earliest))
    }

    /// The orders of a group's members: by what their predecessors allow, then with the latest
    /// first, which moves members on both sides of a stage boundary to its far side, then with the
    /// longest hold first.
    fn orders(&self, group: usize) -> Vec<Vec<usize>> {
        let mut forward = self.groups.list[group].members.clone();
        if forward.len() == 1 {
            return vec![forward];
        }
        forward.sort_by_key(|&node| {
            let earliest = self.dependence_window(node).earliest;
            (earliest, Reverse(self.problem.weight(node)), node)
        });
        let mut backward = forward.clone();
        backward.reverse();
        let mut by_hold = forward.clone();
        by_hold.sort_by_key(|&node| Reverse(self.problem.footprints[node].longest_hold()));
        let mut orders = vec![forward, backward, by_hold];
        orders.dedup();
        orders
    }

    /// FUSE: seats the group and a conflicting seated group together, longest holds first, unless
    /// one must precede the other or they are of different kinds.
    pub(super) fn fuse(&mut self, group: usize, log: &mut DecisionLog) -> bool {
        if !self.ancestors.is_known() {
            return false;
        }
        let partners = self.partners(group);
        partners.into_iter().any(|partner| {
            self.transaction(log, |attempt, log| attempt.seat_fused(group, partner, log))
        })
    }

    /// Seated groups that conflict with members.
    fn partners(&self, group: usize) -> Vec<usize> {
        let own = &self.groups.list[group];
        let mut found = Vec::new();
        for &node in &own.members {
            let Ok(window) = self.open_window(node) else {
                continue;
            };
            let window = self.same_depth(node, window);
            for other in self.placement.obstacles(node, window.earliest) {
                let partner = self.groups.of[other];
                let candidate = &self.groups.list[partner];
                let mut members = candidate.members.iter();
                if partner != group
                    && !found.contains(&partner)
                    && candidate.combiner == own.combiner
                    && members.all(|&node| self.placement.start(node).is_some())
                    && !self.ancestors.related(&own.members, &candidate.members)
                {
                    found.push(partner);
                }
            }
        }
        found.truncate(MOST_PARTNERS);
        found
    }

    fn seat_fused(&mut self, group: usize, partner: usize, log: &mut DecisionLog) -> bool {
        let mut members = self.groups.list[group].members.clone();
        let first = members[0];
        for &node in &self.groups.list[partner].members {
            self.placement.eject(node);
            members.push(node);
        }
        let hold = |node: usize| self.problem.footprints[node].longest_hold();
        members.sort_by_key(|&node| (Reverse(hold(node)), self.timing.earliest[node], node));
        members.into_iter().all(|node| {
            let seat = self.earliest_seat(node);
            self.accept(log, (Arm::Fuse, first), node, seat)
        })
    }

    /// RETRY: with the depth horizon at the largest `max_depth` of the group, members in the order
    /// of their predecessors; conflicting operations are moved and seated again.
    pub(super) fn retry(
        &mut self,
        group: usize,
        snapshot: &mut Snapshot,
        log: &mut DecisionLog,
    ) -> bool {
        let members = &self.groups.list[group].members;
        let depths = members
            .iter()
            .filter_map(|&node| self.problem.graph.node(node).constraints.max_depth);
        let horizon = self.horizon.max(depths.max().unwrap_or(0));
        let dead = members
            .iter()
            .find(|&&node| snapshot.is_dead(node, horizon));
        if let Some(&node) = dead {
            self.note(log, (Arm::Retry, members[0]), node, Err(Gate::Dead));
            return false;
        }
        let before = std::mem::replace(&mut self.horizon, horizon);
        let mut failed = (members[0], Gate::Window);
        let success = self.transaction(log, |attempt, log| attempt.reseat(group, &mut failed, log));
        if !success {
            self.horizon = before;
            snapshot.give_up(failed.0, failed.1, horizon);
        }
        success
    }

    /// Seats the remaining operations, moving conflicting ones, up to a bounded number of times.
    fn reseat(&mut self, group: usize, failed: &mut (usize, Gate), log: &mut DecisionLog) -> bool {
        let members = &self.groups.list[group].members;
        let by = (Arm::Retry, members[0]);
        let timing = self.timing;
        let entry = |node: usize| Reverse((timing.earliest[node], node));
        let mut leftovers: BinaryHeap<_> = members.iter().map(|&node| entry(node)).collect();
        let mut last: BTreeMap<usize, i64> = BTreeMap::new();
        for _ in 0..4 * members.len() + 16 {
            let Some(Reverse((_, node))) = leftovers.pop() else {
                return true;
            };
            let seat = self.earliest_seat(node).or_else(|gate| {
                self.note(log, by, node, Err(gate));
                let previous = last.get(&node).copied();
                let cycle = self.forced_seat(node, previous).ok_or(gate)?;
                for other in self.placement.obstacles(node, cycle) {
                    self.placement.eject(other);
                    leftovers.push(entry(other));
                }
                Ok(cycle)
            });
            let taken = seat.and_then(|cycle| {
                last.insert(node, cycle);
                self.take(log, by, node, cycle)
            });
            if let Err(gate) = taken {
                *failed = (node, gate);
                return false;
            }
            if self.placements == 0 {
                break;
            }
        }
        leftovers.is_empty()
    }

    /// A cycle after the predecessors, later than the previous one, below all limits.
    fn forced_seat(&self, node: usize, last: Option<i64>) -> Option<i64> {
        if self.held[node] || self.beyond_horizon(node) {
            return None;
        }
        let earliest = self.dependence_window(node).earliest;
        let open = Window {
            earliest: last.map_or(earliest, |last| earliest.max(last + 1)),
            latest: self.placement.latest_start(node),
        };
        let window = self.same_structure(node, open);
        let cycle = self.below_ceiling(node, window.earliest).ok()?;
        (cycle <= window.latest).then_some(cycle)
    }

    /// COST: every member at the seat of least cost.
    pub(super) fn cost(
        &mut self,
        group: usize,
        snapshot: &mut Snapshot,
        log: &mut DecisionLog,
    ) -> bool {
        let mut members = self.groups.list[group].members.clone();
        let by = (Arm::Cost, members[0]);
        members.sort_by_key(|&node| (self.timing.earliest[node], node));
        let mut failed = (members[0], Gate::Dead);
        let horizon = self.horizon;
        let success = self.transaction(log, |attempt, log| {
            members.iter().all(|&node| {
                let seat = if snapshot.is_dead(node, horizon) {
                    Err(Gate::Dead)
                } else {
                    attempt.cheapest_seat(node)
                };
                failed = (node, seat.err().unwrap_or(Gate::Dead));
                attempt.accept(log, by, node, seat)
            })
        });
        if !success {
            snapshot.give_up(failed.0, failed.1, horizon);
        }
        success
    }

    /// The seat of least cost in one interval from the earliest: the first that the bank caps allow. The
    /// delay comes first in the cost vector, and no two seats of an operation have the same.
    fn cheapest_seat(&mut self, node: usize) -> Result<i64, Gate> {
        self.earliest_seat(node)?;
        let window = self.same_depth(node, self.open_window(node)?);
        let costs = self.costs_of(node);
        let interval = i64::from(self.placement.interval());
        let mut rest = Window {
            earliest: window.earliest,
            latest: window.latest.min(window.earliest + interval - 1),
        };
        for _ in 0..MOST_CANDIDATES {
            let Some(seat) = self.placement.first_fit(node, rest) else {
                break;
            };
            self.placements = self.placements.saturating_sub(1);
            if !costs.at(self, node, seat).rejected {
                return Ok(seat);
            }
            rest.earliest = seat + 1;
        }
        Err(Gate::BankPressure)
    }

    /// The inputs of the costs of an operation's seats.
    pub(super) fn costs_of(&self, node: usize) -> SeatCosts {
        let seated = self.placement.starts().iter().enumerate();
        let starts = seated.filter_map(|(other, start)| Some((other, (*start)?)));
        let [current, older] = bank_tables(self.problem, self.placement.interval(), starts);
        SeatCosts {
            earliest: self.dependence_window(node).earliest,
            current,
            older,
        }
    }
}

/// The tables for the cost of one operation's seats.
pub(super) struct SeatCosts {
    earliest: i64,
    current: Vec<u64>,
    older: Vec<u64>,
}

impl SeatCosts {
    /// The cost vector of a seat.
    pub fn at(&self, attempt: &Attempt<'_>, node: usize, cycle: i64) -> CostVector {
        let problem = attempt.problem;
        let footprint = &problem.footprints[node];
        let bank = BankPressure::measure(&self.current, &self.older, footprint, cycle);
        if !bank.allows(problem.options.bank_caps) {
            return CostVector::rejection();
        }
        CostVector {
            rejected: false,
            pipe_slot: u32::try_from(cycle - self.earliest).unwrap_or(0),
            spill: spill(attempt, node, cycle),
            bank: bank.sum(),
            distance: inversions(attempt, node, cycle),
        }
    }
}

/// The surcharge for the registers in use at the seat, including the operation's own.
fn spill(attempt: &Attempt<'_>, node: usize, cycle: i64) -> u32 {
    let graph = attempt.problem.graph;
    let budget = attempt.problem.options.register_budget;
    let (Some(budget), true) = (budget, graph.node(node).registers > 0) else {
        return 0;
    };
    let mut starts = attempt.placement.starts().to_vec();
    starts[node] = Some(cycle);
    let pressure = RegisterPressure::measure(graph, &starts, attempt.placement.interval());
    spill_surcharge(pressure.at(cycle), budget)
}

/// Seated operations whose order relative to the seat is against program order; operations are
/// emitted by stage and cycle modulo the interval, which is the order of cycles.
fn inversions(attempt: &Attempt<'_>, node: usize, cycle: i64) -> u32 {
    let seated = attempt.placement.starts().iter().enumerate();
    let against = seated.filter(|&(other, start)| {
        start
            .is_some_and(|start| (other < node && start > cycle) || (other > node && start < cycle))
    });
    u32::try_from(against.count()).unwrap_or(u32::MAX)
}
