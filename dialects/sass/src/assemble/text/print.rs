//! The text of cubins.

use std::collections::BTreeMap;

use super::{FLAGS, KINDS, Names};
use crate::cubin::information::{self, Record, Value, Word};
use crate::cubin::{
    Contents, Cubin, CubinError, Kind, Section, Symbol, relocation, section_flags, section_kind,
};
use crate::encoding::{Encoding, decode, encode};
use crate::instruction::{self, Immediate, Instruction, Operand};
use crate::listing::{self, Code, Directive, Item, Line, Listing, ListingError, Note, Place};

/// Bytes in a line.
const LINE: usize = 16;
const FUNCTION: u8 = 2;

/// The labels of each section of code, by the index of the section and the address.
type Labels = BTreeMap<u32, BTreeMap<u64, Box<str>>>;

impl Cubin {
    /// The text: all that is in the file. Bits that are no known instruction become an opaque one, with a warning.
    ///
    /// # Errors
    /// If a control word is invalid, or a section of code does not consist of whole instructions.
    pub fn listing(&self) -> Result<Listing, CubinError> {
        let mut listing = Listing::default();
        let kind = match self.kind {
            Kind::Executable => "@\"ET_EXEC\"",
            Kind::Relocatable => "@\"ET_REL\"",
        };
        let flags = format!("{:#x}, {}, {}", self.flags, self.abi_version, self.version);
        listing.header = [
            directive(".target", self.machine()),
            directive(".elftype", kind),
            directive(".headerflags", flags),
        ]
        .map(line)
        .to_vec();
        let mut code = BTreeMap::new();
        let mut labels = Labels::new();
        let wanted = self.wanted();
        for (index, section) in (1u32..).zip(&self.sections) {
            if section.is_code() {
                let decoded = self.code(section, &mut listing.warnings);
                let mut decoded = decoded.map_err(|error| CubinError(error.message))?;
                keep_text(&self.machine(), &mut decoded, section.bytes());
                let empty = BTreeMap::new();
                let all = add_labels(&mut decoded, wanted.get(&index).unwrap_or(&empty));
                labels.insert(index, all);
                code.insert(index, decoded);
            }
        }
        for (index, decoded) in &mut code {
            self.name_operands(*index, decoded, &labels);
        }
        let printer = Printer {
            cubin: self,
            names: Names::of(self),
            labels: &labels,
        };
        let natural = self.natural_offsets();
        for ((index, section), natural) in (1u32..).zip(&self.sections).zip(natural) {
            let mut lines = printer.header(section, natural);
            match code.remove(&index) {
                Some(decoded) => lines.extend(decoded.lines),
                None => lines.extend(printer.contents(section).into_iter().map(line)),
            }
            listing.sections.push(listing::Section {
                name: section.name.clone(),
                lines,
            });
        }
        Ok(listing)
    }

    fn code(
        &self,
        section: &Section,
        warnings: &mut Vec<ListingError>,
    ) -> Result<listing::Section, ListingError> {
        let code = Code {
            name: &section.name,
            bytes: section.bytes(),
        };
        listing::code_section(&self.machine(), code, warnings)
    }

    /// The addresses in each section of code that something refers to, with names for them.
    fn wanted(&self) -> BTreeMap<u32, BTreeMap<u64, Box<str>>> {
        let mut wanted = Labels::new();
        let mut want = |section: u32, address: u64, name: Option<&str>| {
            let known = wanted.entry(section).or_default();
            let next = format!(".L_{section}_{address:x}");
            let name = name.map_or_else(|| next.into(), Into::into);
            known.entry(address).or_insert(name);
        };
        for symbol in self.symbols() {
            if symbol.info & 0xf == FUNCTION {
                want(symbol.section.into(), symbol.value, Some(&symbol.name));
                want(symbol.section.into(), symbol.value + symbol.size, None);
            }
        }
        for section in &self.sections {
            let is_relocations = matches!(section.contents, Contents::Relocations(_));
            if let (true, Contents::Relocations(all)) = (is_relocations, &section.contents) {
                for found in all {
                    want(section.info, found.offset & !15, None);
                    if let Some((code, address)) = self.code_place(section.link, found) {
                        want(code, address, None);
                    }
                }
            } else if section.kind == section_kind::INFORMATION {
                for record in information::records(section.bytes()).unwrap_or_default() {
                    for (word, kind) in record.as_words().into_iter().zip(record.kinds()) {
                        if matches!(kind, Word::Address | Word::Block) {
                            want(section.info, word.into(), None);
                        }
                    }
                }
            }
        }
        wanted.retain(|index, _| self.section(*index).is_some_and(Section::is_code));
        wanted
    }

    /// The section and address of code that a relocation names by the symbol of a function and an addend.
    fn code_place(&self, table: u32, found: &crate::cubin::Relocation) -> Option<(u32, u64)> {
        let symbol = self.symbol_of(table, found.symbol)?;
        let addend = u64::try_from(found.addend)
            .ok()
            .filter(|addend| *addend > 0)?;
        let section = u32::from(symbol.section);
        let is_code = self.section(section).is_some_and(Section::is_code);
        (symbol.info & 0xf == FUNCTION && is_code).then_some((section, symbol.value + addend))
    }

    pub(super) fn symbol_of(&self, table: u32, index: u32) -> Option<&Symbol> {
        match &self.section(table)?.contents {
            Contents::Symbols(symbols) => symbols.get(usize::try_from(index).ok()?),
            _ => None,
        }
    }

    /// Puts the symbols of relocations in the place of the numbers that they replace.
    fn name_operands(&self, index: u32, code: &mut listing::Section, labels: &Labels) {
        let tables = self.sections.iter().filter(|section| section.info == index);
        for table in tables {
            let Contents::Relocations(all) = &table.contents else {
                continue;
            };
            let by_place: BTreeMap<u64, _> =
                all.iter().map(|found| (found.offset, found)).collect();
            for line in &mut code.lines {
                let Item::Instruction(instruction) = &mut line.item else {
                    continue;
                };
                let Some(found) = by_place.get(&instruction.address) else {
                    continue;
                };
                let Some(symbol) = self.symbol_of(table.link, found.symbol) else {
                    continue;
                };
                let place = self.code_place(table.link, found);
                let label = place.and_then(|(section, at)| labels.get(&section)?.get(&at));
                let text = relocation::kind(found.kind).map_or("", |kind| kind.operand);
                let is_call = relocation::is_call(found.kind);
                let name = &symbol.name;
                let new = match (is_call, text, found.addend, label) {
                    (true, _, 0, _) => Operand::Label(name.clone()),
                    (false, "", ..) => continue,
                    (false, _, 0, _) => Operand::Relocation(format!("{text}({name})").into()),
                    (false, _, _, Some(label)) => {
                        Operand::Relocation(format!("{text}(({name} + {label}@srel))").into())
                    }
                    (false, _, addend, None) => {
                        Operand::Relocation(format!("{text}(({name} + {addend:#x}))").into())
                    }
                    _ => continue,
                };
                let zero = |operand: &&mut Operand| {
                    matches!(operand, Operand::Immediate(Immediate::Integer { .. }))
                        || is_call && matches!(operand, Operand::Label(_))
                };
                if let Some(operand) = instruction.operands.iter_mut().rfind(zero) {
                    *operand = new;
                }
            }
        }
    }
}

/// Instructions keep their text, without the bits, if the text has all that they say; the others become their bits.
fn keep_text(machine: &str, section: &mut listing::Section, bytes: &[u8]) {
    let (chunks, _) = bytes.as_chunks::<16>();
    let mut lines = Vec::with_capacity(section.lines.len());
    let mut encodings = chunks.iter().map(|bytes| Encoding::from_bytes(*bytes));
    for mut line in section.lines.drain(..) {
        if let Item::Instruction(found) = &mut line.item
            && let Some(bits) = encodings.next()
        {
            found.imported = None;
            let bits = bits.without_control();
            let address = found.address;
            let text = decode(machine, bits, address).ok();
            let again = text.as_ref().map(|text| {
                let read = instruction::parse(&format!("{:#}", instruction::Code(text)));
                let mut read = read.unwrap_or_else(|_| text.clone());
                if let Some(register) = text.hidden_descriptor() {
                    let _ = read.hide_descriptor(&register.to_string());
                }
                encode(machine, &read, address)
            });
            if again != Some(Ok(bits)) {
                let comment = text.map(|text| Note::Comment(text.to_string().into()));
                lines.extend(comment.map(|comment| Line {
                    place: Place::default(),
                    item: Item::Note(comment),
                }));
                *found.instruction.to_mut() =
                    Instruction::opaque(&format!("UNKNOWN {:#034x}", bits.bits()));
            }
        }
        lines.push(line);
    }
    section.lines = lines;
}

fn directive(name: &str, arguments: impl Into<String>) -> Directive {
    Directive {
        name: name.into(),
        arguments: arguments.into().into(),
    }
}

fn line(directive: Directive) -> Line {
    Line {
        place: Place::default(),
        item: Item::Note(Note::Directive(directive)),
    }
}

/// Adds labels at addresses that have none; returns all labels.
fn add_labels(
    section: &mut listing::Section,
    wanted: &BTreeMap<u64, Box<str>>,
) -> BTreeMap<u64, Box<str>> {
    let mut labels = BTreeMap::new();
    let mut next = 0;
    let mut lines: Vec<Line> = Vec::with_capacity(section.lines.len() + wanted.len());
    let mut known: Option<Box<str>> = None;
    let mut label = |address: u64, known: Option<Box<str>>, lines: &mut Vec<Line>| {
        let wanted = wanted.get(&address);
        if let Some(name) = known.clone().or_else(|| wanted.cloned()) {
            labels.insert(address, name);
        }
        if let (None, Some(name)) = (known, wanted) {
            lines.push(Line {
                place: Place::default(),
                item: Item::Note(Note::Label(name.clone())),
            });
        }
    };
    for line in section.lines.drain(..) {
        match &line.item {
            Item::Note(Note::Label(name)) => known = Some(name.clone()),
            Item::Note(_) => {}
            Item::Instruction(found) => {
                label(found.address, known.take(), &mut lines);
                next = found.address + Encoding::BYTES;
            }
        }
        lines.push(line);
    }
    label(next, known, &mut lines);
    section.lines = lines;
    labels
}

struct Printer<'c> {
    cubin: &'c Cubin,
    names: Names<'c>,
    labels: &'c Labels,
}

impl Printer<'_> {
    /// The directives of the header of a section.
    fn header(&self, section: &Section, natural: u64) -> Vec<Line> {
        let letters = FLAGS.iter().filter(|(flag, _)| section.flags & flag != 0);
        let letters: String = letters.map(|(_, letter)| *letter).collect();
        let others = FLAGS
            .iter()
            .fold(section.flags, |flags, (flag, _)| flags & !flag);
        let kind = KINDS.iter().find(|(kind, _)| *kind == section.kind);
        let kind = kind.map_or_else(
            || format!("{:#x}", section.kind),
            |(_, name)| (*name).into(),
        );
        let mut lines = vec![directive(
            ".section",
            format!("{},\"{letters}\",@{kind}", section.name),
        )];
        if others != 0 {
            lines.push(directive(".sectionflags", format!("{others:#x}")));
        }
        if section.link != 0 {
            lines.push(directive(".sectionlink", self.names.section(section.link)));
        }
        if section.info != 0 {
            lines.push(directive(".sectioninfo", self.info(section)));
        }
        if section.entry_size != 0 {
            lines.push(directive(".sectionentsize", section.entry_size.to_string()));
        }
        if section.alignment != 1 {
            lines.push(directive(".align", section.alignment.to_string()));
        }
        if let Some(offset) = section.offset.filter(|offset| *offset != natural) {
            lines.push(directive(".org", format!("{offset:#x}")));
        }
        lines.into_iter().map(line).collect()
    }

    fn info(&self, section: &Section) -> String {
        if section.flags & section_flags::INFO_LINK != 0 && section.kind != section_kind::NOTES {
            return format!("@section {}", self.names.section(section.info));
        }
        if section.is_code() && section.link != 0 {
            let symbol = self.names.symbol(section.link, section.info & 0xff_ffff);
            return format!("@symbol {symbol} {:#x}", section.info >> 24);
        }
        format!("{:#x}", section.info)
    }

    /// The address in a section as text: its label, if it is in code that has one there.
    fn place(&self, section: u32, address: u64) -> String {
        let label = self.labels.get(&section).and_then(|all| all.get(&address));
        label.map_or_else(|| format!("{address:#x}"), ToString::to_string)
    }

    fn contents(&self, section: &Section) -> Vec<Directive> {
        let is_information = section.kind == section_kind::INFORMATION;
        match &section.contents {
            Contents::Zeros(size) => match size {
                0 => Vec::new(),
                _ => vec![directive(".zero", size.to_string())],
            },
            Contents::Strings(table) => strings(table.bytes()),
            Contents::Symbols(symbols) => symbols.iter().map(|found| self.symbol(found)).collect(),
            Contents::Relocations(all) => {
                let relocations = all.iter();
                let text = relocations.map(|found| self.relocation(section, found));
                text.collect()
            }
            Contents::Bytes(bytes) if is_information => match information::records(bytes) {
                Ok(records) if information::bytes(&records) == *bytes => {
                    let records = records.iter();
                    records.map(|record| self.record(section, record)).collect()
                }
                _ => data(bytes),
            },
            Contents::Bytes(bytes) => data(bytes),
        }
    }

    fn symbol(&self, symbol: &Symbol) -> Directive {
        let section = u32::from(symbol.section);
        let (mut value, mut size) = (
            format!("{:#x}", symbol.value),
            format!("{:#x}", symbol.size),
        );
        if symbol.info & 0xf == FUNCTION && self.labels.contains_key(&section) {
            value = self.place(section, symbol.value);
            let end = self.place(section, symbol.value + symbol.size);
            size = format!("({end} - {value})");
        }
        let section = match section {
            0 => "0".to_owned(),
            _ => self.names.section(section),
        };
        let Symbol {
            name, info, other, ..
        } = symbol;
        let text = format!("{name:?}, {info:#x}, {other:#x}, {section}, {value}, {size}");
        directive(".symbol", text)
    }

    fn relocation(&self, section: &Section, found: &crate::cubin::Relocation) -> Directive {
        let inside = found.offset & 15;
        let mut place = self.place(section.info, found.offset - inside);
        if !place.starts_with("0x") && inside != 0 {
            place = format!("({place} + {inside:#x})");
        } else if place.starts_with("0x") {
            place = format!("{:#x}", found.offset);
        }
        let kind = relocation::kind(found.kind);
        let kind = kind.map_or_else(|| found.kind.to_string(), |kind| kind.name.to_owned());
        let symbol = self.names.symbol(section.link, found.symbol);
        let addend = match self.cubin.code_place(section.link, found) {
            Some((code, address)) => {
                let symbol = self.cubin.symbol_of(section.link, found.symbol);
                let start = self.place(code, symbol.map_or(0, |symbol| symbol.value));
                format!("({} - {start})", self.place(code, address))
            }
            None => found.addend.to_string(),
        };
        directive(
            ".relocation",
            format!("{place}, {kind}, {symbol}, {addend}"),
        )
    }

    fn record(&self, section: &Section, record: &Record) -> Directive {
        let attribute = information::attributes().get(&record.attribute);
        let name = attribute.map_or_else(
            || format!("{:#04x}", record.attribute),
            |found| found.name.clone(),
        );
        let value = match &record.value {
            Value::None(0) => "none".to_owned(),
            Value::None(half) => format!("none {half:#x}"),
            Value::Byte(byte) => format!("byte {byte:#x}"),
            Value::Half(half) => format!("half {half:#x}"),
            Value::Data(data) if data.len().is_multiple_of(4) => {
                let words = record.as_words().into_iter().zip(record.kinds());
                let words = words.map(|(word, kind)| match kind {
                    Word::Address | Word::Block => self.place(section.info, word.into()),
                    Word::Symbol => self.names.symbol(section.link, word),
                    Word::Value | Word::Unknown => format!("{word:#x}"),
                });
                format!("words {}", words.collect::<Vec<_>>().join(", "))
            }
            Value::Data(data) => {
                let bytes = data.iter().map(|byte| format!("{byte:#04x}"));
                format!("bytes {}", bytes.collect::<Vec<_>>().join(", "))
            }
        };
        directive(".nvinfo", format!("{name}, {}", value.trim_end()))
    }
}

/// Names, each with the zero behind it.
fn strings(bytes: &[u8]) -> Vec<Directive> {
    let mut lines = Vec::new();
    let Some((0, behind)) = bytes.split_last() else {
        return data(bytes);
    };
    let mut zeros = 0;
    let flush = |zeros: &mut usize, lines: &mut Vec<Directive>| {
        if *zeros > 0 {
            lines.push(directive(".zero", zeros.to_string()));
        }
        *zeros = 0;
    };
    for name in behind.split(|byte| *byte == 0) {
        match std::str::from_utf8(name) {
            Ok("") => zeros += 1,
            Ok(name) => {
                flush(&mut zeros, &mut lines);
                lines.push(directive(".string", format!("{name:?}")));
            }
            Err(_) => return data(bytes),
        }
    }
    flush(&mut zeros, &mut lines);
    lines
}

/// Bytes, with long runs of zeros in one line.
fn data(bytes: &[u8]) -> Vec<Directive> {
    let mut lines = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let zeros = rest.iter().take_while(|byte| **byte == 0).count();
        if zeros >= LINE || zeros == rest.len() {
            lines.push(directive(".zero", zeros.to_string()));
            rest = &rest[zeros..];
            continue;
        }
        let (now, later) = rest.split_at(rest.len().min(LINE));
        let now: Vec<_> = now.iter().map(|byte| format!("{byte:#04x}")).collect();
        lines.push(directive(".byte", now.join(", ")));
        rest = later;
    }
    lines
}
