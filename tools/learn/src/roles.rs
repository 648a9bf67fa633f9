//! Compares the registers that nvdisasm lists for an instruction with those of the instruction table.

use std::collections::BTreeMap;

use orison_sass::scheduled::Scheduled;
use orison_schedule::sass::facts::{FunctionFacts, Listed, RegisterNumber};
use orison_schedule::sass::latency::TableFile;
use serde::Serialize;

/// The first uniform register that nvdisasm never lists.
const UNLISTED: u8 = 63;

/// What differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// nvdisasm lists nothing for an instruction that has registers; the table's are used.
    NothingListed,
    /// Only nvdisasm says that a register is written.
    OnlyListedDefinition,
    /// Only the table says that a register is written.
    OnlyOwnDefinition,
    /// Only nvdisasm says that a register is read.
    OnlyListedUse,
    /// Only the table says that a register is read.
    OnlyOwnUse,
}

impl Kind {
    /// Its name in the text.
    pub fn name(self) -> &'static str {
        match self {
            Kind::NothingListed => "nvdisasm lists nothing",
            Kind::OnlyListedDefinition => "only nvdisasm says that it writes",
            Kind::OnlyOwnDefinition => "only the table says that it writes",
            Kind::OnlyListedUse => "only nvdisasm says that it reads",
            Kind::OnlyOwnUse => "only the table says that it reads",
        }
    }
}

/// Instructions with the same difference.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// How many.
    pub count: usize,
    /// The registers of the first, its text and its place.
    pub example: String,
}

/// What the comparison of all instructions found.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    /// Instructions with a list.
    pub compared: usize,
    /// The differences, by opcode and kind.
    pub differences: BTreeMap<(String, Kind), Difference>,
}

impl Roles {
    /// Compares the facts of an instruction with its list, and returns the list to use: none if it is
    /// empty and the facts are not.
    pub fn compare(
        &mut self,
        facts: &FunctionFacts,
        number: usize,
        found: &Scheduled<'_>,
        list: &Listed,
        place: impl Fn(&Scheduled<'_>) -> String,
    ) -> Option<Listed> {
        self.compared += 1;
        let own = Listed {
            definitions: sorted(facts.writes(number).iter().map(|write| write.register)),
            uses: sorted(facts.reads(number).iter().map(|read| read.register)),
        };
        let listed = Listed {
            definitions: sorted(list.definitions.iter().copied()),
            uses: sorted(list.uses.iter().copied()),
        };
        if own == listed {
            return Some(listed);
        }
        let mut differs = |kind: Kind, registers: &[RegisterNumber]| {
            let key = (found.mnemonic.base().to_owned(), kind);
            let difference = self.differences.entry(key).or_default();
            difference.count += 1;
            if difference.count == 1 {
                let names: Vec<String> = registers
                    .iter()
                    .map(|register| register.register().to_string())
                    .collect();
                difference.example = format!("{} of `{found}` ({})", names.join(" "), place(found));
            }
        };
        if listed == Listed::default() {
            let all = [&own.definitions[..], &own.uses[..]].concat();
            if !all.iter().all(is_unlisted) {
                differs(Kind::NothingListed, &all);
            }
            return None;
        }
        let mut listed = listed;
        for (kinds, own, listed) in [
            (
                [Kind::OnlyListedDefinition, Kind::OnlyOwnDefinition],
                &own.definitions,
                &mut listed.definitions,
            ),
            (
                [Kind::OnlyListedUse, Kind::OnlyOwnUse],
                &own.uses,
                &mut listed.uses,
            ),
        ] {
            let more: Vec<_> = without(listed, own).collect();
            let (hidden, fewer): (Vec<_>, Vec<_>) = without(own, listed).partition(is_unlisted);
            for (kind, registers) in kinds.into_iter().zip([more, fewer]) {
                if !registers.is_empty() {
                    differs(kind, &registers);
                }
            }
            listed.extend(hidden);
            listed.sort_unstable();
        }
        Some(listed)
    }
}

fn sorted(registers: impl Iterator<Item = RegisterNumber>) -> Vec<RegisterNumber> {
    let mut all: Vec<RegisterNumber> = registers.collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn without<'r>(
    these: &'r [RegisterNumber],
    others: &'r [RegisterNumber],
) -> impl Iterator<Item = RegisterNumber> + 'r {
    let these = these.iter().copied();
    these.filter(|register| !others.contains(register))
}

/// Whether nvdisasm has no column for a register: uniform ones from [`UNLISTED`] on.
fn is_unlisted(register: &RegisterNumber) -> bool {
    register.file() == TableFile::Uniform && register.register().index >= UNLISTED
}
