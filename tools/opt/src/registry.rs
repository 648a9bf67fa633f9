//! The registered dialects and passes of all crates.

use orison_ir::Context;
use orison_ir::pass::PassRegistry;

/// Registers every dialect.
pub fn register_all_dialects(context: &mut Context) {
    orison_host::register(context);
    orison_tileas::register(context);
    orison_ori::register(context);
    orison_sass::register(context);
}

/// Registers every pass.
pub fn register_all_passes(registry: &mut PassRegistry) {
    orison_rewrites::passes(registry);
    orison_schedule::passes(registry);
}
