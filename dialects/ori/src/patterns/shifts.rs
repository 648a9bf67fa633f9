//! Shifts and other movements of bits (reference 9.8: shifts by zero, funnels; 9.2).

use orison_ir::pattern::Match;
use orison_ir::{Rule, RuleResult};

use super::peephole;

peephole!(
    both LEFT_BY_ZERO, benefit 4, "shf-left-zero",
    shf "<direction = _, signedness = _, wrap = _>(x, 0, _) => x"
);
peephole!(
    both HIGH_BY_ZERO, benefit 4, "shf-high-zero",
    shf "<direction = _, signedness = _, wrap = _, high>(_, 0, x) => x"
);
peephole!(
    both SHIFT_TWICE, benefit 2, "shf-left-twice",
    shf "<direction = 'left', signedness = _, wrap = _>(shf<direction = 'left', signedness = _, wrap = _>(x, #a, _), #b, _) => shf<direction = 'left', signedness = 'u32'>(x, #c, 0)",
    |found| {
        let sum = shift(found, "a")? + shift(found, "b")?;
        found.require(sum < 32, "the shift amounts add up to more than 31")?;
        found.set_constant("c", sum);
        Ok(())
    }
);
peephole!(
    both SHIFT_RIGHT_TWICE, benefit 2, "shf-right-twice",
    shf "<direction = 'right', signedness = s, wrap = _, high>(_, #b, shf<direction = 'right', signedness = s, wrap = _, high>(_, #a, x)) => shf<direction = 'right', signedness = s, high>(0, #c, x)",
    |found| {
        let sum = shift(found, "a")? + shift(found, "b")?;
        found.require(sum < 32, "the shift amounts add up to more than 31")?;
        found.set_constant("c", sum);
        Ok(())
    }
);
peephole!(
    both FUNNEL_SUM, benefit 5, "shf-funnel-sum",
    iadd3 "(once shf<direction = 'left', signedness = _, wrap = _>(x, #a, _), once shf<direction = 'right', signedness = 'u32', wrap = _, high>(_, #b, y), 0) => shf<direction = 'left', signedness = 'u32', high, wrap>(y, #a, x)",
    fill_a_word
);
peephole!(
    both FUNNEL_OR, benefit 5, "shf-funnel-or",
    lop3 "<lut = t>(once shf<direction = 'left', signedness = _, wrap = _>(x, #a, _), once shf<direction = 'right', signedness = 'u32', wrap = _, high>(_, #b, y), _) => shf<direction = 'left', signedness = 'u32', high, wrap>(y, #a, x)",
    fill_a_word_exclusively
);
peephole!(
    both FUNNEL_OR_TURNED, benefit 5, "shf-funnel-or-turned",
    lop3 "<lut = t>(once shf<direction = 'right', signedness = 'u32', wrap = _, high>(_, #b, y), once shf<direction = 'left', signedness = _, wrap = _>(x, #a, _), _) => shf<direction = 'left', signedness = 'u32', high, wrap>(y, #a, x)",
    fill_a_word_exclusively
);
peephole!(
    both FUNNEL_OR_LOW, benefit 5, "shf-funnel-or-low",
    lop3 "<lut = t>(once shf<direction = 'left', signedness = _, wrap = _>(x, #a, _), once shf<direction = 'right', signedness = _, wrap = _>(y, #b, 0), _) => shf<direction = 'left', signedness = 'u32', high, wrap>(y, #a, x)",
    fill_a_word_exclusively
);
peephole!(
    both FUNNEL_OR_LOW_TURNED, benefit 5, "shf-funnel-or-low-turned",
    lop3 "<lut = t>(once shf<direction = 'right', signedness = _, wrap = _>(y, #b, 0), once shf<direction = 'left', signedness = _, wrap = _>(x, #a, _), _) => shf<direction = 'left', signedness = 'u32', high, wrap>(y, #a, x)",
    fill_a_word_exclusively
);
peephole!(
    both LEA_BY_ZERO, benefit 4, "lea-zero",
    lea "<shift = 0>(x, y, _) => iadd3(x, y, 0)"
);
peephole!(
    both LEA_CONSTANT, benefit 3, "lea-constant",
    lea "<shift = s>(#a, y, _) => iadd3(y, #c, 0)",
    |found| {
        // The modifier of the operand is applied after the shift.
        let written = super::immediate(found.context(), found.root().operand(found.context(), 0));
        found.require(written == Some(found.constant("a")?), "the operand has a modifier")?;
        let shifted = (found.constant("a")? as i32).wrapping_shl(found.number("s")?.cast_unsigned());
        found.set_constant("c", i64::from(shifted));
        Ok(())
    }
);
peephole!(both REVERSE_TWICE, benefit 4, "brev-twice", brev "(brev(x)) => x");
peephole!(ABSOLUTE_TWICE, benefit 3, "iabs-twice", iabs "(iabs(x)) => iabs(x)");
peephole!(
    both PERMUTE_FIRST, benefit 4, "prmt-first", prmt "<permutation = 'idx'>(x, 0x3210, _) => x"
);
peephole!(
    both PERMUTE_SECOND, benefit 4, "prmt-second", prmt "<permutation = 'idx'>(_, 0x7654, x) => x"
);

/// A constant amount below the width of a word: it neither wraps nor saturates.
fn shift(found: &Match<'_, '_>, name: &str) -> Result<i64, orison_ir::Declined> {
    let amount = found.constant(name)?;
    found.require((0..32).contains(&amount), "all bits are shifted out")?;
    Ok(amount)
}

/// The amounts `a` and `b` add up to the width of a word.
fn fill_a_word(found: &mut Match<'_, '_>) -> RuleResult {
    let sum = shift(found, "a")? + shift(found, "b")?;
    found.require(sum == 32, "the shift amounts do not add up to 32")
}

/// `t` is the table of *or*, or of a function equal to it where no bit is set in both operands.
fn fill_a_word_exclusively(found: &mut Match<'_, '_>) -> RuleResult {
    fill_a_word(found)?;
    let table = found.number("t")?;
    found.require(
        [0xFC, 0x3C].contains(&table),
        "the operation does not combine the halves",
    )
}

/// The rules of this family.
pub(super) static RULES: &[&[Rule]] = &[
    LEFT_BY_ZERO,
    HIGH_BY_ZERO,
    SHIFT_TWICE,
    SHIFT_RIGHT_TWICE,
    FUNNEL_SUM,
    FUNNEL_OR,
    FUNNEL_OR_TURNED,
    FUNNEL_OR_LOW,
    FUNNEL_OR_LOW_TURNED,
    LEA_BY_ZERO,
    LEA_CONSTANT,
    REVERSE_TWICE,
    ABSOLUTE_TWICE,
    PERMUTE_FIRST,
    PERMUTE_SECOND,
];
