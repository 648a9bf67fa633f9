//! A cache of checks that have already passed.
//!
//! Most operations of a large module have the same types and properties as others of the same name.
//! Checks that depend only on these are done once.

use smallvec::SmallVec;

use crate::declare::{OperationDefinition, Trait};
use crate::entities::Operation;
use crate::{Attribute, Block, Context, Identifier, Type};

/// The maximum number of operands and results that are compared.
const VALUES: usize = 8;

/// The counts and types of operands and results of an operation without regions and successors, and
/// how properties group them.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Signature {
    operands: usize,
    types: SmallVec<[Type; VALUES]>,
    segments: [Option<Attribute>; 2],
}

/// The cached checks for operations of one name.
#[derive(Debug)]
pub(super) struct Kind {
    /// Whether there are traits about the position and the blocks of an operation.
    pub(super) placed: bool,
    /// Whether there are traits other than those about position and types.
    pub(super) special: bool,
    /// The keys of the declared inherent attributes, in this order; `None` if no attribute of the
    /// context has it.
    pub(super) keys: SmallVec<[Option<Identifier>; 4]>,
    segments: bool,
    signature: Option<Signature>,
    properties: Option<Attribute>,
    /// A block in which operations of this name may be.
    block: Option<Block>,
}

/// The cached checks by operation name.
#[derive(Debug, Default)]
pub(super) struct Known {
    kinds: Vec<Option<Kind>>,
}

impl Known {
    /// The cached checks for operations of this name.
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
            keys: definition
                .attributes
                .iter()
                .map(|attribute| Identifier::find(context, attribute.name))
                .collect(),
            segments: definition.has_trait(Trait::AttrSizedOperandSegments)
                || definition.has_trait(Trait::AttrSizedResultSegments),
            signature: None,
            properties: None,
            block: None,
        })
    }
}

impl Kind {
    /// Whether the counts and types of operands and results are known to be valid.
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
            && self.segments(context, op) == known.segments
    }

    /// The recorded sizes of operand and result groups.
    fn segments(&self, context: &Context, op: Operation) -> [Option<Attribute>; 2] {
        let keys = [Identifier::OPERAND_SEGMENTS, Identifier::RESULT_SEGMENTS];
        match self.segments {
            true => keys.map(|key| op.properties(context).entry(context, key)),
            false => [None; 2],
        }
    }

    /// Whether the properties are known to be valid.
    pub(super) fn knows_properties(&self, context: &Context, op: Operation) -> bool {
        self.properties == Some(op.properties(context))
    }

    /// Whether operations of this name are known to be valid in the block of an operation.
    pub(super) fn knows_parent(&self, context: &Context, op: Operation) -> bool {
        self.block.is_some() && self.block == op.block(context)
    }

    /// Records that the parent of an operation is valid.
    pub(super) fn note_parent(&mut self, context: &Context, op: Operation) {
        self.block = op.block(context);
    }

    /// Records that the properties of an operation are valid.
    pub(super) fn note_properties(&mut self, context: &Context, op: Operation) {
        self.properties = Some(op.properties(context));
    }

    /// Records that the counts and types of the operands and results of an operation are valid.
    pub(super) fn note_types(&mut self, context: &Context, op: Operation) {
        let (operands, results) = (op.operands(context), op.results(context));
        if !op.is_plain(context) || operands.len() + results.len() > VALUES {
            return;
        }
        self.signature = Some(Signature {
            operands: operands.len(),
            types: operands
                .chain(results)
                .map(|value| value.ty(context))
                .collect(),
            segments: self.segments(context, op),
        });
    }
}
