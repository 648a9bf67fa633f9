//! Run-time values.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use orison_ir::Operation;
use orison_ir::numbers::{ApInt, Float};

/// A run-time value. Cloning is cheap.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// An undefined result of any type; everything that depends on it is undefined too.
    Poison,
    /// An integer of the width of its type; 64 bits for `index`.
    Integer(ApInt),
    /// A float in the format of its type.
    Float(Float),
    /// A vector or tensor.
    Elements(Elements),
    /// A function as a value: the operation that defines or declares it.
    Function(Operation),
    /// A value of another dialect.
    Payload(Arc<dyn Payload>),
}

/// The elements of a vector or tensor, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Elements {
    /// Extents at run time.
    pub shape: Arc<[usize]>,
    /// The elements; their number is the product of the extents.
    pub data: Arc<[Datum]>,
}

/// A value defined by a dialect: a tile, a token, a handle into its state in the
/// [`World`](crate::World). It is immutable; mutable state belongs to the world.
pub trait Payload: Any + fmt::Debug + Send + Sync {
    /// Whether a program with `self` in place of `before` has the same behaviour. For values
    /// without undefined parts this is equality.
    fn refines(&self, before: &dyn Payload) -> bool;
}

impl PartialEq for dyn Payload {
    fn eq(&self, other: &Self) -> bool {
        self.refines(other) && other.refines(self)
    }
}

impl Datum {
    /// The integer of `width` bits with the low bits of `value`.
    pub fn integer(width: u32, value: i64) -> Datum {
        Datum::Integer(ApInt::from_i64(width, value))
    }

    /// A value of type `index`.
    pub fn index(value: i64) -> Datum {
        Datum::integer(64, value)
    }

    /// A value of type `i1`.
    pub fn bool(value: bool) -> Datum {
        Datum::Integer(ApInt::from_u64(1, u64::from(value)))
    }

    /// A value of another dialect.
    pub fn payload(payload: impl Payload) -> Datum {
        Datum::Payload(Arc::new(payload))
    }

    /// The payload, if this is one of this Rust type.
    pub fn as_payload<P: Payload>(&self) -> Option<&P> {
        match self {
            Datum::Payload(payload) => (payload.as_ref() as &dyn Any).downcast_ref(),
            _ => None,
        }
    }

    /// The integer, if this is one.
    pub fn as_integer(&self) -> Option<&ApInt> {
        match self {
            Datum::Integer(value) => Some(value),
            _ => None,
        }
    }

    /// The float, if this is one.
    pub fn as_float(&self) -> Option<Float> {
        match self {
            Datum::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether the value is poison as a whole.
    pub fn is_poison(&self) -> bool {
        matches!(self, Datum::Poison)
    }

    /// Whether a program may have `self` in place of `before`: the same value, or anything if
    /// `before` is undefined. All NaNs are equivalent: their payload is not defined.
    pub fn refines(&self, before: &Datum) -> bool {
        match (self, before) {
            (_, Datum::Poison) => true,
            (Datum::Float(after), Datum::Float(before)) => {
                after == before
                    || after.kind() == before.kind() && after.is_nan() && before.is_nan()
            }
            (Datum::Elements(after), Datum::Elements(before)) => {
                let mut pairs = after.data.iter().zip(before.data.iter());
                after.shape == before.shape && pairs.all(|(after, before)| after.refines(before))
            }
            // A whole vector may be poison: then every element of the other one must be.
            (Datum::Poison, Datum::Elements(before)) => before.data.iter().all(Datum::is_poison),
            (Datum::Payload(after), Datum::Payload(before)) => after.refines(before.as_ref()),
            _ => self == before,
        }
    }
}

impl Elements {
    /// A vector or tensor; `None` if the number of elements does not match the extents.
    pub fn new(shape: &[usize], data: Vec<Datum>) -> Option<Elements> {
        let count = shape
            .iter()
            .try_fold(1usize, |count, extent| count.checked_mul(*extent));
        (count == Some(data.len())).then(|| Elements {
            shape: shape.into(),
            data: data.into(),
        })
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Poison => f.write_str("poison"),
            Datum::Integer(value) => f.write_str(&value.to_signed_decimal()),
            Datum::Float(value) => f.write_str(&value.print()),
            Datum::Elements(elements) => {
                f.write_str("[")?;
                for (number, element) in elements.data.iter().enumerate() {
                    write!(f, "{}{element}", if number > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Datum::Function(_) => f.write_str("function"),
            Datum::Payload(payload) => write!(f, "{payload:?}"),
        }
    }
}
