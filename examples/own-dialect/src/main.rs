//! `poly-opt`: orison-opt with the dialect `poly` and its pass.

use std::process::ExitCode;

use orison_ir::Context;
use orison_ir::pass::PassRegistry;
use orison_opt::{Tool, main_with, registry};

fn dialects(context: &mut Context) {
    registry::register_all_dialects(context);
    own_dialect::register(context);
}

fn passes(passes: &mut PassRegistry) {
    registry::register_all_passes(passes);
    own_dialect::passes(passes);
}

fn main() -> ExitCode {
    main_with(Tool {
        name: "poly-opt",
        dialects,
        passes,
    })
}
