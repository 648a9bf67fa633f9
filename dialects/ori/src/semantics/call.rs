//! The inputs of an operation: attributes, and operands with their modifiers applied.

use std::ops::Range;

use orison_ir::Context;
use orison_ir::declare::AttributeForm;
use orison_ir::numbers::{Direction, FloatKind, Number};
use orison_machine::words;

use super::{Bits, Description, Given};
use crate::keywords::{
    Combine, Compare, Extremum, FloatCompare, Format, Function, IntegerRounding, Keyword,
    Permutation, Rounding, Signedness,
};
use crate::modifiers::{Modifier, ModifierSet};
use crate::types::Register;

/// Width of a word in bits.
pub(super) const WORD: u32 = 32;

/// Maximum number of operand groups of a pure operation: four, the guard, and its alternatives.
const MAX_GROUPS: usize = 8;

/// The attributes of an operation, read once; absent flags are false, other absent attributes
/// `None`.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters {
    pub(super) signedness: Option<Signedness>,
    pub(super) compare: Option<Compare>,
    pub(super) float_compare: Option<FloatCompare>,
    pub(super) combine: Option<Combine>,
    pub(super) extremum: Option<Extremum>,
    pub(super) rounding: Option<Rounding>,
    pub(super) integer_rounding: Option<IntegerRounding>,
    pub(super) permutation: Option<Permutation>,
    pub(super) function: Option<Function>,
    pub(super) direction: Option<crate::keywords::Direction>,
    pub(super) to: Option<Format>,
    pub(super) from: Option<Format>,
    pub(super) left_format: Option<Format>,
    pub(super) right_format: Option<Format>,
    pub(super) lut: u8,
    pub(super) second_lut: u8,
    pub(super) shift: u32,
    pub(super) mask: u32,
    pub(super) word: u32,
    pub(super) value: i64,
    pub(super) extended: bool,
    pub(super) high: bool,
    pub(super) sign_extended: bool,
    pub(super) wrap: bool,
    pub(super) shift_amount: bool,
    pub(super) saturate: bool,
    pub(super) satfinite: bool,
    pub(super) relu: bool,
    pub(super) ftz: bool,
    pub(super) nan_wins: bool,
    pub(super) nan_is_zero: bool,
    pub(super) halves: bool,
    pub(super) together: bool,
    pub(super) float_result: bool,
    /// Start of each operand group, and the end of the last one.
    starts: [u8; MAX_GROUPS + 1],
    /// Widths of the operands in bits; 1 for predicates.
    widths: [u8; 16],
    /// Width of the first result in bits.
    pub(super) result_width: u32,
}

/// Width of a register in bits; 1 for predicates.
fn width(register: Register) -> u32 {
    register.words().map_or(1, |words| 32 * words)
}

impl Parameters {
    /// Reads the attributes.
    pub(super) fn read(context: &Context, from: &Description<'_>) -> Self {
        let mut starts = [0; MAX_GROUPS + 1];
        let mut sum = 0;
        for (number, start) in starts.iter_mut().enumerate() {
            *start = u8::try_from(sum).unwrap_or(u8::MAX);
            sum += from.groups.get(number).copied().unwrap_or(0);
        }
        let mut widths = [32; 16];
        for (to, register) in widths.iter_mut().zip(from.operands) {
            *to = u8::try_from(width(*register)).unwrap_or(u8::MAX);
        }
        let reader = Reader { context, from };
        Parameters {
            signedness: reader.word("signedness"),
            compare: reader.word("compare"),
            float_compare: reader.word("float_compare"),
            combine: reader.word("combine"),
            extremum: reader.word("extremum"),
            rounding: reader.word("rounding"),
            integer_rounding: reader.word("integer_rounding"),
            permutation: reader.word("permutation"),
            function: reader.word("function"),
            direction: reader.word("direction"),
            to: reader.word("to"),
            from: reader.word("from"),
            left_format: reader.word("left_format"),
            right_format: reader.word("right_format"),
            lut: reader.number("lut") as u8,
            second_lut: reader.number("second_lut") as u8,
            shift: reader.number("shift") as u32,
            mask: reader.number("mask") as u32,
            word: reader.number("word") as u32,
            value: reader.number("value"),
            extended: reader.flag("extended"),
            high: reader.flag("high"),
            sign_extended: reader.flag("sign_extended"),
            wrap: reader.flag("wrap"),
            shift_amount: reader.flag("shift_amount"),
            saturate: reader.flag("saturate"),
            satfinite: reader.flag("satfinite"),
            relu: reader.flag("relu"),
            ftz: reader.flag("ftz"),
            nan_wins: reader.flag("nan_wins"),
            nan_is_zero: reader.flag("nan_is_zero"),
            halves: reader.flag("halves"),
            together: reader.flag("together"),
            float_result: reader.flag("float_result"),
            starts,
            widths,
            result_width: from.results.first().map_or(0, |register| width(*register)),
        }
    }

    /// The direction in which float results are rounded.
    pub(super) fn direction_of_rounding(&self) -> Direction {
        direction_of(self.rounding)
    }

    /// Whether integers of 32 or 64 bits are signed.
    pub(super) fn is_signed(&self) -> bool {
        matches!(
            self.signedness,
            Some(Signedness::Signed | Signedness::SignedWide)
        )
    }
}

struct Reader<'a, 'b> {
    context: &'a Context,
    from: &'a Description<'b>,
}

impl Reader<'_, '_> {
    fn word<K: Keyword>(&self, key: &str) -> Option<K> {
        match (self.from.attribute)(key)? {
            Given::Attribute(attribute) => K::read(self.context, attribute),
            Given::Keyword(word) => K::from_keyword(word),
            Given::Number(_) | Given::Flag => None,
        }
    }

    fn number(&self, key: &str) -> i64 {
        match (self.from.attribute)(key) {
            Some(Given::Attribute(number)) => number.as_i64(self.context).unwrap_or(0),
            Some(Given::Number(number)) => number,
            _ => 0,
        }
    }

    fn flag(&self, key: &str) -> bool {
        (self.from.attribute)(key).is_some()
    }
}

/// One execution of an operation.
pub(super) struct Call<'a> {
    pub(super) parameters: &'a Parameters,
    pub(super) operands: &'a [Bits],
    pub(super) modifiers: &'a [ModifierSet],
}

impl Call<'_> {
    /// The indices of the operands of a declared group.
    pub(super) fn group(&self, group: usize) -> Range<usize> {
        let starts = &self.parameters.starts;
        let at = |group: usize| starts.get(group).map_or(0, |start| usize::from(*start));
        at(group)..at(group + 1)
    }

    pub(super) fn modifiers(&self, operand: usize) -> ModifierSet {
        self.modifiers.get(operand).copied().unwrap_or_default()
    }

    fn has(&self, operand: usize, modifier: Modifier) -> bool {
        self.modifiers(operand).contains(modifier)
    }

    /// The bits of an operand without modifiers; zero if it is absent.
    pub(super) fn raw(&self, operand: usize) -> Bits {
        self.operands.get(operand).copied().unwrap_or(0)
    }

    /// The low 32 bits without modifiers.
    pub(super) fn word(&self, operand: usize) -> u64 {
        words::part(WORD, false, self.raw(operand) as u64)
    }

    /// Width of an operand in bits.
    pub(super) fn width(&self, operand: usize) -> u32 {
        self.parameters
            .widths
            .get(operand)
            .map_or(32, |width| u32::from(*width))
    }

    /// A term of a sum: the bits with `not` applied, and 1 if `neg` requires the two's complement
    /// of inverted bits, so that carries match the machine's.
    pub(super) fn term(&self, operand: usize) -> (u64, u64) {
        let width = if self.width(operand) == 64 { 64 } else { WORD };
        let bits = words::mask(width) & self.raw(operand) as u64;
        if self.has(operand, Modifier::Negate) {
            (words::not(width, bits), 1)
        } else if self.has(operand, Modifier::Invert) {
            (words::not(width, bits), 0)
        } else {
            (bits, 0)
        }
    }

    /// A word as an integer, with `neg` or `not` applied.
    pub(super) fn integer(&self, operand: usize) -> u64 {
        let (bits, more) = self.term(operand);
        words::part(WORD, false, bits + more)
    }

    /// Whether an operand has the modifier `neg`.
    pub(super) fn is_negated(&self, operand: usize) -> bool {
        self.has(operand, Modifier::Negate)
    }

    /// A predicate, with `not` applied.
    pub(super) fn predicate(&self, operand: usize) -> bool {
        (self.raw(operand) & 1 == 1) != self.has(operand, Modifier::Invert)
    }

    /// The predicate of an optional group.
    pub(super) fn optional_predicate(&self, group: usize) -> Option<bool> {
        let mut range = self.group(group);
        range.next().map(|operand| self.predicate(operand))
    }

    /// A float given by its low bits, with `abs`, then `neg` of an operand applied.
    pub(super) fn float_bits(&self, operand: usize, bits: Bits, kind: FloatKind) -> Bits {
        let sign = 1 << (kind.width() - 1);
        let mut bits = bits & (sign | (sign - 1));
        if self.has(operand, Modifier::Absolute) {
            bits &= !sign;
        }
        if self.has(operand, Modifier::Negate) {
            bits ^= sign;
        }
        if self.parameters.ftz {
            bits = super::arithmetic::flushed(bits, kind);
        }
        bits
    }

    /// The encoding of the float in the low bits, with modifiers applied.
    pub(super) fn float(&self, operand: usize, kind: FloatKind) -> Bits {
        self.float_bits(operand, self.raw(operand), kind)
    }

    /// The value of the float in the low bits, with modifiers applied.
    pub(super) fn number(&self, operand: usize, kind: FloatKind) -> Number {
        Number::decode(kind, self.float(operand, kind))
    }

    /// The encodings of the low and high half of a pair, with modifiers applied.
    pub(super) fn halves(&self, operand: usize, kind: FloatKind) -> [Bits; 2] {
        let bits = self.raw(operand);
        let (low, high) = (bits & 0xFFFF, bits >> 16 & 0xFFFF);
        let pair = match () {
            () if self.has(operand, Modifier::LowHalf) => [low, low],
            () if self.has(operand, Modifier::HighHalf) => [high, high],
            () => [low, high],
        };
        pair.map(|half| self.float_bits(operand, half, kind))
    }
}

/// The direction of a rounding mode; to nearest by default.
pub fn direction_of(rounding: Option<Rounding>) -> Direction {
    match rounding {
        None | Some(Rounding::Nearest) => Direction::NearestEven,
        Some(Rounding::Zero) => Direction::Zero,
        Some(Rounding::Down) => Direction::Down,
        Some(Rounding::Up) => Direction::Up,
    }
}

/// The format of a float; `None` for integers.
pub fn float_kind(format: Format) -> Option<FloatKind> {
    Some(match format {
        Format::F16 => FloatKind::F16,
        Format::Bf16 => FloatKind::BF16,
        Format::F32 => FloatKind::F32,
        Format::F64 => FloatKind::F64,
        Format::Tf32 => FloatKind::TF32,
        Format::E4m3 => FloatKind::F8E4M3FN,
        Format::E5m2 => FloatKind::F8E5M2,
        Format::E3m2 => FloatKind::F6E3M2FN,
        Format::E2m3 => FloatKind::F6E2M3FN,
        Format::E2m1 => FloatKind::F4E2M1FN,
        Format::Ue8m0 => FloatKind::F8E8M0FNU,
        _ => return None,
    })
}

/// Width of an integer format in bits, and whether it is signed; `None` for floats.
pub(super) fn integer_kind(format: Format) -> Option<(u32, bool)> {
    Some(match format {
        Format::U8 => (8, false),
        Format::S8 => (8, true),
        Format::U16 => (16, false),
        Format::S16 => (16, true),
        Format::U32 => (32, false),
        Format::S32 => (32, true),
        Format::U64 => (64, false),
        Format::S64 => (64, true),
        Format::U4 => (4, false),
        Format::S4 => (4, true),
        Format::B1 => (1, false),
        _ => return None,
    })
}

/// The low bits as an integer of a format of at most 64 bits.
pub(super) fn extend(bits: Bits, width: u32, signed: bool) -> i128 {
    if signed {
        words::signed(width, bits as u64).into()
    } else {
        (bits as u64 & words::mask(width)).into()
    }
}

/// The bits of an integer in a register of 32 or 64 bits.
pub(super) fn register_bits(value: i128, width: u32) -> Bits {
    value.cast_unsigned() & ((1 << width) - 1)
}
