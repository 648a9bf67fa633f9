//! A rule.
use orison_ir::{Declined, Operation, Rewriter, RuleResult};
orison_ir::rule!(pub SLICE_OF_INSERT, "nv-tileas-extract-of-insert", "todo", "nv_tileas.extract_slice", apply);
fn apply(_: &mut Rewriter<'_>, _: Operation) -> RuleResult {
    Declined::because("not yet")
}
