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
