//! Reports for a terminal: tables, a chart of each block, and its instructions.

use std::fmt::Write;

use super::{
    BLOCK_HEADS, Blocks, FunctionReport, LISTED, MeasuredBlock, MeasuredInstruction, VERSION_HEADS,
    heaviest, left_out, wait_text,
};
use crate::report::text::{Row, cut, table};
use crate::report::ticks;

/// The minimum width.
const LEAST_WIDTH: usize = 60;
/// Width of the labels of a chart.
const LABELS: usize = 10;
/// Heights of live registers, from none to all of the scale.
const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Explains the marks of the charts.
const LEGEND: &str = "Charts: █ issue, · stall, r waits for results, o for operands, g for groups; ░ in flight; \
                      ▓ scoreboard armed; * critical path";

/// The reports of functions; charts have at most `width` characters a line (at least 60).
///
/// Charts and instructions are of the blocks that take most cycles, up to [`LISTED`] instructions of each version;
/// other blocks have their figures alone.
pub fn render(reports: &[FunctionReport], width: usize) -> String {
    let width = width.max(LEAST_WIDTH);
    let listed = heaviest(reports, LISTED);
    let mut out = String::new();
    if let Some(text) = left_out(reports, &listed) {
        let _ = writeln!(out, "{text}\n");
    }
    for (number, report) in reports.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        function(&mut out, report, number, &listed, width);
    }
    out
}

fn function(
    out: &mut String,
    report: &FunctionReport,
    number: usize,
    listed: &Blocks,
    width: usize,
) {
    let FunctionReport { name, target, .. } = report;
    let _ = writeln!(out, "@{name} for {target}");
    if let Some(caution) = report.caution() {
        let _ = writeln!(out, "{caution}");
    }
    let _ = writeln!(out, "\nStatic cycles");
    table(out, report.heads(&VERSION_HEADS), report.version_rows());
    let loops = report.loop_rows();
    if !loops.is_empty() {
        let _ = writeln!(
            out,
            "\nInnermost loops: cycles of an iteration in the steady state"
        );
        table(out, &report.loop_heads(), loops);
    }
    let _ = writeln!(out, "\n{LEGEND}");
    for place in 0..report.blocks() {
        let _ = writeln!(out, "\n{}", report.block_title(place));
        table(out, report.heads(&BLOCK_HEADS), report.block_rows(place));
        if listed.contains(&(number, place)) {
            block(out, report, place, width);
        }
    }
}

fn block(out: &mut String, report: &FunctionReport, number: usize, width: usize) {
    let spans = report.with_block(number).map(|(_, _, block)| block.span());
    let span = spans.max().unwrap_or(0).max(1);
    for (_, version, block) in report.with_block(number) {
        let _ = writeln!(out, "\n {}", version.name);
        chart(out, block, span, width);
        listing(out, block);
    }
}

/// A chart over the cycles of a block.
struct Chart {
    span: i64,
    plot: usize,
}

impl Chart {
    fn row(&self, blank: char) -> Row {
        Row::new(self.plot, self.span, blank)
    }

    fn line(&self, out: &mut String, label: &str, row: &Row) {
        let label = cut(label, LABELS);
        let _ = writeln!(out, " {label:>LABELS$} │{}│", row.text());
    }

    /// Labels of cycles.
    fn axis(&self, out: &mut String) {
        // The last label begins at the end, beyond which it may go as far as the frame and one character more.
        let mut row = Row::new(self.plot + 2, self.span, ' ');
        let scale = self.row(' ');
        let most = i64::try_from(self.plot / 8).unwrap_or(2).max(2);
        let interval = u32::try_from(self.span).unwrap_or(u32::MAX);
        let mut free = 0;
        for cycle in ticks(self.span, interval, most) {
            let text = cycle.to_string();
            let at = scale.at(cycle);
            if at >= free && at + text.len() <= self.plot + 2 {
                row.write(at, &text);
                free = at + text.len() + 1;
            }
        }
        let line = format!(" {:LABELS$}  {}", "", row.text());
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// The chart of a block: issue, units, scoreboards and live registers by cycle. Where several cycles share a
/// character, it shows what most of them are.
fn chart(out: &mut String, block: &MeasuredBlock, span: u64, width: usize) {
    let plot = width - LABELS - 4;
    let cycles = usize::try_from(span).unwrap_or(usize::MAX);
    let chart = Chart {
        span: i64::try_from(span).unwrap_or(i64::MAX),
        plot: plot.min(cycles),
    };
    chart.axis(out);
    let mut issue = Shares::new(&chart);
    for found in &block.instructions {
        let (arrival, cycle) = (found.arrival(), found.issue.cycle);
        let waits = &found.issue.breakdown;
        let (results, operands) = (arrival + waits.results, arrival + waits.operands);
        issue.add(arrival, results, 'r');
        issue.add(arrival, operands, 'o');
        issue.add(cycle - waits.groups, cycle, 'g');
        issue.add(cycle, cycle + 1, '█');
        issue.add(cycle + 1, found.end(), '·');
    }
    chart.line(out, "issue", &issue.row(&chart));
    for unit in units(block) {
        let mut row = chart.row(' ');
        let of_unit = || block.instructions.iter().filter(|found| found.unit == unit);
        for found in of_unit() {
            row.fill(signed(found.issue.cycle), signed(found.done), '░');
        }
        for found in of_unit() {
            let cycle = signed(found.issue.cycle);
            row.fill(cycle, cycle + i64::from(found.interval), '█');
        }
        chart.line(out, unit, &row);
    }
    for board in 0..6 {
        let mut row = chart.row(' ');
        let runs = armed(block, board);
        for (from, to) in &runs {
            row.fill(signed(*from), signed(*to), '▓');
        }
        if !runs.is_empty() {
            chart.line(out, &format!("SB{board}"), &row);
        }
    }
    chart.line(out, "registers", &registers(block, &chart));
}

fn signed(cycle: u64) -> i64 {
    i64::try_from(cycle).unwrap_or(i64::MAX)
}

/// What most cycles of each character are.
struct Shares {
    marks: Vec<[(char, i64); 5]>,
    span: i64,
}

impl Shares {
    fn new(chart: &Chart) -> Shares {
        let none = ['█', '·', 'r', 'o', 'g'].map(|mark| (mark, 0));
        Shares {
            marks: vec![none; chart.plot],
            span: chart.span,
        }
    }

    /// Adds cycles `[from, to)`.
    fn add(&mut self, from: u64, to: u64, mark: char) {
        let (mut from, to) = (signed(from), signed(to).min(self.span));
        let plot = signed(self.marks.len() as u64);
        while from < to {
            let column = from * plot / self.span;
            // The first cycle of the next character.
            let next = ((column + 1) * self.span + plot - 1) / plot;
            let end = next.min(to);
            let marks = usize::try_from(column).ok();
            let marks = marks.and_then(|column| self.marks.get_mut(column));
            for (found, share) in marks.into_iter().flatten() {
                if *found == mark {
                    *share += end - from;
                }
            }
            from = end;
        }
    }

    fn row(&self, chart: &Chart) -> Row {
        let mut row = chart.row(' ');
        for (column, marks) in self.marks.iter().enumerate() {
            // Of equal shares, the first.
            let most = marks.iter().rev().max_by_key(|(_, share)| *share);
            if let Some((mark, share)) = most
                && *share > 0
            {
                row.write(column, &mark.to_string());
            }
        }
        row
    }
}

/// The most registers needed in the cycles of each character, of the most of the block.
fn registers(block: &MeasuredBlock, chart: &Chart) -> Row {
    let most = block.most_live().max(1);
    let mut needed = vec![0; chart.plot];
    for found in &block.instructions {
        let row = chart.row(' ');
        let start = row.at(signed(found.arrival()));
        let end = row.at(signed(found.end())).max(start + 1);
        for column in needed.iter_mut().take(end).skip(start) {
            *column = found.live.max(*column);
        }
    }
    let mut row = chart.row(' ');
    for (column, live) in needed.into_iter().enumerate() {
        let height = (live * 8).div_ceil(most) as usize;
        row.write(column, &HEIGHTS[height.min(8)].to_string());
    }
    row
}

/// The units that a block uses, by name.
pub(super) fn units(block: &MeasuredBlock) -> Vec<&'static str> {
    let mut units: Vec<&str> = block.instructions.iter().map(|found| found.unit).collect();
    units.sort_unstable();
    units.dedup();
    units
}

/// The cycles in which a scoreboard is armed: from an instruction that arms it to the one that waits for it, or
/// to the end of the block.
pub(super) fn armed(block: &MeasuredBlock, board: u8) -> Vec<(u64, u64)> {
    let mut runs = Vec::new();
    let mut start = None;
    for found in &block.instructions {
        let is_armed = found.issue.armed.mask() >> board & 1 == 1;
        if let Some(from) = start.filter(|_| !is_armed) {
            runs.push((from, found.issue.cycle));
            start = None;
        } else if is_armed && start.is_none() {
            start = Some(found.issue.cycle);
        }
    }
    if let Some(from) = start {
        runs.push((from, block.span()));
    }
    runs
}

/// A line for each instruction, and the heads.
pub(super) fn listing(out: &mut String, block: &MeasuredBlock) {
    let rows = block.instructions.iter().enumerate();
    let rows = rows.map(|(place, found)| {
        vec![
            mark(found),
            (block.start + place).to_string(),
            found.issue.cycle.to_string(),
            found.issue.breakdown.stalls.to_string(),
            wait_text(found),
            found.live.to_string(),
            found.control.clone(),
            found.text.clone(),
        ]
    });
    let heads = [
        "",
        "number",
        "cycle",
        "stall",
        "waits for",
        "registers",
        "control word",
        "instruction",
    ];
    let mut lines = String::new();
    let rows: Vec<Vec<String>> = rows.collect();
    // The last column is aligned at the left.
    let width = rows.iter().map(|row| row[7].chars().count()).max();
    let width = width.unwrap_or(0).max(heads[7].len());
    let pad = |text: &str| format!("{text:<width$}");
    let head = pad(heads[7]);
    let mut padded = heads;
    padded[7] = &head;
    let rows = rows.into_iter().map(|mut row| {
        row[7] = pad(&row[7]);
        row
    });
    table(&mut lines, &padded, rows.collect());
    for line in lines.lines() {
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

fn mark(found: &MeasuredInstruction) -> String {
    if found.critical { "*" } else { "" }.to_owned()
}
