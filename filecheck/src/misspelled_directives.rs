//! Lines that LLVM's FileCheck ignores and a person surely meant.
//!
//! A check line that is not recognised is the worst kind of mistake: the test passes. The rules
//! here reject words that are close to a directive. They do not apply where the word is a prefix
//! of another run: any word on a line that mentions `check-prefix` counts as such a name.

use std::collections::HashSet;
use std::rc::Rc;

use crate::directive::{SUFFIXES, is_word};
use crate::edit_distance::edit_distance;
use crate::scanner::{Prefixes, Rejected, Scanner};
use crate::source::{Location, Log, Sources, is_blank};

/// A rejected line.
struct Finding {
    offset: usize,
    message: String,
    suggestion: Option<String>,
}

/// Reports every suspicious line of the check file.
pub(crate) fn check_text(
    sources: &Sources,
    log: &mut Log,
    buffer: usize,
    prefixes: &Prefixes,
) -> Result<(), Rejected> {
    let text = sources.text(buffer);
    let declared = declared_prefixes(&text);
    let mut findings = Vec::new();
    let mut directives = Vec::new();
    let mut scanner = Scanner::new(&text, prefixes);
    while let Some(found) = scanner.next() {
        let start = found.start;
        let rest = scanner.skip_line(true);
        directives.push(start..rest.end);
    }
    for (start, index) in &scanner.ignored {
        if let Some(prefix) = prefixes.checks.get(*index) {
            findings.extend(ignored_directive(&text, *start, prefix, &declared));
        }
    }
    misspelled_prefixes(&text, &directives, prefixes, &declared, &mut findings);
    findings.sort_by_key(|finding| finding.offset);
    for finding in &findings {
        let location = Location {
            buffer,
            offset: finding.offset,
        };
        log.error(sources, location, &finding.message);
        if let Some(suggestion) = &finding.suggestion {
            log.note(sources, location, &format!("did you mean '{suggestion}'?"));
        }
    }
    if findings.is_empty() {
        Ok(())
    } else {
        Err(Rejected)
    }
}

/// The words of a text, in order; empty where it starts with another byte, or two are adjacent.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_word(*byte))
}

/// Words on lines that name prefixes for FileCheck.
fn declared_prefixes(text: &[u8]) -> HashSet<Vec<u8>> {
    let mut declared = HashSet::new();
    let mut position = 0;
    while let Some(found) = memchr::memmem::find(&text[position..], b"check-prefix") {
        let at = position + found;
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length);
        declared.extend(words(&text[at..end]).map(<[u8]>::to_vec));
        position = end;
    }
    declared
}

fn as_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const MISSPELLED: &str = "misspelled directive";

/// Checks a prefix that is not followed by a directive.
fn ignored_directive(
    text: &[u8],
    start: usize,
    prefix: &str,
    declared: &HashSet<Vec<u8>>,
) -> Option<Finding> {
    let end = memchr::memchr2(b'\n', b'\r', &text[start..]).map_or(text.len(), |at| start + at);
    let line = &text[start..end];
    let rest = &line[prefix.len()..];
    let finding = |length: usize, message: &str, suggestion: Option<String>| {
        let directive = as_text(&line[..(prefix.len() + length).min(line.len())]);
        Some(Finding {
            offset: start,
            message: format!("{message} '{directive}'"),
            suggestion,
        })
    };
    let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
    let after = &rest[blanks..];
    if blanks > 0 && after.starts_with(b":") {
        return finding(blanks + 1, MISSPELLED, Some(format!("{prefix}:")));
    }
    if let Some(length) = modifier_length(rest) {
        return finding(
            length,
            "unknown modifier in",
            Some(format!("{prefix}{{LITERAL}}:")),
        );
    }
    let (length, message, suggestion) = ignored_suffix(text, start, prefix, rest, declared)?;
    finding(length, message, suggestion)
}

/// A word after a prefix that is not a suffix: its end, the error, and a suggestion.
fn ignored_suffix(
    text: &[u8],
    start: usize,
    prefix: &str,
    rest: &[u8],
    declared: &HashSet<Vec<u8>>,
) -> Option<(usize, &'static str, Option<String>)> {
    let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
    // `CHECK NEXT:`, `CHECKNEXT:`, `CHECK-NXT:` and `CHECK_NXT:`.
    let is_joined = rest.first().is_some_and(|byte| matches!(byte, b'-' | b'_'));
    let skipped = if is_joined { 1 } else { blanks };
    let word = words(&rest[skipped..]).next()?;
    let word_end = skipped + word.len();
    let whole = [prefix.as_bytes(), &rest[..word_end]].concat();
    if declared.contains(&whole) || declared.contains(without_suffix(&whole)) {
        return None;
    }
    let found = |length, message, suggestion| Some((length, message, suggestion));
    let suggestion = closest_suffix(word, is_joined).map(|suffix| format!("{prefix}-{suffix}:"));
    match rest.get(word_end) {
        Some(b':') => {
            if is_joined && is_combination(word) {
                return found(word_end + 1, "unsupported combination of suffixes in", None);
            }
            suggestion.as_ref()?;
            found(word_end + 1, MISSPELLED, suggestion)
        }
        Some(b'{') if is_joined => {
            let length = modifier_length(&rest[word_end..])?;
            let suggestion = suggestion?.replace(':', "{LITERAL}:");
            found(word_end + length, "unknown modifier in", Some(suggestion))
        }
        next if is_joined && next.is_none_or(|byte| is_blank(*byte)) => {
            let is_exact = SUFFIXES.iter().any(|(name, _)| name.as_bytes() == word);
            if !is_exact || !starts_comment(text, start) {
                return None;
            }
            found(word_end, "missing ':' after", suggestion)
        }
        _ => None,
    }
}

/// The length of `{...}:` at the start of a text.
fn modifier_length(text: &[u8]) -> Option<usize> {
    let inside = text.strip_prefix(b"{")?;
    let close = memchr::memchr(b'}', inside)?;
    (inside.get(close + 1) == Some(&b':')).then_some(close + 3)
}

/// Whether all parts of the word are suffixes.
fn is_combination(word: &[u8]) -> bool {
    let mut parts = word.split(|byte| matches!(byte, b'-' | b'_')).peekable();
    let mut count = 0;
    let all = parts.all(|part| {
        count += 1;
        part.iter().all(u8::is_ascii_digit)
            || part == b"COUNT"
            || SUFFIXES.iter().any(|(name, _)| name.as_bytes() == part)
    });
    all && count > 1
}

/// The word without a known suffix at its end.
fn without_suffix(word: &[u8]) -> &[u8] {
    SUFFIXES
        .iter()
        .find_map(|(name, _)| word.strip_suffix(name.as_bytes())?.strip_suffix(b"-"))
        .unwrap_or(word)
}

/// The suffix a word was most likely meant to be. Without a hyphen only exact words count.
fn closest_suffix(word: &[u8], is_joined: bool) -> Option<String> {
    let upper = word.to_ascii_uppercase();
    if upper == b"COUNT" {
        return Some("COUNT-<number>".to_owned());
    }
    let names = SUFFIXES.iter().map(|(name, _)| *name);
    let best = names
        .map(|name| (swap_distance(&upper, name.as_bytes()), name))
        .min()?;
    let (distance, name) = best;
    let allowed = match (is_joined, name.len()) {
        (false, _) => 0,
        (true, ..=3) => 1,
        (true, _) => 2,
    };
    // Digits make names, not typing errors.
    let has_digit = word.iter().any(u8::is_ascii_digit);
    (distance <= allowed && !(has_digit && distance > 0)).then(|| name.to_owned())
}

/// The edit distance, with two swapped neighbours as one edit.
fn swap_distance(left: &[u8], right: &[u8]) -> usize {
    let distance = edit_distance(left, right, usize::MAX);
    let is_swap = left.len() == right.len()
        && (1..left.len()).any(|at| {
            let mut swapped = left.to_vec();
            swapped.swap(at - 1, at);
            swapped == right
        });
    if is_swap { distance.min(1) } else { distance }
}

/// Whether only a comment sign comes before the offset on its line.
fn starts_comment(text: &[u8], offset: usize) -> bool {
    let line_start = memchr::memrchr(b'\n', &text[..offset]).map_or(0, |at| at + 1);
    is_comment_sign(&text[line_start..offset])
}

fn is_comment_sign(text: &[u8]) -> bool {
    let sign: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !is_blank(*byte))
        .collect();
    let signs: [&[u8]; 8] = [b"//", b"///", b";", b";;", b"#", b"##", b"--", b"/*"];
    signs.contains(&sign.as_slice())
}

/// The word with a colon at the start of a comment, and its position on the line.
fn commented_word(line: &[u8]) -> Option<(usize, &[u8])> {
    let count = |from: usize, is_part: fn(u8) -> bool| {
        let rest = line[from..].iter();
        from + rest.take_while(|byte| is_part(**byte)).count()
    };
    // `--` is made of word characters.
    let sign = count(count(0, |byte| !is_word(byte)), |byte| byte == b'-');
    if !is_comment_sign(&line[..sign]) {
        return None;
    }
    let at = count(sign, is_blank);
    let rest = &line[at..];
    let word = words(rest).next()?;
    (rest.get(word.len()) == Some(&b':')).then_some((at, word))
}

/// Comments that start with a word like a prefix but not quite: `// CHEKC: foo`.
fn misspelled_prefixes(
    text: &[u8],
    directives: &[std::ops::Range<usize>],
    prefixes: &Prefixes,
    declared: &HashSet<Vec<u8>>,
    findings: &mut Vec<Finding>,
) {
    let mut offset = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let start = offset;
        offset += line.len();
        let next = directives.partition_point(|range| range.end <= start);
        if directives
            .get(next)
            .is_some_and(|range| range.start < offset)
        {
            continue;
        }
        let Some((at, word)) = commented_word(line) else {
            continue;
        };
        let base = without_suffix(word);
        let all = || prefixes.checks.iter().chain(&prefixes.comments);
        if declared.contains(base) || all().any(|prefix| prefix.as_bytes() == base) {
            continue;
        }
        if let Some(prefix) = prefixes
            .checks
            .iter()
            .find(|prefix| is_typing_error(base, prefix))
        {
            let suffix = as_text(&word[base.len()..]);
            findings.push(Finding {
                offset: start + at,
                message: format!("misspelled prefix '{}:'", as_text(word)),
                suggestion: Some(format!("{prefix}{suffix}:")),
            });
        }
    }
}

/// Whether a word is a prefix with one letter wrong, or in the wrong case.
fn is_typing_error(word: &[u8], prefix: &Rc<str>) -> bool {
    let prefix = prefix.as_bytes();
    if prefix.len() < 4 || word.len().abs_diff(prefix.len()) > 1 {
        return false;
    }
    if word.eq_ignore_ascii_case(prefix) {
        return true;
    }
    // `CHECK1` next to `CHECK` is another prefix.
    let digits = |text: &[u8]| text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let signs = |text: &[u8]| {
        text.iter()
            .filter(|byte| matches!(byte, b'-' | b'_'))
            .count()
    };
    digits(word) == digits(prefix)
        && signs(word) == signs(prefix)
        && word
            .iter()
            .all(|byte| !byte.is_ascii_lowercase() || prefix.contains(byte))
        && swap_distance(word, prefix) == 1
}

/// The word in the text, used like a directive, that is most like an unused prefix.
pub(crate) fn nearest_directive_word(text: &[u8], prefix: &str) -> Option<String> {
    let mut best: Option<(usize, &[u8])> = None;
    for line in text.split(|byte| *byte == b'\n') {
        let Some(colon) = memchr::memchr(b':', line) else {
            continue;
        };
        let start = line[..colon]
            .iter()
            .rposition(|byte| !is_word(*byte))
            .map_or(0, |at| at + 1);
        let word = without_suffix(&line[start..colon]);
        if word.is_empty() {
            continue;
        }
        let distance = swap_distance(word, prefix.as_bytes());
        if distance > 0
            && distance <= 1 + prefix.len() / 3
            && best.is_none_or(|(known, _)| distance < known)
        {
            best = Some((distance, word));
        }
    }
    best.map(|(_, word)| as_text(word))
}
