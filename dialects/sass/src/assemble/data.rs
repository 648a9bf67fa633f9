//! Sections of data, from their directives.

use super::Problem;
use super::code::{Reference, hexadecimal, split_sum};
use crate::cubin::relocation;
use crate::listing::{Item, Note, Section};

/// The contents of a section of data.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Data {
    /// The name.
    pub name: Box<str>,
    /// `a`, `w` and `x` of `.section`.
    pub flags: Box<str>,
    /// Whether the file has no bytes of it.
    pub no_bits: bool,
    /// Its alignment in bytes.
    pub alignment: u64,
    /// The bytes; zeros if `no_bits`.
    pub bytes: Vec<u8>,
    /// What is filled in later.
    pub references: Vec<Reference>,
    /// The objects in it.
    pub objects: Vec<Object>,
}

/// An object in a section of data.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Object {
    /// Its name.
    pub name: Box<str>,
    /// Its offset in bytes.
    pub offset: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Whether other files see it.
    pub global: bool,
}

/// More bytes than this are not assembled: a `.zero` can name any number.
const MOST_BYTES: u64 = 1 << 32;

impl Data {
    /// The data of a section.
    ///
    /// # Errors
    /// A directive that is not understood, or an instruction.
    pub fn of(section: &Section) -> Result<Data, Box<Problem>> {
        let mut data = Data {
            name: section.name.clone(),
            alignment: 1,
            ..Data::default()
        };
        for line in &section.lines {
            let wrong = |message: String| {
                let mut problem = Problem::of_section(&section.name, message);
                problem.origin = crate::scheduled::Origin::Line(line.place);
                Box::new(problem)
            };
            let Item::Note(note) = &line.item else {
                return Err(wrong("an instruction in a section of data".to_owned()));
            };
            data.add(note).map_err(wrong)?;
        }
        Ok(data)
    }

    fn add(&mut self, note: &Note) -> Result<(), String> {
        let directive = match note {
            Note::Comment(_) => return Ok(()),
            Note::Label(name) => {
                self.label(name);
                return Ok(());
            }
            Note::Directive(directive) => directive,
        };
        let arguments = directive.arguments.trim();
        let wrong = || format!("'{directive}' is not understood");
        match &*directive.name {
            ".section" => {
                let mut parts = arguments.split(',').map(str::trim);
                let flags = parts.nth(1).unwrap_or_default();
                self.flags = flags.trim_matches('"').into();
                self.no_bits = parts.next() == Some("@nobits");
            }
            ".align" => {
                let alignment = number(arguments).filter(|number| number.is_power_of_two());
                let alignment = alignment.ok_or_else(wrong)?;
                self.alignment = self.alignment.max(alignment);
                let end = self.size().next_multiple_of(alignment);
                self.zeros(end - self.size())?;
            }
            ".zero" => self.zeros(number(arguments).ok_or_else(wrong)?)?,
            ".byte" => self.values(arguments, 1)?,
            ".short" => self.values(arguments, 2)?,
            ".word" => self.values(arguments, 4)?,
            ".dword" => self.values(arguments, 8)?,
            ".size" => {
                let (name, size) = arguments.split_once(',').ok_or_else(wrong)?;
                let size = number(size.trim()).ok_or_else(wrong)?;
                self.object(name.trim()).size = size;
            }
            ".global" | ".weak" => self.object(arguments).global = true,
            ".type" | ".other" | ".local" | ".sectionflags" | ".sectionentsize" => {}
            _ => return Err(wrong()),
        }
        Ok(())
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        u64::try_from(self.bytes.len()).unwrap_or(u64::MAX)
    }

    fn object(&mut self, name: &str) -> &mut Object {
        let known = self.objects.iter().position(|object| &*object.name == name);
        let place = known.unwrap_or_else(|| {
            self.objects.push(Object {
                name: name.into(),
                ..Object::default()
            });
            self.objects.len() - 1
        });
        &mut self.objects[place]
    }

    fn label(&mut self, name: &str) {
        let end = self.size();
        // A section has a label of its own.
        if *name != *self.name && !name.starts_with(".L_") {
            self.object(name).offset = end;
        }
    }

    fn zeros(&mut self, count: u64) -> Result<(), String> {
        let size = self.size().saturating_add(count);
        let whole = usize::try_from(size).ok().filter(|_| size <= MOST_BYTES);
        let whole = whole.ok_or_else(|| format!("{size} bytes are too many"))?;
        self.bytes.resize(whole, 0);
        Ok(())
    }

    /// Numbers, or addresses of symbols: `counter`, `(counter + 0x8)`, `fun@R_CUDA_G64(counter)`.
    fn values(&mut self, arguments: &str, size: usize) -> Result<(), String> {
        for argument in arguments.split(',').map(str::trim) {
            if let Some(value) = hexadecimal(argument).or_else(|| argument.parse().ok()) {
                self.bytes.extend_from_slice(&value.to_le_bytes()[..size]);
                continue;
            }
            let named = argument.strip_prefix("fun@");
            let named = named.and_then(|rest| rest.strip_suffix(')')?.split_once('('));
            let (kind, expression) = match named {
                Some((kind, expression)) => {
                    let kind = relocation::named(kind)
                        .ok_or_else(|| format!("'{kind}' is not a kind of relocation"))?;
                    (kind.number, expression)
                }
                None if size == 8 => (relocation::ADDRESS, argument),
                None if size == 4 => (relocation::SHORT_ADDRESS, argument),
                None => return Err(format!("'{argument}' is not a number of {size} bytes")),
            };
            let (symbol, added) = split_sum(expression);
            let addend = added.map_or(Some(0), hexadecimal);
            let addend = addend.filter(|_| !symbol.contains(char::is_whitespace));
            let addend = addend.ok_or_else(|| format!("'{argument}' is not an address"))?;
            self.references.push(Reference {
                offset: self.size(),
                kind,
                symbol: symbol.into(),
                addend,
            });
            self.bytes.extend_from_slice(&[0; 8][..size]);
        }
        Ok(())
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
