//! Cubins from their text.

use rustc_hash::FxHashMap;

use super::parse::{Labels, arguments, number, quoted, value};
use super::{FLAGS, KINDS};
use crate::assemble::code::{Code, assemble};
use crate::cubin::information::{self, Record, Value};
use crate::cubin::{
    Contents, Cubin, Kind, Relocation, Section, StringTable, Symbol, relocation, section_kind,
};
use crate::function::Function;
use crate::listing::{self, Directive, Item, Listing, ListingError, Note, Place};
use crate::scheduled::Origin;

type Read<T> = Result<T, ListingError>;

impl Cubin {
    /// The cubin of a text that [`Cubin::listing`] wrote, with or without changes.
    ///
    /// # Errors
    /// A directive that is not understood, or an instruction that the machine cannot hold, with its place.
    pub fn of_listing(listing: &Listing) -> Read<Cubin> {
        let mut reader = Reader::new(listing)?;
        let mut sections = Vec::with_capacity(listing.sections.len());
        for section in &listing.sections {
            sections.push(reader.section(section)?);
        }
        let flags = listing.header_value(".headerflags");
        let flags = flags.map(arguments).unwrap_or_default();
        let flags: Option<Vec<u32>> = flags.into_iter().map(small).collect();
        let Some(&[flags, abi_version, version]) = flags.as_deref() else {
            return wrong(
                Place { line: 1, column: 1 },
                "expected '.headerflags' with three numbers",
            );
        };
        Ok(Cubin {
            kind: match listing.header_value(".elftype") {
                Some("ET_REL") => Kind::Relocatable,
                _ => Kind::Executable,
            },
            abi_version: u8::try_from(abi_version).unwrap_or(8),
            flags,
            version,
            sections,
        })
    }
}

fn wrong<T>(place: Place, message: impl Into<String>) -> Read<T> {
    Err(ListingError::new(place, message))
}

fn small(text: &str) -> Option<u32> {
    number(text).and_then(|number| u32::try_from(number).ok())
}

/// What is known before sections are read.
struct Reader<'l> {
    listing: &'l Listing,
    /// The index of each section, if only one has its name.
    indices: FxHashMap<&'l str, Option<u32>>,
    /// The code of each section of code.
    code: FxHashMap<u32, Code>,
    /// The numbers of the symbols of each table, by their names.
    symbols: FxHashMap<u32, FxHashMap<String, Option<u32>>>,
    none: Labels,
}

/// A directive and its place.
struct Line<'l> {
    place: Place,
    directive: &'l Directive,
}

fn directives(section: &listing::Section) -> impl Iterator<Item = Line<'_>> {
    section.lines.iter().filter_map(|line| match &line.item {
        Item::Note(Note::Directive(directive)) => Some(Line {
            place: line.place,
            directive,
        }),
        _ => None,
    })
}

impl<'l> Reader<'l> {
    fn new(listing: &'l Listing) -> Read<Self> {
        let mut reader = Reader {
            listing,
            indices: FxHashMap::default(),
            code: FxHashMap::default(),
            symbols: FxHashMap::default(),
            none: Labels::default(),
        };
        for (index, section) in (1u32..).zip(&listing.sections) {
            let known = reader.indices.entry(&section.name);
            known
                .and_modify(|known| *known = None)
                .or_insert(Some(index));
        }
        for (index, section) in (1u32..).zip(&listing.sections) {
            if section.instructions().next().is_some() {
                let code = code(listing, section)?;
                reader.code.insert(index, code);
            }
            let mut names: FxHashMap<String, Option<u32>> = FxHashMap::default();
            let symbols = directives(section).filter(|line| &*line.directive.name == ".symbol");
            for (number, line) in (0u32..).zip(symbols) {
                let name = arguments(&line.directive.arguments).first().copied();
                let known = names.entry(name.and_then(quoted).unwrap_or_default());
                known
                    .and_modify(|known| *known = None)
                    .or_insert(Some(number));
            }
            reader.symbols.insert(index, names);
        }
        Ok(reader)
    }

    fn labels(&self, section: u32) -> &Labels {
        self.code
            .get(&section)
            .map_or(&self.none, |code| &code.labels)
    }

    fn section_index(&self, text: &str, place: Place) -> Read<u32> {
        let index = match text.strip_prefix('#') {
            Some(digits) => digits.parse().ok(),
            None => self.indices.get(text).copied().flatten(),
        };
        match index {
            Some(index) => Ok(index),
            None => wrong(place, format!("there is no section '{text}', or several")),
        }
    }

    fn symbol_index(&self, table: u32, text: &str, place: Place) -> Read<u32> {
        let index = match text.strip_prefix('#') {
            Some(digits) => digits.parse().ok(),
            None => {
                let name = quoted(text);
                let names = self.symbols.get(&table);
                names.and_then(|names| names.get(&name?).copied().flatten())
            }
        };
        match index {
            Some(index) => Ok(index),
            None => wrong(place, format!("there is no symbol {text}, or several")),
        }
    }

    fn section(&mut self, text: &listing::Section) -> Read<Section> {
        let mut section = Section {
            name: text.name.clone(),
            kind: 0,
            flags: 0,
            link: 0,
            info: 0,
            alignment: 1,
            entry_size: 0,
            contents: Contents::Bytes(Vec::new()),
            offset: None,
        };
        let mut rest = Vec::new();
        for line in directives(text) {
            if !self.header(&mut section, &line)? {
                rest.push(line);
            }
        }
        let index = self.section_index_of(text);
        section.contents = match self.code.get_mut(&index) {
            // The labels are needed for what follows.
            Some(code) => Contents::Bytes(std::mem::take(&mut code.bytes)),
            None => self.contents(&section, &rest)?,
        };
        Ok(section)
    }

    fn section_index_of(&self, text: &listing::Section) -> u32 {
        let mut all = self.listing.sections.iter();
        let place = all.position(|section| std::ptr::eq(section, text));
        place
            .and_then(|place| u32::try_from(place + 1).ok())
            .unwrap_or(0)
    }

    /// Reads a directive of the header of a section; whether it is one.
    fn header(&self, section: &mut Section, line: &Line<'_>) -> Read<bool> {
        let Line { place, directive } = *line;
        let text = directive.arguments.trim();
        let misunderstood = || ListingError::new(place, format!("'{directive}' is not understood"));
        let a_number = || number(text).and_then(|number| u64::try_from(number).ok());
        match &*directive.name {
            ".section" => {
                let parts = arguments(text);
                let [_, flags, kind] = parts[..] else {
                    return Err(misunderstood());
                };
                let letters = flags.trim_matches('"').chars();
                for letter in letters {
                    let known = FLAGS.iter().find(|(_, known)| *known == letter);
                    section.flags |= known.ok_or_else(misunderstood)?.0;
                }
                let kind = kind.trim_start_matches('@');
                let known = KINDS.iter().find(|(_, name)| *name == kind);
                let known = known.map(|(kind, _)| *kind).or_else(|| small(kind));
                section.kind = known.ok_or_else(misunderstood)?;
            }
            ".sectionflags" => section.flags |= a_number().ok_or_else(misunderstood)?,
            ".sectionlink" => section.link = self.section_index(text, place)?,
            ".sectioninfo" => section.info = self.info(section, text, place)?,
            ".sectionentsize" => section.entry_size = a_number().ok_or_else(misunderstood)?,
            ".align" => section.alignment = a_number().ok_or_else(misunderstood)?,
            ".org" => section.offset = Some(a_number().ok_or_else(misunderstood)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn info(&self, section: &Section, text: &str, place: Place) -> Read<u32> {
        if let Some(name) = text.strip_prefix("@section ") {
            return self.section_index(name.trim(), place);
        }
        if let Some(rest) = text.strip_prefix("@symbol ") {
            let (symbol, bits) = rest.rsplit_once(' ').unwrap_or((rest, "0"));
            let index = self.symbol_index(section.link, symbol.trim(), place)?;
            let bits = small(bits).filter(|bits| *bits < 256);
            return match bits {
                Some(bits) => Ok(index | bits << 24),
                None => wrong(place, "expected a number below 256 behind the symbol"),
            };
        }
        match small(text) {
            Some(number) => Ok(number),
            None => wrong(place, format!("'{text}' is no number of 32 bits")),
        }
    }

    fn contents(&self, section: &Section, lines: &[Line<'_>]) -> Read<Contents> {
        match section.kind {
            section_kind::SYMBOLS => {
                let symbols = lines.iter().map(|line| self.symbol(line));
                symbols.collect::<Read<_>>().map(Contents::Symbols)
            }
            section_kind::RELOCATIONS | section_kind::RELOCATIONS_IN_PLACE => {
                let relocations = lines.iter().map(|line| self.relocation(section, line));
                relocations.collect::<Read<_>>().map(Contents::Relocations)
            }
            _ => {
                let mut bytes = Vec::new();
                for line in lines {
                    self.data(section, line, &mut bytes)?;
                }
                Ok(match section.kind {
                    section_kind::STRINGS => Contents::Strings(StringTable::new(bytes)),
                    kind if crate::cubin::read::is_zeros(kind) => {
                        Contents::Zeros(u64::try_from(bytes.len()).unwrap_or(0))
                    }
                    _ => Contents::Bytes(bytes),
                })
            }
        }
    }

    fn symbol(&self, line: &Line<'_>) -> Read<Symbol> {
        let place = line.place;
        let parts = arguments(&line.directive.arguments);
        let (".symbol", [name, info, other, section, start, size]) =
            (&*line.directive.name, &parts[..])
        else {
            return wrong(place, "expected '.symbol' with six parts");
        };
        let section = match *section {
            "0" => 0,
            name => self.section_index(name, place)?,
        };
        let labels = self.labels(section);
        let large = |text: &str| -> Read<u64> {
            let found = value(text, labels).map_err(|message| ListingError::new(place, message))?;
            u64::try_from(found)
                .map_err(|_| ListingError::new(place, format!("'{text}' is negative")))
        };
        let byte = |text: &str| small(text).and_then(|number| u8::try_from(number).ok());
        let (Some(name), Some(info), Some(other)) = (quoted(name), byte(info), byte(other)) else {
            return wrong(place, "expected a name in quotes and two bytes");
        };
        Ok(Symbol {
            name: name.into(),
            info,
            other,
            section: u16::try_from(section).unwrap_or(u16::MAX),
            value: large(start)?,
            size: large(size)?,
        })
    }

    fn relocation(&self, section: &Section, line: &Line<'_>) -> Read<Relocation> {
        let place = line.place;
        let parts = arguments(&line.directive.arguments);
        let (".relocation", [offset, kind, symbol, addend]) = (&*line.directive.name, &parts[..])
        else {
            return wrong(place, "expected '.relocation' with four parts");
        };
        let at = |message| ListingError::new(place, message);
        let offset = value(offset, self.labels(section.info)).map_err(at)?;
        let known = relocation::named(kind).map(|kind| kind.number);
        let Some(kind) = known.or_else(|| small(kind)) else {
            return wrong(place, format!("'{kind}' is not a kind of relocation"));
        };
        let symbol = self.symbol_index(section.link, symbol, place)?;
        // The addend is an address in the code of the symbol, which may be any.
        let addend = match number(addend) {
            Some(addend) => Ok(addend),
            None => self.in_any_code(addend),
        };
        Ok(Relocation {
            offset: u64::try_from(offset).unwrap_or_default(),
            kind,
            symbol,
            addend: i64::try_from(addend.map_err(at)?).unwrap_or_default(),
        })
    }

    /// The value of an expression with labels of one section.
    fn in_any_code(&self, text: &str) -> Result<i128, String> {
        let mut found = self.code.values().map(|code| value(text, &code.labels));
        found
            .find(Result::is_ok)
            .unwrap_or_else(|| value(text, &self.none))
    }

    fn data(&self, section: &Section, line: &Line<'_>, bytes: &mut Vec<u8>) -> Read<()> {
        let Line { place, directive } = *line;
        let misunderstood = || ListingError::new(place, format!("'{directive}' is not understood"));
        match &*directive.name {
            ".zero" => {
                let count = small(&directive.arguments).ok_or_else(misunderstood)?;
                bytes.resize(bytes.len() + usize::try_from(count).unwrap_or(0), 0);
            }
            ".byte" => {
                for text in arguments(&directive.arguments) {
                    let byte = small(text).and_then(|number| u8::try_from(number).ok());
                    bytes.push(byte.ok_or_else(misunderstood)?);
                }
            }
            ".word" => {
                for text in arguments(&directive.arguments) {
                    bytes.extend(small(text).ok_or_else(misunderstood)?.to_le_bytes());
                }
            }
            ".string" => {
                if bytes.is_empty() && section.kind != section_kind::STRINGS {
                    return Err(misunderstood());
                }
                let name = quoted(&directive.arguments).ok_or_else(misunderstood)?;
                bytes.extend(name.bytes());
                bytes.push(0);
            }
            ".nvinfo" => {
                let record = self.record(section, &directive.arguments, place)?;
                bytes.extend(information::bytes(&[record]));
            }
            _ => return Err(misunderstood()),
        }
        Ok(())
    }

    /// `REGCOUNT, words "k", 0x28`.
    fn record(&self, section: &Section, text: &str, place: Place) -> Read<Record> {
        let misunderstood =
            || ListingError::new(place, format!("'.nvinfo {text}' is not understood"));
        let (name, form) = text.split_once(',').ok_or_else(misunderstood)?;
        let known = information::attribute(name.trim());
        let known = known.or_else(|| small(name).and_then(|number| u8::try_from(number).ok()));
        let attribute = known.ok_or_else(misunderstood)?;
        let form = form.trim();
        let (form, rest) = form.split_once(' ').unwrap_or((form, ""));
        let rest = rest.trim();
        let half = || small(rest).and_then(|number| u16::try_from(number).ok());
        let value = match form {
            "none" if rest.is_empty() => Value::None(0),
            "none" => Value::None(half().ok_or_else(misunderstood)?),
            "byte" => {
                let byte = half().and_then(|half| u8::try_from(half).ok());
                Value::Byte(byte.ok_or_else(misunderstood)?)
            }
            "half" => Value::Half(half().ok_or_else(misunderstood)?),
            "words" if rest.is_empty() => Value::Data(Vec::new()),
            "words" => {
                let words = arguments(rest).into_iter();
                let words = words.map(|text| self.word(section, text, place));
                let words: Vec<u32> = words.collect::<Read<_>>()?;
                Value::Data(words.into_iter().flat_map(u32::to_le_bytes).collect())
            }
            "bytes" => {
                let bytes = arguments(rest).into_iter().map(small);
                let bytes = bytes.map(|number| u8::try_from(number?).ok());
                Value::Data(bytes.collect::<Option<_>>().ok_or_else(misunderstood)?)
            }
            _ => return Err(misunderstood()),
        };
        Ok(Record { attribute, value })
    }

    /// A number, the number of a symbol, or an address in the code that the section is about.
    fn word(&self, section: &Section, text: &str, place: Place) -> Read<u32> {
        if text.starts_with(['"', '#']) {
            return self.symbol_index(section.link, text, place);
        }
        let found = value(text, self.labels(section.info));
        let found = found.map_err(|message| ListingError::new(place, message))?;
        u32::try_from(found)
            .map_err(|_| ListingError::new(place, format!("'{text}' is no number of 32 bits")))
    }
}

/// The code of a section.
fn code(listing: &Listing, section: &listing::Section) -> Read<Code> {
    let function = Function::of_section(listing.target(), section.clone())?;
    assemble(&function).map_err(|problem| {
        let place = match problem.origin {
            Origin::Line(place) => place,
            Origin::New | Origin::Operation(_) => Place::default(),
        };
        ListingError::new(place, problem.message)
    })
}
