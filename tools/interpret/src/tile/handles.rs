//! Values of the tile dialects that are not tiles: views, tokens, pipelines, cursors.

use std::any::Any;

use orison_tileas::nv_tileas::types::Role;

use super::element::Element;
use super::memory::View;
use crate::{Datum, Payload};

/// Names an asynchronous operation under way: the task that started it, and how many it had
/// started before. So the name does not depend on what other tasks do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EffectName {
    /// The task.
    pub task: usize,
    /// Its number among those of the task.
    pub number: u64,
}

/// A stage of a pipeline that one side holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ownership {
    /// Number of the pipeline.
    pub pipeline: usize,
    /// How many stages the cursor had passed: the stage is `step mod depth`, in its round
    /// `step div depth`.
    pub step: u64,
    /// Which side holds it.
    pub role: Role,
    /// Which consumer, on the consumers' side.
    pub consumer: u32,
}

/// A value of the tile dialects that is not a tile.
#[derive(Clone, PartialEq, Hash, Debug)]
pub enum Handle {
    /// Memory order. Synchronous operations are done when they ran, so there is nothing to know.
    Order,
    /// Completion of asynchronous operations.
    Done(Vec<EffectName>),
    /// The value that an asynchronous operation will have made.
    Future(EffectName),
    /// A pipeline, by number.
    Pipeline(usize),
    /// A cursor of a pipeline.
    Cursor {
        /// Number of the pipeline.
        pipeline: usize,
        /// How many stages it has passed.
        step: u64,
        /// Stages it passes at once.
        stride: u64,
    },
    /// A stage that is held.
    Owned(Ownership),
    /// A token of no stage.
    NotOwned,
    /// Memory, seen as a whole.
    Memory(View),
    /// Memory, seen in tiles of these extents.
    Tiled {
        /// All of the memory.
        memory: View,
        /// Extents of a tile.
        tile: Vec<usize>,
    },
    /// A tile of a stage of a pipeline.
    Stage {
        /// Where it lies.
        view: View,
        /// Who may touch it.
        owner: Ownership,
    },
    /// A TMA descriptor.
    Descriptor {
        /// All of the memory.
        memory: View,
        /// Extents of a box.
        tile: Vec<usize>,
        /// What elements outside the memory are.
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
    /// The handle of a datum, if it has one.
    pub fn of(datum: &Datum) -> Option<&Handle> {
        datum.as_payload()
    }

    /// The datum.
    pub fn datum(self) -> Datum {
        Datum::payload(self)
    }
}
