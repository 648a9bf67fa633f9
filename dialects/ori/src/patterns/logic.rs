//! Three-input logic functions as truth tables (reference 9.8: identities, tables 0xF0, 0xCC, 0xAA,
//! `LOP3` of `LOP3`).
//!
//! Bit `4a + 2b + c` of a table is the result for the inputs a, b, c.

use orison_ir::pattern::{Match, Modifiers};
use orison_ir::{Declined, Rule, RuleResult, Value};
use orison_machine::words::depends;

use super::operands::bit;
use super::{immediate, peephole};
use crate::modifiers::Modifier;

/// The names of the operands in the patterns.
const NAMES: [&str; 3] = ["a", "b", "c"];
/// The value of an operand in the index of a table bit.
const WEIGHTS: [u32; 3] = [4, 2, 1];

/// The table of a function of the bit index.
fn table(result: impl Fn(u32) -> bool) -> u8 {
    (0..8)
        .filter(|input| result(*input))
        .map(|input| 1 << input)
        .sum()
}

fn number(found: &Match<'_, '_>, name: &str) -> Result<u8, Declined> {
    found.number(name).map(|table| table as u8)
}

/// Sets `u` to the table with inputs mapped by `input`; fails if `operand` is already unused.
fn free(found: &mut Match<'_, '_>, operand: usize, input: impl Fn(u32) -> u32) -> RuleResult {
    let lut = number(found, "t")?;
    found.require(
        depends(lut, operand),
        "the result does not depend on the operand",
    )?;
    let new = table(|bits| lut >> input(bits) & 1 == 1);
    found.set_number("u", new.into());
    Ok(())
}

/// An operand is all zeros or all ones.
fn constant<const OPERAND: usize, const ONES: i64>(found: &mut Match<'_, '_>) -> RuleResult {
    let (bits, weight) = (found.constant("k")?, WEIGHTS[OPERAND]);
    found.require(
        bits == 0 || bits == ONES,
        "the constant is neither 0 nor -1",
    )?;
    free(found, OPERAND, |input| {
        if bits == 0 {
            input & !weight
        } else {
            input | weight
        }
    })
}

/// An operand is unused, and not zero yet.
fn unused<const OPERAND: usize>(found: &mut Match<'_, '_>) -> RuleResult {
    let lut = number(found, "t")?;
    found.require(!depends(lut, OPERAND), "the result depends on the operand")?;
    let (value, _) = found.value(NAMES[OPERAND])?;
    let zero = immediate(found.context(), value) == Some(0);
    found.require(!zero, "the operand is already zero")
}

/// The operand `SECOND` is the same as the operand `FIRST`.
fn equal<const FIRST: usize, const SECOND: usize>(found: &mut Match<'_, '_>) -> RuleResult {
    let (first, second) = (WEIGHTS[FIRST], WEIGHTS[SECOND]);
    free(found, SECOND, |input| {
        if input & first == 0 {
            input & !second
        } else {
            input | second
        }
    })
}

/// An operand is inverted.
fn inverted<const OPERAND: usize>(found: &mut Match<'_, '_>) -> RuleResult {
    let lut = number(found, "t")?;
    let new = table(|bits| lut >> (bits ^ WEIGHTS[OPERAND]) & 1 == 1);
    found.set_number("u", new.into());
    Ok(())
}

/// Distinct inputs.
#[derive(Default)]
struct Inputs(Vec<Value>);

impl Inputs {
    /// The index of a value among the inputs, and whether it is inverted.
    fn number(&mut self, (value, modifiers): (Value, Modifiers)) -> (usize, bool) {
        let known = self.0.iter().position(|known| *known == value);
        let number = known.unwrap_or_else(|| {
            self.0.push(value);
            self.0.len() - 1
        });
        (number, modifiers & bit(Modifier::Invert) != 0)
    }
}

/// The bit of an input of the combined operation; false for unused operands.
fn read(bits: u32, input: Option<(usize, bool)>) -> bool {
    input.is_some_and(|(number, inverted)| (bits & WEIGHTS[number] != 0) != inverted)
}

/// Operand `OUTER` of the table `t` is the result of the table `s` of p, q, r; the others are d, e.
/// Sets `u` to the combined table, and a, b, c to its inputs.
fn compose<const OUTER: usize>(found: &mut Match<'_, '_>) -> RuleResult {
    let (outer, inner) = (number(found, "t")?, number(found, "s")?);
    found.require(
        depends(outer, OUTER),
        "the result does not depend on the operand",
    )?;
    let mut inputs = Inputs::default();
    let mut within = [None; 3];
    for (operand, name) in ["p", "q", "r"].into_iter().enumerate() {
        if depends(inner, operand) {
            within[operand] = Some(inputs.number(found.value(name)?));
        }
    }
    let mut others = [None; 3];
    let rest = (0..3).filter(|operand| *operand != OUTER);
    for (operand, name) in rest.zip(["d", "e"]) {
        if depends(outer, operand) {
            others[operand] = Some(inputs.number(found.value(name)?));
        }
    }
    found.require(
        inputs.0.len() <= 3,
        "the combined function has more than three inputs",
    )?;
    let pack = |bits: [bool; 3]| {
        let all = bits.into_iter().zip(WEIGHTS);
        all.map(|(bit, weight)| u32::from(bit) * weight)
            .sum::<u32>()
    };
    let combined = table(|bits| {
        let inside = pack(within.map(|input| read(bits, input)));
        let mut around = others.map(|input| read(bits, input));
        around[OUTER] = inner >> inside & 1 == 1;
        outer >> pack(around) & 1 == 1
    });
    found.set_number("u", combined.into());
    for (operand, name) in NAMES.into_iter().enumerate() {
        match inputs.0.get(operand) {
            Some(value) => found.set_value(name, (*value, 0)),
            None => found.set_constant(name, 0),
        }
    }
    Ok(())
}

peephole!(both COPY_A, benefit 4, "lop3-copy-a", lop3 "<lut = 0xf0>(a, _, _) => a");
peephole!(both COPY_B, benefit 4, "lop3-copy-b", lop3 "<lut = 0xcc>(_, b, _) => b");
peephole!(both COPY_C, benefit 4, "lop3-copy-c", lop3 "<lut = 0xaa>(_, _, c) => c");
peephole!(both ZEROS, benefit 4, "lop3-zeros", lop3 "<lut = 0>(_, _, _) => 0");
peephole!(both ONES, benefit 4, "lop3-ones", lop3 "<lut = 0xff>(_, _, _) => -1");
peephole!(
    both CONSTANT_A, benefit 3, "lop3-constant-a",
    lop3 "<lut = t>(#k, b, c) => lop3<lut = u>(0, b, c)", constant::<0, -1>
);
peephole!(
    both CONSTANT_B, benefit 3, "lop3-constant-b",
    lop3 "<lut = t>(a, #k, c) => lop3<lut = u>(a, 0, c)", constant::<1, -1>
);
peephole!(
    both CONSTANT_C, benefit 3, "lop3-constant-c",
    lop3 "<lut = t>(a, b, #k) => lop3<lut = u>(a, b, 0)", constant::<2, -1>
);
peephole!(
    both UNUSED_A, benefit 3, "lop3-unused-a",
    lop3 "<lut = t>(a, b, c) => lop3<lut = t>(0, b, c)", unused::<0>
);
peephole!(
    both UNUSED_B, benefit 3, "lop3-unused-b",
    lop3 "<lut = t>(a, b, c) => lop3<lut = t>(a, 0, c)", unused::<1>
);
peephole!(
    both UNUSED_C, benefit 3, "lop3-unused-c",
    lop3 "<lut = t>(a, b, c) => lop3<lut = t>(a, b, 0)", unused::<2>
);
peephole!(
    both EQUAL_AB, benefit 3, "lop3-equal-ab",
    lop3 "<lut = t>(a, a, c) => lop3<lut = u>(a, 0, c)", equal::<0, 1>
);
peephole!(
    both EQUAL_AC, benefit 3, "lop3-equal-ac",
    lop3 "<lut = t>(a, b, a) => lop3<lut = u>(a, b, 0)", equal::<0, 2>
);
peephole!(
    both EQUAL_BC, benefit 3, "lop3-equal-bc",
    lop3 "<lut = t>(a, b, b) => lop3<lut = u>(a, b, 0)", equal::<1, 2>
);
peephole!(
    both COMPOSE_A, benefit 2, "lop3-lop3-a",
    lop3 "<lut = t>(once lop3<lut = s>(p, q, r), d, e) => lop3<lut = u>(a, b, c)", compose::<0>
);
peephole!(
    both COMPOSE_B, benefit 2, "lop3-lop3-b",
    lop3 "<lut = t>(d, once lop3<lut = s>(p, q, r), e) => lop3<lut = u>(a, b, c)", compose::<1>
);
peephole!(
    both COMPOSE_C, benefit 2, "lop3-lop3-c",
    lop3 "<lut = t>(d, e, once lop3<lut = s>(p, q, r)) => lop3<lut = u>(a, b, c)", compose::<2>
);

peephole!(both P_COPY_A, benefit 4, "plop3-copy-a", plop3 "<lut = 0xf0>(a, _, _) => a");
peephole!(both P_COPY_B, benefit 4, "plop3-copy-b", plop3 "<lut = 0xcc>(_, b, _) => b");
peephole!(both P_COPY_C, benefit 4, "plop3-copy-c", plop3 "<lut = 0xaa>(_, _, c) => c");
peephole!(both P_FALSE, benefit 4, "plop3-false", plop3 "<lut = 0>(_, _, _) => 0");
peephole!(both P_TRUE, benefit 4, "plop3-true", plop3 "<lut = 0xff>(_, _, _) => 1");
peephole!(
    both P_CONSTANT_A, benefit 3, "plop3-constant-a",
    plop3 "<lut = t>(#k, b, c) => plop3<lut = u>(0, b, c)", constant::<0, 1>
);
peephole!(
    both P_CONSTANT_B, benefit 3, "plop3-constant-b",
    plop3 "<lut = t>(a, #k, c) => plop3<lut = u>(a, 0, c)", constant::<1, 1>
);
peephole!(
    both P_CONSTANT_C, benefit 3, "plop3-constant-c",
    plop3 "<lut = t>(a, b, #k) => plop3<lut = u>(a, b, 0)", constant::<2, 1>
);
peephole!(
    both P_UNUSED_A, benefit 3, "plop3-unused-a",
    plop3 "<lut = t>(a, b, c) => plop3<lut = t>(0, b, c)", unused::<0>
);
peephole!(
    both P_UNUSED_B, benefit 3, "plop3-unused-b",
    plop3 "<lut = t>(a, b, c) => plop3<lut = t>(a, 0, c)", unused::<1>
);
peephole!(
    both P_UNUSED_C, benefit 3, "plop3-unused-c",
    plop3 "<lut = t>(a, b, c) => plop3<lut = t>(a, b, 0)", unused::<2>
);
peephole!(
    both P_INVERTED_A, benefit 2, "plop3-not-a",
    plop3 "<lut = t>(not a, b, c) => plop3<lut = u>(a, b, c)", inverted::<0>
);
peephole!(
    both P_INVERTED_B, benefit 2, "plop3-not-b",
    plop3 "<lut = t>(a, not b, c) => plop3<lut = u>(a, b, c)", inverted::<1>
);
peephole!(
    both P_INVERTED_C, benefit 2, "plop3-not-c",
    plop3 "<lut = t>(a, b, not c) => plop3<lut = u>(a, b, c)", inverted::<2>
);
peephole!(
    both P_EQUAL_AB, benefit 3, "plop3-equal-ab",
    plop3 "<lut = t>(a, a, c) => plop3<lut = u>(a, 0, c)", equal::<0, 1>
);
peephole!(
    both P_EQUAL_AC, benefit 3, "plop3-equal-ac",
    plop3 "<lut = t>(a, b, a) => plop3<lut = u>(a, b, 0)", equal::<0, 2>
);
peephole!(
    both P_EQUAL_BC, benefit 3, "plop3-equal-bc",
    plop3 "<lut = t>(a, b, b) => plop3<lut = u>(a, b, 0)", equal::<1, 2>
);
peephole!(
    both P_COMPOSE_A, benefit 1, "plop3-plop3-a",
    plop3 "<lut = t>(once plop3<lut = s>(p, q, r), d, e) => plop3<lut = u>(a, b, c)", compose::<0>
);
peephole!(
    both P_COMPOSE_B, benefit 1, "plop3-plop3-b",
    plop3 "<lut = t>(d, once plop3<lut = s>(p, q, r), e) => plop3<lut = u>(a, b, c)", compose::<1>
);
peephole!(
    both P_COMPOSE_C, benefit 1, "plop3-plop3-c",
    plop3 "<lut = t>(d, e, once plop3<lut = s>(p, q, r)) => plop3<lut = u>(a, b, c)", compose::<2>
);

/// The rules of this family.
pub(super) static RULES: &[&[Rule]] = &[
    COPY_A,
    COPY_B,
    COPY_C,
    ZEROS,
    ONES,
    CONSTANT_A,
    CONSTANT_B,
    CONSTANT_C,
    UNUSED_A,
    UNUSED_B,
    UNUSED_C,
    EQUAL_AB,
    EQUAL_AC,
    EQUAL_BC,
    COMPOSE_A,
    COMPOSE_B,
    COMPOSE_C,
    P_COPY_A,
    P_COPY_B,
    P_COPY_C,
    P_FALSE,
    P_TRUE,
    P_CONSTANT_A,
    P_CONSTANT_B,
    P_CONSTANT_C,
    P_UNUSED_A,
    P_UNUSED_B,
    P_UNUSED_C,
    P_INVERTED_A,
    P_INVERTED_B,
    P_INVERTED_C,
    P_EQUAL_AB,
    P_EQUAL_AC,
    P_EQUAL_BC,
    P_COMPOSE_A,
    P_COMPOSE_B,
    P_COMPOSE_C,
];
