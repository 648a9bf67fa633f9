//! Copies, and registers that are parts of wider ones (reference 9.8: copy chains; 64-bit pairs).

use orison_ir::pattern::Match;
use orison_ir::{Rule, RuleResult};

use super::peephole;
use crate::types::Register;

peephole!(
    both COPY, benefit 4, "mov-copy", mov "(x) => x",
    |found| {
        let (value, _) = found.value("x")?;
        let context = found.context();
        let same = value.ty(context) == found.root().result(context, 0).ty(context);
        found.require(same, "the copy has a different register class")
    }
);
peephole!(
    PART_OF_TWO, benefit 4, "extract-concat-two", extract "<word = w>(concat(a, b)) => r",
    |found| part(found, &["a", "b"])
);
peephole!(
    PART_OF_FOUR, benefit 4, "extract-concat-four", extract "<word = w>(concat(a, b, c, d)) => r",
    |found| part(found, &["a", "b", "c", "d"])
);
peephole!(
    PART_OF_PART, benefit 3, "extract-extract",
    extract "<word = v>(extract<word = w>(x)) => extract<word = u>(x)",
    |found| {
        let word = found.number("v")?.checked_add(found.number("w")?);
        found.require(word.is_some(), "the sum is not a valid 'word'")?;
        found.set_number("u", word.unwrap_or_default());
        Ok(())
    }
);
peephole!(
    WHOLE_OF_TWO, benefit 4, "concat-extract-two",
    concat "(extract<word = 0>(x), extract<word = 1>(x)) => x",
    |found| wide(found, 2)
);
peephole!(
    WHOLE_OF_FOUR, benefit 4, "concat-extract-four",
    concat "(extract<word = 0>(x), extract<word = 1>(x), extract<word = 2>(x), extract<word = 3>(x)) => x",
    |found| wide(found, 4)
);

/// Sets `r` to the part that begins with word `w`.
fn part(found: &mut Match<'_, '_>, names: &[&'static str]) -> RuleResult {
    let word = found.number("w")?.cast_unsigned();
    let mut first = 0;
    for name in names {
        let operand = found.value(name)?;
        if first == word {
            found.set_value("r", operand);
            return Ok(());
        }
        let register = Register::of(found.context(), operand.0.ty(found.context()));
        first += register.and_then(Register::words).unwrap_or(0);
    }
    found.require(false, "no part starts at this offset")
}

/// Whether `x` has as many words as there are parts, so that each part is one word.
fn wide(found: &mut Match<'_, '_>, words: u32) -> RuleResult {
    let (value, _) = found.value("x")?;
    let register = Register::of(found.context(), value.ty(found.context()));
    let fits = register.and_then(Register::words) == Some(words);
    found.require(fits, "the parts do not cover the value")
}

/// The rules of this family.
pub(super) static RULES: &[&[Rule]] = &[
    COPY,
    PART_OF_TWO,
    PART_OF_FOUR,
    PART_OF_PART,
    WHOLE_OF_TWO,
    WHOLE_OF_FOUR,
];
