//! Command-line definition and requested settings.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command};
use orison_ir::{ColorChoice, Palette, PrintFlags};

use crate::Caller;
use crate::arguments::{flag, list, option, switch};
use crate::expectations::Level;
use crate::split::MARKER;

/// The requested settings, except for passes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who runs the tool.
    pub caller: Caller,
    /// The input file; `-` is standard input.
    pub input: String,
    /// The output file; `-` is standard output.
    pub output: String,
    /// Whether operations, types and attributes of unknown dialects are accepted.
    pub allow_unregistered: bool,
    /// Whether the input was written by an MLIR that loaded the dialects from IRDL.
    pub irdl_form: bool,
    /// The marker between inputs; `None` to read the file as one input.
    pub split_marker: Option<String>,
    /// The marker between outputs.
    pub output_marker: String,
    /// Whether diagnostics are compared with the comments of the input.
    pub verify_diagnostics: Option<Level>,
    /// Whether the IR is verified after parsing.
    pub verify_parsed: bool,
    /// Whether printed IR must parse to the same IR.
    pub verify_roundtrip: bool,
    /// Whether several top-level operations are put into a module.
    pub implicit_module: bool,
    /// Whether errors at an operation print it.
    pub print_op_on_diagnostic: bool,
    /// Whether diagnostics have notes.
    pub notes: bool,
    /// The form of diagnostics with a number of ptxas.
    pub form: DiagnosticForm,
    /// The colours of diagnostics.
    pub palette: Palette,
    /// How IR is printed.
    pub print: PrintFlags,
    /// Whether unverified IR is printed in custom form.
    pub assume_verified: bool,
    /// Whether the output is bytecode.
    pub emit_bytecode: bool,
    /// The version of the bytecode; by default the current one.
    pub bytecode_version: Option<i64>,
    /// Whether bytecode contains only the keys of resources.
    pub elide_resources: bool,
}

/// The form of diagnostics that have a number of ptxas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagnosticForm {
    /// As all diagnostics: `file:line:column: warning: (C7511) …`.
    Mlir,
    /// As ptxas writes them: `ptxas info    : (C7511) …`, so that outputs can be compared.
    Ptxas,
}

const GENERAL: &str = "General options";
const CHECKING: &str = "Checking";
const LISTING: &str = "Listing";
const PRINTING: &str = "Printing IR";

fn general() -> Vec<Arg> {
    vec![
        Arg::new("input")
            .help("Input file; - is standard input")
            .default_value("-")
            .value_name("input file"),
        Arg::new("output")
            .short('o')
            .help("Output file; - is standard output")
            .default_value("-")
            .value_name("filename"),
        flag(
            "allow-unregistered-dialect",
            "Allow operations with no registered dialects",
        ),
        option(
            "split-input-file",
            "marker",
            "Split the input file at the marker and process each part independently",
        )
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value(MARKER),
        option(
            "output-split-marker",
            "marker",
            "Marker between the outputs of a split input",
        )
        .default_value(MARKER)
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value(MARKER),
        flag(
            "no-implicit-module",
            "Do not put the top-level operations into a module",
        ),
        flag("emit-bytecode", "Write MLIR bytecode in place of text"),
        option(
            "emit-bytecode-version",
            "value",
            "Write bytecode of this version, for older readers",
        )
        .allow_negative_numbers(true)
        .value_parser(clap::value_parser!(i64)),
        flag(
            "elide-resource-data-from-bytecode",
            "Write only the keys of resources into bytecode",
        ),
        option(
            "color",
            "when",
            "Colours in diagnostics: auto, always or never; auto depends on the terminal, NO_COLOR \
             and CLICOLOR_FORCE",
        )
        .num_args(0..=1)
        .require_equals(true)
        .default_value("auto")
        .default_missing_value("always")
        .value_parser(str::parse::<ColorChoice>),
    ]
}

fn checking() -> Vec<Arg> {
    vec![
        option(
            "diagnostics",
            "form",
            "The form of diagnostics that have a number of ptxas: mlir, as all others, or ptxas, as \
             ptxas writes them; page is mlir, with rules=page for the passes that have an option \
             'rules' and do not set it",
        )
        .value_parser(["mlir", "ptxas", "page"])
        .default_value("mlir"),
        option(
            "verify-diagnostics",
            "level",
            "Check diagnostics against expected-* comments; only-expected ignores all others",
        )
        .num_args(0..=1)
        .require_equals(true)
        .value_parser(["all", "only-expected", ""])
        .default_missing_value("all"),
        switch(
            "verify-each",
            "Run the verifier after each transformation pass",
            true,
        ),
        flag(
            "verify-roundtrip",
            "Check that printed IR parses to the same IR",
        ),
        flag(
            "mlir-very-unsafe-disable-verifier-on-parsing",
            "Do not verify the IR after parsing",
        ),
        switch(
            "mlir-print-op-on-diagnostic",
            "Attach a note with the operation to its diagnostics",
            true,
        ),
        flag("mlir-disable-diagnostic-notes", "Do not print notes"),
    ]
}

fn printing() -> Vec<Arg> {
    vec![
        flag(
            "mlir-print-op-generic",
            "Print the generic form of operations",
        ),
        option(
            "print-width",
            "columns",
            "Print lines of at most this many columns, unless a token is longer",
        )
        .value_parser(clap::value_parser!(u32).range(1..)),
        flag("mlir-print-debuginfo", "Print locations"),
        flag(
            "print-irdl-form",
            "Print the form for an MLIR that loads the dialects from --emit-irdl",
        ),
        flag(
            "parse-irdl-form",
            "Read the form that such an MLIR prints: parameters are plain attributes",
        ),
        flag(
            "mlir-print-local-scope",
            "Print without aliases for attributes, types and locations",
        ),
        flag(
            "mlir-print-unique-ssa-ids",
            "Number values uniquely across all regions",
        ),
        flag(
            "mlir-print-value-users",
            "Print users of values in a comment",
        ),
        flag(
            "mlir-use-nameloc-as-prefix",
            "Name values after their name locations",
        ),
        option(
            "mlir-elide-elementsattrs-if-larger",
            "uint",
            "Elide elements attributes with more elements than this",
        )
        .value_parser(clap::value_parser!(u64)),
        option(
            "mlir-elide-resource-strings-if-larger",
            "uint",
            "Elide resources in the file metadata that are longer than this",
        )
        .value_parser(clap::value_parser!(usize)),
        option(
            "mlir-print-elementsattrs-with-hex-if-larger",
            "long",
            "Print elements attributes with more elements than this in hexadecimal; -1 for never",
        )
        .allow_negative_numbers(true)
        .value_parser(clap::value_parser!(i64)),
        flag(
            "mlir-pretty-debuginfo",
            "Print locations in a readable form that cannot be parsed",
        ),
        flag(
            "mlir-print-skip-regions",
            "Print an ellipsis in place of regions",
        ),
        flag(
            "mlir-print-assume-verified",
            "Print custom forms without verifying first",
        ),
    ]
}

fn listing() -> Vec<Arg> {
    vec![
        flag(
            "list-passes",
            "List passes with their options and where they are declared",
        ),
        flag(
            "list-patterns",
            "List rewrite rules with their roots, benefits and sets, and where they are declared",
        )
        .visible_alias("list-rules"),
        flag("list-ops", "List operations and where they are declared"),
        flag("show-dialects", "Print the names of the dialects"),
        option(
            "emit-dialect-docs",
            "dialect",
            "Print the documentation page of a dialect",
        ),
        option(
            "emit-dialect-overview",
            "dialect",
            "Print a page of a dialect with its operations in tables",
        ),
        list(
            "emit-irdl",
            "dialect",
            "Print dialects as IRDL, for mlir-opt --irdl-file",
        ),
        option(
            "dump-machine",
            "name",
            "Print a machine model, to edit and pass with --machine=<file>.toml",
        ),
    ]
}

/// The command line without passes.
pub fn command(name: &'static str) -> Command {
    Command::new(name)
        .about("Runs passes on MLIR text")
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(100)
        .args_override_self(false)
        .next_help_heading(GENERAL)
        .args(general())
        .next_help_heading(CHECKING)
        .args(checking())
        .next_help_heading(LISTING)
        .args(listing())
        .next_help_heading(PRINTING)
        .args(printing())
}

/// Whether a flag is set.
pub fn is_set(matches: &ArgMatches, name: &str) -> bool {
    matches.get_one::<bool>(name).copied().unwrap_or_default()
}

/// The value of an option.
pub fn text(matches: &ArgMatches, name: &str) -> Option<String> {
    matches.get_one::<String>(name).cloned()
}

impl Settings {
    /// The requested settings.
    pub fn new(matches: &ArgMatches, caller: Caller) -> Self {
        let color = matches.get_one::<ColorChoice>("color");
        let color = color.filter(|choice| **choice != ColorChoice::Auto);
        let verify_diagnostics = text(matches, "verify-diagnostics").map(|level| {
            if level == "only-expected" {
                Level::OnlyExpected
            } else {
                Level::All
            }
        });
        Settings {
            caller,
            input: text(matches, "input").unwrap_or_default(),
            output: text(matches, "output").unwrap_or_default(),
            allow_unregistered: is_set(matches, "allow-unregistered-dialect"),
            irdl_form: is_set(matches, "parse-irdl-form"),
            split_marker: text(matches, "split-input-file").filter(|marker| !marker.is_empty()),
            output_marker: text(matches, "output-split-marker").unwrap_or_default(),
            verify_parsed: !is_set(matches, "mlir-very-unsafe-disable-verifier-on-parsing"),
            verify_roundtrip: is_set(matches, "verify-roundtrip"),
            implicit_module: !is_set(matches, "no-implicit-module"),
            // As in mlir-opt: otherwise the note would have to be expected every time.
            print_op_on_diagnostic: verify_diagnostics.is_none()
                && is_set(matches, "mlir-print-op-on-diagnostic"),
            notes: !is_set(matches, "mlir-disable-diagnostic-notes"),
            verify_diagnostics,
            form: match text(matches, "diagnostics").as_deref() {
                Some("ptxas") => DiagnosticForm::Ptxas,
                _ => DiagnosticForm::Mlir,
            },
            palette: color.copied().unwrap_or(caller.color()).palette(),
            print: print_flags(matches),
            assume_verified: is_set(matches, "mlir-print-assume-verified"),
            emit_bytecode: is_set(matches, "emit-bytecode"),
            bytecode_version: matches.get_one::<i64>("emit-bytecode-version").copied(),
            elide_resources: is_set(matches, "elide-resource-data-from-bytecode"),
        }
    }

    /// The name of the input in locations.
    pub fn input_name(&self) -> String {
        match self.input.as_str() {
            "-" => "<stdin>".to_owned(),
            path => path.to_owned(),
        }
    }

    /// The output path; `None` is standard output.
    pub fn output_path(&self) -> Option<PathBuf> {
        (self.output != "-").then(|| PathBuf::from(&self.output))
    }
}

fn print_flags(matches: &ArgMatches) -> PrintFlags {
    PrintFlags {
        generic: is_set(matches, "mlir-print-op-generic") || is_set(matches, "print-irdl-form"),
        debug_info: is_set(matches, "mlir-print-debuginfo"),
        local_scope: is_set(matches, "mlir-print-local-scope"),
        elide_elements_if_larger: matches
            .get_one::<u64>("mlir-elide-elementsattrs-if-larger")
            .copied(),
        skip_regions: is_set(matches, "mlir-print-skip-regions"),
        unique_names: is_set(matches, "mlir-print-unique-ssa-ids"),
        value_users: is_set(matches, "mlir-print-value-users"),
        name_locations_as_prefix: is_set(matches, "mlir-use-nameloc-as-prefix"),
        elide_resources_if_larger: matches
            .get_one::<usize>("mlir-elide-resource-strings-if-larger")
            .copied(),
        hex_elements_if_larger: matches
            .get_one::<i64>("mlir-print-elementsattrs-with-hex-if-larger")
            .map(|&limit| u64::try_from(limit).unwrap_or(u64::MAX)),
        pretty_debug_info: is_set(matches, "mlir-pretty-debuginfo"),
        irdl: is_set(matches, "print-irdl-form"),
        width: matches
            .get_one::<u32>("print-width")
            .map(|&columns| columns as usize),
    }
}
