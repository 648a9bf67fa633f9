//! What IR values are at run time.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use orison_ir::Operation;
use orison_ir::numbers::{ApInt, Float};

/// What an IR value is at run time. Cloning is cheap.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// A result without a meaning, of any type: whatever depends on it has no meaning either.
    Poison,
    /// An integer, as wide as its type; 64 bits for `index`.
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
    /// As many as the extents multiply to.
    pub data: Arc<[Datum]>,
}

/// A value that a dialect adds: a tile, a token, a handle into its state in the
/// [`World`](crate::World). It does not change; what does is state of the world.
pub trait Payload: Any + fmt::Debug + Send + Sync {
    /// Whether a program that has `self` where another had `before` does what the other one did.
    /// For values without undefined parts this is equality.
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

    /// Whether nothing in this value has a meaning.
    pub fn is_poison(&self) -> bool {
        matches!(self, Datum::Poison)
    }

    /// Whether a program may have `self` where another had `before`: the same value, or anything
    /// where `before` had no meaning. A NaN is as good as another: which bits one carries is not
    /// defined.
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
            // All of a vector may be poison at once: then each element of the other one is.
            (Datum::Poison, Datum::Elements(before)) => before.data.iter().all(Datum::is_poison),
            (Datum::Payload(after), Datum::Payload(before)) => after.refines(before.as_ref()),
            _ => self == before,
        }
    }
}

impl Elements {
    /// A vector or tensor; none when the number of elements is not what the extents multiply to.
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
