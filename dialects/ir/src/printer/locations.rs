//! Printing of locations.

use super::Printer;
use crate::Location;
use crate::location::LocationKind;

impl Printer<'_> {
    /// Writes `loc(…)`.
    pub fn location(&mut self, location: Location) {
        self.write("loc(");
        self.location_instance(location);
        self.write(")");
    }

    /// Writes ` loc(…)` after the entity it belongs to, if locations are printed.
    pub(super) fn trailing_location(&mut self, location: Location) {
        if self.flags.debug_info && self.flags.pretty_debug_info && !self.is_collecting_aliases() {
            self.write(" ");
            self.location_in_full(location);
        } else if self.flags.debug_info {
            self.write(" loc(");
            self.deferring(|printer| printer.location_instance(location));
            self.write(")");
        }
    }

    /// Writes the contents of the parentheses, or an alias for them.
    fn location_instance(&mut self, location: Location) {
        if self.location_alias(location) {
            return;
        }
        self.location_in_full(location);
    }

    pub(super) fn location_in_full(&mut self, location: Location) {
        let context = self.context;
        let pretty = self.flags.pretty_debug_info;
        match location.kind(context) {
            LocationKind::Unknown if pretty => self.write("[unknown]"),
            LocationKind::Unknown => self.write("unknown"),
            LocationKind::File {
                file,
                line,
                column,
                end,
            } => {
                if pretty {
                    self.write(file.text(context));
                } else {
                    self.string(file.text(context).as_bytes());
                }
                self.position(line, column);
                if let Some((end_line, end_column)) = end {
                    self.write(" to ");
                    if end_line == line {
                        self.write(":");
                        self.integer(i64::from(end_column));
                    } else {
                        self.integer(i64::from(end_line));
                        self.write(":");
                        self.integer(i64::from(end_column));
                    }
                }
            }
            LocationKind::Name { name, child } => {
                self.string(name.text(context).as_bytes());
                if child != Location::UNKNOWN {
                    self.write("(");
                    self.location_instance(child);
                    self.write(")");
                }
            }
            LocationKind::CallSite { callee, caller } => {
                self.write(if pretty { "" } else { "callsite(" });
                self.location_instance(callee);
                let on_one_line = !pretty || self.is_named_at_position(callee, caller);
                self.write(if on_one_line { " at " } else { "\n at " });
                self.location_instance(caller);
                self.write(if pretty { "" } else { ")" });
            }
            LocationKind::Fused {
                locations,
                metadata,
            } => {
                self.write(if pretty { "" } else { "fused" });
                if let Some(metadata) = metadata {
                    self.write("<");
                    self.attribute(metadata);
                    self.write(">");
                }
                self.write("[");
                self.comma_separated(locations.iter(), |printer, location| {
                    printer.location_instance(*location);
                });
                self.write("]");
            }
        }
    }

    /// Whether a pretty call site is printed on one line: a name called at a file position.
    fn is_named_at_position(&self, callee: Location, caller: Location) -> bool {
        let is_name = matches!(callee.kind(self.context), LocationKind::Name { .. });
        let caller = caller.kind(self.context);
        is_name && matches!(caller, LocationKind::File { .. })
    }

    fn position(&mut self, line: u32, column: u32) {
        self.write(":");
        self.integer(i64::from(line));
        self.write(":");
        self.integer(i64::from(column));
    }
}
