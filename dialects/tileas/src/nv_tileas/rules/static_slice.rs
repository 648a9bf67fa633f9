//! A rule.
use orison_ir::{Declined, Operation, Rewriter, RuleResult};
orison_ir::rule!(pub STATIC_SLICE, "nv-tileas-static-slice", "todo", "nv_tileas.extract_slice", apply);
fn apply(_: &mut Rewriter<'_>, _: Operation) -> RuleResult {
    Declined::because("not yet")
}
