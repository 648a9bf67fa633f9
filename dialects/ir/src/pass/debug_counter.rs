//! Debug counters, as `mlir-opt` has them: which tries of a pattern are made.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How often something was tried, and which tries are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct DebugCounter {
    /// How often it was to be tried.
    count: i64,
    /// The first tries, which are not made.
    skip: i64,
    /// How many tries are made behind those; all when negative.
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

/// Debug counters by name: of rewrite rules, and of the driver's own steps.
///
/// `--mlir-debug-counter=fold-skip=2,fold-count=1` makes the third try of `fold` and no other.
#[derive(Clone, Debug, Default)]
pub struct DebugCounters {
    counters: BTreeMap<String, DebugCounter>,
    /// Whether those are counted, too, of which nothing was said.
    counts_all: bool,
}

impl DebugCounters {
    /// Counts everything, to print the counters.
    pub fn count_all(&mut self) {
        self.counts_all = true;
    }

    /// Whether anything is counted at all.
    pub fn is_on(&self) -> bool {
        self.counts_all || !self.counters.is_empty()
    }

    /// Reads `name-skip=number` or `name-count=number`.
    ///
    /// # Errors
    /// When it is neither; the words are those of `mlir-opt`.
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

    /// Counts a try; whether it is to be made.
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

    /// The counters as `--mlir-print-debug-counter` shows them: count, skipped, limit.
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
