//! Check lines: their kinds, and how to find them in a text.

use memchr::memmem;

/// The kind of a check line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Plain,
    Next,
    Same,
    Not,
    Dag,
    Label,
    Empty,
    /// The end of the input, when `NOT` or `DAG` lines come last.
    EndOfFile,
}

impl Kind {
    /// The name in the labels of an input dump.
    pub(crate) fn abbreviation(self, count: u32) -> &'static str {
        match self {
            Kind::Plain if count > 1 => "count",
            Kind::Plain => "check",
            Kind::Next => "next",
            Kind::Same => "same",
            Kind::Not => "not",
            Kind::Dag => "dag",
            Kind::Label => "label",
            Kind::Empty => "empty",
            Kind::EndOfFile => "eof",
        }
    }

    fn suffix(self, count: u32) -> &'static str {
        match self {
            Kind::Plain if count > 1 => "-COUNT",
            Kind::Plain | Kind::EndOfFile => "",
            Kind::Next => "-NEXT",
            Kind::Same => "-SAME",
            Kind::Not => "-NOT",
            Kind::Dag => "-DAG",
            Kind::Label => "-LABEL",
            Kind::Empty => "-EMPTY",
        }
    }

    /// The directive as messages call it.
    pub(crate) fn describe(self, prefix: &str, count: u32, literal: bool) -> String {
        if self == Kind::EndOfFile {
            return "implicit EOF".to_owned();
        }
        format!(
            "{prefix}{}{}",
            self.suffix(count),
            if literal { "{LITERAL}" } else { "" }
        )
    }
}

/// The kind of directive that follows a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suffix {
    /// A directive; the pattern starts at `end`.
    Directive {
        kind: Kind,
        count: u32,
        literal: bool,
        end: usize,
    },
    Comment {
        end: usize,
    },
    /// An underscore where a hyphen belongs, before a known suffix.
    Misspelled {
        end: usize,
    },
    /// `NOT` combined with another suffix, at `at`.
    BadNot {
        at: usize,
    },
    /// `COUNT` without a good number, at `at`.
    BadCount {
        at: usize,
    },
    /// No directive.
    None,
}

impl Suffix {
    /// Where what belongs to the suffix ends.
    pub(crate) fn end(&self) -> Option<usize> {
        match *self {
            Suffix::Directive { end, .. }
            | Suffix::Comment { end }
            | Suffix::Misspelled { end } => Some(end),
            Suffix::BadNot { at } | Suffix::BadCount { at } => Some(at),
            Suffix::None => None,
        }
    }

    /// Whether this is `-EMPTY`.
    pub(crate) fn is_empty_line(&self) -> bool {
        matches!(
            self,
            Suffix::Directive {
                kind: Kind::Empty,
                ..
            }
        )
    }
}

const COMBINATIONS_WITH_NOT: [&[u8]; 8] = [
    b"DAG-NOT:",
    b"NOT-DAG:",
    b"NEXT-NOT:",
    b"NOT-NEXT:",
    b"SAME-NOT:",
    b"NOT-SAME:",
    b"EMPTY-NOT:",
    b"NOT-EMPTY:",
];

/// The suffixes that make a kind of their own.
pub(crate) const SUFFIXES: [(&str, Kind); 6] = [
    ("NEXT", Kind::Next),
    ("SAME", Kind::Same),
    ("NOT", Kind::Not),
    ("DAG", Kind::Dag),
    ("LABEL", Kind::Label),
    ("EMPTY", Kind::Empty),
];

/// Reads what follows a prefix of `prefix_length` bytes at the start of `text`. Offsets in the
/// result count from the start of `text`.
pub(crate) fn parse_suffix(text: &[u8], prefix_length: usize, is_comment: bool) -> Suffix {
    let rest = &text[prefix_length..];
    if rest.is_empty() {
        return Suffix::None;
    }
    if is_comment {
        return match rest[0] {
            b':' => Suffix::Comment {
                end: prefix_length + 1,
            },
            _ => Suffix::None,
        };
    }
    match rest[0] {
        b':' | b'{' => modifiers(text, prefix_length, Kind::Plain, 1),
        b'-' => named(text, prefix_length + 1),
        b'_' => match named(text, prefix_length + 1) {
            Suffix::None => Suffix::None,
            Suffix::Directive { end, .. } => Suffix::Misspelled { end },
            Suffix::BadNot { at } | Suffix::BadCount { at } => Suffix::Misspelled { end: at },
            other => other,
        },
        _ => Suffix::None,
    }
}

/// The suffix after its hyphen at `at`.
fn named(text: &[u8], at: usize) -> Suffix {
    let rest = &text[at..];
    if rest.starts_with(b"COUNT-") {
        return counted(text, at + 6);
    }
    if COMBINATIONS_WITH_NOT
        .iter()
        .any(|combination| rest.starts_with(combination))
    {
        return Suffix::BadNot { at };
    }
    for (name, kind) in SUFFIXES {
        if rest.starts_with(name.as_bytes()) {
            return modifiers(text, at + name.len(), kind, 1);
        }
    }
    Suffix::None
}

fn counted(text: &[u8], at: usize) -> Suffix {
    let sign = usize::from(text.get(at) == Some(&b'-'));
    let digits = text[at + sign..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count()
        + sign;
    let number = std::str::from_utf8(&text[at..at + digits]).unwrap_or("");
    let Ok(count) = number.parse::<i64>() else {
        return Suffix::BadCount { at };
    };
    let end = at + digits;
    match i32::try_from(count) {
        Ok(count) if count > 0 && matches!(text.get(end), Some(b':' | b'{')) => {
            modifiers(text, end, Kind::Plain, count.unsigned_abs())
        }
        _ => Suffix::BadCount { at: end },
    }
}

/// `:` or `{LITERAL}:`.
fn modifiers(text: &[u8], at: usize, kind: Kind, count: u32) -> Suffix {
    match text.get(at) {
        Some(b':') => {
            return Suffix::Directive {
                kind,
                count,
                literal: false,
                end: at + 1,
            };
        }
        Some(b'{') => {}
        _ => return Suffix::None,
    }
    let skip_space = |mut at: usize| {
        while text
            .get(at)
            .is_some_and(|byte| matches!(byte, b' ' | b'\t'..=b'\r'))
        {
            at += 1;
        }
        at
    };
    let mut at = at + 1;
    loop {
        at = skip_space(at);
        if !text[at..].starts_with(b"LITERAL") {
            return Suffix::None;
        }
        at = skip_space(at + 7);
        if text.get(at) != Some(&b',') {
            break;
        }
        at += 1;
    }
    if text[at..].starts_with(b"}:") {
        return Suffix::Directive {
            kind,
            count,
            literal: true,
            end: at + 2,
        };
    }
    Suffix::None
}

/// Whether the byte can be part of a word; a prefix must not be the end of a longer word.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// Finds occurrences of prefixes from left to right, the longest first where two start together.
pub(crate) struct PrefixFinder<'a> {
    text: &'a [u8],
    entries: Vec<Entry<'a>>,
}

struct Entry<'a> {
    finder: memmem::Finder<'a>,
    /// Index into the list of prefixes the finder was made with.
    index: usize,
    length: usize,
    next: Option<usize>,
}

impl<'a> PrefixFinder<'a> {
    pub(crate) fn new(text: &'a [u8], prefixes: impl Iterator<Item = &'a str>) -> Self {
        let mut entries: Vec<Entry<'a>> = prefixes
            .enumerate()
            .map(|(index, prefix)| {
                let finder = memmem::Finder::new(prefix.as_bytes());
                let next = finder.find(text);
                Entry {
                    finder,
                    index,
                    length: prefix.len(),
                    next,
                }
            })
            .collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.length));
        PrefixFinder { text, entries }
    }

    /// The first occurrence at or after `from`: its offset and the index of its prefix.
    pub(crate) fn next(&mut self, from: usize) -> Option<(usize, usize)> {
        let mut best: Option<(usize, usize)> = None;
        for entry in &mut self.entries {
            if entry.next.is_some_and(|next| next < from) {
                entry.next = entry
                    .finder
                    .find(&self.text[from..])
                    .map(|found| from + found);
            }
            if let Some(next) = entry.next
                && best.is_none_or(|(known, _)| next < known)
            {
                best = Some((next, entry.index));
            }
        }
        best
    }
}
