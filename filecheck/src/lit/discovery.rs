//! Finding tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::config::{CONFIGURATION_FILE, Configuration, ConfigurationError};

/// A test that was found.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    pub(crate) suite: Arc<Configuration>,
    /// The path from the root of the suite.
    pub(crate) path: PathBuf,
}

impl Test {
    pub(crate) fn name(&self) -> String {
        format!("{} :: {}", self.suite.name, self.path.display())
    }

    pub(crate) fn source(&self) -> PathBuf {
        self.suite.root.join(&self.path)
    }
}

/// Finds all tests at or below the given paths, sorted by name.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<Test>, ConfigurationError> {
    let mut suites: BTreeMap<PathBuf, Arc<Configuration>> = BTreeMap::new();
    let mut tests = Vec::new();
    for path in paths {
        let canonical = std::fs::canonicalize(path)
            .map_err(|error| ConfigurationError::new(format!("{}: {error}", path.display())))?;
        let root = root_of(&canonical).ok_or_else(|| {
            let path = path.display();
            ConfigurationError::new(format!("no {CONFIGURATION_FILE} at or above {path}"))
        })?;
        let suite = suite(&mut suites, &root)?;
        if canonical.is_dir() {
            walk(&canonical, &suite, &mut suites, &mut tests)?;
        } else {
            // A file given by name is a test, whatever its suffix.
            let path = canonical
                .strip_prefix(&root)
                .unwrap_or(&canonical)
                .to_path_buf();
            tests.push(Test { suite, path });
        }
    }
    tests.sort_by_cached_key(|test| (test.suite.name.clone(), test.path.clone()));
    tests.dedup_by(|a, b| a.suite.root == b.suite.root && a.path == b.path);
    Ok(tests)
}

fn root_of(path: &Path) -> Option<PathBuf> {
    path.ancestors()
        .find(|path| path.join(CONFIGURATION_FILE).is_file())
        .map(Path::to_path_buf)
}

fn suite(
    suites: &mut BTreeMap<PathBuf, Arc<Configuration>>,
    root: &Path,
) -> Result<Arc<Configuration>, ConfigurationError> {
    if let Some(suite) = suites.get(root) {
        return Ok(Arc::clone(suite));
    }
    let suite = Arc::new(Configuration::read(root)?);
    suites.insert(root.to_path_buf(), Arc::clone(&suite));
    Ok(suite)
}

fn walk(
    directory: &Path,
    suite: &Arc<Configuration>,
    suites: &mut BTreeMap<PathBuf, Arc<Configuration>>,
    tests: &mut Vec<Test>,
) -> Result<(), ConfigurationError> {
    let entries = std::fs::read_dir(directory)
        .map_err(|error| ConfigurationError::new(format!("{}: {error}", directory.display())))?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || suite.excludes.contains(&name) {
            continue;
        }
        let path = entry.path();
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() {
            // lit stores the output of tests in `Output`.
            if name == "Output" {
                continue;
            }
            if path.join(CONFIGURATION_FILE).is_file() {
                let inner = self::suite(suites, &path)?;
                walk(&path, &inner, suites, tests)?;
            } else {
                walk(&path, suite, suites, tests)?;
            }
        } else if suite
            .suffixes
            .iter()
            .any(|suffix| name.ends_with(suffix.as_str()))
        {
            let path = path
                .strip_prefix(&suite.root)
                .unwrap_or(&path)
                .to_path_buf();
            tests.push(Test {
                suite: Arc::clone(suite),
                path,
            });
        }
    }
    Ok(())
}
