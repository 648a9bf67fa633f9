//! Diagnostics about matches, and the records of matches for the input dump.

use crate::check_file::Check;
use crate::directive::Kind;
use crate::edit_distance::edit_distance;
use crate::expression::SyntaxError;
use crate::options::Options;
use crate::pattern::Match;
use crate::source::{Location, Log, Severity, Sources};
use crate::variables::Variables;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    FoundAndExpected,
    FoundButExcluded,
    FoundButWrongLine,
    FoundButDiscarded,
    NoneAndExcluded,
    NoneButExpected,
    NoneForInvalidPattern,
    Fuzzy,
}

/// An annotation of the input.
#[derive(Clone, Debug)]
pub(crate) struct Annotation {
    pub(crate) kind: Kind,
    pub(crate) count: u32,
    /// The place of the pattern.
    pub(crate) check: Location,
    pub(crate) outcome: Outcome,
    /// Line and column of both ends.
    pub(crate) start: (usize, usize),
    pub(crate) end: (usize, usize),
    /// Text that replaces the usual one.
    pub(crate) note: Option<String>,
}

/// A range of the input, in absolute offsets.
pub(crate) type Region = (usize, usize);

/// The reporting half of a run.
#[derive(Debug)]
pub(crate) struct Reporter<'r> {
    pub(crate) options: &'r Options,
    pub(crate) sources: &'r Sources,
    pub(crate) log: &'r mut Log,
    /// The buffer of the input.
    pub(crate) input: usize,
    /// Collected if the input may be dumped.
    pub(crate) annotations: Option<Vec<Annotation>>,
}

impl Reporter<'_> {
    pub(crate) fn input_location(&self, offset: usize) -> Location {
        Location {
            buffer: self.input,
            offset,
        }
    }

    pub(crate) fn note_at(&mut self, offset: usize, message: &str) {
        let location = self.input_location(offset);
        self.log.note(self.sources, location, message);
    }

    pub(crate) fn error_at_check(&mut self, check: &Check, message: &str) {
        self.log
            .error(self.sources, check.pattern.location, message);
    }

    pub(crate) fn annotate(
        &mut self,
        check: &Check,
        outcome: Outcome,
        (start, end): Region,
        note: Option<String>,
    ) {
        let Some(annotations) = &mut self.annotations else {
            return;
        };
        let place = |offset| {
            self.sources.line_and_column(Location {
                buffer: self.input,
                offset,
            })
        };
        annotations.push(Annotation {
            kind: check.pattern.kind,
            count: check.pattern.count,
            check: check.pattern.location,
            outcome,
            start: place(start),
            end: place(end),
            note,
        });
    }

    /// Changes the outcome of the annotations made last, for one pattern.
    pub(crate) fn revise(&mut self, outcome: Outcome) {
        let Some(annotations) = &mut self.annotations else {
            return;
        };
        let Some(check) = annotations.last().map(|last| last.check) else {
            return;
        };
        for annotation in annotations
            .iter_mut()
            .rev()
            .take_while(|last| last.check == check)
        {
            annotation.outcome = outcome;
        }
    }

    fn describe(check: &Check) -> String {
        let pattern = &check.pattern;
        pattern
            .kind
            .describe(&check.prefix, pattern.count, pattern.literal)
    }

    fn count_suffix(check: &Check, round: u32) -> String {
        match check.pattern.count {
            0 | 1 => String::new(),
            count => format!(" ({round} out of {count})"),
        }
    }

    /// Reports a match at absolute offsets; returns whether it is an error.
    pub(crate) fn found(
        &mut self,
        expected: bool,
        check: &Check,
        round: u32,
        found: Match,
        variables: &Variables,
    ) -> bool {
        if expected && self.is_quiet(check) {
            return false;
        }
        let region = (found.start, found.start + found.length);
        let outcome = if expected {
            Outcome::FoundAndExpected
        } else {
            Outcome::FoundButExcluded
        };
        let notes = check.pattern.substitution_notes(variables, self.sources);
        let captures = check.pattern.captures(variables);
        self.annotate(check, outcome, region, None);
        for note in &notes {
            self.annotate(check, outcome, (region.0, region.0), Some(note.clone()));
        }
        let captured = |name: &str| format!("captured var \"{name}\"");
        for (name, range) in &captures {
            self.annotate(check, outcome, *range, Some(captured(name)));
        }
        // Successes are reported either in the dump or here.
        if expected && self.annotations.is_some() {
            return false;
        }
        let (what, severity) = if expected {
            ("expected string found", Severity::Remark)
        } else {
            ("excluded string found", Severity::Error)
        };
        self.tell(check, round, what, severity);
        self.note_range(region, "found here");
        for note in &notes {
            self.note_at(region.0, note);
        }
        for (name, range) in &captures {
            self.note_range(*range, &captured(name));
        }
        !expected
    }

    /// Whether a success is not worth telling.
    fn is_quiet(&self, check: &Check) -> bool {
        match self.options.verbose {
            0 => true,
            1 => check.pattern.kind == Kind::EndOfFile,
            _ => false,
        }
    }

    /// Reports the result of a check.
    fn tell(&mut self, check: &Check, round: u32, what: &str, severity: Severity) {
        let (check_name, count) = (
            Reporter::describe(check),
            Reporter::count_suffix(check, round),
        );
        let message = format!("{check_name}: {what} in input{count}");
        let location = check.pattern.location;
        self.log
            .message(self.sources, location, severity, &message, None);
    }

    /// A note with its range underlined.
    pub(crate) fn note_range(&mut self, (start, end): Region, message: &str) {
        let (from, to) = (self.input_location(start), self.input_location(end));
        self.log.message(
            self.sources,
            from,
            Severity::Note,
            message,
            Some((from, to)),
        );
    }

    /// Reports that nothing was found in a region; returns whether that is an error.
    pub(crate) fn not_found(
        &mut self,
        expected: bool,
        check: &Check,
        round: u32,
        region: Region,
        errors: &[SyntaxError],
        variables: &Variables,
    ) -> bool {
        for error in errors {
            self.log.error(self.sources, error.location, &error.message);
        }
        let is_error = expected || !errors.is_empty();
        if !is_error && self.options.verbose < 2 {
            return false;
        }
        let outcome = if !errors.is_empty() {
            Outcome::NoneForInvalidPattern
        } else if expected {
            Outcome::NoneButExpected
        } else {
            Outcome::NoneAndExcluded
        };
        let notes = check.pattern.substitution_notes(variables, self.sources);
        self.annotate(check, outcome, region, None);
        let start = (region.0, region.0);
        for error in errors {
            self.annotate(check, outcome, start, Some(error.message.clone()));
        }
        for note in &notes {
            self.annotate(check, outcome, start, Some(note.clone()));
        }
        if !is_error && self.annotations.is_some() {
            return false;
        }
        if errors.is_empty() {
            let (what, severity) = if expected {
                ("expected string not found", Severity::Error)
            } else {
                ("excluded string not found", Severity::Remark)
            };
            self.tell(check, round, what, severity);
            self.note_at(region.0, "scanning from here");
        }
        for note in &notes {
            self.note_at(region.0, note);
        }
        if expected {
            self.similar_line(check, region);
        }
        is_error
    }

    /// Points at the text that looks most like the pattern.
    fn similar_line(&mut self, check: &Check, region: Region) {
        /// How far to look.
        const REACH: usize = 4096;
        /// The work that is worth it, as the product of reach and pattern length.
        const WORK: usize = REACH * 2048;
        /// Anything farther away is not similar.
        const FARTHEST: usize = 50;
        let text = self.sources.text(self.input);
        let text = &text[region.0..region.1];
        let example = check.pattern.example();
        let reach = text.len().min(REACH);
        if WORK < reach * example.len() {
            return;
        }
        let mut lines = 0usize;
        let mut best: Option<(usize, f64)> = None;
        for index in 0..reach {
            match text[index] {
                b'\n' => lines += 1,
                b' ' | b'\t' => continue,
                _ => {}
            }
            let rest = &text[index..text.len().min(index + example.len())];
            let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
            let distance = edit_distance(line, example, FARTHEST);
            let quality = distance as f64 + lines as f64 / 100.0;
            if best.is_none_or(|(_, known)| quality < known) {
                best = Some((index, quality));
            }
        }
        // The start of the region was shown already.
        if let Some((index, quality)) = best
            && index > 0
            && quality < FARTHEST as f64
        {
            let at = region.0 + index;
            self.annotate(check, Outcome::Fuzzy, (at, at), None);
            self.note_at(at, "possible intended match here");
        }
    }
}
