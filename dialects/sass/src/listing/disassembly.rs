//! What the output of `cuobjdump -sass` has in place of sections and labels.

use orison_machine::OperandKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Item, Line, Note, Section};
use crate::effects;
use crate::encoding::Encoding;
use crate::instruction::{Flow, Immediate, Instruction, Operand, flow};

/// A line that starts a function, or precedes functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Heading<'a> {
    /// `code for sm_90a`, or `.target sm_90a`.
    Machine(&'a str),
    /// `Function : k`.
    Function(&'a str),
    /// The properties of a file, or the end of a function.
    Other,
}

/// The heading in a line without surrounding blanks; `.target` is one only after another.
pub(super) fn heading(line: &str, inside: bool) -> Option<Heading<'_>> {
    const PROPERTIES: [&str; 8] = [
        "Fatbin elf code:",
        "Fatbin ptx code:",
        "Function :",
        "arch = ",
        "code version = ",
        "host = ",
        "compile_size = ",
        "compressed",
    ];
    if let Some(machine) = line.strip_prefix("code for ") {
        return Some(Heading::Machine(machine.trim()));
    }
    if let Some(name) = line.strip_prefix("Function : ") {
        return Some(Heading::Function(name.trim()));
    }
    if let Some(machine) = line.strip_prefix(".target").filter(|_| inside) {
        return Some(Heading::Machine(machine.trim()));
    }
    let consists_of = |mark: u8| line.bytes().all(|byte| byte == mark);
    let ruled = line.len() > 1 && (consists_of(b'=') || consists_of(b'.'));
    let known = PROPERTIES.iter().any(|start| line.starts_with(start));
    (ruled || known).then_some(Heading::Other)
}

/// Replaces the addresses to which the instructions of a section jump by labels, as nvdisasm prints
/// them: `.L_x_3`, or for a called function `$k$1f0`.
pub(super) fn name_places(section: &mut Section) {
    let code = |line: &Line| match &line.item {
        Item::Instruction(found) => Some(found.address),
        Item::Note(_) => None,
    };
    let addresses: FxHashSet<u64> = section.lines.iter().filter_map(code).collect();
    let end = section.lines.iter().filter_map(code).max();
    let end = end.map(|last| last + Encoding::BYTES);
    let function = section.name.trim_start_matches(".text.").to_owned();
    let mut labels: FxHashMap<u64, Box<str>> = FxHashMap::default();
    for line in &mut section.lines {
        let Item::Instruction(found) = &mut line.item else {
            continue;
        };
        let target = place(found).filter(|to| addresses.contains(to) || end == Some(*to));
        let Some(target) = target else {
            continue;
        };
        let called = flow(found) == Flow::Call;
        let next = labels.len();
        let label = labels.entry(target).or_insert_with(|| match called {
            true => format!("${function}${target:x}").into(),
            false => format!(".L_x_{next}").into(),
        });
        if let Some(operand) = found.operands.last_mut() {
            *operand = Operand::Label(label.clone());
        }
    }
    let label = |address, place| {
        let name = labels.get(&address)?.clone();
        let item = Item::Note(Note::Label(name));
        Some(Line { place, item })
    };
    let mut named = Vec::with_capacity(section.lines.len() + labels.len());
    for line in section.lines.drain(..) {
        named.extend(code(&line).and_then(|address| label(address, line.place)));
        named.push(line);
    }
    let last = named.last().map(|line| line.place).unwrap_or_default();
    named.extend(end.and_then(|address| label(address, last)));
    section.lines = named;
}

/// The address in the place of a label.
fn place(found: &Instruction) -> Option<u64> {
    let roles = effects::row(&found.mnemonic)?.roles?;
    let last = roles.sources.last()?;
    match found.operands.last() {
        Some(Operand::Immediate(Immediate::Integer {
            negative: false,
            magnitude,
        })) if last.allows(OperandKind::Code) && !last.allows(OperandKind::Number) => {
            Some(*magnitude)
        }
        _ => None,
    }
}
