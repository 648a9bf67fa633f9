//! Pipelines: rings of stages, and the rules for acquiring, filling, publishing, consuming and
//! releasing them.
//!
//! A slot goes through `Empty`, `Filling` (a producer has acquired it), `Full` (published, and
//! every expected byte has arrived) and back, once per round. A cursor that has passed `n` stages
//! of a ring of `d` refers to slot `n mod d` in round `n div d`; the hardware keeps only the parity
//! of the round, so a cursor that is off by one round is an error here even where parities agree.
//!
//! Source: TileAS reference 1.4 (life cycle), 9.6 (mbarrier protocol).

use std::collections::BTreeSet;

use orison_ir::Operation;
use orison_tileas::nv_tileas::types::Role;

use super::handles::Ownership;
use super::memory::View;

/// The state of a slot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Free.
    Empty,
    /// A producer holds it.
    Filling {
        /// The task.
        task: usize,
        /// The operation that acquired it.
        since: Operation,
        /// Whether it was committed.
        committed: bool,
        /// Bytes that loads must deliver; `None` while unspecified.
        expected: Option<u64>,
        /// Bytes that loads have delivered.
        arrived: u64,
        /// Bytes that loads in flight will deliver.
        underway: u64,
    },
    /// Published.
    Full {
        /// Consumers that have waited for it and not released it, and the operations that waited.
        holders: Vec<(u32, Operation)>,
        /// Consumers that have released it.
        returned: BTreeSet<u32>,
        /// The operation that acquired it.
        since: Operation,
    },
}

/// A slot of a ring.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    /// Its state.
    pub phase: Phase,
    /// How many times it was acquired.
    pub rounds: u64,
}

/// A tile of a stage, and its layout in the slot in bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// The tile in slot zero.
    pub view: View,
}

/// A pipeline.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ring {
    /// The operation that created it.
    pub created: Operation,
    /// Whether it is a mutex.
    pub mutex: bool,
    /// Number of consumers; a slot is free again after each has released it.
    pub consumers: u32,
    /// The slots.
    pub slots: Vec<Slot>,
    /// The tiles of a stage, in slot zero.
    pub parts: Vec<Part>,
    /// Distance of the slots in bits.
    pub slot_bits: i64,
}

/// Why an operation on a stage is not possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Not yet: the condition it waits for.
    Later(String),
    /// Never: the error, and a related operation.
    Wrong(String, Option<Operation>),
}

fn wrong<T>(message: String, place: Option<Operation>) -> Result<T, Refusal> {
    Err(Refusal::Wrong(message, place))
}

impl Ring {
    /// A ring of empty slots.
    pub fn new(created: Operation, mutex: bool, depth: usize, consumers: u32) -> Ring {
        let slot = Slot {
            phase: Phase::Empty,
            rounds: 0,
        };
        Ring {
            created,
            mutex,
            consumers,
            slots: vec![slot; depth.max(1)],
            parts: Vec::new(),
            slot_bits: 0,
        }
    }

    /// Index of the slot of a step.
    pub fn slot_of(&self, step: u64) -> usize {
        (step % self.slots.len() as u64) as usize
    }

    /// The round of a step.
    pub fn round_of(&self, step: u64) -> u64 {
        step / self.slots.len() as u64
    }

    /// The name of the stage of a step in messages.
    pub fn stage(&self, step: u64) -> String {
        if self.mutex {
            return format!("the mutex in round {}", self.round_of(step));
        }
        let (slot, round) = (self.slot_of(step), self.round_of(step));
        format!("stage {slot} in round {round}")
    }

    /// The tile of a stage.
    pub fn part(&self, number: usize, step: u64) -> View {
        let mut view = self.parts[number].view.clone();
        view.start += self.slot_of(step) as i64 * self.slot_bits;
        view
    }

    /// Acquires a stage for a producer.
    ///
    /// # Errors
    /// If the stage is not free, or the cursor is behind.
    pub fn acquire(&mut self, step: u64, task: usize, op: Operation) -> Result<(), Refusal> {
        let (stage, round) = (self.stage(step), self.round_of(step));
        let number = self.slot_of(step);
        let slot = &mut self.slots[number];
        if slot.rounds > round {
            let place = slot.phase.place();
            let message = format!(
                "acquires {stage}, which is already acquired: the iterator was not advanced"
            );
            return wrong(message, place);
        }
        if slot.rounds < round {
            return Err(Refusal::Later(format!(
                "{stage} until the previous round is filled"
            )));
        }
        match &slot.phase {
            Phase::Empty => {
                slot.rounds += 1;
                slot.phase = Phase::Filling {
                    task,
                    since: op,
                    committed: false,
                    expected: None,
                    arrived: 0,
                    underway: 0,
                };
                Ok(())
            }
            Phase::Filling { .. } => Err(Refusal::Later(format!(
                "{stage} until it is filled and released"
            ))),
            Phase::Full { returned, .. } => {
                let missing = (0..self.consumers).find(|consumer| !returned.contains(consumer));
                let consumer = missing.unwrap_or(0);
                Err(Refusal::Later(format!(
                    "{stage} until consumer {consumer} releases it"
                )))
            }
        }
    }

    /// Whether a producer may write to a stage now.
    ///
    /// # Errors
    /// If it does not hold the stage any more.
    pub fn may_write(&self, owner: Ownership) -> Result<(), Refusal> {
        let stage = self.stage(owner.step);
        let slot = &self.slots[self.slot_of(owner.step)];
        match &slot.phase {
            Phase::Filling {
                committed: false, ..
            } if owner.role == Role::Producer && slot.rounds == self.round_of(owner.step) + 1 => {
                Ok(())
            }
            _ if owner.role == Role::Consumer => wrong(
                format!("writes to {stage}, which is held by a consumer"),
                None,
            ),
            phase => {
                let message = format!("writes to {stage} after its commit");
                wrong(message, phase.place())
            }
        }
    }

    /// Whether a stage may be read now.
    ///
    /// # Errors
    /// If the reader does not hold it.
    pub fn may_read(&self, owner: Ownership) -> Result<(), Refusal> {
        let stage = self.stage(owner.step);
        let slot = &self.slots[self.slot_of(owner.step)];
        let current = slot.rounds == self.round_of(owner.step) + 1;
        match &slot.phase {
            Phase::Full { holders, .. }
                if current && holders.iter().any(|(holder, _)| *holder == owner.consumer) =>
            {
                Ok(())
            }
            // A producer may read back what it wrote.
            Phase::Filling {
                committed: false, ..
            } if current && owner.role == Role::Producer => Ok(()),
            phase => {
                let message = format!("reads {stage} after its release");
                wrong(message, phase.place())
            }
        }
    }

    /// Registers a load that will deliver bytes to a stage.
    pub fn start_bytes(&mut self, step: u64, bytes: u64) {
        let number = self.slot_of(step);
        if let Phase::Filling { underway, .. } = &mut self.slots[number].phase {
            *underway += bytes;
        }
    }

    /// Registers delivered bytes.
    pub fn finish_bytes(&mut self, step: u64, bytes: u64) {
        let number = self.slot_of(step);
        if let Phase::Filling {
            underway, arrived, ..
        } = &mut self.slots[number].phase
        {
            *underway = underway.saturating_sub(bytes);
            *arrived += bytes;
        }
        self.publish(number);
    }

    /// Publishes a stage. `bytes` is the count the producer announces; `None` if it relies on the
    /// loads in flight (`implicit`), or specifies nothing.
    ///
    /// # Errors
    /// If the producer may not publish the stage, or the byte counts do not match.
    pub fn commit(&mut self, step: u64, bytes: Option<u64>, implicit: bool) -> Result<(), Refusal> {
        let (stage, round) = (self.stage(step), self.round_of(step));
        let number = self.slot_of(step);
        let slot = &mut self.slots[number];
        let current = slot.rounds == round + 1;
        let (arrived, underway, committed, expected) = match &mut slot.phase {
            Phase::Filling {
                arrived,
                underway,
                committed,
                expected,
                ..
            } if current => (*arrived, *underway, committed, expected),
            phase => {
                let message = match phase {
                    Phase::Full { .. } if current => format!("commits {stage} twice"),
                    _ => format!("commits {stage}, which is not acquired"),
                };
                return wrong(message, phase.place());
            }
        };
        if *committed {
            return wrong(format!("commits {stage} twice"), slot.phase.place());
        }
        let brought = arrived + underway;
        match bytes {
            Some(bytes) if bytes != brought => {
                let message =
                    format!("expects {bytes} bytes for {stage}, but its loads copy {brought}");
                return wrong(message, None);
            }
            None if brought > 0 && !implicit => {
                let message = format!("expects no bytes for {stage}, but its loads copy {brought}");
                return wrong(message, None);
            }
            _ => {}
        }
        *committed = true;
        *expected = Some(brought);
        self.publish(number);
        Ok(())
    }

    /// A committed slot becomes full once all its bytes have arrived.
    fn publish(&mut self, number: usize) {
        let slot = &mut self.slots[number];
        if let Phase::Filling {
            committed: true,
            expected: Some(expected),
            arrived,
            since,
            ..
        } = &slot.phase
            && arrived >= expected
        {
            slot.phase = Phase::Full {
                holders: Vec::new(),
                returned: BTreeSet::new(),
                since: *since,
            };
        }
    }

    /// Acquires a published stage for a consumer.
    ///
    /// # Errors
    /// If it is not published yet, or the cursor is behind.
    pub fn wait(&mut self, step: u64, consumer: u32, op: Operation) -> Result<(), Refusal> {
        let (stage, round) = (self.stage(step), self.round_of(step));
        if consumer >= self.consumers {
            let message = format!(
                "waits as consumer {consumer} of a pipeline of {}",
                self.consumers
            );
            return wrong(message, Some(self.created));
        }
        let number = self.slot_of(step);
        let slot = &mut self.slots[number];
        let behind =
            format!("waits for {stage}, which is already released: the iterator was not advanced");
        match &mut slot.phase {
            _ if slot.rounds > round + 1 => wrong(behind, slot.phase.place()),
            Phase::Empty if slot.rounds == round + 1 => wrong(behind, None),
            Phase::Full {
                holders, returned, ..
            } if slot.rounds == round + 1 => {
                if returned.contains(&consumer) {
                    return wrong(behind, None);
                }
                if let Some((_, place)) = holders.iter().find(|(holder, _)| *holder == consumer) {
                    let message = format!("waits for {stage}, which it already holds");
                    return wrong(message, Some(*place));
                }
                holders.push((consumer, op));
                holders.sort_unstable();
                Ok(())
            }
            Phase::Filling {
                committed: true,
                expected: Some(expected),
                arrived,
                underway,
                ..
            } => {
                let missing = *expected - *arrived;
                let state = format!("{stage} until {missing} bytes arrive, {underway} in flight");
                Err(Refusal::Later(state))
            }
            _ => Err(Refusal::Later(format!("{stage} until it is committed"))),
        }
    }

    /// Releases a stage.
    ///
    /// # Errors
    /// If the consumer does not hold it.
    pub fn release(&mut self, step: u64, consumer: u32) -> Result<(), Refusal> {
        let (stage, round) = (self.stage(step), self.round_of(step));
        let number = self.slot_of(step);
        let slot = &mut self.slots[number];
        let current = slot.rounds == round + 1;
        match &mut slot.phase {
            Phase::Full {
                holders, returned, ..
            } if current && holders.iter().any(|(holder, _)| *holder == consumer) => {
                holders.retain(|(holder, _)| *holder != consumer);
                returned.insert(consumer);
                if returned.len() as u64 == u64::from(self.consumers) {
                    slot.phase = Phase::Empty;
                }
                Ok(())
            }
            Phase::Full { returned, .. } if current && returned.contains(&consumer) => {
                wrong(format!("releases {stage} twice"), None)
            }
            phase => {
                let message = format!("releases {stage}, which it does not hold");
                wrong(message, phase.place())
            }
        }
    }

    /// The error in the final state of a ring, if any: a location and a message.
    pub fn leftover(&self) -> Option<(Operation, String)> {
        self.slots.iter().enumerate().find_map(|(number, slot)| {
            let step = (slot.rounds.max(1) - 1) * self.slots.len() as u64 + number as u64;
            let stage = self.stage(step);
            match &slot.phase {
                Phase::Empty => None,
                Phase::Filling {
                    since,
                    committed: false,
                    ..
                } => Some((*since, format!("acquires {stage} and never commits it"))),
                Phase::Filling { since, .. } => Some((
                    *since,
                    format!("acquires {stage}, whose bytes never arrive"),
                )),
                Phase::Full { holders, since, .. } => Some(match holders.first() {
                    Some((_, place)) => {
                        (*place, format!("waits for {stage} and never releases it"))
                    }
                    None => (
                        *since,
                        format!("fills {stage}, which a consumer never releases"),
                    ),
                }),
            }
        })
    }
}

impl Phase {
    /// An operation related to the state of the slot.
    fn place(&self) -> Option<Operation> {
        match self {
            Phase::Empty => None,
            Phase::Filling { since, .. } => Some(*since),
            Phase::Full { holders, since, .. } => {
                Some(holders.first().map_or(*since, |(_, place)| *place))
            }
        }
    }
}

#[cfg(test)]
mod tests;
