//! The dump of the input with annotations.

use std::collections::HashMap;

use crate::options::{DumpFilter, DumpInput, Options};
use crate::report::{Annotation, Outcome};
use crate::source::Location;

/// The text of `--dump-input=help`.
pub(crate) const HELP: &str = include_str!("dump_help.txt");

/// A marker may go on to the end of the line.
const TO_LINE_END: usize = usize::MAX;

#[derive(Clone, Copy)]
struct Marker {
    lead: u8,
    color: &'static str,
    note: &'static str,
    is_error: bool,
}

const RED: &str = "\x1b[0;1;31m";
const GREEN: &str = "\x1b[0;1;32m";
const MAGENTA: &str = "\x1b[0;1;35m";
const CYAN: &str = "\x1b[0;1;36m";
const GREY: &str = "\x1b[0;1;30m";
const RESET: &str = "\x1b[0m";

fn marker(outcome: Outcome) -> Marker {
    let (lead, color, note, is_error) = match outcome {
        Outcome::FoundAndExpected => (b'^', GREEN, "", false),
        Outcome::FoundButExcluded => (b'!', RED, "error: no match expected", true),
        Outcome::FoundButWrongLine => (b'!', RED, "error: match on wrong line", true),
        Outcome::FoundButDiscarded => (b'!', CYAN, "discard: overlaps earlier match", false),
        Outcome::NoneAndExcluded => (b'X', GREEN, "", false),
        Outcome::NoneButExpected => (b'X', RED, "error: no match found", true),
        Outcome::NoneForInvalidPattern => {
            (b'X', RED, "error: match failed for invalid pattern", true)
        }
        Outcome::Fuzzy => (b'?', MAGENTA, "possible intended match", true),
    };
    Marker {
        lead,
        color,
        note,
        is_error,
    }
}

/// A part of an annotation, on one line of the input.
#[derive(Clone)]
struct Fragment {
    order: usize,
    label: String,
    is_first: bool,
    line: usize,
    first_column: usize,
    end_column: usize,
    lead: u8,
    color: &'static str,
    note: String,
    is_error: bool,
    is_good: bool,
}

/// What the dump needs to know about where patterns are.
pub(crate) struct CheckPlaces<'p> {
    /// The buffer of the check file.
    pub(crate) check_buffer: usize,
    /// The buffers of implicit patterns.
    pub(crate) implicit_buffers: &'p [usize],
}

fn fragments(
    annotations: &[Annotation],
    places: &CheckPlaces<'_>,
    line_of: &dyn Fn(Location) -> usize,
) -> Vec<Fragment> {
    let mut totals: HashMap<Location, usize> = HashMap::new();
    for annotation in annotations {
        *totals.entry(annotation.check).or_default() += 1;
    }
    let mut seen: HashMap<Location, usize> = HashMap::new();
    let mut out = Vec::new();
    for (order, annotation) in annotations.iter().enumerate() {
        let place = annotation.check;
        let mut label = format!("{}:", annotation.kind.abbreviation(annotation.count));
        if place.buffer == places.check_buffer {
            label.push_str(&line_of(place).to_string());
        } else {
            let number = places
                .implicit_buffers
                .iter()
                .position(|buffer| *buffer == place.buffer);
            label.push_str(&format!("imp{}", number.map_or(0, |index| index + 1)));
        }
        if totals[&place] > 1 {
            let index = seen.entry(place).or_default();
            label.push_str(&format!("'{index}"));
            *index += 1;
        }
        push_fragments(&mut out, order, &label, annotation);
    }
    out.sort_by_key(|fragment| (fragment.line, fragment.order));
    out
}

fn push_fragments(out: &mut Vec<Fragment>, order: usize, label: &str, annotation: &Annotation) {
    let marker = marker(annotation.outcome);
    let is_point = annotation.start == annotation.end;
    let mut fragment = Fragment {
        order,
        label: label.to_owned(),
        is_first: true,
        line: annotation.start.0,
        first_column: annotation.start.1,
        end_column: annotation.end.1.max(annotation.start.1 + 1),
        // A note about no place in particular gets no mark.
        lead: if annotation.note.is_some() && is_point {
            b' '
        } else {
            marker.lead
        },
        color: marker.color,
        note: annotation
            .note
            .clone()
            .unwrap_or_else(|| marker.note.to_owned()),
        is_error: marker.is_error,
        is_good: annotation.outcome == Outcome::FoundAndExpected,
    };
    let (first, last) = (annotation.start.0, annotation.end.0);
    if first < last {
        fragment.end_column = TO_LINE_END;
    }
    let rest_of_range = Fragment {
        is_first: false,
        first_column: 1,
        end_column: TO_LINE_END,
        lead: b'~',
        note: String::new(),
        ..fragment.clone()
    };
    out.push(fragment);
    for line in first + 1..=last {
        let end_column = match (line == last, annotation.end.1) {
            (true, 1) => break,
            (true, column) => column,
            (false, _) => TO_LINE_END,
        };
        out.push(Fragment {
            line,
            end_column,
            ..rest_of_range.clone()
        });
    }
}

/// Prints the whole dump, or what the filter leaves of it.
pub(crate) fn dump(
    out: &mut Vec<u8>,
    options: &Options,
    input: &[u8],
    annotations: &[Annotation],
    places: &CheckPlaces<'_>,
    line_of: &dyn Fn(Location) -> usize,
) {
    let fragments = fragments(annotations, places, line_of);
    let filter = options
        .dump_filter
        .unwrap_or(if options.dump_input == DumpInput::Always {
            DumpFilter::All
        } else {
            DumpFilter::Error
        });
    let header = format!(
        "\nInput file: {}\nCheck file: {}\n\n-dump-input=help explains the following input \
         dump.\n\nInput was:\n<<<<<<\n",
        options.input_name, options.check_name
    );
    out.extend_from_slice(header.as_bytes());
    let lines: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
    let digits = lines.len().max(1).to_string().len();
    let widest = fragments
        .iter()
        .map(|fragment| fragment.label.len())
        .max()
        .unwrap_or(0);
    let width = (widest.max(digits) + 3).max(options.dump_label_width);
    let mut printer = Printer {
        out,
        elided: Vec::new(),
        width,
        color: options.color,
        verbose: options.verbose,
    };
    printer.lines(&lines, &fragments, filter, options.dump_context);
    printer.end_elision();
    out.extend_from_slice(b">>>>>>\n");
}

struct Printer<'o> {
    out: &'o mut Vec<u8>,
    /// Lines that are left out unless three dots would take as much room.
    elided: Vec<u8>,
    width: usize,
    color: bool,
    verbose: u8,
}

impl Printer<'_> {
    fn lines(
        &mut self,
        lines: &[&[u8]],
        fragments: &[Fragment],
        filter: DumpFilter,
        context: usize,
    ) {
        let wanted: Vec<usize> = fragments
            .iter()
            .filter(|fragment| match filter {
                DumpFilter::All | DumpFilter::AnnotationFull => true,
                DumpFilter::Annotation => fragment.is_first,
                DumpFilter::Error => fragment.is_first && fragment.is_error,
            })
            .map(|fragment| fragment.line)
            .collect();
        // An annotation can be after the last line, at the end of the input.
        let last_line = fragments
            .last()
            .map_or(0, |fragment| fragment.line)
            .max(lines.len());
        let near = |number: usize| {
            let next = wanted.partition_point(|line| *line < number);
            let before = match wanted.get(next) {
                Some(line) if *line == number => Some(line),
                _ => wanted[..next].last(),
            };
            filter == DumpFilter::All
                || before.is_some_and(|line| number <= line.saturating_add(context))
                || wanted
                    .get(next)
                    .is_some_and(|line| *line <= number.saturating_add(context))
        };
        let mut rest = fragments;
        for number in 1..=last_line {
            let here = rest
                .iter()
                .take_while(|fragment| fragment.line == number)
                .count();
            let (now, later) = rest.split_at(here);
            rest = later;
            let mut text = Vec::new();
            let line = lines.get(number - 1).copied().unwrap_or(b"");
            self.line(&mut text, number, line, now);
            if near(number) {
                self.end_elision();
                self.out.extend_from_slice(&text);
            } else {
                self.elided.extend_from_slice(&text);
            }
        }
    }

    fn end_elision(&mut self) {
        if memchr::memchr_iter(b'\n', &self.elided).count() > 3 {
            for _ in 0..3 {
                let dot = format!("{:>width$}", ".", width = self.width);
                if self.color {
                    self.out
                        .extend_from_slice(format!("{GREY}{dot}{RESET}\n").as_bytes());
                } else {
                    self.out.extend_from_slice(format!("{dot}\n").as_bytes());
                }
            }
        } else {
            self.out.extend_from_slice(&self.elided);
        }
        self.elided.clear();
    }

    fn paint(&self, out: &mut Vec<u8>, code: &str) {
        if self.color {
            out.extend_from_slice(code.as_bytes());
        }
    }

    fn line(&self, out: &mut Vec<u8>, number: usize, text: &[u8], fragments: &[Fragment]) {
        self.paint(out, GREY);
        out.extend_from_slice(format!("{number:>width$}: ", width = self.width).as_bytes());
        self.paint(out, RESET);
        self.input_text(out, text, fragments);
        out.push(b'\n');
        for fragment in fragments {
            self.fragment(out, fragment, text.len());
        }
    }

    /// The line of the input; what no check matched is set off when that is known.
    fn input_text(&self, out: &mut Vec<u8>, text: &[u8], fragments: &[Fragment]) {
        const UNMATCHED: &str = "\x1b[0;1;46m";
        let shows_matches = self.color && self.verbose > 0;
        self.paint(out, if shows_matches { UNMATCHED } else { "\x1b[1m" });
        let mut in_match = false;
        for (index, &byte) in text.iter().enumerate() {
            if shows_matches {
                let column = index + 1;
                let is_matched = fragments.iter().any(|fragment| {
                    fragment.is_good
                        && (fragment.first_column..fragment.end_column).contains(&column)
                });
                if is_matched != in_match {
                    self.paint(out, if is_matched { RESET } else { UNMATCHED });
                    in_match = is_matched;
                }
            }
            out.push(if byte == b'\n' { b' ' } else { byte });
        }
        self.paint(out, RESET);
    }

    fn fragment(&self, out: &mut Vec<u8>, fragment: &Fragment, line_width: usize) {
        self.paint(out, fragment.color);
        out.extend_from_slice(
            format!("{:<width$} ", fragment.label, width = self.width).as_bytes(),
        );
        let mut column = 1;
        out.extend(std::iter::repeat_n(b' ', fragment.first_column));
        column += fragment.first_column - 1;
        out.push(fragment.lead);
        column += 1;
        while column < fragment.end_column && column <= line_width {
            out.push(b'~');
            column += 1;
        }
        if !fragment.note.is_empty() {
            let padding = (line_width + 1).saturating_sub(column);
            out.extend(std::iter::repeat_n(b' ', padding));
            out.push(b' ');
            out.extend_from_slice(fragment.note.as_bytes());
        }
        out.push(b'\n');
        self.paint(out, RESET);
    }
}
