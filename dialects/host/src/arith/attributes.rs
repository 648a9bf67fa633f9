//! Flags, rounding modes and predicates.

use orison_ir::declare::AttributeDefinition;
use orison_ir::parser::{ParseError, ParseResult, Parser, Token, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, DialectValue, OperationState, Type, attribute_form};

/// A set of flags with names in text.
struct FlagSet {
    /// Name of the set and of its attribute in messages.
    kind: &'static str,
    attribute: &'static str,
    /// Name and bits of each flag; the first entry is the empty set.
    flags: &'static [(&'static str, i32)],
    /// The separator between flags.
    separator: &'static str,
}

static OVERFLOW: FlagSet = FlagSet {
    kind: "::mlir::arith::IntegerOverflowFlags",
    attribute: "Arith_IntegerOverflowAttr",
    flags: &[("none", 0), ("nsw", 1), ("nuw", 2)],
    separator: ", ",
};

static FAST_MATH: FlagSet = FlagSet {
    kind: "::mlir::arith::FastMathFlags",
    attribute: "Arith_FastMathAttr",
    flags: &[
        ("none", 0),
        ("reassoc", 1),
        ("nnan", 2),
        ("ninf", 4),
        ("nsz", 8),
        ("arcp", 16),
        ("contract", 32),
        ("afn", 64),
        ("fast", 127),
    ],
    separator: ",",
};

impl FlagSet {
    /// Parses `<flag, flag>`. With `state`, messages refer to its operation.
    fn parse(&self, parser: &mut Parser<'_>, state: Option<&OperationState>) -> ParseResult<i32> {
        parser.expect(TokenKind::Less, "expected '<'")?;
        let Ok(bits) = self.parse_flags(parser, state) else {
            let message = format!(
                "failed to parse {} parameter 'value' which is to be a `{}`",
                self.attribute, self.kind
            );
            let token = parser.token();
            return Err(error(parser, state, token, &message));
        };
        parser.expect(TokenKind::Greater, "expected '>'")?;
        Ok(bits)
    }

    fn parse_flags(
        &self,
        parser: &mut Parser<'_>,
        state: Option<&OperationState>,
    ) -> ParseResult<i32> {
        let mut bits = 0;
        loop {
            let token = parser.token();
            if !parser.at(TokenKind::BareIdentifier) {
                return Err(error(
                    parser,
                    state,
                    token,
                    "expected valid keyword or string",
                ));
            }
            parser.advance()?;
            let name = parser.spelling(token);
            let Some((_, flag)) = self.flags.iter().find(|(known, _)| *known == name) else {
                let names: Vec<_> = self.flags.iter().map(|(name, _)| *name).collect();
                let message = format!("expected {} to be one of: {}", self.kind, names.join(", "));
                return Err(error(parser, state, token, &message));
            };
            bits |= flag;
            if !parser.eat(TokenKind::Comma)? {
                return Ok(bits);
            }
        }
    }

    /// Writes `<flag, flag>`.
    fn print(&self, printer: &mut Printer<'_>, bits: i32) {
        printer.write("<");
        if let Some((name, _)) = self.flags.iter().find(|(_, flag)| *flag == bits) {
            printer.write(name);
        } else {
            let set = self
                .flags
                .iter()
                .filter(|(_, flag)| *flag != 0 && bits & flag == *flag);
            for (number, (name, _)) in set.enumerate() {
                printer.write(if number > 0 { self.separator } else { "" });
                printer.write(name);
            }
        }
        printer.write(">");
    }
}

fn error(
    parser: &mut Parser<'_>,
    state: Option<&OperationState>,
    token: Token,
    message: &str,
) -> ParseError {
    match state {
        Some(state) => parser.op_error_at(state, token, message),
        None => parser.error_at(token, message),
    }
}

/// Declaration of `#arith.overflow<…>`.
pub(super) static OVERFLOW_DEFINITION: AttributeDefinition = AttributeDefinition::typed::<Overflow>(
    "arith.overflow",
    "Which overflows of an integer operation are undefined behaviour.",
);

/// Declaration of `#arith.fastmath<…>`.
pub(super) static FAST_MATH_DEFINITION: AttributeDefinition = AttributeDefinition::typed::<FastMath>(
    "arith.fastmath",
    "Assumptions under which a floating-point operation may be transformed.",
);

/// Makes sets of flags the values of attributes.
macro_rules! flags_attributes {
    ($($flags:ident: $set:ident, $definition:ident;)*) => { $(
        impl DialectValue for $flags {
            fn definition(&self) -> &'static AttributeDefinition {
                &$definition
            }

            fn parse(parser: &mut Parser<'_>, _: &'static AttributeDefinition) -> ParseResult<Self> {
                $set.parse(parser, None).map($flags)
            }

            fn print(&self, printer: &mut Printer<'_>) {
                $set.print(printer, self.0);
            }
        }
    )* };
}

flags_attributes! {
    Overflow: OVERFLOW, OVERFLOW_DEFINITION;
    FastMath: FAST_MATH, FAST_MATH_DEFINITION;
}

/// Selects the overflows of an integer operation that are undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Overflow(pub i32);

impl Overflow {
    /// All overflows wrap around.
    pub const NONE: Overflow = Overflow(0);
    /// No signed wrap: signed overflow is undefined.
    pub const NSW: Overflow = Overflow(1);
    /// No unsigned wrap: unsigned overflow is undefined.
    pub const NUW: Overflow = Overflow(2);

    /// Whether all flags of `other` are set.
    pub fn contains(self, other: Overflow) -> bool {
        self.0 & other.0 == other.0
    }

    /// Parses the `<…>` after the keyword `overflow` of an operation.
    pub(super) fn parse_in(
        parser: &mut Parser<'_>,
        state: &OperationState,
    ) -> ParseResult<Overflow> {
        OVERFLOW.parse(parser, Some(state)).map(Overflow)
    }
}

/// The assumptions and transformations allowed for a float operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FastMath(pub i32);

impl FastMath {
    /// Exactly IEEE 754.
    pub const NONE: FastMath = FastMath(0);
    /// Operations may be reassociated.
    pub const REASSOC: FastMath = FastMath(1);
    /// No operand or result is a NaN.
    pub const NNAN: FastMath = FastMath(2);
    /// No operand or result is infinite.
    pub const NINF: FastMath = FastMath(4);
    /// The sign of a zero is insignificant.
    pub const NSZ: FastMath = FastMath(8);
    /// A division may become a multiplication by the reciprocal.
    pub const ARCP: FastMath = FastMath(16);
    /// A multiplication and an addition may be contracted into one operation with one rounding.
    pub const CONTRACT: FastMath = FastMath(32);
    /// Functions may be approximated.
    pub const AFN: FastMath = FastMath(64);
    /// All flags.
    pub const FAST: FastMath = FastMath(127);

    /// Whether all flags of `other` are set.
    pub fn contains(self, other: FastMath) -> bool {
        self.0 & other.0 == other.0
    }

    /// Parses the `<…>` after the keyword `fastmath` of an operation.
    pub(super) fn parse_in(
        parser: &mut Parser<'_>,
        state: &OperationState,
    ) -> ParseResult<FastMath> {
        FAST_MATH.parse(parser, Some(state)).map(FastMath)
    }
}

attribute_form!(
    /// `#arith.overflow<…>`.
    OverflowAttr, "Integer overflow arith flags", Overflow,
    |context, attribute| attribute.downcast(context).copied(),
    Attribute::typed,
    strict
);
attribute_form!(
    /// `#arith.fastmath<…>`.
    FastMathAttr, "Floating point fast math flags", FastMath,
    |context, attribute| attribute.downcast(context).copied(),
    Attribute::typed,
    strict
);

/// Defines an enumeration with cases numbered from 0 and names in text.
macro_rules! enumeration {
    ($(#[$doc:meta])* $name:ident { $($(#[$case_doc:meta])* $case:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[$case_doc])* $case),* }

        impl $name {
            /// The cases in numeric order.
            pub const ALL: &'static [$name] = &[$($name::$case),*];

            /// The name in text.
            pub fn name(self) -> &'static str {
                match self { $($name::$case => $text),* }
            }

            /// The case with this name.
            pub fn from_name(name: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|case| case.name() == name)
            }

            /// The case with this numeric value.
            pub fn from_number(number: i64) -> Option<$name> {
                $name::ALL.get(usize::try_from(number).ok()?).copied()
            }
        }
    };
}

enumeration! {
    /// Integer comparison predicates.
    IntegerPredicate {
        /// Equal.
        Eq = "eq",
        /// Not equal.
        Ne = "ne",
        /// Less, signed.
        Slt = "slt",
        /// Less or equal, signed.
        Sle = "sle",
        /// Greater, signed.
        Sgt = "sgt",
        /// Greater or equal, signed.
        Sge = "sge",
        /// Less, unsigned.
        Ult = "ult",
        /// Less or equal, unsigned.
        Ule = "ule",
        /// Greater, unsigned.
        Ugt = "ugt",
        /// Greater or equal, unsigned.
        Uge = "uge",
    }
}

enumeration! {
    /// Float comparison predicates. Ordered predicates are false if an operand is a NaN, unordered
    /// predicates are true.
    FloatPredicate {
        /// Never true.
        AlwaysFalse = "false",
        /// Ordered and equal.
        Oeq = "oeq",
        /// Ordered and greater.
        Ogt = "ogt",
        /// Ordered and greater or equal.
        Oge = "oge",
        /// Ordered and less.
        Olt = "olt",
        /// Ordered and less or equal.
        Ole = "ole",
        /// Ordered and not equal.
        One = "one",
        /// Ordered.
        Ord = "ord",
        /// Unordered or equal.
        Ueq = "ueq",
        /// Unordered or greater.
        Ugt = "ugt",
        /// Unordered or greater or equal.
        Uge = "uge",
        /// Unordered or less.
        Ult = "ult",
        /// Unordered or less or equal.
        Ule = "ule",
        /// Unordered or not equal.
        Une = "une",
        /// Unordered.
        Uno = "uno",
        /// Always true.
        AlwaysTrue = "true",
    }
}

enumeration! {
    /// Rounding modes of float operations.
    RoundingMode {
        /// To the nearest value, ties to even.
        ToNearestEven = "to_nearest_even",
        /// Toward negative infinity.
        Downward = "downward",
        /// Toward positive infinity.
        Upward = "upward",
        /// Toward zero.
        TowardZero = "toward_zero",
        /// To the nearest value, ties away from zero.
        ToNearestAway = "to_nearest_away",
    }
}

attribute_form!(
    /// The numeric value of an [`IntegerPredicate`].
    IntegerPredicateAttr,
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9",
    IntegerPredicate,
    |context, attribute| {
        let number = attribute.as_i64(context).filter(|_| attribute.carried_type(context) == Type::I64);
        IntegerPredicate::from_number(number?)
    },
    |context, value| Attribute::i64(context, value as i64),
    strict
);
attribute_form!(
    /// The numeric value of a [`FloatPredicate`].
    FloatPredicateAttr,
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    FloatPredicate,
    |context, attribute| {
        let number = attribute.as_i64(context).filter(|_| attribute.carried_type(context) == Type::I64);
        FloatPredicate::from_number(number?)
    },
    |context, value| Attribute::i64(context, value as i64),
    strict
);
attribute_form!(
    /// The numeric value of a [`RoundingMode`].
    RoundingModeAttr,
    "Floating point rounding mode",
    RoundingMode,
    |context, attribute| RoundingMode::from_number(attribute.as_i32(context)?.into()),
    |context, value| Attribute::i32(context, value as i32),
    strict
);
