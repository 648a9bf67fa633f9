//! `sass-schedule-report`: the timelines of machine code.

use std::collections::HashMap;

use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult};
use orison_ir::source_position;
use orison_sass::function::Function;
use orison_sass::listing::{self, Listing};

use super::functions::{Source, analyze};
use super::target::TargetChoice;
use crate::report::output::{self, OrFile, ReportFormat};
use crate::sass::report::{BUDGET, FunctionReport, Measured, html, text};
use crate::sass::simulate::Frequencies;

orison_ir::pass_options! {
    /// Options of `sass-schedule-report`.
    pub struct ScheduleReportOptions {
        /// Latency model.
        target = "target": TargetChoice = TargetChoice::Auto,
        /// Output: a file that ends in .html or .txt, or - for standard output.
        file = "file": String = "-".to_owned(),
        /// Output format; by default selected by the file extension.
        format = "format": ReportFormat = ReportFormat::Auto,
        /// File with a listing of nvdisasm: its functions of the same names are shown, too.
        other = "other": String = String::new(),
        /// General registers that a function may use.
        budget = "budget": u32[1..=255] = BUDGET,
        /// Width of charts in text, in characters.
        width = "width": u32[60..=1000] = 100,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct ScheduleReport {
    options: OrFile<ScheduleReportOptions>,
}

impl Pass for ScheduleReport {
    type Options = OrFile<ScheduleReportOptions>;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "sass-schedule-report",
        "Draw when the instructions of machine code issue, and what they wait for.\n\n\
         Shows the static cycles of functions, innermost loops and blocks by cause, and for each block \
         the issue of its instructions by functional unit, scoreboards, the critical path, and the live \
         general registers. Side by side with another listing of the same functions if one is given. Changes \
         nothing.\n\n\
         Source: design section 5.3; docs/sass-report.md.",
        source_position!(),
    );

    fn create(options: OrFile<ScheduleReportOptions>) -> Self {
        ScheduleReport { options }
    }

    fn options(&self) -> &OrFile<ScheduleReportOptions> {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let root = pass.op();
        let options = &self.options.0;
        let error = |pass: &PassContext<'_>, message| root.op_error(pass.context, message);
        let file = ReportFile::with(options).map_err(|message| error(pass, message))?;
        let found = analyze(pass, &options.target, |source| {
            let Source {
                function,
                model,
                frequencies,
            } = source;
            let this = Measured::new("this", function, model, frequencies);
            file.compare(source, vec![this])
        })?;
        let reports: Vec<FunctionReport> = found.into_iter().map(|(_, report)| report).collect();
        if reports.is_empty() {
            let help = "import a listing with orison-translate --nvdisasm-to-sass";
            pass.nothing_to_do("there is no function of machine code", help);
        }
        file.write(&reports)
            .map_err(|message| error(pass, message))?;
        Ok(IRStatus::Unchanged)
    }
}

/// Where a report goes, and what it is compared with.
pub(crate) struct ReportFile {
    file: String,
    format: ReportFormat,
    budget: u32,
    width: u32,
    /// The functions of the other listing, by name.
    others: HashMap<Box<str>, Function<'static>>,
}

impl ReportFile {
    /// A report in a file, with the functions of another listing if one is named, against a budget of registers;
    /// `None` without a file.
    ///
    /// # Errors
    /// If the form is unknown, or the other listing cannot be read.
    pub(crate) fn new(file: &str, other: &str, budget: u32) -> Result<Option<ReportFile>, String> {
        if file.is_empty() {
            return Ok(None);
        }
        let options = ScheduleReportOptions {
            file: file.to_owned(),
            other: other.to_owned(),
            budget,
            ..ScheduleReportOptions::default()
        };
        ReportFile::with(&options).map(Some)
    }

    fn with(options: &ScheduleReportOptions) -> Result<ReportFile, String> {
        let format = options.format.of_file(&options.file)?;
        if format == ReportFormat::Svg {
            return Err("the report of machine code has no form 'svg'; use format=html".to_owned());
        }
        Ok(ReportFile {
            file: options.file.clone(),
            format,
            budget: options.budget,
            width: options.width,
            others: others(&options.other)?,
        })
    }

    /// The report of versions of a function, with that of the other listing.
    pub(crate) fn compare(
        &self,
        source: &Source<'_>,
        mut versions: Vec<Measured>,
    ) -> FunctionReport {
        let Source {
            function,
            model,
            frequencies,
        } = source;
        if let Some(other) = self.others.get(&function.name) {
            // Given frequencies are those of the other version, too, as far as it has the same blocks.
            let same = other.blocks.len() == function.blocks.len();
            let frequencies = match same {
                true => frequencies.clone(),
                false => Frequencies::of_loops(other),
            };
            versions.push(Measured::new("other", other, model, &frequencies));
        }
        FunctionReport::new(&function.name, &function.target, self.budget, versions)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(&self, reports: &[FunctionReport]) -> Result<(), String> {
        let rendered = match self.format {
            ReportFormat::Html => html::render(reports),
            _ => {
                let width = usize::try_from(self.width).unwrap_or(usize::MAX);
                text::render(reports, width)
            }
        };
        output::write(&self.file, &rendered)
    }
}

/// The functions of a listing by name; none without a file.
fn others(file: &str) -> Result<HashMap<Box<str>, Function<'static>>, String> {
    if file.is_empty() {
        return Ok(HashMap::new());
    }
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| format!("cannot read listing '{file}': {error}"))?;
    let functions = listing::parse(&text).and_then(Listing::into_functions);
    let functions = functions.map_err(|error| format!("'{file}' is not a listing: {error}"))?;
    let named = functions.into_iter();
    Ok(named
        .map(|function| (function.name.clone(), function))
        .collect())
}
