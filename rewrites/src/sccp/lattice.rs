//! What is known about values and blocks.

use orison_ir::{Attribute, Block, Context, OperationName, Value};

/// What a value is known to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Knowledge {
    /// Nothing has defined it yet.
    #[default]
    Nothing,
    /// It always is this constant, which an operation of this name computed.
    Constant(Attribute, OperationName),
    /// It may be several things.
    Varies,
}

impl Knowledge {
    /// What a value is known to be that may be either.
    pub(super) fn join(self, other: Knowledge) -> Knowledge {
        match (self, other) {
            (Knowledge::Nothing, known) | (known, Knowledge::Nothing) => known,
            (Knowledge::Constant(a, _), Knowledge::Constant(b, _)) if a == b => self,
            _ => Knowledge::Varies,
        }
    }

    /// The constant, if it is one.
    pub(super) fn constant(self) -> Option<Attribute> {
        match self {
            Knowledge::Constant(attribute, _) => Some(attribute),
            Knowledge::Nothing | Knowledge::Varies => None,
        }
    }
}

/// What is known about all values and blocks.
#[derive(Debug)]
pub(super) struct Facts {
    values: Vec<Knowledge>,
    reached: Vec<bool>,
}

impl Facts {
    /// Nothing is known.
    pub(super) fn new(context: &Context) -> Self {
        Facts {
            values: vec![Knowledge::Nothing; context.value_capacity()],
            reached: vec![false; context.block_capacity()],
        }
    }

    /// What a value is known to be.
    pub(super) fn of(&self, value: Value) -> Knowledge {
        self.values[value.index()]
    }

    /// Whether control can reach a block.
    pub(super) fn is_reached(&self, block: Block) -> bool {
        self.reached[block.index()]
    }

    /// A value may be this, too. True when that is new.
    pub(super) fn join(&mut self, value: Value, knowledge: Knowledge) -> bool {
        let known = &mut self.values[value.index()];
        let joined = known.join(knowledge);
        let changed = *known != joined;
        *known = joined;
        changed
    }

    /// Control can reach a block. True when that is new.
    pub(super) fn reach(&mut self, block: Block) -> bool {
        !std::mem::replace(&mut self.reached[block.index()], true)
    }
}
