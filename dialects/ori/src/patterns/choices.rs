//! Selections and comparisons (reference 9.8: equal sides, constant predicates, `ISETP` with
//! `PLOP3`).

use orison_ir::pattern::Match;
use std::cmp::Ordering;

use orison_ir::{Declined, Rule, RuleResult};
use orison_machine::words::{self, relations};

use super::peephole;
use crate::keywords::{Combine, Compare, Signedness};
use crate::semantics::relations_of;

peephole!(both SEL_SAME, benefit 4, "sel-same", sel "(x, x, _) => x");
peephole!(both SEL_TRUE, benefit 4, "sel-true", sel "(x, _, 1) => x");
peephole!(both SEL_FALSE, benefit 4, "sel-false", sel "(_, x, 0) => x");
peephole!(both SEL_NOT, benefit 3, "sel-not", sel "(x, y, not p) => sel(y, x, p)");
peephole!(both SEL_OF_SEL_A, benefit 2, "sel-sel-a", sel "(sel(x, _, p), y, p) => sel(x, y, p)");
peephole!(both SEL_OF_SEL_B, benefit 2, "sel-sel-b", sel "(x, sel(_, y, p), p) => sel(x, y, p)");
peephole!(FSEL_SAME, benefit 4, "fsel-same", fsel "(x, x, _) => x");
peephole!(FSEL_TRUE, benefit 4, "fsel-true", fsel "(x, _, 1) => x");
peephole!(FSEL_FALSE, benefit 4, "fsel-false", fsel "(_, x, 0) => x");
peephole!(IMNMX_SAME, benefit 4, "imnmx-same", imnmx "<signedness = _>(x, x, _) => x");
peephole!(VIMNMX_SAME, benefit 4, "vimnmx-same", vimnmx "<signedness = _>(x, x, _) => x");
peephole!(
    both COMPARE_SELF, benefit 4, "isetp-self",
    isetp "<compare = k, signedness = _, combine = 'and'>(x, x) => #r",
    |found| {
        let holds = relations::hold(relations_of(compare(found)?), Some(Ordering::Equal));
        found.set_constant("r", i64::from(holds));
        Ok(())
    }
);
peephole!(
    both COMPARE_NONE_BELOW, benefit 4, "isetp-below-zero",
    isetp "<compare = k, signedness = 'u32', combine = 'and'>(_, 0) => #r",
    |found| {
        let result = match compare(found)? {
            Compare::Lt | Compare::False => 0,
            Compare::Ge | Compare::True => 1,
            _ => return found.require(false, "a comparison with zero is not constant for this \
                                              predicate"),
        };
        found.set_constant("r", result);
        Ok(())
    }
);
peephole!(
    /// A predicate converted to a register and back.
    both COMPARE_OF_SEL, benefit 3, "isetp-sel",
    isetp "<compare = k, signedness = s, combine = 'and'>(sel(#a, #b, p), #c) => plop3<lut = u>(p, 0, 0)",
    through_register
);
peephole!(
    both WITH_TRUE, benefit 4, "isetp-and-true",
    isetp "<compare = k, signedness = s, combine = 'and'>(x, y; with = 1) => isetp<compare = k, signedness = s, combine = 'and'>(x, y)"
);
peephole!(
    both AND_FALSE, benefit 4, "isetp-and-false",
    isetp "<compare = _, signedness = _, combine = 'and'>(_, _; with = 0) => 0"
);
peephole!(
    both OR_TRUE, benefit 4, "isetp-or-true",
    isetp "<compare = _, signedness = _, combine = 'or'>(_, _; with = 1) => 1"
);
peephole!(
    both OR_FALSE, benefit 4, "isetp-or-false",
    isetp "<compare = k, signedness = s, combine = 'or'>(x, y; with = 0) => isetp<compare = k, signedness = s, combine = 'and'>(x, y)"
);
peephole!(
    both XOR_FALSE, benefit 4, "isetp-xor-false",
    isetp "<compare = k, signedness = s, combine = 'xor'>(x, y; with = 0) => isetp<compare = k, signedness = s, combine = 'and'>(x, y)"
);
peephole!(
    both COMBINE_FIRST, benefit 5, "isetp-plop3-a",
    plop3 "<lut = t>(once isetp<compare = k, signedness = s, combine = 'and'>(x, y), q, _) => isetp<compare = k, signedness = s, combine = w>(x, y; with = q)",
    combination
);
peephole!(
    both COMBINE_SECOND, benefit 5, "isetp-plop3-b",
    plop3 "<lut = t>(q, once isetp<compare = k, signedness = s, combine = 'and'>(x, y), _) => isetp<compare = k, signedness = s, combine = w>(x, y; with = q)",
    combination
);
peephole!(
    FCOMBINE_FIRST, benefit 5, "fsetp-plop3-a",
    plop3 "<lut = t>(once fsetp<float_compare = k, ftz = f, combine = 'and'>(x, y), q, _) => fsetp<float_compare = k, ftz = f, combine = w>(x, y; with = q)",
    combination
);
peephole!(
    FCOMBINE_SECOND, benefit 5, "fsetp-plop3-b",
    plop3 "<lut = t>(q, once fsetp<float_compare = k, ftz = f, combine = 'and'>(x, y), _) => fsetp<float_compare = k, ftz = f, combine = w>(x, y; with = q)",
    combination
);
peephole!(
    FWITH_TRUE, benefit 4, "fsetp-and-true",
    fsetp "<float_compare = k, ftz = f, combine = 'and'>(x, y; with = 1) => fsetp<float_compare = k, ftz = f, combine = 'and'>(x, y)"
);

/// The comparison `k`.
fn compare(found: &Match<'_, '_>) -> Result<Compare, Declined> {
    match found.keyword("k")? {
        Some(compare) => Ok(compare),
        None => Declined::because("the comparison kind is missing"),
    }
}

/// The bits of a constant in a word.
fn word(bits: i64) -> u64 {
    bits.cast_unsigned() & words::mask(32)
}

/// Sets `u` to the truth table of the comparison of `p ? a : b` with `c`.
fn through_register(found: &mut Match<'_, '_>) -> RuleResult {
    let relations = relations_of(compare(found)?);
    let signed = found.keyword("s")? == Some(Signedness::Signed);
    let [a, b, c] = ["a", "b", "c"].map(|name| found.constant(name));
    let c = word(c?);
    let holds = |bits| {
        let order = words::compare(32, signed, word(bits), c);
        relations::hold(relations, Some(order))
    };
    let (chosen, other) = (holds(a?), holds(b?));
    found.set_number("u", i32::from(chosen) * 0xF0 + i32::from(other) * 0x0F);
    Ok(())
}

/// Sets `w` to the keyword of the table of the first two predicates.
fn combination(found: &mut Match<'_, '_>) -> RuleResult {
    let word = match found.number("t")? {
        0xC0 => Combine::And,
        0xFC => Combine::Or,
        0x3C => Combine::Xor,
        _ => return found.require(false, "a comparison cannot combine by this function"),
    };
    found.set_keyword("w", word);
    Ok(())
}

/// The rules of this family.
pub(super) static RULES: &[&[Rule]] = &[
    SEL_SAME,
    SEL_TRUE,
    SEL_FALSE,
    SEL_NOT,
    SEL_OF_SEL_A,
    SEL_OF_SEL_B,
    FSEL_SAME,
    FSEL_TRUE,
    FSEL_FALSE,
    IMNMX_SAME,
    VIMNMX_SAME,
    COMPARE_SELF,
    COMPARE_NONE_BELOW,
    COMPARE_OF_SEL,
    WITH_TRUE,
    AND_FALSE,
    OR_TRUE,
    OR_FALSE,
    XOR_FALSE,
    COMBINE_FIRST,
    COMBINE_SECOND,
    FCOMBINE_FIRST,
    FCOMBINE_SECOND,
    FWITH_TRUE,
];
