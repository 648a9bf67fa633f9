//! What names a channel between agents.

use super::super::solve::PlannedItem;

/// A channel between agents: a pipe or mutex of a frame, for one of the compute agents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ChannelKey {
    /// The compute agent, from 0, if several take iterations in turn.
    pub(super) group: usize,
    /// The frame in which the channel is used.
    pub(super) frame: usize,
    /// The pipe or mutex.
    pub(super) item: PlannedItem,
}

impl ChannelKey {
    /// The pipe of a frame, with the first compute agent.
    pub(super) fn pipe(frame: usize, number: usize) -> Self {
        ChannelKey {
            group: 0,
            frame,
            item: PlannedItem::Pipe(number),
        }
    }

    /// The mutex of a frame, with the first compute agent.
    pub(super) fn mutex(frame: usize, number: usize) -> Self {
        ChannelKey {
            group: 0,
            frame,
            item: PlannedItem::Mutex(number),
        }
    }

    /// The same channel with another compute agent.
    pub(super) fn with(self, group: usize) -> Self {
        ChannelKey { group, ..self }
    }
}
