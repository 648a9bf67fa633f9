//! What was found to be in order before.
//!
//! Most operations of a large module have the types and properties of others of their name. What
//! follows from these alone is checked once.

use smallvec::SmallVec;

use crate::declare::{OperationDefinition, Trait};
use crate::entities::Operation;
use crate::{Attribute, Context, Type};

/// How many operands and results together are compared.
const VALUES: usize = 8;

/// The numbers and types of operands and results of an operation without regions and successors.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Signature {
    operands: usize,
    types: SmallVec<[Type; VALUES]>,
}

/// What is known of the operations of one name.
#[derive(Debug)]
pub(super) struct Kind {
    /// There are traits about the place and the blocks of an operation.
    pub(super) placed: bool,
    /// There are traits beyond those about place and types.
    pub(super) special: bool,
    segments: bool,
    signature: Option<Signature>,
    properties: Option<Attribute>,
}

/// What is known by name.
#[derive(Debug, Default)]
pub(super) struct Known {
    kinds: Vec<Option<Kind>>,
}

impl Known {
    /// What is known of operations of this name.
    pub(super) fn of(
        &mut self,
        context: &Context,
        op: Operation,
        definition: &OperationDefinition,
    ) -> &mut Kind {
        let index = op.name(context).index();
        if self.kinds.len() <= index {
            self.kinds.resize_with(index + 1, || None);
        }
        self.kinds[index].get_or_insert_with(|| Kind {
            placed: definition.traits.iter().any(super::traits::is_about_place),
            special: definition.traits.iter().any(super::traits::is_special),
            segments: definition.has_trait(Trait::AttrSizedOperandSegments)
                || definition.has_trait(Trait::AttrSizedResultSegments),
            signature: None,
            properties: None,
        })
    }
}

impl Kind {
    /// Whether the numbers and types of operands and results are known to be in order.
    pub(super) fn knows_types(&self, context: &Context, op: Operation) -> bool {
        let Some(known) = &self.signature else {
            return false;
        };
        let operands = op.operands(context);
        let results = op.results(context);
        operands.len() == known.operands
            && operands.len() + results.len() == known.types.len()
            && op.is_plain(context)
            && operands
                .chain(results)
                .zip(&known.types)
                .all(|(value, ty)| value.ty(context) == *ty)
    }

    /// Whether the properties are known to be in order.
    pub(super) fn knows_properties(&self, context: &Context, op: Operation) -> bool {
        self.properties == Some(op.properties(context))
    }

    /// Notes that numbers, types and properties of an operation are in order.
    pub(super) fn note(&mut self, context: &Context, op: Operation) {
        self.properties = Some(op.properties(context));
        let (operands, results) = (op.operands(context), op.results(context));
        // Where properties say how the values are grouped, the types alone mean nothing.
        if self.segments || !op.is_plain(context) || operands.len() + results.len() > VALUES {
            return;
        }
        self.signature = Some(Signature {
            operands: operands.len(),
            types: operands
                .chain(results)
                .map(|value| value.ty(context))
                .collect(),
        });
    }
}
