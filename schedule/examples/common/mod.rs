//! Listings on the command line.

use std::path::{Path, PathBuf};

/// The file itself, or the listings in a directory and its subdirectories, in order.
pub fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else {
        return vec![path.to_owned()];
    };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    let wanted =
        |path: &PathBuf| path.is_dir() || path.extension().is_some_and(|end| end == "sass");
    let entries = entries.iter().filter(|path| wanted(path));
    entries.flat_map(|path| files(path)).collect()
}
