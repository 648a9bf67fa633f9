//! Passes on `ori`, one module a pass, named like the pass.

pub mod branch_opt;
pub mod copy_propagation;
mod functions;
pub mod global_value_numbering;
pub mod live_dead;
pub mod print_analysis;

pub use branch_opt::{BranchOpt, BranchOptOptions};
pub use copy_propagation::{CopyPropagation, CopyPropagationOptions};
pub use global_value_numbering::{GlobalValueNumbering, GlobalValueNumberingOptions};
pub use live_dead::{LiveDead, LiveDeadOptions};
pub use print_analysis::{PrintAnalysis, PrintAnalysisOptions};

use orison_ir::pass::PassRegistry;

/// Registers the passes on `ori`.
pub fn passes(registry: &mut PassRegistry) {
    registry.register::<BranchOpt>();
    registry.register::<CopyPropagation>();
    registry.register::<GlobalValueNumbering>();
    registry.register::<LiveDead>();
    registry.register::<PrintAnalysis>();
}
