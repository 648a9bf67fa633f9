//! Rewrites of orison: the greedy pattern driver, canonicalization, CSE.

use orison_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn passes(registry: &mut PassRegistry) {
    let _ = registry;
}
