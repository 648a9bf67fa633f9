//! Operators as machine instructions, and the free modifiers of operands.

use orison_machine::Entry;
use orison_ori::Register;
use orison_ori::operations as ori;

use super::cost::{PipeCost, costs};
use super::term::Operator;

/// The modifiers that are free between a class and the operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// The unmodified value.
    Plain,
    /// The value or its negation.
    Negatable,
    /// The value or its bitwise complement.
    Invertible,
    /// A predicate or its negation.
    Predicate,
    /// A float, its absolute value, or the negation of either.
    Float,
    /// A double, its absolute value, or the negation of either.
    Double,
    /// Two halves: one of them broadcast, absolute values, negations.
    Halves,
    /// A constant that is part of the instruction, not an operand.
    Attribute,
}

impl Slot {
    /// The operators that are free on this operand, outermost first.
    pub const fn wrappers(self) -> &'static [Operator] {
        match self {
            Slot::Plain | Slot::Attribute => &[],
            Slot::Negatable => &[Operator::Negate],
            Slot::Invertible => &[Operator::Not],
            Slot::Predicate => &[Operator::PredicateNot],
            Slot::Float => &[Operator::FloatNegate, Operator::FloatAbsolute],
            Slot::Double => &[Operator::DoubleNegate, Operator::DoubleAbsolute],
            Slot::Halves => &[
                Operator::HalfNegate,
                Operator::HalfAbsolute,
                Operator::HalfLow,
                Operator::HalfHigh,
            ],
        }
    }
}

/// How an operand of an operator is read.
pub fn slot(operator: Operator, number: usize) -> Slot {
    use Operator as O;
    match (operator, number) {
        (O::Add | O::Add3, _) | (O::MultiplyAdd, 2) | (O::Lea, 1) => Slot::Negatable,
        (O::AddCarry, 0 | 1) => Slot::Invertible,
        (O::AddCarry, _) | (O::Select, 0) => Slot::Predicate,
        (O::Lea | O::PairLea, 2) | (O::Table | O::PredicateTable, 0) => Slot::Attribute,
        (O::PredicateAnd | O::PredicateOr | O::PredicateXor | O::PredicateTable, _) => {
            Slot::Predicate
        }
        (
            O::FloatAdd
            | O::FloatMultiply
            | O::FloatMultiplyAdd
            | O::FloatAddFlush
            | O::FloatMultiplyFlush
            | O::FloatMultiplyAddFlush
            | O::FloatAddFast
            | O::FloatMultiplyFast,
            _,
        ) => Slot::Float,
        (O::DoubleAdd | O::DoubleMultiply | O::DoubleMultiplyAdd, _) => Slot::Double,
        (other, 2) if compared_with(other).is_some() => Slot::Predicate,
        _ => slot_of_others(operator, number),
    }
}

/// The same for relations, extrema, halves and conversions.
fn slot_of_others(operator: Operator, number: usize) -> Slot {
    use Operator as O;
    match (operator, number) {
        (O::AddMinUnsigned | O::AddMaxUnsigned | O::AddMinSigned | O::AddMaxSigned, 0 | 1) => {
            Slot::Negatable
        }
        (other, 0) if relation(other).is_some() => Slot::Attribute,
        (other, 3) if relation(other).is_some() => Slot::Predicate,
        (O::DoubleCompare | O::DoubleCompareAnd | O::DoubleCompareOr, _) => Slot::Double,
        (O::HalfCompare, _) => Slot::Halves,
        (other, _) if relation(other).is_some() => Slot::Float,
        (O::FloatSelect, 0) => Slot::Predicate,
        (
            O::FloatMinimum
            | O::FloatMaximum
            | O::FloatMinimumNan
            | O::FloatMaximumNan
            | O::FloatMinimumFlush
            | O::FloatMaximumFlush
            | O::FloatMinimum3
            | O::FloatMaximum3
            | O::FloatSelect
            | O::HalfFromFloat
            | O::DoubleFromFloat
            | O::SignedFromFloat
            | O::UnsignedFromFloat,
            _,
        ) => Slot::Float,
        (O::FloatFromDouble, _) => Slot::Double,
        (
            O::HalfAdd
            | O::HalfMultiply
            | O::HalfMultiplyAdd
            | O::BrainAdd
            | O::BrainMultiply
            | O::BrainMultiplyAdd
            | O::HalfMinimum
            | O::HalfMaximum,
            _,
        ) => Slot::Halves,
        _ => Slot::Plain,
    }
}

/// A float comparison.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    /// The only operation.
    pub operations: &'static [&'static str],
    /// Denormals are flushed to zero.
    pub flush: bool,
    /// How the outcome is combined with the predicate; `None` without a predicate.
    pub combine: Option<&'static str>,
}

/// The attributes of a float comparison.
pub const fn relation(operator: Operator) -> Option<Relation> {
    use Operator as O;
    let (operations, flush, combine): (&[&str], _, _) = match operator {
        O::FloatCompare => (&[ori::Fsetp::NAME], false, None),
        O::FloatCompareAnd => (&[ori::Fsetp::NAME], false, Some("and")),
        O::FloatCompareOr => (&[ori::Fsetp::NAME], false, Some("or")),
        O::FloatCompareFlush => (&[ori::Fsetp::NAME], true, None),
        O::FloatCompareFlushAnd => (&[ori::Fsetp::NAME], true, Some("and")),
        O::FloatCompareFlushOr => (&[ori::Fsetp::NAME], true, Some("or")),
        O::DoubleCompare => (&[ori::Dsetp::NAME], false, None),
        O::DoubleCompareAnd => (&[ori::Dsetp::NAME], false, Some("and")),
        O::DoubleCompareOr => (&[ori::Dsetp::NAME], false, Some("or")),
        O::HalfCompare => (&[ori::Hsetp2::NAME], false, None),
        _ => return None,
    };
    Some(Relation {
        operations,
        flush,
        combine,
    })
}

/// A comparison combined with a predicate: its attributes in `ori.isetp`.
#[derive(Clone, Copy, Debug)]
pub struct ComparedWith {
    /// The comparison.
    pub compare: &'static str,
    /// The signedness of the operands.
    pub signedness: &'static str,
    /// How the outcome is combined with the predicate; `None` without a predicate.
    pub combine: Option<&'static str>,
    /// The predicate is the outcome of the low words.
    pub extended: bool,
}

/// The attributes of a comparison.
pub const fn compared_with(operator: Operator) -> Option<ComparedWith> {
    use Operator as O;
    let (compare, signedness) = match operator {
        O::Equal | O::EqualAnd | O::EqualOr | O::EqualExtended => ("eq", "u32"),
        O::NotEqual | O::NotEqualAnd | O::NotEqualOr | O::NotEqualExtended => ("ne", "u32"),
        O::LessUnsigned | O::LessUnsignedAnd | O::LessUnsignedOr | O::LessExtendedUnsigned => {
            ("lt", "u32")
        }
        O::LessEqualUnsigned | O::LessEqualUnsignedAnd | O::LessEqualUnsignedOr => ("le", "u32"),
        O::LessSigned | O::LessSignedAnd | O::LessSignedOr | O::LessExtendedSigned => ("lt", "s32"),
        O::LessEqualSigned | O::LessEqualSignedAnd | O::LessEqualSignedOr => ("le", "s32"),
        _ => return None,
    };
    let combine = match operator {
        O::EqualAnd
        | O::NotEqualAnd
        | O::LessUnsignedAnd
        | O::LessEqualUnsignedAnd
        | O::LessSignedAnd
        | O::LessEqualSignedAnd => Some("and"),
        O::EqualOr
        | O::NotEqualOr
        | O::LessUnsignedOr
        | O::LessEqualUnsignedOr
        | O::LessSignedOr
        | O::LessEqualSignedOr => Some("or"),
        _ => None,
    };
    let extended = matches!(
        operator,
        O::EqualExtended | O::NotEqualExtended | O::LessExtendedUnsigned | O::LessExtendedSigned
    );
    Some(ComparedWith {
        compare,
        signedness,
        combine,
        extended,
    })
}

/// The uniform register of the same width.
pub fn uniform_register(register: Register) -> Register {
    match register {
        Register::R => Register::Ur,
        Register::R64 => Register::Ur64,
        Register::P => Register::Up,
        other => other,
    }
}

/// The equivalent operation of the uniform datapath, if the machine has one.
pub fn uniform_name(name: &str, target: u32) -> Option<&'static str> {
    let uniform = Entry::of_operation(name).find_map(Entry::uniform)?;
    let name = uniform.operation?;
    exists(name, target).then_some(name)
}

/// Whether a machine has an operation, according to the instruction table.
fn exists(operation: &str, target: u32) -> bool {
    let mut rows = Entry::of_operation(operation);
    // Without a target, the oldest machine is assumed.
    rows.any(|row| u32::from(row.since) <= target.max(70))
}

/// The costs of operators on a target version.
#[derive(Clone, Debug)]
pub struct Prices(Vec<Option<PipeCost>>);

impl Prices {
    /// The prices of all operators.
    pub fn new(target: u32) -> Self {
        let price = |operator: &Operator| {
            let names = operations(*operator);
            if names.is_empty() || !names.iter().all(|name| exists(name, target)) {
                return None;
            }
            let none = PipeCost {
                issue: 0,
                latency: 0,
            };
            let each = names.iter().map(|name| costs().of_operation(name));
            Some(each.fold(none, |sum, cost| PipeCost {
                issue: sum.issue + cost.issue,
                latency: sum.latency + cost.latency,
            }))
        };
        let mut prices: Vec<_> = Operator::ALL.iter().map(price).collect();
        for free in [Operator::Low, Operator::High, Operator::Concat] {
            prices[free as usize] = Some(PipeCost {
                issue: 0,
                latency: 0,
            });
        }
        Prices(prices)
    }

    /// The cost of an operator; `None` if the machine cannot compute it.
    pub fn of(&self, operator: Operator) -> Option<PipeCost> {
        self.0.get(operator as usize).copied().flatten()
    }
}

/// The operations that implement an operator; empty if the machine has none.
pub const fn operations(operator: Operator) -> &'static [&'static str] {
    use Operator as O;
    if compared_with(operator).is_some() {
        return &[ori::Isetp::NAME];
    }
    if let Some(relation) = relation(operator) {
        return relation.operations;
    }
    match operator {
        O::Add | O::Negate | O::Add3 | O::AddCarry | O::Carry => &[ori::Iadd3::NAME],
        O::Multiply | O::MultiplyAdd => &[ori::Imad::NAME],
        O::Lea => &[ori::Lea::NAME],
        O::Not | O::And | O::Or | O::Xor | O::Table | O::FloatNegate | O::FloatAbsolute => {
            &[ori::Lop3::NAME]
        }
        O::ShiftLeft
        | O::ShiftRight
        | O::ShiftRightSigned
        | O::FunnelLeft
        | O::FunnelRight
        | O::FunnelRightSigned
        | O::FunnelLeftWrap
        | O::FunnelRightWrap => &[ori::Shf::NAME],
        O::MinUnsigned | O::MaxUnsigned | O::MinSigned | O::MaxSigned => &[ori::Imnmx::NAME],
        O::Absolute => &[ori::Iabs::NAME],
        O::Select => &[ori::Sel::NAME],
        O::Low | O::High => &[ori::Extract::NAME],
        O::Concat => &[ori::Concat::NAME],
        O::MultiplyHighUnsigned | O::MultiplyHighSigned => &[ori::ImadHi::NAME],
        O::PopulationCount => &[ori::Popc::NAME],
        O::HighestBit | O::HighestBitSigned | O::LeadingZeros | O::LeadingSigns => {
            &[ori::Flo::NAME]
        }
        O::Reverse => &[ori::Brev::NAME],
        O::Permute => &[ori::Prmt::NAME],
        O::BitMask => &[ori::Bmsk::NAME],
        O::ExtendUnsigned | O::ExtendSigned => &[ori::Sgxt::NAME],
        O::PairAdd | O::PairNegate | O::PairSubtract => &[ori::Iadd3::NAME, ori::Iadd3::NAME],
        O::MultiplyWideUnsigned | O::MultiplyWideSigned => &[ori::ImadWide::NAME],
        O::PairShiftLeft | O::PairShiftRight | O::PairShiftRightSigned => {
            &[ori::Shf::NAME, ori::Shf::NAME]
        }
        O::PairLea => &[ori::Lea::NAME, ori::Lea::NAME],
        O::PredicateNot
        | O::PredicateAnd
        | O::PredicateOr
        | O::PredicateXor
        | O::PredicateTable => &[ori::Plop3::NAME],
        _ => operations_of_floats(operator),
    }
}

/// The same for floats, halves, conversions, and operations of sm_90 and later.
const fn operations_of_floats(operator: Operator) -> &'static [&'static str] {
    use Operator as O;
    match operator {
        O::FloatAdd | O::FloatAddFlush | O::FloatAddFast => &[ori::Fadd::NAME],
        O::FloatMultiply | O::FloatMultiplyFlush | O::FloatMultiplyFast => &[ori::Fmul::NAME],
        O::FloatMultiplyAdd | O::FloatMultiplyAddFlush => &[ori::Ffma::NAME],
        O::FloatFromSigned | O::FloatFromUnsigned => &[ori::I2f::NAME],
        O::DoubleNegate | O::DoubleAbsolute | O::HalfNegate | O::HalfAbsolute => &[ori::Lop3::NAME],
        O::DoubleAdd => &[ori::Dadd::NAME],
        O::DoubleMultiply => &[ori::Dmul::NAME],
        O::DoubleMultiplyAdd => &[ori::Dfma::NAME],
        O::Min3Unsigned | O::Max3Unsigned | O::Min3Signed | O::Max3Signed => &[ori::Vimnmx3::NAME],
        O::AddMinUnsigned | O::AddMaxUnsigned | O::AddMinSigned | O::AddMaxSigned => {
            &[ori::Viaddmnmx::NAME]
        }
        O::DistanceUnsigned | O::DistanceSigned => &[ori::Vabsdiff::NAME],
        O::FloatMinimum
        | O::FloatMaximum
        | O::FloatMinimumNan
        | O::FloatMaximumNan
        | O::FloatMinimumFlush
        | O::FloatMaximumFlush => &[ori::Fmnmx::NAME],
        O::FloatMinimum3 | O::FloatMaximum3 => &[ori::Fmnmx3::NAME],
        O::FloatSelect => &[ori::Fsel::NAME],
        O::HalfLow | O::HalfHigh => &[ori::Prmt::NAME],
        O::HalfAdd | O::BrainAdd => &[ori::Hadd2::NAME],
        O::HalfMultiply | O::BrainMultiply => &[ori::Hmul2::NAME],
        O::HalfMultiplyAdd | O::BrainMultiplyAdd => &[ori::Hfma2::NAME],
        O::HalfMinimum | O::HalfMaximum => &[ori::Hmnmx2::NAME],
        O::FloatFromHalf | O::HalfFromFloat | O::DoubleFromFloat | O::FloatFromDouble => {
            &[ori::F2f::NAME]
        }
        O::SignedFromFloat | O::UnsignedFromFloat => &[ori::F2i::NAME],
        _ => &[],
    }
}
