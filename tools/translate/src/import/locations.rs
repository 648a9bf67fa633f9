//! Locations of operations: the lines that `.loc` gives, or locations in the PTX.

use std::collections::HashMap;

use orison_ir::{Context, Identifier, Location, LocationKind};

use crate::ptx::Place;
use crate::ptx::ast::{Expression, Item, Loc, Module, SectionLine};

/// The maximum depth of inlined calls in a location.
const MAX_DEPTH: usize = 64;

/// The files that locations refer to.
#[derive(Debug)]
pub(super) struct Source<'a> {
    /// The PTX.
    file: Identifier,
    /// The files that `.file` numbers; `None` if `.loc` is ignored.
    files: Option<HashMap<u64, Identifier>>,
    /// The strings of debug sections, by their labels.
    strings: HashMap<&'a str, Vec<u8>>,
}

impl<'a> Source<'a> {
    /// The files of a module. If `ptx_locations` is set, all locations are in the PTX.
    pub fn of(
        context: &mut Context,
        file: Identifier,
        module: &'a Module<'a>,
        ptx_locations: bool,
    ) -> Self {
        let mut source = Source {
            file,
            files: None,
            strings: HashMap::new(),
        };
        if ptx_locations {
            return source;
        }
        let mut files = HashMap::new();
        for item in &module.items {
            match item {
                Item::File(file) => {
                    let name = Identifier::new(context, file.name);
                    files.insert(file.index, name);
                }
                Item::Section(section) => source.read_section(&section.lines),
                _ => {}
            }
        }
        source.files = Some(files);
        source
    }

    /// Whether all locations are in the PTX.
    pub fn is_ptx(&self) -> bool {
        self.files.is_none()
    }

    /// A location in the PTX.
    pub fn place(&self, context: &mut Context, place: Place) -> Location {
        Location::file(context, self.file, place.line, place.column)
    }

    /// Reads the string at each label, up to the zero byte.
    fn read_section(&mut self, lines: &'a [SectionLine<'a>]) {
        let mut open: Option<(&'a str, Vec<u8>)> = None;
        for line in lines {
            match line {
                SectionLine::Label(label) => open = Some((label, Vec::new())),
                SectionLine::Data(".b8", values) => {
                    for value in values {
                        let byte = value.as_integer().and_then(|byte| u8::try_from(byte).ok());
                        let (Some((label, mut bytes)), Some(byte)) = (open.take(), byte) else {
                            break;
                        };
                        if byte == 0 {
                            self.strings.insert(label, bytes);
                        } else {
                            bytes.push(byte);
                            open = Some((label, bytes));
                        }
                    }
                }
                SectionLine::Data(..) => open = None,
            }
        }
    }

    /// The name that `label` or `label+offset` refers to.
    fn name(&self, expression: &Expression<'_>) -> Option<String> {
        let (label, offset) = match expression {
            Expression::Name(label) => (label, 0),
            Expression::Binary("+", label, offset) => match label.as_ref() {
                Expression::Name(label) => (label, usize::try_from(offset.as_integer()?).ok()?),
                _ => return None,
            },
            _ => return None,
        };
        let bytes = self.strings.get(label)?.get(offset..)?;
        String::from_utf8(bytes.to_vec()).ok()
    }

    /// The locations of the `.loc` lines of a function, in order; `None` for ignored ones.
    pub fn lines(
        &self,
        context: &mut Context,
        lines: &[(Place, &'a Loc<'a>)],
    ) -> Vec<Option<Location>> {
        let Some(files) = &self.files else {
            return vec![None; lines.len()];
        };
        // The last location of each position, which may itself be inlined.
        let mut told: HashMap<[u64; 3], (Location, usize)> = HashMap::new();
        let mut locations = Vec::new();
        for (place, line) in lines {
            let own = self.position(context, *place, files, line.position);
            let located = match (&line.inlined, own) {
                (Some((function, at)), Some(own)) => {
                    let own = match self.name(function) {
                        Some(name) => {
                            let name = Identifier::new(context, &name);
                            Location::new(context, LocationKind::Name { name, child: own })
                        }
                        None => own,
                    };
                    let known = told.get(at).filter(|(_, depth)| *depth < MAX_DEPTH);
                    let caller = match known {
                        Some(known) => Some(*known),
                        None => self.position(context, *place, files, *at).map(|at| (at, 0)),
                    };
                    caller.map(|(caller, depth)| {
                        let callee = own;
                        let kind = LocationKind::CallSite { callee, caller };
                        (Location::new(context, kind), depth + 1)
                    })
                }
                (_, own) => own.map(|own| (own, 0)),
            };
            if let Some(located) = located {
                told.insert(line.position, located);
            }
            locations.push(located.map(|(location, _)| location));
        }
        locations
    }

    /// A position in a file with an index; a warning and `None` if undefined.
    fn position(
        &self,
        context: &mut Context,
        place: Place,
        files: &HashMap<u64, Identifier>,
        [file, line, column]: [u64; 3],
    ) -> Option<Location> {
        let name = files.get(&file).copied();
        let numbers = u32::try_from(line).ok().zip(u32::try_from(column).ok());
        match (name, numbers) {
            (Some(name), Some((line, column))) => Some(Location::file(context, name, line, column)),
            (None, _) => {
                let message = format!("file {file} is not declared; the location is dropped");
                let location = self.place(context, place);
                context.warning(location, message);
                None
            }
            (_, None) => {
                let message = format!(
                    "line {line} or column {column} is too large; the location \
                                       is dropped"
                );
                let location = self.place(context, place);
                context.warning(location, message);
                None
            }
        }
    }
}
