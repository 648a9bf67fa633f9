//! File name patterns with `*` and `?`.

use std::path::{Component, Path, PathBuf};

/// All names that match a pattern, sorted; the pattern itself if none match. Names are absolute, as
/// in lit.
pub(super) fn expand(pattern: &str, directory: &Path) -> Vec<String> {
    let absolute = directory.join(pattern);
    let mut found = vec![PathBuf::new()];
    for component in absolute.components() {
        let Component::Normal(name) = component else {
            found.iter_mut().for_each(|path| path.push(component));
            continue;
        };
        let name = name.to_string_lossy();
        if !name.contains(['*', '?', '[']) {
            found.iter_mut().for_each(|path| path.push(&*name));
            found.retain(|path| path.symlink_metadata().is_ok());
            continue;
        }
        let parents = std::mem::take(&mut found);
        for parent in parents {
            let Ok(entries) = std::fs::read_dir(&parent) else {
                continue;
            };
            for entry in entries.flatten() {
                let entry_name = entry.file_name();
                let text = entry_name.to_string_lossy();
                let is_hidden = text.starts_with('.') && !name.starts_with('.');
                if !is_hidden && matches(name.as_bytes(), text.as_bytes()) {
                    found.push(parent.join(&entry_name));
                }
            }
        }
    }
    if found.is_empty() {
        return vec![pattern.to_owned()];
    }
    let mut names: Vec<String> = found
        .into_iter()
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Whether a pattern with `*`, `?` and `[...]` matches a name. The time is proportional to the
/// product of the lengths.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut position) = (0, 0);
    // The backtracking state: after the last star, and the name position to try next.
    let mut retry: Option<(usize, usize)> = None;
    while position < name.len() {
        let step = match pattern.get(at) {
            Some(b'*') => {
                retry = Some((at + 1, position));
                at += 1;
                continue;
            }
            Some(b'?') => Some(1),
            Some(b'[') => bracket(&pattern[at..], name[position]),
            Some(byte) if *byte == name[position] => Some(1),
            _ => None,
        };
        match (step, retry) {
            (Some(length), _) => {
                at += length;
                position += 1;
            }
            (None, Some((behind_star, next))) => {
                at = behind_star;
                position = next + 1;
                retry = Some((behind_star, next + 1));
            }
            (None, None) => return false,
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

/// The length of a bracket expression if it matches the byte.
fn bracket(pattern: &[u8], byte: u8) -> Option<usize> {
    let is_inverted = matches!(pattern.get(1), Some(b'!'));
    let start = if is_inverted { 2 } else { 1 };
    let Some(close) = pattern
        .iter()
        .skip(start + 1)
        .position(|next| *next == b']')
    else {
        return (byte == b'[').then_some(1);
    };
    let end = start + 1 + close;
    let mut inside = &pattern[start..end];
    let mut found = false;
    while let Some((&first, rest)) = inside.split_first() {
        if let [b'-', last, rest @ ..] = rest {
            found |= (first..=*last).contains(&byte);
            inside = rest;
        } else {
            found |= first == byte;
            inside = rest;
        }
    }
    (found != is_inverted).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        for (pattern, name, expected) in [
            ("*", "abc", true),
            ("a*c", "abc", true),
            ("a*c", "abd", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*.txt", "a.txt", true),
            ("*a*b*", "xxaxxbxx", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[", "[", true),
            ("*a*a*a*a*b", &"a".repeat(200), false),
        ] {
            assert_eq!(
                matches(pattern.as_bytes(), name.as_bytes()),
                expected,
                "{pattern} {name}"
            );
        }
    }
}
