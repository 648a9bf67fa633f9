//! The sections of data of a module: variables, constants, tables of branches, shared memory.

use orison_ir::{Attribute, Context, Location, Operation, OperationName, OperationState};
use orison_machine::sm_number;
use orison_ori::keywords::Space;
use orison_ori::operations as ori;
use orison_sass::dialect::Section;

use super::Code;
use crate::ori::memory_layout::{CLUSTERS_SINCE, MemoryLayout, SHARED_START};

/// Bytes in a line.
const LINE: usize = 16;

/// A section, in the notation of nvdisasm.
struct Text {
    title: String,
    lines: Vec<String>,
    /// Bytes so far.
    size: i64,
}

impl Text {
    fn new(title: String, flags: &str, alignment: i64) -> Text {
        let lines = vec![
            format!(".section\t{title},{flags}"),
            format!(".align\t{alignment}"),
            format!("{title}:"),
        ];
        Text {
            title,
            lines,
            size: 0,
        }
    }

    /// Fills up to an offset.
    fn zeros(&mut self, end: i64) {
        if end > self.size {
            self.lines.push(format!(".zero\t{}", end - self.size));
            self.size = end;
        }
    }

    /// A variable at an offset: its initial bytes, with addresses among them, and zeros.
    fn variable(&mut self, context: &Context, memory: ori::Memory, offset: i64) {
        self.zeros(offset);
        let name = memory.sym_name(context).unwrap_or_default();
        let size = memory.size(context).unwrap_or(0);
        self.lines.push(format!(".type\t{name},@object"));
        self.lines.push(format!(".size\t{name},{size}"));
        self.lines.push(format!("{name}:"));
        let initial = memory.initial(context);
        let initial = initial.and_then(|initial| initial.as_integer_array(context));
        let initial = initial.map_or_else(Vec::new, |(_, bytes)| bytes);
        let bytes: Vec<u8> = initial.iter().map(|byte| *byte as u8).collect();
        let addresses = memory.addresses(context);
        let addresses = addresses.and_then(|addresses| addresses.as_array(context));
        let mut at = 0;
        for address in addresses.into_iter().flatten() {
            let Some((place, size, text)) = address_text(context, *address) else {
                continue;
            };
            self.bytes(bytes.get(at..place).unwrap_or_default());
            let directive = if size == 8 { ".dword" } else { ".word" };
            self.lines.push(format!("{directive}\t{text}"));
            self.size += size as i64;
            at = place + size;
        }
        self.bytes(bytes.get(at..).unwrap_or_default());
        self.zeros(offset + size);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for line in bytes.chunks(LINE) {
            let all: Vec<_> = line.iter().map(|byte| format!("{byte:#04x}")).collect();
            self.lines.push(format!(".byte\t{}", all.join(", ")));
        }
        self.size += bytes.len() as i64;
    }

    fn create(&self, context: &mut Context, location: Location) -> Operation {
        let notes = self.lines.iter();
        let notes: Vec<_> = notes.map(|line| Attribute::string(context, line)).collect();
        let notes = Attribute::array(context, &notes);
        let title = Attribute::string(context, &self.title);
        let name = OperationName::new(context, Section::DEFINITION.name);
        let mut state = OperationState::new(name, location);
        for (key, value) in [("title", title), ("notes", notes)] {
            state.set_property(context, key, value);
        }
        Operation::create(context, &state)
    }
}

/// The offset, size and text of an address among initial bytes.
fn address_text(context: &Context, address: Attribute) -> Option<(usize, usize, String)> {
    let number = |key: &str| address.get(context, key)?.as_i64(context);
    let symbol = address.get(context, "symbol")?;
    let symbol = symbol.as_symbol(context)?;
    let text = match number("addend").unwrap_or(0) {
        0 => symbol.to_owned(),
        addend => format!("({symbol} + {addend:#x})"),
    };
    let text = match address.get(context, "generic") {
        Some(_) => format!("fun@R_CUDA_G64({text})"),
        None => text,
    };
    let size = usize::try_from(number("bytes")?).ok()?;
    Some((usize::try_from(number("offset")?).ok()?, size, text))
}

/// The sections of a module with these functions.
fn of(context: &Context, module: Operation, functions: &[(Operation, Code)]) -> Vec<Text> {
    let layout = MemoryLayout::of(context, module);
    let mut sections = Vec::new();
    let mut all_tables = Vec::new();
    for (_, code) in functions {
        all_tables.extend(code.table_entries());
    }
    if !all_tables.is_empty() {
        let mut section = Text::new(".nv.constant2".to_owned(), "\"a\",@progbits", 4);
        let lines = all_tables.iter();
        section
            .lines
            .extend(lines.map(|place| format!(".word\t{place:#010x}")));
        sections.push(section);
    }
    let constants = layout.variables(Space::Constant);
    if !constants.is_empty() {
        let alignment = alignment(context, constants);
        let mut section = Text::new(".nv.constant3".to_owned(), "\"a\",@progbits", alignment);
        for (memory, offset) in constants {
            section.variable(context, *memory, *offset);
        }
        sections.push(section);
    }
    let sized = |memory: &ori::Memory| memory.size(context).unwrap_or(0) > 0;
    let (initialized, others): (Vec<_>, Vec<_>) = layout
        .variables(Space::Global)
        .iter()
        .copied()
        .filter(|(memory, _)| sized(memory))
        .partition(|(memory, _)| memory.initial(context).is_some());
    for (title, flags, variables) in [
        (".nv.global.init", "\"aw\",@progbits", initialized),
        (".nv.global", "\"aw\",@nobits", others),
    ] {
        if variables.is_empty() {
            continue;
        }
        let mut section = Text::new(title.to_owned(), flags, alignment(context, &variables));
        for (memory, _) in variables {
            let alignment = i64::from(memory.alignment(context).unwrap_or(1).max(1));
            let offset = (section.size + alignment - 1) / alignment * alignment;
            section.variable(context, memory, offset);
        }
        sections.push(section);
    }
    let shared = layout.variables(Space::Shared);
    for (_, code) in functions.iter().filter(|(_, code)| code.kernel) {
        let Some((last, offset)) = shared.last() else {
            continue;
        };
        let size = offset + last.size(context).unwrap_or(0);
        let title = format!(".nv.shared.{}", code.function.name);
        let machine = sm_number(&code.function.target).unwrap_or(0);
        let start = if machine >= CLUSTERS_SINCE {
            SHARED_START
        } else {
            0
        };
        let mut section = Text::new(title, "\"aw\",@nobits", alignment(context, shared));
        section.zeros(start + size);
        sections.push(section);
    }
    sections
}

fn alignment(context: &Context, variables: &[(ori::Memory, i64)]) -> i64 {
    let all = variables.iter();
    let all = all.map(|(memory, _)| i64::from(memory.alignment(context).unwrap_or(1)));
    all.max().unwrap_or(1).max(1)
}

/// Writes the sections of a module in place of its variables.
pub(super) fn write(context: &mut Context, module: Operation, functions: &[(Operation, Code)]) {
    let Some(body) = module.body_block(context, 0) else {
        return;
    };
    let location = module.location(context);
    for section in of(context, module, functions) {
        let op = section.create(context, location);
        body.append(context, op);
    }
    let operations: Vec<_> = body.operations(context).collect();
    for op in operations {
        if ori::Memory::of(context, op).is_some() {
            op.erase(context);
        }
    }
}
