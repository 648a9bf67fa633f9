//! The printer of MLIR text.
//!
//! The output is streamed: text is passed to the sink as it is produced, and only names and aliases
//! are kept. The generic form is independent of dialects; custom forms are printed by the operation
//! declarations through the public methods of [`Printer`].

mod aliases;
mod attributes;
mod custom_assembly;
mod elements;
mod format;
mod layout;
mod locations;
mod names;
mod opaque_aliases;
mod operations;
mod payload;
mod text_cache;
mod types;
mod users;

use std::io;
use std::ops::Range;

use crate::declare::Trait;
use crate::{Attribute, Context, Location, Operation, Type};
use aliases::AliasTable;
use names::ValueNames;
pub use operations::RegionStyle;
pub(crate) use payload::payload_to_string;
use text_cache::TextCache;

/// Options of the printer.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PrintFlags {
    /// Print every operation in generic form.
    pub generic: bool,
    /// Print locations after operations and block arguments.
    pub debug_info: bool,
    /// Print no aliases: every attribute and location is printed in full.
    pub local_scope: bool,
    /// Elements attributes with more elements than this are elided (`dense_resource<__elided__>`).
    pub elide_elements_if_larger: Option<u64>,
    /// Print regions as `{...}`.
    pub skip_regions: bool,
    /// Value names are unique in the whole output, not only in their scope.
    pub unique_names: bool,
    /// Print the users of each value in a comment after it.
    pub value_users: bool,
    /// Use names in locations as value names.
    pub name_locations_as_prefix: bool,
    /// Entries of the file metadata that are longer than this are omitted.
    pub elide_resources_if_larger: Option<usize>,
    /// Elements attributes with more elements than this are written in hexadecimal; the default is
    /// 100, as in MLIR.
    pub hex_elements_if_larger: Option<u64>,
    /// Print locations in a readable form that cannot be parsed.
    pub pretty_debug_info: bool,
    /// Print for an MLIR with the dialects registered from IRDL: with the generic form, inherent
    /// attributes of orison's own dialects are printed among the others, and parameters are plain
    /// attributes.
    pub irdl: bool,
    /// The maximum line width in columns, which only longer tokens exceed; `None` keeps an
    /// operation on one line up to its first region.
    pub width: Option<usize>,
}

impl PrintFlags {
    /// Generic form, with defaults otherwise.
    pub fn generic() -> Self {
        PrintFlags {
            generic: true,
            ..PrintFlags::default()
        }
    }

    /// Generic form for an MLIR with the dialects registered from IRDL.
    pub fn irdl() -> Self {
        PrintFlags {
            irdl: true,
            ..PrintFlags::generic()
        }
    }
}

/// The numbers below 100 as two digits each.
static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

/// The buffer size at which text is passed to the sink.
const FLUSH_BYTES: usize = 1 << 16;

/// The printer.
pub struct Printer<'a> {
    /// The context of the printed IR.
    pub context: &'a Context,
    flags: PrintFlags,
    out: Vec<u8>,
    /// Ranges of `out` with significant white space, in order; recorded only if a width is set.
    verbatim: Vec<Range<usize>>,
    sink: Option<&'a mut dyn io::Write>,
    failure: Option<io::Error>,
    indent: usize,
    names: ValueNames,
    aliases: AliasTable,
    text_cache: TextCache,
    default_dialects: Vec<&'static str>,
    /// Keys of the referenced blobs, in order.
    used_resources: Vec<crate::Identifier>,
    seen_resources: rustc_hash::FxHashSet<crate::Identifier>,
}

impl std::fmt::Debug for Printer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Printer")
            .field("flags", &self.flags)
            .field("out", &String::from_utf8_lossy(&self.out))
            .finish()
    }
}

/// Prints an operation with its contents and a final newline.
///
/// # Errors
/// If the sink fails.
pub fn print(
    context: &Context,
    op: Operation,
    flags: &PrintFlags,
    sink: &mut dyn io::Write,
) -> io::Result<()> {
    let mut printer = Printer::new(context, flags.clone());
    printer.sink = Some(sink);
    printer.top_level(op);
    printer.finish()
}

/// Prints an operation into a string.
pub fn print_to_string(context: &Context, op: Operation, flags: &PrintFlags) -> String {
    let mut printer = Printer::new(context, flags.clone());
    printer.top_level(op);
    printer.text()
}

/// Prints an operation in its context: values have their names from the enclosing isolated
/// operation, everything is in generic form without aliases, and there is no final newline.
pub fn print_in_place(context: &Context, op: Operation) -> String {
    in_place(context, op, &PrintFlags::generic())
}

/// Like [`print_in_place`], but without the contents of regions: one line.
pub(crate) fn line_in_place(context: &Context, op: Operation) -> String {
    let flags = PrintFlags {
        skip_regions: true,
        ..PrintFlags::generic()
    };
    in_place(context, op, &flags)
}

fn in_place(context: &Context, op: Operation, flags: &PrintFlags) -> String {
    let isolated = |op: &Operation| op.has_trait(context, Trait::IsolatedFromAbove);
    let mut scope = op;
    while !isolated(&scope) {
        match scope.parent_op(context) {
            Some(parent) => scope = parent,
            None => break,
        }
    }
    let flags = PrintFlags {
        local_scope: true,
        elide_elements_if_larger: Some(ELEMENTS_IN_PLACE),
        ..flags.clone()
    };
    let mut printer = Printer::new(context, flags);
    printer.names = ValueNames::of(context, scope, &printer.flags);
    printer.full_operation(op);
    printer.text()
}

/// The number of elements of an attribute shown in a diagnostic, as in MLIR.
const ELEMENTS_IN_PLACE: u64 = 16;

/// Returns the text of a type.
pub fn type_to_string(context: &Context, ty: Type) -> String {
    let mut printer = Printer::new(context, PrintFlags::default());
    printer.ty(ty);
    printer.text()
}

/// Returns the text of an attribute, with its type.
pub fn attribute_to_string(context: &Context, attribute: Attribute) -> String {
    let mut printer = Printer::new(context, PrintFlags::default());
    printer.attribute(attribute);
    printer.text()
}

/// Returns the text that a function prints.
fn text_of(context: &Context, flags: &PrintFlags, print: impl FnOnce(&mut Printer<'_>)) -> String {
    let mut printer = Printer::new(context, flags.clone());
    print(&mut printer);
    printer.text()
}

/// Returns the text of a type in the form of [`PrintFlags::irdl`].
pub fn type_to_irdl_string(context: &Context, ty: Type) -> String {
    text_of(context, &PrintFlags::irdl(), |printer| printer.ty(ty))
}

/// Returns the text of an attribute in the form of [`PrintFlags::irdl`].
pub fn attribute_to_irdl_string(context: &Context, attribute: Attribute) -> String {
    text_of(context, &PrintFlags::irdl(), |printer| {
        printer.attribute(attribute);
    })
}

/// Returns the text of a location: `loc(…)`.
pub fn location_to_string(context: &Context, location: Location) -> String {
    let mut printer = Printer::new(context, PrintFlags::default());
    printer.location(location);
    printer.text()
}

impl<'a> Printer<'a> {
    fn new(context: &'a Context, flags: PrintFlags) -> Self {
        Printer {
            context,
            flags,
            out: Vec::new(),
            verbatim: Vec::new(),
            sink: None,
            failure: None,
            indent: 0,
            names: ValueNames::default(),
            aliases: AliasTable::default(),
            text_cache: TextCache::default(),
            default_dialects: vec!["builtin"],
            used_resources: Vec::new(),
            seen_resources: rustc_hash::FxHashSet::default(),
        }
    }

    fn top_level(&mut self, op: Operation) {
        self.names = ValueNames::of(self.context, op, &self.flags);
        self.collect_aliases(op);
        self.print_alias_definitions(false);
        self.full_operation(op);
        self.out.push(b'\n');
        self.print_alias_definitions(true);
        // As in MLIR, output in local scope has no metadata either.
        if !self.flags.local_scope {
            self.print_resources();
        }
    }

    fn finish(mut self) -> io::Result<()> {
        self.flush();
        match (self.failure.take(), self.sink) {
            (Some(error), _) => Err(error),
            (None, Some(sink)) => sink.flush(),
            (None, None) => Ok(()),
        }
    }

    /// Passes the buffered text to the sink. The first failure is kept for the end; after it, text
    /// is dropped.
    fn flush(&mut self) {
        if self.sink.is_some() && self.flags.width.is_some() {
            self.out = self.laid_out().into_bytes();
        }
        if let Some(sink) = &mut self.sink {
            if self.failure.is_none()
                && let Err(error) = sink.write_all(&self.out)
            {
                self.failure = Some(error);
            }
            self.discard();
        }
    }

    /// Drops the buffered text.
    fn discard(&mut self) {
        self.out.clear();
        self.verbatim.clear();
    }

    /// The buffered text, laid out in the given width. It ends at a line end.
    fn laid_out(&self) -> String {
        let text = String::from_utf8_lossy(&self.out);
        match self.flags.width {
            Some(width) => layout::lay_out(&text, &self.verbatim, width),
            None => text.into_owned(),
        }
    }

    /// Writes text with significant white space, in which lines must not break.
    fn verbatim(&mut self, write: impl FnOnce(&mut Self)) {
        let start = self.out.len();
        write(self);
        if self.flags.width.is_some() {
            // Nested ranges are part of this one.
            while self.verbatim.pop_if(|inner| inner.start >= start).is_some() {}
            self.verbatim.push(start..self.out.len());
        }
    }

    fn flush_if_full(&mut self) {
        if self.sink.is_some() && self.out.len() >= FLUSH_BYTES {
            self.flush();
        }
    }

    /// Writes text unchanged.
    #[inline]
    pub fn write(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Writes an integer.
    pub fn integer(&mut self, value: i64) {
        if value < 0 {
            self.out.push(b'-');
        }
        let mut number = value.unsigned_abs();
        let mut digits = [0u8; 20];
        let mut start = digits.len();
        while number >= 100 {
            start -= 2;
            digits[start..start + 2].copy_from_slice(&PAIRS[(number % 100) as usize]);
            number /= 100;
        }
        start -= 2;
        digits[start..start + 2].copy_from_slice(&PAIRS[number as usize]);
        start += usize::from(number < 10);
        self.out.extend_from_slice(&digits[start..]);
    }

    /// Returns the buffered text.
    fn text(self) -> String {
        if self.flags.width.is_some() {
            return self.laid_out();
        }
        // Only text is written, so nothing is lost.
        String::from_utf8(self.out)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// Writes `items` separated by `, `.
    pub fn comma_separated<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut item: impl FnMut(&mut Self, T),
    ) {
        for (number, value) in items.into_iter().enumerate() {
            if number > 0 {
                self.write(", ");
            }
            item(self, value);
        }
    }

    /// Whether the generic form is printed.
    pub fn is_generic(&self) -> bool {
        self.flags.generic
    }

    /// Ends the line and indents the next one.
    pub fn new_line(&mut self) {
        self.out.push(b'\n');
        self.write_indent();
    }

    fn write_indent(&mut self) {
        const SPACES: &str = "                                                                ";
        let mut rest = self.indent;
        while rest > 0 {
            let part = rest.min(SPACES.len());
            self.write(&SPACES[..part]);
            rest -= part;
        }
    }
}
