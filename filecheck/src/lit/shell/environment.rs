//! The environment of commands.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::limits::Limits;

/// State that commands inherit and that `cd` and `export` change.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    pub(crate) directory: PathBuf,
    pub(crate) variables: BTreeMap<String, String>,
    /// The directory stack of `pushd`.
    pub(crate) stack: Vec<PathBuf>,
    pub(crate) limits: Limits,
}

impl Environment {
    pub(crate) fn new(directory: &Path, variables: BTreeMap<String, String>) -> Environment {
        Environment {
            directory: directory.to_path_buf(),
            variables,
            stack: Vec::new(),
            limits: Limits::default(),
        }
    }
}
