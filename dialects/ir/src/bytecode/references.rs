//! References from the encoding of a builtin attribute or type to other entries.
//!
//! These are decoded first, with an explicit stack, so decoding nests only one level, however deep
//! an entry is.

use super::cursor::{Cursor, Read};
use super::format::{attribute, ty};

/// An entry of one of the tables, by its index in the file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reference {
    Attribute(u64),
    Type(u64),
}

/// A component of an encoding. Components after the last reference are omitted.
#[derive(Clone, Copy)]
enum Part {
    /// A number that is not a reference.
    Number,
    Attribute,
    Type,
    /// A count, followed by that many attributes.
    Attributes,
    /// A count, followed by twice as many attributes.
    Pairs,
    Types,
    Numbers,
    Bytes,
}

fn attribute_parts(code: u64) -> &'static [Part] {
    use Part::{Attribute, Attributes, Number, Pairs, Type};
    match code {
        attribute::ARRAY | attribute::FUSED_LOCATION => &[Attributes],
        attribute::DICTIONARY => &[Pairs],
        attribute::TYPED_STRING => &[Number, Type],
        attribute::FLAT_SYMBOL
        | attribute::FILE_LOCATION
        | attribute::FILE_RANGE
        | attribute::DISTINCT => &[Attribute],
        attribute::SYMBOL => &[Attribute, Attributes],
        attribute::CALL_SITE_LOCATION | attribute::NAME_LOCATION => &[Attribute, Attribute],
        attribute::FUSED_LOCATION_WITH_METADATA => &[Attributes, Attribute],
        attribute::TYPE
        | attribute::INTEGER
        | attribute::FLOAT
        | attribute::DENSE_RESOURCE
        | attribute::DENSE_ARRAY
        | attribute::DENSE_NUMBERS
        | attribute::DENSE_STRINGS => &[Type],
        attribute::SPARSE => &[Type, Attribute, Attribute],
        _ => &[],
    }
}

fn type_parts(code: u64) -> &'static [Part] {
    use Part::{Attribute, Bytes, Numbers, Type, Types};
    match code {
        ty::FUNCTION => &[Types, Types],
        ty::TUPLE => &[Types],
        ty::COMPLEX | ty::UNRANKED_MEMREF | ty::UNRANKED_TENSOR => &[Type],
        ty::MEMREF => &[Numbers, Type, Attribute],
        ty::MEMREF_WITH_SPACE => &[Attribute, Numbers, Type, Attribute],
        ty::TENSOR | ty::VECTOR => &[Numbers, Type],
        ty::TENSOR_WITH_ENCODING => &[Attribute, Numbers, Type],
        ty::UNRANKED_MEMREF_WITH_SPACE => &[Attribute, Type],
        ty::SCALABLE_VECTOR => &[Bytes, Numbers, Type],
        _ => &[],
    }
}

/// Collects the references of an encoding. At an error the rest is skipped: decoding reports it.
pub(super) fn collect(mut cursor: Cursor<'_>, of: Reference, found: &mut Vec<Reference>) {
    let Ok(code) = cursor.varint() else {
        return;
    };
    let parts = match of {
        Reference::Attribute(_) => attribute_parts(code),
        Reference::Type(_) => type_parts(code),
    };
    for part in parts {
        if collect_part(&mut cursor, *part, found).is_err() {
            return;
        }
    }
}

fn collect_part(cursor: &mut Cursor<'_>, part: Part, found: &mut Vec<Reference>) -> Read<()> {
    let count = match part {
        Part::Number | Part::Attribute | Part::Type => 1,
        Part::Pairs => cursor.varint()?.saturating_mul(2),
        _ => cursor.varint()?,
    };
    if let Part::Bytes = part {
        return cursor.span(count).map(|_| ());
    }
    for _ in 0..count {
        let number = cursor.varint()?;
        match part {
            Part::Attribute | Part::Attributes | Part::Pairs => {
                found.push(Reference::Attribute(number));
            }
            Part::Type | Part::Types => found.push(Reference::Type(number)),
            Part::Number | Part::Numbers | Part::Bytes => {}
        }
    }
    Ok(())
}
