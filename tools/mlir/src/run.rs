//! Passes of orison on live operations of MLIR.

use std::ffi::CString;

use melior::ir::Module;
use melior::ir::operation::OperationRefMut;
use mlir_sys::*;
use orison_ir::declare::{DialectDefinition, irdl_file};
use orison_ir::pass::{ManagerOptions, PassManager, PassRegistry, Pipeline};
use orison_ir::{Context, Diagnostic, Operation, Severity};
use orison_opt::registry;

use crate::error::{Error, Message};
use crate::export::{Exporter, export};
use crate::forms::Forms;
use crate::import::import;
use crate::raw;

/// Runs a pipeline of orison, such as `builtin.module(tileas-generate-schedule)`, on a module.
///
/// Operations, types and attributes that orison does not know pass through. Returns warnings and
/// remarks, for which MLIR's C interface has no way in.
///
/// # Errors
/// When the pipeline is wrong, or a pass fails; then the module is as it was, and the errors went to
/// the diagnostic handlers of the MLIR context, at the locations of the module.
///
/// ```no_run
/// # fn f(module: &mut melior::ir::Module<'_>) -> Result<(), orison_mlir::Error> {
/// orison_mlir::run_pipeline(module, "builtin.module(tileas-generate-schedule)")?;
/// # Ok(())
/// # }
/// ```
pub fn run_pipeline(module: &mut Module<'_>, pipeline: &str) -> Result<Vec<Message>, Error> {
    run_pipeline_on(module.as_operation_mut(), pipeline)
}

/// The same on any operation that is isolated from above, such as a function.
///
/// # Errors
/// As [`run_pipeline`].
pub fn run_pipeline_on(
    operation: OperationRefMut<'_, '_>,
    pipeline: &str,
) -> Result<Vec<Message>, Error> {
    let pipeline = parse(pipeline)?;
    // SAFETY: a reference of melior is to a valid operation, and nobody else has it.
    unsafe { run_on(operation.to_raw(), &pipeline) }
}

/// Hands a module to orison and takes it back, without passes: what comes back is the same.
///
/// # Errors
/// When there is something in the module that cannot go over.
pub fn round_trip(module: &mut Module<'_>) -> Result<(), Error> {
    // SAFETY: a module of melior is valid, and nobody else has it.
    unsafe {
        let operation = module.as_operation().to_raw();
        let mut bridge = Bridge::of(operation)?;
        bridge.put_back(operation)
    }
}

/// Makes an MLIR context know the dialects of orison, from their IRDL. Operations, types and
/// attributes are then verified as far as IRDL goes; blocks that end with an operation of these
/// dialects are rejected, because IRDL of MLIR 22 has no traits.
///
/// # Errors
/// When there is no such dialect, or MLIR does not take the IRDL.
pub fn load_dialects(context: &melior::Context, names: &[&str]) -> Result<(), Error> {
    let dialects = own_dialects(names)?;
    context.get_or_load_dialect("irdl");
    let module = Module::parse(context, &irdl_file(&dialects))
        .ok_or_else(|| Error::Export("MLIR failed to parse the IRDL".to_owned()))?;
    // SAFETY: the module is alive and ours.
    unsafe { restore_dots(&module, &dialects) };
    match melior::utility::load_irdl_dialects(&module) {
        true => Ok(()),
        false => Err(Error::Export("MLIR failed to load the IRDL".to_owned())),
    }
}

/// The declarations of dialects that are orison's own.
pub(crate) fn own_dialects(names: &[&str]) -> Result<Vec<&'static DialectDefinition>, Error> {
    let mut context = Context::new();
    registry::register_all_dialects(&mut context);
    let own = |name: &&str| {
        let known = context.dialect(name).filter(|dialect| !dialect.upstream);
        known.ok_or_else(|| Error::Export(format!("orison does not define dialect '{name}'")))
    };
    names.iter().map(own).collect()
}

/// Gives operations their names with dots, which the text of IRDL has not.
///
/// # Safety
/// The module is alive, and nobody else has it.
unsafe fn restore_dots(module: &Module<'_>, dialects: &[&DialectDefinition]) {
    let name_key = raw::text("sym_name");
    // SAFETY: blocks and operations are followed to the null at the end; texts are alive during the
    // calls.
    unsafe {
        let mlir = mlirModuleGetContext(module.to_raw());
        let mut dialect = mlirBlockGetFirstOperation(mlirModuleGetBody(module.to_raw()));
        for definition in dialects {
            let mut names = definition.operations.iter().map(|operation| operation.name);
            let body = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(dialect));
            let mut member = mlirBlockGetFirstOperation(body);
            while !member.ptr.is_null() {
                let kind = raw::bytes_of(mlirIdentifierStr(mlirOperationGetName(member)));
                if kind == b"irdl.operation"
                    && let Some((_, local)) = names.next().and_then(|name| name.split_once('.'))
                {
                    let dotted = mlirStringAttrGet(mlir, raw::text(local));
                    mlirOperationSetInherentAttributeByName(member, name_key, dotted);
                }
                member = mlirOperationGetNextInBlock(member);
            }
            dialect = mlirOperationGetNextInBlock(dialect);
        }
    }
}

/// Reads a pipeline of orison.
pub(crate) fn parse(pipeline: &str) -> Result<Pipeline, Error> {
    let mut passes = PassRegistry::default();
    registry::register_all_passes(&mut passes);
    Ok(passes.parse_pipeline(pipeline)?)
}

/// Runs a pipeline on a live operation.
///
/// # Safety
/// The operation is valid and isolated from above, and nobody else looks at it meanwhile.
pub(crate) unsafe fn run_on(
    operation: MlirOperation,
    pipeline: &Pipeline,
) -> Result<Vec<Message>, Error> {
    // SAFETY: as the caller says.
    unsafe {
        let mut bridge = Bridge::of(operation)?;
        let messages = bridge.run(pipeline)?;
        bridge.put_back(operation)?;
        Ok(messages)
    }
}

/// An operation of MLIR in orison.
struct Bridge {
    context: Context,
    forms: Forms,
    mlir: MlirContext,
    operation: Operation,
}

impl Bridge {
    /// Imports an operation.
    ///
    /// # Safety
    /// It is valid, and nobody changes it meanwhile.
    unsafe fn of(operation: MlirOperation) -> Result<Bridge, Error> {
        let mut context = Context::new();
        registry::register_all_dialects(&mut context);
        context.allow_unregistered_dialects(true);
        let mut forms = Forms::default();
        // SAFETY: as the caller says.
        let imported = unsafe { import(&mut context, &mut forms, operation) }?;
        Ok(Bridge {
            context,
            forms,
            // SAFETY: the operation is valid.
            mlir: unsafe { mlirOperationGetContext(operation) },
            operation: imported,
        })
    }

    /// Runs a pipeline; errors go to the handlers of MLIR too.
    ///
    /// # Safety
    /// The MLIR context is alive.
    unsafe fn run(&mut self, pipeline: &Pipeline) -> Result<Vec<Message>, Error> {
        let verified = self.context.verify(self.operation).is_ok();
        let mut manager = PassManager::new(ManagerOptions::default());
        let done = verified
            && manager
                .run(
                    &mut self.context,
                    pipeline,
                    self.operation,
                    &mut String::new(),
                )
                .is_ok();
        let diagnostics = self.context.diagnostics.take();
        let messages: Vec<_> = diagnostics
            .iter()
            .map(|diagnostic| Message::of(&self.context, diagnostic))
            .collect();
        if done {
            return Ok(messages);
        }
        for (diagnostic, message) in diagnostics.iter().zip(&messages) {
            if message.severity == Severity::Error {
                // SAFETY: as the caller says.
                unsafe { self.emit(diagnostic, message) };
            }
        }
        Err(Error::Passes(messages))
    }

    /// Hands an error to the handlers of MLIR.
    unsafe fn emit(&mut self, diagnostic: &Diagnostic, message: &Message) {
        let mut exporter = Exporter::new(&self.context, &mut self.forms, self.mlir);
        let location = exporter.location(diagnostic.location);
        // SAFETY: the context is alive.
        let location = location.unwrap_or_else(|_| unsafe { mlirLocationUnknownGet(self.mlir) });
        let text = message.with_notes().replace('\0', "\\0");
        if let Ok(text) = CString::new(text) {
            // SAFETY: the location is valid, and the text ends with a zero.
            unsafe { mlirEmitError(location, text.as_ptr()) };
        }
    }

    /// Puts what the operation has become in the place of what it was: its regions, attributes and
    /// location. It stays the same object, so that whoever holds it still does.
    ///
    /// # Safety
    /// It is the operation that was imported, and nobody else looks at it meanwhile.
    unsafe fn put_back(&mut self, operation: MlirOperation) -> Result<(), Error> {
        let (context, forms) = (&self.context, &mut self.forms);
        // SAFETY: as the caller says; the new operation is ours until it is destroyed here.
        unsafe {
            let new = export(context, forms, self.mlir, self.operation)?;
            for number in 0..mlirOperationGetNumRegions(operation) {
                let target = mlirOperationGetRegion(operation, number);
                mlirRegionTakeBody(target, mlirOperationGetRegion(new, number));
            }
            replace_attributes(operation, new);
            mlirOperationSetLocation(operation, mlirOperationGetLocation(new));
            mlirOperationDestroy(new);
        }
        Ok(())
    }
}

/// Gives an operation the attributes of another one of the same name.
///
/// # Safety
/// Both are valid.
unsafe fn replace_attributes(operation: MlirOperation, new: MlirOperation) {
    // SAFETY: both are valid, the numbers are below the counts, and names live as long as the
    // context.
    unsafe {
        let mut old = Vec::new();
        for number in 0..mlirOperationGetNumAttributes(operation) {
            old.push(mlirOperationGetAttribute(operation, number).name);
        }
        let mut kept = Vec::new();
        for number in 0..mlirOperationGetNumAttributes(new) {
            let entry = mlirOperationGetAttribute(new, number);
            mlirOperationSetAttributeByName(
                operation,
                mlirIdentifierStr(entry.name),
                entry.attribute,
            );
            kept.push(entry.name.ptr);
        }
        for name in old {
            if !kept.contains(&name.ptr) {
                let text = raw::bytes_of(mlirIdentifierStr(name));
                mlirOperationRemoveAttributeByName(operation, raw::bytes(text));
            }
        }
    }
}
