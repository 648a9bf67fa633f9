//! The programs that `RUN:` lines call by name.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A call of a program that runs in this process.
pub struct Call<'c> {
    /// The arguments, without the name of the program.
    pub arguments: &'c [String],
    /// The working directory; relative paths start from it.
    pub directory: &'c Path,
    /// The environment variables.
    pub environment: &'c BTreeMap<String, String>,
    /// Standard input.
    pub input: &'c mut dyn Read,
    /// Standard output, to be filled.
    pub stdout: Vec<u8>,
    /// Standard error, to be filled.
    pub stderr: Vec<u8>,
}

/// A program that runs in this process. It returns an exit code. A panic counts as a crash.
pub type ToolFunction = Arc<dyn Fn(&mut Call<'_>) -> i32 + Send + Sync>;

/// The target of a name.
#[derive(Clone)]
pub(crate) enum Resolved {
    Path(PathBuf),
    Function(ToolFunction),
}

impl fmt::Debug for Resolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resolved::Path(path) => f.debug_tuple("Path").field(path).finish(),
            Resolved::Function(_) => f.write_str("Function"),
        }
    }
}

/// Names and search path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tools {
    named: HashMap<String, Resolved>,
    directories: Vec<PathBuf>,
    is_lenient: bool,
    /// Receives a report of changes to check files if blocks of exact output are rewritten.
    blessings: Option<Arc<Mutex<Vec<String>>>>,
}

/// Names that run as builtins of the shell unless a tool overrides them.
const BUILT_IN: [&str; 8] = [
    "cat",
    "count",
    "diff",
    "echo",
    "false",
    "FileCheck",
    "orison-filecheck",
    "true",
];

impl Tools {
    pub(crate) fn new(directories: Vec<PathBuf>, is_lenient: bool) -> Tools {
        Tools {
            named: HashMap::new(),
            directories,
            is_lenient,
            blessings: None,
        }
    }

    pub(crate) fn bless_into(&mut self, blessings: &Arc<Mutex<Vec<String>>>) {
        self.blessings = Some(Arc::clone(blessings));
    }

    pub(crate) fn blesses(&self) -> bool {
        self.blessings.is_some()
    }

    pub(crate) fn record_blessing(&self, text: String) {
        if let Some(blessings) = &self.blessings {
            // The list stays valid when its lock is poisoned.
            blessings
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
                .push(text);
        }
    }

    pub(crate) fn is_lenient(&self) -> bool {
        self.is_lenient
    }

    pub(crate) fn add(&mut self, name: &str, tool: Resolved) {
        self.named.insert(name.to_owned(), tool);
    }

    /// Finds a program: by name, then in the tool directories, then on the search path.
    pub(crate) fn resolve(
        &self,
        name: &str,
        environment: &BTreeMap<String, String>,
        directory: &Path,
    ) -> Option<Resolved> {
        if let Some(tool) = self.named.get(name) {
            return Some(tool.clone());
        }
        if BUILT_IN.contains(&name) {
            return None;
        }
        self.find(
            name,
            environment.get("PATH").map_or("", String::as_str),
            directory,
        )
        .map(Resolved::Path)
    }

    /// Finds an external program.
    pub(crate) fn find(&self, name: &str, search_path: &str, directory: &Path) -> Option<PathBuf> {
        let own: Vec<String> = self
            .directories
            .iter()
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        let path = format!("{}:{search_path}", own.join(":"));
        find_program(name, &path, directory)
    }
}

/// Calls a function; a panic becomes the exit code of a crash.
pub(crate) fn call_function(function: &ToolFunction, call: &mut Call<'_>) -> i32 {
    match catch_unwind(AssertUnwindSafe(|| function(call))) {
        Ok(code) => code,
        Err(payload) => {
            let text = payload
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            call.stderr
                .extend_from_slice(format!("panicked: {text}\n").as_bytes());
            // As if ended by SIGABRT, so that `not` does not treat it as a success.
            -6
        }
    }
}

/// Finds a program in the directories of a search path.
fn find_program(name: &str, search_path: &str, directory: &Path) -> Option<PathBuf> {
    if name.contains('/') {
        let path = directory.join(name);
        return is_executable(&path).then_some(path);
    }
    search_path
        .split(':')
        .filter(|part| !part.is_empty())
        .map(|part| Path::new(part).join(name))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    {
        metadata.is_file()
    }
}
