//! The types of random programs, and edge-case values of them.

use orison_interpret::{Datum, Elements};
use orison_ir::numbers::{ApInt, Float, FloatKind};

use crate::random::Random;

/// A type of a random program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integer(u32),
    Index,
    Float(FloatKind),
    /// A vector of three integers.
    Integers(u32),
}

pub const LANES: usize = 3;
pub const FLOATS: [FloatKind; 4] = [
    FloatKind::F16,
    FloatKind::BF16,
    FloatKind::F32,
    FloatKind::F64,
];

impl Kind {
    /// The type as text.
    pub fn text(self) -> String {
        match self {
            Kind::Integer(width) => format!("i{width}"),
            Kind::Index => "index".to_owned(),
            Kind::Float(kind) => kind.keyword().to_owned(),
            Kind::Integers(width) => format!("vector<{LANES}xi{width}>"),
        }
    }

    /// A suffix for functions that differ in this type.
    pub fn name(self) -> String {
        match self {
            Kind::Integers(width) => format!("v{width}"),
            kind => kind.text(),
        }
    }

    /// The result type of a comparison of values of this type.
    pub fn condition(self) -> Kind {
        match self {
            Kind::Integers(_) => Kind::Integers(1),
            _ => Kind::Integer(1),
        }
    }

    /// Width of an element.
    pub fn width(self) -> u32 {
        match self {
            Kind::Integer(width) | Kind::Integers(width) => width,
            Kind::Index => 64,
            Kind::Float(kind) => kind.width(),
        }
    }

    pub fn is_integer_like(self) -> bool {
        !matches!(self, Kind::Float(_))
    }

    /// A value; often an edge case.
    pub fn value(self, random: &mut Random) -> Datum {
        match self {
            Kind::Integer(_) | Kind::Index => Datum::Integer(integer(random, self.width())),
            Kind::Float(kind) => Datum::Float(float(random, kind)),
            Kind::Integers(width) => {
                let lanes: Vec<_> = if random.chance(50) {
                    vec![Datum::Integer(integer(random, width)); LANES]
                } else {
                    (0..LANES)
                        .map(|_| Datum::Integer(integer(random, width)))
                        .collect()
                };
                Datum::Elements(Elements::new(&[LANES], lanes).expect("as many as lanes"))
            }
        }
    }

    /// A value as an attribute, without its type.
    pub fn literal(self, datum: &Datum) -> String {
        match datum {
            Datum::Integer(value) if value.width() == 1 => value.is_one().to_string(),
            Datum::Integer(value) => value.to_signed_decimal(),
            Datum::Float(value) => value.print(),
            Datum::Elements(elements) => {
                let lanes: Vec<_> = elements
                    .data
                    .iter()
                    .map(|lane| self.literal(lane))
                    .collect();
                format!("dense<[{}]>", lanes.join(", "))
            }
            other => panic!("no constant {other}"),
        }
    }
}

fn integer(random: &mut Random, width: u32) -> ApInt {
    match random.below(18) {
        0 | 1 => ApInt::zero(width),
        2 | 3 => ApInt::from_u64(width, 1),
        4 => ApInt::all_ones(width),
        5 => ApInt::signed_min(width),
        6 => ApInt::signed_max(width),
        7 => ApInt::from_u64(width, u64::from(width)),
        8 => ApInt::from_u64(width, 1).shift_left(random.bits() as u32 % width),
        9 => ApInt::from_i64(width, random.below(17) as i64 - 8),
        _ => ApInt::from_words(width, vec![random.bits(), random.bits()]),
    }
}

fn float(random: &mut Random, kind: FloatKind) -> Float {
    match random.below(16) {
        0 => Float::zero(kind, false),
        1 => Float::zero(kind, true),
        2 | 3 => Float::one(kind),
        4 => Float::nan(kind, false).unwrap_or(Float::one(kind)),
        5 => Float::infinity(kind, random.chance(50)).unwrap_or(Float::one(kind)),
        6 => Float::largest(kind, random.chance(50)),
        7 => Float::smallest(kind),
        8 | 9 => Float::from_f64(kind, random.below(65) as f64 / 4.0 - 8.0),
        _ => Float::from_bits(kind, u128::from(random.bits())),
    }
}
