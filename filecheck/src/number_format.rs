//! The formats in which numbers are matched.

use crate::number::Number;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    /// No format was given.
    Unspecified,
    Unsigned,
    Signed,
    HexUpper,
    HexLower,
}

/// A notation with its details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) notation: Notation,
    /// The least number of digits, if not zero.
    pub(crate) precision: u32,
    /// Hexadecimal numbers start with `0x`.
    pub(crate) alternate: bool,
}

impl Format {
    pub(crate) const UNSPECIFIED: Format = Format::new(Notation::Unspecified, 0);
    pub(crate) const UNSIGNED: Format = Format::new(Notation::Unsigned, 0);

    pub(crate) const fn new(notation: Notation, precision: u32) -> Format {
        Format {
            notation,
            precision,
            alternate: false,
        }
    }

    pub(crate) fn is_specified(self) -> bool {
        self.notation != Notation::Unspecified
    }

    pub(crate) fn name(self) -> &'static str {
        match self.notation {
            Notation::Unspecified => "<none>",
            Notation::Unsigned => "%u",
            Notation::Signed => "%d",
            Notation::HexUpper => "%X",
            Notation::HexLower => "%x",
        }
    }

    /// A regular expression for all numbers of this format.
    pub(crate) fn wildcard(self) -> String {
        let (sign, first, digit) = match self.notation {
            Notation::Signed => ("-?", "1-9", "0-9"),
            Notation::HexUpper => ("", "1-9A-F", "0-9A-F"),
            Notation::HexLower => ("", "1-9a-f", "0-9a-f"),
            Notation::Unsigned | Notation::Unspecified => ("", "1-9", "0-9"),
        };
        let prefix = if self.alternate { "0x" } else { "" };
        if self.precision == 0 {
            return format!("{prefix}{sign}[{digit}]+");
        }
        format!(
            "{prefix}{sign}([{first}][{digit}]*)?[{digit}]{{{}}}",
            self.precision
        )
    }

    /// The text of `value`; `None` if the value is negative and the format is unsigned.
    pub(crate) fn text_of(self, value: &Number) -> Option<String> {
        if self.notation != Notation::Signed && value.is_negative() {
            return None;
        }
        let digits = match self.notation {
            Notation::HexUpper => value.digits(16, true),
            Notation::HexLower => value.digits(16, false),
            _ => value.digits(10, false),
        };
        let sign = if value.is_negative() { "-" } else { "" };
        let prefix = if self.alternate { "0x" } else { "" };
        Some(format!(
            "{sign}{prefix}{digits:0>width$}",
            width = self.precision as usize
        ))
    }

    /// The value of text that [`Format::wildcard`] matched.
    pub(crate) fn value_of(self, text: &[u8]) -> Option<Number> {
        let (negative, text) = match text.strip_prefix(b"-") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let text = if self.alternate {
            text.strip_prefix(b"0x").unwrap_or(text)
        } else {
            text
        };
        let radix = match self.notation {
            Notation::HexUpper | Notation::HexLower => 16,
            _ => 10,
        };
        let value = Number::parse(text, radix)?;
        Some(if negative { value.negated() } else { value })
    }
}
