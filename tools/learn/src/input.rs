//! Files: which are read, and how they are measured section by section.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use orison_sass::instruction::{Flow, flow};
use orison_sass::listing::{self, Listing, ListingError, Place};
use orison_sass::scheduled::Scheduled;
use orison_schedule::sass::evidence;
use orison_schedule::sass::facts::{FunctionFacts, Listed};
use orison_schedule::sass::latency::LatencyModel;

use crate::columns::{Lists, Reader};
use crate::{Failure, Learned};

/// The files of paths, in order; of directories all below them whose names end as those of listings and
/// cubins.
pub fn files(paths: &[PathBuf]) -> Vec<Result<PathBuf, Failure>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            below(path, &mut files);
        } else {
            files.push(Ok(path.clone()));
        }
    }
    files
}

fn below(directory: &Path, files: &mut Vec<Result<PathBuf, Failure>>) {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) => return files.push(Err(Failure::new(&directory.display(), &error))),
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let known = |end: &std::ffi::OsStr| end == "sass" || end == "plr" || end == "cubin";
        // A link to a directory may lead back to this one.
        if path.is_dir() && !path.is_symlink() {
            below(&path, files);
        } else if path.extension().is_some_and(known) && path.is_file() {
            files.push(Ok(path));
        }
    }
}

/// Adds what a file shows. Only its text and one section of it are in memory.
///
/// # Errors
/// The first error; what is before it was added.
pub fn learn(
    learned: &mut BTreeMap<String, Learned>,
    file: &Path,
    nvdisasm: Option<&Path>,
) -> Result<(), Failure> {
    let at = |place: Place| format!("{}:{}:{}", file.display(), place.line, place.column);
    let bytes = std::fs::read(file).map_err(|error| Failure::new(&file.display(), &error))?;
    let bytes = if bytes.starts_with(b"\x7fELF") {
        disassemble(file, nvdisasm).map_err(|message| Failure::new(&file.display(), &message))?
    } else {
        bytes
    };
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let lines = memchr::memchr_iter(b'\n', before).count();
        let column = before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let narrow = |number: usize| u32::try_from(number + 1).unwrap_or(u32::MAX);
        let place = Place {
            line: narrow(lines),
            column: narrow(column),
        };
        Failure::new(&at(place), &"invalid UTF-8")
    })?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut reading = Reading {
        learned,
        name: &name,
        target: None,
    };
    let read = reading.text(text);
    read.map_err(|error| Failure::new(&at(error.place), &error.message))
}

fn disassemble(file: &Path, nvdisasm: Option<&Path>) -> Result<Vec<u8>, String> {
    let Some(program) = nvdisasm else {
        return Err("a cubin is read with '--nvdisasm=PATH'".to_owned());
    };
    let mut command = Command::new(program);
    command.args(["-c", "-hex", "-plr", "-lrm", "narrow"]);
    let output = command.arg(file).output();
    let output = output.map_err(|error| format!("'{}': {error}", program.display()))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let first = message.lines().find(|line| !line.trim().is_empty());
    let first = first.unwrap_or("no message").trim();
    Err(format!("'{}' failed: {first}", program.display()))
}

/// A file that is read.
struct Reading<'a> {
    learned: &'a mut BTreeMap<String, Learned>,
    name: &'a str,
    /// The line `.target` of a listing whose sections are read one by one.
    target: Option<String>,
}

/// Lines that are parsed together.
#[derive(Default)]
struct Section {
    /// The number of the first line.
    first: u32,
    text: String,
    columns: Reader,
}

impl Reading<'_> {
    fn text(&mut self, text: &str) -> Result<(), ListingError> {
        let mut section = Section {
            first: 1,
            ..Section::default()
        };
        for (number, line) in (1..).zip(text.lines()) {
            if line.starts_with("//----") {
                self.section(&section)?;
                section = Section {
                    first: number,
                    ..Section::default()
                };
            }
            let rest = section.columns.line(line, number)?;
            if rest.starts_with("\t.target") && self.target.is_none() {
                self.target = Some(rest.to_owned());
            }
            section.text.push_str(rest);
            section.text.push('\n');
        }
        self.section(&section)
    }

    /// Measures a section, or the whole text of a listing without headings of sections.
    fn section(&mut self, section: &Section) -> Result<(), ListingError> {
        let heading = section.text.starts_with("//----");
        let code = section.text.contains("*/");
        let (before, lines) = match &self.target {
            Some(target) if heading => (target.as_str(), 1),
            _ => ("", 0),
        };
        if !code {
            // Before the first section, or one of data; a text that is none has an error.
            let only = section.first == 1 && self.target.is_none();
            return if only {
                self.parse(section, "", 0).map(|_| ())
            } else {
                Ok(())
            };
        }
        let functions = self.parse(section, before, lines)?;
        for function in &functions {
            self.function(function, &section.columns.lists, section.first)?;
        }
        Ok(())
    }

    fn parse(
        &self,
        section: &Section,
        before: &str,
        lines: u32,
    ) -> Result<Vec<orison_sass::function::Function<'static>>, ListingError> {
        let text = match before {
            "" => std::borrow::Cow::Borrowed(&section.text),
            before => std::borrow::Cow::Owned(format!("{before}\n{}", section.text)),
        };
        let functions = listing::parse(&text).and_then(Listing::into_functions);
        functions.map_err(|mut error| {
            error.place.line = (error.place.line + section.first)
                .saturating_sub(lines + 1)
                .max(1);
            error
        })
    }

    fn function(
        &mut self,
        function: &orison_sass::function::Function<'_>,
        lists: &Lists,
        line: u32,
    ) -> Result<(), ListingError> {
        let Some(model) = LatencyModel::for_target(&function.target) else {
            let message = format!("there is no latency model of '{}'", function.target);
            return Err(ListingError::new(Place { line, column: 1 }, message));
        };
        let learned = self.learned.entry(model.name().to_owned()).or_default();
        let mut facts = FunctionFacts::new(function, model);
        if !lists.is_empty() {
            let place = |found: &Scheduled<'_>| {
                format!(
                    "{} {} {:04x}",
                    self.name,
                    short(&function.name),
                    found.address
                )
            };
            let listed: Vec<Option<Listed>> = function
                .instructions()
                .enumerate()
                .map(|(number, found)| {
                    // A call lists all that any callee may touch, and one that was not understood has no
                    // registers to compare.
                    let list = lists.get(&found.address)?;
                    let compared = flow(found) != Flow::Call && !found.is_opaque();
                    compared.then(|| learned.roles.compare(&facts, number, found, list, place))?
                })
                .collect();
            facts = facts.with_listed(model, &listed);
        }
        evidence::function(&mut learned.measured, model, function, &facts, self.name);
        Ok(())
    }
}

/// The start of a name: those of templates have thousands of characters.
fn short(name: &str) -> &str {
    name.char_indices()
        .nth(60)
        .map_or(name, |(end, _)| &name[..end])
}
