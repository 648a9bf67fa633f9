//! How atomic operations and reductions change memory.

use orison_ir::numbers::FloatKind;
use orison_ori::keywords::{AtomicOperation, AtomicType};
use orison_ori::semantics::number::{Direction, Number, Overflow};

/// The sum or extremum of two floats.
fn float_combined(change: Change, kind: FloatKind, a: u128, b: u128) -> u128 {
    let (x, y) = (Number::decode(kind, a), Number::decode(kind, b));
    let sum = match change.operation {
        AtomicOperation::Min | AtomicOperation::Max => {
            let min = change.operation == AtomicOperation::Min;
            return match x.compare(y) {
                None if x == Number::Nan => b,
                None => a,
                Some(order) if order.is_lt() == min => a,
                Some(_) => b,
            };
        }
        _ => x.plus(y, change.rounding),
    };
    sum.encode(kind, change.rounding, Overflow::Ieee)
}

/// How an atomic operation changes the value in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) operation: AtomicOperation,
    pub(super) kind: AtomicType,
    /// Denormals are flushed to zero.
    pub(super) ftz: bool,
    /// Rounding of float sums.
    pub(super) rounding: Direction,
}

impl Change {
    /// Number of elements, bits of each, and their float format.
    fn layout(self) -> (u32, u32, Option<FloatKind>) {
        use AtomicType as T;
        match self.kind {
            T::F16x2 => (2, 16, Some(FloatKind::F16)),
            T::Bf16x2 => (2, 16, Some(FloatKind::BF16)),
            T::F32 => (1, 32, Some(FloatKind::F32)),
            T::F32x2 => (2, 32, Some(FloatKind::F32)),
            T::F32x4 => (4, 32, Some(FloatKind::F32)),
            T::F64 => (1, 64, Some(FloatKind::F64)),
            T::U32 | T::S32 | T::B32 => (1, 32, None),
            T::U64 | T::S64 | T::B64 => (1, 64, None),
            T::B128 => (1, 128, None),
        }
    }

    /// Bytes that it changes at once.
    pub(super) fn bytes(self) -> usize {
        let (lanes, width, _) = self.layout();
        (lanes * width / 8) as usize
    }

    /// The new value in memory.
    pub(super) fn apply(self, old: u128, value: u128, expected: u128) -> u128 {
        let (lanes, width, kind) = self.layout();
        let bitwise = matches!(
            self.operation,
            AtomicOperation::And
                | AtomicOperation::Or
                | AtomicOperation::Xor
                | AtomicOperation::CompareAndSwap
        );
        let Some(kind) = kind.filter(|_| !bitwise) else {
            return integer_combined(self, old, value, expected, lanes * width);
        };
        let mask = (1_u128 << width) - 1;
        let flush = |bits: u128| {
            let sign = 1_u128 << (width - 1);
            let denormal = bits & mask & !sign & !((1 << kind.mantissa_bits()) - 1) == 0;
            if self.ftz && denormal {
                bits & sign
            } else {
                bits & mask
            }
        };
        (0..lanes).fold(0, |all, lane| {
            let part = |bits: u128| flush(bits >> (width * lane));
            let one = float_combined(self, kind, part(old), part(value));
            all | flush(one) << (width * lane)
        })
    }
}

fn integer_combined(change: Change, old: u128, value: u128, expected: u128, width: u32) -> u128 {
    use AtomicOperation as O;
    let signed = matches!(change.kind, AtomicType::S32 | AtomicType::S64);
    let order = |bits: u128| {
        let shift = 128 - width;
        if signed {
            (bits << shift).cast_signed() >> shift
        } else {
            bits.cast_signed()
        }
    };
    let result = match change.operation {
        O::Add => old.wrapping_add(value),
        O::Min => {
            if order(value) < order(old) {
                value
            } else {
                old
            }
        }
        O::Max => {
            if order(value) > order(old) {
                value
            } else {
                old
            }
        }
        O::Inc => {
            if old >= value {
                0
            } else {
                old + 1
            }
        }
        O::Dec => {
            if old == 0 || old > value {
                value
            } else {
                old - 1
            }
        }
        O::And => old & value,
        O::Or => old | value,
        O::Xor => old ^ value,
        O::Exchange => value,
        O::CompareAndSwap => {
            if old == expected {
                value
            } else {
                old
            }
        }
        O::CountIncrement => old.wrapping_add(1),
        O::Arrive => old.wrapping_sub(1),
    };
    if width == 128 {
        result
    } else {
        result & ((1 << width) - 1)
    }
}
