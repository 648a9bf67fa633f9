//! Conditions of rules: predicates on the facts about matched terms.
//!
//! Every condition is monotone: if it holds for facts, it holds for every value that the facts
//! allow, so that a rule may be checked on values.

use egg::{Subst, Var};
use smallvec::SmallVec;

use super::facts::{Facts, Graph};
use super::term::Sort;

/// Defines conditions: keyword in rules, number of arguments.
macro_rules! conditions {
    ($( $(#[doc = $doc:literal])* $variant:ident = $name:literal, $arity:literal; )*) => {
        /// A predicate on facts.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Question { $( $(#[doc = $doc])* $variant ),* }

        impl Question {
            fn named(name: &str) -> Option<(Self, usize)> {
                match name {
                    $( $name => Some((Question::$variant, $arity)), )*
                    _ => None,
                }
            }
        }
    };
}

conditions! {
    /// It is a constant.
    Number = "number", 1;
    /// It is a constant above zero.
    Positive = "positive", 1;
    /// It is a power of two.
    PowerOfTwo = "power-of-two", 1;
    /// It is one more than a power of two that is at least 2.
    PowerOfTwoAndOne = "power-of-two-and-one", 1;
    /// It is one less than a power of two that is at least 4.
    PowerOfTwoLessOne = "power-of-two-less-one", 1;
    /// It is below a constant.
    Less = "less", 2;
    /// The sum of two constants is below a third.
    SumBelow = "sum-below", 3;
    /// The sum of two constants is a third.
    SumIs = "sum-is", 3;
    /// The top bit is zero.
    Nonnegative = "nonnegative", 1;
    /// It is not zero.
    Nonzero = "nonzero", 1;
    /// No bit is set in both.
    Disjoint = "disjoint", 2;
    /// They are never equal.
    Different = "different", 2;
    /// The first is never greater than the second.
    NotAbove = "not-above", 2;
    /// All bits that the second may have are set in the first.
    Covers = "covers", 2;
    /// All bits the first may have are set in the second.
    Within = "within", 2;
    /// It is the top bit.
    TopBit = "top-bit", 1;
    /// The bits that the mask clears are dropped by the left shift.
    ShiftDropsLeft = "shift-drops-left", 2;
    /// The bits that the mask clears are dropped by the right shift.
    ShiftDropsRight = "shift-drops-right", 2;
    /// All bits from the sign bit of a field of that many bits upwards are zero.
    BelowBit = "below-bit", 2;
    /// The mask keeps exactly that many low bits.
    MaskKeeps = "mask-keeps", 2;
    /// Shifting the constant left does not overflow.
    ShiftFitsUnsigned = "shift-fits-u", 2;
    /// Shifting the constant left does not overflow and leaves it below half the range.
    ShiftFitsSigned = "shift-fits-s", 2;
    /// Shifting the value left by the constant does not overflow.
    ValueShiftFits = "value-shift-fits", 2;
    /// The sum does not overflow.
    SumFits = "sum-fits", 2;
}

/// An argument of a condition.
#[derive(Clone, Debug)]
enum Argument {
    Variable(Var),
    Number(u64),
}

/// A condition of a rule.
#[derive(Clone, Debug)]
pub struct Condition {
    question: Question,
    arguments: Vec<Argument>,
}

impl Condition {
    /// Reads `less ?n 32`.
    ///
    /// # Errors
    /// Fails if the condition is unknown, or has the wrong number of arguments.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let (question, arity) =
            Question::named(name).ok_or_else(|| format!("unknown condition '{name}'"))?;
        let arguments: Result<Vec<_>, _> = words
            .map(|word| {
                if word.starts_with('?') {
                    let variable = word.parse();
                    variable
                        .map(Argument::Variable)
                        .map_err(|_| format!("invalid variable '{word}'"))
                } else {
                    let number = word.parse();
                    number
                        .map(Argument::Number)
                        .map_err(|_| format!("invalid number '{word}'"))
                }
            })
            .collect();
        let arguments = arguments?;
        if arguments.len() != arity {
            return Err(format!("'{name}' expects {arity} arguments: '{text}'"));
        }
        Ok(Condition {
            question,
            arguments,
        })
    }

    /// Whether it holds for a match.
    pub fn holds(&self, graph: &Graph, substitution: &Subst) -> bool {
        let word = graph.analysis.word;
        let facts: Option<SmallVec<[Facts; 3]>> = self
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Variable(variable) => {
                    let class = substitution.get(*variable)?;
                    Some(graph[*class].data)
                }
                Argument::Number(value) => Some(Facts::exactly(*value, Sort::Word, word)),
            })
            .collect();
        facts.is_some_and(|facts| answer(self.question, word, &facts).unwrap_or(false))
    }
}

/// Evaluates the condition; `None` if a constant is required and the facts are not constant.
fn answer(question: Question, word: u32, facts: &[Facts]) -> Option<bool> {
    let a = *facts.first()?;
    let known = |number: usize| facts.get(number)?.constant(word);
    if facts.len() == 1 {
        return one(question, word, a);
    }
    let b = *facts.get(1)?;
    let mask = a.sort.mask(word);
    let possible = |facts: Facts| mask & !facts.zeros;
    let width = u64::from(word);
    Some(match question {
        Question::Less => a.max < b.min,
        Question::SumBelow => known(0)?.checked_add(known(1)?)? < known(2)?,
        Question::SumIs => known(0)?.checked_add(known(1)?)? == known(2)?,
        Question::Disjoint => possible(a) & possible(b) == 0,
        Question::Different => {
            a.zeros & b.ones | a.ones & b.zeros != 0 || a.max < b.min || b.max < a.min
        }
        Question::NotAbove => a.max <= b.min,
        Question::Covers => possible(b) & !a.ones == 0,
        Question::Within => possible(a) & !b.ones == 0,
        Question::ShiftDropsLeft => {
            let n = known(1)?;
            n < width && (mask >> n) & !known(0)? == 0
        }
        Question::ShiftDropsRight => {
            let n = known(1)?;
            n < width && (mask << n & mask) & !known(0)? == 0
        }
        Question::BelowBit => {
            let n = known(1)?;
            (1..=width).contains(&n) && a.max < 1 << (n - 1)
        }
        Question::MaskKeeps => {
            let n = known(1)?;
            n <= width && ((1u64 << n) - 1) & !known(0)? == 0
        }
        Question::ShiftFitsUnsigned => {
            let n = known(1)?;
            n < width && shifted(known(0)?, n) <= mask.into()
        }
        Question::ShiftFitsSigned => {
            let n = known(1)?;
            n < width && shifted(known(0)?, n) <= (mask >> 1).into()
        }
        Question::ValueShiftFits => {
            let n = known(1)?;
            n < width && shifted(a.max, n) <= mask.into()
        }
        Question::SumFits => a.max.checked_add(b.max)? <= mask,
        _ => return None,
    })
}

/// A left shift by less than 64 without overflow.
fn shifted(value: u64, amount: u64) -> u128 {
    u128::from(value) << amount
}

fn one(question: Question, word: u32, a: Facts) -> Option<bool> {
    let known = a.constant(word);
    Some(match question {
        Question::Number => known.is_some(),
        Question::Positive => known? > 0,
        Question::PowerOfTwo => known?.is_power_of_two(),
        Question::PowerOfTwoAndOne => known? >= 3 && (known? - 1).is_power_of_two(),
        Question::PowerOfTwoLessOne => {
            known? >= 3 && known? < a.sort.mask(word) && (known? + 1).is_power_of_two()
        }
        Question::Nonnegative => a.max < 1 << (a.sort.bits(word) - 1),
        Question::Nonzero => a.min > 0 || a.ones != 0,
        Question::TopBit => known? == 1 << (a.sort.bits(word) - 1),
        _ => return None,
    })
}
