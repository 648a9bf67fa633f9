//! Exact float identities, valid without fast-math flags (reference 9.8, soundness notes).

use orison_ir::pattern::Match;
use orison_ir::{Rule, RuleResult};

use super::peephole;
use crate::keywords::Rounding;

peephole!(MUL_ONE, benefit 4, "fmul-one", fmul "<rounding = _>(x, 0x3f800000) => x");
peephole!(
    ADD_MINUS_ZERO, benefit 4, "fadd-minus-zero",
    fadd "<rounding = r>(x, 0x80000000) => x", not_down
);
peephole!(
    FMA_ONE, benefit 3, "ffma-one",
    ffma "<rounding = r, ftz = f, saturate = s>(x, 0x3f800000, y) => fadd<rounding = r, ftz = f, saturate = s>(x, y)"
);
peephole!(
    FMA_MINUS_ONE, benefit 3, "ffma-minus-one",
    ffma "<rounding = r, ftz = f, saturate = s>(x, 0xbf800000, y) => fadd<rounding = r, ftz = f, saturate = s>(neg x, y)"
);
peephole!(
    FMA_MINUS_ZERO, benefit 3, "ffma-minus-zero",
    ffma "<rounding = r, ftz = f, saturate = s>(x, y, 0x80000000) => fmul<rounding = r, ftz = f, saturate = s>(x, y)",
    not_down
);
peephole!(
    /// The negation is a modifier of the sum's operand.
    ADD_SIGN, benefit 3, "fadd-sign",
    fadd "<rounding = r, ftz = f, saturate = s>(fadd(x, 0x80000000), y) => fadd<rounding = r, ftz = f, saturate = s>(x, y)"
);
peephole!(
    ADD_OPPOSITE, benefit 3, "fadd-fmul-minus-one",
    fadd "<rounding = r, ftz = f, saturate = s>(fmul(x, 0xbf800000), y) => fadd<rounding = r, ftz = f, saturate = s>(neg x, y)"
);
peephole!(
    MUL_SIGN, benefit 3, "fmul-sign",
    fmul "<rounding = r, ftz = f, saturate = s>(fadd(x, 0x80000000), y) => fmul<rounding = r, ftz = f, saturate = s>(x, y)"
);
peephole!(
    FMA_SIGN, benefit 3, "ffma-sign",
    ffma "<rounding = r, ftz = f, saturate = s>(fadd(x, 0x80000000), y, z) => ffma<rounding = r, ftz = f, saturate = s>(x, y, z)"
);
peephole!(
    FMA_SIGN_ADDEND, benefit 3, "ffma-sign-addend",
    ffma "<rounding = r, ftz = f, saturate = s>(x, y, fadd(z, 0x80000000)) => ffma<rounding = r, ftz = f, saturate = s>(x, y, z)"
);
peephole!(DMUL_ONE, benefit 4, "dmul-one", dmul "<rounding = _>(x, 0x3ff0000000000000) => x");
peephole!(
    DADD_MINUS_ZERO, benefit 4, "dadd-minus-zero",
    dadd "<rounding = r>(x, 0x8000000000000000) => x", not_down
);
peephole!(
    DFMA_ONE, benefit 3, "dfma-one",
    dfma "<rounding = r>(x, 0x3ff0000000000000, y) => dadd<rounding = r>(x, y)"
);
peephole!(
    DFMA_MINUS_ZERO, benefit 3, "dfma-minus-zero",
    dfma "<rounding = r>(x, y, 0x8000000000000000) => dmul<rounding = r>(x, y)", not_down
);
peephole!(HMUL_ONE, benefit 4, "hmul2-one", hmul2 "<from = 'f16'>(x, 0x3c003c00) => x");
peephole!(BMUL_ONE, benefit 4, "hmul2-one-bf16", hmul2 "<from = 'bf16'>(x, 0x3f803f80) => x");

/// When rounding down, the sum of zeros of opposite sign is the negative zero.
fn not_down(found: &mut Match<'_, '_>) -> RuleResult {
    let down = found.keyword("r")? == Some(Rounding::Down);
    found.require(
        !down,
        "the sign of a sum of zeros depends on the rounding mode",
    )
}

/// The rules of this family.
pub(super) static RULES: &[&[Rule]] = &[
    MUL_ONE,
    ADD_MINUS_ZERO,
    FMA_ONE,
    FMA_MINUS_ONE,
    FMA_MINUS_ZERO,
    ADD_SIGN,
    ADD_OPPOSITE,
    MUL_SIGN,
    FMA_SIGN,
    FMA_SIGN_ADDEND,
    DMUL_ONE,
    DADD_MINUS_ZERO,
    DFMA_ONE,
    DFMA_MINUS_ZERO,
    HMUL_ONE,
    BMUL_ONE,
];
