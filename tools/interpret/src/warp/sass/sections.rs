//! The data of a listing: sections of bytes, given by directives as nvdisasm prints them.

use orison_sass::listing::Note;
use rustc_hash::FxHashMap;

/// A section of data.
#[derive(Clone, Debug, Default)]
pub(super) struct Data {
    /// Its bytes; addresses among them are zero.
    pub(super) bytes: Vec<u8>,
    /// Labels, in order, with their offsets.
    pub(super) labels: Vec<(String, usize)>,
    /// Values that are not numbers: their offset, their size and their text.
    pub(super) expressions: Vec<(usize, usize, String)>,
    /// The sizes of symbols, as text.
    sizes: Vec<(String, String)>,
}

/// An attribute of a kernel (`.nv.info`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Information {
    /// Its number.
    pub(super) attribute: u8,
    /// Its value.
    pub(super) value: Vec<u8>,
}

/// A number in decimal or hexadecimal.
fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl Data {
    /// Reads the lines of a section.
    pub(super) fn read<'n>(notes: impl Iterator<Item = &'n Note>) -> Self {
        let mut data = Data::default();
        for note in notes {
            match note {
                Note::Label(label) => data.labels.push((label.to_string(), data.bytes.len())),
                Note::Directive(directive) => {
                    data.directive(&directive.name, &directive.arguments);
                }
                Note::Comment(_) => {}
            }
        }
        data.settle();
        data
    }

    fn directive(&mut self, name: &str, arguments: &str) {
        let size = match name {
            ".byte" => 1,
            ".short" => 2,
            ".word" => 4,
            ".dword" | ".quad" => 8,
            ".zero" => {
                let count = number(arguments).unwrap_or(0);
                let end = self
                    .bytes
                    .len()
                    .saturating_add(usize::try_from(count).unwrap_or(0));
                self.bytes.resize(end.min(1 << 30), 0);
                return;
            }
            ".align" => {
                let alignment = usize::try_from(number(arguments).unwrap_or(1)).unwrap_or(1);
                let end = self
                    .bytes
                    .len()
                    .next_multiple_of(alignment.clamp(1, 1 << 20));
                self.bytes.resize(end, 0);
                return;
            }
            ".size" => {
                if let Some((symbol, size)) = arguments.split_once(',') {
                    self.sizes
                        .push((symbol.trim().to_owned(), size.trim().to_owned()));
                }
                return;
            }
            _ => return,
        };
        for value in arguments.split(',') {
            let at = self.bytes.len();
            let value = value.trim();
            let known = number(value);
            if known.is_none() {
                self.expressions.push((at, size, value.to_owned()));
            }
            self.bytes.extend(&known.unwrap_or(0).to_le_bytes()[..size]);
        }
    }

    /// Computes the differences of labels.
    fn settle(&mut self) {
        let expressions = std::mem::take(&mut self.expressions);
        for (at, size, text) in expressions {
            match self.difference(&text) {
                Some(value) => {
                    self.bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
                }
                None => self.expressions.push((at, size, text)),
            }
        }
    }

    /// The offset of a label.
    pub(super) fn place(&self, label: &str) -> Option<usize> {
        let found = self.labels.iter().find(|(known, _)| known == label);
        found.map(|(_, place)| *place)
    }

    /// The value of `(.L_1 - .L_0)`.
    fn difference(&self, text: &str) -> Option<u64> {
        let inside = text.strip_prefix('(')?.strip_suffix(')')?;
        let (end, start) = inside.split_once(" - ")?;
        Some((self.place(end)?.checked_sub(self.place(start)?)?) as u64)
    }

    /// The symbols that have a size, with their offsets and sizes.
    pub(super) fn symbols(&self) -> impl Iterator<Item = (&str, usize, usize)> {
        self.sizes.iter().filter_map(|(symbol, size)| {
            let size = self.difference(size).or_else(|| number(size))?;
            Some((
                symbol.as_str(),
                self.place(symbol)?,
                usize::try_from(size).ok()?,
            ))
        })
    }

    /// The attributes of a section `.nv.info`: a format, a number, and a value whose size the format
    /// gives.
    pub(super) fn information(&self) -> Vec<Information> {
        let mut all = Vec::new();
        let mut at = 0;
        while let Some([format, attribute]) = self.bytes.get(at..at + 2) {
            let half = |at: usize| {
                let bytes = self.bytes.get(at..at + 2)?;
                Some(u16::from_le_bytes([bytes[0], bytes[1]]))
            };
            let value = match format {
                4 => {
                    let size = usize::from(half(at + 2).unwrap_or(0));
                    at += size;
                    self.bytes.get(at + 4 - size..at + 4)
                }
                1..=3 => self.bytes.get(at + 2..at + 4),
                _ => break,
            };
            at += 4;
            all.push(Information {
                attribute: *attribute,
                value: value.unwrap_or_default().to_vec(),
            });
        }
        all
    }
}

/// The words of the value of an attribute.
pub(super) fn words(value: &[u8]) -> Vec<u32> {
    let words = value.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect()
}

/// Data sections by name.
pub(super) type Sections = FxHashMap<String, Data>;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Data {
        let notes: Vec<Note> = lines
            .iter()
            .map(|line| Note::parse(line).unwrap())
            .collect();
        Data::read(notes.iter())
    }

    #[test]
    fn data_is_laid_out_in_order() {
        let data = read(&[
            ".byte\t0x01, 0x02",
            ".align\t4",
            "a:",
            ".size\ta,(.L_0 - a)",
            ".dword\tfun@R_CUDA_G64(b)",
            ".zero\t2",
            ".L_0:",
            ".short\t(.L_0 - a)",
        ]);
        assert_eq!(
            data.bytes,
            [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0]
        );
        assert_eq!(data.symbols().collect::<Vec<_>>(), [("a", 4, 10)]);
        assert_eq!(data.expressions, [(4, 8, "fun@R_CUDA_G64(b)".to_owned())]);
    }

    #[test]
    fn attributes_have_the_size_that_their_format_gives() {
        let data = read(&[
            ".byte\t0x03, 0x19",
            ".short\t0x0018",
            ".byte\t0x04, 0x1c",
            ".short\t(.L_2 - .L_1)",
            ".L_1:",
            ".word\t0x330",
            ".L_2:",
            ".byte\t0x01, 0x35",
            ".zero\t2",
        ]);
        let found: Vec<_> = data
            .information()
            .iter()
            .map(|it| (it.attribute, it.value.len()))
            .collect();
        assert_eq!(found, [(0x19, 2), (0x1c, 4), (0x35, 2)]);
        assert_eq!(words(&data.information()[1].value), [0x330]);
    }
}
