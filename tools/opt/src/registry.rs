//! What orison-opt knows: the dialects and passes of all crates.

use orison_ir::Context;

/// Registers every dialect.
pub fn register_all_dialects(context: &mut Context) {
    let _ = context;
}
