//! Selection of one instruction instead of another or several (reference 9.8: `LEA`, shift and add;
//! 9.2).

use orison_ir::pattern::Match;
use orison_ir::{Rule, RuleResult};

use super::operands::bit;
use super::peephole;
use crate::modifiers::Modifier;

peephole!(
    both PRODUCT_TO_LEA, benefit 1, "imad-power-to-lea",
    imad "<signedness = _>(x, #k, y) => lea<shift = s>(x, y, 0)",
    |found| {
        let factor = found.constant("k")? as u32;
        found.require(factor.is_power_of_two() && factor > 1, "the factor is not a power of two")?;
        found.set_number("s", factor.trailing_zeros().cast_signed());
        not_inverted(found)
    }
);
peephole!(
    both SHIFT_TO_LEA, benefit 4, "shf-add-to-lea",
    iadd3 "(once shf<direction = 'left', signedness = _, wrap = _>(x, #k, _), y, 0) => lea<shift = s>(x, y, 0)",
    |found| {
        let amount = found.constant("k")?;
        found.require((1..32).contains(&amount), "the shift amount is not from 1 to 31")?;
        found.set_number("s", amount as i32);
        Ok(())
    }
);

/// `ori.lea` inverts after the shift, products invert the factors.
fn not_inverted(found: &Match<'_, '_>) -> RuleResult {
    let (_, modifiers) = found.value("x")?;
    found.require(
        modifiers & bit(Modifier::Invert) == 0,
        "the factor is inverted",
    )
}

/// The rules of this family.
pub(super) static RULES: &[&[Rule]] = &[PRODUCT_TO_LEA, SHIFT_TO_LEA];
