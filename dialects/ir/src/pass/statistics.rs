//! The counters of passes.

use std::collections::BTreeMap;

/// A counter of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statistic {
    /// The name, for example `num-cse'd`.
    pub name: &'static str,
    /// Description of the counted events.
    pub summary: &'static str,
}

/// The counters of passes, by pass.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// The index of the running pass in the pipeline.
    pub(super) current: usize,
    /// By index in the pipeline, then statistic name.
    counts: BTreeMap<(usize, &'static str), u64>,
}

impl Statistics {
    /// Adds to a statistic of the running pass.
    pub(super) fn add(&mut self, statistic: &'static str, amount: u64) {
        *self.counts.entry((self.current, statistic)).or_default() += amount;
    }

    /// A statistic of the pass at this index in the pipeline.
    pub fn get(&self, number: usize, statistic: &str) -> u64 {
        let mut counts = self.counts.iter();
        counts
            .find(|((pass, name), _)| *pass == number && *name == statistic)
            .map_or(0, |(_, count)| *count)
    }
}
