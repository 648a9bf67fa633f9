//! The colours of diagnostics on a terminal, as in LLVM's tools.

use std::fmt::Display;
use std::str::FromStr;

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};

use super::Severity;

/// Styles of the parts of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Palette {
    place: Style,
    error: Style,
    warning: Style,
    remark: Style,
    note: Style,
    message: Style,
    caret: Style,
}

const BOLD: Style = Style::new().bold();

const fn bold(color: AnsiColor) -> Style {
    color.on_default().bold()
}

impl Palette {
    /// Plain text.
    pub const PLAIN: Palette = Palette {
        place: Style::new(),
        error: Style::new(),
        warning: Style::new(),
        remark: Style::new(),
        note: Style::new(),
        message: Style::new(),
        caret: Style::new(),
    };

    /// Colours, as escape sequences.
    pub const COLORED: Palette = Palette {
        place: BOLD,
        error: bold(AnsiColor::Red),
        warning: bold(AnsiColor::Magenta),
        remark: bold(AnsiColor::Blue),
        note: bold(AnsiColor::BrightBlack),
        message: BOLD,
        caret: bold(AnsiColor::Green),
    };

    fn severity(&self, severity: Severity) -> Style {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Remark => self.remark,
            Severity::Note => self.note,
        }
    }

    /// The first line of a diagnostic, `location: severity: message`, with its newline.
    pub fn headline(
        &self,
        place: impl Display,
        severity: Severity,
        message: impl Display,
    ) -> String {
        let (before, kind, text) = (self.place, self.severity(severity), self.message);
        format!("{before}{place}:{before:#} {kind}{severity}:{kind:#} {text}{message}{text:#}\n")
    }

    /// The caret that marks a column, after `indent`, with its newline.
    pub fn caret(&self, indent: &str) -> String {
        let caret = self.caret;
        format!("{indent}{caret}^{caret:#}\n")
    }
}

/// The value of `--color` for diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ColorChoice {
    /// Colours on a terminal. The environment variables `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE`
    /// override this.
    #[default]
    Auto,
    /// Always use colours.
    Always,
    /// Plain text.
    Never,
}

impl ColorChoice {
    /// The palette for standard error.
    pub fn palette(self) -> Palette {
        let colored = match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never
            }
        };
        if colored {
            Palette::COLORED
        } else {
            Palette::PLAIN
        }
    }
}

impl FromStr for ColorChoice {
    type Err = String;

    /// Parses `auto`, `always`, `never`, and the boolean values of LLVM's `--color`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(ColorChoice::Auto),
            "always" | "true" | "TRUE" | "True" | "1" => Ok(ColorChoice::Always),
            "never" | "false" | "FALSE" | "False" | "0" => Ok(ColorChoice::Never),
            _ => Err("expected auto, always or never".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_headline_is_the_same_text_in_each_palette() {
        let headline = |palette: Palette| palette.headline("a:1:2", Severity::Warning, "odd");
        assert_eq!(headline(Palette::PLAIN), "a:1:2: warning: odd\n");
        let colored = headline(Palette::COLORED);
        assert_eq!(
            colored,
            "\x1b[1ma:1:2:\x1b[0m \x1b[1m\x1b[35mwarning:\x1b[0m \x1b[1modd\x1b[0m\n"
        );
        let stripped = anstream::adapter::strip_str(&colored).to_string();
        assert_eq!(stripped, headline(Palette::PLAIN));
    }

    #[test]
    fn llvm_s_words_for_a_choice_are_known() {
        assert_eq!("1".parse(), Ok(ColorChoice::Always));
        assert_eq!("false".parse(), Ok(ColorChoice::Never));
        assert_eq!("auto".parse(), Ok(ColorChoice::Auto));
        assert!("sometimes".parse::<ColorChoice>().is_err());
    }
}
