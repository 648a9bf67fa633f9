//! Control over the application of rewrite rules, and its counts.

use std::collections::BTreeMap;

use super::{DebugCounters, Trace};
use crate::rewrite::Rule;
use crate::{Context, Operation};

/// `--only=<rule>@<line[:column]>`: one rule, at one location or everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleFilter {
    /// The name of the rule.
    pub rule: String,
    /// The line of the operation.
    pub line: Option<u32>,
    /// Its column.
    pub column: Option<u32>,
}

impl RuleFilter {
    /// Parses `rule`, `rule@line` or `rule@line:column`.
    ///
    /// # Errors
    /// If the location does not consist of numbers.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (rule, place) = match text.split_once('@') {
            Some((rule, place)) => (rule, Some(place)),
            None => (text, None),
        };
        let number = |text: &str| {
            text.parse::<u32>()
                .map_err(|_| format!("'{text}' is not a line or column number"))
        };
        let (line, column) = match place.map(|place| place.split_once(':').unwrap_or((place, ""))) {
            None => (None, None),
            Some((line, "")) => (Some(number(line)?), None),
            Some((line, column)) => (Some(number(line)?), Some(number(column)?)),
        };
        Ok(RuleFilter {
            rule: rule.to_owned(),
            line,
            column,
        })
    }

    fn allows(&self, context: &Context, rule: &str, op: Operation) -> bool {
        if rule != self.rule {
            return false;
        }
        let Some(wanted) = self.line else {
            return true;
        };
        op.location(context)
            .position(context)
            .is_some_and(|(_, line, column)| {
                line == wanted && self.column.is_none_or(|wanted| wanted == column)
            })
    }
}

/// The number of attempts and applications of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RuleCounts {
    /// The number of attempts.
    pub tried: u64,
    /// The number of times it changed the IR.
    pub applied: u64,
}

/// Decides which rules may be applied, and counts applications.
#[derive(Clone, Debug, Default)]
pub struct RewriteControl {
    /// The only rule that may be applied.
    pub only: Option<RuleFilter>,
    /// The number of rule applications that remain.
    pub fuel: Option<u64>,
    /// Debug counters, which select the attempts that are made.
    pub counters: DebugCounters,
    /// The debug output about rules.
    pub trace: Trace,
    counts: BTreeMap<&'static str, RuleCounts>,
    saved: BTreeMap<&'static str, u64>,
}

impl RewriteControl {
    /// Whether a rule may be tried on an operation. `rule` may also be a name that does not belong
    /// to a [`Rule`], such as `fold`.
    pub fn allows(&self, context: &Context, rule: &str, op: Operation) -> bool {
        self.fuel != Some(0)
            && self
                .only
                .as_ref()
                .is_none_or(|filter| filter.allows(context, rule, op))
    }

    /// Whether a rule is allowed and admitted by the debug counters, which count the attempt.
    #[inline]
    pub fn admits(&mut self, context: &Context, rule: &str, op: Operation) -> bool {
        self.allows(context, rule, op) && (!self.counters.is_on() || self.counters.admit(rule))
    }

    /// Whether any restriction is active.
    pub fn is_limited(&self) -> bool {
        self.fuel.is_some() || self.only.is_some() || self.counters.is_on()
    }

    /// Whether no fuel is left.
    pub fn is_exhausted(&self) -> bool {
        self.fuel == Some(0)
    }

    /// Counts one attempt of a rule; an application uses fuel.
    pub fn record(&mut self, rule: &'static str, applied: bool) {
        let applied = u64::from(applied);
        self.add_counts(rule, RuleCounts { tried: 1, applied });
        if applied > 0 {
            self.spend();
        }
    }

    /// Uses fuel for one rewrite.
    pub fn spend(&mut self) {
        if let Some(fuel) = &mut self.fuel {
            *fuel = fuel.saturating_sub(1);
        }
    }

    /// Adds to the counts of a rule, without using fuel.
    pub fn add_counts(&mut self, rule: &'static str, added: RuleCounts) {
        let counts = self.counts.entry(rule).or_default();
        counts.tried += added.tried;
        counts.applied += added.applied;
    }

    /// Adds to the amount a rule saved, in the unit of the cost that its pass compares.
    pub fn add_saved(&mut self, rule: &'static str, saved: u64) {
        *self.saved.entry(rule).or_default() += saved;
    }

    /// The amount a rule saved; `None` if its pass does not compare costs.
    pub fn saved(&self, rule: &str) -> Option<u64> {
        self.saved.get(rule).copied()
    }

    /// The counts by rule name.
    pub fn counts(&self) -> &BTreeMap<&'static str, RuleCounts> {
        &self.counts
    }

    /// Sorts rules into application order: by benefit, highest first, then by name.
    pub fn sort(rules: &mut [&'static Rule]) {
        rules.sort_by_key(|rule| (std::cmp::Reverse(rule.benefit), rule.name));
    }
}
