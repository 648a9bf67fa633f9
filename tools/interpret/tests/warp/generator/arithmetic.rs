//! Sums, products, bit operations, comparisons, floats, and sums that overflow.

use super::{BITWISE, Generator, TERNARY};

impl Generator<'_> {
    /// The parts before and in the angle brackets of an operation with three operands.
    pub(super) fn ternary(&mut self, name: &str) -> (String, [&'static str; 3]) {
        let negated: &[&str] = &["", "", "neg ", "not "];
        let float: &[&str] = &["", "", "neg ", "abs ", "neg abs "];
        let signs = |generator: &mut Self, set: &'static [&'static str]| generator.pick_str(set);
        match name {
            "lop3" => (
                format!("ori.lop3 <lut = {}>", self.random.below(256)),
                [""; 3],
            ),
            "shf" => {
                let direction = self.pick_str(&["left", "right"]);
                let sign = self.pick_str(&["u32", "s32", "u64", "s64"]);
                let (high, wrap) = (self.maybe(50, ", high"), self.maybe(30, ", wrap"));
                (
                    format!("ori.shf <{direction}, {sign}{high}{wrap}>"),
                    [""; 3],
                )
            }
            "lea" => {
                let shift = self.random.below(32);
                (
                    format!("ori.lea <shift = {shift}>"),
                    [signs(self, negated), "", ""],
                )
            }
            "vabsdiff" => (
                format!("ori.vabsdiff <{}>", self.pick_str(&["u32", "s32"])),
                [""; 3],
            ),
            "idp" => (
                "ori.idp <left_format = s8, right_format = u8>".to_owned(),
                [""; 3],
            ),
            "fmnmx3" => ("ori.fmnmx3 <max>".to_owned(), [signs(self, float), "", ""]),
            "ffma" => {
                let ftz = self.pick_str(&["", " <ftz>", " <rz>", " <rp, saturate>"]);
                (
                    format!("ori.ffma{ftz}"),
                    [signs(self, float), signs(self, float), signs(self, float)],
                )
            }
            "hfma2" => ("ori.hfma2 <f16>".to_owned(), [signs(self, float), "", ""]),
            "imad" => (
                "ori.imad".to_owned(),
                [signs(self, negated), "", signs(self, negated)],
            ),
            "iadd3" => (
                "ori.iadd3".to_owned(),
                [
                    signs(self, negated),
                    signs(self, negated),
                    signs(self, negated),
                ],
            ),
            name => (format!("ori.{name}"), [""; 3]),
        }
    }

    pub(super) fn arithmetic(&mut self) {
        if self.random.chance(35) {
            return self.other_arithmetic();
        }
        let name = self.pick_str(if self.bitwise_only { BITWISE } else { TERNARY });
        let (head, signs) = self.ternary(name);
        let operands: Vec<_> = signs
            .iter()
            .map(|sign| format!("{sign}{}", self.word()))
            .collect();
        let (guard, types) = self.guard(15);
        let mut value = self.define(
            &format!("{head} {}{guard}", operands.join(", ")),
            &format!("(!ori.r, !ori.r, !ori.r{types}) -> !ori.r"),
        );
        if matches!(name, "ffma" | "fmnmx3") {
            value = self.without_nan(&value);
        }
        self.scope.words.push(value);
    }

    /// Zero in place of a NaN: passes may change the payload of a NaN, as ptxas does (it folds
    /// `x * 1.0`), and integer operations would see the difference.
    fn without_nan(&mut self, value: &str) -> String {
        let zero = self.immediate(0);
        let predicate = self.predicate();
        self.define(
            &format!("ori.fmnmx {value}, {zero}, {predicate}"),
            "(!ori.r, !ori.r, !ori.p) -> !ori.r",
        )
    }

    /// Operations with one or two operands, carries, selects, conversions.
    fn other_arithmetic(&mut self) {
        let (a, b) = (self.word(), self.word());
        let one = "(!ori.r) -> !ori.r";
        let two = "(!ori.r, !ori.r) -> !ori.r";
        let choice = "(!ori.r, !ori.r, !ori.p) -> !ori.r";
        let value = match self.random.below(20) {
            0 => self.define(&format!("ori.mov {a}"), one),
            1 => self.define(&format!("ori.popc not {a}"), one),
            2 => self.define(&format!("ori.flo <u32> {a}"), one),
            3 => self.define(&format!("ori.brev {a}"), one),
            4 => self.define(&format!("ori.iabs {a}"), one),
            5 => self.define(&format!("ori.bmsk {a}, {b}"), two),
            6 => self.define(&format!("ori.sgxt <s32> {a}, {b}"), two),
            7 => self.define(&format!("ori.i2f <to = f32, from = s32> {a}"), one),
            8 => self.define(
                &format!("ori.f2i <to = s32, from = f32, trunc, nan_is_zero> {a}"),
                one,
            ),
            9 => self.define(&format!("ori.f2fp <to = f16, from = f32> {a}, {b}"), two),
            10 => {
                let sum = self.define(&format!("ori.fadd neg {a}, {b}"), two);
                self.without_nan(&sum)
            }
            11 => {
                let product = self.define(&format!("ori.fmul {a}, abs {b}"), two);
                self.without_nan(&product)
            }
            12 => self.define(&format!("ori.mufu <rcp> {a}"), one),
            13..=15 => {
                let predicate = self.predicate();
                let not = self.maybe(30, "not ");
                self.define(&format!("ori.sel {a}, {b}, {not}{predicate}"), choice)
            }
            16 => {
                let predicate = self.predicate();
                self.define(&format!("ori.imnmx <s32> {a}, {b}, {predicate}"), choice)
            }
            17 => {
                let predicate = self.predicate();
                self.define(
                    &format!("ori.p2r <mask = 2> {a} predicates({predicate})"),
                    "(!ori.r, !ori.p) -> !ori.r",
                )
            }
            _ => return self.wide(),
        };
        self.scope.words.push(value);
    }

    /// 64 bits: sums through carries, products, parts.
    fn wide(&mut self) {
        let (a, b) = (self.word(), self.word());
        match self.random.below(4) {
            0 => {
                let (sum, carry) = (self.name(), self.name());
                let sign = self.pick_str(&["", "neg "]);
                self.line(&format!(
                    "{sum}, {carry} = ori.iadd3 {a}, {sign}{b}, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)"
                ));
                let (c, d) = (self.word(), self.word());
                let sign = if sign.is_empty() { "" } else { "not " };
                let high = self.define(
                    &format!("ori.iadd3 <extended> {c}, {sign}{d}, %zero carry({carry})"),
                    "(!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r",
                );
                self.scope.words.extend([sum, high]);
                self.scope.predicates.push(carry);
            }
            1 => {
                let (sign, pair) = (self.pick_str(&["u32", "s32"]), self.pair());
                let value = self.define(
                    &format!("ori.imad_wide <{sign}> {a}, {b}, {pair}"),
                    "(!ori.r, !ori.r, !ori.r64) -> !ori.r64",
                );
                self.scope.pairs.push(value);
            }
            _ => {
                let (word, pair) = (self.random.below(2), self.pair());
                let value = self.define(
                    &format!("ori.extract {pair}[{word}]"),
                    "(!ori.r64) -> !ori.r",
                );
                self.scope.words.push(value);
            }
        }
    }

    pub(super) fn double(&mut self) {
        let (a, b) = (self.pair(), self.pair());
        let name = self.pick_str(&["dadd", "dmul"]);
        let value = self.define(
            &format!("ori.{name} {a}, neg {b}"),
            "(!ori.r64, !ori.r64) -> !ori.r64",
        );
        self.scope.pairs.push(value);
    }

    pub(super) fn compare(&mut self) {
        let (a, b) = (self.word(), self.word());
        let old = self.scope.predicates.last().cloned();
        let value = match (self.random.below(4), old) {
            (0, Some(old)) => {
                let combine = self.pick_str(&["and", "or", "xor"]);
                self.define(
                    &format!("ori.isetp <lt, s32, {combine}> {a}, {b} with({old})"),
                    "(!ori.r, !ori.r, !ori.p) -> !ori.p",
                )
            }
            (1, Some(old)) => {
                let lut = self.random.below(256);
                let other = self.random.below(self.scope.predicates.len());
                let other = self.scope.predicates[other].clone();
                self.define(
                    &format!("ori.plop3 <lut = {lut}> {old}, not {other}, {old}"),
                    "(!ori.p, !ori.p, !ori.p) -> !ori.p",
                )
            }
            (2, _) if !self.bitwise_only => {
                let compare = self.pick_str(&["lt", "ge", "neu", "nan", "equ", "gt"]);
                self.define(
                    &format!("ori.fsetp <{compare}> {a}, abs {b}"),
                    "(!ori.r, !ori.r) -> !ori.p",
                )
            }
            _ => {
                let compare = self.pick_str(&["lt", "eq", "le", "gt", "ne", "ge"]);
                let sign = self.pick_str(&["s32", "u32"]);
                self.define(
                    &format!("ori.isetp <{compare}, {sign}> {a}, {b}"),
                    "(!ori.r, !ori.r) -> !ori.p",
                )
            }
        };
        self.scope.predicates.push(value);
    }

    /// A number near one at which sums overflow.
    fn limit(&mut self) -> String {
        const LIMITS: [i64; 10] = [
            0x7FFF_FFFF,
            0x7FFF_FFFE,
            -0x8000_0000,
            -0x7FFF_FFFF,
            -1,
            -2,
            1,
            0x4000_0000,
            0xFFFF,
            0x1_0001,
        ];
        let number = *self.random.pick(&LIMITS);
        self.immediate(number)
    }

    /// What would be something else if sums, products and shifts did not overflow.
    pub(super) fn overflowing(&mut self) {
        let (two, three) = ("(!ori.r, !ori.r)", "(!ori.r, !ori.r, !ori.r)");
        let (a, b, limit) = (self.word(), self.word(), self.limit());
        let sign = self.pick_str(&["s32", "u32"]);
        match self.random.below(6) {
            // A sum of 32 bits in an address or a product of 64.
            0 | 1 => {
                let neg = self.maybe(30, "neg ");
                let sum = self.define(
                    &format!("ori.iadd3 {a}, {neg}{limit}, {b}"),
                    &format!("{three} -> !ori.r"),
                );
                let (factor, pair) = (self.limit(), self.pair());
                let wide = self.define(
                    &format!("ori.imad_wide <{sign}> {sum}, {factor}, {pair}"),
                    "(!ori.r, !ori.r, !ori.r64) -> !ori.r64",
                );
                self.scope.words.push(sum);
                self.scope.pairs.push(wide);
            }
            // A comparison of sums is not one of their terms.
            2 => {
                let sums = [a, b].map(|word| {
                    self.define(
                        &format!("ori.iadd3 {word}, {limit}, %zero"),
                        &format!("{three} -> !ori.r"),
                    )
                });
                let compare = self.pick_str(&["lt", "ge", "eq", "gt"]);
                let value = self.define(
                    &format!("ori.isetp <{compare}, {sign}> {}, {}", sums[0], sums[1]),
                    &format!("{two} -> !ori.p"),
                );
                self.scope.words.extend(sums);
                self.scope.predicates.push(value);
            }
            // Bits are lost on the way to the left.
            3 => {
                let amount = self.random.below(34) as i64;
                let amount = self.immediate(amount);
                let left = self.define(
                    &format!("ori.shf <left, u32> {a}, {amount}, %zero"),
                    &format!("{three} -> !ori.r"),
                );
                let right = self.define(
                    &format!("ori.shf <right, {sign}, high> %zero, {amount}, {left}"),
                    &format!("{three} -> !ori.r"),
                );
                self.scope.words.extend([left, right]);
            }
            4 => {
                let product = self.define(
                    &format!("ori.imad {a}, {limit}, {b}"),
                    &format!("{three} -> !ori.r"),
                );
                let factor = self.limit();
                let again = self.define(
                    &format!("ori.imad {product}, {factor}, {a}"),
                    &format!("{three} -> !ori.r"),
                );
                self.scope.words.extend([product, again]);
            }
            _ => {
                let pair = self.pair();
                let high = self.define(
                    &format!("ori.imad_hi <{sign}> {a}, {limit}, {pair}"),
                    "(!ori.r, !ori.r, !ori.r64) -> !ori.r",
                );
                let distance = self.define(
                    &format!("ori.vabsdiff <{sign}> {high}, {limit}, {b}"),
                    &format!("{three} -> !ori.r"),
                );
                self.scope.words.extend([high, distance]);
            }
        }
    }
}
