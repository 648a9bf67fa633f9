//! Converted signatures of blocks.

use orison_ir::Type;

/// The conversion of the arguments of a block: for each, the types of its replacements.
#[derive(Clone, Debug, Default)]
pub struct SignatureConversion {
    types: Vec<Vec<Type>>,
}

impl SignatureConversion {
    /// Converts the next argument to arguments of these types.
    pub fn add(&mut self, types: Vec<Type>) {
        self.types.push(types);
    }

    /// The converted types of each original argument.
    pub fn types(&self) -> &[Vec<Type>] {
        &self.types
    }
}
