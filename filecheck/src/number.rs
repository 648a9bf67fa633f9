//! Integers of any size, for numeric variables and expressions.
//!
//! FileCheck promises exact arithmetic: values grow as they need. Only what expressions use is
//! here. Sizes are bounded by [`MAXIMUM_LIMBS`], because a few lines of squaring could otherwise
//! fill the memory.

use std::cmp::Ordering;

/// How many 32-bit digits a value may have: about 300,000 decimal digits.
pub const MAXIMUM_LIMBS: usize = 1 << 15;

/// An integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    negative: bool,
    /// Least significant first, without leading zeros; empty for zero.
    limbs: Vec<u32>,
}

impl From<u64> for Number {
    fn from(value: u64) -> Number {
        Number::from_parts(false, vec![value as u32, (value >> 32) as u32])
    }
}

impl Number {
    fn from_parts(negative: bool, mut limbs: Vec<u32>) -> Number {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Number {
            negative: negative && !limbs.is_empty(),
            limbs,
        }
    }

    /// Whether the value is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Reads digits of `radix` (2 to 16); `None` if there are none, one is not a digit, or the
    /// value is too large to keep.
    #[must_use]
    pub fn parse(digits: &[u8], radix: u32) -> Option<Number> {
        let mut limbs: Vec<u32> = Vec::new();
        if digits.is_empty() || digits.len() > MAXIMUM_LIMBS {
            return None;
        }
        for &digit in digits {
            let mut carry = u64::from(char::from(digit).to_digit(radix)?);
            for limb in &mut limbs {
                let value = u64::from(*limb) * u64::from(radix) + carry;
                *limb = value as u32;
                carry = value >> 32;
            }
            if carry > 0 {
                limbs.push(carry as u32);
            }
        }
        Some(Number::from_parts(false, limbs))
    }

    /// The value with the opposite sign.
    #[must_use]
    pub fn negated(mut self) -> Number {
        self.negative = !self.negative && !self.limbs.is_empty();
        self
    }

    /// The digits of the absolute value in radix 10 or 16.
    #[must_use]
    pub fn digits(&self, radix: u32, upper_case: bool) -> String {
        if self.limbs.is_empty() {
            return "0".to_owned();
        }
        let mut digits = Vec::new();
        if radix == 16 {
            for limb in &self.limbs {
                for nibble in 0..8 {
                    digits.push((limb >> (nibble * 4)) & 15);
                }
            }
            while digits.last() == Some(&0) {
                digits.pop();
            }
        } else {
            let mut rest = self.limbs.clone();
            while !rest.is_empty() {
                let remainder = divide_small(&mut rest, 1_000_000_000);
                let mut chunk = remainder;
                for _ in 0..9 {
                    digits.push(chunk % 10);
                    chunk /= 10;
                }
            }
            while digits.last() == Some(&0) {
                digits.pop();
            }
        }
        let letter = |digit: u32| {
            let letter = char::from_digit(digit, 16).unwrap_or('?');
            if upper_case {
                letter.to_ascii_uppercase()
            } else {
                letter
            }
        };
        digits.into_iter().rev().map(letter).collect()
    }

    /// The sum; `None` if it is too large to keep.
    #[must_use]
    pub fn add(&self, other: &Number) -> Option<Number> {
        let sum = if self.negative == other.negative {
            Number::from_parts(self.negative, add_magnitudes(&self.limbs, &other.limbs))
        } else {
            match compare_magnitudes(&self.limbs, &other.limbs) {
                Ordering::Less => Number::from_parts(
                    other.negative,
                    subtract_magnitudes(&other.limbs, &self.limbs),
                ),
                _ => Number::from_parts(
                    self.negative,
                    subtract_magnitudes(&self.limbs, &other.limbs),
                ),
            }
        };
        sum.bounded()
    }

    /// The difference; `None` if it is too large to keep.
    #[must_use]
    pub fn subtract(&self, other: &Number) -> Option<Number> {
        self.add(&other.clone().negated())
    }

    /// The product; `None` if it is too large to keep.
    #[must_use]
    pub fn multiply(&self, other: &Number) -> Option<Number> {
        if self.limbs.len() + other.limbs.len() > MAXIMUM_LIMBS {
            return None;
        }
        let mut product = vec![0u32; self.limbs.len() + other.limbs.len()];
        for (index, &left) in self.limbs.iter().enumerate() {
            let mut carry = 0u64;
            for (offset, &right) in other.limbs.iter().enumerate() {
                let slot = &mut product[index + offset];
                let value = u64::from(left) * u64::from(right) + u64::from(*slot) + carry;
                *slot = value as u32;
                carry = value >> 32;
            }
            product[index + other.limbs.len()] = carry as u32;
        }
        Some(Number::from_parts(self.negative != other.negative, product))
    }

    /// The quotient, rounded towards zero; `None` for a division by zero.
    #[must_use]
    pub fn divide(&self, other: &Number) -> Option<Number> {
        let negative = self.negative != other.negative;
        match other.limbs.as_slice() {
            [] => None,
            [divisor] => {
                let mut quotient = self.limbs.clone();
                divide_small(&mut quotient, *divisor);
                Some(Number::from_parts(negative, quotient))
            }
            divisor => Some(Number::from_parts(
                negative,
                divide_long(&self.limbs, divisor),
            )),
        }
    }

    fn bounded(self) -> Option<Number> {
        (self.limbs.len() <= MAXIMUM_LIMBS).then_some(self)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => compare_magnitudes(&self.limbs, &other.limbs),
            (true, true) => compare_magnitudes(&other.limbs, &self.limbs),
        }
    }
}

fn compare_magnitudes(left: &[u32], right: &[u32]) -> Ordering {
    left.len()
        .cmp(&right.len())
        .then_with(|| left.iter().rev().cmp(right.iter().rev()))
}

fn add_magnitudes(left: &[u32], right: &[u32]) -> Vec<u32> {
    let (long, short) = if left.len() < right.len() {
        (right, left)
    } else {
        (left, right)
    };
    let mut sum = Vec::with_capacity(long.len() + 1);
    let mut carry = 0u64;
    for (index, &limb) in long.iter().enumerate() {
        let value = u64::from(limb) + u64::from(short.get(index).copied().unwrap_or(0)) + carry;
        sum.push(value as u32);
        carry = value >> 32;
    }
    sum.push(carry as u32);
    sum
}

/// `left - right`, for `left >= right`.
fn subtract_magnitudes(left: &[u32], right: &[u32]) -> Vec<u32> {
    let mut difference = Vec::with_capacity(left.len());
    let mut borrow = 0i64;
    for (index, &limb) in left.iter().enumerate() {
        let mut value =
            i64::from(limb) - i64::from(right.get(index).copied().unwrap_or(0)) - borrow;
        borrow = i64::from(value < 0);
        value += borrow << 32;
        difference.push(value as u32);
    }
    difference
}

/// Divides in place and returns the remainder.
fn divide_small(limbs: &mut Vec<u32>, divisor: u32) -> u32 {
    let mut remainder = 0u64;
    for limb in limbs.iter_mut().rev() {
        let value = (remainder << 32) | u64::from(*limb);
        *limb = (value / u64::from(divisor)) as u32;
        remainder = value % u64::from(divisor);
    }
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    remainder as u32
}

/// Schoolbook division with a divisor of at least two limbs.
fn divide_long(dividend: &[u32], divisor: &[u32]) -> Vec<u32> {
    if compare_magnitudes(dividend, divisor) == Ordering::Less {
        return Vec::new();
    }
    // Both are shifted so that the top bit of the divisor is set: then the estimate of each
    // quotient digit from the top two limbs is at most two too large.
    let shift = divisor[divisor.len() - 1].leading_zeros();
    let divisor = shifted_left(divisor, shift);
    let mut rest = shifted_left(dividend, shift);
    rest.push(0);
    let size = divisor
        .iter()
        .rposition(|&limb| limb != 0)
        .map_or(0, |index| index + 1);
    let top = u64::from(divisor[size - 1]);
    let second = u64::from(divisor[size - 2]);
    let digits = rest.len() - size;
    let mut quotient = vec![0u32; digits];
    for index in (0..digits).rev() {
        let high = (u64::from(rest[index + size]) << 32) | u64::from(rest[index + size - 1]);
        let mut estimate = high / top;
        let mut remainder = high % top;
        while estimate >= 1 << 32
            || estimate * second > ((remainder << 32) | u64::from(rest[index + size - 2]))
        {
            estimate -= 1;
            remainder += top;
            if remainder >= 1 << 32 {
                break;
            }
        }
        if subtract_multiple(&mut rest[index..=index + size], &divisor[..size], estimate) {
            estimate -= 1;
            add_back(&mut rest[index..=index + size], &divisor[..size]);
        }
        quotient[index] = estimate as u32;
    }
    quotient
}

fn shifted_left(limbs: &[u32], shift: u32) -> Vec<u32> {
    let mut shifted = Vec::with_capacity(limbs.len() + 1);
    let mut carry = 0u64;
    for &limb in limbs {
        let value = (u64::from(limb) << shift) | carry;
        shifted.push(value as u32);
        carry = value >> 32;
    }
    shifted.push(carry as u32);
    shifted
}

/// `window -= divisor * factor`; returns whether it went below zero.
fn subtract_multiple(window: &mut [u32], divisor: &[u32], factor: u64) -> bool {
    let mut carry = 0u64;
    let mut borrow = 0i64;
    for (index, slot) in window.iter_mut().enumerate() {
        let product = u64::from(divisor.get(index).copied().unwrap_or(0)) * factor + carry;
        carry = product >> 32;
        let value = i64::from(*slot) - i64::from(product as u32) - borrow;
        borrow = i64::from(value < 0);
        // A borrow adds 1 << 32, which these bits do not have.
        *slot = value as u32;
    }
    borrow != 0
}

fn add_back(window: &mut [u32], divisor: &[u32]) {
    let mut carry = 0u64;
    for (index, slot) in window.iter_mut().enumerate() {
        let value = u64::from(*slot) + u64::from(divisor.get(index).copied().unwrap_or(0)) + carry;
        *slot = value as u32;
        carry = value >> 32;
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    fn number(text: &str) -> Number {
        match text.strip_prefix('-') {
            Some(digits) => number(digits).negated(),
            None => Number::parse(text.as_bytes(), 10).expect("digits"),
        }
    }

    fn text(number: &Number) -> String {
        format!(
            "{}{}",
            if number.is_negative() { "-" } else { "" },
            number.digits(10, false)
        )
    }

    #[test]
    fn arithmetic_agrees_with_the_machine_where_it_can() {
        let samples: [i128; 12] = [
            0,
            1,
            -1,
            7,
            -13,
            4_294_967_295,
            4_294_967_296,
            -4_294_967_297,
            18_446_744_073_709_551_615,
            -18_446_744_073_709_551_616,
            79_228_162_514_264_337_593_543_950_335,
            -9_223_372_036_854_775_808,
        ];
        for left in samples {
            for right in samples {
                let (a, b) = (number(&left.to_string()), number(&right.to_string()));
                let check = |result: Option<Number>, expected: i128| {
                    assert_eq!(text(&result.expect("small")), expected.to_string());
                };
                check(a.add(&b), left + right);
                check(a.subtract(&b), left - right);
                if let Some(product) = left.checked_mul(right) {
                    check(a.multiply(&b), product);
                }
                if right == 0 {
                    assert_eq!(a.divide(&b), None);
                } else {
                    check(a.divide(&b), left / right);
                }
                assert_eq!(a.cmp(&b), left.cmp(&right));
            }
        }
    }

    #[test]
    fn long_division_undoes_multiplication() {
        let mut a = number("340282366920938463463374607431768211455");
        let b = number("18446744069414584321");
        for _ in 0..20 {
            let product = a.multiply(&b).expect("small");
            assert_eq!(product.divide(&b), Some(a.clone()));
            assert_eq!(product.divide(&a), Some(b.clone()));
            a = product.add(&number("12345678901234567890")).expect("small");
        }
    }

    /// The estimate of the first quotient digit from two limbs is one too large (the vector of Hacker's
    /// Delight, 9-2, in 32-bit limbs): the divisor is added back, or the later digits are wrong.
    #[test]
    fn long_division_adds_the_divisor_back() {
        let hex = |digits: &str| Number::parse(digits.as_bytes(), 16).expect("digits");
        let divisor = hex("800000000000000000000001");
        let dividend = hex("7fffffff800000000000000000000000");
        let quotient = dividend.divide(&divisor).expect("not by zero");
        assert_eq!(quotient.digits(16, false), "fffffffe");
        // The same digit, with more digits after it.
        let longer = hex("7fffffff80000000000000000000000000000000ffffffff");
        let quotient = longer.divide(&divisor).expect("not by zero");
        assert_eq!(quotient.digits(16, false), "fffffffefffffffffffffffe");
    }

    #[test]
    fn values_stop_growing_before_the_memory_does() {
        let mut value = number("99999999999999999999");
        while let Some(square) = value.multiply(&value) {
            value = square;
        }
        assert!(value.digits(16, true).len() > 1000);
    }

    #[test]
    fn radix_sixteen() {
        let value = Number::parse(b"DeadBeef0123", 16).expect("digits");
        assert_eq!(value.digits(16, true), "DEADBEEF0123");
        assert_eq!(value.digits(16, false), "deadbeef0123");
        assert_eq!(value.digits(10, false), "244837814042915");
        assert_eq!(Number::parse(b"", 10), None);
        assert_eq!(Number::parse(b"12a", 10), None);
    }
}
