//! Support for generated builders.

use smallvec::SmallVec;

use super::{OPERAND_SEGMENTS, OperationDefinition, RESULT_SEGMENTS, Trait};
use crate::{
    Attribute, Block, Context, Identifier, Location, OperationName, OperationState, Region, Type,
    Value,
};

/// Collects the parts of a declared operation, group by group in declaration order, and the segment
/// sizes if the operation records them.
#[derive(Debug)]
pub struct BuildParts {
    definition: &'static OperationDefinition,
    state: OperationState,
    operand_sizes: SmallVec<[i32; 8]>,
    result_sizes: SmallVec<[i32; 4]>,
    properties: Vec<(Identifier, Attribute)>,
}

impl BuildParts {
    /// Starts an operation.
    pub fn new(
        context: &mut Context,
        definition: &'static OperationDefinition,
        location: Location,
    ) -> Self {
        let name = OperationName::new(context, definition.name);
        BuildParts {
            definition,
            state: OperationState::new(name, location),
            operand_sizes: SmallVec::new(),
            result_sizes: SmallVec::new(),
            properties: Vec::new(),
        }
    }

    /// Appends the values of the next operand group.
    pub fn operand_group(&mut self, values: &[Value]) {
        self.state.operands.extend_from_slice(values);
        self.operand_sizes
            .push(i32::try_from(values.len()).unwrap_or(i32::MAX));
    }

    /// Appends the types of the next result group.
    pub fn result_group(&mut self, types: &[Type]) {
        self.state.result_types.extend_from_slice(types);
        self.result_sizes
            .push(i32::try_from(types.len()).unwrap_or(i32::MAX));
    }

    /// Appends the blocks of the next group of successors.
    pub fn successor_group(&mut self, blocks: &[Block]) {
        self.state.successors.extend_from_slice(blocks);
    }

    /// Sets an inherent attribute.
    pub fn attribute(&mut self, context: &mut Context, key: &str, value: Attribute) {
        self.properties.push((Identifier::new(context, key), value));
    }

    /// The state to create the operation from, with an empty region for each declared region.
    pub fn finish(mut self, context: &mut Context) -> OperationState {
        if self.definition.has_trait(Trait::AttrSizedOperandSegments) {
            let sizes = Attribute::i32_array(context, &self.operand_sizes);
            self.attribute(context, OPERAND_SEGMENTS, sizes);
        }
        if self.definition.has_trait(Trait::AttrSizedResultSegments) {
            let sizes = Attribute::i32_array(context, &self.result_sizes);
            self.attribute(context, RESULT_SEGMENTS, sizes);
        }
        self.state.properties = Attribute::dictionary(context, &self.properties);
        let regions = self
            .definition
            .regions
            .iter()
            .filter(|region| !region.variadic);
        self.state.regions = regions.map(|_| Region::new(context)).collect();
        self.state
    }
}
