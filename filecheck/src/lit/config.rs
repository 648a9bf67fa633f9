//! `lit.toml`: the configuration of a tree of tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::settings::{self, Settings, Value};

/// The name of the file that makes a directory the root of a suite.
pub const CONFIGURATION_FILE: &str = "lit.toml";

/// The settings of a suite.
#[derive(Clone, Debug)]
pub(crate) struct Configuration {
    pub(crate) root: PathBuf,
    pub(crate) name: String,
    pub(crate) suffixes: Vec<String>,
    pub(crate) excludes: Vec<String>,
    pub(crate) features: BTreeSet<String>,
    /// For each feature, the programs of which one must be found.
    pub(crate) programs: BTreeMap<String, Vec<String>>,
    /// Values that a run may change, with their defaults.
    pub(crate) parameters: BTreeMap<String, String>,
    pub(crate) substitutions: Vec<(String, String)>,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) tool_directories: Vec<PathBuf>,
    pub(crate) output_directory: Option<PathBuf>,
    pub(crate) timeout: u64,
    pub(crate) retries: Option<usize>,
    pub(crate) is_lenient: bool,
}

/// A configuration that cannot be used. `Display` names the file and the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationError {
    message: String,
}

impl ConfigurationError {
    pub(crate) fn new(message: impl Into<String>) -> ConfigurationError {
        ConfigurationError {
            message: message.into(),
        }
    }
}

impl std::fmt::Display for ConfigurationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ConfigurationError {}

/// The known settings, listed in the error message about unknown ones.
const NAMES: [&str; 13] = [
    "name",
    "suffixes",
    "excludes",
    "timeout",
    "retries",
    "filecheck",
    "tool-directories",
    "output-directory",
    "features.available",
    "features.programs.<feature>",
    "parameters.<name>",
    "substitutions.<name>",
    "environment.<name>",
];

impl Configuration {
    /// Reads the `lit.toml` in `root`.
    pub(crate) fn read(root: &Path) -> Result<Configuration, ConfigurationError> {
        let path = root.join(CONFIGURATION_FILE);
        let in_file =
            |message: String| ConfigurationError::new(format!("{}: {message}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(|error| in_file(error.to_string()))?;
        let settings = settings::parse(&text).map_err(in_file)?;
        Configuration::from_settings(root, &settings).map_err(in_file)
    }

    pub(super) fn from_settings(root: &Path, settings: &Settings) -> Result<Configuration, String> {
        let mut configuration = Configuration {
            root: root.to_path_buf(),
            name: root.file_name().map_or_else(
                || "tests".to_owned(),
                |name| name.to_string_lossy().into_owned(),
            ),
            suffixes: Vec::new(),
            excludes: Vec::new(),
            features: BTreeSet::new(),
            programs: BTreeMap::new(),
            parameters: BTreeMap::new(),
            substitutions: Vec::new(),
            environment: BTreeMap::new(),
            tool_directories: Vec::new(),
            output_directory: None,
            timeout: 0,
            retries: None,
            is_lenient: false,
        };
        for (name, (line, value)) in settings {
            configuration
                .set(name, value)
                .map_err(|message| format!("line {line}: {message}"))?;
        }
        if configuration.suffixes.is_empty() {
            return Err("'suffixes' must name at least one suffix".to_owned());
        }
        Ok(configuration)
    }

    fn set(&mut self, name: &[String], value: &Value) -> Result<(), String> {
        let parts: Vec<&str> = name.iter().map(String::as_str).collect();
        match parts.as_slice() {
            ["name"] => self.name = text(value)?,
            ["suffixes"] => self.suffixes = texts(value)?,
            ["excludes"] => self.excludes = texts(value)?,
            ["timeout"] => self.timeout = number(value)?,
            ["retries"] => self.retries = usize::try_from(number(value)?).ok(),
            ["filecheck"] => {
                self.is_lenient = match text(value)?.as_str() {
                    "strict" => false,
                    "lenient" => true,
                    _ => return Err("'filecheck' is \"strict\" or \"lenient\"".to_owned()),
                }
            }
            ["tool-directories"] => {
                self.tool_directories = texts(value)?
                    .iter()
                    .map(|path| self.root.join(path))
                    .collect();
            }
            ["output-directory"] => {
                self.output_directory = Some(self.root.join(text(value)?));
            }
            ["features", "available"] => self.features.extend(texts(value)?),
            ["features", "programs", feature] => {
                self.programs.insert((*feature).to_owned(), texts(value)?);
            }
            ["parameters", name] => {
                self.parameters.insert((*name).to_owned(), text(value)?);
            }
            ["substitutions", name] => {
                if !name.starts_with('%') || name.len() < 2 {
                    return Err(format!("the substitution '{name}' does not start with '%'"));
                }
                self.substitutions.push(((*name).to_owned(), text(value)?));
            }
            ["environment", name] => {
                self.environment.insert((*name).to_owned(), text(value)?);
            }
            _ => {
                return Err(format!(
                    "unknown setting '{}'; there are: {}",
                    parts.join("."),
                    NAMES.join(", ")
                ));
            }
        }
        // Longer names first, so that no name is mistaken for the prefix of another.
        self.substitutions
            .sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Ok(())
    }
}

fn text(value: &Value) -> Result<String, String> {
    match value {
        Value::Text(text) => Ok(text.clone()),
        _ => Err("expected a string".to_owned()),
    }
}

fn texts(value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::List(list) => list.iter().map(text).collect(),
        _ => Err("expected a list of strings".to_owned()),
    }
}

fn number(value: &Value) -> Result<u64, String> {
    match value {
        Value::Integer(number) => {
            u64::try_from(*number).map_err(|_| "expected a number of zero or more".to_owned())
        }
        _ => Err("expected an integer".to_owned()),
    }
}
