//! Commands that are part of the shell.

use std::path::{Path, PathBuf};

use super::diff::{DiffOptions, compare, compare_directories};
use super::{Environment, Word};
use crate::lit::tools::{Call, Tools};
use crate::tool::{self, Surroundings, reason};

/// Commands that act on the shell itself, so that they cannot be part of a pipeline.
pub(super) const IN_SHELL: [&str; 9] = [
    "cd", "export", "mkdir", "popd", "pushd", "rm", "ulimit", "umask", ":",
];

/// Commands that run like programs, but in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    Cat,
    Count,
    Diff,
    Echo,
    False,
    FileCheck,
    True,
}

impl Builtin {
    pub(super) fn named(name: &str) -> Option<Builtin> {
        Some(match name {
            "cat" => Builtin::Cat,
            "count" => Builtin::Count,
            "diff" => Builtin::Diff,
            "echo" => Builtin::Echo,
            "false" => Builtin::False,
            "FileCheck" | "orison-filecheck" => Builtin::FileCheck,
            "true" => Builtin::True,
            _ => return None,
        })
    }

    pub(super) fn run(self, tools: &Tools, call: &mut Call<'_>) -> i32 {
        match self {
            Builtin::Cat => cat(call),
            Builtin::Count => count(call),
            Builtin::Diff => diff(call),
            Builtin::Echo => echo(call),
            Builtin::False => 1,
            Builtin::FileCheck => file_check(tools, call),
            Builtin::True => 0,
        }
    }
}

/// Applies the assignments and options of `env`. Returns how many arguments they take.
pub(super) fn update_environment(environment: &mut Environment, words: &[Word]) -> usize {
    let mut used = 1;
    let mut unsets = false;
    for word in &words[1..] {
        let text = word.text.as_str();
        if std::mem::take(&mut unsets) {
            environment.variables.remove(text);
        } else if text == "-u" {
            unsets = true;
        } else if text == "-i" {
            environment.variables.clear();
        } else if let Some((name, value)) = text.split_once('=') {
            environment
                .variables
                .insert(name.to_owned(), value.to_owned());
        } else {
            break;
        }
        used += 1;
    }
    used
}

/// Replaces `%{readfile:NAME}` with the contents of the file.
pub(super) fn read_files(text: &str, directory: &Path) -> Result<String, String> {
    const OPENING: &str = "%{readfile:";
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(OPENING) {
        let inside = &rest[at + OPENING.len()..];
        let Some(end) = inside.find('}') else { break };
        out.push_str(&rest[..at]);
        let path = directory.join(&inside[..end]);
        let contents = std::fs::read(&path).map_err(|_| {
            let path = path.display();
            format!("File specified in readfile substitution does not exist: {path}")
        })?;
        out.push_str(&String::from_utf8_lossy(&contents));
        rest = &inside[end + 1..];
    }
    Ok(out + rest)
}

/// Runs one of [`IN_SHELL`]. Returns its code and error output.
pub(super) fn run_in_shell(
    name: &str,
    arguments: &[String],
    environment: &mut Environment,
) -> Result<(i32, String), String> {
    let done = Ok((0, String::new()));
    match (name, arguments) {
        (":", _) => done,
        ("cd", [directory]) => {
            environment.directory = normal(&environment.directory.join(directory));
            done
        }
        ("pushd", [directory]) => {
            let target = normal(&environment.directory.join(directory));
            environment
                .stack
                .push(std::mem::replace(&mut environment.directory, target));
            done
        }
        ("popd", []) => {
            let Some(directory) = environment.stack.pop() else {
                return Err("popd: directory stack empty".to_owned());
            };
            environment.directory = directory;
            done
        }
        ("export", [assignment]) => {
            if let Some((name, value)) = assignment.split_once('=') {
                environment
                    .variables
                    .insert(name.to_owned(), value.to_owned());
            }
            done
        }
        ("cd" | "pushd" | "export", _) => Err(format!("'{name}' supports only one argument")),
        ("popd", _) => Err("'popd' does not support arguments".to_owned()),
        ("mkdir", _) => make_directories(arguments, &environment.directory),
        ("rm", _) => remove(arguments, &environment.directory),
        ("umask", _) => environment.limits.umask(arguments).and(done),
        _ => environment.limits.ulimit(arguments).and(done),
    }
}

/// Removes `.` and `..` from the path.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::ParentDir => {
                out.pop();
            }
            std::path::Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

/// Splits options from operands; options may come anywhere before `--`.
fn options(
    command: &str,
    arguments: &[String],
    allowed: &str,
    long: &[&str],
) -> Result<(Vec<String>, Vec<String>), String> {
    let mut found = Vec::new();
    let mut operands = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            operands.extend(rest.cloned());
            break;
        }
        if let Some(name) = argument.strip_prefix("--") {
            if !long.contains(&name) {
                return Err(format!(
                    "Unsupported: '{command}':  option --{name} not recognized"
                ));
            }
            found.push(name.to_owned());
        } else if let Some(letters) = argument.strip_prefix('-').filter(|rest| !rest.is_empty()) {
            for letter in letters.chars() {
                if !allowed.contains(letter) {
                    let message = format!("option -{letter} not recognized");
                    return Err(format!("Unsupported: '{command}':  {message}"));
                }
                found.push(letter.to_string());
            }
        } else {
            operands.push(argument.clone());
        }
    }
    Ok((found, operands))
}

fn make_directories(arguments: &[String], directory: &Path) -> Result<(i32, String), String> {
    let (options, operands) = options("mkdir", arguments, "p", &[])?;
    if operands.is_empty() {
        return Err("Error: 'mkdir' is missing an operand".to_owned());
    }
    let mut code = 0;
    let mut stderr = String::new();
    for operand in operands {
        let path = directory.join(operand);
        let result = if options.is_empty() {
            match std::fs::create_dir(&path) {
                Err(_) if path.is_dir() => Ok(()),
                result => result,
            }
        } else {
            std::fs::create_dir_all(&path)
        };
        if let Err(error) = result {
            let (path, reason) = (path.display(), reason(&error));
            stderr.push_str(&format!(
                "Error: 'mkdir' command failed, {reason}: '{path}'\n"
            ));
            code = 1;
        }
    }
    Ok((code, stderr))
}

fn remove(arguments: &[String], directory: &Path) -> Result<(i32, String), String> {
    let (options, operands) = options("rm", arguments, "frR", &["recursive"])?;
    if operands.is_empty() {
        return Err("Error: 'rm' is missing an operand".to_owned());
    }
    let force = options.iter().any(|option| option == "f");
    let recursive = options.iter().any(|option| option != "f");
    let mut code = 0;
    let mut stderr = String::new();
    for operand in operands {
        let path = directory.join(operand);
        let Ok(metadata) = path.symlink_metadata() else {
            if !force {
                let path = path.display();
                stderr.push_str(&format!(
                    "Error: 'rm' command failed, no such file: '{path}'\n"
                ));
                code = 1;
            }
            continue;
        };
        let result = if !metadata.is_dir() {
            std::fs::remove_file(&path)
        } else if recursive {
            std::fs::remove_dir_all(&path)
        } else {
            stderr.push_str(&format!("Error: {} is a directory\n", path.display()));
            code = 1;
            continue;
        };
        if let Err(error) = result {
            stderr.push_str(&format!("Error: 'rm' command failed, {}\n", reason(&error)));
            code = 1;
        }
    }
    Ok((code, stderr))
}

fn complain(call: &mut Call<'_>, message: &str) -> i32 {
    call.stderr.extend_from_slice(message.as_bytes());
    call.stderr.push(b'\n');
    1
}

fn echo(call: &mut Call<'_>) -> i32 {
    let mut arguments = call.arguments;
    let mut interprets = false;
    let mut ends_line = true;
    while let Some((flag @ ("-e" | "-n"), rest)) = arguments
        .split_first()
        .map(|(first, rest)| (first.as_str(), rest))
    {
        match flag {
            "-e" => interprets = true,
            _ => ends_line = false,
        }
        arguments = rest;
    }
    let text = arguments.join(" ");
    if interprets {
        unescape_into(&mut call.stdout, &text);
    } else {
        call.stdout.extend_from_slice(text.as_bytes());
    }
    if ends_line {
        call.stdout.push(b'\n');
    }
    0
}

/// Removes up to `digits` digits from the front and returns their value.
fn take_number(rest: &mut &[u8], radix: u32, digits: usize) -> u8 {
    let mut value = 0;
    for _ in 0..digits {
        let Some((first, behind)) = rest.split_first() else {
            break;
        };
        let Some(digit) = char::from(*first).to_digit(radix) else {
            break;
        };
        value = value * radix + digit;
        *rest = behind;
    }
    value as u8
}

/// Resolves the escapes of `echo -e`.
fn unescape_into(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        let Some((&escaped, after)) = rest.split_first().filter(|_| byte == b'\\') else {
            out.push(byte);
            continue;
        };
        let plain = match escaped {
            b'x' => {
                rest = after;
                out.push(take_number(&mut rest, 16, 2));
                continue;
            }
            b'0'..=b'7' => {
                out.push(take_number(&mut rest, 8, 3));
                continue;
            }
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'\\' | b'\'' | b'"' => escaped,
            _ => {
                // Not an escape: both characters are kept.
                out.push(byte);
                continue;
            }
        };
        out.push(plain);
        rest = after;
    }
}

fn read_operand(call: &mut Call<'_>, name: &str) -> std::io::Result<Vec<u8>> {
    if name == "-" {
        let mut text = Vec::new();
        call.input.read_to_end(&mut text)?;
        return Ok(text);
    }
    std::fs::read(call.directory.join(name))
}

fn cat(call: &mut Call<'_>) -> i32 {
    let (options, mut files) = match options("cat", call.arguments, "v", &["show-nonprinting"]) {
        Ok(parsed) => parsed,
        Err(message) => return complain(call, &message),
    };
    if files.is_empty() {
        files.push("-".to_owned());
    }
    for file in files {
        match read_operand(call, &file) {
            Ok(text) if options.is_empty() => call.stdout.extend(text),
            Ok(text) => text
                .iter()
                .for_each(|byte| show_nonprinting(&mut call.stdout, *byte)),
            Err(error) => {
                let message = format!("cat: {file}: {}", reason(&error));
                return complain(call, &message);
            }
        }
    }
    0
}

fn show_nonprinting(out: &mut Vec<u8>, byte: u8) {
    if matches!(byte, b'\t' | b'\n') {
        out.push(byte);
        return;
    }
    if byte > 127 {
        out.extend_from_slice(b"M-");
    }
    match byte & 127 {
        low @ 0..=31 => out.extend_from_slice(&[b'^', low + 64]),
        127 => out.extend_from_slice(b"^?"),
        plain => out.push(plain),
    }
}

fn count(call: &mut Call<'_>) -> i32 {
    let [expected] = call.arguments else {
        complain(call, "usage: count <expected line count>");
        return 2;
    };
    let Ok(expected) = expected.parse::<usize>() else {
        let message = format!("count: invalid line count argument '{expected}'");
        complain(call, &message);
        return 2;
    };
    let mut text = Vec::new();
    if call.input.read_to_end(&mut text).is_err() {
        complain(call, "count: error reading the input");
        return 3;
    }
    let lines = memchr::memchr_iter(b'\n', &text).count()
        + usize::from(text.last().is_some_and(|byte| *byte != b'\n'));
    if lines == expected {
        return 0;
    }
    complain(call, &format!("Expected {expected} lines, got {lines}."))
}

fn file_check(tools: &Tools, call: &mut Call<'_>) -> i32 {
    let mut arguments = call.arguments.to_vec();
    if tools.is_lenient() {
        arguments.insert(0, "--lenient".to_owned());
    }
    let outcome = tool::main(
        &arguments,
        &mut Surroundings {
            program: "FileCheck",
            environment_options: call.environment.get("FILECHECK_OPTS").cloned(),
            directory: call.directory,
            input: &mut *call.input,
            color: false,
            bless: tools.blesses(),
        },
    );
    if let Some(diff) = outcome.blessed {
        tools.record_blessing(format!("blessed by {}:\n{diff}", arguments.join(" ")));
    }
    call.stdout.extend(outcome.stdout);
    call.stderr.extend(outcome.stderr);
    outcome.code
}

/// A command line of `diff`.
#[derive(Default)]
struct DiffCommand {
    options: DiffOptions,
    is_recursive: bool,
    operands: Vec<String>,
}

impl DiffCommand {
    fn parse(arguments: &[String]) -> Result<DiffCommand, String> {
        let mut command = DiffCommand::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if argument == "--strip-trailing-cr" {
                command.options.strip_carriage_returns = true;
                continue;
            }
            match argument.strip_prefix('-') {
                None | Some("") => command.operands.push(argument.clone()),
                Some(letters) => command.letters(letters, &mut rest)?,
            }
        }
        if command.operands.len() != 2 {
            return Err("Error: missing or extra operand".to_owned());
        }
        Ok(command)
    }

    /// Combined one-letter options; the last one may take a value, attached or separate.
    fn letters<'a>(
        &mut self,
        letters: &str,
        rest: &mut impl Iterator<Item = &'a String>,
    ) -> Result<(), String> {
        for (at, letter) in letters.char_indices() {
            match letter {
                'w' => self.options.ignore_all_space = true,
                'b' => self.options.ignore_space_change = true,
                'u' => {}
                'r' => self.is_recursive = true,
                'U' | 'I' => {
                    let joined = &letters[at + 1..];
                    let value = if joined.is_empty() {
                        rest.next().cloned().unwrap_or_default()
                    } else {
                        joined.to_owned()
                    };
                    return self.option_with_value(letter, &value);
                }
                other => {
                    return Err(format!(
                        "Unsupported: 'diff': option -{other} not recognized"
                    ));
                }
            }
        }
        Ok(())
    }

    fn option_with_value(&mut self, letter: char, value: &str) -> Result<(), String> {
        let invalid = || format!("Error: invalid '-{letter}' argument: {value}");
        if letter == 'U' {
            self.options.context = value.parse().map_err(|_| invalid())?;
        } else {
            let regex = regex::bytes::Regex::new(value).map_err(|_| invalid())?;
            self.options.ignore_matching = Some(regex);
        }
        Ok(())
    }
}

fn diff(call: &mut Call<'_>) -> i32 {
    let command = match DiffCommand::parse(call.arguments) {
        Ok(command) => command,
        Err(message) => return complain(call, &message),
    };
    let (left, right) = (command.operands[0].as_str(), command.operands[1].as_str());
    let result = if command.is_recursive {
        let (left, right) = (call.directory.join(left), call.directory.join(right));
        let mut out = Vec::new();
        compare_directories(&left, &right, &command.options, &mut out).map(|()| out)
    } else {
        read_operand(call, left).and_then(|left_text| {
            let right_text = read_operand(call, right)?;
            Ok(compare(
                &left_text,
                &right_text,
                (left, right),
                &command.options,
            ))
        })
    };
    match result {
        Ok(difference) => {
            let code = i32::from(!difference.is_empty());
            call.stdout.extend(difference);
            code
        }
        Err(error) => complain(
            call,
            &format!("Error: 'diff' command failed, {}", reason(&error)),
        ),
    }
}
