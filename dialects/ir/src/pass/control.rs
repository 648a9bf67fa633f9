//! Which rewrite rules may be applied, and how often they were.

use std::collections::BTreeMap;

use super::{DebugCounters, Trace};
use crate::rewrite::Rule;
use crate::{Context, Operation};

/// `--only=<rule>@<line[:column]>`: one rule, at one place or everywhere.
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
    /// Reads `rule`, `rule@line` or `rule@line:column`.
    ///
    /// # Errors
    /// When the place is not made of numbers.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (rule, place) = match text.split_once('@') {
            Some((rule, place)) => (rule, Some(place)),
            None => (text, None),
        };
        let number = |text: &str| {
            text.parse::<u32>()
                .map_err(|_| format!("'{text}' is no line or column number"))
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

/// How often a rule was tried and applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RuleCounts {
    /// How often it was tried.
    pub tried: u64,
    /// How often it changed the IR.
    pub applied: u64,
}

/// Decides which rules may be applied, and counts.
#[derive(Clone, Debug, Default)]
pub struct RewriteControl {
    /// The only rule that may be applied.
    pub only: Option<RuleFilter>,
    /// How many more rules may be applied.
    pub fuel: Option<u64>,
    /// Which tries of rules are made.
    pub counters: DebugCounters,
    /// What those see who debug rules.
    pub trace: Trace,
    counts: BTreeMap<&'static str, RuleCounts>,
    saved: BTreeMap<&'static str, u64>,
}

impl RewriteControl {
    /// Whether a rule may be tried on an operation. `rule` may also be the name of something that
    /// is no [`Rule`], such as `fold`.
    pub fn allows(&self, context: &Context, rule: &str, op: Operation) -> bool {
        self.fuel != Some(0)
            && self
                .only
                .as_ref()
                .is_none_or(|filter| filter.allows(context, rule, op))
    }

    /// Counts a try of a rule that [`RewriteControl::allows`]; whether debug counters allow it, too.
    #[inline]
    pub fn admits(&mut self, context: &Context, rule: &str, op: Operation) -> bool {
        self.allows(context, rule, op) && (!self.counters.is_on() || self.counters.admit(rule))
    }

    /// Whether anything is held back at all.
    pub fn is_limited(&self) -> bool {
        self.fuel.is_some() || self.only.is_some() || self.counters.is_on()
    }

    /// Whether there is no fuel left.
    pub fn is_exhausted(&self) -> bool {
        self.fuel == Some(0)
    }

    /// Counts one try of a rule; an applied one uses fuel.
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

    /// Adds to what a rule saved, in the unit of the cost that its pass compares.
    pub fn add_saved(&mut self, rule: &'static str, saved: u64) {
        *self.saved.entry(rule).or_default() += saved;
    }

    /// What a rule saved; none when its pass does not compare costs.
    pub fn saved(&self, rule: &str) -> Option<u64> {
        self.saved.get(rule).copied()
    }

    /// The counts by name of the rule.
    pub fn counts(&self) -> &BTreeMap<&'static str, RuleCounts> {
        &self.counts
    }

    /// The order in which rules are tried: by benefit, highest first, then by name.
    pub fn sort(rules: &mut [&'static Rule]) {
        rules.sort_by_key(|rule| (std::cmp::Reverse(rule.benefit), rule.name));
    }
}
