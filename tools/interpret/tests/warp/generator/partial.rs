//! Values that are undefined in some threads, and uses of them that are nevertheless defined: the
//! output of if-conversion, in every order.

use super::{BITWISE, Generator, INPUTS, OUTPUTS, TERNARY};

/// Values that are defined if a predicate holds, or if it does not.
#[derive(Clone)]
pub(super) struct Partial {
    predicate: String,
    inverted: bool,
    words: Vec<String>,
    predicates: Vec<String>,
}

impl Partial {
    fn not(&self) -> &'static str {
        if self.inverted { "not " } else { "" }
    }
}

const TERNARY_TYPES: &str = "(!ori.r, !ori.r, !ori.r) -> !ori.r";
const PREDICATES: &str = "(!ori.p, !ori.p, !ori.p) -> !ori.p";

impl Generator<'_> {
    /// Defines partial values, computes with them, or derives values from them that are defined
    /// everywhere.
    pub(super) fn partial(&mut self) {
        if self.scope.partials.is_empty() || self.random.chance(30) {
            self.begin_partial();
        }
        let at = self.random.below(self.scope.partials.len());
        let mut partial = self.scope.partials.swap_remove(at);
        for _ in 0..1 + self.random.below(4) {
            self.grow(&mut partial);
        }
        for _ in 0..1 + self.random.below(2) {
            self.close(&partial);
        }
        self.scope.partials.push(partial);
    }

    fn begin_partial(&mut self) {
        let partial = Partial {
            predicate: self.predicate(),
            inverted: self.random.chance(40),
            words: Vec::new(),
            predicates: Vec::new(),
        };
        let (predicate, not) = (&partial.predicate, partial.not());
        let word = match self.random.below(4) {
            0 => {
                let (a, b, c) = (self.word(), self.word(), self.word());
                self.define(
                    &format!("ori.iadd3 {a}, neg {b}, {c} if {not}{predicate}"),
                    "(!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r",
                )
            }
            1 => {
                let word = self.word();
                let undefined = self.define("ori.undef", "!ori.r");
                self.define(
                    &format!("ori.sel {word}, {undefined}, {not}{predicate}"),
                    "(!ori.r, !ori.r, !ori.p) -> !ori.r",
                )
            }
            _ => self.guarded_load(predicate, not),
        };
        let words = vec![word];
        self.scope.partials.push(Partial { words, ..partial });
    }

    /// A load of the threads for which a predicate holds; in others the address is out of bounds.
    fn guarded_load(&mut self, predicate: &str, not: &str) -> String {
        let index = self.index(INPUTS);
        let outside = self.immediate(i64::from(i32::MAX));
        let index = self.define(
            &format!("ori.sel {index}, {outside}, {not}{predicate}"),
            "(!ori.r, !ori.r, !ori.p) -> !ori.r",
        );
        let address = self.define(
            &format!("ori.imad_wide <u32> {index}, %four, %input"),
            "(!ori.r, !ori.r, !ori.r64) -> !ori.r64",
        );
        self.define(
            &format!("ori.ldg [{address}] if {not}{predicate}"),
            "(!ori.r64, !ori.p) -> !ori.r",
        )
    }

    fn partial_word(&mut self, partial: &Partial) -> String {
        self.random.pick(&partial.words).clone()
    }

    /// A partial predicate, from a comparison of a partial value.
    fn partial_predicate(&mut self, partial: &mut Partial) -> String {
        if partial.predicates.is_empty() || self.random.chance(40) {
            let (a, b) = (self.partial_word(partial), self.word());
            let compare = self.pick_str(&["lt", "eq", "le", "gt", "ne", "ge"]);
            let sign = self.pick_str(&["s32", "u32"]);
            let value = self.define(
                &format!("ori.isetp <{compare}, {sign}> {a}, {b}"),
                "(!ori.r, !ori.r) -> !ori.p",
            );
            partial.predicates.push(value);
        }
        self.random.pick(&partial.predicates).clone()
    }

    /// Computes another partial value.
    fn grow(&mut self, partial: &mut Partial) {
        let word = self.partial_word(partial);
        let other = self.word();
        let value = match self.random.below(6) {
            // A select, and an operation under a guard, by a predicate that may be undefined.
            0 => {
                let choice = self.partial_predicate(partial);
                self.define(
                    &format!("ori.sel {word}, {other}, {choice}"),
                    "(!ori.r, !ori.r, !ori.p) -> !ori.r",
                )
            }
            1 => {
                let (guard, third) = (self.partial_predicate(partial), self.word());
                let not = self.maybe(40, "not ");
                self.define(
                    &format!("ori.imad {other}, {third}, {other} if {not}{guard} else {word}"),
                    "(!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r",
                )
            }
            2 => {
                let guard = self.partial_predicate(partial);
                let (third, last) = (self.word(), self.word());
                self.define(
                    &format!("ori.sel {other}, {third}, {guard} if {guard} else {last}"),
                    "(!ori.r, !ori.r, !ori.p, !ori.p, !ori.r) -> !ori.r",
                )
            }
            _ => {
                let name = self.pick_str(if self.bitwise_only { BITWISE } else { TERNARY });
                let (head, signs) = self.ternary(name);
                let mut operands = [word, other, self.word()];
                let at = self.random.below(3);
                operands.swap(0, at);
                let pairs = signs.iter().zip(operands);
                let operands: Vec<_> = pairs.map(|(sign, name)| format!("{sign}{name}")).collect();
                self.define(&format!("{head} {}", operands.join(", ")), TERNARY_TYPES)
            }
        };
        partial.words.push(value);
    }

    /// Derives a value that is defined everywhere, or writes the defined part.
    fn close(&mut self, partial: &Partial) {
        let mut partial = partial.clone();
        let (predicate, not) = (partial.predicate.clone(), partial.not());
        let (word, other) = (self.partial_word(&partial), self.word());
        match self.random.below(8) {
            0 => {
                let value = self.define(
                    &format!("ori.iadd3 {word}, {other}, %zero if {not}{predicate} else {other}"),
                    "(!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r",
                );
                self.scope.words.push(value);
            }
            1 => {
                let all = self.immediate(-1);
                let mask = self.define(
                    &format!("ori.sel {all}, %zero, {not}{predicate}"),
                    "(!ori.r, !ori.r, !ori.p) -> !ori.r",
                );
                let value = self.define(
                    &format!("ori.lop3 <lut = 192> {word}, {mask}, {other}"),
                    TERNARY_TYPES,
                );
                self.scope.words.push(value);
            }
            2 => {
                let at = 4 * self.random.below(OUTPUTS);
                self.line(&format!(
                    "ori.stg [%place + {at}], {word} if {not}{predicate} : (!ori.r64, !ori.r, !ori.p) -> ()"
                ));
            }
            // The predicate decides, whatever the outcome of the comparison.
            3 => {
                let combine = if partial.inverted { "or" } else { "and" };
                let value = self.define(
                    &format!("ori.isetp <gt, s32, {combine}> {word}, {other} with({predicate})"),
                    "(!ori.r, !ori.r, !ori.p) -> !ori.p",
                );
                self.scope.predicates.push(value);
            }
            4 | 5 => {
                let inner = self.partial_predicate(&mut partial);
                let both = self.define(
                    &format!("ori.plop3 <lut = 192> {not}{predicate}, {inner}, {predicate}"),
                    PREDICATES,
                );
                self.scope.predicates.push(both.clone());
                let loaded = self.guarded_load(&both, "");
                let value = self.define(
                    &format!("ori.sel {loaded}, {other}, {both}"),
                    "(!ori.r, !ori.r, !ori.p) -> !ori.r",
                );
                self.scope.words.push(value);
            }
            _ => {
                let value = self.define(
                    &format!("ori.sel {word}, {other}, {not}{predicate}"),
                    "(!ori.r, !ori.r, !ori.p) -> !ori.r",
                );
                self.scope.words.push(value);
            }
        }
    }
}
