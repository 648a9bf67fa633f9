//! Matching an input against the patterns of a check file.

use crate::check_file::{Check, CheckFile, CheckString};
use crate::directive::Kind;
use crate::pattern::{Match, NoMatch};
use crate::report::{Outcome, Region, Reporter};
use crate::variables::Variables;

/// A check failed; the log has the diagnostics.
#[derive(Debug)]
pub(crate) struct Failed;

/// A run over one input.
pub(crate) struct Matcher<'m, 'r> {
    pub(crate) reporter: &'m mut Reporter<'r>,
    pub(crate) variables: &'m mut Variables,
    pub(crate) text: &'m [u8],
}

impl Matcher<'_, '_> {
    /// Whether the input is as the check file wants it.
    pub(crate) fn run(&mut self, file: &CheckFile) -> bool {
        let mut passed = true;
        let mut next_string = 0;
        let mut position = 0;
        let labels = file
            .strings
            .iter()
            .enumerate()
            .filter(|(_, string)| string.check.pattern.kind == Kind::Label)
            .map(|(index, string)| (index + 1, Some(string)));
        // Each label ends a region of the input; what follows the last is a region too.
        for (end, label) in labels.chain([(file.strings.len(), None)]) {
            let mut region = (position, self.text.len());
            if let Some(label) = label {
                match self.check_label(label, region) {
                    // Without the label there are no regions to continue with.
                    Err(Failed) => return false,
                    Ok(found) => region.1 = found.start + found.length,
                }
            }
            position = region.1;
            // The first region keeps the variables of the command line.
            if next_string != 0 && self.reporter.options.enable_var_scope {
                self.variables.clear_local();
            }
            for string in &file.strings[next_string..end] {
                match self.check(string, region) {
                    Ok(found) => region.0 = found.start + found.length,
                    Err(Failed) => {
                        passed = false;
                        break;
                    }
                }
            }
            next_string = end;
        }
        passed
    }

    /// Searches a region; offsets of the match are absolute.
    fn search(&mut self, check: &Check, region: Region) -> Result<Match, NoMatch> {
        let text = &self.text[region.0..region.1];
        let found = check
            .pattern
            .search(text, region.0, self.variables, self.reporter.sources)?;
        Ok(Match {
            start: region.0 + found.start,
            length: found.length,
        })
    }

    fn report(
        &mut self,
        expected: bool,
        check: &Check,
        round: u32,
        region: Region,
        result: Result<Match, NoMatch>,
    ) -> Result<Option<Match>, Failed> {
        let (is_error, found) = match result {
            Ok(found) => (
                self.reporter
                    .found(expected, check, round, found, self.variables),
                Some(found),
            ),
            Err(reason) => {
                let errors = match &reason {
                    NoMatch::NotFound => &[][..],
                    NoMatch::Invalid(errors) => errors,
                };
                let is_error =
                    self.reporter
                        .not_found(expected, check, round, region, errors, self.variables);
                (is_error, None)
            }
        };
        if is_error { Err(Failed) } else { Ok(found) }
    }

    /// A search that must succeed.
    fn expect(&mut self, check: &Check, round: u32, region: Region) -> Result<Match, Failed> {
        let result = self.search(check, region);
        self.report(true, check, round, region, result)?
            .ok_or(Failed)
    }

    fn check_label(&mut self, string: &CheckString, region: Region) -> Result<Match, Failed> {
        self.rounds(&string.check, region)
    }

    /// All rounds of a check with a count, as one match.
    fn rounds(&mut self, check: &Check, mut region: Region) -> Result<Match, Failed> {
        let mut first = None;
        for round in 1..=check.pattern.count {
            let found = self.expect(check, round, region)?;
            first = first.or(Some(found.start));
            region.0 = found.start + found.length;
        }
        let start = first.unwrap_or(region.0);
        Ok(Match {
            start,
            length: region.0 - start,
        })
    }

    /// One positive check with all that comes before it.
    fn check(&mut self, string: &CheckString, region: Region) -> Result<Match, Failed> {
        let mut nots = Vec::new();
        let from = self.check_dags(&string.before, region, &mut nots)?;
        let check = &string.check;
        let found = self.rounds(check, (from, region.1))?;
        let skipped = (from, found.start);
        if self.is_on_wrong_line(check, skipped) {
            if self.reporter.options.verbose > 0 {
                self.reporter.revise(Outcome::FoundButWrongLine);
            } else {
                let range = (found.start, found.start + found.length);
                self.reporter
                    .annotate(check, Outcome::FoundButWrongLine, range, None);
            }
            return Err(Failed);
        }
        self.check_nots(&nots, skipped)?;
        Ok(found)
    }

    /// Whether a `NEXT`, `EMPTY` or `SAME` match is not on the line it must be on.
    fn is_on_wrong_line(&mut self, check: &Check, skipped: Region) -> bool {
        let suffix = match check.pattern.kind {
            Kind::Next => "NEXT",
            Kind::Empty => "EMPTY",
            Kind::Same => "SAME",
            _ => return false,
        };
        let (newlines, first_line) = count_newlines(&self.text[skipped.0..skipped.1]);
        let problem = match (check.pattern.kind, newlines) {
            (Kind::Same, 0) => return false,
            (Kind::Same, _) => "is not on the same line as the previous match",
            (_, 0) => "is on the same line as previous match",
            (_, 1) => return false,
            _ => "is not on the line after the previous match",
        };
        let message = format!("{}-{suffix}: {problem}", check.prefix);
        self.reporter.error_at_check(check, &message);
        self.reporter.note_at(skipped.1, "'next' match was here");
        self.reporter
            .note_at(skipped.0, "previous match ended here");
        if check.pattern.kind != Kind::Same && newlines > 1 {
            let line = skipped.0 + first_line;
            self.reporter
                .note_at(line, "non-matching line after previous match is here");
        }
        true
    }

    /// Checks that no excluded pattern matches; reports all that do.
    fn check_nots(&mut self, nots: &[&Check], region: Region) -> Result<(), Failed> {
        let mut result = Ok(());
        for check in nots {
            let found = self.search(check, region);
            if self.report(false, check, 1, region, found).is_err() {
                result = Err(Failed);
            }
        }
        result
    }

    /// Matches groups of `DAG` checks, with `NOT` checks between them. Returns where the last
    /// group ends and leaves in `nots` the checks that apply after it.
    fn check_dags<'c>(
        &mut self,
        before: &'c [Check],
        region: Region,
        nots: &mut Vec<&'c Check>,
    ) -> Result<usize, Failed> {
        let mut group_start = region.0;
        // Disjoint and in order.
        let mut matched: Vec<Region> = Vec::new();
        for (index, check) in before.iter().enumerate() {
            if check.pattern.kind == Kind::Not {
                nots.push(check);
                continue;
            }
            self.check_dag(check, (group_start, region.1), &mut matched)?;
            let ends_group = before
                .get(index + 1)
                .is_none_or(|next| next.pattern.kind == Kind::Not);
            if ends_group {
                let first = matched.first().map_or(group_start, |range| range.0);
                let last = matched.last().map_or(group_start, |range| range.1);
                if !nots.is_empty() {
                    self.check_nots(nots, (group_start, first.max(group_start)))?;
                    nots.clear();
                }
                group_start = last;
                matched.clear();
            }
        }
        Ok(group_start)
    }

    /// Finds a match that overlaps none of `matched`, and adds it there.
    fn check_dag(
        &mut self,
        check: &Check,
        region: Region,
        matched: &mut Vec<Region>,
    ) -> Result<(), Failed> {
        let very_verbose = self.reporter.options.verbose > 1;
        let mut from = region.0;
        let mut slot = 0;
        let found = loop {
            let rest = (from, region.1);
            let result = self.search(check, rest);
            let found = match result {
                Ok(found) if !very_verbose => found,
                result => self.report(true, check, 1, rest, result)?.ok_or(Failed)?,
            };
            let range = (found.start, found.start + found.length);
            if self.reporter.options.allow_deprecated_dag_overlap {
                // One range that covers the group is all that is needed then.
                match matched.first_mut() {
                    None => matched.push(range),
                    Some(block) => *block = (block.0.min(range.0), block.1.max(range.1)),
                }
                break found;
            }
            while slot < matched.len() && range.0 >= matched[slot].1 {
                slot += 1;
            }
            if slot == matched.len() || matched[slot].0 >= range.1 {
                matched.insert(slot, range);
                break found;
            }
            if very_verbose {
                if self.reporter.annotations.is_some() {
                    self.reporter.revise(Outcome::FoundButDiscarded);
                } else {
                    let message = "match discarded, overlaps earlier DAG match here";
                    self.reporter.note_range(matched[slot], message);
                }
            }
            from = matched[slot].1;
            slot += 1;
        };
        if !very_verbose {
            self.reporter.found(true, check, 1, found, self.variables);
        }
        Ok(())
    }
}

/// How many line ends a text has, `\r\n` and `\n\r` counting as one, and where the second line
/// starts.
fn count_newlines(text: &[u8]) -> (usize, usize) {
    let mut count = 0;
    let mut second_line = 0;
    let mut position = 0;
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &text[position..]) {
        position += found;
        let is_pair = matches!(
            (text[position], text.get(position + 1)),
            (b'\n', Some(b'\r')) | (b'\r', Some(b'\n'))
        );
        position += if is_pair { 2 } else { 1 };
        count += 1;
        if count == 1 {
            second_line = position;
        }
    }
    (count, second_line)
}
