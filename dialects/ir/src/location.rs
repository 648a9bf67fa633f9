//! Source locations.
//!
//! A position in a file is the common case and is packed into the handle; every other form is
//! hash-consed in the context.

use crate::{Attribute, Context, Identifier};

/// A source location: a `Copy` handle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location(u32, u32);

/// The forms of a location, as in MLIR.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LocationKind {
    /// `loc(unknown)`.
    Unknown,
    /// `loc("file":line:column)` or a range `loc("file":l:c to l:c)`.
    File {
        /// The file's name.
        file: Identifier,
        /// First line, from 1; 0 if unknown.
        line: u32,
        /// First column in bytes, from 1; 0 if unknown.
        column: u32,
        /// Last line and column, if the location is a range.
        end: Option<(u32, u32)>,
    },
    /// `loc("name")` or `loc("name"(child))`.
    Name {
        /// The name.
        name: Identifier,
        /// The location it names; unknown if not given.
        child: Location,
    },
    /// `loc(callsite(callee at caller))`.
    CallSite {
        /// Location of the called code.
        callee: Location,
        /// Location of the call.
        caller: Location,
    },
    /// `loc(fused<metadata>[…])`.
    Fused {
        /// The merged locations.
        locations: Box<[Location]>,
        /// Metadata added by the merging pass.
        metadata: Option<Attribute>,
    },
}

/// Marks a handle that contains a packed file position in its first 32-bit value.
const PACKED: u32 = 1 << 31;
/// First 32-bit value of a deferred location.
const DEFERRED: u32 = PACKED - 1;
const FILE_BITS: u32 = 12;
const LINE_BITS: u32 = 31 - FILE_BITS + 12;
const COLUMN_BITS: u32 = 20;

impl Location {
    /// The unknown location.
    pub const UNKNOWN: Location = Location(0, 0);

    /// A location of the given form.
    pub fn new(context: &mut Context, kind: LocationKind) -> Self {
        match kind {
            LocationKind::Unknown => Self::UNKNOWN,
            LocationKind::File {
                file,
                line,
                column,
                end: None,
            } => Self::packed(file, line, column)
                .unwrap_or_else(|| Location(context.locations.intern(kind) + 1, 0)),
            _ => Location(context.locations.intern(kind) + 1, 0),
        }
    }

    /// A position in a file; line and column start at 1.
    pub fn file(context: &mut Context, file: Identifier, line: u32, column: u32) -> Self {
        Self::new(
            context,
            LocationKind::File {
                file,
                line,
                column,
                end: None,
            },
        )
    }

    /// `loc(fused<metadata>[locations])`, simplified as MLIR does: nested fused locations without
    /// separate metadata are flattened, duplicates and unknown locations dropped, and a single
    /// location without metadata is returned as it is.
    pub fn fused(
        context: &mut Context,
        locations: &[Location],
        metadata: Option<Attribute>,
    ) -> Self {
        let mut flat: Vec<Location> = Vec::new();
        for &location in locations {
            let parts = match location.kind(context) {
                LocationKind::Fused {
                    locations,
                    metadata: inner,
                } if inner == metadata => locations,
                LocationKind::Unknown => continue,
                _ => Box::from([location]),
            };
            for part in parts {
                if !flat.contains(&part) {
                    flat.push(part);
                }
            }
        }
        match (flat.as_slice(), metadata) {
            ([], None) => Location::UNKNOWN,
            ([only], None) => *only,
            ([], Some(_)) => {
                let locations = Box::from([Location::UNKNOWN]);
                Location::new(
                    context,
                    LocationKind::Fused {
                        locations,
                        metadata,
                    },
                )
            }
            _ => Location::new(
                context,
                LocationKind::Fused {
                    locations: flat.into(),
                    metadata,
                },
            ),
        }
    }

    /// A placeholder for an alias that is not defined yet; used only by the parser.
    pub(crate) fn deferred(number: u32) -> Self {
        Location(DEFERRED, number)
    }

    /// The index of a deferred location.
    pub(crate) fn as_deferred(self) -> Option<u32> {
        (self.0 == DEFERRED).then_some(self.1)
    }

    /// The 63 bits of a packed position: file, line, column.
    fn packed(file: Identifier, line: u32, column: u32) -> Option<Self> {
        let fits = file.0 < 1 << FILE_BITS && line < 1 << LINE_BITS && column < 1 << COLUMN_BITS;
        fits.then(|| {
            let word = u64::from(file.0) << (LINE_BITS + COLUMN_BITS)
                | u64::from(line) << COLUMN_BITS
                | u64::from(column);
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the two halves of a 64-bit value"
            )]
            Location(PACKED | (word >> 32) as u32, word as u32)
        })
    }

    /// The form of this location.
    pub fn kind(self, context: &Context) -> LocationKind {
        if self.0 & PACKED != 0 {
            let word = u64::from(self.0 & !PACKED) << 32 | u64::from(self.1);
            let field = |shift: u32, bits: u32| {
                u32::try_from(word >> shift & ((1 << bits) - 1)).unwrap_or(u32::MAX)
            };
            return LocationKind::File {
                file: Identifier(field(LINE_BITS + COLUMN_BITS, FILE_BITS)),
                line: field(COLUMN_BITS, LINE_BITS),
                column: field(0, COLUMN_BITS),
                end: None,
            };
        }
        match self.0 {
            0 => LocationKind::Unknown,
            index => context.locations[index - 1].clone(),
        }
    }

    /// The file position to show in diagnostics: the child's for a name, the callee's for a call
    /// site, the first one found for a fused location. `None` if it contains no position.
    pub fn position(self, context: &Context) -> Option<(Identifier, u32, u32)> {
        let mut pending = vec![self];
        while let Some(location) = pending.pop() {
            match location.kind(context) {
                LocationKind::Unknown => {}
                LocationKind::File {
                    file, line, column, ..
                } => return Some((file, line, column)),
                LocationKind::Name { child, .. } => pending.push(child),
                LocationKind::CallSite { callee, caller } => pending.extend([caller, callee]),
                LocationKind::Fused { locations, .. } => {
                    pending.extend(locations.iter().rev());
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_survive_packing_and_too_large_ones_are_interned() {
        let mut context = Context::new();
        let file = Identifier::new(&mut context, "a.mlir");
        // A packed position has 31 bits for the line, and 20 for the column.
        for (line, column) in [
            (1, 1),
            (0, 0),
            (70_000, 1_048_575),
            (70_000, 1_048_576),
            (3, 10_000_000),
            ((1 << 31) - 1, 1),
            (1 << 31, 1),
        ] {
            let location = Location::file(&mut context, file, line, column);
            assert_eq!(
                location.kind(&context),
                LocationKind::File {
                    file,
                    line,
                    column,
                    end: None
                }
            );
            assert_eq!(location, Location::file(&mut context, file, line, column));
        }
    }

    #[test]
    fn positions_in_many_files_differ() {
        // A packed position has 12 bits for the file.
        let mut context = Context::new();
        let names: Vec<_> = (0..5000).map(|number| format!("{number}.mlir")).collect();
        for name in &names {
            let file = Identifier::new(&mut context, name);
            let location = Location::file(&mut context, file, 7, 9);
            assert_eq!(location.position(&context), Some((file, 7, 9)));
        }
    }

    #[test]
    fn fused_locations_keep_their_metadata() {
        let mut context = Context::new();
        let file = Identifier::new(&mut context, "a.mlir");
        let [a, b, c] = [1, 2, 3].map(|line| Location::file(&mut context, file, line, 1));
        let parts = |context: &Context, location: Location| match location.kind(context) {
            LocationKind::Fused { locations, .. } => locations.to_vec(),
            _ => vec![location],
        };
        let plain = Location::fused(&mut context, &[a, b], None);
        let tagged = Location::fused(&mut context, &[a, b], Some(Attribute::UNIT));
        // The parts of a fused location with the same metadata are parts of the whole.
        let flat = Location::fused(&mut context, &[plain, c, a], None);
        assert_eq!(parts(&context, flat), [a, b, c]);
        // One with other metadata is one part.
        let nested = Location::fused(&mut context, &[tagged, c], None);
        assert_eq!(parts(&context, nested), [tagged, c]);
        let nested = Location::fused(&mut context, &[plain, c], Some(Attribute::UNIT));
        assert_eq!(parts(&context, nested), [plain, c]);
        // Unknown parts and repeated ones go; one part without metadata is that part.
        let one = Location::fused(&mut context, &[a, Location::UNKNOWN, a], None);
        assert_eq!(one, a);
        assert_eq!(Location::fused(&mut context, &[], None), Location::UNKNOWN);
    }
}
