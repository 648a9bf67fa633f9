//! The term language: pure expressions over words, pairs of words and predicates.
//!
//! A term is what an instruction computes, without registers, guards and operand modifiers. Widths
//! are a parameter of the meaning ([`super::evaluate`]): a word has 32 bits in programs and fewer
//! where rules are checked exhaustively.

use std::fmt;

use egg::{FromOp, Id, Language};
use orison_ir::numbers::FloatKind;
use smallvec::SmallVec;

/// What kind of value a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// A predicate: one bit.
    Predicate,
    /// A word: 32 bits in programs.
    Word,
    /// A pair of words.
    Pair,
}

impl Sort {
    /// Width in bits where a word has `word` bits.
    pub const fn bits(self, word: u32) -> u32 {
        match self {
            Sort::Predicate => 1,
            Sort::Word => word,
            Sort::Pair => 2 * word,
        }
    }

    /// The bits that a value may have.
    pub const fn mask(self, word: u32) -> u64 {
        u64::MAX >> (64 - self.bits(word))
    }

    const fn of(letter: u8) -> Self {
        match letter {
            b'p' => Sort::Predicate,
            b'd' => Sort::Pair,
            _ => Sort::Word,
        }
    }

    const fn letter(self) -> char {
        match self {
            Sort::Predicate => 'p',
            Sort::Word => 'w',
            Sort::Pair => 'd',
        }
    }
}

/// Defines the operators: name in rules, sorts of operands and result (`p`, `w`, `d`).
macro_rules! operators {
    ($( $(#[doc = $doc:literal])* $variant:ident = $name:literal ($sorts:literal) -> $result:literal; )*) => {
        /// What a term does with its operands.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Operator { $( $(#[doc = $doc])* $variant ),* }

        impl Operator {
            /// All operators, in the order of their declaration.
            pub const ALL: &'static [Operator] = &[$(Operator::$variant),*];

            /// The name in rules.
            pub const fn name(self) -> &'static str {
                match self { $( Operator::$variant => $name ),* }
            }

            /// The sorts of the operands, a letter each.
            const fn letters(self) -> &'static [u8] {
                match self { $( Operator::$variant => $sorts.as_bytes() ),* }
            }

            /// The sort of the result.
            pub const fn sort(self) -> Sort {
                match self { $( Operator::$variant => Sort::of($result) ),* }
            }
        }
    };
}

operators! {
    /// `a + b`.
    Add = "add"("ww") -> b'w';
    /// `-a`.
    Negate = "neg"("w") -> b'w';
    /// `a + b + c`.
    Add3 = "add3"("www") -> b'w';
    /// `a + b + p`.
    AddCarry = "add-carry"("wwp") -> b'w';
    /// The low word of `a * b`.
    Multiply = "mul"("ww") -> b'w';
    /// The low word of `a * b + c`.
    MultiplyAdd = "mad"("www") -> b'w';
    /// `(a << n) + b` for a number n below the width.
    Lea = "lea"("www") -> b'w';
    /// All bits inverted.
    Not = "not"("w") -> b'w';
    /// Bits of both.
    And = "and"("ww") -> b'w';
    /// Bits of any.
    Or = "or"("ww") -> b'w';
    /// Bits of one.
    Xor = "xor"("ww") -> b'w';
    /// Bit `4a + 2b + c` of the number `t`, bit by bit: operands t, a, b, c.
    Table = "lop3"("wwww") -> b'w';
    /// Left shift; zero from the width on.
    ShiftLeft = "shl"("ww") -> b'w';
    /// Right shift; zero from the width on.
    ShiftRight = "shr"("ww") -> b'w';
    /// Right shift with sign; the sign from the width on.
    ShiftRightSigned = "sar"("ww") -> b'w';
    /// The high word of `c:a << n`, operands a, n, c; zero from twice the width on.
    FunnelLeft = "funnel-left"("www") -> b'w';
    /// The low word of `c:a >> n`, operands a, n, c; zero from twice the width on.
    FunnelRight = "funnel-right"("www") -> b'w';
    /// The low word of `c:a >> n` with the sign of c.
    FunnelRightSigned = "funnel-sar"("www") -> b'w';
    /// The high word of `c:a << n`, n modulo the width.
    FunnelLeftWrap = "funnel-left-wrap"("www") -> b'w';
    /// The low word of `c:a >> n`, n modulo the width.
    FunnelRightWrap = "funnel-right-wrap"("www") -> b'w';
    /// The smaller of two unsigned numbers.
    MinUnsigned = "min-u"("ww") -> b'w';
    /// The larger of two unsigned numbers.
    MaxUnsigned = "max-u"("ww") -> b'w';
    /// The smaller of two signed numbers.
    MinSigned = "min-s"("ww") -> b'w';
    /// The larger of two signed numbers.
    MaxSigned = "max-s"("ww") -> b'w';
    /// The absolute value; that of the smallest number is itself.
    Absolute = "abs"("w") -> b'w';
    /// `a` where p holds, else `b`: operands p, a, b.
    Select = "sel"("pww") -> b'w';
    /// The low word of a pair.
    Low = "low"("d") -> b'w';
    /// The high word of a pair.
    High = "high"("d") -> b'w';
    /// The high word of `a * b + c`, unsigned factors.
    MultiplyHighUnsigned = "mad-high-u"("wwd") -> b'w';
    /// The high word of `a * b + c`, signed factors.
    MultiplyHighSigned = "mad-high-s"("wwd") -> b'w';
    /// The number of bits that are set.
    PopulationCount = "popc"("w") -> b'w';
    /// The number of the highest bit that is set, or all ones.
    HighestBit = "flo-u"("w") -> b'w';
    /// The number of the highest bit that differs from the sign, or all ones.
    HighestBitSigned = "flo-s"("w") -> b'w';
    /// How far the highest set bit is from the top, or all ones.
    LeadingZeros = "flo-shift-u"("w") -> b'w';
    /// How far the highest bit that differs from the sign is from the top, or all ones.
    LeadingSigns = "flo-shift-s"("w") -> b'w';
    /// All bits in opposite order.
    Reverse = "brev"("w") -> b'w';
    /// Four bytes of `c:a`, chosen by `s`: operands a, s, c; for words of four bytes.
    Permute = "prmt"("www") -> b'w';
    /// `b` ones from bit `a` on; both saturate.
    BitMask = "bmsk"("ww") -> b'w';
    /// The low `b` bits of `a`, zero above.
    ExtendUnsigned = "sgxt-u"("ww") -> b'w';
    /// The low `b` bits of `a`, extended with their sign.
    ExtendSigned = "sgxt-s"("ww") -> b'w';
    /// A pair from its low and high word.
    Concat = "cat"("ww") -> b'd';
    /// `a + b` on pairs.
    PairAdd = "add.d"("dd") -> b'd';
    /// `-a` on pairs.
    PairNegate = "neg.d"("d") -> b'd';
    /// `a - b` on pairs.
    PairSubtract = "sub.d"("dd") -> b'd';
    /// `a * b + c` with unsigned factors and a pair as addend and result.
    MultiplyWideUnsigned = "mad-wide-u"("wwd") -> b'd';
    /// `a * b + c` with signed factors and a pair as addend and result.
    MultiplyWideSigned = "mad-wide-s"("wwd") -> b'd';
    /// Left shift of a pair; zero from its width on.
    PairShiftLeft = "shl.d"("dw") -> b'd';
    /// Right shift of a pair; zero from its width on.
    PairShiftRight = "shr.d"("dw") -> b'd';
    /// Right shift of a pair with sign; the sign from its width on.
    PairShiftRightSigned = "sar.d"("dw") -> b'd';
    /// `(a << n) + b` on pairs, for a number n from 1 to the width less 1: operands a, b, n.
    PairLea = "lea.d"("ddw") -> b'd';
    /// The opposite.
    PredicateNot = "not.p"("p") -> b'p';
    /// Both.
    PredicateAnd = "and.p"("pp") -> b'p';
    /// Any.
    PredicateOr = "or.p"("pp") -> b'p';
    /// One.
    PredicateXor = "xor.p"("pp") -> b'p';
    /// Bit `4a + 2b + c` of the number `t`: operands t, a, b, c.
    PredicateTable = "plop3"("wppp") -> b'p';
    /// `a == b`.
    Equal = "eq"("ww") -> b'p';
    /// `a != b`.
    NotEqual = "ne"("ww") -> b'p';
    /// `a < b`, unsigned.
    LessUnsigned = "lt-u"("ww") -> b'p';
    /// `a <= b`, unsigned.
    LessEqualUnsigned = "le-u"("ww") -> b'p';
    /// `a < b`, signed.
    LessSigned = "lt-s"("ww") -> b'p';
    /// `a <= b`, signed.
    LessEqualSigned = "le-s"("ww") -> b'p';
    /// `a == b and p`: the low words are equal where p holds.
    EqualExtended = "eq-x"("wwp") -> b'p';
    /// `a != b or p`.
    NotEqualExtended = "ne-x"("wwp") -> b'p';
    /// `a < b or a == b and p`, unsigned.
    LessExtendedUnsigned = "lt-x-u"("wwp") -> b'p';
    /// `a < b or a == b and p`, signed.
    LessExtendedSigned = "lt-x-s"("wwp") -> b'p';
    /// `a == b and p`, in one comparison.
    EqualAnd = "eq-and"("wwp") -> b'p';
    /// `a != b and p`.
    NotEqualAnd = "ne-and"("wwp") -> b'p';
    /// `a < b and p`, unsigned.
    LessUnsignedAnd = "lt-u-and"("wwp") -> b'p';
    /// `a <= b and p`, unsigned.
    LessEqualUnsignedAnd = "le-u-and"("wwp") -> b'p';
    /// `a < b and p`, signed.
    LessSignedAnd = "lt-s-and"("wwp") -> b'p';
    /// `a <= b and p`, signed.
    LessEqualSignedAnd = "le-s-and"("wwp") -> b'p';
    /// `a == b or p`, in one comparison.
    EqualOr = "eq-or"("wwp") -> b'p';
    /// `a != b or p`.
    NotEqualOr = "ne-or"("wwp") -> b'p';
    /// `a < b or p`, unsigned.
    LessUnsignedOr = "lt-u-or"("wwp") -> b'p';
    /// `a <= b or p`, unsigned.
    LessEqualUnsignedOr = "le-u-or"("wwp") -> b'p';
    /// `a < b or p`, signed.
    LessSignedOr = "lt-s-or"("wwp") -> b'p';
    /// `a <= b or p`, signed.
    LessEqualSignedOr = "le-s-or"("wwp") -> b'p';
    /// The carry of `a + b`.
    Carry = "carry"("ww") -> b'p';
    /// The smallest of three unsigned numbers.
    Min3Unsigned = "min3-u"("www") -> b'w';
    /// The largest of three unsigned numbers.
    Max3Unsigned = "max3-u"("www") -> b'w';
    /// The smallest of three signed numbers.
    Min3Signed = "min3-s"("www") -> b'w';
    /// The largest of three signed numbers.
    Max3Signed = "max3-s"("www") -> b'w';
    /// The smaller of `a + b` and `c`, unsigned.
    AddMinUnsigned = "add-min-u"("www") -> b'w';
    /// The larger of `a + b` and `c`, unsigned.
    AddMaxUnsigned = "add-max-u"("www") -> b'w';
    /// The smaller of `a + b` and `c`, signed.
    AddMinSigned = "add-min-s"("www") -> b'w';
    /// The larger of `a + b` and `c`, signed.
    AddMaxSigned = "add-max-s"("www") -> b'w';
    /// `|a - b| + c`, a and b unsigned.
    DistanceUnsigned = "absdiff-u"("www") -> b'w';
    /// `|a - b| + c`, a and b signed.
    DistanceSigned = "absdiff-s"("www") -> b'w';
    /// The sign of a float turned.
    FloatNegate = "fneg"("w") -> b'w';
    /// A float without its sign.
    FloatAbsolute = "fabs"("w") -> b'w';
    /// The sum of two floats, to nearest.
    FloatAdd = "fadd"("ww") -> b'w';
    /// The product of two floats, to nearest.
    FloatMultiply = "fmul"("ww") -> b'w';
    /// `a * b + c` on floats, rounded once, to nearest.
    FloatMultiplyAdd = "ffma"("www") -> b'w';
    /// The sum of two floats; denormals are zero.
    FloatAddFlush = "fadd-ftz"("ww") -> b'w';
    /// The product of two floats; denormals are zero.
    FloatMultiplyFlush = "fmul-ftz"("ww") -> b'w';
    /// `a * b + c` on floats, rounded once; denormals are zero.
    FloatMultiplyAddFlush = "ffma-ftz"("www") -> b'w';
    /// The sum of two floats of a function that allows products and sums to be contracted.
    FloatAddFast = "fadd-fast"("ww") -> b'w';
    /// The product of two floats of such a function.
    FloatMultiplyFast = "fmul-fast"("ww") -> b'w';
    /// A signed integer as a float, to nearest.
    FloatFromSigned = "i2f-s"("w") -> b'w';
    /// An unsigned integer as a float, to nearest.
    FloatFromUnsigned = "i2f-u"("w") -> b'w';
    /// The sign of a double turned.
    DoubleNegate = "dneg"("d") -> b'd';
    /// A double without its sign.
    DoubleAbsolute = "dabs"("d") -> b'd';
    /// The sum of two doubles, to nearest.
    DoubleAdd = "dadd"("dd") -> b'd';
    /// The product of two doubles, to nearest.
    DoubleMultiply = "dmul"("dd") -> b'd';
    /// `a * b + c` on doubles, rounded once, to nearest.
    DoubleMultiplyAdd = "dfma"("ddd") -> b'd';
    /// Whether two floats stand in a relation of the number t, a bit each: below, equal, above, no
    /// order.
    FloatCompare = "fcmp"("www") -> b'p';
    /// The same and a predicate.
    FloatCompareAnd = "fcmp-and"("wwwp") -> b'p';
    /// The same or a predicate.
    FloatCompareOr = "fcmp-or"("wwwp") -> b'p';
    /// As `fcmp`; denormals are zero.
    FloatCompareFlush = "fcmp-ftz"("www") -> b'p';
    /// As `fcmp-and`; denormals are zero.
    FloatCompareFlushAnd = "fcmp-ftz-and"("wwwp") -> b'p';
    /// As `fcmp-or`; denormals are zero.
    FloatCompareFlushOr = "fcmp-ftz-or"("wwwp") -> b'p';
    /// As `fcmp` on doubles.
    DoubleCompare = "dcmp"("wdd") -> b'p';
    /// As `fcmp-and` on doubles.
    DoubleCompareAnd = "dcmp-and"("wddp") -> b'p';
    /// As `fcmp-or` on doubles.
    DoubleCompareOr = "dcmp-or"("wddp") -> b'p';
    /// As `fcmp` on the low halves of words.
    HalfCompare = "hcmp"("www") -> b'p';
    /// The smaller float; a number before none; minus zero is below zero.
    FloatMinimum = "fmin"("ww") -> b'w';
    /// The larger float, alike.
    FloatMaximum = "fmax"("ww") -> b'w';
    /// The smaller float; no number when one is none.
    FloatMinimumNan = "fmin-nan"("ww") -> b'w';
    /// The larger float; no number when one is none.
    FloatMaximumNan = "fmax-nan"("ww") -> b'w';
    /// As `fmin`; denormals are zero.
    FloatMinimumFlush = "fmin-ftz"("ww") -> b'w';
    /// As `fmax`; denormals are zero.
    FloatMaximumFlush = "fmax-ftz"("ww") -> b'w';
    /// The smallest of three floats, as `fmin`.
    FloatMinimum3 = "fmin3"("www") -> b'w';
    /// The largest of three floats, as `fmax`.
    FloatMaximum3 = "fmax3"("www") -> b'w';
    /// `a` where p holds, else `b`, floats: operands p, a, b.
    FloatSelect = "fsel"("pww") -> b'w';
    /// The signs of both halves turned.
    HalfNegate = "hneg"("w") -> b'w';
    /// Both halves without signs.
    HalfAbsolute = "habs"("w") -> b'w';
    /// The low half, twice.
    HalfLow = "hlow"("w") -> b'w';
    /// The high half, twice.
    HalfHigh = "hhigh"("w") -> b'w';
    /// Two sums of floats of 16 bits.
    HalfAdd = "hadd2"("ww") -> b'w';
    /// Two products of floats of 16 bits.
    HalfMultiply = "hmul2"("ww") -> b'w';
    /// `a * b + c` twice on floats of 16 bits, each rounded once.
    HalfMultiplyAdd = "hfma2"("www") -> b'w';
    /// The smaller ones of two pairs of floats of 16 bits.
    HalfMinimum = "hmin2"("ww") -> b'w';
    /// The larger ones of two pairs of floats of 16 bits.
    HalfMaximum = "hmax2"("ww") -> b'w';
    /// As `hadd2` on bfloat16.
    BrainAdd = "badd2"("ww") -> b'w';
    /// As `hmul2` on bfloat16.
    BrainMultiply = "bmul2"("ww") -> b'w';
    /// As `hfma2` on bfloat16.
    BrainMultiplyAdd = "bfma2"("www") -> b'w';
    /// The float that the low half is.
    FloatFromHalf = "f2f-widen"("w") -> b'w';
    /// The nearest float of 16 bits, zero above it.
    HalfFromFloat = "f2f-narrow"("w") -> b'w';
    /// The double that a float is.
    DoubleFromFloat = "f2f-double"("w") -> b'd';
    /// The float nearest to a double.
    FloatFromDouble = "f2f-single"("d") -> b'w';
    /// A float without its fraction as a signed integer; the nearest one when it is too large.
    SignedFromFloat = "f2i-s"("w") -> b'w';
    /// A float without its fraction as an unsigned integer; the nearest one when it is too large.
    UnsignedFromFloat = "f2i-u"("w") -> b'w';
}

impl Operator {
    /// The operator with a name.
    pub fn named(name: &str) -> Option<Self> {
        Operator::ALL
            .iter()
            .copied()
            .find(|known| known.name() == name)
    }

    /// How many operands it has.
    pub const fn arity(self) -> usize {
        self.letters().len()
    }

    /// The sort of an operand; words behind the last.
    pub fn operand_sort(self, number: usize) -> Sort {
        Sort::of(self.letters().get(number).copied().unwrap_or(b'w'))
    }

    /// Whether its operands or result are floats, whose values are equal when both are no number.
    pub const fn is_float(self) -> bool {
        self as u16 >= Operator::FloatNegate as u16
    }

    /// Whether its result is a float of 32 or 64 bits.
    pub const fn makes_float(self) -> bool {
        let integer = matches!(
            self,
            Operator::SignedFromFloat | Operator::UnsignedFromFloat
        );
        let bits = matches!(
            self,
            Operator::HalfNegate | Operator::HalfAbsolute | Operator::HalfLow | Operator::HalfHigh
        );
        let lanes = bits || self.halves().is_some();
        let predicate = matches!(self.sort(), Sort::Predicate);
        self.is_float() && !integer && !lanes && !predicate
    }

    /// The format of the halves that it computes with; none when it computes with none.
    pub const fn halves(self) -> Option<FloatKind> {
        match self {
            Operator::HalfAdd
            | Operator::HalfMultiply
            | Operator::HalfMultiplyAdd
            | Operator::HalfMinimum
            | Operator::HalfMaximum
            | Operator::HalfFromFloat => Some(FloatKind::F16),
            Operator::BrainAdd | Operator::BrainMultiply | Operator::BrainMultiplyAdd => {
                Some(FloatKind::BF16)
            }
            _ => None,
        }
    }
}

/// What stands at the head of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Head {
    /// A value that is not looked into, by number.
    Leaf(u32, Sort),
    /// A number: its bits.
    Number(u64, Sort),
    /// An operator with operands.
    Operator(Operator),
    /// One result of an operation that no operator stands for: which form
    /// ([`super::facts::Machine`]), which result.
    Machine(u32, u8, Sort),
}

/// A term whose operands are classes of equal terms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term {
    /// What stands at its head.
    pub head: Head,
    /// The operands.
    pub children: SmallVec<[Id; 4]>,
}

impl Term {
    /// A value that is not looked into.
    pub fn leaf(number: u32, sort: Sort) -> Self {
        Term::of(Head::Leaf(number, sort), &[])
    }

    /// A number.
    pub fn number(bits: u64, sort: Sort) -> Self {
        Term::of(Head::Number(bits, sort), &[])
    }

    /// An operator on operands.
    pub fn new(operator: Operator, children: &[Id]) -> Self {
        debug_assert_eq!(operator.arity(), children.len(), "{}", operator.name());
        Term::of(Head::Operator(operator), children)
    }

    fn of(head: Head, children: &[Id]) -> Self {
        Term {
            head,
            children: SmallVec::from_slice(children),
        }
    }

    /// What kind of value it is.
    pub const fn sort(&self) -> Sort {
        match self.head {
            Head::Leaf(_, sort) | Head::Number(_, sort) | Head::Machine(_, _, sort) => sort,
            Head::Operator(operator) => operator.sort(),
        }
    }

    /// One result of an operation that no operator stands for.
    pub fn machine(form: u32, result: u8, sort: Sort, children: &[Id]) -> Self {
        Term::of(Head::Machine(form, result, sort), children)
    }

    /// Whether it is a leaf or a number: nothing is computed.
    pub const fn is_atom(&self) -> bool {
        matches!(self.head, Head::Leaf(..) | Head::Number(..))
    }

    /// The operator at the head.
    pub const fn operator(&self) -> Option<Operator> {
        match self.head {
            Head::Operator(operator) => Some(operator),
            _ => None,
        }
    }
}

impl Language for Term {
    type Discriminant = Head;

    fn discriminant(&self) -> Head {
        self.head
    }

    fn matches(&self, other: &Self) -> bool {
        self.head == other.head
    }

    fn children(&self) -> &[Id] {
        &self.children
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.children
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.head {
            Head::Leaf(number, sort) => write!(f, "%{number}:{}", sort.letter()),
            Head::Number(bits, sort) => write!(f, "{bits}:{}", sort.letter()),
            Head::Operator(operator) => f.write_str(operator.name()),
            Head::Machine(form, result, _) => write!(f, "machine-{form}.{result}"),
        }
    }
}

/// Reads what [`Term`] displays: an operator, `5:w`, `-1:d`, `%3:p`. All ones are `-1`, cut to the
/// width by whoever reads the pattern.
impl FromOp for Term {
    type Error = String;

    fn from_op(text: &str, children: Vec<Id>) -> Result<Self, String> {
        if let Some(operator) = Operator::named(text) {
            if operator.arity() == children.len() {
                return Ok(Term::new(operator, &children));
            }
            return Err(format!("'{text}' takes {} operands", operator.arity()));
        }
        let (value, sort) = text.rsplit_once(':').unwrap_or((text, "w"));
        let sort = match sort {
            "p" => Sort::Predicate,
            "w" => Sort::Word,
            "d" => Sort::Pair,
            _ => return Err(format!("unknown term '{text}'")),
        };
        if !children.is_empty() {
            return Err(format!("unknown operator '{text}'"));
        }
        if let Some(number) = value.strip_prefix('%') {
            let number = number.parse().map_err(|_| format!("bad leaf '{text}'"))?;
            return Ok(Term::leaf(number, sort));
        }
        let bits: i128 = value.parse().map_err(|_| format!("bad term '{text}'"))?;
        let bits = u64::try_from(bits & i128::from(u64::MAX)).unwrap_or(0);
        Ok(Term::number(bits, sort))
    }
}
