//! Products of integers (reference 9.8: `IMAD` by 0 and 1, sums of products; 9.2).

use orison_ir::Rule;

use super::peephole;

peephole!(both MUL_ZERO, benefit 4, "imad-zero", imad "<signedness = _>(_, 0, y) => iadd3(y, 0, 0)");
peephole!(both MUL_ONE, benefit 4, "imad-one", imad "<signedness = _>(x, 1, y) => iadd3(x, y, 0)");
peephole!(
    both MUL_MINUS_ONE, benefit 4, "imad-minus-one",
    imad "<signedness = _>(x, -1, y) => iadd3(neg x, y, 0)"
);
peephole!(
    both MUL_CONSTANTS, benefit 3, "imad-constants",
    imad "<signedness = _>(#a, #b, y) => iadd3(y, #c, 0)",
    |found| {
        let product = found.constant("a")?.wrapping_mul(found.constant("b")?);
        found.set_constant("c", product);
        Ok(())
    }
);
peephole!(
    both MUL_ADD, benefit 2, "imad-fused",
    iadd3 "(once imad<signedness = _>(a, b, 0), c, 0) => imad(a, b, c)"
);
peephole!(
    /// One product instead of two.
    both MUL_FACTOR, benefit 3, "imad-common-factor",
    iadd3 "(once imad<signedness = _>(a, b, 0), once imad<signedness = _>(a, c, 0), 0) => imad(a, iadd3(b, c, 0), 0)"
);
peephole!(both WIDE_ZERO, benefit 4, "imad-wide-zero", imad_wide "<signedness = _>(_, 0, y) => y");

/// The rules of this family.
pub(super) static RULES: &[&[Rule]] = &[
    MUL_ZERO,
    MUL_ONE,
    MUL_MINUS_ONE,
    MUL_CONSTANTS,
    MUL_ADD,
    MUL_FACTOR,
    WIDE_ZERO,
];
