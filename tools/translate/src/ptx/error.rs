//! Locations in a text, and errors.

use orison_ir::{Palette, Severity};

/// A location in a text; lines and columns count from one, columns in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

/// The first error in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The location.
    pub place: Place,
    /// The message, without a final period or newline.
    pub message: String,
}

impl Error {
    /// `file:line:column: error: message`, then the line with a caret under the location.
    pub fn render(&self, file: &str, text: &str) -> String {
        self.render_with(&Palette::PLAIN, file, text)
    }

    /// The same in colour.
    pub fn render_with(&self, palette: &Palette, file: &str, text: &str) -> String {
        let Place { line, column } = self.place;
        let place = format!("{file}:{line}:{column}");
        let mut out = palette.headline(place, Severity::Error, &self.message);
        let number = usize::try_from(line).unwrap_or(1).saturating_sub(1);
        if let Some(shown) = text.lines().nth(number) {
            let before = usize::try_from(column).unwrap_or(1).saturating_sub(1);
            // Tabs are kept, so that the caret is under the location for any tab width.
            let blank = |byte: u8| if byte == b'\t' { '\t' } else { ' ' };
            let indent: String = shown.bytes().take(before).map(blank).collect();
            out.push_str(shown);
            out.push('\n');
            out += &palette.caret(&indent);
        }
        out
    }
}

/// Checks that bytes are UTF-8, which is permitted in comments and strings of PTX.
///
/// # Errors
/// At the first invalid byte.
pub fn check_utf8(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        let mut lines = valid.split(|byte| *byte == b'\n');
        let last = lines.next_back().unwrap_or_default();
        let number = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
        Error {
            place: Place {
                line: number(lines.count()),
                column: number(last.len()),
            },
            message: "invalid UTF-8".to_owned(),
        }
    })
}
