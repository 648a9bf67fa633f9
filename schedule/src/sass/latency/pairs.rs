//! Instructions that issue in the same cycle.

use orison_sass::control::ControlWord;

use super::LatencyModel;
use super::classes::{ClassId, Classes};
use super::machine::DualIssue;
use super::parse::Complaint;

/// A rule of the machine file, with its classes.
#[derive(Clone, Debug)]
pub(super) struct PairRule {
    first: Vec<ClassId>,
    second: Vec<ClassId>,
    constants: u32,
}

impl PairRule {
    pub(super) fn new(rule: &DualIssue, classes: &Classes) -> Result<Self, Complaint> {
        let all = |names: &[toml::Spanned<String>]| -> Result<Vec<ClassId>, Complaint> {
            let found = names.iter().map(|name| {
                let mut ids = classes.ids();
                let id = ids.find(|id| classes.get(*id).name == *name.get_ref());
                id.ok_or_else(|| {
                    let message = format!("the machine has no class `{}`", name.get_ref());
                    (name.span(), message)
                })
            });
            found.collect()
        };
        Ok(PairRule {
            first: all(&rule.first)?,
            second: all(&rule.second)?,
            constants: rule.constants,
        })
    }
}

impl LatencyModel {
    /// Whether the machine issues two instructions of a warp in a cycle: a stall of zero, without yield, pairs an
    /// instruction with the next.
    pub fn has_pairs(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// Whether two instructions, of which the second does not depend on the first, may issue in the same cycle:
    /// the class of each, and whether it has an operand in constant memory.
    pub fn pairs(&self, first: (ClassId, bool), second: (ClassId, bool)) -> bool {
        let constants = u32::from(first.1) + u32::from(second.1);
        self.pairs.iter().any(|rule| {
            rule.first.contains(&first.0)
                && rule.second.contains(&second.0)
                && constants <= rule.constants
        })
    }

    /// Whether an instruction of a class may be the first of a pair, and whether it may be the second.
    pub fn sides(&self, class: ClassId) -> (bool, bool) {
        let first = self.pairs.iter().any(|rule| rule.first.contains(&class));
        let second = self.pairs.iter().any(|rule| rule.second.contains(&class));
        (first, second)
    }

    /// Whether a control word lets the next instruction issue in the same cycle.
    pub fn is_paired(&self, word: &ControlWord) -> bool {
        self.has_pairs() && word.stall.cycles() == 0 && !word.yields
    }
}
