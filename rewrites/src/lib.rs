//! Rewrites of orison: the greedy pattern driver, canonicalization, CSE.
//!
//! One pass per file, named like the pass. `README.md` describes how to write rules.

pub mod blocks;
pub mod canonicalize;
pub mod conversion;
pub mod convert_ori_to_sass;
pub mod convert_scf_to_cf;
pub mod cse;
pub mod effects;
pub mod equivalence;
pub mod folding;
pub mod greedy;
pub mod loop_invariant_code_motion;
pub mod ori;
pub mod ori_to_sass;
pub mod regions;
pub mod sccp;
pub mod strip_debuginfo;
pub mod symbol_dce;
pub mod test_single_fold;
mod tracing;
mod worklist;

pub use canonicalize::{Canonicalize, CanonicalizeOptions};
pub use convert_ori_to_sass::ConvertOriToSass;
pub use cse::Cse;
pub use greedy::{GreedyOptions, GreedyOutcome, Strictness, apply_greedily, apply_greedily_to};
pub use loop_invariant_code_motion::LoopInvariantCodeMotion;
pub use regions::RegionSimplification;
pub use sccp::Sccp;
pub use strip_debuginfo::StripDebuginfo;
pub use symbol_dce::SymbolDce;
pub use test_single_fold::TestSingleFold;
pub use tracing::GREEDY;

use orison_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn passes(registry: &mut PassRegistry) {
    let rules: Vec<_> = canonicalize::cross_dialect_rules().collect();
    registry.register_rules("canonicalize", &rules);
    registry.register::<Canonicalize>();
    registry.register::<Cse>();
    registry.register::<conversion::ReconcileUnrealizedCasts>();
    registry.register::<ConvertOriToSass>();
    registry.register::<convert_scf_to_cf::ConvertScfToCf>();
    let patterns = convert_scf_to_cf::patterns();
    let listed = patterns.iter().map(conversion::ConversionPattern::listed);
    registry.register_patterns("convert-scf-to-cf", listed.collect());
    registry.register::<LoopInvariantCodeMotion>();
    registry.register::<Sccp>();
    registry.register::<StripDebuginfo>();
    registry.register::<SymbolDce>();
    registry.register::<TestSingleFold>();
    registry.register_pipeline(&ori_to_sass::ORI_TO_SASS);
    ori::passes(registry);
}
