//! Converting operations to terms: comparisons, extrema, selects and conversions of floats; halves;
//! integer operations of sm_90 and later.

use egg::Id;
use orison_ori::keywords::{Combine, Extremum, FloatCompare, Format, IntegerRounding};
use orison_ori::modifiers::Modifier;
use orison_ori::semantics::float_relations_of;

use super::facts::constant;
use super::read::{Classes, Reader, Source};
use super::term::{Operator, Sort, WORD};

/// The relations that a comparison includes.
fn relation_of(compare: FloatCompare) -> u64 {
    float_relations_of(compare).into()
}

impl Reader<'_> {
    pub(super) fn float_selection(&mut self, source: &Source<'_>, depth: u32) -> Option<Id> {
        (!source.has("ftz")).then_some(())?;
        let a = self.float(source, 0, depth)?;
        let b = self.float(source, 1, depth)?;
        let p = self.operand(source, 2, depth)?;
        Some(self.add(Operator::FloatSelect, &[p, a, b]))
    }

    /// Comparisons: the operator, and that which flushes denormals.
    pub(super) fn relation(
        &mut self,
        source: &Source<'_>,
        depth: u32,
        [exact, flushed]: [Operator; 2],
    ) -> Option<Classes> {
        let relation = relation_of(source.word("float_compare")?);
        let operator = if source.has("ftz") { flushed } else { exact };
        let a = self.float(source, 0, depth)?;
        let b = self.float(source, 1, depth)?;
        let all = [relation, relation ^ 15];
        let outcomes = all.into_iter().take(source.results());
        let outcomes: Vec<Id> = outcomes
            .map(|relation| {
                let relation = self.number(relation, Sort::Word);
                self.add(operator, &[relation, a, b])
            })
            .collect();
        self.joined(source, depth, &outcomes)
    }

    /// The outcomes combined with the predicate operand.
    fn joined(&mut self, source: &Source<'_>, depth: u32, outcomes: &[Id]) -> Option<Classes> {
        let combine = match source.word("combine").unwrap_or(Combine::And) {
            Combine::And => Operator::PredicateAnd,
            Combine::Or => Operator::PredicateOr,
            Combine::Xor => Operator::PredicateXor,
        };
        let with = match source.group_size("with") {
            0 if combine == Operator::PredicateAnd => None,
            0 => Some(self.number(1, Sort::Predicate)),
            _ => Some(self.operand(source, source.in_group("with")?, depth)?),
        };
        let joined = outcomes.iter().map(|outcome| match with {
            Some(with) => self.add(combine, &[*outcome, with]),
            None => *outcome,
        });
        Some(joined.collect())
    }

    pub(super) fn half_relations(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        if !is_half(source) || source.has("together") || source.has("ftz") {
            return None;
        }
        let relation = self.number(relation_of(source.word("float_compare")?), Sort::Word);
        let mut operands = [
            self.halves(source, 0, depth)?,
            self.halves(source, 1, depth)?,
        ];
        let mut outcomes = Vec::new();
        for _ in 0..source.results().min(2) {
            let [a, b] = operands;
            outcomes.push(self.add(Operator::HalfCompare, &[relation, a, b]));
            operands = operands.map(|word| self.add(Operator::HalfHigh, &[word]));
        }
        self.joined(source, depth, &outcomes)
    }

    /// Whether the minimum is chosen, if known.
    fn chooses_smaller(&mut self, source: &Source<'_>, depth: u32) -> Option<bool> {
        let choice = self.operand(source, 2, depth)?;
        Some(constant(&self.graph, choice)? == 1)
    }

    pub(super) fn float_extremum(&mut self, source: &Source<'_>, depth: u32) -> Option<Id> {
        let smaller = self.chooses_smaller(source, depth)?;
        let operator = match (smaller, source.has("nan_wins"), source.has("ftz")) {
            (true, false, false) => Operator::FloatMinimum,
            (false, false, false) => Operator::FloatMaximum,
            (true, true, false) => Operator::FloatMinimumNan,
            (false, true, false) => Operator::FloatMaximumNan,
            (true, false, true) => Operator::FloatMinimumFlush,
            (false, false, true) => Operator::FloatMaximumFlush,
            (_, true, true) => return None,
        };
        let a = self.float(source, 0, depth)?;
        let b = self.float(source, 1, depth)?;
        Some(self.add(operator, &[a, b]))
    }

    pub(super) fn float_extremum_of_three(
        &mut self,
        source: &Source<'_>,
        depth: u32,
    ) -> Option<Id> {
        if source.has("nan_wins") || source.has("ftz") {
            return None;
        }
        let operator = match source.word("extremum")? {
            Extremum::Min => Operator::FloatMinimum3,
            Extremum::Max => Operator::FloatMaximum3,
        };
        let operands: Option<Vec<Id>> = (0..3)
            .map(|number| self.float(source, number, depth))
            .collect();
        Some(self.add(operator, &operands?))
    }

    /// An operand as two halves.
    fn halves(&mut self, source: &Source<'_>, number: usize, depth: u32) -> Option<Id> {
        let (value, modifiers) = source.operand(number);
        let mut class = self.value(value, depth)?;
        for (modifier, operator) in [
            (Modifier::LowHalf, Operator::HalfLow),
            (Modifier::HighHalf, Operator::HalfHigh),
            (Modifier::Absolute, Operator::HalfAbsolute),
            (Modifier::Negate, Operator::HalfNegate),
        ] {
            // At most one lane is selected.
            let lanes = operator == Operator::HalfHigh && modifiers.contains(Modifier::LowHalf);
            if modifiers.contains(modifier) && !lanes {
                class = self.add(operator, &[class]);
            }
        }
        Some(class)
    }

    /// Sums and products of pairs: the operators for halves and for bfloat16.
    pub(super) fn half_arithmetic(
        &mut self,
        source: &Source<'_>,
        depth: u32,
        [half, brain]: [Operator; 2],
    ) -> Option<Id> {
        if ["ftz", "saturate", "relu"]
            .iter()
            .any(|flag| source.has(flag))
        {
            return None;
        }
        let operator = if is_half(source) { half } else { brain };
        let operands: Option<Vec<Id>> = (0..operator.arity())
            .map(|number| self.halves(source, number, depth))
            .collect();
        Some(self.add(operator, &operands?))
    }

    pub(super) fn half_extremum(&mut self, source: &Source<'_>, depth: u32) -> Option<Id> {
        let smaller = self.chooses_smaller(source, depth)?;
        if !is_half(source) || source.has("ftz") || source.has("nan_wins") {
            return None;
        }
        let operator = if smaller {
            Operator::HalfMinimum
        } else {
            Operator::HalfMaximum
        };
        let a = self.halves(source, 0, depth)?;
        let b = self.halves(source, 1, depth)?;
        Some(self.add(operator, &[a, b]))
    }

    pub(super) fn between_floats(&mut self, source: &Source<'_>, depth: u32) -> Option<Id> {
        if !source.is_nearest() || source.has("ftz") {
            return None;
        }
        let operator = match (source.word("from")?, source.word("to")?) {
            (Format::F16, Format::F32) if source.is_plain(0) => Operator::FloatFromHalf,
            (Format::F32, Format::F16) => Operator::HalfFromFloat,
            (Format::F32, Format::F64) => Operator::DoubleFromFloat,
            (Format::F64, Format::F32) => Operator::FloatFromDouble,
            _ => return None,
        };
        let a = self.float(source, 0, depth)?;
        let class = self.add(operator, &[a]);
        (self.graph[class].data.sort == operator.sort()).then_some(class)
    }

    pub(super) fn integer_of_float(&mut self, source: &Source<'_>, depth: u32) -> Option<Id> {
        let rounding: IntegerRounding = source.word("integer_rounding")?;
        let cut = rounding == IntegerRounding::Truncate;
        if !cut || source.has("ftz") || source.has("nan_is_zero") {
            return None;
        }
        let operator = match (source.word("from")?, source.word("to")?) {
            (Format::F32, Format::S32) => Operator::SignedFromFloat,
            (Format::F32, Format::U32) => Operator::UnsignedFromFloat,
            _ => return None,
        };
        let a = self.float(source, 0, depth)?;
        Some(self.add(operator, &[a]))
    }

    /// Conversions between integer widths: fields, and extrema if it saturates.
    pub(super) fn between_integers(&mut self, source: &Source<'_>, depth: u32) -> Option<Id> {
        let (from, from_signed) = integer(source.word("from")?)?;
        let (to, to_signed) = integer(source.word("to")?)?;
        let a = self.operand(source, 0, depth)?;
        let value = self.field(a, from, from_signed);
        if !source.has("saturate") {
            return Some(self.field(value, to, to_signed));
        }
        let most = (1u64 << (to - u32::from(to_signed))) - 1;
        let most = self.number(most, Sort::Word);
        if !from_signed {
            return Some(self.add(Operator::MinUnsigned, &[value, most]));
        }
        let least = if to_signed { 1u64 << (to - 1) } else { 0 };
        let least = self.number(least.wrapping_neg() & Sort::Word.mask(WORD), Sort::Word);
        let above = self.add(Operator::MaxSigned, &[value, least]);
        if to == WORD {
            // A nonnegative value is below the largest unsigned number.
            return Some(above);
        }
        Some(self.add(Operator::MinSigned, &[above, most]))
    }

    /// The low bits of a word, zero- or sign-extended.
    fn field(&mut self, a: Id, bits: u32, signed: bool) -> Id {
        if bits >= WORD {
            return a;
        }
        let operator = if signed {
            Operator::ExtendSigned
        } else {
            Operator::ExtendUnsigned
        };
        let bits = self.number(bits.into(), Sort::Word);
        self.add(operator, &[a, bits])
    }

    /// Extrema: the operators of minima and maxima, unsigned and signed.
    pub(super) fn extremum_of_three(
        &mut self,
        source: &Source<'_>,
        depth: u32,
        [minima, maxima]: [[Operator; 2]; 2],
    ) -> Option<Classes> {
        let extremum = source.word("extremum").unwrap_or(Extremum::Min);
        let [unsigned, signed] = match extremum {
            Extremum::Min => minima,
            Extremum::Max => maxima,
        };
        let operator = if source.is_signed() { signed } else { unsigned };
        self.operator(source, depth, operator)
    }

    /// Absolute differences, with a sum.
    pub(super) fn distance(&mut self, source: &Source<'_>, depth: u32) -> Option<Classes> {
        let operator = match source.is_signed() || !source.has("signedness") {
            true => Operator::DistanceSigned,
            false => Operator::DistanceUnsigned,
        };
        self.operator(source, depth, operator)
    }
}

/// Whether halves are floats of 16 bits, not bfloat16.
fn is_half(source: &Source<'_>) -> bool {
    source.word("from").unwrap_or(Format::F16) == Format::F16
}

/// The width and signedness of an integer format that fits a word.
fn integer(format: Format) -> Option<(u32, bool)> {
    Some(match format {
        Format::U8 => (8, false),
        Format::S8 => (8, true),
        Format::U16 => (16, false),
        Format::S16 => (16, true),
        Format::U32 => (32, false),
        Format::S32 => (32, true),
        _ => return None,
    })
}
