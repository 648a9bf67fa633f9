//! The forms of the instructions of a machine, from the tables of [`orison_machine`]. A line of a table is read when an
//! instruction needs it.

use std::sync::OnceLock;

use orison_machine::encodings::FORMS;
use rustc_hash::FxHashMap;

use super::form::Form;
use super::reader;

/// A line of the tables.
#[derive(Debug)]
struct Line {
    text: &'static str,
    /// `None` if the line could not be read.
    form: OnceLock<Option<Form>>,
}

/// The forms of a machine.
#[derive(Debug, Default)]
pub(super) struct Table {
    lines: Vec<Line>,
    /// The places of the lines of each opcode.
    of_opcode: Vec<Vec<u16>>,
    of_base: FxHashMap<&'static str, Vec<u16>>,
}

/// The number of opcodes.
const OPCODES: usize = 1 << 12;

impl Table {
    /// The lines of a machine, without what they say.
    pub(super) fn of_machine(machine: &str, lines: &'static str) -> Table {
        let mut table = Table {
            of_opcode: vec![Vec::new(); OPCODES],
            ..Table::default()
        };
        for line in lines.lines() {
            let Some((machines, text)) = line.split_once("; ") else {
                continue;
            };
            if machines.split(' ').any(|name| name == machine) {
                table.add(text);
            }
        }
        table
    }

    fn add(&mut self, text: &'static str) {
        let Ok(place) = u16::try_from(self.lines.len()) else {
            return;
        };
        let mut parts = text.split("; ");
        let opcode = parts
            .next()
            .and_then(|digits| usize::from_str_radix(digits, 16).ok());
        let Some(places) = opcode.and_then(|opcode| self.of_opcode.get_mut(opcode)) else {
            return;
        };
        places.push(place);
        let base = reader::base(parts.nth(reader::PARTS_BEFORE_MNEMONIC).unwrap_or_default());
        self.of_base.entry(base).or_default().push(place);
        self.lines.push(Line {
            text,
            form: OnceLock::new(),
        });
    }

    fn form(&self, place: u16) -> Option<&Form> {
        let line = self.lines.get(usize::from(place))?;
        line.form.get_or_init(|| reader::form(line.text)).as_ref()
    }

    /// The number of forms.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The form at a place, and its line.
    pub(super) fn at(&self, place: usize) -> Option<(&Form, &'static str)> {
        let form = self.form(u16::try_from(place).ok()?)?;
        Some((form, self.lines.get(place)?.text))
    }

    /// The line at a place.
    #[cfg(test)]
    pub(super) fn line(&self, place: usize) -> &'static str {
        self.lines.get(place).map_or("", |line| line.text)
    }

    /// The forms of an opcode; `None` if no instruction has it.
    pub(super) fn of_opcode(&self, opcode: u16) -> Option<impl Iterator<Item = &Form>> {
        let places = self.of_opcode.get(usize::from(opcode))?;
        let forms = places.iter().filter_map(|place| self.form(*place));
        (!places.is_empty()).then_some(forms)
    }

    /// The forms of a mnemonic without modifiers, those of most real code first; `None` if no instruction has it.
    pub(super) fn of_base(&self, base: &str) -> Option<impl Iterator<Item = &Form> + Clone> {
        let places = self.of_base.get(base)?;
        Some(places.iter().filter_map(|place| self.form(*place)))
    }
}

/// The names of the machines in the tables.
pub const MACHINES: [&str; 8] = [
    "sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_103a", "sm_120a", "sm_121a",
];

/// The table of a machine; `None` for a machine that no table has. A machine without a letter has the instructions of
/// the one with it.
pub(super) fn of(machine: &str) -> Option<&'static Table> {
    static TABLES: [OnceLock<Table>; MACHINES.len()] = [const { OnceLock::new() }; MACHINES.len()];
    let number = |name: &str| orison_machine::sm_number(name);
    let place = MACHINES
        .iter()
        .position(|known| *known == machine)
        .or_else(|| {
            let wanted = number(machine)?;
            MACHINES
                .iter()
                .position(|known| number(known) == Some(wanted))
        })?;
    let table = TABLES[place]
        .get_or_init(|| Table::of_machine(MACHINES[place].trim_start_matches("sm_"), FORMS));
    (table.len() > 0).then_some(table)
}
