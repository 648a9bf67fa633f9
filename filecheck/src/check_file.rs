//! Reading a check file.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::directive::{Kind, Suffix};
use crate::expression::{BlockParser, EvaluationError, Expression, SyntaxError, parse_name};
use crate::misspelled_directives;
use crate::options::Options;
use crate::pattern::{Pattern, PatternContext};
use crate::scanner::{Found, Prefixes, Rejected, Scanner};
use crate::source::{Located, Location, Log, Sources};
use crate::variables::Variables;

/// A pattern with the prefix of its line.
#[derive(Debug)]
pub(crate) struct Check {
    pub(crate) pattern: Rc<Pattern>,
    pub(crate) prefix: Rc<str>,
}

impl Check {
    fn new(pattern: Pattern, prefix: &Rc<str>) -> Check {
        Check {
            pattern: Rc::new(pattern),
            prefix: Rc::clone(prefix),
        }
    }
}

/// A positive check line and the `NOT` and `DAG` lines before it.
#[derive(Debug)]
pub(crate) struct CheckString {
    pub(crate) check: Check,
    pub(crate) before: Vec<Check>,
}

/// All that was read.
#[derive(Debug, Default)]
pub(crate) struct CheckFile {
    pub(crate) strings: Vec<CheckString>,
    /// The buffers that hold implicit patterns, in their order.
    pub(crate) implicit_buffers: Vec<usize>,
}

impl CheckFile {
    fn push(&mut self, check: Check, before: Vec<Check>) {
        self.strings.push(CheckString { check, before });
    }
}

/// The reader's state.
pub(crate) struct Reader<'r> {
    pub(crate) options: &'r Options,
    pub(crate) sources: &'r mut Sources,
    pub(crate) variables: &'r mut Variables,
    pub(crate) log: &'r mut Log,
}

/// The `-D` options as LLVM shows them in messages, with the position of each; its length is zero if it
/// has no equal sign.
fn defines_as_text(defines: &[String]) -> (String, Vec<(usize, usize)>) {
    let mut text = String::new();
    let mut ranges = Vec::new();
    for (index, define) in defines.iter().enumerate() {
        text.push_str(&format!("Global define #{}: ", index + 1));
        let Some((name, value)) = define.split_once('=') else {
            ranges.push((text.len(), 0));
            continue;
        };
        if define.starts_with('#') {
            text.push_str(&format!("{define} (parsed as: [["));
            ranges.push((text.len(), define.len()));
            text.push_str(&format!("{name}:{value}]])\n"));
        } else {
            ranges.push((text.len(), define.len()));
            text.push_str(&format!("{define}\n"));
        }
    }
    (text, ranges)
}

/// The patterns of `--implicit-check-not`, as checks.
fn implicit_checks(implicit: &[Rc<Pattern>]) -> Vec<Check> {
    let prefix: Rc<str> = "IMPLICIT-CHECK".into();
    let check = |pattern: &Rc<Pattern>| Check {
        pattern: Rc::clone(pattern),
        prefix: Rc::clone(&prefix),
    };
    implicit.iter().map(check).collect()
}

impl Reader<'_> {
    fn report(&mut self, errors: &[SyntaxError]) {
        for error in errors {
            self.log.error(self.sources, error.location, &error.message);
            if error.is_spaced {
                self.log.line("");
            }
        }
    }

    fn reject<T>(&mut self, location: Location, message: &str) -> Result<T, Rejected> {
        self.log.error(self.sources, location, message);
        Err(Rejected)
    }

    /// Reads the text in `buffer`.
    pub(crate) fn read(&mut self, buffer: usize) -> Result<CheckFile, Rejected> {
        self.define_on_command_line()?;
        let mut file = CheckFile::default();
        let implicit = self.implicit_checks(&mut file)?;
        let text = self.sources.text(buffer);
        let prefixes = Prefixes::of(self.options);
        if !self.options.lenient {
            misspelled_directives::check_text(self.sources, self.log, buffer, &prefixes)?;
        }
        self.lines(buffer, &text, &prefixes, &implicit, &mut file)?;
        Ok(file)
    }

    fn implicit_checks(&mut self, file: &mut CheckFile) -> Result<Vec<Rc<Pattern>>, Rejected> {
        let mut patterns = Vec::new();
        let opening = "-implicit-check-not='";
        for text in &self.options.implicit_check_not {
            let line = format!("{opening}{text}'");
            let buffer = self.sources.add("command line", line.into_bytes());
            file.implicit_buffers.push(buffer);
            let located = Located {
                bytes: text.as_bytes(),
                location: Location {
                    buffer,
                    offset: opening.len(),
                },
            };
            let mut context = PatternContext {
                options: self.options,
                variables: self.variables,
                sources: self.sources,
            };
            let (pattern, result) = Pattern::parse(
                (Kind::Not, 1, false),
                "IMPLICIT-CHECK",
                located,
                None,
                &mut context,
            );
            if let Err(errors) = result {
                self.report(&errors);
                // LLVM prints the error and continues without the pattern.
                if !self.options.lenient {
                    return Err(Rejected);
                }
            }
            patterns.push(Rc::new(pattern));
        }
        Ok(patterns)
    }

    /// Reads all check lines.
    fn lines(
        &mut self,
        buffer: usize,
        text: &[u8],
        prefixes: &Prefixes,
        implicit: &[Rc<Pattern>],
        file: &mut CheckFile,
    ) -> Result<(), Rejected> {
        let mut pending = implicit_checks(implicit);
        let mut unused: BTreeSet<Rc<str>> = prefixes.checks.iter().cloned().collect();
        let distinct = unused.len();
        let mut scanner = Scanner::new(text, prefixes);
        scanner.is_lenient = self.options.lenient;
        while let Some(found) = scanner.next() {
            if !matches!(found.suffix, Suffix::Comment { .. }) {
                unused.remove(found.prefix);
            }
            let at = Location {
                buffer,
                offset: found.start,
            };
            let what = self.directive(text, &found, at)?;
            let range = scanner.skip_line(self.options.keeps_whitespace());
            let Some(what) = what else { continue };
            let offset = range.start;
            let located = Located {
                bytes: &text[range],
                location: Location { buffer, offset },
            };
            let pattern = self.pattern(what, &found, located)?;
            self.validate(&pattern, found.prefix, at, file.strings.is_empty())?;
            let check = Check::new(pattern, found.prefix);
            if matches!(what.0, Kind::Dag | Kind::Not) {
                pending.push(check);
            } else {
                let before = std::mem::replace(&mut pending, implicit_checks(implicit));
                file.push(check, before);
            }
        }
        self.used(text, &unused, distinct, implicit.is_empty())?;
        if !pending.is_empty() {
            let location = Location {
                buffer,
                offset: scanner.position,
            };
            let end = Pattern::end_of_file(location, scanner.line + 1);
            let check = Check::new(end, &prefixes.checks[0]);
            file.push(check, pending);
        }
        Ok(())
    }

    /// Rejects a file in which prefixes are not used.
    fn used(
        &mut self,
        text: &[u8],
        unused: &BTreeSet<Rc<str>>,
        distinct: usize,
        has_no_implicit: bool,
    ) -> Result<(), Rejected> {
        let none_used = unused.len() == distinct;
        let some_missing = !self.options.allow_unused_prefixes && !unused.is_empty();
        let is_default = self.options.check_prefixes.is_empty();
        if (none_used || some_missing) && (has_no_implicit || !is_default) {
            return self.reject_unused(text, unused);
        }
        Ok(())
    }

    /// Kind, count and modifier of the directive; `None` for comments.
    fn directive(
        &mut self,
        text: &[u8],
        found: &Found<'_>,
        at: Location,
    ) -> Result<Option<(Kind, u32, bool)>, Rejected> {
        let prefix = found.prefix;
        match found.suffix {
            Suffix::Directive {
                kind,
                count,
                literal,
                ..
            } => Ok(Some((kind, count, literal))),
            Suffix::Comment { .. } | Suffix::None => Ok(None),
            Suffix::Misspelled { end } => {
                let directive = String::from_utf8_lossy(&text[found.start..found.start + end]);
                let message = format!("misspelled directive '{directive}'");
                self.log.error(self.sources, at, &message);
                if !self.options.lenient {
                    let right = format!("{prefix}-{}", &directive[prefix.len() + 1..]);
                    let message = format!("did you mean '{right}'?");
                    self.log.note(self.sources, at, &message);
                }
                Err(Rejected)
            }
            Suffix::BadNot { at: offset } => {
                let message = format!("unsupported -NOT combo on prefix '{prefix}'");
                self.reject(at.plus(offset), &message)
            }
            Suffix::BadCount { at: offset } => {
                let message = format!("invalid count in -COUNT specification on prefix '{prefix}'");
                self.reject(at.plus(offset), &message)
            }
        }
    }

    fn pattern(
        &mut self,
        what: (Kind, u32, bool),
        found: &Found<'_>,
        text: Located<'_>,
    ) -> Result<Pattern, Rejected> {
        let mut context = PatternContext {
            options: self.options,
            variables: self.variables,
            sources: self.sources,
        };
        let (pattern, result) =
            Pattern::parse(what, found.prefix, text, Some(found.line), &mut context);
        match result {
            Ok(()) => Ok(pattern),
            Err(errors) => {
                self.report(&errors);
                Err(Rejected)
            }
        }
    }

    fn validate(
        &mut self,
        pattern: &Pattern,
        prefix: &str,
        at: Location,
        is_first: bool,
    ) -> Result<(), Rejected> {
        if pattern.kind == Kind::Label && pattern.has_variable() {
            let message = format!("found '{prefix}-LABEL:' with variable definition or use");
            return self.reject(at, &message);
        }
        let suffix = match pattern.kind {
            Kind::Next => "NEXT",
            Kind::Same => "SAME",
            Kind::Empty => "EMPTY",
            _ => return Ok(()),
        };
        if is_first {
            let message = format!("found '{prefix}-{suffix}' without previous '{prefix}: line");
            return self.reject(at, &message);
        }
        Ok(())
    }

    fn reject_unused(&mut self, text: &[u8], unused: &BTreeSet<Rc<str>>) -> Result<(), Rejected> {
        let plural = if unused.len() > 1 { "es" } else { "" };
        let names: Vec<String> = unused.iter().map(|prefix| format!("'{prefix}:'")).collect();
        self.log.line(&format!(
            "error: no check strings found with prefix{plural} {}",
            names.join(", ")
        ));
        if !self.options.lenient {
            for prefix in unused {
                if let Some(word) = misspelled_directives::nearest_directive_word(text, prefix) {
                    self.log.line(&format!(
                        "note: did you mean '{word}' instead of '{prefix}'?"
                    ));
                }
            }
        }
        Err(Rejected)
    }

    /// Makes the variables of `-D`.
    fn define_on_command_line(&mut self) -> Result<(), Rejected> {
        if self.options.defines.is_empty() {
            return Ok(());
        }
        let (text, ranges) = defines_as_text(&self.options.defines);
        let buffer = self
            .sources
            .add("Global defines", text.clone().into_bytes());
        let mut errors = Vec::new();
        for (start, length) in ranges {
            let define = Located {
                bytes: &text.as_bytes()[start..start + length],
                location: Location {
                    buffer,
                    offset: start,
                },
            };
            let result = match define.first() {
                None => crate::expression::syntax_error(
                    define,
                    "missing equal sign in global definition",
                ),
                Some(b'#') => self.define_number(define.skip(1)),
                Some(_) => self.define_string(define),
            };
            errors.extend(result.err().unwrap_or_default());
        }
        self.report(&errors);
        if errors.is_empty() {
            Ok(())
        } else {
            Err(Rejected)
        }
    }

    fn define_number(&mut self, text: Located<'_>) -> Result<(), Vec<SyntaxError>> {
        let block = BlockParser::new(self.variables, self.sources, None, false).block(text)?;
        let Some((name, id)) = block.definition else {
            return crate::expression::syntax_error(text, "empty variable name");
        };
        let evaluate = |expression: &Expression| expression.evaluate(self.variables);
        let Some(value) = block.expression.as_ref().map(evaluate) else {
            let end = text.skip(text.bytes.len());
            return crate::expression::syntax_error(end, "missing operand in expression");
        };
        match value {
            Ok(value) => {
                self.variables.bind_numeric(&name.text().into(), id);
                self.variables.set_numeric(id, value, None);
                Ok(())
            }
            Err(reasons) => Err(reasons
                .into_iter()
                .map(|reason| match reason {
                    EvaluationError::Undefined(extent) => SyntaxError {
                        location: extent.location,
                        message: format!("undefined variable: {}", extent.text(self.sources)),
                        is_spaced: true,
                    },
                    EvaluationError::Overflow => SyntaxError {
                        location: text.location,
                        message: "overflow error".to_owned(),
                        is_spaced: true,
                    },
                })
                .collect()),
        }
    }

    fn define_string(&mut self, text: Located<'_>) -> Result<(), Vec<SyntaxError>> {
        let equals = memchr::memchr(b'=', text.bytes).unwrap_or(text.bytes.len());
        let whole_name = text.take(equals);
        let mut rest = whole_name;
        let name = parse_name(&mut rest)?;
        if name.is_pseudo || !rest.is_empty() {
            let message = format!(
                "invalid name in string variable definition '{}'",
                whole_name.text()
            );
            return crate::expression::syntax_error(whole_name, message);
        }
        let spelling: Rc<str> = name.as_string().into();
        if self.variables.is_numeric(&spelling) {
            let message = format!("numeric variable with name '{spelling}' already exists");
            return crate::expression::syntax_error(name.text, message);
        }
        // The first of two definitions stays.
        if !self.variables.has_string_value(&spelling) {
            self.variables
                .set_string(&spelling, text.skip(equals + 1).bytes, None);
        }
        self.variables.declare_string(&spelling);
        Ok(())
    }
}
