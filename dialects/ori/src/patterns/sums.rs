//! Sums of integers (reference 9.8: identities, `IADD3` with zeros, chains; 9.4).

use orison_ir::Rule;

use super::peephole;

peephole!(both ADD_ZEROS, benefit 4, "iadd3-zeros", iadd3 "(x, 0, 0) => x");
peephole!(both ADD_OPPOSITE, benefit 3, "iadd3-opposite", iadd3 "(x, neg x, y) => iadd3(y, 0, 0)");
peephole!(both ADD_INVERTED, benefit 3, "iadd3-inverted", iadd3 "(x, not x, y) => iadd3(y, -1, 0)");
peephole!(
    /// Only if neither operand is zero: otherwise there is no gain.
    both ADD_CONSTANTS, benefit 2, "iadd3-constants", iadd3 "(#a, #b, x) => iadd3(x, #c, 0)",
    |found| {
        let (a, b) = (found.constant("a")?, found.constant("b")?);
        found.require(a != 0 && b != 0, "one of the constants is zero")?;
        found.set_constant("c", a.wrapping_add(b));
        Ok(())
    }
);
peephole!(
    both ADD_CHAIN_CONSTANTS, benefit 3, "iadd3-chain-constants",
    iadd3 "(once iadd3(x, #a, 0), #b, y) => iadd3(x, #c, y)",
    |found| {
        let (a, b) = (found.constant("a")?, found.constant("b")?);
        found.require(a != 0 && b != 0, "one of the constants is zero")?;
        found.set_constant("c", a.wrapping_add(b));
        Ok(())
    }
);
peephole!(both ADD_CHAIN, benefit 2, "iadd3-chain", iadd3 "(once iadd3(a, b, 0), c, 0) => iadd3(a, b, c)");
peephole!(VIADD_ZERO, benefit 4, "viadd-zero", viadd "(x, 0) => x");

/// The rules of this family.
pub(super) static RULES: &[&[Rule]] = &[
    ADD_ZEROS,
    ADD_OPPOSITE,
    ADD_INVERTED,
    ADD_CONSTANTS,
    ADD_CHAIN_CONSTANTS,
    ADD_CHAIN,
    VIADD_ZERO,
];
