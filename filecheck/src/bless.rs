//! Rewriting blocks of exact output.
//!
//! A block is delimited by two marker lines of a check file:
//!
//! ```text
//! // EXACT-BEGIN CHECK
//! // CHECK: func.func @f() {
//! // CHECK-NEXT:   return
//! // CHECK-NEXT: }
//! // EXACT-END
//! ```
//!
//! The word after `EXACT-BEGIN` is the prefix of the block's check lines. Text after the prefix
//! selects a part of the output: from the first line that contains the text to the next line with
//! the same indentation that starts with a closing bracket.

use crate::text_diff;

/// A marked block.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Block {
    /// The text before the marker on its line, usually a comment sign.
    leader: Vec<u8>,
    prefix: String,
    /// The text that selects a part of the output; all of it if empty.
    anchor: Vec<u8>,
    /// The lines between the markers.
    lines: std::ops::Range<usize>,
}

/// Why blocks could not be rewritten: the line, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlessError {
    /// The line of the marker, from one.
    pub line: usize,
    message: String,
}

impl std::fmt::Display for BlessError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for BlessError {}

const BEGIN: &[u8] = b"EXACT-BEGIN";
const END: &[u8] = b"EXACT-END";

/// The text of a check file with its blocks rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blessed {
    /// The new text.
    pub text: Vec<u8>,
    /// The changes, in unified form.
    pub diff: String,
}

/// Rewrites the blocks of `checks` whose prefix is in `prefixes` so that they describe `output`.
/// Nothing outside of blocks changes. `None` if nothing changes at all.
///
/// ```
/// use orison_filecheck::bless;
///
/// let checks = b"// EXACT-BEGIN CHECK\n// CHECK: old\n// EXACT-END\n// CHECK: kept\n";
/// let blessed = bless(checks, b"new\n\nlines\n", &["CHECK"])?.expect("a change");
/// let lines: Vec<&str> = std::str::from_utf8(&blessed.text).expect("text").lines().collect();
/// assert_eq!(lines[1..4], ["// CHECK: new", "// CHECK-EMPTY:", "// CHECK-NEXT: lines"]);
/// assert_eq!(lines[5], "// CHECK: kept");
/// assert!(blessed.diff.contains("-// CHECK: old\n+// CHECK: new\n"));
/// # Ok::<(), orison_filecheck::BlessError>(())
/// ```
///
/// # Errors
/// A marker without its partner, without a prefix, or whose text is not in the output.
pub fn bless(
    checks: &[u8],
    output: &[u8],
    prefixes: &[&str],
) -> Result<Option<Blessed>, BlessError> {
    let lines: Vec<Vec<u8>> = checks
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let mut new_lines = Vec::with_capacity(lines.len());
    let mut copied = 0;
    for block in blocks(&lines)? {
        if !prefixes.contains(&block.prefix.as_str()) {
            continue;
        }
        new_lines.extend_from_slice(&lines[copied..block.lines.start]);
        new_lines.extend(check_lines(&block, output)?);
        copied = block.lines.end;
    }
    new_lines.extend_from_slice(&lines[copied..]);
    if new_lines == lines {
        return Ok(None);
    }
    let diff = text_diff::unified(&lines, &new_lines, ("before", "blessed"), 3);
    let diff = String::from_utf8_lossy(&diff).into_owned();
    Ok(Some(Blessed {
        text: new_lines.concat(),
        diff,
    }))
}

fn blocks(lines: &[Vec<u8>]) -> Result<Vec<Block>, BlessError> {
    let error = |index: usize, message: &str| {
        Err(BlessError {
            line: index + 1,
            message: message.to_owned(),
        })
    };
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in lines.iter().enumerate() {
        if let Some((leader, rest)) = marker(line, BEGIN) {
            if open.is_some() {
                return error(index, "EXACT-BEGIN inside of a block");
            }
            let rest = rest.trim_ascii();
            let split = rest
                .iter()
                .position(u8::is_ascii_whitespace)
                .unwrap_or(rest.len());
            let prefix = String::from_utf8_lossy(&rest[..split]).into_owned();
            if prefix.is_empty() {
                return error(index, "EXACT-BEGIN needs the prefix of its check lines");
            }
            open = Some(Block {
                leader: leader.to_vec(),
                prefix,
                anchor: rest[split..].trim_ascii().to_vec(),
                lines: index + 1..index + 1,
            });
        } else if marker(line, END).is_some() {
            let Some(mut block) = open.take() else {
                return error(index, "EXACT-END without EXACT-BEGIN");
            };
            block.lines.end = index;
            blocks.push(block);
        }
    }
    match open {
        Some(block) => error(block.lines.start - 1, "EXACT-BEGIN without EXACT-END"),
        None => Ok(blocks),
    }
}

/// The text before and after a marker, if only a comment sign comes before it.
fn marker<'l>(line: &'l [u8], word: &[u8]) -> Option<(&'l [u8], &'l [u8])> {
    let at = memchr::memmem::find(line, word)?;
    let (leader, rest) = (&line[..at], &line[at + word.len()..]);
    let is_leader = !leader.iter().any(u8::is_ascii_alphanumeric);
    let ends = rest.first().is_none_or(u8::is_ascii_whitespace);
    (is_leader && ends).then_some((leader, rest))
}

fn indentation(line: &[u8]) -> usize {
    line.iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// The lines of the output a block describes.
fn selected<'o>(block: &Block, output: &[&'o [u8]]) -> Result<Vec<&'o [u8]>, BlessError> {
    if block.anchor.is_empty() {
        return Ok(output.to_vec());
    }
    let contains = |line: &&[u8]| memchr::memmem::find(line, &block.anchor).is_some();
    let Some(start) = output.iter().position(contains) else {
        let anchor = String::from_utf8_lossy(&block.anchor);
        return Err(BlessError {
            line: block.lines.start,
            message: format!("no line of the output contains '{anchor}'"),
        });
    };
    let depth = indentation(output[start]);
    let closes = |line: &&[u8]| {
        indentation(line) == depth && matches!(line.get(depth), Some(b'}' | b')' | b']'))
    };
    let end = output[start + 1..]
        .iter()
        .position(closes)
        .map_or(start, |at| start + 1 + at);
    Ok(output[start..=end].to_vec())
}

fn check_lines(block: &Block, output: &[u8]) -> Result<Vec<Vec<u8>>, BlessError> {
    let output: Vec<&[u8]> = output
        .split_inclusive(|byte| *byte == b'\n')
        .map(|line| line.strip_suffix(b"\n").unwrap_or(line))
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .collect();
    let mut is_first = true;
    let mut lines = Vec::new();
    for text in selected(block, &output)? {
        let mut line = block.leader.clone();
        line.extend_from_slice(block.prefix.as_bytes());
        let is_blank = text.trim_ascii().is_empty();
        if is_blank {
            // A directive must come first, and only text can be looked for.
            if is_first {
                continue;
            }
            // A line of blanks is not empty for `EMPTY`.
            let directive: &[u8] = if text.is_empty() {
                b"-EMPTY:"
            } else {
                b"-NEXT: {{^[[:blank:]]+$}}"
            };
            line.extend_from_slice(directive);
        } else {
            line.extend_from_slice(if is_first { b"" } else { b"-NEXT" });
            let needs_literal = memchr::memmem::find(text, b"{{").is_some()
                || memchr::memmem::find(text, b"[[").is_some();
            line.extend_from_slice(if needs_literal { b"{LITERAL}: " } else { b": " });
            line.extend_from_slice(text);
        }
        line.push(b'\n');
        lines.push(line);
        is_first = false;
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::bless;
    use crate::check;

    fn blessed(checks: &str, output: &str) -> String {
        match bless(checks.as_bytes(), output.as_bytes(), &["CHECK"]).expect("good markers") {
            Some(blessed) => String::from_utf8(blessed.text).expect("text"),
            None => checks.to_owned(),
        }
    }

    #[test]
    fn only_blocks_change() {
        let checks = "// RUN: x\n// CHECK: hand-written\n// EXACT-BEGIN CHECK\n// EXACT-END\nend\n";
        let output = "hand-written\na\n\n{{b}}\n  c\n";
        let text = blessed(checks, output);
        assert_eq!(
            text,
            "// RUN: x\n// CHECK: hand-written\n// EXACT-BEGIN CHECK\n// CHECK: hand-written\n\
             // CHECK-NEXT: a\n// CHECK-EMPTY:\n// CHECK-NEXT{LITERAL}: {{b}}\n\
             // CHECK-NEXT:   c\n// EXACT-END\nend\n"
        );
        assert_eq!(
            blessed(&text, output),
            text,
            "a second time changes nothing"
        );
    }

    #[test]
    fn blocks_describe_the_output_they_come_from() {
        let output = "func @f {\n  {{x}} [[y]]\n\n \t\n  a  b\n}\n";
        let text = blessed("# EXACT-BEGIN CHECK\n# EXACT-END\n", output);
        check(output, &text).expect("the block matches");
        assert!(check(output.replace('a', "z"), &text).is_err());
    }

    #[test]
    fn a_part_can_be_selected() {
        let output = "func @f {\n  a {\n  }\n}\nfunc @g {\n  b\n}\n";
        let text = blessed("// EXACT-BEGIN CHECK @g\n// old\n// EXACT-END\n", output);
        assert!(text.contains("// CHECK: func @g {\n// CHECK-NEXT:   b\n// CHECK-NEXT: }\n"));
        assert!(!text.contains("@f") && !text.contains("old"));
    }

    #[test]
    fn other_prefixes_stay() {
        let checks = "// EXACT-BEGIN OTHER\n// OTHER: x\n// EXACT-END\n";
        assert_eq!(blessed(checks, "y\n"), checks);
    }

    #[test]
    fn markers_must_be_right() {
        for (checks, part) in [
            (
                "// EXACT-BEGIN CHECK\n",
                "line 1: EXACT-BEGIN without EXACT-END",
            ),
            ("x\n// EXACT-END\n", "line 2: EXACT-END without EXACT-BEGIN"),
            (
                "// EXACT-BEGIN\n// EXACT-END\n",
                "line 1: EXACT-BEGIN needs the prefix",
            ),
            (
                "// EXACT-BEGIN A\n// EXACT-BEGIN B\n// EXACT-END\n",
                "line 2: EXACT-BEGIN inside",
            ),
            (
                "// EXACT-BEGIN CHECK @h\n// EXACT-END\n",
                "line 1: no line of the output",
            ),
        ] {
            let error = bless(checks.as_bytes(), b"a\n", &["CHECK"]).expect_err(checks);
            assert!(error.to_string().contains(part), "{error}");
        }
        let prose = "The word EXACT-BEGIN in a sentence is no marker.\n";
        assert_eq!(bless(prose.as_bytes(), b"a\n", &["CHECK"]), Ok(None));
    }
}
