//! `.nv.info.k`: the metadata of a function for the driver.
//!
//! A record is a format, an attribute, and a value: formats 1 to 3 have two bytes after the
//! attribute, format 4 has the length of the data that follows.

use std::collections::BTreeMap;

/// Attributes that are lists of addresses of instructions: exits, instructions of cooperative
/// groups, and warp-wide instructions.
const LISTS: [u8; 3] = [0x1c, 0x28, 0x31];
/// Instructions on barriers in shared memory: an address and three 32-bit values each.
const BARRIERS: u8 = 0x39;
/// Attributes without addresses of code: shared and constant memory, parameters, stacks, versions,
/// mask registers (one for each cooperative instruction), launch bounds.
const OTHERS: [u8; 15] = [
    0x05, 0x0a, 0x0f, 0x10, 0x11, 0x12, 0x17, 0x18, 0x1e, 0x23, 0x29, 0x2f, 0x36, 0x37, 0x4f,
];

/// Moves addresses. The order of lists is kept: other lists correspond to them.
///
/// # Errors
/// If a record cannot be read, or an unknown one may contain an address that moved.
pub(super) fn move_addresses(bytes: &mut [u8], moves: &BTreeMap<u64, u64>) -> Result<(), String> {
    let mut start = 0;
    while start < bytes.len() {
        let header: Option<[u8; 4]> = bytes
            .get(start..start + 4)
            .and_then(|header| header.try_into().ok());
        let [format, attribute, low, high] = header.ok_or("ends within a record")?;
        start += 4;
        if format != 4 {
            continue;
        }
        let length = usize::from(u16::from_le_bytes([low, high]));
        let value = bytes.get_mut(start..start + length);
        let value = value.ok_or("ends within a record")?;
        start += length;
        if OTHERS.contains(&attribute) {
            continue;
        }
        for (number, word) in value.chunks_exact_mut(4).enumerate() {
            let old = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            let Some(new) = moves.get(&u64::from(old)) else {
                continue;
            };
            let address = LISTS.contains(&attribute) || attribute == BARRIERS && number % 4 == 0;
            if !address {
                if attribute == BARRIERS {
                    continue;
                }
                return Err(format!(
                    "may refer to the moved instruction at {old:#x} in unknown attribute \
                     {attribute:#04x}"
                ));
            }
            let new = u32::try_from(*new).map_err(|_| "has no room for an address")?;
            word.copy_from_slice(&new.to_le_bytes());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_move_where_they_are_known() {
        let moves: BTreeMap<u64, u64> = [(0x40, 0x60), (0x60, 0x40)].into();
        let record = |attribute: u8, words: &[u32]| {
            let length = u8::try_from(words.len() * 4).unwrap();
            let mut bytes = vec![4, attribute, length, 0];
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            bytes
        };
        for (attribute, words, expected) in [
            (0x28, [0x40, 0x50, 0x60, 0x70], Ok([0x60, 0x50, 0x40, 0x70])),
            (
                BARRIERS,
                [0x40, 0x40, 0x60, 0x60],
                Ok([0x60, 0x40, 0x60, 0x60]),
            ),
            (0x10, [0x40, 1, 1, 1], Ok([0x40, 1, 1, 1])),
            (0x55, [1, 0x40, 1, 1], Err(())),
            (0x55, [1, 0x50, 1, 1], Ok([1, 0x50, 1, 1])),
        ] {
            let mut bytes = [vec![1, 0x35, 0, 0], record(attribute, &words)].concat();
            let found = move_addresses(&mut bytes, &moves);
            match expected {
                Ok(words) => {
                    assert_eq!(found, Ok(()), "{attribute:#04x}");
                    assert_eq!(bytes[4..], record(attribute, &words));
                }
                Err(()) => assert_eq!(
                    found.unwrap_err(),
                    "may refer to the moved instruction at 0x40 in unknown attribute 0x55"
                ),
            }
        }
        // The end is within a header, or within the data that a header announces.
        for mut short in [vec![1, 0x35, 0], vec![4, 0x28, 8, 0, 0]] {
            let found = move_addresses(&mut short, &moves);
            assert_eq!(found.unwrap_err(), "ends within a record");
        }
    }
}
