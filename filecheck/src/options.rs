//! Options of a run.

/// When to print the input with annotations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum DumpInput {
    /// Not at all; verbose remarks are printed one by one instead.
    Never,
    /// When the check fails.
    #[default]
    Fail,
    /// Always.
    Always,
    /// Explain the annotations and do nothing else.
    Help,
}

/// Which lines of the input a dump shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DumpFilter {
    /// Lines on which an error annotation starts.
    Error,
    /// Lines on which an annotation starts.
    Annotation,
    /// Lines with annotations.
    AnnotationFull,
    /// All lines.
    All,
}

/// Options of FileCheck, named as on its command line.
///
/// ```
/// use orison_filecheck::{Options, check_with};
///
/// let options = Options { match_full_lines: true, ..Options::default() };
/// assert!(check_with("add r1\n", "CHECK: add", &options).is_err());
/// assert!(check_with("add r1\n", "CHECK: add r1", &options).is_ok());
/// ```
#[derive(Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "they mirror independent command-line flags"
)]
pub struct Options {
    /// Prefixes of check lines; `CHECK` if empty.
    pub check_prefixes: Vec<String>,
    /// Prefixes of comments; `COM` and `RUN` if empty.
    pub comment_prefixes: Vec<String>,
    /// Definitions `VAR=VALUE` and `#VAR=EXPRESSION`.
    pub defines: Vec<String>,
    /// Patterns that must not match between any two matches.
    pub implicit_check_not: Vec<String>,
    /// Do not fold horizontal white space.
    pub strict_whitespace: bool,
    /// Positive patterns must match whole lines.
    pub match_full_lines: bool,
    /// ASCII letters match in either case.
    pub ignore_case: bool,
    /// Empty input is not an error.
    pub allow_empty: bool,
    /// Unused prefixes are not an error.
    pub allow_unused_prefixes: bool,
    /// Variables without `$` are forgotten at each `CHECK-LABEL`.
    pub enable_var_scope: bool,
    /// Matches of one group of `CHECK-DAG` may overlap.
    pub allow_deprecated_dag_overlap: bool,
    /// 0, 1 for `-v`, 2 for `-vv`.
    pub verbose: u8,
    /// When to dump the input.
    pub dump_input: DumpInput,
    /// What to dump; `None` is [`DumpFilter::Error`] for dumps on failure and
    /// [`DumpFilter::All`] for others.
    pub dump_filter: Option<DumpFilter>,
    /// How many lines to dump around each line of interest.
    pub dump_context: usize,
    /// The least width of the column of labels in a dump.
    pub dump_label_width: usize,
    /// Print with colour.
    pub color: bool,
    /// Do what LLVM's FileCheck does with lines that are most likely mistakes: ignore them. The
    /// default is to reject them.
    pub lenient: bool,
    /// The name of the check file in messages.
    pub check_name: String,
    /// The name of the input in messages.
    pub input_name: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            check_prefixes: Vec::new(),
            comment_prefixes: Vec::new(),
            defines: Vec::new(),
            implicit_check_not: Vec::new(),
            strict_whitespace: false,
            match_full_lines: false,
            ignore_case: false,
            allow_empty: false,
            allow_unused_prefixes: false,
            enable_var_scope: false,
            allow_deprecated_dag_overlap: false,
            verbose: 0,
            dump_input: DumpInput::default(),
            dump_filter: None,
            dump_context: 5,
            dump_label_width: 0,
            color: false,
            lenient: false,
            check_name: "<checks>".to_owned(),
            input_name: "<stdin>".to_owned(),
        }
    }
}

impl Options {
    pub(crate) fn keeps_whitespace(&self) -> bool {
        self.strict_whitespace && self.match_full_lines
    }
}
