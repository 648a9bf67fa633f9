//! What operators are on the machine: instructions, and what may be done to operands while they are
//! read.

use super::term::Operator;

/// What may stand between a class and the operand of an instruction for free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// The value as it is.
    Plain,
    /// The value or its negative.
    Negatable,
    /// The value or its bits inverted.
    Invertible,
    /// A predicate or its opposite.
    Predicate,
    /// A float, its absolute value, or the negative of either.
    Float,
    /// A double, its absolute value, or the negative of either.
    Double,
    /// A number that is no operand but part of the instruction.
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
        _ => Slot::Plain,
    }
}

/// A comparison that takes a predicate along: its words in `ori.isetp`.
#[derive(Clone, Copy, Debug)]
pub struct ComparedWith {
    /// How the operands are compared.
    pub compare: &'static str,
    /// How they are read.
    pub signedness: &'static str,
    /// How the outcome goes together with the predicate; none where there is none.
    pub combine: Option<&'static str>,
    /// The predicate is the outcome for the low words.
    pub extended: bool,
}

/// The words of a comparison.
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

/// The operations that an operator becomes; none where the machine has nothing for it.
pub const fn operations(operator: Operator) -> &'static [&'static str] {
    use Operator as O;
    if compared_with(operator).is_some() {
        return &["ori.isetp"];
    }
    match operator {
        O::Add | O::Negate | O::Add3 | O::AddCarry | O::Carry => &["ori.iadd3"],
        O::Multiply | O::MultiplyAdd => &["ori.imad"],
        O::Lea => &["ori.lea"],
        O::Not | O::And | O::Or | O::Xor | O::Table | O::FloatNegate | O::FloatAbsolute => {
            &["ori.lop3"]
        }
        O::ShiftLeft
        | O::ShiftRight
        | O::ShiftRightSigned
        | O::FunnelLeft
        | O::FunnelRight
        | O::FunnelRightSigned
        | O::FunnelLeftWrap
        | O::FunnelRightWrap => &["ori.shf"],
        O::MinUnsigned | O::MaxUnsigned | O::MinSigned | O::MaxSigned => &["ori.imnmx"],
        O::Absolute => &["ori.iabs"],
        O::Select => &["ori.sel"],
        O::Low | O::High => &["ori.extract"],
        O::Concat => &["ori.concat"],
        O::MultiplyHighUnsigned | O::MultiplyHighSigned => &["ori.imad_hi"],
        O::PopulationCount => &["ori.popc"],
        O::HighestBit | O::HighestBitSigned | O::LeadingZeros | O::LeadingSigns => &["ori.flo"],
        O::Reverse => &["ori.brev"],
        O::Permute => &["ori.prmt"],
        O::BitMask => &["ori.bmsk"],
        O::ExtendUnsigned | O::ExtendSigned => &["ori.sgxt"],
        O::PairAdd | O::PairNegate | O::PairSubtract => &["ori.iadd3", "ori.iadd3"],
        O::MultiplyWideUnsigned | O::MultiplyWideSigned => &["ori.imad_wide"],
        O::PairShiftLeft | O::PairShiftRight | O::PairShiftRightSigned => &["ori.shf", "ori.shf"],
        O::PairLea => &["ori.lea", "ori.lea"],
        O::PredicateNot
        | O::PredicateAnd
        | O::PredicateOr
        | O::PredicateXor
        | O::PredicateTable => &["ori.plop3"],
        O::FloatAdd | O::FloatAddFlush | O::FloatAddFast => &["ori.fadd"],
        O::FloatMultiply | O::FloatMultiplyFlush | O::FloatMultiplyFast => &["ori.fmul"],
        O::FloatMultiplyAdd | O::FloatMultiplyAddFlush => &["ori.ffma"],
        O::FloatFromSigned | O::FloatFromUnsigned => &["ori.i2f"],
        O::DoubleNegate | O::DoubleAbsolute => &["ori.lop3"],
        O::DoubleAdd => &["ori.dadd"],
        O::DoubleMultiply => &["ori.dmul"],
        O::DoubleMultiplyAdd => &["ori.dfma"],
        _ => &[],
    }
}
