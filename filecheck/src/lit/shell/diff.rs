//! The shell's `diff`.

use std::path::Path;

use regex::bytes::Regex;

/// Options of `diff`.
#[derive(Clone, Debug)]
pub(super) struct DiffOptions {
    pub(super) ignore_all_space: bool,
    pub(super) ignore_space_change: bool,
    pub(super) ignore_matching: Option<Regex>,
    pub(super) strip_carriage_returns: bool,
    pub(super) context: usize,
}

impl Default for DiffOptions {
    fn default() -> DiffOptions {
        DiffOptions {
            ignore_all_space: false,
            ignore_space_change: false,
            ignore_matching: None,
            strip_carriage_returns: false,
            context: 3,
        }
    }
}

/// Lines are compared in this form and printed unchanged.
fn normalized(line: &[u8], options: &DiffOptions) -> Vec<u8> {
    let mut line = line.to_vec();
    if options.strip_carriage_returns && line.ends_with(b"\r\n") {
        line.truncate(line.len() - 2);
        line.push(b'\n');
    }
    if options.ignore_all_space || options.ignore_space_change {
        let separator: &[u8] = if options.ignore_all_space { b"" } else { b" " };
        let words: Vec<&[u8]> = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .collect();
        line = words.join(separator);
        line.push(b'\n');
    }
    line
}

fn lines(text: &[u8], options: &DiffOptions) -> Vec<Vec<u8>> {
    text.split_inclusive(|byte| *byte == b'\n')
        .filter(|line| {
            options
                .ignore_matching
                .as_ref()
                .is_none_or(|regex| regex.find(line).is_none_or(|found| found.start() != 0))
        })
        .map(|line| normalized(line, options))
        .collect()
}

/// The difference of two texts in unified form; empty if there is none.
pub(super) fn compare(
    left: &[u8],
    right: &[u8],
    names: (&str, &str),
    options: &DiffOptions,
) -> Vec<u8> {
    let (left, right) = (lines(left, options), lines(right, options));
    crate::text_diff::unified(&left, &right, names, options.context)
}

/// The difference of two directories, file by file.
pub(super) fn compare_directories(
    left: &Path,
    right: &Path,
    options: &DiffOptions,
    out: &mut Vec<u8>,
) -> std::io::Result<()> {
    let list = |path: &Path| -> std::io::Result<Vec<std::ffi::OsString>> {
        let mut names: Vec<_> = std::fs::read_dir(path)?
            .map(|entry| entry.map(|entry| entry.file_name()))
            .collect::<Result<_, _>>()?;
        names.sort();
        Ok(names)
    };
    let (left_names, right_names) = (list(left)?, list(right)?);
    let mut all: Vec<_> = left_names.iter().chain(&right_names).collect();
    all.sort();
    all.dedup();
    for name in all {
        let only = match (left_names.contains(name), right_names.contains(name)) {
            (true, false) => left,
            (false, true) => right,
            _ => {
                compare_entries(&left.join(name), &right.join(name), options, out)?;
                continue;
            }
        };
        let line = format!("Only in {}: {}\n", only.display(), name.to_string_lossy());
        out.extend_from_slice(line.as_bytes());
    }
    Ok(())
}

fn compare_entries(
    left: &Path,
    right: &Path,
    options: &DiffOptions,
    out: &mut Vec<u8>,
) -> std::io::Result<()> {
    match (left.is_dir(), right.is_dir()) {
        (true, true) => compare_directories(left, right, options, out),
        (false, false) => {
            let names = (left.to_string_lossy(), right.to_string_lossy());
            let (left, right) = (std::fs::read(left)?, std::fs::read(right)?);
            out.extend(compare(&left, &right, (&names.0, &names.1), options));
            Ok(())
        }
        (left_is_directory, _) => {
            let (directory, file) = if left_is_directory {
                (left, right)
            } else {
                (right, left)
            };
            let line = format!(
                "File {} is a directory while file {} is a regular file\n",
                directory.display(),
                file.display()
            );
            out.extend_from_slice(line.as_bytes());
            Ok(())
        }
    }
}
