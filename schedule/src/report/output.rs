//! Files of reports, and their forms.

use std::io::{ErrorKind, Write as _};
use std::path::Path;

use orison_ir::pass::{OptionDefinition, OptionError, PassOptions};

orison_ir::option_enum! {
    /// The form of a report.
    pub enum ReportFormat {
        /// By file extension; text for standard output.
        Auto = "auto",
        /// An HTML page.
        Html = "html",
        /// A drawing.
        Svg = "svg",
        /// Text for a terminal.
        Text = "text",
    }
}

impl ReportFormat {
    /// The form of a report in a file: this one, or that of the extension.
    ///
    /// # Errors
    /// If the extension is that of no form.
    pub fn of_file(self, file: &str) -> Result<ReportFormat, String> {
        let ending = Path::new(file)
            .extension()
            .and_then(|ending| ending.to_str());
        match (self, ending) {
            (ReportFormat::Auto, Some("html" | "htm")) => Ok(ReportFormat::Html),
            (ReportFormat::Auto, Some("svg")) => Ok(ReportFormat::Svg),
            (ReportFormat::Auto, Some("txt")) => Ok(ReportFormat::Text),
            (ReportFormat::Auto, _) if file == "-" => Ok(ReportFormat::Text),
            (ReportFormat::Auto, _) => Err(format!(
                "cannot determine the format of report '{file}': use the extension .html, .svg or \
                 .txt, or option 'format'"
            )),
            (format, _) => Ok(format),
        }
    }
}

/// Writes a report to a file, or to standard output for `-`.
///
/// # Errors
/// If it cannot be written; the error names the file.
pub fn write(file: &str, report: &str) -> Result<(), String> {
    let written = if file == "-" {
        match std::io::stdout().lock().write_all(report.as_bytes()) {
            // Who reads the first lines alone closes the pipe.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    } else {
        std::fs::write(file, report)
    };
    written.map_err(|error| format!("cannot write report '{file}': {error}"))
}

/// Options with a short form: a file name alone is the option `file`, as in
/// `--tileas-schedule-report=loop.html`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OrFile<Options>(pub Options);

impl<Options: PassOptions> PassOptions for OrFile<Options> {
    const DEFINITIONS: &'static [OptionDefinition] = Options::DEFINITIONS;

    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match self.0.set(name, value) {
            // Option names contain no dot; report file names do.
            Err(OptionError::Unknown { .. })
                if value.is_empty() && (name == "-" || name.contains('.')) =>
            {
                self.0.set("file", name)
            }
            other => other,
        }
    }

    fn get(&self, name: &str) -> Option<String> {
        self.0.get(name)
    }
}
