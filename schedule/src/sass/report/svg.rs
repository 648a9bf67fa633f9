//! The timeline of a block in a version: issue with stalls and waits by cause, functional units, scoreboards,
//! the critical path, and registers against the budget.

use std::fmt::Write;

use super::text::{armed, units};
use super::{FunctionReport, MeasuredBlock, MeasuredInstruction, wait_text};
use crate::report::drawing::{Drawing, escape, number};
use crate::report::ticks;

/// Start of the axis, in pixels.
const LEFT: f64 = 96.0;
/// Width for which the axis is scaled.
const PLOT: f64 = 1010.0;
/// Least and most pixels of a cycle.
const SCALE: (f64, f64) = (2.0, 20.0);
/// Height of a row, and of the curve of registers.
const ROW: f64 = 24.0;
const CURVE: f64 = 56.0;
/// Lanes in a row for operations in flight.
const LANES: usize = 5;

/// Colours of causes, besides those of all drawings. Each has a contrast of at least 3 to 1 to the ground.
pub(super) const STYLE: &str = "\
.schedule.block{display:block;width:auto;min-width:0;max-width:none}\
.schedule .f-issue{fill:var(--c2)}.schedule .f-stalls{fill:var(--c5);opacity:.55}\
.schedule .f-results{fill:var(--c7)}.schedule .f-operands{fill:var(--c3)}.schedule .f-groups{fill:var(--c4)}\
.schedule .f-unit{fill:var(--c0)}.schedule .f-flight{fill:var(--c0);opacity:.38}\
.schedule .f-armed{fill:var(--c6);opacity:.5}\
.schedule .critical .f-unit{stroke:var(--text);stroke-width:1.6}\
.schedule .chain{fill:none;stroke:var(--text);stroke-width:1.2;opacity:.7}\
.schedule .curve{fill:var(--c6);opacity:.35;stroke:var(--c6)}\
.schedule .budget{stroke:var(--c7);stroke-dasharray:5 3}\
.schedule .mark .f-hit{fill:transparent}\
.schedule .mark:hover .f-unit,.schedule .mark.here .f-unit{fill:var(--c1)}\
.schedule .mark:hover .f-hit,.schedule .mark.here .f-hit{fill:var(--faint);opacity:.22}\
.schedule .mark.producer .f-unit{fill:var(--c3)}.schedule .mark.producer .f-hit{fill:var(--c3);opacity:.2}";

/// Where things are in a timeline.
struct Plan<'b> {
    block: &'b MeasuredBlock,
    units: Vec<&'static str>,
    /// The scoreboards that are armed, with the cycles.
    boards: Vec<(u8, Vec<(u64, u64)>)>,
    scale: f64,
    span: u64,
    /// Top of the row of issue.
    top: f64,
}

impl Plan<'_> {
    fn x(&self, cycle: u64) -> f64 {
        LEFT + self.scale * cycle.min(self.span) as f64
    }

    fn row(&self, number: usize) -> f64 {
        self.top + ROW * number as f64
    }

    fn unit(&self, found: &MeasuredInstruction) -> usize {
        1 + self
            .units
            .iter()
            .position(|unit| *unit == found.unit)
            .unwrap_or(0)
    }

    /// The number of rows above the curve.
    fn rows(&self) -> usize {
        1 + self.units.len() + self.boards.len()
    }
}

/// The timeline of the block with this number in a version, over `span` cycles. `most` is the height of the
/// curve of registers.
pub(super) fn timeline(
    report: &FunctionReport,
    (function, version, number): (usize, usize, usize),
    block: &MeasuredBlock,
    (span, most): (u64, u32),
) -> String {
    let span = span.max(1);
    let boards = (0..6).map(|board| (board, armed(block, board)));
    let plan = Plan {
        block,
        units: units(block),
        boards: boards.filter(|(_, runs)| !runs.is_empty()).collect(),
        scale: (PLOT / span as f64).clamp(SCALE.0, SCALE.1),
        span,
        top: 26.0,
    };
    let mut drawing = Drawing::new(plan.top);
    ground(&mut drawing, &plan);
    scoreboards(&mut drawing, &plan);
    registers(&mut drawing, &plan, report.budget, most);
    for place in 0..block.instructions.len() {
        mark(&mut drawing, &plan, place, (function, version));
    }
    chain(&mut drawing, &plan);
    let (width, height) = (plan.x(span) + 28.0, plan.row(plan.rows()) + CURVE + 16.0);
    let (width, height) = (number_of(width), number_of(height));
    let name = &report.versions[version].name;
    let title = format!("{}: {}, {name}", report.name, report.block_title(number));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"schedule block\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" tabindex=\"0\" aria-label=\"{}\">\n{}</svg>\n",
        escape(&title),
        drawing.body
    )
}

fn number_of(value: f64) -> String {
    number(value.ceil())
}

/// Rows, their labels, and the axis.
fn ground(drawing: &mut Drawing, plan: &Plan<'_>) {
    let boards = plan.boards.iter().map(|(board, _)| format!("SB{board}"));
    let units = plan.units.iter().map(|unit| (*unit).to_owned());
    let labels = ["issue".to_owned()].into_iter().chain(units).chain(boards);
    let end = plan.x(plan.span);
    for (row, label) in labels.enumerate() {
        let y = plan.row(row);
        if row % 2 == 0 {
            drawing.rect("var(--band)", "", [LEFT, y, end - LEFT, ROW], 0.0);
        }
        drawing.text(LEFT - 8.0, y + 16.5, "end", &label);
    }
    let cycles = i64::try_from(plan.span).unwrap_or(i64::MAX);
    let interval = u32::try_from(plan.span).unwrap_or(u32::MAX);
    let most = ((end - LEFT) / 70.0) as i64;
    for cycle in ticks(cycles, interval, most.max(1)) {
        let x = plan.x(u64::try_from(cycle).unwrap_or(0));
        drawing.text(x, plan.top - 10.0, "faint middle", &cycle.to_string());
        let bottom = plan.row(plan.rows()) + CURVE + 8.0;
        drawing.line("grid", (x, plan.top - 5.0), (x, bottom));
    }
}

fn filled(drawing: &mut Drawing, class: &str, place: [f64; 4]) {
    let [x, y, width, height] = place.map(number);
    let _ = write!(
        drawing.body,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
    );
}

/// What an instruction waits for, by class, and for how many cycles.
fn causes(found: &MeasuredInstruction) -> impl Iterator<Item = (&'static str, u64)> {
    let waits = &found.issue.breakdown;
    let causes = [
        ("f-results", waits.results),
        ("f-operands", waits.operands),
        ("f-groups", waits.groups),
    ];
    causes.into_iter().filter(|(_, cycles)| *cycles > 0)
}

fn scoreboards(drawing: &mut Drawing, plan: &Plan<'_>) {
    for (row, (board, runs)) in plan.boards.iter().enumerate() {
        let y = plan.row(1 + plan.units.len() + row) + 7.0;
        for (from, to) in runs {
            let (x, end) = (plan.x(*from), plan.x(*to));
            filled(drawing, "f-armed", [x, y, (end - x).max(1.0), ROW - 14.0]);
        }
        let awaits = |found: &&MeasuredInstruction| found.issue.waited.mask() >> board & 1 == 1;
        for found in plan.block.instructions.iter().filter(awaits) {
            let (x, end) = (plan.x(found.arrival()), plan.x(found.issue.cycle));
            let class = causes(found).next().map_or("", |(class, _)| class);
            filled(drawing, class, [x, y, end - x, ROW - 14.0]);
        }
    }
    drawing.body.push('\n');
}

/// The curve of registers. Its height is that of the most needed in any version, or of the budget where that is
/// near.
fn registers(drawing: &mut Drawing, plan: &Plan<'_>, budget: u32, most: u32) {
    let near = budget <= most.saturating_mul(2);
    let top = if near { most.max(budget) } else { most }.max(1);
    let base = plan.row(plan.rows()) + 4.0 + CURVE;
    let height = |live: u32| base - (CURVE - 8.0) * f64::from(live) / f64::from(top);
    let label = format!("{}/{budget}", plan.block.most_live());
    drawing.text(LEFT - 8.0, base - 22.0, "end", "registers");
    drawing.text(LEFT - 8.0, base - 6.0, "faint end", &label);
    let mut path = format!("M{} {}", number(LEFT), number(base));
    for found in &plan.block.instructions {
        let y = number(height(found.live));
        let (x, end) = (plan.x(found.arrival()), plan.x(found.end()));
        let _ = write!(path, "L{} {y}L{} {y}", number(x), number(end));
    }
    let end = plan.x(plan.block.span());
    let _ = writeln!(
        drawing.body,
        "<path class=\"curve\" d=\"{path}L{} {}Z\"/>",
        number(end),
        number(base)
    );
    if near {
        let y = height(budget);
        drawing.line("budget", (LEFT, y), (plan.x(plan.span), y));
    }
}

/// An instruction: its share of the row of issue, and its operation in the row of its unit.
fn mark(drawing: &mut Drawing, plan: &Plan<'_>, place: usize, (function, version): (usize, usize)) {
    let found = &plan.block.instructions[place];
    let name = |number: &usize| format!("{function}.{version}.{number}");
    let producers: Vec<String> = found.producers.iter().map(name).collect();
    let twin = found
        .twin
        .map(|twin| format!(" data-t=\"{function}.0.{twin}\""));
    let _ = write!(
        drawing.body,
        "<g class=\"mark{}\" tabindex=\"-1\" id=\"i{}\" data-p=\"{}\"{}><title>{}</title>",
        if found.critical { " critical" } else { "" },
        name(&(plan.block.start + place)),
        producers.join(" "),
        twin.unwrap_or_default(),
        escape(&describe(plan.block, place))
    );
    let (x, cycle, end) = (
        plan.x(found.arrival()),
        plan.x(found.issue.cycle),
        plan.x(found.end()),
    );
    let waits = &found.issue.breakdown;
    let mut from = x;
    let mut y = plan.row(0) + 4.0;
    for (class, cycles) in causes(found) {
        let width = plan.scale * cycles as f64;
        filled(drawing, class, [from, y, width, ROW - 8.0]);
        from += width;
    }
    let gap = (plan.scale * 0.12).min(1.0);
    filled(drawing, "f-issue", [cycle, y, plan.scale - gap, ROW - 8.0]);
    if waits.stalls > 0 {
        let behind = cycle + plan.scale;
        filled(
            drawing,
            "f-stalls",
            [behind, y, end - behind - gap, ROW - 8.0],
        );
    }
    y = plan.row(plan.unit(found)) + 2.0;
    let lane = y + 4.0 * (place % LANES) as f64;
    let flight = (plan.x(found.done) - cycle).max(plan.scale);
    filled(drawing, "f-flight", [cycle, lane, flight, 3.0]);
    let held = plan.scale * f64::from(found.interval.min(2));
    filled(
        drawing,
        "f-unit",
        [cycle, y + 2.0, held.min(plan.scale) - gap, ROW - 8.0],
    );
    let hit = [
        x,
        plan.top,
        (end - x).max(1.0),
        ROW * plan.rows() as f64 + CURVE,
    ];
    filled(drawing, "f-hit", hit);
    drawing.body.push_str("</g>\n");
}

/// A line through the instructions of the critical path.
fn chain(drawing: &mut Drawing, plan: &Plan<'_>) {
    let points = plan.block.critical_path().map(|place| {
        let found = &plan.block.instructions[place];
        let x = plan.x(found.issue.cycle) + plan.scale / 2.0;
        let y = plan.row(plan.unit(found)) + ROW / 2.0;
        format!("{},{}", number(x), number(y))
    });
    let points: Vec<String> = points.collect();
    if points.len() > 1 {
        let points = points.join(" ");
        let _ = writeln!(
            drawing.body,
            "<polyline class=\"chain\" points=\"{points}\" pointer-events=\"none\"/>"
        );
    }
}

/// An instruction in words.
pub(super) fn describe(block: &MeasuredBlock, place: usize) -> String {
    let found = &block.instructions[place];
    let mut text = format!("{} {}", block.start + place, found.text);
    let _ = write!(text, "\ncycle {}", found.issue.cycle);
    let _ = write!(text, ", stall {}", found.issue.breakdown.stalls);
    match wait_text(found).as_str() {
        "" => {}
        waits => {
            let _ = write!(text, ", waits {waits}");
        }
    }
    let _ = write!(
        text,
        "; unit {}, done at {}; {} registers; {}",
        found.unit, found.done, found.live, found.control
    );
    if !found.producers.is_empty() {
        let producers: Vec<String> = found.producers.iter().map(usize::to_string).collect();
        let _ = write!(text, "\nneeds {}", producers.join(", "));
    }
    if found.critical {
        text.push_str("\non the critical path");
    }
    if let Some(twin) = found.twin.filter(|twin| *twin != block.start + place) {
        let _ = write!(text, "\nnumber {twin} in the first version");
    }
    text
}
