//! What threads of a warp and of a CTA tell one another.

use super::{COUNTERS, Generator, SUMS, THREADS};

/// What is done to the counters behind the sums, which no other operation changes.
const COMBINED: [&str; COUNTERS - SUMS] = ["max, u32", "min, s32", "or, b32", "xor, b32"];

/// Modes of shuffles with their bounds: the whole warp, and segments of 8 and of 16 lanes.
const SHUFFLES: &[(&str, i64)] = &[
    ("bfly", 31),
    ("idx", 31),
    ("down", 31),
    ("up", 0),
    ("bfly", 24 << 8 | 31),
    ("idx", 16 << 8 | 31),
    ("down", 24 << 8 | 31),
    ("up", 16 << 8),
];

impl Generator<'_> {
    /// Combines a value of each thread with one in memory: at one address for all threads, or at an
    /// address of each.
    pub(super) fn count(&mut self) {
        let value = self.word();
        if self.random.chance(25) {
            let index = self.index(SUMS);
            let address = self.define(
                &format!("ori.imad_wide <u32> {index}, %four, %counters"),
                "(!ori.r, !ori.r, !ori.r64) -> !ori.r64",
            );
            return self.line(&format!(
                "ori.redg <add, u32> [{address}], {value} : (!ori.r64, !ori.r) -> ()"
            ));
        }
        let number = self.random.below(COUNTERS);
        let (operation, at) = (number.checked_sub(SUMS), 4 * number);
        let operation = operation.map_or("add, u32", |number| COMBINED[number]);
        self.line(&format!(
            "ori.redg <{operation}> [%counters + {at}], {value} : (!ori.r64, !ori.r) -> ()"
        ));
    }

    /// Shuffles and votes.
    pub(super) fn across(&mut self) {
        let value = self.word();
        match self.random.below(4) {
            0 => {
                let (predicate, mode) = (self.predicate(), self.pick_str(&["any", "all", "eq"]));
                let (ballot, answer) = (self.name(), self.name());
                self.line(&format!("{ballot}, {answer} = ori.vote <{mode}> {predicate} : (!ori.p) -> (!ori.r, !ori.p)"));
                self.scope.words.push(ballot);
                self.scope.predicates.push(answer);
            }
            1 => {
                let (sum, copied) = (self.name(), self.name());
                self.line(&format!(
                    "{sum} = ori.redux <xor> {value} : (!ori.r) -> !ori.ur"
                ));
                self.line(&format!("{copied} = ori.mov {sum} : (!ori.ur) -> !ori.r"));
                self.scope.words.push(copied);
            }
            _ => {
                let (mode, bounds) = *self.random.pick(SHUFFLES);
                let (lane, bounds) = (self.word(), self.immediate(bounds));
                let (found, valid) = (self.name(), self.name());
                self.line(&format!(
                    "{found}, {valid} = ori.shfl <{mode}> {value}, {lane}, {bounds} : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)"
                ));
                self.scope.words.push(found);
                self.scope.predicates.push(valid);
            }
        }
    }

    /// Reads data that another thread has written, between barriers.
    pub(super) fn exchange(&mut self) {
        let value = self.word();
        self.line(&format!(
            "ori.sts [%slot], {value} : (!ori.r, !ori.r) -> ()"
        ));
        self.line("ori.bar <sync, index = 0>");
        let index = self.index(THREADS);
        let address = self.define(
            &format!("ori.imad {index}, %sixteen, %slots"),
            "(!ori.r, !ori.r, !ori.r) -> !ori.r",
        );
        let read = self.define(&format!("ori.lds [{address}]"), "(!ori.r) -> !ori.r");
        self.line("ori.bar <sync, index = 0>");
        self.scope.words.push(read);
    }
}
