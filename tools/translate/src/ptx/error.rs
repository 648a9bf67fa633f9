//! Where something stands in a text, and what is wrong there.

use orison_ir::{Palette, Severity};

/// A place in a text; lines and columns count from one, columns in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

/// The first thing that is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// Where.
    pub place: Place,
    /// What, without a final period or newline.
    pub message: String,
}

impl Error {
    /// `file:line:column: error: message`, then the line with a caret under the place.
    pub fn render(&self, file: &str, text: &str) -> String {
        self.render_with(&Palette::PLAIN, file, text)
    }

    /// The same in colours.
    pub fn render_with(&self, palette: &Palette, file: &str, text: &str) -> String {
        let Place { line, column } = self.place;
        let place = format!("{file}:{line}:{column}");
        let mut out = palette.headline(place, Severity::Error, &self.message);
        let number = usize::try_from(line).unwrap_or(1).saturating_sub(1);
        if let Some(shown) = text.lines().nth(number) {
            let before = usize::try_from(column).unwrap_or(1).saturating_sub(1);
            // Tabs stay, so that the caret stands under the place however wide they are.
            let blank = |byte: u8| if byte == b'\t' { '\t' } else { ' ' };
            let indent: String = shown.bytes().take(before).map(blank).collect();
            out.push_str(shown);
            out.push('\n');
            out += &palette.caret(&indent);
        }
        out
    }
}

/// Checks that bytes are UTF-8, which comments and strings of PTX may be.
///
/// # Errors
/// At the first byte that is not.
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
