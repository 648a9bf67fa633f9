//! Decoding of locations.

use super::cursor::Read;
use super::format::attribute;
use super::tables::Decoder;
use crate::Location;
use crate::location::LocationKind;

/// Decodes a location by the code of its kind; `None` if the code does not denote a location.
pub(super) fn decode(decoder: &mut Decoder<'_, '_, '_>, code: u64) -> Read<Option<Location>> {
    let kind = match code {
        attribute::UNKNOWN_LOCATION => LocationKind::Unknown,
        attribute::FILE_LOCATION => {
            let file = decoder.name()?;
            LocationKind::File {
                file,
                line: number(decoder)?,
                column: number(decoder)?,
                end: None,
            }
        }
        attribute::FILE_RANGE => range(decoder)?,
        attribute::NAME_LOCATION => LocationKind::Name {
            name: decoder.name()?,
            child: decoder.location()?,
        },
        attribute::CALL_SITE_LOCATION => LocationKind::CallSite {
            callee: decoder.location()?,
            caller: decoder.location()?,
        },
        attribute::FUSED_LOCATION | attribute::FUSED_LOCATION_WITH_METADATA => {
            let locations = decoder.list(Decoder::location)?;
            let metadata = match code {
                attribute::FUSED_LOCATION => None,
                _ => Some(decoder.attribute()?),
            };
            if locations.is_empty() && metadata.is_none() {
                return Err(decoder
                    .cursor
                    .fault("expected a location in a fused location"));
            }
            LocationKind::Fused {
                locations: locations.into(),
                metadata,
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(Location::new(decoder.context, kind)))
}

fn number(decoder: &mut Decoder<'_, '_, '_>) -> Read<u32> {
    let number = decoder.cursor.varint()?;
    let small = u32::try_from(number).ok();
    small.ok_or_else(|| {
        decoder
            .cursor
            .fault(format!("line or column out of range: {number}"))
    })
}

/// Decodes a range, which is encoded with as few numbers as necessary.
fn range(decoder: &mut Decoder<'_, '_, '_>) -> Read<LocationKind> {
    let file = decoder.name()?;
    let numbers = decoder.list(number)?;
    let (start, end) = match numbers[..] {
        [] => ((0, 0), (0, 0)),
        [line] => ((line, 0), (line, 0)),
        [line, column] => ((line, column), (line, column)),
        [line, column, end] => ((line, column), (line, end)),
        [line, column, end_line, end_column] => ((line, column), (end_line, end_column)),
        _ => {
            let message = format!(
                "expected at most 4 integers in a file range, but got {}",
                numbers.len()
            );
            return Err(decoder.cursor.fault(message));
        }
    };
    Ok(LocationKind::File {
        file,
        line: start.0,
        column: start.1,
        end: (start != end).then_some(end),
    })
}
