//! Command-line options about passes.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command};
use orison_ir::PrintFlags;
use orison_ir::pass::{
    IrPrinting, IrTree, PassRegistry, PassSelection, Pipeline, Remarks, RewriteControl, RuleFilter,
    StatisticsDisplay, TimingDisplay, Trace,
};

use crate::arguments::{flag, list, option};
use crate::listing::option_form;
use crate::settings::{is_set, text};

/// The source of the pipeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PipelineSource {
    /// From `--pass-pipeline`.
    Text(String),
    /// From passes as flags, in order, each with its options.
    Flags(Vec<(String, String)>),
}

/// The form of remarks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RemarkFormat {
    /// As diagnostics.
    Text,
    /// As YAML documents.
    Yaml,
}

/// The requested settings of passes.
#[derive(Clone, Debug)]
pub struct PassSettings {
    /// The pipeline to run.
    pub source: PipelineSource,
    /// Knobs of all passes, as `Name=value`.
    pub knobs: Vec<String>,
    /// The machine model of passes without an explicit one.
    pub machine: Option<String>,
    /// The strategy of passes that schedule instructions and have no explicit one.
    pub schedule_strategy: Option<String>,
    /// The file in which these draw what they changed, unless they have one.
    pub schedule_report: Option<String>,
    /// The rules of passes that have a choice of rules and no explicit ones.
    pub rules: Option<String>,
    /// Whether the pipeline is printed before it runs.
    pub dump_pipeline: bool,
    /// Whether the pipeline is read from the input.
    pub run_reproducer: bool,
    /// Whether the IR is verified after each pass.
    pub verify_each: bool,
    /// Whether the printed IR is parsed again after each pass.
    pub verify_roundtrip_each: bool,
    /// Whether to report times, and in which form.
    pub timing: Option<TimingDisplay>,
    /// Whether to report statistics, and in which form.
    pub statistics: Option<StatisticsDisplay>,
    /// When to print the IR.
    pub printing: Option<IrPrinting>,
    /// Where to write a reproducer of a failure.
    pub crash_reproducer: Option<PathBuf>,
    /// Whether that file reproduces only the failing pass, with the IR before it.
    pub local_reproducer: bool,
    /// Where to write a reproducer of the run, even if it succeeds.
    pub reproducer: Option<PathBuf>,
    /// Whether and how to show remarks.
    pub remarks: Option<RemarkFormat>,
    /// Where remarks are written if they are not diagnostics.
    pub remarks_file: Option<PathBuf>,
    /// Which rewrite rules may be applied, and what is printed about them.
    pub control: RewriteControl,
    /// Whether debug counters are printed.
    pub print_counters: bool,
}

const PIPELINES: &str = "Pipelines";
const OBSERVING: &str = "Observing passes";
const REMARKS: &str = "Remarks and rewrite rules";
const PASSES: &str = "Passes, in the order of the command line";

fn pipelines() -> Vec<Arg> {
    vec![
        option(
            "pass-pipeline",
            "pipeline",
            "Pipeline to run, for example builtin.module(func.func(cse,canonicalize{top-down=0}))",
        ),
        option(
            "machine",
            "name|file.toml",
            "Machine model of passes whose own option does not select one",
        ),
        option(
            "schedule-strategy",
            "name",
            "Strategy of passes that schedule instructions; docs/sass-schedule.md lists them",
        ),
        option(
            "schedule-report",
            "file",
            "File in which these draw functions before and after: ends in .html or .txt",
        ),
        list(
            "knob",
            "Name=value",
            "Knobs for all passes that read knobs; docs/ori-passes.md lists them",
        ),
        flag("dump-pass-pipeline", "Print the pipeline that will be run"),
        flag(
            "run-reproducer",
            "Run the pipeline stored in the input, a reproducer",
        ),
        option(
            "mlir-pass-pipeline-crash-reproducer",
            "filename",
            "When a pass fails or crashes, write a file that reproduces it",
        ),
        flag(
            "mlir-pass-pipeline-local-reproducer",
            "Write a reproducer with only the pass that failed and the IR before it",
        ),
        option(
            "mlir-generate-reproducer",
            "filename",
            "Write a file that reproduces the run",
        ),
    ]
}

fn observing() -> Vec<Arg> {
    vec![
        list(
            "mlir-print-ir-before",
            "pass",
            "Print IR before these passes",
        ),
        list("mlir-print-ir-after", "pass", "Print IR after these passes"),
        flag("mlir-print-ir-before-all", "Print IR before each pass"),
        flag("mlir-print-ir-after-all", "Print IR after each pass"),
        flag(
            "mlir-print-ir-after-change",
            "Print IR after a pass only if it changed",
        ),
        flag(
            "mlir-print-ir-after-failure",
            "Print IR after a pass only if the pass failed",
        ),
        flag(
            "mlir-print-ir-module-scope",
            "Print the top-level operation in place of the one the pass runs on",
        ),
        option(
            "mlir-print-ir-tree-dir",
            "directory",
            "Write the output of --mlir-print-ir-* to files in directories nested like the \
             operations",
        ),
        flag(
            "verify-roundtrip-each",
            "Check after each pass that printed IR is parsed as IR that prints the same text",
        ),
        flag("mlir-timing", "Report times"),
        option("mlir-timing-display", "display", "How to report times")
            .value_parser(["list", "tree"])
            .default_value("tree"),
        flag("mlir-pass-statistics", "Report statistics of passes"),
        option(
            "mlir-pass-statistics-display",
            "display",
            "How to report statistics",
        )
        .value_parser(["list", "pipeline"])
        .default_value("pipeline"),
        flag(
            "mlir-disable-threading",
            "Accepted for compatibility with mlir-opt: passes run on one thread",
        ),
    ]
}

fn remarks() -> Vec<Arg> {
    vec![
        option(
            "remarks",
            "format",
            "Print remarks: what passes changed, what they did not change, why, and what would \
             help",
        )
        .value_parser(["text", "yaml"]),
        option(
            "remarks-output-file",
            "filename",
            "File for YAML remarks [default: standard error]",
        ),
        option(
            "only",
            "rule[@line[:column]]",
            "Apply only this rewrite rule, everywhere or at one place",
        ),
        option("fuel", "n", "Apply only the first n rewrites")
            .value_parser(clap::value_parser!(u64)),
        list(
            "mlir-debug-counter",
            "rule-skip=n|rule-count=n",
            "Skip the first n attempts of a rewrite rule; limit its attempts to n",
        ),
        flag(
            "mlir-print-debug-counter",
            "Print the number of attempts of each rewrite rule at exit",
        ),
        list(
            "debug-only",
            "topic",
            "Print debug output of 'greedy-rewriter', 'dialect-conversion', or the rule with this \
             name",
        ),
        flag(
            "debug",
            "Print all debug output that --debug-only can select",
        ),
    ]
}

/// Adds the options about passes, and each pass as a flag.
pub fn add_arguments(command: Command, registry: &PassRegistry) -> Command {
    let passes = registry
        .passes()
        .map(|pass| (pass.name, pass.summary(), pass.options));
    let pipelines_by_name = registry.pipelines().map(|pipeline| {
        let summary = pipeline.documentation.trim().lines().next();
        (pipeline.name, summary.unwrap_or_default(), pipeline.options)
    });
    let flags = passes
        .chain(pipelines_by_name)
        .map(|(name, summary, options)| {
            let mut help = summary.trim().to_owned();
            for option in options {
                let (form, text) = (option_form(option), option.help.trim());
                help.push_str(&format!("\n  {}=<{form}>: {text}", option.name));
            }
            Arg::new(name)
                .long(name)
                .help(help)
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("")
                .value_name("options")
                .action(ArgAction::Append)
        });
    command
        .next_help_heading(PIPELINES)
        .args(pipelines())
        .next_help_heading(OBSERVING)
        .args(observing())
        .next_help_heading(REMARKS)
        .args(remarks())
        .next_help_heading(PASSES)
        .args(flags)
}

impl PassSettings {
    /// The requested settings.
    ///
    /// # Errors
    /// If flags contradict each other or have malformed values.
    pub fn new(
        matches: &ArgMatches,
        registry: &PassRegistry,
        print: &PrintFlags,
    ) -> Result<Self, String> {
        let path = |name: &str| text(matches, name).map(PathBuf::from);
        let timing = match text(matches, "mlir-timing-display").as_deref() {
            Some("list") => TimingDisplay::List,
            _ => TimingDisplay::Tree,
        };
        let statistics = match text(matches, "mlir-pass-statistics-display").as_deref() {
            Some("list") => StatisticsDisplay::List,
            _ => StatisticsDisplay::Pipeline,
        };
        let remarks = text(matches, "remarks").map(|format| match format.as_str() {
            "yaml" => RemarkFormat::Yaml,
            _ => RemarkFormat::Text,
        });
        Ok(PassSettings {
            source: pipeline_source(matches, registry)?,
            knobs: strings(matches, "knob"),
            machine: text(matches, "machine"),
            schedule_strategy: text(matches, "schedule-strategy"),
            schedule_report: text(matches, "schedule-report"),
            rules: text(matches, "diagnostics").filter(|form| form == "page"),
            dump_pipeline: is_set(matches, "dump-pass-pipeline"),
            run_reproducer: is_set(matches, "run-reproducer"),
            verify_each: is_set(matches, "verify-each"),
            verify_roundtrip_each: is_set(matches, "verify-roundtrip-each"),
            timing: is_set(matches, "mlir-timing").then_some(timing),
            statistics: is_set(matches, "mlir-pass-statistics").then_some(statistics),
            printing: ir_printing(matches, registry, print)?,
            crash_reproducer: path("mlir-pass-pipeline-crash-reproducer"),
            local_reproducer: is_set(matches, "mlir-pass-pipeline-local-reproducer"),
            reproducer: path("mlir-generate-reproducer"),
            remarks,
            remarks_file: path("remarks-output-file"),
            control: control(matches)?,
            print_counters: is_set(matches, "mlir-print-debug-counter"),
        })
    }

    /// The remark channel to use.
    pub fn remark_channel(&self) -> Remarks {
        match self.remarks {
            None => Remarks::Off,
            Some(RemarkFormat::Text) => Remarks::Text,
            Some(RemarkFormat::Yaml) => Remarks::Yaml(String::new()),
        }
    }
}

/// The values of a repeatable option.
fn strings(matches: &ArgMatches, name: &str) -> Vec<String> {
    let values = matches.get_many::<String>(name);
    values.into_iter().flatten().cloned().collect()
}

fn control(matches: &ArgMatches) -> Result<RewriteControl, String> {
    let mut control = RewriteControl::default();
    control.fuel = matches.get_one::<u64>("fuel").copied();
    if let Some(only) = text(matches, "only") {
        let filter = RuleFilter::parse(&only).map_err(|message| format!("--only: {message}"))?;
        control.only = Some(filter);
    }
    for argument in strings(matches, "mlir-debug-counter") {
        control.counters.set(&argument)?;
    }
    if is_set(matches, "mlir-print-debug-counter") {
        control.counters.count_all();
    }
    control.trace = match strings(matches, "debug-only") {
        _ if is_set(matches, "debug") => Trace::of_everything(),
        topics => Trace::of(topics),
    };
    Ok(control)
}

/// Passes given as flags, in the order of the command line.
fn pass_flags(matches: &ArgMatches, registry: &PassRegistry) -> Vec<(String, String)> {
    let names = registry.passes().map(|pass| pass.name);
    let mut found = Vec::new();
    for name in names.chain(registry.pipelines().map(|pipeline| pipeline.name)) {
        let indices = matches.indices_of(name).into_iter().flatten();
        let options = matches.get_many::<String>(name).into_iter().flatten();
        found.extend(
            indices
                .zip(options)
                .map(|(index, text)| (index, name, text)),
        );
    }
    found.sort_unstable();
    found
        .into_iter()
        .map(|(_, name, options)| (name.to_owned(), options.clone()))
        .collect()
}

fn pipeline_source(
    matches: &ArgMatches,
    registry: &PassRegistry,
) -> Result<PipelineSource, String> {
    let flags = pass_flags(matches, registry);
    match text(matches, "pass-pipeline") {
        None => Ok(PipelineSource::Flags(flags)),
        Some(text) if flags.is_empty() => Ok(PipelineSource::Text(text)),
        Some(_) => Err("'--pass-pipeline' can't be used with individual pass options".to_owned()),
    }
}

fn ir_printing(
    matches: &ArgMatches,
    registry: &PassRegistry,
    print: &PrintFlags,
) -> Result<Option<IrPrinting>, String> {
    let selection = |all: &str, some: &str| -> Result<PassSelection, String> {
        if is_set(matches, all) {
            return Ok(PassSelection::All);
        }
        let names: Vec<String> = matches
            .get_many::<String>(some)
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        for name in &names {
            if registry.pass(name).is_none() {
                return Err(format!("--{some}: {}", registry.unknown_pass(name)));
            }
        }
        Ok(match names.as_slice() {
            [] => PassSelection::None,
            _ => PassSelection::Named(names),
        })
    };
    let before = selection("mlir-print-ir-before-all", "mlir-print-ir-before")?;
    let after = selection("mlir-print-ir-after-all", "mlir-print-ir-after")?;
    let only_after_change = is_set(matches, "mlir-print-ir-after-change");
    let only_after_failure = is_set(matches, "mlir-print-ir-after-failure");
    let mut printing = IrPrinting::new(before, after);
    if only_after_failure && printing.after == PassSelection::None {
        // As in mlir-opt, printing after failures without a selection applies to all passes.
        printing.after = PassSelection::All;
    }
    printing.only_after_change = only_after_change;
    printing.only_after_failure = only_after_failure;
    printing.module_scope = is_set(matches, "mlir-print-ir-module-scope");
    printing.flags = print.clone();
    let folder = text(matches, "mlir-print-ir-tree-dir").filter(|folder| !folder.is_empty());
    printing.tree = folder.map(|folder| IrTree::new(folder.into()));
    Ok(printing.is_on().then_some(printing))
}

impl PipelineSource {
    /// The pipeline, to run on operations named `root`.
    ///
    /// # Errors
    /// If it is malformed; the error is the message to show.
    pub fn pipeline(&self, registry: &PassRegistry, root: &str) -> Result<Pipeline, String> {
        let flags = match self {
            PipelineSource::Text(text) => {
                return registry.parse_pipeline(text).map_err(|e| e.to_string());
            }
            PipelineSource::Flags(flags) => flags,
        };
        let mut pipeline = Pipeline::on(root);
        for (name, options) in flags {
            registry
                .add_to_pipeline(&mut pipeline, name, options)
                .map_err(|error| error.to_string())?;
        }
        Ok(pipeline)
    }
}
