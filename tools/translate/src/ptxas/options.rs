//! The command line of ptxas: long names behind one or two dashes, short ones of several letters, values behind `=`, a
//! blank, or at once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use orison_ir::pass::nearest;
use serde::Deserialize;

/// What stands behind an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Flag,
    Value,
    Ignored,
    Given,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    short: String,
    kind: Kind,
}

static DEFINITIONS: LazyLock<BTreeMap<String, Definition>> =
    LazyLock::new(|| toml::from_str(include_str!("options.toml")).unwrap_or_default());

/// More files with options within each other are an error.
const DEEPEST: usize = 16;

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The values of options by their long names; flags have empty ones.
    values: BTreeMap<&'static str, Vec<String>>,
    /// The input files.
    pub inputs: Vec<String>,
}

impl Options {
    /// Reads arguments.
    ///
    /// # Errors
    /// An option that there is not, with the one most like it; one without its value.
    pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options::default();
        options.add(arguments, 0)?;
        Ok(options)
    }

    fn add(
        &mut self,
        mut arguments: impl Iterator<Item = String>,
        depth: usize,
    ) -> Result<(), String> {
        while let Some(argument) = arguments.next() {
            let Some(text) = argument.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
                self.inputs.extend(split(&argument));
                continue;
            };
            let text = text.strip_prefix('-').unwrap_or(text);
            let (name, kind, value) = find(text)?;
            let value = match (kind, value) {
                (Kind::Flag | Kind::Ignored, None) => String::new(),
                (Kind::Flag | Kind::Ignored, Some(_)) => {
                    return Err(format!("Option '{name}' has no value"));
                }
                (Kind::Value | Kind::Given, Some(value)) => value.to_owned(),
                (Kind::Value | Kind::Given, None) => arguments
                    .next()
                    .ok_or_else(|| format!("Argument expected after '{text}'"))?,
            };
            if name == "options-file" {
                self.add_files(&value, depth)?;
            } else {
                self.values.entry(name).or_default().push(value);
            }
        }
        Ok(())
    }

    fn add_files(&mut self, names: &str, depth: usize) -> Result<(), String> {
        if depth >= DEEPEST {
            return Err(format!("Options file '{names}' is nested too deeply"));
        }
        for name in split(names) {
            let text = std::fs::read_to_string(&name)
                .map_err(|_| format!("Options file '{name}' could not be opened"))?;
            let words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
            self.add(words.into_iter(), depth + 1)?;
        }
        Ok(())
    }

    /// Whether a flag is given.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// The last value of an option.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.last().map(String::as_str)
    }
}

/// The names in a list.
fn split(text: &str) -> impl Iterator<Item = String> {
    text.split(',')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
}

/// The long name and the kind of an option, and the value in the same argument.
fn find(text: &str) -> Result<(&'static str, Kind, Option<&str>), String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    };
    let mut known = DEFINITIONS.iter();
    let known = known.find(|(long, found)| *long == name || found.short == name);
    if let Some((long, found)) = known {
        return Ok((long, found.kind, value));
    }
    // The value of a short name of one letter may follow at once: `-O3`.
    let mut lettered = DEFINITIONS.iter();
    let lettered = lettered.find(|(_, found)| {
        let takes = matches!(found.kind, Kind::Value | Kind::Given);
        takes && found.short.len() == 1 && text.starts_with(&found.short)
    });
    if let Some((long, found)) = lettered {
        return Ok((long, found.kind, Some(&text[1..])));
    }
    let names = DEFINITIONS.iter();
    let names = names.flat_map(|(long, found)| [long.as_str(), found.short.as_str()]);
    let hint =
        nearest(name, names).map_or(String::new(), |known| format!("; did you mean '{known}'?"));
    Err(format!("Unknown option '{name}'{hint}"))
}

/// The text of `--help`.
pub fn help() -> String {
    let mut text =
        "\nUsage  : orison-ptxas [options] <ptx file>,...\n\nOptions\n=======\n\n".to_owned();
    for (long, found) in DEFINITIONS.iter() {
        let value = match found.kind {
            Kind::Flag => "",
            Kind::Value => " <value>",
            Kind::Ignored => "  (no effect)",
            Kind::Given => " <value>  (no effect)",
        };
        let line = format!("--{long} (-{}){value}", found.short);
        text.push_str(&line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Options, String> {
        Options::parse(words.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn values_are_behind_equal_signs_blanks_or_at_once() {
        for words in [
            "-arch=sm_90a -O3",
            "--gpu-name sm_90a --opt-level=3",
            "-arch sm_90a -O 3",
        ] {
            let options = parse(&format!("{words} a.ptx,b.ptx -v")).expect("options");
            assert_eq!(options.value("gpu-name"), Some("sm_90a"), "{words}");
            assert_eq!(options.value("opt-level"), Some("3"), "{words}");
            assert!(options.has("verbose"));
            assert_eq!(options.inputs, ["a.ptx", "b.ptx"]);
        }
    }

    #[test]
    fn an_unknown_option_names_the_nearest() {
        for (words, expected) in [
            (
                "-verbos",
                "Unknown option 'verbos'; did you mean 'verbose'?",
            ),
            (
                "--gpu-nam=sm_80",
                "Unknown option 'gpu-nam'; did you mean 'gpu-name'?",
            ),
            ("-zzzz", "Unknown option 'zzzz'"),
            ("-arch", "Argument expected after 'arch'"),
            ("-v=1", "Option 'verbose' has no value"),
        ] {
            assert_eq!(parse(words).expect_err("wrong"), expected);
        }
    }
}
