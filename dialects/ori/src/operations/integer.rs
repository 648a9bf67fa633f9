//! Integers of 32 bits: sums, products, bits, comparisons.

use orison_ir::declare::{I32Attr, UnitAttr};

use crate::declare::{arithmetic_operations, machine_operations};
use crate::keywords::{
    CompareAttr, DirectionAttr, ExtremumAttr, FormatAttr, PermutationAttr, SignednessAttr,
};
use crate::types::{INTEGER, P, PREDICATE, R, R64, SOURCE, WIDE_INTEGER};
use crate::verify;

use super::rules;

arithmetic_operations! {
    /// The sum of three integers, each negated or not, with carries in and out.
    Iadd3 = "ori.iadd3": carry(INTEGER, INTEGER, INTEGER, P) -> R;

    /// The low word of `a * b + c`.
    Imad = "ori.imad": carry(INTEGER, SOURCE, INTEGER, P) -> R, {
        /// Integer format of the factors.
        signedness = "signedness": optional(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// `a * b + c` with a 64-bit addend and result.
    ImadWide = "ori.imad_wide": carry(INTEGER, SOURCE, WIDE_INTEGER, P) -> R64, {
        /// Integer format of the factors.
        signedness = "signedness": required(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The high word of `a * b + c`, where `c` has 64 bits.
    ImadHi = "ori.imad_hi": carry(INTEGER, SOURCE, WIDE_INTEGER, P) -> R, {
        /// Integer format of the factors.
        signedness = "signedness": required(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// Any bitwise function of three values; `lut` is its truth table.
    ///
    /// Bit `4a + 2b + c` of the table is the result for the input bits a, b, c.
    Lop3 = "ori.lop3": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// The truth table, from 0 to 255.
        lut = "lut": required(I32Attr),
    }, verify verify::truth_tables;

    /// `(a << shift) + b`, or the high word of the shifted pair `c:a` plus `b`.
    Lea = "ori.lea": carry(INTEGER, INTEGER, SOURCE, P) -> R, {
        /// Shift amount of `a` in bits, from 0 to 31.
        shift = "shift": required(I32Attr),
        /// `.HI`: use the high word of the shifted pair.
        high = "high": optional(UnitAttr),
        /// `.SX32`: the high word is the sign of `a`.
        sign_extended = "sign_extended": optional(UnitAttr),
    }, verify rules::lea;

    /// Shifts the pair `c:a` by `b`; the result is one of its words.
    Shf = "ori.shf": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// Direction.
        direction = "direction": required(DirectionAttr),
        /// Integer format of the pair.
        signedness = "signedness": required(SignednessAttr),
        /// `.HI`: the high word is the result.
        high = "high": optional(UnitAttr),
        /// `.W`: the amount is taken modulo the width; it saturates otherwise.
        wrap = "wrap": optional(UnitAttr),
    };

    /// The sum of two integers on the packed datapath, from sm_90 on.
    Viadd = "ori.viadd": binary(INTEGER, INTEGER) -> R;

    /// The minimum or maximum of two integers.
    Imnmx = "ori.imnmx": select(SOURCE, SOURCE, PREDICATE) -> R, {
        /// Integer format of the operands.
        signedness = "signedness": required(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The minimum or maximum of two integers, from sm_90 on.
    Vimnmx = "ori.vimnmx": select(SOURCE, SOURCE, PREDICATE) -> R, {
        /// Integer format of the operands.
        signedness = "signedness": required(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The minimum or maximum of three integers, from sm_100 on.
    Vimnmx3 = "ori.vimnmx3": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// The operation.
        extremum = "extremum": required(ExtremumAttr),
        /// Integer format of the operands.
        signedness = "signedness": required(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The minimum or maximum of `a + b` and `c`, from sm_90 on.
    Viaddmnmx = "ori.viaddmnmx": ternary(INTEGER, INTEGER, SOURCE) -> R, {
        /// The operation.
        extremum = "extremum": required(ExtremumAttr),
        /// Integer format of the operands.
        signedness = "signedness": required(SignednessAttr),
        /// `.RELU`: a negative result is clamped to zero.
        relu = "relu": optional(UnitAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The absolute value.
    Iabs = "ori.iabs": unary(SOURCE) -> R;

    /// `|a - b| + c`.
    Vabsdiff = "ori.vabsdiff": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// Integer format of the operands.
        signedness = "signedness": optional(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The sum of `|a - b|` over four bytes, plus `c`.
    Vabsdiff4 = "ori.vabsdiff4": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// Integer format of the bytes.
        from = "from": required(FormatAttr),
    }, verify rules::byte_format;

    /// The dot product of four bytes (or of two halves and two bytes), plus `c`.
    Idp = "ori.idp": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// Integer format of the elements of `a`.
        left_format = "left_format": required(FormatAttr),
        /// Integer format of the elements of `b`.
        right_format = "right_format": required(FormatAttr),
        /// `.2A.LO`, `.2A.HI`: halves of `a` by the low or high bytes of `b`.
        halves = "halves": optional(UnitAttr),
        /// The high bytes of `b`.
        high = "high": optional(UnitAttr),
    }, verify rules::dot_product;

    /// A mask of `b` bits starting at bit `a`.
    Bmsk = "ori.bmsk": binary(SOURCE, SOURCE) -> R, {
        /// `.W`: position and width are taken modulo 32; they saturate otherwise.
        wrap = "wrap": optional(UnitAttr),
    };

    /// The low `b` bits of `a`, extended with their sign or zero.
    Sgxt = "ori.sgxt": binary(SOURCE, SOURCE) -> R, {
        /// Sign or zero extension.
        signedness = "signedness": required(SignednessAttr),
        /// `.W`: the width is taken modulo 32; it saturates otherwise.
        wrap = "wrap": optional(UnitAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The number of set bits.
    Popc = "ori.popc": unary(INTEGER) -> R;

    /// The index of the highest set bit (if signed, the highest one unlike the sign), or -1.
    Flo = "ori.flo": unary(INTEGER) -> R, {
        /// Integer format of the operand.
        signedness = "signedness": required(SignednessAttr),
        /// `.SH`: the result is the distance from the top bit.
        shift_amount = "shift_amount": optional(UnitAttr),
    }, verify rules::signed_or_unsigned_word;

    /// Reverses the order of the bits.
    Brev = "ori.brev": unary(SOURCE) -> R;

    /// Four bytes selected from `a` and `c` by the selector `b`.
    Prmt = "ori.prmt": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// Meaning of the selector.
        permutation = "permutation": default(PermutationAttr, crate::keywords::Permutation::Index),
    };

    /// Converts between integer widths, with saturation.
    I2i = "ori.i2i": unary(SOURCE) -> R, {
        /// Format of the result.
        to = "to": required(FormatAttr),
        /// Format of the source.
        from = "from": required(FormatAttr),
        /// `.SAT`: values out of range are clamped.
        saturate = "saturate": optional(UnitAttr),
    }, verify rules::integer_formats;

    /// Two integers, narrowed and packed below the low bits of `c`.
    I2ip = "ori.i2ip": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// Format of the result's elements.
        to = "to": required(FormatAttr),
        /// Format of the sources.
        from = "from": required(FormatAttr),
    }, verify rules::integer_formats;

    /// The carry-less product `a * b`, plus (exclusive or) `c`.
    Clmad = "ori.clmad": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// The result is the high word.
        high = "high": optional(UnitAttr),
    };

    /// Compares two integers.
    Isetp = "ori.isetp": comparison(SOURCE, SOURCE, PREDICATE) -> P, {
        /// The comparison.
        compare = "compare": required(CompareAttr),
        /// Integer format of the operands.
        signedness = "signedness": required(SignednessAttr),
        /// `.EX`: the high words; `low` is the outcome for the low words.
        extended = "extended": optional(UnitAttr),
    }, verify rules::integer_comparison;
}

machine_operations! {
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
        effects: None,
        verify: verify::truth_tables,
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
        effects: None,
        verify: verify::truth_tables,
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
        effects: None,
        verify: rules::predicate_mask,
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
        effects: None,
        verify: rules::predicate_mask,
    }
}
