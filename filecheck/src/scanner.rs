//! Finds the directives in a check file.

use std::rc::Rc;

use crate::directive::{PrefixFinder, Suffix, is_word, parse_suffix};
use crate::options::Options;
use crate::source::is_blank;

/// The check file is malformed; the log has the reason.
#[derive(Debug)]
pub(crate) struct Rejected;

pub(crate) const DEFAULT_PREFIX: &str = "CHECK";
pub(crate) const DEFAULT_COMMENT_PREFIXES: [&str; 2] = ["COM", "RUN"];

/// The prefixes in force.
pub(crate) struct Prefixes {
    pub(crate) checks: Vec<Rc<str>>,
    pub(crate) comments: Vec<Rc<str>>,
}

impl Prefixes {
    pub(crate) fn of(options: &Options) -> Prefixes {
        let shared = |list: &[String], default: &[&str]| -> Vec<Rc<str>> {
            if list.is_empty() {
                default.iter().map(|prefix| Rc::from(*prefix)).collect()
            } else {
                list.iter()
                    .map(|prefix| Rc::from(prefix.as_str()))
                    .collect()
            }
        };
        Prefixes {
            checks: shared(&options.check_prefixes, &[DEFAULT_PREFIX]),
            comments: shared(&options.comment_prefixes, &DEFAULT_COMMENT_PREFIXES),
        }
    }
}

/// Walks through a text from directive to directive.
pub(crate) struct Scanner<'s> {
    text: &'s [u8],
    finder: PrefixFinder<'s>,
    prefixes: &'s Prefixes,
    pub(crate) position: usize,
    pub(crate) line: usize,
    /// Whether a directive at the very end of the text takes its colon for a pattern, as in LLVM.
    pub(crate) is_lenient: bool,
    /// Where a prefix stood without being a directive, with the index of the prefix.
    pub(crate) ignored: Vec<(usize, usize)>,
}

/// A prefix with something that is, or looks like, a directive.
pub(crate) struct Found<'s> {
    pub(crate) prefix: &'s Rc<str>,
    pub(crate) start: usize,
    pub(crate) line: usize,
    pub(crate) suffix: Suffix,
}

impl<'s> Scanner<'s> {
    pub(crate) fn new(text: &'s [u8], prefixes: &'s Prefixes) -> Scanner<'s> {
        let all = prefixes
            .checks
            .iter()
            .chain(&prefixes.comments)
            .map(|prefix| &**prefix);
        let finder = PrefixFinder::new(text, all);
        Scanner {
            text,
            finder,
            prefixes,
            position: 0,
            line: 1,
            is_lenient: false,
            ignored: Vec::new(),
        }
    }

    fn advance(&mut self, to: usize) {
        self.line += memchr::memchr_iter(b'\n', &self.text[self.position..to]).count();
        self.position = to;
    }

    /// The next directive; moves the position past its suffix.
    pub(crate) fn next(&mut self) -> Option<Found<'s>> {
        loop {
            let before = self.position;
            let (start, index) = self.finder.next(self.position)?;
            self.advance(start);
            let checks = self.prefixes.checks.len();
            let is_comment_slot = index >= checks;
            let prefix = match self.prefixes.checks.get(index) {
                Some(prefix) => prefix,
                None => &self.prefixes.comments[index - checks],
            };
            let text = &self.text[start..];
            // The preceding text of this scan decides, so a prefix directly after the last directive is
            // never the end of a word.
            let ends_a_word = start > before && is_word(self.text[start - 1]);
            let suffix = if ends_a_word {
                Suffix::None
            } else {
                parse_suffix(text, prefix.len(), is_comment_slot)
            };
            let Some(end) = suffix.end() else {
                if !ends_a_word {
                    self.ignored.push((start, index));
                }
                let word = text[prefix.len()..]
                    .iter()
                    .take_while(|byte| is_word(**byte));
                let length = prefix.len() + word.count();
                self.advance(start + length);
                continue;
            };
            let line = self.line;
            // Modifiers may contain newlines, which LLVM does not count. What LLVM rejects for this
            // stays rejected, so that tests run under both.
            let takes_colon = self.is_lenient || suffix.is_empty_line();
            self.position = if text.len() == end && takes_colon {
                start + prefix.len()
            } else {
                start + end
            };
            return Some(Found {
                prefix,
                start,
                line,
                suffix,
            });
        }
    }

    /// Skips the rest of the line and returns it, without leading blanks unless they count.
    pub(crate) fn skip_line(&mut self, keep_blanks: bool) -> std::ops::Range<usize> {
        if !keep_blanks {
            while self
                .text
                .get(self.position)
                .is_some_and(|byte| is_blank(*byte))
            {
                self.position += 1;
            }
        }
        let start = self.position;
        let rest = &self.text[start..];
        self.position =
            memchr::memchr2(b'\n', b'\r', rest).map_or(self.text.len(), |at| start + at);
        start..self.position
    }
}
