//! Inherent attributes of operations.

use smallvec::SmallVec;

use super::{OPERAND_SEGMENTS, OperationDefinition, RESULT_SEGMENTS, Trait};
use crate::{Attribute, Context, Identifier, OperationState};

impl OperationDefinition {
    /// Whether this is the key of operand or result segment sizes.
    pub(crate) fn is_segment_key(&self, key: &str) -> bool {
        key == OPERAND_SEGMENTS && self.has_trait(Trait::AttrSizedOperandSegments)
            || key == RESULT_SEGMENTS && self.has_trait(Trait::AttrSizedResultSegments)
    }

    /// The properties, with the defaults of absent attributes.
    pub(crate) fn with_defaults(&self, context: &mut Context, properties: Attribute) -> Attribute {
        let mut all = properties;
        for attribute in self.attributes {
            if let Some(default) = attribute.default
                && all.get(context, attribute.name).is_none()
            {
                let value = default(context);
                all = all.with(context, attribute.name, value);
            }
        }
        all
    }
}

impl OperationState {
    /// Adds attributes as inherent or as discardable ones, and fills in defaults.
    ///
    /// # Errors
    /// If an inherent attribute is already present; the message names it.
    pub(crate) fn sort_attributes(
        &mut self,
        context: &mut Context,
        definition: &OperationDefinition,
        attributes: &[(Identifier, Attribute)],
    ) -> Result<(), String> {
        let mut discardable: SmallVec<[_; 4]> = SmallVec::new();
        for &(key, value) in attributes {
            let text = key.text(context);
            if definition.attribute(text).is_none() && !definition.is_segment_key(text) {
                discardable.push((key, value));
            } else if self.properties.entry(context, key).is_some() {
                let message = "found duplicate attribute";
                return Err(format!("{message} '{text}': inherent and discardable"));
            } else {
                self.properties = self.properties.with_entry(context, key, value);
            }
        }
        self.properties = definition.with_defaults(context, self.properties);
        self.attributes = Attribute::dictionary(context, &discardable);
        Ok(())
    }
}
