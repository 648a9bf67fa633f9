//! The depth of each pipe and the barrier of each mutex, from buffer assignment.

use std::collections::BTreeMap;

use orison_ir::{Context, Operation};

use super::super::solve::{PlannedItem, RegionPlan};
use super::channel_key::ChannelKey;
use crate::buffers::{Binding, Place};

/// The storage of the pipelines of a region.
#[derive(Clone, Debug, Default)]
pub struct Storage {
    pub(super) depths: BTreeMap<ChannelKey, u32>,
    pub(super) barriers: BTreeMap<ChannelKey, u32>,
    /// The bindings that pipelines carry as attributes: empty if buffers were assigned just now.
    pub(super) bindings: BTreeMap<ChannelKey, Binding>,
}

impl Storage {
    /// The storage of a region with the given bindings, by frame and pipe or mutex, which
    /// pipelines carry as attributes if `is_written`.
    pub fn of<'b>(
        plan: &RegionPlan,
        binding_of: impl Fn(usize, PlannedItem) -> Option<&'b Binding>,
        is_written: bool,
    ) -> Self {
        let mut storage = Storage::default();
        let mut bind = |key: ChannelKey| {
            let Some(binding) = binding_of(key.frame, key.item) else {
                return;
            };
            storage.depths.insert(key, binding.depth);
            if let Place::Barrier { number } = binding.place {
                storage.barriers.insert(key, number);
            }
            if is_written {
                storage.bindings.insert(key, binding.clone());
            }
        };
        for (frame, data) in plan.frames.iter().enumerate() {
            for number in 0..data.pipes.len() {
                bind(ChannelKey::pipe(frame, number));
            }
            for number in 0..data.mutexes.len() {
                bind(ChannelKey::mutex(frame, number));
            }
        }
        storage
    }

    /// Bytes of the rings of a region.
    pub(super) fn ring_bytes(&self, plan: &RegionPlan) -> u64 {
        let mut total = 0u64;
        for (frame, data) in plan.frames.iter().enumerate() {
            for (number, pipe) in data.pipes.iter().enumerate() {
                let key = ChannelKey::pipe(frame, number);
                let depth = self.depths.get(&key).copied().unwrap_or(pipe.depth);
                let bytes = pipe.slot_bytes.saturating_mul(u64::from(depth));
                total = total.saturating_add(bytes);
            }
        }
        total
    }
}

/// The function around a region, which values inside cannot leave.
pub fn function_around(context: &Context, plan: &RegionPlan) -> Operation {
    let first = plan.partition.frames[0].items[0];
    let isolated =
        |op: &Operation| op.has_trait(context, orison_ir::declare::Trait::IsolatedFromAbove);
    first.ancestors(context).find(isolated).unwrap_or(first)
}
