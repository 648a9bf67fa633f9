//! The uniform datapath: one value per warp. Variants of integer and float operations.

use orison_ir::declare::{Effects, I32Attr, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{
    Compare, Direction, FloatCompare, Format, Permutation, Rounding, Signedness,
};
use crate::types::{
    UNIFORM, UNIFORM_FLOAT, UNIFORM_INTEGER, UNIFORM_PREDICATE, UNIFORM_WIDE_INTEGER, UP, UR, UR64,
};
use crate::verify;

use super::rules;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    /// Uniform variant of `ori.iadd3`.
    op Uiadd3 = "ori.uiadd3": carry(UNIFORM_INTEGER, UNIFORM_INTEGER, UNIFORM_INTEGER, UP, UR);

    /// Uniform variant of `ori.imad`.
    op Uimad = "ori.uimad": carry(UNIFORM_INTEGER, UNIFORM, UNIFORM_INTEGER, UP, UR) {
        attributes {
            /// Integer format of the factors.
            signedness = "signedness": optional(Signedness),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// Uniform variant of `ori.imad_wide`.
    op UimadWide = "ori.uimad_wide": carry(UNIFORM_INTEGER, UNIFORM, UNIFORM_WIDE_INTEGER, UP, UR64) {
        attributes {
            /// Integer format of the factors.
            signedness = "signedness": required(Signedness),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// Uniform variant of `ori.lop3`.
    op Ulop3 = "ori.ulop3": ternary(UNIFORM, UNIFORM, UNIFORM, UR) {
        attributes {
            /// The truth table, from 0 to 255.
            lut = "lut": required(I32Attr),
        }
        with { verify: Some(verify::truth_tables) }
    }

    /// Uniform variant of `ori.lea`.
    op Ulea = "ori.ulea": carry(UNIFORM_INTEGER, UNIFORM_INTEGER, UNIFORM, UP, UR) {
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

    /// Uniform variant of `ori.shf`.
    op Ushf = "ori.ushf": ternary(UNIFORM, UNIFORM, UNIFORM, UR) {
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

    /// Uniform variant of `ori.prmt`.
    op Uprmt = "ori.uprmt": ternary(UNIFORM, UNIFORM, UNIFORM, UR) {
        attributes {
            /// Meaning of the selector.
            permutation = "permutation": default(Permutation, crate::keywords::Permutation::Index),
        }
    }

    /// Uniform variant of `ori.sel`.
    op Usel = "ori.usel": select(UNIFORM, UNIFORM, UNIFORM_PREDICATE, UR);

    /// Uniform variant of `ori.vimnmx`, from sm_100 on.
    op Uimnmx = "ori.uimnmx": select(UNIFORM, UNIFORM, UNIFORM_PREDICATE, UR) {
        attributes {
            /// Integer format of the operands.
            signedness = "signedness": required(Signedness),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// Uniform variant of `ori.sgxt`.
    op Usgxt = "ori.usgxt": binary(UNIFORM, UNIFORM, UR) {
        attributes {
            /// Sign or zero extension.
            signedness = "signedness": required(Signedness),
            /// `.W`: the width is taken modulo 32; it saturates otherwise.
            wrap = "wrap": optional(UnitAttr),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// Uniform variant of `ori.bmsk`.
    op Ubmsk = "ori.ubmsk": binary(UNIFORM, UNIFORM, UR) {
        attributes {
            /// `.W`: position and width are taken modulo 32; they saturate otherwise.
            wrap = "wrap": optional(UnitAttr),
        }
    }

    /// Uniform variant of `ori.popc`.
    op Upopc = "ori.upopc": unary(UNIFORM_INTEGER, UR);

    /// Uniform variant of `ori.flo`.
    op Uflo = "ori.uflo": unary(UNIFORM_INTEGER, UR) {
        attributes {
            /// Integer format of the operand.
            signedness = "signedness": required(Signedness),
            /// `.SH`: the result is the distance from the top bit.
            shift_amount = "shift_amount": optional(UnitAttr),
        }
        with { verify: Some(rules::signed_or_unsigned_word) }
    }

    /// Uniform variant of `ori.brev`.
    op Ubrev = "ori.ubrev": unary(UNIFORM, UR);

    /// Uniform variant of `ori.isetp`.
    op Uisetp = "ori.uisetp": comparison(UNIFORM, UNIFORM, UNIFORM_PREDICATE, UP) {
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

    /// Uniform variant of `ori.fadd`, from sm_100 on.
    op Ufadd = "ori.ufadd": binary(UNIFORM_FLOAT, UNIFORM_FLOAT, UR) {
        attributes {
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
        }
    }

    /// Uniform variant of `ori.fmul`, from sm_100 on.
    op Ufmul = "ori.ufmul": binary(UNIFORM_FLOAT, UNIFORM_FLOAT, UR) {
        attributes {
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
        }
    }

    /// Uniform variant of `ori.ffma`, from sm_100 on.
    op Uffma = "ori.uffma": ternary(UNIFORM_FLOAT, UNIFORM_FLOAT, UNIFORM_FLOAT, UR) {
        attributes {
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
        }
    }

    /// Uniform variant of `ori.fsel`, from sm_100 on.
    op Ufsel = "ori.ufsel": select(UNIFORM_FLOAT, UNIFORM_FLOAT, UNIFORM_PREDICATE, UR);

    /// Uniform variant of `ori.fsetp`, from sm_100 on.
    op Ufsetp = "ori.ufsetp": comparison(UNIFORM_FLOAT, UNIFORM_FLOAT, UNIFORM_PREDICATE, UP) {
        attributes {
            /// The comparison.
            compare = "float_compare": required(FloatCompare),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
        }
        with { verify: Some(rules::no_low_outcome) }
    }

    /// Uniform variant of `ori.f2fp`.
    op Uf2fp = "ori.uf2fp": binary(UNIFORM_FLOAT, UNIFORM_FLOAT, UR) {
        attributes {
            /// Format of the halves.
            to = "to": required(Format),
            /// Format of the sources.
            from = "from": default(Format, crate::keywords::Format::F32),
        }
        with { verify: Some(rules::packed_floats) }
    }

    /// Uniform variant of `ori.i2fp`, from sm_100 on.
    op Ui2fp = "ori.ui2fp": unary(UNIFORM, UR) {
        attributes {
            /// Format of the source.
            from = "from": required(Format),
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
        }
        with { verify: Some(rules::word_format) }
    }

    /// Uniform variant of `ori.plop3`.
    op Uplop3 = "ori.uplop3" {
        operands {
            /// The first predicate.
            a: one(UNIFORM_PREDICATE),
            /// The second predicate.
            b: one(UNIFORM_PREDICATE),
            /// The third predicate.
            c: one(UNIFORM_PREDICATE),
        }
        results {
            /// The first function.
            result: one(UP),
            /// The second function; at most one.
            second: variadic(UP),
        }
        attributes {
            /// The truth table of the first function, as in `ori.lop3`.
            lut = "lut": required(I32Attr),
            /// The truth table of the second function; zero if absent.
            second_lut = "second_lut": optional(I32Attr),
        }
        with { effects: Effects::None, verify: Some(verify::truth_tables) }
    }

    /// Uniform variant of `ori.p2r`.
    op Up2ur = "ori.up2ur" {
        operands {
            /// Value of the remaining bits.
            background: one(UNIFORM),
            /// The predicates, starting at bit 0.
            predicates: variadic(UNIFORM_PREDICATE),
        }
        results {
            /// The register.
            result: one(UR),
        }
        attributes {
            /// Mask of the bits taken from predicates, from 0 to 127.
            mask = "mask": required(I32Attr),
        }
        with { effects: Effects::None, verify: Some(rules::predicate_mask) }
    }
}
