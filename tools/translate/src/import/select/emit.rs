//! Short forms for emitting common operations.

use orison_ir::Value;
use orison_ori::modifiers::Modifier;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use super::modifiers::Words;
use crate::ptx::ast::Expression;

const R: Register = Register::R;
const R64: Register = Register::R64;
const P: Register = Register::P;

/// An operand: a value with modifiers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// The value.
    pub value: Value,
    /// The modifiers applied to it.
    pub modifiers: &'static [Modifier],
}

impl From<Value> for Source {
    fn from(value: Value) -> Self {
        Source {
            value,
            modifiers: &[],
        }
    }
}

/// The negative.
pub(super) fn negative(value: Value) -> Source {
    Source {
        value,
        modifiers: &[Modifier::Negate],
    }
}

/// The absolute value.
pub(super) fn absolute(value: Value) -> Source {
    Source {
        value,
        modifiers: &[Modifier::Absolute],
    }
}

/// All bits inverted, or the inverted predicate.
pub(super) fn inverted(value: Value) -> Source {
    Source {
        value,
        modifiers: &[Modifier::Invert],
    }
}

/// Keyword attributes by their keys.
pub(super) type Keys<'k> = &'k [(&'static str, &'k str)];

/// Rounding and denormal mode of a float operation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct FloatMode {
    /// Denormals are flushed to zero.
    pub ftz: bool,
    /// `rz`, `rm`, `rp`; to nearest if absent.
    pub rounding: Option<&'static str>,
    /// Results are clamped to [0, 1].
    pub saturate: bool,
}

impl FloatMode {
    /// To nearest, denormals are flushed to zero.
    pub const FTZ: FloatMode = FloatMode {
        ftz: true,
        rounding: None,
        saturate: false,
    };

    /// To nearest.
    pub const NEAREST: FloatMode = FloatMode {
        ftz: false,
        rounding: None,
        saturate: false,
    };

    /// The same mode with another rounding.
    pub(super) fn rounded(self, rounding: &'static str) -> Self {
        FloatMode {
            rounding: Some(rounding),
            ..self
        }
    }
}

/// Rounding modifiers of PTX and the keywords of the dialect; `None` is to nearest.
pub(super) const ROUNDINGS: [(&str, Option<&'static str>); 4] = [
    (".rn", None),
    (".rz", Some("rz")),
    (".rm", Some("rm")),
    (".rp", Some("rp")),
];

/// Truth tables of two or three inputs, as in `ori.lop3`.
pub(super) mod table {
    /// `a and b`.
    pub(in super::super) const AND: i32 = 0xc0;
    /// `a or b`.
    pub(in super::super) const OR: i32 = 0xfc;
    /// `a xor b`.
    pub(in super::super) const XOR: i32 = 0x3c;
    /// `not a`.
    pub(in super::super) const NOT: i32 = 0x0f;
    /// `a` if `b` is set, else `c`.
    pub(in super::super) const CHOOSE: i32 = 0xe2;
}

impl<'a> Emitter<'_, 'a> {
    /// An operation with sources by group and keywords by key, without results.
    pub(super) fn operation(
        &mut self,
        name: &'static str,
        sources: &[(&'static str, Source)],
        words: Keys<'_>,
    ) -> MachineOperation {
        let mut op = MachineOperation::new(name);
        for (group, source) in sources {
            op = op.modified(group, source.value, source.modifiers);
        }
        for (key, word) in words {
            op = op.word(self.context(), key, word);
        }
        op
    }

    /// Emits an operation on `a`, `b`, `c` with one result.
    pub(super) fn compute(
        &mut self,
        name: &'static str,
        sources: &[Source],
        words: Keys<'_>,
        flags: &[&'static str],
        result: Register,
    ) -> Value {
        let named: Vec<_> = ["a", "b", "c"]
            .into_iter()
            .zip(sources.iter().copied())
            .collect();
        let op = self.operation(name, &named, words).result(result);
        let op = flags.iter().fold(op, |op, flag| op.flag(flag));
        self.emit(op)
    }

    /// A 32-bit constant.
    pub(super) fn word_of(&mut self, value: i32) -> Value {
        self.immediate(i64::from(value), R)
    }

    /// The bits of a 32-bit float.
    pub(super) fn float_of(&mut self, value: f32) -> Value {
        self.immediate(i64::from(value.to_bits().cast_signed()), R)
    }

    /// The bits of a 64-bit float.
    pub(super) fn double_of(&mut self, value: f64) -> Value {
        self.immediate(value.to_bits().cast_signed(), R64)
    }

    /// A constant predicate.
    pub(super) fn truth(&mut self, value: bool) -> Value {
        self.immediate(i64::from(value), P)
    }

    /// The value of an operand in a register of a type. Wider registers are truncated to 32 bits,
    /// decimal floats take the precision of the type.
    pub(super) fn source(&mut self, operand: &Expression<'a>, register: Register) -> Option<Value> {
        match (operand, register) {
            (Expression::Name(_), R) if self.kind(operand) == Some(R64) => {
                let wide = self.read(operand, R64)?;
                Some(self.word(wide, 0))
            }
            (Expression::Double(bits), R) => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a literal has the precision of its instruction"
                )]
                let single = f64::from_bits(*bits) as f32;
                Some(self.float_of(single))
            }
            (Expression::Single(bits), R64) => {
                Some(self.double_of(f64::from(f32::from_bits(*bits))))
            }
            (Expression::Unary('-', inner), R | R64)
                if matches!(**inner, Expression::Double(_) | Expression::Single(_)) =>
            {
                let negative = match **inner {
                    Expression::Double(bits) => Expression::Double(bits ^ (1 << 63)),
                    Expression::Single(bits) => Expression::Single(bits ^ (1 << 31)),
                    _ => return None,
                };
                self.source(&negative, register)
            }
            (Expression::Unary('~', inner), R | R64) => {
                let value = !inner.as_integer()?;
                let value = i64::try_from(value).ok()?;
                let bits = if register == R {
                    i64::from(i32::try_from(value).ok()?)
                } else {
                    value
                };
                Some(self.immediate(bits, register))
            }
            (other, R64) => match other.as_integer() {
                // The low 64 bits of a number, in any notation.
                Some(value) => {
                    let value = u64::try_from(value & i128::from(u64::MAX)).ok()?;
                    Some(self.immediate(value.cast_signed(), R64))
                }
                None => self.read(other, R64),
            },
            (other, register) => self.read(other, register),
        }
    }

    /// The values of all operands in registers of a type.
    pub(super) fn sources<const N: usize>(
        &mut self,
        operands: &[Expression<'a>],
        register: Register,
    ) -> Option<[Value; N]> {
        let values: Option<Vec<_>> = operands
            .iter()
            .map(|operand| self.source(operand, register))
            .collect();
        values?.try_into().ok()
    }

    /// The sum of three 32-bit values.
    pub(super) fn add3(&mut self, sources: [Source; 3]) -> Value {
        self.compute(ori::Iadd3::NAME, &sources, &[], &[], R)
    }

    /// The sum of two 32-bit values.
    pub(super) fn plus(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> Value {
        let zero = self.word_of(0);
        self.add3([a.into(), b.into(), zero.into()])
    }

    /// The sum of two 32-bit values and the carry out.
    pub(super) fn plus_carry(
        &mut self,
        a: impl Into<Source>,
        b: impl Into<Source>,
    ) -> (Value, Value) {
        let zero = self.word_of(0);
        let sources = [("a", a.into()), ("b", b.into()), ("c", zero.into())];
        let op = self.operation(ori::Iadd3::NAME, &sources, &[]);
        let values = self.emit_all(op.result(R).result(P));
        (values[0], values[1])
    }

    /// The sum of two 32-bit values and a carry in, with the carry out.
    pub(super) fn plus_with_carry(
        &mut self,
        a: impl Into<Source>,
        b: impl Into<Source>,
        carry: impl Into<Source>,
    ) -> (Value, Value) {
        let zero = self.word_of(0);
        let sources = [
            ("a", a.into()),
            ("b", b.into()),
            ("c", zero.into()),
            ("carry", carry.into()),
        ];
        let op = self
            .operation(ori::Iadd3::NAME, &sources, &[])
            .flag("extended");
        let values = self.emit_all(op.result(R).result(P));
        (values[0], values[1])
    }

    /// Any bitwise function of three 32-bit values.
    pub(super) fn logic(&mut self, lut: i32, a: Value, b: Value, c: Value) -> Value {
        let sources = [("a", a.into()), ("b", b.into()), ("c", c.into())];
        let op = self.operation(ori::Lop3::NAME, &sources, &[]);
        let op = op.number(self.context(), "lut", lut).result(R);
        self.emit(op)
    }

    /// A bitwise function of two 32-bit values.
    pub(super) fn logic2(&mut self, lut: i32, a: Value, b: Value) -> Value {
        let zero = self.word_of(0);
        self.logic(lut, a, b, zero)
    }

    /// A 32-bit value masked by a constant.
    pub(super) fn masked(&mut self, a: Value, mask: i32) -> Value {
        let mask = self.word_of(mask);
        self.logic2(table::AND, a, mask)
    }

    /// A function of three predicates.
    pub(super) fn predicates(
        &mut self,
        lut: i32,
        a: impl Into<Source>,
        b: impl Into<Source>,
        c: impl Into<Source>,
    ) -> Value {
        let sources = [("a", a.into()), ("b", b.into()), ("c", c.into())];
        let op = self.operation(ori::Plop3::NAME, &sources, &[]);
        let op = op.number(self.context(), "lut", lut).result(P);
        self.emit(op)
    }

    /// A function of two predicates.
    pub(super) fn predicates2(
        &mut self,
        lut: i32,
        a: impl Into<Source>,
        b: impl Into<Source>,
    ) -> Value {
        let truth = self.truth(true);
        self.predicates(lut, a, b, truth)
    }

    /// Selects bytes of `a` (indices 0 to 3) and `c` (4 to 7), lowest first; adding 8 replicates
    /// the sign.
    pub(super) fn permuted(&mut self, a: Value, selector: i32, c: Value) -> Value {
        let selector = self.word_of(selector);
        let sources = [a.into(), selector.into(), c.into()];
        self.compute(ori::Prmt::NAME, &sources, &[("permutation", "idx")], &[], R)
    }

    /// Selects bytes of a 32-bit value; indices from 4 on are zero.
    pub(super) fn bytes(&mut self, a: Value, selector: i32) -> Value {
        let zero = self.word_of(0);
        self.permuted(a, selector, zero)
    }

    /// Two 16-bit values as one 32-bit value.
    pub(super) fn packed(&mut self, low: Value, high: Value) -> Value {
        self.permuted(low, 0x5410, high)
    }

    /// A 32-bit value shifted left by a saturating amount.
    pub(super) fn left(&mut self, a: Value, amount: Value) -> Value {
        let zero = self.word_of(0);
        self.funnel("left", "u32", [a, amount, zero], false)
    }

    /// A 32-bit value shifted right by a saturating amount.
    pub(super) fn right(&mut self, a: Value, amount: Value, signed: bool) -> Value {
        let zero = self.word_of(0);
        let signedness = if signed { "s32" } else { "u32" };
        self.funnel("right", signedness, [zero, amount, a], true)
    }

    /// The low 32 bits of `a * b + c`.
    pub(super) fn multiply(
        &mut self,
        a: impl Into<Source>,
        b: impl Into<Source>,
        c: impl Into<Source>,
    ) -> Value {
        let sources = [a.into(), b.into(), c.into()];
        self.compute(ori::Imad::NAME, &sources, &[], &[], R)
    }

    /// The pair `a * b + c`.
    pub(super) fn multiply_pair(&mut self, a: Value, b: Value, c: Value, signed: bool) -> Value {
        let signedness = if signed { "s32" } else { "u32" };
        let sources = [a.into(), b.into(), c.into()];
        let words = [("signedness", signedness)];
        self.compute(ori::ImadWide::NAME, &sources, &words, &[], R64)
    }

    /// The high 32 bits of `a * b + c`, where `c` is a pair.
    pub(super) fn multiply_high(&mut self, a: Value, b: Value, c: Value, signed: bool) -> Value {
        let signedness = if signed { "s32" } else { "u32" };
        let sources = [a.into(), b.into(), c.into()];
        self.compute(
            ori::ImadHi::NAME,
            &sources,
            &[("signedness", signedness)],
            &[],
            R,
        )
    }

    /// `a` if a predicate holds, else `b`.
    pub(super) fn chosen(&mut self, predicate: impl Into<Source>, a: Value, b: Value) -> Value {
        let sources = [
            ("a", a.into()),
            ("b", b.into()),
            ("choice", predicate.into()),
        ];
        let op = self.operation(ori::Sel::NAME, &sources, &[]);
        self.emit(op.result(R))
    }

    /// The pair `a` if a predicate holds, else `b`.
    pub(super) fn chosen_pair(
        &mut self,
        predicate: impl Into<Source>,
        a: Value,
        b: Value,
    ) -> Value {
        let predicate = predicate.into();
        let words = [0, 1].map(|word| {
            let (a, b) = (self.word(a, word), self.word(b, word));
            self.chosen(predicate, a, b)
        });
        self.concat(&words)
    }

    /// Compares two 32-bit values.
    pub(super) fn compared(&mut self, how: &str, signed: bool, a: Value, b: Value) -> Value {
        let words = [
            ("compare", how),
            ("signedness", if signed { "s32" } else { "u32" }),
            ("combine", "and"),
        ];
        self.compute(ori::Isetp::NAME, &[a.into(), b.into()], &words, &[], P)
    }

    /// Compares two pairs: the low halves, then the high halves with the outcome of the low ones.
    pub(super) fn compared_pairs(&mut self, how: &str, signed: bool, a: Value, b: Value) -> Value {
        let parts = [(0, a), (0, b), (1, a), (1, b)].map(|(word, value)| self.word(value, word));
        let low = self.compared(how, false, parts[0], parts[1]);
        let words = [
            ("compare", how),
            ("signedness", if signed { "s32" } else { "u32" }),
            ("combine", "and"),
        ];
        let sources = [
            ("a", parts[2].into()),
            ("b", parts[3].into()),
            ("low", low.into()),
        ];
        let op = self.operation(ori::Isetp::NAME, &sources, &words);
        self.emit(op.flag("extended").result(P))
    }

    /// Compares two floats.
    pub(super) fn compared_floats(
        &mut self,
        how: &str,
        ftz: bool,
        a: impl Into<Source>,
        b: impl Into<Source>,
    ) -> Value {
        let words = [("float_compare", how), ("combine", "and")];
        let flags: &[_] = if ftz { &["ftz"] } else { &[] };
        self.compute(ori::Fsetp::NAME, &[a.into(), b.into()], &words, flags, P)
    }

    /// An operation on floats of 32 or 64 bits.
    pub(super) fn float(
        &mut self,
        name: &'static str,
        mode: FloatMode,
        sources: &[Source],
        result: Register,
    ) -> Value {
        let words: Vec<_> = mode
            .rounding
            .map(|word| ("rounding", word))
            .into_iter()
            .collect();
        let flags: Vec<_> = [(mode.ftz, "ftz"), (mode.saturate, "saturate")]
            .into_iter()
            .filter_map(|(is, flag)| is.then_some(flag))
            .collect();
        self.compute(name, sources, &words, &flags, result)
    }

    /// The sum of two floats.
    pub(super) fn fadd(
        &mut self,
        mode: FloatMode,
        a: impl Into<Source>,
        b: impl Into<Source>,
    ) -> Value {
        self.float(ori::Fadd::NAME, mode, &[a.into(), b.into()], R)
    }

    /// The product of two floats.
    pub(super) fn fmul(
        &mut self,
        mode: FloatMode,
        a: impl Into<Source>,
        b: impl Into<Source>,
    ) -> Value {
        self.float(ori::Fmul::NAME, mode, &[a.into(), b.into()], R)
    }

    /// `a * b + c` on floats.
    pub(super) fn ffma(
        &mut self,
        mode: FloatMode,
        a: impl Into<Source>,
        b: impl Into<Source>,
        c: impl Into<Source>,
    ) -> Value {
        self.float(ori::Ffma::NAME, mode, &[a.into(), b.into(), c.into()], R)
    }

    /// The sum of two doubles.
    pub(super) fn dadd(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> Value {
        self.float(
            ori::Dadd::NAME,
            FloatMode::NEAREST,
            &[a.into(), b.into()],
            R64,
        )
    }

    /// The product of two doubles.
    pub(super) fn dmul(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> Value {
        self.float(
            ori::Dmul::NAME,
            FloatMode::NEAREST,
            &[a.into(), b.into()],
            R64,
        )
    }

    /// `a * b + c` on doubles.
    pub(super) fn dfma(
        &mut self,
        mode: FloatMode,
        a: impl Into<Source>,
        b: impl Into<Source>,
        c: impl Into<Source>,
    ) -> Value {
        self.float(ori::Dfma::NAME, mode, &[a.into(), b.into(), c.into()], R64)
    }

    /// A function of the transcendental unit.
    pub(super) fn elementary(&mut self, function: &str, a: impl Into<Source>) -> Value {
        self.compute(
            ori::Mufu::NAME,
            &[a.into()],
            &[("function", function)],
            &[],
            R,
        )
    }

    /// Emits an operation with the guard of the instruction; if it is false, the results are the
    /// previous values of the destinations. Each destination is a register or a vector. Results
    /// without a destination are undefined then, so values derived from them must be selected
    /// afterwards.
    pub(super) fn emit_kept(
        &mut self,
        mut op: MachineOperation,
        destinations: &[(&Expression<'a>, Register)],
    ) -> Option<Vec<Value>> {
        if let Some((predicate, inverted)) = self.guard {
            let modifiers: &[_] = if inverted { &[Modifier::Invert] } else { &[] };
            op = op.modified("guard", predicate, modifiers);
            let before: Option<Vec<_>> = destinations
                .iter()
                .map(|(destination, register)| self.before(destination, *register))
                .collect();
            if let Some(before) = before.filter(|before| !before.is_empty()) {
                op = before
                    .into_iter()
                    .fold(op, |op, old| op.operand("otherwise", old));
                self.guarded = true;
            }
        }
        for (_, register) in destinations {
            op = op.result(*register);
        }
        Some(self.emit_all(op))
    }

    /// The previous value of a destination; an unused zero if it had none.
    pub(super) fn kept_or_zero(
        &mut self,
        destination: &Expression<'a>,
        register: Register,
    ) -> Value {
        match self.before(destination, register) {
            Some(old) => old,
            None => self.immediate(0, register),
        }
    }

    /// The previous value of a destination, as one value of a type; `None` if a register had none.
    fn before(&mut self, destination: &Expression<'a>, register: Register) -> Option<Value> {
        let Expression::Vector(parts) = destination else {
            return self.read(destination, register);
        };
        let count = u32::try_from(parts.len()).ok()?;
        let words = register.words()?;
        if count == 0 || words % count != 0 {
            return None;
        }
        self.read_parts(destination, register, count)
    }

    /// Writes a 32-bit value to a register of 32 or 64 bits, sign- or zero-extended.
    pub(super) fn write_extended(
        &mut self,
        destination: &Expression<'a>,
        value: Value,
        signed: bool,
    ) -> Option<()> {
        if self.kind(destination) != Some(R64) {
            return self.write(destination, value);
        }
        let wide = self.extended_pair(value, signed);
        self.write(destination, wide)
    }

    /// A 32-bit value as a pair, sign- or zero-extended.
    pub(super) fn extended_pair(&mut self, low: Value, signed: bool) -> Value {
        let high = if signed {
            let sign = self.word_of(31);
            self.right(low, sign, true)
        } else {
            self.word_of(0)
        };
        self.concat(&[low, high])
    }
}

/// Two or four bytes as one 32-bit value.
pub(super) fn packed_bytes(emitter: &mut Emitter<'_, '_>, bytes: &[Value]) -> Value {
    let pairs: Vec<_> = bytes
        .chunks(2)
        .map(|pair| emitter.permuted(pair[0], 0x0040, pair[pair.len() - 1]))
        .collect();
    match pairs.as_slice() {
        [low, high] => emitter.packed(*low, *high),
        _ => pairs[0],
    }
}

/// Takes the rounding and denormal modifiers of an operation.
pub(super) fn mode_of(words: &mut Words<'_>) -> FloatMode {
    FloatMode {
        rounding: words.translated(&ROUNDINGS).flatten(),
        ftz: words.take(".ftz"),
        saturate: words.take(".sat"),
    }
}

/// Compares two doubles.
pub(super) fn compared_doubles(
    emitter: &mut Emitter<'_, '_>,
    how: &str,
    a: impl Into<Source>,
    b: impl Into<Source>,
) -> Value {
    let words = [("float_compare", how), ("combine", "and")];
    let sources = [a.into(), b.into()];
    emitter.compute(ori::Dsetp::NAME, &sources, &words, &[], Register::P)
}
