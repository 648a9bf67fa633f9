//! What instructions compute on integers, for words of any width.
//!
//! A value of `width` bits is in the low bits of a `u64`; the bits above are zero, in operands and
//! in results. Words have from 1 to 32 bits, pairs of words twice as many. Programs have words of
//! 32 bits; narrower ones let tests compute with all values.
//!
//! Constant folding, the interpreter of warps, equality saturation and the tests of its rules all
//! compute with these functions. Floats are in `orison_ir::numbers`, which has their formats.

use std::cmp::Ordering;

/// The bits of a value of 1 to 64 bits.
#[inline]
pub fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The value of a two's complement number of 1 to 64 bits; higher bits are ignored.
#[inline]
pub fn signed(width: u32, a: u64) -> i64 {
    (a << (64 - width)).cast_signed() >> (64 - width)
}

/// All bits inverted.
#[inline]
pub fn not(width: u32, a: u64) -> u64 {
    !a & mask(width)
}

/// The two's complement.
#[inline]
pub fn negate(width: u32, a: u64) -> u64 {
    a.wrapping_neg() & mask(width)
}

/// The sum of three values and a number of carries: its low `width` bits, and the number of carries
/// out.
#[inline]
pub fn sum(width: u32, [a, b, c]: [u64; 3], carries: u64) -> (u64, u64) {
    let sum = a as u128 + b as u128 + c as u128 + carries as u128;
    (sum as u64 & mask(width), (sum >> width) as u64)
}

/// The low word of a product.
#[inline]
pub fn product(width: u32, a: u64, b: u64) -> u64 {
    a.wrapping_mul(b) & mask(width)
}

/// The product of two words as a pair.
#[inline]
pub fn wide_product(width: u32, is_signed: bool, a: u64, b: u64) -> u64 {
    let (a, b) = if is_signed {
        (
            signed(width, a).cast_unsigned(),
            signed(width, b).cast_unsigned(),
        )
    } else {
        (a, b)
    };
    product(2 * width, a, b)
}

/// The pair of a low and a high word.
#[inline]
pub fn pair(width: u32, low: u64, high: u64) -> u64 {
    high << width | low
}

/// One word of a pair.
#[inline]
pub fn part(width: u32, high: bool, pair: u64) -> u64 {
    (if high { pair >> width } else { pair }) & mask(width)
}

/// A shift amount or a number of bits: modulo a limit if it wraps, at most the limit otherwise.
#[inline]
pub fn amount(n: u64, limit: u32, wraps: bool) -> u32 {
    let limit = limit as u64;
    let bounded = match wraps {
        true => n % limit,
        false if n > limit => limit,
        false => n,
    };
    bounded as u32
}

/// A value shifted left; zero by its width and more.
#[inline]
pub fn shift_left(width: u32, a: u64, n: u32) -> u64 {
    if n >= 64 { 0 } else { a << n & mask(width) }
}

/// A value shifted right; a signed one is filled with its sign, others with zeros.
#[inline]
pub fn shift_right(width: u32, is_signed: bool, a: u64, n: u32) -> u64 {
    if is_signed {
        let n = if n < 64 { n } else { 63 };
        (signed(width, a) >> n).cast_unsigned() & mask(width)
    } else if n >= width {
        0
    } else {
        a >> n
    }
}

/// The form of a shift of a pair (`SHF`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Funnel {
    /// Whether to shift left.
    pub left: bool,
    /// Whether a shift right fills with the sign.
    pub signed: bool,
    /// Whether the result is the high word.
    pub high: bool,
    /// Whether the limit of the amount is the width of a pair, instead of that of a word.
    pub wide: bool,
    /// Whether the amount is taken modulo its limit, instead of at most the limit.
    pub wraps: bool,
}

/// One word of the shifted pair `c:a`.
#[inline]
pub fn funnel(width: u32, form: Funnel, a: u64, n: u64, c: u64) -> u64 {
    let limit = if form.wide { 2 * width } else { width };
    let n = amount(n, limit, form.wraps);
    let whole = pair(width, a, c);
    let shifted = if form.left {
        shift_left(2 * width, whole, n)
    } else {
        shift_right(2 * width, form.signed, whole, n)
    };
    part(width, form.high, shifted)
}

/// The order of two values.
#[inline]
pub fn compare(width: u32, is_signed: bool, a: u64, b: u64) -> Ordering {
    if is_signed {
        signed(width, a).cmp(&signed(width, b))
    } else {
        a.cmp(&b)
    }
}

/// The smaller or the larger of two values.
#[inline]
pub fn extremum(width: u32, is_signed: bool, smaller: bool, a: u64, b: u64) -> u64 {
    if compare(width, is_signed, a, b).is_lt() == smaller {
        a
    } else {
        b
    }
}

/// The absolute value; that of the smallest number is itself.
#[inline]
pub fn absolute(width: u32, a: u64) -> u64 {
    if signed(width, a) < 0 {
        negate(width, a)
    } else {
        a
    }
}

/// The absolute difference of two words.
#[inline]
pub fn distance(width: u32, is_signed: bool, a: u64, b: u64) -> u64 {
    if is_signed {
        signed(width, a).abs_diff(signed(width, b))
    } else {
        a.abs_diff(b)
    }
}

/// The relations of two numbers: a bit for each that an outcome includes.
pub mod relations {
    use std::cmp::Ordering;

    /// The first is less.
    pub const LESS: u8 = 1;
    /// They are equal.
    pub const EQUAL: u8 = 2;
    /// The first is greater.
    pub const GREATER: u8 = 4;
    /// One is not a number.
    pub const UNORDERED: u8 = 8;

    /// Whether the relation of two numbers, `None` with a NaN, is one of a set.
    #[inline]
    pub fn hold(set: u8, order: Option<Ordering>) -> bool {
        let relation = match order {
            Some(Ordering::Less) => LESS,
            Some(Ordering::Equal) => EQUAL,
            Some(Ordering::Greater) => GREATER,
            None => UNORDERED,
        };
        set & relation != 0
    }

    /// Whether the relation of two pairs is one of a set, given the order of the high words and the
    /// outcome for the low ones, which decides between equal high words unless the set is empty or
    /// full.
    #[inline]
    pub fn hold_extended(set: u8, high: Ordering, low: bool) -> bool {
        match (high, set) {
            (Ordering::Equal, 1..7) => low,
            _ => hold(set, Some(high)),
        }
    }
}

/// A bitwise function of three values: bit `4a + 2b + c` of the table is the result for the bits a,
/// b, c. For tables of fewer inputs, the last values are zero.
#[inline]
pub fn table(width: u32, lut: u8, [a, b, c]: [u64; 3]) -> u64 {
    let mut result = 0;
    let mut row = 0;
    while row < 8 {
        if lut >> row & 1 == 1 {
            let x = if row & 4 != 0 { a } else { !a };
            let y = if row & 2 != 0 { b } else { !b };
            let z = if row & 1 != 0 { c } else { !c };
            result |= x & y & z;
        }
        row += 1;
    }
    result & mask(width)
}

/// The table of the function that returns an input, 0 to 2.
pub fn projection(input: usize) -> u8 {
    [0xF0, 0xCC, 0xAA][input]
}

/// Whether the result of a table depends on an input, 0 to 2.
pub fn depends(lut: u8, input: usize) -> bool {
    let ones = projection(input);
    (lut & ones) >> (4 >> input) != lut & !ones
}

/// The table of a function of three functions, given by their tables.
#[inline]
pub fn composed(lut: u8, [a, b, c]: [u8; 3]) -> u8 {
    table(8, lut, [a as u64, b as u64, c as u64]) as u8
}

/// `count` ones from a bit on; both are at most the width.
#[inline]
pub fn ones(width: u32, first: u32, count: u32) -> u64 {
    ((1 << count) - 1) << first & mask(width)
}

/// The low `count` bits of a word, at most its width, extended to the word.
#[inline]
pub fn extended(width: u32, is_signed: bool, a: u64, count: u32) -> u64 {
    if count == 0 {
        0
    } else if is_signed {
        signed(count, a).cast_unsigned() & mask(width)
    } else {
        a & mask(count)
    }
}

/// The position of the highest bit that is set (or, of a signed word, differs from the sign), counted
/// from the lowest or the highest bit; all ones if there is none.
#[inline]
pub fn highest_bit(width: u32, is_signed: bool, a: u64, from_top: bool) -> u64 {
    let magnitude = if is_signed && signed(width, a) < 0 {
        not(width, a)
    } else {
        a
    };
    match magnitude.checked_ilog2() {
        Some(place) if from_top => (width - 1 - place) as u64,
        Some(place) => place as u64,
        None => mask(width),
    }
}

/// The bits in the opposite order.
#[inline]
pub fn reversed(width: u32, a: u64) -> u64 {
    a.reverse_bits() >> (64 - width)
}

/// Four of the eight bytes of a pair of 32-bit words: nibble n of the selector chooses byte n; with
/// its bit 3, the sign of the chosen byte fills the byte (PTX ISA, `prmt`).
#[inline]
pub fn permuted(pair: u64, selector: u64) -> u64 {
    let mut result = 0;
    let mut place = 0;
    while place < 4 {
        let choice = selector >> (4 * place) & 15;
        let byte = pair >> (8 * (choice & 7)) & 0xFF;
        let filled = if choice & 8 == 0 {
            byte
        } else {
            shift_right(8, true, byte, 7)
        };
        result |= filled << (8 * place);
        place += 1;
    }
    result
}

#[cfg(test)]
mod tests;
