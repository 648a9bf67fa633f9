//! Agents that execute their actions in order, on units that they share, cycle by cycle.
//!
//! An operation starts when its operands are available and its slots and pools of the machine are free. Of
//! the agents that wait for units, the one that has waited longest comes first. What is queued is started in
//! the order in which it was queued, as far as units are free, while its agent continues. An agent that
//! waits for others continues one hand-over after it has seen what they handed over, which is one hand-over
//! after they did.

use crate::modulo::{PoolUse, ResourceUse};

/// Slots of a machine are numbered from 1 to 63.
const SLOTS: usize = 64;

/// An event of the iteration some iterations before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past {
    pub(super) event: usize,
    pub(super) distance: usize,
}

/// The units of an operation, and the cycles until its result is available.
#[derive(Clone, Debug, Default)]
pub(super) struct Cost {
    latency: i64,
    /// Slots, and the cycles for which they are held.
    slots: Vec<(usize, i64)>,
    /// Pools, and the units that are held for the cycles of the longest slot.
    pools: Vec<(usize, u32)>,
}

impl Cost {
    pub(super) fn new(latency: u32, uses: &[ResourceUse], pools: &[PoolUse]) -> Cost {
        let held = uses.iter().filter(|held| held.occupancy > 0);
        let shares = pools.iter().filter(|share| share.count > 0);
        Cost {
            latency: i64::from(latency),
            slots: held
                .map(|held| (usize::from(held.slot) % SLOTS, i64::from(held.duration)))
                .collect(),
            pools: shares.map(|share| (share.pool, share.count)).collect(),
        }
    }

    /// Cycles for which the pools are held.
    fn hold(&self) -> i64 {
        let longest = self.slots.iter().map(|(_, cycles)| *cycles).max();
        longest.unwrap_or(1).max(1)
    }
}

/// When an agent continues after it has come to an operation.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// When the operation has started.
    Started,
    /// When it is done.
    Done,
    /// At once; the operation starts after these events.
    Queued(Vec<Past>),
}

/// What an agent does.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Executes an operation after its operands are available. The event is its end.
    Start {
        cost: Cost,
        reads: Vec<Past>,
        form: Form,
        event: usize,
        /// Whether it copies from or to tensor memory.
        copies: bool,
    },
    /// Waits for events, and sees them one hand-over later.
    Wait(Vec<Past>),
    /// Hands over after events of its own: the event is when others can see it. A mutex is left when the
    /// copies of the agent from and to tensor memory are done.
    Give {
        after: Vec<Past>,
        event: usize,
        is_mutex: bool,
    },
}

/// The kernel of an agent: actions with the stage of each.
pub(super) type Kernel = Vec<(usize, Action)>;

/// The state of an agent.
#[derive(Clone, Default)]
struct State {
    /// The iteration of the kernel, and the position in it.
    at: (usize, usize),
    /// It continues at this cycle, if that is known.
    wake: Option<i64>,
    /// Since when it waits for units.
    since: Option<i64>,
    /// When its copies from and to tensor memory are done.
    copied: i64,
    /// When each iteration of the kernel ended.
    ends: Vec<i64>,
}

/// What waits for its units: its cost, the events before it, its own event, the iteration.
type Request<'e> = (&'e Cost, &'e [Past], usize, usize);

/// What an agent can do in a cycle.
enum Progress {
    /// The action is done; the agent continues now or at a later cycle.
    Until(i64),
    /// It can be tried again at a cycle, or when another agent has continued.
    At(Option<i64>),
    /// Units are free at a cycle.
    Units(i64),
}

struct Execution<'e> {
    kernels: &'e [Kernel],
    iterations: usize,
    handshake: i64,
    states: Vec<State>,
    /// When each event happens, by iteration; `None` if that is not known yet.
    events: Vec<Vec<Option<i64>>>,
    queue: Vec<Request<'e>>,
    units: Units<'e>,
    now: i64,
}

/// When each iteration of the kernel of each agent ends; `None` if the agents block. `events` is the number of
/// events.
pub(super) fn execute(
    kernels: &[Kernel],
    (events, iterations): (usize, usize),
    capacities: &[u32],
    handshake: i64,
) -> Option<Vec<Vec<i64>>> {
    let mut run = Execution {
        kernels,
        iterations,
        handshake,
        states: vec![State::default(); kernels.len()],
        events: vec![vec![None; iterations]; events],
        queue: Vec::new(),
        units: Units {
            free: [0; SLOTS],
            shares: vec![Vec::new(); capacities.len()],
            capacities,
        },
        now: 0,
    };
    loop {
        while run.cycle() {}
        match run.next_time() {
            Some(next) => run.now = next,
            None => break,
        }
    }
    let is_done = (0..kernels.len()).all(|agent| run.is_done(agent));
    is_done.then(|| run.states.into_iter().map(|state| state.ends).collect())
}

impl<'e> Execution<'e> {
    /// Does what is possible in this cycle; whether anything was.
    fn cycle(&mut self) -> bool {
        let mut moved = self.start_queued();
        let mut order: Vec<usize> = (0..self.kernels.len()).collect();
        order.sort_by_key(|agent| (self.states[*agent].since.unwrap_or(i64::MAX), *agent));
        for agent in order {
            while self.advance(agent) {
                moved = true;
            }
        }
        moved
    }

    fn next_time(&self) -> Option<i64> {
        let agents = self.states.iter().filter_map(|state| state.wake);
        let queued = self.queue.iter().filter_map(|(cost, after, _, k)| {
            let ready = self.latest(after, *k)?;
            Some(ready.max(self.units.free(cost, self.now)))
        });
        agents.chain(queued).filter(|time| *time > self.now).min()
    }

    fn is_done(&self, agent: usize) -> bool {
        let kernel = &self.kernels[agent];
        let stages = kernel.iter().map(|(stage, _)| *stage).max();
        kernel.is_empty() || self.states[agent].at.0 >= self.iterations + stages.unwrap_or(0)
    }

    /// When the last of some events happens; `None` if that is not known. Those of before the first
    /// iteration have happened.
    fn latest(&self, events: &[Past], k: usize) -> Option<i64> {
        let mut last = 0;
        for past in events {
            if let Some(iteration) = k.checked_sub(past.distance) {
                last = last.max(self.events[past.event][iteration]?);
            }
        }
        Some(last)
    }

    fn start_queued(&mut self) -> bool {
        let before = self.queue.len();
        for request in std::mem::take(&mut self.queue) {
            let (cost, after, event, k) = request;
            let ready = self.latest(after, k).is_some_and(|ready| ready <= self.now);
            if ready && self.units.free(cost, self.now) <= self.now {
                self.units.occupy(cost, self.now);
                self.events[event][k] = Some(self.now + cost.latency);
            } else {
                self.queue.push(request);
            }
        }
        self.queue.len() < before
    }

    /// Executes the next action of an agent if it can; whether it did.
    fn advance(&mut self, agent: usize) -> bool {
        if self.states[agent].wake.is_some_and(|wake| wake > self.now) || self.is_done(agent) {
            return false;
        }
        self.states[agent].wake = None;
        let kernels = self.kernels;
        let (turn, position) = self.states[agent].at;
        let (stage, action) = &kernels[agent][position];
        let iteration = turn.checked_sub(*stage).filter(|k| *k < self.iterations);
        let progress = match iteration {
            Some(k) => self.act(agent, action, k),
            None => Progress::Until(self.now),
        };
        let state = &mut self.states[agent];
        let next = match progress {
            Progress::Until(next) => next,
            Progress::At(wake) => {
                (state.wake, state.since) = (wake, None);
                return false;
            }
            Progress::Units(wake) => {
                state.wake = Some(wake);
                state.since.get_or_insert(self.now);
                return false;
            }
        };
        (state.wake, state.since) = (Some(next), None);
        state.at.1 += 1;
        if state.at.1 == kernels[agent].len() {
            state.at = (turn + 1, 0);
            state.ends.push(next);
        }
        true
    }

    fn act(&mut self, agent: usize, action: &'e Action, k: usize) -> Progress {
        match action {
            Action::Start {
                cost,
                reads,
                form,
                event,
                copies,
            } => {
                let ready = self.latest(reads, k);
                if ready.is_none_or(|ready| ready > self.now) {
                    return Progress::At(ready);
                }
                if let Form::Queued(after) = form {
                    self.queue.push((cost, after, *event, k));
                    return Progress::Until(self.now);
                }
                let free = self.units.free(cost, self.now);
                if free > self.now {
                    return Progress::Units(free);
                }
                self.units.occupy(cost, self.now);
                let done = self.now + cost.latency;
                self.events[*event][k] = Some(done);
                if *copies {
                    let state = &mut self.states[agent];
                    state.copied = state.copied.max(done);
                }
                Progress::Until(match form {
                    Form::Done => done,
                    _ => self.now,
                })
            }
            Action::Wait(events) => match self.latest(events, k) {
                None => Progress::At(None),
                Some(seen) => Progress::Until(seen.max(self.now) + self.handshake),
            },
            Action::Give {
                after,
                event,
                is_mutex,
            } => {
                let copied = if *is_mutex {
                    self.states[agent].copied
                } else {
                    0
                };
                let ready = self.latest(after, k).map(|ready| ready.max(copied));
                if ready.is_none_or(|ready| ready > self.now) {
                    return Progress::At(ready);
                }
                self.events[*event][k] = Some(self.now + self.handshake);
                Progress::Until(self.now)
            }
        }
    }
}

/// The slots and pools of a multiprocessor.
struct Units<'e> {
    /// When each slot is free again.
    free: [i64; SLOTS],
    /// The ends and units of what is held of each pool.
    shares: Vec<Vec<(i64, u32)>>,
    capacities: &'e [u32],
}

impl Units<'_> {
    /// The first cycle from `now` on in which the units of an operation are free.
    fn free(&self, cost: &Cost, now: i64) -> i64 {
        let slots = cost.slots.iter();
        let mut start = slots.fold(now, |start, (slot, _)| start.max(self.free[*slot]));
        for &(pool, units) in &cost.pools {
            let (Some(shares), Some(&capacity)) =
                (self.shares.get(pool), self.capacities.get(pool))
            else {
                continue;
            };
            loop {
                let held = shares.iter().filter(|(end, _)| *end > start);
                let taken: u32 = held.clone().map(|(_, units)| *units).sum();
                // What is more than the capacity starts when the pool is empty.
                match held.map(|(end, _)| *end).min() {
                    Some(end) if taken + units > capacity => start = end,
                    _ => break,
                }
            }
        }
        start
    }

    /// Holds the units of an operation that starts in a cycle in which they are free.
    fn occupy(&mut self, cost: &Cost, start: i64) {
        for &(slot, cycles) in &cost.slots {
            self.free[slot] = self.free[slot].max(start + cycles);
        }
        for &(pool, units) in &cost.pools {
            if let Some(shares) = self.shares.get_mut(pool) {
                shares.retain(|(end, _)| *end > start);
                shares.push((start + cost.hold(), units));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HAND_OVER: i64 = 2;

    fn at(event: usize, distance: usize) -> Past {
        Past { event, distance }
    }

    fn on(slot: u8, cycles: u32) -> Cost {
        Cost::new(cycles, &[ResourceUse::new(slot, cycles)], &[])
    }

    fn start(cost: Cost, event: usize, form: Form, reads: &[Past]) -> (usize, Action) {
        let action = Action::Start {
            cost,
            reads: reads.to_vec(),
            form,
            event,
            copies: false,
        };
        (0, action)
    }

    fn wait(events: &[Past]) -> (usize, Action) {
        (0, Action::Wait(events.to_vec()))
    }

    fn give(event: usize, after: usize, is_mutex: bool) -> (usize, Action) {
        let action = Action::Give {
            after: vec![at(after, 0)],
            event,
            is_mutex,
        };
        (0, action)
    }

    /// Cycles from the ninth to the tenth of twelve iterations of each agent, of events below 8, with a pool of four
    /// units.
    fn intervals(kernels: &[Kernel]) -> Option<Vec<i64>> {
        let ends = execute(kernels, (8, 12), &[4], HAND_OVER)?;
        Some(ends.iter().map(|ends| ends[9] - ends[8]).collect())
    }

    #[test]
    fn agents_share_slots_and_the_one_that_waits_longest_is_next() {
        let long = || vec![start(on(4, 5), 0, Form::Started, &[])];
        let short = || vec![start(on(4, 1), 1, Form::Started, &[])];
        let other = || vec![start(on(5, 5), 1, Form::Started, &[])];
        assert_eq!(intervals(&[long()]), Some(vec![5]));
        assert_eq!(intervals(&[long(), other()]), Some(vec![5, 5]));
        assert_eq!(intervals(&[long(), short()]), Some(vec![6, 6]));
    }

    /// Three operations of three units each on a pool of four follow each other; of two units, two start at
    /// once; one above the capacity starts alone.
    #[test]
    fn pools_have_a_capacity() {
        let share = |count| {
            let pools = [PoolUse { pool: 0, count }];
            Cost::new(7, &[], &pools)
        };
        let kernel = |count| -> Kernel {
            (0..4)
                .map(|event| start(share(count), event, Form::Started, &[]))
                .collect()
        };
        // A share without slots is held for one cycle.
        assert_eq!(intervals(&[kernel(3)]), Some(vec![4]));
        assert_eq!(intervals(&[kernel(2)]), Some(vec![2]));
        assert_eq!(intervals(&[kernel(5)]), Some(vec![4]));
    }

    /// A round of a slot: acquire 2, fill 10, seen after 2, wait 2, drain 4, seen after 2. With three slots the
    /// producer is the slower side: acquire and fill.
    #[test]
    fn slots_change_hands() {
        let ring = |slots| {
            let producer = vec![
                wait(&[at(3, slots)]),
                start(on(1, 10), 0, Form::Started, &[]),
                give(1, 0, false),
            ];
            let consumer = vec![
                wait(&[at(1, 0)]),
                start(on(2, 4), 2, Form::Started, &[]),
                give(3, 2, false),
            ];
            intervals(&[producer, consumer])
        };
        assert_eq!(ring(1), Some(vec![22, 22]));
        assert_eq!(ring(2), Some(vec![12, 12]));
        // The consumer waits for what nobody hands over.
        assert_eq!(intervals(&[vec![wait(&[at(7, 0)])]]), None);
    }

    /// A product of 16 cycles and an operation of 10: one after the other if the agent waits for the product,
    /// otherwise the product and the wait for it. The next product starts when the sum is complete.
    #[test]
    fn queued_operations_overlap_with_their_agent() {
        let cost = || Cost::new(16, &[ResourceUse::new(11, 8)], &[]);
        let product = |form| {
            let other = start(on(4, 10), 1, Form::Done, &[]);
            vec![start(cost(), 0, form, &[]), other]
        };
        assert_eq!(intervals(&[product(Form::Done)]), Some(vec![26]));
        assert_eq!(
            intervals(&[product(Form::Queued(Vec::new()))]),
            Some(vec![10])
        );
        let sum = Form::Queued(vec![at(0, 1)]);
        let mut awaited = product(sum);
        awaited.push(wait(&[at(0, 0)]));
        assert_eq!(intervals(&[awaited]), Some(vec![18]));
    }

    /// The first operation takes 5 cycles, and its reader starts after them; the next iteration comes then.
    #[test]
    fn operands_are_waited_for_in_order() {
        let chain = vec![
            start(on(4, 5), 0, Form::Started, &[]),
            start(on(5, 1), 1, Form::Started, &[at(0, 0)]),
        ];
        assert_eq!(intervals(&[chain]), Some(vec![5]));
    }

    /// A mutex goes back and forth: 9 cycles of a copy, seen after 2 and entered after 2, in both directions.
    #[test]
    fn a_mutex_is_left_when_copies_are_done() {
        let agent = |event, other, distance, copies| {
            let copy = Action::Start {
                cost: on(6, 9),
                reads: Vec::new(),
                form: Form::Started,
                event,
                copies,
            };
            let leave = Action::Give {
                after: Vec::new(),
                event: event + 1,
                is_mutex: true,
            };
            vec![wait(&[at(other, distance)]), (0, copy), (0, leave)]
        };
        let both = |copies| intervals(&[agent(0, 3, 1, copies), agent(2, 1, 0, copies)]);
        assert_eq!(both(true), Some(vec![26, 26]));
        assert_eq!(both(false), Some(vec![18, 18]));
    }

    /// Of a stage later, an operation belongs to the iteration before: twelve iterations take thirteen turns.
    #[test]
    fn later_stages_drain_the_kernel() {
        let mut kernel = vec![start(on(4, 5), 0, Form::Started, &[])];
        kernel.push((1, start(on(5, 1), 1, Form::Started, &[at(0, 0)]).1));
        let ends = execute(&[kernel], (2, 12), &[], HAND_OVER);
        assert_eq!(ends.map(|ends| ends[0].len()), Some(13));
    }
}
