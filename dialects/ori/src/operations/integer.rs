//! Integers of 32 bits: sums, products, bits, comparisons.

use orison_ir::declare::{Effects, I32Attr, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{Compare, Direction, Extremum, Format, Permutation, Signedness};
use crate::types::{INTEGER, P, PREDICATE, R, R64, SOURCE, WIDE_INTEGER};
use crate::verify;

use super::rules;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    /// The sum of three integers, each negated or not, with carries in and out.
    op Iadd3 = "ori.iadd3": carry(INTEGER, INTEGER, INTEGER, P, R);

    /// The low word of `a * b + c`.
    op Imad = "ori.imad": carry(INTEGER, SOURCE, INTEGER, P, R) {
        attributes {
            /// Integer format of the factors.
            signedness = "signedness": optional(Signedness),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// `a * b + c` with a 64-bit addend and result.
    op ImadWide = "ori.imad_wide": carry(INTEGER, SOURCE, WIDE_INTEGER, P, R64) {
        attributes {
            /// Integer format of the factors.
            signedness = "signedness": required(Signedness),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// The high word of `a * b + c`, where `c` has 64 bits.
    op ImadHi = "ori.imad_hi": carry(INTEGER, SOURCE, WIDE_INTEGER, P, R) {
        attributes {
            /// Integer format of the factors.
            signedness = "signedness": required(Signedness),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// Any bitwise function of three values; `lut` is its truth table.
    ///
    /// Bit `4a + 2b + c` of the table is the result for the input bits a, b, c.
    op Lop3 = "ori.lop3": ternary(SOURCE, SOURCE, SOURCE, R) {
        attributes {
            /// The truth table, from 0 to 255.
            lut = "lut": required(I32Attr),
        }
        with { verify: Some(verify::truth_tables) }
    }

    /// `(a << shift) + b`, or the high word of the shifted pair `c:a` plus `b`.
    op Lea = "ori.lea": carry(INTEGER, INTEGER, SOURCE, P, R) {
        attributes {
            /// Shift amount of `a` in bits, from 0 to 31.
            shift = "shift": required(I32Attr),
            /// `.HI`: use the high word of the shifted pair.
            high = "high": optional(UnitAttr),
            /// `.SX32`: the high word is the sign of `a`.
            sign_extended = "sign_extended": optional(UnitAttr),
        }
        with { verify: Some(rules::lea) }
    }

    /// Shifts the pair `c:a` by `b`; the result is one of its words.
    op Shf = "ori.shf": ternary(SOURCE, SOURCE, SOURCE, R) {
        attributes {
            /// Direction.
            direction = "direction": required(Direction),
            /// Integer format of the pair.
            signedness = "signedness": required(Signedness),
            /// `.HI`: the high word is the result.
            high = "high": optional(UnitAttr),
            /// `.W`: the amount is taken modulo the width; it saturates otherwise.
            wrap = "wrap": optional(UnitAttr),
        }
    }

    /// The sum of two integers on the packed datapath, from sm_90 on.
    op Viadd = "ori.viadd": binary(INTEGER, INTEGER, R);

    /// The minimum or maximum of two integers.
    op Imnmx = "ori.imnmx": select(SOURCE, SOURCE, PREDICATE, R) {
        attributes {
            /// Integer format of the operands.
            signedness = "signedness": required(Signedness),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// The minimum or maximum of two integers, from sm_90 on.
    op Vimnmx = "ori.vimnmx": select(SOURCE, SOURCE, PREDICATE, R) {
        attributes {
            /// Integer format of the operands.
            signedness = "signedness": required(Signedness),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// The minimum or maximum of three integers, from sm_100 on.
    op Vimnmx3 = "ori.vimnmx3": ternary(SOURCE, SOURCE, SOURCE, R) {
        attributes {
            /// The operation.
            extremum = "extremum": required(Extremum),
            /// Integer format of the operands.
            signedness = "signedness": required(Signedness),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// The minimum or maximum of `a + b` and `c`, from sm_90 on.
    op Viaddmnmx = "ori.viaddmnmx": ternary(INTEGER, INTEGER, SOURCE, R) {
        attributes {
            /// The operation.
            extremum = "extremum": required(Extremum),
            /// Integer format of the operands.
            signedness = "signedness": required(Signedness),
            /// `.RELU`: a negative result is clamped to zero.
            relu = "relu": optional(UnitAttr),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// The absolute value.
    op Iabs = "ori.iabs": unary(SOURCE, R);

    /// `|a - b| + c`.
    op Vabsdiff = "ori.vabsdiff": ternary(SOURCE, SOURCE, SOURCE, R) {
        attributes {
            /// Integer format of the operands.
            signedness = "signedness": optional(Signedness),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// The sum of `|a - b|` over four bytes, plus `c`.
    op Vabsdiff4 = "ori.vabsdiff4": ternary(SOURCE, SOURCE, SOURCE, R) {
        attributes {
            /// Integer format of the bytes.
            from = "from": required(Format),
        }
        with { verify: Some(rules::byte_format) }
    }

    /// The dot product of four bytes (or of two halves and two bytes), plus `c`.
    op Idp = "ori.idp": ternary(SOURCE, SOURCE, SOURCE, R) {
        attributes {
            /// Integer format of the elements of `a`.
            left_format = "left_format": required(Format),
            /// Integer format of the elements of `b`.
            right_format = "right_format": required(Format),
            /// `.2A.LO`, `.2A.HI`: halves of `a` by the low or high bytes of `b`.
            halves = "halves": optional(UnitAttr),
            /// The high bytes of `b`.
            high = "high": optional(UnitAttr),
        }
        with { verify: Some(rules::dot_product) }
    }

    /// A mask of `b` bits starting at bit `a`.
    op Bmsk = "ori.bmsk": binary(SOURCE, SOURCE, R) {
        attributes {
            /// `.W`: position and width are taken modulo 32; they saturate otherwise.
            wrap = "wrap": optional(UnitAttr),
        }
    }

    /// The low `b` bits of `a`, extended with their sign or zero.
    op Sgxt = "ori.sgxt": binary(SOURCE, SOURCE, R) {
        attributes {
            /// Sign or zero extension.
            signedness = "signedness": required(Signedness),
            /// `.W`: the width is taken modulo 32; it saturates otherwise.
            wrap = "wrap": optional(UnitAttr),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// The number of set bits.
    op Popc = "ori.popc": unary(INTEGER, R);

    /// The index of the highest set bit (if signed, the highest one unlike the sign), or -1.
    op Flo = "ori.flo": unary(INTEGER, R) {
        attributes {
            /// Integer format of the operand.
            signedness = "signedness": required(Signedness),
            /// `.SH`: the result is the distance from the top bit.
            shift_amount = "shift_amount": optional(UnitAttr),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// Reverses the order of the bits.
    op Brev = "ori.brev": unary(SOURCE, R);

    /// Four bytes selected from `a` and `c` by the selector `b`.
    op Prmt = "ori.prmt": ternary(SOURCE, SOURCE, SOURCE, R) {
        attributes {
            /// Meaning of the selector.
            permutation = "permutation": default(Permutation, crate::keywords::Permutation::Index),
        }
    }

    /// Converts between integer widths, with saturation.
    op I2i = "ori.i2i": unary(SOURCE, R) {
        attributes {
            /// Format of the result.
            to = "to": required(Format),
            /// Format of the source.
            from = "from": required(Format),
            /// `.SAT`: values out of range are clamped.
            saturate = "saturate": optional(UnitAttr),
        }
        with { verify: Some(rules::integer_formats) }
    }

    /// Two integers, narrowed and packed below the low bits of `c`.
    op I2ip = "ori.i2ip": ternary(SOURCE, SOURCE, SOURCE, R) {
        attributes {
            /// Format of the result's elements.
            to = "to": required(Format),
            /// Format of the sources.
            from = "from": required(Format),
        }
        with { verify: Some(rules::integer_formats) }
    }

    /// The carry-less product `a * b`, plus (exclusive or) `c`.
    op Clmad = "ori.clmad": ternary(SOURCE, SOURCE, SOURCE, R) {
        attributes {
            /// The result is the high word.
            high = "high": optional(UnitAttr),
        }
    }

    /// Compares two integers.
    op Isetp = "ori.isetp": comparison(SOURCE, SOURCE, PREDICATE, P) {
        attributes {
            /// The comparison.
            compare = "compare": required(Compare),
            /// Integer format of the operands.
            signedness = "signedness": required(Signedness),
            /// `.EX`: the high words; `low` is the outcome for the low words.
            extended = "extended": optional(UnitAttr),
        }
        with { verify: Some(rules::integer_comparison) }
    }

    /// One or two functions of three predicates.
    op Plop3 = "ori.plop3" {
        operands {
            /// The first predicate.
            a: one(PREDICATE),
            /// The second predicate.
            b: one(PREDICATE),
            /// The third predicate.
            c: one(PREDICATE),
        }
        results {
            /// The first function.
            result: one(P),
            /// The second function; at most one.
            second: variadic(P),
        }
        attributes {
            /// The truth table of the first function, as in `ori.lop3`.
            lut = "lut": required(I32Attr),
            /// The truth table of the second function; zero if absent.
            second_lut = "second_lut": optional(I32Attr),
        }
        with { effects: Effects::None, verify: Some(verify::truth_tables) }
    }

    /// Any bitwise function of three values, and whether the result is nonzero.
    op Lop3Test = "ori.lop3_test" {
        operands {
            /// The first source.
            a: one(SOURCE),
            /// The second source.
            b: one(SOURCE),
            /// The third source.
            c: one(SOURCE),
            /// Predicate combined with the test by or.
            with: optional(PREDICATE),
        }
        results {
            /// The result of the bitwise function.
            result: one(R),
            /// Whether the result is nonzero or `with` is true.
            nonzero: one(P),
        }
        attributes {
            /// The truth table, from 0 to 255.
            lut = "lut": required(I32Attr),
        }
        with { effects: Effects::None, verify: Some(verify::truth_tables) }
    }

    /// Packs predicates into the low bits of a register, under a mask.
    op P2r = "ori.p2r" {
        operands {
            /// Value of the remaining bits.
            background: one(SOURCE),
            /// The predicates, starting at bit 0.
            predicates: variadic(PREDICATE),
        }
        results {
            /// The register.
            result: one(R),
        }
        attributes {
            /// Mask of the bits taken from predicates, from 0 to 127.
            mask = "mask": required(I32Attr),
        }
        with { effects: Effects::None, verify: Some(rules::predicate_mask) }
    }

    /// Unpacks the low bits of a register into predicates, under a mask.
    op R2p = "ori.r2p" {
        operands {
            /// The register.
            a: one(SOURCE),
        }
        results {
            /// The predicates, starting at bit 0 of the mask.
            predicates: variadic(P),
        }
        attributes {
            /// Mask of the bits that become predicates, from 0 to 127.
            mask = "mask": required(I32Attr),
        }
        with { effects: Effects::None, verify: Some(rules::predicate_mask) }
    }
}
