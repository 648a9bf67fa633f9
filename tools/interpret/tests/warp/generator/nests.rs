//! Loops in every form: counters of one and two words, up and down, with constant, uniform and
//! varying bounds, compared with each relation, tested at the start or the end, with several exits
//! and back edges, nested.

use super::{Generator, Together};

/// How often a loop runs, where nothing ends it before.
const TRIPS: [i64; 12] = [0, 1, 1, 2, 3, 4, 5, 7, 8, 9, 12, 17];
const STEPS: [i64; 10] = [1, 1, 1, -1, 2, -2, 3, 4, -5, 16];

/// A counter of a loop, as text.
#[derive(Clone)]
pub(super) struct Counter {
    pub(super) is_wide: bool,
    pub(super) start: i64,
    pub(super) step: i64,
    /// The first value for which the comparison does not hold.
    pub(super) end: i64,
    pub(super) compare: &'static str,
    is_signed: bool,
}

impl Counter {
    pub(super) fn ty(&self) -> &'static str {
        if self.is_wide { "!ori.r64" } else { "!ori.r" }
    }
}

impl Generator<'_> {
    /// A counter that is compared behind its step this often before the comparison does not hold.
    pub(super) fn counter_of(&mut self, trips: i64) -> Counter {
        let is_wide = self.random.chance(30);
        let step = *self.random.pick(&STEPS);
        let is_signed = self.random.chance(70);
        let span = trips * step;
        // Around zero, at the ends of the numbers, and anywhere.
        let limit = match (is_wide, is_signed) {
            (true, true) => i64::MAX,
            (false, true) => i64::from(i32::MAX),
            (true, false) => -1,
            (false, false) => i64::from(u32::MAX),
        };
        let mut start = match self.random.below(8) {
            0..=3 => 0,
            4 => self.random.below(9) as i64 - 4,
            5 => limit
                .wrapping_sub(span.max(0))
                .wrapping_sub(self.random.below(3) as i64),
            _ => i64::from(self.random.bits() as i16),
        };
        if !is_signed && start < 0 && !is_wide {
            start &= i64::from(u32::MAX);
        }
        let end = start.wrapping_add(span);
        // An ordering holds before the end if nothing wraps on the way.
        let low = |number: i64| {
            if is_wide {
                number
            } else {
                (number << 32) >> 32
            }
        };
        let key = |number: i64| match (is_signed, is_wide) {
            (true, _) => i128::from(low(number)),
            (false, true) => i128::from(number.cast_unsigned()),
            (false, false) => i128::from(low(number) & i64::from(u32::MAX)),
        };
        let ordered = key(end) - key(start) == i128::from(span);
        let inner = i64::from(self.random.chance(30));
        // With `le` the last number for which it holds, with slack the middle of a step.
        let slack =
            |random: &mut crate::random::Random| random.below(step.unsigned_abs() as usize) as i64;
        let (compare, bound) = match (ordered && trips > 0, step > 0, inner) {
            (false, ..) => ("ne", end),
            (true, true, 0) => ("lt", end - slack(self.random)),
            (true, true, _) => ("le", end - step + slack(self.random)),
            (true, false, 0) => ("gt", end + slack(self.random)),
            (true, false, _) => ("ge", end - step - slack(self.random)),
        };
        let inside = key(bound) - key(start) == i128::from(bound.wrapping_sub(start));
        let (compare, end) = if inside {
            (compare, bound)
        } else {
            ("ne", end)
        };
        Counter {
            is_wide,
            start: low(start),
            step,
            end: low(end),
            compare,
            is_signed,
        }
    }

    /// A number as an immediate, or as a value that is only known when the kernel runs.
    pub(super) fn bound(&mut self, number: i64, is_wide: bool, known: usize) -> String {
        if is_wide {
            return self.define(&format!("ori.imm {number}"), "!ori.r64");
        }
        if self.random.chance(known) {
            return self.immediate(number);
        }
        // There are 64 threads.
        let rest = self.immediate(number.wrapping_sub(64) << 32 >> 32);
        self.define(
            &format!("ori.iadd3 %ntid, {rest}, %zero"),
            "(!ori.r, !ori.r, !ori.r) -> !ori.r",
        )
    }

    fn halves(&mut self, pair: &str) -> [String; 2] {
        [0, 1].map(|word| {
            self.define(
                &format!("ori.extract {pair}[{word}]"),
                "(!ori.r64) -> !ori.r",
            )
        })
    }

    /// The next value of a counter.
    pub(super) fn stepped(&mut self, counter: &Counter, value: &str, step: &str) -> String {
        let triple = "(!ori.r, !ori.r, !ori.r)";
        if !counter.is_wide {
            let sum = match self.random.below(3) {
                0 => format!("ori.iadd3 {step}, {value}, %zero"),
                1 => format!("ori.iadd3 {value}, %zero, {step}"),
                _ => format!("ori.iadd3 {value}, {step}, %zero"),
            };
            return self.define(&sum, &format!("{triple} -> !ori.r"));
        }
        let [low, high] = self.halves(value);
        let [step_low, step_high] = self.halves(step);
        let first = self.name();
        self.line(&format!(
            "{first}:2 = ori.iadd3 {low}, {step_low}, %zero : {triple} -> (!ori.r, !ori.p)"
        ));
        let second = self.define(
            &format!("ori.iadd3 <extended> {high}, {step_high}, %zero carry({first}#1)"),
            "(!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r",
        );
        self.define(
            &format!("ori.concat {first}#0, {second}"),
            "(!ori.r, !ori.r) -> !ori.r64",
        )
    }

    /// Whether the loop goes on.
    pub(super) fn goes_on(&mut self, counter: &Counter, value: &str, end: &str) -> String {
        let sign = if counter.is_signed { "s32" } else { "u32" };
        let compare = counter.compare;
        if !counter.is_wide {
            return self.define(
                &format!("ori.isetp <{compare}, {sign}, and> {value}, {end}"),
                "(!ori.r, !ori.r) -> !ori.p",
            );
        }
        let ([low, high], [end_low, end_high]) = (self.halves(value), self.halves(end));
        let first = self.define(
            &format!("ori.isetp <{compare}, u32, and> {low}, {end_low}"),
            "(!ori.r, !ori.r) -> !ori.p",
        );
        self.define(
            &format!(
                "ori.isetp <{compare}, {sign}, extended, and> {high}, {end_high} low({first})"
            ),
            "(!ori.r, !ori.r, !ori.p) -> !ori.p",
        )
    }

    /// Values that a loop carries, as operands with their types.
    pub(super) fn carried(&mut self, first: &str, ty: &str, count: usize) -> String {
        let values: Vec<_> = (0..count).map(|_| self.word()).collect();
        let types = vec![", !ori.r"; count].concat();
        let values: String = values.iter().map(|value| format!(", {value}")).collect();
        format!("({first}{values} : {ty}{types})")
    }

    /// A loop of any form, with loops in it.
    pub(super) fn nest(&mut self, depth: usize, together: Together) {
        let trips = *self.random.pick(&TRIPS);
        let counter = self.counter_of(trips);
        let ty = counter.ty();
        let varying = together == Together::No || (!counter.is_wide && self.random.chance(25));
        let inner = if varying { Together::No } else { together };
        let start = self.bound(counter.start, counter.is_wide, 80);
        let step = self.bound(counter.step, counter.is_wide, 90);
        let mut end = self.bound(counter.end, counter.is_wide, 60);
        if varying && together != Together::No && counter.compare != "ne" {
            // Another number of steps for each thread.
            let more = self.index(4);
            let (times, sum) = (
                self.immediate(counter.step.signum()),
                "(!ori.r, !ori.r, !ori.r) -> !ori.r",
            );
            end = self.define(&format!("ori.imad {more}, {times}, {end}"), sum);
        }
        let (header, exit) = (self.block(), self.block());
        let carried = 1 + self.random.below(3);
        let at_end = self.random.chance(50);
        let hint = self.maybe(10, " {ori.pragmas = [\"nounroll\"]}");
        let entering = self.carried(&start, ty, carried);
        self.line(&format!("ori.bra {header}{entering}"));
        let outside = self.scope.clone();
        let value = self.name();
        let arguments = self.taken(carried);
        let arguments = arguments.trim_start_matches('(');
        self.text
            .push_str(&format!("{header}({value}: {ty}, {arguments}:\n"));
        if !counter.is_wide {
            self.scope.words.push(value.clone());
        }
        let left = 1 + self.random.below(2);
        // What the header defines may be used behind the loop.
        let mut behind = outside;
        if !at_end && self.random.chance(30) {
            self.arithmetic();
        }
        if self.random.chance(50) {
            behind.words.clone_from(&self.scope.words);
        }
        if !at_end {
            let goes = self.goes_on(&counter, &value, &end);
            let (body, values) = (self.block(), self.handed(left));
            let branch = match self.random.chance(30) {
                true => format!("ori.cond_bra not {goes}, {exit}{values}, {body}{hint} : !ori.p"),
                false => format!("ori.cond_bra {goes}, {body}, {exit}{values}{hint} : !ori.p"),
            };
            self.line(&branch);
            self.text.push_str(&format!("{body}:\n"));
        }
        self.body(depth, inner, (&counter, &value, &start));
        if varying && self.random.chance(30) {
            let (early, next, values) = (self.predicate(), self.block(), self.handed(left));
            self.line(&format!(
                "ori.cond_bra {early}, {exit}{values}, {next} : !ori.p"
            ));
            self.text.push_str(&format!("{next}:\n"));
        }
        let next = self.stepped(&counter, &value, &step);
        if !at_end && inner == Together::No && self.random.chance(25) {
            // Two back edges.
            let (again, other) = (self.predicate(), self.block());
            let values = self.carried(&next, ty, carried);
            self.line(&format!(
                "ori.cond_bra {again}, {header}{values}, {other} : !ori.p"
            ));
            self.text.push_str(&format!("{other}:\n"));
        }
        let values = self.carried(&next, ty, carried);
        if at_end {
            let tested = if self.random.chance(70) {
                &next
            } else {
                &value
            };
            let mut goes = self.goes_on(&counter, &tested.clone(), &end);
            if varying && self.random.chance(20) {
                let (other, always) = (self.predicate(), self.define("ori.imm 1", "!ori.p"));
                goes = self.define(
                    &format!("ori.plop3 <lut = 192> {goes}, {other}, {always}"),
                    "(!ori.p, !ori.p, !ori.p) -> !ori.p",
                );
            }
            let leaving = self.handed(left);
            self.line(&format!(
                "ori.cond_bra {goes}, {header}{values}, {exit}{leaving}{hint} : !ori.p"
            ));
        } else {
            self.line(&format!("ori.bra {header}{values}"));
        }
        self.scope = behind;
        let arguments = self.taken(left);
        self.text.push_str(&format!("{exit}{arguments}:\n"));
    }

    /// What a loop does: sums, accesses, a test of the first iteration, loops.
    fn body(&mut self, depth: usize, inner: Together, counter: (&Counter, &str, &str)) {
        let (kind, value, start) = counter;
        for _ in 0..1 + self.random.below(4) {
            match self.random.below(12) {
                0 if depth < 2 => self.nest(depth + 1, inner),
                1 if !kind.is_wide => {
                    let first = self.define(
                        &format!("ori.isetp <eq, s32, and> {value}, {start}"),
                        "(!ori.r, !ori.r) -> !ori.p",
                    );
                    self.scope.predicates.push(first);
                }
                2 => self.diamond(depth + 1, inner),
                3 => self.store(),
                4 => self.load(),
                5 => self.count(),
                7 if depth < 2 => self.adjacent(inner),
                6 if inner == Together::Cta => self.across(),
                _ => self.arithmetic(),
            }
        }
    }
}
