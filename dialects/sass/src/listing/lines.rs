//! Parses listings, line by line.

use rustc_hash::FxHashMap;

use super::disassembly::{self, Heading};
use super::{Directive, Item, Line, Listing, ListingError, Note, Place, Section, is_name};
use crate::control::ControlWord;
use crate::effects;
use crate::encoding::{Encoding, reveal_descriptor};
use crate::instruction::{self, Flow, Instruction, flow};
use crate::scheduled::{Imported, Scheduled};

type Parsed<T> = Result<T, ListingError>;

/// Parses a listing. An instruction with an encoding that is not understood becomes opaque, with a
/// warning: its text is malformed, its registers are not aligned, or it jumps to a label that its
/// section does not have.
///
/// # Errors
/// The first line that is not part of a listing, malformed instruction without an encoding, encoding
/// word that is missing or not hexadecimal, address that is not 16 bytes after the previous one, or
/// label that a section has twice, or listing of no known machine.
pub fn parse(text: &str) -> Parsed<Listing> {
    read(text, Reader::default())
}

/// Parses a listing that was written or changed by hand: the addresses before instructions may be absent and are not
/// checked, and so may control words ([`Listing::unscheduled`]).
///
/// # Errors
/// As [`parse`].
pub fn parse_edited(text: &str) -> Parsed<Listing> {
    let edited = Reader {
        edited: true,
        ..Reader::default()
    };
    read(text, edited)
}

fn read<'a>(text: &'a str, mut reader: Reader<'a>) -> Parsed<Listing> {
    for (number, line) in text.lines().enumerate() {
        reader.number = u32::try_from(number + 1).unwrap_or(u32::MAX);
        reader.line(line)?;
    }
    reader.finish_section()?;
    reader.listing.warnings.sort_by_key(|warning| warning.place);
    reader.listing.name_machine();
    let end = Place {
        line: reader.number.max(1),
        column: 1,
    };
    if reader.listing.target().is_empty() {
        return Err(ListingError::new(end, "the listing has no '.target'"));
    }
    Ok(reader.listing)
}

#[derive(Default)]
struct Reader<'a> {
    listing: Listing,
    number: u32,
    /// An instruction whose second encoding word has not been read yet.
    pending: Option<Pending<'a>>,
    /// Address of the previous instruction in this section.
    last_address: Option<u64>,
    labels: FxHashMap<&'a str, u32>,
    /// Whether the text is that of cuobjdump.
    unlabelled: bool,
    /// Whether addresses and control words may be absent.
    edited: bool,
}

struct Pending<'a> {
    place: Place,
    address: u64,
    text: &'a str,
    instruction: Parsed<Instruction>,
    control: Option<ControlWord>,
    low: Option<u64>,
}

/// The comment `/* … */` at the start of a text: its contents, and the text after it.
fn comment(text: &str) -> Option<(&str, &str)> {
    let (inside, rest) = text.strip_prefix("/*")?.split_once("*/")?;
    Some((inside, rest))
}

impl<'a> Reader<'a> {
    fn place(&self, line: &str, rest: &str) -> Place {
        let column = line.len().saturating_sub(rest.len()) + 1;
        Place {
            line: self.number,
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    fn error<T>(&self, line: &str, rest: &str, message: impl Into<String>) -> Parsed<T> {
        Err(ListingError::new(self.place(line, rest), message))
    }

    fn line(&mut self, line: &'a str) -> Parsed<()> {
        let line = line.trim_end();
        let rest = line.trim_start();
        if rest.is_empty() {
            return Ok(());
        }
        if let Some((inside, behind)) = comment(rest) {
            if behind.trim().is_empty() && self.pending.is_some() {
                return self.second_word(line, rest, inside);
            }
            self.finish_instruction()?;
            // The offset of data, as nvdisasm prints without `-c`, follows from the data before it.
            if let Some(note @ Note::Directive(_)) = Note::parse(behind.trim()) {
                self.push(self.place(line, rest), Item::Note(note));
                return Ok(());
            }
            return self.instruction(line, rest);
        }
        self.finish_instruction()?;
        // `//----- nvinfo : …` is the heading of an attribute in a section.
        let title = rest.strip_prefix("//----");
        if let Some(title) = title.filter(|title| !title.starts_with("- nvinfo")) {
            self.finish_section()?;
            return self.section(line, rest, title);
        }
        if let Some(heading) = disassembly::heading(rest, self.unlabelled) {
            return self.heading(line, rest, heading);
        }
        match Note::parse(rest) {
            None if self.edited => self.instruction(line, rest),
            Some(Note::Label(_)) => self.label(line, rest, rest.strip_suffix(':').unwrap_or(rest)),
            Some(note) => {
                self.push(self.place(line, rest), Item::Note(note));
                Ok(())
            }
            None => self.error(
                line,
                rest,
                "expected an instruction, a label, a directive or a comment",
            ),
        }
    }

    fn push(&mut self, place: Place, item: Item) {
        let lines = match self.listing.sections.last_mut() {
            Some(section) => &mut section.lines,
            None => &mut self.listing.header,
        };
        lines.push(Line { place, item });
    }

    /// `//-------- .text.k ---------` starts a section.
    fn section(&mut self, line: &str, rest: &str, title: &str) -> Parsed<()> {
        let name = title.trim_matches('-').trim();
        if !is_name(name) {
            return self.error(line, rest, format!("'{name}' is not a section name"));
        }
        self.listing.sections.push(Section {
            name: name.into(),
            lines: Vec::new(),
        });
        self.last_address = None;
        self.labels.clear();
        Ok(())
    }

    /// Lines of cuobjdump: each function is a section, and there is one machine.
    fn heading(&mut self, line: &str, rest: &str, heading: Heading<'_>) -> Parsed<()> {
        self.unlabelled = true;
        match heading {
            Heading::Machine(machine) => {
                let known = self.listing.target();
                if known.is_empty() {
                    let name = ".target".into();
                    let arguments = machine.into();
                    let note = Note::Directive(Directive { name, arguments });
                    self.push(self.place(line, rest), Item::Note(note));
                } else if known != machine {
                    let message = format!(
                        "code for '{known}' and '{machine}' in one file: use cuobjdump with '-arch'"
                    );
                    return self.error(line, rest, message);
                }
                Ok(())
            }
            Heading::Function(name) => {
                self.finish_section()?;
                self.section(line, rest, &format!(".text.{name}"))
            }
            Heading::Other => Ok(()),
        }
    }

    fn label(&mut self, line: &str, rest: &str, name: &'a str) -> Parsed<()> {
        if self.listing.sections.is_empty() {
            return self.error(line, rest, format!("label '{name}' is not in a section"));
        }
        if let Some(before) = self.labels.insert(name, self.number) {
            let message = format!("label '{name}' is already defined on line {before}");
            return self.error(line, rest, message);
        }
        self.push(self.place(line, rest), Item::Note(Note::Label(name.into())));
        Ok(())
    }

    fn instruction(&mut self, line: &'a str, rest: &'a str) -> Parsed<()> {
        let place = self.place(line, rest);
        if self.listing.sections.is_empty() {
            return self.error(line, rest, "instruction is not in a section");
        }
        let (address, text) = self.address(line, rest)?;
        let Some((text, behind)) = text.split_once(';') else {
            return self.error(line, text, "expected ';' after the instruction");
        };
        let is_bits = self.edited && text.trim_start().starts_with("UNKNOWN 0x");
        let parsed = match is_bits {
            true => Ok(Instruction::opaque(text.trim())),
            false => instruction::parse(text),
        };
        let instruction = parsed.map_err(|error| {
            let start = self.place(line, behind).column;
            let length = u32::try_from(text.len() + 1 - error.offset.min(text.len()));
            let column = start.saturating_sub(length.unwrap_or_default());
            ListingError::new(Place { column, ..place }, error.message)
        });
        let mut pending = Pending {
            place,
            address,
            text,
            instruction,
            control: None,
            low: None,
        };
        let mut behind = behind.trim_start();
        while !behind.is_empty() {
            let Some((inside, next)) = comment(behind) else {
                return self.error(line, behind, "expected '/* … */' after the instruction");
            };
            let inside = inside.trim();
            if let Some(name) = inside.strip_prefix("descriptor ") {
                let Ok(found) = &mut pending.instruction else {
                    break;
                };
                if let Err(message) = found.hide_descriptor(name) {
                    return self.error(line, behind, message);
                }
            } else if pending.low.is_none() && inside.starts_with("0x") {
                pending.low = Some(self.word(line, behind, inside)?);
            } else if pending.control.is_none() && pending.low.is_none() {
                let parsed = inside.parse::<ControlWord>();
                pending.control =
                    Some(parsed.or_else(|error| self.error(line, behind, error.to_string()))?);
            } else {
                return self.error(line, behind, "unexpected comment");
            }
            behind = next.trim_start();
        }
        self.last_address = Some(address);
        self.pending = Some(pending);
        Ok(())
    }

    /// The address before an instruction, and the text behind it. Edited instructions follow each other whatever their
    /// addresses are.
    fn address(&self, line: &'a str, rest: &'a str) -> Parsed<(u64, &'a str)> {
        let commented = comment(rest);
        let (digits, behind) = commented.unwrap_or_default();
        if self.edited {
            let next = self.last_address.map_or(0, |last| last + Encoding::BYTES);
            let text = if commented.is_some() { behind } else { rest };
            return Ok((next, text.trim_start()));
        }
        let address = u64::from_str_radix(digits, 16).ok();
        let Some(address) = address.filter(|_| !digits.starts_with('+')) else {
            return self.error(line, rest, format!("'{digits}' is not an address"));
        };
        self.check_address(line, rest, address)?;
        Ok((address, behind.trim_start()))
    }

    /// The opaque instruction of a text that is not understood, with a warning that says why.
    fn opaque(&mut self, why: &ListingError, text: &str) -> Instruction {
        let message = format!(
            "the effects of this instruction are unknown: {}",
            why.message
        );
        self.listing
            .warnings
            .push(ListingError::new(why.place, message));
        Instruction::opaque(text)
    }

    /// Instructions are contiguous, so a lost line is detected.
    fn check_address(&self, line: &str, rest: &str, address: u64) -> Parsed<()> {
        let expected = match self.last_address {
            Some(last) => last.checked_add(Encoding::BYTES),
            None => Some(address - address % Encoding::BYTES),
        };
        if expected == Some(address) {
            return Ok(());
        }
        let expected = expected.unwrap_or_default();
        let message = format!("expected an instruction at {expected:#x}, found {address:#x}");
        self.error(line, rest, message)
    }

    fn word(&self, line: &str, rest: &str, text: &str) -> Parsed<u64> {
        let digits = text.strip_prefix("0x").unwrap_or_default();
        let hexadecimal = digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        match u64::from_str_radix(digits, 16) {
            Ok(word) if hexadecimal => Ok(word),
            _ => self.error(
                line,
                rest,
                format!("'{text}' is not an encoding word of 16 digits"),
            ),
        }
    }

    fn second_word(&mut self, line: &str, rest: &str, inside: &str) -> Parsed<()> {
        let high = self.word(line, rest, inside.trim())?;
        let Some(pending) = self.pending.take() else {
            return self.error(line, rest, "encoding word without an instruction");
        };
        let Some(low) = pending.low else {
            return self.error(
                line,
                rest,
                "the first encoding word of the instruction is missing",
            );
        };
        let encoding = Encoding { low, high };
        let control = match pending.control {
            Some(control) => control,
            None => encoding
                .control()
                .or_else(|error| self.error(line, rest, error.to_string()))?,
        };
        let found = pending.instruction.and_then(|mut found| {
            reveal_descriptor(&mut found, encoding);
            match effects::misaligned(&found) {
                Some(why) => Err(ListingError::new(pending.place, why)),
                None => Ok(found),
            }
        });
        let found = found.unwrap_or_else(|why| self.opaque(&why, pending.text));
        let imported = Imported {
            encoding,
            fingerprint: Some(found.fingerprint()),
        };
        let scheduled = Scheduled {
            address: pending.address,
            control,
            imported: Some(imported),
            ..Scheduled::new(found)
        };
        self.push(pending.place, Item::Instruction(scheduled));
        Ok(())
    }

    /// Ends a section: jumps to labels that it does not have are opaque.
    fn finish_section(&mut self) -> Parsed<()> {
        self.finish_instruction()?;
        let Some(mut section) = self.listing.sections.pop() else {
            return Ok(());
        };
        if self.unlabelled {
            disassembly::name_places(&mut section);
            self.listing.sections.push(section);
            return Ok(());
        }
        for line in &mut section.lines {
            let Item::Instruction(found) = &mut line.item else {
                continue;
            };
            let undefined = |label: &&str| !self.labels.contains_key(label);
            let why = found.labels().find(undefined);
            let why = why.map(|label| format!("undefined label '{label}'"));
            if let Some(why) = why
                && found.imported.is_some()
                && flow(found) == Flow::Jump
            {
                let text = found.to_string();
                **found = self.opaque(&ListingError::new(line.place, why), &text);
            }
        }
        self.listing.sections.push(section);
        Ok(())
    }

    /// Ends an instruction without a second encoding word: it must have a readable control word.
    fn finish_instruction(&mut self) -> Parsed<()> {
        let Some(pending) = self.pending.take() else {
            return Ok(());
        };
        if pending.low.is_some() {
            let message = "the second encoding word of the instruction is missing";
            return Err(ListingError::new(pending.place, message));
        }
        if pending.control.is_none() && !self.edited {
            let message = "the instruction has no encoding; run nvdisasm with '-hex'";
            return Err(ListingError::new(pending.place, message));
        }
        if pending.control.is_none() {
            self.listing.unscheduled.push(pending.place);
        }
        let scheduled = Scheduled {
            address: pending.address,
            control: pending.control.unwrap_or(ControlWord::PLAIN),
            ..Scheduled::new(pending.instruction?)
        };
        self.push(pending.place, Item::Instruction(scheduled));
        Ok(())
    }
}
