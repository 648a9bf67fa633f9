//! What the tests share.
#![allow(dead_code, reason = "no test needs all of it")]

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::ir::operation::{OperationLike, OperationPrintingFlags};
use melior::utility::register_all_dialects;

/// An MLIR context with everything that MLIR has, and room for what it has not.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new_with_threading(false);
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context.set_allow_unregistered_dialects(true);
    context
}

/// A module as MLIR prints it: generic, with locations.
pub fn printed(module: &Module<'_>) -> String {
    let flags = OperationPrintingFlags::new()
        .print_generic_operation_form()
        .enable_debug_info(true, false);
    module
        .as_operation()
        .to_string_with_flags(flags)
        .expect("MLIR prints what it holds")
}

/// A context of orison with everything that it has, and room for what it has not.
pub fn own_context() -> orison_ir::Context {
    let mut context = orison_ir::Context::new();
    orison_opt::registry::register_all_dialects(&mut context);
    context.allow_unregistered_dialects(true);
    context
}

/// The module of a text; none when orison rejects it.
pub fn own_module(context: &mut orison_ir::Context, text: &str) -> Option<orison_ir::Operation> {
    let source = orison_ir::Source {
        name: "test.mlir",
        text,
        first_line: 1,
    };
    orison_ir::parse_source(context, source).ok()
}

/// A module as orison prints it, in the form that MLIR reads whatever the dialect: generic, with
/// locations.
pub fn generic(context: &orison_ir::Context, module: orison_ir::Operation) -> String {
    let flags = orison_ir::PrintFlags {
        debug_info: true,
        ..orison_ir::PrintFlags::generic()
    };
    orison_ir::print_to_string(context, module, &flags)
}
