//! Debug counters, as in `mlir-opt`: they select which attempts of a pattern are made.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The attempts counted so far and the range that is admitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct DebugCounter {
    /// The number of attempts.
    count: i64,
    /// The number of initial attempts that are skipped.
    skip: i64,
    /// The number of attempts admitted after those; unlimited if negative.
    limit: i64,
}

impl Default for DebugCounter {
    fn default() -> Self {
        DebugCounter {
            count: 0,
            skip: 0,
            limit: -1,
        }
    }
}

/// Debug counters by name, for rewrite rules and the driver's own steps.
///
/// `--mlir-debug-counter=fold-skip=2,fold-count=1` admits only the third attempt of `fold`.
#[derive(Clone, Debug, Default)]
pub struct DebugCounters {
    counters: BTreeMap<String, DebugCounter>,
    /// Whether names without a counter are counted, too.
    counts_all: bool,
}

impl DebugCounters {
    /// Counts all attempts, in order to print the counters.
    pub fn count_all(&mut self) {
        self.counts_all = true;
    }

    /// Whether counting is enabled.
    pub fn is_on(&self) -> bool {
        self.counts_all || !self.counters.is_empty()
    }

    /// Parses `name-skip=number` or `name-count=number`.
    ///
    /// # Errors
    /// If it is neither; the messages are those of `mlir-opt`.
    pub fn set(&mut self, argument: &str) -> Result<(), String> {
        let Some((key, value)) = argument.split_once('=') else {
            return Err(format!(
                "expected DebugCounter argument to have an `=` separating the counter name and \
                 value, but the provided argument was: `{argument}`"
            ));
        };
        let Ok(value) = value.parse::<i64>() else {
            return Err(format!(
                "expected DebugCounter counter value to be numeric, but got `{value}`"
            ));
        };
        if let Some(name) = key.strip_suffix("-skip") {
            self.counters.entry(name.to_owned()).or_default().skip = value;
        } else if let Some(name) = key.strip_suffix("-count") {
            self.counters.entry(name.to_owned()).or_default().limit = value;
        } else {
            return Err(format!(
                "expected DebugCounter counter name to end with either `-skip` or `-count`, but got \
                 `{key}`"
            ));
        }
        Ok(())
    }

    /// Counts an attempt; returns whether it is admitted.
    pub fn admit(&mut self, name: &str) -> bool {
        if !self.is_on() {
            return true;
        }
        let counter = match self.counters.get_mut(name) {
            Some(counter) => counter,
            None if self.counts_all => self.counters.entry(name.to_owned()).or_default(),
            None => return true,
        };
        counter.count += 1;
        if counter.skip < 0 {
            return true;
        }
        if counter.skip >= counter.count {
            return false;
        }
        counter.limit < 0 || counter.limit.saturating_add(counter.skip) >= counter.count
    }

    /// The counters in the format of `--mlir-print-debug-counter`: count, skipped, limit.
    pub fn report(&self) -> String {
        let mut text = String::from("DebugCounter counters:\n");
        for (name, counter) in &self.counters {
            let DebugCounter { count, skip, limit } = counter;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<32}: {{{count},{skip},{limit}}}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_between_skip_and_limit_are_made() {
        let mut counters = DebugCounters::default();
        assert!(counters.admit("fold"));
        counters.set("fold-skip=2").expect("is well-formed");
        counters.set("fold-count=1").expect("is well-formed");
        let made: Vec<_> = (0..5).map(|_| counters.admit("fold")).collect();
        assert_eq!(made, [false, false, true, false, false]);
        assert!(counters.admit("other"));
        let report = counters.report();
        assert!(
            report.contains("fold") && report.contains("{5,2,1}"),
            "{report}"
        );
        assert!(!report.contains("other"), "{report}");
    }

    #[test]
    fn malformed_arguments_are_named() {
        let mut counters = DebugCounters::default();
        for (argument, words) in [("x", "an `=`"), ("x-skip=y", "got `y`"), ("x=1", "got `x`")] {
            let error = counters.set(argument).expect_err(argument);
            assert!(error.contains(words), "{error}");
        }
    }
}
