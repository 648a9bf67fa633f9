//! Drawings for a terminal, in box characters.

use std::fmt::Write;

use super::{LoopReport, svg, ticks};

/// The minimum width.
const LEAST_WIDTH: usize = 40;
/// Eighths of a character, for the ends of bars.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A row of characters over an axis of cycles.
pub(crate) struct Row {
    cells: Vec<char>,
    cycles: i64,
}

impl Row {
    pub(crate) fn new(width: usize, cycles: i64, blank: char) -> Self {
        Row {
            cells: vec![blank; width],
            cycles: cycles.max(1),
        }
    }

    /// The character position of a cycle. Several cycles may share one.
    pub(crate) fn at(&self, cycle: i64) -> usize {
        let width = i128::try_from(self.cells.len()).unwrap_or(1);
        let at = i128::from(cycle.max(0)) * width / i128::from(self.cycles);
        usize::try_from(at)
            .unwrap_or(usize::MAX)
            .min(self.cells.len())
    }

    /// Fills the characters of cycles `[from, to)`; at least one.
    pub(crate) fn fill(&mut self, from: i64, to: i64, mark: char) {
        let start = self.at(from);
        let end = self.at(to).max(start + 1).min(self.cells.len());
        for cell in self.cells.iter_mut().take(end).skip(start) {
            *cell = mark;
        }
    }

    /// Writes text from a character position on, as far as it fits.
    pub(crate) fn write(&mut self, start: usize, text: &str) {
        for (cell, letter) in self.cells.iter_mut().skip(start).zip(text.chars()) {
            *cell = letter;
        }
    }

    pub(crate) fn text(&self) -> String {
        self.cells.iter().collect()
    }
}

/// Widths of the parts.
struct Layout {
    labels: usize,
    plot: usize,
}

/// The drawings of a loop, with lines of at most `width` characters (at least 40; names may be
/// truncated).
pub fn render(report: &LoopReport, width: usize) -> String {
    let width = width.max(LEAST_WIDTH);
    let names = report.slots.iter().map(|slot| slot.chars().count());
    let labels = names.chain([12]).max().unwrap_or(12).min(width / 3);
    let layout = Layout {
        labels,
        plot: width - labels - 4,
    };
    let mut out = String::new();
    let _ = writeln!(out, "{}", cut(&report.title, width));
    for line in wrap(&svg::summary(report), width) {
        let _ = writeln!(out, "{line}");
    }
    legend(&mut out, report, width);
    bounds(&mut out, report, width);
    reservations(&mut out, report, &layout);
    iterations(&mut out, report, &layout);
    rings(&mut out, report, &layout, width);
    out
}

pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// Rows below their heads, with columns aligned at the right.
pub(crate) fn table(out: &mut String, heads: &[&str], rows: Vec<Vec<String>>) {
    let heads = heads.iter().map(|head| (*head).to_owned()).collect();
    let lines: Vec<Vec<String>> = [heads].into_iter().chain(rows).collect();
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    for line in &lines {
        let cells = line.iter().zip(&widths);
        let padded = cells.map(|(cell, width)| format!("{cell:>width$}"));
        let _ = writeln!(out, " {}", padded.collect::<Vec<_>>().join("  "));
    }
}

fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > 0 && line + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&cut(word, width));
        }
    }
    lines
}

/// The mark of an operation: its letter, or `#` for operations without one.
fn mark(operation: usize) -> char {
    let letter = LoopReport::letter(operation);
    let mut letters = letter.chars();
    match (letters.next(), letters.next()) {
        (Some(only), None) if only.is_alphabetic() => only,
        _ => '#',
    }
}

fn legend(out: &mut String, report: &LoopReport, width: usize) {
    let names: Vec<String> = report
        .operations
        .iter()
        .enumerate()
        .map(|(at, op)| format!("{}\u{a0}{}", LoopReport::letter(at), op.name))
        .collect();
    out.push('\n');
    for line in wrap(&names.join("  "), width) {
        let _ = writeln!(out, "{}", line.trim_start().replace('\u{a0}', " "));
    }
}

fn bounds(out: &mut String, report: &LoopReport, width: usize) {
    let _ = writeln!(out, "\nWhat bounds the interval");
    let most = report.bounds.iter().map(|bound| bound.cycles).max();
    let most = u64::from(most.unwrap_or(1).max(report.interval).max(1));
    let names = report.bounds.iter().map(|bound| bound.name.chars().count());
    let names = names.max().unwrap_or(0);
    let digits = most.to_string().len();
    let plot = (width.saturating_sub(names + digits + 5)).min(40) as u64;
    for bound in &report.bounds {
        let eighths = u64::from(bound.cycles) * plot * 8 / most;
        let mut bar = "█".repeat(usize::try_from(eighths / 8).unwrap_or(0));
        bar.push_str(EIGHTHS[usize::try_from(eighths % 8).unwrap_or(0)]);
        let tight = if bound.cycles == report.interval {
            " ◀"
        } else {
            ""
        };
        let line = format!(
            " {:>names$} {:>digits$} {bar}{tight}",
            bound.name, bound.cycles
        );
        let _ = writeln!(out, "{}", cut(line.trim_end(), width));
    }
}

/// Labels of cycles above a row.
fn axis(out: &mut String, report: &LoopReport, layout: &Layout, cycles: i64) {
    let mut row = Row::new(layout.plot + 1, cycles, ' ');
    let scale = Row::new(layout.plot, cycles, ' ');
    let most = i64::try_from(layout.plot / 8).unwrap_or(1).max(1);
    let mut free = 0;
    for cycle in ticks(cycles, report.interval, most) {
        let text = cycle.to_string();
        let at = scale.at(cycle);
        if at >= free && at + text.len() <= layout.plot + 1 {
            row.write(at, &text);
            free = at + text.len() + 1;
        }
    }
    let blank = " ".repeat(layout.labels + 3);
    let _ = writeln!(out, "{}", format!("{blank}{}", row.text()).trim_end());
}

fn frame(out: &mut String, layout: &Layout, top: bool) {
    let (left, right) = if top { ('┌', '┐') } else { ('└', '┘') };
    let blank = " ".repeat(layout.labels + 2);
    let _ = writeln!(out, "{blank}{left}{}{right}", "─".repeat(layout.plot));
}

fn line(out: &mut String, layout: &Layout, label: &str, row: &Row) {
    let label = cut(label, layout.labels);
    let labels = layout.labels;
    let _ = writeln!(out, " {label:>labels$} │{}│", row.text());
}

fn reservations(out: &mut String, report: &LoopReport, layout: &Layout) {
    let _ = writeln!(out, "\nReservation table modulo {}", report.interval);
    let cycles = i64::from(report.interval);
    axis(out, report, layout, cycles);
    frame(out, layout, true);
    let table = report.reservations();
    for (slot, name) in report.slots.iter().enumerate() {
        let mut row = Row::new(layout.plot, cycles, '·');
        for piece in table.iter().filter(|piece| piece.slot == slot) {
            let (from, to) = (i64::from(piece.from), i64::from(piece.to));
            row.fill(from, to, mark(piece.operation));
        }
        line(out, layout, name, &row);
    }
    frame(out, layout, false);
}

fn iterations(out: &mut String, report: &LoopReport, layout: &Layout) {
    let _ = writeln!(out, "\nIterations overlap");
    let count = report.iterations_drawn();
    let interval = i64::from(report.interval);
    let cycles = report.cycles_drawn(count);
    axis(out, report, layout, cycles);
    frame(out, layout, true);
    let lanes = svg::lanes(&report.operations);
    let depth = lanes.iter().max().map_or(1, |last| last + 1);
    for iteration in 0..count {
        for lane in 0..depth {
            let mut row = Row::new(layout.plot, cycles, ' ');
            for (at, op) in report.operations.iter().enumerate() {
                if lanes[at] == lane {
                    let start = op.start + i64::from(iteration) * interval;
                    row.fill(start, start + i64::from(op.length()), mark(at));
                }
            }
            let label = if lane == 0 {
                format!("iteration {iteration}")
            } else {
                String::new()
            };
            line(out, layout, &label, &row);
        }
    }
    frame(out, layout, false);
    phases(out, report, layout, cycles, count);
}

/// Prologue, steady state and epilogue below the iterations.
fn phases(out: &mut String, report: &LoopReport, layout: &Layout, cycles: i64, count: u32) {
    let (fill, drain) = report.phases(count);
    let mut row = Row::new(layout.plot, cycles, ' ');
    for (name, from, to) in [
        ("prologue", 0, fill),
        ("steady state", fill, drain),
        ("epilogue", drain, cycles),
    ] {
        let (start, end) = (row.at(from), row.at(to));
        if end < start + 2 {
            continue;
        }
        row.fill(from, to, '─');
        row.write(start, "├");
        row.write(end - 1, "┤");
        let room = end - start - 2;
        let name = cut(name, room);
        if room >= 3 {
            row.write(start + 1 + (room - name.chars().count()) / 2, &name);
        }
    }
    let blank = " ".repeat(layout.labels + 3);
    let _ = writeln!(out, "{}", format!("{blank}{}", row.text()).trim_end());
}

fn rings(out: &mut String, report: &LoopReport, layout: &Layout, width: usize) {
    if report.rings.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nRing slots: the iteration each holds");
    if let Some((used, there)) = report.memory {
        let text = format!("{used} of {there} bytes of shared memory");
        let _ = writeln!(out, "{}", cut(&text, width));
    }
    let interval = i64::from(report.interval);
    let count = report.iterations_of_rings();
    let cycles = report.cycles_drawn(count);
    axis(out, report, layout, cycles);
    frame(out, layout, true);
    for ring in &report.rings {
        for slot in 0..ring.slots.min(count) {
            let mut row = Row::new(layout.plot, cycles, ' ');
            for iteration in (slot..count).step_by(ring.slots.max(1) as usize) {
                let shift = i64::from(iteration) * interval;
                let (from, to) = (ring.busy.0 + shift, ring.busy.1 + shift);
                row.fill(
                    from,
                    to,
                    if (iteration / ring.slots.max(1)).is_multiple_of(2) {
                        '▓'
                    } else {
                        '░'
                    },
                );
                let number = format!(" {iteration} ");
                let (start, end) = (row.at(from), row.at(to));
                if end >= start + number.len() {
                    row.write(start + (end - start - number.len()) / 2, &number);
                }
            }
            line(out, layout, &format!("{} [{slot}]", ring.name), &row);
        }
    }
    frame(out, layout, false);
    for ring in &report.rings {
        let text = format!(
            " {}: {} slots of {} bytes at {}",
            ring.name, ring.slots, ring.slot_bytes, ring.place
        );
        let _ = writeln!(out, "{}", cut(&text, width));
    }
}
