//! The command line of FileCheck.
//!
//! Names may start with one dash or two, values follow after `=` or as the next argument, and
//! `FILECHECK_OPTS` comes before the command line.

use crate::options::{DumpFilter, DumpInput, Options};

/// The text of `--help`.
pub(super) const HELP: &str = include_str!("help.txt");

/// What to do.
#[derive(Debug)]
pub(super) enum Command {
    Help,
    Version,
    Run(Box<Parsed>),
}

/// A command line.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) options: Options,
    pub(super) check_file: Option<String>,
    pub(super) input_file: Option<String>,
    /// `--color`, if given.
    pub(super) color: Option<bool>,
}

/// An option's name and what follows it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Nothing, or `=true` and the like.
    Flag,
    Value,
}

/// All options. One that is given again replaces its value or adds to it.
const OPTIONS: [(&str, Takes); 24] = [
    ("allow-deprecated-dag-overlap", Takes::Flag),
    ("allow-empty", Takes::Flag),
    ("allow-unused-prefixes", Takes::Flag),
    ("check-prefix", Takes::Value),
    ("check-prefixes", Takes::Value),
    ("color", Takes::Flag),
    ("comment-prefixes", Takes::Value),
    ("dump-input", Takes::Value),
    ("dump-input-context", Takes::Value),
    ("dump-input-filter", Takes::Value),
    ("dump-input-label-width", Takes::Value),
    ("enable-var-scope", Takes::Flag),
    ("help", Takes::Flag),
    ("help-list", Takes::Flag),
    ("h", Takes::Flag),
    ("ignore-case", Takes::Flag),
    ("implicit-check-not", Takes::Value),
    ("input-file", Takes::Value),
    ("lenient", Takes::Flag),
    ("match-full-lines", Takes::Flag),
    ("strict-whitespace", Takes::Flag),
    ("v", Takes::Flag),
    ("version", Takes::Flag),
    ("vv", Takes::Flag),
];

struct ArgumentParser<'p> {
    program: &'p str,
    parsed: Parsed,
    dump_inputs: Vec<DumpInput>,
    dump_filters: Vec<DumpFilter>,
    dump_contexts: Vec<usize>,
    verbose: bool,
    very_verbose: bool,
    special: Option<Command>,
}

/// Splits text as a shell would: blanks separate, quotes and backslashes protect.
///
/// ```
/// use orison_filecheck::tool::parse_response;
/// assert_eq!(parse_response("-v '-D X=a b' c\\ d"), ["-v", "-D X=a b", "c d"]);
/// ```
#[must_use]
pub fn parse_response(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => word.get_or_insert_default().extend(characters.next()),
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(characters.by_ref().take_while(|inner| *inner != '\''));
            }
            '"' => {
                let word = word.get_or_insert_default();
                while let Some(inner) = characters.next() {
                    match inner {
                        '"' => break,
                        '\\' => word.extend(characters.next()),
                        _ => word.push(inner),
                    }
                }
            }
            blank if blank.is_ascii_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

/// Reads the environment's options and the command line. The error is ready to print.
pub(super) fn parse(
    program: &str,
    environment: Option<&str>,
    arguments: &[String],
) -> Result<Command, String> {
    let mut parser = ArgumentParser {
        program,
        parsed: Parsed::default(),
        dump_inputs: Vec::new(),
        dump_filters: Vec::new(),
        dump_contexts: Vec::new(),
        verbose: false,
        very_verbose: false,
        special: None,
    };
    let mut all = environment.map(parse_response).unwrap_or_default();
    all.extend_from_slice(arguments);
    parser.all(&all)?;
    if let Some(command) = parser.special {
        return Ok(command);
    }
    let mut parsed = parser.parsed;
    // Of several values the one that shows most counts.
    parsed.options.dump_input = parser.dump_inputs.into_iter().max().unwrap_or_default();
    parsed.options.verbose = match (parser.verbose, parser.very_verbose) {
        (_, true) => 2,
        (true, false) => 1,
        (false, false) => 0,
    };
    parsed.options.dump_filter = parser.dump_filters.into_iter().max();
    parsed.options.dump_context = parser.dump_contexts.into_iter().max().unwrap_or(5);
    Ok(Command::Run(Box::new(parsed)))
}

impl ArgumentParser<'_> {
    fn error<T>(&self, message: &str) -> Result<T, String> {
        Err(format!("{}: {message}\n", self.program))
    }

    fn all(&mut self, arguments: &[String]) -> Result<(), String> {
        let mut rest = arguments.iter();
        let mut options_ended = false;
        while let Some(argument) = rest.next() {
            if options_ended || !argument.starts_with('-') || argument == "-" {
                self.positional(argument)?;
                continue;
            }
            if argument == "--" {
                options_ended = true;
                continue;
            }
            let name = argument.strip_prefix("--").unwrap_or(&argument[1..]);
            let (name, joined) = match name.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (name, None),
            };
            let known = OPTIONS.iter().find(|(known, _)| *known == name);
            let Some(&(name, takes)) = known else {
                self.unknown(argument)?;
                continue;
            };
            match takes {
                Takes::Flag => {
                    let value = self.flag(name, joined)?;
                    self.set_flag(name, value);
                }
                Takes::Value => {
                    let value = joined.map(str::to_owned).or_else(|| rest.next().cloned());
                    let Some(value) = value else {
                        return self.error(&format!("for the --{name} option: requires a value!"));
                    };
                    self.set_value(name, value)?;
                }
            }
        }
        Ok(())
    }

    fn positional(&mut self, argument: &str) -> Result<(), String> {
        if self.parsed.check_file.is_some() {
            let program = self.program;
            return self.error(&format!(
                "Too many positional arguments specified!\nCan specify at most 1 positional \
                 arguments: See: {program} --help"
            ));
        }
        self.parsed.check_file = Some(argument.to_owned());
        Ok(())
    }

    /// A definition, or a mistake.
    fn unknown(&mut self, argument: &str) -> Result<(), String> {
        let name = argument.strip_prefix("--").unwrap_or(&argument[1..]);
        if name == "D" {
            return self.error("for the -D option: requires a value!");
        }
        if let Some(definition) = name.strip_prefix('D') {
            self.parsed.options.defines.push(definition.to_owned());
            return Ok(());
        }
        let program = self.program;
        let mut message = format!(
            "{program}: Unknown command line argument '{argument}'.  Try: '{program} --help'\n"
        );
        let word = name.split('=').next().unwrap_or(name);
        let nearest = OPTIONS
            .iter()
            .map(|(known, _)| {
                let limit = usize::MAX;
                (
                    crate::edit_distance::edit_distance(word.as_bytes(), known.as_bytes(), limit),
                    *known,
                )
            })
            .min();
        if let Some((_, nearest)) = nearest {
            message.push_str(&format!("{program}: Did you mean '--{nearest}'?\n"));
        }
        Err(message)
    }

    fn flag(&self, name: &str, value: Option<&str>) -> Result<bool, String> {
        match value {
            None | Some("" | "true" | "TRUE" | "True" | "1") => Ok(true),
            Some("false" | "FALSE" | "False" | "0") => Ok(false),
            Some(other) => self.error(&format!(
                "for the --{name} option: '{other}' is invalid value for boolean argument! Try 0 \
                 or 1"
            )),
        }
    }

    fn set_flag(&mut self, name: &str, value: bool) {
        let options = &mut self.parsed.options;
        match name {
            "allow-deprecated-dag-overlap" => options.allow_deprecated_dag_overlap = value,
            "allow-empty" => options.allow_empty = value,
            "allow-unused-prefixes" => options.allow_unused_prefixes = value,
            "color" => self.parsed.color = Some(value),
            "enable-var-scope" => options.enable_var_scope = value,
            "ignore-case" => options.ignore_case = value,
            "lenient" => options.lenient = value,
            "match-full-lines" => options.match_full_lines = value,
            "strict-whitespace" => options.strict_whitespace = value,
            "v" => self.verbose = value,
            "vv" => self.very_verbose = value,
            "help" | "help-list" | "h" if value => self.special = Some(Command::Help),
            "version" if value && self.special.is_none() => {
                self.special = Some(Command::Version);
            }
            _ => {}
        }
    }

    fn set_value(&mut self, name: &str, value: String) -> Result<(), String> {
        let options = &mut self.parsed.options;
        let list = |value: &str| value.split(',').map(str::to_owned).collect::<Vec<_>>();
        match name {
            "check-prefix" => options.check_prefixes.push(value),
            "check-prefixes" => options.check_prefixes.extend(list(&value)),
            "comment-prefixes" => options.comment_prefixes.extend(list(&value)),
            "implicit-check-not" => options.implicit_check_not.push(value),
            "input-file" => self.parsed.input_file = Some(value),
            "dump-input" => {
                let mode = match value.as_str() {
                    "help" => DumpInput::Help,
                    "always" => DumpInput::Always,
                    "fail" => DumpInput::Fail,
                    "never" => DumpInput::Never,
                    _ => return self.no_such_value(name, &value),
                };
                self.dump_inputs.push(mode);
            }
            "dump-input-filter" => {
                let filter = match value.as_str() {
                    "all" => DumpFilter::All,
                    "annotation-full" => DumpFilter::AnnotationFull,
                    "annotation" => DumpFilter::Annotation,
                    "error" => DumpFilter::Error,
                    _ => return self.no_such_value(name, &value),
                };
                self.dump_filters.push(filter);
            }
            _ => {
                let Ok(number) = value.parse::<u32>() else {
                    return self.error(&format!(
                        "for the --{name} option: '{value}' value invalid for uint argument!"
                    ));
                };
                // Beyond this a label column would only fill the memory.
                let number = number as usize;
                if name == "dump-input-context" {
                    self.dump_contexts.push(number);
                } else {
                    options.dump_label_width = number.min(1 << 16);
                }
            }
        }
        Ok(())
    }

    fn no_such_value<T>(&self, name: &str, value: &str) -> Result<T, String> {
        self.error(&format!(
            "for the --{name} option: Cannot find option named '{value}'!"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::parse_response;

    #[test]
    fn quotes_and_backslashes_protect_blanks() {
        let words = ["a b", "c\"d", "e'f\\", "", "g h"];
        assert_eq!(parse_response("'a b' c'\"'d \"e'f\\\\\" '' g\\ h"), words);
        assert_eq!(parse_response(" \n"), [""; 0]);
    }
}
