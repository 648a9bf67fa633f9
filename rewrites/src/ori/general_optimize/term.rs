//! The term language: pure expressions over words, pairs of words and predicates.
//!
//! A term describes the computation of an instruction, without registers, guards and operand
//! modifiers. The semantics ([`super::evaluate`]) is parameterised by the width: a word has 32 bits
//! in programs and fewer when rules are checked exhaustively.

use std::fmt;

use egg::{FromOp, Id, Language};
use orison_ir::numbers::FloatKind;
use smallvec::SmallVec;

/// The width of a word in programs.
pub const WORD: u32 = 32;

/// The sort of a term's value.
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
    /// Width in bits if a word has `word` bits.
    pub const fn bits(self, word: u32) -> u32 {
        match self {
            Sort::Predicate => 1,
            Sort::Word => word,
            Sort::Pair => 2 * word,
        }
    }

    /// The mask of a value's bits.
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
        /// The operator of a term.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Operator { $( $(#[doc = $doc])* $variant ),* }

        impl Operator {
            /// All operators, in the order of their declaration.
            pub const ALL: &'static [Operator] = &[$(Operator::$variant),*];

            /// The name in rules.
            pub const fn name(self) -> &'static str {
                match self { $( Operator::$variant => $name ),* }
            }

            /// The sorts of the operands, one letter each.
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
    /// Bitwise complement.
    Not = "not"("w") -> b'w';
    /// Bitwise and.
    And = "and"("ww") -> b'w';
    /// Bitwise or.
    Or = "or"("ww") -> b'w';
    /// Bitwise exclusive or.
    Xor = "xor"("ww") -> b'w';
    /// Bit `4a + 2b + c` of the constant `t`, bitwise: operands t, a, b, c.
    Table = "lop3"("wwww") -> b'w';
    /// Left shift; zero if the amount is at least the width.
    ShiftLeft = "shl"("ww") -> b'w';
    /// Right shift; zero if the amount is at least the width.
    ShiftRight = "shr"("ww") -> b'w';
    /// Arithmetic right shift; all sign bits if the amount is at least the width.
    ShiftRightSigned = "sar"("ww") -> b'w';
    /// The high word of `c:a << n`, operands a, n, c; zero if n is at least twice the width.
    FunnelLeft = "funnel-left"("www") -> b'w';
    /// The low word of `c:a >> n`, operands a, n, c; zero if n is at least twice the width.
    FunnelRight = "funnel-right"("www") -> b'w';
    /// The low word of the arithmetic shift `c:a >> n`.
    FunnelRightSigned = "funnel-sar"("www") -> b'w';
    /// The high word of `c:a << n`, n modulo the width.
    FunnelLeftWrap = "funnel-left-wrap"("www") -> b'w';
    /// The low word of `c:a >> n`, n modulo the width.
    FunnelRightWrap = "funnel-right-wrap"("www") -> b'w';
    /// The unsigned minimum.
    MinUnsigned = "min-u"("ww") -> b'w';
    /// The unsigned maximum.
    MaxUnsigned = "max-u"("ww") -> b'w';
    /// The signed minimum.
    MinSigned = "min-s"("ww") -> b'w';
    /// The signed maximum.
    MaxSigned = "max-s"("ww") -> b'w';
    /// The absolute value; the smallest number is its own absolute value.
    Absolute = "abs"("w") -> b'w';
    /// `a` if p holds, else `b`: operands p, a, b.
    Select = "sel"("pww") -> b'w';
    /// The low word of a pair.
    Low = "low"("d") -> b'w';
    /// The high word of a pair.
    High = "high"("d") -> b'w';
    /// The high word of `a * b + c`, unsigned factors.
    MultiplyHighUnsigned = "mad-high-u"("wwd") -> b'w';
    /// The high word of `a * b + c`, signed factors.
    MultiplyHighSigned = "mad-high-s"("wwd") -> b'w';
    /// The number of set bits.
    PopulationCount = "popc"("w") -> b'w';
    /// The index of the highest set bit, or all ones.
    HighestBit = "flo-u"("w") -> b'w';
    /// The index of the highest bit that differs from the sign, or all ones.
    HighestBitSigned = "flo-s"("w") -> b'w';
    /// The distance of the highest set bit from the top, or all ones.
    LeadingZeros = "flo-shift-u"("w") -> b'w';
    /// The distance of the highest bit that differs from the sign from the top, or all ones.
    LeadingSigns = "flo-shift-s"("w") -> b'w';
    /// Bit reversal.
    Reverse = "brev"("w") -> b'w';
    /// Four bytes of `c:a`, selected by `s`: operands a, s, c; for words of four bytes.
    Permute = "prmt"("www") -> b'w';
    /// `b` ones starting at bit `a`; both saturate.
    BitMask = "bmsk"("ww") -> b'w';
    /// The low `b` bits of `a`, zero-extended.
    ExtendUnsigned = "sgxt-u"("ww") -> b'w';
    /// The low `b` bits of `a`, sign-extended.
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
    /// Left shift of a pair; zero if the amount is at least its width.
    PairShiftLeft = "shl.d"("dw") -> b'd';
    /// Right shift of a pair; zero if the amount is at least its width.
    PairShiftRight = "shr.d"("dw") -> b'd';
    /// Arithmetic right shift of a pair; all sign bits if the amount is at least its width.
    PairShiftRightSigned = "sar.d"("dw") -> b'd';
    /// `(a << n) + b` on pairs, for a constant n from 1 to the width less 1: operands a, b, n.
    PairLea = "lea.d"("ddw") -> b'd';
    /// Logical not.
    PredicateNot = "not.p"("p") -> b'p';
    /// Logical and.
    PredicateAnd = "and.p"("pp") -> b'p';
    /// Logical or.
    PredicateOr = "or.p"("pp") -> b'p';
    /// Logical exclusive or.
    PredicateXor = "xor.p"("pp") -> b'p';
    /// Bit `4a + 2b + c` of the constant `t`: operands t, a, b, c.
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
    /// The unsigned minimum of three.
    Min3Unsigned = "min3-u"("www") -> b'w';
    /// The unsigned maximum of three.
    Max3Unsigned = "max3-u"("www") -> b'w';
    /// The signed minimum of three.
    Min3Signed = "min3-s"("www") -> b'w';
    /// The signed maximum of three.
    Max3Signed = "max3-s"("www") -> b'w';
    /// The unsigned minimum of `a + b` and `c`.
    AddMinUnsigned = "add-min-u"("www") -> b'w';
    /// The unsigned maximum of `a + b` and `c`.
    AddMaxUnsigned = "add-max-u"("www") -> b'w';
    /// The signed minimum of `a + b` and `c`.
    AddMinSigned = "add-min-s"("www") -> b'w';
    /// The signed maximum of `a + b` and `c`.
    AddMaxSigned = "add-max-s"("www") -> b'w';
    /// `|a - b| + c`, a and b unsigned.
    DistanceUnsigned = "absdiff-u"("www") -> b'w';
    /// `|a - b| + c`, a and b signed.
    DistanceSigned = "absdiff-s"("www") -> b'w';
    /// The negation of a float.
    FloatNegate = "fneg"("w") -> b'w';
    /// The absolute value of a float.
    FloatAbsolute = "fabs"("w") -> b'w';
    /// The sum of two floats, rounded to nearest.
    FloatAdd = "fadd"("ww") -> b'w';
    /// The product of two floats, rounded to nearest.
    FloatMultiply = "fmul"("ww") -> b'w';
    /// `a * b + c` on floats, rounded once, to nearest.
    FloatMultiplyAdd = "ffma"("www") -> b'w';
    /// The sum of two floats; denormals are flushed.
    FloatAddFlush = "fadd-ftz"("ww") -> b'w';
    /// The product of two floats; denormals are flushed.
    FloatMultiplyFlush = "fmul-ftz"("ww") -> b'w';
    /// `a * b + c` on floats, rounded once; denormals are flushed.
    FloatMultiplyAddFlush = "ffma-ftz"("www") -> b'w';
    /// The sum of two floats in a function that permits contraction of products and sums.
    FloatAddFast = "fadd-fast"("ww") -> b'w';
    /// The product of two floats in such a function.
    FloatMultiplyFast = "fmul-fast"("ww") -> b'w';
    /// A signed integer converted to a float, rounded to nearest.
    FloatFromSigned = "i2f-s"("w") -> b'w';
    /// An unsigned integer converted to a float, rounded to nearest.
    FloatFromUnsigned = "i2f-u"("w") -> b'w';
    /// The negation of a double.
    DoubleNegate = "dneg"("d") -> b'd';
    /// The absolute value of a double.
    DoubleAbsolute = "dabs"("d") -> b'd';
    /// The sum of two doubles, rounded to nearest.
    DoubleAdd = "dadd"("dd") -> b'd';
    /// The product of two doubles, rounded to nearest.
    DoubleMultiply = "dmul"("dd") -> b'd';
    /// `a * b + c` on doubles, rounded once, to nearest.
    DoubleMultiplyAdd = "dfma"("ddd") -> b'd';
    /// Whether the relation of two floats is in the constant t, one bit each: less, equal, greater,
    /// unordered.
    FloatCompare = "fcmp"("www") -> b'p';
    /// The same, and a predicate.
    FloatCompareAnd = "fcmp-and"("wwwp") -> b'p';
    /// The same, or a predicate.
    FloatCompareOr = "fcmp-or"("wwwp") -> b'p';
    /// As `fcmp`; denormals are flushed.
    FloatCompareFlush = "fcmp-ftz"("www") -> b'p';
    /// As `fcmp-and`; denormals are flushed.
    FloatCompareFlushAnd = "fcmp-ftz-and"("wwwp") -> b'p';
    /// As `fcmp-or`; denormals are flushed.
    FloatCompareFlushOr = "fcmp-ftz-or"("wwwp") -> b'p';
    /// As `fcmp` on doubles.
    DoubleCompare = "dcmp"("wdd") -> b'p';
    /// As `fcmp-and` on doubles.
    DoubleCompareAnd = "dcmp-and"("wddp") -> b'p';
    /// As `fcmp-or` on doubles.
    DoubleCompareOr = "dcmp-or"("wddp") -> b'p';
    /// As `fcmp` on the low halves of words.
    HalfCompare = "hcmp"("www") -> b'p';
    /// The minimum of floats; the other operand if one is NaN; minus zero is below zero.
    FloatMinimum = "fmin"("ww") -> b'w';
    /// The maximum of floats, likewise.
    FloatMaximum = "fmax"("ww") -> b'w';
    /// The minimum of floats; NaN if an operand is NaN.
    FloatMinimumNan = "fmin-nan"("ww") -> b'w';
    /// The maximum of floats; NaN if an operand is NaN.
    FloatMaximumNan = "fmax-nan"("ww") -> b'w';
    /// As `fmin`; denormals are flushed.
    FloatMinimumFlush = "fmin-ftz"("ww") -> b'w';
    /// As `fmax`; denormals are flushed.
    FloatMaximumFlush = "fmax-ftz"("ww") -> b'w';
    /// The minimum of three floats, as `fmin`.
    FloatMinimum3 = "fmin3"("www") -> b'w';
    /// The maximum of three floats, as `fmax`.
    FloatMaximum3 = "fmax3"("www") -> b'w';
    /// `a` if p holds, else `b`, for floats: operands p, a, b.
    FloatSelect = "fsel"("pww") -> b'w';
    /// The negation of both halves.
    HalfNegate = "hneg"("w") -> b'w';
    /// The absolute values of both halves.
    HalfAbsolute = "habs"("w") -> b'w';
    /// The low half, broadcast.
    HalfLow = "hlow"("w") -> b'w';
    /// The high half, broadcast.
    HalfHigh = "hhigh"("w") -> b'w';
    /// Two sums of 16-bit floats.
    HalfAdd = "hadd2"("ww") -> b'w';
    /// Two products of 16-bit floats.
    HalfMultiply = "hmul2"("ww") -> b'w';
    /// `a * b + c` on both 16-bit floats, each rounded once.
    HalfMultiplyAdd = "hfma2"("www") -> b'w';
    /// The minima of two pairs of 16-bit floats.
    HalfMinimum = "hmin2"("ww") -> b'w';
    /// The maxima of two pairs of 16-bit floats.
    HalfMaximum = "hmax2"("ww") -> b'w';
    /// As `hadd2` on bfloat16.
    BrainAdd = "badd2"("ww") -> b'w';
    /// As `hmul2` on bfloat16.
    BrainMultiply = "bmul2"("ww") -> b'w';
    /// As `hfma2` on bfloat16.
    BrainMultiplyAdd = "bfma2"("www") -> b'w';
    /// The low half converted to a float.
    FloatFromHalf = "f2f-widen"("w") -> b'w';
    /// A float rounded to the nearest 16-bit float, with a zero high half.
    HalfFromFloat = "f2f-narrow"("w") -> b'w';
    /// A float converted to a double.
    DoubleFromFloat = "f2f-double"("w") -> b'd';
    /// A double rounded to the nearest float.
    FloatFromDouble = "f2f-single"("d") -> b'w';
    /// A float truncated to a signed integer; saturates.
    SignedFromFloat = "f2i-s"("w") -> b'w';
    /// A float truncated to an unsigned integer; saturates.
    UnsignedFromFloat = "f2i-u"("w") -> b'w';
}

impl Operator {
    /// The operator with this name.
    pub fn named(name: &str) -> Option<Self> {
        Operator::ALL
            .iter()
            .copied()
            .find(|known| known.name() == name)
    }

    /// The number of operands.
    pub const fn arity(self) -> usize {
        self.letters().len()
    }

    /// The sort of an operand; `Word` beyond the last one.
    pub fn operand_sort(self, number: usize) -> Sort {
        Sort::of(self.letters().get(number).copied().unwrap_or(b'w'))
    }

    /// The truth table of an operator on bits: bit `4a + 2b + c` is the result for a, b, c. `None`
    /// for other operators, and for tables, which are operands.
    pub const fn truth_table(self) -> Option<u8> {
        Some(match self {
            Operator::Not | Operator::PredicateNot => 0x0F,
            Operator::And | Operator::PredicateAnd => 0xC0,
            Operator::Or | Operator::PredicateOr => 0xFC,
            Operator::Xor | Operator::PredicateXor => 0x3C,
            _ => return None,
        })
    }

    /// Whether its operands or result are floats, for which all NaNs are considered equal.
    pub const fn is_float(self) -> bool {
        self as u16 >= Operator::FloatNegate as u16
    }

    /// Whether its result is a 32-bit or 64-bit float.
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

    /// The format of the halves that it computes with; `None` if it does not.
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

/// The head of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Head {
    /// An opaque value, by index.
    Leaf(u32, Sort),
    /// A constant: its bits.
    Number(u64, Sort),
    /// An operator with operands.
    Operator(Operator),
    /// One result of an operation without an operator: index of the form
    /// ([`super::facts::Machine`]), index of the result.
    Machine(u32, u8, Sort),
}

/// A term whose operands are classes of equal terms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term {
    /// The head.
    pub head: Head,
    /// The operands.
    pub children: SmallVec<[Id; 4]>,
}

impl Term {
    /// An opaque value.
    pub fn leaf(number: u32, sort: Sort) -> Self {
        Term::of(Head::Leaf(number, sort), &[])
    }

    /// A constant.
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

    /// The sort of the value.
    pub const fn sort(&self) -> Sort {
        match self.head {
            Head::Leaf(_, sort) | Head::Number(_, sort) | Head::Machine(_, _, sort) => sort,
            Head::Operator(operator) => operator.sort(),
        }
    }

    /// One result of an operation without an operator.
    pub fn machine(form: u32, result: u8, sort: Sort, children: &[Id]) -> Self {
        Term::of(Head::Machine(form, result, sort), children)
    }

    /// Whether it is a leaf or a constant, which needs no computation.
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

/// Parses the form that [`Term`] displays: an operator, `5:w`, `-1:d`, `%3:p`. All ones are `-1`,
/// truncated to the width by the reader of the pattern.
impl FromOp for Term {
    type Error = String;

    fn from_op(text: &str, children: Vec<Id>) -> Result<Self, String> {
        if let Some(operator) = Operator::named(text) {
            if operator.arity() == children.len() {
                return Ok(Term::new(operator, &children));
            }
            return Err(format!("'{text}' expects {} operands", operator.arity()));
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
            let number = number
                .parse()
                .map_err(|_| format!("invalid leaf '{text}'"))?;
            return Ok(Term::leaf(number, sort));
        }
        let bits: i128 = value
            .parse()
            .map_err(|_| format!("invalid term '{text}'"))?;
        let bits = u64::try_from(bits & i128::from(u64::MAX)).unwrap_or(0);
        Ok(Term::number(bits, sort))
    }
}
