//! From MLIR to orison: a walk through the C interface.

mod attributes;
mod locations;
mod operations;
mod types;

use mlir_sys::{
    MlirContext, MlirIdentifier, MlirOperation, MlirStringRef, mlirIdentifierStr,
    mlirOperationGetContext,
};
use orison_ir::parser::{ParseResult, Parser};
use orison_ir::{Block, Context, Identifier, Operation, Source, Value};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::forms::{Address, Forms};
use crate::{is_dynamic, raw};

/// How deep regions may nest: as deep as in text.
const MAX_DEPTH: usize = 256;

/// Imports one operation with everything in it.
pub(crate) struct Importer<'a> {
    context: &'a mut Context,
    forms: &'a mut Forms,
    mlir: MlirContext,
    values: FxHashMap<Address, Value>,
    blocks: FxHashMap<Address, Block>,
    /// Stand-ins for values that are used before they are defined.
    awaited: FxHashMap<Address, Operation>,
    depth: usize,
}

/// The operation in orison.
///
/// # Errors
/// When it nests too deeply, uses values from outside, or has a name, type or attribute that cannot
/// be read.
///
/// # Safety
/// The operation is valid, and nobody changes it meanwhile.
pub(crate) unsafe fn import(
    context: &mut Context,
    forms: &mut Forms,
    operation: MlirOperation,
) -> Result<Operation, Error> {
    let mut importer = Importer {
        context,
        forms,
        // SAFETY: the operation is valid.
        mlir: unsafe { mlirOperationGetContext(operation) },
        values: FxHashMap::default(),
        blocks: FxHashMap::default(),
        awaited: FxHashMap::default(),
        depth: 0,
    };
    // SAFETY: as the caller says.
    let imported = unsafe { importer.operation(operation) }?;
    if !importer.awaited.is_empty() {
        return Err(Error::Import(
            "the operation uses values defined outside of it".to_owned(),
        ));
    }
    Ok(imported)
}

impl Importer<'_> {
    /// The identifier of a name that is interned in MLIR.
    ///
    /// # Safety
    /// The identifier is valid.
    unsafe fn identifier(&mut self, identifier: MlirIdentifier) -> Result<Identifier, Error> {
        if let Some(known) = self.forms.identifiers.get(&(identifier.ptr as Address)) {
            return Ok(*known);
        }
        // SAFETY: as the caller says.
        let text = unsafe { self.text(mlirIdentifierStr(identifier)) }?;
        let new = Identifier::new(self.context, &text);
        self.forms
            .identifiers
            .insert(identifier.ptr as Address, new);
        Ok(new)
    }

    /// A string of MLIR.
    ///
    /// # Safety
    /// It is alive.
    unsafe fn text(&self, string: MlirStringRef) -> Result<String, Error> {
        // SAFETY: as the caller says.
        let bytes = unsafe { raw::bytes_of(string) };
        String::from_utf8(bytes.to_vec()).map_err(|_| {
            let shown = String::from_utf8_lossy(bytes);
            Error::Import(format!("'{shown}' is not UTF-8"))
        })
    }

    /// Reads the text of a type or attribute that has no form in the C interface. In a dialect that
    /// MLIR knows from IRDL, parameters are plain attributes.
    fn read<T>(
        &mut self,
        text: Vec<u8>,
        parse: impl FnOnce(&mut Parser<'_>) -> ParseResult<T>,
    ) -> Result<T, Error> {
        let text = String::from_utf8(text)
            .map_err(|error| Error::Import(format!("{error} in a type or attribute")))?;
        let plain = is_dynamic(self.context, self.mlir, &text);
        self.context.read_irdl_form(plain);
        let source = Source {
            name: "<MLIR>",
            text: &text,
            first_line: 1,
        };
        let read = Parser::new(self.context, source).and_then(|mut parser| parse(&mut parser));
        self.context.read_irdl_form(false);
        read.map_err(|_| {
            let messages = self.context.diagnostics.take();
            let reason = messages.first().map_or("", |first| first.message.as_str());
            Error::Import(format!("'{text}': {reason}"))
        })
    }
}
