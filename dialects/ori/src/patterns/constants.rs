//! Reads of constant banks at constant addresses.

use orison_ir::rewrite::Rewriter;
use orison_ir::{Attribute, Context, Declined, Operation, Rule, RuleResult};

use super::immediate;
use crate::keywords::{Width, keyword_of};
use crate::operations::memory::Ldc;
use crate::operations::moves::Cbank;
use crate::types::Register;

orison_ir::rule!(
    pub(super) KNOWN_ADDRESS, "ori-ldc-constant-address",
    "A load of a constant bank at a known address is a constant bank operand.",
    Ldc::NAME, known_address
);

/// The rules of this family.
pub(super) static RULES: [&Rule; 1] = [&KNOWN_ADDRESS];

fn known_address(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let Some((bank, place)) = known_place(context, op) else {
        return Declined::because("the address is not constant or is outside the constant bank");
    };
    let (location, results) = (op.location(context), op.result_types(context));
    let mut state = rewriter.state(Cbank::NAME, location);
    let context = rewriter.context();
    for (key, number) in [("bank", bank), ("offset", place)] {
        let number = Attribute::i32(context, number);
        state.set_property(context, key, number);
    }
    state.result_types = results.into();
    rewriter.replace_with_new(op, &state);
    Ok(())
}

/// Bank and offset of the aligned word or pair read by a load without a guard.
fn known_place(context: &Context, op: Operation) -> Option<(i32, i32)> {
    let load = Ldc::of(context, op)?;
    let [base] = op.operands(context).collect::<Vec<_>>()[..] else {
        return None;
    };
    op.operands_named(context, "base").first()?;
    let base = match Register::of(context, base.ty(context))? {
        Register::R => immediate(context, base)?,
        _ => return None,
    };
    // Addresses in a bank have 32 bits and wrap.
    let place = base.wrapping_add(load.offset(context)?.into()) & 0xffff_ffff;
    let bytes = 4 * Register::of(context, op.result(context, 0).ty(context))?.words()?;
    let width = keyword_of(context, op, "width").unwrap_or(Width::B32);
    let whole = matches!((width, bytes), (Width::B32, 4) | (Width::B64, 8));
    let end = place + i64::from(bytes);
    let inside = place % i64::from(bytes) == 0 && end <= 1 << 16;
    (whole && inside).then_some((load.bank(context)?, i32::try_from(place).ok()?))
}
