//! A rule.
use orison_ir::{Declined, Operation, Rewriter, RuleResult};
orison_ir::rule!(pub SLICE_OF_VIEW, "nv-tileas-extract-of-view", "todo", "nv_tileas.extract_slice", apply);
fn apply(_: &mut Rewriter<'_>, _: Operation) -> RuleResult {
    Declined::because("not yet")
}
