//! The components of encodings: numbers, bytes, and references to entries of the tables.

use crate::{Attribute, AttributeKind, Context, Identifier, Location, Type};

/// An entry of the attribute table. Locations are attributes in MLIR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Entity {
    /// An attribute other than a location.
    Attribute(Attribute),
    /// A location.
    Location(Location),
}

impl Entity {
    /// The entity of an attribute.
    pub(super) fn of(context: &Context, attribute: Attribute) -> Entity {
        match attribute.kind(context) {
            AttributeKind::Location(location) => Entity::Location(*location),
            _ => Entity::Attribute(attribute),
        }
    }
}

/// A component of an encoding.
#[derive(Debug)]
pub(super) enum Piece {
    /// An unsigned integer.
    Integer(u64),
    /// A signed integer.
    Signed(i64),
    /// A byte.
    Byte(u8),
    /// The index of an attribute or location.
    Entity(Entity),
    /// The index of an attribute, if present.
    Optional(Option<Entity>),
    /// The index of a type.
    Type(Type),
    /// The index of a string.
    String(Box<[u8]>),
    /// Bytes, preceded by their count.
    Blob(Box<[u8]>),
    /// The index of a resource of the builtin dialect.
    Resource(Identifier),
}
