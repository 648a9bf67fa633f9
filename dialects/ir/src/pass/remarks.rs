//! The remark channel: reports of applied and missed transformations, with reasons.

use std::fmt::{Display, Write as _};

use crate::{Context, Diagnostic, Operation, Severity};

/// The kind of a remark.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RemarkKind {
    /// A transformation was applied.
    Passed,
    /// A transformation was not applied.
    Missed,
    /// A fact that may be of interest to the user.
    Analysis,
}

impl RemarkKind {
    /// The name in remarks.
    pub fn name(self) -> &'static str {
        match self {
            RemarkKind::Passed => "Passed",
            RemarkKind::Missed => "Missed",
            RemarkKind::Analysis => "Analysis",
        }
    }
}

/// A remark about an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The kind.
    pub kind: RemarkKind,
    /// The rule, or the part of the pass, in kebab-case.
    pub rule: String,
    /// The reason or the fact.
    pub reason: String,
    /// Advice; may be empty.
    pub help: String,
    /// Additional values by key.
    pub values: Vec<(String, String)>,
}

impl Remark {
    /// A remark without advice.
    pub fn new(kind: RemarkKind, rule: impl Into<String>, reason: impl Into<String>) -> Self {
        Remark {
            kind,
            rule: rule.into(),
            reason: reason.into(),
            help: String::new(),
            values: Vec::new(),
        }
    }

    /// Sets the advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Adds a value.
    #[must_use]
    pub fn with_value(mut self, key: impl Into<String>, value: impl Display) -> Self {
        self.values.push((key.into(), format!("{value}")));
        self
    }

    /// `[pass] Missed rule: reason; help; key=value`.
    fn text(&self, pass: &str) -> String {
        let mut text = format!(
            "[{pass}] {} {}: {}",
            self.kind.name(),
            self.rule,
            self.reason
        );
        if !self.help.is_empty() {
            text.push_str("; ");
            text.push_str(&self.help);
        }
        for (key, value) in &self.values {
            // Writing to a string cannot fail.
            let _ = write!(text, "; {key}={value}");
        }
        text
    }

    /// A YAML document in LLVM's remark format.
    fn yaml(&self, context: &Context, pass: &str, op: Operation) -> String {
        let mut text = format!("--- !{}\n", self.kind.name());
        let _ = writeln!(text, "Pass:            {}", quoted(pass));
        let _ = writeln!(text, "Name:            {}", quoted(&self.rule));
        if let Some((file, line, column)) = op.location(context).position(context) {
            let file = quoted(file.text(context));
            let _ = writeln!(
                text,
                "DebugLoc:        {{ File: {file}, Line: {line}, Column: {column} }}"
            );
        }
        let _ = writeln!(
            text,
            "Function:        {}",
            quoted(&function_of(context, op))
        );
        text.push_str("Args:\n");
        let _ = writeln!(
            text,
            "  - Operation:       {}",
            quoted(op.name_text(context))
        );
        let _ = writeln!(text, "  - Reason:          {}", quoted(&self.reason));
        if !self.help.is_empty() {
            let _ = writeln!(text, "  - Help:            {}", quoted(&self.help));
        }
        for (key, value) in &self.values {
            let _ = writeln!(text, "  - {}: {}", quoted(key), quoted(value));
        }
        text.push_str("...\n");
        text
    }
}

/// The name of the nearest symbol: the operation or an ancestor.
fn function_of(context: &Context, op: Operation) -> String {
    std::iter::once(op)
        .chain(op.ancestors(context))
        .find_map(|op| op.symbol_name(context))
        .unwrap_or_default()
        .to_owned()
}

/// A YAML scalar.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    if !text.is_empty()
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '/')
        && text.chars().all(plain)
    {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "''").replace('\n', " "))
}

/// The destination of remarks.
#[derive(Clone, Debug, Default)]
pub enum Remarks {
    /// Remarks are discarded.
    #[default]
    Off,
    /// Remarks are emitted as diagnostics.
    Text,
    /// Remarks are collected in this string as YAML.
    Yaml(String),
}

impl Remarks {
    /// Whether remarks are enabled.
    pub fn is_on(&self) -> bool {
        !matches!(self, Remarks::Off)
    }

    /// Adds a remark about `op`.
    pub fn emit(
        &mut self,
        context: &mut Context,
        pass: &'static str,
        op: Operation,
        remark: &Remark,
    ) {
        match self {
            Remarks::Off => {}
            Remarks::Text => {
                let location = op.location(context);
                let diagnostic = Diagnostic::new(Severity::Remark, location, remark.text(pass));
                context.diagnostics.emit(diagnostic);
            }
            Remarks::Yaml(text) => text.push_str(&remark.yaml(context, pass, op)),
        }
    }
}
