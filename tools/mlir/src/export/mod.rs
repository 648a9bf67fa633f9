//! From orison to MLIR, through the C interface.

mod attributes;
mod locations;
mod operations;
mod types;

use mlir_sys::{
    MlirBlock, MlirContext, MlirIdentifier, MlirOperation, MlirStringRef, MlirValue,
    mlirIdentifierGet, mlirOperationDestroy,
};
use orison_ir::{Block, Context, Identifier, Operation, OperationName, Value};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::forms::Forms;
use crate::raw;

/// What MLIR knows about an operation name.
#[derive(Clone, Copy)]
struct Known {
    name: MlirStringRef,
    /// Whether MLIR sorts attributes into inherent and others itself.
    sorts: bool,
}

/// Exports one operation with everything in it.
pub(crate) struct Exporter<'a> {
    context: &'a Context,
    forms: &'a mut Forms,
    mlir: MlirContext,
    /// The values that are there, by [`Value::index`].
    values: Vec<MlirValue>,
    blocks: FxHashMap<Block, MlirBlock>,
    /// Stand-ins for values that are used before they are defined.
    awaited: FxHashMap<Value, MlirOperation>,
    names: FxHashMap<OperationName, Known>,
    identifiers: FxHashMap<Identifier, MlirIdentifier>,
    buffers: operations::Buffers,
}

/// The operation in MLIR, detached; whoever called owns it.
///
/// # Errors
/// When MLIR refuses an operation, a type or an attribute.
///
/// # Safety
/// The MLIR context is valid, and is the one that the forms are of.
pub(crate) unsafe fn export(
    context: &Context,
    forms: &mut Forms,
    mlir: MlirContext,
    operation: Operation,
) -> Result<MlirOperation, Error> {
    let nothing = MlirValue {
        ptr: std::ptr::null(),
    };
    let mut exporter = Exporter::new(context, forms, mlir);
    exporter.values = vec![nothing; context.value_capacity()];
    // SAFETY: as the caller says.
    let exported = unsafe { exporter.operation(operation) };
    let complete = exporter.awaited.is_empty();
    let exported = exported.and_then(|exported| {
        if complete {
            return Ok(exported);
        }
        // SAFETY: nobody else has the operation.
        unsafe { mlirOperationDestroy(exported) };
        let message = "the operation uses values defined outside of it";
        Err(Error::Export(message.to_owned()))
    });
    for stand_in in exporter.awaited.into_values() {
        // SAFETY: what used it went before, as the export did not succeed.
        unsafe { mlirOperationDestroy(stand_in) };
    }
    exported
}

impl<'a> Exporter<'a> {
    /// An exporter that has seen nothing.
    pub(crate) fn new(context: &'a Context, forms: &'a mut Forms, mlir: MlirContext) -> Self {
        Exporter {
            context,
            forms,
            mlir,
            values: Vec::new(),
            blocks: FxHashMap::default(),
            awaited: FxHashMap::default(),
            names: FxHashMap::default(),
            identifiers: FxHashMap::default(),
            buffers: operations::Buffers::default(),
        }
    }

    /// A name that is interned in MLIR.
    fn identifier(&mut self, identifier: Identifier) -> MlirIdentifier {
        let (mlir, context) = (self.mlir, self.context);
        *self.identifiers.entry(identifier).or_insert_with(|| {
            // SAFETY: the context is valid, and the text is alive during the call.
            unsafe { mlirIdentifierGet(mlir, raw::text(identifier.text(context))) }
        })
    }
}
