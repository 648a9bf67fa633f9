//! How atomic operations and reductions change memory.

use orison_ir::numbers::{Direction, FloatKind};
use orison_machine::words;
use orison_ori::keywords::{AtomicOperation, AtomicType};
use orison_ori::semantics::arithmetic;

/// The sum or extremum of two floats.
fn float_combined(change: Change, kind: FloatKind, pair: [u128; 2]) -> u128 {
    match change.operation {
        AtomicOperation::Min => arithmetic::extremum(kind, pair, true, false),
        AtomicOperation::Max => arithmetic::extremum(kind, pair, false, false),
        _ => arithmetic::sum(kind, change.rounding, pair),
    }
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
            if self.ftz {
                arithmetic::flushed(bits & mask, kind)
            } else {
                bits & mask
            }
        };
        (0..lanes).fold(0, |all, lane| {
            let part = |bits: u128| flush(bits >> (width * lane));
            let one = float_combined(self, kind, [part(old), part(value)]);
            all | flush(one) << (width * lane)
        })
    }
}

fn integer_combined(change: Change, old: u128, value: u128, expected: u128, width: u32) -> u128 {
    use AtomicOperation as O;
    let signed = matches!(change.kind, AtomicType::S32 | AtomicType::S64);
    // Numbers have at most 64 bits; wider values are only exchanged.
    let chosen = |smaller| {
        let (a, b) = (old as u64, value as u64);
        u128::from(words::extremum(width, signed, smaller, a, b))
    };
    let result = match change.operation {
        O::Add => old.wrapping_add(value),
        O::Min => chosen(true),
        O::Max => chosen(false),
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
