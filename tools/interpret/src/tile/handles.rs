//! Values of the tile dialects that are not tiles: views, tokens, pipelines, cursors.

use std::any::Any;

use orison_tileas::nv_tileas::types::Role;

use super::element::Element;
use super::memory::View;
use crate::{Datum, Payload};

/// Names an asynchronous operation in flight: the task that started it, and how many the task had
/// started before. So the name does not depend on other tasks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EffectName {
    /// The task.
    pub task: usize,
    /// Its index among those of the task.
    pub number: u64,
}

/// A stage of a pipeline that one side holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ownership {
    /// Index of the pipeline.
    pub pipeline: usize,
    /// How many stages the cursor had passed: the slot is `step mod depth`, in round `step div
    /// depth`.
    pub step: u64,
    /// The side that holds it.
    pub role: Role,
    /// Index of the consumer, on the consumers' side.
    pub consumer: u32,
}

/// A value of the tile dialects that is not a tile.
#[derive(Clone, PartialEq, Hash, Debug)]
pub enum Handle {
    /// Memory order. Synchronous operations are done once they ran, so there is no state.
    Order,
    /// Completion of asynchronous operations.
    Done(Vec<EffectName>),
    /// The value that an asynchronous operation will produce.
    Future(EffectName),
    /// A pipeline, by index.
    Pipeline(usize),
    /// A cursor of a pipeline.
    Cursor {
        /// Index of the pipeline.
        pipeline: usize,
        /// Number of stages it has passed.
        step: u64,
        /// Number of stages it advances at once.
        stride: u64,
    },
    /// A stage that is held.
    Owned(Ownership),
    /// A token without a stage.
    NotOwned,
    /// Memory, as a whole.
    Memory(View),
    /// Memory, divided into tiles of these extents.
    Tiled {
        /// All of the memory.
        memory: View,
        /// Extents of a tile.
        tile: Vec<usize>,
    },
    /// A tile of a stage of a pipeline.
    Stage {
        /// Its view.
        view: View,
        /// The ownership that permits access.
        owner: Ownership,
    },
    /// A TMA descriptor.
    Descriptor {
        /// All of the memory.
        memory: View,
        /// Extents of a box.
        tile: Vec<usize>,
        /// The value of elements out of bounds.
        fill: Element,
    },
}

impl Payload for Handle {
    fn refines(&self, before: &dyn Payload) -> bool {
        let before: &dyn Any = before;
        before.downcast_ref::<Handle>() == Some(self)
    }
}

impl Handle {
    /// The handle of a datum, if it is one.
    pub fn of(datum: &Datum) -> Option<&Handle> {
        datum.as_payload()
    }

    /// The handle as a datum.
    pub fn datum(self) -> Datum {
        Datum::payload(self)
    }
}
