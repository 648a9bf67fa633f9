//! The facts about a pipeline before it is created: the header of a `Pipe_` or `Mutex_` value.
//!
//! A header advances through ZEROED, SKELETON, CONSTRUCTED and PAYLOADED, and never returns to an
//! earlier state. Each state is a type, so that facts can be read only where they exist.
//!
//! Source: TileAS reference 6.3 (header fields, life cycle).

use std::collections::BTreeMap;

use orison_ir::Type;

use super::WrittenSchedule;

/// Maximum number of slots of a ring. Each has a full and an empty barrier of 8 bytes, and 1 KiB is
/// reserved for them.
pub const MAX_RING_DEPTH: u32 = 64;

/// The payload kind of a pipeline (TileAS reference 6.3 and C82).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Flavour {
    /// `Pipe_` flavour A: scalars, or no payload.
    Scalar,
    /// `Pipe_` flavour B: tiles.
    Tile,
    /// `Mutex_`: order without data.
    Mutex,
}

impl Flavour {
    /// The maximum number of stages of a pipeline of this flavour.
    pub fn depth_limit(self) -> u32 {
        match self {
            Flavour::Scalar | Flavour::Tile => MAX_RING_DEPTH,
            // A mutex has no slack across iterations.
            Flavour::Mutex => 1,
        }
    }
}

/// Nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Zeroed;

/// The value exists; its maps are empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Skeleton {
    producers: Vec<usize>,
    consumers: Vec<usize>,
}

/// Flavour and users are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constructed {
    flavour: Flavour,
    producers: Vec<usize>,
    consumers: Vec<usize>,
}

/// Payload, stages and orders are known: the pipeline can be emitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Payloaded {
    flavour: Flavour,
    producers: BTreeMap<usize, (u32, u32)>,
    consumers: BTreeMap<usize, (u32, u32)>,
    payload: Vec<Type>,
    owner: Option<(u32, u32)>,
}

/// The facts about a pipeline in one state of its life cycle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header<State> {
    state: State,
}

impl Header<Zeroed> {
    /// An empty header.
    pub fn new() -> Self {
        Header::default()
    }

    /// ZEROED to SKELETON: the value exists.
    pub fn exist(self) -> Header<Skeleton> {
        Header::default()
    }
}

impl Header<Skeleton> {
    /// Adds producers and consumers.
    pub fn join(&mut self, producers: &[usize], consumers: &[usize]) {
        self.state.producers.extend(producers);
        self.state.consumers.extend(consumers);
        for list in [&mut self.state.producers, &mut self.state.consumers] {
            list.sort_unstable();
            list.dedup();
        }
    }

    /// The producers.
    pub fn producers(&self) -> &[usize] {
        &self.state.producers
    }

    /// The consumers.
    pub fn consumers(&self) -> &[usize] {
        &self.state.consumers
    }

    /// Merges a duplicate into this skeleton.
    pub fn absorb(&mut self, other: &Header<Skeleton>) {
        self.join(&other.state.producers, &other.state.consumers);
    }

    /// SKELETON to CONSTRUCTED: the flavour is known.
    pub fn construct(self, flavour: Flavour) -> Header<Constructed> {
        let Skeleton {
            producers,
            consumers,
        } = self.state;
        let state = Constructed {
            flavour,
            producers,
            consumers,
        };
        Header { state }
    }
}

impl Header<Constructed> {
    /// CONSTRUCTED to PAYLOADED: types are given, stages and orders joined from the schedule. The
    /// owner is the producer that comes first in (stage, order, program order); without a producer,
    /// the first consumer.
    pub fn emit_payload(self, payload: Vec<Type>, schedule: &WrittenSchedule) -> Header<Payloaded> {
        let join = |nodes: &[usize]| -> BTreeMap<usize, (u32, u32)> {
            let pair = |node: usize| (schedule.stages[node], schedule.orders[node]);
            nodes.iter().map(|node| (*node, pair(*node))).collect()
        };
        let producers = join(&self.state.producers);
        let consumers = join(&self.state.consumers);
        let owner = producers.values().min().or(consumers.values().min());
        let state = Payloaded {
            flavour: self.state.flavour,
            owner: owner.copied(),
            producers,
            consumers,
            payload,
        };
        Header { state }
    }
}

impl Header<Payloaded> {
    /// The payload kind of the pipeline.
    pub fn flavour(&self) -> Flavour {
        self.state.flavour
    }

    /// Stage and order of the producer that owns the pipeline, written as `nv_tile.aws.stage` and
    /// `nv_tile.aws.order`. `None` for a pipeline not used by a scheduled loop.
    pub fn stage_order(&self) -> Option<(u32, u32)> {
        self.state.owner
    }

    /// Stage and order of each producer.
    pub fn producers(&self) -> &BTreeMap<usize, (u32, u32)> {
        &self.state.producers
    }

    /// Stage and order of each consumer.
    pub fn consumers(&self) -> &BTreeMap<usize, (u32, u32)> {
        &self.state.consumers
    }

    /// Types of the values of one stage.
    pub fn payload(&self) -> &[Type] {
        &self.state.payload
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_is_the_first_producer_of_the_schedule() {
        let schedule = WrittenSchedule {
            interval: 8,
            stage_count: 2,
            starts: vec![8, 0, 9],
            stages: vec![1, 0, 1],
            orders: vec![0, 0, 1],
        };
        let mut skeleton = Header::new().exist();
        skeleton.join(&[0, 1], &[2]);
        let mut twin = Header::new().exist();
        twin.join(&[1], &[2]);
        skeleton.absorb(&twin);
        assert_eq!(skeleton.producers(), [0, 1]);
        let header = skeleton
            .construct(Flavour::Tile)
            .emit_payload(Vec::new(), &schedule);
        assert_eq!(header.stage_order(), Some((0, 0)));
        assert_eq!(header.producers()[&0], (1, 0));
        assert_eq!(header.consumers()[&2], (1, 1));
    }

    #[test]
    fn without_producers_the_consumer_owns() {
        let schedule = WrittenSchedule {
            interval: 4,
            stage_count: 1,
            starts: vec![3],
            stages: vec![0],
            orders: vec![2],
        };
        let mut skeleton = Header::new().exist();
        skeleton.join(&[], &[0]);
        let header = skeleton
            .construct(Flavour::Scalar)
            .emit_payload(Vec::new(), &schedule);
        assert_eq!(header.stage_order(), Some((0, 2)));
    }
}
