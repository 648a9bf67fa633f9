//! The columns that `nvdisasm -plr -lrm narrow` prints behind each line: a column for each register, with
//! `^` where the instruction writes it, `v` where it reads it, `x` for both and `:` where it is live.

use orison_sass::listing::{ListingError, Place};
use orison_sass::registers::{Register, RegisterFile};
use orison_schedule::sass::facts::{Listed, RegisterNumber};
use rustc_hash::FxHashMap;

/// The names of the register files in the heading, with the file.
const FILES: [(&str, RegisterFile); 4] = [
    ("GPR", RegisterFile::General),
    ("PRED", RegisterFile::Predicate),
    ("UGPR", RegisterFile::Uniform),
    ("UPRED", RegisterFile::UniformPredicate),
];

/// The registers of instructions, by address.
pub type Lists = FxHashMap<u64, Listed>;

/// The columns of a register file: between which bars, and where its first register is behind the bar.
type Columns = Vec<Option<(RegisterFile, usize)>>;

/// Reads the columns of a section line by line.
#[derive(Default)]
pub struct Reader {
    files: Vec<Option<RegisterFile>>,
    columns: Columns,
    /// The address of the instruction whose line was read last.
    address: Option<u64>,
    /// The registers read.
    pub lists: Lists,
}

impl Reader {
    /// Reads a line and returns it without its columns.
    ///
    /// # Errors
    /// A mark that is none of nvdisasm's.
    pub fn line<'t>(&mut self, line: &'t str, number: u32) -> Result<&'t str, ListingError> {
        let start = memchr::memmem::find(line.as_bytes(), b"// |")
            .or_else(|| memchr::memmem::find(line.as_bytes(), b"// +-"));
        let Some(start) = start else {
            self.instruction(line);
            return Ok(line);
        };
        let (rest, columns) = line.split_at(start);
        self.instruction(rest);
        let Some(columns) = columns.strip_prefix("// |") else {
            return Ok(rest);
        };
        if columns.contains("GPR") {
            let file = |name: &str| FILES.iter().find(|file| file.0 == name.trim());
            let names = columns.split('|');
            self.files = names.map(|name| file(name).map(|file| file.1)).collect();
            self.columns.clear();
        } else if columns.contains('#') {
            let first = |column: &str| column.find('#').map(|number| number + 2);
            let firsts = columns.split('|').map(first);
            let files = self.files.iter().copied();
            let pairs = files.zip(firsts);
            self.columns = pairs.map(|(file, first)| file.zip(first)).collect();
        } else if rest.trim_start().starts_with("/* 0x")
            && let Some(address) = self.address
        {
            let list = self.marks(columns).map_err(|(offset, mark)| {
                let column = u32::try_from(start + "// |".len() + offset + 1);
                let place = Place {
                    line: number,
                    column: column.unwrap_or(u32::MAX),
                };
                let message =
                    format!("'{mark}' is not a mark of a register: one of '^', 'v', 'x', ':'");
                ListingError::new(place, message)
            })?;
            self.lists.insert(address, list);
        }
        Ok(rest)
    }

    /// Remembers the address of an instruction.
    fn instruction(&mut self, line: &str) {
        let address = line.trim_start().strip_prefix("/*");
        let address = address.and_then(|rest| rest.split_once("*/"));
        let address = address.and_then(|(digits, _)| u64::from_str_radix(digits, 16).ok());
        self.address = address.or(self.address);
    }

    /// The registers of marks; an unknown mark with its offset.
    fn marks(&self, columns: &str) -> Result<Listed, (usize, char)> {
        let mut listed = Listed::default();
        let mut offset = 0;
        for (column, marks) in self.columns.iter().zip(columns.split('|')) {
            if let Some((file, first)) = *column {
                let marked = marks.char_indices().skip_while(|(at, _)| *at < first);
                for (at, mark) in marked {
                    let register = u8::try_from(at - first).ok();
                    let register = register.map(|index| Register::new(file, index));
                    let register = register.and_then(RegisterNumber::of);
                    if matches!(mark, '^' | 'x') {
                        listed.definitions.extend(register);
                    }
                    if matches!(mark, 'v' | 'x') {
                        listed.uses.extend(register);
                    }
                    if !matches!(mark, '^' | 'v' | 'x' | ':' | ' ') {
                        return Err((offset + at, mark));
                    }
                }
            }
            offset += marks.len() + 1;
        }
        Ok(listed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader returns for the lines of a section.
    fn read(text: &str) -> (Reader, Vec<String>) {
        let mut reader = Reader::default();
        let rest = text.lines().map(|line| {
            let rest = reader.line(line, 1).expect("known marks");
            rest.trim().to_owned()
        });
        let rest = rest.collect();
        (reader, rest)
    }

    const HEADING: &str = "// +------+
 // | GPR            | PRED  | UGPR | UPRED |
 // |    00000000001 |       |      |       |
 // |  # 01234567890 | # 01  | # 01 | # 0   |
";

    fn names(registers: &[RegisterNumber]) -> Vec<String> {
        let names = registers.iter().map(|found| found.register().to_string());
        names.collect()
    }

    #[test]
    fn marks_are_registers_of_the_four_files() {
        let text = format!(
            "{HEADING}/*0010*/ @P1 IADD3 R10, P0, R2, UR1, R10 ; /* 0x0 */ // |     |  | | |
 /* 0x000fe20000000800 */ // |  3 : v       x | 2 ^v  | 1  v |       |"
        );
        let (reader, rest) = read(&text);
        let list = &reader.lists[&0x10];
        assert_eq!(names(&list.definitions), ["R10", "P0"]);
        assert_eq!(names(&list.uses), ["R2", "R10", "P1", "UR1"]);
        assert_eq!(
            rest.last().map(String::as_str),
            Some("/* 0x000fe20000000800 */")
        );
    }

    /// A machine without uniform registers has no columns of them, and the next function has others.
    #[test]
    fn each_heading_replaces_the_one_before() {
        let line = |marks: &str| {
            format!("/*0000*/ NOP ; /* 0x0 */ // |\n/* 0x0000000000000000 */ // |{marks}|\n")
        };
        let narrow = " // | GPR  | PRED |\n // | # 01 | # 0 |\n";
        let text = format!("{HEADING}{narrow}{}", line(" 1 ^v | 1 x "));
        let (reader, _) = read(&text);
        let list = &reader.lists[&0];
        assert_eq!(names(&list.definitions), ["R0", "P0"]);
        assert_eq!(names(&list.uses), ["R1", "P0"]);
    }

    #[test]
    fn a_listing_without_columns_has_no_lists() {
        let (reader, rest) = read("/*0000*/ NOP ; /* 0x0 */\n/* 0x0000000000000000 */");
        assert!(reader.lists.is_empty());
        assert_eq!(rest.len(), 2);
    }

    #[test]
    fn an_unknown_mark_is_an_error_at_its_column() {
        let mut reader = Reader::default();
        for line in [
            " // | GPR  |",
            " // | # 01 |",
            "/*0000*/ NOP ; /* 0x0 */ // |      |",
        ] {
            reader.line(line, 1).expect("known marks");
        }
        let error = reader
            .line("/* 0x0 */ // | 1 :? |", 7)
            .expect_err("an error");
        assert_eq!((error.place.line, error.place.column), (7, 19));
        assert!(error.message.starts_with("'?' is not a mark"));
    }
}
