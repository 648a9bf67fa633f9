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
        /// How the factors are read.
        signedness = "signedness": optional(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// `a * b + c` with a 64-bit addend and result.
    ImadWide = "ori.imad_wide": carry(INTEGER, SOURCE, WIDE_INTEGER, P) -> R64, {
        /// How the factors are read.
        signedness = "signedness": required(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The high word of `a * b + c`, where `c` has 64 bits.
    ImadHi = "ori.imad_hi": carry(INTEGER, SOURCE, WIDE_INTEGER, P) -> R, {
        /// How the factors are read.
        signedness = "signedness": required(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// Any function of three bits, bit by bit: the truth table is in `lut`.
    ///
    /// Bit `4a + 2b + c` of the table is the result for the input bits a, b, c.
    Lop3 = "ori.lop3": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// The truth table, from 0 to 255.
        lut = "lut": required(I32Attr),
    }, verify verify::truth_tables;

    /// `(a << shift) + b`, or the high word of the shifted pair `c:a` plus `b`.
    Lea = "ori.lea": carry(INTEGER, INTEGER, SOURCE, P) -> R, {
        /// By how many bits `a` is shifted, from 0 to 31.
        shift = "shift": required(I32Attr),
        /// `.HI`: the high word of the shifted pair is taken.
        high = "high": optional(UnitAttr),
        /// `.SX32`: the high word is the sign of `a`.
        sign_extended = "sign_extended": optional(UnitAttr),
    }, verify rules::lea;

    /// Shifts the pair `c:a` by `b`; the result is one of its words.
    Shf = "ori.shf": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// Which way.
        direction = "direction": required(DirectionAttr),
        /// How the pair is read.
        signedness = "signedness": required(SignednessAttr),
        /// `.HI`: the high word is the result.
        high = "high": optional(UnitAttr),
        /// `.W`: the amount is taken modulo the width; it saturates otherwise.
        wrap = "wrap": optional(UnitAttr),
    };

    /// The sum of two integers on the packed datapath, from sm_90 on.
    Viadd = "ori.viadd": binary(INTEGER, INTEGER) -> R;

    /// The smaller or larger of two integers.
    Imnmx = "ori.imnmx": select(SOURCE, SOURCE, PREDICATE) -> R, {
        /// How they are read.
        signedness = "signedness": required(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The smaller or larger of two integers, from sm_90 on.
    Vimnmx = "ori.vimnmx": select(SOURCE, SOURCE, PREDICATE) -> R, {
        /// How they are read.
        signedness = "signedness": required(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The smallest or largest of three integers, from sm_100 on.
    Vimnmx3 = "ori.vimnmx3": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// Which.
        extremum = "extremum": required(ExtremumAttr),
        /// How they are read.
        signedness = "signedness": required(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The smaller or larger of `a + b` and `c`, from sm_90 on.
    Viaddmnmx = "ori.viaddmnmx": ternary(INTEGER, INTEGER, SOURCE) -> R, {
        /// Which.
        extremum = "extremum": required(ExtremumAttr),
        /// How they are read.
        signedness = "signedness": required(SignednessAttr),
        /// `.RELU`: no less than zero.
        relu = "relu": optional(UnitAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The absolute value.
    Iabs = "ori.iabs": unary(SOURCE) -> R;

    /// `|a - b| + c`.
    Vabsdiff = "ori.vabsdiff": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// How they are read.
        signedness = "signedness": optional(SignednessAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The sum of `|a - b|` over four bytes, plus `c`.
    Vabsdiff4 = "ori.vabsdiff4": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// How the bytes are read.
        from = "from": required(FormatAttr),
    }, verify rules::byte_format;

    /// The dot product of four bytes (or of two halves and two bytes), plus `c`.
    Idp = "ori.idp": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// How the elements of `a` are read.
        left_format = "left_format": required(FormatAttr),
        /// How the elements of `b` are read.
        right_format = "right_format": required(FormatAttr),
        /// `.2A.LO`, `.2A.HI`: halves of `a` by the low or high bytes of `b`.
        halves = "halves": optional(UnitAttr),
        /// The high bytes of `b`.
        high = "high": optional(UnitAttr),
    }, verify rules::dot_product;

    /// A mask of `b` bits from bit `a` on.
    Bmsk = "ori.bmsk": binary(SOURCE, SOURCE) -> R, {
        /// `.W`: position and width are taken modulo 32; they saturate otherwise.
        wrap = "wrap": optional(UnitAttr),
    };

    /// The low `b` bits of `a`, extended with their sign or zero.
    Sgxt = "ori.sgxt": binary(SOURCE, SOURCE) -> R, {
        /// With what it is extended.
        signedness = "signedness": required(SignednessAttr),
        /// `.W`: the width is taken modulo 32; it saturates otherwise.
        wrap = "wrap": optional(UnitAttr),
    }, verify rules::signed_or_unsigned_word;

    /// The number of bits that are set.
    Popc = "ori.popc": unary(INTEGER) -> R;

    /// The number of the highest bit that is set (that differs from the sign, if signed), or -1.
    Flo = "ori.flo": unary(INTEGER) -> R, {
        /// How it is read.
        signedness = "signedness": required(SignednessAttr),
        /// `.SH`: the distance from the top is the result.
        shift_amount = "shift_amount": optional(UnitAttr),
    }, verify rules::signed_or_unsigned_word;

    /// All bits in opposite order.
    Brev = "ori.brev": unary(SOURCE) -> R;

    /// Four bytes chosen from `a` and `c`; `b` says which.
    Prmt = "ori.prmt": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// What the selector means.
        permutation = "permutation": default(PermutationAttr, crate::keywords::Permutation::Index),
    };

    /// From one integer width to another, with saturation.
    I2i = "ori.i2i": unary(SOURCE) -> R, {
        /// Format of the result.
        to = "to": required(FormatAttr),
        /// Format of the source.
        from = "from": required(FormatAttr),
        /// `.SAT`: what does not fit becomes the nearest number that does.
        saturate = "saturate": optional(UnitAttr),
    }, verify rules::integer_formats;

    /// Two integers, narrowed and packed behind the bits of `c`.
    I2ip = "ori.i2ip": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// Format of the result's elements.
        to = "to": required(FormatAttr),
        /// Format of the sources.
        from = "from": required(FormatAttr),
    }, verify rules::integer_formats;

    /// The carry-less product `a * b`, plus (exclusive or) `c`.
    Clmad = "ori.clmad": ternary(SOURCE, SOURCE, SOURCE) -> R, {
        /// The high word is the result.
        high = "high": optional(UnitAttr),
    };

    /// Compares two integers.
    Isetp = "ori.isetp": comparison(SOURCE, SOURCE, PREDICATE) -> P, {
        /// How they are compared.
        compare = "compare": required(CompareAttr),
        /// How they are read.
        signedness = "signedness": required(SignednessAttr),
        /// `.EX`: the high words; `low` is the outcome for the low words.
        extended = "extended": optional(UnitAttr),
    }, verify rules::integer_comparison;
}

machine_operations! {
    /// Any function of three predicates, and a second one.
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
            /// The truth table of the second function; zero when absent.
            second_lut = "second_lut": optional(I32Attr),
        }
        effects: None,
        verify: verify::truth_tables,
    }

    /// Any function of three bits, and whether it is anything but zero.
    op Lop3Test = "ori.lop3_test" {
        operands {
            /// The first source.
            a: one(SOURCE),
            /// The second source.
            b: one(SOURCE),
            /// The third source.
            c: one(SOURCE),
            /// A predicate that makes the test true.
            with: optional(PREDICATE),
        }
        results {
            /// The function, bit by bit.
            result: one(R),
            /// Whether a bit of it is set, or `with`.
            nonzero: one(P),
        }
        attributes {
            /// The truth table, from 0 to 255.
            lut = "lut": required(I32Attr),
        }
        effects: None,
        verify: verify::truth_tables,
    }

    /// Predicates as the low bits of a register, under a mask.
    op P2r = "ori.p2r" {
        operands {
            /// What the other bits are.
            background: one(SOURCE),
            /// The predicates, from bit 0 on.
            predicates: variadic(PREDICATE),
        }
        results {
            /// The register.
            result: one(R),
        }
        attributes {
            /// Which bits are taken from predicates, from 0 to 127.
            mask = "mask": required(I32Attr),
        }
        effects: None,
        verify: rules::predicate_mask,
    }

    /// The low bits of a register as predicates, under a mask.
    op R2p = "ori.r2p" {
        operands {
            /// The register.
            a: one(SOURCE),
        }
        results {
            /// The predicates, from bit 0 of the mask on.
            predicates: variadic(P),
        }
        attributes {
            /// Which bits become predicates, from 0 to 127.
            mask = "mask": required(I32Attr),
        }
        effects: None,
        verify: rules::predicate_mask,
    }
}
