//! The lattice of values and the reached blocks.

use orison_ir::{Attribute, Block, Context, OperationName, Value};

/// The lattice state of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Knowledge {
    /// No definition has been reached yet.
    #[default]
    Nothing,
    /// A constant, computed by an operation of this name.
    Constant(Attribute, OperationName),
    /// Not a constant.
    Varies,
}

impl Knowledge {
    /// The join of both states.
    pub(super) fn join(self, other: Knowledge) -> Knowledge {
        match (self, other) {
            (Knowledge::Nothing, known) | (known, Knowledge::Nothing) => known,
            (Knowledge::Constant(a, _), Knowledge::Constant(b, _)) if a == b => self,
            _ => Knowledge::Varies,
        }
    }

    /// The constant, if it is known.
    pub(super) fn constant(self) -> Option<Attribute> {
        match self {
            Knowledge::Constant(attribute, _) => Some(attribute),
            Knowledge::Nothing | Knowledge::Varies => None,
        }
    }
}

/// The state of all values and blocks.
#[derive(Debug)]
pub(super) struct Facts {
    values: Vec<Knowledge>,
    reached: Vec<bool>,
}

impl Facts {
    /// The initial state.
    pub(super) fn new(context: &Context) -> Self {
        Facts {
            values: vec![Knowledge::Nothing; context.value_capacity()],
            reached: vec![false; context.block_capacity()],
        }
    }

    /// The state of a value.
    pub(super) fn of(&self, value: Value) -> Knowledge {
        self.values[value.index()]
    }

    /// Whether control can reach a block.
    pub(super) fn is_reached(&self, block: Block) -> bool {
        self.reached[block.index()]
    }

    /// Joins a state into that of a value. Returns true if that changed it.
    pub(super) fn join(&mut self, value: Value, knowledge: Knowledge) -> bool {
        let known = &mut self.values[value.index()];
        let joined = known.join(knowledge);
        let changed = *known != joined;
        *known = joined;
        changed
    }

    /// Marks a block as reachable. Returns true if that is new.
    pub(super) fn reach(&mut self, block: Block) -> bool {
        !std::mem::replace(&mut self.reached[block.index()], true)
    }
}
