//! Fields of the 128 bits of an instruction.

/// Consecutive bits, and what they add to a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) first: u32,
    pub(super) width: u32,
    /// What the first bit adds.
    pub(super) scale: i64,
    /// Whether the last bit is that of the sign.
    pub(super) signed: bool,
}

impl Range {
    /// The bits of the range.
    pub(super) fn mask(self) -> u128 {
        ones(self.width) << self.first
    }

    fn raw(self, bits: u128) -> u128 {
        bits >> self.first & ones(self.width)
    }

    /// What the bits add to a number.
    fn number(self, bits: u128) -> i128 {
        let raw = i128::try_from(self.raw(bits)).unwrap_or_default();
        let negative = self.signed && raw >> (self.width - 1) & 1 == 1;
        let value = if negative {
            raw - (1 << self.width)
        } else {
            raw
        };
        value * i128::from(self.scale)
    }
}

/// `width` ones.
pub(super) fn ones(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

/// A field: one range or more, the lowest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Field {
    pub(super) ranges: Vec<Range>,
    /// Whether a value has the bits inverted.
    pub(super) inverted: bool,
    /// What is added to the bits.
    pub(super) added: u64,
}

impl Field {
    /// All of its bits.
    pub(super) fn mask(&self) -> u128 {
        self.ranges
            .iter()
            .fold(0, |mask, range| mask | range.mask())
    }

    /// The bits side by side, those of the first range lowest.
    pub(super) fn value(&self, bits: u128) -> u64 {
        let mut value = 0;
        let mut place = 0;
        for range in &self.ranges {
            value |= range.raw(bits) << place;
            place += range.width;
        }
        let value = u64::try_from(value & u128::from(u64::MAX)).unwrap_or_default();
        let flip = if self.inverted { self.all() } else { 0 };
        (value ^ flip) + self.added
    }

    /// The greatest value.
    pub(super) fn all(&self) -> u64 {
        let width = self.ranges.iter().map(|range| range.width).sum();
        u64::try_from(ones(width) & u128::from(u64::MAX)).unwrap_or_default()
    }

    /// The bits of a value.
    pub(super) fn put(&self, value: u64) -> u128 {
        let mut bits = 0;
        let flip = if self.inverted { self.all() } else { 0 };
        let mut left = u128::from(value.wrapping_sub(self.added) ^ flip);
        for range in &self.ranges {
            bits |= (left & ones(range.width)) << range.first;
            left >>= range.width;
        }
        bits
    }

    /// The number that the bits are.
    pub(super) fn number(&self, bits: u128) -> i128 {
        self.ranges.iter().map(|range| range.number(bits)).sum()
    }

    /// The number that the bits are without a sign.
    pub(super) fn unsigned(&self, bits: u128) -> i128 {
        let ranges = self.ranges.iter().map(|range| Range {
            signed: false,
            ..*range
        });
        ranges.map(|range| range.number(bits)).sum()
    }

    /// The bits of a number without a sign; `None` if it does not fit.
    pub(super) fn of_unsigned(&self, number: i128) -> Option<u128> {
        let ranges = self.ranges.iter().map(|range| Range {
            signed: false,
            ..*range
        });
        let unsigned = Field {
            ranges: ranges.collect(),
            ..Field::default()
        };
        let bits = unsigned.of_number(number)?;
        (unsigned.number(bits) == number).then_some(bits)
    }

    /// The bits of a number; `None` if it does not fit.
    pub(super) fn of_number(&self, number: i128) -> Option<u128> {
        let mut order: Vec<&Range> = self.ranges.iter().collect();
        // A multiple of a large scale is what the others leave.
        order.sort_by_key(|range| std::cmp::Reverse(range.scale));
        let mut left = number;
        let mut bits = 0;
        for (place, range) in order.iter().enumerate() {
            let scale = i128::from(range.scale);
            let quotient = if place + 1 == order.len() && left % scale != 0 {
                return None;
            } else {
                left.div_euclid(scale)
            };
            let raw = u128::try_from(quotient & i128::try_from(ones(range.width)).ok()?).ok()?;
            bits |= raw << range.first;
            left -= range.number(raw << range.first);
        }
        (left == 0).then_some(bits)
    }

    /// The least and greatest number, and the distance between numbers.
    pub(super) fn bounds(&self) -> (i128, i128, i64) {
        let mut least = 0;
        let mut greatest = 0;
        let mut step = i64::MAX;
        for range in &self.ranges {
            let scale = i128::from(range.scale);
            let sign = u32::from(range.signed);
            greatest += scale * ((1 << (range.width - sign)) - 1);
            if range.signed {
                least -= scale << (range.width - 1);
            }
            step = step.min(range.scale);
        }
        (least, greatest, step)
    }
}
