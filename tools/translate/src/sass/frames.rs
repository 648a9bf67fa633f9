//! `.debug_frame`: the addresses in a function at which the rules of its stack frame change.
//!
//! A rule that applies from an address on depends on the order of instructions around it.
//! Instructions may be reordered on one side of such an address, but not across it.

/// An address at which a rule changes, in bytes from the start of the function.
pub(super) type Boundary = u64;

/// The relevant contents of a frame description entry.
pub(super) struct Entry {
    /// The offset in the section of the function address, which a relocation fills in.
    pub(super) location: u64,
    /// The addend of the address of its symbol.
    pub(super) start: u64,
    /// The addresses at which rules change.
    pub(super) boundaries: Vec<Boundary>,
}

/// The entries of the section, in order.
///
/// # Errors
/// If it is not DWARF 2 to 4 in the form that ptxas writes, or an operation is unknown: its effect
/// on addresses is then unknown too.
pub(super) fn entries(bytes: &[u8]) -> Result<Vec<Entry>, String> {
    let mut common: Vec<(u64, Common)> = Vec::new();
    let mut entries = Vec::new();
    let mut reader = Reader { bytes, at: 0 };
    while reader.at < bytes.len() {
        let begin = number(reader.at);
        let (length, wide) = match reader.word()? {
            0xffff_ffff => (reader.double()?, true),
            length => (u64::from(length), false),
        };
        let end = usize::try_from(length)
            .ok()
            .and_then(|length| reader.at.checked_add(length))
            .filter(|end| *end <= bytes.len());
        let end = end.ok_or("ends within an entry")?;
        let mut entry = Reader {
            bytes: &bytes[..end],
            at: reader.at,
        };
        reader.at = end;
        let (id, is_common) = match wide {
            true => entry.double().map(|id| (id, id == u64::MAX))?,
            false => entry.word().map(|id| (u64::from(id), id == u32::MAX))?,
        };
        if is_common {
            common.push((begin, Common::read(&mut entry)?));
            continue;
        }
        let known = common.iter().find(|(place, _)| *place == id);
        let (_, rules) = known.ok_or("has an entry without its common information entry")?;
        let location = number(entry.at);
        let start = entry.double()?;
        entry.double()?;
        let mut frame = rules.frame;
        let boundaries = boundaries(&mut entry, rules.factor, &mut frame)?;
        entries.push(Entry {
            location,
            start,
            boundaries,
        });
    }
    Ok(entries)
}

fn number(place: usize) -> u64 {
    u64::try_from(place).unwrap_or(u64::MAX)
}

/// Register and offset that define the frame.
type Frame = Option<(u64, u64)>;

/// The common information of entries.
struct Common {
    /// The unit of address advances in bytes.
    factor: u64,
    frame: Frame,
}

impl Common {
    fn read(entry: &mut Reader<'_>) -> Result<Common, String> {
        let version = entry.byte()?;
        let augmentation = entry.byte()?;
        if !(1..=4).contains(&version) || augmentation != 0 {
            return Err(format!("has version {version}, or an augmentation"));
        }
        if version == 4 {
            entry.byte()?;
            entry.byte()?;
        }
        let factor = entry.leb()?;
        entry.leb()?;
        match version {
            1 => entry.byte().map(u64::from)?,
            _ => entry.leb()?,
        };
        let mut frame = None;
        boundaries(entry, factor, &mut frame)?;
        Ok(Common { factor, frame })
    }
}

/// The addresses at which rules change. Repeating the current rule is not a change.
fn boundaries(
    entry: &mut Reader<'_>,
    factor: u64,
    frame: &mut Frame,
) -> Result<Vec<Boundary>, String> {
    let (mut at, mut found) = (0_u64, Vec::new());
    while entry.at < entry.bytes.len() {
        let operation = entry.byte()?;
        let step = match operation {
            0x40..=0x7f => Some(u64::from(operation & 0x3f)),
            0x02 => Some(u64::from(entry.byte()?)),
            0x03 => Some(u64::from(entry.half()?)),
            0x04 => Some(u64::from(entry.word()?)),
            _ => None,
        };
        if let Some(step) = step {
            let bytes = step.checked_mul(factor);
            let next = bytes.and_then(|bytes| at.checked_add(bytes));
            at = next.ok_or("has an address out of range")?;
        } else if changes(entry, operation, frame)? && found.last() != Some(&at) {
            found.push(at);
        }
    }
    Ok(found)
}

/// Reads the operands of an operation that does not advance the address; returns whether it changes
/// a rule.
fn changes(entry: &mut Reader<'_>, operation: u8, frame: &mut Frame) -> Result<bool, String> {
    let before = *frame;
    match operation {
        0x00 => return Ok(false),
        // The register of the frame and its offset: both, the register, the offset.
        0x0c => {
            *frame = Some((entry.leb()?, entry.leb()?));
            return Ok(*frame != before);
        }
        0x0d => {
            let register = entry.leb()?;
            *frame = before.map(|(_, offset)| (register, offset));
            return Ok(*frame != before);
        }
        0x0e => {
            let offset = entry.leb()?;
            *frame = before.map(|(register, _)| (register, offset));
            return Ok(*frame != before);
        }
        // One register, or one offset.
        0x06..=0x08 | 0x13 | 0x80..=0xbf => {
            entry.leb()?;
        }
        // A register, and an offset or another register.
        0x05 | 0x09 | 0x11 | 0x12 | 0x14 | 0x15 => {
            entry.leb()?;
            entry.leb()?;
        }
        // Saved and restored rules.
        0x0a | 0x0b | 0xc0..=0xff => {}
        // Expressions, of the frame or of a register.
        0x0f => entry.block()?,
        0x10 | 0x16 => {
            entry.leb()?;
            entry.block()?;
        }
        _ => {
            return Err(format!("has unknown operation {operation:#04x}"));
        }
    }
    if matches!(operation, 0x0b | 0x0f | 0x12 | 0x13) {
        // The frame definition is not tracked further.
        *frame = None;
    }
    Ok(true)
}

/// Reads little-endian numbers.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let found = self.bytes.get(self.at..).and_then(|rest| rest.get(..N));
        let found = found.and_then(|found| found.try_into().ok());
        self.at += N;
        found.ok_or_else(|| "ends within an entry".to_owned())
    }

    fn byte(&mut self) -> Result<u8, String> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn half(&mut self) -> Result<u16, String> {
        self.take().map(u16::from_le_bytes)
    }

    fn word(&mut self) -> Result<u32, String> {
        self.take().map(u32::from_le_bytes)
    }

    fn double(&mut self) -> Result<u64, String> {
        self.take().map(u64::from_le_bytes)
    }

    /// A LEB128 number. Signed ones are only compared for equality here.
    fn leb(&mut self) -> Result<u64, String> {
        let (mut value, mut shift) = (0_u64, 0_u32);
        loop {
            let byte = self.byte()?;
            if shift < 64 {
                value |= u64::from(byte & 0x7f) << shift;
            }
            shift += 7;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
    }

    fn block(&mut self) -> Result<(), String> {
        let length = usize::try_from(self.leb()?).unwrap_or(usize::MAX);
        let end = self.at.checked_add(length);
        let end = end.filter(|end| *end <= self.bytes.len());
        self.at = end.ok_or("ends within an entry")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry of the 64-bit format around some bytes.
    fn wide(id: u64, inside: &[u8]) -> Vec<u8> {
        let length = u64::try_from(inside.len() + 8).unwrap();
        let mut bytes = vec![0xff; 4];
        bytes.extend(length.to_le_bytes());
        bytes.extend(id.to_le_bytes());
        bytes.extend(inside);
        bytes
    }

    fn section(operations: &[u8]) -> Vec<u8> {
        // Version 3, no augmentation, code in steps of 4, the frame at register 1 + 0.
        let mut bytes = wide(u64::MAX, &[3, 0, 4, 0x7c, 0x10, 0x0c, 1, 0, 0, 0]);
        let mut entry = vec![0; 8];
        entry.extend(0x100_u64.to_le_bytes());
        entry.extend(operations);
        bytes.extend(wide(0, &entry));
        bytes
    }

    #[test]
    fn rules_that_change_are_boundaries() {
        for (operations, expected) in [
            // The same frame again, then nothing.
            (vec![4, 8, 0, 0, 0, 0x0c, 1, 0, 4, 2, 0, 0, 0, 0], vec![]),
            // Another offset, and a saved register in the next step.
            (
                vec![4, 8, 0, 0, 0, 0x0c, 1, 40, 2, 4, 5, 0x82, 1, 2],
                vec![0x20, 0x30],
            ),
            (
                vec![0x44, 0x0e, 8, 0x41, 0x0e, 8, 0x41, 0x0e, 0],
                vec![0x10, 0x18],
            ),
            // The expression of register 1 has two bytes.
            (vec![3, 4, 0, 0x0a, 0x16, 1, 2, 0x70, 0, 0x0b], vec![0x10]),
        ] {
            let bytes = section(&operations);
            let found = entries(&bytes).unwrap();
            assert_eq!(found.len(), 1);
            assert_eq!(found[0].boundaries, expected, "{operations:?}");
            assert_eq!(found[0].location, 50, "{operations:?}");
            // The common entry takes 30 bytes.
            for end in 1..bytes.len() {
                let expected = (end != 30).then_some("ends within an entry");
                let found = entries(&bytes[..end]).err();
                assert_eq!(found.as_deref(), expected, "{end}");
            }
        }
    }

    #[test]
    fn broken_entries_are_rejected() {
        let within = "ends within an entry";
        let common = |bytes: &[u8]| wide(u64::MAX, bytes);
        let largest = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        let steps = [&[3, 0][..], &largest, &[0, 0, 0x41, 0x42]].concat();
        for (bytes, expected) in [
            (section(&[0x3f]), "has unknown operation 0x3f"),
            // An expression and a number that exceed the entry, and a length that exceeds memory.
            (section(&[0x0f, 9]), within),
            (section(&[0x0e, 0x80]), within),
            (section(&[&[0x0f][..], &largest].concat()), within),
            (
                wide(7, &[0; 16]),
                "has an entry without its common information entry",
            ),
            (common(&[5, 0]), "has version 5, or an augmentation"),
            (common(&[0, 0]), "has version 0, or an augmentation"),
            (common(b"\x03zR\0"), "has version 3, or an augmentation"),
            (common(&steps), "has an address out of range"),
        ] {
            assert_eq!(
                entries(&bytes).err().as_deref(),
                Some(expected),
                "{bytes:?}"
            );
        }
    }

    /// Version 1 has one byte for the return register, versions 2 and 3 a number, version 4 two more
    /// fields.
    #[test]
    fn versions_have_different_fields() {
        let rules = [0x44, 0x0c, 1, 8];
        for fields in [
            &[1, 0, 4, 0x7c, 0xff][..],
            &[2, 0, 4, 0x7c, 0xff, 0x01],
            &[4, 0, 8, 0, 4, 0x7c, 0xff, 0x01],
        ] {
            let mut bytes = wide(u64::MAX, &[fields, &rules].concat());
            bytes.extend(wide(
                0,
                &[&[0; 16][..], &[0x44, 0x0c, 1, 8, 0x44, 0x0e, 9]].concat(),
            ));
            let found = entries(&bytes).expect("an entry");
            assert_eq!(found[0].boundaries, [0x20], "{fields:?}");
        }
    }
}
